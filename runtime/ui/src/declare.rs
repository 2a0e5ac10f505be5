//! Declarations: containers, text, images, buttons and the other simple widgets.

use crate::el::type_scale;
use crate::node::{ButtonLook, Fit, Flow, Kind, Picture, Span, Variant};
use crate::{Align, El, Icon, Justify, Key, S, Style, Ui, tones};
use std::panic::Location;
use std::sync::Arc;
use zinc_hal::{Key as KeyName, NamedKey};
use zinc_image::Slot as ImageSlot;
use zinc_scene::{Image, PictureId};

/// What can be shown as text: strings, and `format_args!` without an allocation.
pub trait Words {
    /// Appends it.
    fn write_to(self, out: &mut String);
}

impl Words for &str {
    fn write_to(self, out: &mut String) {
        out.push_str(self);
    }
}
impl Words for &String {
    fn write_to(self, out: &mut String) {
        out.push_str(self);
    }
}
impl Words for String {
    fn write_to(self, out: &mut String) {
        out.push_str(&self);
    }
}
impl Words for std::borrow::Cow<'_, str> {
    fn write_to(self, out: &mut String) {
        out.push_str(&self);
    }
}
/// Numbers and characters, as `Display` writes them.
macro_rules! words {
    ($($ty:ty)*) => {
        $(impl Words for $ty {
            fn write_to(self, out: &mut String) {
                format_args!("{self}").write_to(out);
            }
        })*
    };
}

words! { char i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 }

impl Words for core::fmt::Arguments<'_> {
    fn write_to(self, out: &mut String) {
        // A `Display` that fails shows what it wrote until then.
        let _ = core::fmt::Write::write_fmt(out, self);
    }
}

/// What an image element shows.
#[derive(Clone, Debug)]
pub enum ImageSource<'a> {
    /// A file, decoded beside the screen and kept while memory allows.
    File(&'a std::path::Path),
    /// Pixels that are there already.
    Pixels(&'a Arc<Image>),
}

impl<'a> From<&'a str> for ImageSource<'a> {
    fn from(path: &'a str) -> Self {
        Self::File(std::path::Path::new(path))
    }
}
impl<'a> From<&'a std::path::Path> for ImageSource<'a> {
    fn from(path: &'a std::path::Path) -> Self {
        Self::File(path)
    }
}
impl<'a> From<&'a Arc<Image>> for ImageSource<'a> {
    fn from(image: &'a Arc<Image>) -> Self {
        Self::Pixels(image)
    }
}

impl Ui {
    pub(crate) fn span(&mut self, words: impl Words) -> Span {
        let start = self.text.len() as u32;
        words.write_to(&mut self.text);
        Span { start, end: self.text.len() as u32 }
    }

