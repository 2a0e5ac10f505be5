//! Manners on a virtual terminal. While a program has the glass, the kernel draws no text over it
//! (`KD_GRAPHICS`), no cursor, and gives typed keys to no shell behind it (`K_OFF`). All is put back
//! as it was found: when the guard is dropped, so also by a panic; and when the program dies without
//! a word (a signal, SIGKILL, an abort) by its guardian, a small process that does nothing but wait
//! for that.
//!
//! Another terminal may come to the front meanwhile, and this one again: the kernel asks the program
//! first, by a signal, and waits for its answer ([`Console::leave`], [`Console::is_back`]).
//!
//! Without the right to a terminal, or without any, a program can still draw: the caller says so once.
#![cfg(target_os = "linux")]

mod guardian;
mod terminal;

pub use terminal::{Keyboard, Mode, State, Terminal};

use guardian::Guardian;
use std::io;
use terminal::Switching;

/// Where the program's own terminal is, and the one in front.
const PLACES: [&str; 2] = ["/dev/tty", "/dev/tty0"];

/// Why a console is not taken.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleError {
    /// This kernel has no virtual terminals, or none is in front.
    #[error("no virtual terminal here")]
    None,
    /// A call was refused.
    #[error("{tried} {on}: {cause}; run it on that terminal, or as root")]
    Refused {
        /// What was tried.
        tried: &'static str,
        /// On which node.
        on: &'static str,
        /// The answer.
        cause: io::Error,
    },
}

/// A terminal that is put aside until this is dropped.
#[derive(Debug)]
pub struct Console {
    terminal: Terminal,
    before: State,
    guardian: Option<Guardian>,
    on: &'static str,
}

impl Console {
    /// Puts the terminal aside: the program's own if that is a virtual one, else the one in front.
    /// `signals`: the one by which the kernel asks to switch to another terminal, and the one by
    /// which it tells that this one is back. Somebody listens to them already.
    ///
    /// # Errors
    /// When there is none, or it is somebody else's. Nothing is changed then.
    pub fn take(signals: [i32; 2]) -> Result<Self, ConsoleError> {
        let mut refused = None;
        for on in PLACES {
            let no = |tried| move |cause| ConsoleError::Refused { tried, on, cause };
            let terminal = match Terminal::open(on) {
                Ok(Some(t)) => t,
                Ok(None) => continue,
                Err(cause) => {
                    refused = Some(no("cannot open")(cause));
                    continue;
                }
            };
            let before = terminal.state().map_err(no("cannot ask"))?;
            // The guardian is there before there is something to guard.
            let guardian = Guardian::start(&terminal, before).map_err(no("cannot guard"))?;
            let console = Self { terminal, before, guardian: Some(guardian), on };
            let aside = State { mode: Mode::Graphics, keyboard: Keyboard::OFF };
            // Refused half way, what was changed is put back: the guard is dropped.
            console.terminal.set(aside).map_err(no("cannot take"))?;
            let by = Switching::by(signals);
            console.terminal.switching(by).map_err(no("cannot guard the switches of"))?;
            return Ok(console);
        }
        Err(refused.unwrap_or(ConsoleError::None))
    }

    /// Lets another terminal come to the front, as was asked for. Nothing of the glass may be in use.
    ///
    /// # Errors
    /// The system's answer.
    pub fn leave(&self) -> io::Result<()> {
        self.terminal.answer(false)
    }

    /// This terminal is in front again, and that is seen.
    ///
    /// # Errors
    /// The system's answer.
    pub fn is_back(&self) -> io::Result<()> {
        self.terminal.answer(true)
    }

    /// The node that was taken.
    pub fn node(&self) -> &'static str {
        self.on
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        // When these fail the terminal is gone; the guardian would fail as well.
        let _ = self.terminal.switching(Switching::KERNEL);
        let _ = self.terminal.set(self.before);
        if let Some(g) = self.guardian.take() {
            g.dismiss();
        }
    }
}
