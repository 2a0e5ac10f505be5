//! What the runtime keeps of an element between frames: its layout node, its shaped text, its
//! animation values, and, for those that need it, scroll offsets, editors, canvases.

use crate::node::Key;
use crate::retain::Look;
use crate::style;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;
use zinc_scene::{CommandList, Matrix, Point, Recorder, Rect, Surroundings};
use zinc_text::{Editor, Paragraph, TextStyle};

/// Keys are hashes already.
#[derive(Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 << 8) ^ u64::from(*b);
        }
    }
    fn write_u64(&mut self, v: u64) {
        self.0 = v;
    }
}

/// A map by key.
pub(crate) type KeyMap<V> = HashMap<Key, V, BuildHasherDefault<KeyHasher>>;

/// A value on its way: from what was drawn last to what is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Glide(pub(crate) f32);

/// Values that states move, 0..=1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Glides {
    pub(crate) hover: Glide,
    pub(crate) press: Glide,
    pub(crate) on: Glide,
    pub(crate) busy: Glide,
}

/// Kept of a scrolling element.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scroll {
    pub(crate) offset: f32,
    pub(crate) velocity: f32,
    pub(crate) content: f32,
    pub(crate) view: f32,
    /// The offset of the last layout.
    pub(crate) drawn_at: f32,
    /// Where it is going on its own (keyboard, `scroll_to`).
    pub(crate) target: Option<f32>,
}

impl Scroll {
    pub(crate) fn max(&self) -> f32 {
        (self.content - self.view).max(0.0)
    }
}

/// Kept of a virtual list.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// Height of each row that was measured, by its key.
    pub(crate) heights: KeyMap<f32>,
    /// Of all measured rows, for the others.
    pub(crate) mean: f32,
    /// Keys of all rows in the last pass, kept for their memory.
    pub(crate) names: Vec<Key>,
    /// The range declared in the last pass.
    pub(crate) shown: std::ops::Range<usize>,
}

/// Kept of a canvas.
#[derive(Debug, Default)]
pub(crate) struct CanvasState {
    pub(crate) recorder: Recorder,
    pub(crate) list: Option<Arc<CommandList>>,
    pub(crate) revision: u64,
    pub(crate) size: (f32, f32),
    pub(crate) theme: u64,
    /// How often it was drawn.
    pub(crate) drawn: u64,
}

/// What only few elements keep.
#[derive(Debug, Default)]
pub(crate) struct Extra {
    pub(crate) scroll: Option<Scroll>,
    pub(crate) rows: Option<Rows>,
    pub(crate) canvas: Option<CanvasState>,
    pub(crate) editor: Option<Editor>,
    /// Scroll of a text field's content.
    pub(crate) field_scroll: f32,
    pub(crate) pose_velocity: Point,
    pub(crate) pose_frame: u64,
}

/// Kept of every element.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) key: Key,
    /// Pass in which it was last declared.
    pub(crate) pass: u64,
    /// Frame in which it was last recorded or kept by itself, and in which it was last recorded.
    /// What is kept with its parent is not told: see [`crate::retain`].
    pub(crate) shown_frame: u64,
    pub(crate) recorded_frame: u64,
    /// How often its call site was met in this pass.
    pub(crate) copies: u32,
    pub(crate) node: u32,
    /// Slot of the element declared next in some earlier pass.
    pub(crate) follower: u32,
    pub(crate) layout: taffy::NodeId,
    pub(crate) layout_style: Option<(style::Layout, crate::node::Flow, bool)>,
    pub(crate) children: u64,
    pub(crate) text_hash: u64,
    pub(crate) text_style: TextStyle,
    pub(crate) paragraph: Option<Arc<Paragraph>>,
    pub(crate) paragraph_width: u32,
    pub(crate) rect: Rect,
    pub(crate) glides: Glides,
    /// Seconds since it came, for `enter`.
    pub(crate) age: f32,
    /// Its commands, counted from its parent's first: for `exit`, and to be kept.
    pub(crate) fragment: std::ops::Range<usize>,
    /// What surrounded them.
    pub(crate) surroundings: Surroundings,
    /// Takes its box to pixels of the surface; set when it is recorded.
    pub(crate) matrix: Matrix,
    pub(crate) look: Look,
    /// Frame in which its layout, text, box or look last changed.
    pub(crate) changed: u64,
    /// An animation of its own was on its way when it was last recorded.
    pub(crate) moving: bool,
    pub(crate) exit: crate::Motion,
    pub(crate) parent: Key,
    pub(crate) extra: Option<Box<Extra>>,
}

impl Slot {
    pub(crate) fn new(key: Key, layout: taffy::NodeId) -> Self {
        Self {
            key,
            pass: 0,
            shown_frame: 0,
            recorded_frame: 0,
            copies: 0,
            node: 0,
            follower: u32::MAX,
            layout,
            layout_style: None,
            children: 0,
            text_hash: 0,
            text_style: TextStyle::default(),
            paragraph: None,
            paragraph_width: 0,
            rect: Rect::default(),
            glides: Glides::default(),
            age: 0.0,
            fragment: 0..0,
            surroundings: Surroundings::default(),
            matrix: Matrix::IDENTITY,
            look: Look::NONE,
            changed: 0,
            moving: false,
            exit: crate::Motion::None,
            parent: Key(0),
            extra: None,
        }
    }
    pub(crate) fn extra(&mut self) -> &mut Extra {
        self.extra.get_or_insert_default()
    }
    pub(crate) fn scroll(&self) -> Option<Scroll> {
        self.extra.as_ref().and_then(|e| e.scroll)
    }
}
