//! Frames in the formats of panels: bytes in their places, nothing written beside them, and what
//! 16 bits make of colours.

mod common;

use common::{Frame, frame, list, reference};
use std::sync::Arc;
use zinc_raster::Rasterizer;
use zinc_raster::testing::{Rng, Scene};
use zinc_scene::{
    BlendMode, Channel, Color, CommandList, IRect, LayerPlan, Paint, PixelFormat, Point, Recorder,
    Rect, Region, Rotation, Stop,
};

fn channels(bits: u32, rgb: [(u8, u8); 3]) -> PixelFormat {
    let rgb = rgb.map(|(offset, bits)| Channel { offset, bits });
    PixelFormat::of_channels(bits, rgb, Channel::default()).expect("a layout")
}

fn bars(width: u32, height: u32) -> Arc<CommandList> {
    list(width, height, |r| {
        r.clear(Color::hex(0x10_2030));
        let bar = width as f32 / 5.0;
        for (i, c) in [0xFF_0000, 0x00_FF00, 0x00_00FF, 0x10_2030].into_iter().enumerate() {
            r.rect(i as f32 * bar, 0.0, bar, height as f32).fill(Color::hex(c));
        }
    })
}

/// 1 and 2: the row step is the device's pitch, and what pads a row is never written. A line one
/// pixel wide stands upright.
#[test]
fn field_case_1_padded_rows_stay_straight() {
    let raster = &mut Rasterizer::new(2);
    for width in [1u32, 3, 799, 1023, 1365, 1366] {
        let x = width / 2;
        let l = list(width, 50, |r| {
            r.clear(Color::WHITE);
            r.rect(x as f32, 0.0, 1.0, 50.0).fill(Color::BLACK);
        });
        for format in [PixelFormat::Xrgb8888, PixelFormat::Bgr888, PixelFormat::Rgb565] {
            for pad in [0, 1, 3, 40] {
                let mut f = Frame::new(&l, format, Rotation::Deg0, pad, 0);
                f.render(raster, &l, &Region::of(l.surface()));
                f.padding_is_whole();
                for y in 0..50 {
                    for c in [0, x, width - 1] {
                        let dark = f.pixel(c, y).iter().all(|b| [0, 0xFF].contains(b));
                        let black = f.pixel(c, y)[0] == 0;
                        assert!(dark && black == (c == x), "{width}, {format:?}, {pad}: {c},{y}");
                    }
                }
            }
        }
    }
}

/// 4: red and blue by the channels' offsets, at 32, 24 and 16 bits.
#[test]
fn field_case_4_red_and_blue_are_where_the_channels_are() {
    let colors = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [0x10, 0x20, 0x30u32]];
    let (w, h) = (100, 9);
    let l = bars(w, h);
    let eight = [(0, 8), (8, 8), (16, 8)];
    let layouts = [
        (32, eight),
        (32, [(16, 8), (8, 8), (0, 8)]),
        (32, [(24, 8), (16, 8), (8, 8)]),
        (24, eight),
        (24, [(16, 8), (8, 8), (0, 8)]),
        (16, [(0, 5), (5, 6), (11, 5)]),
        (16, [(11, 5), (5, 6), (0, 5)]),
        (16, [(10, 5), (5, 5), (0, 5)]),
        (16, [(8, 4), (4, 4), (0, 4)]),
        (32, [(20, 10), (10, 10), (0, 10)]),
    ];
    for (bits, rgb) in layouts {
        let format = channels(bits, rgb);
        let mut f = Frame::new(&l, format, Rotation::Deg0, 5, 0);
        f.render(&mut Rasterizer::new(1), &l, &Region::of(l.surface()));
        for (i, color) in colors.iter().enumerate() {
            let mut px = [0u8; 4];
            let at = f.pixel(i as u32 * 20 + 7, 4);
            px[..at.len()].copy_from_slice(at);
            let word = u32::from_le_bytes(px);
            for ((offset, n), v) in rgb.iter().zip(color) {
                let top = (1u32 << n) - 1;
                let got = word >> offset & top;
                // Whole steps exactly, others one of the two next to them.
                let exact = *v as f64 * top as f64 / 255.0;
                let near = (got as f64 - exact).abs();
                assert!(near < 1.0, "{bits} {rgb:?}, {color:?}: {got}, not {exact}");
                assert!(near == 0.0 || ![0, 255].contains(v), "{bits} {rgb:?}, {color:?}");
            }
        }
    }
}

