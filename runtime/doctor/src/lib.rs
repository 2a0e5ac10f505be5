//! What keeps a board from showing an app well: a weak supply, a slow clock, a desktop that has the
//! screen, a group that the user is not in. All of it is read from the files in which the kernel
//! tells it; nothing is opened that others use, and nothing is changed.
//!
//! Every finding has a name, what was found, and where something is wrong the cure.
#![forbid(unsafe_code)]

mod board;
mod devices;
mod power;
mod screens;
mod system;

pub use power::{now as slowed_down, throttled};
pub use system::{System, User};

use core::fmt;

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// As it should be.
    Good,
    /// Good to know.
    Note,
    /// It works, and not as well as it could.
    Warning,
    /// An app will not run, or not show.
    Bad,
}

impl Grade {
    /// The word at the beginning of its line.
    pub const fn word(self) -> &'static str {
        match self {
            Grade::Good => "ok",
            Grade::Note => "note",
            Grade::Warning => "warn",
            Grade::Bad => "BAD",
        }
    }
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How grave it is.
    pub grade: Grade,
    /// What was looked at: one word.
    pub subject: &'static str,
    /// What was found.
    pub says: String,
    /// What to do about it.
    pub cure: Option<String>,
}

impl Finding {
    fn new(grade: Grade, subject: &'static str, says: impl Into<String>) -> Self {
        Self { grade, subject, says: says.into(), cure: None }
    }
    fn good(subject: &'static str, says: impl Into<String>) -> Self {
        Self::new(Grade::Good, subject, says)
    }
    fn note(subject: &'static str, says: impl Into<String>) -> Self {
        Self::new(Grade::Note, subject, says)
    }
    fn warning(subject: &'static str, says: impl Into<String>) -> Self {
        Self::new(Grade::Warning, subject, says)
    }
    fn bad(subject: &'static str, says: impl Into<String>) -> Self {
        Self::new(Grade::Bad, subject, says)
    }
    fn cure(mut self, what: impl Into<String>) -> Self {
        self.cure = Some(what.into());
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<5} {:<9} {}", self.grade.word(), self.subject, self.says)?;
        match &self.cure {
            Some(c) => write!(f, "\n{:<15} -> {c}", ""),
            None => Ok(()),
        }
    }
}

/// All that was found, in the order in which a board is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report(pub Vec<Finding>);

impl Report {
    /// Looks at a system.
    pub fn of(s: &System) -> Self {
        let mut all = Vec::new();
        board::look(s, &mut all);
        screens::look(s, &mut all);
        devices::look(s, &mut all);
        Self(all)
    }

    /// The gravest of its grades.
    pub fn grade(&self) -> Grade {
        self.0.iter().map(|f| f.grade).max().unwrap_or(Grade::Good)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.0 {
            writeln!(f, "{finding}")?;
        }
        let count = |g: Grade| self.0.iter().filter(|f| f.grade == g).count();
        match (count(Grade::Bad), count(Grade::Warning)) {
            (0, 0) => write!(f, "nothing is wrong"),
            (0, n) => write!(f, "{n} to better"),
            (n, m) => write!(f, "{n} wrong, {m} to better"),
        }
    }
}
