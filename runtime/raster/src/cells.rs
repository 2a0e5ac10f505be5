//! Exact coverage of polygons: signed areas in one `i32` difference per pixel.
//!
//! - An edge adds, for each pixel it passes, the area right of it to that pixel and its height to
//!   all pixels further right; a running sum along the row gives the covered area of each pixel.
//!   [`FULL`] is one whole pixel; sums are exact.
//! - Where an edge crosses a row or a column is a function of the whole edge, never of the band or
//!   column asked for, so neighbours agree ([`crate::line`]).
//! - A shape of more than [`NARROW`] edges in a band sums in `i64` instead.
//! - One bit per touched group of [`GROUP`] pixels: groups are summed and turned to bytes at once,
//!   what lies between them is constant and costs nothing. Cells are cleared as they are consumed.

use crate::fixed::{ONE, Seg};
use crate::kernels;
use crate::line::{self, Frame, Line};
use crate::row::{Kind, Row};
use crate::simd::Simd;
use core::num::NonZeroU64;
use fearless_simd::prelude::*;
use fearless_simd::{i32x4, u16x8, u32x4};
use fearless_simd_macros::simd;
use zinc_scene::{FillRule, IRect};

/// Columns of a tile: 16 rows of them are 25 KB, and 800 pixels are two tiles.
pub(crate) const TILE_W: usize = 400;
/// Masks of the first pixels of a group.
const FIRST: [[u16; GROUP]; GROUP] = {
    let mut all = [[0; GROUP]; GROUP];
    let mut n = 0;
    while n < GROUP {
        let mut i = 0;
        while i < n {
            all[n][i] = u16::MAX;
            i += 1;
        }
        n += 1;
    }
    all
};
/// The area of a whole pixel.
pub(crate) const FULL: i32 = 131_072;

/// Pixels that one bit stands for.
pub(crate) const GROUP: usize = 8;
/// Groups of a row, one bit of a word each: more than a tile has, so that a masked number needs no
/// check.
pub(crate) const GROUPS: usize = 64;
/// Columns of a row: an edge writes up to two beyond the one it is in.
pub(crate) const STRIDE: usize = GROUPS * GROUP + GROUP;
const _: () = assert!(TILE_W + 2 < GROUPS * GROUP);

/// An area to 0..=255: to a 15-bit fraction, downwards, and then to the nearest.
#[inline(always)]
pub(crate) fn to_byte(area: i32) -> u8 {
    let t = area >> 2;
    ((t - (t >> 8) + 64) >> 7) as u8
}

/// Coverage of a group's pixels, 0..=255 with seven more bits that count for nothing.
#[derive(Clone, Copy)]
pub(crate) struct Covered<S: Simd>(u16x8<S>);

impl<S: Simd> Covered<S> {
    /// Of areas as 15-bit fractions: [`to_byte`], before its last shift.
    #[inline(always)]
    fn of(t: u16x8<S>) -> Self {
        Self(t - (t >> 8) + 64)
    }

    #[cfg(test)]
    pub(crate) fn of_bytes(k: u16x8<S>) -> Self {
        Self(k << 7)
    }

    #[inline(always)]
    pub(crate) fn bytes(self) -> u16x8<S> {
        self.0 >> 7
    }

    /// [`crate::simd::weight`] of the bytes.
    #[inline(always)]
    pub(crate) fn weights(self) -> u16x8<S> {
        ((self.0 & 0xFF80) + ((self.0 + 128) >> 8)).min(32_767)
    }
}

/// A number that areas are summed in.
pub(crate) trait Area: Copy + Default + PartialEq {
    fn plus(self, area: i32) -> Self;
    fn minus(self, area: i32) -> Self;
    /// Coverage of a sum.
    fn byte(self, rule: FillRule) -> u8;
    /// A running sum, as it is best kept from group to group.
    type Sum<S: Simd>: Copy;
    /// Nothing.
    fn none<S: Simd>(simd: S) -> Self::Sum<S>;
    fn of<S: Simd>(sum: Self::Sum<S>) -> Self;
    /// Adds a group's cells up, on top of `sum`, and clears them; the coverage of each pixel.
    fn group<S: Simd>(
        simd: S,
        cells: &mut [Self; GROUP],
        sum: &mut Self::Sum<S>,
        rule: FillRule,
    ) -> Covered<S>;
}

