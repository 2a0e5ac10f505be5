//! The same bytes on every machine: hashes of random frames, written down once. A change that
//! moves a pixel changes them; then look at the pictures, and write the new ones down.

mod common;

use common::frame;
use zinc_raster::testing::{FNV, Rng, Scene, fnv};
use zinc_scene::Recorder;

#[test]
fn frames_are_the_same_on_every_machine() {
    let mut recorder = Recorder::new();
    let rng = &mut Rng::new(2026);
    let mut got = [FNV; 4];
    for h in &mut got {
        for _ in 0..100 {
            let scene = Scene::random(rng, 160, 100);
            scene.record(&mut recorder);
            *h = fnv(bytemuck::cast_slice(&frame(&recorder.freeze(), &scene.plan())), *h);
        }
    }
    let want = [0x73ddf05a3923c5a2, 0x2202ec66076732a7, 0x3044340359115f48, 0x686d7cfcb2b8080e];
    assert_eq!(got, want, "{got:#018x?}");
}
