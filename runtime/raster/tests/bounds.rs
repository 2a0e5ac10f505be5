//! Ink bounds: each command alone changes no pixel outside its box. The rasterizer cuts at the
//! box, so for shadows, whose boxes are generous, the rim must be empty as well.

mod common;

use common::frame;
use zinc_raster::testing::{Rng, Scene};
use zinc_scene::{LayerPlan, Op, Recorder};

#[test]
fn commands_stay_in_their_bounds() {
    let mut recorder = Recorder::new();
    let rng = &mut Rng::new(5);
    let mut seen = 0;
    for n in 0..600 {
        let scene = Scene::random(rng, 96, 80);
        scene.record(&mut recorder);
        let list = recorder.freeze();
        let plan = scene.plan();
        for i in 0..list.commands().len() {
            let c = &list.commands()[i];
            let scope = matches!(
                c.op,
                Op::PushClip { .. } | Op::PopClip | Op::PushLayer { .. } | Op::PopLayer
            );
            if scope || n % 7 != i % 7 {
                continue;
            }
            let mut alone = Recorder::new();
            alone.begin(96, 80).expect("a legal size");
            alone.append(&list, i..i + 1, zinc_scene::Matrix::IDENTITY);
            let alone = alone.freeze();
            let Some(one) = alone.commands().first() else { continue };
            let words = frame(&alone, &plan);
            let b = one.bounds;
            for (p, w) in words.iter().enumerate() {
                let (x, y) = ((p % 96) as i32, (p / 96) as i32);
                assert!(*w == 0 || b.contains(x, y), "{} at {x},{y} outside {b:?}", one.op.name());
            }
            seen += 1;
        }
    }
    assert!(seen > 300, "{seen}");
}

#[test]
fn bounds_cut_no_shadow() {
    let rng = &mut Rng::new(17);
    let mut recorder = Recorder::new();
    for _ in 0..200 {
        let scene = Scene::random(rng, 96, 80);
        scene.record(&mut recorder);
        let list = recorder.freeze();
        for (i, c) in list.commands().iter().enumerate() {
            if !matches!(c.op, Op::Shadow { inset: false, .. }) {
                continue;
            }
            let mut alone = Recorder::new();
            alone.begin(400, 400).expect("a legal size");
            let place = zinc_scene::Matrix::translate(150.0, 150.0);
            alone.append(&list, i..i + 1, place);
            let alone = alone.freeze();
            let Some(one) = alone.commands().first() else { continue };
            let b = one.bounds;
            if b.is_empty() || b.x0 <= 0 || b.y0 <= 0 || b.x1 >= 400 || b.y1 >= 400 {
                continue;
            }
            let words = frame(&alone, &LayerPlan::new());
            let at = |x: i32, y: i32| words[(y * 400 + x) as usize] >> 24;
            let rim = (b.x0..b.x1)
                .flat_map(|x| [(x, b.y0), (x, b.y1 - 1)])
                .chain((b.y0..b.y1).flat_map(|y| [(b.x0, y), (b.x1 - 1, y)]));
            for (x, y) in rim {
                assert!(at(x, y) <= 3, "{:?} at {x},{y}: {}", c.op, at(x, y));
            }
        }
    }
}
