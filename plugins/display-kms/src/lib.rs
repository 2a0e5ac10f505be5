//! Screens through kernel mode setting (see `zinc-kms-core` for the words): the display of boards
//! without a desktop.
//!
//! - Frames are drawn into dumb buffers, three by default, and flipped at the vertical blank: one
//!   flip in flight, whose event is the frame clock. EBUSY means to wait for it.
//! - Atomic where the driver is, else the legacy calls. What was found is put back at the end.
//! - A mode that is right already is kept: switching it again could blank the screen for seconds.
//! - A turned picture is turned by the store, which writes each pixel once either way. Planes that
//!   turn are not used: reading dumb memory across its rows costs the display controller bandwidth
//!   that boards lack, and few turn by 90 degrees.
//! - Without a screen the app lives on and draws nothing; it is shown when one comes. Uevents tell,
//!   and while it is dark the connectors are asked every two seconds, for kernels that tell nothing.
//! - No GBM, no EGL, no C library besides libc.
#![cfg(target_os = "linux")]
#![forbid(unsafe_code)]

mod find;
mod frames;
mod head;
mod light;
mod plug;
mod screen;
mod stats;

use find::Found;
use frames::Frames;
use rustix::event::epoll;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use screen::{Refused, Screen};
use stats::Stats;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};
use zinc_hal::{Display, DisplayError, DisplayEvent, DisplayInfo, Frame, Placement, Slot};
use zinc_kms_core::{Cards, Kms, Saved, Uevents, Wish};
use zinc_scene::{PixelFormat, Rotation};

/// While it is dark, connectors are asked so often.
const LOOK: Duration = Duration::from_secs(2);

/// How a card is opened.
pub struct Options {
    /// Where cards are.
    pub cards: Box<dyn Cards>,
    /// A node, or the name of a driver; any card with a screen if not given.
    pub device: Option<PathBuf>,
    /// Which output and mode.
    pub wish: Wish,
    /// The surface; the mode's own size if not given.
    pub size: Option<(u32, u32)>,
    /// The surface while no screen has told its size.
    pub default_size: (u32, u32),
    /// Surface pixels per layout pixel.
    pub scale: f32,
    /// How far the picture is turned, clockwise.
    pub rotation: Rotation,
    /// `Xrgb8888` or `Rgb565`; what the plane has, in this order, if not given.
    pub format: Option<PixelFormat>,
    /// 2 or 3. With 2 a frame that is a little late costs a whole one; 3 cost memory.
    pub buffers: usize,
    /// Legacy calls also where the driver is atomic.
    pub legacy: bool,
    /// For so long a card is waited for, and another program that has it.
    pub wait: Duration,
    /// Counts at the end.
    pub stats: bool,
    /// The program's start.
    pub start: Instant,
    /// Waits, while a card is waited for.
    pub pause: Box<dyn FnMut(Duration)>,
    /// Called once, when rights and mode are known to be good and nothing is changed yet: the
    /// moment to put a console aside.
    pub before_write: Option<Box<dyn FnOnce() -> Result<(), DisplayError>>>,
}

/// A screen as display.
pub struct Kmsd {
    o: Options,
    node: PathBuf,
    driver: String,
    /// `None` when it was unplugged.
    kms: Option<Rc<dyn Kms>>,
    atomic: bool,
    screen: Option<Screen>,
    /// What was found on each CRTC, before it was touched.
    saved: Vec<Saved>,
    info: DisplayInfo,
    frames: Frames,
    stats: Stats,
    news: Vec<DisplayEvent>,
    /// Another session has the glass.
    suspended: bool,
    /// When connectors are asked again, while it is dark.
    next_look: Option<Duration>,
    /// When the lit one was asked last.
    looked: Duration,
    poll: OwnedFd,
    uevents: Option<Uevents>,
}

impl core::fmt::Debug for Kmsd {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Kmsd({})", self.info.description)
    }
}

