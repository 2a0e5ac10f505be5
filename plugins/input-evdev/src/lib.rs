//! Linux input devices (`/dev/input/event*`): keyboards, mice, tablets, touch panels.
//!
//! - What a device is follows from the codes that it can send (`facts`); a device may be several
//!   things. Decoding is pure (`decode`): no file, no clock.
//! - Devices come and go at any time, without udev (`watch`); a node that may not be opened yet is
//!   tried again when its rights change.
//! - All of them are one descriptor, an epoll instance, in the loop of the program: no thread, and no
//!   wake-up but for events. Times are the kernel's, on the program's clock.
//! - Nothing is grabbed: a display that takes the glass puts the console's keyboard aside, so that
//!   typed keys reach no shell, and other programs may read the devices as well.
//! - Touch panels are set right by name (`settings`): their own turn and matrix, apart from the
//!   picture's turn, which the display's placement tells.
#![cfg(target_os = "linux")]

mod decode;
mod device;
mod facts;
mod keyboard;
mod keymap;
mod layout;
mod mouse;
mod recorded;
mod seat;
mod settings;
mod smooth;
mod touch;
mod watch;

pub use decode::{Decoder, Need, Truth};
pub use facts::{Axis, Facts, Place, Raw, Roles};
pub use keyboard::{Keyboard, KeyboardOptions, REPEAT_AFTER, REPEAT_EVERY, ReadEnv};
pub use layout::Layout;
pub use mouse::NOTCH;
pub use recorded::Recorded;
pub use seat::Seat;
pub use settings::{SettingsError, Touch};
pub use smooth::Smooth;
pub use touch::{CONTACTS, SlotTruth};

use device::{Clock, Device};
use rustix::event::epoll;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use watch::{Change, Watch};
use zinc_hal::{InputError, InputSource, Placement, Timed};

/// Devices read at a time; more are left alone, and that is said.
const DEVICES: usize = 64;
/// Buffers read of a device at a time: one that floods does not starve the others.
const READS: usize = 16;
/// The watch's mark in the epoll instance.
const WATCH: u64 = u64::MAX;

/// How devices are opened.
pub struct Options {
    /// The folder of event nodes: `/dev/input`.
    pub folder: PathBuf,
    /// Settings of touch panels and tablets; the first that fits a name counts.
    pub touch: Vec<Touch>,
    /// Layout and locale.
    pub keyboard: KeyboardOptions,
    /// The program's start.
    pub start: Instant,
}

struct Plugged {
    path: PathBuf,
    device: Device,
    decoder: Decoder,
    name: String,
}

/// All input devices.
pub struct Evdev {
    epoll: OwnedFd,
    watch: Watch,
    devices: Vec<Option<Plugged>>,
    seat: Seat,
    touch: Vec<Touch>,
    start: Instant,
    clock: Clock,
    full: bool,
    raw: Vec<Raw>,
    changes: Vec<Change>,
}

impl core::fmt::Debug for Evdev {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Evdev({} devices)", self.devices.iter().flatten().count())
    }
}

