//! Frames for tests.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::sync::Arc;
use zinc_raster::{Rasterizer, Stats};
use zinc_scene::{
    CommandList, IRect, LayerPlan, Path, PixelFormat, Recorder, Region, Rotation, Segment,
    TargetMut,
};

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
    raster.render(
        list,
        plan,
        damage,
        &mut TargetMut { bytes, width, height, pitch, format, rotation: Rotation::Deg0 },
    )
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

/// What stands in memory before a frame.
const FILLER: u8 = 0xA5;

/// A target with padded rows somewhere in memory, all of it filled beforehand.
pub(crate) struct Frame {
    memory: Vec<u8>,
    /// Bytes before the target.
    shift: usize,
    len: usize,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) pitch: usize,
    pub(crate) format: PixelFormat,
    pub(crate) rotation: Rotation,
}

impl Frame {
    /// For a list, with `pad` bytes between rows, `shift` bytes off an aligned address.
    pub(crate) fn new(
        list: &CommandList,
        format: PixelFormat,
        rotation: Rotation,
        pad: usize,
        shift: usize,
    ) -> Self {
        let (width, height) = rotation.size((list.width(), list.height()));
        let line = width as usize * format.bytes();
        let pitch = line + pad;
        let len = pitch * (height as usize - 1) + line;
        let memory = vec![FILLER; len + 16];
        Self { memory, shift, len, width, height, pitch, format, rotation }
    }
    pub(crate) fn target(&mut self) -> TargetMut<'_> {
        let Self { width, height, pitch, format, rotation, .. } = *self;
        let bytes = &mut self.memory[self.shift..][..self.len];
        TargetMut { bytes, width, height, pitch, format, rotation }
    }
    pub(crate) fn render(&mut self, raster: &mut Rasterizer, list: &CommandList, damage: &Region) {
        self.render_with(raster, list, &LayerPlan::new(), damage);
    }
    pub(crate) fn render_with(
        &mut self,
        raster: &mut Rasterizer,
        list: &CommandList,
        plan: &LayerPlan,
        damage: &Region,
    ) -> Stats {
        raster.render(list, plan, damage, &mut self.target())
    }
    /// The bytes of a pixel of the target.
    pub(crate) fn pixel(&self, x: u32, y: u32) -> &[u8] {
        let n = self.format.bytes();
        &self.memory[self.shift + y as usize * self.pitch + x as usize * n..][..n]
    }
    pub(crate) fn word16(&self, x: u32, y: u32) -> u16 {
        u16::from_le_bytes([self.pixel(x, y)[0], self.pixel(x, y)[1]])
    }
    /// All pixels, without what lies between rows.
    pub(crate) fn pixels(&self) -> Vec<u8> {
        let line = self.width as usize * self.format.bytes();
        let row = |y: usize| &self.memory[self.shift + y * self.pitch..][..line];
        (0..self.height as usize).flat_map(row).copied().collect()
    }
    /// Nothing was written beside the pixels.
    pub(crate) fn padding_is_whole(&self) {
        let line = self.width as usize * self.format.bytes();
        for (i, b) in self.memory.iter().enumerate() {
            let at = i.wrapping_sub(self.shift);
            let inside = at < self.len && at % self.pitch < line;
            assert!(inside || *b == FILLER, "{:?}: byte {at} is written", self.format);
        }
    }
    /// Pixels in the surface's damage are those of `want`, all others what they were.
    pub(crate) fn equals_inside(&self, want: &[u8], damage: &Region, here: &str) {
        let size = self.rotation.size((self.width, self.height));
        let mut inside = vec![false; self.width as usize * self.height as usize];
        for r in damage.rects() {
            let r = self.rotation.turn(*r, size);
            for y in r.y0..r.y1 {
                inside[(y as u32 * self.width) as usize..][r.x0 as usize..r.x1 as usize].fill(true);
            }
        }
        let n = self.format.bytes();
        for (i, (got, want)) in self.pixels().chunks(n).zip(want.chunks(n)).enumerate() {
            let want = if inside[i] { want } else { &[FILLER; 4][..n] };
            let (x, y) = (i as u32 % self.width, i as u32 / self.width);
            assert_eq!(got, want, "{here}: {x},{y}");
        }
    }
}

/// A surface's words in another format, turned, pixel by pixel: rows without gaps. The dither is
/// that of single pixels drawn at their places.
pub(crate) fn reference(words: &[u32], width: u32, format: PixelFormat, turn: Rotation) -> Vec<u8> {
    let height = words.len() as u32 / width;
    let (w, h) = turn.size((width, height));
    let back = turn.inverse();
    let mut out = Vec::new();
    for (x, y) in (0..h as i32).flat_map(|y| (0..w as i32).map(move |x| (x, y))) {
        let at = back.turn(IRect::new(x, y, x + 1, y + 1), (w, h));
        let word = words[(at.y0 as u32 * width) as usize + at.x0 as usize];
        out.extend(zinc_raster::testing::pixel(word, at.x0, at.y0, format));
    }
    out
}
