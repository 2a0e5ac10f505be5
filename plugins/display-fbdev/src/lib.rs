//! Linux frame buffers (`/dev/fb0`): the display of boards whose screen has no KMS driver, or whose
//! KMS belongs to somebody else.
//!
//! - Any pixel of 16, 24 or 32 bits, by the reported channels; any pitch and offset. A mode that
//!   contradicts itself is refused before a byte is written, and padding is never written.
//! - A driver with room for two pictures that pans gets frames drawn into its memory, by age.
//!   Any other gets them drawn into a copy (two, so that the next is drawn while one waits), and of
//!   that what is damaged, in one go, right after the wait for the vblank. At 800x480 and 16 bits a
//!   whole copy is 768 kB: 46 MB a second at 60 Hz.
//! - One wait a frame, and only where it is seen to wait (`pacer`); else the clock paces.
//! - A picture of another size than the panel stands in its middle, black around it (`place`).
#![cfg(target_os = "linux")]

mod device;
mod glass;
mod mode;
mod pacer;
mod place;
mod sim;
mod stats;

pub use device::{Bitfield, Device, Fix, Memory, Node, Part, Var};
pub use mode::{Mode, ModeError};
pub use sim::{PADDING, SimFile};
pub use stats::Detail;

use glass::{Glass, Job, Order, Shown, Way, blacken};
use pacer::Pacer;
use place::Place;
use rustix::io::Errno;
use stats::Stats;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use zinc_hal::{
    Display, DisplayError, DisplayEvent, DisplayInfo, Frame, PixelBuffer, Placement, Slot, Waker,
    join_group,
};
use zinc_scene::{IRect, PixelFormat, Region, Rotation, target_bytes};

/// Copies of a device with a single picture: one waits for the vblank, one is drawn.
const COPIES: usize = 2;
/// Pictures in the memory of a device that pans; more would only be older.
const PAGES: u32 = 3;

/// How a frame buffer is opened.
pub struct Options {
    /// The node.
    pub node: PathBuf,
    /// A file in its stead.
    pub sim: Option<SimFile>,
    /// The surface; the panel's own size if not given.
    pub size: Option<(u32, u32)>,
    /// Surface pixels per layout pixel.
    pub scale: f32,
    /// How far the picture is turned, clockwise.
    pub rotation: Rotation,
    /// Frames follow each other at once: time is virtual.
    pub unpaced: bool,
    /// Draw into the device's memory and pan, where it can.
    pub pan: bool,
    /// What is kept of frames.
    pub stats: Detail,
    /// Time after the first frame that does not count.
    pub skip: Duration,
    /// The program's start.
    pub start: Instant,
    /// Called when a frame is on the glass.
    pub waker: Waker,
    /// Called once, when rights and mode are known to be good and nothing is written yet: the
    /// moment to put a console aside; what it refuses, the display refuses. Not for a file.
    pub before_write: Box<dyn FnOnce() -> Result<(), DisplayError>>,
}

struct Buffer {
    /// `None` while it is out.
    memory: Option<Box<dyn PixelBuffer>>,
    /// Number of presents when this one was presented last; 0 is never.
    presented: u64,
}

/// What every slot has in common.
#[derive(Clone, Copy)]
struct Shape {
    width: u32,
    height: u32,
    pitch: usize,
    format: PixelFormat,
    rotation: Rotation,
}

/// A frame buffer as display.
pub struct Fbdev {
    info: DisplayInfo,
    placement: Placement,
    shape: Shape,
    buffers: Vec<Buffer>,
    /// The page that the panel shows; nobody draws there. `None` where frames are copied.
    on_glass: Option<usize>,
    presents: u64,
    /// When the newest slot was lent.
    lent: Instant,
    orders: Option<Sender<Order>>,
    shown: Receiver<Shown>,
    thread: Option<JoinHandle<Stats>>,
    lost: bool,
}

impl core::fmt::Debug for Fbdev {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Fbdev({})", self.info.description)
    }
}

