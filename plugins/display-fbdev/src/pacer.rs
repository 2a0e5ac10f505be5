//! When a frame may go to the glass: at the vblank where the driver is seen to wait for it, else by
//! the clock. A driver that answers the wait at once would let frames run free and tear; one that
//! refuses it is common. Both are found by measuring, and told once.

use crate::device::Device;
use rustix::io::Errno;
use std::io;
use std::time::{Duration, Instant};

/// Waits that are measured when the device is opened. The first begins anywhere in a frame; the
/// others must take a frame each, or half of one where the screen is faster than it tells.
const TRIES: u32 = 3;
/// A wait this long, in frames, means that nothing sends vblanks.
const STUCK: u32 = 12;
/// Frames in a row that show that the driver changed its manners.
const STRIKES: u32 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// The wait call waits.
    Vblank,
    /// The pan call waits: another wait before it would halve the rate.
    Pan,
    Clock,
    /// Time is virtual.
    Free,
}

/// The pace of a display.
#[derive(Debug)]
pub(crate) struct Pacer {
    how: How,
    period: Duration,
    last: Option<Instant>,
    /// Waits in a row that did not wait, or did not end.
    wrong: u32,
    /// Pans in a row that waited.
    waited: u32,
}

/// The device is gone; everything else can be lived with.
pub(crate) fn is_gone(e: &io::Error) -> bool {
    [Errno::NODEV, Errno::NXIO, Errno::IO]
        .iter()
        .any(|g| e.raw_os_error() == Some(g.raw_os_error()))
}

impl Pacer {
    /// Finds out how a device paces, and says so.
    pub(crate) fn measure(device: &mut dyn Device, period: Duration, free: bool) -> Self {
        let hertz = 1.0 / period.as_secs_f64();
        let (how, words) = if free {
            (How::Free, String::new())
        } else {
            match probe(device, period) {
                Ok(took) => (How::Vblank, format!("frames wait for the vblank ({took:.1?})")),
                Err(why) => (How::Clock, format!("{why}: the clock paces, at {hertz:.1} Hz")),
            }
        };
        if !words.is_empty() {
            tracing::info!("frame buffer: {words}");
        }
        Self { how, period, last: None, wrong: 0, waited: 0 }
    }

    /// Waits until a frame may be shown.
    ///
    /// # Errors
    /// When the device is gone.
    pub(crate) fn wait(&mut self, device: &mut dyn Device) -> io::Result<()> {
        if self.how == How::Vblank {
            let start = Instant::now();
            match device.wait() {
                Ok(()) => self.judge(start),
                Err(e) if is_gone(&e) => return Err(e),
                Err(e) => self.fall_back(&format!("the wait for the vblank answers: {e}")),
            }
        }
        if self.how == How::Clock
            && let Some(last) = self.last
        {
            std::thread::sleep((last + self.period).saturating_duration_since(Instant::now()));
        }
        self.last = Some(Instant::now());
        Ok(())
    }

    /// A frame right behind the last one did not wait; a frame after half a second did not sleep
    /// for nothing.
    fn judge(&mut self, start: Instant) {
        let took = start.elapsed();
        let early = self.last.is_some_and(|l| l.elapsed() < self.period / 2);
        let wrong = (early && took < self.period / 4) || took > self.period * STUCK;
        self.wrong = if wrong { self.wrong + 1 } else { 0 };
        if self.wrong >= STRIKES {
            self.fall_back(&format!("the wait for the vblank took {took:.1?}"));
        }
    }

    fn fall_back(&mut self, why: &str) {
        self.how = How::Clock;
        let hertz = 1.0 / self.period.as_secs_f64();
        tracing::warn!("frame buffer: {why}: the clock paces from now on, at {hertz:.1} Hz");
    }

    /// The pan call took so long.
    pub(crate) fn panned(&mut self, took: Duration) {
        if self.how != How::Vblank {
            return;
        }
        self.waited = if took > self.period / 2 { self.waited + 1 } else { 0 };
        if self.waited >= STRIKES {
            self.how = How::Pan;
            tracing::info!("frame buffer: panning waits by itself ({took:.1?}); one wait a frame");
        }
    }
}

/// The time of a wait, when they waited. From the end of the first to the end of the last each vblank
/// is another one, however late this thread comes to ask: so much time has passed at least.
fn probe(device: &mut dyn Device, period: Duration) -> Result<Duration, String> {
    let mut first = None;
    for _ in 0..TRIES {
        let start = Instant::now();
        device.wait().map_err(|e| format!("no wait for the vblank here ({e})"))?;
        let took = start.elapsed();
        if took > period * STUCK {
            return Err(format!("the wait for the vblank does not work (it took {took:.1?})"));
        }
        first.get_or_insert_with(Instant::now);
    }
    let took = first.map_or(Duration::ZERO, |f| f.elapsed()) / (TRIES - 1);
    if took < period / 2 {
        return Err(format!("the wait for the vblank does not work (it took {took:.1?})"));
    }
    Ok(took)
}
