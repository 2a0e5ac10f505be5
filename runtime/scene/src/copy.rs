//! Parts of a frozen list, recorded again: under another matrix ([`Recorder::append`]), or as they
//! stand ([`Recorder::repeat`]). What a list holds was checked and hashed when it was made, so
//! neither is done again.

use crate::command::{Arenas, ClipShape, Command, Op};
use crate::recorder::extend;
use crate::seal::Surroundings;
use crate::validate::Invalid;
use crate::{CommandList, Gradient, Matrix, PaintRef, PathRef, Recorder, Stroke, limits};
use std::sync::Arc;

/// Where shared handles of a list stand in the list that is being recorded: found once, then
/// looked up. Good for one source list, named by its id, within one frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Remap {
    source: u64,
    matrices: Vec<u32>,
    paths: Vec<u32>,
    images: Vec<u32>,
    fonts: Vec<u32>,
}

const UNKNOWN: u32 = u32::MAX;

impl Remap {
    pub(crate) fn clear(&mut self) {
        self.source = 0;
    }

    /// Ready for commands of this list.
    fn of(&mut self, list: &CommandList) {
        if self.source == list.id {
            return;
        }
        self.source = list.id;
        let a = &list.arenas;
        let Self { matrices, paths, images, fonts, .. } = self;
        for (table, len) in [
            (matrices, a.matrices.len()),
            (paths, a.paths.len()),
            (images, a.images.len()),
            (fonts, a.fonts.len()),
        ] {
            table.clear();
            table.resize(len, UNKNOWN);
        }
    }
}

/// The new index of a shared handle.
fn shared<T: ?Sized>(table: &mut [u32], to: &mut Vec<Arc<T>>, from: &[Arc<T>], i: u32) -> u32 {
    let known = &mut table[i as usize];
    if *known == UNKNOWN {
        let one = &from[i as usize];
        let recent = to.len().saturating_sub(16);
        *known = match to[recent..].iter().rposition(|x| Arc::ptr_eq(x, one)) {
            Some(i) => (recent + i) as u32,
            None => {
                to.push(one.clone());
                to.len() as u32 - 1
            }
        };
    }
    *known
}

fn path(r: &mut Remap, to: &mut Arenas, from: &Arenas, p: PathRef) -> PathRef {
    match p {
        PathRef::Inline { verbs, points } => PathRef::Inline {
            verbs: extend(&mut to.verbs, &from.verbs[verbs.range()]),
            points: extend(&mut to.points, &from.points[points.range()]),
        },
        PathRef::Shared(i) => PathRef::Shared(shared(&mut r.paths, &mut to.paths, &from.paths, i)),
    }
}

fn paint(to: &mut Arenas, from: &Arenas, p: PaintRef) -> PaintRef {
    match p {
        PaintRef::Solid(_) => p,
        PaintRef::Gradient(i) => {
            let g = from.gradients[i as usize];
            let stops = extend(&mut to.stops, &from.stops[g.stops.range()]);
            to.gradients.push(Gradient { stops, ..g });
            PaintRef::Gradient(to.gradients.len() as u32 - 1)
        }
    }
}

/// The command with its arena parts in place in `to`.
fn import(r: &mut Remap, to: &mut Arenas, from: &Arenas, op: Op) -> Op {
    match op {
        Op::Rect { rect, radii, paint: p } => Op::Rect { rect, radii, paint: paint(to, from, p) },
        Op::Border { rect, radii, width, paint: p } => {
            Op::Border { rect, radii, width, paint: paint(to, from, p) }
        }
        Op::Path { path: p, rule, paint: f } => {
            Op::Path { path: path(r, to, from, p), rule, paint: paint(to, from, f) }
        }
        Op::Stroke { path: p, stroke, paint: f } => {
            let s = from.strokes[stroke as usize];
            let dashes = extend(&mut to.dashes, &from.dashes[s.dashes.range()]);
            to.strokes.push(Stroke { dashes, ..s });
            let stroke = to.strokes.len() as u32 - 1;
            Op::Stroke { path: path(r, to, from, p), stroke, paint: paint(to, from, f) }
        }
        Op::GlyphRun { font, size, origin, glyphs, paint: f } => {
            let font = shared(&mut r.fonts, &mut to.fonts, &from.fonts, font);
            let glyphs = extend(&mut to.glyphs, &from.glyphs[glyphs.range()]);
            Op::GlyphRun { font, size, origin, glyphs, paint: paint(to, from, f) }
        }
        Op::Image { image, src, dst, radii, filter, opacity, tint } => {
            let image = shared(&mut r.images, &mut to.images, &from.images, image);
            Op::Image { image, src, dst, radii, filter, opacity, tint }
        }
        Op::PushClip { shape: ClipShape::Path { path: p, rule } } => {
            Op::PushClip { shape: ClipShape::Path { path: path(r, to, from, p), rule } }
        }
        Op::Clear { .. }
        | Op::Shadow { .. }
        | Op::Picture { .. }
        | Op::PushClip { shape: ClipShape::Rect { .. } }
        | Op::PopClip
        | Op::PushLayer { .. }
        | Op::PopLayer => op,
    }
}

