//! vello_cpu on a scene, without its threads. Paths, paints and pixmaps are made before the clock
//! starts; text is one outline a run, shadows are its own blurred rounded boxes.

use crate::skia::run;
use crate::zsc::{Op, Paint, Scene};
use std::rc::Rc;
use std::sync::Arc;
use vello_cpu::color::{AlphaColor, Srgb};
use vello_cpu::kurbo::{Affine, BezPath, Cap, Join, Point, Rect, RoundedRect, Shape, Stroke};
use vello_cpu::peniko::{Extend, Fill, Gradient, ImageQuality, ImageSampler};
use vello_cpu::{
    Image, ImageSource, PaintType, Pixmap, RenderContext, RenderSettings, Resources, color,
};
use zinc_scene::{Matrix, Segment, Stop};

enum Made {
    World(bool),
    Clip(Rect),
    Unclip,
    Rect(Rect, PaintType),
    Fill(BezPath, Fill, PaintType),
    Stroke(BezPath, Stroke, PaintType),
    Text(BezPath, PaintType, Option<zinc_scene::Point>),
    Shadow(Rect, f32, f32, PaintType),
    Image([PaintType; 2], Option<BezPath>, Rect, Affine),
}

pub(crate) struct Vello {
    scene: Rc<Scene>,
    made: Vec<Made>,
    context: RenderContext,
    resources: Resources,
    out: Pixmap,
}

fn rgba(c: zinc_scene::Color) -> AlphaColor<Srgb> {
    AlphaColor::from_rgba8(c.r, c.g, c.b, c.a)
}

fn paint(p: &Paint) -> PaintType {
    let stops = |s: &[Stop]| -> Vec<_> {
        s.iter().map(|s| (s.offset, color::DynamicColor::from_alpha_color(rgba(s.color)))).collect()
    };
    let at = |p: &zinc_scene::Point| Point::new(p.x as f64, p.y as f64);
    match p {
        Paint::Solid(c) => rgba(*c).into(),
        Paint::Linear(a, b, s) => {
            Gradient::new_linear(at(a), at(b)).with_stops(stops(s).as_slice()).into()
        }
        Paint::Radial(c, r, s) => {
            Gradient::new_radial(at(c), *r).with_stops(stops(s).as_slice()).into()
        }
    }
}

fn path(path: &zinc_scene::Path) -> BezPath {
    let at = |p: zinc_scene::Point| Point::new(p.x as f64, p.y as f64);
    let mut b = BezPath::new();
    for s in path.view().segments() {
        match s {
            Segment::Move(p) => b.move_to(at(p)),
            Segment::Line(p) => b.line_to(at(p)),
            Segment::Quad(c, p) => b.quad_to(at(c), at(p)),
            Segment::Cubic(c, d, p) => b.curve_to(at(c), at(d), at(p)),
            Segment::Close => b.close_path(),
        }
    }
    b
}

fn rect(r: &zinc_scene::Rect) -> Rect {
    Rect::new(r.x as f64, r.y as f64, r.right() as f64, r.bottom() as f64)
}

fn rounded(r: &zinc_scene::Rect, radius: f32) -> BezPath {
    RoundedRect::from_rect(rect(r), radius as f64).to_path(0.1)
}

fn affine(m: Matrix) -> Affine {
    Affine::new([m.a, m.b, m.c, m.d, m.e, m.f].map(f64::from))
}

fn stroke(width: f32) -> Stroke {
    Stroke::new(width as f64).with_caps(Cap::Round).with_join(Join::Round)
}

impl Vello {
    pub(crate) fn new(scene: &Rc<Scene>) -> Self {
        let images: Vec<PaintType> = scene
            .images
            .iter()
            .map(|b| {
                let mut p = Pixmap::new(b.width as u16, b.height as u16);
                p.data_as_u8_slice_mut().copy_from_slice(&b.rgba);
                p.set_may_have_transparency(false);
                let sampler = ImageSampler {
                    x_extend: Extend::Pad,
                    y_extend: Extend::Pad,
                    quality: ImageQuality::Medium,
                    ..Default::default()
                };
                Image { image: ImageSource::Pixmap(Arc::new(p)), sampler }.into()
            })
            .collect();
        let (width, height) = (scene.width as u16, scene.height as u16);
        let settings = RenderSettings { num_threads: 0, ..Default::default() };
        Self {
            scene: scene.clone(),
            made: scene.ops.iter().map(|op| make(scene, op, &images)).collect(),
            context: RenderContext::new_with(width, height, settings),
            resources: Resources::new(),
            out: Pixmap::new(width, height),
        }
    }

