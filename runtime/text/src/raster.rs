//! From a glyph id to pixels or a path, through swash with hinting off: outlines are scaled in
//! `f32` by the same code everywhere, so that x86-64 and arm64 draw the same bytes.
//!
//! Layers of a colour glyph are blended here: swash 0.2 sizes the canvas of a COLR glyph by the
//! width of its box, not by the pixels that it touches, and cuts the last column off. A mask of
//! 32 pixels takes about 4 us on a desktop core.

use swash::scale::outline::Outline;
use swash::scale::{Render, ScaleContext, Scaler, Source, StrikeWith, image::Content};
use swash::zeno::{
    Mask, Origin, PathData, Placement, Scratch, Transform, Vector, Verb as ZenoVerb,
};
use zinc_scene::{Color, GlyphKey, GlyphMask, GlyphPixels, PHASES, Path, limits, mul_div_255};

/// A font instance as the rasterizer needs it.
#[derive(Clone, Copy)]
pub(crate) struct Instance<'a> {
    pub(crate) font: swash::FontRef<'a>,
    pub(crate) coords: &'a [i16],
    /// Tangent of a synthetic slant; 0 for none.
    pub(crate) skew: f32,
    /// Synthetic bold, in ems.
    pub(crate) embolden: f32,
    /// `[left, top, right, bottom]` in ems, y down: nothing is drawn outside.
    pub(crate) em_box: [f32; 4],
}

/// Grey of colour layers that ask for the text's own colour, which a mask does not know.
const FOREGROUND: [u8; 4] = [128, 128, 128, 255];

