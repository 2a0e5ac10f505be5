//! Exact coverage of polygons: signed areas in one `i32` difference per pixel.
//!
//! - An edge adds, for each pixel it passes, the area right of it to that pixel and its height to
//!   all pixels further right; a running sum along the row gives the covered area of each pixel.
//!   [`FULL`] is one whole pixel, and every number is exact: nothing is rounded before the sum.
//! - Where an edge crosses a row or a column is a function of the whole edge (floor of an exact
//!   quotient), never of the band or column asked for, so neighbours agree.
//! - A shape of more than [`NARROW`] edges in a band sums in `i64` instead.
//! - One bit per touched group of [`GROUP`] pixels: groups are summed and turned to bytes at once,
//!   what lies between them is constant and costs nothing. Cells are cleared as they are consumed.

use crate::blend;
use crate::fixed::{ONE, Seg};
use crate::kernels;
use fearless_simd::{Bytes, Simd, SimdBase, i32x4, u32x4};
use fearless_simd_macros::simd;
use zinc_scene::{FillRule, IRect};

/// Columns of a tile: 16 rows of them are 25 KB, and 800 pixels are two tiles.
pub(crate) const TILE_W: usize = 400;
/// The area of a whole pixel.
pub(crate) const FULL: i32 = 131_072;

/// Pixels that one bit stands for.
pub(crate) const GROUP: usize = 8;
const STRIDE: usize = TILE_W + GROUP;
const _: () = assert!(STRIDE / GROUP <= 64, "a row's bits fit a word");

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
#[inline(always)]
pub(crate) fn to_byte(area: i32) -> u8 {
    ((area * 255 + FULL / 2) >> 17) as u8
}

/// A number that areas are summed in.
pub(crate) trait Area: Copy + Default {
    fn plus(self, area: i32) -> Self;
    /// Coverage of a sum.
    fn byte(self, rule: FillRule) -> u8;
    /// Adds a group's cells up, on top of `sum`, and clears them; the coverage of each pixel.
    fn group<S: Simd>(
        simd: S,
        cells: &mut [Self; GROUP],
        sum: &mut Self,
        rule: FillRule,
    ) -> [u32; GROUP];
}

macro_rules! area {
    ($t:ty, $u:ty) => {
        #[inline(always)]
        fn plus(self, area: i32) -> Self {
            self.wrapping_add(area as $t)
        }
        #[inline(always)]
        fn byte(self, rule: FillRule) -> u8 {
            const WHOLE: $u = FULL as $u;
            let a = self.unsigned_abs();
            to_byte(match rule {
                FillRule::NonZero => a.min(WHOLE),
                FillRule::EvenOdd => {
                    let a = a & (2 * WHOLE - 1);
                    a.min(2 * WHOLE - a)
                }
            } as i32)
        }
    };
}

impl Area for i64 {
    area!(i64, u64);

    fn group<S: Simd>(
        _: S,
        cells: &mut [Self; GROUP],
        sum: &mut Self,
        rule: FillRule,
    ) -> [u32; GROUP] {
        cells.each_mut().map(|c| {
            *sum = sum.wrapping_add(core::mem::take(c));
            sum.byte(rule) as u32
        })
    }
}

impl Area for i32 {
    area!(i32, u32);

    #[inline(always)]
    fn group<S: Simd>(
        simd: S,
        cells: &mut [Self; GROUP],
        sum: &mut Self,
        rule: FillRule,
    ) -> [u32; GROUP] {
        let mut out = [0; GROUP];
        let whole = i32x4::splat(simd, FULL);
        for (cells, out) in cells.as_chunks_mut::<4>().0.iter_mut().zip(out.as_chunks_mut::<4>().0)
        {
            let zero = i32x4::splat(simd, 0);
            let v = i32x4::from_slice(simd, cells);
            let v = v + zero.slide::<3>(v);
            let v = v + zero.slide::<2>(v) + *sum;
            zero.store_slice(cells);
            *sum = v[3];
            let a = v.max(-v);
            let a = match rule {
                FillRule::NonZero => a.min(whole),
                FillRule::EvenOdd => {
                    let a = a & (2 * FULL - 1);
                    a.min(whole + whole - a)
                }
            };
            // As `to_byte`: 255 is 256 less 1.
            let a = ((a << 8) - a + FULL / 2) >> 17;
            *out = a.bitcast::<u32x4<S>>().into();
        }
        out
    }
}

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

