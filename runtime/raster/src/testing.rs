//! Random scenes: every command kind under random clips, layers and matrices, and random edits of
//! them. A scene is a tree of seeds, so that an edit changes one part and leaves the rest equal.

use std::sync::Arc;
use zinc_scene::{
    BlendMode, Cap, Color, FillRule, Filter, Glyph, GlyphKey, GlyphMask, GlyphPixels, GlyphSource,
    GradientShape, Image, Join, Latched, LayerPlan, Matrix, Paint, Path, PictureId, Point, Radii,
    Recorder, Rect, SharedPath, Spread, Stop, StrokeStyle,
};

/// Names of the instruction sets of this machine, as [`crate::Rasterizer::at_level`] counts them.
/// `scalar` is plain code: what every other one is compared with.
pub fn levels() -> Vec<&'static str> {
    crate::levels().into_iter().map(name).collect()
}

fn name(level: fearless_simd::Level) -> &'static str {
    use fearless_simd::Level;
    match level {
        Level::Fallback(_) => "scalar",
        #[cfg(target_arch = "aarch64")]
        Level::Neon(_) => "neon",
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Sse2(_) => "sse2",
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Sse4_2(_) => "sse4.2",
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Avx2(_) => "avx2",
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Avx512(_) => "avx512",
        _ => "other",
    }
}

/// FNV-1a, 64 bits, on top of what was hashed before; [`FNV`] begins.
pub fn fnv(bytes: &[u8], before: u64) -> u64 {
    let add = |h: u64, b: &u8| (h ^ *b as u64).wrapping_mul(0x0000_0100_0000_01B3);
    bytes.iter().fold(before, add)
}

/// The hash of nothing.
pub const FNV: u64 = 0xCBF2_9CE4_8422_2325;

/// The bytes of one surface word at a place of the surface, stored on its own, by plain code.
pub fn pixel(word: u32, x: i32, y: i32, format: zinc_scene::PixelFormat) -> Vec<u8> {
    crate::store::pixel(word, x, y, format)
}

/// A small generator (splitmix64); the same seed gives the same numbers everywhere.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed ^ 0x5DEE_CE66_D1CE_4E5B)
    }
    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// Below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n.max(1) as u64) as usize
    }
    /// True once in `n`.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
    /// `lo..hi`; on a grid of 1, 1/2, 1/4 or 1/64 in turn, so that edges meet pixels at times.
    pub fn range(&mut self, lo: f32, hi: f32) -> f32 {
        let v = lo + (hi - lo) * ((self.bits() >> 40) as f32 / (1u64 << 24) as f32);
        let grid = [1.0, 2.0, 4.0, 64.0][self.below(4)];
        (v * grid).floor() / grid
    }
    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
    fn color(&mut self) -> Color {
        let b = self.bits();
        let a = if self.one_in(2) { 255 } else { (b >> 24) as u8 | 1 };
        Color::rgba(b as u8, (b >> 8) as u8, (b >> 16) as u8, a)
    }
}

/// A font without a file: bars, dots and colour squares as masks, their boxes as outlines.
#[derive(Debug)]
pub struct TestFont;

impl GlyphSource for TestFont {
    fn font_hash(&self) -> u64 {
        0x7E57
    }
    fn mask(&self, key: GlyphKey) -> Option<Arc<GlyphMask>> {
        if key.glyph.is_multiple_of(5) {
            return None;
        }
        let px = (key.size / 64).clamp(1, 96);
        let (width, height) = ((px * 6).div_ceil(10), (px * 8).div_ceil(10));
        let n = width * height;
        let at = |i: u32| (i * 37 + key.glyph * 11 + key.phase as u32 * 60) as u8;
        let pixels = if key.glyph % 5 == 1 {
            GlyphPixels::Color(
                (0..n).map(|i| 0xFF00_0000 | (at(i) as u32 * 0x0001_0203 % 0xFF_FFFF)).collect(),
            )
        } else {
            GlyphPixels::Coverage((0..n).map(at).collect())
        };
        Some(Arc::new(GlyphMask { left: 0, top: -(height as i32), width, height, pixels }))
    }
    fn outline(&self, glyph: u32) -> Option<Arc<Path>> {
        let mut p = Path::new();
        match glyph % 5 {
            0 => return None,
            1 | 2 => p.rect(Rect::new(0.0, -0.75, 0.5, 0.75)),
            _ => p.circle(Point::new(0.3, -0.4), 0.3),
        };
        Some(Arc::new(p))
    }
    fn em_box(&self) -> [f32; 4] {
        [-0.05, -0.85, 0.65, 0.05]
    }
}

