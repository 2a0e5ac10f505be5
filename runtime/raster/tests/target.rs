//! The target's memory: pitch, formats, and bytes that must stay as they are.

mod common;

use common::list;
use std::sync::Arc;
use zinc_raster::{Rasterizer, Stats};
use zinc_scene::{Color, CommandList, IRect, LayerPlan, PixelFormat, Region, Rotation, TargetMut};

fn scene() -> Arc<CommandList> {
    list(300, 50, |r| {
        r.rect(5.5, 4.0, 280.0, 40.0).radius(9.0).fill(Color::rgba(200, 100, 50, 128));
    })
}

#[test]
fn only_damaged_pixels_are_written() {
    let l = scene();
    let (pitch, height) = (300 * 4 + 52, 50);
    let mut bytes = vec![0xA5u8; pitch * (height - 1) + 300 * 4];
    let mut damage = Region::of(IRect::new(3, 2, 40, 19));
    damage.add(IRect::new(250, 30, 299, 33));
    let mut target = TargetMut {
        bytes: &mut bytes,
        width: 300,
        height: 50,
        pitch,
        format: PixelFormat::Argb8888,
        rotation: Rotation::Deg0,
    };
    let stats = Rasterizer::new(2).render(&l, &LayerPlan::new(), &damage, &mut target);
    assert_eq!(stats.pixels as i64, damage.area());
    for (i, b) in bytes.iter().enumerate() {
        let (x, y) = ((i % pitch / 4) as i32, (i / pitch) as i32);
        let inside = i % pitch < 1200 && damage.contains(x, y);
        assert!(inside || *b == 0xA5, "byte {i} at {x},{y}");
        // No pixel of this picture has a byte of the filler's value.
        assert!(!inside || *b != 0xA5, "pixel {x},{y} was left out");
    }
}

#[test]
fn formats_differ_in_alpha_alone() {
    let l = scene();
    let draw = |format| {
        let mut bytes = vec![0u8; 300 * 50 * 4];
        let (width, height, pitch) = (300, 50, 1200);
        let mut target =
            TargetMut { bytes: &mut bytes, width, height, pitch, format, rotation: Rotation::Deg0 };
        let all = Region::of(l.surface());
        Rasterizer::new(1).render(&l, &LayerPlan::new(), &all, &mut target);
        bytes
    };
    let (a, x) = (draw(PixelFormat::Argb8888), draw(PixelFormat::Xrgb8888));
    for (a, x) in a.chunks_exact(4).zip(x.chunks_exact(4)) {
        assert_eq!((&a[..3], 255), (&x[..3], x[3]));
    }
    // b, g, r, a of half an orange.
    assert_eq!(a[(25 * 300 + 100) * 4..][..4], [25, 50, 100, 128]);
}

#[test]
fn targets_of_other_sizes_are_cut_and_bad_ones_left_alone() {
    let l = scene();
    let all = Region::of(l.surface());
    let mut raster = Rasterizer::new(1);
    let mut run = |width: u32, height: u32, pitch: usize, len: usize| {
        let mut bytes = vec![7u8; len];
        let format = PixelFormat::Xrgb8888;
        let mut target =
            TargetMut { bytes: &mut bytes, width, height, pitch, format, rotation: Rotation::Deg0 };
        raster.render(&l, &LayerPlan::new(), &all, &mut target)
    };
    assert_eq!(run(10, 10, 40, 400).pixels, 100);
    assert_eq!(run(400, 60, 1600, 96_000).pixels, 300 * 50);
    assert_eq!(run(300, 50, 1200, 100), Stats::default());
    assert_eq!(run(300, 50, 100, 60_000), Stats::default());
}

#[test]
fn threads_are_as_asked() {
    assert_eq!(Rasterizer::new(0).threads(), 1);
    assert_eq!(Rasterizer::new(3).threads(), 3);
    assert!((1..=8).contains(&zinc_raster::default_threads()));
}
