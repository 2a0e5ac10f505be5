//! The scenes that need no file: small ones of the same kinds, written from fixed seeds.

use crate::zsc::{self, Scene};
use anyhow::Result;
use std::fmt::Write as _;

const SIZE: (u32, u32) = (320, 192);

struct Rng(u32);

impl Rng {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (((self.0 >> 8) as u64 * n as u64) >> 24) as u32
    }
    fn range(&mut self, lo: f32, hi: f32) -> f32 {
        lo + (hi - lo) * self.below(4096) as f32 / 4096.0
    }
}

fn head(frames: usize) -> String {
    format!("zsc 1\nsize {} {}\nframes {frames}\n", SIZE.0, SIZE.1)
        + "glyph 1 13 m 0.1 -0.7 l 0.5 -0.7 l 0.5 0 l 0.1 0 z\n"
        + "glyph 2 14 m 0.05 -0.3 q 0.3 -0.9 0.55 -0.3 q 0.3 0.2 0.05 -0.3 z\n"
}

fn text(s: &mut String, x: f32, y: f32, size: f32, verb: &str, n: u32) {
    let _ = write!(s, "{verb} {size} {x} {y} {n}");
    for i in 0..n {
        let _ = write!(s, " {} {:.3}", 1 + i % 2, i as f32 * size * 0.61);
    }
    *s += " s 240 240 245 255 | text\n";
}

/// Cards, shadows, borders, glows and text.
fn cards() -> String {
    let mut s = head(1);
    s += "clear 10 10 20\nrect 0 0 320 192 l 0 0 100 192 2 0 28 32 58 255 1 10 12 20 255\n";
    s += "circle 160 90 90 r 160 90 90 2 0 90 120 255 96 1 90 120 255 0\n";
    for i in 0..4 {
        let (x, y) = (12 + i % 2 * 152, 14 + i / 2 * 88);
        let _ = write!(
            s,
            "shadow {x} {} 140 74 14 8 s 0 0 0 128\n\
             rrect {x} {y} 140 74 14 l 0 {y} 0 {} 2 0 52 58 88 255 1 38 42 66 255\n\
             border {x}.5 {y}.5 139 73 13.5 1 s 255 255 255 40\n",
            y + 6,
            y + 74
        );
        text(&mut s, x as f32 + 12.0, y as f32 + 30.0, 14.0, "text", 12);
    }
    s
}

/// Scaled images with round corners under a clip.
fn photos() -> String {
    let mut s = head(4);
    s.insert_str(s.find("glyph").unwrap_or(0), "image 0 64 40 a\nimage 1 64 40 b\n");
    for i in 0..4 {
        let _ = writeln!(s, "matrix {i} 1 0 0 1 0 {}", i * -5);
    }
    s += "clear 240 240 245\nclip 0 20 320 172\nworld 1\n";
    for i in 0..12 {
        let _ = writeln!(s, "imgrr {} {} {} 70 44 8", i % 2, 10 + i % 4 * 78, 24 + i / 4 * 60);
    }
    s + "world 0\nunclip\nrect 0 0 320 20 s 255 255 255 255\nimgalt 0 1 100 60 100 62.5\n"
}

/// Polygons, strokes and labels under a turning matrix.
fn map() -> String {
    let (mut s, mut r) = (head(8), Rng(7));
    for i in 0..8 {
        let (c, n) = (1.0 - i as f32 * 0.002, i as f32 * 0.05);
        let _ = writeln!(s, "matrix {i} {c} {n} {} {} 160 96", -n * 0.8, c * 0.8);
    }
    s += "clear 235 232 224\nworld 1\n";
    for _ in 0..250 {
        let (x, y) = (r.range(-220.0, 220.0), r.range(-180.0, 180.0));
        let (w, h, k) = (r.range(4.0, 16.0), r.range(4.0, 16.0), r.range(-3.0, 3.0));
        let g = 190 + r.below(40);
        let (x1, y1, x2, y2) = (x + w, y + k, x + w - k, y + h);
        let _ = writeln!(
            s,
            "path 0 13 m {x} {y} l {x1} {y1} l {x2} {y2} l {x} {y2} z s {g} {g} 200 255"
        );
    }
    for i in 0..120 {
        let n = 3 + r.below(6);
        let width = if i % 5 == 0 { 8 } else { 3 };
        let _ = write!(s, "stroke {width} {n}");
        let (mut x, mut y) = (r.range(-220.0, 220.0), r.range(-180.0, 180.0));
        for _ in 0..n {
            let _ = write!(s, " {x:.3} {y:.3}");
            x += r.range(2.0, 16.0);
            y += r.range(-6.0, 6.0);
        }
        s += " s 255 255 255 255\n";
    }
    for _ in 0..6 {
        let (x, y) = (r.range(-120.0, 120.0), r.range(-80.0, 80.0));
        text(&mut s, x, y, 13.0, "wtext", 8);
    }
    s + "world 0\nrrect 8 8 90 30 10 s 20 30 60 230\n"
}

/// All of them.
pub(crate) fn scenes() -> Result<Vec<Scene>> {
    let mut image = |name: &str| {
        let mut r = Rng(name.len() as u32 * 99 + name.as_bytes()[0] as u32);
        let byte = |i: u32, r: &mut Rng| match i % 4 {
            3 => 255,
            c => ((i / 4 % 64) * 2 + (i / 256) * 3 + c * 20 + r.below(24)) as u8,
        };
        Ok((0..64 * 40 * 4).map(|i| byte(i, &mut r)).collect())
    };
    [("cards", cards()), ("photos", photos()), ("map", map())]
        .iter()
        .map(|(name, text)| zsc::parse(name, text, &mut image))
        .collect()
}
