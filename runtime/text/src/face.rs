//! A font instance as the scene sees it: masks and outlines by glyph id, remembered in a cache
//! that all faces of a set share (4 MiB of masks, about 4000 glyphs of 32 pixels).
//!
//! Two locks: one guards the caches and is held for a look-up; one guards the scaler and is held
//! while a glyph is made. A library that stops on a damaged font costs that glyph, not the program.

use crate::limits;
use crate::lru::Lru;
use crate::raster::Instance;
use fontique::Blob;
use skrifa::raw::TableProvider;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use swash::scale::ScaleContext;
use xxhash_rust::xxh3::Xxh3Default;
use zinc_scene::{GlyphKey, GlyphMask, GlyphPixels, GlyphSource, Path, math};

type Masks = Lru<GlyphKey, Option<Arc<GlyphMask>>>;
/// By font hash and glyph id.
type Outlines = Lru<(u64, u32), Option<Arc<Path>>>;

/// Masks and outlines of all faces of a set.
pub struct GlyphCache {
    masks: Mutex<Masks>,
    outlines: Mutex<Outlines>,
    scaler: Mutex<ScaleContext>,
    made: AtomicU64,
    failed: AtomicU64,
}

impl core::fmt::Debug for GlyphCache {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "GlyphCache({} bytes)", self.mask_bytes())
    }
}

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

impl GlyphCache {
    pub(crate) fn new() -> Self {
        Self {
            masks: Mutex::new(Lru::new(limits::MASK_BYTES)),
            outlines: Mutex::new(Lru::new(limits::OUTLINE_BYTES)),
            scaler: Mutex::new(ScaleContext::with_max_entries(32)),
            made: AtomicU64::new(0),
            failed: AtomicU64::new(0),
        }
    }
    /// Bytes of masks held.
    pub fn mask_bytes(&self) -> usize {
        lock(&self.masks).cost()
    }
    /// Masks held.
    pub fn mask_count(&self) -> usize {
        lock(&self.masks).len()
    }
    /// Masks and outlines made so far (not found in the cache).
    pub fn made(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }
    /// Glyphs on which a library stopped.
    pub fn failed(&self) -> u64 {
        self.failed.load(Ordering::Relaxed)
    }
    /// Greatest number of bytes of masks.
    pub fn set_mask_budget(&self, bytes: usize) {
        lock(&self.masks).set_budget(bytes);
    }

    fn make<T>(&self, f: impl FnOnce(&mut ScaleContext) -> Option<T>) -> Option<T> {
        self.made.fetch_add(1, Ordering::Relaxed);
        let mut cx = lock(&self.scaler);
        catch_unwind(AssertUnwindSafe(|| f(&mut cx))).unwrap_or_else(|_| {
            if self.failed.fetch_add(1, Ordering::Relaxed) == 0 {
                tracing::warn!("a font is damaged: glyphs on which its rasterizer stops are blank");
            }
            *cx = ScaleContext::with_max_entries(32);
            None
        })
    }
}

/// A font at certain coordinates.
pub struct FontFace {
    data: Blob<u8>,
    index: u32,
    offset: u32,
    key: swash::CacheKey,
    coords: Box<[i16]>,
    skew: f32,
    embolden: f32,
    hash: u64,
    em_box: [f32; 4],
    cache: Arc<GlyphCache>,
}

impl core::fmt::Debug for FontFace {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "FontFace({:016x} {:?})", self.hash, self.coords)
    }
}

/// What tells one face from another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FaceKey {
    pub(crate) blob: u64,
    pub(crate) index: u32,
    pub(crate) coords: Box<[i16]>,
    /// Degrees of a synthetic slant.
    pub(crate) skew: i8,
    pub(crate) embolden: bool,
}

