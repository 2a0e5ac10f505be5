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

use crate::fixed::{ONE, SHIFT, Seg};
use crate::kernels;
use crate::simd::Simd;
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
    /// Without antialiasing: pixels are covered from one half on, or not at all.
    pub(crate) fn harden(&mut self) {
        let hard = |v: u8| if v >= 128 { 255 } else { 0 };
        for r in &mut self.runs {
            match &mut r.kind {
                Kind::Const(v) => *v = hard(*v),
                Kind::Mask => {
                    for c in &mut self.cov[r.x0 as usize..r.x1 as usize] {
                        *c = hard(*c);
                    }
                }
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

/// An area to 0..=255: to a 15-bit fraction, downwards, and then to the nearest.
#[inline(always)]
pub(crate) fn to_byte(area: i32) -> u8 {
    let t = area >> 2;
    ((t - (t >> 8) + 64) >> 7) as u8
}

/// A number that areas are summed in.
pub(crate) trait Area: Copy + Default + PartialEq {
    fn plus(self, area: i32) -> Self;
    fn minus(self, area: i32) -> Self;
    /// Coverage of a sum.
    fn byte(self, rule: FillRule) -> u8;
    /// Adds a group's cells up, on top of `sum`, and clears them; the coverage of each pixel.
    fn group<S: Simd>(
        simd: S,
        cells: &mut [Self; GROUP],
        sum: &mut Self,
        rule: FillRule,
    ) -> u16x8<S>;
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

    fn group<S: Simd>(
        simd: S,
        cells: &mut [Self; GROUP],
        sum: &mut Self,
        rule: FillRule,
    ) -> u16x8<S> {
        let all = cells.each_mut().map(|c| {
            *sum = sum.wrapping_add(core::mem::take(c));
            sum.byte(rule) as u16
        });
        u16x8::from_slice(simd, &all)
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
    ) -> u16x8<S> {
        let low = sums(simd, i32x4::from_slice(simd, &cells[..4])) + *sum;
        let high = sums(simd, i32x4::from_slice(simd, &cells[4..])) + low[3];
        *cells = [0; GROUP];
        *sum = high[3];
        let t = fifteen(simd, low, rule).relaxed_narrow(fifteen(simd, high, rule));
        // As `to_byte`.
        (t - (t >> 8) + 64) >> 7
    }
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

/// Fraction bits of slopes and of positions along an edge.
const FINE: u32 = 24;

/// Of an edge of `dx` by `dy`, neither of them 0, with [`FINE`] fraction bits, to the nearest: how
/// far it runs a unit of height, and how high it rises a unit of width, without a sign. Both are at
/// most 2^49, and places along an edge are off by at most half a 24.8 unit, on edges of 65536
/// pixels. One division serves both: the product of two numbers below 2^25 is exact.
#[inline(always)]
fn slopes(dx: i32, dy: i32) -> [i64; 2] {
    let (dx, dy) = (dx as f64, dy as f64);
    let k = (1i64 << FINE) as f64 / (dx * dy);
    let whole = |v: f64| ((v + SHIFT).to_bits() - SHIFT.to_bits()) as i64;
    [whole(dx * dx * k), whole((dy * dy * k).abs())]
}

/// A row of cells.
#[derive(Clone, Debug)]
struct Line<T> {
    cells: [T; STRIDE],
    /// Which groups are touched.
    bits: u64,
}

/// Part of an edge in one row, in 24.8 from the left end of the box.
#[derive(Clone, Copy)]
struct Slice {
    left: i32,
    right: i32,
    height: i32,
    /// Height that the edge passes a unit of width, with [`FINE`] bits.
    rise: i64,
}

impl Slice {
    /// Height passed left of `x`, measured from the slice's own left end: a box that cuts it
    /// finds the same.
    #[inline(always)]
    fn passed(&self, x: i32) -> i32 {
        let h = ((x - self.left) as i64).wrapping_mul(self.rise) >> FINE;
        h.min(self.height as i64) as i32
    }
}

impl<T: Area> Line<T> {
    /// Adds a slice of one or two columns to a box of `width` pixels. `UP`: of an edge that goes
    /// upwards; `INSIDE`: of one that leaves the box on no side.
    #[inline(always)]
    fn steep<const UP: bool, const INSIDE: bool>(&mut self, s: Slice, width: i32) {
        let (first, last) = (s.left >> 8, s.right >> 8);
        if !INSIDE && first >= width {
            return;
        }
        let (f, g) = (s.left & 255, s.right & 255);
        if first == last {
            self.mark(first, first + 1);
            return self.cell::<UP>(first, f + g, s.height);
        }
        self.mark(first, first + 2);
        let a = s.passed((first + 1) * ONE);
        let b = s.height - a;
        let near = a * (f + ONE);
        let far = b * g;
        self.add::<UP>(first, a * 512 - near);
        self.add::<UP>(first + 1, near + b * 512 - far);
        self.add::<UP>(first + 2, far);
    }

    /// A slice of any number of columns, also one that begins left of the box: what passes there
    /// covers all of it.
    #[inline(always)]
    fn flat<const UP: bool, const INSIDE: bool>(&mut self, s: Slice, width: i32) {
        let last = s.right >> 8;
        if !INSIDE && last < 0 {
            self.bits |= 1;
            return self.add::<UP>(0, s.height * 512);
        }
        let (first, f, before) = match s.left >> 8 {
            first if INSIDE || first >= 0 => (first, s.left & 255, 0),
            _ => (0, 0, s.passed(0)),
        };
        if !INSIDE && first >= width {
            return;
        }
        let end = if INSIDE { last } else { last.min(width) };
        let bit = |c: i32| c as u32 / GROUP as u32;
        self.bits |= (2u64 << bit(end + 1)) - (1 << bit(first));
        let g = s.right & 255;
        if last == first {
            let b = s.height - before;
            let far = b * (f + g);
            self.add::<UP>(first, s.height * 512 - far);
            return self.add::<UP>(first + 1, far);
        }
        let mut done = s.passed((first + 1) * ONE);
        // Area that the columns so far leave to the next one.
        let mut carry = (done - before) * (f + ONE);
        self.add::<UP>(first, done * 512 - carry);
        // The edge is flat here: a column's height is off by one at most.
        let step = s.rise << 8;
        let mut place = (((first + 1) * ONE - s.left) as i64).wrapping_mul(s.rise);
        let mut c = first + 1;
        while c < end {
            place += step;
            let now = (place >> FINE) as i32;
            if now > s.height {
                break;
            }
            let half = (now - done) * ONE;
            self.add::<UP>(c, carry + half);
            (carry, done) = (half, now);
            c += 1;
        }
        self.add::<UP>(c, carry);
        if INSIDE || last < width {
            let b = s.height - done;
            let far = b * g;
            self.add::<UP>(last, b * 512 - far);
            self.add::<UP>(last + 1, far);
        }
    }

    /// Part of an edge in one column: two cells. `twice` its mean place there.
    #[inline(always)]
    fn cell<const UP: bool>(&mut self, column: i32, twice: i32, height: i32) {
        let right = height * twice;
        self.add::<UP>(column, height * 512 - right);
        self.add::<UP>(column + 1, right);
    }

    #[inline(always)]
    fn add<const UP: bool>(&mut self, column: i32, area: i32) {
        let c = &mut self.cells[column as usize];
        *c = if UP { c.minus(area) } else { c.plus(area) };
    }

    /// Two columns are touched.
    #[inline(always)]
    fn mark(&mut self, a: i32, b: i32) {
        let bit = |c: i32| 1u64 << ((c as u32 / GROUP as u32) & 63);
        self.bits |= bit(a) | bit(b);
    }

    /// The cells of the group at `at`.
    #[inline(always)]
    fn group(&mut self, group: usize) -> &mut [T; GROUP] {
        &mut self.cells.as_chunks_mut::<GROUP>().0[group]
    }
}

/// The box that edges are added to, in 24.8.
#[derive(Clone, Copy)]
struct Frame {
    top: i32,
    bottom: i32,
    left: i32,
    /// Pixels.
    width: i32,
}

/// Cells of one tile.
#[derive(Debug)]
pub(crate) struct Cells<T> {
    lines: Vec<Line<T>>,
}

impl<T: Area> Cells<T> {
    pub(crate) fn new(rows: usize) -> Self {
        Self { lines: vec![Line { cells: [T::default(); STRIDE], bits: 0 }; rows] }
    }

    /// Adds edges as far as they bear on `at` (at most a tile wide, at most the rows given).
    #[simd]
    pub(crate) fn add<S: Simd>(&mut self, simd: S, segs: &[Seg], at: IRect) {
        let [left, top, bottom] = [at.x0, at.y0, at.y1].map(|v| v * ONE);
        let frame = Frame { top, bottom, left, width: (at.x1 - at.x0).min(TILE_W as i32) };
        for s in segs {
            if s.meets(top, bottom) {
                match s.is_up() {
                    true => self.edge::<true>(s, frame),
                    false => self.edge::<false>(s, frame),
                }
            }
        }
    }

    #[inline(always)]
    fn edge<const UP: bool>(&mut self, s: &Seg, frame: Frame) {
        let width = frame.width;
        let (ya, yb) = (s.y0, s.y1());
        let (xa, xb) = (s.x0 - frame.left, s.x1 - frame.left);
        let (l, r) = (xa.min(xb), xa.max(xb));
        if l >= width * ONE {
            return;
        }
        let top = ya.max(frame.top);
        let end = yb.min(frame.bottom);
        if r <= 0 || l == r {
            let (column, twice) = if r <= 0 { (0, 0) } else { (l >> 8, (l & 255) * 2) };
            return self.upright::<UP>([top - frame.top, end - frame.top], column, twice);
        }
        let lines = &mut self.lines[((top - frame.top) >> 8) as usize..];
        // Places may be rounded beyond the ends.
        if l > 0 && r < width * ONE - 1 {
            rows::<T, UP, true>(lines, [xa, ya, xb, yb], [top, end], width);
        } else {
            rows::<T, UP, false>(lines, [xa, ya, xb, yb], [top, end], width);
        }
    }

    /// An edge, or part of one, that keeps its column, between two heights from the box's top.
    #[inline(never)]
    fn upright<const UP: bool>(&mut self, [mut y, end]: [i32; 2], column: i32, twice: i32) {
        for line in &mut self.lines[(y >> 8) as usize..] {
            let next = ((y | 255) + 1).min(end);
            line.mark(column, column + 1);
            line.cell::<UP>(column, twice, next - y);
            y = next;
            if y >= end {
                return;
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
        let mut bits = core::mem::take(&mut line.bits);
        let mut sum = T::default();
        let mut x = 0;
        while bits != 0 {
            let group = bits.trailing_zeros() as usize;
            let at = group * GROUP;
            bits &= bits - 1;
            let cells = line.group(group);
            if at >= width {
                *cells = [T::default(); GROUP];
                continue;
            }
            if at > x && sum != T::default() {
                sink.alike(x, at, sum.byte(rule));
            }
            let mut k = T::group(simd, cells, &mut sum, rule);
            x = at + GROUP;
            if x > width {
                k &= u16x8::from_slice(simd, &FIRST[width - at]);
            }
            sink.group(group, k);
        }
        if x < width && sum != T::default() {
            sink.alike(x, width, sum.byte(rule));
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
                Self::walk(simd, line, width, rule, &mut Paint::<S, OPAQUE> { simd, px, color });
            }
        }
    }
}

/// Adds a slanted edge, row by row, between two heights. `INSIDE`: it leaves the box on no side.
#[inline(always)]
fn rows<T: Area, const UP: bool, const INSIDE: bool>(
    lines: &mut [Line<T>],
    [xa, ya, xb, yb]: [i32; 4],
    [top, end]: [i32; 2],
    width: i32,
) {
    let [run, rise] = slopes(xb - xa, yb - ya);
    let mut y = top;
    let mut next = ((y | 255) + 1).min(end);
    let at = |y: i32| ((xa as i64) << FINE) + run * (y - ya) as i64;
    let mut x = if y == ya { xa } else { (at(y) >> FINE) as i32 };
    let mut place = at(next);
    for line in lines {
        // The lower end lies inside a row only when it is the edge's own.
        let nx = if next == yb { xb } else { (place >> FINE) as i32 };
        let (left, right) = (x.min(nx), x.max(nx));
        let slice = Slice { left, right, height: next - y, rise };
        if (INSIDE || left >= 0) && right >> 8 <= (left >> 8) + 1 {
            line.steep::<UP, INSIDE>(slice, width);
        } else {
            line.flat::<UP, INSIDE>(slice, width);
        }
        if next >= end {
            return;
        }
        (x, y) = (nx, next);
        next = (next + ONE).min(end);
        place += run << 8;
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
    fn group(&mut self, number: usize, k: u16x8<S>);
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
    fn group(&mut self, number: usize, k: u16x8<S>) {
        let at = number * GROUP;
        if at != self.x {
            self.row.push(self.from, self.x, Kind::Mask);
            self.from = at;
        }
        self.x = at + GROUP;
        let out = &mut self.row.cov.as_chunks_mut::<GROUP>().0[number];
        let k: [u16; GROUP] = k.into();
        for (o, k) in out.iter_mut().zip(k) {
            *o = k as u8;
        }
    }
}

/// A colour onto the groups of a row.
struct Paint<'a, S, const OPAQUE: bool> {
    simd: S,
    px: &'a mut [[u32; GROUP]],
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
    fn group(&mut self, number: usize, k: u16x8<S>) {
        kernels::over_one_group::<S, OPAQUE>(self.simd, &mut self.px[number], self.color, k);
    }
}
