//! Faults that people met in products of this kind, end to end. What belongs to one crate is tested
//! there: packed glyphs of odd sizes, fallback per cluster and systems without fonts in
//! `runtime/text`, every cut of a damaged picture in `runtime/image`, random edits in
//! `runtime/raster`, and there also all of formats, turns, band borders and threads (1, 4 to 6, 8,
//! 46, 47, 49, 53, 92).

#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use std::path::Path;
use std::sync::Arc;
use zinc::prelude::*;
use zinc::testing::Harness;
use zinc_raster::Rasterizer;
use zinc_scene::{
    CommandList, Differ, LayerPlan, PixelFormat, Recorder, Region, Rotation, TargetMut, capture,
};
use zinc_t1::{folder, picture::Picture, run};

const SIZE: (u32, u32) = (80, 60);

fn list(f: impl FnOnce(&mut Recorder)) -> Arc<CommandList> {
    let mut r = Recorder::new();
    r.begin(SIZE.0, SIZE.1).unwrap();
    f(&mut r);
    r.freeze()
}

fn draw(to: &mut [u8], list: &CommandList, damage: &Region) {
    let (width, height) = SIZE;
    let (pitch, format) = (width as usize * 4, PixelFormat::Argb8888);
    let mut target =
        TargetMut { bytes: to, width, height, pitch, format, rotation: Rotation::Deg0 };
    Rasterizer::new(1).render(list, &LayerPlan::new(), damage, &mut target);
}

fn whole(list: &CommandList) -> Vec<u8> {
    let mut pixels = vec![0; (SIZE.0 * SIZE.1 * 4) as usize];
    draw(&mut pixels, list, &Region::of(list.surface()));
    pixels
}

/// Frames one after the other by their damage equal frames drawn whole.
fn partial_equals_whole(frames: &[Arc<CommandList>]) {
    let (mut pixels, plan) = (whole(&frames[0]), LayerPlan::new());
    for (i, pair) in frames.windows(2).enumerate() {
        let (old, new) = (&pair[0], &pair[1]);
        let damage = Differ::default().diff(Some((old, &plan)), (new, &plan));
        draw(&mut pixels, new, &damage);
        assert!(pixels == whole(new), "frame {}", i + 1);
    }
}

/// 41: of two changes far apart the box around both was shown, with stale pixels between.
#[test]
fn case_41_two_far_changes_over_a_moving_column() {
    let frame = |i: i32| {
        list(|r| {
            r.clear(Color::WHITE);
            r.rect(20.0 + (i % 40) as f32, 0.0, 6.5, 60.0).radius(2.0).fill(Color::rgb(9, 90, 200));
            let blink = |n: i32| Color::rgb((i * n) as u8, 40, 0);
            r.rect(0.0, 0.0, 10.0, 10.0).fill(blink(7));
            r.rect(70.0, 50.0, 10.0, 10.0).fill(blink(13));
        })
    };
    let frames: Vec<_> = (0..600).map(frame).collect();
    let plan = LayerPlan::new();
    let damage = Differ::default().diff(Some((&frames[0], &plan)), (&frames[1], &plan));
    assert!(damage.rects().len() >= 2 && damage.area() < 80 * 60 / 2, "{damage:?}");
    partial_equals_whole(&frames);
}

/// 43: a change of the background alone repainted nothing.
#[test]
fn case_43_a_background_alone_is_full_damage() {
    let frame = |i: u8| {
        list(|r| {
            r.clear(Color::rgb(i * 8, 0, 255 - i * 8));
            r.rect(10.0, 10.0, 20.0, 20.0).fill(Color::WHITE);
        })
    };
    let frames: Vec<_> = (0..30).map(frame).collect();
    let plan = LayerPlan::new();
    let damage = Differ::default().diff(Some((&frames[0], &plan)), (&frames[1], &plan));
    assert_eq!(damage.rects(), [frames[0].surface()]);
    partial_equals_whole(&frames);
}

/// 44: what was removed stayed; a change inside a clip was not redrawn.
#[test]
fn case_44_removals_and_changes_in_clips_are_redrawn() {
    let frame = |clip: f32, inner: u8, third: bool| {
        list(|r| {
            r.clear(Color::WHITE);
            r.with_clip(Rect::new(4.0, 4.0, clip, 40.0), 6.0, |r| {
                r.rect(0.0, 0.0, 60.0, 30.0).fill(Color::rgb(inner, 9, 9));
            });
            if third {
                r.rect(50.0, 40.0, 20.0, 15.0).fill(Color::BLACK);
            }
        })
    };
    partial_equals_whole(&[
        frame(30.0, 10, true),
        frame(30.0, 10, false),
        frame(30.0, 200, false),
        frame(50.0, 200, false),
        frame(12.0, 200, true),
        frame(12.0, 201, true),
    ]);
}