/// A row of cells while edges are added.
struct Line<'a, T> {
    cells: &'a mut [T; STRIDE],
    bits: &'a mut u64,
    /// Pixels of the box, at most a tile's.
    width: usize,
}

impl<T: Area> Line<'_, T> {
    /// The part of an edge in one row: from `x0` to `x1` over `height`.
    #[inline(always)]
    fn slice(&mut self, x0: i32, x1: i32, height: i32, sign: i32) {
        let (l, r) = (x0.min(x1), x0.max(x1));
        if l >> 8 == r >> 8 || r <= 0 {
            let (l, r) = if r <= 0 { (0, 0) } else { (l, r) };
            if l >= 0 {
                self.cell(l, r, sign * height);
                return;
            }
        }
        if l < 0 {
            return self.slice_from_beside(l, r, height, sign);
        }
        let edge = (l | 255) + 1;
        let w = (r - l) as u32;
        let part = ((edge - l) as u32 * height as u32 / w) as i32;
        self.cell(l, edge, sign * part);
        if r <= edge + ONE {
            // Two columns: one quotient.
            return self.cell(edge, r, sign * (height - part));
        }
        // Height passed left of each column boundary: floors of one exact quotient.
        let whole = height as u32 * 256;
        let (step, rest) = ((whole / w) as i32, whole % w);
        let mut rem = (edge - l) as u32 * height as u32 % w;
        let (mut x, mut done) = (edge, part);
        let limit = r.min(self.width as i32 * ONE);
        while x + ONE < limit {
            rem += rest;
            let more = (rem >= w) as i32;
            rem -= w * more as u32;
            let q = step + more;
            self.cell(x, x + ONE, sign * q);
            (x, done) = (x + ONE, done + q);
        }
        if x < limit {
            let now = if x + ONE < r { done + step + (rem + rest >= w) as i32 } else { height };
            self.cell(x, r.min(x + ONE), sign * (now - done));
        }
    }

    /// As `slice`, of an edge that begins left of the box.
    #[inline(never)]
    fn slice_from_beside(&mut self, l: i32, r: i32, height: i32, sign: i32) {
        let w = (r - l) as i64;
        // Height passed left of a column boundary, measured from the left end.
        let passed = |x: i32| floor_div((x - l) as i64 * height as i64, w).0 as i32;
        let (mut x, mut done) = (0, passed(0));
        self.cell(0, 0, sign * done);
        let (q, mut rem) = floor_div((ONE - l) as i64 * height as i64, w);
        let mut q = q as i32;
        let (step, rest) = floor_div(height as i64 * 256, w);
        let limit = self.width as i32 * ONE;
        while x < r && x < limit {
            let next = ((x | 255) + 1).min(r);
            let now = if next == r { height } else { q };
            self.cell(x, next, sign * (now - done));
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
    fn cell(&mut self, x0: i32, x1: i32, h: i32) {
        let c = (x0 >> 8) as usize;
        if c >= self.width {
            return;
        }
        // `x1` may stand on the column's right boundary.
        let f = (x0 & 255) + (x1 - (x0 & !255));
        let right = h * f;
        self.cells[c] = self.cells[c].plus(h * 512 - right);
        self.cells[c + 1] = self.cells[c + 1].plus(right);
        *self.bits |= 1 << (c / GROUP) | 1 << ((c + 1) / GROUP);
    }
}

/// Cells of one tile.
#[derive(Debug)]
pub(crate) struct Cells<T> {
    area: Vec<[T; STRIDE]>,
    bits: Vec<u64>,
}

impl<T: Area> Cells<T> {
    pub(crate) fn new(rows: usize) -> Self {
        Self { area: vec![[T::default(); STRIDE]; rows], bits: vec![0; rows] }
    }

    #[inline(always)]
    fn line(&mut self, row: i32, width: i32) -> Line<'_, T> {
        let row = row as usize;
        let width = (width as usize).min(TILE_W);
        Line { cells: &mut self.area[row], bits: &mut self.bits[row], width }
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
                self.line(row, width).cell(x, x, sign * (next - y));
                y = next;
            }
            return;
        }
        let first = (y | 255) + 1;
        if y == ya && yb <= first {
            // All of it in one row: nothing to divide.
            return self.line((y >> 8) - at.y0, width).slice(xa, xb, yb - ya, sign);
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
            self.line((y >> 8) - at.y0, width).slice(x, nx, next - y, sign);
            (x, y) = (nx, next);
            q += step;
            r += rest;
            if r >= dy {
                r -= dy;
                q += 1;
            }
        }
    }

    /// The cells of the group at `at`.
    #[inline(always)]
    fn cells(line: &mut [T; STRIDE], at: usize) -> &mut [T; GROUP] {
        &mut line.as_chunks_mut::<GROUP>().0[at / GROUP]
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
        let line = &mut self.area[row];
        let mut bits = core::mem::take(&mut self.bits[row]);
        let mut sum = T::default();
        // The mask being collected: `from..x`.
        let (mut from, mut x) = (0, 0);
        while bits != 0 {
            let at = bits.trailing_zeros() as usize * GROUP;
            bits &= bits - 1;
            if at >= width {
                *Self::cells(line, at) = [T::default(); GROUP];
                continue;
            }
            if at > x {
                out.push(from, x, Kind::Mask);
                out.push(x, at, Kind::Const(sum.byte(rule)));
                from = at;
            }
            let k = T::group(simd, Self::cells(line, at), &mut sum, rule);
            let cov = &mut out.cov.as_chunks_mut::<GROUP>().0[at / GROUP];
            for (o, k) in cov.iter_mut().zip(k) {
                *o = k as u8;
            }
            x = at + GROUP;
        }
        let x = x.min(width);
        out.push(from, x, Kind::Mask);
        out.push(x, width, Kind::Const(sum.byte(rule)));
    }

    /// Takes the coverage of `rows` rows out and paints a colour by it. Row `n` starts at `px[n *
    /// TILE_W]`; up to a group beyond `width` is read and written back as it was.
    #[simd]
    #[allow(clippy::too_many_arguments, reason = "a shape, a colour and a place")]
    pub(crate) fn fill<S: Simd>(
        &mut self,
        simd: S,
        rows: usize,
        width: usize,
        rule: FillRule,
        color: u32,
        px: &mut [u32],
    ) {
        let opaque = color >> 24 == 255;
        let gap = |px: &mut [u32], v: u8| match v {
            0 => {}
            255 if opaque => px.fill(color),
            v => kernels::over_one(simd, px, blend::scale(color, v as u32)),
        };
        for row in 0..rows {
            let mut bits = core::mem::take(&mut self.bits[row]);
            if bits == 0 {
                continue;
            }
            let line = &mut self.area[row];
            let px = &mut px[row * TILE_W..];
            let mut sum = T::default();
            let mut x = 0;
            while bits != 0 {
                let at = bits.trailing_zeros() as usize * GROUP;
                bits &= bits - 1;
                if at >= width {
                    *Self::cells(line, at) = [T::default(); GROUP];
                    continue;
                }
                if at > x {
                    gap(&mut px[x..at], sum.byte(rule));
                }
                let mut k = T::group(simd, Self::cells(line, at), &mut sum, rule);
                x = at + GROUP;
                if x > width {
                    k[width - at..].fill(0);
                }
                kernels::over_one_group(&mut px[at..x], color, &k);
            }
            if x < width {
                gap(&mut px[x..width], sum.byte(rule));
            }
        }
    }
}
