//! Version 1 of the capture's content. Frozen: a change here is a new version.

use super::CaptureError;
use crate::command::{self, Arenas, Span};
use crate::{
    self as scene, CommandList, GlyphKey, GlyphMask, GlyphPixels, GlyphSource, LayerPlan, PictureId,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

type Rgba = [u8; 4];
type Xy = [f32; 2];
type Xywh = [f32; 4];

#[derive(Serialize, Deserialize)]
pub(super) struct Capture {
    width: u32,
    height: u32,
    commands: Vec<([f32; 6], Op)>,
    fonts: Vec<Font>,
    images: Vec<Image>,
    pictures: Vec<(u32, Latched)>,
}

#[derive(Serialize, Deserialize)]
enum Latched {
    Hole,
    Drawn(Image),
}

#[derive(Serialize, Deserialize)]
struct Image {
    width: u32,
    height: u32,
    pixels: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
struct Font {
    hash: u64,
    em_box: [f32; 4],
    masks: Vec<Mask>,
    outlines: Vec<(u32, Path)>,
}

#[derive(Serialize, Deserialize)]
struct Mask {
    glyph: u32,
    size: u32,
    phase: u8,
    left: i32,
    top: i32,
    width: u32,
    height: u32,
    pixels: MaskPixels,
}

#[derive(Serialize, Deserialize)]
enum MaskPixels {
    Coverage(Vec<u8>),
    Color(Vec<u32>),
}

#[derive(Serialize, Deserialize)]
struct Path {
    verbs: Vec<u8>,
    points: Vec<Xy>,
}

#[derive(Serialize, Deserialize)]
enum Paint {
    Solid(Rgba),
    Gradient { shape: Shape, spread: u8, stops: Vec<(f32, Rgba)> },
}

#[derive(Serialize, Deserialize)]
enum Shape {
    Linear { from: Xy, to: Xy },
    Radial { center: Xy, radius: f32 },
    Sweep { center: Xy, start: f32 },
}

#[derive(Serialize, Deserialize)]
struct Stroke {
    width: f32,
    join: u8,
    cap: u8,
    miter_limit: f32,
    dashes: Vec<f32>,
    dash_offset: f32,
}

#[derive(Serialize, Deserialize)]
enum Op {
    Clear(Rgba),
    Rect {
        rect: Xywh,
        radii: [f32; 4],
        paint: Paint,
    },
    Border {
        rect: Xywh,
        radii: [f32; 4],
        width: f32,
        paint: Paint,
    },
    Shadow {
        rect: Xywh,
        radii: [f32; 4],
        offset: Xy,
        spread: f32,
        sigma: f32,
        color: Rgba,
        inset: bool,
    },
    Path {
        path: Path,
        rule: u8,
        paint: Paint,
    },
    Stroke {
        path: Path,
        stroke: Stroke,
        paint: Paint,
    },
    GlyphRun {
        font: u32,
        size: u32,
        origin: Xy,
        glyphs: Vec<(u32, Xy)>,
        paint: Paint,
    },
    Image {
        image: u32,
        src: Xywh,
        dst: Xywh,
        radii: [f32; 4],
        filter: u8,
        opacity: u8,
        tint: Option<Rgba>,
    },
    Picture {
        source: u32,
        dst: Xywh,
        radii: [f32; 4],
        opacity: u8,
    },
    ClipRect {
        rect: Xywh,
        radii: [f32; 4],
    },
    ClipPath {
        path: Path,
        rule: u8,
    },
    PopClip,
    PushLayer {
        opacity: u8,
        blend: u8,
    },
    PopLayer,
}

fn rgba(c: scene::Color) -> Rgba {
    c.to_array()
}
fn color([r, g, b, a]: Rgba) -> scene::Color {
    scene::Color::rgba(r, g, b, a)
}
fn xy(p: scene::Point) -> Xy {
    [p.x, p.y]
}
fn point([x, y]: Xy) -> scene::Point {
    scene::Point::new(x, y)
}
fn xywh(r: scene::Rect) -> Xywh {
    [r.x, r.y, r.w, r.h]
}
fn rect([x, y, w, h]: Xywh) -> scene::Rect {
    scene::Rect::new(x, y, w, h)
}

/// Byte codes of closed enums: the position in the table is the code.
macro_rules! codes {
    ($to:ident, $from:ident, $ty:ty, [$($v:path),*]) => {
        fn $to(v: $ty) -> u8 {
            [$($v),*].iter().position(|x| *x == v).unwrap_or(0) as u8
        }
        /// Unknown codes are refused by the caller as a malformed path would be.
        fn $from(code: u8) -> Option<$ty> {
            [$($v),*].get(code as usize).copied()
        }
    };
}
codes!(
    spread_code,
    spread,
    scene::Spread,
    [scene::Spread::Pad, scene::Spread::Repeat, scene::Spread::Reflect]
);
codes!(rule_code, rule, scene::FillRule, [scene::FillRule::NonZero, scene::FillRule::EvenOdd]);
codes!(join_code, join, scene::Join, [scene::Join::Miter, scene::Join::Round, scene::Join::Bevel]);
codes!(cap_code, cap, scene::Cap, [scene::Cap::Butt, scene::Cap::Round, scene::Cap::Square]);
codes!(filter_code, filter, scene::Filter, [scene::Filter::Smooth, scene::Filter::Nearest]);
codes!(
    verb_code,
    verb,
    scene::Verb,
    [
        scene::Verb::Move,
        scene::Verb::Line,
        scene::Verb::Quad,
        scene::Verb::Cubic,
        scene::Verb::Close
    ]
);
codes!(
    blend_code,
    blend,
    scene::BlendMode,
    [
        scene::BlendMode::SourceOver,
        scene::BlendMode::Multiply,
        scene::BlendMode::Screen,
        scene::BlendMode::Plus,
        scene::BlendMode::Darken,
        scene::BlendMode::Lighten
    ]
);

impl Path {
    fn of(p: scene::PathView<'_>) -> Self {
        Self {
            verbs: p.verbs.iter().map(|v| verb_code(*v)).collect(),
            points: p.points.iter().map(|p| xy(*p)).collect(),
        }
    }
    fn open(self) -> Option<scene::Path> {
        let verbs = self.verbs.into_iter().map(verb).collect::<Option<Vec<_>>>()?;
        scene::Path::from_parts(verbs, self.points.into_iter().map(point).collect())
    }
}

impl Image {
    fn of(i: &scene::Image) -> Self {
        Self { width: i.width(), height: i.height(), pixels: i.pixels().to_vec() }
    }
    fn open(self, index: usize) -> Result<Arc<scene::Image>, CaptureError> {
        scene::Image::new(self.width, self.height, self.pixels.into_boxed_slice())
            .map(Arc::new)
            .map_err(|why| CaptureError::Image { index, why })
    }
}

/// Writing.
impl Capture {
    pub(super) fn of(list: &CommandList, plan: &LayerPlan) -> Self {
        let a = list.arenas();
        Self {
            width: list.width(),
            height: list.height(),
            commands: list
                .commands()
                .iter()
                .map(|c| (list.matrix(c).to_array(), Op::of(&c.op, a)))
                .collect(),
            fonts: (0..a.fonts.len()).map(|i| Font::of(list, i)).collect(),
            images: a.images.iter().map(|i| Image::of(i)).collect(),
            pictures: plan
                .iter()
                .map(|(id, l)| {
                    let l = match l {
                        scene::Latched::Hole => Latched::Hole,
                        scene::Latched::Drawn(i) => Latched::Drawn(Image::of(i)),
                    };
                    (id.0, l)
                })
                .collect(),
        }
    }
}

impl Paint {
    fn of(p: scene::PaintRef, a: &Arenas) -> Self {
        let i = match p {
            scene::PaintRef::Solid(c) => return Paint::Solid(rgba(c)),
            scene::PaintRef::Gradient(i) => i,
        };
        let g = &a.gradients[i as usize];
        let shape = match g.shape {
            scene::GradientShape::Linear { from, to } => {
                Shape::Linear { from: xy(from), to: xy(to) }
            }
            scene::GradientShape::Radial { center, radius } => {
                Shape::Radial { center: xy(center), radius }
            }
            scene::GradientShape::Sweep { center, start } => {
                Shape::Sweep { center: xy(center), start }
            }
        };
        let stops = a.stops[g.stops.range()].iter().map(|s| (s.offset, rgba(s.color))).collect();
        Paint::Gradient { shape, spread: spread_code(g.spread), stops }
    }
}

impl Op {
    fn of(op: &command::Op, a: &Arenas) -> Self {
        use command::Op as O;
        match *op {
            O::Clear { color } => Op::Clear(rgba(color)),
            O::Rect { rect, radii, paint } => {
                Op::Rect { rect: xywh(rect), radii: radii.0, paint: Paint::of(paint, a) }
            }
            O::Border { rect, radii, width, paint } => {
                Op::Border { rect: xywh(rect), radii: radii.0, width, paint: Paint::of(paint, a) }
            }
            O::Shadow { rect, radii, offset, spread, sigma, color, inset } => Op::Shadow {
                rect: xywh(rect),
                radii: radii.0,
                offset: xy(offset),
                spread,
                sigma,
                color: rgba(color),
                inset,
            },
            O::Path { path, rule, paint } => Op::Path {
                path: Path::of(a.path(path)),
                rule: rule_code(rule),
                paint: Paint::of(paint, a),
            },
            O::Stroke { path, stroke, paint } => {
                let s = &a.strokes[stroke as usize];
                let stroke = Stroke {
                    width: s.width,
                    join: join_code(s.join),
                    cap: cap_code(s.cap),
                    miter_limit: s.miter_limit,
                    dashes: a.dashes[s.dashes.range()].to_vec(),
                    dash_offset: s.dash_offset,
                };
                Op::Stroke { path: Path::of(a.path(path)), stroke, paint: Paint::of(paint, a) }
            }
            O::GlyphRun { font, size, origin, glyphs, paint } => Op::GlyphRun {
                font,
                size,
                origin: xy(origin),
                glyphs: a.glyphs[glyphs.range()].iter().map(|g| (g.id, [g.x, g.y])).collect(),
                paint: Paint::of(paint, a),
            },
            O::Image { image, src, dst, radii, filter, opacity, tint } => Op::Image {
                image,
                src: xywh(src),
                dst: xywh(dst),
                radii: radii.0,
                filter: filter_code(filter),
                opacity,
                tint: tint.map(rgba),
            },
            O::Picture { source, dst, radii, opacity } => {
                Op::Picture { source: source.0, dst: xywh(dst), radii: radii.0, opacity }
            }
            O::PushClip { shape: command::ClipShape::Rect { rect, radii } } => {
                Op::ClipRect { rect: xywh(rect), radii: radii.0 }
            }
            O::PushClip { shape: command::ClipShape::Path { path, rule } } => {
                Op::ClipPath { path: Path::of(a.path(path)), rule: rule_code(rule) }
            }
            O::PopClip => Op::PopClip,
            O::PushLayer { opacity, blend } => Op::PushLayer { opacity, blend: blend_code(blend) },
            O::PopLayer => Op::PopLayer,
        }
    }
}

impl Font {
    /// What the list draws of its font `index`.
    fn of(list: &CommandList, index: usize) -> Self {
        let font = &list.arenas().fonts[index];
        let (mut keys, mut outlined) = (BTreeSet::new(), BTreeSet::new());
        for c in list.commands() {
            let command::Op::GlyphRun { font: f, size, origin, glyphs, .. } = c.op else {
                continue;
            };
            if f as usize != index {
                continue;
            }
            let m = list.matrix(c);
            let mask = scene::mask_size(m, size);
            for g in &list.arenas().glyphs[glyphs.range()] {
                match scene::placement(m, font.font_hash(), size, origin, *g, mask) {
                    scene::Placement::Mask { key, .. } => {
                        keys.insert(key);
                    }
                    scene::Placement::Outline { .. } => {
                        outlined.insert(g.id);
                    }
                }
            }
        }
        let masks = keys.iter().filter_map(|k| font.mask(*k).map(|m| Mask::of(*k, &m)));
        let outlines =
            outlined.iter().filter_map(|g| Some((*g, Path::of(font.outline(*g)?.view()))));
        Self {
            hash: font.font_hash(),
            em_box: font.em_box(),
            masks: masks.collect(),
            outlines: outlines.collect(),
        }
    }
}

impl Mask {
    fn of(k: GlyphKey, m: &GlyphMask) -> Self {
        Self {
            glyph: k.glyph,
            size: k.size,
            phase: k.phase,
            left: m.left,
            top: m.top,
            width: m.width,
            height: m.height,
            pixels: match &m.pixels {
                GlyphPixels::Coverage(p) => MaskPixels::Coverage(p.to_vec()),
                GlyphPixels::Color(p) => MaskPixels::Color(p.to_vec()),
            },
        }
    }
}

/// A font that knows only what one frame needed.
#[derive(Debug)]
struct CapturedFont {
    hash: u64,
    em_box: [f32; 4],
    masks: BTreeMap<GlyphKey, Arc<GlyphMask>>,
    outlines: BTreeMap<u32, Arc<scene::Path>>,
}

impl GlyphSource for CapturedFont {
    fn font_hash(&self) -> u64 {
        self.hash
    }
    fn mask(&self, key: GlyphKey) -> Option<Arc<GlyphMask>> {
        self.masks.get(&key).cloned()
    }
    fn outline(&self, glyph: u32) -> Option<Arc<scene::Path>> {
        self.outlines.get(&glyph).cloned()
    }
    fn em_box(&self) -> [f32; 4] {
        self.em_box
    }
}

/// Reading.
impl Capture {
    pub(super) fn open(self) -> Result<(CommandList, LayerPlan), CaptureError> {
        let mut a = Arenas::default();
        a.matrices.push(scene::Matrix::IDENTITY);
        for f in self.fonts {
            a.fonts.push(Arc::new(f.open()?));
        }
        for (i, image) in self.images.into_iter().enumerate() {
            a.images.push(image.open(i)?);
        }
        let mut ops = Vec::with_capacity(self.commands.len());
        for (i, (m, op)) in self.commands.into_iter().enumerate() {
            let bad = CaptureError::Invalid { index: Some(i), why: scene::Invalid::Path };
            let op = op.open(&mut a).ok_or(bad)?;
            let m = scene::Matrix { a: m[0], b: m[1], c: m[2], d: m[3], e: m[4], f: m[5] };
            if a.matrices.last() != Some(&m) {
                a.matrices.push(m);
            }
            ops.push((op, a.matrices.len() as u32 - 1));
        }
        let list = CommandList::from_parts(self.width, self.height, ops, a)
            .map_err(|(index, why)| CaptureError::Invalid { index, why })?;
        let mut plan = LayerPlan::new();
        for (i, (id, l)) in self.pictures.into_iter().enumerate() {
            let l = match l {
                Latched::Hole => scene::Latched::Hole,
                Latched::Drawn(image) => scene::Latched::Drawn(image.open(i)?),
            };
            plan.set(PictureId(id), l);
        }
        Ok((list, plan))
    }
}

impl Font {
    fn open(self) -> Result<CapturedFont, CaptureError> {
        let hash = self.hash;
        let sane = self.em_box.iter().all(|v| v.is_finite() && v.abs() <= 64.0);
        let mut masks = BTreeMap::new();
        for m in self.masks {
            let key = GlyphKey { font: hash, glyph: m.glyph, size: m.size, phase: m.phase };
            let mask = GlyphMask {
                left: m.left,
                top: m.top,
                width: m.width,
                height: m.height,
                pixels: match m.pixels {
                    MaskPixels::Coverage(p) => GlyphPixels::Coverage(p.into()),
                    MaskPixels::Color(p) => GlyphPixels::Color(p.into()),
                },
            };
            if !sane || !mask.is_valid() {
                return Err(CaptureError::Mask { font: hash });
            }
            masks.insert(key, Arc::new(mask));
        }
        let mut outlines = BTreeMap::new();
        for (g, p) in self.outlines {
            let fine = |p: &scene::Path| p.view().points.iter().all(|p| p.is_finite());
            let p = p.open().filter(fine).ok_or(CaptureError::Mask { font: hash })?;
            outlines.insert(g, Arc::new(p));
        }
        Ok(CapturedFont { hash, em_box: self.em_box, masks, outlines })
    }
}

fn append<T>(to: &mut Vec<T>, from: impl IntoIterator<Item = T>) -> Span {
    let start = to.len() as u32;
    to.extend(from);
    Span { start, len: to.len() as u32 - start }
}

impl Paint {
    fn open(self, a: &mut Arenas) -> Option<scene::PaintRef> {
        let (shape, code, stops) = match self {
            Paint::Solid(c) => return Some(scene::PaintRef::Solid(color(c))),
            Paint::Gradient { shape, spread, stops } => (shape, spread, stops),
        };
        let shape = match shape {
            Shape::Linear { from, to } => {
                scene::GradientShape::Linear { from: point(from), to: point(to) }
            }
            Shape::Radial { center, radius } => {
                scene::GradientShape::Radial { center: point(center), radius }
            }
            Shape::Sweep { center, start } => {
                scene::GradientShape::Sweep { center: point(center), start }
            }
        };
        let stops = stops.into_iter().map(|(t, c)| scene::Stop::new(t, color(c)));
        let stops = append(&mut a.stops, stops);
        a.gradients.push(scene::Gradient { shape, spread: spread(code)?, stops });
        Some(scene::PaintRef::Gradient(a.gradients.len() as u32 - 1))
    }
}

fn open_path(p: Path, a: &mut Arenas) -> Option<scene::PathRef> {
    let verbs = p.verbs.into_iter().map(verb).collect::<Option<Vec<_>>>()?;
    Some(scene::PathRef::Inline {
        verbs: append(&mut a.verbs, verbs),
        points: append(&mut a.points, p.points.into_iter().map(point)),
    })
}

impl Op {
    fn open(self, a: &mut Arenas) -> Option<command::Op> {
        use command::Op as O;
        use scene::Radii;
        Some(match self {
            Op::Clear(c) => O::Clear { color: color(c) },
            Op::Rect { rect: r, radii, paint } => {
                O::Rect { rect: rect(r), radii: Radii(radii), paint: paint.open(a)? }
            }
            Op::Border { rect: r, radii, width, paint } => {
                O::Border { rect: rect(r), radii: Radii(radii), width, paint: paint.open(a)? }
            }
            Op::Shadow { rect: r, radii, offset, spread, sigma, color: c, inset } => O::Shadow {
                rect: rect(r),
                radii: Radii(radii),
                offset: point(offset),
                spread,
                sigma,
                color: color(c),
                inset,
            },
            Op::Path { path, rule: code, paint } => {
                O::Path { path: open_path(path, a)?, rule: rule(code)?, paint: paint.open(a)? }
            }
            Op::Stroke { path, stroke: s, paint } => {
                let dashes = append(&mut a.dashes, s.dashes);
                a.strokes.push(scene::Stroke {
                    width: s.width,
                    join: join(s.join)?,
                    cap: cap(s.cap)?,
                    miter_limit: s.miter_limit,
                    dashes,
                    dash_offset: s.dash_offset,
                });
                let stroke = a.strokes.len() as u32 - 1;
                O::Stroke { path: open_path(path, a)?, stroke, paint: paint.open(a)? }
            }
            Op::GlyphRun { font, size, origin, glyphs, paint } => {
                let run = glyphs.into_iter().map(|(id, [x, y])| scene::Glyph { id, x, y });
                let glyphs = append(&mut a.glyphs, run);
                O::GlyphRun { font, size, origin: point(origin), glyphs, paint: paint.open(a)? }
            }
            Op::Image { image, src, dst, radii, filter: code, opacity, tint } => O::Image {
                image,
                src: rect(src),
                dst: rect(dst),
                radii: Radii(radii),
                filter: filter(code)?,
                opacity,
                tint: tint.map(color),
            },
            Op::Picture { source, dst, radii, opacity } => O::Picture {
                source: PictureId(source),
                dst: rect(dst),
                radii: Radii(radii),
                opacity,
            },
            Op::ClipRect { rect: r, radii } => O::PushClip {
                shape: command::ClipShape::Rect { rect: rect(r), radii: Radii(radii) },
            },
            Op::ClipPath { path, rule: code } => O::PushClip {
                shape: command::ClipShape::Path { path: open_path(path, a)?, rule: rule(code)? },
            },
            Op::PopClip => O::PopClip,
            Op::PushLayer { opacity, blend: code } => O::PushLayer { opacity, blend: blend(code)? },
            Op::PopLayer => O::PopLayer,
        })
    }
}
