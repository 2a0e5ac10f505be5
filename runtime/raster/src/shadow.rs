//! Gaussian shadows: one blurred A8 mask of a collapsed box, stretched like a nine-patch.
//!
//! - Far from its corners a blurred box is constant along its sides, so the mask holds a box whose
//!   middle is collapsed by whole pixels: cards of any size share one mask.
//! - The kernel is a table of integers that sum to 65536, cut at three sigma
//!   (`zinc_scene::shadow_reach`); across, then down. A sigma of 12 px and radius 14 costs about
//!   1 ms once, and then a byte a pixel.
//! - Under a uniform scale the mask is in pixels. Under any other matrix, or with a sigma above
//!   [`SIGMA_MAX`] pixels, it is made in the caster's own units at a scale and read bilinearly.
//! - The caster's place is rounded to 1/8 pixel from sigma 4 on (error below 2/255), 1/256 below.

use crate::cache::{Cache, Weigh};
use crate::cells;
use crate::fixed::{Edges, Map, Plane, floor64};
use crate::flatten;
use crate::row::{Kind, Row};
use crate::simd::{Simd, dispatch};
use fearless_simd::Level;
use fearless_simd_macros::simd;
use std::sync::Arc;
use zinc_scene::{FillRule, IRect, Matrix, Radii, Rect, RoundedRectOutline, math, shadow_reach};

/// Greatest sigma of a mask, its pixels; wider blurs are made smaller and stretched.
const SIGMA_MAX: f64 = 36.0;
/// Greatest corner part of a mask; larger ones are made smaller and stretched.
const CORNER_MAX: f64 = 480.0;
/// Bytes of masks kept.
const BUDGET: usize = 8 << 20;

/// A blurred, collapsed box.
#[derive(Debug)]
pub(crate) struct Mask {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
    /// The column and row that stand for the removed middle.
    split: (i32, i32),
}

/// A mask in place.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    mask: Arc<Mask>,
    /// Pixels removed from the middle.
    removed: (i64, i64),
    at: At,
    /// The outside of the box is the shadow.
    pub(crate) inset: bool,
}

#[derive(Clone, Copy, Debug)]
enum At {
    /// The mask's first pixel lies on this one.
    Pixel(i32, i32),
    /// Mask coordinates, half a pixel less, as functions of the pixel.
    Sampled(Plane, Plane),
}

/// What is to be drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caster {
    /// The box, moved and spread, in the command's units.
    pub(crate) rect: Rect,
    pub(crate) radii: Radii,
    pub(crate) sigma: f32,
    pub(crate) inset: bool,
}

/// All that decides a mask, in its pixels (1/256 where not whole).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
    radii: [i32; 4],
    sigma: i32,
    size: (i32, i32),
}

/// Rounds to `1 / steps`, in 1/256.
fn snap(v: f64, steps: f64) -> i64 {
    floor64(v * steps + 0.5) * (256.0 / steps) as i64
}

impl Placed {
    /// Finds or makes the mask. `None`: the caster is empty.
    pub(crate) fn new(c: &Caster, m: Matrix, cache: &Masks) -> Option<Self> {
        if c.rect.is_empty() {
            return None;
        }
        let map = Map::of(m);
        let inv = map.invert()?;
        let radii = c.radii.fit(c.rect.size()).0.map(|v| v as f64);
        let corner = radii.iter().fold(0.0f64, |a, b| a.max(*b)) + shadow_reach(c.sigma) as f64;
        let full = map.max_scale().max(1e-9);
        // Blurred pictures lose nothing at a coarser scale.
        let scale = full.min(SIGMA_MAX / c.sigma as f64).min(CORNER_MAX / corner.max(1e-9));
        let direct = m.uniform_scale().is_some() && scale == full;
        let (ox, oy) = if direct { (map.e, map.f) } else { (0.0, 0.0) };
        let sigma = c.sigma as f64 * scale;
        let steps = if sigma >= 4.0 { 8.0 } else { 256.0 };
        let r = c.rect;
        let edge = |v: f32, o: f64| snap((v as f64 * scale + o).clamp(-1e9, 1e9), steps);
        let (l, t) = (edge(r.x, ox), edge(r.y, oy));
        let (rt, b) = (edge(r.right(), ox), edge(r.bottom(), oy));
        if rt <= l || b <= t {
            return None;
        }
        let radii = radii.map(|v| snap(v * scale, 256.0));
        let reach = floor64(sigma * 3.0) + 1;
        let wide = |a: usize, b: usize| (radii[a].max(radii[b]) >> 8) + 2 + reach;
        // First pixel of the mask, and what stands right and below of the collapsed middle.
        let (px, py) = ((l >> 8) - reach, (t >> 8) - reach);
        let span = |lo: i64, hi: i64, before: i64, after: i64| {
            let whole = ((hi + 255) >> 8) - (lo >> 8) + 2 * reach;
            let keep = before + after + 2 * reach + 1;
            (whole.min(keep), (whole - keep).max(0), before + reach)
        };
        let (w, gone_x, split_x) = span(l, rt, wide(0, 3), wide(1, 2));
        let (h, gone_y, split_y) = span(t, b, wide(0, 1), wide(2, 3));
        let key = Key {
            left: (l - px * 256) as i32,
            top: (t - py * 256) as i32,
            right: (rt - (px + gone_x) * 256) as i32,
            bottom: (b - (py + gone_y) * 256) as i32,
            radii: radii.map(|v| v as i32),
            sigma: floor64(sigma * 256.0 + 0.5) as i32,
            size: (w as i32, h as i32),
        };
        let split = (split_x as i32, split_y as i32);
        let mask = cache.get(key, || dispatch!(Level::new(), simd => build(simd, &key, split)));
        let at = if direct {
            At::Pixel(px as i32, py as i32)
        } else {
            let (x, y) = (px as f64 + 0.5, py as f64 + 0.5);
            At::Sampled(
                Plane::new(inv.a * scale, inv.c * scale, inv.e * scale - x),
                Plane::new(inv.b * scale, inv.d * scale, inv.f * scale - y),
            )
        };
        Some(Self { mask, removed: (gone_x, gone_y), at, inset: c.inset })
    }