/// The commands hold whole clips and layers. They stand in a valid list, so depth decides.
fn is_whole(commands: &[Command]) -> bool {
    let mut depth = 0isize;
    let never_below = commands.iter().all(|c| {
        depth += match c.op {
            Op::PushClip { .. } | Op::PushLayer { .. } => 1,
            Op::PopClip | Op::PopLayer => -1,
            _ => 0,
        };
        depth >= 0
    });
    never_below && depth == 0
}

impl Recorder {
    /// Copies commands of a frozen list, under a matrix put before theirs, with their hashes.
    /// The range must hold whole clips and layers; it is refused otherwise.
    pub fn append(&mut self, list: &CommandList, range: core::ops::Range<usize>, m: Matrix) {
        let Some(commands) = self.part(list, range) else { return };
        self.push_matrix(m);
        let base = self.matrix;
        for c in commands {
            self.matrix = base.then_inner(list.matrix(c));
            self.matrix_index = None;
            let op = import(&mut self.remap, &mut self.list.arenas, &list.arenas, c.op);
            self.push_checked(op, c.own_hash);
        }
        self.pop_matrix();
        self.matrix_index = None;
    }

    /// Copies commands as they stand, matrices included, if [`Recorder::surroundings`] are those
    /// in which they were recorded; answers `false`, and records nothing, if they are others.
    /// This is how an unchanged part of a screen costs next to nothing. The range must hold whole
    /// clips and layers; it is refused otherwise.
    pub fn repeat(
        &mut self,
        list: &CommandList,
        range: core::ops::Range<usize>,
        recorded_in: Surroundings,
    ) -> bool {
        if recorded_in != self.surroundings() {
            return false;
        }
        let Some(commands) = self.part(list, range) else { return false };
        let full = limits::COMMANDS - limits::NESTING;
        let room = self.list.commands.len() + commands.len() <= full;
        if !room || self.lost > 0 || !self.balance.has_room_for(commands) {
            return false;
        }
        let clip = self.sealer.around().clip;
        for c in commands {
            let to = &mut self.list.arenas;
            let op = import(&mut self.remap, to, &list.arenas, c.op);
            let known = &mut self.remap.matrices[c.matrix as usize];
            if *known == UNKNOWN {
                let m = list.arenas.matrices[c.matrix as usize];
                let recent = to.matrices.len().saturating_sub(8);
                *known = match to.matrices[recent..].iter().rposition(|x| *x == m) {
                    Some(i) => (recent + i) as u32,
                    None => {
                        to.matrices.push(m);
                        to.matrices.len() as u32 - 1
                    }
                };
            }
            let bounds = c.bounds.intersect(clip);
            let c = Command { op, matrix: *known, bounds, ..*c };
            self.sealer.copied(&c);
            self.list.commands.push(c);
        }
        true
    }

    /// A part of a list that may be copied.
    fn part<'l>(
        &mut self,
        list: &'l CommandList,
        range: core::ops::Range<usize>,
    ) -> Option<&'l [Command]> {
        let Some(commands) = list.commands.get(range) else {
            self.warn("fragment", Invalid::Index);
            return None;
        };
        if !is_whole(commands) {
            self.warn("fragment", Invalid::UnbalancedPush);
            return None;
        }
        self.remap.of(list);
        Some(commands)
    }
}
