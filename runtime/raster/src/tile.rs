//! Draws the items of a band into a tile, back to front, but for what later opaque items cover: a
//! tile starts at the last item that fills all of it, and rows leave out the insides of opaque
//! boxes, images and cards that come later. What is left out is overwritten, so nothing changes.

use crate::canvas::{Canvas, Source};
use crate::cells::TILE_W;
use crate::fixed::ONE;
use crate::plan::{Cover, Fill, Item, Kind, NOT_SOLID, Planner, SOLID_PATH};
use crate::row::{Kind as RunKind, Row};
use crate::scan::Scan;
use crate::simd::Simd;
use fearless_simd_macros::simd;
use zinc_scene::{GlyphPixels, IRect};

/// A part of the tile that an item fills with opaque pixels.
#[derive(Clone, Copy, Debug)]
struct Hide {
    /// The item, by its place in the list.
    by: usize,
    at: IRect,
}

/// Parts of a tile that are kept at most, and how many of the smallest would fill it: every item
/// before them looks at each.
const HIDES: usize = 32;

/// One thread's drawing memory.
#[derive(Debug)]
pub(crate) struct Painter {
    scan: Scan,
    canvas: Canvas,
    /// Items of the current band: planner and index.
    pub(crate) list: Vec<(u32, u32)>,
    /// Which of them bear on what is hidden, by their places in the list.
    pub(crate) marks: Vec<usize>,
    /// Opaque parts of the tile, in the order of items.
    hides: Vec<Hide>,
    /// Those of them that bear on the current item.
    over: Vec<IRect>,
    /// A row of one colour, and whether it stands for all rows of the tile.
    flat: (Box<[u32; TILE_W]>, bool),
}

impl Painter {
    pub(crate) fn new(rows: usize) -> Self {
        Self {
            scan: Scan::new(rows),
            canvas: Canvas::new(rows),
            list: Vec::new(),
            marks: Vec::new(),
            hides: Vec::with_capacity(HIDES),
            over: Vec::with_capacity(HIDES),
            flat: (Box::new([0; TILE_W]), false),
        }
    }

    /// With antialiasing, or without.
    pub(crate) fn set_hard(&mut self, hard: bool) {
        self.scan.hard = hard;
    }

    /// Draws the band's items into a tile; its rows are then in [`Painter::row`].
    #[simd]
    pub(crate) fn tile<S: Simd>(
        &mut self,
        simd: S,
        planners: &[Planner],
        band: usize,
        tile: IRect,
        holes: bool,
    ) {
        let (first, filled) = self.find_hides(planners, band, tile);
        self.canvas.begin(tile, holes, filled);
        let clear = if filled { self.cleared(planners, first, tile) } else { None };
        self.flat.1 = clear.is_some();
        if let Some(color) = clear {
            return self.flat.0.fill(color);
        }
        let mut next = 0;
        for i in first..self.list.len() {
            let (p, item) = self.list[i];
            let plan = &planners[p as usize];
            let item = &plan.items[item as usize];
            // What a clip or layer holds lies in its bounds: skipping one skips its end too.
            let b = item.bounds;
            if b.x0 < tile.x1 && b.x1 > tile.x0 && b.y0 < tile.y1 && b.y1 > tile.y0 {
                while self.hides.get(next).is_some_and(|h| h.by <= i) {
                    next += 1;
                }
                self.over.clear();
                if next < self.hides.len() {
                    let at = self.canvas.visible(b);
                    let on = self.hides[next..].iter().filter(|h| h.at.overlaps(at));
                    self.over.extend(on.map(|h| h.at));
                }
                self.item(simd, item, plan, band);
            }
        }
    }

    /// Finds what opaque items cover, outside of clips and layers. Answers the first item worth
    /// drawing (one that covers the whole tile hides all before it), and whether it covers it.
    fn find_hides(&mut self, planners: &[Planner], band: usize, tile: IRect) -> (usize, bool) {
        self.hides.clear();
        let (mut first, mut filled, mut depth) = (0, false, 0usize);
        for &i in &self.marks {
            let (p, item) = self.list[i];
            let plan = &planners[p as usize];
            let item = &plan.items[item as usize];
            match item.kind {
                Kind::PushClip(_) | Kind::PushLayer => depth += 1,
                Kind::PopClip | Kind::PopLayer(..) => depth = depth.saturating_sub(1),
                Kind::Fill(cover, _) if depth == 0 && item.solid == SOLID_PATH => {
                    let all = item.bounds.contains_rect(tile) && plan.fills(&cover, band, tile);
                    if all {
                        (first, filled) = (i, true);
                        self.hides.clear();
                    }
                }
                _ if depth == 0 && item.solid != NOT_SOLID => {
                    for at in plan.solids[item.solid as usize] {
                        let at = at.intersect(tile);
                        if at == tile {
                            (first, filled) = (i, true);
                            self.hides.clear();
                        } else if at.width() >= 16
                            && at.area() * HIDES as i64 >= tile.area()
                            && self.hides.len() < HIDES
                        {
                            self.hides.push(Hide { by: i, at });
                        }
                    }
                }
                _ => {}
            }
        }
        (first, filled)
    }