impl Kmsd {
    /// Opens a card, waiting for it if need be. Nothing on the glass changes before the first frame.
    ///
    /// # Errors
    /// With the node, what was tried, the system's answer and what a person can do.
    pub fn open(mut o: Options) -> Result<Self, DisplayError> {
        o.buffers = o.buffers.clamp(2, 3);
        let found = find::wait(&mut o)?;
        let poll = epoll::create(epoll::CreateFlags::CLOEXEC).map_err(|e| system(&found, e))?;
        let uevents = match Uevents::open() {
            Ok(u) => {
                watch(&poll, u.as_fd(), 1).map_err(|e| system(&found, e))?;
                Some(u)
            }
            Err(e) => {
                tracing::info!("kms: no uevents here ({e}): connectors are asked while it is dark");
                None
            }
        };
        let (width, height) = o.size.unwrap_or(o.default_size);
        let info = DisplayInfo {
            driver: "kms",
            description: String::new(),
            width,
            height,
            scale: o.scale,
            frame_ns: 16_666_667,
        };
        let stats = Stats::default();
        let mut k = Self {
            o,
            node: PathBuf::new(),
            driver: String::new(),
            kms: None,
            atomic: false,
            screen: None,
            saved: Vec::new(),
            info,
            frames: Frames::default(),
            stats,
            news: Vec::new(),
            suspended: false,
            next_look: None,
            looked: Duration::ZERO,
            poll,
            uevents,
        };
        k.take(found)?;
        // Who opens it asks what it is.
        k.news.clear();
        if let Some(f) = k.o.before_write.take() {
            f()?;
        }
        Ok(k)
    }

    fn now(&self) -> Duration {
        self.o.start.elapsed()
    }

    fn error(&self, (tried, cause): Refused) -> DisplayError {
        find::refused(tried, &self.node, cause)
    }

    /// Shows what waits, when the card may take it.
    fn try_show(&mut self) {
        let now = self.now();
        let Some(screen) = &mut self.screen else { return };
        let period = Duration::from_nanos(self.info.frame_ns);
        if self.suspended || !self.frames.may_show(now) {
            return;
        }
        let Some((index, damage)) = self.frames.next() else { return };
        match screen.show(index, &damage, &self.saved) {
            Ok(shown) => {
                self.stats.shown();
                self.frames.sent(shown, now, period);
            }
            Err(e) if find::is(&e, &[rustix::io::Errno::BUSY]) => {
                // Somebody else's flip, or one from before: it ends by itself.
                self.stats.busy += 1;
                self.frames.busy(now, period);
            }
            Err(e) if find::is(&e, &[rustix::io::Errno::NODEV]) => self.lose(&e),
            Err(e) => {
                self.stats.refused += 1;
                let node = self.node.display().to_string();
                self.stats.complain(now, &format!("cannot show a frame on {node}: {e}"));
                if find::is(&e, &[rustix::io::Errno::ACCESS, rustix::io::Errno::PERM])
                    && let Some(kms) = &self.kms
                {
                    // Somebody took it from us; it may be free again.
                    let _ = kms.set_master();
                }
                self.frames.refused(now, period);
            }
        }
    }

    /// As it was found.
    fn restore(&mut self) {
        let lit = self.screen.as_ref().filter(|s| s.is_lit);
        let modesets = self.stats.modesets + self.screen.as_ref().map_or(0, |s| s.modesets);
        if modesets == 0 && !self.stats.has_shown() {
            // Nothing was ever changed.
            self.saved.clear();
            return;
        }
        if let Some(kms) = self.kms.clone()
            && !self.suspended
        {
            for saved in &self.saved {
                let head = |s: &&Screen| {
                    s.heads.iter().find(|h| h.output.crtc == saved.crtc()).map(|h| h.output.mode)
                };
                let ours = lit.filter(|s| head(s).is_some());
                let is_set = ours.is_some_and(|s| {
                    let same = saved.mode().zip(head(&s)).is_some_and(|(a, b)| a.same_timings(&b));
                    same && modesets == 0
                });
                if ours.is_none() && lit.is_some() && modesets == 0 {
                    // This one was never changed.
                    continue;
                }
                if let Err(e) = saved.restore(&*kms, self.atomic, is_set) {
                    tracing::warn!("kms: cannot put the screen back as it was: {e}");
                }
            }
        }
        self.saved.clear();
    }

    /// The flip that is under way ends by itself; a driver that never says so is not waited for.
    fn settle(&mut self) {
        let end = Instant::now() + Duration::from_millis(200);
        while self.frames.is_in_flight() && Instant::now() < end {
            self.take_flips();
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn take_flips(&mut self) {
        let Some(kms) = &self.kms else { return };
        let flips = match kms.flips() {
            Ok(f) => f,
            Err(e) => return self.lose(&e),
        };
        for f in &flips {
            if !self.screen.as_mut().is_some_and(|s| s.flipped(f.crtc)) {
                continue;
            }
            self.stats.flipped(f.sequence);
            let at = since_start(self.o.start, f.at);
            if let Some(number) = self.frames.flipped() {
                self.news.push(DisplayEvent::Presented { at, number });
            }
        }
    }
}

/// A time of the monotonic clock, since the program's start.
fn since_start(start: Instant, at: u64) -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let now = Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32);
    start.elapsed().saturating_sub(now.saturating_sub(Duration::from_nanos(at)))
}

fn system(found: &Found, e: rustix::io::Errno) -> DisplayError {
    find::refused("cannot watch", &found.node, e.into())
}

