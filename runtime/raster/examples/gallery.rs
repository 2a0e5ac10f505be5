//! Draws every kind of command into a picture: `gallery OUT.png [SCALE]`.

use std::sync::Arc;
use zinc_raster::Rasterizer;
use zinc_raster::testing::TestFont;
use zinc_scene::{
    BlendMode, Cap, Color, FillRule, Filter, Glyph, GlyphSource, Image, Join, Latched, LayerPlan,
    Matrix, Paint, PictureId, PixelFormat, Point, Radii, Recorder, Rect, Region, Rotation, Spread,
    Stop, StrokeStyle, TargetMut,
};

const W: u32 = 800;
const H: u32 = 600;
const INK: Color = Color::hex(0x1F2A44);

fn photo() -> Arc<Image> {
    let pixel = |i: u32| {
        let (x, y) = (i % 96, i / 96);
        let d = ((x as i32 - 48).pow(2) + (y as i32 - 32).pow(2)) as u32;
        let check = if (x / 8 + y / 8) % 2 == 0 { 0x30 } else { 0 };
        let (r, g, b) = (x * 2 + check, y * 3, if d < 500 { 220 } else { 60 });
        0xFF00_0000 | r.min(255) << 16 | g.min(255) << 8 | b
    };
    Arc::new(Image::new(96, 64, (0..96 * 64).map(pixel).collect()).expect("counted"))
}

fn shapes(r: &mut Recorder) {
    for (i, radius) in [0.0, 6.0, 14.0, 30.0].into_iter().enumerate() {
        let x = 20.0 + i as f32 * 90.0;
        r.rect(x, 20.0, 70.0, 60.0).radius(radius).fill(Color::hex(0x3B82F6));
        r.rect(x, 95.0, 70.0, 40.0).radius(radius).border(2.0, INK);
    }
    let r4 = Radii([0.0, 8.0, 16.0, 24.0]);
    r.rect(380.5, 20.5, 70.0, 60.0).radius(r4).fill(Color::hex(0x10B981));
    r.rect(380.0, 95.0, 70.0, 40.0).radius(r4).border(6.0, Color::hex(0xEF4444));
    for (i, blur) in [4.0, 12.0, 24.0].into_iter().enumerate() {
        let x = 480.0 + i as f32 * 105.0;
        let c = r.rect(x, 30.0, 80.0, 60.0).radius(14.0);
        c.shadow(0.0, 4.0, blur, 0.0, Color::BLACK.alpha(0.4)).fill(Color::WHITE);
        let c = r.rect(x, 120.0, 80.0, 50.0).radius(10.0).fill(Color::WHITE);
        c.inset_shadow(0.0, 3.0, blur, 0.0, Color::BLACK.alpha(0.5));
    }
}

fn strokes(r: &mut Recorder) {
    for (i, (join, cap)) in
        [(Join::Miter, Cap::Butt), (Join::Round, Cap::Round), (Join::Bevel, Cap::Square)]
            .into_iter()
            .enumerate()
    {
        let x = 20.0 + i as f32 * 110.0;
        let style = StrokeStyle { join, cap, ..StrokeStyle::new(12.0) };
        r.path(|p| {
            p.move_to(x, 220.0)
                .line_to(x + 40.0, 165.0)
                .line_to(x + 70.0, 225.0)
                .line_to(x + 85.0, 160.0);
        })
        .stroke(style, INK.alpha(0.6));
        let dashed = StrokeStyle { dashes: &[10.0, 7.0], ..style };
        r.path(|p| {
            p.move_to(x, 250.0).cubic_to(x + 30.0, 230.0, x + 60.0, 290.0, x + 90.0, 250.0);
        })
        .stroke(StrokeStyle { width: 4.0, ..dashed }, Color::hex(0xEF4444));
    }
    let dots = StrokeStyle { dashes: &[0.0, 8.0], ..StrokeStyle::new(5.0) };
    r.circle(Point::new(400.0, 200.0), 35.0).stroke(dots, Color::hex(0x8B5CF6));
    r.circle(Point::new(400.0, 200.0), 22.0).stroke(StrokeStyle::new(1.0), INK);
    for i in 0..12 {
        let a = i as f32 * 0.13;
        let (s, c) = (zinc_scene::math::sin(a), zinc_scene::math::cos(a));
        let to = Point::new(350.0 + 110.0 * c, 245.0 + 50.0 * s);
        r.line(Point::new(350.0, 245.0), to, 0.3 + i as f32 * 0.15, INK);
    }
    r.path(|p| {
        for i in 0..5 {
            let a = i as f32 * 2.0 * core::f32::consts::TAU / 5.0 - 1.57;
            let (s, c) = (zinc_scene::math::sin(a), zinc_scene::math::cos(a));
            p.line_to(510.0 + 45.0 * c, 230.0 + 45.0 * s);
        }
        p.close();
    })
    .rule(FillRule::EvenOdd)
    .fill(Color::hex(0xF59E0B));
    r.with_matrix(Matrix::translate(600.0, 230.0).then_inner(Matrix::rotate(0.4)), |r| {
        let card = r.rect(-35.0, -25.0, 70.0, 50.0).radius(10.0);
        card.shadow(0.0, 6.0, 16.0, 0.0, Color::BLACK.alpha(0.5)).fill(Color::hex(0xF472B6));
    });
    r.with_matrix(
        Matrix::translate(720.0, 230.0).then_inner(Matrix {
            b: 0.3,
            c: -0.5,
            ..Matrix::scale(1.5, 0.7)
        }),
        |r| {
            let card = r.rect(-35.0, -25.0, 70.0, 50.0).radius(14.0);
            card.shadow(0.0, 6.0, 16.0, 0.0, Color::BLACK.alpha(0.5))
                .fill(Color::hex(0x60A5FA))
                .border(3.0, INK);
        },
    );
}

