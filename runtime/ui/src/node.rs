//! What one pass of `view` declares: nodes in an arena, cleared and refilled each pass. A node's
//! parent stands before it; children are linked, since overlays hang themselves elsewhere.

use crate::style::Style;
use crate::{Icon, Tone};
use std::cell::Cell;
use std::panic::Location;
use std::sync::Arc;
use zinc_scene::{Image, PictureId, Rect};
use zinc_text::TextStyle;

/// Names an element across frames: call site and parent, or a list's key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub(crate) u64);

impl Key {
    pub(crate) const ROOT: Self = Self(0x5A49_4E43);

    /// The key of what is declared, or asked, at a call site in this element.
    pub(crate) fn at(self, place: &'static Location<'static>) -> Self {
        let part = (place.file().as_ptr() as u64)
            .wrapping_add(u64::from(place.line()) << 40)
            .wrapping_add(u64::from(place.column()) << 52);
        self.child(part)
    }

    pub(crate) fn child(self, part: u64) -> Self {
        let mut x = self.0.rotate_left(27).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ part;
        x ^= x >> 29;
        x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
        Self(x ^ (x >> 32))
    }
}

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// How children follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    Row,
    Col,
    /// On top of each other, the last in front.
    Stack,
}

/// What is painted between background and children.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Box,
    Text,
    Button(ButtonLook),
    Toggle { on: bool },
    Slider { part: f32 },
    Check { on: bool },
    Field { placeholder: Span },
    Canvas,
    Image { image: Picture, fit: Fit },
    Film(PictureId),
    Icon(Icon, f32),
    Busy,
}

/// How a button is painted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ButtonLook {
    pub(crate) variant: Variant,
    pub(crate) selected: bool,
    pub(crate) icon: Option<Icon>,
    pub(crate) start: bool,
}

/// The weight of a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// The one action of a screen.
    Primary,
    /// Everything else.
    Plain,
    /// No box until it is pointed at: bars, lists.
    Quiet,
    /// Deletes something.
    Danger,
}

/// What an image element shows.
#[derive(Clone, Debug)]
pub(crate) enum Picture {
    Ready(Arc<Image>),
    Loading,
    Failed,
}

/// How an image fills its box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fit {
    /// All of the box; what does not fit is cut.
    #[default]
    Cover,
    /// All of the image; what is left is empty.
    Contain,
}

/// A part of the pass's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// What a person may do to a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    /// Answers `clicked`.
    pub(crate) click: bool,
    /// Follows a finger at once (sliders, canvases).
    pub(crate) drag: bool,
    /// Scrolls its children up and down.
    pub(crate) scroll: bool,
    /// Moved, turned and scaled by fingers.
    pub(crate) pose: bool,
    /// Can hold the keyboard focus.
    pub(crate) focus: bool,
    /// Takes typed text when it does.
    pub(crate) edit: bool,
    /// Shown at 40 %, does nothing.
    pub(crate) disabled: bool,
    /// Stops what is behind it from being touched.
    pub(crate) blocks: bool,
    /// Keeps the focus inside (dialogs).
    pub(crate) trap: bool,
    /// Shrinks a little under the finger.
    pub(crate) presses: bool,
}

impl Flags {
    pub(crate) const NONE: Self = Self {
        click: false,
        drag: false,
        scroll: false,
        pose: false,
        focus: false,
        edit: false,
        disabled: false,
        blocks: false,
        trap: false,
        presses: false,
    };
}

/// One declared element.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) key: Key,
    /// Index of what is kept of it between frames.
    pub(crate) slot: u32,
    pub(crate) parent: u32,
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) next: u32,
    pub(crate) style: Style,
    pub(crate) flow: Flow,
    pub(crate) kind: Kind,
    pub(crate) flags: Flags,
    /// Somebody asked whether it is dragged: it follows fingers from the end of the pass on.
    pub(crate) asks_drag: Cell<bool>,
    pub(crate) text: Span,
    pub(crate) text_style: TextStyle,
    pub(crate) tone: Tone,
    /// Its box, in the coordinates of its slot's matrix.
    pub(crate) rect: Rect,
    /// It and all in it are as in the last frame; decided before recording.
    pub(crate) clean: bool,
}
