//! A virtual terminal's mode and keyboard: the calls, and their numbers.

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{Mode as Bits, OFlags, open};
use rustix::io::Errno;
use rustix::ioctl::{Getter, IntegerSetter, Opcode, ioctl};
use std::ffi::c_int;
use std::io;

const SET_MODE: Opcode = 0x4B3A;
const GET_MODE: Opcode = 0x4B3B;
const GET_KEYBOARD: Opcode = 0x4B44;
const SET_KEYBOARD: Opcode = 0x4B45;

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

    /// Sets it.
    ///
    /// # Errors
    /// The system's answer; what comes before is set then.
    pub fn set(&self, to: State) -> io::Result<()> {
        Ok(set(&self.0, to)?)
    }
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
