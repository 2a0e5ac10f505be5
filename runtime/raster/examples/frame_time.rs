//! Times a home-like screen at 800x480: `frame_time [THREADS] [FRAMES] [SCENE]`. Prints the
//! median, the best and the first frame in milliseconds, whole and by part.

use std::sync::Arc;
use std::time::Instant;
use zinc_raster::Rasterizer;
use zinc_raster::testing::TestFont;
use zinc_scene::{
    Color, CommandList, Glyph, GlyphSource, Image, LayerPlan, Matrix, Paint, PixelFormat, Point,
    Recorder, Rect, Region, Rotation, Stop, StrokeStyle, TargetMut,
};

const W: u32 = 800;
const H: u32 = 480;

fn background(r: &mut Recorder) {
    let stops = [
        Stop::new(0.0, Color::hex(0x1E3A8A)),
        Stop::new(0.6, Color::hex(0x7C3AED)),
        Stop::new(1.0, Color::hex(0xF472B6)),
    ];
    let paint = Paint::linear(Point::new(0.0, 0.0), Point::new(800.0, 480.0), &stops);
    r.rect(0.0, 0.0, 800.0, 480.0).fill(paint);
}

fn glows(r: &mut Recorder) {
    for i in 0..8 {
        let (x, y) = (50.0 + i as f32 * 100.0, 60.0 + (i % 3) as f32 * 150.0);
        let stops =
            [Stop::new(0.0, Color::WHITE.alpha(0.3)), Stop::new(1.0, Color::WHITE.alpha(0.0))];
        let paint = Paint::radial(Point::new(x, y), 90.0, &stops);
        r.rect(x - 90.0, y - 90.0, 180.0, 180.0).fill(paint);
    }
}

fn cards(r: &mut Recorder, shadows: bool) {
    for i in 0..12 {
        let (x, y) = (24.0 + (i % 4) as f32 * 190.0, 40.0 + (i / 4) as f32 * 145.0);
        let stops = [Stop::new(0.0, Color::WHITE), Stop::new(1.0, Color::hex(0xE5E7EB))];
        let card = r.rect(x, y, 176.0, 128.0).radius(14.0);
        let card =
            if shadows { card.shadow(0.0, 6.0, 24.0, 0.0, Color::BLACK.alpha(0.35)) } else { card };
        card.fill(Paint::linear(Point::new(0.0, y), Point::new(0.0, y + 128.0), &stops))
            .border(1.0, Color::BLACK.alpha(0.2));
    }
}

fn content(r: &mut Recorder, font: &Arc<dyn GlyphSource>, photo: &Arc<Image>) {
    let glyphs: Vec<Glyph> =
        (0..18).map(|i| Glyph { id: 2 + i % 3, x: i as f32 * 7.6, y: 0.0 }).collect();
    for i in 0..40 {
        let at = Point::new(36.0 + (i % 4) as f32 * 190.0, 60.0 + (i / 4) as f32 * 42.0);
        r.glyphs(font, 14.0, at, &glyphs, Color::hex(0x1F2937));
    }
    for i in 0..10 {
        let c = Point::new(60.0 + i as f32 * 75.0, 455.0);
        r.circle(c, 12.0).fill(Color::hex(0xF59E0B));
        r.circle(c, 12.0).stroke(StrokeStyle::new(2.0), Color::hex(0x111827));
    }
    for i in 0..6 {
        let at = Rect::new(40.0 + i as f32 * 125.0, 300.0, 90.0, 60.0);
        r.image(photo, at).radius(8.0).draw();
        r.rect(at.x, 372.0, 90.0, 6.0).radius(3.0).fill(Color::hex(0xD1D5DB));
        r.rect(at.x, 372.0, 50.0, 6.0).radius(3.0).fill(Color::hex(0x10B981));
    }
}

