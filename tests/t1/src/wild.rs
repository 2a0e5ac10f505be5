//! Commands that no app means: numbers of any bit pattern, indices that point nowhere, spans that
//! overrun, ends without a beginning. Half of all numbers are sound, so that many commands pass
//! the validator and reach the renderer with one odd number in them.

use std::sync::Arc;
use zinc_raster::testing::{Rng, TestFont, image};
use zinc_scene::{
    Arenas, BlendMode, Cap, ClipShape, Color, FillRule, Filter, Glyph, Gradient, GradientShape,
    Join, Matrix, Op, Paint, PaintRef, Path, PathRef, PictureId, Point, Radii, Recorder, Rect,
    SharedPath, Span, Spread, Stop, Stroke, StrokeStyle, Verb,
};

/// A number: sound, at a limit, or any 32 bits.
pub fn number(r: &mut Rng) -> f32 {
    const ODD: [f32; 16] = [
        0.0,
        -0.0,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        1e-40,
        1_048_576.0,
        -1_048_576.0,
        1_048_577.0,
        0.5,
        1.0,
        -1.0,
        255.999,
    ];
    match r.below(8) {
        0 => f32::from_bits(r.bits() as u32),
        1 => ODD[r.below(ODD.len())],
        _ => r.range(-40.0, 120.0),
    }
}

fn positive(r: &mut Rng) -> f32 {
    if r.one_in(6) { number(r) } else { r.range(0.0, 60.0) }
}

fn point(r: &mut Rng) -> Point {
    Point::new(number(r), number(r))
}

fn rect(r: &mut Rng) -> Rect {
    Rect::new(number(r), number(r), positive(r), positive(r))
}

fn radii(r: &mut Rng) -> Radii {
    Radii(core::array::from_fn(|_| positive(r)))
}

fn color(r: &mut Rng) -> Color {
    let b = r.bits();
    Color::rgba(b as u8, (b >> 8) as u8, (b >> 16) as u8, (b >> 24) as u8)
}

/// A matrix with a few odd entries.
pub fn matrix(r: &mut Rng) -> Matrix {
    let mut m = match r.below(3) {
        0 => Matrix::IDENTITY,
        1 => Matrix::rotate(number(r)),
        _ => Matrix::scale(positive(r), positive(r)),
    };
    if r.one_in(4) {
        m.b = number(r);
    }
    if r.one_in(4) {
        (m.e, m.f) = (number(r), number(r));
    }
    m
}

fn shape(r: &mut Rng) -> GradientShape {
    match r.below(3) {
        0 => GradientShape::Linear { from: point(r), to: point(r) },
        1 => GradientShape::Radial { center: point(r), radius: positive(r) },
        _ => GradientShape::Sweep { center: point(r), start: number(r) },
    }
}

fn spread(r: &mut Rng) -> Spread {
    [Spread::Pad, Spread::Repeat, Spread::Reflect][r.below(3)]
}

fn stops(r: &mut Rng) -> Vec<Stop> {
    let offset = |r: &mut Rng| if r.one_in(20) { number(r) } else { r.range(0.0, 1.0) };
    (0..r.below(5)).map(|_| Stop::new(offset(r), color(r))).collect()
}

fn blend(r: &mut Rng) -> BlendMode {
    use BlendMode::{Darken, Lighten, Multiply, Plus, Screen, SourceOver};
    [SourceOver, Multiply, Screen, Plus, Darken, Lighten][r.below(6)]
}

fn rule(r: &mut Rng) -> FillRule {
    [FillRule::NonZero, FillRule::EvenOdd][r.below(2)]
}

fn filter(r: &mut Rng) -> Filter {
    [Filter::Smooth, Filter::Nearest][r.below(2)]
}

fn path(r: &mut Rng, p: &mut Path) {
    for _ in 0..r.below(9) {
        match r.below(7) {
            0 => p.move_to(number(r), number(r)),
            1 | 2 => p.line_to(number(r), number(r)),
            3 => p.quad_to(number(r), number(r), number(r), number(r)),
            4 => p.cubic_to(number(r), number(r), number(r), number(r), number(r), number(r)),
            5 => p.arc(point(r), positive(r), number(r), number(r)),
            _ => p.close(),
        };
    }
}

