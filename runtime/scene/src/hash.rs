//! Content hashes: xxh3 (64 bits, seed 0) over a canonical little-endian form. Only equality is
//! ever asked of them; a collision would lose one frame's damage, once in 2^64 changes.

use crate::command::{Arenas, ClipShape, Op};
use crate::{
    GradientShape, Matrix, PaintRef, PathRef, PathView, Point, Radii, Rect, Segment, Span,
};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// Collects up to 128 bytes on the stack, hashes them when they are full.
pub(crate) struct Mixer {
    buffer: [u8; 128],
    len: usize,
    carry: u64,
}

impl Mixer {
    pub(crate) fn new(tag: u8) -> Self {
        let mut m = Self { buffer: [0; 128], len: 0, carry: 0 };
        m.u8(tag);
        m
    }
    #[inline]
    fn bytes(&mut self, b: &[u8]) {
        if self.len + b.len() > self.buffer.len() {
            self.carry = xxh3_64(&self.buffer[..self.len]) ^ self.carry.rotate_left(23);
            self.buffer[..8].copy_from_slice(&self.carry.to_le_bytes());
            self.len = 8;
        }
        self.buffer[self.len..self.len + b.len()].copy_from_slice(b);
        self.len += b.len();
    }
    #[inline]
    pub(crate) fn u8(&mut self, v: u8) {
        self.bytes(&[v]);
    }
    #[inline]
    pub(crate) fn u32(&mut self, v: u32) {
        self.bytes(&v.to_le_bytes());
    }
    #[inline]
    pub(crate) fn u64(&mut self, v: u64) {
        self.bytes(&v.to_le_bytes());
    }
    #[inline]
    pub(crate) fn f32(&mut self, v: f32) {
        // +0 and -0 draw alike but hash apart: at worst a needless repaint.
        self.bytes(&v.to_bits().to_le_bytes());
    }
    fn point(&mut self, p: Point) {
        self.f32(p.x);
        self.f32(p.y);
    }
    fn rect(&mut self, r: Rect) {
        for v in [r.x, r.y, r.w, r.h] {
            self.f32(v);
        }
    }
    fn radii(&mut self, r: Radii) {
        for v in r.0 {
            self.f32(v);
        }
    }
    #[inline]
    pub(crate) fn finish(&self) -> u64 {
        xxh3_64(&self.buffer[..self.len]) ^ self.carry
    }

    fn paint(&mut self, p: PaintRef, a: &Arenas) {
        match p {
            PaintRef::Solid(c) => {
                self.u8(0);
                self.bytes(&c.to_array());
            }
            PaintRef::Gradient(i) => {
                let g = &a.gradients[i as usize];
                self.u8(1 + g.spread as u8);
                match g.shape {
                    GradientShape::Linear { from, to } => {
                        self.u8(0);
                        self.point(from);
                        self.point(to);
                    }
                    GradientShape::Radial { center, radius } => {
                        self.u8(1);
                        self.point(center);
                        self.f32(radius);
                    }
                    GradientShape::Sweep { center, start } => {
                        self.u8(2);
                        self.point(center);
                        self.f32(start);
                    }
                }
                for s in &a.stops[g.stops.range()] {
                    self.f32(s.offset);
                    self.bytes(&s.color.to_array());
                }
            }
        }
    }
    fn path(&mut self, r: PathRef, a: &Arenas) {
        match r {
            PathRef::Inline { .. } => self.u64(path(a.path(r))),
            PathRef::Shared(i) => self.u64(a.paths[i as usize].hash()),
        }
    }
}

/// Hash of a path.
pub(crate) fn path(p: PathView<'_>) -> u64 {
    let mut h = Xxh3Default::new();
    for s in p.segments() {
        let mut m = [0u8; 25];
        let mut put = |tag: u8, ps: &[Point]| {
            m[0] = tag;
            for (i, p) in ps.iter().enumerate() {
                m[1 + i * 8..5 + i * 8].copy_from_slice(&p.x.to_bits().to_le_bytes());
                m[5 + i * 8..9 + i * 8].copy_from_slice(&p.y.to_bits().to_le_bytes());
            }
            1 + ps.len() * 8
        };
        let n = match s {
            Segment::Move(a) => put(0, &[a]),
            Segment::Line(a) => put(1, &[a]),
            Segment::Quad(a, b) => put(2, &[a, b]),
            Segment::Cubic(a, b, c) => put(3, &[a, b, c]),
            Segment::Close => put(4, &[]),
        };
        h.update(&m[..n]);
    }
    h.digest()
}

