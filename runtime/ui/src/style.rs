//! Styles: small, `Copy`, `const`. `S` is the empty one; each method gives a changed copy.
//!
//! Lengths are layout pixels. What touches layout: sizes, padding, gaps, alignment. What never
//! does: colours, shadows, opacity, scale, offset, turn.

use crate::Tone;

/// A length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Len {
    /// As large as the content, or as the parent stretches it.
    #[default]
    Auto,
    /// Pixels.
    Px(f32),
    /// A part of the parent, 1 is all of it.
    Part(f32),
}

/// Where children lie across the direction of their container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// At the start.
    Start,
    /// In the middle.
    Center,
    /// At the end.
    End,
    /// As wide as the container.
    Stretch,
    /// First text lines on one line.
    Baseline,
}

/// Where children lie along the direction of their container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Justify {
    /// At the start.
    Start,
    /// In the middle.
    Center,
    /// At the end.
    End,
    /// First and last at the edges, equal space between.
    Between,
}

/// The two depths of the look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// None.
    Flat,
    /// A card.
    Card,
    /// A dialog, a menu.
    Floating,
}

/// How an element comes or goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// At once.
    None,
    /// Opacity.
    Fade,
    /// From below, or back down.
    SlideUp,
    /// From above, or back up.
    SlideDown,
    /// From the right, or to the left.
    SlideLeft,
    /// From the left, or to the right.
    SlideRight,
    /// From a little smaller.
    Grow,
}

/// An edge that [`Style::pin`] leaves free.
pub const FREE: f32 = f32::MAX;

/// Distances of an absolute element from the edges of its parent; [`FREE`] leaves one free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Inset {
    pub(crate) left: f32,
    pub(crate) top: f32,
    pub(crate) right: f32,
    pub(crate) bottom: f32,
}

/// How an element is laid out and painted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    pub(crate) layout: Layout,
    pub(crate) paint: Paint,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) width: Len,
    pub(crate) height: Len,
    pub(crate) min_width: Len,
    pub(crate) min_height: Len,
    pub(crate) max_width: Len,
    pub(crate) max_height: Len,
    /// Top, right, bottom, left.
    pub(crate) pad: [f32; 4],
    pub(crate) gap: f32,
    pub(crate) grow: f32,
    pub(crate) basis: Len,
    pub(crate) shrink: f32,
    pub(crate) align: Option<Align>,
    pub(crate) align_self: Option<Align>,
    pub(crate) justify: Option<Justify>,
    pub(crate) wrap: bool,
    pub(crate) aspect: f32,
    pub(crate) inset: Option<Inset>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Paint {
    pub(crate) fill: Tone,
    pub(crate) border_width: f32,
    pub(crate) border: Tone,
    pub(crate) radius: f32,
    pub(crate) depth: Depth,
    pub(crate) opacity: f32,
    pub(crate) clip: bool,
    pub(crate) scale: f32,
    pub(crate) dx: f32,
    pub(crate) dy: f32,
    pub(crate) turn: f32,
    pub(crate) enter: Motion,
    pub(crate) exit: Motion,
    pub(crate) delay_ms: u16,
}

/// The empty style, where every style starts: `S.pad(16.).gap(12.)`.
pub const S: Style = Style {
    layout: Layout {
        width: Len::Auto,
        height: Len::Auto,
        min_width: Len::Auto,
        min_height: Len::Auto,
        max_width: Len::Auto,
        max_height: Len::Auto,
        pad: [0.0; 4],
        gap: 0.0,
        grow: 0.0,
        basis: Len::Auto,
        shrink: 1.0,
        align: None,
        align_self: None,
        justify: None,
        wrap: false,
        aspect: 0.0,
        inset: None,
    },
    paint: Paint {
        fill: Tone::NONE,
        border_width: 0.0,
        border: Tone::NONE,
        radius: 0.0,
        depth: Depth::Flat,
        opacity: 1.0,
        clip: false,
        scale: 1.0,
        dx: 0.0,
        dy: 0.0,
        turn: 0.0,
        enter: Motion::None,
        exit: Motion::None,
        delay_ms: 0,
    },
};

/// One setter of a field, by value, `const`.
macro_rules! set {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $ty:ty),*) => $($group:ident.$field:ident = $value:expr),+;)*) => {
        impl Style {
            $($(#[$doc])*
            pub const fn $name(mut self, $($arg: $ty),*) -> Self {
                $(self.$group.$field = $value;)+
                self
            })*
        }
    };
}

