//! The edge between the runtime and devices: what a display and an input device are, as traits
//! and plain types. Nothing here knows a driver; every driver knows this.
#![forbid(unsafe_code)]

mod display;
mod input;
mod place;
#[cfg(unix)]
mod rights;

pub use display::{
    Display, DisplayError, DisplayEvent, DisplayInfo, Frame, PixelBuffer, Slot, Waker,
};
pub use input::{
    Button, InputError, InputEvent, InputSource, Key, Modifiers, NamedKey, PointerEvent, PointerId,
    PointerKind, PointerPhase, Timed, WheelEvent,
};
pub use place::{Placement, turn_unit};
#[cfg(unix)]
pub use rights::join_group;