/// Strength of a synthetic bold, in ems.
const EMBOLDEN: f32 = 1.0 / 36.0;
/// Outlines of a variable font may leave the box of its default instance by this much, in ems.
/// (Inter: 0.11.) What goes further is cut.
const VARIABLE_MARGIN: f32 = 0.125;
/// For fonts of bitmaps, which have no box in `head` to trust, and for fonts with a wrong one.
const NO_BOX: [f32; 4] = [-0.5, -1.5, 2.0, 0.75];
/// Greatest reach of a glyph from its origin, in ems, whatever the file says.
const EM_REACH: f32 = 8.0;

impl FontFace {
    /// A face of a checked file. `file_hash` is the hash of all its bytes.
    pub(crate) fn new(
        data: Blob<u8>,
        key: &FaceKey,
        file_hash: u64,
        cache: Arc<GlyphCache>,
    ) -> Option<Self> {
        let font = swash::FontRef::from_index(data.as_ref(), key.index as usize)?;
        let (offset, swash_key) = (font.offset, font.key);
        let skew = math::tan((key.skew as f32).to_radians());
        let embolden = if key.embolden { EMBOLDEN } else { 0.0 };
        let mut h = Xxh3Default::new();
        h.update(&file_hash.to_le_bytes());
        h.update(&key.index.to_le_bytes());
        for c in &key.coords {
            h.update(&c.to_le_bytes());
        }
        h.update(&[key.skew as u8, key.embolden as u8]);
        let em_box = em_box(data.as_ref(), key.index, skew, embolden);
        Some(Self {
            index: key.index,
            offset,
            key: swash_key,
            coords: key.coords.clone(),
            skew,
            embolden,
            hash: h.digest(),
            em_box,
            cache,
            data,
        })
    }
    /// Index in its file.
    pub fn index(&self) -> u32 {
        self.index
    }
    /// Normalized variation coordinates, 2.14.
    pub fn coords(&self) -> &[i16] {
        &self.coords
    }
    fn instance(&self) -> Instance<'_> {
        Instance {
            font: swash::FontRef { data: self.data.as_ref(), offset: self.offset, key: self.key },
            coords: &self.coords,
            skew: self.skew,
            embolden: self.embolden,
            em_box: self.em_box,
        }
    }
}

/// The box of `head` with margins, in ems, y down.
fn em_box(data: &[u8], index: u32, skew: f32, embolden: f32) -> [f32; 4] {
    let Ok(font) = skrifa::FontRef::from_index(data, index) else { return [0.0; 4] };
    let Ok(head) = font.head() else { return [0.0; 4] };
    let em = head.units_per_em().max(16) as f32;
    let has =
        |tags: &[&[u8; 4]]| tags.iter().any(|t| font.table_data(skrifa::Tag::new(t)).is_some());
    let (x, y) = ((head.x_min(), head.x_max()), (head.y_min(), head.y_max()));
    let bitmaps = has(&[b"CBDT", b"EBDT", b"sbix"]);
    let [mut l, mut t, mut r, mut b] = if bitmaps || x.0 >= x.1 || y.0 >= y.1 {
        NO_BOX
    } else {
        [x.0 as f32 / em, -y.1 as f32 / em, x.1 as f32 / em, -y.0 as f32 / em]
    };
    let variable = if has(&[b"fvar"]) { VARIABLE_MARGIN } else { 0.0 };
    let margin = 1.0 / 64.0 + embolden + variable;
    (l, t, r, b) = (l - margin, t - margin, r + margin, b + margin);
    // Slanting moves what is above the baseline to the right and what is below to the left.
    r += (-t * skew).max(0.0);
    l -= (b * skew).max(0.0);
    [l, t, r, b].map(|v| v.clamp(-EM_REACH, EM_REACH))
}

