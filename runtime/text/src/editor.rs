//! Text that is edited: a buffer, a caret or selection, and the layout they stand in. Movement,
//! deletion and hit tests are parley's; this adds one or many lines, a greatest length, and the
//! record of what is drawn. Every call that may need a layout takes the engine.

use crate::paragraph::{CARET, rect, size_of};
use crate::runs::{self, FontRun};
use crate::{Align, TextEngine, TextStyle, Wrap, engine};
use core::num::NonZeroUsize;
use core::ops::Range;
use parley::editing::Generation;
use parley::{PlainEditor, PlainEditorDriver};
use zinc_scene::{Glyph, Paint, Point, Recorder, Rect, Size};

/// One line or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// Line feeds become spaces, nothing wraps.
    Single,
    /// Line feeds are kept, lines wrap at the width.
    Multi,
}

/// Where a caret may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// One cluster to the left on the screen.
    Left,
    /// One cluster to the right on the screen.
    Right,
    /// To the beginning of the word.
    WordLeft,
    /// To the end of the word.
    WordRight,
    /// One line up.
    Up,
    /// One line down.
    Down,
    /// To the beginning of the line (Home).
    LineStart,
    /// To the end of the line (End).
    LineEnd,
    /// To the beginning of the text.
    TextStart,
    /// To the end of the text.
    TextEnd,
}

/// A text under edit.
pub struct Editor {
    inner: PlainEditor<()>,
    lines: Lines,
    max_chars: Option<usize>,
    style: TextStyle,
    width: Option<f32>,
    fonts: u64,
    drawn: Option<Generation>,
    runs: Vec<FontRun>,
    glyphs: Vec<Glyph>,
}

impl core::fmt::Debug for Editor {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Editor")
            .field("text", &self.text())
            .field("selection", &self.selection())
            .finish_non_exhaustive()
    }
}

/// A flag, a keycap or another sequence that is one sign: parley tells only some of them from
/// letters with accents, which Backspace takes apart.
fn is_sign(cluster: &str) -> bool {
    let part = |c: char| {
        matches!(c, '\u{1F1E6}'..='\u{1F1FF}' | '\u{1F3FB}'..='\u{1F3FF}' | '\u{200D}' | '\u{20E3}')
            || matches!(c, '\u{FE0E}' | '\u{FE0F}' | '\u{E0020}'..='\u{E007F}')
    };
    cluster.chars().any(part)
}

impl Editor {
    /// An empty text.
    pub fn new(lines: Lines, style: TextStyle) -> Self {
        let style = style.sane();
        Self {
            inner: PlainEditor::new(style.size),
            lines,
            max_chars: None,
            style,
            width: None,
            // No set has it: the style is applied at first use.
            fonts: u64::MAX,
            drawn: None,
            runs: Vec::new(),
            glyphs: Vec::new(),
        }
    }
    /// Changes how the text looks.
    pub fn set_style(&mut self, style: TextStyle) {
        let style = style.sane();
        if style != self.style {
            self.style = style;
            self.fonts = u64::MAX;
        }
    }
    /// Where lines break and what they are aligned in. A single line does not break.
    pub fn set_width(&mut self, width: Option<f32>) {
        let width = width.filter(|w| w.is_finite()).map(|w| w.max(0.0));
        // Setting it lays out anew.
        if width != self.width {
            self.width = width;
            self.inner.set_width(width);
        }
    }
    /// Greatest number of characters (Unicode scalar values); what is longer is cut when it comes in.
    pub fn set_max_chars(&mut self, max: Option<usize>) {
        self.max_chars = max;
    }
    /// The text.
    pub fn text(&self) -> &str {
        self.inner.raw_text()
    }
    /// Selected bytes; empty at the caret when nothing is selected.
    pub fn selection(&self) -> Range<usize> {
        self.inner.raw_selection().text_range()
    }
    /// Where the caret is, in bytes.
    pub fn caret_index(&self) -> usize {
        self.inner.raw_selection().focus().index()
    }
    /// Selected text, if any.
    pub fn selected_text(&self) -> Option<&str> {
        self.inner.selected_text()
    }

