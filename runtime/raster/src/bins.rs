//! Edges per band: a counting sort of one shape's edges. An edge that crosses bands stands whole
//! in each of them; nothing is cut, so nothing is rounded.

use crate::fixed::{ONE, Seg};
use zinc_scene::IRect;

/// Where the edges of a shape lie, band by band.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bins {
    first: u32,
    bands: u32,
    /// Index of the first of `bands + 1` starts.
    starts: u32,
}

impl Bins {
    /// The edges of a band.
    pub(crate) fn of<'a>(&self, band: usize, segs: &'a [Seg], starts: &[u32]) -> &'a [Seg] {
        let i = band.wrapping_sub(self.first as usize);
        if i >= self.bands as usize {
            return &[];
        }
        let s = &starts[self.starts as usize + i..][..2];
        &segs[s[0] as usize..s[1] as usize]
    }
}

/// Sorts `from` into `segs`, as far as it bears on the rows and columns of `reach`.
pub(crate) fn bin(
    from: &[Seg],
    reach: IRect,
    band: i32,
    segs: &mut Vec<Seg>,
    starts: &mut Vec<u32>,
) -> Bins {
    if reach.is_empty() {
        return Bins::default();
    }
    let first = reach.y0 / band;
    let bands = (reach.y1 - 1) / band - first + 1;
    if bands == 1 {
        let begin = segs.len() as u32;
        segs.extend(from.iter().filter(|s| s.x0.min(s.x1) < reach.x1 * ONE));
        starts.extend([begin, segs.len() as u32]);
        let at = starts.len() as u32 - 2;
        return Bins { first: first as u32, bands: 1, starts: at };
    }
    // Bands are 16 rows as a rule: a shift, not a quotient.
    let shift = (band & (band - 1) == 0).then(|| band.trailing_zeros());
    let index = |y: i32| match shift {
        Some(n) => (y >> 8) >> n,
        None => (y >> 8).div_euclid(band),
    };
    let span = |s: &Seg| {
        let (top, low) = (s.y0.min(s.y1), s.y0.max(s.y1));
        if s.x0.min(s.x1) >= reach.x1 * ONE {
            return 0..0;
        }
        let a = index(top) - first;
        let b = index(low - 1) - first;
        if b < 0 || a >= bands {
            return 0..0;
        }
        a.max(0) as usize..b.min(bands - 1) as usize + 1
    };
    let at = starts.len();
    // Counts; then sums; then places while they fill.
    starts.resize(at + bands as usize + 1, 0);
    let counts = &mut starts[at..];
    for s in from {
        for b in span(s) {
            counts[b] += 1;
        }
    }
    let begin = segs.len() as u32;
    let mut sum = begin;
    for c in counts.iter_mut() {
        let n = *c;
        *c = sum;
        sum += n;
    }
    segs.resize(sum as usize, Seg { x0: 0, y0: 0, x1: 0, y1: 0 });
    for s in from {
        for b in span(s) {
            segs[counts[b] as usize] = *s;
            counts[b] += 1;
        }
    }
    // Each start now stands at the next band's: move back by one.
    counts.copy_within(..bands as usize, 1);
    counts[0] = begin;
    Bins { first: first as u32, bands: bands as u32, starts: at as u32 }
}
