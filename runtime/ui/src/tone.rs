//! Colours by meaning. A screen names a [`Tone`]; the [`Theme`] says what it is in light or
//! dark, with the accent that the person picked.

use zinc_scene::Color;

/// What a colour means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Token {
    /// Behind everything.
    Ground,
    /// Cards.
    Surface,
    /// Dialogs and menus; in dark themes lighter than cards.
    Raised,
    /// Hairlines and quiet fills.
    Line,
    /// Text.
    Ink,
    /// Secondary text.
    Muted,
    /// The one action, selection, focus.
    Accent,
    /// Text and icons on the accent.
    OnAccent,
    /// Success.
    Good,
    /// Attention.
    Warn,
    /// Failure, danger.
    Bad,
}

/// A colour to be: a token or a fixed colour, with an opacity of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tone {
    base: Base,
    alpha: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Base {
    Nothing,
    Token(Token),
    Fixed(Color),
}

impl Tone {
    /// No colour at all.
    pub const NONE: Self = Self { base: Base::Nothing, alpha: 0 };

    /// A token's colour.
    pub const fn token(t: Token) -> Self {
        Self { base: Base::Token(t), alpha: 255 }
    }
    /// A fixed colour, `0xRRGGBB`. For artworks and brands; screens use tokens.
    pub const fn hex(v: u32) -> Self {
        Self::fixed(Color::hex(v))
    }
    /// A fixed colour.
    pub const fn fixed(c: Color) -> Self {
        Self { base: Base::Fixed(c), alpha: 255 }
    }
    /// With an opacity in percent (values above 100 count as 100).
    pub const fn percent(self, p: u8) -> Self {
        let p = if p > 100 { 100 } else { p as u32 };
        Self { alpha: ((self.alpha as u32 * p + 50) / 100) as u8, ..self }
    }
    /// Draws nothing.
    pub const fn is_none(self) -> bool {
        matches!(self.base, Base::Nothing) || self.alpha == 0
    }
}

impl From<Color> for Tone {
    fn from(c: Color) -> Self {
        Self::fixed(c)
    }
}

/// The tokens as values to write in a style: `S.fill(Surface)`.
pub mod tones {
    #![expect(non_upper_case_globals, reason = "they read as words: fill(Surface)")]
    use super::{Token, Tone};

    /// Behind everything.
    pub const Ground: Tone = Tone::token(Token::Ground);
    /// Cards.
    pub const Surface: Tone = Tone::token(Token::Surface);
    /// Dialogs and menus.
    pub const Raised: Tone = Tone::token(Token::Raised);
    /// Hairlines and quiet fills.
    pub const Line: Tone = Tone::token(Token::Line);
    /// Text.
    pub const Ink: Tone = Tone::token(Token::Ink);
    /// Secondary text.
    pub const Muted: Tone = Tone::token(Token::Muted);
    /// The one action, selection, focus.
    pub const Accent: Tone = Tone::token(Token::Accent);
    /// Text and icons on the accent.
    pub const OnAccent: Tone = Tone::token(Token::OnAccent);
    /// Success.
    pub const Good: Tone = Tone::token(Token::Good);
    /// Attention.
    pub const Warn: Tone = Tone::token(Token::Warn);
    /// Failure, danger.
    pub const Bad: Tone = Tone::token(Token::Bad);
    /// No colour.
    pub const Clear: Tone = Tone::NONE;
}

/// The accents a person can pick; each reads at 4.5:1 under its text, in both themes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hue {
    /// Blue.
    #[default]
    Blue,
    /// Violet.
    Violet,
    /// Teal.
    Teal,
    /// Orange.
    Orange,
    /// Rose.
    Rose,
    /// Lime.
    Lime,
}