/// A film's picture or an image, from a seed.
pub fn image(seed: u64) -> Arc<Image> {
    let mut r = Rng::new(seed);
    let (w, h) = (1 + r.below(40) as u32, 1 + r.below(40) as u32);
    let opaque = r.one_in(2);
    let pixel = |_| {
        let v = r.bits() as u32;
        if opaque { v | 0xFF00_0000 } else { v }
    };
    let pixels: Box<[u32]> = (0..w * h).map(pixel).collect();
    // Sides are within limits and the count matches: the fallback is never taken.
    let image = Image::new(w, h, pixels).or_else(|_| Image::new(1, 1, Box::new([0])));
    Arc::new(image.unwrap_or_else(|_| unreachable!("a pixel is an image")))
}

/// Handles that random scenes share.
#[derive(Clone, Debug)]
pub struct Assets {
    font: Arc<dyn GlyphSource>,
    images: Vec<Arc<Image>>,
    paths: Vec<Arc<SharedPath>>,
}

impl Default for Assets {
    fn default() -> Self {
        let shape = |seed| {
            let mut p = Path::new();
            blob(&mut Rng::new(seed), &mut p, 40.0);
            SharedPath::new(p)
        };
        Self {
            font: Arc::new(TestFont),
            images: (0..8).map(image).collect(),
            paths: (0..4).map(shape).collect(),
        }
    }
}

fn blob(r: &mut Rng, p: &mut Path, size: f32) {
    let at = |r: &mut Rng| (r.range(-size * 0.2, size * 1.2), r.range(-size * 0.2, size * 1.2));
    for _ in 0..1 + r.below(2) {
        let (x, y) = at(r);
        p.move_to(x, y);
        for _ in 0..1 + r.below(5) {
            let ((a, b), (c, d), (e, f)) = (at(r), at(r), at(r));
            match r.below(4) {
                0 | 1 => p.line_to(a, b),
                2 => p.quad_to(a, b, c, d),
                _ => p.cubic_to(a, b, c, d, e, f),
            };
        }
        if r.one_in(2) {
            p.close();
        }
    }
}

/// Kinds of elements; the last three hold others.
const LEAVES: usize = 9;
const KINDS: usize = 12;

#[derive(Clone, Debug)]
struct Element {
    seed: u64,
    kind: usize,
    hidden: bool,
    children: Vec<Element>,
}

impl Element {
    fn random(r: &mut Rng, depth: usize) -> Self {
        let kind = if depth == 0 { r.below(LEAVES) } else { r.below(KINDS) };
        let n = if kind >= LEAVES { 1 + r.below(4) } else { 0 };
        let children = (0..n).map(|_| Self::random(r, depth - 1)).collect();
        Self { seed: r.bits(), kind, hidden: false, children }
    }
}

/// A random scene.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    assets: Assets,
    elements: Vec<Element>,
    films: [u64; 4],
}

impl Scene {
    /// A scene for a surface of this size.
    pub fn random(r: &mut Rng, width: u32, height: u32) -> Self {
        let n = 3 + r.below(8);
        let elements = (0..n).map(|_| Element::random(r, 3)).collect();
        let films = core::array::from_fn(|_| r.bits());
        Self { width, height, assets: Assets::default(), elements, films }
    }

    /// Changes something: adds, removes, hides, moves, exchanges, alters, or a film's picture.
    pub fn edit(&mut self, r: &mut Rng) {
        if r.one_in(8) {
            self.films[r.below(4)] = r.bits();
            return;
        }
        let mut level = &mut self.elements;
        for _ in 0..3 {
            let i = r.below(level.len());
            let deeper = level.get(i).is_some_and(|e| !e.children.is_empty()) && r.one_in(2);
            if !deeper {
                break;
            }
            level = &mut level[i].children;
        }
        let n = level.len();
        let i = r.below(n);
        match r.below(6) {
            _ if n == 0 => level.push(Element::random(r, 2)),
            0 if n < 12 => level.insert(i, Element::random(r, 2)),
            1 if n > 1 => {
                level.remove(i);
            }
            2 => level[i].hidden ^= true,
            3 => level.swap(i, r.below(n)),
            _ => level[i].seed = r.bits(),
        }
    }

