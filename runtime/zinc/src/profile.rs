//! Times of a frame's phases (`ZINC_PROFILE`). Off means free: nothing is kept, no clock read.

use hdrhistogram::Histogram;
use std::time::Instant;

/// A phase's start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock(Instant);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }
    pub(crate) fn ns(self) -> u64 {
        self.0.elapsed().as_nanos() as u64
    }
}

/// The phases, in the order of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// View, layout and record.
    Ui,
    /// Comparing with the last list.
    Diff,
    /// Plan, bands and store.
    Raster,
    /// Handing the frame to the display.
    Present,
    /// All but present.
    Work,
}

/// How many.
pub(crate) const PHASES: usize = 5;

const NAMES: [&str; PHASES] = ["ui", "diff", "raster", "present", "work"];

/// Counts of the loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Loop {
    pub(crate) wakeups: u64,
    pub(crate) views: u64,
    pub(crate) lists: u64,
    /// Handed to the display.
    pub(crate) frames: u64,
    /// Told by the display to be on the glass.
    pub(crate) flips: u64,
    pub(crate) pixels: u64,
    /// Events handed out, drags as they are drawn.
    pub(crate) events: u64,
}

/// Histograms from 1 µs to 10 s, three digits.
pub(crate) struct Profile(Option<Vec<Histogram<u64>>>);

impl Profile {
    pub(crate) fn new(on: bool) -> Self {
        let all = || {
            NAMES
                .iter()
                .map(|_| Histogram::new_with_bounds(1, 10_000_000, 3))
                .collect::<Result<Vec<_>, _>>()
                .ok()
        };
        Self(if on { all() } else { None })
    }
    pub(crate) fn add(&mut self, phase: Phase, ns: u64) {
        if let Some(all) = &mut self.0 {
            all[phase as usize].saturating_record((ns / 1000).max(1));
        }
    }
    /// The table that is printed at the end.
    pub(crate) fn table(&self, counts: &Loop) -> Option<String> {
        use core::fmt::Write;
        let all = self.0.as_ref()?;
        let mut out = String::from("phase       p50 ms   p99 ms   max ms  samples\n");
        for (name, h) in NAMES.iter().zip(all) {
            let ms = |v: u64| v as f64 / 1000.0;
            let _ = writeln!(
                out,
                "{name:<9} {:>8.2} {:>8.2} {:>8.2} {:>8}",
                ms(h.value_at_quantile(0.5)),
                ms(h.value_at_quantile(0.99)),
                ms(h.max()),
                h.len()
            );
        }
        let Loop { wakeups, views, lists, frames, flips, pixels, events } = counts;
        let _ = write!(
            out,
            "wake-ups {wakeups}, views {views}, lists {lists}, frames {frames}, flips {flips}, pixels damaged {pixels}, \
             input events {events}"
        );
        Some(out)
    }
}
