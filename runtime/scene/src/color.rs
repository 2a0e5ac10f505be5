//! Colours: straight sRGB at the API, premultiplied BGRA8 words on the surface.

use serde::{Deserialize, Serialize};

/// A colour as people write it: sRGB bytes, not premultiplied, alpha 255 is opaque.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Color {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// Opacity.
    pub a: u8,
}

impl Color {
    /// Nothing.
    pub const TRANSPARENT: Self = Self::rgba(0, 0, 0, 0);
    /// Opaque black.
    pub const BLACK: Self = Self::rgb(0, 0, 0);
    /// Opaque white.
    pub const WHITE: Self = Self::rgb(255, 255, 255);

    /// An opaque colour.
    pub const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self { r, g, b, a: 255 }
    }
    /// A colour with alpha.
    pub const fn rgba(r: u8, g: u8, b: u8, a: u8) -> Self {
        Self { r, g, b, a }
    }
    /// `0xRRGGBB`, opaque.
    pub const fn hex(v: u32) -> Self {
        Self::rgb((v >> 16) as u8, (v >> 8) as u8, v as u8)
    }
    /// With another alpha, 0..=1 (clamped; NaN is 0).
    pub fn alpha(self, a: f32) -> Self {
        Self { a: (a.clamp(0.0, 1.0) * 255.0 + 0.5) as u8, ..self }
    }
    /// Its alpha times `k`, 0..=1.
    pub fn fade(self, k: f32) -> Self {
        self.alpha(self.a as f32 / 255.0 * k)
    }
    /// From `self` (at 0) to `o` (at 1), byte-wise.
    pub fn mix(self, o: Self, t: f32) -> Self {
        let t = (t.clamp(0.0, 1.0) * 256.0 + 0.5) as i32;
        let m = |a: u8, b: u8| ((a as i32 * (256 - t) + b as i32 * t + 128) >> 8) as u8;
        Self { r: m(self.r, o.r), g: m(self.g, o.g), b: m(self.b, o.b), a: m(self.a, o.a) }
    }
    /// The surface word `0xAARRGGBB` with premultiplied channels.
    pub const fn premultiply(self) -> u32 {
        let a = self.a as u32;
        (a << 24)
            | (mul_div_255(self.r as u32, a) << 16)
            | (mul_div_255(self.g as u32, a) << 8)
            | mul_div_255(self.b as u32, a)
    }
    /// Opaque.
    pub const fn is_opaque(self) -> bool {
        self.a == 255
    }
    /// `[r, g, b, a]`.
    pub const fn to_array(self) -> [u8; 4] {
        [self.r, self.g, self.b, self.a]
    }
}

/// `a * b / 255`, rounded to nearest, exact for `a, b <= 255` (Jim Blinn, "Three wrongs make a
/// right", 1995).
#[inline]
pub const fn mul_div_255(a: u32, b: u32) -> u32 {
    let t = a * b + 128;
    (t + (t >> 8)) >> 8
}
