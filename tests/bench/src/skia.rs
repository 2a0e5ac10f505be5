//! tiny-skia on a scene. Paths, paints, pixmaps, a mask for each clip and a bitmap for each shadow
//! are made before the clock starts; text is one outline a run.

use crate::record;
use crate::zsc::{Op, Paint as P, Scene};
use anyhow::{Context, Result};
use std::rc::Rc;
use tiny_skia::{
    BlendMode, Color, FillRule, FilterQuality, GradientStop, LineCap, LineJoin, LinearGradient,
    Mask, Paint, Path, PathBuilder, Pattern, Pixmap, PixmapPaint, Point, RadialGradient, Rect,
    Shader, SpreadMode, Stroke, Transform,
};
use zinc_scene::{IRect, Matrix, Segment, Stop};

enum Made {
    World(bool),
    Clear(Color),
    Clip(Option<Mask>),
    Rect(Rect, Paint<'static>),
    Fill(Path, FillRule, Paint<'static>),
    Stroke(Path, Stroke, Paint<'static>),
    Text(Path, Paint<'static>, Option<zinc_scene::Point>),
    Bitmap(i32, i32, Pixmap),
    Image([Rc<Pixmap>; 2], Path, Transform),
    Nothing,
}

pub(crate) struct Skia {
    scene: Rc<Scene>,
    made: Vec<Made>,
    out: Pixmap,
}

fn color(c: zinc_scene::Color) -> Color {
    Color::from_rgba8(c.r, c.g, c.b, c.a)
}

fn point(p: zinc_scene::Point) -> Point {
    Point::from_xy(p.x, p.y)
}

fn stops(s: &[Stop]) -> Vec<GradientStop> {
    s.iter().map(|s| GradientStop::new(s.offset, color(s.color))).collect()
}

fn paint(p: &P) -> Option<Paint<'static>> {
    let id = Transform::identity();
    let shader = match p {
        P::Solid(c) => Shader::SolidColor(color(*c)),
        P::Linear(a, b, s) => {
            LinearGradient::new(point(*a), point(*b), stops(s), SpreadMode::Pad, id)?
        }
        P::Radial(c, r, s) => {
            let c = point(*c);
            RadialGradient::new(c, 0.0, c, *r, stops(s), SpreadMode::Pad, id)?
        }
    };
    Some(Paint { shader, ..Paint::default() })
}

fn add(b: &mut PathBuilder, path: &zinc_scene::Path) {
    for s in path.view().segments() {
        match s {
            Segment::Move(p) => b.move_to(p.x, p.y),
            Segment::Line(p) => b.line_to(p.x, p.y),
            Segment::Quad(c, p) => b.quad_to(c.x, c.y, p.x, p.y),
            Segment::Cubic(c, d, p) => b.cubic_to(c.x, c.y, d.x, d.y, p.x, p.y),
            Segment::Close => b.close(),
        }
    }
}

fn path(p: &zinc_scene::Path) -> Option<Path> {
    let mut b = PathBuilder::new();
    add(&mut b, p);
    b.finish()
}

fn rounded(r: zinc_scene::Rect, radius: f32) -> Option<Path> {
    let mut p = zinc_scene::Path::new();
    p.rounded_rect(r, radius.into(), false);
    path(&p)
}

/// A run's outline, relative to its anchor.
pub(crate) fn run(scene: &Scene, size: f32, glyphs: &[(u32, f32)]) -> zinc_scene::Path {
    let (mut verbs, mut points) = (Vec::new(), Vec::new());
    for (id, x) in glyphs {
        if let Some(p) = scene.glyphs.get(id) {
            let mut p = p.clone();
            p.transform(Matrix { a: size, b: 0.0, c: 0.0, d: size, e: *x, f: 0.0 });
            verbs.extend_from_slice(p.view().verbs);
            points.extend_from_slice(p.view().points);
        }
    }
    zinc_scene::Path::from_parts(verbs, points).unwrap_or_default()
}

fn transform(m: Matrix) -> Transform {
    Transform::from_row(m.a, m.b, m.c, m.d, m.e, m.f)
}

fn stroke(width: f32) -> Stroke {
    let (line_cap, line_join) = (LineCap::Round, LineJoin::Round);
    Stroke { width, line_cap, line_join, ..Stroke::default() }
}

impl Skia {
    pub(crate) fn new(scene: &Rc<Scene>) -> Result<Self> {
        let images = scene.images.iter().map(|b| {
            let size = tiny_skia::IntSize::from_wh(b.width, b.height)?;
            Pixmap::from_vec(b.rgba.clone(), size).map(Rc::new)
        });
        let images: Vec<_> = images.collect::<Option<_>>().context("an image is refused")?;
        let made = scene.ops.iter().map(|op| make(scene, op, &images));
        let out = Pixmap::new(scene.width, scene.height).context("the size is refused")?;
        Ok(Self { scene: scene.clone(), made: made.collect::<Result<_>>()?, out })
    }

    pub(crate) fn draw(&mut self, frame: usize) {
        let id = Transform::identity();
        let world = transform(self.scene.matrix(frame));
        let mut at = id;
        let mut mask = None;
        let out = &mut self.out;
        for m in &self.made {
            match m {
                Made::World(on) => at = if *on { world } else { id },
                Made::Clear(c) => out.fill(*c),
                Made::Clip(m) => mask = m.as_ref(),
                Made::Rect(r, p) => out.fill_rect(*r, p, at, mask),
                Made::Fill(path, rule, p) => out.fill_path(path, p, *rule, at, mask),
                Made::Stroke(path, s, p) => out.stroke_path(path, p, s, at, mask),
                Made::Text(path, p, None) => out.fill_path(path, p, FillRule::Winding, at, mask),
                Made::Text(path, p, Some(anchor)) => {
                    let a = self.scene.anchor(frame, *anchor);
                    let at = Transform::from_translate(a.x, a.y);
                    out.fill_path(path, p, FillRule::Winding, at, mask);
                }
                Made::Bitmap(x, y, b) => {
                    out.draw_pixmap(*x, *y, b.as_ref(), &PixmapPaint::default(), id, mask);
                }
                Made::Image(images, path, place) => {
                    let from = images[frame % 2].as_ref().as_ref();
                    let q = FilterQuality::Bilinear;
                    let shader = Pattern::new(from, SpreadMode::Pad, q, 1.0, *place);
                    let blend_mode = BlendMode::SourceOver;
                    let p = Paint { shader, blend_mode, ..Paint::default() };
                    out.fill_path(path, &p, FillRule::Winding, at, mask);
                }
                Made::Nothing => {}
            }
        }
    }

    pub(crate) fn rgb(&self) -> Vec<[u8; 3]> {
        self.out.data().as_chunks::<4>().0.iter().map(|p| [p[0], p[1], p[2]]).collect()
    }
}

fn make(scene: &Scene, op: &Op, images: &[Rc<Pixmap>]) -> Result<Made> {
    let filled = |path: Option<Path>, p: &P| match (path, paint(p)) {
        (Some(path), Some(p)) => Made::Fill(path, FillRule::Winding, p),
        _ => Made::Nothing,
    };
    let rect = |r: &zinc_scene::Rect| Rect::from_xywh(r.x, r.y, r.w, r.h);
    Ok(match op {
        Op::World(on) => Made::World(*on),
        Op::Clear(c) => Made::Clear(color(*c)),
        Op::Unclip => Made::Clip(None),
        Op::Clip(r) => {
            let mut m = Mask::new(scene.width, scene.height).context("the size is refused")?;
            if let Some(r) = rect(r) {
                let path = PathBuilder::from_rect(r);
                m.fill_path(&path, FillRule::Winding, true, Transform::identity());
            }
            Made::Clip(Some(m))
        }
        Op::Rect(r, 0.0, p) => match (rect(r), paint(p)) {
            (Some(r), Some(p)) => Made::Rect(r, p),
            _ => Made::Nothing,
        },
        Op::Rect(r, radius, p) => filled(rounded(*r, *radius), p),
        Op::Border(r, radius, width, p) => match (rounded(*r, *radius), paint(p)) {
            (Some(path), Some(p)) => Made::Stroke(path, stroke(*width), p),
            _ => Made::Nothing,
        },
        Op::Shadow(r, _, sigma, _) => {
            let bytes = record::shadow(scene, op)?;
            let reach = zinc_scene::shadow_reach(*sigma);
            let all = IRect::of_size(scene.width, scene.height);
            let b = r.inflate(reach).round_out().intersect(all);
            let size = tiny_skia::IntSize::from_wh(b.width() as u32, b.height() as u32);
            let row = |y: i32| {
                let i = (y as usize * scene.width as usize + b.x0 as usize) * 4;
                &bytes[i..i + b.width() as usize * 4]
            };
            let part = (b.y0..b.y1).flat_map(row).copied().collect();
            match size.and_then(|s| Pixmap::from_vec(part, s)) {
                Some(p) => Made::Bitmap(b.x0, b.y0, p),
                None => Made::Nothing,
            }
        }
        Op::Circle(c, r, p) => filled(PathBuilder::from_circle(c.x, c.y, *r), p),
        Op::Path(shape, rule, p) => match (path(shape), paint(p)) {
            (Some(path), Some(p)) => {
                let rule = match rule {
                    zinc_scene::FillRule::NonZero => FillRule::Winding,
                    zinc_scene::FillRule::EvenOdd => FillRule::EvenOdd,
                };
                Made::Fill(path, rule, p)
            }
            _ => Made::Nothing,
        },
        Op::Stroke(shape, width, p) => match (path(shape), paint(p)) {
            (Some(path), Some(p)) => Made::Stroke(path, stroke(*width), p),
            _ => Made::Nothing,
        },
        Op::Image(ids, r, radius) => {
            let b = &scene.images[ids[0]];
            let (sx, sy) = (r.w / b.width as f32, r.h / b.height as f32);
            match rounded(*r, *radius) {
                Some(path) => {
                    let place = Transform::from_row(sx, 0.0, 0.0, sy, r.x, r.y);
                    Made::Image(ids.map(|i| images[i].clone()), path, place)
                }
                None => Made::Nothing,
            }
        }
        Op::Text(size, at, glyphs, p, world) => {
            let mut outline = run(scene, *size, glyphs);
            if !world {
                outline.transform(Matrix::translate(at.x, at.y));
            }
            match (path(&outline), paint(p)) {
                (Some(path), Some(p)) => Made::Text(path, p, world.then_some(*at)),
                _ => Made::Nothing,
            }
        }
    })
}
