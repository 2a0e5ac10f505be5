//! Shapes that share an edge: what one leaves of a pixel the other takes, wherever bands and tiles
//! end.

mod common;

use common::{frame, list};
use zinc_raster::testing::Rng;
use zinc_scene::{Color, LayerPlan, Path, Point};

const W: u32 = 820;
const H: u32 = 70;

/// The quad between two slanted lines from the top of the surface to its bottom.
fn quad(p: &mut Path, left: [f32; 2], right: [f32; 2]) {
    p.move_to(left[0], -3.0).line_to(right[0], -3.0);
    p.line_to(right[1], H as f32 + 4.0).line_to(left[1], H as f32 + 4.0).close();
}

fn coverage(draw: impl FnOnce(&mut Path)) -> Vec<u8> {
    let mut p = Path::new();
    draw(&mut p);
    let l = list(W, H, |r| {
        r.path(|q| *q = p).fill(Color::BLACK);
    });
    frame(&l, &LayerPlan::new()).into_iter().map(|w| (w >> 24) as u8).collect()
}

#[test]
fn abutting_shapes_leave_no_seam() {
    let rng = &mut Rng::new(3);
    for _ in 0..40 {
        // From steep to nearly level, also across the border of two tiles.
        let (a, b) = (rng.range(100.0, 700.0), rng.range(100.0, 700.0));
        let (left, right) = ([-20.0; 2], [W as f32 + 20.0; 2]);
        let both = coverage(|p| {
            quad(p, left, [a, b]);
            quad(p, [a, b], right);
        });
        assert!(both.iter().all(|k| *k == 255), "one path, {a} to {b}");
        let first = coverage(|p| quad(p, left, [a, b]));
        let second = coverage(|p| quad(p, [a, b], right));
        for (i, (x, y)) in first.iter().zip(&second).enumerate() {
            let sum = *x as i32 + *y as i32;
            assert!((254..=256).contains(&sum), "{a} to {b}: {sum} at {}", i as u32 % W);
        }
    }
}

#[test]
fn shapes_that_meet_at_whole_pixels_touch_without_a_gap() {
    let l = list(64, 48, |r| {
        for y in 0..6 {
            for x in 0..8 {
                let (x, y) = (x as f32 * 8.0, y as f32 * 8.0);
                r.path(|p| {
                    let at = |dx: f32, dy: f32| Point::new(x + dx, y + dy);
                    for (a, b) in [(at(0.0, 0.0), at(8.0, 0.0)), (at(8.0, 8.0), at(0.0, 8.0))] {
                        p.move_to(a.x, a.y).line_to(b.x, b.y);
                        let c = if a.y < b.y || a.x < b.x { at(8.0, 8.0) } else { at(0.0, 0.0) };
                        p.line_to(c.x, c.y).close();
                    }
                })
                .fill(Color::BLACK);
            }
        }
    });
    assert!(frame(&l, &LayerPlan::new()).iter().all(|w| w >> 24 == 255));
}
