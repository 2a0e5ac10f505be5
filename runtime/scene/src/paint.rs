//! Paints: what a shape is filled with. [`Paint`] borrows its stops and is what callers write;
//! [`PaintRef`] and [`Gradient`] are what a list stores.

use crate::{Color, Point};
use serde::{Deserialize, Serialize};

/// A colour at a place of a gradient.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stop {
    /// 0..=1; stops are taken in order, an offset below its predecessor counts as equal to it.
    pub offset: f32,
    /// The colour there.
    pub color: Color,
}

impl Stop {
    /// A stop.
    pub const fn new(offset: f32, color: Color) -> Self {
        Self { offset, color }
    }
}

/// What happens outside 0..=1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Spread {
    /// The end colours go on.
    #[default]
    Pad,
    /// The gradient starts again.
    Repeat,
    /// The gradient runs back and forth.
    Reflect,
}

/// The geometry of a gradient, in the coordinates of the command that uses it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum GradientShape {
    /// 0 at `from`, 1 at `to`.
    Linear {
        /// Offset 0.
        from: Point,
        /// Offset 1.
        to: Point,
    },
    /// 0 at the centre, 1 at the radius.
    Radial {
        /// Offset 0.
        center: Point,
        /// Distance of offset 1.
        radius: f32,
    },
    /// Around a centre: 0 at `start` radians from the right, clockwise, 1 a full turn later.
    Sweep {
        /// The pivot.
        center: Point,
        /// Angle of offset 0, in radians.
        start: f32,
    },
}

/// What a shape is filled with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Paint<'a> {
    /// One colour.
    Solid(Color),
    /// A gradient. Colours are premultiplied, then interpolated. Without a stop it draws nothing.
    Gradient {
        /// Where it lies.
        shape: GradientShape,
        /// Its colours, at most [`crate::limits::STOPS`].
        stops: &'a [Stop],
        /// Outside 0..=1.
        spread: Spread,
    },
}

impl<'a> Paint<'a> {
    /// A linear gradient from a point to a point.
    pub const fn linear(from: Point, to: Point, stops: &'a [Stop]) -> Self {
        Self::Gradient { shape: GradientShape::Linear { from, to }, stops, spread: Spread::Pad }
    }
    /// A radial gradient.
    pub const fn radial(center: Point, radius: f32, stops: &'a [Stop]) -> Self {
        Self::Gradient {
            shape: GradientShape::Radial { center, radius },
            stops,
            spread: Spread::Pad,
        }
    }
    /// A gradient around a centre.
    pub const fn sweep(center: Point, start: f32, stops: &'a [Stop]) -> Self {
        Self::Gradient { shape: GradientShape::Sweep { center, start }, stops, spread: Spread::Pad }
    }
}

impl From<Color> for Paint<'_> {
    fn from(c: Color) -> Self {
        Self::Solid(c)
    }
}

/// A paint as a command stores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PaintRef {
    /// One colour.
    Solid(Color),
    /// Index into [`crate::Arenas::gradients`].
    Gradient(u32),
}

/// A gradient as a list stores it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gradient {
    /// Where it lies.
    pub shape: GradientShape,
    /// Outside 0..=1.
    pub spread: Spread,
    /// Its stops in [`crate::Arenas::stops`].
    pub stops: crate::Span,
}
