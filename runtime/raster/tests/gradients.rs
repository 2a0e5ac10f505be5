//! Gradients against their formulas in double precision.
#![allow(clippy::disallowed_methods, reason = "a reference does not share the maths it judges")]

mod common;

use common::{bytes, draw, frame, list};
use std::f64::consts::TAU;
use zinc_raster::Rasterizer;
use zinc_scene::{
    Color, GradientShape, IRect, LayerPlan, Paint, PixelFormat, Point, Region, Spread, Stop,
};

const W: usize = 100;
const H: usize = 100;
/// Offset of a point.
type Place<'a> = &'a dyn Fn(f64, f64) -> f64;

/// A colour of premultiplied stops at `t`, as real numbers: b, g, r, a.
fn ramp(stops: &[Stop], t: f64) -> [f64; 4] {
    let color = |s: &Stop| bytes(s.color.premultiply()).map(|v| v as f64);
    let (first, last) = (&stops[0], &stops[stops.len() - 1]);
    if t <= first.offset as f64 {
        return color(first);
    }
    for w in stops.windows(2) {
        let (a, b) = (w[0].offset as f64, w[1].offset as f64);
        if t < b {
            let k = (t - a) / (b - a);
            let (ca, cb) = (color(&w[0]), color(&w[1]));
            return std::array::from_fn(|i| ca[i] + (cb[i] - ca[i]) * k);
        }
    }
    color(last)
}

#[test]
fn gradients_follow_their_formulas() {
    let stops = [
        Stop::new(0.0, Color::rgba(255, 30, 0, 255)),
        Stop::new(0.3, Color::rgba(0, 200, 100, 128)),
        Stop::new(1.0, Color::rgba(20, 60, 250, 230)),
    ];
    let (from, to) = (Point::new(10.0, 20.0), Point::new(80.0, 65.0));
    let center = Point::new(47.3, 52.6);
    let linear =
        |x: f64, y: f64| ((x - 10.0) * 70.0 + (y - 20.0) * 45.0) / (70.0 * 70.0 + 45.0 * 45.0);
    let (cx, cy) = (center.x as f64, center.y as f64);
    let radial = |x: f64, y: f64| ((x - cx).powi(2) + (y - cy).powi(2)).sqrt() / 40.0;
    let sweep = |x: f64, y: f64| ((y - cy).atan2(x - cx) / TAU - 0.5 / TAU).rem_euclid(1.0);
    let cases: [(GradientShape, Place<'_>); 3] = [
        (GradientShape::Linear { from, to }, &linear),
        (GradientShape::Radial { center, radius: 40.0 }, &radial),
        (GradientShape::Sweep { center, start: 0.5 }, &sweep),
    ];
    for (shape, t_of) in cases {
        for spread in [Spread::Pad, Spread::Repeat, Spread::Reflect] {
            let l = list(W as u32, H as u32, |r| {
                let paint = Paint::Gradient { shape, stops: &stops, spread };
                r.rect(0.0, 0.0, W as f32, H as f32).fill(paint);
            });
            let got = frame(&l, &LayerPlan::new());
            let (mut sum, mut max) = (0.0, 0.0f64);
            for (i, w) in got.iter().enumerate() {
                let raw = t_of((i % W) as f64 + 0.5, (i / W) as f64 + 0.5);
                let t = match spread {
                    Spread::Pad => raw.clamp(0.0, 1.0),
                    Spread::Repeat => raw.rem_euclid(1.0),
                    Spread::Reflect => 1.0 - (raw.rem_euclid(2.0) - 1.0).abs(),
                };
                // At the jump of a turn or a repeat either side is right.
                if !(1e-4..=1.0 - 1e-4).contains(&t) {
                    continue;
                }
                for (g, want) in bytes(*w).into_iter().zip(ramp(&stops, t)) {
                    let d = (g as f64 - want).abs();
                    sum += d;
                    max = max.max(d);
                }
            }
            let mean = sum / (W * H * 4) as f64;
            println!("{shape:?} {spread:?}: mean {mean:.3} max {max:.3}");
            assert!(mean <= 0.3 && max <= 0.6, "{shape:?} {spread:?}: mean {mean} max {max}");
        }
    }
}

#[test]
fn gradient_ends_are_exact_and_steps_monotone() {
    let stops = [Stop::new(0.0, Color::BLACK), Stop::new(1.0, Color::WHITE)];
    let paint = Paint::linear(Point::new(1.0, 0.0), Point::new(99.0, 0.0), &stops);
    let l = list(W as u32, 1, |r| {
        r.rect(0.0, 0.0, W as f32, 1.0).fill(paint);
    });
    let got = frame(&l, &LayerPlan::new());
    assert_eq!((got[0], got[99]), (0xFF00_0000, 0xFFFF_FFFF));
    assert!(got.windows(2).all(|w| w[0] <= w[1]));
}

#[test]
fn flattened_gradients_paint_the_last_stop() {
    let stops = [Stop::new(0.0, Color::WHITE), Stop::new(1.0, Color::rgb(1, 2, 3))];
    let p = Point::new(5.0, 5.0);
    for paint in
        [Paint::linear(p, p, &stops), Paint::radial(p, 0.0, &stops), Paint::radial(p, -1.0, &stops)]
    {
        let l = list(4, 4, |r| {
            r.rect(0.0, 0.0, 4.0, 4.0).fill(paint);
        });
        assert_eq!(frame(&l, &LayerPlan::new()), [0xFF01_0203; 16]);
    }
}

#[test]
fn few_pixels_of_a_glow_are_those_of_all() {
    // Without a table for the small part, with one for the whole.
    let stops = [
        Stop::new(0.0, Color::rgba(90, 120, 255, 96)),
        Stop::new(0.5, Color::rgba(90, 120, 255, 34)),
        Stop::new(1.0, Color::rgba(90, 120, 255, 0)),
    ];
    let shape = GradientShape::Radial { center: Point::new(50.2, 48.9), radius: 61.0 };
    let l = list(W as u32, H as u32, |r| {
        r.clear(Color::hex(0x101828));
        let paint = Paint::Gradient { shape, stops: &stops, spread: Spread::Pad };
        r.rect(0.0, 0.0, W as f32, H as f32).fill(paint);
    });
    let all = frame(&l, &LayerPlan::new());
    let mut raster = Rasterizer::new(1);
    for (x, y) in [(0, 0), (46, 44), (83, 90)] {
        let part = IRect::new(x, y, x + 10, y + 10);
        let mut words = vec![0u32; W * H];
        let format = PixelFormat::Argb8888;
        draw(&mut raster, &l, &LayerPlan::new(), &Region::of(part), &mut words, format);
        for y in part.y0..part.y1 {
            let row = y as usize * W + part.x0 as usize..y as usize * W + part.x1 as usize;
            assert_eq!(words[row.clone()], all[row], "row {y}");
        }
    }
}
