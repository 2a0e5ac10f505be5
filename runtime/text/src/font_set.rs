//! The fonts that text may use, in the order in which a character is looked for: the style's
//! family, then what the program added, then what ships with the runtime. A cluster without a
//! glyph in one family takes the next one that has it. Nothing of the machine is read unless
//! the feature `system-fonts` is on.

use crate::check::{self, FontError};
use crate::face::{FaceKey, FontFace, GlyphCache};
use crate::{TextStyle, built_in, limits};
use fontique::{
    Blob, Collection, CollectionOptions, FontInfoOverride, FontStyle, GenericFamily, SourceCache,
};
use parley::{
    FontContext, FontFamily, FontFamilyName, FontFeature, FontFeatures, FontVariation,
    FontVariations, FontWeight, LineHeight, OverflowWrap, StyleProperty, TextWrapMode,
};
use std::borrow::Cow;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;
use zinc_scene::GlyphSource;

/// A family of a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Family(u16);

impl Family {
    /// The set's default family, see [`FontSet::set_default`].
    pub const DEFAULT: Self = Self(0);
    pub(crate) const fn index(self) -> u16 {
        self.0
    }
}

/// What is known of a family.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyInfo {
    /// Its id, for [`TextStyle::family`].
    pub family: Family,
    /// Its name in the set.
    pub name: Arc<str>,
    /// Lightest and heaviest weight without synthesis.
    pub weights: (u16, u16),
    /// It has an italic of its own.
    pub italic: bool,
    /// It has variation axes.
    pub variable: bool,
    /// Fonts in it.
    pub fonts: usize,
    /// It ships with the runtime.
    pub built_in: bool,
}

struct Face {
    key: FaceKey,
    face: Arc<dyn GlyphSource>,
}

/// Fonts, fallback order, and the glyphs made from them.
pub struct FontSet {
    pub(crate) cx: FontContext,
    infos: Vec<FamilyInfo>,
    /// The collection's ids, beside `infos`.
    ids: Vec<fontique::FamilyId>,
    /// Families in fallback order.
    order: Vec<Family>,
    default: Family,
    /// For each [`Family`] index, the names to ask in turn.
    stacks: Vec<Vec<FontFamilyName<'static>>>,
    files: Vec<(u64, FamilyInfo)>,
    blobs: Vec<(u64, u64)>,
    faces: Vec<Face>,
    cache: Arc<GlyphCache>,
    generation: u64,
}

impl core::fmt::Debug for FontSet {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("FontSet").field("families", &self.infos).finish_non_exhaustive()
    }
}

impl Default for FontSet {
    fn default() -> Self {
        Self::built_in()
    }
}

impl FontSet {
    /// Without any font but the system's, if the feature is on: otherwise text has no glyphs until
    /// one is added.
    pub fn empty() -> Self {
        Self::with_collection(Collection::new(CollectionOptions {
            shared: false,
            system_fonts: cfg!(feature = "system-fonts"),
        }))
    }
    /// Without any font, whatever the system has.
    pub(crate) fn isolated() -> Self {
        Self::with_collection(Collection::new(CollectionOptions {
            shared: false,
            system_fonts: false,
        }))
    }
    fn with_collection(collection: Collection) -> Self {
        Self {
            cx: FontContext { collection, source_cache: SourceCache::default() },
            infos: Vec::new(),
            ids: Vec::new(),
            order: Vec::new(),
            default: Family(1),
            stacks: Vec::new(),
            files: Vec::new(),
            blobs: Vec::new(),
            faces: Vec::new(),
            cache: Arc::new(GlyphCache::new()),
            generation: 0,
        }
    }
    /// With the fonts that ship with the runtime.
    pub fn built_in() -> Self {
        let mut set = Self::empty();
        for (name, bytes) in built_in::NAMES {
            // Checked by this crate's tests.
            set.register(Arc::new(bytes), bytes, Some(name), true);
        }
        set.report_source();
        set
    }
    /// Says once where text will come from when the program adds no font.
    fn report_source(&mut self) {
        if !cfg!(feature = "system-fonts") {
            tracing::info!("text: built-in fonts; those of the system are not looked at");
            return;
        }
        let ours = self.infos.len();
        if self.cx.collection.family_ids().count() <= ours {
            tracing::warn!("text: this system has no fonts, the built-in ones are used");
        }
    }