    /// Records the scene.
    pub fn record(&self, to: &mut Recorder) {
        if to.begin(self.width, self.height).is_ok() {
            self.record_onto(to);
        }
    }

    /// Records the scene onto what is recorded already.
    pub fn record_onto(&self, to: &mut Recorder) {
        let size = (self.width as f32, self.height as f32);
        for e in &self.elements {
            self.element(e, to, size);
        }
    }

    /// What the scene's films show.
    pub fn plan(&self) -> LayerPlan {
        let mut plan = LayerPlan::new();
        for (i, seed) in self.films.iter().enumerate() {
            match seed % 3 {
                0 => {}
                1 => plan.set(PictureId(i as u32), Latched::Hole),
                _ => plan.set(PictureId(i as u32), Latched::Drawn(image(*seed))),
            }
        }
        plan
    }

    fn element(&self, e: &Element, to: &mut Recorder, size: (f32, f32)) {
        if e.hidden {
            return;
        }
        let r = &mut Rng::new(e.seed);
        let inner = |to: &mut Recorder| {
            for c in &e.children {
                self.element(c, to, size);
            }
        };
        match e.kind {
            9 => {
                let (rect, radii) = (area(r, size), corners(r));
                if r.one_in(4) {
                    to.push_clip_path(FillRule::EvenOdd, |p| blob(r, p, size.1));
                } else {
                    to.push_clip(rect, radii);
                }
                inner(to);
                to.pop_clip();
            }
            10 => {
                let modes = [
                    BlendMode::SourceOver,
                    BlendMode::SourceOver,
                    BlendMode::Multiply,
                    BlendMode::Screen,
                    BlendMode::Plus,
                    BlendMode::Darken,
                    BlendMode::Lighten,
                ];
                let mode = r.pick(&modes);
                to.push_layer(r.range(0.2, 1.1).min(1.0), mode);
                inner(to);
                to.pop_layer();
            }
            11 => to.with_matrix(matrix(r, size), inner),
            kind => self.leaf(kind, r, to, size),
        }
    }

    fn leaf(&self, kind: usize, r: &mut Rng, to: &mut Recorder, size: (f32, f32)) {
        let rect = area(r, size);
        match kind {
            0 if r.one_in(3) => to.clear(r.color()),
            0 | 1 => with_paint(r, rect, |r, paint| {
                to.rect(rect.x, rect.y, rect.w, rect.h).radius(corners(r)).fill(paint);
            }),
            2 => with_paint(r, rect, |r, paint| {
                let width = r.range(0.25, 9.0);
                to.rect(rect.x, rect.y, rect.w, rect.h).radius(corners(r)).border(width, paint);
            }),
            3 => self.shadow(r, to, rect),
            4 => with_paint(r, rect, |r, paint| {
                let rule = r.pick(&[FillRule::NonZero, FillRule::EvenOdd]);
                if r.one_in(3) {
                    to.shared_path(&self.assets.paths[r.below(4)]).rule(rule).fill(paint);
                } else {
                    to.path(|p| blob(r, p, size.1)).rule(rule).fill(paint);
                }
            }),
            5 => with_paint(r, rect, |r, paint| {
                let dashes = [r.range(0.0, 9.0), r.range(0.5, 6.0), r.range(0.0, 5.0)];
                let style = StrokeStyle {
                    join: r.pick(&[Join::Miter, Join::Round, Join::Bevel]),
                    cap: r.pick(&[Cap::Butt, Cap::Round, Cap::Square]),
                    dashes: &dashes[..r.pick(&[0, 0, 2, 3])],
                    dash_offset: r.range(-20.0, 20.0),
                    ..StrokeStyle::new(r.range(0.25, 12.0))
                };
                to.path(|p| blob(r, p, size.1)).stroke(style, paint);
            }),
            6 => with_paint(r, rect, |r, paint| {
                let glyphs: Vec<Glyph> = (0..1 + r.below(6))
                    .map(|i| Glyph { id: r.below(9) as u32, x: i as f32 * 7.3, y: 0.0 })
                    .collect();
                let most = if r.one_in(6) { 160.0 } else { 24.0 };
                let px = r.range(4.0, most);
                let origin = Point::new(rect.x, rect.y + rect.h);
                to.glyphs(&self.assets.font, px, origin, &glyphs, paint);
            }),
            7 => {
                let image = &self.assets.images[r.below(8)];
                let mut dst = rect;
                if r.one_in(3) {
                    (dst.w, dst.h) = (image.width() as f32, image.height() as f32);
                }
                let mut draw = to.image(image, dst).radius(corners(r)).opacity(r.range(0.3, 1.2));
                if r.one_in(3) {
                    draw = draw.filter(Filter::Nearest);
                }
                if r.one_in(4) {
                    draw = draw.tint(r.color());
                }
                if r.one_in(3) {
                    draw = draw.src(Rect::new(
                        r.range(-2.0, 9.0),
                        r.range(-2.0, 9.0),
                        r.range(1.0, 30.0),
                        r.range(1.0, 30.0),
                    ));
                }
                draw.draw();
            }
            _ => {
                let id = PictureId(r.below(4) as u32);
                to.picture(id, rect, corners(r), r.range(0.3, 1.2).min(1.0));
            }
        }
    }