/// Hash of a bitmap.
pub(crate) fn image(width: u32, height: u32, pixels: &[u32]) -> u64 {
    let mut h = Xxh3Default::new();
    h.update(&width.to_le_bytes());
    h.update(&height.to_le_bytes());
    let mut buffer = [0u8; 1024];
    for chunk in pixels.chunks(256) {
        for (b, p) in buffer.chunks_exact_mut(4).zip(chunk) {
            b.copy_from_slice(&p.to_le_bytes());
        }
        h.update(&buffer[..chunk.len() * 4]);
    }
    h.digest()
}

/// Hash of a matrix.
pub(crate) fn matrix(m: Matrix) -> u64 {
    let mut h = Mixer::new(0);
    for v in m.to_array() {
        h.f32(v);
    }
    h.finish()
}

/// Two hashes into one; order counts.
#[inline]
pub(crate) fn join(a: u64, b: u64) -> u64 {
    // xxh3's own avalanche of a combination in which neither argument can cancel the other.
    let mut x = a.rotate_left(31).wrapping_mul(0x9E37_79B1_85EB_CA87) ^ b;
    x ^= x >> 37;
    x = x.wrapping_mul(0x1656_6791_9E37_79F9);
    x ^ (x >> 32)
}

/// Hash of a command's content in its own coordinates.
pub(crate) fn op(op: &Op, a: &Arenas) -> u64 {
    match *op {
        Op::Clear { color } => {
            let mut m = Mixer::new(1);
            m.bytes(&color.to_array());
            m.finish()
        }
        Op::Rect { rect, radii, paint } => {
            let mut m = Mixer::new(2);
            m.rect(rect);
            m.radii(radii);
            m.paint(paint, a);
            m.finish()
        }
        Op::Border { rect, radii, width, paint } => {
            let mut m = Mixer::new(3);
            m.rect(rect);
            m.radii(radii);
            m.f32(width);
            m.paint(paint, a);
            m.finish()
        }
        Op::Shadow { rect, radii, offset, spread, sigma, color, inset } => {
            let mut m = Mixer::new(4);
            m.rect(rect);
            m.radii(radii);
            m.point(offset);
            m.f32(spread);
            m.f32(sigma);
            m.bytes(&color.to_array());
            m.u8(inset as u8);
            m.finish()
        }
        Op::Path { path, rule, paint } => {
            let mut m = Mixer::new(5);
            m.path(path, a);
            m.u8(rule as u8);
            m.paint(paint, a);
            m.finish()
        }
        Op::Stroke { path, stroke, paint } => {
            let s = &a.strokes[stroke as usize];
            let mut m = Mixer::new(6);
            m.path(path, a);
            m.f32(s.width);
            m.u8(s.join as u8);
            m.u8(s.cap as u8);
            m.f32(s.miter_limit);
            m.f32(s.dash_offset);
            for d in &a.dashes[s.dashes.range()] {
                m.f32(*d);
            }
            m.paint(paint, a);
            m.finish()
        }
        Op::GlyphRun { font, size, origin, glyphs, paint } => {
            let mut m = Mixer::new(7);
            m.u64(a.fonts[font as usize].font_hash());
            m.u32(size);
            m.point(origin);
            m.u64(glyph_span(a, glyphs));
            m.paint(paint, a);
            m.finish()
        }
        Op::Image { image, src, dst, radii, filter, opacity, tint } => {
            let mut m = Mixer::new(8);
            m.u64(a.images[image as usize].hash());
            m.rect(src);
            m.rect(dst);
            m.radii(radii);
            m.u8(filter as u8);
            m.u8(opacity);
            if let Some(c) = tint {
                m.bytes(&c.to_array());
            }
            m.finish()
        }
        Op::Picture { source, dst, radii, opacity } => {
            let mut m = Mixer::new(9);
            m.u32(source.0);
            m.rect(dst);
            m.radii(radii);
            m.u8(opacity);
            m.finish()
        }
        Op::PushClip { shape } => {
            let mut m = Mixer::new(10);
            match shape {
                ClipShape::Rect { rect, radii } => {
                    m.u8(0);
                    m.rect(rect);
                    m.radii(radii);
                }
                ClipShape::Path { path, rule } => {
                    m.u8(1);
                    m.path(path, a);
                    m.u8(rule as u8);
                }
            }
            m.finish()
        }
        Op::PopClip => 11,
        Op::PushLayer { opacity, blend } => {
            let mut m = Mixer::new(12);
            m.u8(opacity);
            m.u8(blend as u8);
            m.finish()
        }
        Op::PopLayer => 13,
    }
}

fn glyph_span(a: &Arenas, glyphs: Span) -> u64 {
    let mut m = Mixer::new(14);
    for g in &a.glyphs[glyphs.range()] {
        m.u32(g.id);
        m.f32(g.x);
        m.f32(g.y);
    }
    m.finish()
}
