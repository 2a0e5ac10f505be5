//! How text looks and breaks. A style is a small value: compared and hashed by its bits, so that
//! it can be half of a cache key (24 bytes).

use crate::Family;
use std::hash::{Hash, Hasher};
use zinc_scene::limits::FONT_SIZE;

/// Where lines stand in the width given to a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Align {
    /// Left, or right for text that runs from right to left.
    #[default]
    Start,
    /// In the middle.
    Center,
    /// Opposite of the start.
    End,
}

/// Whether lines are broken to fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Wrap {
    /// Only at line feeds; what is too wide ends in an ellipsis.
    None,
    /// Between words, and inside a word that alone is too wide.
    #[default]
    Word,
}

/// How a paragraph is set.
#[derive(Clone, Copy, Debug)]
pub struct TextStyle {
    /// Pixels per em.
    pub size: f32,
    /// 100 (thin) to 900 (black); 400 is regular.
    pub weight: u16,
    /// Italic, or slanted where the family has none.
    pub italic: bool,
    /// The family asked first; the set's others follow.
    pub family: Family,
    /// Height of a line, in sizes.
    pub line_height: f32,
    /// Added between letters, in ems; may be negative.
    pub tracking: f32,
    /// Digits of equal width: numbers that change do not shake.
    pub tabular: bool,
    /// Where lines stand.
    pub align: Align,
    /// Whether lines break.
    pub wrap: Wrap,
    /// Greatest number of lines, the last one with an ellipsis when text is left out; 0 for any.
    pub max_lines: u16,
}

impl TextStyle {
    /// Regular text of a size.
    pub const fn new(size: f32) -> Self {
        Self {
            size,
            weight: 400,
            italic: false,
            family: Family::DEFAULT,
            line_height: 1.3,
            tracking: 0.0,
            tabular: false,
            align: Align::Start,
            wrap: Wrap::Word,
            max_lines: 0,
        }
    }
    /// With a weight.
    pub const fn weight(self, weight: u16) -> Self {
        Self { weight, ..self }
    }
    /// Italic.
    pub const fn italic(self) -> Self {
        Self { italic: true, ..self }
    }
    /// In a family.
    pub const fn family(self, family: Family) -> Self {
        Self { family, ..self }
    }
    /// With a line height, in sizes.
    pub const fn line_height(self, line_height: f32) -> Self {
        Self { line_height, ..self }
    }
    /// With a tracking, in ems.
    pub const fn tracking(self, tracking: f32) -> Self {
        Self { tracking, ..self }
    }
    /// With digits of equal width.
    pub const fn tabular(self) -> Self {
        Self { tabular: true, ..self }
    }
    /// With an alignment.
    pub const fn align(self, align: Align) -> Self {
        Self { align, ..self }
    }
    /// With a kind of wrapping.
    pub const fn wrap(self, wrap: Wrap) -> Self {
        Self { wrap, ..self }
    }
    /// With at most so many lines.
    pub const fn max_lines(self, max_lines: u16) -> Self {
        Self { max_lines, ..self }
    }
    /// One line that ends in an ellipsis when it is too wide.
    pub const fn one_line(self) -> Self {
        Self { wrap: Wrap::None, max_lines: 1, ..self }
    }

    /// Every number within what the layout can bear: a NaN takes the default.
    pub(crate) fn sane(self) -> Self {
        let within = |v: f32, lo: f32, hi: f32, nan: f32| {
            if v.is_nan() { nan } else { v.clamp(lo, hi) }
        };
        Self {
            size: within(self.size, 1.0, FONT_SIZE, 16.0),
            weight: self.weight.clamp(1, 1000),
            line_height: within(self.line_height, 0.1, 16.0, 1.3),
            tracking: within(self.tracking, -1.0, 8.0, 0.0),
            ..self
        }
    }

    /// All that tells one style from another.
    pub(crate) fn bytes(&self) -> [u8; 24] {
        let mut b = [0; 24];
        b[0..4].copy_from_slice(&self.size.to_bits().to_le_bytes());
        b[4..8].copy_from_slice(&self.line_height.to_bits().to_le_bytes());
        b[8..12].copy_from_slice(&self.tracking.to_bits().to_le_bytes());
        b[12..14].copy_from_slice(&self.weight.to_le_bytes());
        b[14..16].copy_from_slice(&self.max_lines.to_le_bytes());
        b[16..18].copy_from_slice(&self.family.index().to_le_bytes());
        b[18] = self.italic as u8;
        b[19] = self.tabular as u8;
        b[20] = self.align as u8;
        b[21] = self.wrap as u8;
        b
    }
}

impl Default for TextStyle {
    fn default() -> Self {
        Self::new(16.0)
    }
}

impl PartialEq for TextStyle {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for TextStyle {}

impl Hash for TextStyle {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes().hash(state);
    }
}
