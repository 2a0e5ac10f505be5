//! Boxes with round corners and their borders, along the axes: a mask for each corner, found by its
//! radius and its place within a pixel, and spans between them. No edge is made or sorted.
//!
//! A corner's mask is the exact coverage of the corner's outline, the one that a path would give;
//! it covers whole pixels, at least one, up to where both sides run straight. Boxes whose corners'
//! masks would meet, or whose matrix stretches, are paths.

use crate::cache::{Cache, Weigh};
use crate::cells::{self, FULL, to_byte};
use crate::fixed::{Edges, Map, ONE, ceil, fix, height_in_row};
use crate::flatten;
use crate::row::{Kind, Row};
use crate::scan::push_span;
use crate::simd::{Simd, dispatch};
use fearless_simd::Level;
use fearless_simd_macros::simd;
use std::sync::Arc;
use zinc_scene::{FillRule, IRect, Matrix, Radii, Rect, RoundedRectOutline};

/// Bytes of corner masks kept.
const BUDGET: usize = 1 << 20;
/// Larger corners are paths: their masks would be seldom used and much memory.
const MOST: i32 = 96 * ONE;
/// Edges further away are cut as paths are.
const NEAR: i32 = 16_384 * ONE;

/// The coverage of a corner.
#[derive(Debug)]
pub(crate) struct Mask {
    width: usize,
    pixels: Vec<u8>,
}

impl Weigh for Mask {
    fn bytes(&self) -> usize {
        self.pixels.len() + 128
    }
}

/// All that decides a corner's mask, in 24.8 from the mask's own first pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    /// Top left, top right, bottom right, bottom left.
    which: u8,
    radius: i32,
    /// The box's own corner.
    at: (i32, i32),
    border: Option<i32>,
    /// Pixels.
    size: (i32, i32),
}

/// Masks of corners by what decides them.
pub(crate) type Corners = Cache<Key, Mask>;

/// An empty cache.
pub(crate) fn corners() -> Corners {
    Cache::new(BUDGET)
}

/// A corner in place.
#[derive(Debug)]
struct Corner {
    at: IRect,
    mask: Arc<Mask>,
}

/// A box with round corners, or the border of one.
#[derive(Debug)]
pub(crate) struct Rounded {
    /// Left, top, right, bottom in 24.8.
    edges: [i32; 4],
    border: Option<i32>,
    corners: [Corner; 4],
}

impl Rounded {
    /// `None`: it is a path. `width`: of a border.
    pub(crate) fn new(
        r: Rect,
        radii: Radii,
        width: Option<f32>,
        m: Matrix,
        cache: &Corners,
    ) -> Option<Self> {
        let scale = m.uniform_scale()?;
        let radii = radii.fit(r.size()).0.map(|v| fix((v * scale) as f64));
        let border = width.map(|w| fix((w * scale) as f64));
        let r = m.apply_rect(r);
        let edges = [r.x, r.y, r.right(), r.bottom()].map(|v| fix(v as f64));
        let reach = radii.map(|v| v.max(border.unwrap_or(0)));
        let near = edges.iter().all(|v| v.abs() < NEAR) && reach.iter().all(|v| *v <= MOST);
        if !near || border == Some(0) {
            return None;
        }
        let [l, t, r, b] = edges;
        // Whole pixels, at least one, from the outer edge on.
        let ahead = |lo: i32, n: i32| (lo >> 8, ceil(lo + n).max((lo >> 8) + 1));
        let back = |hi: i32, n: i32| (((hi - n) >> 8).min(ceil(hi) - 1), ceil(hi));
        let at: [IRect; 4] = core::array::from_fn(|i| {
            let n = reach[i];
            let (x0, x1) = if i == 0 || i == 3 { ahead(l, n) } else { back(r, n) };
            let (y0, y1) = if i < 2 { ahead(t, n) } else { back(b, n) };
            IRect { x0, y0, x1, y1 }
        });
        let apart = at[0].x1.max(at[3].x1) <= at[1].x0.min(at[2].x0)
            && at[0].y1.max(at[1].y1) <= at[2].y0.min(at[3].y0);
        if !apart {
            return None;
        }
        let corners = core::array::from_fn(|i| {
            let at = at[i];
            let x = if i == 0 || i == 3 { l } else { r };
            let y = if i < 2 { t } else { b };
            let key = Key {
                which: i as u8,
                radius: radii[i],
                at: (x - at.x0 * ONE, y - at.y0 * ONE),
                border,
                size: (at.width(), at.height()),
            };
            let make = || dispatch!(Level::new(), simd => build(simd, &key));
            Corner { at, mask: cache.get(key, make) }
        });
        Some(Self { edges, border, corners })
    }