impl Fbdev {
    /// Opens the node, or the file in its stead.
    ///
    /// # Errors
    /// With the node, what was tried, the system's answer and what a person can do; or the field of
    /// the mode that cannot be.
    pub fn open(o: Options) -> Result<Self, DisplayError> {
        if let Some(sim) = &o.sim {
            let (device, name) = (sim.create()?, sim.path.display().to_string());
            return Self::with(Box::new(device), &name, o);
        }
        let file = std::fs::OpenOptions::new().read(true).write(true).open(&o.node);
        let file = file.map_err(|cause| refused("cannot open", &o.node, cause))?;
        let name = o.node.display().to_string();
        Self::with(Box::new(Node(file)), &name, o)
    }

    /// On any device.
    ///
    /// # Errors
    /// As [`Fbdev::open`].
    pub fn with(mut device: Box<dyn Device>, name: &str, o: Options) -> Result<Self, DisplayError> {
        let node = Path::new(name);
        let var = device.var().map_err(|e| refused("cannot ask the mode of", node, e))?;
        let fix = device.fix().map_err(|e| refused("cannot ask the memory of", node, e))?;
        let mode =
            Mode::of(&var, &fix).map_err(|e| DisplayError::Unsupported(format!("{name}: {e}")))?;
        // A card's frame buffer takes what is written while somebody else has the screen, and shows
        // nothing of it; only this call tells. Other refusals just mean that it does not pan.
        if let Err(e) = device.pan(&var)
            && e.raw_os_error() == Some(Errno::BUSY.raw_os_error())
        {
            return Err(refused("cannot show anything on", node, e));
        }
        let surface = o.size.unwrap_or(o.rotation.size((mode.width, mode.height)));
        let place = Place::new((mode.width, mode.height), o.rotation.size(surface));
        let placement = Placement {
            panel: (mode.width, mode.height),
            at: place.at,
            rotation: o.rotation,
            surface,
        };
        let memory = device.map(&fix).map_err(|e| refused("cannot map the memory of", node, e))?;

        if o.sim.is_none() {
            (o.before_write)()?;
        }
        let pages = if o.pan { pages(&mut *device, &mode, &var, &place) } else { 1 };
        let (width, height) = o.rotation.size(surface);
        let format = mode.format;
        let pitch = if place.is_whole() { mode.pitch } else { width as usize * format.bytes() };
        let shape = Shape { width, height, pitch, format, rotation: o.rotation };
        let (way, buffers) = cut(memory, &mode, &var, place, shape, pages)
            .ok_or_else(|| DisplayError::Unsupported(format!("{name}: its memory is too small")))?;

        let how = if pages > 1 { format!("{pages} pages") } else { "copied".to_owned() };
        let description = description(name, &fix, &mode, surface, o.rotation, &how);
        let pacer = Pacer::measure(&mut *device, mode.period, o.unpaced);
        let stats = Stats::new(o.stats, o.skip);
        let glass = Glass { device, way, pacer, stats, start: o.start, mode: var };
        let (orders, inbox) = channel();
        let (outbox, shown) = channel();
        let waker = o.waker;
        let thread = std::thread::Builder::new()
            .name("zinc-fbdev".into())
            .spawn(move || glass.run(&inbox, &outbox, &waker))
            .map_err(|e| refused("cannot start a thread for", node, e))?;
        let info = DisplayInfo {
            driver: "fbdev",
            description,
            width: surface.0,
            height: surface.1,
            scale: o.scale,
            frame_ns: mode.period.as_nanos() as u64,
        };
        Ok(Self {
            info,
            placement,
            shape,
            buffers,
            on_glass: (pages > 1).then_some(0),
            presents: 0,
            lent: Instant::now(),
            orders: Some(orders),
            shown,
            thread: Some(thread),
            lost: false,
        })
    }

    fn give_back(&mut self, slot: Slot) {
        self.buffers[slot.index].memory = Some(slot.buffer);
    }
}

