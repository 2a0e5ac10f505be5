//! Counts of a run, for `ZINC_KMS_STATS`; and complaints, at most one a second.

use std::time::{Duration, Instant};

/// A thing that goes wrong with each frame is said once in this time.
const SECOND: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(crate) struct Stats {
    first: Option<Instant>,
    last: Option<Instant>,
    shown: u64,
    events: u64,
    /// Vertical blanks between the first event and the last.
    sequence: Option<(u32, u32)>,
    pub(crate) busy: u64,
    pub(crate) refused: u64,
    pub(crate) modesets: u64,
    complained: Option<Duration>,
    unsaid: u64,
}

impl Stats {
    pub(crate) fn shown(&mut self) {
        self.shown += 1;
        let now = Instant::now();
        self.first.get_or_insert(now);
        self.last = Some(now);
    }

    /// The card took a frame.
    pub(crate) fn has_shown(&self) -> bool {
        self.shown > 0
    }

    pub(crate) fn flipped(&mut self, sequence: u32) {
        self.events += 1;
        self.sequence = Some((self.sequence.map_or(sequence, |s| s.0), sequence));
    }

    pub(crate) fn complain(&mut self, now: Duration, text: &str) {
        if self.complained.is_some_and(|t| now.saturating_sub(t) < SECOND) {
            self.unsaid += 1;
            return;
        }
        self.complained = Some(now);
        match std::mem::take(&mut self.unsaid) {
            0 => tracing::error!("kms: {text}"),
            n => tracing::error!("kms: {text} (and {n} more)"),
        }
    }

    pub(crate) fn table(&self, modesets: u64) -> String {
        let wall = self.first.zip(self.last).map_or(0.0, |(a, b)| (b - a).as_secs_f64());
        let rate = if wall > 0.0 { (self.shown - 1) as f64 / wall } else { 0.0 };
        let blanks = self.sequence.map_or(0, |(a, b)| b.wrapping_sub(a));
        let Self { shown, events, busy, refused, .. } = self;
        let modesets = modesets + self.modesets;
        format!(
            "kms: {shown} frames in {wall:.3} s, {rate:.1} a second; {events} flip events over \
             {blanks} vertical blanks; {busy} busy, {refused} refused, {modesets} modesets"
        )
    }
}
