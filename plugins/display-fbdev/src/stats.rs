//! What frames took, for `ZINC_FBDEV_STATS`.

use hdrhistogram::Histogram;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// What is kept of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Nothing.
    #[default]
    Off,
    /// A table at the end.
    Table,
    /// That, and a line for each frame.
    Frames,
}

/// One frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    /// From the loan of the buffer to its return, drawn.
    pub(crate) draw: Duration,
    pub(crate) wait: Duration,
    /// Copy or pan.
    pub(crate) show: Duration,
    /// Bytes written to the device.
    pub(crate) bytes: usize,
}

#[derive(Debug)]
pub(crate) struct Stats {
    detail: Detail,
    skip: Duration,
    first: Option<Instant>,
    /// First and last counted frame.
    counted: Option<(Instant, Instant)>,
    frames: u64,
    bytes: u64,
    phases: [(&'static str, Option<Histogram<u64>>); 3],
}

impl Stats {
    pub(crate) fn new(detail: Detail, skip: Duration) -> Self {
        // A minute at three digits; longer is a minute.
        let new =
            || Histogram::new_with_max(60_000_000_000, 3).ok().filter(|_| detail != Detail::Off);
        let phases = ["draw", "wait", "show"].map(|n| (n, new()));
        Self { detail, skip, first: None, counted: None, frames: 0, bytes: 0, phases }
    }

    pub(crate) fn add(&mut self, number: u64, t: Times) {
        if self.detail == Detail::Off {
            return;
        }
        let now = Instant::now();
        if now - *self.first.get_or_insert(now) < self.skip {
            return;
        }
        self.counted = Some((self.counted.map_or(now, |(a, _)| a), now));
        self.frames += 1;
        self.bytes += t.bytes as u64;
        for ((_, h), d) in self.phases.iter_mut().zip([t.draw, t.wait, t.show]) {
            if let Some(h) = h {
                h.saturating_record(d.as_nanos() as u64);
            }
        }
        if self.detail == Detail::Frames {
            let Times { draw, wait, show, bytes } = t;
            eprintln!(
                "fbdev frame {number}: draw {draw:.1?}, wait {wait:.1?}, show {show:.1?}, {bytes} bytes"
            );
        }
    }

    /// The table; `None` when nothing is kept.
    pub(crate) fn table(&self) -> Option<String> {
        let (first, last) = self.counted?;
        let wall = (last - first).as_secs_f64();
        // The first frame ends no interval.
        let rate = if wall > 0.0 { (self.frames - 1) as f64 / wall } else { 0.0 };
        let per = self.bytes / self.frames.max(1);
        let mut out = format!(
            "fbdev: {} frames in {wall:.3} s, {rate:.1} a second, {per} bytes a frame\n\
             phase      p50 ms    p99 ms   mean ms",
            self.frames
        );
        for (name, h) in &self.phases {
            let Some(h) = h else { continue };
            let ms = |ns: f64| ns / 1e6;
            let (p50, p99) = (h.value_at_quantile(0.5) as f64, h.value_at_quantile(0.99) as f64);
            let row = [p50, p99, h.mean()].map(ms);
            // Writing to a string does not fail.
            let _ = write!(out, "\n{name:<8} {:>8.3}  {:>8.3}  {:>8.3}", row[0], row[1], row[2]);
        }
        Some(out)
    }
}
