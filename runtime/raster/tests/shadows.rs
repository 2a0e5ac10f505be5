//! Shadows against gaussians in double precision, and against themselves elsewhere.

#![allow(clippy::disallowed_methods, reason = "a reference does not share the maths it judges")]

mod common;

use common::{frame, list};
use zinc_scene::{Color, LayerPlan, Matrix, Recorder};

const W: usize = 160;
const H: usize = 140;

fn alphas(f: impl FnOnce(&mut Recorder)) -> Vec<f64> {
    let l = list(W as u32, H as u32, f);
    frame(&l, &LayerPlan::new()).iter().map(|w| (w >> 24) as f64).collect()
}

/// A coverage picture blurred by real weights, cut at three sigma.
fn blurred(flat: &[f64], sigma: f64) -> Vec<f64> {
    let n = (3.0 * sigma).ceil() as i64;
    let g: Vec<f64> = (-n..=n).map(|i| (-0.5 * (i as f64 / sigma).powi(2)).exp()).collect();
    let sum: f64 = g.iter().sum();
    let pass = |src: &[f64], dx: i64, dy: i64| -> Vec<f64> {
        (0..W * H)
            .map(|i| {
                let (x, y) = ((i % W) as i64, (i / W) as i64);
                let at = |k: i64| {
                    let (x, y) = (x + k * dx, y + k * dy);
                    let inside = (0..W as i64).contains(&x) && (0..H as i64).contains(&y);
                    if inside { src[y as usize * W + x as usize] } else { 0.0 }
                };
                (-n..=n).map(|k| at(k) * g[(k + n) as usize]).sum::<f64>() / sum
            })
            .collect()
    };
    pass(&pass(flat, 1, 0), 0, 1)
}

fn greatest(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn shadows_are_gaussian() {
    for (sigma, radius, x, limit) in [
        (1.0f32, 0.0, 50.25f32, 2.0),
        (3.0, 10.0, 50.5, 2.0),
        (6.0, 14.0, 50.0, 2.0),
        (10.0, 30.0, 50.3, 3.0),
    ] {
        let flat = alphas(|r| {
            r.rect(x, 45.0, 60.0, 50.5).radius(radius).fill(Color::BLACK);
        });
        let got = alphas(|r| {
            r.rect(x, 45.0, 60.0, 50.5).radius(radius).shadow(
                0.0,
                0.0,
                2.0 * sigma,
                0.0,
                Color::BLACK,
            );
        });
        let want = blurred(&flat, sigma as f64);
        let d = greatest(&got, &want);
        println!("sigma {sigma} radius {radius}: {d:.2}");
        assert!(d <= limit, "sigma {sigma} radius {radius}: {d}");
        // Inset: the outside, blurred, within the box.
        let got = alphas(|r| {
            r.rect(x, 45.0, 60.0, 50.5).radius(radius).inset_shadow(
                0.0,
                0.0,
                2.0 * sigma,
                0.0,
                Color::BLACK,
            );
        });
        let inset: Vec<f64> =
            want.iter().zip(&flat).map(|(b, f)| (255.0 - b) * f / 255.0).collect();
        let d = greatest(&got, &inset);
        assert!(d <= limit, "inset, sigma {sigma} radius {radius}: {d}");
    }
}

#[test]
fn wide_boxes_share_the_mask_of_small_ones() {
    // The nine-patch must not show: a wide box's left part is a small box's.
    let one = |w: f32| {
        alphas(|r| {
            r.rect(30.0, 30.0, w, 80.0).radius(8.0).shadow(0.0, 0.0, 8.0, 0.0, Color::BLACK);
        })
    };
    let (a, b) = (one(70.0), one(110.0));
    for y in 0..H {
        for x in 0..60 {
            assert_eq!(a[y * W + x], b[y * W + x], "{x},{y}");
        }
    }
}

#[test]
fn turned_shadows_match_upright_ones() {
    let card = |r: &mut Recorder| {
        r.rect(-30.0, -20.0, 60.0, 40.0).radius(9.0).shadow(0.0, 0.0, 10.0, 0.0, Color::BLACK);
    };
    let place = Matrix::translate(80.0, 70.0);
    let upright = alphas(|r| r.with_matrix(place, card));
    let half = place.then_inner(Matrix { a: -1.0, d: -1.0, ..Matrix::IDENTITY });
    let turned = alphas(|r| r.with_matrix(half, card));
    let d = greatest(&upright, &turned);
    assert!(d <= 2.0, "half a turn: {d}");
    let quarter = place.then_inner(Matrix { a: 0.0, b: 1.0, c: -1.0, d: 0.0, e: 0.0, f: 0.0 });
    let turned = alphas(|r| r.with_matrix(quarter, card));
    let swapped: Vec<f64> = (0..W * H)
        .map(|i| {
            let (x, y) = ((i % W) as i64 - 80, (i / W) as i64 - 70);
            let (sx, sy) = (y + 80, 69 - x);
            let inside = (0..W as i64).contains(&sx) && (0..H as i64).contains(&sy);
            if inside { upright[sy as usize * W + sx as usize] } else { 0.0 }
        })
        .collect();
    let d = greatest(&swapped, &turned);
    assert!(d <= 2.0, "a quarter: {d}");
}

#[test]
fn wide_blurs_are_stretched_ones() {
    // Above the greatest sigma of a mask the picture is made smaller; it must not show.
    let flat = alphas(|r| {
        r.rect(20.0, 20.0, 120.0, 100.0).radius(20.0).fill(Color::BLACK);
    });
    let got = alphas(|r| {
        r.rect(20.0, 20.0, 120.0, 100.0).radius(20.0).shadow(0.0, 0.0, 60.0, 0.0, Color::BLACK);
    });
    let d = greatest(&got, &blurred(&flat, 30.0));
    assert!(d <= 2.0, "{d}");
}
