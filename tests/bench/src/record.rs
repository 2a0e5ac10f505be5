//! A scene as Zinc's command lists, one a frame.

use crate::font::Font;
use crate::zsc::{Op, Paint, Scene};
use anyhow::{Context, Result, bail};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;
use zinc_raster::Rasterizer;
use zinc_scene::{
    CommandList, Glyph, GlyphSource, Image, LayerPlan, PixelFormat, Radii, Recorder, Region,
    Rotation, SharedPath, StrokeStyle, TargetMut,
};

fn paint(p: &Paint) -> zinc_scene::Paint<'_> {
    match p {
        Paint::Solid(c) => (*c).into(),
        Paint::Linear(a, b, stops) => zinc_scene::Paint::linear(*a, *b, stops),
        Paint::Radial(c, r, stops) => zinc_scene::Paint::radial(*c, *r, stops),
    }
}

/// The lists of the first frames.
pub(crate) fn lists(scene: &Scene, frames: usize) -> Result<Vec<Arc<CommandList>>> {
    let word = |p: &[u8; 4]| u32::from_be_bytes([255, p[0], p[1], p[2]]);
    let images = scene.images.iter().map(|b| {
        let words: Box<[u32]> = b.rgba.as_chunks::<4>().0.iter().map(word).collect();
        Image::new(b.width, b.height, words).map(Arc::new)
    });
    let images = images.collect::<Result<Vec<_>, _>>().context("an image is refused")?;
    let font: Arc<dyn GlyphSource> = Arc::new(Font::new(0x2E5C, &scene.glyphs));
    let paths: Vec<_> = scene.ops.iter().map(shared).collect();
    let mut r = Recorder::new();
    (0..frames)
        .map(|frame| {
            r.begin(scene.width, scene.height).context("the size is refused")?;
            for (op, path) in scene.ops.iter().zip(&paths) {
                one(&mut r, scene, frame, op, path.as_ref(), &images, &font);
            }
            if let Some(w) = r.warnings().first() {
                bail!("{}: a {} is refused: {:?}", scene.name, w.what, w.why);
            }
            Ok(r.freeze())
        })
        .collect()
}

fn shared(op: &Op) -> Option<Arc<SharedPath>> {
    match op {
        Op::Path(p, ..) | Op::Stroke(p, ..) => Some(SharedPath::new(p.clone())),
        _ => None,
    }
}

fn one(
    r: &mut Recorder,
    scene: &Scene,
    frame: usize,
    op: &Op,
    path: Option<&Arc<SharedPath>>,
    images: &[Arc<Image>],
    font: &Arc<dyn GlyphSource>,
) {
    match (op, path) {
        (Op::World(true), _) => r.push_matrix(scene.matrix(frame)),
        (Op::World(false), _) => r.pop_matrix(),
        (Op::Clear(c), _) => r.clear(*c),
        (Op::Clip(b), _) => r.push_clip(*b, Radii::ZERO),
        (Op::Unclip, _) => r.pop_clip(),
        (Op::Rect(b, radius, p), _) => {
            r.rect(b.x, b.y, b.w, b.h).radius(*radius).fill(paint(p));
        }
        (Op::Border(b, radius, width, p), _) => {
            // A centred line; borders lie inside.
            let (b, radius) = (b.inflate(width / 2.0), radius + width / 2.0);
            r.rect(b.x, b.y, b.w, b.h).radius(radius).border(*width, paint(p));
        }
        (Op::Shadow(b, radius, sigma, c), _) => {
            r.rect(b.x, b.y, b.w, b.h).radius(*radius).shadow(0.0, 0.0, sigma * 2.0, 0.0, *c);
        }
        (Op::Circle(c, radius, p), _) => {
            r.circle(*c, *radius).fill(paint(p));
        }
        (Op::Path(_, rule, p), Some(path)) => {
            r.shared_path(path).rule(*rule).fill(paint(p));
        }
        (Op::Stroke(_, width, p), Some(path)) => {
            r.shared_path(path).stroke(StrokeStyle::new(*width), paint(p));
        }
        (Op::Image(ids, b, radius), _) => {
            r.image(&images[ids[frame % 2]], *b).radius(*radius).draw();
        }
        (Op::Text(size, at, glyphs, p, world), _) => {
            let run: Vec<_> = glyphs.iter().map(|g| Glyph { id: g.0, x: g.1, y: 0.0 }).collect();
            if *world {
                // Upright text on a turned map: only the anchor moves with it.
                let m = r.matrix();
                r.pop_matrix();
                r.glyphs(font, *size, scene.anchor(frame, *at), &run, paint(p));
                r.push_matrix(m);
            } else {
                r.glyphs(font, *size, *at, &run, paint(p));
            }
        }
        (Op::Path(..) | Op::Stroke(..), None) => {}
    }
}

/// Zinc with so many threads.
pub(crate) struct Zinc {
    lists: Arc<Vec<Arc<CommandList>>>,
    raster: Rasterizer,
    bytes: Vec<u8>,
}

impl Zinc {
    pub(crate) fn new(lists: Arc<Vec<Arc<CommandList>>>, threads: usize, level: usize) -> Self {
        let size = lists.first().map_or(0, |l| (l.width() * l.height() * 4) as usize);
        Self { lists, raster: Rasterizer::new(threads).at_level(level), bytes: vec![0; size] }
    }

    pub(crate) fn draw(&mut self, frame: usize) {
        let list = &self.lists[frame % self.lists.len()];
        render(&mut self.raster, list, &mut self.bytes, PixelFormat::Xrgb8888);
    }

    /// Hash of the frame's bytes.
    pub(crate) fn hash(&self) -> u64 {
        xxh3_64(&self.bytes)
    }

    /// Pixels as red, green, blue.
    pub(crate) fn rgb(&self) -> Vec<[u8; 3]> {
        self.bytes.as_chunks::<4>().0.iter().map(|p| [p[2], p[1], p[0]]).collect()
    }
}

/// A whole frame into pixels of 4 bytes.
fn render(raster: &mut Rasterizer, list: &CommandList, bytes: &mut [u8], format: PixelFormat) {
    let (width, height) = (list.width(), list.height());
    let (pitch, rotation) = (width as usize * 4, Rotation::Deg0);
    let mut target = TargetMut { bytes, width, height, pitch, format, rotation };
    raster.render(list, &LayerPlan::new(), &Region::of(list.surface()), &mut target);
}

/// A list drawn once, on nothing: premultiplied BGRA8 of the whole surface.
pub(crate) fn surface(list: &CommandList) -> Vec<u8> {
    let mut bytes = vec![0; (list.width() * list.height() * 4) as usize];
    render(&mut Rasterizer::new(1), list, &mut bytes, PixelFormat::Argb8888);
    bytes
}

/// A shadow alone: premultiplied RGBA8 of the whole surface.
pub(crate) fn shadow(scene: &Scene, op: &Op) -> Result<Vec<u8>> {
    let mut r = Recorder::new();
    r.begin(scene.width, scene.height).context("the size is refused")?;
    if let Op::Shadow(b, radius, sigma, c) = op {
        r.rect(b.x, b.y, b.w, b.h).radius(*radius).shadow(0.0, 0.0, sigma * 2.0, 0.0, *c);
    }
    let mut bytes = surface(&r.freeze());
    bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|p| p.swap(0, 2));
    Ok(bytes)
}