    pub(crate) fn draw(&mut self, frame: usize) {
        let world = affine(self.scene.matrix(frame));
        let mut at = Affine::IDENTITY;
        let c = &mut self.context;
        c.reset();
        for m in &self.made {
            c.set_transform(at);
            match m {
                Made::World(on) => at = if *on { world } else { Affine::IDENTITY },
                Made::Clip(r) => c.push_clip_rect(r),
                Made::Unclip => c.pop_clip(),
                Made::Rect(r, p) => {
                    c.set_paint(p.clone());
                    c.fill_rect(r);
                }
                Made::Fill(path, rule, p) => {
                    c.set_fill_rule(*rule);
                    c.set_paint(p.clone());
                    c.fill_path(path);
                    c.set_fill_rule(Fill::NonZero);
                }
                Made::Stroke(path, s, p) => {
                    c.set_stroke(s.clone());
                    c.set_paint(p.clone());
                    c.stroke_path(path);
                }
                Made::Text(path, p, anchor) => {
                    if let Some(a) = anchor {
                        let a = self.scene.anchor(frame, *a);
                        c.set_transform(Affine::translate((a.x as f64, a.y as f64)));
                    }
                    c.set_paint(p.clone());
                    c.fill_path(path);
                }
                Made::Shadow(r, radius, sigma, p) => {
                    c.set_paint(p.clone());
                    c.fill_blurred_rounded_rect(r, *radius, *sigma, false);
                }
                Made::Image(paints, path, r, place) => {
                    c.set_paint(paints[frame % 2].clone());
                    c.set_paint_transform(*place);
                    match path {
                        Some(p) => c.fill_path(p),
                        None => c.fill_rect(r),
                    }
                    c.reset_paint_transform();
                }
            }
        }
        c.flush();
        c.render(&mut self.out, &mut self.resources);
    }

    pub(crate) fn rgb(&self) -> Vec<[u8; 3]> {
        self.out.data_as_u8_slice().as_chunks::<4>().0.iter().map(|p| [p[0], p[1], p[2]]).collect()
    }
}

fn make(scene: &Scene, op: &Op, images: &[PaintType]) -> Made {
    match op {
        Op::World(on) => Made::World(*on),
        Op::Clear(c) => {
            let all = Rect::new(0.0, 0.0, scene.width as f64, scene.height as f64);
            Made::Rect(all, rgba(*c).into())
        }
        Op::Clip(r) => Made::Clip(rect(r)),
        Op::Unclip => Made::Unclip,
        Op::Rect(r, 0.0, p) => Made::Rect(rect(r), paint(p)),
        Op::Rect(r, radius, p) => Made::Fill(rounded(r, *radius), Fill::NonZero, paint(p)),
        Op::Border(r, radius, width, p) => {
            Made::Stroke(rounded(r, *radius), stroke(*width), paint(p))
        }
        Op::Shadow(r, radius, sigma, c) => Made::Shadow(rect(r), *radius, *sigma, rgba(*c).into()),
        Op::Circle(c, radius, p) => {
            let circle = vello_cpu::kurbo::Circle::new((c.x as f64, c.y as f64), *radius as f64);
            Made::Fill(circle.to_path(0.1), Fill::NonZero, paint(p))
        }
        Op::Path(shape, rule, p) => {
            let rule = match rule {
                zinc_scene::FillRule::NonZero => Fill::NonZero,
                zinc_scene::FillRule::EvenOdd => Fill::EvenOdd,
            };
            Made::Fill(path(shape), rule, paint(p))
        }
        Op::Stroke(shape, width, p) => Made::Stroke(path(shape), stroke(*width), paint(p)),
        Op::Image(ids, r, radius) => {
            let b = &scene.images[ids[0]];
            let scale = Affine::scale_non_uniform(
                r.w as f64 / b.width as f64,
                r.h as f64 / b.height as f64,
            );
            let place = Affine::translate((r.x as f64, r.y as f64)) * scale;
            let shape = (*radius > 0.0).then(|| rounded(r, *radius));
            Made::Image(ids.map(|i| images[i].clone()), shape, rect(r), place)
        }
        Op::Text(size, at, glyphs, p, world) => {
            let mut outline = run(scene, *size, glyphs);
            if !world {
                outline.transform(Matrix::translate(at.x, at.y));
            }
            Made::Text(path(&outline), paint(p), world.then_some(*at))
        }
    }
}
