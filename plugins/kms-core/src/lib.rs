//! Kernel mode setting, without any policy of a display.
//!
//! A *card* is a node such as `/dev/dri/card0`. It has *connectors* (a plug or a panel: `DSI-1`),
//! *encoders* that feed them, *CRTCs* that scan a picture out with the timings of a *mode*, and
//! *planes* that the CRTC stacks: one *primary*, perhaps overlays and a cursor. A plane shows a
//! *framebuffer*, which is an id for memory with a format and a *pitch* (bytes from row to row).
//! An *atomic* commit changes properties of all of these at once, or nothing; before it there were
//! separate calls, which are *legacy* and which old drivers have alone. A *page flip* shows another
//! framebuffer from the next vertical blank on and sends an event then.
//!
//! Planes carry limits that cannot be asked for. Every use of one has a fallback.
#![cfg(target_os = "linux")]

mod card;
mod choose;
mod kms;
mod layer;
mod memory;
#[cfg(feature = "mock")]
pub mod mock;
mod saved;
mod types;
mod uevent;
pub mod writeback;

pub use card::{Card, SystemCards};
pub use choose::{ChoiceError, ModeWish, Output, Wish, mode_of, output, outputs, primary_plane};
pub use kms::{Cards, Commit, Kms};
pub use layer::{Layer, Plane};
pub use memory::Memory;
pub use saved::Saved;
pub use types::{
    Changes, Connector, Crtc, Dumb, Encoder, Flip, Fourcc, Id, Mode, Object, PlaneInfo, Property,
    Rect, Resources, fourcc,
};
pub use uevent::Uevents;