macro_rules! area {
    ($t:ty, $u:ty) => {
        #[inline(always)]
        fn plus(self, area: i32) -> Self {
            self.wrapping_add(area as $t)
        }
        #[inline(always)]
        fn minus(self, area: i32) -> Self {
            self.wrapping_sub(area as $t)
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

    type Sum<S: Simd> = i64;
    fn none<S: Simd>(_: S) -> i64 {
        0
    }
    fn of<S: Simd>(sum: i64) -> i64 {
        sum
    }
    fn group<S: Simd>(
        simd: S,
        cells: &mut [Self; GROUP],
        sum: &mut i64,
        rule: FillRule,
    ) -> Covered<S> {
        let all = cells.each_mut().map(|c| {
            *sum = sum.wrapping_add(core::mem::take(c));
            (sum.byte(rule) as u16) << 7
        });
        Covered(u16x8::from_slice(simd, &all))
    }
}

impl Area for i32 {
    area!(i32, u32);

    /// The same in each lane.
    type Sum<S: Simd> = i32x4<S>;
    #[inline(always)]
    fn none<S: Simd>(simd: S) -> i32x4<S> {
        i32x4::splat(simd, 0)
    }
    #[inline(always)]
    fn of<S: Simd>(sum: i32x4<S>) -> i32 {
        sum[0]
    }
    #[inline(always)]
    fn group<S: Simd>(
        simd: S,
        cells: &mut [Self; GROUP],
        sum: &mut i32x4<S>,
        rule: FillRule,
    ) -> Covered<S> {
        let low = sums(simd, i32x4::from_slice(simd, &cells[..4])) + *sum;
        let high = sums(simd, i32x4::from_slice(simd, &cells[4..])) + last(low);
        *cells = [0; GROUP];
        *sum = last(high);
        Covered::of(fifteen(simd, low, rule).relaxed_narrow(fifteen(simd, high, rule)))
    }
}

/// The last of four numbers in each lane.
#[inline(always)]
fn last<S: Simd>(v: i32x4<S>) -> i32x4<S> {
    let v = v.zip_high(v);
    v.zip_high(v)
}

/// Sums as 15-bit fractions of a whole pixel.
#[inline(always)]
fn fifteen<S: Simd>(simd: S, sums: i32x4<S>, rule: FillRule) -> u32x4<S> {
    let a = sums.abs();
    let whole = i32x4::splat(simd, FULL);
    let a = match rule {
        FillRule::NonZero => a.min(whole),
        FillRule::EvenOdd => {
            let a = a & (2 * FULL - 1);
            a.min(whole + whole - a)
        }
    };
    (a >> 2).bitcast()
}

/// Running sums of four numbers.
#[inline(always)]
fn sums<S: Simd>(simd: S, v: i32x4<S>) -> i32x4<S> {
    let zero = i32x4::splat(simd, 0);
    let v = v + zero.slide::<3>(v);
    v + zero.slide::<2>(v)
}

/// Edges up to which an `i32` holds every sum: each adds at most [`FULL`] = 2^17 to a pixel.
pub(crate) const NARROW: usize = 8192;

/// Cells of one tile.
#[derive(Debug)]
pub(crate) struct Cells<T> {
    lines: Vec<Line<T>>,
}

impl<T: Area> Cells<T> {
    pub(crate) fn new(rows: usize) -> Self {
        Self { lines: vec![Line::default(); rows] }
    }

    /// Adds edges as far as they bear on `at` (at most a tile wide, at most the rows given).
    #[simd]
    pub(crate) fn add<S: Simd>(&mut self, simd: S, segs: &[Seg], at: IRect) {
        let [left, top, bottom] = [at.x0, at.y0, at.y1].map(|v| v * ONE);
        let frame = Frame { top, bottom, left, width: (at.x1 - at.x0).min(TILE_W as i32) };
        for s in segs {
            if s.meets(top, bottom) {
                line::edge(&mut self.lines, s, frame);
            }
        }
    }

    /// Takes a row's coverage out, left to right, and leaves it clear.
    #[inline(always)]
    fn walk<S: Simd>(
        simd: S,
        line: &mut Line<T>,
        width: usize,
        rule: FillRule,
        sink: &mut impl Sink<S>,
    ) {
        let bits = core::mem::take(&mut line.bits);
        let mut sum = T::none(simd);
        let mut x = 0;
        // Groups that lie inside of the row; then what is left of it, and what was added beyond.
        let (whole, part) = (width / GROUP, width % GROUP);
        let mut inside = bits & !(u64::MAX << whole);
        while let Some(b) = NonZeroU64::new(inside) {
            let group = b.trailing_zeros() as usize;
            inside &= inside - 1;
            Self::alike(sum, (x, group * GROUP), rule, sink);
            sink.group(group, T::group(simd, line.group(group), &mut sum, rule));
            x = group * GROUP + GROUP;
        }
        let mut beyond = bits & u64::MAX << whole;
        if part > 0 && beyond >> whole & 1 == 1 {
            beyond &= beyond - 1;
            Self::alike(sum, (x, whole * GROUP), rule, sink);
            let mut k = T::group(simd, line.group(whole), &mut sum, rule);
            k.0 &= u16x8::from_slice(simd, &FIRST[part]);
            sink.group(whole, k);
            x = width;
        }
        while let Some(b) = NonZeroU64::new(beyond) {
            *line.group(b.trailing_zeros() as usize) = [T::default(); GROUP];
            beyond &= beyond - 1;
        }
        Self::alike(sum, (x, width), rule, sink);
    }

    /// Pixels between groups.
    #[inline(always)]
    fn alike<S: Simd>(
        sum: T::Sum<S>,
        (x0, x1): (usize, usize),
        rule: FillRule,
        sink: &mut impl Sink<S>,
    ) {
        if x0 < x1 && T::of(sum) != T::default() {
            sink.alike(x0, x1, T::of(sum).byte(rule));
        }
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
        let mut sink = Collect { row: out, from: 0, x: 0 };
        Self::walk(simd, &mut self.lines[row], width, rule, &mut sink);
        let Collect { row, from, x } = sink;
        row.push(from, x.min(width), Kind::Mask);
    }

    /// Takes the coverage of `rows` rows out and paints a colour by it. Row `n` starts at `px[n *
    /// TILE_W]` and has [`GROUPS`] groups there; up to a group beyond `width` is read and written
    /// back as it was.
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
        // One loop for each rule, and for colours that hide.
        match (rule, color >> 24 == 255) {
            (FillRule::NonZero, true) => {
                self.paint::<S, true>(simd, rows, width, FillRule::NonZero, color, px)
            }
            (FillRule::NonZero, false) => {
                self.paint::<S, false>(simd, rows, width, FillRule::NonZero, color, px)
            }
            (FillRule::EvenOdd, true) => {
                self.paint::<S, true>(simd, rows, width, FillRule::EvenOdd, color, px)
            }
            (FillRule::EvenOdd, false) => {
                self.paint::<S, false>(simd, rows, width, FillRule::EvenOdd, color, px)
            }
        }
    }

    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "a shape, a colour and a place")]
    fn paint<S: Simd, const OPAQUE: bool>(
        &mut self,
        simd: S,
        rows: usize,
        width: usize,
        rule: FillRule,
        color: u32,
        px: &mut [u32],
    ) {
        for (row, line) in self.lines[..rows].iter_mut().enumerate() {
            if line.bits != 0 {
                let px = px[row * TILE_W..].as_chunks_mut::<GROUP>().0;
                if let Some(px) = px.first_chunk_mut() {
                    let sink = &mut Paint::<S, OPAQUE> { simd, px, color };
                    Self::walk(simd, line, width, rule, sink);
                }
            }
        }
    }
}

