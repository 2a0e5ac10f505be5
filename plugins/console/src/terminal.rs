//! A virtual terminal's mode and keyboard: the calls, and their numbers.

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{Mode as Bits, OFlags, open};
use rustix::io::Errno;
use rustix::ioctl::{Getter, IntegerSetter, Opcode, Setter, ioctl};
use std::ffi::{c_char, c_int, c_short, c_ushort};
use std::io;

const SET_MODE: Opcode = 0x4B3A;
const GET_MODE: Opcode = 0x4B3B;
const GET_KEYBOARD: Opcode = 0x4B44;
const SET_KEYBOARD: Opcode = 0x4B45;
const SET_SWITCH: Opcode = 0x5602;
const GET_FRONT: Opcode = 0x5603;
const ANSWER: Opcode = 0x5605;
const ACTIVATE: Opcode = 0x5606;

/// Leaving is granted.
const MAY_LEAVE: usize = 1;
/// Coming back is seen.
const IS_BACK: usize = 2;

/// What the kernel draws on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Its text.
    Text,
    /// Nothing.
    Graphics,
}

/// What becomes of typed keys; the kernel's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keyboard(pub u8);

impl Keyboard {
    /// They reach nobody through the terminal (`K_OFF`).
    pub const OFF: Self = Self(4);
}

/// What is put aside and put back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Text or graphics.
    pub mode: Mode,
    /// Typed keys.
    pub keyboard: Keyboard,
}

/// Who decides when another terminal comes to the front, or this one does again: `struct vt_mode`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Switching {
    /// 0: the kernel; 1: the process that says so, by signals.
    mode: c_char,
    wait: c_char,
    leave: c_short,
    back: c_short,
    forced: c_short,
}
const _: () = assert!(size_of::<Switching>() == 8);

impl Switching {
    /// The kernel decides.
    pub(crate) const KERNEL: Self = Self { mode: 0, wait: 0, leave: 0, back: 0, forced: 0 };

    /// This process is asked with one signal, and told with the other.
    pub(crate) fn by([leave, back]: [i32; 2]) -> Self {
        Self { mode: 1, leave: leave as c_short, back: back as c_short, ..Self::KERNEL }
    }
}

/// `struct vt_stat`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Front {
    active: c_ushort,
    signal: c_ushort,
    state: c_ushort,
}

/// An open virtual terminal.
#[derive(Debug)]
pub struct Terminal(pub(crate) OwnedFd);

impl Terminal {
    /// Opens a node. `None` when it is not there, or no virtual terminal.
    ///
    /// # Errors
    /// When it may not be opened.
    pub fn open(node: &str) -> io::Result<Option<Self>> {
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let fd = match open(node, flags, Bits::empty()) {
            Ok(fd) => fd,
            Err(Errno::NOENT | Errno::NXIO | Errno::NODEV | Errno::IO) => return Ok(None),
            Err(e) => return Err(e.into()),
        };
        let t = Self(fd);
        match t.state() {
            Ok(_) => Ok(Some(t)),
            Err(e) if e.raw_os_error() == Some(Errno::NOTTY.raw_os_error()) => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// How it is now.
    ///
    /// # Errors
    /// The system's answer.
    pub fn state(&self) -> io::Result<State> {
        // SAFETY: KDGETMODE fills an int, and any int is one.
        let mode = unsafe { ioctl(&self.0, Getter::<GET_MODE, c_int>::new()) }?;
        // SAFETY: KDGKBMODE fills an int, and any int is one.
        let keyboard = unsafe { ioctl(&self.0, Getter::<GET_KEYBOARD, c_int>::new()) }?;
        let mode = if mode == 0 { Mode::Text } else { Mode::Graphics };
        Ok(State { mode, keyboard: Keyboard(keyboard as u8) })
    }

    /// Number of the terminal in front, from 1.
    ///
    /// # Errors
    /// The system's answer.
    pub fn front(&self) -> io::Result<u16> {
        // SAFETY: VT_GETSTATE fills a `struct vt_stat`, whose layout is `Front`'s.
        let front = unsafe { ioctl(&self.0, Getter::<GET_FRONT, Front>::new()) }?;
        Ok(front.active)
    }

    /// Asks for another terminal in front, by its number. Who has the one in front may refuse, or
    /// take its time: nothing is waited for.
    ///
    /// # Errors
    /// The system's answer.
    pub fn switch_to(&self, number: u16) -> io::Result<()> {
        // SAFETY: VT_ACTIVATE takes an integer by value; the kernel refuses one that is no terminal.
        Ok(unsafe { ioctl(&self.0, IntegerSetter::<ACTIVATE>::new_usize(number.into())) }?)
    }

    /// Says who decides about switches.
    pub(crate) fn switching(&self, s: Switching) -> io::Result<()> {
        Ok(set_switching(&self.0, s)?)
    }

    /// Answers the question of a switch: it may leave, or is seen to be back.
    pub(crate) fn answer(&self, back: bool) -> io::Result<()> {
        let word = if back { IS_BACK } else { MAY_LEAVE };
        // SAFETY: VT_RELDISP takes an integer by value.
        Ok(unsafe { ioctl(&self.0, IntegerSetter::<ANSWER>::new_usize(word)) }?)
    }

    /// Sets it.
    ///
    /// # Errors
    /// The system's answer; what comes before is set then.
    pub fn set(&self, to: State) -> io::Result<()> {
        Ok(set(&self.0, to)?)
    }
}

/// Says who decides about switches. Allocates nothing and takes no lock, as [`set`].
pub(crate) fn set_switching(fd: impl AsFd, s: Switching) -> Result<(), Errno> {
    // SAFETY: VT_SETMODE reads a `struct vt_mode`, whose layout is `Switching`'s.
    unsafe { ioctl(fd.as_fd(), Setter::<SET_SWITCH, Switching>::new(s)) }
}

/// Sets a terminal. Allocates nothing and takes no lock: the guardian calls it as well. Going to
/// text the keyboard comes first, so that the shell that is seen again can be typed to.
pub(crate) fn set(fd: impl AsFd, to: State) -> Result<(), Errno> {
    let fd = fd.as_fd();
    let mode = match to.mode {
        Mode::Text => 0,
        Mode::Graphics => 1,
    };
    // SAFETY: KDSKBMODE takes an integer by value; the kernel refuses one that is no mode.
    unsafe { ioctl(fd, IntegerSetter::<SET_KEYBOARD>::new_usize(to.keyboard.0.into())) }?;
    // SAFETY: KDSETMODE takes an integer by value, 0 or 1.
    unsafe { ioctl(fd, IntegerSetter::<SET_MODE>::new_usize(mode)) }?;
    // Graphics leaves no cursor; text gets its own back in any case.
    let cursor: &[u8] = match to.mode {
        Mode::Text => b"\x1b[?25h",
        Mode::Graphics => b"\x1b[?25l",
    };
    rustix::io::write(fd, cursor).map(|_| ())
}
