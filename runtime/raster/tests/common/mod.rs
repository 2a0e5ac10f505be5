//! Frames for tests.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::sync::Arc;
use zinc_raster::{Rasterizer, Stats};
use zinc_scene::{CommandList, LayerPlan, Path, PixelFormat, Recorder, Region, Segment, TargetMut};

/// Draws into words of the target.
pub(crate) fn draw(
    raster: &mut Rasterizer,
    list: &CommandList,
    plan: &LayerPlan,
    damage: &Region,
    words: &mut [u32],
    format: PixelFormat,
) -> Stats {
    let (width, height) = (list.width(), list.height());
    let bytes = bytemuck::cast_slice_mut(words);
    let pitch = width as usize * 4;
    raster.render(list, plan, damage, &mut TargetMut { bytes, width, height, pitch, format })
}

/// A whole frame of surface words, by one thread.
pub(crate) fn frame(list: &CommandList, plan: &LayerPlan) -> Vec<u32> {
    frame_by(&mut Rasterizer::new(1), list, plan)
}

/// A whole frame of surface words.
pub(crate) fn frame_by(raster: &mut Rasterizer, list: &CommandList, plan: &LayerPlan) -> Vec<u32> {
    let mut words = vec![0xDEAD_BEEF; list.width() as usize * list.height() as usize];
    let all = Region::of(list.surface());
    draw(raster, list, plan, &all, &mut words, PixelFormat::Argb8888);
    words
}

/// A list.
pub(crate) fn list(width: u32, height: u32, f: impl FnOnce(&mut Recorder)) -> Arc<CommandList> {
    let mut r = Recorder::new();
    r.begin(width, height).expect("a legal size");
    f(&mut r);
    assert_eq!(r.warnings(), []);
    r.freeze()
}

/// Channels of a word: b, g, r, a.
pub(crate) fn bytes(w: u32) -> [i32; 4] {
    w.to_le_bytes().map(|v| v as i32)
}

/// A path as tiny-skia takes it.
pub(crate) fn skia_path(p: &Path) -> tiny_skia::Path {
    let mut b = tiny_skia::PathBuilder::new();
    for s in p.view().segments() {
        match s {
            Segment::Move(p) => b.move_to(p.x, p.y),
            Segment::Line(p) => b.line_to(p.x, p.y),
            Segment::Quad(c, p) => b.quad_to(c.x, c.y, p.x, p.y),
            Segment::Cubic(c, d, p) => b.cubic_to(c.x, c.y, d.x, d.y, p.x, p.y),
            Segment::Close => b.close(),
        }
    }
    b.finish().expect("a path")
}
