//! One thread, no pool: the plain order of things, and the oracle of `parallel`.

use crate::band::Frame;
use crate::plan::{CHUNK, Job, Planner};
use crate::tile::Painter;

/// Plans all chunks.
pub(crate) fn plan(job: &Job<'_>, planner: &mut Planner) {
    for n in 0..job.list.commands().len().div_ceil(CHUNK) {
        planner.chunk(job, n);
    }
}

/// Draws all bands.
pub(crate) fn draw(frame: &Frame<'_>, painter: &mut Painter, bytes: &mut [u8]) {
    let step = frame.pitch * frame.band as usize;
    let bands = (frame.height as usize).div_ceil(frame.band as usize);
    for (n, rows) in bytes.chunks_mut(step).take(bands).enumerate() {
        frame.band(n, painter, rows);
    }
}