impl Evdev {
    /// Opens all devices that are there. None at all is fine: some may come.
    ///
    /// # Errors
    /// When event nodes are there and not one of them may be opened; or when the system has no
    /// descriptors left.
    pub fn open(o: Options) -> Result<Self, InputError> {
        let system = |tried, on: &Path| {
            let on = on.display().to_string();
            move |cause: io::Error| InputError {
                tried,
                on,
                cause,
                cure: "see what the kernel says (dmesg)".to_owned(),
            }
        };
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)
            .map_err(|e| system("cannot watch", &o.folder)(e.into()))?;
        let watch = Watch::new(&o.folder).map_err(system("cannot watch", &o.folder))?;
        epoll::add(&epoll, &watch, epoll::EventData::new_u64(WATCH), epoll::EventFlags::IN)
            .map_err(|e| system("cannot watch", &o.folder)(e.into()))?;
        let mut all = Self {
            epoll,
            watch,
            devices: Vec::new(),
            seat: Seat::new(Placement::whole((1, 1)), o.keyboard),
            touch: o.touch,
            start: o.start,
            clock: Clock::new(o.start.elapsed()),
            full: false,
            raw: Vec::new(),
            changes: Vec::new(),
        };
        let nodes = all.watch.nodes();
        let refused: Vec<(&PathBuf, io::Error)> =
            nodes.iter().filter_map(|n| Some((n, all.plug(n).err()?))).collect();
        let denied = |(_, e): &(&PathBuf, io::Error)| e.kind() == io::ErrorKind::PermissionDenied;
        if refused.len() < nodes.len() {
            for (node, e) in &refused {
                tracing::warn!("input: cannot open {}: {e}", node.display());
            }
        }
        if nodes.is_empty() {
            tracing::info!("input: no device is plugged in; those that come later are used");
        } else if refused.len() == nodes.len()
            && let Some((_, cause)) = refused.into_iter().find(denied)
        {
            let on = format!("{}/event*", o.folder.display());
            return Err(refusal(on, cause));
        }
        Ok(all)
    }

    /// Opens a node that is not open yet. Nodes of no use are no error.
    fn plug(&mut self, path: &Path) -> io::Result<()> {
        if self.devices.iter().flatten().any(|d| d.path == path) {
            return Ok(());
        }
        let device = Device::open(path, self.clock)?;
        let facts = device.facts();
        let node = path.display();
        let mut decoder = match Decoder::new(&facts, &self.touch) {
            Ok(d) => d,
            Err(why) => {
                tracing::info!("input: {node} ({}) is left alone: {why}", facts.name);
                return Ok(());
            }
        };
        let free = self.devices.iter().position(Option::is_none);
        let index = free.unwrap_or(self.devices.len());
        if index >= DEVICES {
            if !std::mem::replace(&mut self.full, true) {
                tracing::warn!("input: {node} and what follows is left alone: {DEVICES} are read");
            }
            return Ok(());
        }
        let (data, flags) = (epoll::EventData::new_u64(index as u64), epoll::EventFlags::IN);
        epoll::add(&self.epoll, &device, data, flags)?;
        decoder.start(&device.truth());
        let roles = decoder.roles();
        tracing::info!("input: {node} ({}): {}", facts.name, words(roles));
        if roles.letters {
            self.seat.keyboard();
        }
        let plugged = Plugged { path: path.to_owned(), device, decoder, name: facts.name };
        match free {
            Some(i) => self.devices[i] = Some(plugged),
            None => self.devices.push(Some(plugged)),
        }
        Ok(())
    }

    /// A device that is gone: what it held is let go. Dropping it takes it out of the epoll instance.
    fn unplug(&mut self, index: usize, now: Duration, out: &mut Vec<Timed>) {
        let Some(mut d) = self.devices.get_mut(index).and_then(Option::take) else { return };
        tracing::info!("input: {} ({}) is gone", d.path.display(), d.name);
        d.decoder.gone(now, &mut self.seat, out);
        self.full = false;
    }

    fn look(&mut self, now: Duration, out: &mut Vec<Timed>) {
        let mut changes = std::mem::take(&mut self.changes);
        self.watch.changes(&mut changes);
        for c in changes.drain(..) {
            let nodes = match c {
                Change::There(node) => vec![node],
                Change::All => self.watch.nodes(),
                Change::Gone(node) => {
                    let at = |d: &Option<Plugged>| d.as_ref().is_some_and(|d| d.path == node);
                    if let Some(i) = self.devices.iter().position(at) {
                        self.unplug(i, now, out);
                    }
                    continue;
                }
            };
            for node in nodes {
                if let Err(e) = self.plug(&node) {
                    // Udev gives the rights after the kernel made the node: that is told as well.
                    tracing::info!("input: cannot open {} (yet): {e}", node.display());
                }
            }
        }
        self.changes = changes;
    }

    fn read(&mut self, index: usize, now: Duration, out: &mut Vec<Timed>) {
        let Some(Some(d)) = self.devices.get_mut(index) else { return };
        for _ in 0..READS {
            self.raw.clear();
            let more = d.device.read(now, &mut self.raw);
            for e in &self.raw {
                if d.decoder.feed(*e, &mut self.seat, out) == Need::Truth {
                    tracing::debug!("input: {} was too fast; asked how things are", d.name);
                    let truth = d.device.truth();
                    d.decoder.resync(e.at, &truth, &mut self.seat, out);
                }
            }
            match more {
                Ok(true) => {}
                Ok(false) => return,
                Err(e) => {
                    if e.raw_os_error() != Some(Errno::NODEV.raw_os_error()) {
                        tracing::warn!("input: cannot read {}: {e}", d.path.display());
                    }
                    let node = d.path.clone();
                    self.unplug(index, now, out);
                    // Its name may have gone to another one meanwhile.
                    let _ = self.plug(&node);
                    return;
                }
            }
        }
    }
}

impl InputSource for Evdev {
    fn descriptor(&self) -> io::Result<OwnedFd> {
        self.epoll.try_clone()
    }

    fn poll(&mut self, place: &Placement, out: &mut Vec<Timed>) {
        self.seat.set_place(*place);
        let first = out.len();
        let now = self.start.elapsed();
        let mut ready = Vec::with_capacity(16);
        let zero = rustix::time::Timespec { tv_sec: 0, tv_nsec: 0 };
        let waited =
            epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut ready), Some(&zero));
        if waited.is_ok() {
            for e in &ready {
                match e.data.u64() {
                    WATCH => self.look(now, out),
                    index => self.read(index as usize, now, out),
                }
            }
        }
        if self.seat.keyboard_if().is_some_and(|k| k.due().is_some_and(|t| t <= now)) {
            self.seat.keyboard().repeat(now, out);
        }
        // Each device is in order; together they may not be.
        out[first..].sort_by_key(|t| t.at);
    }

    fn due(&self) -> Option<Duration> {
        self.seat.keyboard_if().and_then(Keyboard::due)
    }
}

/// What a device is, in words.
fn words(r: Roles) -> String {
    let place = match r.place {
        Some(Place::Slots) => "touch panel for many fingers",
        Some(Place::Single) => "touch panel for one finger",
        Some(Place::Hover) => "pointer by place",
        None => "",
    };
    let keys = match (r.letters, r.keys) {
        (true, _) => "keyboard",
        (false, true) => "keys",
        _ => "",
    };
    let all = [keys, if r.mouse { "mouse" } else { "" }, place];
    all.into_iter().filter(|w| !w.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Nodes that may not be opened, with what a person can do.
fn refusal(on: String, cause: io::Error) -> InputError {
    let cure = "join the group input (sudo usermod -aG input $USER) and log in again, or go without \
                input by ZINC_INPUT_DEVICES=off";
    InputError { tried: "cannot open", on, cause, cure: cure.to_owned() }
}