    #[track_caller]
    fn container(&mut self, style: Style, flow: Flow, f: impl FnOnce(&mut Ui)) -> El<'_> {
        let node = self.add(Location::caller(), style, flow, Kind::Box);
        self.inside(node, f);
        El { ui: self, node }
    }

    /// Children from left to right, all as high as the row.
    #[track_caller]
    pub fn row(&mut self, style: Style, f: impl FnOnce(&mut Ui)) -> El<'_> {
        self.container(style, Flow::Row, f)
    }
    /// Children from left to right, their middles on one line: icons with text.
    #[track_caller]
    pub fn line(&mut self, style: Style, f: impl FnOnce(&mut Ui)) -> El<'_> {
        self.container(style.align(Align::Center), Flow::Row, f)
    }
    /// Children from top to bottom.
    #[track_caller]
    pub fn col(&mut self, style: Style, f: impl FnOnce(&mut Ui)) -> El<'_> {
        self.container(style, Flow::Col, f)
    }
    /// Children on top of each other, the last in front, each as large as the stack.
    #[track_caller]
    pub fn stack(&mut self, style: Style, f: impl FnOnce(&mut Ui)) -> El<'_> {
        self.container(style, Flow::Stack, f)
    }
    /// A column in the middle of its parent.
    #[track_caller]
    pub fn center(&mut self, f: impl FnOnce(&mut Ui)) -> El<'_> {
        let style = S.fill_parent().grow().gap(16.0).align(Align::Center).justify(Justify::Center);
        self.container(style, Flow::Col, f)
    }
    /// A column that scrolls up and down when its content is higher than it.
    #[track_caller]
    pub fn scroll(&mut self, style: Style, f: impl FnOnce(&mut Ui)) -> El<'_> {
        let node = self.add(Location::caller(), style, Flow::Col, Kind::Box);
        self.nodes[node as usize].flags.scroll = true;
        self.slot(node).extra().scroll.get_or_insert_default();
        self.inside(node, f);
        El { ui: self, node }
    }
    /// Children under a key of your own, for loops whose order changes.
    pub fn keyed(&mut self, key: impl std::hash::Hash, f: impl FnOnce(&mut Ui)) -> El<'_> {
        let key = self.parent_key().child(crate::list::key_hash(&key));
        let node = self.add_keyed(key, S, Flow::Col, Kind::Box);
        self.inside(node, f);
        El { ui: self, node }
    }
    /// Empty space that takes what is left.
    #[track_caller]
    pub fn spacer(&mut self) {
        self.add(Location::caller(), S.grow(), Flow::Col, Kind::Box);
    }
    /// A hairline.
    #[track_caller]
    pub fn divider(&mut self) {
        let style = S.height(1.0).fill(tones::Line).rigid().align_self(Align::Stretch);
        self.add(Location::caller(), style, Flow::Col, Kind::Box);
    }

    /// Text; body size unless told otherwise.
    #[track_caller]
    pub fn text(&mut self, words: impl Words) -> El<'_> {
        let node = self.add(Location::caller(), S, Flow::Col, Kind::Text);
        let text = self.span(words);
        let n = &mut self.nodes[node as usize];
        n.text = text;
        n.text_style = type_scale::BODY;
        El { ui: self, node }
    }

    /// An icon of a size.
    #[track_caller]
    pub fn icon(&mut self, icon: Icon, size: f32) -> El<'_> {
        let style = S.size(size, size).rigid();
        let node = self.add(Location::caller(), style, Flow::Col, Kind::Icon(icon, size));
        El { ui: self, node }
    }

    /// A button; ask `clicked`.
    #[track_caller]
    pub fn button(&mut self, words: impl Words) -> El<'_> {
        let look =
            ButtonLook { variant: Variant::Plain, selected: false, icon: None, start: false };
        let style = S.pad_x(18.0).min_height(48.0).min_width(48.0).radius(10.0).rigid();
        let node = self.add(Location::caller(), style, Flow::Col, Kind::Button(look));
        let text = self.span(words);
        let n = &mut self.nodes[node as usize];
        n.text = text;
        n.text_style = type_scale::CONTROL.one_line();
        n.flags.click = true;
        n.flags.focus = true;
        n.flags.presses = true;
        El { ui: self, node }
    }
    /// A square button of an icon alone.
    #[track_caller]
    pub fn icon_button(&mut self, icon: Icon) -> El<'_> {
        self.button("").icon(icon).quiet().style(|s| s.pad_x(0.0).size(48.0, 48.0).centered())
    }

    /// A switch. Flips `on` when it is tapped, and answers `true` then.
    #[track_caller]
    pub fn toggle(&mut self, on: &mut bool) -> bool {
        let style = S.size(56.0, 48.0).rigid();
        let node = self.add(Location::caller(), style, Flow::Col, Kind::Toggle { on: *on });
        self.flip(node, on)
    }
    /// A round box with a check. Flips `on` when it is tapped, and answers `true` then.
    #[track_caller]
    pub fn check(&mut self, on: &mut bool) -> bool {
        let style = S.size(48.0, 48.0).rigid();
        let node = self.add(Location::caller(), style, Flow::Col, Kind::Check { on: *on });
        self.flip(node, on)
    }
    fn flip(&mut self, node: u32, on: &mut bool) -> bool {
        let n = &mut self.nodes[node as usize];
        n.flags.click = true;
        n.flags.focus = true;
        let key = n.key;
        let flipped = self.answering && self.input.clicked.contains(&key);
        *on ^= flipped;
        flipped
    }

    /// A value between two ends. Answers `true` when the person changed it.
    #[track_caller]
    pub fn slider(
        &mut self,
        style: Style,
        value: &mut f32,
        range: std::ops::RangeInclusive<f32>,
    ) -> bool {
        let (lo, hi) = (*range.start(), *range.end());
        // An empty or endless range (or NaN) is a slider that stays at its start.
        let width = if hi > lo && (hi - lo).is_finite() { hi - lo } else { 0.0 };
        let part = |v: f32| {
            let sound = width > 0.0 && !v.is_nan();
            if sound { ((v - lo) / width).clamp(0.0, 1.0) } else { 0.0 }
        };
        let mut style = style;
        style.layout.height = crate::style::Len::Px(48.0);
        let kind = Kind::Slider { part: part(*value) };
        let node = self.add(Location::caller(), style, Flow::Col, kind);
        let n = &mut self.nodes[node as usize];
        n.flags.drag = true;
        n.flags.focus = true;
        let key = n.key;
        let focused = self.input.focus == Some(key);
        let rect = self.last_rect(node);
        let el = El { ui: self, node };
        let mut to = part(*value);
        let knob = crate::paint::KNOB;
        if let Some(p) = el.touched() {
            to = ((p.x - knob) / (rect.w - 2.0 * knob).max(1.0)).clamp(0.0, 1.0);
        }
        if focused {
            let step = 0.05;
            for (k, d) in [(NamedKey::Left, -step), (NamedKey::Right, step)] {
                if el.ui.take_key(KeyName::Named(k)) {
                    to = (to + d).clamp(0.0, 1.0);
                }
            }
        }
        let new = lo + to * width;
        let changed = width > 0.0 && to != part(*value);
        if changed {
            *value = new;
        }
        changed
    }

    /// Some of several: answers the index that was picked.
    #[track_caller]
    pub fn segments(&mut self, names: &[&str], current: usize) -> Option<usize> {
        let mut picked = None;
        let style = S.pad(4.0).gap(4.0).radius(14.0).fill(tones::Line.percent(60)).rigid();
        let look = |s: Style| s.pad_x(14.0).min_height(44.0);
        let at = Location::caller();
        let node = self.add(at, style, Flow::Row, Kind::Box);
        self.inside(node, |ui| {
            for (i, name) in names.iter().enumerate() {
                let b = ui.button(*name).quiet().selected(i == current).style(look);
                if b.clicked() {
                    picked = Some(i);
                }
            }
        });
        picked
    }

    /// An image from a file or from pixels, filling its box.
    #[track_caller]
    pub fn image<'s>(&mut self, source: impl Into<ImageSource<'s>>, style: Style) -> El<'_> {
        let image = match source.into() {
            ImageSource::Pixels(i) => Picture::Ready(i.clone()),
            ImageSource::File(path) => match self.image_file(path) {
                ImageSlot::Ready(i) => Picture::Ready(i),
                ImageSlot::Loading => Picture::Loading,
                ImageSlot::Failed(_) => Picture::Failed,
            },
        };
        let kind = Kind::Image { image, fit: Fit::Cover };
        let node = self.add(Location::caller(), style, Flow::Stack, kind);
        El { ui: self, node }
    }

    /// The box of a film source; what it shows is latched when the frame is drawn.
    #[track_caller]
    pub fn picture(&mut self, source: PictureId, style: Style) -> El<'_> {
        let node = self.add(Location::caller(), style, Flow::Stack, Kind::Film(source));
        El { ui: self, node }
    }

    /// Work is going on. Three quiet dots; they move only while this is on screen.
    #[track_caller]
    pub fn busy(&mut self) {
        let style = S.size(56.0, 24.0).align_self(Align::Center).rigid();
        self.add(Location::caller(), style, Flow::Col, Kind::Busy);
    }

    /// Something failed: what, and a way to try again.
    #[track_caller]
    pub fn problem(&mut self, what: impl core::fmt::Display) -> Problem {
        let at = Location::caller();
        let mut again = false;
        let style = S.pad(16.0).gap(12.0).radius(14.0).fill(tones::Bad.percent(12));
        let node = self.add(at, style, Flow::Col, Kind::Box);
        self.inside(node, |ui| {
            ui.line(S.gap(12.0), |ui| {
                ui.icon(crate::icons::WARN, 24.0).tone(tones::Bad);
                ui.text(format_args!("{what}")).grow();
            });
            again = ui.button("Try again").clicked();
        });
        Problem { again }
    }

    /// The state of an image file; a relative path starts at the asset root.
    fn image_file(&mut self, path: &std::path::Path) -> ImageSlot {
        if path.is_absolute() {
            return self.images.get(path);
        }
        let key = Key(xxhash_rust::xxh3::xxh3_64(path.as_os_str().as_encoded_bytes()));
        let Self { asset_paths, asset_root, images, .. } = self;
        images.get(asset_paths.entry(key).or_insert_with(|| asset_root.join(path)))
    }

    /// A key that the focused element uses.
    pub(crate) fn take_key(&mut self, key: KeyName) -> bool {
        if !self.answering {
            return false;
        }
        let typed = &mut self.input.typed;
        let at =
            typed.iter().position(|t| matches!(t, crate::input::Typed::Key(k, _) if *k == key));
        at.map(|i| typed.remove(i)).is_some()
    }
}

/// The answer of [`Ui::problem`].
#[derive(Clone, Copy, Debug)]
pub struct Problem {
    again: bool,
}

impl Problem {
    /// The person wants to try again.
    pub fn retry(self) -> bool {
        self.again
    }
}

impl El<'_> {
    /// An image shows all of itself instead of filling its box.
    pub fn contain(self) -> Self {
        if let Kind::Image { fit, .. } = &mut self.ui.nodes[self.node as usize].kind {
            *fit = Fit::Contain;
        }
        self
    }
}
