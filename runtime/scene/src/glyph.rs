//! Glyphs as the scene knows them: ids and positions, and a trait that yields masks and
//! outlines. One function, [`placement`], decides which of the two draws a glyph and where:
//! rasterizers and captures both call it.

use crate::{Matrix, Path, Point};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A glyph of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Glyph {
    /// Index in the font; 0 is the missing glyph.
    pub id: u32,
    /// Right of the run's origin.
    pub x: f32,
    /// Below the run's origin.
    pub y: f32,
}

/// Sub-pixel places across: a mask exists per quarter pixel.
pub const PHASES: u32 = 4;

/// What names a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GlyphKey {
    /// [`GlyphSource::font_hash`].
    pub font: u64,
    /// Glyph id.
    pub glyph: u32,
    /// Pixels per em, 26.6 fixed point.
    pub size: u32,
    /// Quarter pixels to the right, `0..PHASES`.
    pub phase: u8,
}

/// The pixels of a [`GlyphMask`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GlyphPixels {
    /// One coverage byte a pixel.
    Coverage(Box<[u8]>),
    /// Premultiplied surface words (colour glyphs).
    Color(Box<[u32]>),
}

/// A rasterized glyph: rows without padding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlyphMask {
    /// First column, from the pen's whole pixel.
    pub left: i32,
    /// First row, from the baseline (negative is above it).
    pub top: i32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height` of them.
    pub pixels: GlyphPixels,
}

impl GlyphMask {
    /// Sizes are within limits and the number of pixels matches them.
    pub fn is_valid(&self) -> bool {
        let max = crate::limits::GLYPH_SIDE;
        let n = self.width as usize * self.height as usize;
        self.width <= max
            && self.height <= max
            && self.left.unsigned_abs() <= max
            && self.top.unsigned_abs() <= max
            && n == match &self.pixels {
                GlyphPixels::Coverage(p) => p.len(),
                GlyphPixels::Color(p) => p.len(),
            }
    }
}

/// A font at the edge of the scene. Answers are functions of the arguments alone: the same key
/// gives the same pixels, on every machine.
pub trait GlyphSource: Send + Sync + core::fmt::Debug {
    /// Names the font file, its face and its variations.
    fn font_hash(&self) -> u64;
    /// The mask of a key (whose `font` is this one's hash); `None` for a blank glyph.
    fn mask(&self, key: GlyphKey) -> Option<Arc<GlyphMask>>;
    /// The outline for 1 pixel per em, y down, origin on the baseline; `None` for a blank glyph
    /// or a font of bitmaps.
    fn outline(&self, glyph: u32) -> Option<Arc<Path>>;
    /// A box around every glyph for 1 pixel per em, y down: `[left, top, right, bottom]`.
    fn em_box(&self) -> [f32; 4];
}

/// Runs above this many pixels per em are drawn from outlines.
pub const MASK_SIZE_MAX: f32 = 96.0;

/// How a glyph is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Placement {
    /// From a mask, with the pen on this whole pixel.
    Mask {
        /// The mask's name.
        key: GlyphKey,
        /// Pen column.
        x: i32,
        /// Baseline row.
        y: i32,
    },
    /// From the outline, under this matrix (outline units are ems).
    Outline {
        /// Em to pixels.
        matrix: Matrix,
    },
}

/// The mask size in 26.6 of a run under a matrix, when its glyphs are drawn from masks: the
/// matrix moves and scales by a multiple of a quarter (a display's own scale; any other scale is
/// an animation, whose sizes would never be used again), and the result is not huge.
pub fn mask_size(matrix: Matrix, size: u32) -> Option<u32> {
    let scale = matrix.uniform_scale()?;
    let quarters = scale * 4.0;
    let px = size as f32 / 64.0 * scale;
    (quarters == quarters.floor() && quarters >= 1.0 && px <= MASK_SIZE_MAX)
        .then_some((size as f32 * scale + 0.5) as u32)
}

/// How one glyph of a run is drawn. `mask` is [`mask_size`] of the run.
pub fn placement(
    matrix: Matrix,
    font: u64,
    size: u32,
    origin: Point,
    g: Glyph,
    mask: Option<u32>,
) -> Placement {
    let pen = Point::new(origin.x + g.x, origin.y + g.y);
    match mask {
        Some(size) => {
            let p = matrix.apply(pen);
            // Quarter pixels, rounded to the nearest; `floor` first keeps the phase positive.
            let q = (p.x * PHASES as f32 + 0.5).floor() as i32;
            let (x, phase) = (q.div_euclid(PHASES as i32), q.rem_euclid(PHASES as i32));
            let y = (p.y + 0.5).floor() as i32;
            Placement::Mask { key: GlyphKey { font, glyph: g.id, size, phase: phase as u8 }, x, y }
        }
        None => {
            let em = size as f32 / 64.0;
            let place = Matrix { a: em, b: 0.0, c: 0.0, d: em, e: pen.x, f: pen.y };
            Placement::Outline { matrix: matrix.then_inner(place) }
        }
    }
}
