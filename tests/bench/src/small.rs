//! Small scenes that need no file, of the kinds that screens are made of.

use crate::generate::{self, Rng, counted, head, text};
use crate::zsc::Scene;
use anyhow::Result;
use std::fmt::Write as _;

const SIZE: (u32, u32) = (320, 192);
const INK: &str = "240 240 245";

/// Cards, shadows, borders, glows and text.
fn cards() -> String {
    let mut s = head(SIZE, &[]);
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
        text(&mut s, (x as f32 + 12.0, y as f32 + 30.0), 14.0, 12, INK, "text");
    }
    s
}

/// Scaled images with round corners under a clip.
fn photos() -> String {
    let mut s = head(SIZE, &[(64, 40), (64, 40)]);
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
    let (mut s, mut r) = (head(SIZE, &[]), Rng(7));
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
        let path = counted(&format!("m {x} {y} l {x1} {y1} l {x2} {y2} l {x} {y2} z"));
        let _ = writeln!(s, "path 0 {path} s {g} {g} 200 255");
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
        text(&mut s, (x, y), 13.0, 8, INK, "wtext");
    }
    s + "world 0\nrrect 8 8 90 30 10 s 20 30 60 230\n"
}

/// Those whose name is wanted.
pub(crate) fn scenes(wanted: &dyn Fn(&str) -> bool) -> Result<Vec<Scene>> {
    generate::scenes(&[("cards", cards), ("photos", photos), ("map", map)], wanted)
}