fn dashes(r: &mut Rng) -> Vec<f32> {
    let n = if r.one_in(2) { 0 } else { r.below(6) };
    (0..n).map(|_| positive(r)).collect()
}

/// Records one odd command.
pub fn record(r: &mut Rng, to: &mut Recorder) {
    let stops = stops(r);
    let ink = match r.below(3) {
        0 => Paint::Gradient { shape: shape(r), stops: &stops, spread: spread(r) },
        _ => Paint::Solid(color(r)),
    };
    match r.below(18) {
        0 => to.clear(color(r)),
        1 => {
            let b = to.rect(number(r), number(r), positive(r), positive(r)).radius(radii(r));
            b.fill(ink);
        }
        2 => {
            let b = to.rect(number(r), number(r), positive(r), positive(r)).radius(radii(r));
            b.border(positive(r), ink);
        }
        3 => {
            let b = to.rect(number(r), number(r), positive(r), positive(r)).radius(radii(r));
            b.shadow(number(r), number(r), positive(r), number(r), color(r));
        }
        4 => {
            let b = to.rect(number(r), number(r), positive(r), positive(r)).radius(radii(r));
            b.inset_shadow(number(r), number(r), positive(r), number(r), color(r));
        }
        5 => {
            to.path(|p| path(r, p)).rule(rule(r)).fill(ink);
        }
        6 | 7 => {
            let (dashes, width, miter_limit) = (dashes(r), positive(r), positive(r));
            let (join, cap) = (join(r), cap(r));
            let dash_offset = number(r);
            let style = StrokeStyle { width, join, cap, miter_limit, dashes: &dashes, dash_offset };
            to.path(|p| path(r, p)).stroke(style, ink);
        }
        8 => {
            let font: Arc<dyn zinc_scene::GlyphSource> = Arc::new(TestFont);
            let run: Vec<Glyph> = (0..r.below(5))
                .map(|_| Glyph { id: r.bits() as u32 % 40, x: number(r), y: number(r) })
                .collect();
            to.glyphs(&font, positive(r), point(r), &run, ink);
        }
        9 => {
            let image = image(r.bits() % 8);
            let mut draw = to.image(&image, rect(r)).radius(radii(r)).filter(filter(r));
            if r.one_in(2) {
                draw = draw.src(rect(r));
            }
            draw.opacity(number(r)).draw();
        }
        10 => to.picture(PictureId(r.below(3) as u32), rect(r), radii(r), number(r)),
        11 => to.push_clip(rect(r), radii(r)),
        12 => to.push_clip_path(rule(r), |p| path(r, p)),
        13 => to.pop_clip(),
        14 => to.push_layer(number(r), blend(r)),
        15 => to.pop_layer(),
        16 => to.push_matrix(matrix(r)),
        _ => to.pop_matrix(),
    }
}

fn join(r: &mut Rng) -> Join {
    [Join::Miter, Join::Round, Join::Bevel][r.below(3)]
}

fn cap(r: &mut Rng) -> Cap {
    [Cap::Butt, Cap::Round, Cap::Square][r.below(3)]
}

/// An index: mostly into a table of `n`, at times beside it.
fn index(r: &mut Rng, n: usize) -> u32 {
    match r.below(12) {
        0 => r.bits() as u32,
        1 => n as u32,
        _ => r.below(n.max(1)) as u32,
    }
}

fn span(r: &mut Rng, n: usize) -> Span {
    let start = index(r, n);
    let len = if r.one_in(10) { r.bits() as u32 } else { r.below(n + 1) as u32 };
    Span { start, len: len.min(if r.one_in(8) { u32::MAX } else { n as u32 }) }
}

