//! The thread between drawn frames and the glass. It waits for the vblank, so that the app and the
//! renderer need not; then it copies what is damaged, or pans. One wait a frame, whatever the number
//! of damaged boxes.

use crate::device::{Device, Part, Var};
use crate::pacer::{Pacer, is_gone};
use crate::place::Place;
use crate::stats::{Stats, Times};
use std::io;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};
use zinc_hal::{PixelBuffer, Slot, Waker};
use zinc_scene::Region;

/// What the thread is told.
#[expect(
    clippy::large_enum_variant,
    reason = "a frame's job is moved twice; a box would be memory"
)]
pub(crate) enum Order {
    Show(Job),
    /// Somebody else had the glass: make it what it was.
    Again(Sender<io::Result<()>>),
}

/// A drawn frame.
pub(crate) struct Job {
    pub(crate) slot: Slot,
    pub(crate) damage: Region,
    pub(crate) number: u64,
    pub(crate) draw: Duration,
}

/// A frame on the glass.
pub(crate) struct Shown {
    pub(crate) slot: Slot,
    pub(crate) number: u64,
    pub(crate) at: Duration,
    /// The device is gone.
    pub(crate) lost: Option<io::Error>,
}

/// How frames reach the glass.
pub(crate) enum Way {
    /// From a copy, into the memory that the panel shows.
    Copy {
        /// All that is seen.
        memory: Part,
        pitch: usize,
        place: Place,
        /// Where in it the picture's first pixel is.
        skip: usize,
        /// A row of it without a picture.
        black: Vec<u8>,
    },
    /// Frames are drawn into the device's memory; the panel shows one page of it.
    Pan {
        /// The mode as it was found.
        before: Var,
        /// The last pan was refused; told once.
        refused: bool,
    },
}

pub(crate) struct Glass {
    pub(crate) device: Box<dyn Device>,
    pub(crate) way: Way,
    pub(crate) pacer: Pacer,
    pub(crate) stats: Stats,
    pub(crate) start: Instant,
    /// The mode as it was found.
    pub(crate) mode: Var,
}

/// Makes every row black, and leaves what is between rows alone.
pub(crate) fn blacken(memory: &mut [u8], pitch: usize, black: &[u8]) {
    memory.chunks_mut(pitch).for_each(|row| row[..black.len()].copy_from_slice(black));
}

impl Glass {
    /// Shows frames until there will be no other; the statistics.
    pub(crate) fn run(
        mut self,
        orders: &Receiver<Order>,
        shown: &Sender<Shown>,
        waker: &Waker,
    ) -> Stats {
        while let Ok(order) = orders.recv() {
            let mut job = match order {
                Order::Show(job) => job,
                Order::Again(answer) => {
                    // Who asked waits for it.
                    let _ = answer.send(self.again());
                    continue;
                }
            };
            let lost = self.frame(&mut job).err();
            let Job { slot, number, .. } = job;
            let at = self.start.elapsed();
            if shown.send(Shown { slot, number, at, lost }).is_err() {
                break;
            }
            waker();
        }
        if let Way::Pan { before, .. } = &self.way {
            // As it was found. Nobody can be told when that is refused, and nothing hangs on it.
            let _ = self.device.pan(before);
        }
        self.stats
    }

    /// A console may have come to the front with a depth of its own, and left its text.
    fn again(&mut self) -> io::Result<()> {
        let same = |v: &Var| {
            let channels = [v.red, v.green, v.blue];
            let size = [v.xres, v.yres, v.xres_virtual, v.yres_virtual, v.bits_per_pixel];
            (size, channels, v.xoffset)
        };
        if same(&self.device.var()?) != same(&self.mode) {
            self.device.set_var(&self.mode)?;
            if same(&self.device.var()?) != same(&self.mode) {
                return Err(io::Error::other("the mode was changed and cannot be had back"));
            }
        }
        if let Way::Copy { memory, pitch, black, .. } = &mut self.way {
            blacken(memory.bytes(), *pitch, black);
        }
        Ok(())
    }

    fn frame(&mut self, job: &mut Job) -> io::Result<()> {
        let begin = Instant::now();
        self.pacer.wait(&mut *self.device)?;
        let waited = Instant::now();
        let bytes = self.show(job)?;
        let times = Times { draw: job.draw, wait: waited - begin, show: waited.elapsed(), bytes };
        self.stats.add(job.number, times);
        Ok(())
    }

    /// Answers the bytes that were copied.
    fn show(&mut self, job: &mut Job) -> io::Result<usize> {
        let (index, height) = (job.slot.index as u32, job.slot.height);
        match &mut self.way {
            Way::Copy { memory, pitch, place, skip, .. } if place.is_whole() => {
                debug_assert_eq!(*pitch, job.slot.pitch);
                let to = &mut memory.bytes()[*skip..];
                let copied = job.slot.target().copy_to(&job.damage, to);
                Ok(copied.expect("the part was cut for this target"))
            }
            Way::Copy { memory, pitch, place, skip, .. } => {
                let to = &mut memory.bytes()[*skip..];
                place.copy(&job.slot.target(), &job.damage, to, *pitch);
                Ok(job.damage.area() as usize * job.slot.format.bytes())
            }
            Way::Pan { before, refused } => {
                let var = Var { yoffset: index * height, ..*before };
                let start = Instant::now();
                match self.device.pan(&var) {
                    Ok(()) => {
                        *refused = false;
                        self.pacer.panned(start.elapsed());
                    }
                    Err(e) if is_gone(&e) => return Err(e),
                    Err(e) => {
                        if !std::mem::replace(refused, true) {
                            tracing::warn!("frame buffer: panning is refused: {e}");
                        }
                    }
                }
                Ok(0)
            }
        }
    }
}
