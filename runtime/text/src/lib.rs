//! Text for Zinc: fonts, paragraphs, glyph masks, editing.
//!
//! Shaping, bidi, line breaking, fallback and cursor movement are parley's, pixels are swash's.
//! The crate adds what a console needs around them: fonts that ship with the program, limits,
//! typed errors for broken files, caches with budgets, and paragraphs that a steady frame finds
//! again without laying out or allocating anything. It knows no display and no renderer, and
//! holds no global state.
//!
//! ```
//! use zinc_scene::{Color, Point, Recorder};
//! use zinc_text::{FontSet, TextEngine, TextStyle};
//! let mut text = TextEngine::new(FontSet::built_in());
//! let title = TextStyle::new(24.0).weight(600);
//! let p = text.paragraph("Living room", &title, Some(300.0));
//! let mut r = Recorder::new();
//! r.begin(800, 480)?;
//! p.record(&mut r, Point::new(24.0, 24.0), Color::BLACK);
//! assert_eq!(p.line_count(), 1);
//! # Ok::<(), zinc_scene::Invalid>(())
//! ```

#![forbid(unsafe_code)]

pub mod built_in;
mod check;
mod editor;
mod ellipsis;
mod engine;
mod face;
mod font_set;
pub mod limits;
mod lru;
mod paragraph;
mod raster;
mod runs;
mod style;

pub use check::FontError;
pub use editor::{Editor, Lines, Motion};
pub use engine::TextEngine;
pub use face::{FontFace, GlyphCache};
pub use font_set::{Family, FamilyInfo, FontSet};
pub use paragraph::Paragraph;
pub use style::{Align, TextStyle, Wrap};