    /// The colour of a tile that shows nothing but what clears it.
    fn cleared(&self, planners: &[Planner], first: usize, tile: IRect) -> Option<u32> {
        let mut items = self.list[first..].iter().map(|(p, i)| {
            let plan = &planners[*p as usize];
            &plan.items[*i as usize]
        });
        let Kind::Clear(color) = items.next()?.kind else { return None };
        (!items.any(|i| i.bounds.overlaps(tile))).then_some(color)
    }

    /// All pixels of the finished tile are known to be opaque.
    pub(crate) fn is_opaque(&self) -> bool {
        if self.flat.1 { self.flat.0[0] >> 24 == 255 } else { self.canvas.is_opaque() }
    }

    /// A finished row of the tile.
    pub(crate) fn row(&self, y: i32) -> &[u32] {
        let row = self.canvas.row(y);
        if self.flat.1 { &self.flat.0[..row.len()] } else { row }
    }

    #[inline(always)]
    fn item<S: Simd>(&mut self, simd: S, item: &Item, plan: &Planner, band: usize) {
        let at = self.canvas.visible(item.bounds);
        match item.kind {
            Kind::PopClip => return self.canvas.pop_clip(),
            Kind::PushLayer => return self.canvas.push_layer(item.bounds),
            Kind::PopLayer(opacity, mode) => {
                return self.canvas.pop_layer(simd, &mut self.scan.row, opacity, mode);
            }
            Kind::PushClip(cover) => return self.push_clip(simd, &cover, plan, band, at),
            _ if at.is_empty() || self.over.iter().any(|o| o.contains_rect(at)) => return,
            _ => {}
        }
        match item.kind {
            Kind::Clear(color) => {
                for y in at.y0..at.y1 {
                    let row = self.scan.flat(at.width() as usize, 255);
                    hide(row, &self.over, at.x0, y);
                    self.canvas.clear(at.x0, y, row, color);
                }
            }
            Kind::Fill(cover, fill) => {
                self.cover(simd, &cover, plan, band, at, 255, source(fill, plan));
            }
            Kind::Image { sampler, cover, opacity } => {
                let s = Source::Image(&plan.samplers[sampler as usize]);
                self.cover(simd, &cover, plan, band, at, opacity, s);
            }
            Kind::Hole { cover, opacity } => {
                self.scan.begin(simd, &cover, plan, band, at);
                for y in at.y0..at.y1 {
                    let row = self.scan.next(simd, &cover, plan, y, at);
                    self.canvas.erase(at.x0, y, row, opacity);
                }
            }
            Kind::Shadow(mask, color, cover) => {
                self.shadow(simd, mask, color, cover, plan, band, at);
            }
            Kind::Glyphs { first, len, fill, alpha } => {
                self.glyphs(simd, first as usize..(first + len) as usize, fill, alpha, plan, at);
            }
            Kind::PushClip(_) | Kind::PopClip | Kind::PushLayer | Kind::PopLayer(..) => {}
        }
    }

    #[simd]
    #[allow(clippy::too_many_arguments, reason = "an item's parts")]
    fn cover<S: Simd>(
        &mut self,
        simd: S,
        cover: &Cover,
        plan: &Planner,
        band: usize,
        at: IRect,
        opacity: u8,
        source: Source<'_>,
    ) {
        self.scan.begin(simd, cover, plan, band, at);
        if let Source::Solid(c) = source
            && opacity == 255
            && self.over.is_empty()
            && self.canvas.is_plain()
            && self.scan.fill(simd, cover, at, c, self.canvas.from(at.x0, at.y0))
        {
            return;
        }
        for y in at.y0..at.y1 {
            let row = self.scan.next(simd, cover, plan, y, at);
            hide(row, &self.over, at.x0, y);
            if row.runs.is_empty() {
                continue;
            }
            let source = match source {
                Source::Shader(s, colors) => s.row_color(colors, y).map_or(source, Source::Solid),
                s => s,
            };
            self.canvas.paint(simd, (at.x0, y), row, opacity, source);
        }
    }

