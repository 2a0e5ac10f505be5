//! Images: exact copies, rims without light, averages, tints.

mod common;

use common::{bytes, frame, list};
use std::sync::Arc;
use zinc_scene::{Color, Filter, Image, ImageError, LayerPlan, Matrix, Recorder, Rect};

fn make(w: u32, h: u32, f: impl Fn(u32, u32) -> u32) -> Arc<Image> {
    let pixels = (0..w * h).map(|i| f(i % w, i / w)).collect();
    Arc::new(Image::new(w, h, pixels).expect("counted"))
}

fn noise(x: u32, y: u32) -> u32 {
    0xFF00_0000 | (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761) >> 8
}

fn draw(w: u32, h: u32, f: impl FnOnce(&mut Recorder)) -> Vec<u32> {
    frame(&list(w, h, f), &LayerPlan::new())
}

#[test]
fn aligned_images_are_copied() {
    let image = make(20, 15, noise);
    for filter in [Filter::Smooth, Filter::Nearest] {
        let words = draw(32, 32, |r| {
            r.with_matrix(Matrix::translate(2.0, 3.0), |r| {
                r.image(&image, Rect::new(3.0, 4.0, 20.0, 15.0)).filter(filter).draw();
            });
        });
        for y in 0..15 {
            assert_eq!(words[(y + 7) * 32 + 5..][..20], *image.row(y as u32), "{filter:?}");
        }
    }
}

#[test]
fn nearest_doubles_pixels() {
    let image = make(8, 8, noise);
    let words = draw(16, 16, |r| {
        r.image(&image, Rect::new(0.0, 0.0, 16.0, 16.0)).filter(Filter::Nearest).draw();
    });
    for (i, w) in words.iter().enumerate() {
        assert_eq!(*w, image.row(i as u32 / 32)[i % 16 / 2]);
    }
}

#[test]
fn smooth_follows_the_bilinear_formula() {
    let image = make(16, 16, noise);
    for size in [10.0f32, 16.5, 29.0, 31.7] {
        let words = draw(32, 32, |r| {
            r.image(&image, Rect::new(0.0, 0.0, size, size)).draw();
        });
        for y in 0..size as usize {
            for x in 0..size as usize {
                let place = |v: usize| (v as f64 + 0.5) * 16.0 / size as f64 - 0.5;
                let (u, v) = (place(x), place(y));
                let tap = |dx: f64, dy: f64, c: usize| {
                    let at = |v: f64| (v.max(0.0) as u32).min(15);
                    bytes(image.row(at(v.floor() + dy))[at(u.floor() + dx) as usize])[c] as f64
                };
                let (fx, fy) = (u - u.floor(), v - v.floor());
                for c in 0..3 {
                    let top = tap(0.0, 0.0, c) * (1.0 - fx) + tap(1.0, 0.0, c) * fx;
                    let low = tap(0.0, 1.0, c) * (1.0 - fx) + tap(1.0, 1.0, c) * fx;
                    let want = top * (1.0 - fy) + low * fy;
                    let got = bytes(words[y * 32 + x])[c] as f64;
                    assert!((got - want).abs() <= 2.5, "{size} {x},{y}: {got}, not {want}");
                }
            }
        }
    }
}

#[test]
fn small_images_are_averages() {
    // A checkerboard far away is grey, whatever the phase.
    let image = make(128, 128, |x, y| if (x + y) % 2 == 0 { u32::MAX } else { 0xFF00_0000 });
    for size in [60.0, 32.0, 17.3, 5.0] {
        let words = draw(64, 64, |r| {
            r.image(&image, Rect::new(0.25, 0.5, size, size)).draw();
        });
        let middle = bytes(words[(size as usize / 2) * 64 + size as usize / 2]);
        assert!((middle[0] - 128).abs() <= 2, "{size}: {middle:?}");
    }
}