/// 51: sizes of nothing, or of no number, divided by zero.
#[test]
fn case_51_sizes_that_are_none_draw_nothing() {
    let image = Arc::new(Image::new(2, 2, vec![0xFFFF_0000; 4].into()).unwrap());
    let empty = whole(&list(|_| {}));
    let nothing = [0.0, -0.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    let tiny = [1e-6, 0.49, 0.5, 1.0];
    for (v, draws) in nothing.map(|v| (v, false)).into_iter().chain(tiny.map(|v| (v, true))) {
        for (w, h) in [(v, 20.0), (20.0, v), (v, v)] {
            let drawn = list(|r| {
                boxes(r, w, h);
                r.image(&image, Rect::new(5.0, 5.0, w, h)).radius(v).draw();
                r.image(&image, Rect::new(5.0, 5.0, 9.0, 9.0))
                    .src(Rect::new(0.0, 0.0, w, h))
                    .draw();
                r.with_matrix(Matrix::scale(w, h), |r| {
                    r.rect(0.0, 0.0, if draws { 1.0 } else { v }, 9.0).fill(Color::BLACK);
                });
            });
            let pixels = whole(&drawn);
            let sound = |p: &[u8]| p[3] >= p[0].max(p[1]).max(p[2]);
            assert!(pixels.chunks_exact(4).all(sound), "{w} x {h}: not premultiplied");
            assert!(draws || pixels == empty, "{w} x {h} draws something");
        }
    }
}

fn boxes(r: &mut Recorder, w: f32, h: f32) {
    let ink = Color::BLACK;
    r.rect(5.0, 5.0, w, h).fill(ink).border(1.0, ink);
    r.rect(5.0, 5.0, w, h).shadow(0.0, 0.0, 2.0, 0.0, ink).inset_shadow(0.0, 0.0, 2.0, 0.0, ink);
    // A path may run leftwards and upwards: that is a shape, not a size.
    if w >= 0.0 && h >= 0.0 {
        r.path(|p| {
            p.rect(Rect::new(5.0, 5.0, w, h));
        })
        .fill(ink);
    }
}

/// 52: a slider whose end is its start made NaN, and a panic.
#[test]
fn case_52_a_slider_without_a_range_stands_still() {
    const INF: f32 = f32::INFINITY;
    let ranges = [(0.0, 0.0), (3.0, -3.0), (f32::NAN, 1.0), (0.0, INF), (-INF, INF), (0.0, 10.0)];
    for ((from, to), start) in ranges.into_iter().flat_map(|r| [(r, f32::NAN), (r, INF), (r, -1.0)])
    {
        let mut value = start;
        let mut app = Harness::new(move |ui: &mut Ui| {
            ui.slider(S.width(200.0), &mut value, from..=to);
        });
        assert_eq!(app.ui().warnings(), [], "{from}..={to}, {start}: before it is touched");
        app.drag((20.0, 20.0), (180.0, 20.0), 5);
        app.key("ArrowRight");
        let list = app.list().unwrap();
        assert!(list.commands().len() >= 5, "{from}..={to}, {start}: it is drawn");
        assert_eq!(app.ui().warnings(), [], "{from}..={to}, {start}: with sound numbers");
    }
}

/// 55, 57: emoji and arrows were boxes. Glyph 0 is the box; the words below have none.
#[test]
fn case_55_and_57_every_glyph_is_one() {
    let words = "\u{1F600} \u{25BA} \u{25B6} 21.5 \u{B0}C \u{20AC}";
    let mut app = Harness::new(move |ui: &mut Ui| {
        ui.text(words).title();
    });
    let list = app.list().unwrap();
    assert!(list.arenas().glyphs.iter().all(|g| g.id != 0), "{:?}", list.arenas().glyphs);
    assert!(app.ui().text_engine().missing().is_empty());
    // And the pixels travel without the font.
    let (back, _) = capture::load(&capture::save(&list, &LayerPlan::new())).unwrap();
    assert_eq!(back.hash(), list.hash());
}

/// 62: damaged pictures were opened on every frame. A hundred of them beside a sound one: one line
/// each in 600 frames, and the sound one is right.
#[test]
fn case_62_damaged_pictures_are_opened_once() {
    let dir = folder();
    let good = dir.path().join("good.png");
    let side = 32;
    let pixels = [200u8, 40, 10, 255].repeat(side * side);
    Picture { width: side as u32, height: side as u32, pixels }.write(&good).unwrap();
    let sound = std::fs::read(&good).unwrap();
    let mut c = run::on_sim(Path::new(env!("CARGO_BIN_EXE_t1-app")), 600);
    let shot = dir.path().join("shot.png");
    c.arg("files").arg(&good).env("ZINC_SHOT", &shot).env("ZINC_SIZE", "12000x200");
    for i in 0..100 {
        let bad = dir.path().join(format!("bad-{i}.png"));
        let mut bytes = sound.clone();
        match i % 3 {
            0 => bytes.truncate(sound.len() * i / 100),
            1 => bytes[i % 40] ^= 0xFF,
            _ => bytes.clear(),
        }
        std::fs::write(&bad, bytes).unwrap();
        c.arg(bad);
    }
    let e = run::end(&mut c).expect(0);
    for i in 0..100 {
        assert!(e.times(&format!("bad-{i}.png")) <= 1, "bad-{i}.png:\n{}", e.err);
    }
    let lines = e.times("WARN picture");
    assert!((80..=100).contains(&lines), "{lines} pictures are reported:\n{}", e.err);
    let p = Picture::read(&shot).unwrap();
    let at = |x: usize, y: usize| &p.pixels[(y * p.width as usize + x) * 4..][..3];
    assert_eq!(at(58, 58), [200, 40, 10], "the sound picture, in the middle of its box");
    // Beside it a placeholder, which is neither the picture nor the ground.
    assert_ne!(at(120, 12), at(2, 2));
}
