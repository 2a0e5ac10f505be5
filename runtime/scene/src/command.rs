//! The closed set of commands and the arenas they point into. Plain data: `Copy`, no `Drop`, no
//! pointer; variable parts live in side arenas by index.

use crate::{
    Color, FillRule, Glyph, GlyphSource, Gradient, IRect, Image, Matrix, PaintRef, PathRef,
    PictureId, Point, Radii, Rect, SharedPath, Stop, Stroke, Verb,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A run of elements in an arena.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    /// First element.
    pub start: u32,
    /// Elements.
    pub len: u32,
}

impl Span {
    /// As an index range (never overflows: both halves are `u32`).
    pub const fn range(self) -> core::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}

/// How an image is sampled when its pixels do not fall on the target's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Filter {
    /// Bilinear down to one half, area average below.
    #[default]
    Smooth,
    /// The nearest pixel.
    Nearest,
}

/// How a layer meets what is below it. A transparent layer changes nothing in every mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BlendMode {
    /// Source over destination.
    #[default]
    SourceOver,
    /// Darkens: product of the colours.
    Multiply,
    /// Lightens: product of the inverses.
    Screen,
    /// Sum, saturating.
    Plus,
    /// Per channel the darker.
    Darken,
    /// Per channel the lighter.
    Lighten,
}

/// The outline of a clip, in the command's coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ClipShape {
    /// A box, with round corners where the radii are not zero.
    Rect {
        /// The box.
        rect: Rect,
        /// Its corners.
        radii: Radii,
    },
    /// A path.
    Path {
        /// The outline.
        path: PathRef,
        /// Its inside.
        rule: FillRule,
    },
}

/// What a command does. Geometry is in the coordinates of the command's matrix.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Op {
    /// Replaces every pixel of the clip by a colour (alpha included).
    Clear {
        /// The new colour.
        color: Color,
    },
    /// A filled box with round corners.
    Rect {
        /// The box.
        rect: Rect,
        /// Its corners, fitted to the box when drawn.
        radii: Radii,
        /// Its fill.
        paint: PaintRef,
    },
    /// A frame inside a box: what lies between the outline and the outline moved in by `width`.
    Border {
        /// The outer box.
        rect: Rect,
        /// Its outer corners.
        radii: Radii,
        /// Thickness.
        width: f32,
        /// Its fill.
        paint: PaintRef,
    },
    /// A gaussian shadow of a box. Outer: the blurred box itself, also under the box. Inset:
    /// the blurred outside of the box, clipped to the box.
    Shadow {
        /// The casting box.
        rect: Rect,
        /// Its corners.
        radii: Radii,
        /// The shadow is moved by this.
        offset: Point,
        /// The caster is grown by this before the blur (inset: shrunk).
        spread: f32,
        /// Standard deviation of the blur; 0 is a hard edge.
        sigma: f32,
        /// Its colour.
        color: Color,
        /// Falls into the box.
        inset: bool,
    },
    /// A filled path.
    Path {
        /// The outline.
        path: PathRef,
        /// Its inside.
        rule: FillRule,
        /// Its fill.
        paint: PaintRef,
    },
    /// A stroked path.
    Stroke {
        /// The centre line.
        path: PathRef,
        /// Index into [`Arenas::strokes`].
        stroke: u32,
        /// Its fill.
        paint: PaintRef,
    },
    /// Glyphs of one font and size.
    GlyphRun {
        /// Index into [`Arenas::fonts`].
        font: u32,
        /// Pixels per em, 26.6 fixed point.
        size: u32,
        /// Baseline origin; glyph positions are relative to it.
        origin: Point,
        /// Glyphs in [`Arenas::glyphs`].
        glyphs: Span,
        /// Their fill (colour glyphs take only its alpha, and only from a solid paint).
        paint: PaintRef,
    },
    /// A part of an image scaled into a box.
    Image {
        /// Index into [`Arenas::images`].
        image: u32,
        /// The part, in image pixels.
        src: Rect,
        /// Where it goes.
        dst: Rect,
        /// Round corners of the destination.
        radii: Radii,
        /// Sampling.
        filter: Filter,
        /// 255 draws it as it is.
        opacity: u8,
        /// Replaces the image's colour, keeping its alpha (icons).
        tint: Option<Color>,
    },
    /// A film, named by its source; which frame it shows is latched when the frame is drawn.
    Picture {
        /// The source.
        source: PictureId,
        /// Where it goes.
        dst: Rect,
        /// Round corners of the destination.
        radii: Radii,
        /// 255 draws it as it is.
        opacity: u8,
    },
    /// Narrows everything up to the matching [`Op::PopClip`].
    PushClip {
        /// The outline.
        shape: ClipShape,
    },
    /// Ends the innermost clip.
    PopClip,
    /// Everything up to the matching [`Op::PopLayer`] is drawn apart, then blended at once.
    PushLayer {
        /// 255 blends it as it is.
        opacity: u8,
        /// How it is blended.
        blend: BlendMode,
    },
    /// Ends the innermost layer.
    PopLayer,
}

