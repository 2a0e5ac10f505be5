//! Which buffer is where: drawn, waiting, in flight, on the glass. One is in flight at most; what
//! comes meanwhile waits, and what waits is replaced by what is newer.

use crate::screen::Shown;
use std::time::Duration;
use zinc_hal::Frame;
use zinc_scene::Region;

/// A refused frame is tried again so often.
const AGAIN: Duration = Duration::from_millis(250);
/// A flip without an event for so long is taken for done: no screen is that slow, and an app that
/// stands still for ever is worse.
const LOST: Duration = Duration::from_secs(5);
/// Slots of one output after another are told apart by their index.
const STEP: usize = 16;

/// Waits to be shown.
struct Waiting {
    index: usize,
    number: u64,
    damage: Region,
    /// The app was told that it is shown, so that it goes on.
    told: bool,
}

#[derive(Default)]
pub(crate) struct Frames {
    pub(crate) presents: u64,
    /// Index of the first slot of this output.
    base: usize,
    count: usize,
    waiting: Option<Waiting>,
    /// The buffer, its frame unless it was told, and since when.
    flight: Option<(usize, Option<u64>, Duration)>,
    on_glass: Option<usize>,
    /// Not before then.
    retry: Option<Duration>,
    pause: Duration,
    /// Then the app is told, shown or not.
    tell: Option<Duration>,
    /// Without an event: the buffer's frame is out then.
    paced: Option<(Duration, u64)>,
}

impl Frames {
    /// A new output with so many buffers.
    pub(crate) fn begin(&mut self, count: usize) {
        let (base, presents) = (self.base + STEP, self.presents);
        *self = Self { base, presents, count, ..Self::default() };
    }

    /// The output is gone; frames that nobody was told of.
    pub(crate) fn end(&mut self) -> Vec<u64> {
        let mut left = Vec::new();
        left.extend(self.flight.take().and_then(|f| f.1));
        left.extend(self.waiting.take().filter(|w| !w.told).map(|w| w.number));
        left.extend(self.paced.take().map(|p| p.1));
        self.begin(0);
        left
    }

    pub(crate) fn index_of(&self, buffer: usize) -> usize {
        self.base + buffer
    }

    /// `None` for a slot of an earlier output.
    pub(crate) fn buffer_of(&self, index: usize) -> Option<usize> {
        index.checked_sub(self.base).filter(|i| *i < self.count)
    }

    pub(crate) fn is_free(&self, buffer: usize) -> bool {
        self.on_glass != Some(buffer)
            && self.flight.is_none_or(|f| f.0 != buffer)
            && self.waiting.as_ref().is_none_or(|w| w.index != buffer)
    }

    pub(crate) fn is_in_flight(&self) -> bool {
        self.flight.is_some()
    }

    /// A drawn frame; the number of presents with it.
    pub(crate) fn present(&mut self, index: usize, frame: &Frame<'_>) -> u64 {
        self.presents += 1;
        let mut damage = Region::default();
        // What the one before would have changed is still to be changed.
        let old = self.waiting.take();
        old.iter().flat_map(|w| w.damage.rects()).for_each(|r| damage.add(*r));
        frame.damage.iter().for_each(|r| damage.add(*r));
        self.waiting = Some(Waiting { index, number: frame.number, damage, told: false });
        self.presents
    }

    pub(crate) fn may_show(&self, now: Duration) -> bool {
        self.flight.is_none() && self.paced.is_none() && self.retry.is_none_or(|t| t <= now)
    }

    /// What is to be shown next.
    pub(crate) fn next(&self) -> Option<(usize, Region)> {
        self.waiting.as_ref().map(|w| (w.index, w.damage))
    }

    /// It was taken by the card.
    pub(crate) fn sent(&mut self, how: Shown, now: Duration, period: Duration) {
        let Some(w) = self.waiting.take() else { return };
        (self.retry, self.tell, self.pause) = (None, None, Duration::ZERO);
        let number = (!w.told).then_some(w.number);
        match how {
            Shown::Soon => self.flight = Some((w.index, number, now)),
            Shown::Now => {
                self.on_glass = Some(w.index);
                // The clock paces.
                self.paced = number.map(|n| (now + period, n));
            }
        }
    }

    /// A flip is under way that is not ours: soon again.
    pub(crate) fn busy(&mut self, now: Duration, period: Duration) {
        self.pause = (self.pause * 2).clamp(Duration::from_millis(1), period);
        self.retry = Some(now + self.pause);
    }

    /// The card does not take it: the app goes on, and it is tried again.
    pub(crate) fn refused(&mut self, now: Duration, period: Duration) {
        self.retry = Some(now + AGAIN);
        self.tell = self.tell.or(Some(now + period));
    }

    /// The flip is done; its frame, unless it was told.
    pub(crate) fn flipped(&mut self) -> Option<u64> {
        let (index, number, _) = self.flight.take()?;
        self.on_glass = Some(index);
        self.retry = None;
        number
    }

    /// Frames to be told of by the clock.
    pub(crate) fn late(&mut self, now: Duration) -> Option<u64> {
        if let Some((_, number)) = self.paced.take_if(|p| p.0 <= now) {
            return Some(number);
        }
        if self.flight.is_some_and(|f| now.saturating_sub(f.2) >= LOST) {
            tracing::warn!("kms: the driver sent no event for a flip in {LOST:.0?}");
            return self.flipped();
        }
        if self.tell.is_some_and(|t| t <= now) {
            self.tell = None;
            let w = self.waiting.as_mut().filter(|w| !w.told)?;
            w.told = true;
            return Some(w.number);
        }
        None
    }

    pub(crate) fn due(&self) -> Option<Duration> {
        let lost = self.flight.map(|f| f.2 + LOST);
        let paced = self.paced.map(|p| p.0);
        let retry = self.retry.filter(|_| self.waiting.is_some() && self.flight.is_none());
        [lost, paced, retry, self.tell].into_iter().flatten().min()
    }
}