fn gradients(r: &mut Recorder) {
    let stops = [
        Stop::new(0.0, Color::hex(0xEF4444)),
        Stop::new(0.5, Color::hex(0xFDE047)),
        Stop::new(1.0, Color::hex(0x3B82F6)),
    ];
    let at = |i: usize| 20.0 + i as f32 * 110.0;
    let (y, h) = (310.0, 70.0);
    let p = Point::new;
    let mut one = |i: usize, paint: Paint<'_>| {
        r.rect(at(i), y, 95.0, h).radius(8.0).fill(paint);
    };
    one(0, Paint::linear(p(at(0), 0.0), p(at(0) + 95.0, 0.0), &stops));
    one(1, Paint::linear(p(0.0, y), p(0.0, y + h), &stops));
    one(2, Paint::linear(p(at(2), y), p(at(2) + 60.0, y + h), &stops));
    one(3, Paint::radial(p(at(3) + 48.0, y + 35.0), 45.0, &stops));
    one(4, Paint::sweep(p(at(4) + 48.0, y + 35.0), 0.0, &stops));
    let shape =
        zinc_scene::GradientShape::Radial { center: p(at(5) + 48.0, y + 35.0), radius: 12.0 };
    one(5, Paint::Gradient { shape, stops: &stops, spread: Spread::Reflect });
    let shape =
        zinc_scene::GradientShape::Linear { from: p(at(6), y), to: p(at(6) + 15.0, y + 9.0) };
    one(6, Paint::Gradient { shape, stops: &stops, spread: Spread::Repeat });
}

fn images(r: &mut Recorder) {
    let photo = photo();
    let y = 400.0;
    r.image(&photo, Rect::new(20.0, y, 96.0, 64.0)).draw();
    r.image(&photo, Rect::new(130.0, y, 120.0, 80.0)).radius(16.0).draw();
    r.image(&photo, Rect::new(265.0, y, 40.0, 27.0)).draw();
    r.image(&photo, Rect::new(265.0, y + 40.0, 21.0, 14.0)).draw();
    r.image(&photo, Rect::new(320.0, y, 120.0, 80.0))
        .filter(Filter::Nearest)
        .src(Rect::new(30.0, 20.0, 24.0, 16.0))
        .draw();
    r.with_matrix(Matrix::translate(510.0, y + 40.0).then_inner(Matrix::rotate(0.5)), |r| {
        r.image(&photo, Rect::new(-48.0, -32.0, 96.0, 64.0)).radius(12.0).draw();
    });
    r.rect(590.0, y, 90.0, 80.0).fill(INK);
    r.picture(PictureId(1), Rect::new(600.0, y + 10.0, 70.0, 50.0), Radii::all(14.0), 1.0);
    r.picture(PictureId(2), Rect::new(695.0, y, 90.0, 60.0), Radii::all(20.0), 0.8);
}