impl GlyphSource for FontFace {
    fn font_hash(&self) -> u64 {
        self.hash
    }
    fn mask(&self, key: GlyphKey) -> Option<Arc<GlyphMask>> {
        if let Some(m) = lock(&self.cache.masks).get(&key) {
            return m.clone();
        }
        let mask = self.cache.make(|cx| self.instance().mask(cx, key)).map(Arc::new);
        let bytes = 96
            + mask.as_ref().map_or(0, |m| match &m.pixels {
                GlyphPixels::Coverage(p) => p.len(),
                GlyphPixels::Color(p) => p.len() * 4,
            });
        lock(&self.cache.masks).insert(key, mask.clone(), bytes);
        mask
    }
    fn outline(&self, glyph: u32) -> Option<Arc<Path>> {
        let key = (self.hash, glyph);
        if let Some(p) = lock(&self.cache.outlines).get(&key) {
            return p.clone();
        }
        let path = self.cache.make(|cx| self.instance().outline(cx, glyph)).map(Arc::new);
        let bytes = 96
            + path.as_ref().map_or(0, |p| {
                let v = p.view();
                v.verbs.len() + v.points.len() * 8
            });
        lock(&self.cache.outlines).insert(key, path.clone(), bytes);
        path
    }
    fn em_box(&self) -> [f32; 4] {
        self.em_box
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::built_in;
    use zinc_scene::PHASES;

    fn face(file: &'static [u8], coords: &[i16], skew: i8, embolden: bool) -> FontFace {
        let blob = Blob::new(Arc::new(file));
        let key = FaceKey { blob: blob.id(), index: 0, coords: coords.into(), skew, embolden };
        FontFace::new(blob, &key, 7, Arc::new(GlyphCache::new())).unwrap()
    }

    fn glyphs(file: &[u8]) -> u32 {
        skrifa::FontRef::new(file).unwrap().maxp().unwrap().num_glyphs() as u32
    }

    /// opsz and wght at their ends.
    const CORNERS: [[i16; 2]; 5] =
        [[0, 0], [0, -16384], [0, 16384], [16384, -16384], [16384, 16384]];

    #[test]
    fn no_built_in_glyph_leaves_its_box() {
        for file in [built_in::SANS, built_in::EMOJI, built_in::SYMBOLS] {
            for (coords, skew, bold) in
                CORNERS.iter().flat_map(|c| [(c, 0, false), (c, 14, false), (c, 14, true)])
            {
                let f = face(file, coords, skew, bold);
                let free = Instance { em_box: [-100.0, -100.0, 100.0, 100.0], ..f.instance() };
                let mut cx = ScaleContext::new();
                let [l, t, r, b] = f.em_box();
                for g in 0..glyphs(file) {
                    let Some(p) = free.outline(&mut cx, g) else { continue };
                    let at = p.bounds();
                    assert!(
                        at.x >= l && at.y >= t && at.right() <= r && at.bottom() <= b,
                        "glyph {g} at {coords:?}: {at:?} outside {:?}",
                        f.em_box()
                    );
                }
                if file != built_in::SANS {
                    break;
                }
            }
        }
    }

    #[test]
    fn masks_are_valid_and_in_the_box() {
        for file in [built_in::SANS, built_in::EMOJI] {
            let f = face(file, &[0, 16384], 14, true);
            for glyph in (0..glyphs(file)).step_by(7) {
                for (size, phase) in [(8 * 64, 0), (13 * 64 + 20, 1), (33 * 64, 2), (96 * 64, 3)] {
                    let key = GlyphKey { font: f.font_hash(), glyph, size, phase };
                    let Some(m) = f.mask(key) else { continue };
                    assert!(m.is_valid());
                    let px = size as f32 / 64.0;
                    let [l, t, r, b] = f.em_box().map(|v| v * px);
                    let right = (m.left + m.width as i32) as f32;
                    let bottom = (m.top + m.height as i32) as f32;
                    assert!(m.left as f32 >= l - 1.0 && m.top as f32 >= t - 1.0);
                    assert!(right <= r + 2.0 && bottom <= b + 1.0);
                }
            }
        }
    }

    #[test]
    fn a_mask_is_what_its_outline_covers() {
        let f = face(built_in::SANS, &[0, 0], 0, false);
        let font = skrifa::FontRef::new(built_in::SANS).unwrap();
        let glyph = skrifa::MetadataProvider::charmap(&font).map('H').unwrap().to_u32();
        let key = GlyphKey { font: f.font_hash(), glyph, size: 64 * 64, phase: 0 };
        let m = f.mask(key).unwrap();
        let o = f.outline(glyph).unwrap().bounds();
        assert!((o.x * 64.0 - m.left as f32).abs() <= 1.0, "{o:?} {}", m.left);
        assert!((o.y * 64.0 - m.top as f32).abs() <= 1.0);
        assert!((o.h * 64.0 - m.height as f32).abs() <= 1.5 && o.bottom().abs() < 0.02);
        // A quarter pixel to the right for each phase: the same ink, elsewhere.
        let ink = |phase| {
            let m = f.mask(GlyphKey { phase, ..key }).unwrap();
            let GlyphPixels::Coverage(p) = &m.pixels else { panic!() };
            let sum: u64 = p.iter().map(|v| *v as u64).sum();
            let moment: u64 = (0..m.height as usize)
                .flat_map(|y| (0..m.width as usize).map(move |x| (x, y)))
                .map(|(x, y)| (m.left as u64 + x as u64) * p[y * m.width as usize + x] as u64)
                .sum();
            (sum as f64, moment as f64 / sum as f64)
        };
        for phase in 1..PHASES as u8 {
            let ((a, x0), (b, x1)) = (ink(0), ink(phase));
            assert!((a - b).abs() / a < 0.01);
            assert!((x1 - x0 - phase as f64 / 4.0).abs() < 0.02, "{phase}: {x0} {x1}");
        }
        assert!(f.mask(GlyphKey { glyph: 70_000, ..key }).is_none());
        assert!(f.mask(GlyphKey { size: 0, ..key }).is_none());
        assert!(f.mask(GlyphKey { size: 5000 * 64, ..key }).is_none());
    }

    #[test]
    fn the_glyph_cache_is_bounded_and_answers_again_without_work() {
        let f = face(built_in::SANS, &[0, 0], 0, false);
        f.cache.set_mask_budget(20_000);
        for size in 20..90 {
            for glyph in 1..60 {
                let key = GlyphKey { font: f.hash, glyph, size: size * 64, phase: 0 };
                let a = f.mask(key);
                let made = f.cache.made();
                assert_eq!(a.is_some(), f.mask(key).is_some());
                assert_eq!(f.cache.made(), made);
                assert!(f.cache.mask_bytes() <= 20_000);
            }
        }
        assert_eq!(f.cache.failed(), 0);
    }

    /// Equal on every CPU: the digest of masks and outlines of some glyphs.
    #[test]
    fn pixels_are_the_same_everywhere() {
        let mut h = Xxh3Default::new();
        for (coords, skew, bold) in
            CORNERS.iter().zip([0, 14, 0, 14, 0]).map(|(c, s)| (c, s, s > 0))
        {
            let f = face(built_in::SANS, coords, skew, bold);
            h.update(&f.font_hash().to_le_bytes());
            for glyph in (1..600).step_by(13) {
                for (size, phase) in [(700, 0), (1024, 1), (2048, 3)] {
                    let key = GlyphKey { font: f.hash, glyph, size, phase };
                    let Some(m) = f.mask(key) else { continue };
                    h.update(&m.left.to_le_bytes());
                    h.update(&m.top.to_le_bytes());
                    if let GlyphPixels::Coverage(p) = &m.pixels {
                        h.update(p);
                    }
                }
                for p in f.outline(glyph).iter().flat_map(|p| p.view().points.to_vec()) {
                    h.update(&p.x.to_bits().to_le_bytes());
                    h.update(&p.y.to_bits().to_le_bytes());
                }
            }
        }
        assert_eq!(format!("{:016x}", h.digest()), "e3962104762270df");
    }
}
