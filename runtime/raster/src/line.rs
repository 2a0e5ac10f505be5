//! Edges into a row of cells: how far an edge passes each column, and what it leaves to the next.

use crate::cells::{Area, GROUP, GROUPS, STRIDE};
use crate::fixed::{ONE, SHIFT, Seg};

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
pub(crate) struct Line<T> {
    cells: [T; STRIDE],
    /// Which groups are touched.
    pub(crate) bits: u64,
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
        let at = Self::place(first);
        self.add::<UP>(at, a * 512 - near);
        self.add::<UP>(at + 1, near + b * 512 - far);
        self.add::<UP>(at + 2, far);
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
            let at = Self::place(first);
            self.add::<UP>(at, s.height * 512 - far);
            return self.add::<UP>(at + 1, far);
        }
        let mut done = s.passed((first + 1) * ONE);
        // Area that the columns so far leave to the next one.
        let mut carry = (done - before) * (f + ONE);
        self.add::<UP>(Self::place(first), done * 512 - carry);
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
            self.add::<UP>(Self::place(c), carry + half);
            (carry, done) = (half, now);
            c += 1;
        }
        self.add::<UP>(Self::place(c), carry);
        if INSIDE || last < width {
            let b = s.height - done;
            let far = b * g;
            let at = Self::place(last);
            self.add::<UP>(at, b * 512 - far);
            self.add::<UP>(at + 1, far);
        }
    }

    /// Part of an edge in one column: two cells. `twice` its mean place there.
    #[inline(always)]
    fn cell<const UP: bool>(&mut self, column: i32, twice: i32, height: i32) {
        let right = height * twice;
        let at = Self::place(column);
        self.add::<UP>(at, height * 512 - right);
        self.add::<UP>(at + 1, right);
    }

    /// Two are written beyond it at most: the mask tells compilers that all of them are there.
    #[inline(always)]
    fn place(column: i32) -> usize {
        column as usize % (GROUPS * GROUP)
    }

    #[inline(always)]
    fn add<const UP: bool>(&mut self, column: usize, area: i32) {
        let c = &mut self.cells[column];
        *c = if UP { c.minus(area) } else { c.plus(area) };
    }

    /// Two columns are touched.
    #[inline(always)]
    fn mark(&mut self, a: i32, b: i32) {
        let bit = |c: i32| 1u64 << ((c as u32 / GROUP as u32) & 63);
        self.bits |= bit(a) | bit(b);
    }

    /// The cells of a group.
    #[inline(always)]
    pub(crate) fn group(&mut self, group: usize) -> &mut [T; GROUP] {
        &mut self.cells.as_chunks_mut::<GROUP>().0[group % GROUPS]
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

/// The box that edges are added to, in 24.8.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) top: i32,
    pub(crate) bottom: i32,
    pub(crate) left: i32,
    /// Pixels, at most a tile's.
    pub(crate) width: i32,
}

impl<T: Area> Default for Line<T> {
    fn default() -> Self {
        Self { cells: [T::default(); STRIDE], bits: 0 }
    }
}

/// Adds an edge to the lines of a box, as far as it bears on it.
#[inline(always)]
pub(crate) fn edge<T: Area>(lines: &mut [Line<T>], s: &Seg, frame: Frame) {
    match s.is_up() {
        true => directed::<T, true>(lines, s, frame),
        false => directed::<T, false>(lines, s, frame),
    }
}

#[inline(always)]
fn directed<T: Area, const UP: bool>(lines: &mut [Line<T>], s: &Seg, frame: Frame) {
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
        return upright::<T, UP>(lines, [top - frame.top, end - frame.top], column, twice);
    }
    let lines = &mut lines[((top - frame.top) >> 8) as usize..];
    // Places may be rounded beyond the ends.
    if l > 0 && r < width * ONE - 1 {
        rows::<T, UP, true>(lines, [xa, ya, xb, yb], [top, end], width);
    } else {
        rows::<T, UP, false>(lines, [xa, ya, xb, yb], [top, end], width);
    }
}

/// An edge, or part of one, that keeps its column, between two heights from the box's top.
#[inline(never)]
fn upright<T: Area, const UP: bool>(
    lines: &mut [Line<T>],
    [mut y, end]: [i32; 2],
    column: i32,
    twice: i32,
) {
    for line in &mut lines[(y >> 8) as usize..] {
        let next = ((y | 255) + 1).min(end);
        line.mark(column, column + 1);
        line.cell::<UP>(column, twice, next - y);
        y = next;
        if y >= end {
            return;
        }
    }
}