/// Pictures that fit the device's memory, when it pans; else 1. What it then shows is page 0.
fn pages(device: &mut dyn Device, mode: &Mode, var: &Var, place: &Place) -> u32 {
    let n = (mode.rows / mode.height).min(PAGES);
    // Black beside the picture would have to be made in each, time and again.
    if n < 2 || !mode.pans || place.at != IRect::of_size(mode.width, mode.height) {
        return 1;
    }
    match device.pan(&Var { yoffset: 0, ..*var }) {
        Ok(()) => n,
        Err(e) => {
            tracing::info!("frame buffer: it has room for {n} pictures but does not pan ({e})");
            1
        }
    }
}

/// Cuts the device's memory for its use and makes what is seen black.
fn cut(
    memory: Memory,
    mode: &Mode,
    var: &Var,
    place: Place,
    shape: Shape,
    pages: u32,
) -> Option<(Way, Vec<Buffer>)> {
    let n = mode.format.bytes();
    let page = mode.pitch * mode.height as usize;
    let firsts: Vec<usize> = match pages {
        1 => vec![mode.first],
        _ => (0..pages as usize).map(|i| mode.left + i * page).collect(),
    };
    let wholes: Vec<_> = firsts.iter().map(|f| *f..f + mode.frame_bytes()).collect();
    let mut parts = memory.split(&wholes)?;
    let black = mode::black(mode.format).repeat(mode.width as usize);
    parts.iter_mut().for_each(|p| blacken(p.bytes(), mode.pitch, &black));
    let buffer = |memory: Box<dyn PixelBuffer>| Buffer { memory: Some(memory), presented: 0 };
    if pages > 1 {
        let way = Way::Pan { before: *var, refused: false };
        return Some((way, parts.into_iter().map(|p| buffer(Box::new(p))).collect()));
    }
    let skip = place.at.y0 as usize * mode.pitch + place.at.x0 as usize * n;
    debug_assert!(IRect::of_size(mode.width, mode.height).contains_rect(place.at));
    let box_size = (place.at.width() as u32, place.at.height() as u32);
    let mut memory = parts.pop()?;
    let len = target_bytes(box_size, mode.pitch, mode.format)?;
    memory.bytes().get(skip..skip + len)?;
    let bytes = target_bytes((shape.width, shape.height), shape.pitch, shape.format)?;
    let way = Way::Copy { memory, pitch: mode.pitch, place, skip, black };
    Some((way, (0..COPIES).map(|_| buffer(Box::new(vec![0u8; bytes]))).collect()))
}

fn description(
    name: &str,
    fix: &Fix,
    mode: &Mode,
    surface: (u32, u32),
    rotation: Rotation,
    how: &str,
) -> String {
    let Mode { width, height, bits, pitch, .. } = mode;
    let turn = match rotation {
        Rotation::Deg0 => "",
        Rotation::Deg90 => ", turned by 90 degrees",
        Rotation::Deg180 => ", turned by 180 degrees",
        Rotation::Deg270 => ", turned by 270 degrees",
    };
    let placed = if surface == rotation.size((*width, *height)) {
        String::new()
    } else {
        format!(", showing {}x{}", surface.0, surface.1)
    };
    let format = match mode.format {
        PixelFormat::Channels(_) => "other channels".to_owned(),
        named => format!("{named:?}"),
    };
    let driver = fix.name();
    format!(
        "{name} ({driver}) {width}x{height}, {bits} bits {format}, pitch {pitch}, {how}{turn}{placed}"
    )
}

/// An error with its cure.
fn refused(tried: &'static str, node: &Path, cause: std::io::Error) -> DisplayError {
    let is = |e: Errno| cause.raw_os_error() == Some(e.raw_os_error());
    let cure = if is(Errno::ACCESS) || is(Errno::PERM) {
        join_group(node, "video")
    } else if is(Errno::NOENT) || is(Errno::NODEV) || is(Errno::NXIO) {
        let there = nodes();
        let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
        format!("no driver has made this frame buffer (there: {there}); load one, or name another")
    } else if is(Errno::BUSY) {
        "another program has the screen (a desktop, another app): end it first".to_owned()
    } else if is(Errno::NOTTY) || is(Errno::INVAL) {
        "it is no frame buffer; name another".to_owned()
    } else {
        "see what the kernel says (dmesg)".to_owned()
    };
    DisplayError::Refused { tried, on: node.display().to_string(), cause, cure }
}

