//! Exact coverage of polygons: signed areas in one `i32` difference per pixel.
//!
//! - An edge adds, for each pixel it passes, the area right of it to that pixel and its height to
//!   all pixels further right; a running sum along the row gives the covered area of each pixel.
//!   [`FULL`] is one whole pixel, and every number is exact: nothing is rounded before the sum.
//! - Where an edge crosses a row or a column is a function of the whole edge (floor of an exact
//!   quotient), never of the band or column asked for, so neighbours agree.
//! - A shape of more than [`NARROW`] edges in a band sums in `i64` instead.
//! - One bit per touched pixel; runs between touched pixels are constant and cost nothing. Cells
//!   are cleared as they are consumed.

use crate::fixed::{ONE, Seg};
use fearless_simd::Simd;
use fearless_simd_macros::simd;
use zinc_scene::{FillRule, IRect};

/// Columns of a tile.
pub(crate) const TILE_W: usize = 256;
/// The area of a whole pixel.
pub(crate) const FULL: i32 = 131_072;

const STRIDE: usize = TILE_W + 8;
const WORDS: usize = TILE_W / 64 + 1;
/// Untouched runs up to this length join the mask of their neighbours: fewer, longer spans.
const JOIN: usize = 8;

/// How a run of pixels is covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// All alike.
    Const(u8),
    /// By the bytes at the same place of the row's buffer.
    Mask,
}

/// A run of pixels, relative to the left edge of the box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) x0: u16,
    pub(crate) x1: u16,
    pub(crate) kind: Kind,
}

/// The coverage of one row of a box.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) cov: [u8; TILE_W],
    pub(crate) runs: Vec<Run>,
}

impl Row {
    pub(crate) fn new() -> Self {
        Self { cov: [0; TILE_W], runs: Vec::with_capacity(64) }
    }
    /// One run.
    pub(crate) fn set(&mut self, x0: usize, x1: usize, kind: Kind) {
        self.runs.clear();
        self.push(x0, x1, kind);
    }
    pub(crate) fn push(&mut self, x0: usize, x1: usize, kind: Kind) {
        if x0 < x1 && kind != Kind::Const(0) {
            self.runs.push(Run { x0: x0 as u16, x1: x1 as u16, kind });
        }
    }
    /// Takes the pixels `x0..x1` out.
    pub(crate) fn cut(&mut self, x0: u16, x1: u16) {
        let mut i = 0;
        while i < self.runs.len() {
            let r = self.runs[i];
            if r.x1 <= x0 || r.x0 >= x1 {
                i += 1;
            } else if r.x0 < x0 {
                self.runs[i].x1 = x0;
                i += 1;
                if r.x1 > x1 {
                    self.runs.insert(i, Run { x0: x1, ..r });
                    i += 1;
                }
            } else if r.x1 > x1 {
                self.runs[i].x0 = x1;
                i += 1;
            } else {
                self.runs.remove(i);
            }
        }
    }
    /// All runs as bytes.
    pub(crate) fn flatten(&mut self, width: usize) {
        let mut at = 0;
        for r in &self.runs {
            let (x0, x1) = (r.x0 as usize, r.x1 as usize);
            self.cov[at..x0].fill(0);
            if let Kind::Const(v) = r.kind {
                self.cov[x0..x1].fill(v);
            }
            at = x1;
        }
        self.cov[at..width].fill(0);
    }
}

/// An area to 0..=255, to the nearest.
#[inline]
pub(crate) fn to_byte(area: i32) -> u8 {
    ((area * 255 + FULL / 2) >> 17) as u8
}

/// A number that areas are summed in.
pub(crate) trait Area: Copy + Default {
    fn plus(self, area: i32) -> Self;
    fn sum(self, o: Self) -> Self;
    /// Coverage of a sum.
    fn byte(self, rule: FillRule) -> u8;
}