    fn drive<'a>(&'a mut self, e: &'a mut TextEngine) -> PlainEditorDriver<'a, ()> {
        if self.fonts != e.fonts.generation() {
            self.fonts = e.fonts.generation();
            let wrap = match self.lines {
                Lines::Single => Wrap::None,
                Lines::Multi => Wrap::Word,
            };
            let style = TextStyle { wrap, ..self.style };
            let (_, properties) = e.fonts.properties(&style);
            let styles = self.inner.edit_styles();
            for p in properties {
                styles.insert(p);
            }
            self.inner.set_alignment(engine::alignment(style.align));
        }
        let mut d = self.inner.driver(&mut e.fonts.cx, &mut e.cx);
        d.refresh_layout();
        d
    }

    /// Replaces the whole text; the caret goes to its end.
    pub fn set_text(&mut self, e: &mut TextEngine, text: &str) {
        let mut text = self.filter(text);
        let max = self.max_chars.unwrap_or(usize::MAX);
        self.truncate(e, &mut text, max);
        self.inner.set_text(&text);
        self.drive(e).move_to_text_end();
    }
    /// Inserts at the caret, or in place of the selection. Answers whether all of it went in.
    pub fn insert(&mut self, e: &mut TextEngine, text: &str) -> bool {
        let mut text = self.filter(text);
        let mut all = true;
        if let Some(max) = self.max_chars {
            let selected = self.selected_text().map_or(0, |s| s.chars().count());
            let rest = self.text().chars().count() - selected;
            all = self.truncate(e, &mut text, max.saturating_sub(rest));
        }
        let selected = self.selected_text().is_some();
        if !text.is_empty() || (selected && all) {
            self.drive(e).insert_or_replace_selection(&text);
        }
        all
    }
    /// Cuts to so many characters, between clusters; whether nothing was cut.
    fn truncate(&mut self, e: &mut TextEngine, text: &mut String, max: usize) -> bool {
        let Some((end, _)) = text.char_indices().nth(max) else { return true };
        let style = TextStyle { wrap: Wrap::None, ..self.style };
        let layout = engine::build(&mut e.fonts, &mut e.cx, text, &style, None);
        let clusters = layout.lines().flat_map(|l| l.runs().flat_map(|r| r.clusters()));
        let cut = clusters.map(|c| c.text_range().end).filter(|c| *c <= end).max();
        text.truncate(cut.unwrap_or(0));
        false
    }
    /// Without control characters; line feeds as the editor takes them.
    fn filter(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '\r' if chars.peek() == Some(&'\n') => {}
                '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push(match self.lines {
                    Lines::Single => ' ',
                    Lines::Multi => '\n',
                }),
                '\t' => out.push(' '),
                c if c.is_control() => {}
                c => out.push(c),
            }
        }
        out
    }

    /// Deletes the selection, or what stands before the caret (Backspace).
    pub fn backspace(&mut self, e: &mut TextEngine) {
        let mut d = self.drive(e);
        let sign = d.editor.try_layout().and_then(|layout| {
            let caret = d.editor.raw_selection();
            let before = caret.focus().logical_clusters(layout)[0]?.text_range();
            let whole = is_sign(d.editor.raw_text().get(before.clone())?);
            (caret.is_collapsed() && whole).then(|| NonZeroUsize::new(before.len())).flatten()
        });
        match sign {
            Some(bytes) => d.delete_bytes_before_selection(bytes),
            None => d.backdelete(),
        }
    }
    /// Deletes the selection, or the cluster after the caret (Delete).
    pub fn delete(&mut self, e: &mut TextEngine) {
        self.drive(e).delete();
    }
    /// Deletes the selection, or back to the beginning of the word.
    pub fn backspace_word(&mut self, e: &mut TextEngine) {
        self.drive(e).backdelete_word();
    }
    /// Deletes the selection, or up to the end of the word.
    pub fn delete_word(&mut self, e: &mut TextEngine) {
        self.drive(e).delete_word();
    }
    /// Moves the caret, or only the selection's moving end.
    pub fn move_caret(&mut self, e: &mut TextEngine, motion: Motion, extend: bool) {
        let mut d = self.drive(e);
        match (motion, extend) {
            (Motion::Left, false) => d.move_left(),
            (Motion::Left, true) => d.select_left(),
            (Motion::Right, false) => d.move_right(),
            (Motion::Right, true) => d.select_right(),
            (Motion::WordLeft, false) => d.move_word_left(),
            (Motion::WordLeft, true) => d.select_word_left(),
            (Motion::WordRight, false) => d.move_word_right(),
            (Motion::WordRight, true) => d.select_word_right(),
            (Motion::Up, false) => d.move_up(),
            (Motion::Up, true) => d.select_up(),
            (Motion::Down, false) => d.move_down(),
            (Motion::Down, true) => d.select_down(),
            (Motion::LineStart, false) => d.move_to_line_start(),
            (Motion::LineStart, true) => d.select_to_line_start(),
            (Motion::LineEnd, false) => d.move_to_line_end(),
            (Motion::LineEnd, true) => d.select_to_line_end(),
            (Motion::TextStart, false) => d.move_to_text_start(),
            (Motion::TextStart, true) => d.select_to_text_start(),
            (Motion::TextEnd, false) => d.move_to_text_end(),
            (Motion::TextEnd, true) => d.select_to_text_end(),
        }
    }
    /// Selects everything.
    pub fn select_all(&mut self, e: &mut TextEngine) {
        self.drive(e).select_all();
    }
    /// Selects these bytes, the caret at their end.
    pub fn select(&mut self, e: &mut TextEngine, range: Range<usize>) {
        let len = self.text().len();
        let (start, end) = (range.start.min(len), range.end.min(len));
        self.drive(e).select_byte_range(start, end);
    }
    /// A press at a point: the caret goes there, or the selection reaches there (Shift).
    pub fn click(&mut self, e: &mut TextEngine, p: Point, extend: bool) {
        let mut d = self.drive(e);
        if extend { d.shift_click_extension(p.x, p.y) } else { d.move_to_point(p.x, p.y) }
    }
    /// A double press: the word there.
    pub fn select_word_at(&mut self, e: &mut TextEngine, p: Point) {
        self.drive(e).select_word_at_point(p.x, p.y);
    }
    /// A triple press: the line there.
    pub fn select_line_at(&mut self, e: &mut TextEngine, p: Point) {
        self.drive(e).select_hard_line_at_point(p.x, p.y);
    }
    /// The pointer moved on: the selection follows it, by words after a double press.
    pub fn drag_to(&mut self, e: &mut TextEngine, p: Point) {
        self.drive(e).extend_selection_to_point(p.x, p.y);
    }

    /// The caret's box, one pixel wide.
    pub fn caret(&mut self, e: &mut TextEngine) -> Rect {
        self.drive(e);
        let caret = self.inner.cursor_geometry(CARET).map_or(Rect::default(), rect);
        // The layout aligns the space that it sets in place of no text.
        let x = match (self.width, self.style.align) {
            (Some(w), Align::Center) => w * 0.5,
            (Some(w), Align::End) => (w - CARET).max(0.0),
            _ => caret.x,
        };
        if self.text().is_empty() { Rect { x, ..caret } } else { caret }
    }
    /// Appends the boxes of the selection.
    pub fn selection_rects(&mut self, e: &mut TextEngine, out: &mut Vec<Rect>) {
        self.drive(e);
        self.inner.selection_geometry_with(|b, _| out.push(rect(b)));
    }
    /// Width of the widest line and height of all, in whole pixels.
    pub fn size(&mut self, e: &mut TextEngine) -> Size {
        size_of(self.drive(e).layout())
    }
    /// Records the text, its corner at `origin`. Nothing is laid out or allocated while nothing
    /// changes.
    pub fn record<'p>(
        &mut self,
        e: &mut TextEngine,
        r: &mut Recorder,
        origin: Point,
        paint: impl Into<Paint<'p>>,
    ) {
        self.drive(e);
        let now = self.inner.generation();
        if self.drawn != Some(now) {
            self.drawn = Some(now);
            if let Some(layout) = self.inner.try_layout() {
                runs::collect_into(layout, &mut e.fonts, &mut self.runs, &mut self.glyphs);
            }
        }
        runs::record(&self.runs, &self.glyphs, r, origin, paint.into());
    }
}
