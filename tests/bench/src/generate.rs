//! What generated scenes are written with: seeded numbers, letters, noise for images. The same seed
//! gives the same scene everywhere: nothing here calls a maths library.

use crate::zsc::{self, Scene};
use anyhow::{Context, Result};
use std::fmt::Write as _;

pub(crate) struct Rng(pub(crate) u32);

impl Rng {
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (((self.0 >> 8) as u64 * n as u64) >> 24) as u32
    }
    pub(crate) fn range(&mut self, lo: f32, hi: f32) -> f32 {
        lo + (hi - lo) * self.below(4096) as f32 / 4096.0
    }
    /// Three bytes of a colour, with blanks.
    pub(crate) fn rgb(&mut self) -> String {
        format!("{} {} {}", self.below(256), self.below(256), self.below(256))
    }
}

/// Letters l, o, n, e and t, em 1: stems, bowls and counters as a text has them.
const LETTERS: [&str; 5] = [
    "m 0.1 -0.72 l 0.19 -0.72 l 0.19 0 l 0.1 0 z",
    "m 0.52 -0.26 q 0.52 0 0.28 0 q 0.05 0 0.05 -0.26 q 0.05 -0.53 0.28 -0.53 \
     q 0.52 -0.53 0.52 -0.26 z m 0.42 -0.26 q 0.42 -0.45 0.28 -0.45 q 0.15 -0.45 0.15 -0.26 \
     q 0.15 -0.08 0.28 -0.08 q 0.42 -0.08 0.42 -0.26 z",
    "m 0.09 -0.53 l 0.18 -0.53 l 0.18 -0.46 q 0.23 -0.55 0.34 -0.55 q 0.5 -0.55 0.5 -0.33 \
     l 0.5 0 l 0.41 0 l 0.41 -0.32 q 0.41 -0.47 0.32 -0.47 q 0.18 -0.47 0.18 -0.3 l 0.18 0 \
     l 0.09 0 z",
    "m 0.5 -0.24 l 0.14 -0.24 q 0.15 -0.07 0.3 -0.07 q 0.4 -0.07 0.48 -0.12 l 0.48 -0.03 \
     q 0.4 0.01 0.29 0.01 q 0.05 0.01 0.05 -0.26 q 0.05 -0.55 0.28 -0.55 q 0.5 -0.55 0.5 -0.29 z \
     m 0.41 -0.31 q 0.41 -0.47 0.28 -0.47 q 0.16 -0.47 0.14 -0.31 z",
    "m 0.18 -0.7 l 0.27 -0.7 l 0.27 -0.53 l 0.42 -0.53 l 0.42 -0.46 l 0.27 -0.46 l 0.27 -0.15 \
     q 0.27 -0.07 0.34 -0.07 l 0.42 -0.07 l 0.42 0 l 0.33 0 q 0.18 0 0.18 -0.15 l 0.18 -0.46 \
     l 0.08 -0.46 l 0.08 -0.53 l 0.18 -0.53 z",
];

/// Path tokens with their number before them.
pub(crate) fn counted(path: &str) -> String {
    format!("{} {path}", path.split_ascii_whitespace().count())
}

/// A scene's first lines: its size, its images (made by [`image`]) and the letters.
pub(crate) fn head((width, height): (u32, u32), images: &[(u32, u32)]) -> String {
    let mut s = format!("zsc 1\nsize {width} {height}\n");
    for (i, (w, h)) in images.iter().enumerate() {
        let _ = writeln!(s, "image {i} {w} {h} {i}x{w}x{h}");
    }
    for (i, l) in LETTERS.iter().enumerate() {
        let _ = writeln!(s, "glyph {} {}", i + 1, counted(l));
    }
    s
}

/// A run of `n` letters.
pub(crate) fn text(s: &mut String, (x, y): (f32, f32), size: f32, n: u32, ink: &str, verb: &str) {
    let _ = write!(s, "{verb} {size} {x} {y} {n}");
    for i in 0..n {
        let _ = write!(s, " {} {:.3}", 1 + i * 7 % 5, i as f32 * size * 0.56);
    }
    let _ = writeln!(s, " s {ink} 255 | text");
}

/// Pixels of an image that [`head`] names: a slope with noise, each seed another.
fn image(name: &str) -> Result<Vec<u8>> {
    let mut parts = name.split('x').map(|n| n.parse::<u32>().ok());
    let mut next = || parts.next().flatten().with_context(|| format!("{name:?} is no image"));
    let (seed, width, height) = (next()?, next()?, next()?);
    let mut r = Rng(seed * 99 + 1);
    let byte = |i: u32, r: &mut Rng| match i % 4 {
        3 => 255,
        c => ((i / 4 % width) / 3 + i / 4 / width / 2 + c * 20 + seed * 31 + r.below(24)) as u8,
    };
    Ok((0..width * height * 4).map(|i| byte(i, &mut r)).collect())
}

/// The scene of a text.
pub(crate) fn scene(name: &str, text: &str) -> Result<Scene> {
    zsc::parse(name, text, &mut |name| image(name))
}

/// A scene's name, and what writes its text.
pub(crate) type Written<'a> = (&'a str, fn() -> String);

/// Scenes by name and what writes them, as far as they are wanted.
pub(crate) fn scenes(all: &[Written<'_>], wanted: &dyn Fn(&str) -> bool) -> Result<Vec<Scene>> {
    let some = all.iter().filter(|(name, _)| wanted(name));
    some.map(|(name, write)| scene(name, &write())).collect()
}