/// 5: 24 bits are three bytes a pixel, with and without padding.
#[test]
fn field_case_5_packed_pixels_are_three_bytes() {
    let l = bars(800, 480);
    for pad in [0, 32] {
        let mut f = Frame::new(&l, PixelFormat::Rgb888, Rotation::Deg0, pad, 0);
        assert_eq!(f.pitch, 2400 + pad);
        f.render(&mut Rasterizer::new(2), &l, &Region::of(l.surface()));
        f.padding_is_whole();
        for y in 0..480 {
            for x in 0..800 {
                let want = match x / 160 {
                    0 => [0, 0, 255],
                    1 => [0, 255, 0],
                    2 => [255, 0, 0],
                    _ => [0x30, 0x20, 0x10],
                };
                assert_eq!(f.pixel(x, y), want, "{x},{y}");
            }
        }
    }
}

/// 6: any address and any length of a row, at every instruction set.
#[test]
fn field_case_6_any_alignment_and_length() {
    let mut recorder = Recorder::new();
    let rng = &mut Rng::new(6);
    for width in 1..=33u32 {
        let scene = Scene::random(rng, width, 19);
        scene.record(&mut recorder);
        let (l, plan) = (recorder.freeze(), scene.plan());
        let words = frame(&l, &plan);
        for format in PixelFormat::NAMED {
            let want = reference(&words, width, format, Rotation::Deg0);
            for (shift, level) in [(0, 0), (1, 1), (2, 2), (3, 3), (5, 9)] {
                let mut raster = Rasterizer::new(1).at_level(level);
                let mut f = Frame::new(&l, format, Rotation::Deg0, shift, shift);
                f.render_with(&mut raster, &l, &plan, &Region::of(l.surface()));
                f.padding_is_whole();
                assert!(f.pixels() == want, "{width}, {format:?}, {shift}, level {level}");
            }
        }
    }
}

/// A tile that is known to be opaque is stored as it is: the bytes are those of one that is not.
#[test]
fn what_is_taken_for_opaque_is_opaque() {
    let mut recorder = Recorder::new();
    let rng = &mut Rng::new(16);
    let raster = &mut Rasterizer::new(1);
    for round in 0..400 {
        let (width, height) = (40 + round % 80, 40);
        let scene = Scene::random(rng, width, height);
        recorder.begin(width, height).expect("a legal size");
        recorder.clear(Color::hex(0x20_4060));
        for _ in 0..rng.below(3) {
            // What makes it translucent again.
            let (x, y) = (rng.range(0.0, 80.0), rng.range(0.0, 30.0));
            let clear = rng.one_in(2);
            if clear {
                recorder.push_clip(Rect::new(x, y, 30.0, 10.0), 0.0);
                recorder.clear(Color::rgba(9, 9, 9, 100));
                recorder.pop_clip();
            } else {
                let mode = [BlendMode::Multiply, BlendMode::SourceOver][rng.below(2)];
                recorder.push_layer(0.5, mode);
                recorder.rect(x, y, 20.0, 9.0).fill(Color::rgba(200, 100, 9, 120));
                recorder.pop_layer();
            }
        }
        scene.record_onto(&mut recorder);
        let (l, plan) = (recorder.freeze(), scene.plan());
        let want = reference(&frame(&l, &plan), width, PixelFormat::Xrgb8888, Rotation::Deg0);
        let mut f = Frame::new(&l, PixelFormat::Xrgb8888, Rotation::Deg0, 0, 0);
        f.render_with(raster, &l, &plan, &Region::of(l.surface()));
        assert!(f.pixels() == want, "round {round}");
    }
}

