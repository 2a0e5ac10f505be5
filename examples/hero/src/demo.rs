//! Scripted states (`ZINC_DEMO`): each screen at once, and a tour of all for measurements.

use crate::app::{Hero, Question, Tab};
use crate::palette::Palette;
use zinc::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demo {
    Home,
    Gallery,
    Detail,
    Playground,
    Tasks,
    Settings,
    Palette,
    Dialog,
    Dark,
    Bench,
}

/// Frames per stop of the tour.
const STOP: u64 = 60;

impl Demo {
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "home" => Demo::Home,
            "gallery" => Demo::Gallery,
            "detail" => Demo::Detail,
            "playground" => Demo::Playground,
            "tasks" => Demo::Tasks,
            "settings" => Demo::Settings,
            "palette" => Demo::Palette,
            "dialog" => Demo::Dialog,
            "dark" => Demo::Dark,
            "bench" => Demo::Bench,
            _ => {
                eprintln!(
                    "hero: there is no demo {name:?}; there are home, gallery, detail, \
                     playground, tasks, settings, palette, dialog, dark, bench"
                );
                return None;
            }
        })
    }

    /// Puts the app into the demo's state.
    pub(crate) fn start(self, app: &mut Hero) {
        match self {
            Demo::Home | Demo::Bench => app.go(Tab::Home),
            Demo::Gallery => app.go(Tab::Gallery),
            Demo::Detail => {
                app.go(Tab::Gallery);
                app.gallery.show(0);
            }
            Demo::Playground => app.go(Tab::Playground),
            Demo::Tasks => app.go(Tab::Tasks),
            Demo::Settings => app.go(Tab::Settings),
            Demo::Palette => app.palette = Some(Palette::asking("go")),
            Demo::Dialog => {
                app.go(Tab::Tasks);
                app.question = Some(Question::ClearDone);
            }
            Demo::Dark => {
                app.go(Tab::Home);
                app.theme.dark = true;
            }
        }
    }

    /// The tour: a stop each second, a frame each tick, then the end.
    pub(crate) fn step(self, app: &mut Hero, ui: &mut Ui) {
        if self != Demo::Bench {
            return;
        }
        ui.request_frame();
        let frame = ui.frame_number() - 1;
        if !frame.is_multiple_of(STOP) {
            return;
        }
        app.question = None;
        app.palette = None;
        match frame / STOP {
            0 => app.go(Tab::Home),
            1 => app.go(Tab::Gallery),
            2 => {
                app.go(Tab::Gallery);
                app.gallery.show(4);
            }
            3 => app.go(Tab::Playground),
            4 => app.go(Tab::Tasks),
            5 => app.go(Tab::Settings),
            6 => app.palette = Some(Palette::asking("open")),
            7 => app.question = Some(Question::Reset),
            8 => {
                app.theme.dark = true;
                app.go(Tab::Home);
            }
            9 => app.go(Tab::Gallery),
            _ => ui.quit(),
        }
    }
}
