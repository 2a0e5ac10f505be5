//! From a layout to what the scene records: one run per line and font, positions relative to
//! the paragraph's corner, rounded to 1/64 pixel so that they are the same numbers everywhere.

use crate::FontSet;
use core::ops::Range;
use parley::{Layout, PositionedLayoutItem};
use std::sync::Arc;
use zinc_scene::{Glyph, GlyphSource, Paint, Point, Recorder};

/// Glyphs of one font on one line.
#[derive(Clone, Debug)]
pub(crate) struct FontRun {
    pub(crate) font: Arc<dyn GlyphSource>,
    pub(crate) size: f32,
    pub(crate) glyphs: Range<usize>,
}

/// The nearest multiple of 1/64.
pub(crate) fn to_64th(v: f32) -> f32 {
    (v * 64.0 + 0.5).floor() / 64.0
}

/// All runs of a layout, with their glyphs.
pub(crate) fn collect(layout: &Layout<()>, fonts: &mut FontSet) -> (Vec<FontRun>, Vec<Glyph>) {
    let (mut runs, mut glyphs) = (Vec::new(), Vec::new());
    collect_into(layout, fonts, &mut runs, &mut glyphs);
    (runs, glyphs)
}

/// The same into vectors that keep their memory.
pub(crate) fn collect_into(
    layout: &Layout<()>,
    fonts: &mut FontSet,
    runs: &mut Vec<FontRun>,
    glyphs: &mut Vec<Glyph>,
) {
    runs.clear();
    glyphs.clear();
    for line in layout.lines() {
        let first = runs.len();
        for item in line.items() {
            let PositionedLayoutItem::GlyphRun(run) = item else { continue };
            let Some(font) = fonts.face(run.run()) else { continue };
            let (size, start) = (run.run().font_size(), glyphs.len());
            glyphs.extend(run.positioned_glyphs().map(|g| Glyph {
                id: g.id,
                x: to_64th(g.x),
                y: to_64th(g.y),
            }));
            let end = glyphs.len();
            match runs.get_mut(first..).and_then(<[FontRun]>::last_mut) {
                // Neighbours of one font, split by script or direction.
                Some(last) if Arc::ptr_eq(&last.font, &font) && last.size == size => {
                    last.glyphs.end = end;
                }
                _ if start < end => runs.push(FontRun { font, size, glyphs: start..end }),
                _ => {}
            }
        }
    }
}

/// Records runs at a place.
pub(crate) fn record(
    runs: &[FontRun],
    glyphs: &[Glyph],
    r: &mut Recorder,
    origin: Point,
    paint: Paint<'_>,
) {
    for run in runs {
        r.glyphs(&run.font, run.size, origin, &glyphs[run.glyphs.clone()], paint);
    }
}
