//! What a frame is: geometry, paint and commands, recorded once and then only read.
//!
//! ```
//! use zinc_scene::{Color, Recorder};
//! let mut r = Recorder::new();
//! r.begin(800, 480)?;
//! r.clear(Color::hex(0xF4F5F7));
//! r.rect(24.0, 24.0, 280.0, 120.0).radius(14.0).fill(Color::WHITE);
//! let list = r.freeze();
//! assert_eq!(list.commands().len(), 2);
//! # Ok::<(), zinc_scene::Invalid>(())
//! ```
//!
//! The crate knows no thread, file, device, font file or clock. The surface that lists describe
//! is premultiplied BGRA8 (words `0xAARRGGBB`), starts transparent, and is blended in sRGB bytes.
#![forbid(unsafe_code)]

mod bounds;
pub mod capture;
mod color;
mod command;
mod copy;
mod damage;
mod geom;
mod glyph;
mod hash;
mod image;
pub mod limits;
mod list;
pub mod math;
mod paint;
mod path;
mod picture;
mod recorder;
mod seal;
mod target;
mod transfer;
pub mod validate;

pub use bounds::{ink, shadow_reach, stroke_reach};
pub use color::{Color, mul_div_255};
pub use command::{Arenas, BlendMode, ClipShape, Command, Filter, Op, Span};
pub use damage::{Differ, History, REGION_RECTS, Region};
pub use geom::{IRect, Matrix, Point, Radii, Rect, Size};
pub use glyph::{
    Glyph, GlyphKey, GlyphMask, GlyphPixels, GlyphSource, MASK_SIZE_MAX, PHASES, Placement,
    mask_size, placement,
};
pub use image::{Image, ImageError};
pub use list::{CommandList, PictureUse};
pub use paint::{Gradient, GradientShape, Paint, PaintRef, Spread, Stop};
pub use path::{
    Cap, FillRule, Join, KAPPA, Path, PathRef, PathView, RoundedRectOutline, Segment, SharedPath,
    Stroke, StrokeStyle, Verb,
};
pub use picture::{Latched, LayerPlan, PictureId};
pub use recorder::{ImageDraw, PathDraw, Recorder, RectDraw, Warning};
pub use seal::Surroundings;
pub use target::{Channel, Channels, PixelFormat, Rotation, TargetMut, target_bytes};
pub use transfer::TooSmall;
pub use validate::Invalid;
