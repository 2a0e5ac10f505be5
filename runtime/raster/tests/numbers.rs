//! Numbers at the edge: sizes that vanish, are huge or no numbers at all. Nothing panics, and
//! what has no size draws nothing.

mod common;

use common::{frame, frame_by};
use proptest::prelude::*;
use std::sync::Arc;
use zinc_raster::Rasterizer;
use zinc_raster::testing::{TestFont, image};
use zinc_scene::{
    BlendMode, Cap, Color, Filter, Glyph, GlyphSource, GradientShape, Join, Latched, LayerPlan,
    Matrix, Paint, PictureId, Point, Radii, Recorder, Rect, Spread, Stop, StrokeStyle,
};

const ODD: [f32; 8] = [0.0, 1e-6, 0.49, 0.5, 1.0, f32::NAN, f32::INFINITY, -1.0];

/// Every kind of command from one list of numbers.
fn everything(r: &mut Recorder, n: &mut dyn FnMut() -> f32) {
    let font: Arc<dyn GlyphSource> = Arc::new(TestFont);
    let stops = [Stop::new(0.0, Color::BLACK), Stop::new(1.0, Color::WHITE)];
    let shapes = [
        GradientShape::Linear { from: Point::new(n(), n()), to: Point::new(n(), n()) },
        GradientShape::Radial { center: Point::new(n(), n()), radius: n() },
        GradientShape::Sweep { center: Point::new(n(), n()), start: n() },
    ];
    let mut box_ = || Rect::new(n(), n(), n(), n());
    let (a, b, c, d) = (box_(), box_(), box_(), box_());
    let radii = Radii([n(), n(), n(), n()]);
    r.rect(a.x, a.y, a.w, a.h).radius(radii).fill(Color::BLACK).border(n(), Color::WHITE);
    for shape in shapes {
        for spread in [Spread::Pad, Spread::Repeat, Spread::Reflect] {
            let paint = Paint::Gradient { shape, stops: &stops, spread };
            r.rect(b.x, b.y, b.w, b.h).fill(paint);
        }
    }
    r.rect(c.x, c.y, c.w, c.h).radius(radii).shadow(n(), n(), n(), n(), Color::BLACK);
    r.rect(c.x, c.y, c.w, c.h).radius(radii).inset_shadow(n(), n(), n(), n(), Color::BLACK);
    let dashes = [n(), n()];
    for (join, cap) in
        [(Join::Miter, Cap::Butt), (Join::Round, Cap::Round), (Join::Bevel, Cap::Square)]
    {
        for dashes in [&[][..], &dashes[..]] {
            let style =
                StrokeStyle { join, cap, dashes, dash_offset: n(), miter_limit: n(), width: n() };
            let path = r.path(|p| {
                p.move_to(n(), n()).line_to(n(), n()).quad_to(n(), n(), n(), n());
                p.cubic_to(n(), n(), n(), n(), n(), n()).close().line_to(n(), n());
            });
            path.fill(Color::BLACK).stroke(style, Color::WHITE);
        }
    }
    let glyphs = [1, 2, 3].map(|id| Glyph { id, x: n(), y: n() });
    r.glyphs(&font, n(), Point::new(n(), n()), &glyphs, Color::BLACK);
    for filter in [Filter::Smooth, Filter::Nearest] {
        r.image(&image(3), d).src(a).radius(radii).filter(filter).opacity(n()).draw();
    }
    for id in 0..3 {
        r.picture(PictureId(id), d, radii, n());
    }
    r.push_clip(b, radii);
    r.push_layer(n(), BlendMode::Multiply);
    r.clear(Color::WHITE);
    r.rect(a.x, a.y, a.w, a.h).fill(Color::hex(0x123456));
    r.picture(PictureId(1), c, radii, 0.5);
    r.pop_layer();
    r.pop_clip();
}

fn films() -> LayerPlan {
    let mut p = LayerPlan::new();
    p.set(PictureId(1), Latched::Hole);
    p.set(PictureId(2), Latched::Drawn(image(5)));
    p
}

