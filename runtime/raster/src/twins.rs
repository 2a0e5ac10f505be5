//! Every kernel that is compiled per instruction set against its scalar twin: plain code, one pixel
//! at a time where the kernel goes in blocks, on thousands of random inputs. Blends have the same
//! test beside them, in `kernels`.

use crate::blend;
use crate::cells::{Cells, STRIDE, TILE_W};
use crate::fixed::{Map, ONE, Plane, Seg};
use crate::gradient::{Colors, Made, Shader, make};
use crate::image::{Mixed, Pixels, Sampler, Taps};
use crate::row::Row;
use crate::simd::dispatch;
use crate::testing::Rng;
use fearless_simd::Level;
use std::sync::Arc;
use zinc_scene::{
    Color, FillRule, Gradient, GradientShape, IRect, Image, Matrix, Point, Span, Spread, Stop,
};

/// How many random inputs each kernel gets, at every level.
const ROUNDS: usize = 4000;

/// Plain code first; at least one level more, or there is nothing to compare.
fn levels() -> (Level, Vec<Level>) {
    let all = crate::levels();
    assert!(all[0].is_fallback(), "the tests have no plain code: {all:?}");
    assert!(all.len() > 1, "one instruction set: {all:?}");
    (all[0], all)
}

fn color(r: &mut Rng) -> Color {
    let b = r.bits();
    let a = [255, 0, (b >> 24) as u8][r.below(3)];
    Color::rgba(b as u8, (b >> 8) as u8, (b >> 16) as u8, a)
}

// ---- Gradients.

fn gradient(r: &mut Rng, colors: &mut Colors) -> Option<Shader> {
    let at = |r: &mut Rng| Point::new(r.range(-60.0, 460.0), r.range(-60.0, 120.0));
    let shape = match r.below(4) {
        0 => GradientShape::Linear { from: at(r), to: at(r) },
        1 | 2 => GradientShape::Radial { center: at(r), radius: r.range(0.25, 300.0) },
        _ => GradientShape::Sweep { center: at(r), start: r.range(-9.0, 9.0) },
    };
    let spread = [Spread::Pad, Spread::Repeat, Spread::Reflect][r.below(3)];
    let mut offset = 0.0f32;
    let stops: Vec<Stop> = (0..2 + r.below(6))
        .map(|_| {
            offset = (offset + r.range(0.0, 0.5)).min(1.0);
            Stop::new(offset, color(r))
        })
        .collect();
    let m = match r.below(3) {
        0 => Matrix::IDENTITY,
        1 => Matrix::scale(r.range(0.1, 4.0).max(0.1), r.range(0.1, 4.0).max(0.1)),
        _ => Matrix::rotate(r.range(0.0, 6.3)),
    };
    let g = Gradient { shape, spread, stops: Span { start: 0, len: stops.len() as u32 } };
    // With a table and without one.
    let pixels = if r.one_in(2) { 1 << 20 } else { 9 };
    match make(&g, &stops, &Map::of(m), pixels, colors) {
        Made::Shader(s) => Some(s),
        Made::Solid(_) | Made::Nothing => None,
    }
}

#[test]
fn gradients_are_the_same_at_every_level() {
    let (scalar, all) = levels();
    let r = &mut Rng::new(11);
    let mut made = 0;
    for round in 0..ROUNDS {
        let mut colors = Colors::default();
        let Some(s) = gradient(r, &mut colors) else { continue };
        made += 1;
        let (x, y, n) = (r.below(300) as i32 - 40, r.below(200) as i32 - 40, 1 + r.below(90));
        let shade = |level: Level, x: i32, out: &mut [u32]| {
            dispatch!(level, simd => s.shade(simd, &colors, x, y, out));
        };
        let mut want = vec![0; n];
        for (i, o) in want.iter_mut().enumerate() {
            shade(scalar, x + i as i32, core::slice::from_mut(o));
        }
        for level in &all {
            let mut got = vec![0xDEAD_BEEF; n];
            shade(*level, x, &mut got);
            assert_eq!(got, want, "round {round}: {s:?} at {level:?}");
        }
        if let Some(c) = s.row_color(&colors, y) {
            assert!(want.iter().all(|w| *w == c), "round {round}: a level row of two colours");
        }
    }
    assert!(made > ROUNDS / 2, "only {made} gradients");
}

