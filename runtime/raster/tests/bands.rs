//! Borders of bands, and who draws them: no seam where one band ends, no thread woken for little.

mod common;

use common::{Frame, frame_by, list};
use std::sync::Arc;
use zinc_raster::testing::{Rng, TestFont, image};
use zinc_raster::{PoolStats, Rasterizer};
use zinc_scene::{
    Color, CommandList, Glyph, GlyphSource, IRect, LayerPlan, Paint, PixelFormat, Point, Rect,
    Region, Rotation,
};

/// Circles, text, shadows and scaled images that cross rows 15 and 16 of some band at any scroll.
fn page(scroll: i32) -> Arc<CommandList> {
    let font: Arc<dyn GlyphSource> = Arc::new(TestFont);
    list(120, 96, |r| {
        r.clear(Color::hex(0xF0_F4F8));
        for i in 0..6 {
            let y = (i * 29 - scroll) as f32;
            r.rect(4.0, y, 30.0, 21.5).radius(7.0).shadow(0.0, 3.0, 9.0, 1.0, Color::BLACK);
            r.rect(4.25, y, 30.0, 21.5).radius(7.0).fill(Color::hex(0x30_80C0));
            r.path(|p| {
                p.circle(Point::new(50.3, y + 9.7), 11.2);
            })
            .fill(Color::rgba(200, 30, 60, 180));
            r.image(&image(i as u64), Rect::new(66.0, y - 0.25, 23.7, 19.1)).radius(4.0).draw();
            let ids = [2u32, 3, 7, 8];
            let glyphs: Vec<Glyph> = ids
                .iter()
                .zip(0..)
                .map(|(id, n)| Glyph { id: *id, x: n as f32 * 6.0, y: 0.0 })
                .collect();
            r.glyphs(&font, 11.0, Point::new(92.0, y + 13.0), &glyphs, Paint::Solid(Color::BLACK));
        }
    })
}

/// 46: a jagged line at a fixed row while a list scrolls.
#[test]
fn field_case_46_scrolled_lists_have_no_seam() {
    let plan = LayerPlan::new();
    let mut whole = Rasterizer::with_band(1, 96);
    let mut bands =
        [Rasterizer::new(1), Rasterizer::new(2), Rasterizer::with_band(3, 8).shuffled(1)];
    for step in [1, 3, 15, 16, 17] {
        for n in 0..18 {
            let l = page(n * step);
            let want = frame_by(&mut whole, &l, &plan);
            for (i, b) in bands.iter_mut().enumerate() {
                let got = frame_by(b, &l, &plan);
                let row = got.chunks(120).zip(want.chunks(120)).position(|(a, b)| a != b);
                assert_eq!(row, None, "step {step}, frame {n}, rasterizer {i}");
            }
        }
    }
    // And a scrolled list is the list moved: what is seen at row 40 now stood at row 57 before.
    let (a, b) = (frame_by(&mut whole, &page(0), &plan), frame_by(&mut bands[1], &page(17), &plan));
    assert!(a[57 * 120..60 * 120] == b[40 * 120..43 * 120]);
}

/// A screen full of cards.
fn screen() -> Arc<CommandList> {
    list(800, 480, |r| {
        r.clear(Color::WHITE);
        for i in 0..400 {
            let (x, y) = ((i * 97 % 780) as f32, (i * 53 % 460) as f32);
            r.rect(x, y, 60.0, 40.0).fill(Color::rgba(i as u8, 80, 160, 120));
            r.rect(x + 4.5, y, 50.0, 30.0).radius(6.0).fill(Color::rgb(9, i as u8, 99));
        }
    })
}

fn taken(stats: &PoolStats) -> Vec<u64> {
    stats.threads.iter().map(|t| t.taken).collect()
}

/// 92: a whole screen is shared by all threads, a change of 10x10 pixels stays on the caller.
#[test]
fn field_case_92_small_changes_wake_no_thread() {
    let l = screen();
    for turn in Rotation::ALL {
        for threads in [1u64, 2, 4] {
            let mut raster = Rasterizer::new(threads as usize);
            let mut f = Frame::new(&l, PixelFormat::Xrgb8888, turn, 0, 0);
            f.render(&mut raster, &l, &Region::of(l.surface()));
            let whole = raster.pool_stats().clone();
            assert_eq!((whole.passes, whole.woken), (2, 2 * (threads - 1)), "{turn:?}");
            // Each chunk and unit is taken once, whoever takes it.
            let chunks = l.commands().len().div_ceil(32) as u64;
            let units = match (turn.is_sideways(), threads) {
                (false, _) => 30,
                (true, 4) => 4,
                (true, _) => 2,
            };
            assert_eq!(taken(&whole).iter().sum::<u64>(), chunks + units, "{turn:?}");
            assert_eq!(whole.threads.len() as u64, threads);
            let rng = &mut Rng::new(threads);
            for n in 1..=50 {
                let (x, y) = (rng.below(790) as i32, rng.below(470) as i32);
                f.render(&mut raster, &l, &Region::of(IRect::new(x, y, x + 10, y + 10)));
                let now = raster.pool_stats();
                assert_eq!((now.passes, now.woken), (2 + 2 * n, whole.woken), "{turn:?}: {x},{y}");
                assert_eq!(taken(now)[1..], taken(&whole)[1..]);
            }
            // A cursor and a clock in two corners are small as well.
            let mut two = Region::of(IRect::new(0, 0, 10, 10));
            two.add(IRect::new(790, 470, 800, 480));
            f.render(&mut raster, &l, &two);
            assert_eq!(raster.pool_stats().woken, whole.woken, "{turn:?}");
        }
    }
}

/// A frame without damage is no pass.
#[test]
fn no_damage_is_no_pass() {
    let l = screen();
    let mut raster = Rasterizer::new(2);
    let mut f = Frame::new(&l, PixelFormat::Rgb565, Rotation::Deg0, 0, 0);
    f.render(&mut raster, &l, &Region::EMPTY);
    f.render(&mut raster, &l, &Region::of(IRect::new(900, 0, 910, 10)));
    assert_eq!(*raster.pool_stats(), PoolStats::default());
    f.padding_is_whole();
}
