//! Paragraphs by content: the same text, style and width are laid out once and found again by a
//! 128-bit hash of all three (a collision among 2^32 paragraphs has odds of 2^-65). A hit hashes
//! the text, writes a stamp and counts a handle up: no allocation, 32 ns for a label (laying it out
//! takes 8 us, 450 letters on ten lines 190 us, all on a desktop core). Text that is known to fit
//! without breaks is not laid out again for another width: boxes may grow and shrink freely.

use crate::ellipsis::{self, Fit};
use crate::lru::Lru;
use crate::paragraph::Paragraph;
use crate::{Align, FontSet, TextStyle, Wrap, limits, runs};
use parley::{Alignment, AlignmentOptions, Layout, LayoutContext};
use std::borrow::Cow;
use std::sync::Arc;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128_with_seed};

/// Lays paragraphs out and remembers them.
pub struct TextEngine {
    pub(crate) fonts: FontSet,
    pub(crate) cx: LayoutContext<()>,
    cache: Lru<u128, Arc<Paragraph>>,
    seen: u64,
    layouts: u64,
    missing: Vec<char>,
    said_too_long: bool,
}

impl core::fmt::Debug for TextEngine {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("TextEngine")
            .field("fonts", &self.fonts)
            .field("cached", &self.cache.len())
            .field("layouts", &self.layouts)
            .finish_non_exhaustive()
    }
}

impl Default for TextEngine {
    fn default() -> Self {
        Self::new(FontSet::built_in())
    }
}

impl TextEngine {
    /// An engine with these fonts.
    pub fn new(fonts: FontSet) -> Self {
        Self {
            fonts,
            cx: LayoutContext::new(),
            cache: Lru::new(limits::PARAGRAPHS),
            seen: 0,
            layouts: 0,
            missing: Vec::new(),
            said_too_long: false,
        }
    }
    /// The fonts.
    pub fn fonts(&self) -> &FontSet {
        &self.fonts
    }
    /// The fonts, to add some or change their order; paragraphs are then laid out anew.
    pub fn fonts_mut(&mut self) -> &mut FontSet {
        &mut self.fonts
    }
    /// Paragraphs laid out so far: does not move while a screen stays the same.
    pub fn layouts(&self) -> u64 {
        self.layouts
    }
    /// Paragraphs held.
    pub fn cached(&self) -> usize {
        self.cache.len()
    }
    /// Greatest number of paragraphs held.
    pub fn set_capacity(&mut self, paragraphs: usize) {
        self.cache.set_budget(paragraphs.max(1));
    }
    /// Characters for which no font had a glyph, the first few.
    pub fn missing(&self) -> &[char] {
        &self.missing
    }

    /// The paragraph of a text. `max_width` is where lines break (or are cut, when they do not
    /// wrap) and what they are aligned in; without it, lines break only at line feeds.
    pub fn paragraph(
        &mut self,
        text: &str,
        style: &TextStyle,
        max_width: Option<f32>,
    ) -> Arc<Paragraph> {
        if self.seen != self.fonts.generation() {
            self.cache.clear();
            self.seen = self.fonts.generation();
        }
        let max_width = max_width.filter(|w| w.is_finite()).map(|w| w.max(0.0));
        let key = key(text, style, max_width);
        if let Some(p) = self.cache.get(&key) {
            return p.clone();
        }
        if let Some(w) = max_width
            && style.align == Align::Start
            && let Some(p) = self.cache.get(&self::key(text, style, None))
            && p.fits(w)
        {
            return p.clone();
        }
        let p = Arc::new(self.lay_out(text, &style.sane(), max_width));
        self.cache.insert(key, p.clone(), 1);
        p
    }

    fn lay_out(&mut self, text: &str, style: &TextStyle, max_width: Option<f32>) -> Paragraph {
        self.layouts += 1;
        let text = &*plain(self.limit(text));
        let layout = build(&mut self.fonts, &mut self.cx, text, style, max_width);
        let widths = layout.calculate_content_widths();
        let fit = ellipsis::fit(self, &layout, text, style, max_width);
        let (layout, shown, spans) = match fit {
            Fit::Whole => (layout, None, Vec::new()),
            Fit::Cut { shown, spans } => {
                let cut = build(&mut self.fonts, &mut self.cx, &shown, style, max_width);
                (cut, Some(shown), spans)
            }
        };
        let (runs, glyphs) = runs::collect(&layout, &mut self.fonts);
        if glyphs.iter().any(|g| g.id == 0) {
            self.report_missing(&layout, shown.as_deref().unwrap_or(text));
        }
        let min = match style.wrap {
            // What an ellipsis needs.
            Wrap::None => widths.max.min(style.size),
            Wrap::Word => widths.min,
        };
        Paragraph::new(layout, runs, glyphs, spans, (min, widths.max), text.len())
    }

    fn limit<'t>(&mut self, text: &'t str) -> &'t str {
        if text.len() <= limits::PARAGRAPH_BYTES {
            return text;
        }
        if !core::mem::replace(&mut self.said_too_long, true) {
            let (have, max) = (text.len(), limits::PARAGRAPH_BYTES);
            tracing::warn!("a text of {have} bytes is cut at {max}");
        }
        let mut end = limits::PARAGRAPH_BYTES;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        &text[..end]
    }

    fn report_missing(&mut self, layout: &Layout<()>, text: &str) {
        let clusters = layout.lines().flat_map(|l| l.runs().flat_map(|r| r.clusters()));
        for c in clusters.filter(|c| c.glyphs().any(|g| g.id == 0)) {
            let Some(ch) = text.get(c.text_range()).and_then(|s| s.chars().next()) else {
                continue;
            };
            if self.missing.len() >= limits::MISSING_REPORTS {
                return;
            }
            if !self.missing.contains(&ch) {
                tracing::warn!("no font has a glyph for {ch:?} (U+{:04X})", ch as u32);
                self.missing.push(ch);
            }
        }
    }
}

fn key(text: &str, style: &TextStyle, max_width: Option<f32>) -> u128 {
    let mut how = [0; 29];
    how[..24].copy_from_slice(&style.bytes());
    if let Some(w) = max_width {
        how[24] = 1;
        how[25..].copy_from_slice(&w.to_bits().to_le_bytes());
    }
    xxh3_128_with_seed(text.as_bytes(), xxh3_64(&how))
}

/// Control characters other than line ends become spaces, byte for byte: fonts have no glyph for
/// them. A tab is a space too.
fn plain(text: &str) -> Cow<'_, str> {
    let control = |b: u8| b < 0x20 && b != b'\n' && b != b'\r' || b == 0x7F;
    if !text.bytes().any(control) {
        return Cow::Borrowed(text);
    }
    let space = |c: char| if c.is_ascii() && control(c as u8) { ' ' } else { c };
    Cow::Owned(text.chars().map(space).collect())
}

/// Shapes, breaks and aligns. `style` is sane.
pub(crate) fn build(
    fonts: &mut FontSet,
    cx: &mut LayoutContext<()>,
    text: &str,
    style: &TextStyle,
    max_width: Option<f32>,
) -> Layout<()> {
    let (font_cx, properties) = fonts.properties(style);
    let mut builder = cx.ranged_builder(font_cx, text, 1.0, true);
    for p in properties {
        builder.push_default(p);
    }
    let mut layout = builder.build(text);
    layout.break_all_lines(max_width);
    layout.align(alignment(style.align), AlignmentOptions::default());
    layout
}

pub(crate) fn alignment(a: Align) -> Alignment {
    match a {
        Align::Start => Alignment::Start,
        Align::Center => Alignment::Center,
        Align::End => Alignment::End,
    }
}