    fn shadow(&self, r: &mut Rng, to: &mut Recorder, rect: Rect) {
        let offset = Point::new(r.range(-6.0, 6.0), r.range(-6.0, 6.0));
        let sigma = if r.one_in(6) { 0.0 } else { r.range(0.5, 8.0) };
        let spread = r.range(-3.0, 5.0);
        let draw = to.rect(rect.x, rect.y, rect.w, rect.h).radius(corners(r));
        let color = r.color();
        if r.one_in(3) {
            draw.inset_shadow(offset.x, offset.y, sigma * 2.0, spread, color);
        } else {
            draw.shadow(offset.x, offset.y, sigma * 2.0, spread, color);
        }
    }
}

fn area(r: &mut Rng, (w, h): (f32, f32)) -> Rect {
    let (x, y) = (r.range(-w * 0.2, w), r.range(-h * 0.2, h));
    let (w, h) = (r.range(0.0, w), r.range(0.0, h));
    if r.one_in(12) { Rect::new(x, y, w * 0.01, h) } else { Rect::new(x, y, w, h) }
}

fn corners(r: &mut Rng) -> Radii {
    match r.below(3) {
        0 => Radii::ZERO,
        1 => Radii::all(r.range(0.0, 20.0)),
        _ => Radii(core::array::from_fn(|_| r.range(-2.0, 25.0))),
    }
}

fn matrix(r: &mut Rng, (w, h): (f32, f32)) -> Matrix {
    let (x, y) = (r.range(-w * 0.3, w * 0.6), r.range(-h * 0.3, h * 0.6));
    let move_ = Matrix::translate(x, y);
    let inner = match r.below(5) {
        0 => Matrix::IDENTITY,
        1 => Matrix::scale(r.range(0.2, 2.5), r.range(0.2, 2.5)),
        2 => {
            let k = r.pick(&[0.25, 0.5, 1.5, 2.0]);
            Matrix::scale(k, k)
        }
        3 => Matrix::rotate(r.range(0.0, 6.3)),
        _ => {
            Matrix { a: 1.0, b: r.range(-1.0, 1.0), c: r.range(-1.0, 1.0), d: -1.0, e: 0.0, f: 9.0 }
        }
    };
    move_.then_inner(inner)
}

fn with_paint(r: &mut Rng, at: Rect, draw: impl FnOnce(&mut Rng, Paint<'_>)) {
    if r.one_in(2) {
        let c = r.color();
        return draw(r, Paint::Solid(c));
    }
    let mut offset = 0.0f32;
    let stops: Vec<Stop> = (0..1 + r.below(4))
        .map(|_| {
            offset = (offset + r.range(-0.1, 0.6)).clamp(0.0, 1.0);
            Stop::new(offset, r.color())
        })
        .collect();
    let p = |r: &mut Rng| {
        Point::new(at.x + at.w * r.range(-0.5, 1.5), at.y + at.h * r.range(-0.5, 1.5))
    };
    let shape = match r.below(5) {
        0 => GradientShape::Linear { from: at.origin(), to: Point::new(at.x, at.y + at.h) },
        1 => GradientShape::Linear { from: p(r), to: p(r) },
        2 => GradientShape::Linear { from: at.origin(), to: at.origin() },
        3 => GradientShape::Radial { center: p(r), radius: r.range(-1.0, 60.0) },
        _ => GradientShape::Sweep { center: p(r), start: r.range(-9.0, 9.0) },
    };
    let spread = r.pick(&[Spread::Pad, Spread::Repeat, Spread::Reflect]);
    draw(r, Paint::Gradient { shape, stops: &stops, spread });
}
