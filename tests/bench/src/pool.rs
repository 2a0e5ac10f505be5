//! What sharing costs: 30 bands of 50 us, handed out by a counter, on rayon's pool as the rasterizer
//! uses it, and on threads of our own that park, at once or after a bounded spin. Each pass begins
//! with all helpers asleep, as a frame does.

use crate::measure::{at, cpu};
use anyhow::{Context, Result};
use std::hint::{black_box, spin_loop};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant};

const BANDS: usize = 30;
const BAND: Duration = Duration::from_micros(50);
/// Between passes: longer than anyone spins.
const REST: Duration = Duration::from_millis(3);

/// Rounds of arithmetic.
fn work(rounds: usize) {
    let mut v = rounds as u64;
    for _ in 0..rounds {
        v = black_box(v.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    }
}

/// Rounds that take one band's time, by the best of some tries.
fn calibrate() -> usize {
    let rounds = 100_000;
    let time = |_| {
        let start = Instant::now();
        work(rounds);
        start.elapsed()
    };
    let best = (0..50).map(time).min().unwrap_or(BAND);
    (rounds as f64 * BAND.as_secs_f64() / best.as_secs_f64().max(1e-9)) as usize
}

/// A pass that others help with.
#[derive(Debug, Default)]
struct Pass {
    next: AtomicUsize,
    /// Helpers that have not finished it.
    running: AtomicUsize,
    /// Counts passes; a helper waits for it to move.
    number: AtomicUsize,
    over: AtomicBool,
}

fn bands(next: &AtomicUsize, rounds: usize) {
    while next.fetch_add(1, Ordering::Relaxed) < BANDS {
        work(rounds);
    }
}

/// Waits until `done`: looks so often, then sleeps.
fn wait(spins: usize, done: impl Fn() -> bool) {
    for _ in 0..spins {
        if done() {
            return;
        }
        spin_loop();
    }
    while !done() {
        std::thread::park();
    }
}

/// Threads of our own.
struct Parked {
    pass: Arc<Pass>,
    helpers: Vec<JoinHandle<()>>,
    spins: usize,
}

impl Parked {
    fn new(helpers: usize, rounds: usize, spins: usize, caller: Thread) -> Self {
        let pass = Arc::new(Pass::default());
        let start = |_| {
            let (pass, caller) = (pass.clone(), caller.clone());
            std::thread::spawn(move || {
                let mut seen = 0;
                loop {
                    wait(spins, || pass.number.load(Ordering::Acquire) != seen);
                    if pass.over.load(Ordering::Acquire) {
                        return;
                    }
                    seen += 1;
                    bands(&pass.next, rounds);
                    if pass.running.fetch_sub(1, Ordering::AcqRel) == 1 {
                        caller.unpark();
                    }
                }
            })
        };
        Self { helpers: (0..helpers).map(start).collect(), pass, spins }
    }
    fn wake(&self) {
        self.pass.number.fetch_add(1, Ordering::AcqRel);
        self.helpers.iter().for_each(|h| h.thread().unpark());
    }
    fn pass(&self, rounds: usize) {
        self.pass.next.store(0, Ordering::Relaxed);
        self.pass.running.store(self.helpers.len(), Ordering::Release);
        self.wake();
        bands(&self.pass.next, rounds);
        wait(self.spins, || self.pass.running.load(Ordering::Acquire) == 0);
    }
}

impl Drop for Parked {
    fn drop(&mut self) {
        self.pass.over.store(true, Ordering::Release);
        self.wake();
        for h in self.helpers.drain(..) {
            // A helper does arithmetic alone; there is nothing in it that panics.
            drop(h.join());
        }
    }
}

/// A name, and a pass of 30 bands.
type Way = (&'static str, Box<dyn Fn()>);

/// Prints the time of a pass by each way, interleaved; ratios are to one thread.
pub(crate) fn run(threads: usize, passes: usize) -> Result<()> {
    let rounds = calibrate();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads - 1).build();
    let pool = pool.context("no threads")?;
    let caller = std::thread::current();
    let parked = |spins| Parked::new(threads - 1, rounds, spins, caller.clone());
    let (sleeping, spinning) = (parked(0), parked(2000));
    let ways: [Way; 4] = [
        ("one thread", Box::new(move || bands(&AtomicUsize::new(0), rounds))),
        (
            "rayon",
            Box::new(move || {
                let next = &AtomicUsize::new(0);
                pool.in_place_scope(|s| {
                    for _ in 1..threads {
                        s.spawn(move |_| bands(next, rounds));
                    }
                    bands(next, rounds);
                });
            }),
        ),
        ("parked", Box::new(move || sleeping.pass(rounds))),
        ("spin, then parked", Box::new(move || spinning.pass(rounds))),
    ];
    let mut times = vec![Vec::new(); ways.len()];
    let mut busy = vec![0.0; ways.len()];
    for _ in 0..passes.max(1) {
        for (i, (_, pass)) in ways.iter().enumerate() {
            std::thread::sleep(REST);
            let (start, before) = (Instant::now(), cpu());
            pass();
            times[i].push(start.elapsed().as_secs_f64() * 1e3);
            busy[i] += (cpu() - before) / passes.max(1) as f64;
        }
    }
    times.iter_mut().for_each(|t| t.sort_by(f64::total_cmp));
    println!(
        "{:<22}{:>9}{:>9}{:>9}{:>9}{:>9}",
        format!("{threads} threads"),
        "p10 ms",
        "p50 ms",
        "p90 ms",
        "cpu ms",
        "ratio"
    );
    for (((name, _), t), cpu) in ways.iter().zip(&times).zip(busy) {
        let ratio = at(t, 0.5) / at(&times[0], 0.5);
        println!(
            "{name:<22}{:>9.3}{:>9.3}{:>9.3}{cpu:>9.3}{ratio:>9.2}",
            at(t, 0.1),
            at(t, 0.5),
            at(t, 0.9)
        );
    }
    Ok(())
}