/// Frame buffers that are there.
fn nodes() -> Vec<String> {
    let Ok(dir) = std::fs::read_dir("/dev") else { return Vec::new() };
    let name = |e: std::fs::DirEntry| e.file_name().into_string().ok();
    let is = |n: &String| n.strip_prefix("fb").is_some_and(|d| d.parse::<u8>().is_ok());
    let mut all: Vec<_> =
        dir.flatten().filter_map(name).filter(is).map(|n| format!("/dev/{n}")).collect();
    all.sort();
    all
}

impl Display for Fbdev {
    fn info(&self) -> DisplayInfo {
        self.info.clone()
    }

    fn acquire(&mut self) -> Result<Option<Slot>, DisplayError> {
        if self.lost {
            return Err(DisplayError::Lost(self.info.description.clone()));
        }
        // The one presented last lacks the least; a page on the glass is in use.
        let free = |i: &usize| self.buffers[*i].memory.is_some() && self.on_glass != Some(*i);
        let all = (0..self.buffers.len()).filter(free);
        let Some(index) = all.max_by_key(|i| self.buffers[*i].presented) else { return Ok(None) };
        let b = &mut self.buffers[index];
        let Some(buffer) = b.memory.take() else { return Ok(None) };
        let age = if b.presented == 0 { 0 } else { (self.presents - b.presented + 1) as u32 };
        let Shape { width, height, pitch, format, rotation } = self.shape;
        self.lent = Instant::now();
        Ok(Some(Slot { index, age, width, height, pitch, format, rotation, buffer }))
    }

    fn present(&mut self, slot: Slot, frame: Frame<'_>) -> Result<(), DisplayError> {
        self.presents += 1;
        self.buffers[slot.index].presented = self.presents;
        let mut damage = Region::default();
        frame.damage.iter().for_each(|r| damage.add(*r));
        let job = Job { slot, damage, number: frame.number, draw: self.lent.elapsed() };
        let sent = self.orders.as_ref().is_some_and(|o| o.send(Order::Show(job)).is_ok());
        if sent { Ok(()) } else { Err(DisplayError::Lost(self.info.description.clone())) }
    }

    fn release(&mut self, slot: Slot) {
        self.give_back(slot);
    }

    fn poll(&mut self, events: &mut Vec<DisplayEvent>) {
        while let Ok(Shown { slot, number, at, lost }) = self.shown.try_recv() {
            if self.on_glass.is_some() {
                self.on_glass = Some(slot.index);
            }
            if let Some(e) = lost {
                tracing::error!("{}: {e}", self.info.description);
                self.lost = true;
            }
            self.give_back(slot);
            events.push(DisplayEvent::Presented { at, number });
        }
    }

    fn resume(&mut self) -> Result<(), DisplayError> {
        let lost = || DisplayError::Lost(self.info.description.clone());
        let (answer, answered) = channel();
        let orders = self.orders.as_ref().ok_or_else(lost)?;
        orders.send(Order::Again(answer)).map_err(|_| lost())?;
        let on = self.info.description.clone();
        answered.recv().map_err(|_| lost())?.map_err(|cause| DisplayError::System {
            tried: "cannot take back",
            on,
            cause,
        })
    }

    fn placement(&self) -> Placement {
        self.placement
    }

    fn finish(&mut self) -> Result<(), DisplayError> {
        self.orders = None;
        let Some(thread) = self.thread.take() else { return Ok(()) };
        let stats = thread.join();
        let stats = stats.map_err(|_| DisplayError::Lost(self.info.description.clone()))?;
        if let Some(table) = stats.table() {
            eprintln!("{table}");
        }
        Ok(())
    }
}

impl Drop for Fbdev {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(t) = self.thread.take() {
            let _ = t.join();
        }
    }
}
