//! A laid out text: glyph runs to record, and the layout itself for questions about carets.
//! Byte indices are those of the text that was given, also when the end of it was left out. A
//! label of 20 letters takes about 4 KB.

use crate::runs::{self, FontRun};
use core::ops::Range;
use parley::{Affinity, BoundingBox, Cursor, Layout, Selection};
use zinc_scene::{Glyph, Paint, Point, Recorder, Rect, Size};

/// Text of the source that is shown unchanged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    /// Where it stands in the shown text.
    pub(crate) shown: usize,
    /// Where it stands in the source.
    pub(crate) source: usize,
    pub(crate) len: usize,
}

/// A laid out text. Its lines stand in the width it was made for; its size is that of its lines.
#[derive(Debug)]
pub struct Paragraph {
    layout: Layout<()>,
    runs: Box<[FontRun]>,
    glyphs: Box<[Glyph]>,
    /// Empty when all of the source is shown.
    spans: Box<[Span]>,
    size: Size,
    min_width: f32,
    max_width: f32,
    len: usize,
}

/// Width of [`Paragraph::caret`].
pub(crate) const CARET: f32 = 1.0;

pub(crate) fn rect(b: BoundingBox) -> Rect {
    let at = |v: f64| runs::to_64th(v as f32);
    Rect::from_ltrb(at(b.x0), at(b.y0), at(b.x1), at(b.y1))
}

impl Paragraph {
    pub(crate) fn new(
        layout: Layout<()>,
        runs: Vec<FontRun>,
        glyphs: Vec<Glyph>,
        spans: Vec<Span>,
        (min_width, max_width): (f32, f32),
        len: usize,
    ) -> Self {
        Self {
            size: size_of(&layout),
            min_width: min_width.ceil(),
            max_width: max_width.ceil(),
            layout,
            runs: runs.into(),
            glyphs: glyphs.into(),
            spans: spans.into(),
            len,
        }
    }
    /// Width of the widest line and height of all, in whole pixels (rounded up: a paragraph laid
    /// out again in its own width breaks the same).
    pub fn size(&self) -> Size {
        self.size
    }
    /// Lines.
    pub fn line_count(&self) -> usize {
        self.layout.len()
    }
    /// From the top to the first baseline.
    pub fn first_baseline(&self) -> f32 {
        self.layout.first_baseline().unwrap_or(0.0)
    }
    /// From the top to the last baseline.
    pub fn last_baseline(&self) -> f32 {
        self.layout.last_baseline().unwrap_or(0.0)
    }
    /// The width below which something would be cut: that of the widest word, or of an ellipsis
    /// for text that does not wrap.
    pub fn min_content_width(&self) -> f32 {
        self.min_width
    }
    /// The width that needs no break.
    pub fn max_content_width(&self) -> f32 {
        self.max_width
    }
    /// Text was left out; an ellipsis stands for it.
    pub fn truncated(&self) -> bool {
        !self.spans.is_empty()
    }
    /// Bytes of the source.
    pub fn text_len(&self) -> usize {
        self.len
    }
    /// The glyphs of all runs, relative to the paragraph's corner.
    pub fn glyphs(&self) -> &[Glyph] {
        &self.glyphs
    }
    /// Number of glyph runs that [`Paragraph::record`] records.
    pub fn run_count(&self) -> usize {
        self.runs.len()
    }
    /// The layout, for what this type does not answer.
    pub fn layout(&self) -> &Layout<()> {
        &self.layout
    }

    /// Records the glyphs, the paragraph's corner at `origin`.
    pub fn record<'p>(&self, r: &mut Recorder, origin: Point, paint: impl Into<Paint<'p>>) {
        runs::record(&self.runs, &self.glyphs, r, origin, paint.into());
    }

    /// The byte index of the caret nearest to a point.
    pub fn hit(&self, p: Point) -> usize {
        self.to_source(Cursor::from_point(&self.layout, p.x, p.y).index())
    }
    /// The box of the caret before a byte, one pixel wide.
    pub fn caret(&self, index: usize) -> Rect {
        let index = self.to_shown(index);
        let affinity =
            if index >= self.layout.text_len() { Affinity::Upstream } else { Affinity::Downstream };
        rect(Cursor::from_byte_index(&self.layout, index, affinity).geometry(&self.layout, CARET))
    }
    /// Appends the boxes of selected text, one or more a line.
    pub fn selection(&self, range: Range<usize>, out: &mut Vec<Rect>) {
        let cursor = |i: usize| {
            Cursor::from_byte_index(&self.layout, self.to_shown(i), Affinity::Downstream)
        };
        let selection = Selection::new(cursor(range.start), cursor(range.end));
        selection.geometry_with(&self.layout, |b, _| out.push(rect(b)));
    }

    /// Laid out without a width, it would be the same in this one when aligned to the start.
    pub(crate) fn fits(&self, width: f32) -> bool {
        self.size.w <= width && !self.truncated() && !self.layout.is_rtl()
    }
    fn to_source(&self, shown: usize) -> usize {
        match self.spans.iter().rev().find(|s| s.shown <= shown) {
            Some(s) => s.source + (shown - s.shown).min(s.len),
            None => shown.min(self.len),
        }
    }
    fn to_shown(&self, source: usize) -> usize {
        match self.spans.iter().rev().find(|s| s.source <= source) {
            Some(s) => s.shown + (source - s.source).min(s.len),
            None => source.min(self.layout.text_len()),
        }
    }
}

/// Width of the widest line and height of all, rounded up.
pub(crate) fn size_of(layout: &Layout<()>) -> Size {
    Size::new(layout.width().ceil(), layout.height().ceil())
}