/// Tables with odd content.
pub fn arenas(r: &mut Rng) -> Arenas {
    const VERBS: [Verb; 5] = [Verb::Move, Verb::Line, Verb::Quad, Verb::Cubic, Verb::Close];
    let mut a = Arenas::default();
    a.matrices.push(Matrix::IDENTITY);
    a.matrices.extend((0..r.below(3)).map(|_| matrix(r)));
    a.verbs.push(Verb::Move);
    a.verbs.extend((0..r.below(8)).map(|_| VERBS[r.below(5)]));
    a.points.extend((0..r.below(20)).map(|_| point(r)));
    a.stops = stops(r);
    a.gradients.extend((0..r.below(3)).map(|_| {
        let stops = span(r, a.stops.len());
        Gradient { shape: shape(r), spread: spread(r), stops }
    }));
    a.dashes = dashes(r);
    a.strokes.extend((0..r.below(3)).map(|_| {
        let (width, miter_limit, dash_offset) = (positive(r), positive(r), number(r));
        let dashes = span(r, a.dashes.len());
        Stroke { width, join: join(r), cap: cap(r), miter_limit, dashes, dash_offset }
    }));
    let glyph = |r: &mut Rng| Glyph { id: r.bits() as u32 % 50, x: number(r), y: number(r) };
    a.glyphs.extend((0..r.below(6)).map(|_| glyph(r)));
    a.fonts.push(Arc::new(TestFont));
    a.images.extend((0..r.below(2)).map(|i| image(i as u64)));
    let mut shared = Path::new();
    path(r, &mut shared);
    a.paths.push(SharedPath::new(shared));
    a
}

/// An odd command into these tables, with the index of its matrix.
pub fn op(r: &mut Rng, a: &Arenas) -> (Op, u32) {
    let ink = match r.below(3) {
        0 => PaintRef::Gradient(index(r, a.gradients.len())),
        _ => PaintRef::Solid(color(r)),
    };
    let outline = match r.below(2) {
        0 => PathRef::Shared(index(r, a.paths.len())),
        _ => PathRef::Inline { verbs: span(r, a.verbs.len()), points: span(r, a.points.len()) },
    };
    let op = match r.below(14) {
        0 => Op::Clear { color: color(r) },
        1 => Op::Rect { rect: rect(r), radii: radii(r), paint: ink },
        2 => Op::Border { rect: rect(r), radii: radii(r), width: positive(r), paint: ink },
        3 => {
            let (rect, radii, offset) = (rect(r), radii(r), point(r));
            let (spread, sigma, color) = (number(r), positive(r), color(r));
            Op::Shadow { rect, radii, offset, spread, sigma, color, inset: r.one_in(2) }
        }
        4 => Op::Path { path: outline, rule: rule(r), paint: ink },
        5 => Op::Stroke { path: outline, stroke: index(r, a.strokes.len()), paint: ink },
        6 => {
            let (font, glyphs) = (index(r, a.fonts.len()), span(r, a.glyphs.len()));
            let size = if r.one_in(5) { r.bits() as u32 } else { r.below(4000) as u32 };
            Op::GlyphRun { font, size, origin: point(r), glyphs, paint: ink }
        }
        7 => {
            let (image, src, dst) = (index(r, a.images.len()), rect(r), rect(r));
            let tint = r.one_in(3).then(|| color(r));
            let (radii, filter) = (radii(r), filter(r));
            Op::Image { image, src, dst, radii, filter, opacity: r.bits() as u8, tint }
        }
        8 => {
            let source = PictureId(r.bits() as u32 % 4);
            Op::Picture { source, dst: rect(r), radii: radii(r), opacity: r.bits() as u8 }
        }
        9 => Op::PushClip { shape: ClipShape::Rect { rect: rect(r), radii: radii(r) } },
        10 => Op::PushClip { shape: ClipShape::Path { path: outline, rule: rule(r) } },
        11 => Op::PopClip,
        12 => Op::PushLayer { opacity: r.bits() as u8, blend: blend(r) },
        _ => Op::PopLayer,
    };
    (op, index(r, a.matrices.len()))
}