/// Coverage of edges, a byte a pixel.
#[inline(always)]
pub(crate) fn mask<S: Simd>(
    simd: S,
    segs: &[Seg],
    width: usize,
    height: usize,
    rule: FillRule,
) -> Vec<u8> {
    let mut pixels = vec![0u8; width * height];
    let (mut cells, mut row) = (Cells::<i32>::new(1), Row::new());
    for y in 0..height {
        for x in (0..width).step_by(TILE_W) {
            let n = TILE_W.min(width - x);
            let (ix, iy) = (x as i32, y as i32);
            cells.add(simd, segs, IRect::new(ix, iy, ix + n as i32, iy + 1));
            cells.take(simd, 0, n, rule, &mut row);
            row.flatten(n);
            pixels[y * width + x..][..n].copy_from_slice(&row.cov[..n]);
        }
    }
    pixels
}

/// Takes the coverage of a row, left to right.
trait Sink<S: Simd> {
    /// Pixels that are covered alike; never without coverage.
    fn alike(&mut self, x0: usize, x1: usize, k: u8);
    /// A group, pixel by pixel. The last one may reach beyond the row, with no coverage there.
    fn group(&mut self, number: usize, k: Covered<S>);
}

/// Coverage into runs; groups that touch are one mask, `from..x`.
struct Collect<'a> {
    row: &'a mut Row,
    from: usize,
    x: usize,
}

impl<S: Simd> Sink<S> for Collect<'_> {
    #[inline(always)]
    fn alike(&mut self, x0: usize, x1: usize, k: u8) {
        self.row.push(self.from, self.x, Kind::Mask);
        self.row.push(x0, x1, Kind::Const(k));
        (self.from, self.x) = (x1, x1);
    }
    #[inline(always)]
    fn group(&mut self, number: usize, k: Covered<S>) {
        let at = number * GROUP;
        if at != self.x {
            self.row.push(self.from, self.x, Kind::Mask);
            self.from = at;
        }
        self.x = at + GROUP;
        let out = &mut self.row.cov.as_chunks_mut::<GROUP>().0[number];
        let k: [u16; GROUP] = k.bytes().into();
        for (o, k) in out.iter_mut().zip(k) {
            *o = k as u8;
        }
    }
}

/// A colour onto the groups of a row.
struct Paint<'a, S, const OPAQUE: bool> {
    simd: S,
    px: &'a mut [[u32; GROUP]; GROUPS],
    color: u32,
}

impl<S: Simd, const OPAQUE: bool> Sink<S> for Paint<'_, S, OPAQUE> {
    #[inline(always)]
    fn alike(&mut self, x0: usize, x1: usize, k: u8) {
        let px = &mut self.px.as_flattened_mut()[x0..x1];
        if OPAQUE && k == 255 {
            kernels::fill(px, self.color);
        } else {
            kernels::over_one_alike(self.simd, px, self.color, k);
        }
    }
    #[inline(always)]
    fn group(&mut self, number: usize, k: Covered<S>) {
        let px = &mut self.px[number % GROUPS];
        kernels::over_one_group::<S, OPAQUE>(self.simd, px, self.color, k);
    }
}
