//! A font of a scene's outlines. Masks are drawn once, by the rasterizer itself, and kept.

use foldhash::fast::RandomState;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};
use zinc_raster::Rasterizer;
use zinc_scene::{
    Color, GlyphKey, GlyphMask, GlyphPixels, GlyphSource, LayerPlan, Matrix, PHASES, Path,
    PixelFormat, Recorder, Region, Rotation, TargetMut,
};

pub(crate) struct Font {
    hash: u64,
    em: [f32; 4],
    outlines: BTreeMap<u32, Arc<Path>>,
    masks: RwLock<HashMap<GlyphKey, Option<Arc<GlyphMask>>, RandomState>>,
}

impl core::fmt::Debug for Font {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Font({} glyphs)", self.outlines.len())
    }
}

impl Font {
    pub(crate) fn new(hash: u64, glyphs: &BTreeMap<u32, Path>) -> Self {
        let mut em = [0.0f32, 0.0, 0.0, 0.0];
        for b in glyphs.values().filter(|p| !p.is_empty()).map(|p| p.bounds()) {
            em = [em[0].min(b.x), em[1].min(b.y), em[2].max(b.right()), em[3].max(b.bottom())];
        }
        let outlines = glyphs.iter().map(|(id, p)| (*id, Arc::new(p.clone()))).collect();
        Self { hash, em, outlines, masks: RwLock::default() }
    }

    fn draw(&self, key: GlyphKey) -> Option<GlyphMask> {
        let path = self.outlines.get(&key.glyph).filter(|p| !p.is_empty())?;
        let px = key.size as f32 / 64.0;
        let phase = key.phase as f32 / PHASES as f32;
        let mut path = Path::clone(path);
        path.transform(Matrix { a: px, b: 0.0, c: 0.0, d: px, e: phase, f: 0.0 });
        let b = path.bounds().round_out();
        let (width, height) = (b.width().max(1) as u32, b.height().max(1) as u32);
        path.transform(Matrix::translate(-b.x0 as f32, -b.y0 as f32));
        let mut r = Recorder::new();
        r.begin(width, height).ok()?;
        r.path(|p| *p = path).fill(Color::BLACK);
        let list = r.freeze();
        let mut words = vec![0u8; (width * height * 4) as usize];
        let mut target = TargetMut {
            bytes: &mut words,
            width,
            height,
            pitch: width as usize * 4,
            format: PixelFormat::Argb8888,
            rotation: Rotation::Deg0,
        };
        let all = Region::of(list.surface());
        Rasterizer::new(1).render(&list, &LayerPlan::new(), &all, &mut target);
        let coverage = words.chunks_exact(4).map(|p| p[3]).collect();
        let pixels = GlyphPixels::Coverage(coverage);
        Some(GlyphMask { left: b.x0, top: b.y0, width, height, pixels })
    }
}

impl GlyphSource for Font {
    fn font_hash(&self) -> u64 {
        self.hash
    }
    fn mask(&self, key: GlyphKey) -> Option<Arc<GlyphMask>> {
        if let Some(m) = self.masks.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return m.clone();
        }
        let mask = self.draw(key).map(Arc::new);
        let mut all = self.masks.write().unwrap_or_else(PoisonError::into_inner);
        all.entry(key).or_insert(mask).clone()
    }
    fn outline(&self, glyph: u32) -> Option<Arc<Path>> {
        self.outlines.get(&glyph).cloned()
    }
    fn em_box(&self) -> [f32; 4] {
        self.em
    }
}
