//! Every limit of the crate, with its reason.

/// Bytes of a font file: the largest CJK collections in use stay below.
pub const FONT_BYTES: usize = 64 << 20;
/// Families in a set.
pub const FAMILIES: usize = 64;
/// Font instances (a font at certain coordinates) kept by a set; an animated weight makes one a
/// step, and those that nobody holds are dropped first.
pub const FACES: usize = 128;
/// Bytes of a paragraph: about 200 screens. The rest is left out, with a warning.
pub const PARAGRAPH_BYTES: usize = 256 << 10;
/// Paragraphs kept; a screen shows tens to hundreds.
pub const PARAGRAPHS: usize = 1024;
/// Bytes of glyph masks kept by a set: 4000 glyphs of 32 pixels.
pub const MASK_BYTES: usize = 4 << 20;
/// Bytes of outlines kept by a set.
pub const OUTLINE_BYTES: usize = 1 << 20;
/// Different missing characters reported by an engine; more are only drawn as boxes.
pub const MISSING_REPORTS: usize = 16;
/// Steps back from the estimated place of an ellipsis until the shaped text fits.
pub const ELLIPSIS_STEPS: usize = 16;