    /// Shadow coverage of a run of a row: the middle of a wide box is alike.
    #[inline(always)]
    pub(crate) fn row(&self, x: i32, y: i32, width: usize, row: &mut Row) {
        row.runs.clear();
        let At::Pixel(px, py) = self.at else {
            self.bytes(x, y, &mut row.cov[..width]);
            return row.push(0, width, Kind::Mask);
        };
        if self.inset {
            self.bytes(x, y, &mut row.cov[..width]);
            return row.push(0, width, Kind::Mask);
        }
        let Some(mask) = self.mask_row((y - py) as i64) else { return };
        let (x, [first, second]) = self.parts(x - px, width);
        copy(&mut row.cov[..first], mask, x);
        row.push(0, first, Kind::Mask);
        if first < second {
            row.push(first, second, Kind::Const(mask[self.mask.split.0 as usize]));
        }
        copy(&mut row.cov[second..width], mask, x + second as i64 - self.removed.0);
        row.push(second, width, Kind::Mask);
    }

    /// Shadow coverage of a run of a row, byte by byte.
    #[inline(always)]
    pub(crate) fn bytes(&self, x: i32, y: i32, out: &mut [u8]) {
        match self.at {
            At::Pixel(px, py) => self.direct(x - px, y - py, out),
            At::Sampled(u, v) => {
                let (mut a, mut b) = (u.at(x, y), v.at(x, y));
                let mut level = b >> 32;
                let mut rows = [self.mask_row(level), self.mask_row(level + 1)];
                for o in out.iter_mut() {
                    if b >> 32 != level {
                        level = b >> 32;
                        rows = [self.mask_row(level), self.mask_row(level + 1)];
                    }
                    *o = self.sample(rows, a, b);
                    a = a.wrapping_add(u.dx);
                    b = b.wrapping_add(v.dx);
                }
            }
        }
        if self.inset {
            for o in out {
                *o = 255 - *o;
            }
        }
    }

    /// Where in a run of `n` pixels from `x` of the stretched mask its middle begins and ends.
    fn parts(&self, x: i32, n: usize) -> (i64, [usize; 2]) {
        let (split, gone) = (self.mask.split.0 as i64, self.removed.0);
        let (x, n) = (x as i64, n as i64);
        let first = (split - x).clamp(0, n);
        let second = (split + gone - x).clamp(first, n);
        (x, [first as usize, second as usize])
    }

    fn mask_row(&self, y: i64) -> Option<&[u8]> {
        let y = fold(y, self.mask.split.1 as i64, self.removed.1);
        (0..self.mask.height as i64)
            .contains(&y)
            .then(|| &self.mask.pixels[y as usize * self.mask.width..][..self.mask.width])
    }

    fn direct(&self, x: i32, y: i32, out: &mut [u8]) {
        let Some(row) = self.mask_row(y as i64) else { return out.fill(0) };
        let (x, [first, second]) = self.parts(x, out.len());
        copy(&mut out[..first], row, x);
        if first < second {
            out[first..second].fill(row[self.mask.split.0 as usize]);
        }
        copy(&mut out[second..], row, x + second as i64 - self.removed.0);
    }