#[test]
fn field_cases_51_and_52_odd_sizes_never_panic() {
    let mut raster = Rasterizer::new(1);
    let mut recorder = Recorder::new();
    for k in 0..4000u32 {
        // Each place takes each value against others; some lists are all one value.
        let mut i = 0u32;
        let mut next = || {
            i += 1;
            let step = i.wrapping_mul(k | 1).wrapping_mul(40_503);
            let v = k.wrapping_mul(2_654_435_761).wrapping_add(step) >> 13;
            if k < 8 { ODD[k as usize] } else { ODD[v as usize % 8] }
        };
        recorder.begin(24, 20).expect("a legal size");
        let m = Matrix { a: next(), d: next(), e: next(), ..Matrix::IDENTITY };
        recorder.push_matrix(if k % 2 == 0 { Matrix::IDENTITY } else { m });
        everything(&mut recorder, &mut next);
        frame_by(&mut raster, &recorder.freeze(), &films());
    }
}

#[test]
fn field_case_51_an_image_that_vanishes_draws_nothing() {
    for (w, h) in [(0.0, 5.0), (5.0, 0.0), (-1.0, 5.0)] {
        let mut r = Recorder::new();
        r.begin(16, 16).expect("a legal size");
        r.image(&image(1), Rect::new(2.0, 2.0, w, h)).draw();
        assert_eq!(frame(&r.freeze(), &LayerPlan::new()), [0; 256]);
    }
    let mut r = Recorder::new();
    r.begin(16, 16).expect("a legal size");
    r.push_matrix(Matrix::scale(0.0, 1.0));
    r.image(&image(1), Rect::new(2.0, 2.0, 9.0, 9.0)).draw();
    assert_eq!(frame(&r.freeze(), &LayerPlan::new()), [0; 256]);
}

#[test]
fn field_case_52_numbers_that_are_none_are_named() {
    let mut r = Recorder::new();
    r.begin(16, 16).expect("a legal size");
    r.rect(0.0, 0.0, 10.0 * f32::NAN, 4.0).fill(Color::BLACK);
    assert_eq!(r.refused(), 1);
    assert!(r.warnings()[0].to_string().contains("rect left out"), "{}", r.warnings()[0]);
    assert_eq!(frame(&r.freeze(), &LayerPlan::new()), [0; 256]);
}

#[test]
fn far_and_huge_geometry_is_cut_right() {
    // A line of a million pixels keeps its place; a box of a million covers all.
    let mut r = Recorder::new();
    r.begin(32, 32).expect("a legal size");
    r.rect(-1e6, -1e6, 1.04e6, 1.04e6).fill(Color::WHITE);
    let words = frame(&r.freeze(), &LayerPlan::new());
    assert!(words.iter().all(|w| *w == u32::MAX));
    r.begin(32, 32).expect("a legal size");
    r.path(|p| {
        p.move_to(-1e6, -1e6).line_to(1e6, 1e6).line_to(-1e6, 1e6).close();
    })
    .fill(Color::WHITE);
    let words = frame(&r.freeze(), &LayerPlan::new());
    for (i, w) in words.iter().enumerate() {
        let (x, y) = (i % 32, i / 32);
        match x.cmp(&y) {
            std::cmp::Ordering::Less => assert_eq!(*w, u32::MAX, "{x},{y}"),
            std::cmp::Ordering::Greater => assert_eq!(*w, 0, "{x},{y}"),
            std::cmp::Ordering::Equal => assert!((w >> 24).abs_diff(128) <= 2, "{x},{y} {w:x}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_bit_pattern_is_safe(
        bits in proptest::collection::vec(any::<u32>(), 40..120),
        tame in proptest::collection::vec(-1e6f32..1e6, 40..120),
        m in proptest::array::uniform6(-1e6f32..1e6),
        mix in any::<u64>(),
    ) {
        let mut i = 0usize;
        let mut next = || {
            i += 1;
            // Half of the lists hold only legal numbers.
            match ((mix >> (i % 59)) & 3).max(mix >> 63) {
                0 => f32::from_bits(bits[i % bits.len()]),
                1 => tame[i % tame.len()],
                2 => tame[i % tame.len()] * 1e-4,
                _ => tame[i % tame.len()] * 1e-6,
            }
        };
        let mut r = Recorder::new();
        r.begin(40, 33).expect("a legal size");
        everything(&mut r, &mut next);
        r.push_matrix(Matrix { a: m[0], b: m[1], c: m[2], d: m[3], e: m[4], f: m[5] });
        everything(&mut r, &mut next);
        frame(&r.freeze(), &films());
    }
}