// Field case 47: white on nothing, scaled about 1, has no dark and no bright rim.
#[test]
fn field_case_47_scaled_rims_stay_white() {
    let disc = make(64, 64, |x, y| {
        let (dx, dy) = (x as f32 - 31.5, y as f32 - 31.5);
        let d = dx * dx + dy * dy;
        if d < 900.0 { u32::MAX } else { 0 }
    });
    for scale in [0.996f32, 0.5, 1.003, 255.0 / 256.0] {
        let words = draw(80, 80, |r| {
            r.image(&disc, Rect::new(4.0, 4.0, 64.0 * scale, 64.0 * scale)).draw();
        });
        for w in words {
            let [b, g, r, a] = bytes(w);
            assert!(b == a && g == a && r == a, "{scale}: {w:08x}");
        }
        // On white nothing is to be seen; on black no pixel is brighter than white or tinted.
        for ground in [Color::WHITE, Color::BLACK] {
            let words = draw(80, 80, |r| {
                r.clear(ground);
                r.image(&disc, Rect::new(4.0, 4.0, 64.0 * scale, 64.0 * scale)).draw();
            });
            let middle = (4.0 + 32.0 * scale) as usize * 81;
            assert_eq!(words[middle], u32::MAX, "{scale}");
            for w in words {
                let [b, g, r, a] = bytes(w);
                assert!(b == g && g == r && a == 255, "{scale}: {w:08x}");
                assert!(ground == Color::BLACK || w == u32::MAX, "{scale}: {w:08x}");
            }
        }
    }
}

#[test]
fn parts_do_not_bleed() {
    // A red part in a green image, scaled up and far down: no green.
    let image = make(64, 64, |x, y| {
        if (16..32).contains(&x) && (8..40).contains(&y) { 0xFFFF_0000 } else { 0xFF00_FF00 }
    });
    for (w, h) in [(50.0, 50.0), (3.0, 7.0), (5.5, 2.25)] {
        let words = draw(64, 64, |r| {
            r.image(&image, Rect::new(2.0, 2.0, w, h)).src(Rect::new(16.0, 8.0, 16.0, 32.0)).draw();
        });
        assert!(words.iter().all(|w| bytes(*w)[1] == 0), "{w}x{h}");
    }
}

#[test]
fn tints_keep_alpha() {
    let image = make(4, 4, |x, _| (x * 85) << 24);
    let words = draw(4, 4, |r| {
        r.image(&image, Rect::new(0.0, 0.0, 4.0, 4.0)).tint(Color::hex(0xFF8000)).draw();
    });
    assert_eq!(words[..4], [0, 0x5555_2B00, 0xAAAA_5500, 0xFFFF_8000]);
}

/// 49: long images overflowed. Up to the greatest side they are drawn, at any scale; beyond it they
/// are refused by name.
#[test]
fn field_case_49_long_images_are_drawn_or_refused() {
    for (w, h) in [(20_000, 20_000), (1, 65_536), (65_536, 1), (16_385, 1), (0, 1)] {
        let refused = Image::new(w, h, Box::new([]));
        assert!(matches!(refused, Err(ImageError::Size { .. })), "{w}x{h}: {refused:?}");
    }
    // A ramp along the long side stays one, squeezed or at its own size.
    for (w, h) in [(16_384, 1), (1, 16_384), (16_384, 3), (3, 16_384)] {
        let image = make(w, h, |x, y| 0xFF00_0000 | ((x.max(y) / 64).min(255) * 0x01_0101));
        for filter in [Filter::Smooth, Filter::Nearest] {
            let words = draw(100, 100, |r| {
                r.image(&image, Rect::new(0.0, 0.0, 100.0, 100.0)).filter(filter).draw();
            });
            for i in 0..100usize {
                let got = bytes(if w > h { words[50 * 100 + i] } else { words[i * 100 + 50] })[0];
                let want = (i as f32 + 0.5) * 2.56;
                assert!((got as f32 - want).abs() < 2.5, "{w}x{h} {filter:?} {i}: {got}, {want}");
            }
            let far = 30_000.0;
            draw(100, 100, |r| {
                r.image(&image, Rect::new(-far, -far, 2.0 * far, 2.0 * far)).filter(filter).draw();
            });
        }
    }
}

#[test]
fn images_of_the_greatest_side_are_drawn() {
    let image = make(16_384, 2, |x, _| 0xFF00_0000 | x);
    let words = draw(64, 4, |r| {
        r.image(&image, Rect::new(0.0, 0.0, 64.0, 4.0)).filter(Filter::Nearest).draw();
    });
    assert_eq!(words[63], 0xFF00_0000 | (16_384 - 128));
    let words = draw(64, 4, |r| {
        r.image(&image, Rect::new(-16_320.0, 0.0, 16_384.0, 2.0)).draw();
    });
    assert_eq!(words[63], 0xFF00_0000 | 16_383);
}
