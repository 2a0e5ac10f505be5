//! What the threads did: counters per thread, since the rasterizer was made.

use std::time::{Duration, Instant};
use tracing::Span;
use tracing::span::EnteredSpan;

/// Target of the spans that a trace file shows: each thread's `plan` and `bands`, each `band` in them.
pub const TRACE: &str = "zinc::trace";

/// What one thread did in both passes of all frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadStats {
    /// Passes that it took part in.
    pub passes: u64,
    /// Chunks of commands and units of the target that it took.
    pub taken: u64,
    /// Time between its first step in a pass and its last.
    pub busy: Duration,
    /// Time from a pass's begin until it began: a helper's way out of its sleep.
    pub late: Duration,
    /// Passes at whose end it found others still busy, and slept (the caller), or found nothing
    /// left to take (a helper).
    pub waits: u64,
}

/// What the threads did since the rasterizer was made. A share of the work is one thread's only as
/// far as the pool starts each share on a thread of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PoolStats {
    /// Passes, two a frame with damage.
    pub passes: u64,
    /// Helpers that were called for a pass; the caller is none.
    pub woken: u64,
    /// The caller's share first.
    pub threads: Vec<ThreadStats>,
}

/// A thread's part in a pass.
pub(crate) struct Shift {
    /// On the thread's track of a trace.
    _span: EnteredSpan,
    begin: Instant,
    late: Duration,
    taken: u64,
}

impl Shift {
    /// Starts work in a pass that began at `pass`.
    pub(crate) fn begin(pass: Instant, span: Span) -> Self {
        let begin = Instant::now();
        Self { _span: span.entered(), begin, late: begin.duration_since(pass), taken: 0 }
    }
    /// Takes a chunk or unit.
    pub(crate) fn take(&mut self) {
        self.taken += 1;
    }
    /// Chunks or units taken.
    pub(crate) fn taken(&self) -> u64 {
        self.taken
    }
    /// Nothing is left.
    pub(crate) fn end(self, stats: &mut ThreadStats) {
        stats.passes += 1;
        stats.taken += self.taken;
        stats.late += self.late;
        stats.busy += self.begin.elapsed();
    }
}
