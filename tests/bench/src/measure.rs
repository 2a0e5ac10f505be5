//! Interleaved timing: in each round every contestant draws the same frames, so that a busy
//! machine is busy for all of them. Medians over rounds are reported.

use std::time::Instant;

/// Someone who draws frames of a scene.
pub(crate) struct Contestant {
    pub(crate) name: String,
    pub(crate) draw: Box<dyn FnMut(usize)>,
}

impl Contestant {
    pub(crate) fn new(name: impl Into<String>, draw: impl FnMut(usize) + 'static) -> Self {
        Self { name: name.into(), draw: Box::new(draw) }
    }
}

/// Milliseconds a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times {
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    /// Processor time of all threads.
    pub(crate) cpu: f64,
}

/// Processor time of all threads so far, ms.
pub(crate) fn cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    t.tv_sec as f64 * 1e3 + t.tv_nsec as f64 / 1e6
}

/// The value that this part of all lies below.
pub(crate) fn at(sorted: &[f64], part: f64) -> f64 {
    match sorted.len() {
        0 => 0.0,
        n => sorted[((n as f64 * part) as usize).min(n - 1)],
    }
}

fn median(of: &[Times], key: impl Fn(&Times) -> f64) -> f64 {
    let mut all: Vec<f64> = of.iter().map(key).collect();
    all.sort_by(f64::total_cmp);
    at(&all, 0.5)
}

fn round(c: &mut Contestant, frames: usize) -> Times {
    let begin = cpu();
    let mut times: Vec<f64> = (0..frames)
        .map(|f| {
            let start = Instant::now();
            (c.draw)(f);
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    let cpu = (cpu() - begin) / frames.max(1) as f64;
    times.sort_by(f64::total_cmp);
    Times { p50: at(&times, 0.5), p99: at(&times, 0.99), cpu }
}

/// One warm-up and `rounds` measured rounds of all; times in the order of contestants.
pub(crate) fn run(all: &mut [Contestant], frames: usize, rounds: usize) -> Vec<Times> {
    let mut times = vec![Vec::new(); all.len()];
    for n in 0..=rounds {
        for (c, times) in all.iter_mut().zip(&mut times) {
            let t = round(c, frames);
            if n > 0 {
                times.push(t);
            }
        }
    }
    let medians = |t: &Vec<Times>| Times {
        p50: median(t, |t| t.p50),
        p99: median(t, |t| t.p99),
        cpu: median(t, |t| t.cpu),
    };
    times.iter().map(medians).collect()
}