// ---- Images.

fn sampler(r: &mut Rng) -> Sampler {
    let (w, h) = (1 + r.below(60) as u32, 1 + r.below(40) as u32);
    let pixels = (0..w * h).map(|_| blend::legal(r.bits() as u32)).collect();
    let image = Arc::new(Image::new(w, h, pixels).unwrap());
    let side = |r: &mut Rng, n: u32| {
        let a = r.below(n as usize) as i32;
        (a, a + r.below((n as i32 - a) as usize) as i32)
    };
    let (x, y) = (side(r, w), side(r, h));
    let offset = |r: &mut Rng| r.range(-30.0, 50.0) as f64;
    let step = |r: &mut Rng| r.range(-2.0, 2.0) as f64;
    let taps = [Taps::Copy, Taps::Nearest, Taps::Bilinear, Taps::Bilinear][r.below(4)];
    let (u, v) = match taps {
        Taps::Copy => {
            (Plane::new(1.0, 0.0, offset(r).floor()), Plane::new(0.0, 1.0, offset(r).floor()))
        }
        // Half of them upright: those go by mixed rows.
        _ if r.one_in(2) => {
            (Plane::new(step(r), 0.0, offset(r)), Plane::new(0.0, step(r), offset(r)))
        }
        _ => (Plane::new(step(r), step(r), offset(r)), Plane::new(step(r), step(r), offset(r))),
    };
    let tint = r.one_in(4).then(|| color(r).premultiply());
    Sampler { pixels: Pixels::Image(image), u, v, x, y, taps, opaque: false, tint }
}

/// Between four taps, channel by channel: rows by 128ths, columns by 256ths, rounded twice.
fn mix([[a, b], [c, d]]: [[u32; 2]; 2], fx: u32, fy: u32) -> u32 {
    let (fx, fy) = (fx as i64, (fy as i64 + 1) / 2);
    let byte = |i: u32| {
        let [a, b, c, d] = [a, b, c, d].map(|w| (w >> i & 255) as i64);
        let left = -(a * (128 - fy) + b * fy);
        let right = -(c * (128 - fy) + d * fy);
        let v = left + ((right - left) * fx + 128).div_euclid(256);
        (((64 - v) / 128) as u32) << i
    };
    byte(0) | byte(8) | byte(16) | byte(24)
}

/// A pixel by the definition: up to four taps, each clamped to what may be read.
fn pixel(s: &Sampler, image: &Image, x: i32, y: i32) -> u32 {
    let (u, v) = (s.u.at(x, y), s.v.at(x, y));
    let part = |v: i64| ((v >> 24) & 255) as u32;
    let tap = |dx: i64, dy: i64| {
        let x = ((u >> 32) + dx).clamp(s.x.0 as i64, s.x.1 as i64);
        let y = ((v >> 32) + dy).clamp(s.y.0 as i64, s.y.1 as i64);
        image.row(y as u32)[x as usize]
    };
    let c = match s.taps {
        Taps::Copy | Taps::Nearest => tap(0, 0),
        Taps::Bilinear => {
            let column = |dx: i64| [tap(dx, 0), tap(dx, 1)];
            mix([column(0), column(1)], part(u), part(v))
        }
    };
    s.tint.map_or(c, |t| blend::scale(t, c >> 24))
}

#[test]
fn images_are_the_same_at_every_level() {
    let (_, all) = levels();
    let r = &mut Rng::new(12);
    let mut mixed = Mixed::new();
    for round in 0..ROUNDS {
        let s = sampler(r);
        let Pixels::Image(image) = &s.pixels else { unreachable!("made above") };
        let (x, y, n) = (r.below(60) as i32 - 20, r.below(60) as i32 - 20, 1 + r.below(90));
        let want: Vec<u32> = (0..n as i32).map(|i| pixel(&s, image, x + i, y)).collect();
        for level in &all {
            let mut got = vec![0xDEAD_BEEF; n];
            dispatch!(*level, simd => s.fetch(simd, (x, y), &mut mixed, &mut got));
            assert_eq!(got, want, "round {round}: {s:?} at {level:?}");
        }
    }
}

// ---- Cells.

