//! Images: where a pixel's colour lies in the source, and how it is filtered.
//!
//! - Source coordinates are 32.32 planes over absolute pixel centres: no column, band or damage
//!   box changes them. Filtering is on premultiplied words ([`crate::mix`]).
//! - Smooth is bilinear; below one half the source is first averaged down by whole halvings of
//!   each axis ([`crate::mips`]). Taps are clamped to the source rectangle's pixels.
//! - A source that falls on the target's pixels is copied.

use crate::blend::scale;
use crate::cells::TILE_W;
use crate::fixed::Plane;
use crate::mips::Mip;
use crate::mix::{self, LANES, Quad, ROW};
use crate::simd::Simd;
use fearless_simd_macros::simd;
use std::sync::Arc;
use zinc_scene::Image;

/// Pixels that are read.
#[derive(Clone, Debug)]
pub(crate) enum Pixels {
    Image(Arc<Image>),
    Mip(Arc<Mip>),
}

impl Pixels {
    #[inline]
    fn row(&self, y: i32) -> &[u32] {
        match self {
            Pixels::Image(i) => i.row(y as u32),
            Pixels::Mip(m) => m.row(y as u32),
        }
    }
}

/// How it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taps {
    /// Target pixels are source pixels, moved by whole steps.
    Copy,
    Nearest,
    Bilinear,
}

/// An image ready to be read.
#[derive(Clone, Debug)]
pub(crate) struct Sampler {
    pub(crate) pixels: Pixels,
    /// Source column and row as functions of the pixel. Bilinear ones are half a pixel less.
    pub(crate) u: Plane,
    pub(crate) v: Plane,
    /// First and last column and row that may be read.
    pub(crate) x: (i32, i32),
    pub(crate) y: (i32, i32),
    pub(crate) taps: Taps,
    /// All pixels are opaque.
    pub(crate) opaque: bool,
    /// Replaces the colour.
    pub(crate) tint: Option<u32>,
}

/// Source pixels of a run at most: a tile's columns at a half, the least that is not averaged.
const MIXED: usize = TILE_W * 2 + 4;
const _: () = assert!(MIXED + 2 <= ROW);

/// What rows of one image are made with: a mixed row, with a place beside each end, and where in
/// it the columns of a run lie. The next row of a tile has the same columns.
#[derive(Debug)]
pub(crate) struct Mixed {
    row: [Quad; ROW],
    /// First place and step, 32.32, and how many columns are known.
    columns: (i64, i64, usize),
    /// Left neighbour, and weight of the right one.
    left: [u16; TILE_W],
    weight: [Quad; TILE_W],
}

impl Mixed {
    pub(crate) fn new() -> Self {
        let (left, weight) = ([0; TILE_W], [[0; 4]; TILE_W]);
        Self { row: [[0; 4]; ROW], columns: (0, 0, 0), left, weight }
    }

    /// Finds the columns of `n` pixels from `u` on.
    fn find(&mut self, u: i64, dx: i64, n: usize) {
        if self.columns.0 == u && self.columns.1 == dx && self.columns.2 >= n {
            return;
        }
        self.columns = (u, dx, n);
        let mut at = u;
        for (l, w) in self.left[..n].iter_mut().zip(&mut self.weight) {
            (*l, *w) = ((at >> 32) as u16, mix::weight(part(at)));
            at = at.wrapping_add(dx);
        }
    }

    /// Neighbours mixed, at the columns that were found.
    #[inline(always)]
    fn columns<S: Simd>(&self, simd: S, out: &mut [u32]) {
        let (lefts, weights) = (&self.left[..out.len()], &self.weight[..out.len()]);
        let (blocks, rest) = out.as_chunks_mut::<LANES>();
        let (lefts_of, last) = lefts.as_chunks::<LANES>();
        let (weights_of, last_weights) = weights.as_chunks::<LANES>();
        for ((o, left), weight) in blocks.iter_mut().zip(lefts_of).zip(weights_of) {
            mix::columns(simd, &self.row, left, weight, o);
        }
        if rest.is_empty() {
            return;
        }
        // The last pixels of a run are a block that starts within the one before.
        if let (Some(o), Some(left), Some(weight)) =
            (out.last_chunk_mut(), lefts.last_chunk(), weights.last_chunk())
        {
            return mix::columns(simd, &self.row, left, weight, o);
        }
        for ((o, l), w) in out.iter_mut().zip(last).zip(last_weights) {
            let l = *l as usize & (ROW - 2);
            *o = mix::columns_one(self.row[l], self.row[l + 1], *w);
        }
    }
}

#[inline(always)]
fn whole(v: i64) -> i32 {
    (v >> 32) as i32
}

#[inline(always)]
fn part(v: i64) -> u32 {
    (v >> 24) as u32 & 255
}

impl Sampler {
    /// All colours are opaque.
    pub(crate) fn is_opaque(&self) -> bool {
        self.opaque && self.tint.is_none_or(|c| c >> 24 == 255)
    }