impl Hue {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Hue; 6] =
        [Hue::Blue, Hue::Violet, Hue::Teal, Hue::Orange, Hue::Rose, Hue::Lime];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Hue::Blue => "Blue",
            Hue::Violet => "Violet",
            Hue::Teal => "Teal",
            Hue::Orange => "Orange",
            Hue::Rose => "Rose",
            Hue::Lime => "Lime",
        }
    }
    /// The colour in a light or a dark theme.
    pub const fn color(self, dark: bool) -> Color {
        Color::hex(match (self, dark) {
            (Hue::Blue, false) => 0x2563EB,
            (Hue::Blue, true) => 0x6EA0FF,
            (Hue::Violet, false) => 0x7C3AED,
            (Hue::Violet, true) => 0xB39BFF,
            (Hue::Teal, false) => 0x0F766E,
            (Hue::Teal, true) => 0x45D0C0,
            (Hue::Orange, false) => 0xC2410C,
            (Hue::Orange, true) => 0xFF9E5E,
            (Hue::Rose, false) => 0xD81B57,
            (Hue::Rose, true) => 0xFF86A8,
            (Hue::Lime, false) => 0x4D7C0F,
            (Hue::Lime, true) => 0xA3DB4F,
        })
    }
}

/// What the tones are now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Theme {
    /// Dark or light.
    pub dark: bool,
    /// The accent.
    pub accent: Hue,
    /// Fades only, nothing slides or bounces.
    pub reduced_motion: bool,
}

impl Default for Theme {
    fn default() -> Self {
        Self { dark: false, accent: Hue::Blue, reduced_motion: false }
    }
}

impl Theme {
    /// The colour of a token.
    pub const fn token(&self, t: Token) -> Color {
        let (light, dark) = match t {
            Token::Ground => (0xF4F5F7, 0x0E1116),
            Token::Surface => (0xFFFFFF, 0x171B22),
            Token::Raised => (0xFFFFFF, 0x1F2530),
            Token::Line => (0xE3E6EB, 0x2A313D),
            Token::Ink => (0x14181F, 0xEEF1F6),
            Token::Muted => (0x5C6675, 0x97A3B6),
            Token::Accent => return self.accent.color(self.dark),
            Token::OnAccent => (0xFFFFFF, 0x0B0E13),
            Token::Good => (0x0F8A5F, 0x3CCB95),
            Token::Warn => (0xB45309, 0xF0A94B),
            Token::Bad => (0xC42B2B, 0xFF7A7A),
        };
        Color::hex(if self.dark { dark } else { light })
    }
    /// The colour of a tone.
    pub fn color(&self, t: Tone) -> Color {
        let c = match t.base {
            Base::Nothing => return Color::TRANSPARENT,
            Base::Token(k) => self.token(k),
            Base::Fixed(c) => c,
        };
        Color { a: zinc_scene::mul_div_255(c.a as u32, t.alpha as u32) as u8, ..c }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance and contrast as WCAG 2.2 defines them.
    fn contrast(a: Color, b: Color) -> f64 {
        let lum = |c: Color| {
            let ch = |v: u8| {
                let v = v as f64 / 255.0;
                if v <= 0.04045 { v / 12.92 } else { libm_pow((v + 0.055) / 1.055, 2.4) }
            };
            0.2126 * ch(c.r) + 0.7152 * ch(c.g) + 0.0722 * ch(c.b)
        };
        let (x, y) = (lum(a), lum(b));
        (x.max(y) + 0.05) / (x.min(y) + 0.05)
    }
    fn libm_pow(x: f64, y: f64) -> f64 {
        zinc_scene::math::pow(x as f32, y as f32) as f64
    }

    #[test]
    fn text_reads_on_every_accent_and_surface() {
        for dark in [false, true] {
            for accent in Hue::ALL {
                let t = Theme { dark, accent, reduced_motion: false };
                let c = |k| t.token(k);
                let on = contrast(c(Token::OnAccent), c(Token::Accent));
                assert!(on >= 4.5, "{accent:?} dark {dark}: {on:.2}");
                for k in [Token::Ink, Token::Muted, Token::Accent, Token::Bad, Token::Warn] {
                    let on = contrast(c(k), c(Token::Surface));
                    assert!(on >= 4.5, "{k:?} on surface, {accent:?} dark {dark}: {on:.2}");
                }
            }
        }
    }
}
