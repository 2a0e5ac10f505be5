//! Apps and how they end.

use crate::film::{Film, Films};
use std::process::{ExitCode, Termination};
use zinc_scene::PictureId;
use zinc_ui::{Hue, Latest, Sender, Spawner, Task, Ui};

/// An app: state, and what it looks like. Any `FnMut(&mut Ui)` is one.
pub trait App {
    /// Called once, before the first view: start work, add fonts, read settings.
    fn start(&mut self, cx: &mut Cx<'_>) {
        let _ = cx;
    }
    /// Declares the screen. Called when something happened, never when idle; it must not block.
    fn view(&mut self, ui: &mut Ui);
}

impl<F: FnMut(&mut Ui)> App for F {
    fn view(&mut self, ui: &mut Ui) {
        self(ui);
    }
}

/// What an app reaches at its start.
#[derive(Debug)]
pub struct Cx<'a> {
    pub(crate) ui: &'a mut Ui,
    pub(crate) demo: Option<&'a str>,
    pub(crate) films: &'a mut Films,
}

impl Cx<'_> {
    /// The interface, to set theme and fonts.
    pub fn ui(&mut self) -> &mut Ui {
        self.ui
    }
    /// The scripted state asked for by `ZINC_DEMO`.
    pub fn demo(&self) -> Option<&str> {
        self.demo
    }
    /// Runs `f` on a thread of its own; it may block. The loop wakes when it ends.
    pub fn spawn<T: Send + Sync + 'static>(
        &self,
        f: impl FnOnce() -> T + Send + 'static,
    ) -> Task<T> {
        self.ui.spawn(f)
    }
    /// Runs `f` for the life of the program; each value it sets wakes the loop, at most once a
    /// frame.
    pub fn thread<T: Send + 'static>(
        &self,
        to: &Latest<T>,
        f: impl FnOnce(Sender<T>) + Send + 'static,
    ) {
        self.ui.spawner().thread(to, f);
    }
    /// Where background work is started, to keep.
    pub fn spawner(&self) -> Spawner {
        self.ui.spawner().clone()
    }
    /// Adds a font (TrueType or OpenType); text asks it before the built-in ones.
    ///
    /// # Errors
    /// When the bytes are no font that can be read.
    pub fn font(&mut self, bytes: Vec<u8>) -> Result<(), zinc_text::FontError> {
        self.ui.text_engine().fonts_mut().add(bytes, None).map(|_| ())
    }
    /// Adds a film source; show it with `ui.picture`.
    pub fn film(&mut self, film: impl Film + 'static) -> PictureId {
        self.films.add(Box::new(film))
    }
    /// The accent to start with.
    pub fn accent(&mut self, hue: Hue) {
        let theme = zinc_ui::Theme { accent: hue, ..self.ui.theme() };
        self.ui.set_theme(theme);
    }
}

/// How a program ended; `main` returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: it ended.
    Ended,
    /// 1: the app or one of its files failed.
    Failed,
    /// 2: no display that works, or no permission.
    NoDisplay,
    /// 101: the app panicked, too often if it may restart.
    Crashed,
}

impl Exit {
    /// The process's exit code.
    pub const fn code(self) -> u8 {
        match self {
            Exit::Ended => 0,
            Exit::Failed => 1,
            Exit::NoDisplay => 2,
            Exit::Crashed => 101,
        }
    }
}

impl Termination for Exit {
    fn report(self) -> ExitCode {
        ExitCode::from(self.code())
    }
}
