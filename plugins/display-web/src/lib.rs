//! A display in a browser: a page on 127.0.0.1:7700 shows the frame, follows resizes and sends
//! pointer, multi-touch, wheel, keys and text. Only damage travels.
//!
//! The server has a thread of its own (`zinc-web`); it and the display meet in the hub, behind
//! one lock, held for copies of damaged rectangles at most: 800x480 whole are 1.5 MB, about
//! 0.2 ms. At rest neither side sets a timer or sends a byte.
//!
//! `lib` is the display, `hub` who watches and what each page lacks, `pixels` the kept copy,
//! `wire` the messages, `gate` who may come in, `server` and `client` the sockets, `page.html`
//! the page.
#![forbid(unsafe_code)]

mod client;
mod gate;
mod hub;
mod pixels;
mod server;
mod wire;

use hub::{Hub, Sizing, Surface};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use zinc_hal::{Display, DisplayError, DisplayEvent, DisplayInfo, Frame, PixelBuffer, Slot, Waker};
use zinc_scene::{PixelFormat, Rotation};

/// Buffers at most. The second is made only when the first is out: usually there is one.
const BUFFERS: usize = 2;

type Shared = Arc<Mutex<Hub>>;

fn lock(shared: &Shared) -> MutexGuard<'_, Hub> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How the display is made.
#[derive(Clone)]
pub struct Options {
    /// Address to listen on.
    pub bind: String,
    /// Port; 0 picks a free one.
    pub port: u16,
    /// Word that a page's address must hold. Without one a random word is made when `bind` is
    /// not this machine alone.
    pub token: Option<String>,
    /// Columns and rows; `None` follows the page's window.
    pub size: Option<(u32, u32)>,
    /// Columns and rows until a page says its own.
    pub default_size: (u32, u32),
    /// Surface pixels per layout pixel; times the screen's own ratio when it follows the window.
    pub scale: f32,
    /// Title of the page.
    pub title: String,
    /// Wakes the loop when something happened.
    pub waker: Waker,
    /// The program's start.
    pub start: Instant,
}

impl core::fmt::Debug for Options {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Options({}:{}, {:?})", self.bind, self.port, self.size)
    }
}

#[derive(Default)]
struct Buffer {
    /// `None` before its first use and while it is out.
    memory: Option<Box<dyn PixelBuffer>>,
    out: bool,
    /// Which size of the surface it has, counted.
    generation: u64,
    /// Number of presents when this one was presented last; 0 is never.
    presented: u64,
}

/// The display.
pub struct Web {
    info: DisplayInfo,
    shared: Shared,
    buffers: [Buffer; BUFFERS],
    generation: u64,
    presents: u64,
    /// Ends with the display.
    _server: server::Server,
}

impl core::fmt::Debug for Web {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Web({})", self.info.description)
    }
}

impl Web {
    /// Takes the address and starts the server.
    ///
    /// # Errors
    /// When the address cannot be had: busy, forbidden, not this machine's, or not an address.
    pub fn open(o: Options) -> Result<Self, DisplayError> {
        let ip = server::address(&o.bind)?;
        let gate = gate::Gate::new(ip, o.token)?;
        let listener = server::listen(SocketAddr::new(ip, o.port))?;
        let at = listener.local_addr().map_err(|cause| DisplayError::System {
            tried: "cannot learn the address of",
            on: "the web server".into(),
            cause,
        })?;
        let (width, height) = o.size.unwrap_or(o.default_size);
        let url = gate.url(at);
        let description = match o.size {
            Some(_) => format!("{url} shows {width}x{height}"),
            None => format!("{url} follows the browser's window"),
        };
        let sizing = match o.size {
            Some(_) => Sizing::Fixed,
            None => Sizing::Follows { scale: o.scale },
        };
        let surface = Surface { width, height, scale: o.scale };
        let hub = Hub::new(surface, sizing, o.start, o.waker);
        let shared = Arc::new(Mutex::new(hub));
        let server = server::start(listener, gate, &o.title, shared.clone())?;
        let info = DisplayInfo {
            driver: "web",
            description,
            width,
            height,
            scale: o.scale,
            frame_ns: 16_666_667,
        };
        Ok(Self {
            info,
            shared,
            buffers: Default::default(),
            generation: 0,
            presents: 0,
            _server: server,
        })
    }

    /// Takes a slot's memory back, unless the surface has another size now.
    fn give_back(&mut self, slot: Slot) {
        let b = &mut self.buffers[slot.index];
        b.out = false;
        b.memory = (b.generation == self.generation).then_some(slot.buffer);
    }
}

impl Display for Web {
    fn info(&self) -> DisplayInfo {
        self.info.clone()
    }

    fn acquire(&mut self) -> Result<Option<Slot>, DisplayError> {
        // The one presented last lacks the least.
        let free = (0..BUFFERS).filter(|i| !self.buffers[*i].out);
        let age = |i: &usize| self.buffers[*i].presented;
        let Some(index) = free.max_by_key(|i| (age(i), BUFFERS - i)) else { return Ok(None) };
        let (width, height) = (self.info.width, self.info.height);
        let pitch = width as usize * 4;
        let b = &mut self.buffers[index];
        if b.generation != self.generation {
            *b = Buffer { generation: self.generation, ..Buffer::default() };
        }
        b.out = true;
        let buffer =
            b.memory.take().unwrap_or_else(|| Box::new(vec![0u8; pitch * height as usize]));
        let age = if b.presented == 0 { 0 } else { (self.presents - b.presented + 1) as u32 };
        let (format, rotation) = (PixelFormat::Xrgb8888, Rotation::Deg0);
        Ok(Some(Slot { index, age, width, height, pitch, format, rotation, buffer }))
    }

    fn present(&mut self, mut slot: Slot, frame: Frame<'_>) -> Result<(), DisplayError> {
        let fits = self.buffers[slot.index].generation == self.generation;
        {
            let mut hub = lock(&self.shared);
            if fits {
                let pitch = slot.pitch;
                hub.present(slot.buffer.bytes(), pitch, frame.damage, frame.number);
            } else {
                hub.discard(frame.number);
            }
        }
        if fits {
            self.presents += 1;
            self.buffers[slot.index].presented = self.presents;
        }
        self.give_back(slot);
        Ok(())
    }

    fn release(&mut self, slot: Slot) {
        self.give_back(slot);
    }

    fn poll(&mut self, events: &mut Vec<DisplayEvent>) {
        let mut hub = lock(&self.shared);
        if hub.collect(events) {
            let Surface { width, height, scale } = hub.surface;
            self.info = DisplayInfo { width, height, scale, ..self.info.clone() };
            self.generation += 1;
            for b in self.buffers.iter_mut().filter(|b| !b.out) {
                *b = Buffer { generation: self.generation, ..Buffer::default() };
            }
        }
    }

    fn set_clipboard(&mut self, text: &str) {
        lock(&self.shared).set_clipboard(text);
    }

    fn visible(&self) -> bool {
        lock(&self.shared).is_watched()
    }
}

#[cfg(test)]
mod tests;
