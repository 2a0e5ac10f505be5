//! Many threads: the caller and as many of the pool as the work is worth take chunks of commands
//! from a counter, then units of the target.
//!
//! - Each thread owns a planner and a worker; nothing is shared per command. Two barriers.
//! - Units are handed out with their rows of the target from a locked list of disjoint slices,
//!   once per unit, which needs no unsafe code. The costliest come first, so that the last ones
//!   to finish are small; among equals the order is the target's.
//! - A pass allocates one job per helper, the second one a list of units more.

use crate::band::{Frame, Worker};
use crate::cost;
use crate::plan::{CHUNK, Job, Planner};
use crate::pool::{PoolStats, Shift, TRACE};
use crate::view::View;
use rayon::ThreadPool;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use tracing::{Span, info_span};

/// The threads, and how they are handed work.
pub(crate) struct Crew<'a> {
    pub(crate) pool: &'a ThreadPool,
    /// Of both passes of all frames.
    pub(crate) stats: &'a mut PoolStats,
    /// For tests: all threads, and units in a random order of this seed in place of the costliest
    /// first.
    pub(crate) shuffle: Option<u64>,
}

impl Crew<'_> {
    /// Runs `f` for the first `threads` of `each`: for one on the caller, for others on the pool.
    fn pass<'w, T: Send>(
        &mut self,
        threads: usize,
        span: fn() -> Span,
        each: impl Iterator<Item = (T, &'w mut Worker)>,
        f: impl Fn(T, &mut Worker, &mut Shift) + Sync,
    ) {
        let (f, begin, running) = (&f, Instant::now(), &AtomicUsize::new(0));
        let mut each = each.take(threads);
        let Some((mine, me)) = each.next() else { return };
        let own = |worker: &mut Worker| {
            let mut shift = Shift::begin(begin, span());
            f(mine, worker, &mut shift);
            shift.end(&mut worker.stats);
        };
        if threads == 1 {
            // A scope costs more than the smallest frames.
            return own(me);
        }
        self.pool.in_place_scope(|s| {
            for (other, worker) in each {
                self.stats.woken += 1;
                running.fetch_add(1, Ordering::Relaxed);
                s.spawn(move |_| {
                    let mut shift = Shift::begin(begin, span());
                    f(other, worker, &mut shift);
                    worker.stats.waits += (shift.taken() == 0) as u64;
                    shift.end(&mut worker.stats);
                    running.fetch_sub(1, Ordering::Relaxed);
                });
            }
            own(me);
            me.stats.waits += (running.load(Ordering::Relaxed) > 0) as u64;
        });
    }

    /// Plans all chunks, and estimates what each unit of the target costs.
    pub(crate) fn plan(
        &mut self,
        job: &Job<'_>,
        view: &View,
        planners: &mut [Planner],
        workers: &mut [Worker],
    ) {
        let chunks = job.list.commands().len().div_ceil(CHUNK);
        let next = AtomicUsize::new(0);
        let all = workers.len();
        let worth = || cost::to_plan(job.list, job.damage, all);
        let threads = self.shuffle.map_or_else(worth, |_| all);
        workers.iter_mut().for_each(|w| w.costs.clear());
        let span = || info_span!(target: TRACE, "plan");
        self.pass(threads, span, planners.iter_mut().zip(workers), |planner, worker, shift| {
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= chunks {
                    break;
                }
                shift.take();
                planner.chunk(job, n);
            }
            cost::tally(planner, view, job.damage, &mut worker.costs);
        });
    }

    /// Draws all units.
    pub(crate) fn draw(&mut self, frame: &Frame<'_>, workers: &mut [Worker], bytes: &mut [u8]) {
        let mut units = Vec::with_capacity(frame.view.units());
        let cost = |n: usize| workers.iter().filter_map(|w| w.costs.get(n)).sum::<u64>();
        let damaged =
            frame.view.split(bytes).filter(|(n, _)| frame.is_damaged(frame.view.part(*n)));
        units.extend(damaged.map(|(n, rows)| (cost(n), n, rows)));
        let all = workers.len();
        let threads = match self.shuffle {
            None => {
                units.sort_unstable_by_key(|u| (Reverse(u.0), u.1));
                cost::to_draw(units.iter().map(|u| u.0), all)
            }
            Some(seed) => {
                units.sort_unstable_by_key(|u| scatter(seed, u.1));
                all
            }
        };
        let rest = Mutex::new(units.into_iter());
        let each = workers.iter_mut().map(|w| ((), w));
        let span = || info_span!(target: TRACE, "bands");
        self.pass(threads, span, each, |(), worker, shift| {
            loop {
                let next = rest.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((_, n, rows)) = next else { return };
                shift.take();
                frame.unit(n, worker, rows);
            }
        });
    }
}

/// A number without a pattern (the last step of splitmix64).
fn scatter(seed: u64, n: usize) -> u64 {
    let z = (seed ^ n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z ^ (z >> 27)
}