impl Instance<'_> {
    fn scaler<'c>(&'c self, cx: &'c mut ScaleContext, size: f32) -> Scaler<'c> {
        cx.builder(self.font).size(size).hint(false).normalized_coords(self.coords).build()
    }

    /// Slants and emboldens an outline of so many units per em.
    fn synthesize(&self, outline: &mut Outline, em: f32) {
        if self.embolden > 0.0 {
            outline.embolden(self.embolden * em, self.embolden * em);
        }
        if self.skew != 0.0 {
            outline.transform(&Transform::new(1.0, 0.0, self.skew, 1.0, 0.0, 0.0));
        }
    }

    /// The mask of a key; `None` for a blank or oversized glyph.
    pub(crate) fn mask(&self, cx: &mut ScaleContext, key: GlyphKey) -> Option<GlyphMask> {
        let glyph = u16::try_from(key.glyph).ok()?;
        let size = key.size as f32 / 64.0;
        if !(size > 0.0 && size <= limits::GLYPH_SIDE as f32) {
            return None;
        }
        let offset = Vector::new(key.phase as f32 / PHASES as f32, 0.0);
        let mut scaler = self.scaler(cx, size);
        let mask = if let Some(outline) = scaler.scale_color_outline(glyph) {
            self.color_layers(&outline, offset)
        } else if let Some(mask) = color_bitmap(&mut scaler, glyph) {
            Some(mask)
        } else if let Some(mut outline) =
            scaler.has_outlines().then(|| scaler.scale_outline(glyph)).flatten()
        {
            self.synthesize(&mut outline, size);
            coverage(outline.path(), &outline, offset)
                .map(|(p, c)| placed(p, GlyphPixels::Coverage(c.into())))
        } else {
            bitmap(&mut scaler, glyph)
        }?;
        let [l, t, r, b] = self.em_box.map(|v| v * size);
        let (l, r) = ((l + offset.x).floor() as i32, (r + offset.x).ceil() as i32);
        crop(mask, l, t.floor() as i32, r, b.ceil() as i32).filter(GlyphMask::is_valid)
    }

    fn color_layers(&self, outline: &Outline, offset: Vector) -> Option<GlyphMask> {
        let palette = self.font.color_palettes().next();
        let mut layers = Vec::new();
        for i in 0..outline.len() {
            let layer = outline.get(i)?;
            let Some((place, cover)) = coverage(layer.path(), outline, offset) else { continue };
            let color = match (layer.color_index(), palette) {
                (Some(i), Some(p)) if i < p.len() => p.get(i),
                _ => FOREGROUND,
            };
            layers.push((place, cover, color));
        }
        let l = layers.iter().map(|(p, ..)| p.left).min()?;
        let top = layers.iter().map(|(p, ..)| p.top).max()?;
        let r = layers.iter().map(|(p, ..)| p.left + p.width as i32).max()?;
        let b = layers.iter().map(|(p, ..)| p.top - p.height as i32).min()?;
        let (w, h) = ((r - l) as u32, (top - b) as u32);
        if w.max(h) > limits::GLYPH_SIDE {
            return None;
        }
        let mut out = vec![0u32; (w * h) as usize];
        for (p, cover, [r, g, b, a]) in &layers {
            for y in 0..p.height as usize {
                let at = ((top - p.top) as usize + y) * w as usize + (p.left - l) as usize;
                let from = &cover[y * p.width as usize..][..p.width as usize];
                for (o, c) in out[at..].iter_mut().zip(from) {
                    let alpha = mul_div_255(*a as u32, *c as u32) as u8;
                    *o = over(Color::rgba(*r, *g, *b, alpha).premultiply(), *o);
                }
            }
        }
        let place = Placement { left: l, top, width: w, height: h };
        Some(placed(place, GlyphPixels::Color(out.into())))
    }

    /// The outline for 1 pixel per em, y down.
    pub(crate) fn outline(&self, cx: &mut ScaleContext, glyph: u32) -> Option<Path> {
        let em = self.font.metrics(&[]).units_per_em.max(1) as f32;
        let mut scaler = self.scaler(cx, 0.0);
        let mut outline = scaler.scale_outline(u16::try_from(glyph).ok()?)?;
        self.synthesize(&mut outline, em);
        let [l, t, r, b] = self.em_box;
        let points = outline.points().iter();
        let mut at = points.map(|p| ((p.x / em).clamp(l, r), (-p.y / em).clamp(t, b)));
        let mut path = Path::new();
        for v in outline.verbs() {
            match v {
                ZenoVerb::MoveTo => at.next().map(|p| path.move_to(p.0, p.1)),
                ZenoVerb::LineTo => at.next().map(|p| path.line_to(p.0, p.1)),
                ZenoVerb::QuadTo => {
                    let (c, p) = (at.next()?, at.next()?);
                    Some(path.quad_to(c.0, c.1, p.0, p.1))
                }
                ZenoVerb::CurveTo => {
                    let (c, d, p) = (at.next()?, at.next()?, at.next()?);
                    Some(path.cubic_to(c.0, c.1, d.0, d.1, p.0, p.1))
                }
                ZenoVerb::Close => Some(path.close()),
            };
        }
        (!path.is_empty()).then_some(path)
    }
}

/// Coverage of a path that belongs to `outline`; `None` when blank or too large.
fn coverage(path: impl PathData, outline: &Outline, at: Vector) -> Option<(Placement, Vec<u8>)> {
    let max = limits::GLYPH_SIDE as f32;
    let fits = outline.points().iter().all(|p| p.x.abs() < max && p.y.abs() < max);
    if !fits || outline.points().is_empty() {
        return None;
    }
    let mut scratch = Scratch::new();
    let mut mask = Mask::with_scratch(path, &mut scratch);
    // `inspect` fixes the size first: without it the place of the top edge counts a height of 0.
    mask.origin(Origin::BottomLeft).offset(at).render_offset(at).inspect(|_, _, _| {});
    let (pixels, place) = mask.render();
    (place.width > 0 && place.height > 0).then_some((place, pixels))
}

/// y up, top edge above the baseline, becomes y down.
fn placed(p: Placement, pixels: GlyphPixels) -> GlyphMask {
    GlyphMask { left: p.left, top: -p.top, width: p.width, height: p.height, pixels }
}

