//! Input as the runtime sees it: positions in surface pixels, times of the event itself.

use crate::Placement;
use std::time::Duration;
use zinc_scene::Point;

/// Names a pointer: the mouse is 0, a contact has its own number while it is down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PointerId(pub u32);

/// What points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointerKind {
    /// Hovers.
    Mouse,
    /// Only exists while it is down.
    Touch,
}

/// What a pointer did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointerPhase {
    /// A button or contact went down.
    Down,
    /// It moved, down or not.
    Move,
    /// It came up.
    Up,
    /// It is gone without a decision: nothing is clicked (device unplugged, contact lost).
    Cancel,
    /// The mouse left the surface.
    Leave,
}

/// A mouse button; a contact counts as the primary one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Button {
    /// Left, or a finger.
    #[default]
    Primary,
    /// Right.
    Secondary,
    /// Wheel.
    Middle,
}

/// A pointer event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointerEvent {
    /// Which pointer.
    pub id: PointerId,
    /// Its kind.
    pub kind: PointerKind,
    /// What it did.
    pub phase: PointerPhase,
    /// Where, in surface pixels; may lie outside while it is down.
    pub position: Point,
    /// Which button, for `Down` and `Up`.
    pub button: Button,
}

/// A wheel or a touchpad scroll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelEvent {
    /// Where the pointer is.
    pub position: Point,
    /// Surface pixels to scroll by: positive shows what lies further right and down.
    pub delta: Point,
}

/// Modifier keys held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modifiers {
    /// Shift.
    pub shift: bool,
    /// Control (Command on a Mac's browser).
    pub ctrl: bool,
    /// Alt.
    pub alt: bool,
}

/// A key by what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A key that writes this character (without control or alt), lower case.
    Char(char),
    /// Any other.
    Named(NamedKey),
}

/// Keys that write nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the keys' own")]
pub enum NamedKey {
    Enter,
    Escape,
    Tab,
    Backspace,
    Delete,
    Space,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    PageUp,
    PageDown,
}

impl NamedKey {
    /// All of them with the names used in scripts and by browsers.
    pub const NAMES: [(&'static str, NamedKey); 14] = [
        ("Enter", NamedKey::Enter),
        ("Escape", NamedKey::Escape),
        ("Tab", NamedKey::Tab),
        ("Backspace", NamedKey::Backspace),
        ("Delete", NamedKey::Delete),
        ("Space", NamedKey::Space),
        ("ArrowLeft", NamedKey::Left),
        ("ArrowRight", NamedKey::Right),
        ("ArrowUp", NamedKey::Up),
        ("ArrowDown", NamedKey::Down),
        ("Home", NamedKey::Home),
        ("End", NamedKey::End),
        ("PageUp", NamedKey::PageUp),
        ("PageDown", NamedKey::PageDown),
    ];
}

impl Key {
    /// From a name of [`NamedKey::NAMES`], or a single character.
    pub fn from_name(name: &str) -> Option<Self> {
        if let Some((_, k)) = NamedKey::NAMES.iter().find(|(n, _)| *n == name) {
            return Some(Key::Named(*k));
        }
        let mut it = name.chars();
        match (it.next(), it.next()) {
            (Some(' '), None) => Some(Key::Named(NamedKey::Space)),
            (Some(c), None) => Some(Key::Char(c.to_lowercase().next().unwrap_or(c))),
            _ => None,
        }
    }
}

/// What a person did.
#[derive(Clone, Debug, PartialEq)]
pub enum InputEvent {
    /// Mouse or finger.
    Pointer(PointerEvent),
    /// Scrolling.
    Wheel(WheelEvent),
    /// A key went down (again, when it repeats).
    KeyDown {
        /// Which.
        key: Key,
        /// With what.
        modifiers: Modifiers,
    },
    /// A key came up.
    KeyUp {
        /// Which.
        key: Key,
    },
    /// Characters were written, after layout, dead keys and compose.
    Text(String),
    /// The clipboard's text arrives.
    Paste(String),
}

/// An event with its own time.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed {
    /// Since the program's start, on the monotonic clock.
    pub at: Duration,
    /// What happened.
    pub event: InputEvent,
}

/// Devices that point and type, beside a display that has none of its own. Lives on the main
/// thread.
pub trait InputSource {
    /// Readable when [`InputSource::poll`] will have something; one for all devices, also those
    /// that come later. It stays the same.
    ///
    /// # Errors
    /// When the system has no descriptor left.
    #[cfg(unix)]
    fn descriptor(&self) -> std::io::Result<std::os::fd::OwnedFd>;
    /// Appends what happened since the last call, in order of time. Never waits.
    fn poll(&mut self, place: &Placement, events: &mut Vec<Timed>);
    /// Since the program's start, when `poll` will have something without the descriptor: a key
    /// that is held repeats.
    fn due(&self) -> Option<Duration> {
        None
    }
    /// It plays what was recorded, a packet with each `poll`: the same in virtual time.
    fn is_recorded(&self) -> bool {
        false
    }
}

/// Input devices that may not be used: what was tried, on what, what was answered, what to do.
#[derive(Debug, thiserror::Error)]
#[error("{tried} {on}: {cause}; {cure}")]
pub struct InputError {
    /// What was tried, as a verb phrase ("cannot open").
    pub tried: &'static str,
    /// On which nodes.
    pub on: String,
    /// The answer.
    pub cause: std::io::Error,
    /// What to do about it.
    pub cure: String,
}
