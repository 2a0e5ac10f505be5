//! Coverage of an item in a box, row by row: boxes from their edges, paths from cells.

use crate::cells::{Cells, FULL, NARROW, TILE_W, to_byte};
use crate::fixed::{ONE, ceil, height_in_row};
use crate::kernels;
use crate::plan::{Cover, Planner};
use crate::row::{Kind, Row};
use crate::simd::Simd;
use zinc_scene::IRect;

/// The coverage machine of one thread.
#[derive(Debug)]
pub(crate) struct Scan {
    cells: Cells<i32>,
    /// For shapes of very many edges; made when the first one comes.
    wide: Option<Box<Cells<i64>>>,
    use_wide: bool,
    rows: usize,
    /// No antialiasing.
    pub(crate) hard: bool,
    pub(crate) row: Row,
}

/// Pixels of an edge pair along one axis: partly covered first and last, whole between.
struct Span {
    /// First touched, first whole, one past the last whole, one past the last touched.
    at: [i32; 4],
    first: i32,
    last: i32,
}

/// `lo..hi` in 24.8, cut to pixels `from..to`.
fn span(lo: i32, hi: i32, from: i32, to: i32) -> Option<Span> {
    let (lo, hi) = (lo.max(from * ONE), hi.min(to * ONE));
    if lo >= hi {
        return None;
    }
    let (a, d) = (lo >> 8, ceil(hi));
    let (b, c) = (ceil(lo), hi >> 8);
    if b > c {
        // Inside one pixel.
        return Some(Span { at: [a, d, d, d], first: hi - lo, last: 0 });
    }
    Some(Span { at: [a, b, c, d], first: b * ONE - lo, last: hi - c * ONE })
}

impl Span {
    /// Its three parts: where they begin and end from `x` on, and their coverage in a row that is
    /// covered `high`.
    #[inline(always)]
    fn parts(&self, x: i32, high: i32) -> [(usize, usize, u8); 3] {
        let ends = self.at.map(|v| (v - x) as usize);
        let part = |w: i32| to_byte((w * high * 2).min(FULL));
        [
            (ends[0], ends[1], part(self.first)),
            (ends[1], ends[2], part(ONE)),
            (ends[2], ends[3], part(self.last)),
        ]
    }
}

/// Adds what lies between `lo` and `hi` of a row of `at` that is covered `high`.
#[inline(always)]
pub(crate) fn push_span(row: &mut Row, lo: i32, hi: i32, high: i32, at: IRect) {
    if let Some(s) = span(lo, hi, at.x0, at.x1) {
        for (x0, x1, k) in s.parts(at.x0, high) {
            row.push(x0, x1, Kind::Const(k));
        }
    }
}

impl Scan {
    pub(crate) fn new(rows: usize) -> Self {
        let cells = Cells::new(rows);
        Self { cells, wide: None, use_wide: false, rows, hard: false, row: Row::new() }
    }

    /// Prepares `cover` within `at`; then each row of `at` must be asked for once, in order.
    #[inline(always)]
    pub(crate) fn begin<S: Simd>(
        &mut self,
        simd: S,
        cover: &Cover,
        plan: &Planner,
        band: usize,
        at: IRect,
    ) {
        if let Cover::Path(bins, _) = cover {
            let edges = bins.of(band, &plan.segs, &plan.starts);
            self.use_wide = edges.len() > NARROW;
            if self.use_wide {
                let rows = self.rows;
                self.wide.get_or_insert_with(|| Box::new(Cells::new(rows))).add(simd, edges, at);
            } else {
                self.cells.add(simd, edges, at);
            }
        }
    }

    /// The coverage of row `y`, relative to the left edge of `at`.
    #[inline(always)]
    pub(crate) fn next<S: Simd>(
        &mut self,
        simd: S,
        cover: &Cover,
        plan: &Planner,
        y: i32,
        at: IRect,
    ) -> &mut Row {
        let width = at.width() as usize;
        match *cover {
            Cover::Path(_, rule) => {
                let n = (y - at.y0) as usize;
                match &mut self.wide {
                    Some(wide) if self.use_wide => wide.take(simd, n, width, rule, &mut self.row),
                    _ => self.cells.take(simd, n, width, rule, &mut self.row),
                }
            }
            Cover::Rounded(i) => plan.rounded[i as usize].row(y, at, &mut self.row),
            Cover::Box([l, t, r, b]) => {
                self.row.runs.clear();
                push_span(&mut self.row, l, r, height_in_row(t, b, y), at);
            }
        }
        if self.hard {
            self.row.harden();
        }
        &mut self.row
    }

    /// Paints all rows of `at` with a colour instead of asking for them; `false`: not done here.
    #[inline(always)]
    pub(crate) fn fill<S: Simd>(
        &mut self,
        simd: S,
        cover: &Cover,
        at: IRect,
        color: u32,
        px: &mut [u32],
    ) -> bool {
        if self.hard {
            return false;
        }
        let rule = match *cover {
            Cover::Path(_, rule) => rule,
            Cover::Box(edges) => {
                fill_box(simd, edges, at, color, px);
                return true;
            }
            Cover::Rounded(_) => return false,
        };
        let (rows, width) = (at.height() as usize, at.width() as usize);
        match &mut self.wide {
            Some(wide) if self.use_wide => wide.fill(simd, rows, width, rule, color, px),
            _ => self.cells.fill(simd, rows, width, rule, color, px),
        }
        true
    }

    /// A row that is covered alike.
    pub(crate) fn flat(&mut self, width: usize, k: u8) -> &mut Row {
        debug_assert!(width <= TILE_W);
        self.row.set(0, width, Kind::Const(k));
        &mut self.row
    }
}

/// Paints the rows of a box with a colour.
#[inline(always)]
fn fill_box<S: Simd>(simd: S, [l, t, r, b]: [i32; 4], at: IRect, color: u32, px: &mut [u32]) {
    let Some(s) = span(l, r, at.x0, at.x1) else { return };
    for (y, px) in (at.y0..at.y1).zip(px.chunks_mut(TILE_W)) {
        for (x0, x1, k) in s.parts(at.x0, height_in_row(t, b, y)) {
            if x0 < x1 {
                kernels::over_one_alike(simd, &mut px[x0..x1], color, k);
            }
        }
    }
}
