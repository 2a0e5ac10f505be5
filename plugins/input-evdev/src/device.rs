//! An event node: what it can do, what it tells, and how things are with it. The only file with
//! `unsafe`: two calls that the `evdev` crate does not offer.

use crate::decode::Truth;
use crate::facts::{Axis, Facts, Raw};
use crate::touch::{CONTACTS, SlotTruth};
use evdev::raw_stream::RawDevice;
use evdev::{AbsoluteAxisCode as Abs, PropType};
use rustix::fd::{AsFd, AsRawFd, BorrowedFd};
use rustix::fs::{Mode, OFlags, open};
use rustix::ioctl::{Ioctl, IoctlOutput, Opcode, Setter, ioctl};
use std::ffi::{c_int, c_void};
use std::io;
use std::path::Path;
use std::time::Duration;

/// `_IOW('E', 0xa0, int)`.
const SET_CLOCK: Opcode = 0x4004_45A0;
const CLOCK_MONOTONIC: c_int = 1;

/// The program's clock beside the kernel's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// The kernel's monotonic time at the program's start.
    pub(crate) start: Duration,
}

impl Clock {
    /// Both clocks, now.
    pub(crate) fn new(elapsed: Duration) -> Self {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        let now = Duration::new(now.tv_sec.max(0) as u64, now.tv_nsec.max(0) as u32);
        Self { start: now.saturating_sub(elapsed) }
    }
}

/// An open event node.
#[derive(Debug)]
pub(crate) struct Device {
    node: RawDevice,
    clock: Option<Clock>,
}

impl Device {
    /// Opens a node, to read it alone: it is neither grabbed nor written to.
    pub(crate) fn open(path: &Path, clock: Clock) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
        let fd = open(path, flags, Mode::empty())?;
        let node = RawDevice::from_fd(fd)?;
        // Wall clocks jump. A kernel too old for this one gives times of its own: ours are used.
        // SAFETY: EVIOCSCLOCKID reads one int, the number of a clock.
        let set = unsafe { ioctl(node.as_fd(), Setter::<SET_CLOCK, c_int>::new(CLOCK_MONOTONIC)) };
        Ok(Self { node, clock: set.is_ok().then_some(clock) })
    }

    /// What it can send.
    pub(crate) fn facts(&self) -> Facts {
        let d = &self.node;
        let has = |p: PropType| d.properties().contains(p);
        // An axis whose range cannot be asked is not there.
        let ranges = d.get_absinfo().map(|all| {
            let one =
                |(a, i): (Abs, evdev::AbsInfo)| (a.0, Axis { min: i.minimum(), max: i.maximum() });
            all.map(one).collect()
        });
        Facts {
            name: d.name().unwrap_or("without a name").to_owned(),
            keys: d.supported_keys().into_iter().flat_map(|k| k.iter()).map(|k| k.0).collect(),
            relative: d
                .supported_relative_axes()
                .into_iter()
                .flat_map(|r| r.iter())
                .map(|r| r.0)
                .collect(),
            absolute: ranges.unwrap_or_default(),
            direct: has(PropType::DIRECT),
            pointer: has(PropType::POINTER),
            accelerometer: has(PropType::ACCELEROMETER),
        }
    }

    /// Appends what it told since the last call, at most a buffer full; `false` when there is no
    /// more.
    pub(crate) fn read(&mut self, now: Duration, into: &mut Vec<Raw>) -> io::Result<bool> {
        let clock = self.clock;
        let at = |t: std::time::SystemTime| {
            let kernel = t.duration_since(std::time::UNIX_EPOCH).ok()?;
            Some(kernel.saturating_sub(clock?.start).min(now))
        };
        match self.node.fetch_events() {
            Ok(events) => {
                into.extend(events.map(|e| Raw {
                    at: at(e.timestamp()).unwrap_or(now),
                    kind: e.event_type().0,
                    code: e.code(),
                    value: e.value(),
                }));
                Ok(true)
            }
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => Ok(false),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => Ok(true),
            Err(e) => Err(e),
        }
    }

    /// How things are with it, where it can say.
    pub(crate) fn truth(&self) -> Truth {
        let d = &self.node;
        let keys = d.get_key_state().map(|k| k.iter().map(|k| k.0).collect()).unwrap_or_default();
        let mut t = Truth { keys, slot: 0, ..Truth::default() };
        for (a, i) in d.get_absinfo().into_iter().flatten() {
            match a {
                Abs::ABS_X => t.place[0] = Some(i.value()),
                Abs::ABS_Y => t.place[1] = Some(i.value()),
                Abs::ABS_PRESSURE => t.place[2] = Some(i.value()),
                Abs::ABS_MT_SLOT => t.slot = i.value(),
                _ => {}
            }
        }
        let all = |code: Abs| slots(d.as_fd(), code).ok();
        if let Some(tracking) = all(Abs::ABS_MT_TRACKING_ID) {
            let [x, y, force] =
                [Abs::ABS_MT_POSITION_X, Abs::ABS_MT_POSITION_Y, Abs::ABS_MT_PRESSURE]
                    .map(|c| all(c).unwrap_or([0; CONTACTS]));
            // Slots past the device's last are left at 0: no contact's number, but a number.
            let last = d
                .get_absinfo()
                .into_iter()
                .flatten()
                .find(|(a, _)| *a == Abs::ABS_MT_SLOT)
                .map_or(0, |(_, i)| i.maximum().max(-1) + 1);
            let n = CONTACTS.min(usize::try_from(last).unwrap_or(0));
            let one = |i: usize| SlotTruth {
                tracking: tracking[i],
                x: x[i],
                y: y[i],
                pressure: force[i],
            };
            t.slots = (0..n).map(one).collect();
        }
        t
    }
}

impl AsFd for Device {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.node.as_fd()
    }
}

impl AsRawFd for Device {
    fn as_raw_fd(&self) -> std::os::fd::RawFd {
        self.node.as_raw_fd()
    }
}

/// `struct { __u32 code; __s32 values[n]; }`, in and out.
#[repr(C)]
struct Slots {
    code: u32,
    values: [i32; CONTACTS],
}

/// `EVIOCGMTSLOTS`: a value of all slots. The kernel fills as many as fit.
fn slots(fd: BorrowedFd<'_>, code: Abs) -> io::Result<[i32; CONTACTS]> {
    let mut s = Slots { code: code.0.into(), values: [-1; CONTACTS] };
    // SAFETY: the call reads the code and fills values within the size that its number carries,
    // which is that of `Slots`; any bits are integers.
    unsafe { ioctl(fd, GetSlots(&mut s)) }?;
    Ok(s.values)
}

struct GetSlots<'a>(&'a mut Slots);

// SAFETY: the number below carries the size of `Slots`, the pointer points at one that is borrowed
// for as long as the call takes, and the kernel writes no further than that size.
unsafe impl Ioctl for GetSlots<'_> {
    type Output = ();
    const IS_MUTATING: bool = true;
    fn opcode(&self) -> Opcode {
        // `_IOC(_IOC_READ, 'E', 0x0a, len)`.
        (2 << 30) | ((size_of::<Slots>() as Opcode) << 16) | (0x45 << 8) | 0x0a
    }
    fn as_ptr(&mut self) -> *mut c_void {
        std::ptr::from_mut::<Slots>(self.0).cast()
    }
    // SAFETY: nothing is read of the pointer: the values lie in what was borrowed.
    unsafe fn output_from_ptr(_: IoctlOutput, _: *mut c_void) -> rustix::io::Result<()> {
        Ok(())
    }
}
