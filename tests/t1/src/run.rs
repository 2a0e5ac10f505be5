//! Running a program to its end, with exactly the switches that a test names.

use crate::programs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What a program left behind.
#[derive(Debug)]
pub struct Ended {
    /// Exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// How long it ran.
    pub took: Duration,
}

impl Ended {
    /// Fails the test unless the program ended with `code`.
    ///
    /// # Panics
    /// When it ended otherwise.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }

    /// Fails the test unless standard error holds all of these.
    ///
    /// # Panics
    /// When one of them is not said.
    #[track_caller]
    pub fn said(self, words: &[&str]) -> Self {
        for w in words {
            assert!(self.err.contains(w), "nothing says {w:?}:\n{}", self.err);
        }
        self
    }

    /// How often standard error says this.
    pub fn times(&self, words: &str) -> usize {
        self.err.matches(words).count()
    }
}

/// A command without any `ZINC_*` of the surrounding environment. Width and colours of messages
/// are those of a plain pipe. Programs of another processor run in their emulator.
pub fn command(program: &Path) -> Command {
    let runner = programs::foreign().filter(|folder| program.starts_with(folder));
    let runner = runner.and_then(|_| std::env::var("ZINC_T1_RUNNER").ok()).unwrap_or_default();
    let mut words = runner.split_whitespace();
    let mut c = match words.next() {
        Some(first) => {
            let mut c = Command::new(first);
            c.args(words).arg(program);
            c
        }
        None => Command::new(program),
    };
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("ZINC_") {
            c.env_remove(&name);
        }
    }
    c.env("NO_COLOR", "1").stdin(Stdio::null());
    c
}

/// A command on the simulated display, with virtual time, for `frames` frames.
pub fn on_sim(program: &Path, frames: u32) -> Command {
    let mut c = command(program);
    c.env("ZINC_DISPLAY", "sim").env("ZINC_DETERMINISTIC", "1");
    c.env("ZINC_FRAMES", frames.to_string());
    c
}

/// Runs a command to its end.
///
/// # Panics
/// When it cannot be started.
pub fn end(c: &mut Command) -> Ended {
    let start = Instant::now();
    let o = c.output().unwrap_or_else(|e| panic!("{c:?} cannot be started: {e}"));
    Ended {
        code: o.status.code(),
        out: String::from_utf8_lossy(&o.stdout).into_owned(),
        err: String::from_utf8_lossy(&o.stderr).into_owned(),
        took: start.elapsed(),
    }
}

/// The number after a word of what `ZINC_PROFILE` prints.
///
/// # Panics
/// When it is not there.
#[track_caller]
pub fn counted(said: &str, what: &str) -> u64 {
    let at = said.find(what).unwrap_or_else(|| panic!("no {what:?} in:\n{said}"));
    let rest = said[at + what.len()..].trim_start();
    let number = rest.split([',', '\n']).next().and_then(|n| n.trim().parse().ok());
    number.unwrap_or_else(|| panic!("no number after {what:?} in:\n{said}"))
}

/// Sends a signal to a program that runs.
///
/// # Panics
/// When the system refuses.
#[cfg(unix)]
#[track_caller]
pub fn send(to: &Child, signal: rustix::process::Signal) {
    let id = i32::try_from(to.id()).ok().and_then(rustix::process::Pid::from_raw);
    let sent = id.map(|id| rustix::process::kill_process(id, signal));
    assert!(matches!(sent, Some(Ok(()))), "{signal:?}: {sent:?}");
}

/// Descriptors that a program has open.
#[cfg(target_os = "linux")]
pub fn open_files(of: &Child) -> usize {
    std::fs::read_dir(format!("/proc/{}/fd", of.id())).map_or(0, Iterator::count)
}
