//! Without antialiasing.

mod common;

use common::{draw, frame_by, list};
use std::collections::BTreeSet;
use zinc_raster::Rasterizer;
use zinc_raster::testing::{Rng, Scene};
use zinc_scene::{Color, FillRule, LayerPlan, PixelFormat, Point, Recorder, Region, StrokeStyle};

fn hard(threads: usize) -> Rasterizer {
    let mut r = Rasterizer::new(threads);
    r.set_antialiasing(false);
    r
}

#[test]
fn field_case_54_every_pixel_is_a_pure_colour() {
    let colors = [0xF4F5F7, 0x102030, 0xE02040, 0x20C060, 0x4060F0, 0xF0B020].map(Color::hex);
    let l = list(160, 120, |r| {
        r.clear(colors[0]);
        r.rect(5.3, 6.7, 40.5, 20.25).fill(colors[1]);
        r.rect(50.4, 4.2, 60.3, 30.7).radius(9.6).fill(colors[2]);
        r.rect(52.9, 6.6, 50.2, 24.1).radius(7.3).border(1.7, colors[3]);
        r.circle(Point::new(134.3, 22.8), 14.6).fill(colors[4]);
        r.path(|p| {
            p.move_to(10.2, 50.9).line_to(60.7, 44.3).line_to(30.1, 90.6).close();
            p.move_to(20.0, 55.0).line_to(40.0, 53.0).line_to(30.0, 75.0).close();
        })
        .rule(FillRule::EvenOdd)
        .fill(colors[5]);
        r.path(|p| {
            p.move_to(70.3, 50.2).line_to(110.8, 80.6).line_to(72.5, 100.1);
        })
        .stroke(StrokeStyle::new(3.4), colors[1]);
        r.push_clip(zinc_scene::Rect::new(115.5, 50.5, 35.2, 50.6), zinc_scene::Radii::all(8.5));
        r.rect(100.0, 40.0, 60.0, 80.0).fill(colors[3]);
        r.pop_clip();
    });
    let got: BTreeSet<u32> = frame_by(&mut hard(1), &l, &LayerPlan::new()).into_iter().collect();
    let pure: BTreeSet<u32> = colors.iter().map(|c| c.premultiply()).collect();
    assert_eq!(got, pure);
    let soft = frame_by(&mut Rasterizer::new(1), &l, &LayerPlan::new());
    assert!(soft.into_iter().collect::<BTreeSet<u32>>().len() > pure.len(), "nothing to harden");
}

#[test]
fn hard_frames_are_the_same_for_threads_and_damage() {
    let mut recorder = Recorder::new();
    let rng = &mut Rng::new(54);
    let (mut one, mut three) = (hard(1), hard(3));
    for n in 0..40 {
        let scene = Scene::random(rng, 460, 90);
        scene.record(&mut recorder);
        let (list, plan) = (recorder.freeze(), scene.plan());
        let want = frame_by(&mut one, &list, &plan);
        assert!(frame_by(&mut three, &list, &plan) == want, "list {n}");
        // In two parts, cut where no tile is.
        let mut parts = vec![0u32; want.len()];
        let all = list.surface();
        let mut left = all;
        left.x1 = 137;
        let mut right = all;
        right.x0 = 137;
        for part in [left, right] {
            let format = PixelFormat::Argb8888;
            draw(&mut one, &list, &plan, &Region::of(part), &mut parts, format);
        }
        assert!(parts == want, "list {n} in parts");
    }
}
