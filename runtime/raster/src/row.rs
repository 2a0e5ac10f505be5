//! The coverage of a row: runs of pixels, alike or byte by byte.

use crate::cells::TILE_W;

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
