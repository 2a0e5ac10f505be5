//! The pixels of a tile: layers, clips, and how a row of coverage reaches them.
//!
//! - A tile is a column of [`TILE_W`] pixels of a band. A layer is a buffer of that size; level 0
//!   is the surface. Rows are contiguous: 16 of them are 25 KB, which a small core's L1 holds.
//! - A clip is a box, and a byte mask where the box is not all of it. Masks of nested clips are
//!   multiplied. Inside a layer only masks pushed inside count; those outside meet the layer as
//!   a whole, so that no edge is covered twice.
//! - Holes inside layers: next to each pixel a layer keeps how much of a film's plane shows
//!   through it. Alpha and hole together cover what is below; the surface needs no such byte, a
//!   plane shows wherever its alpha is not full.

use crate::blend::{self, Cov, Src};
use crate::cells::{GROUP, STRIDE, TILE_W};
use crate::gradient::{Colors, Shader};
use crate::image::{Mixed, Sampler};
use crate::kernels;
use crate::row::{Kind, Row};
use crate::simd::Simd;
use fearless_simd_macros::simd;
use zinc_scene::{BlendMode, IRect, mul_div_255};

/// What fills a row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    Solid(u32),
    Shader(&'a Shader, &'a Colors),
    Image(&'a Sampler),
    /// Words for the pixels of the row itself.
    Words(&'a [u32]),
}

#[derive(Clone, Debug)]
struct Layer {
    px: Vec<u32>,
    holes: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Clip {
    rect: IRect,
    /// Index into the masks.
    mask: Option<usize>,
}

/// One thread's tile.
#[derive(Debug)]
pub(crate) struct Canvas {
    tile: IRect,
    rows: usize,
    layers: Vec<Layer>,
    depth: usize,
    /// Layers keep holes in this frame.
    holes: bool,
    /// Every pixel of the tile is opaque, whatever is drawn over it.
    opaque: bool,
    clip: Clip,
    clips: Vec<Clip>,
    masks: Vec<Vec<u8>>,
    masks_used: usize,
    shade: [u32; TILE_W],
    mixed: Box<Mixed>,
}

impl Canvas {
    pub(crate) fn new(rows: usize) -> Self {
        let tile = IRect::EMPTY;
        Self {
            tile,
            rows,
            layers: Vec::new(),
            depth: 0,
            holes: false,
            opaque: false,
            clip: Clip { rect: tile, mask: None },
            clips: Vec::new(),
            masks: Vec::new(),
            masks_used: 0,
            shade: [0; TILE_W],
            mixed: Box::new(Mixed::new()),
        }
    }

    /// Starts a tile, transparent; `filled`: what is drawn first covers all of it.
    pub(crate) fn begin(&mut self, tile: IRect, holes: bool, filled: bool) {
        self.tile = tile;
        self.depth = 0;
        self.holes = holes;
        self.opaque = filled && !holes;
        self.clips.clear();
        self.masks_used = 0;
        self.clip = Clip { rect: tile, mask: None };
        if !filled || self.layers.is_empty() {
            self.clear_layer(tile);
        }
    }

    /// What of a box may be drawn here.
    pub(crate) fn visible(&self, bounds: IRect) -> IRect {
        bounds.intersect(self.clip.rect)
    }

    /// All pixels of the tile are known to be opaque.
    pub(crate) fn is_opaque(&self) -> bool {
        self.opaque
    }

    /// A finished row of the tile.
    pub(crate) fn row(&self, y: i32) -> &[u32] {
        let i = self.index(self.tile.x0, y);
        &self.layers[0].px[i..i + self.tile.width() as usize]
    }

    #[inline(always)]
    fn index(&self, x: i32, y: i32) -> usize {
        (y - self.tile.y0) as usize * TILE_W + (x - self.tile.x0) as usize
    }

    /// Clears a box of the current layer, which may be new.
    fn clear_layer(&mut self, at: IRect) {
        let n = self.rows * TILE_W;
        if self.layers.len() <= self.depth {
            // Rows of cells are longer than a tile's.
            self.layers.push(Layer { px: vec![0; n + STRIDE], holes: vec![0; n] });
        }
        for y in at.y0..at.y1 {
            let i = self.index(at.x0, y);
            let range = i..i + at.width() as usize;
            let layer = &mut self.layers[self.depth];
            layer.px[range.clone()].fill(0);
            if self.holes {
                layer.holes[range].fill(0);
            }
        }
    }

    /// Brings opacity and the clip's mask into a row at `x`.
    fn narrow(&self, x: i32, y: i32, row: &mut Row, opacity: u8) {
        if opacity != 255 {
            for r in &mut row.runs {
                match &mut r.kind {
                    Kind::Const(v) => *v = mul_div_255(*v as u32, opacity as u32) as u8,
                    Kind::Mask => {
                        for c in &mut row.cov[r.x0 as usize..r.x1 as usize] {
                            *c = mul_div_255(*c as u32, opacity as u32) as u8;
                        }
                    }
                }
            }
        }
        let Some(mask) = self.clip.mask else { return };
        let base = self.index(x, y);
        for r in &mut row.runs {
            let (x0, x1) = (r.x0 as usize, r.x1 as usize);
            let m = &self.masks[mask][base + x0..base + x1];
            let cov = &mut row.cov[x0..x1];
            match r.kind {
                Kind::Const(255) => cov.copy_from_slice(m),
                Kind::Const(v) => {
                    for (c, m) in cov.iter_mut().zip(m) {
                        *c = mul_div_255(v as u32, *m as u32) as u8;
                    }
                }
                Kind::Mask => {
                    for (c, m) in cov.iter_mut().zip(m) {
                        *c = mul_div_255(*c as u32, *m as u32) as u8;
                    }
                }
            }
            r.kind = Kind::Mask;
        }
    }

    /// Paints a row of coverage that starts at `x`.
    #[inline(always)]
    pub(crate) fn paint<S: Simd>(
        &mut self,
        simd: S,
        (x, y): (i32, i32),
        row: &mut Row,
        opacity: u8,
        source: Source<'_>,
    ) {
        if opacity != 255 || self.clip.mask.is_some() {
            self.narrow(x, y, row, opacity);
        }
        let base = self.index(x, y);
        let holes = self.holes && self.depth > 0;
        let layer = &mut self.layers[self.depth];
        for r in &row.runs {
            let (x0, x1) = (r.x0 as usize, r.x1 as usize);
            let dst = &mut layer.px[base + x0..base + x1];
            let cov = match r.kind {
                Kind::Const(v) => Cov::Const(v),
                Kind::Mask => Cov::Mask(&row.cov[x0..x1]),
            };
            let out = &mut self.shade[..x1 - x0];
            let at = x + x0 as i32;
            let whole = r.kind == Kind::Const(255) && !holes;
            let src = match source {
                Source::Solid(c) => Src::Solid(c),
                Source::Words(w) => {
                    // From outside: no channel may exceed its alpha.
                    for (o, w) in out.iter_mut().zip(&w[x0..x1]) {
                        *o = blend::legal(*w);
                    }
                    Src::Pixels(out, false)
                }
                Source::Shader(s, colors) if whole && s.is_opaque() => {
                    s.shade(simd, colors, at, y, dst);
                    continue;
                }
                Source::Shader(s, colors) => {
                    s.shade(simd, colors, at, y, out);
                    Src::Pixels(out, s.is_opaque())
                }
                Source::Image(s) if whole && s.is_opaque() => {
                    s.fetch(simd, (at, y), &mut self.mixed, dst);
                    continue;
                }
                Source::Image(s) => {
                    s.fetch(simd, (at, y), &mut self.mixed, out);
                    Src::Pixels(out, s.is_opaque())
                }
            };
            blend::paint(simd, dst, src, cov);
            if holes {
                blend::fade_holes(&mut layer.holes[base + x0..base + x1], src, cov);
            }
        }
    }

    /// Paints a colour through rows of a mask, `pitch` bytes apart; for rows that no clip's mask
    /// narrows.
    #[inline(always)]
    pub(crate) fn stamp<S: Simd>(&mut self, simd: S, at: IRect, mask: (&[u8], usize), color: u32) {
        let base = self.index(at.x0, at.y0);
        let (width, rows) = (at.width() as usize, at.height() as usize);
        let end = base + (rows - 1) * TILE_W + width;
        let px = &mut self.layers[self.depth].px;
        // As far as a group beyond the last row's end.
        let end = (end + GROUP).min(px.len());
        kernels::stamp(simd, (&mut px[base..end], TILE_W), mask, width, color);
    }

    /// The current layer's pixels from one on.
    #[inline(always)]
    pub(crate) fn from(&mut self, x: i32, y: i32) -> &mut [u32] {
        let i = self.index(x, y);
        &mut self.layers[self.depth].px[i..]
    }

    /// Rows need nothing but their own coverage.
    pub(crate) fn is_plain(&self) -> bool {
        self.clip.mask.is_none() && !(self.holes && self.depth > 0)
    }

    /// Replaces a row by a colour.
    pub(crate) fn clear(&mut self, x: i32, y: i32, row: &mut Row, color: u32) {
        self.narrow(x, y, row, 255);
        self.opaque &= color >> 24 == 255;
        let base = self.index(x, y);
        let layer = &mut self.layers[self.depth];
        for r in &row.runs {
            let range = base + r.x0 as usize..base + r.x1 as usize;
            let (px, holes) = (&mut layer.px[range.clone()], &mut layer.holes[range]);
            match r.kind {
                Kind::Const(255) => {
                    px.fill(color);
                    if self.holes {
                        holes.fill(0);
                    }
                }
                Kind::Const(_) | Kind::Mask => {
                    for (i, (d, h)) in px.iter_mut().zip(holes).enumerate() {
                        let k = match r.kind {
                            Kind::Const(v) => v,
                            Kind::Mask => row.cov[r.x0 as usize + i],
                        } as u32;
                        *d = blend::lerp(*d, color, k);
                        *h = mul_div_255(*h as u32, 255 - k) as u8;
                    }
                }
            }
        }
    }

    /// Erases a row to the film's plane.
    pub(crate) fn erase(&mut self, x: i32, y: i32, row: &mut Row, opacity: u8) {
        self.narrow(x, y, row, opacity);
        self.opaque = false;
        let base = self.index(x, y);
        let inside = self.depth > 0;
        let layer = &mut self.layers[self.depth];
        for r in &row.runs {
            for i in r.x0 as usize..r.x1 as usize {
                let k = match r.kind {
                    Kind::Const(v) => v,
                    Kind::Mask => row.cov[i],
                } as u32;
                let d = &mut layer.px[base + i];
                *d = blend::scale(*d, 255 - k);
                if inside {
                    let h = &mut layer.holes[base + i];
                    *h = (k + mul_div_255(*h as u32, 255 - k)) as u8;
                }
            }
        }
    }

    /// Starts a clip that is a box of whole pixels.
    pub(crate) fn push_box(&mut self, rect: IRect) {
        self.clips.push(self.clip);
        self.clip.rect = self.visible(rect);
    }

    /// Starts a clip with a mask. Fill its rows by [`Canvas::mask_row`], then
    /// [`Canvas::mask_done`].
    pub(crate) fn push_mask(&mut self, rect: IRect) {
        self.clips.push(self.clip);
        self.clip.rect = self.visible(rect);
        if self.masks.len() == self.masks_used {
            self.masks.push(vec![0; self.rows * TILE_W]);
        }
    }

    /// A row of the new mask, still under the outer clip.
    pub(crate) fn mask_row(&mut self, x: i32, y: i32, row: &mut Row) -> bool {
        self.narrow(x, y, row, 255);
        let width = self.clip.rect.width() as usize;
        let whole = matches!(row.runs.as_slice(), [r] if r.kind == Kind::Const(255)
            && r.x0 == 0 && r.x1 as usize == width);
        row.flatten(width);
        let i = self.index(x, y);
        self.masks[self.masks_used][i..i + width].copy_from_slice(&row.cov[..width]);
        whole
    }

    /// The mask is complete; `whole`: it hides nothing and is not needed.
    pub(crate) fn mask_done(&mut self, whole: bool) {
        if !whole {
            self.clip.mask = Some(self.masks_used);
            self.masks_used += 1;
        }
    }

    /// Ends a clip.
    pub(crate) fn pop_clip(&mut self) {
        if let Some(c) = self.clips.pop() {
            self.clip = c;
            self.masks_used =
                self.clips.iter().chain([&c]).filter_map(|c| c.mask).max().map_or(0, |m| m + 1);
        }
    }

    /// Starts a layer.
    pub(crate) fn push_layer(&mut self, bounds: IRect) {
        let at = self.visible(bounds);
        self.clips.push(self.clip);
        self.clip = Clip { rect: at, mask: None };
        self.depth += 1;
        self.clear_layer(at);
    }

    /// Blends the innermost layer onto the one below.
    #[simd]
    pub(crate) fn pop_layer<S: Simd>(
        &mut self,
        simd: S,
        row: &mut Row,
        opacity: u8,
        mode: BlendMode,
    ) {
        let at = self.clip.rect;
        self.pop_clip();
        if self.depth == 0 || at.is_empty() {
            self.depth = self.depth.saturating_sub(1);
            return;
        }
        self.depth -= 1;
        self.opaque &= mode == BlendMode::SourceOver;
        let width = at.width() as usize;
        for y in at.y0..at.y1 {
            row.set(0, width, Kind::Const(255));
            self.narrow(at.x0, y, row, opacity);
            row.flatten(width);
            let i = self.index(at.x0, y);
            let (below, above) = self.layers.split_at_mut(self.depth + 1);
            let (below, above) = (&mut below[self.depth], &above[0]);
            let range = i..i + width;
            let (px, src) = (&mut below.px[range.clone()], &above.px[range.clone()]);
            if self.holes {
                let holes = &mut below.holes[range.clone()];
                merge_holes(px, holes, src, &above.holes[range], &row.cov, mode);
            } else if mode == BlendMode::SourceOver {
                blend::paint(simd, px, Src::Pixels(src, false), Cov::Mask(&row.cov[..width]));
            } else {
                for ((d, s), k) in px.iter_mut().zip(src).zip(&row.cov) {
                    if *s != 0 {
                        *d = blend::mode(*d, blend::scale(*s, *k as u32), mode);
                    }
                }
            }
        }
    }
}

/// A layer with holes onto what is below: first the film's part takes its share away, then the
/// colours follow.
fn merge_holes(
    px: &mut [u32],
    holes: &mut [u8],
    src: &[u32],
    above: &[u8],
    cov: &[u8],
    mode: BlendMode,
) {
    for (i, d) in px.iter_mut().enumerate() {
        let k = cov[i] as u32;
        let s = blend::scale(src[i], k);
        let h = mul_div_255(above[i] as u32, k);
        if s == 0 && h == 0 {
            continue;
        }
        let below = holes[i] as u32;
        if mode == BlendMode::SourceOver {
            // Two roundings may pass the whole by one.
            let keep = 255 - ((s >> 24) + h).min(255);
            let d2 = blend::scale(*d, keep);
            *d = s + d2;
            holes[i] = (h + mul_div_255(below, keep)).min(255) as u8;
        } else {
            *d = blend::mode(blend::scale(*d, 255 - h), s, mode);
            let keep = 255 - ((s >> 24) + h).min(255);
            holes[i] = (h + mul_div_255(below, keep)).min(255) as u8;
        }
    }
}
