//! Zinc's interface layer: an app declares what is on the screen, each time anew; boxes, shaped
//! text, springs and scroll offsets are kept by key between frames.
//!
//! A view runs once per frame, and once more before it when there are events: an input pass in
//! which `clicked()` and its kin answer by the last layout, then the shown pass. Answers come in
//! the input pass only, so no picture is half old. Nothing runs while nothing happens.
//!
//! The crate knows no display: it takes events and gives command lists.
#![forbid(unsafe_code)]

pub mod anim;
mod declare;
mod el;
mod field;
mod icon;
mod input;
mod layout;
mod list;
mod node;
mod overlay;
mod paint;
mod painter;
mod pose;
mod retain;
mod slot;
mod style;
mod time;
mod tone;
mod ui;
mod work;

pub use declare::{ImageSource, Problem, Words};
pub use el::{El, type_scale};
pub use field::Field;
pub use icon::{Icon, icons};
pub use input::{SLOP, Shortcut};
pub use node::{Fit, Key, Variant};
pub use overlay::Dialog;
pub use painter::{Ink, Painter, RectShape, Revision, Shape};
pub use pose::{POSE_SCALE, Pose};
pub use style::{Align, Depth, FREE, Justify, Len, Motion, S, Style};
pub use tone::{Hue, Theme, Token, Tone, tones};
pub use ui::{Counts, Output, Ui};
pub use work::{Error, Inbox, Latest, Post, Result, Sender, Spawner, Task};
