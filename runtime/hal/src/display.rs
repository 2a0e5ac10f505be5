//! Displays: a slot is taken, drawn into, and presented; what happens meanwhile comes as events.

use crate::{Placement, Timed};
use std::sync::Arc;
use std::time::Duration;
use zinc_scene::{IRect, PixelFormat, Rotation, TargetMut};

/// Wakes the main loop from any thread; calls in quick succession wake it once.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// What a display is.
#[derive(Clone, Debug, PartialEq)]
pub struct DisplayInfo {
    /// The driver's name, as in `ZINC_DISPLAY`.
    pub driver: &'static str,
    /// What to tell a person: node, address, mode.
    pub description: String,
    /// Columns of the surface.
    pub width: u32,
    /// Rows of the surface.
    pub height: u32,
    /// Surface pixels per layout pixel.
    pub scale: f32,
    /// Nanoseconds from frame to frame.
    pub frame_ns: u64,
}

/// Memory of a slot.
pub trait PixelBuffer: Send {
    /// All of it.
    fn bytes(&mut self) -> &mut [u8];
}

impl PixelBuffer for Vec<u8> {
    fn bytes(&mut self) -> &mut [u8] {
        self
    }
}

/// A buffer on loan from a display. It moves to the render thread and back.
pub struct Slot {
    /// Which of the display's buffers.
    pub index: usize,
    /// Frames since this buffer was presented: 1 holds the last frame, 0 unknown content.
    pub age: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Bytes from row to row.
    pub pitch: usize,
    /// Layout of a pixel.
    pub format: PixelFormat,
    /// How far the surface is turned in the memory.
    pub rotation: Rotation,
    /// The memory.
    pub buffer: Box<dyn PixelBuffer>,
}

impl core::fmt::Debug for Slot {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { index, age, width, height, .. } = self;
        write!(f, "Slot({index}, age {age}, {width}x{height})")
    }
}

impl Slot {
    /// Columns and rows of the surface that fills it.
    pub fn surface_size(&self) -> (u32, u32) {
        self.rotation.size((self.width, self.height))
    }

    /// Borrowed as a target.
    pub fn target(&mut self) -> TargetMut<'_> {
        TargetMut {
            bytes: self.buffer.bytes(),
            width: self.width,
            height: self.height,
            pitch: self.pitch,
            format: self.format,
            rotation: self.rotation,
        }
    }
}

/// What goes with a presented slot.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Pixels that differ from the frame presented before; disjoint.
    pub damage: &'a [IRect],
    /// Number of the frame, from 0.
    pub number: u64,
}

/// What a display tells.
#[derive(Clone, Debug, PartialEq)]
pub enum DisplayEvent {
    /// A person did something.
    Input(Timed),
    /// The surface has another size or scale; slots of the old size are void.
    Resized {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// Surface pixels per layout pixel.
        scale: f32,
    },
    /// A frame reached the glass (or the client); another may be presented.
    Presented {
        /// When, since the program's start.
        at: Duration,
        /// Which frame.
        number: u64,
    },
    /// The content of the glass is lost (a client joined, a console came back): draw all again.
    Redraw,
    /// The person closed it.
    Closed,
}

/// Why a display cannot do something: what was tried, on what, what was answered.
#[derive(Debug, thiserror::Error)]
pub enum DisplayError {
    /// An operating system call was refused.
    #[error("{tried} {on}: {cause}")]
    System {
        /// What was tried, as a verb phrase ("cannot listen on").
        tried: &'static str,
        /// On which file, node or address.
        on: String,
        /// The answer.
        cause: std::io::Error,
    },
    /// An operating system call was refused, and a person can mend that.
    #[error("{tried} {on}: {cause}; {cure}")]
    Refused {
        /// What was tried, as a verb phrase ("cannot open").
        tried: &'static str,
        /// On which file, node or address.
        on: String,
        /// The answer.
        cause: std::io::Error,
        /// What to do about it.
        cure: String,
    },
    /// It can not be done here, with the reason and the cure.
    #[error("{0}")]
    Unsupported(String),
    /// The display is gone.
    #[error("{0} is gone")]
    Lost(String),
}

/// A display. Lives on the main thread; only slots travel.
pub trait Display {
    /// What it is now.
    fn info(&self) -> DisplayInfo;
    /// A buffer to draw into, or `None` while all are in flight: a `Presented` event follows.
    ///
    /// # Errors
    /// When it is lost or the system refuses memory.
    fn acquire(&mut self) -> Result<Option<Slot>, DisplayError>;
    /// Shows a slot. Returns at once; `Presented` follows when the frame is out.
    ///
    /// # Errors
    /// When it is lost, or the frame cannot be stored.
    fn present(&mut self, slot: Slot, frame: Frame<'_>) -> Result<(), DisplayError>;
    /// Gives a slot back undrawn.
    fn release(&mut self, slot: Slot);
    /// Collects what happened since the last call. Never waits.
    fn poll(&mut self, events: &mut Vec<DisplayEvent>);
    /// Since the program's start, when `poll` will have something without a waker's call: a
    /// display that is paced by the clock. `None` for all others.
    fn due(&self) -> Option<Duration> {
        None
    }
    /// Readable when `poll` has something: the loop watches it. The same one as long as the display
    /// lives.
    #[cfg(unix)]
    fn fd(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        None
    }
    /// Where the surface lies on the panel, for devices that point at the panel. May change with
    /// `Resized`.
    fn placement(&self) -> Placement {
        let i = self.info();
        Placement::whole((i.width, i.height))
    }
    /// Puts text on the person's clipboard, where there is one.
    fn set_clipboard(&mut self, text: &str) {
        let _ = text;
    }
    /// Somebody may be looking. `false` lets the loop draw nothing at all.
    fn visible(&self) -> bool {
        true
    }
    /// Somebody else gets the glass, as when another virtual terminal comes to the front: from now
    /// on nothing of it is touched, until [`Display::resume`]. No slot is out, no frame on its way.
    fn suspend(&mut self) {}
    /// The glass is back. What it holds is unknown: the next frame is drawn whole.
    ///
    /// # Errors
    /// When it cannot be had as it was.
    fn resume(&mut self) -> Result<(), DisplayError> {
        Ok(())
    }
    /// Last call before the program ends: finish files, say goodbye.
    ///
    /// # Errors
    /// When something could not be finished.
    fn finish(&mut self) -> Result<(), DisplayError> {
        Ok(())
    }
}