set! {
    /// The same padding on all sides.
    pad(v: f32) => layout.pad = [v; 4];
    /// Padding: top, right, bottom, left.
    pad_each(t: f32, r: f32, b: f32, l: f32) => layout.pad = [t, r, b, l];
    /// Space between children.
    gap(v: f32) => layout.gap = v;
    /// A fixed width.
    width(v: f32) => layout.width = Len::Px(v);
    /// A fixed height.
    height(v: f32) => layout.height = Len::Px(v);
    /// A fixed width and height.
    size(w: f32, h: f32) => layout.width = Len::Px(w), layout.height = Len::Px(h);
    /// A width as a part of the parent's, 1 is all of it.
    width_part(v: f32) => layout.width = Len::Part(v);
    /// A height as a part of the parent's, 1 is all of it.
    height_part(v: f32) => layout.height = Len::Part(v);
    /// As large as the parent.
    fill_parent() => layout.width = Len::Part(1.0), layout.height = Len::Part(1.0);
    /// Never narrower.
    min_width(v: f32) => layout.min_width = Len::Px(v);
    /// Never lower.
    min_height(v: f32) => layout.min_height = Len::Px(v);
    /// Never wider.
    max_width(v: f32) => layout.max_width = Len::Px(v);
    /// Never higher.
    max_height(v: f32) => layout.max_height = Len::Px(v);
    /// Takes the space that is left, shared with others that grow.
    grow() => layout.grow = 1.0, layout.min_width = Len::Px(0.0), layout.min_height = Len::Px(0.0);
    /// Takes a share of the space that is left.
    grow_by(v: f32) => layout.grow = v, layout.min_width = Len::Px(0.0), layout.min_height = Len::Px(0.0);
    /// Takes an equal share of the space, whatever its content.
    share() => layout.grow = 1.0, layout.basis = Len::Px(0.0), layout.min_width = Len::Px(0.0), layout.min_height = Len::Px(0.0);
    /// Keeps its size when space is short.
    rigid() => layout.shrink = 0.0;
    /// Where children lie across the container.
    align(a: Align) => layout.align = Some(a);
    /// Children in the middle, both ways.
    centered() => layout.align = Some(Align::Center), layout.justify = Some(Justify::Center);
    /// Where this one lies across its container.
    align_self(a: Align) => layout.align_self = Some(a);
    /// Where children lie along the container.
    justify(j: Justify) => layout.justify = Some(j);
    /// Children go on in the next line when there is no room.
    wrap() => layout.wrap = true;
    /// Width over height, kept when one of them is free.
    aspect(v: f32) => layout.aspect = v;
    /// Taken out of the flow, this far from the parent's edges; [`FREE`] leaves one free.
    pin(left: f32, top: f32, right: f32, bottom: f32) =>
        layout.inset = Some(Inset { left, top, right, bottom });
    /// Its background.
    fill(t: Tone) => paint.fill = t;
    /// A line inside its edge.
    border(width: f32, t: Tone) => paint.border_width = width, paint.border = t;
    /// Round corners.
    radius(v: f32) => paint.radius = v;
    /// A card's shadow (light themes) or line (dark themes).
    card() => paint.depth = Depth::Card;
    /// A dialog's shadow.
    floating() => paint.depth = Depth::Floating;
    /// 0 is invisible, 1 is as it is. Its content fades as one.
    opacity(v: f32) => paint.opacity = v;
    /// Hides what leaves its box.
    clip() => paint.clip = true;
    /// Drawn larger or smaller about its middle; layout does not notice.
    scale(v: f32) => paint.scale = v;
    /// Drawn elsewhere; layout does not notice.
    offset(dx: f32, dy: f32) => paint.dx = dx, paint.dy = dy;
    /// Drawn turned about its middle, radians clockwise; layout does not notice.
    turn(v: f32) => paint.turn = v;
    /// How it comes.
    enter(m: Motion) => paint.enter = m;
    /// How it goes, from its last picture.
    exit(m: Motion) => paint.exit = m;
    /// Its coming waits, for rows of things that follow each other.
    delay_ms(v: u16) => paint.delay_ms = v;
}

impl Style {
    /// Padding left and right.
    pub const fn pad_x(mut self, v: f32) -> Self {
        self.layout.pad[1] = v;
        self.layout.pad[3] = v;
        self
    }
    /// Padding above and below.
    pub const fn pad_y(mut self, v: f32) -> Self {
        self.layout.pad[0] = v;
        self.layout.pad[2] = v;
        self
    }
}

impl Default for Style {
    fn default() -> Self {
        S
    }
}
