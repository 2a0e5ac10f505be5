//! Draws the items of a band into a tile, back to front.

use crate::canvas::{Canvas, Source};
use crate::cells::Kind as RunKind;
use crate::fixed::ONE;
use crate::plan::{Cover, Fill, Item, Kind, Planner};
use crate::scan::Scan;
use zinc_scene::{GlyphPixels, IRect};

/// One thread's drawing memory.
#[derive(Debug)]
pub(crate) struct Painter {
    scan: Scan,
    canvas: Canvas,
    /// Items of the current band: planner and index.
    pub(crate) list: Vec<(u32, u32)>,
    pub(crate) pixels: u64,
    pub(crate) bands: u64,
}

impl Painter {
    pub(crate) fn new(rows: usize) -> Self {
        let list = Vec::new();
        Self { scan: Scan::new(rows), canvas: Canvas::new(rows), list, pixels: 0, bands: 0 }
    }

    /// Draws the band's items into a tile; its rows are then in [`Painter::row`].
    pub(crate) fn tile(&mut self, planners: &[Planner], band: usize, tile: IRect, holes: bool) {
        self.canvas.begin(tile, holes);
        for i in 0..self.list.len() {
            let (p, item) = self.list[i];
            let plan = &planners[p as usize];
            let item = &plan.items[item as usize];
            // What a clip or layer holds lies in its bounds: skipping one skips its end too.
            let b = item.bounds;
            if b.x0 < tile.x1 && b.x1 > tile.x0 && b.y0 < tile.y1 && b.y1 > tile.y0 {
                self.item(item, plan, band);
            }
        }
    }

    /// A finished row of the tile.
    pub(crate) fn row(&self, y: i32) -> &[u32] {
        self.canvas.row(y)
    }

    fn item(&mut self, item: &Item, plan: &Planner, band: usize) {
        let at = self.canvas.visible(item.bounds);
        match item.kind {
            Kind::PopClip => return self.canvas.pop_clip(),
            Kind::PushLayer => return self.canvas.push_layer(item.bounds),
            Kind::PopLayer(opacity, mode) => {
                return self.canvas.pop_layer(&mut self.scan.row, opacity, mode);
            }
            Kind::PushClip(cover) => return self.push_clip(&cover, plan, band, at),
            _ if at.is_empty() => return,
            _ => {}
        }
        match item.kind {
            Kind::Clear(color) => {
                for y in at.y0..at.y1 {
                    let row = self.scan.flat(at.width() as usize, 255);
                    self.canvas.clear(at.x0, y, row, color);
                }
            }
            Kind::Fill(cover, fill) => self.cover(&cover, plan, band, at, 255, source(fill, plan)),
            Kind::Image { sampler, cover, opacity } => {
                let s = Source::Image(&plan.samplers[sampler as usize]);
                self.cover(&cover, plan, band, at, opacity, s);
            }
            Kind::Hole { cover, opacity } => {
                self.scan.begin(&cover, plan, band, at);
                for y in at.y0..at.y1 {
                    let row = self.scan.next(&cover, y, at);
                    self.canvas.erase(at.x0, y, row, opacity);
                }
            }
            Kind::Shadow(mask, color, cover) => self.shadow(mask, color, cover, plan, band, at),
            Kind::Glyphs { first, len, fill, alpha } => {
                self.glyphs(first as usize..(first + len) as usize, fill, alpha, plan, at);
            }
            Kind::PushClip(_) | Kind::PopClip | Kind::PushLayer | Kind::PopLayer(..) => {}
        }
    }

    fn cover(
        &mut self,
        cover: &Cover,
        plan: &Planner,
        band: usize,
        at: IRect,
        opacity: u8,
        source: Source<'_>,
    ) {
        self.scan.begin(cover, plan, band, at);
        for y in at.y0..at.y1 {
            let row = self.scan.next(cover, y, at);
            if !row.runs.is_empty() {
                self.canvas.paint(at.x0, y, row, opacity, source);
            }
        }
    }

    fn shadow(
        &mut self,
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
            self.scan.begin(c, plan, band, at);
        }
        let mut bytes = [0u8; crate::cells::TILE_W];
        for y in at.y0..at.y1 {
            shadow.row(at.x0, y, &mut bytes[..width]);
            let row = match &cover {
                None => {
                    let row = self.scan.flat(width, 255);
                    row.cov[..width].copy_from_slice(&bytes[..width]);
                    row
                }
                Some(c) => {
                    let row = self.scan.next(c, y, at);
                    row.flatten(width);
                    for (c, b) in row.cov.iter_mut().zip(&bytes[..width]) {
                        *c = zinc_scene::mul_div_255(*c as u32, *b as u32) as u8;
                    }
                    row
                }
            };
            row.set(0, width, RunKind::Mask);
            self.canvas.paint(at.x0, y, row, 255, Source::Solid(color));
        }
    }

    fn glyphs(
        &mut self,
        run: core::ops::Range<usize>,
        fill: Fill,
        alpha: u8,
        plan: &Planner,
        at: IRect,
    ) {
        for g in &plan.glyphs[run] {
            let (w, h) = (g.mask.width as usize, g.mask.height as i32);
            let box_ = IRect::new(g.x, g.y, g.x.saturating_add(w as i32), g.y.saturating_add(h));
            let box_ = box_.intersect(at);
            let n = box_.width() as usize;
            for y in box_.y0..box_.y1 {
                let i = (y - g.y) as usize * w + (box_.x0 - g.x) as usize;
                let row = &mut self.scan.row;
                match &g.mask.pixels {
                    GlyphPixels::Coverage(p) => {
                        row.set(0, n, RunKind::Mask);
                        row.cov[..n].copy_from_slice(&p[i..i + n]);
                        self.canvas.paint(box_.x0, y, row, 255, source(fill, plan));
                    }
                    GlyphPixels::Color(p) => {
                        row.set(0, n, RunKind::Const(255));
                        let words = Source::Words(&p[i..i + n]);
                        self.canvas.paint(box_.x0, y, row, alpha, words);
                    }
                }
            }
        }
    }

    fn push_clip(&mut self, cover: &Cover, plan: &Planner, band: usize, at: IRect) {
        if let Cover::Box(e) = cover
            && e.iter().all(|v| v % ONE == 0)
        {
            let [l, t, r, b] = e.map(|v| v / ONE);
            return self.canvas.push_box(at.intersect(IRect::new(l, t, r, b)));
        }
        let mut whole = true;
        // The mask is made under the outer clip, then becomes the inner one.
        self.canvas.push_mask(at);
        self.scan.begin(cover, plan, band, at);
        for y in at.y0..at.y1 {
            let row = self.scan.next(cover, y, at);
            whole &= self.canvas.mask_row(at.x0, y, row);
        }
        self.canvas.mask_done(whole && !at.is_empty());
    }
}

fn source<'a>(fill: Fill, plan: &'a Planner) -> Source<'a> {
    match fill {
        Fill::Solid(c) => Source::Solid(c),
        Fill::Shader(i) => Source::Shader(&plan.shaders[i as usize], &plan.ramps),
    }
}