fn watch(poll: &OwnedFd, fd: BorrowedFd<'_>, data: u64) -> rustix::io::Result<()> {
    let data = epoll::EventData::new_u64(data);
    epoll::add(poll, fd, data, epoll::EventFlags::IN)
}

impl Display for Kmsd {
    fn info(&self) -> DisplayInfo {
        self.info.clone()
    }

    fn placement(&self) -> Placement {
        let whole = Placement::whole((self.info.width, self.info.height));
        self.screen.as_ref().map_or(whole, Screen::placement)
    }

    fn acquire(&mut self) -> Result<Option<Slot>, DisplayError> {
        if self.suspended {
            return Ok(None);
        }
        let Some(screen) = &mut self.screen else { return Ok(None) };
        let free = |i: &usize| screen.buffers[*i].memory.is_some() && self.frames.is_free(*i);
        // The one presented last lacks the least.
        let all = (0..screen.buffers.len()).filter(free);
        let best = all.max_by_key(|i| screen.buffers[*i].presented);
        let presents = self.frames.presents;
        Ok(best.and_then(|i| screen.lend(i, presents, self.frames.index_of(i))))
    }

    fn present(&mut self, slot: Slot, frame: Frame<'_>) -> Result<(), DisplayError> {
        let index = self.frames.buffer_of(slot.index);
        let (Some(index), Some(screen)) = (index, &mut self.screen) else {
            // Of an output that is gone.
            let at = self.now();
            self.news.push(DisplayEvent::Presented { at, number: frame.number });
            return Ok(());
        };
        screen.buffers[index].memory = Some(slot.buffer);
        let presents = self.frames.present(index, &frame);
        screen.buffers[index].presented = presents;
        self.try_show();
        Ok(())
    }

    fn release(&mut self, slot: Slot) {
        let index = self.frames.buffer_of(slot.index);
        if let (Some(i), Some(s)) = (index, &mut self.screen) {
            s.buffers[i].memory = Some(slot.buffer);
        }
    }

    fn poll(&mut self, events: &mut Vec<DisplayEvent>) {
        let plugged = self.uevents.as_ref().is_some_and(Uevents::take);
        self.take_flips();
        let now = self.now();
        if plugged || (!self.suspended && self.next_look.is_some_and(|t| t <= now)) {
            self.look();
        } else if now.saturating_sub(self.looked) >= LOOK && self.screen.is_some() {
            // For kernels that tell nothing; on the way, it wakes nobody.
            self.look_at(false);
        }
        let late = self.frames.late(now);
        self.news.extend(late.map(|number| DisplayEvent::Presented { at: now, number }));
        self.try_show();
        events.append(&mut self.news);
    }

    fn due(&self) -> Option<Duration> {
        if self.suspended {
            return None;
        }
        let soon = (!self.news.is_empty()).then_some(Duration::ZERO);
        [soon, self.next_look, self.frames.due()].into_iter().flatten().min()
    }

    fn fd(&self) -> Option<BorrowedFd<'_>> {
        Some(self.poll.as_fd())
    }

    fn visible(&self) -> bool {
        self.screen.is_some() && !self.suspended
    }

    // No flip from now on, and no call but the one that lets go.
    fn suspend(&mut self) {
        if std::mem::replace(&mut self.suspended, true) {
            return;
        }
        let at = self.now();
        // Their events may still come; nobody waits for them.
        for number in self.frames.end() {
            self.news.push(DisplayEvent::Presented { at, number });
        }
        if let Some(Err(e)) = self.kms.as_ref().map(|k| k.drop_master()) {
            tracing::debug!("kms: cannot let go of {}: {e}", self.node.display());
        }
    }

    // While somebody else is the master it stays suspended. The next frame sets the mode.
    fn resume(&mut self) -> Result<(), DisplayError> {
        if !self.suspended {
            return Ok(());
        }
        if let Some(Err(e)) = self.kms.as_ref().map(|k| k.set_master()) {
            return Err(self.error(("cannot become the master of", e)));
        }
        self.suspended = false;
        if let Some(s) = &mut self.screen {
            s.forget();
            self.frames.begin(s.buffers.len());
        }
        self.news.push(DisplayEvent::Redraw);
        self.look();
        Ok(())
    }

    fn finish(&mut self) -> Result<(), DisplayError> {
        self.settle();
        if self.o.stats {
            let modesets = self.screen.as_ref().map_or(0, |s| s.modesets);
            eprintln!("{}", self.stats.table(modesets));
        }
        Ok(())
    }
}

impl Drop for Kmsd {
    fn drop(&mut self) {
        self.settle();
        self.restore();
    }
}
