//! Many threads: the pool and the caller take chunks of commands from a counter, then bands.
//!
//! - Each thread owns a planner and a painter; nothing is shared per command. Two barriers.
//! - Bands are handed out with their rows of the target by a locked iterator over disjoint
//!   slices: a counter that needs no unsafe code, taken once per band.
//! - A pass allocates one job per pool thread.

use crate::band::Frame;
use crate::plan::{CHUNK, Job, Planner};
use crate::tile::Painter;
use rayon::ThreadPool;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Runs `f` once per element: the first on the caller, the others on the pool.
fn spread<T: Send>(pool: &ThreadPool, each: &mut [T], f: impl Fn(&mut T) + Sync) {
    let f = &f;
    if let Some((mine, others)) = each.split_first_mut() {
        pool.in_place_scope(|s| {
            for o in others {
                s.spawn(move |_| f(o));
            }
            f(mine);
        });
    }
}

/// Plans all chunks.
pub(crate) fn plan(pool: &ThreadPool, job: &Job<'_>, planners: &mut [Planner]) {
    let chunks = job.list.commands().len().div_ceil(CHUNK);
    let next = AtomicUsize::new(0);
    spread(pool, planners, |p| {
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= chunks {
                return;
            }
            p.chunk(job, n);
        }
    });
}

/// Draws all bands.
pub(crate) fn draw(
    pool: &ThreadPool,
    frame: &Frame<'_>,
    painters: &mut [Painter],
    bytes: &mut [u8],
) {
    let step = frame.pitch * frame.band as usize;
    let bands = (frame.height as usize).div_ceil(frame.band as usize);
    let rest = Mutex::new(bytes.chunks_mut(step).take(bands).enumerate());
    spread(pool, painters, |p| {
        loop {
            let next = rest.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((n, rows)) = next else { return };
            frame.band(n, p, rows);
        }
    });
}
