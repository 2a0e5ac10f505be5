//! Screens of a real size that need no file: a home screen, a gallery, a street map and a film with
//! controls, at 800x480, as many commands of each kind as such screens have.

use crate::generate::{self, Rng, counted, head, text};
use crate::zsc::Scene;
use anyhow::Result;
use std::fmt::Write as _;

const SIZE: (u32, u32) = (800, 480);

/// Twelve cards with shadows over glows, icons, bars and text.
fn home() -> String {
    let mut s = head(SIZE, &[(60, 36); 3]);
    let mut r = Rng(1);
    s += "clear 10 12 20\n\
          rect 0 0 800 480 l 0 0 240 480 3 0 28 32 58 255 0.55 20 24 40 255 1 10 12 20 255\n";
    for _ in 0..8 {
        let (x, y) = (r.range(0.0, 800.0), r.range(100.0, 480.0));
        let (radius, c) = (r.range(70.0, 150.0), r.rgb());
        let _ =
            writeln!(s, "circle {x} {y} {radius} r {x} {y} {radius} 3 0 {c} 96 0.5 {c} 34 1 {c} 0");
    }
    s += "rect 0 0 800 28 s 0 0 0 90\n";
    text(&mut s, (16.0, 19.0), 13.0, 18, "240 240 245", "text");
    text(&mut s, (700.0, 19.0), 13.0, 9, "240 240 245", "text");
    for i in 0..12u32 {
        let (x, y) = (16 + i % 4 * 196, 44 + i / 4 * 145);
        let (bottom, low) = (y + 129, y + 6);
        let _ = writeln!(
            s,
            "shadow {x} {low} 180 129 14 12 s 0 0 0 128\n\
             rrect {x} {y} 180 129 14 l {x} {y} {x} {bottom} 2 0 52 58 88 235 1 36 40 64 235\n\
             border {x}.5 {y}.5 179 128 13.5 1 s 255 255 255 40"
        );
        if i % 2 == 0 {
            let _ = writeln!(s, "img {} {} {} 60 36", i / 2 % 3, x + 106, y + 83);
        } else {
            let (bx, by, w) = (x + 14, y + 107, r.range(20.0, 140.0));
            let _ = writeln!(
                s,
                "rrect {bx} {by} 152 6 3 s 255 255 255 36\nrrect {bx} {by} {w} 6 3 s 120 160 255 255"
            );
        }
        if i < 10 {
            let (cx, cy) = (x as f32 + 30.0, y as f32 + 32.0);
            let (l, t, h, b) = (cx - 14.0, cy - 14.0, cx + 14.0, cy + 14.0);
            let path = format!(
                "m {cx} {t} c {h} {t} {h} {b} {cx} {b} c {l} {b} {l} {t} {cx} {t} z \
                 m {cx} {} l {} {cy} l {cx} {} z",
                cy - 7.0,
                cx + 9.0,
                cy + 7.0
            );
            let _ = writeln!(s, "path 1 {} s {} 255", counted(&path), r.rgb());
        }
        let (x, y) = (x as f32, y as f32);
        text(&mut s, (x + 54.0, y + 30.0), 15.0, 11, "240 240 245", "text");
        text(&mut s, (x + 54.0, y + 48.0), 11.0, 16, "170 176 200", "text");
        text(&mut s, (x + 14.0, y + 80.0), 20.0, 6, "240 240 245", "text");
    }
    s
}

/// Photos with round corners, scaled to less, under a clip that the list moves below.
fn gallery() -> String {
    let mut s = head(SIZE, &[(320, 200); 6]);
    for i in 0..8 {
        let _ = writeln!(s, "matrix {i} 1 0 0 1 0 {}", i * -9);
    }
    s += "clear 18 19 24\nclip 0 48 800 432\nworld 1\n";
    for i in 0..24u32 {
        let (x, y) = (16 + i % 4 * 196, 62 + i / 4 * 160);
        let _ = writeln!(s, "imgrr {} {x} {y} 180 112 12", i % 6);
        let (x, y) = (x as f32, y as f32);
        text(&mut s, (x + 4.0, y + 128.0), 12.0, 14, "235 235 240", "wtext");
        text(&mut s, (x + 4.0, y + 143.0), 10.0, 10, "150 152 165", "wtext");
    }
    s += "world 0\nunclip\nrect 0 0 800 48 s 28 30 38 255\nrrect 600 10 184 28 14 s 60 64 78 255\n\
          rect 0 47 800 1 s 70 74 90 255\n";
    text(&mut s, (16.0, 31.0), 20.0, 9, "240 240 245", "text");
    text(&mut s, (616.0, 29.0), 13.0, 12, "200 202 215", "text");
    s
}