fn groups(r: &mut Recorder) {
    let y = 500.0;
    for (i, mode) in [
        BlendMode::SourceOver,
        BlendMode::Multiply,
        BlendMode::Screen,
        BlendMode::Plus,
        BlendMode::Darken,
        BlendMode::Lighten,
    ]
    .into_iter()
    .enumerate()
    {
        let x = 20.0 + i as f32 * 80.0;
        r.rect(x, y, 45.0, 60.0).fill(Color::hex(0x2563EB));
        r.push_layer(0.8, mode);
        r.circle(Point::new(x + 40.0, y + 20.0), 20.0).fill(Color::hex(0xF59E0B));
        r.circle(Point::new(x + 40.0, y + 40.0), 20.0).fill(Color::hex(0x84CC16));
        r.pop_layer();
    }
    r.with_clip(Rect::new(510.0, y, 110.0, 80.0), 24.0, |r| {
        r.rect(500.0, y, 200.0, 100.0).fill(Color::hex(0xFECACA));
        for i in 0..12 {
            let x = 500.0 + i as f32 * 14.0;
            r.line(
                Point::new(x, y - 10.0),
                Point::new(x + 40.0, y + 90.0),
                5.0,
                Color::hex(0xB91C1C),
            );
        }
    });
    let font: Arc<dyn GlyphSource> = Arc::new(TestFont);
    let glyphs: Vec<Glyph> = (1..8).map(|i| Glyph { id: i, x: i as f32 * 18.0, y: 0.0 }).collect();
    r.glyphs(&font, 24.0, Point::new(630.0, y + 25.0), &glyphs, INK);
    r.with_matrix(Matrix::translate(640.0, y + 40.0).then_inner(Matrix::rotate(0.15)), |r| {
        r.glyphs(&font, 24.0, Point::new(0.0, 15.0), &glyphs, INK);
    });
}

/// Lines that strokers get wrong: tight bends, reversals, dashed corners, wide rings.
fn hard_strokes(r: &mut Recorder) {
    let red = Color::hex(0xDC2626).alpha(0.7);
    let style = StrokeStyle { join: Join::Miter, cap: Cap::Butt, ..StrokeStyle::new(16.0) };
    r.path(|p| {
        p.move_to(15.0, 590.0).cubic_to(60.0, 555.0, 20.0, 555.0, 60.0, 590.0);
    })
    .stroke(style, red);
    r.path(|p| {
        p.move_to(90.0, 580.0).line_to(140.0, 580.0).line_to(100.0, 580.0);
    })
    .stroke(StrokeStyle { join: Join::Round, width: 10.0, ..style }, red);
    let dashed = StrokeStyle { dashes: &[9.0, 5.0], width: 3.0, ..style };
    r.path(|p| {
        p.rounded_rect(Rect::new(160.0, 568.0, 60.0, 25.0), Radii::all(8.0), false);
    })
    .stroke(dashed, red);
    r.path(|p| {
        p.rect(Rect::new(235.0, 568.0, 60.0, 25.0));
    })
    .stroke(StrokeStyle { dashes: &[], width: 5.0, ..style }, red);
    r.circle(Point::new(320.0, 580.0), 8.0).stroke(StrokeStyle { width: 14.0, ..style }, red);
    r.path(|p| {
        p.move_to(345.0, 570.0).line_to(375.0, 590.0).line_to(378.0, 570.0).line_to(381.0, 590.0);
        p.line_to(410.0, 570.0);
    })
    .stroke(StrokeStyle { width: 4.0, ..style }, red);
    r.path(|p| {
        p.arc(Point::new(445.0, 600.0), 28.0, 3.3, 2.7);
    })
    .stroke(StrokeStyle { width: 9.0, cap: Cap::Round, ..style }, red);
}

fn main() {
    let out = std::env::args().nth(1).unwrap_or_else(|| "gallery.png".into());
    let mut r = Recorder::new();
    let scale = std::env::args().nth(2).and_then(|v| v.parse().ok()).unwrap_or(1.0f32);
    let (w, h) = ((W as f32 * scale) as u32, (H as f32 * scale) as u32);
    r.begin(w, h).expect("a legal size");
    r.clear(Color::hex(0xF4F5F7));
    r.push_matrix(Matrix::scale(scale, scale));
    shapes(&mut r);
    strokes(&mut r);
    gradients(&mut r);
    images(&mut r);
    groups(&mut r);
    hard_strokes(&mut r);
    for w in r.warnings() {
        eprintln!("{w}");
    }
    let list = r.freeze();
    let mut plan = LayerPlan::new();
    plan.set(PictureId(1), Latched::Hole);
    plan.set(PictureId(2), Latched::Drawn(photo()));
    let mut bytes = vec![0u8; (w * h * 4) as usize];
    let pitch = w as usize * 4;
    let mut target = TargetMut {
        bytes: &mut bytes,
        width: w,
        height: h,
        pitch,
        format: PixelFormat::Argb8888,
        rotation: Rotation::Deg0,
    };
    let stats = Rasterizer::new(2).render(&list, &plan, &Region::of(list.surface()), &mut target);
    println!("{stats:?}");
    for p in bytes.chunks_exact_mut(4) {
        p.swap(0, 2);
        // PNG wants straight alpha; the gallery has no translucent pixel that matters.
    }
    let file = std::fs::File::create(&out).expect("the picture's file");
    let mut png = png::Encoder::new(std::io::BufWriter::new(file), w, h);
    png.set_color(png::ColorType::Rgba);
    png.set_depth(png::BitDepth::Eight);
    let mut png = png.write_header().expect("a header");
    png.write_image_data(&bytes).expect("pixels");
}
