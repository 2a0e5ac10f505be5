//! The first pass: commands to items. Culls by bounds, transforms, flattens, strokes, rounds,
//! bins edges per band, and resolves glyphs, shadow masks and images, so that the second pass
//! only reads integers.
//!
//! - A [`Planner`] is one thread's memory, kept between frames. It takes chunks of [`CHUNK`]
//!   commands; the order of items is the order of commands, whoever planned them.
//! - What a command becomes depends on the command alone; damage decides only whether it becomes
//!   anything, and which bands keep its edges.

use crate::bins::{Bins, bin};
use crate::cells::TILE_W;
use crate::fixed::{Edges, Map, ONE, Seg, ceil, fix, height_in_row};
use crate::flatten;
use crate::gradient::{self, Colors, Made, Shader};
use crate::image::Sampler;
use crate::lists::Lists;
use crate::mips::Mips;
use crate::rounded::{Corners, Rounded};
use crate::shadow::{Caster, Masks, Placed};
use crate::sources;
use crate::stroke::Stroker;
use std::sync::Arc;
use zinc_scene::{
    BlendMode, ClipShape, Command, CommandList, FillRule, GlyphMask, IRect, Latched, LayerPlan,
    Matrix, Op, PaintRef, PathView, Radii, Rect, Region, RoundedRectOutline,
};

/// Commands a thread takes at once.
pub(crate) const CHUNK: usize = 32;

/// Where an item has ink.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cover {
    /// A box: left, top, right, bottom in 24.8.
    Box([i32; 4]),
    /// Index into [`Planner::rounded`].
    Rounded(u32),
    /// Edges.
    Path(Bins, FillRule),
}

/// What it is filled with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fill {
    Solid(u32),
    /// Index into [`Planner::shaders`].
    Shader(u32),
}

/// A command, ready to be drawn. Numbers index the arenas of the planner that made it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Clear(u32),
    Fill(Cover, Fill),
    /// A shadow mask, its colour, and for inset ones the box.
    Shadow(u32, u32, Option<Cover>),
    Glyphs {
        first: u32,
        len: u32,
        fill: Fill,
        alpha: u8,
    },
    Image {
        sampler: u32,
        cover: Cover,
        opacity: u8,
    },
    Hole {
        cover: Cover,
        opacity: u8,
    },
    PushClip(Cover),
    PopClip,
    PushLayer,
    PopLayer(u8, BlendMode),
}

/// An item with the pixels it may change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) bounds: IRect,
    pub(crate) kind: Kind,
    /// What of it is opaque for certain: index into [`Planner::solids`], [`SOLID_PATH`] or
    /// [`NOT_SOLID`].
    pub(crate) solid: u32,
}

impl Item {
    /// It hides others, or starts or ends what is not asked for that.
    fn is_mark(&self) -> bool {
        use Kind::{PopClip, PopLayer, PushClip, PushLayer};
        self.solid != NOT_SOLID
            || matches!(self.kind, PushClip(_) | PopClip | PushLayer | PopLayer(..))
    }
}

/// Nothing is known to be opaque.
pub(crate) const NOT_SOLID: u32 = u32::MAX;
/// An opaque path that may fill whole tiles: its edges tell.
pub(crate) const SOLID_PATH: u32 = u32::MAX - 1;
/// Rows of a tile that paths are asked for; bands of more rows are drawn in tests only.
const MOST_ROWS: usize = 32;
/// Boxes thinner than this hide too little to ask for.
const SOLID_SIDE: i32 = 16;

/// A glyph mask in place.
#[derive(Debug)]
pub(crate) struct PlacedGlyph {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) mask: Arc<GlyphMask>,
}

/// What a frame is planned from.
pub(crate) struct Job<'a> {
    pub(crate) list: &'a CommandList,
    pub(crate) films: &'a LayerPlan,
    pub(crate) damage: &'a Region,
    /// The box around the damage.
    pub(crate) around: IRect,
    /// Rows of a band.
    pub(crate) band: i32,
    pub(crate) mips: &'a Mips,
    pub(crate) shadows: &'a Masks,
    pub(crate) corners: &'a Corners,
}