/// A building, a park or a lake: corners at both ends of spokes that go around a middle.
fn polygon(r: &mut Rng, (x, y): (f32, f32), size: f32, corners: u32) -> String {
    // A rotation by a fixed step, without sines: (0.8, 0.6) is a point of the unit circle.
    let (mut a, mut b) = (1.0f32, 0.0f32);
    let mut path = String::new();
    // Steps of 37 degrees, or of 18 (half of it): a turn, or nearly.
    let step: (f32, f32) = if corners > 10 { (0.949, 0.316) } else { (0.8, 0.6) };
    for i in 0..corners {
        let d = size * r.range(0.7, 1.0);
        let _ =
            write!(path, "{} {:.3} {:.3} ", ["l", "m"][(i == 0) as usize], x + a * d, y + b * d);
        (a, b) = (a * step.0 - b * step.1, a * step.1 + b * step.0);
    }
    counted(&(path + "z"))
}

/// A street: a line that bends a little.
fn street(r: &mut Rng, width: f32, points: u32) -> String {
    let (mut x, mut y) = (r.range(-520.0, 520.0), r.range(-640.0, 480.0));
    let across = r.below(2) == 0;
    let mut s = format!("stroke {width} {points}");
    for _ in 0..points {
        let _ = write!(s, " {x:.3} {y:.3}");
        let (on, beside) = (r.range(14.0, 44.0), r.range(-4.0, 4.0));
        let (dx, dy) = if across { (on, beside) } else { (beside, on) };
        (x, y) = (x + dx, y + dy);
    }
    s
}

/// Buildings, parks, water, streets with casings and labels under a turning, tilted matrix.
fn navigation() -> String {
    let mut s = head(SIZE, &[]);
    let mut r = Rng(3);
    for i in 0..8 {
        let (c, n) = (0.94 - i as f32 * 0.008, 0.21 + i as f32 * 0.015);
        let _ = writeln!(s, "matrix {i} {c} {n} {} {} 400 297", n * -1.6, c * 0.62);
    }
    s += "clear 232 230 224\nworld 1\n";
    for i in 0..24u32 {
        let at = (r.range(-500.0, 500.0), r.range(-600.0, 450.0));
        let ink = ["170 204 232", "200 226 186"][(i % 2) as usize];
        let size = r.range(40.0, 130.0);
        let _ = writeln!(s, "path 0 {} s {ink} 255", polygon(&mut r, at, size, 20));
    }
    for _ in 0..2600 {
        let at = (r.range(-560.0, 560.0), r.range(-680.0, 500.0));
        let (size, corners, g) = (r.range(5.0, 11.0), 5 + r.below(5), 196 + r.below(30));
        let _ =
            writeln!(s, "path 0 {} s {g} {g} {} 255", polygon(&mut r, at, size, corners), g - 6);
    }
    for (n, width, casing) in [(340, 4.5, 2.0), (130, 8.0, 2.5), (60, 14.0, 2.5)] {
        let streets: Vec<String> = (0..n)
            .map(|_| {
                let points = 5 + r.below(5);
                street(&mut r, width, points)
            })
            .collect();
        let wide = |s: &String| {
            let rest = s.splitn(3, ' ').nth(2).unwrap_or_default();
            format!("stroke {} {rest}", width + casing)
        };
        for s1 in &streets {
            let _ = writeln!(s, "{} s 190 186 176 255", wide(s1));
        }
        for s1 in &streets {
            let _ = writeln!(s, "{s1} s 255 255 252 255");
        }
    }
    let route = street(&mut r, 10.0, 40);
    let _ = writeln!(s, "{route} s 60 120 250 255");
    for _ in 0..60 {
        let at = (r.range(-380.0, 380.0), r.range(-420.0, 250.0));
        text(&mut s, at, 12.0, 9, "60 62 70", "wtext");
    }
    s += "world 0\nrrect 16 16 250 72 14 s 20 30 60 235\n";
    text(&mut s, (34.0, 48.0), 22.0, 10, "240 240 245", "text");
    text(&mut s, (34.0, 72.0), 13.0, 20, "190 200 225", "text");
    s
}

/// A film that changes each frame, with its controls.
fn film() -> String {
    let mut s = head(SIZE, &[(854, 480); 2]);
    s += "clear 0 0 0\nimgalt 0 1 150 60 500 281\nrrect 170 365 460 50 8 s 0 0 0 160\n\
          rrect 186 400 428 4 2 s 255 255 255 60\nrrect 186 400 160 4 2 s 90 150 255 255\n\
          circle 346 402 7 s 255 255 255 255\n";
    text(&mut s, (186.0, 388.0), 14.0, 16, "240 240 245", "text");
    text(&mut s, (540.0, 388.0), 14.0, 8, "240 240 245", "text");
    s
}

/// Those whose name is wanted.
pub(crate) fn scenes(wanted: &dyn Fn(&str) -> bool) -> Result<Vec<Scene>> {
    generate::scenes(
        &[("home", home), ("gallery", gallery), ("navigation", navigation), ("film", film)],
        wanted,
    )
}