/// A closed polygon, within, beside and around the box.
fn polygon(r: &mut Rng, at: IRect) -> Vec<Seg> {
    let place = |r: &mut Rng| {
        let x = at.x0 * ONE + r.below((at.width() * ONE * 2) as usize) as i32 - at.width() * 128;
        let y = at.y0 * ONE + r.below((at.height() * ONE * 2) as usize) as i32 - at.height() * 128;
        // On pixel edges at times.
        if r.one_in(4) { (x & !255, y & !255) } else { (x, y) }
    };
    let points: Vec<_> = (0..3 + r.below(9)).map(|_| place(r)).collect();
    let next = points.iter().cycle().skip(1);
    points
        .iter()
        .zip(next)
        .filter(|(a, b)| a.1 != b.1)
        .map(|(a, b)| Seg::new(a.0, a.1, b.0, b.1))
        .collect()
}

/// Coverage by plain code that sums in 64 bits.
fn coverage(segs: &[Seg], at: IRect, rule: FillRule) -> Vec<Vec<u8>> {
    let (scalar, _) = levels();
    let width = at.width() as usize;
    let mut cells = Cells::<i64>::new(at.height() as usize);
    let mut row = Row::new();
    dispatch!(scalar, simd => cells.add(simd, segs, at));
    (0..at.height() as usize)
        .map(|y| {
            dispatch!(scalar, simd => cells.take(simd, y, width, rule, &mut row));
            row.flatten(width);
            row.cov[..width].to_vec()
        })
        .collect()
}

fn box_(r: &mut Rng) -> IRect {
    let width = if r.one_in(3) { TILE_W as i32 } else { 1 + r.below(TILE_W) as i32 };
    let (x, y) = (r.below(900) as i32, r.below(400) as i32);
    IRect::new(x, y, x + width, y + 1 + r.below(16) as i32)
}

#[test]
fn cells_give_the_same_coverage_at_every_level() {
    let (_, all) = levels();
    let r = &mut Rng::new(13);
    let (mut cells, mut row) = (Cells::<i32>::new(16), Row::new());
    let mut partly = 0;
    for round in 0..ROUNDS {
        let at = box_(r);
        let segs = polygon(r, at);
        let rule = [FillRule::NonZero, FillRule::EvenOdd][r.below(2)];
        let width = at.width() as usize;
        let want = coverage(&segs, at, rule);
        partly += want.iter().flatten().filter(|k| !matches!(k, 0 | 255)).count();
        for level in &all {
            dispatch!(*level, simd => cells.add(simd, &segs, at));
            for (y, want) in want.iter().enumerate() {
                dispatch!(*level, simd => cells.take(simd, y, width, rule, &mut row));
                row.flatten(width);
                assert!(row.cov[..width] == want[..], "round {round}, row {y} at {level:?}");
            }
        }
    }
    assert!(partly > ROUNDS * 10, "only {partly} pixels are partly covered");
}

#[test]
fn cells_paint_the_same_pixels_at_every_level() {
    let (_, all) = levels();
    let r = &mut Rng::new(14);
    let mut cells = Cells::<i32>::new(16);
    for round in 0..ROUNDS / 2 {
        let at = box_(r);
        let segs = polygon(r, at);
        let rule = [FillRule::NonZero, FillRule::EvenOdd][r.below(2)];
        let (rows, width) = (at.height() as usize, at.width() as usize);
        let ink = color(r).premultiply();
        // What lies beyond the box is read and must come back as it was.
        let before: Vec<u32> =
            (0..rows * TILE_W + STRIDE).map(|_| blend::legal(r.bits() as u32)).collect();
        let mut want = before.clone();
        for (y, cov) in coverage(&segs, at, rule).iter().enumerate() {
            for (d, &k) in want[y * TILE_W..].iter_mut().zip(cov) {
                // An opaque colour is mixed in one step: two roundings would not be these.
                *d = match ink >> 24 {
                    255 => blend::lerp(*d, ink, k as u32),
                    _ => blend::over(*d, blend::scale(ink, k as u32)),
                };
            }
        }
        for level in &all {
            let mut got = before.clone();
            dispatch!(*level, simd => {
                cells.add(simd, &segs, at);
                cells.fill(simd, rows, width, rule, ink, &mut got);
            });
            assert!(got == want, "round {round}: {ink:08x} at {level:?}");
        }
    }
}
