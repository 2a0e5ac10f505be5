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
        /// Begins at the picture's first pixel.
        memory: Part,
        pitch: usize,
        place: Place,
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
}

impl Glass {
    /// Shows frames until there will be no other; the statistics.
    pub(crate) fn run(
        mut self,
        jobs: &Receiver<Job>,
        shown: &Sender<Shown>,
        waker: &Waker,
    ) -> Stats {
        while let Ok(mut job) = jobs.recv() {
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
            Way::Copy { memory, pitch, place } if place.is_whole() => {
                debug_assert_eq!(*pitch, job.slot.pitch);
                let copied = job.slot.target().copy_to(&job.damage, memory.bytes());
                Ok(copied.expect("the part was cut for this target"))
            }
            Way::Copy { memory, pitch, place } => {
                place.copy(&job.slot.target(), &job.damage, memory.bytes(), *pitch);
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