macro_rules! area {
    ($t:ty) => {
        impl Area for $t {
            #[inline(always)]
            fn plus(self, area: i32) -> Self {
                self.wrapping_add(area as $t)
            }
            #[inline(always)]
            fn sum(self, o: Self) -> Self {
                self.wrapping_add(o)
            }
            #[inline(always)]
            fn byte(self, rule: FillRule) -> u8 {
                let a = self.unsigned_abs() as u64;
                to_byte(match rule {
                    FillRule::NonZero => a.min(FULL as u64) as i32,
                    FillRule::EvenOdd => {
                        let a = (a & (2 * FULL as u64 - 1)) as i32;
                        if a > FULL { 2 * FULL - a } else { a }
                    }
                })
            }
        }
    };
}
area!(i32);
area!(i64);

/// Edges up to which an `i32` holds every sum: each adds at most [`FULL`] = 2^17 to a pixel.
pub(crate) const NARROW: usize = 8192;

/// Floor of a quotient and what is left; `d > 0`. Small numbers take the short division, which
/// in-order cores do in half the time.
#[inline(always)]
fn floor_div(n: i64, d: i64) -> (i64, i64) {
    match (i32::try_from(n), i32::try_from(d)) {
        (Ok(n), Ok(d)) => (n.div_euclid(d) as i64, n.rem_euclid(d) as i64),
        _ => (n.div_euclid(d), n.rem_euclid(d)),
    }
}

/// Cells of one tile.
#[derive(Debug)]
pub(crate) struct Cells<T> {
    area: Vec<T>,
    bits: Vec<[u64; WORDS]>,
}

impl<T: Area> Cells<T> {
    pub(crate) fn new(rows: usize) -> Self {
        Self { area: vec![T::default(); rows * STRIDE], bits: vec![[0; WORDS]; rows] }
    }

    /// Adds edges as far as they bear on `at` (at most a tile wide, at most the rows given).
    #[simd]
    pub(crate) fn add<S: Simd>(&mut self, simd: S, segs: &[Seg], at: IRect) {
        for s in segs {
            self.edge(s, at);
        }
    }

    #[inline(always)]
    fn edge(&mut self, s: &Seg, at: IRect) {
        // From the upper end, whatever the direction: shared edges cancel exactly.
        let (sign, xa, ya, xb, yb) =
            if s.y0 < s.y1 { (1, s.x0, s.y0, s.x1, s.y1) } else { (-1, s.x1, s.y1, s.x0, s.y0) };
        let (top, bottom) = (at.y0 * ONE, at.y1 * ONE);
        if yb <= top || ya >= bottom || xa.min(xb) >= at.x1 * ONE {
            return;
        }
        let left = at.x0 * ONE;
        let width = at.x1 - at.x0;
        let (xa, xb) = (xa - left, xb - left);
        let mut y = ya.max(top);
        let end = yb.min(bottom);
        if xa == xb || xa.max(xb) <= 0 {
            let x = if xa == xb { xa.max(0) } else { 0 };
            while y < end {
                let row = (y >> 8) - at.y0;
                let next = ((y | 255) + 1).min(end);
                self.cell(row as usize, x, x, sign * (next - y), width);
                y = next;
            }
            return;
        }
        let first = (y | 255) + 1;
        if y == ya && yb <= first {
            // All of it in one row: nothing to divide.
            return self.slice(((y >> 8) - at.y0) as usize, xa, xb, yb - ya, sign, width);
        }
        let (dx, dy) = ((xb - xa) as i64, (yb - ya) as i64);
        let crossing = |y: i32| floor_div((y - ya) as i64 * dx, dy);
        let mut x = if y == ya { xa } else { xa + crossing(y).0 as i32 };
        let (mut q, mut r) = crossing(first);
        let (step, rest) = if first < end { floor_div(dx * 256, dy) } else { (0, 0) };
        while y < end {
            let next = ((y | 255) + 1).min(end);
            // The lower end lies inside a row only when it is the edge's own.
            let nx = if next == yb { xb } else { xa + q as i32 };
            self.slice(((y >> 8) - at.y0) as usize, x, nx, next - y, sign, width);
            (x, y) = (nx, next);
            q += step;
            r += rest;
            if r >= dy {
                r -= dy;
                q += 1;
            }
        }
    }