    /// Adds a font file (TTF, OTF or a collection of them), under its own family name or another
    /// one. Files of one family name are one family. The family comes before the built-in ones
    /// in the fallback order, after those added earlier.
    ///
    /// # Errors
    /// A file that text could not be set with is refused; the set stays as it was.
    pub fn add(
        &mut self,
        bytes: impl Into<Arc<[u8]>>,
        as_family: Option<&str>,
    ) -> Result<FamilyInfo, FontError> {
        let bytes: Arc<[u8]> = bytes.into();
        check::file(&bytes)?;
        let hash = xxh3_64(&bytes) ^ as_family.map_or(0, |n| xxh3_64(n.as_bytes()));
        if let Some((_, info)) = self.files.iter().find(|(h, _)| *h == hash) {
            return Ok(self.info(info.family).cloned().unwrap_or_else(|| info.clone()));
        }
        if self.infos.len() >= limits::FAMILIES {
            return Err(FontError::TooMany);
        }
        check::trial(&bytes)?;
        let shared: Arc<dyn AsRef<[u8]> + Send + Sync> = Arc::new(bytes.clone());
        let info = self.register(shared, &bytes, as_family, false).ok_or(FontError::NoName)?;
        self.files.push((hash, info.clone()));
        Ok(info)
    }

    pub(crate) fn register(
        &mut self,
        data: Arc<dyn AsRef<[u8]> + Send + Sync>,
        bytes: &[u8],
        name: Option<&str>,
        built_in: bool,
    ) -> Option<FamilyInfo> {
        let blob = Blob::new(data);
        self.blobs.push((blob.id(), xxh3_64(bytes)));
        let with = FontInfoOverride { family_name: name, ..Default::default() };
        let added = self.cx.collection.register_fonts(blob, Some(with));
        let mut first = None;
        for (id, _) in added {
            let Some(family) = self.cx.collection.family(id) else { continue };
            let name = family.name();
            let known = self.infos.iter().position(|i| &*i.name == name);
            let at = known.unwrap_or(self.infos.len());
            let info = family_info(Family(at as u16 + 1), &family, built_in);
            if known.is_some() {
                self.infos[at] = info.clone();
            } else {
                self.infos.push(info.clone());
                self.ids.push(id);
                let built = |f: &Family| self.infos[f.0 as usize - 1].built_in;
                let place = if built_in {
                    self.order.len()
                } else {
                    self.order.iter().position(built).unwrap_or(self.order.len())
                };
                self.order.insert(place, info.family);
            }
            first.get_or_insert(info);
        }
        self.changed();
        first
    }

    /// Rebuilds what follows from families and order.
    fn changed(&mut self) {
        self.generation += 1;
        let name = |f: Family| {
            FontFamilyName::Named(Cow::Owned(self.infos[f.0 as usize - 1].name.to_string()))
        };
        self.stacks = (0..=self.infos.len() as u16)
            .map(|i| {
                let head = if i == 0 { self.default } else { Family(i) };
                let head = (head.0 as usize <= self.infos.len()).then_some(head);
                let rest = self.order.iter().copied().filter(|f| Some(*f) != head);
                let mut stack: Vec<_> = head.into_iter().chain(rest).map(name).collect();
                if cfg!(feature = "system-fonts") {
                    stack.push(FontFamilyName::Generic(GenericFamily::SansSerif));
                }
                stack
            })
            .collect();
        // The last resort of the layout, and its way to emoji.
        if !cfg!(feature = "system-fonts") {
            for generic in [GenericFamily::SansSerif, GenericFamily::Emoji] {
                let ids = self.order.iter().map(|f| self.ids[f.0 as usize - 1]);
                self.cx.collection.set_generic_families(generic, ids);
            }
        }
    }

    /// The family of this name; `Inter` and `sans-serif` name the built-in one unless another
    /// family has that name.
    pub fn family(&self, name: &str) -> Option<Family> {
        let find = |n: &str| self.infos.iter().find(|i| i.name.eq_ignore_ascii_case(n));
        let built_in = match name {
            "Inter" | "sans-serif" => built_in::NAMES[0].0,
            "Noto Emoji" | "emoji" => built_in::NAMES[1].0,
            _ => return find(name).map(|i| i.family),
        };
        find(name).or_else(|| find(built_in)).map(|i| i.family)
    }
    /// What is known of a family.
    pub fn info(&self, family: Family) -> Option<&FamilyInfo> {
        let f = if family == Family::DEFAULT { self.default } else { family };
        self.infos.get((f.0 as usize).checked_sub(1)?)
    }
    /// All families.
    pub fn families(&self) -> &[FamilyInfo] {
        &self.infos
    }
    /// Families in the order in which characters are looked for, after the style's own.
    pub fn fallback(&self) -> &[Family] {
        &self.order
    }
    /// Sets that order. Families left out follow in their old order: no text loses its glyphs.
    pub fn set_fallback(&mut self, order: &[Family]) {
        let mut new: Vec<Family> = Vec::new();
        for f in order.iter().chain(&self.order) {
            if f.0 >= 1 && f.0 as usize <= self.infos.len() && !new.contains(f) {
                new.push(*f);
            }
        }
        self.order = new;
        self.changed();
    }
    /// The family of styles that name none. Unknown families are refused silently.
    pub fn set_default(&mut self, family: Family) {
        if family.0 >= 1 && family.0 as usize <= self.infos.len() {
            self.default = family;
            self.changed();
        }
    }
    /// The shared glyph cache.
    pub fn glyphs(&self) -> &Arc<GlyphCache> {
        &self.cache
    }
    /// Changes whenever a layout may change.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }
    /// Different font instances made so far and still kept.
    pub fn face_count(&self) -> usize {
        self.faces.len()
    }