    /// Between two rows of the mask, at a place in 32.32.
    #[inline(always)]
    fn sample(&self, rows: [Option<&[u8]>; 2], u: i64, v: i64) -> u8 {
        let x = u >> 32;
        let (fx, fy) = ((u >> 24) as u32 & 255, (v >> 24) as u32 & 255);
        let place = |x: i64| fold(x, self.mask.split.0 as i64, self.removed.0) as usize;
        // Negative places become huge ones: beside the mask on either side.
        let (a, b) = (place(x), place(x + 1));
        let mix = |row: Option<&[u8]>| {
            let Some(row) = row else { return 0 };
            let tap = |x: usize| row.get(x).map_or(0, |v| *v as u32);
            tap(a) * (256 - fx) + tap(b) * fx
        };
        ((mix(rows[0]) * (256 - fy) + mix(rows[1]) * fy + 32_768) >> 16) as u8
    }
}

/// From the stretched box's coordinates to the mask's.
#[inline(always)]
fn fold(v: i64, split: i64, gone: i64) -> i64 {
    if v < split { v } else { (v - gone).max(split) }
}

/// `row[at..]` into `out`, zero outside.
fn copy(out: &mut [u8], row: &[u8], at: i64) {
    let n = out.len() as i64;
    let lo = (-at).clamp(0, n);
    let hi = (row.len() as i64 - at).clamp(lo, n);
    out[..lo as usize].fill(0);
    if lo < hi {
        out[lo as usize..hi as usize].copy_from_slice(&row[(at + lo) as usize..(at + hi) as usize]);
    }
    out[hi as usize..].fill(0);
}

/// Weights from the centre outwards; the whole kernel sums to 65536.
fn kernel(sigma: f64) -> Vec<u32> {
    let n = floor64(sigma * 3.0) as usize + 1;
    let g: Vec<f64> = (0..=n)
        .map(|i| {
            let x = i as f64 / sigma;
            if x > 3.0 { 0.0 } else { math::exp64(-0.5 * x * x) }
        })
        .collect();
    let sum = g[0] + 2.0 * g[1..].iter().sum::<f64>();
    let mut w: Vec<u32> = g.iter().map(|v| floor64(v / sum * 65_536.0 + 0.5) as u32).collect();
    let rest: u32 = w[1..].iter().sum();
    w[0] = 65_536u32.saturating_sub(2 * rest);
    w
}

/// A fully covered column of the blur is 255 again: 65280 of 65536, two fractions of 8 bits.
#[inline(always)]
fn blur(src: &[u8], width: usize, height: usize, sigma: f64) -> Vec<u8> {
    let k = kernel(sigma);
    let n = k.len() - 1;
    let mut across = vec![0u16; width * height];
    let mut sums = vec![0u32; width];
    let mut wide = vec![0u8; width + 2 * n];
    for y in 0..height {
        wide[n..n + width].copy_from_slice(&src[y * width..][..width]);
        sums.fill(128);
        for (i, &w) in k.iter().enumerate() {
            let (a, b) = (&wide[n - i..][..width], &wide[n + i..][..width]);
            let once = (i > 0) as u32;
            for ((s, &a), &b) in sums.iter_mut().zip(a).zip(b) {
                *s += w * (a as u32 + b as u32 * once);
            }
        }
        for (o, s) in across[y * width..][..width].iter_mut().zip(&sums) {
            *o = (s >> 8) as u16;
        }
    }
    let mut out = vec![0u8; width * height];
    for y in 0..height {
        sums.fill(1 << 23);
        for (i, &w) in k.iter().enumerate() {
            let mut add = |row: usize| {
                for (s, &v) in sums.iter_mut().zip(&across[row * width..][..width]) {
                    *s += w * v as u32;
                }
            };
            if let Some(row) = y.checked_sub(i) {
                add(row);
            }
            if i > 0 && y + i < height {
                add(y + i);
            }
        }
        for (o, s) in out[y * width..][..width].iter_mut().zip(&sums) {
            *o = (s >> 24) as u8;
        }
    }
    out
}

#[simd]
fn build<S: Simd>(simd: S, key: &Key, split: (i32, i32)) -> Mask {
    let (width, height) = (key.size.0 as usize, key.size.1 as usize);
    let f = |v: i32| v as f32 / 256.0;
    let rect = Rect::from_ltrb(f(key.left), f(key.top), f(key.right), f(key.bottom));
    let outline = RoundedRectOutline::new(rect, Radii(key.radii.map(f)));
    let mut segs = Vec::new();
    let identity = Map::of(Matrix::IDENTITY);
    flatten::fill(
        outline.view(),
        &identity,
        &mut Edges::new(&mut segs, IRect::new(0, 0, key.size.0, key.size.1)),
    );
    let flat = cells::mask(simd, &segs, width, height, FillRule::NonZero);
    let sigma = key.sigma.max(1) as f64 / 256.0;
    Mask { width, height, pixels: blur(&flat, width, height, sigma), split }
}

impl Weigh for Mask {
    fn bytes(&self) -> usize {
        self.pixels.len()
    }
}

/// Masks by what decides them.
pub(crate) type Masks = Cache<Key, Mask>;

/// An empty cache.
pub(crate) fn masks() -> Masks {
    Cache::new(BUDGET)
}