    /// The coverage of row `y`, relative to the left edge of `at`.
    pub(crate) fn row(&self, y: i32, at: IRect, row: &mut Row) {
        row.runs.clear();
        let [l, t, r, b] = self.edges;
        let whole = height_in_row(t, b, y);
        if whole == 0 {
            return;
        }
        let [tl, tr, br, bl] = &self.corners;
        let left = [tl, bl].into_iter().find(|c| c.is_on(y));
        let right = [tr, br].into_iter().find(|c| c.is_on(y));
        // Where straight sides end: a column that is partly covered, or the border.
        let (l1, r1) = match self.border {
            None => (ceil(l) * ONE, (r >> 8) * ONE),
            Some(w) => (l + w, r - w),
        };
        let first = match left {
            Some(c) => c.emit(y, at, row),
            None => side(l, l1, at, row),
        };
        let last = right.map_or(r1 >> 8, |c| c.at.x0);
        let inside = self.border.map_or(0, |w| height_in_row(t + w, b - w, y));
        let area = (whole - inside) * (FULL / ONE);
        push(row, at, first, last, Kind::Const(to_byte(area)));
        match right {
            Some(c) => c.emit(y, at, row),
            None => side(r1, r, at, row),
        };
    }
}

impl Corner {
    fn is_on(&self, y: i32) -> bool {
        self.at.y0 <= y && y < self.at.y1
    }

    /// Its part of a row; answers where it ends.
    fn emit(&self, y: i32, at: IRect, row: &mut Row) -> i32 {
        let (x0, x1) = (self.at.x0.max(at.x0), self.at.x1.min(at.x1));
        if x0 < x1 {
            let from = (y - self.at.y0) as usize * self.mask.width + (x0 - self.at.x0) as usize;
            let n = (x1 - x0) as usize;
            let to = (x0 - at.x0) as usize;
            row.cov[to..to + n].copy_from_slice(&self.mask.pixels[from..from + n]);
            push(row, at, x0, x1, Kind::Mask);
        }
        self.at.x1
    }
}

/// Pixels `x0..x1` of the surface, as far as they lie in `at`.
fn push(row: &mut Row, at: IRect, x0: i32, x1: i32, kind: Kind) {
    let (x0, x1) = (x0.max(at.x0), x1.min(at.x1));
    if x0 < x1 {
        row.push((x0 - at.x0) as usize, (x1 - at.x0) as usize, kind);
    }
}

/// A straight side from `lo` to `hi`; answers the pixel where it ends.
fn side(lo: i32, hi: i32, at: IRect, row: &mut Row) -> i32 {
    push_span(row, lo, hi, ONE, at);
    ceil(hi)
}

#[simd]
fn build<S: Simd>(simd: S, key: &Key) -> Mask {
    let f = |v: i32| v as f32 / ONE as f32;
    let (width, height) = key.size;
    // The other corners lie far outside.
    let far = (width.max(height) + 4) * ONE + key.radius + key.border.unwrap_or(0);
    let (x, y) = key.at;
    let (l, r) = if key.which == 0 || key.which == 3 { (x, far) } else { (-far, x) };
    let (t, b) = if key.which < 2 { (y, far) } else { (-far, y) };
    let rect = Rect::from_ltrb(f(l), f(t), f(r), f(b));
    let mut radii = Radii::ZERO;
    radii.0[key.which as usize] = f(key.radius);
    let mut segs = Vec::new();
    let mut edges = Edges::new(&mut segs, IRect::new(0, 0, width, height));
    let identity = Map::of(Matrix::IDENTITY);
    flatten::fill(RoundedRectOutline::new(rect, radii).view(), &identity, &mut edges);
    if let Some(w) = key.border.map(f) {
        let inner = RoundedRectOutline::new(rect.inflate(-w), radii.grow(-w));
        flatten::fill(inner.view(), &identity, &mut edges);
    }
    let (width, height) = (width as usize, height as usize);
    let pixels = cells::mask(simd, &segs, width, height, FillRule::EvenOdd);
    Mask { width, pixels }
}