/// One thread's part of a plan.
#[derive(Debug, Default)]
pub(crate) struct Planner {
    pub(crate) items: Vec<Item>,
    pub(crate) segs: Vec<Seg>,
    pub(crate) starts: Vec<u32>,
    /// Two boxes that an opaque item fills; the inside of a rounded box takes two.
    pub(crate) solids: Vec<[IRect; 2]>,
    pub(crate) colors: Colors,
    pub(crate) shaders: Vec<Shader>,
    pub(crate) samplers: Vec<Sampler>,
    pub(crate) shadows: Vec<Placed>,
    pub(crate) rounded: Vec<Rounded>,
    pub(crate) glyphs: Vec<PlacedGlyph>,
    /// Items that meet each band, in their order: twice the index, and one more for those that
    /// bear on what is hidden ([`Item::is_mark`]).
    pub(crate) bands: Lists,
    /// Chunks planned here: number, first item, one past the last.
    pub(crate) chunks: Vec<(u32, u32, u32)>,
    pub(crate) culled: usize,
    scratch: Vec<Seg>,
    stroker: Stroker,
}

impl Planner {
    /// Forgets the frame (and lets go of its images), keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.items.clear();
        self.segs.clear();
        self.starts.clear();
        self.solids.clear();
        self.colors.clear();
        self.shaders.clear();
        self.samplers.clear();
        self.shadows.clear();
        self.rounded.clear();
        self.glyphs.clear();
        self.bands.clear();
        self.chunks.clear();
        self.culled = 0;
    }

    /// How much each arena holds.
    pub(crate) fn sizes(&self) -> [usize; 14] {
        let ([ramps, tables], [links, bands]) = (self.colors.sizes(), self.bands.sizes());
        [
            self.items.len(),
            self.segs.len(),
            self.starts.len(),
            self.solids.len(),
            ramps,
            tables,
            self.shaders.len(),
            self.samplers.len(),
            self.shadows.len(),
            self.rounded.len(),
            self.glyphs.len(),
            links,
            bands,
            self.chunks.len(),
        ]
    }

    /// Makes room for as much: whoever plans it next time, no arena grows.
    pub(crate) fn reserve(&mut self, sizes: &[usize; 14]) {
        let [items, segs, starts, solids, ramps, tables, shaders, rest @ ..] = *sizes;
        let [samplers, shadows, rounded, glyphs, links, bands, chunks] = rest;
        self.items.reserve(items);
        self.segs.reserve(segs);
        self.starts.reserve(starts);
        self.solids.reserve(solids);
        self.colors.reserve([ramps, tables]);
        self.shaders.reserve(shaders);
        self.samplers.reserve(samplers);
        self.shadows.reserve(shadows);
        self.rounded.reserve(rounded);
        self.glyphs.reserve(glyphs);
        self.bands.reserve([links, bands]);
        self.chunks.reserve(chunks);
    }

    /// Plans the commands of a chunk.
    pub(crate) fn chunk(&mut self, job: &Job<'_>, number: usize) {
        let all = job.list.commands();
        let from = number * CHUNK;
        let first = self.items.len() as u32;
        let surface = job.list.surface();
        for (i, c) in all[from..all.len().min(from + CHUNK)].iter().enumerate() {
            // The damage lies on the surface: what is beside its box needs no closer look.
            if !c.bounds.overlaps(job.around) {
                self.culled += 1;
                continue;
            }
            let bounds = c.bounds.intersect(surface);
            let seen = !bounds.is_empty() && job.damage.rects().iter().any(|r| r.overlaps(bounds));
            match seen.then(|| self.command(job, from + i, c, bounds)).flatten() {
                Some(kind) => {
                    let solid = self.solid(job, c, kind, bounds);
                    self.push(job, Item { bounds, kind, solid });
                }
                None => self.culled += 1,
            }
        }
        self.chunks.push((number as u32, first, self.items.len() as u32));
    }

    fn push(&mut self, job: &Job<'_>, item: Item) {
        let rows = item.bounds.intersect(job.around);
        let entry = self.items.len() as u32 * 2 + item.is_mark() as u32;
        self.items.push(item);
        if !rows.is_empty() {
            let (first, last) = (rows.y0 / job.band, (rows.y1 - 1) / job.band);
            self.bands.push(first as usize, last as usize, entry);
        }
    }

    fn command(&mut self, job: &Job<'_>, at: usize, c: &Command, b: IRect) -> Option<Kind> {
        let m = job.list.matrix(c);
        let a = job.list.arenas();
        match c.op {
            Op::Clear { color } => Some(Kind::Clear(color.premultiply())),
            Op::Rect { rect, radii, paint } => {
                let fill = self.fill(job, paint, m, b)?;
                Some(Kind::Fill(self.rect(job, rect, radii, m, b), fill))
            }
            Op::Border { rect, radii, width, paint } => {
                let fill = self.fill(job, paint, m, b)?;
                Some(Kind::Fill(self.border(job, rect, radii, width, m, b), fill))
            }
            Op::Shadow { rect, radii, offset, spread, sigma, color, inset } => {
                let grow = if inset { -spread } else { spread };
                let caster = Caster {
                    rect: rect.translate(offset).inflate(grow),
                    radii: radii.fit(rect.size()).grow(grow),
                    sigma,
                    inset,
                };
                self.shadow(job, caster, (rect, radii), color.premultiply(), m, b)
            }
            Op::Path { path, rule, paint } => {
                let fill = self.fill(job, paint, m, b)?;
                Some(Kind::Fill(self.filled(job, a.path(path), rule, m, b), fill))
            }
            Op::Stroke { path, stroke, paint } => {
                let fill = self.fill(job, paint, m, b)?;
                let view = a.path(path);
                let style = &a.strokes[stroke as usize];
                let dashes = &a.dashes[style.dashes.range()];
                let map = Map::of(m);
                let cover = self.path(job, b, FillRule::NonZero, |e, s| {
                    s.stroke(view, style, dashes, &map, e);
                });
                Some(Kind::Fill(cover, fill))
            }
            Op::GlyphRun { .. } => crate::glyphs::plan(self, job, &c.op, m, b),
            Op::Image { image, src, dst, radii, filter, opacity, tint } => {
                let image = &a.images[image as usize];
                let tint = tint.map(|c| c.premultiply());
                let s = sources::sampler(image, src, dst, m, filter, tint, job.mips)?;
                let cover = self.rect(job, dst, radii, m, b);
                Some(self.image(s, cover, opacity))
            }
            Op::Picture { source, dst, radii, opacity } => match job.films.get(source)? {
                Latched::Hole => {
                    Some(Kind::Hole { cover: self.rect(job, dst, radii, m, b), opacity })
                }
                Latched::Drawn(image) => {
                    let s = sources::picture(image, dst, m, job.mips)?;
                    let cover = self.rect(job, dst, radii, m, b);
                    Some(self.image(s, cover, opacity))
                }
            },
            Op::PushClip { shape: ClipShape::Rect { rect, radii } } => {
                Some(Kind::PushClip(self.rect(job, rect, radii, m, b)))
            }
            Op::PushClip { shape: ClipShape::Path { path, rule } } => {
                Some(Kind::PushClip(self.filled(job, a.path(path), rule, m, b)))
            }
            Op::PopClip => Some(Kind::PopClip),
            Op::PushLayer { .. } => Some(Kind::PushLayer),
            Op::PopLayer => {
                let (opacity, blend) = opened(job.list, at);
                Some(Kind::PopLayer(opacity, blend))
            }
        }
    }

    /// A path's edges in a band leave no pixel of a tile uncovered: all of them lie beside it, and
    /// those on its left wind around each of its rows.
    pub(crate) fn fills(&self, cover: &Cover, band: usize, tile: IRect) -> bool {
        let &Cover::Path(bins, rule) = cover else { return false };
        let mut rows = [0i32; MOST_ROWS];
        let Some(rows) = rows.get_mut(..tile.height() as usize) else { return false };
        let (left, right) = (tile.x0 * ONE, tile.x1 * ONE);
        for s in bins.of(band, &self.segs, &self.starts) {
            let (ya, yb) = (s.y0.max(tile.y0 * ONE), s.y1().min(tile.y1 * ONE));
            if ya >= yb || s.x0.min(s.x1) >= right {
                continue;
            }
            if s.x0.max(s.x1) > left {
                return false;
            }
            let first = (ya >> 8) - tile.y0;
            for (row, y) in rows[first as usize..].iter_mut().zip(ya >> 8..ceil(yb)) {
                let height = height_in_row(ya, yb, y);
                *row += if s.is_up() { -height } else { height };
            }
        }
        rows.iter().all(|h| match rule {
            FillRule::NonZero => h.abs() >= ONE,
            FillRule::EvenOdd => h.abs() & (2 * ONE - 1) == ONE,
        })
    }

    /// What of an item is opaque, as far as whole boxes tell.
    fn solid(&mut self, job: &Job<'_>, c: &Command, kind: Kind, b: IRect) -> u32 {
        let opaque = match kind {
            Kind::Clear(_) => true,
            Kind::Fill(_, Fill::Solid(c)) => c >> 24 == 255,
            Kind::Fill(_, Fill::Shader(s)) => self.shaders[s as usize].is_opaque(),
            Kind::Image { sampler, opacity: 255, .. } => {
                self.samplers[sampler as usize].is_opaque()
            }
            _ => false,
        };
        let parts = match c.op {
            _ if !opaque || b.width() < SOLID_SIDE => return NOT_SOLID,
            Op::Clear { .. } => [b, b],
            // Smaller ones fill a tile too rarely to be asked.
            Op::Path { .. } if b.width() >= TILE_W as i32 / 2 && b.height() >= job.band => {
                return SOLID_PATH;
            }
            Op::Rect { rect, radii, .. }
            | Op::Image { dst: rect, radii, .. }
            | Op::Picture { dst: rect, radii, .. } => {
                let m = job.list.matrix(c);
                if !m.is_axis_aligned() {
                    return NOT_SOLID;
                }
                // Corners reach no further in than the largest radius.
                let r = radii.fit(rect.size()).0.into_iter().fold(0.0, f32::max);
                let inside = |x: f32, y: f32| {
                    let part = Rect::from_ltrb(
                        rect.x + x,
                        rect.y + y,
                        rect.right() - x,
                        rect.bottom() - y,
                    );
                    if part.is_empty() {
                        return IRect::EMPTY;
                    }
                    let p = m.apply_rect(part);
                    // What rounding to 1/256 cannot move off a whole pixel counts as whole.
                    let near = |v: f32| ((v + 0.5).floor() - v).abs() < 1.0 / 1024.0;
                    let low = |v: f32| if near(v) { (v + 0.5).floor() } else { v.ceil() } as i32;
                    let high = |v: f32| if near(v) { (v + 0.5).floor() } else { v.floor() } as i32;
                    IRect::new(low(p.x), low(p.y), high(p.right()), high(p.bottom())).intersect(b)
                };
                if r > 0.0 { [inside(r, 0.0), inside(0.0, r)] } else { [inside(0.0, 0.0); 2] }
            }
            _ => return NOT_SOLID,
        };
        self.solids.push(parts);
        self.solids.len() as u32 - 1
    }

    fn image(&mut self, sampler: Sampler, cover: Cover, opacity: u8) -> Kind {
        self.samplers.push(sampler);
        Kind::Image { sampler: self.samplers.len() as u32 - 1, cover, opacity }
    }

    fn filled(
        &mut self,
        job: &Job<'_>,
        view: PathView<'_>,
        rule: FillRule,
        m: Matrix,
        b: IRect,
    ) -> Cover {
        let map = Map::of(m);
        self.path(job, b, rule, |e, _| flatten::fill(view, &map, e))
    }

    /// A fill within bounds; `None` when nothing is covered or seen.
    pub(crate) fn fill(
        &mut self,
        job: &Job<'_>,
        paint: PaintRef,
        m: Matrix,
        b: IRect,
    ) -> Option<Fill> {
        match paint {
            PaintRef::Solid(c) => Some(Fill::Solid(c.premultiply())),
            PaintRef::Gradient(i) => {
                let a = job.list.arenas();
                let g = &a.gradients[i as usize];
                let stops = &a.stops[g.stops.range()];
                let seen = b.intersect(job.around).area();
                match gradient::make(g, stops, &Map::of(m), seen, &mut self.colors) {
                    Made::Solid(c) => Some(Fill::Solid(c)),
                    Made::Nothing => None,
                    Made::Shader(s) => {
                        self.shaders.push(s);
                        Some(Fill::Shader(self.shaders.len() as u32 - 1))
                    }
                }
            }
        }
    }

    fn rect(&mut self, job: &Job<'_>, r: Rect, radii: Radii, m: Matrix, b: IRect) -> Cover {
        if r.is_empty() {
            return Cover::Box([0; 4]);
        }
        if m.is_axis_aligned() && radii.0.iter().all(|v| *v <= 0.0) {
            let r = m.apply_rect(r);
            return Cover::Box([r.x, r.y, r.right(), r.bottom()].map(|v| fix(v as f64)));
        }
        if let Some(r) = Rounded::new(r, radii, None, m, job.corners) {
            return self.keep(r);
        }
        let outline = RoundedRectOutline::new(r, radii);
        let map = Map::of(m);
        self.path(job, b, FillRule::NonZero, |e, _| flatten::fill(outline.view(), &map, e))
    }

    fn keep(&mut self, r: Rounded) -> Cover {
        self.rounded.push(r);
        Cover::Rounded(self.rounded.len() as u32 - 1)
    }

    fn border(
        &mut self,
        job: &Job<'_>,
        r: Rect,
        radii: Radii,
        width: f32,
        m: Matrix,
        b: IRect,
    ) -> Cover {
        let inner = r.inflate(-width);
        if inner.is_empty() {
            return self.rect(job, r, radii, m, b);
        }
        if let Some(r) = Rounded::new(r, radii, Some(width), m, job.corners) {
            return self.keep(r);
        }
        let radii = radii.fit(r.size());
        let outer = RoundedRectOutline::new(r, radii);
        let inner = RoundedRectOutline::new(inner, radii.grow(-width));
        let map = Map::of(m);
        self.path(job, b, FillRule::EvenOdd, |e, _| {
            flatten::fill(outer.view(), &map, e);
            flatten::fill(inner.view(), &map, e);
        })
    }

    fn shadow(
        &mut self,
        job: &Job<'_>,
        caster: Caster,
        (rect, radii): (Rect, Radii),
        color: u32,
        m: Matrix,
        b: IRect,
    ) -> Option<Kind> {
        if !caster.inset && caster.sigma == 0.0 {
            let cover = self.rect(job, caster.rect, caster.radii, m, b);
            return Some(Kind::Fill(cover, Fill::Solid(color)));
        }
        let cover = caster.inset.then(|| self.rect(job, rect, radii, m, b));
        match (Placed::new(&caster, m, job.shadows), cover) {
            (Some(p), cover) => {
                self.shadows.push(p);
                Some(Kind::Shadow(self.shadows.len() as u32 - 1, color, cover))
            }
            // Nothing casts: the whole box lies in its shadow.
            (None, Some(cover)) => Some(Kind::Fill(cover, Fill::Solid(color))),
            (None, None) => None,
        }
    }

    /// Collects the edges of a shape and bins them.
    pub(crate) fn path(
        &mut self,
        job: &Job<'_>,
        bounds: IRect,
        rule: FillRule,
        draw: impl FnOnce(&mut Edges<'_>, &mut Stroker),
    ) -> Cover {
        let rows = job.around.intersect(bounds);
        let reach = IRect { x0: bounds.x0, x1: bounds.x1, ..rows };
        let begin = self.segs.len();
        draw(&mut Edges::new(&mut self.segs, reach), &mut self.stroker);
        let (segs, starts, scratch) = (&mut self.segs, &mut self.starts, &mut self.scratch);
        let bins = bin(begin, reach, job.band, segs, starts, scratch);
        Cover::Path(bins, rule)
    }
}

/// Opacity and mode of the layer that ends at command `at`.
fn opened(list: &CommandList, at: usize) -> (u8, BlendMode) {
    let mut depth = 0usize;
    for c in list.commands()[..at].iter().rev() {
        match c.op {
            Op::PopLayer => depth += 1,
            Op::PushLayer { opacity, blend } if depth == 0 => return (opacity, blend),
            Op::PushLayer { .. } => depth -= 1,
            _ => {}
        }
    }
    (255, BlendMode::SourceOver)
}
