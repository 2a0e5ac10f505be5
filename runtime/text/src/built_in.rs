//! The fonts that ship with the runtime, 770 KB in all. `fonts/README.md` tells where they come
//! from; `fonts/make.sh` makes them.

/// Inter 4.1, variable: weight 100..900, optical size 14..32. Latin, Greek, Cyrillic.
pub const SANS: &[u8] = include_bytes!("../fonts/inter.ttf");
/// Noto Emoji, one colour.
pub const EMOJI: &[u8] = include_bytes!("../fonts/noto-emoji.ttf");
/// Noto Sans Symbols and Symbols 2: arrows, media keys, weather, zodiac, shapes.
pub const SYMBOLS: &[u8] = include_bytes!("../fonts/noto-symbols.ttf");

/// Family names in a [`crate::FontSet`]; not the files' own, so that a font of that name added
/// later is a family of its own.
pub(crate) const NAMES: [(&str, &[u8]); 3] =
    [("Zinc Sans", SANS), ("Zinc Emoji", EMOJI), ("Zinc Symbols", SYMBOLS)];
