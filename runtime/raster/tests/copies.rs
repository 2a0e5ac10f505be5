//! The copy in front of a single-buffered target, and a kept surface stored into a target: both
//! equal drawing into it.

mod common;

use common::{Frame, frame};
use zinc_raster::testing::{Rng, Scene};
use zinc_raster::{Rasterizer, store_surface};
use zinc_scene::{
    IRect, PixelFormat, Recorder, Region, Rotation, TargetMut, TooSmall, target_bytes,
};

const FORMATS: [PixelFormat; 4] =
    [PixelFormat::Rgb565, PixelFormat::Xrgb8888, PixelFormat::Bgr888, PixelFormat::Abgr8888];

fn damage() -> Region {
    let mut d = Region::of(IRect::new(2, 3, 90, 17));
    d.add(IRect::new(100, 40, 101, 77));
    d.add(IRect::new(190, 70, 203, 79));
    d
}

#[test]
fn copies_equal_frames_drawn_into_the_device() {
    let mut recorder = Recorder::new();
    let rng = &mut Rng::new(12);
    let raster = &mut Rasterizer::new(2);
    for (turn, format) in Rotation::ALL.into_iter().zip(FORMATS) {
        let scene = Scene::random(rng, 203, 79);
        scene.record(&mut recorder);
        let (l, plan) = (recorder.freeze(), scene.plan());
        let all = Region::of(l.surface());
        let (mut direct, mut device) =
            (Frame::new(&l, format, turn, 7, 3), Frame::new(&l, format, turn, 7, 3));
        direct.render_with(raster, &l, &plan, &all);
        let size = (device.width, device.height);
        let mut memory = vec![0; target_bytes(size, device.pitch, format).expect("a target")];
        let ((width, height), pitch, rotation) = (size, device.pitch, turn);
        let bytes = &mut memory;
        let mut shadow = TargetMut { bytes, width, height, pitch, format, rotation };
        // Whatever is drawn, the device gets the damage and nothing else.
        raster.render(&l, &plan, &all, &mut shadow);
        let written = shadow.copy_to(&damage(), device.target().bytes).expect("it fits");
        assert_eq!(written as i64, damage().area() * format.bytes() as i64);
        device.padding_is_whole();
        device.equals_inside(&direct.pixels(), &damage(), "a part");
        shadow.copy_to(&all, device.target().bytes).expect("it fits");
        device.padding_is_whole();
        assert!(device.pixels() == direct.pixels(), "{turn:?}, {format:?}");
    }
}

#[test]
fn devices_that_are_too_small_are_left_alone() {
    let (width, height, pitch, format) = (10, 4, 32, PixelFormat::Rgb888);
    let rotation = Rotation::Deg0;
    let mut bytes = vec![0; target_bytes((width, height), pitch, format).expect("a target")];
    let shadow = TargetMut { bytes: &mut bytes, width, height, pitch, format, rotation };
    let mut device = vec![1; 125];
    let all = Region::of(IRect::of_size(10, 4));
    assert_eq!(shadow.copy_to(&all, &mut device), Err(TooSmall { needed: 126, found: 125 }));
    assert!(device.iter().all(|b| *b == 1));
}

#[test]
fn kept_surfaces_become_the_same_bytes() {
    let mut recorder = Recorder::new();
    let rng = &mut Rng::new(13);
    let raster = &mut Rasterizer::new(1);
    for format in FORMATS {
        let scene = Scene::random(rng, 203, 79);
        scene.record(&mut recorder);
        let (l, plan) = (recorder.freeze(), scene.plan());
        let words = frame(&l, &plan);
        let surface = bytemuck::cast_slice(&words);
        for turn in Rotation::ALL {
            for damage in [Region::of(l.surface()), damage()] {
                let (mut a, mut b) =
                    (Frame::new(&l, format, turn, 5, 1), Frame::new(&l, format, turn, 5, 1));
                a.render_with(raster, &l, &plan, &damage);
                store_surface(surface, (203, 79), &damage, &mut b.target());
                b.padding_is_whole();
                assert!(a.pixels() == b.pixels(), "{turn:?}, {format:?}");
            }
        }
    }
}