/// Buildings and streets of a city map, all under a turned matrix.
fn map(r: &mut Recorder) {
    let mut seed = 7u32;
    let mut next = |n: f32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32 * n
    };
    let m = Matrix::translate(400.0, 240.0).then_inner(Matrix::rotate(0.3));
    r.push_matrix(m);
    for _ in 0..2400 {
        let (x, y) = (next(900.0) - 450.0, next(620.0) - 310.0);
        let (w, h) = (4.0 + next(14.0), 4.0 + next(14.0));
        r.path(|p| {
            p.move_to(x, y)
                .line_to(x + w, y + 2.0)
                .line_to(x + w, y + h)
                .line_to(x + w * 0.5, y + h);
            p.line_to(x + w * 0.5, y + h * 0.6).line_to(x, y + h * 0.6).close();
        })
        .fill(Color::hex(0xD6D3D1));
    }
    for _ in 0..1100 {
        let (mut x, mut y) = (next(900.0) - 450.0, next(620.0) - 310.0);
        let (dx, dy) = (next(24.0) - 12.0, next(24.0) - 12.0);
        let style = StrokeStyle::new(2.0 + next(6.0));
        r.path(|p| {
            p.move_to(x, y);
            for _ in 0..6 {
                (x, y) = (x + dx + next(6.0), y + dy + next(6.0));
                p.line_to(x, y);
            }
        })
        .stroke(style, Color::WHITE);
    }
    r.pop_matrix();
}

fn measure(name: &str, list: &CommandList, raster: &mut Rasterizer, frames: usize) {
    let mut bytes = vec![0u8; (W * H * 4) as usize];
    let all = Region::of(list.surface());
    let plan = LayerPlan::new();
    let mut times: Vec<f64> = (0..frames)
        .map(|_| {
            let (pitch, format) = (W as usize * 4, PixelFormat::Xrgb8888);
            let rotation = Rotation::Deg0;
            let mut target =
                TargetMut { bytes: &mut bytes, width: W, height: H, pitch, format, rotation };
            let start = Instant::now();
            raster.render(list, &plan, &all, &mut target);
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    let first = times[0];
    times.sort_by(f64::total_cmp);
    let (p50, best) = (times[frames / 2], times[0]);
    println!("{name:10} p50 {p50:6.3} ms  best {best:6.3} ms  first {first:6.3} ms");
}

fn main() {
    let arg = |i: usize| std::env::args().nth(i).and_then(|v| v.parse().ok());
    let (threads, frames) = (arg(1).unwrap_or(1), arg(2).unwrap_or(200).max(1));
    let font: Arc<dyn GlyphSource> = Arc::new(TestFont);
    let pixel = |i: u32| 0xFF00_0000 | (i * 2_654_435_761) >> 8;
    let photo = Image::new(120, 80, (0..120 * 80).map(pixel).collect()).expect("counted");
    let photo = Arc::new(photo);
    let mut raster = Rasterizer::new(threads);
    let mut recorder = Recorder::new();
    let only = std::env::args().nth(3);
    let mut one = |name: &str, f: &dyn Fn(&mut Recorder)| {
        if only.as_ref().is_some_and(|o| o != name) {
            return;
        }
        recorder.begin(W, H).expect("a legal size");
        f(&mut recorder);
        measure(name, &recorder.freeze(), &mut raster, frames);
    };
    one("clear", &|r| r.clear(Color::hex(0x123456)));
    one("background", &background);
    one("glows", &glows);
    one("cards", &|r| cards(r, false));
    one("shadows", &|r| cards(r, true));
    one("wide blur", &|r| {
        let card = r.rect(100.0, 60.0, 600.0, 360.0).radius(20.0);
        card.shadow(0.0, 12.0, 48.0, 0.0, Color::BLACK).fill(Color::WHITE);
    });
    one("wider blur", &|r| {
        let card = r.rect(100.0, 60.0, 600.0, 360.0).radius(20.0);
        card.shadow(0.0, 12.0, 96.0, 0.0, Color::BLACK).fill(Color::WHITE);
    });
    one("content", &|r| content(r, &font, &photo));
    one("map", &map);
    one("home", &|r| {
        background(r);
        glows(r);
        cards(r, true);
        content(r, &font, &photo);
    });
}
