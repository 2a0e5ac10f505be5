//! Zinc: an embedded UI runtime for boards with no desktop.
//!
//! ```no_run
//! use zinc::prelude::*;
//! fn main() -> zinc::Exit {
//!     let mut n = 0;
//!     zinc::run(move |ui: &mut Ui| {
//!         ui.center(|ui| {
//!             ui.text(format_args!("Pressed {n} times")).title();
//!             if ui.button("Press").clicked() {
//!                 n += 1
//!             }
//!         });
//!     })
//! }
//! ```
//!
//! An app is one struct and one function that declares its screen. It runs on the display that
//! `ZINC_DISPLAY` or the project names; `docs/env_vars.md` lists every switch.
#![forbid(unsafe_code)]

mod app;
mod backlight;
pub mod calibrate;
mod care;
mod displays;
mod film;
mod hud;
mod inputs;
mod log;
mod profile;
mod render;
pub mod replay;
mod resample;
mod run;
mod screen;
mod script;
mod seat;
mod session;
mod shot;
#[cfg(unix)]
mod signals;
mod switches;
pub mod testing;

pub use app::{App, Cx, Exit};
pub use displays::NoDisplay;
pub use film::Film;
pub use run::{run, run_with};
pub use script::{Script, ScriptError};
pub use shot::ShotError;
pub use switches::{Crash, FbdevSwitches, Hashes, InputSwitches, SwitchError, Switches};

pub use zinc_hal as hal;
pub use zinc_scene as scene;
pub use zinc_text as text;
pub use zinc_ui as ui;

/// What an app needs, in one line.
pub mod prelude {
    pub use crate::{App, Cx, Exit, Film};
    pub use std::time::Duration;
    pub use zinc_hal::NamedKey;
    pub use zinc_scene::{
        BlendMode, Color, FillRule, Image, Matrix, Paint, Path, PictureId, Point, Rect, SharedPath,
        Size, Stop, StrokeStyle, math,
    };
    pub use zinc_text::TextStyle;
    pub use zinc_ui::Motion::{Fade, Grow, SlideDown, SlideLeft, SlideRight, SlideUp};
    pub use zinc_ui::{
        Align, Error, FREE, Fit, Hue, Icon, Inbox, Justify, Latest, Motion, Painter, Pose, Result,
        S, Shortcut, Style, Task, Theme, Tone, Ui, Variant, anim, icons, tones, tones::*,
        type_scale,
    };
}

/// The image cache of a run: decodes beside the loop, or at once when time is virtual.
pub(crate) fn images(s: &Switches, waker: zinc_hal::Waker) -> zinc_image::ImageCache {
    use zinc_image::{CacheOptions, ImageCache, Mode};
    let mode = if s.deterministic { Mode::Now } else { Mode::Worker };
    ImageCache::new(CacheOptions { mode, ..CacheOptions::default() }, move || waker())
}
