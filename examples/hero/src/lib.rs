//! Hero: Zinc's showcase. A shell with a sidebar and five screens, each of which exercises a part
//! of the runtime: live data, generative art, physics, lists and forms, settings.
//!
//! A library beside the program, so that tests drive the app without a display.

mod app;
mod art;
mod demo;
mod gallery;
mod home;
mod palette;
mod playground;
mod settings;
mod tasks;

pub use app::Hero;