    #[simd]
    #[allow(clippy::too_many_arguments, reason = "an item's parts")]
    fn shadow<S: Simd>(
        &mut self,
        simd: S,
        mask: u32,
        color: u32,
        cover: Option<Cover>,
        plan: &Planner,
        band: usize,
        at: IRect,
    ) {
        let shadow = &plan.shadows[mask as usize];
        let width = at.width() as usize;
        if let Some(c) = &cover {
            self.scan.begin(simd, c, plan, band, at);
        }
        let mut bytes = [0u8; TILE_W];
        for y in at.y0..at.y1 {
            let row = match &cover {
                None => {
                    shadow.row(at.x0, y, width, &mut self.scan.row);
                    &mut self.scan.row
                }
                Some(c) => {
                    shadow.bytes(at.x0, y, &mut bytes[..width]);
                    let row = self.scan.next(simd, c, plan, y, at);
                    row.flatten(width);
                    for (c, b) in row.cov.iter_mut().zip(&bytes[..width]) {
                        *c = zinc_scene::mul_div_255(*c as u32, *b as u32) as u8;
                    }
                    row.set(0, width, RunKind::Mask);
                    row
                }
            };
            hide(row, &self.over, at.x0, y);
            self.canvas.paint(simd, (at.x0, y), row, 255, Source::Solid(color));
        }
    }

    #[simd]
    fn glyphs<S: Simd>(
        &mut self,
        simd: S,
        run: core::ops::Range<usize>,
        fill: Fill,
        alpha: u8,
        plan: &Planner,
        at: IRect,
    ) {
        let plain = self.canvas.is_plain() && !self.scan.hard;
        for g in &plan.glyphs[run] {
            let (w, h) = (g.mask.width as usize, g.mask.height as i32);
            let box_ = IRect::new(g.x, g.y, g.x.saturating_add(w as i32), g.y.saturating_add(h));
            let box_ = box_.intersect(at);
            let n = box_.width() as usize;
            if box_.is_empty() {
                continue;
            }
            if let (GlyphPixels::Coverage(p), Fill::Solid(c), true) = (&g.mask.pixels, fill, plain)
            {
                let i = (box_.y0 - g.y) as usize * w + (box_.x0 - g.x) as usize;
                let end = i + (box_.height() as usize - 1) * w + n;
                self.canvas.stamp(simd, box_, (&p[i..end], w), c);
                continue;
            }
            for y in box_.y0..box_.y1 {
                let i = (y - g.y) as usize * w + (box_.x0 - g.x) as usize;
                let row = &mut self.scan.row;
                match &g.mask.pixels {
                    GlyphPixels::Coverage(p) => {
                        row.set(0, n, RunKind::Mask);
                        row.cov[..n].copy_from_slice(&p[i..i + n]);
                        if self.scan.hard {
                            row.harden();
                        }
                        let source = match source(fill, plan) {
                            Source::Shader(s, colors) => s
                                .row_color(colors, y)
                                .map_or(Source::Shader(s, colors), Source::Solid),
                            s => s,
                        };
                        self.canvas.paint(simd, (box_.x0, y), row, 255, source);
                    }
                    GlyphPixels::Color(p) => {
                        row.set(0, n, RunKind::Const(255));
                        let words = Source::Words(&p[i..i + n]);
                        self.canvas.paint(simd, (box_.x0, y), row, alpha, words);
                    }
                }
            }
        }
    }

    fn push_clip<S: Simd>(
        &mut self,
        simd: S,
        cover: &Cover,
        plan: &Planner,
        band: usize,
        at: IRect,
    ) {
        if let Cover::Box(e) = cover
            && e.iter().all(|v| v % ONE == 0)
        {
            let [l, t, r, b] = e.map(|v| v / ONE);
            return self.canvas.push_box(at.intersect(IRect::new(l, t, r, b)));
        }
        let mut whole = true;
        // The mask is made under the outer clip, then becomes the inner one.
        self.canvas.push_mask(at);
        self.scan.begin(simd, cover, plan, band, at);
        for y in at.y0..at.y1 {
            let row = self.scan.next(simd, cover, plan, y, at);
            whole &= self.canvas.mask_row(at.x0, y, row);
        }
        self.canvas.mask_done(whole && !at.is_empty());
    }
}

/// Takes out of a row that starts at `x` what later opaque items cover.
#[inline(always)]
fn hide(row: &mut Row, over: &[IRect], x: i32, y: i32) {
    for o in over {
        if o.y0 <= y && y < o.y1 {
            let side = |v: i32| (v - x).clamp(0, TILE_W as i32) as u16;
            row.cut(side(o.x0), side(o.x1));
        }
    }
}

fn source<'a>(fill: Fill, plan: &'a Planner) -> Source<'a> {
    match fill {
        Fill::Solid(c) => Source::Solid(c),
        Fill::Shader(i) => Source::Shader(&plan.shaders[i as usize], &plan.colors),
    }
}
