//! A display without a screen, for tests, shots and measurements. Two buffers, as a page-flipping
//! display has; frames are paced by the clock, or not at all when time is virtual. With a file,
//! each presented frame is kept there as rows of B, G, R, 0xFF without padding.
#![forbid(unsafe_code)]

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use zinc_hal::{Display, DisplayError, DisplayEvent, DisplayInfo, Frame, PixelBuffer, Slot};
use zinc_scene::{IRect, PixelFormat, Rotation};

/// Buffers in turn.
const BUFFERS: usize = 2;

/// How a simulated display is made.
#[derive(Clone, Debug)]
pub struct Options {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Surface pixels per layout pixel.
    pub scale: f32,
    /// Where frames are kept.
    pub file: Option<PathBuf>,
    /// Frames follow each other at once instead of 60 times a second.
    pub unpaced: bool,
    /// The program's start.
    pub start: Instant,
}

/// The display.
pub struct Sim {
    info: DisplayInfo,
    unpaced: bool,
    start: Instant,
    file: Option<(File, PathBuf)>,
    buffers: [Buffer; BUFFERS],
    /// The frame on its way and when it is on the glass.
    flight: Option<(u64, Duration)>,
    shown: u64,
}

#[derive(Default)]
struct Buffer {
    /// `None` before its first use and while it is out.
    memory: Option<Box<dyn PixelBuffer>>,
    out: bool,
    /// Number of presents when this one was presented last; 0 is never.
    presented: u64,
}

impl core::fmt::Debug for Sim {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Sim({})", self.info.description)
    }
}

impl Sim {
    /// Opens it.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn open(o: Options) -> Result<Self, DisplayError> {
        let side = 1..=zinc_scene::limits::SURFACE_SIDE;
        if !side.contains(&o.width) || !side.contains(&o.height) {
            return Err(DisplayError::Unsupported(format!(
                "a simulated display of {}x{} is not possible: each side needs 1 to {} pixels",
                o.width,
                o.height,
                zinc_scene::limits::SURFACE_SIDE
            )));
        }
        let file = match o.file {
            Some(path) => {
                let file = File::create(&path).map_err(|e| refused("cannot create", &path, e))?;
                Some((file, path))
            }
            None => None,
        };
        let to = file.as_ref().map_or(String::new(), |(_, p)| format!(" into {}", p.display()));
        let info = DisplayInfo {
            driver: "sim",
            description: format!("{}x{} in memory{to}", o.width, o.height),
            width: o.width,
            height: o.height,
            scale: o.scale,
            frame_ns: 16_666_667,
        };
        Ok(Self {
            info,
            unpaced: o.unpaced,
            start: o.start,
            file,
            buffers: Default::default(),
            flight: None,
            shown: 0,
        })
    }

    /// Writes the damaged rows of a slot to their places in the file.
    fn store(&mut self, slot: &mut Slot, damage: &[IRect]) -> Result<(), DisplayError> {
        let Some((file, path)) = &mut self.file else { return Ok(()) };
        let (line, pitch) = (slot.width as usize * 4, slot.pitch);
        let bytes = slot.buffer.bytes();
        for r in damage {
            for y in r.y0..r.y1 {
                let row = y as usize * pitch;
                let (from, to) = (row + r.x0 as usize * 4, row + r.x1 as usize * 4);
                let at = y as usize * line + r.x0 as usize * 4;
                file.seek(SeekFrom::Start(at as u64))
                    .and_then(|_| file.write_all(&bytes[from..to]))
                    .map_err(|e| refused("cannot write", path, e))?;
            }
        }
        Ok(())
    }
}

fn refused(tried: &'static str, path: &Path, cause: std::io::Error) -> DisplayError {
    DisplayError::System { tried, on: path.display().to_string(), cause }
}

impl Sim {
    fn give_back(&mut self, slot: Slot) {
        let b = &mut self.buffers[slot.index];
        b.memory = Some(slot.buffer);
        b.out = false;
    }
}

impl Display for Sim {
    fn info(&self) -> DisplayInfo {
        self.info.clone()
    }

    fn acquire(&mut self) -> Result<Option<Slot>, DisplayError> {
        if self.flight.is_some() {
            return Ok(None);
        }
        let free = (0..BUFFERS).filter(|i| !self.buffers[*i].out);
        let Some(index) = free.min_by_key(|i| self.buffers[*i].presented) else { return Ok(None) };
        let (w, h) = (self.info.width, self.info.height);
        let b = &mut self.buffers[index];
        let fresh = || Box::new(vec![0u8; w as usize * h as usize * 4]);
        let memory = b.memory.take().unwrap_or_else(|| fresh());
        b.out = true;
        let age = if b.presented == 0 { 0 } else { (self.shown - b.presented + 1) as u32 };
        Ok(Some(Slot {
            index,
            age,
            width: w,
            height: h,
            pitch: w as usize * 4,
            format: PixelFormat::Xrgb8888,
            rotation: Rotation::Deg0,
            buffer: memory,
        }))
    }

    fn present(&mut self, mut slot: Slot, frame: Frame<'_>) -> Result<(), DisplayError> {
        self.store(&mut slot, frame.damage)?;
        self.shown += 1;
        self.buffers[slot.index].presented = self.shown;
        let period = Duration::from_nanos(self.info.frame_ns);
        let now = self.start.elapsed();
        let ticks = now.as_nanos() / period.as_nanos() + 1;
        let at = if self.unpaced { now } else { period * ticks as u32 };
        self.flight = Some((frame.number, at));
        self.give_back(slot);
        Ok(())
    }

    fn release(&mut self, slot: Slot) {
        self.give_back(slot);
    }

    fn poll(&mut self, events: &mut Vec<DisplayEvent>) {
        if let Some((number, at)) = self.flight
            && (self.unpaced || self.start.elapsed() >= at)
        {
            self.flight = None;
            events.push(DisplayEvent::Presented { at, number });
        }
    }

    fn due(&self) -> Option<Duration> {
        self.flight.map(|(_, at)| at)
    }
}
