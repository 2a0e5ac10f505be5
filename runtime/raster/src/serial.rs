//! One thread, no pool: the plain order of things, and the oracle of `parallel`.

use crate::band::{Frame, Worker};
use crate::plan::{CHUNK, Job, Planner};
use crate::pool::{Shift, TRACE};
use std::time::Instant;
use tracing::info_span;

/// Plans all chunks.
pub(crate) fn plan(job: &Job<'_>, planner: &mut Planner, worker: &mut Worker) {
    let mut shift = Shift::begin(Instant::now(), info_span!(target: TRACE, "plan"));
    for n in 0..job.list.commands().len().div_ceil(CHUNK) {
        shift.take();
        planner.chunk(job, n);
    }
    shift.end(&mut worker.stats);
}

/// Draws all units.
pub(crate) fn draw(frame: &Frame<'_>, worker: &mut Worker, bytes: &mut [u8]) {
    let mut shift = Shift::begin(Instant::now(), info_span!(target: TRACE, "bands"));
    for (n, rows) in frame.view.split(bytes) {
        if frame.is_damaged(frame.view.part(n)) {
            shift.take();
            frame.unit(n, worker, rows);
        }
    }
    shift.end(&mut worker.stats);
}
