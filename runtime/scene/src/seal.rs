//! Bounds and hashes, filled in as commands arrive: each command's pixels are known once what
//! surrounds it is, so a list is ready when its last command is, and a part that is copied from
//! a list with the same surroundings keeps what was computed there.

use crate::command::{Arenas, Command, Op};
use crate::{IRect, Matrix, bounds, hash};

/// What decides the pixels of a command, besides itself: the clips in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Around {
    /// The box of the clips in force.
    pub(crate) clip: IRect,
    /// Their hash.
    pub(crate) hash: u64,
}

/// The state of a recorder between two commands: what is recorded next depends on nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Surroundings {
    pub(crate) matrix: Matrix,
    pub(crate) around: Around,
}

/// Stacks of the pass over a list, kept for their memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sealer {
    surface: IRect,
    around: Around,
    clips: Vec<Around>,
    layers: Vec<(usize, IRect)>,
    matrix_hashes: Vec<u64>,
}

impl Sealer {
    /// Starts a list.
    pub(crate) fn begin(&mut self, surface: IRect) {
        self.surface = surface;
        self.around = Around { clip: surface, hash: 0 };
        self.clips.clear();
        self.layers.clear();
        self.matrix_hashes.clear();
    }

    pub(crate) fn around(&self) -> Around {
        self.around
    }

    fn matrix_hash(&mut self, a: &Arenas, index: u32) -> u64 {
        for m in &a.matrices[self.matrix_hashes.len()..] {
            self.matrix_hashes.push(hash::matrix(*m));
        }
        self.matrix_hashes[index as usize]
    }

    /// Fills in the last command.
    pub(crate) fn last(&mut self, commands: &mut [Command], arenas: &Arenas) {
        let Some(i) = commands.len().checked_sub(1) else { return };
        let c = &commands[i];
        let m = arenas.matrices[c.matrix as usize];
        let placed = hash::join(self.matrix_hash(arenas, c.matrix), c.own_hash);
        let Around { clip, hash: around } = self.around;
        let (bounds, hash) = match c.op {
            Op::PushClip { .. } => {
                self.clips.push(self.around);
                self.around.clip = clip.intersect(bounds::ink(&c.op, m, arenas));
                self.around.hash = hash::join(around, placed);
                (self.around.clip, 0)
            }
            Op::PopClip => {
                let outer = Around { clip: self.surface, hash: 0 };
                self.around = self.clips.pop().unwrap_or(outer);
                (clip, 0)
            }
            Op::PushLayer { .. } => {
                self.layers.push((i, IRect::EMPTY));
                (IRect::EMPTY, hash::join(around, c.own_hash))
            }
            Op::PopLayer => self.end_layer(commands, i),
            _ => {
                let b = clip.intersect(bounds::ink(&c.op, m, arenas));
                self.content(b);
                (b, hash::join(around, placed))
            }
        };
        commands[i].bounds = bounds;
        commands[i].hash = hash;
    }

    fn content(&mut self, b: IRect) {
        if let Some((_, content)) = self.layers.last_mut() {
            *content = content.union(b);
        }
    }

    /// The box is part of both hashes, so that a layer whose content grew or shrank never counts
    /// as unchanged (see damage.rs).
    fn end_layer(&mut self, commands: &mut [Command], i: usize) -> (IRect, u64) {
        let (start, content) = self.layers.pop().unwrap_or((i, IRect::EMPTY));
        let edges = hash::join(
            hash::join(content.x0 as u64, content.y0 as u64),
            hash::join(content.x1 as u64, content.y1 as u64),
        );
        let push = &mut commands[start];
        push.bounds = content;
        push.hash = hash::join(push.hash, edges);
        let h = hash::join(push.hash, 13);
        self.content(content);
        (content, h)
    }

    /// Takes note of a command that was copied, whole clips and layers at a time, from a list in
    /// which the same surrounded it.
    pub(crate) fn copied(&mut self, c: &Command) {
        match c.op {
            Op::PushClip { .. } | Op::PopClip | Op::PushLayer { .. } => {}
            _ => self.content(c.bounds),
        }
    }
}