    /// The handle of a run's font: the same one every time.
    pub(crate) fn face(&mut self, run: &parley::Run<'_, ()>) -> Option<Arc<dyn GlyphSource>> {
        let (font, synthesis) = (run.font(), run.synthesis());
        let blob = font.data.id();
        let skew = synthesis.skew().unwrap_or(0.0) as i8;
        let embolden = synthesis.embolden();
        let coords = run.normalized_coords();
        let known = self.faces.iter().find(|f| {
            let k = &f.key;
            k.blob == blob
                && k.index == font.index
                && k.skew == skew
                && k.embolden == embolden
                && k.coords.iter().copied().eq(coords.iter().map(|c| c.to_bits()))
        });
        if let Some(f) = known {
            return Some(f.face.clone());
        }
        if self.faces.len() >= limits::FACES {
            self.faces.retain(|f| Arc::strong_count(&f.face) > 1);
        }
        if self.faces.len() >= limits::FACES {
            self.faces.remove(0);
        }
        let file_hash = match self.blobs.iter().find(|(id, _)| *id == blob) {
            Some((_, h)) => *h,
            None => {
                let h = xxh3_64(font.data.as_ref());
                self.blobs.push((blob, h));
                h
            }
        };
        let coords = coords.iter().map(|c| c.to_bits()).collect();
        let key = FaceKey { blob, index: font.index, coords, skew, embolden };
        let face = FontFace::new(font.data.clone(), &key, file_hash, self.cache.clone())?;
        let face: Arc<dyn GlyphSource> = Arc::new(face);
        self.faces.push(Face { key, face: face.clone() });
        Some(face)
    }

    /// What a style means to the layout, and the context to lay out with.
    pub(crate) fn properties(
        &mut self,
        style: &TextStyle,
    ) -> (&mut FontContext, [StyleProperty<'static, ()>; 10]) {
        let stack = self.stacks.get(style.family.0 as usize).or(self.stacks.first());
        let stack = stack.cloned().unwrap_or_default();
        let slant = if style.italic { FontStyle::Italic } else { FontStyle::Normal };
        let wrap = match style.wrap {
            crate::Wrap::None => TextWrapMode::NoWrap,
            crate::Wrap::Word => TextWrapMode::Wrap,
        };
        let variations = FontVariation::new(OPSZ, optical_size(style.size));
        let features = FontFeature::new(TNUM, 1);
        let all = [
            StyleProperty::FontFamily(FontFamily::List(Cow::Owned(stack))),
            StyleProperty::FontSize(style.size),
            StyleProperty::FontWeight(FontWeight::new(style.weight as f32)),
            StyleProperty::FontStyle(slant),
            StyleProperty::FontVariations(FontVariations::List(Cow::Owned(vec![variations]))),
            StyleProperty::FontFeatures(if style.tabular {
                FontFeatures::List(Cow::Owned(vec![features]))
            } else {
                FontFeatures::empty()
            }),
            StyleProperty::LineHeight(LineHeight::FontSizeRelative(style.line_height)),
            StyleProperty::LetterSpacing(style.tracking * style.size),
            StyleProperty::OverflowWrap(OverflowWrap::BreakWord),
            StyleProperty::TextWrapMode(wrap),
        ];
        (&mut self.cx, all)
    }
}

const OPSZ: parley::setting::Tag = parley::setting::Tag::new(b"opsz");
const TNUM: parley::setting::Tag = parley::setting::Tag::new(b"tnum");

/// Optical size in steps, so that an animated size makes few font instances.
fn optical_size(size: f32) -> f32 {
    14.0 + ((size.clamp(14.0, 32.0) - 14.0) / 6.0).floor() * 6.0
}

fn family_info(family: Family, f: &fontique::FamilyInfo, built_in: bool) -> FamilyInfo {
    let (mut lo, mut hi) = (u16::MAX, 0);
    let (mut italic, mut variable) = (false, false);
    for font in f.fonts() {
        let axis = font.axes().iter().find(|a| a.tag == skrifa::Tag::new(b"wght"));
        let one = font.weight().value();
        let (min, max) = axis.map_or((one, one), |a| (a.min, a.max));
        (lo, hi) = (lo.min(min as u16), hi.max(max as u16));
        italic |=
            font.style() != FontStyle::Normal || font.has_italic_axis() || font.has_slant_axis();
        variable |= !font.axes().is_empty();
    }
    FamilyInfo {
        family,
        name: f.name().into(),
        weights: (lo.min(hi), hi),
        italic,
        variable,
        fonts: f.fonts().len(),
        built_in,
    }
}
