//! Edges per band. Those of a small shape stay together, and each band looks at all of them; those
//! of others are sorted by counting. An edge that crosses bands stands whole in each of them;
//! nothing is cut, so nothing is rounded.

use crate::fixed::Seg;
use zinc_scene::IRect;

/// Where the edges of a shape lie, band by band.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bins {
    first: u32,
    bands: u32,
    /// Index of the first of `bands + 1` starts, or of two, between which all edges lie.
    starts: u32,
    sorted: bool,
}

/// Up to so many bands, or edges, a look at each edge in each band is cheaper than sorting.
const FEW_BANDS: i32 = 4;
const FEW_EDGES: usize = 8;

impl Bins {
    /// The edges of a band, and perhaps of others.
    pub(crate) fn of<'a>(&self, band: usize, segs: &'a [Seg], starts: &[u32]) -> &'a [Seg] {
        let i = band.wrapping_sub(self.first as usize);
        if i >= self.bands as usize {
            return &[];
        }
        let s = &starts[self.starts as usize + if self.sorted { i } else { 0 }..][..2];
        &segs[s[0] as usize..s[1] as usize]
    }
}

/// Makes the edges of a shape, `segs[begin..]`, ready for the bands of `reach`.
pub(crate) fn bin(
    begin: usize,
    reach: IRect,
    band: i32,
    segs: &mut Vec<Seg>,
    starts: &mut Vec<u32>,
    scratch: &mut Vec<Seg>,
) -> Bins {
    if reach.is_empty() || segs.len() == begin {
        segs.truncate(begin);
        return Bins::default();
    }
    let first = reach.y0 / band;
    let bands = (reach.y1 - 1) / band - first + 1;
    let at = starts.len();
    let sorted = bands > FEW_BANDS && segs.len() - begin > FEW_EDGES;
    if sorted {
        sort(begin, first, bands, band, segs, starts, scratch);
    } else {
        starts.extend([begin as u32, segs.len() as u32]);
    }
    Bins { first: first as u32, bands: bands as u32, starts: at as u32, sorted }
}

fn sort(
    begin: usize,
    first: i32,
    bands: i32,
    band: i32,
    segs: &mut Vec<Seg>,
    starts: &mut Vec<u32>,
    scratch: &mut Vec<Seg>,
) {
    scratch.clear();
    scratch.extend_from_slice(&segs[begin..]);
    // Bands are 16 rows as a rule: a shift, not a quotient.
    let shift = (band & (band - 1) == 0).then(|| band.trailing_zeros());
    let index = |y: i32| match shift {
        Some(n) => (y >> 8) >> n,
        None => (y >> 8).div_euclid(band),
    };
    let span = |s: &Seg| {
        let a = index(s.y0) - first;
        let b = index(s.y1() - 1) - first;
        // Edges above or below all bands were left out.
        a.clamp(0, bands - 1) as usize..b.clamp(0, bands - 1) as usize + 1
    };
    let at = starts.len();
    // Counts; then sums; then places while they fill.
    starts.resize(at + bands as usize + 1, 0);
    let counts = &mut starts[at..];
    for s in scratch.iter() {
        for b in span(s) {
            counts[b] += 1;
        }
    }
    let mut sum = begin as u32;
    for c in counts.iter_mut() {
        let n = *c;
        *c = sum;
        sum += n;
    }
    segs.resize(sum as usize, Seg::default());
    for s in scratch.iter() {
        for b in span(s) {
            segs[counts[b] as usize] = *s;
            counts[b] += 1;
        }
    }
    // Each start now stands at the next band's: move back by one.
    counts.copy_within(..bands as usize, 1);
    counts[0] = begin as u32;
}
