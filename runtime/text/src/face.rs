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
/// Bitmaps and layers have no box in `head` to trust: this much around it.
const BITMAP_MARGIN: f32 = 0.5;
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
    let mut margin = 1.0 / 64.0 + embolden;
    if has(&[b"fvar"]) {
        margin += VARIABLE_MARGIN;
    }
    let bitmaps = has(&[b"CBDT", b"EBDT", b"sbix"]);
    if bitmaps {
        margin += BITMAP_MARGIN;
    }
    let (mut l, mut r) = (head.x_min() as f32 / em - margin, head.x_max() as f32 / em + margin);
    let (mut t, mut b) = (-head.y_max() as f32 / em - margin, -head.y_min() as f32 / em + margin);
    if bitmaps {
        (l, r) = (l.min(-0.5), r.max(1.75));
        (t, b) = (t.min(-1.25), b.max(0.5));
    }
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