    /// Colours of a run of a row.
    #[simd]
    pub(crate) fn fetch<S: Simd>(
        &self,
        simd: S,
        (x, y): (i32, i32),
        mixed: &mut Mixed,
        out: &mut [u32],
    ) {
        match self.taps {
            Taps::Copy => self.copy(x, y, out),
            Taps::Nearest => self.nearest(x, y, out),
            Taps::Bilinear if self.v.dx == 0 => self.level(simd, x, y, mixed, out),
            Taps::Bilinear => self.bilinear(x, y, out),
        }
        if let Some(c) = self.tint {
            for o in out.iter_mut() {
                *o = scale(c, *o >> 24);
            }
        }
    }

    #[inline(always)]
    fn copy(&self, x: i32, y: i32, out: &mut [u32]) {
        let sy = whole(self.v.at(x, y)).clamp(self.y.0, self.y.1);
        let sx = whole(self.u.at(x, y));
        let row = self.pixels.row(sy);
        if sx >= self.x.0 && sx + out.len() as i32 - 1 <= self.x.1 {
            out.copy_from_slice(&row[sx as usize..][..out.len()]);
        } else {
            for (i, o) in out.iter_mut().enumerate() {
                *o = row[(sx + i as i32).clamp(self.x.0, self.x.1) as usize];
            }
        }
    }

    #[inline(always)]
    fn nearest(&self, x: i32, y: i32, out: &mut [u32]) {
        let (mut u, mut v) = (self.u.at(x, y), self.v.at(x, y));
        for o in out {
            let sy = whole(v).clamp(self.y.0, self.y.1);
            let sx = whole(u).clamp(self.x.0, self.x.1);
            *o = self.pixels.row(sy)[sx as usize];
            u = u.wrapping_add(self.u.dx);
            v = v.wrapping_add(self.v.dx);
        }
    }

    /// Two source rows serve the whole run: first they are mixed, which runs along memory, then
    /// neighbours of the mixed row are.
    #[inline(always)]
    fn level<S: Simd>(&self, simd: S, x: i32, y: i32, mixed: &mut Mixed, out: &mut [u32]) {
        let v = self.v.at(x, y);
        let fy = part(v);
        let (y0, y1) = (whole(v), whole(v).saturating_add(1));
        let top = self.pixels.row(y0.clamp(self.y.0, self.y.1));
        let low = self.pixels.row(y1.clamp(self.y.0, self.y.1));
        let u = self.u.at(x, y);
        let dx = self.u.dx;
        let end = u.wrapping_add(dx.wrapping_mul(out.len() as i64 - 1));
        let (a, b) = (whole(u.min(end)), whole(u.max(end)).saturating_add(1));
        // Source columns that are read, and how many of them.
        let (a, b) = (a.clamp(self.x.0, self.x.1), b.clamp(self.x.0, self.x.1));
        let n = (b - a) as usize + 1;
        if n > MIXED {
            return self.bilinear(x, y, out);
        }
        // Copies of the ends stand beside the row, for taps that are clamped to them.
        let (top, low) = (&top[a as usize..][..n], &low[a as usize..][..n]);
        mix::rows(simd, &mut mixed.row[1..n + 1], top, low, fy);
        (mixed.row[0], mixed.row[n + 1]) = (mixed.row[1], mixed.row[n]);
        let base = (a as i64 - 1) << 32;
        let (u, end) = (u.wrapping_sub(base), end.wrapping_sub(base));
        if (u.min(end) >> 32) >= 0 && (u.max(end) >> 32) <= n as i64 {
            mixed.find(u, dx, out.len());
            return mixed.columns(simd, out);
        }
        let mut u = u;
        for o in out {
            let at = (u >> 32).clamp(0, n as i64) as usize;
            *o = mix::columns_one(mixed.row[at], mixed.row[at + 1], mix::weight(part(u)));
            u = u.wrapping_add(dx);
        }
    }

    #[inline(always)]
    fn bilinear(&self, x: i32, y: i32, out: &mut [u32]) {
        let (mut u, mut v) = (self.u.at(x, y), self.v.at(x, y));
        for o in out {
            let (x0, y0) = (whole(u), whole(v));
            let cx = |x: i32| x.clamp(self.x.0, self.x.1) as usize;
            let cy = |y: i32| y.clamp(self.y.0, self.y.1);
            let top = self.pixels.row(cy(y0));
            let low = self.pixels.row(cy(y0.saturating_add(1)));
            let (a, b) = (cx(x0), cx(x0.saturating_add(1)));
            let (fx, fy) = (part(u), part(v));
            let (left, right) =
                (mix::rows_one(top[a], low[a], fy), mix::rows_one(top[b], low[b], fy));
            *o = mix::columns_one(left, right, mix::weight(fx));
            u = u.wrapping_add(self.u.dx);
            v = v.wrapping_add(self.v.dx);
        }
    }
}