/// Source over destination, both premultiplied.
fn over(s: u32, d: u32) -> u32 {
    let k = 255 - (s >> 24);
    let ch = |i: u32| (((s >> i) & 255) + mul_div_255((d >> i) & 255, k)) << i;
    ch(24) | ch(16) | ch(8) | ch(0)
}

fn color_bitmap(scaler: &mut Scaler<'_>, glyph: u16) -> Option<GlyphMask> {
    if !scaler.has_color_bitmaps() {
        return None;
    }
    render(scaler, glyph, Source::ColorBitmap(StrikeWith::BestFit))
}

fn bitmap(scaler: &mut Scaler<'_>, glyph: u16) -> Option<GlyphMask> {
    if !scaler.has_bitmaps() {
        return None;
    }
    render(scaler, glyph, Source::Bitmap(StrikeWith::BestFit))
}

fn render(scaler: &mut Scaler<'_>, glyph: u16, source: Source) -> Option<GlyphMask> {
    let image = Render::new(&[source]).render(scaler, glyph)?;
    let p = image.placement;
    let n = p.width as usize * p.height as usize;
    if p.width.max(p.height) > limits::GLYPH_SIDE || n == 0 {
        return None;
    }
    let pixels = match image.content {
        Content::Mask => GlyphPixels::Coverage(image.data.get(..n)?.into()),
        Content::Color | Content::SubpixelMask => {
            let words = image.data.get(..n * 4)?.chunks_exact(4);
            GlyphPixels::Color(
                words.map(|c| Color::rgba(c[0], c[1], c[2], c[3]).premultiply()).collect(),
            )
        }
    };
    Some(placed(p, pixels))
}

/// The part of a mask within `l..r`, `t..b`; the mask itself when it lies inside.
fn crop(m: GlyphMask, l: i32, t: i32, r: i32, b: i32) -> Option<GlyphMask> {
    let (mr, mb) = (m.left + m.width as i32, m.top + m.height as i32);
    if m.left >= l && m.top >= t && mr <= r && mb <= b {
        return Some(m);
    }
    let (nl, nt, nr, nb) = (m.left.max(l), m.top.max(t), mr.min(r), mb.min(b));
    if nl >= nr || nt >= nb {
        return None;
    }
    let (w, from_x) = ((nr - nl) as usize, (nl - m.left) as usize);
    let rows = (nt - m.top) as usize..(nb - m.top) as usize;
    fn cut<T: Copy>(
        p: &[T],
        stride: usize,
        rows: core::ops::Range<usize>,
        x: usize,
        w: usize,
    ) -> Box<[T]> {
        rows.flat_map(|y| p[y * stride + x..][..w].iter().copied()).collect()
    }
    let stride = m.width as usize;
    let pixels = match &m.pixels {
        GlyphPixels::Coverage(p) => GlyphPixels::Coverage(cut(p, stride, rows, from_x, w)),
        GlyphPixels::Color(p) => GlyphPixels::Color(cut(p, stride, rows, from_x, w)),
    };
    Some(GlyphMask { left: nl, top: nt, width: w as u32, height: (nb - nt) as u32, pixels })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crop_keeps_what_lies_inside() {
        let pixels = GlyphPixels::Coverage((0..12).collect());
        let m = GlyphMask { left: -1, top: -2, width: 4, height: 3, pixels };
        assert_eq!(crop(m.clone(), -1, -2, 3, 1), Some(m.clone()));
        let c = crop(m.clone(), 0, -1, 2, 9).unwrap();
        assert_eq!((c.left, c.top, c.width, c.height), (0, -1, 2, 2));
        assert_eq!(c.pixels, GlyphPixels::Coverage([5, 6, 9, 10].into()));
        assert_eq!(crop(m, 3, 0, 9, 9), None);
    }

    #[test]
    fn over_is_exact_at_the_ends() {
        assert_eq!(over(0, 0x8040_2010), 0x8040_2010);
        assert_eq!(over(0xFF01_0203, 0x8040_2010), 0xFF01_0203);
    }
}