impl Op {
    /// The name of the kind, as it stands in messages and statistics.
    pub const fn name(&self) -> &'static str {
        match self {
            Op::Clear { .. } => "clear",
            Op::Rect { .. } => "rect",
            Op::Border { .. } => "border",
            Op::Shadow { .. } => "shadow",
            Op::Path { .. } => "path",
            Op::Stroke { .. } => "stroke",
            Op::GlyphRun { .. } => "glyph run",
            Op::Image { .. } => "image",
            Op::Picture { .. } => "picture",
            Op::PushClip { .. } => "push clip",
            Op::PopClip => "pop clip",
            Op::PushLayer { .. } => "push layer",
            Op::PopLayer => "pop layer",
        }
    }
}

/// One entry of a list.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// What it does.
    pub op: Op,
    /// Index into [`Arenas::matrices`].
    pub matrix: u32,
    /// The pixels it may change: its ink, within the clips in force and the surface. For
    /// `PushClip` the clip's box, for `PushLayer` and `PopLayer` the box of the layer's content.
    pub bounds: IRect,
    /// Hash of its own content in its own coordinates, without matrix and surroundings.
    pub own_hash: u64,
    /// Hash of all that decides its pixels: content, matrix, clips in force. 0 for clips, which
    /// are part of the hash of what they clip.
    pub hash: u64,
}

/// The side arenas of a list. Indices in commands point here.
#[derive(Clone, Debug, Default)]
pub struct Arenas {
    /// Matrices; index 0 is the identity.
    pub matrices: Vec<Matrix>,
    /// Path steps.
    pub verbs: Vec<Verb>,
    /// Path points.
    pub points: Vec<Point>,
    /// Gradient colours.
    pub stops: Vec<Stop>,
    /// Gradients.
    pub gradients: Vec<Gradient>,
    /// Stroke styles.
    pub strokes: Vec<Stroke>,
    /// Dash lengths.
    pub dashes: Vec<f32>,
    /// Positioned glyphs.
    pub glyphs: Vec<Glyph>,
    /// Fonts.
    pub fonts: Vec<Arc<dyn GlyphSource>>,
    /// Images.
    pub images: Vec<Arc<Image>>,
    /// Shared paths.
    pub paths: Vec<Arc<SharedPath>>,
}

impl Arenas {
    pub(crate) fn clear(&mut self) {
        let Self {
            matrices,
            verbs,
            points,
            stops,
            gradients,
            strokes,
            dashes,
            glyphs,
            fonts,
            images,
            paths,
        } = self;
        matrices.clear();
        verbs.clear();
        points.clear();
        stops.clear();
        gradients.clear();
        strokes.clear();
        dashes.clear();
        glyphs.clear();
        fonts.clear();
        images.clear();
        paths.clear();
    }

    /// The path behind a reference. The reference must be valid, as each one in a list is.
    pub fn path(&self, r: PathRef) -> crate::PathView<'_> {
        match r {
            PathRef::Inline { verbs, points } => crate::PathView {
                verbs: &self.verbs[verbs.range()],
                points: &self.points[points.range()],
            },
            PathRef::Shared(i) => self.paths[i as usize].view(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_small_and_plain() {
        assert!(!core::mem::needs_drop::<Command>());
        assert!(size_of::<Op>() <= 72, "{}", size_of::<Op>());
        assert!(size_of::<Command>() <= 112, "{}", size_of::<Command>());
    }
}