fn ramp(width: u32, height: u32) -> Arc<CommandList> {
    let (w, h) = (width as f32, height as f32);
    let stops = [Stop::new(0.0, Color::BLACK), Stop::new(1.0, Color::WHITE)];
    let grey = Paint::linear(Point::new(0.0, 0.0), Point::new(w, 0.0), &stops);
    list(width, height, |r| {
        r.rect(0.0, 0.0, w, h).fill(grey);
    })
}

/// The longest run of equal pixels of a row.
fn longest(row: &[u16]) -> usize {
    row.chunk_by(|a, b| a == b).map(<[u16]>::len).max().unwrap_or(0)
}

/// 53: a slow ramp has no bands in 16 bits, its mean rises, and it stands still.
#[test]
fn field_case_53_slow_ramps_are_dithered_and_stand_still() {
    let (width, height) = (1920, 24);
    let l = ramp(width, height);
    let words = frame(&l, &LayerPlan::new());
    let all = Region::of(l.surface());
    for format in [PixelFormat::Rgb565, PixelFormat::Bgr565] {
        let mut f = Frame::new(&l, format, Rotation::Deg0, 0, 0);
        f.render(&mut Rasterizer::new(1), &l, &all);
        let first = f.pixels();
        for y in 0..height {
            let row: Vec<u16> = (0..width).map(|x| f.word16(x, y)).collect();
            assert!(longest(&row) <= 9, "{format:?}, row {y}: {}", longest(&row));
        }
        // Means over places of one value, channel by channel, never fall.
        for shift in [0u16, 5, 11] {
            let top = if shift == 5 { 63.0 } else { 31.0 };
            let mut sums = [(0u64, 0u64); 256];
            for (i, w) in words.iter().enumerate() {
                let px = f.word16(i as u32 % width, i as u32 / width);
                let s = &mut sums[(w & 255) as usize];
                *s = (s.0 + (px >> shift & (top as u16)) as u64, s.1 + 1);
            }
            let mut last = -1.0;
            for (v, (sum, n)) in sums.into_iter().enumerate() {
                assert!(n > 0, "the ramp lacks {v}");
                let mean = sum as f64 / n as f64;
                // A value takes 7 or 8 columns of 8: a mean may lack an eighth of its places.
                assert!(mean >= last - 0.15, "{format:?}, {v}: {mean} after {last}");
                assert!((mean * 255.0 / top - v as f64).abs() < 2.5, "{v}: {mean}");
                last = mean;
            }
        }
        // The next frame, by other threads and bands, and by its damage.
        let mut part = Region::of(IRect::new(700, 3, 977, 9));
        part.add(IRect::new(33, 11, 50, 24));
        for raster in [&mut Rasterizer::with_band(3, 8), &mut Rasterizer::new(1)] {
            f.render(raster, &l, &part);
            assert!(f.pixels() == first);
            f.render(raster, &l, &all);
            assert!(f.pixels() == first);
        }
    }
}

/// What 16 bits hold exactly is not dithered.
#[test]
fn colours_of_16_bits_are_exact() {
    let mut l = Vec::new();
    for (r, g, b) in (0..32u8).map(|i| (i, i * 2 + i % 2, 31 - i)) {
        let wide = |v: u8, n: u32| v << (8 - n) | v >> (2 * n - 8);
        l.push(((r, g, b), Color::rgb(wide(r, 5), wide(g, 6), wide(b, 5))));
    }
    let list = list(320, 16, |r| {
        for (i, (_, c)) in l.iter().enumerate() {
            r.rect(i as f32 * 10.0, 0.0, 10.0, 16.0).fill(*c);
        }
    });
    for format in [PixelFormat::Rgb565, PixelFormat::Bgr565] {
        let mut f = Frame::new(&list, format, Rotation::Deg0, 0, 0);
        f.render(&mut Rasterizer::new(1), &list, &Region::of(list.surface()));
        for (x, y) in (0..320).flat_map(|x| (0..16).map(move |y| (x, y))) {
            let (r, g, b) = l[x as usize / 10].0;
            let (high, low) = if format == PixelFormat::Rgb565 { (r, b) } else { (b, r) };
            let want = (high as u16) << 11 | (g as u16) << 5 | low as u16;
            assert_eq!(f.word16(x, y), want, "{x},{y}");
        }
    }
}