    /// The part of an edge in one row: from `x0` to `x1` over `height`.
    #[inline]
    fn slice(&mut self, row: usize, x0: i32, x1: i32, height: i32, sign: i32, width: i32) {
        let (l, r) = (x0.min(x1), x0.max(x1));
        if l >> 8 == r >> 8 || r <= 0 {
            let (l, r) = if r <= 0 { (0, 0) } else { (l, r) };
            if l >= 0 {
                self.cell(row, l, r, sign * height, width);
                return;
            }
        }
        let edge = (l | 255) + 1;
        if l >= 0 && r <= edge + ONE {
            // Two columns: one quotient, of small numbers.
            let part = (edge - l) as u32 * height as u32 / (r - l) as u32;
            self.cell(row, l, edge, sign * part as i32, width);
            return self.cell(row, edge, r, sign * (height - part as i32), width);
        }
        let w = (r - l) as i64;
        // Height passed left of a column boundary, measured from the left end.
        let passed = |x: i32| floor_div((x - l) as i64 * height as i64, w).0 as i32;
        let (mut x, mut done) = (l, 0);
        if x < 0 {
            x = 0;
            done = passed(0);
            self.cell(row, 0, 0, sign * done, width);
        }
        let first = (x | 255) + 1;
        let (q, mut rem) = floor_div((first - l) as i64 * height as i64, w);
        let mut q = q as i32;
        let (step, rest) = floor_div(height as i64 * 256, w);
        let limit = width * ONE;
        while x < r && x < limit {
            let next = ((x | 255) + 1).min(r);
            let now = if next == r { height } else { q };
            self.cell(row, x, next, sign * (now - done), width);
            (x, done) = (next, now);
            q += step as i32;
            rem += rest;
            if rem >= w {
                rem -= w;
                q += 1;
            }
        }
    }

    /// An edge piece inside one pixel column: `x0..x1` (24.8, `x0 >= 0`), signed height `h`.
    #[inline(always)]
    fn cell(&mut self, row: usize, x0: i32, x1: i32, h: i32, width: i32) {
        let col = x0 >> 8;
        if col >= width || h == 0 {
            return;
        }
        // `x1` may stand on the column's right boundary.
        let f = (x0 - col * ONE) + (x1 - col * ONE);
        let i = row * STRIDE + col as usize;
        let cells = &mut self.area[i..i + 2];
        cells[0] = cells[0].plus(h * (512 - f));
        cells[1] = cells[1].plus(h * f);
        let bits = &mut self.bits[row];
        let (c, d) = (col as usize, col as usize + 1);
        bits[c >> 6] |= 1 << (c & 63);
        bits[d >> 6] |= 1 << (d & 63);
    }

    /// Takes a row's coverage out and leaves it clear.
    #[simd]
    pub(crate) fn take<S: Simd>(
        &mut self,
        simd: S,
        row: usize,
        width: usize,
        rule: FillRule,
        out: &mut Row,
    ) {
        out.runs.clear();
        let area = &mut self.area[row * STRIDE..][..STRIDE];
        let bits = &mut self.bits[row];
        let mut sum = T::default();
        // The run being collected: mask bytes `from..x`.
        let mut from = 0usize;
        let mut x = 0usize;
        for (w, word) in bits.iter_mut().enumerate() {
            let mut b = core::mem::take(word);
            while b != 0 {
                let at = w * 64 + b.trailing_zeros() as usize;
                b &= b - 1;
                if at >= width {
                    area[at] = T::default();
                    continue;
                }
                if at > x {
                    let v = sum.byte(rule);
                    if at - x <= JOIN && x > from {
                        out.cov[x..at].fill(v);
                    } else {
                        out.push(from, x, Kind::Mask);
                        out.push(x, at, Kind::Const(v));
                        from = at;
                    }
                }
                sum = sum.sum(core::mem::take(&mut area[at]));
                out.cov[at] = sum.byte(rule);
                x = at + 1;
            }
        }
        out.push(from, x, Kind::Mask);
        out.push(x, width, Kind::Const(sum.byte(rule)));
    }
}
