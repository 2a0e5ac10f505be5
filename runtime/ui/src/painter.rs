//! Canvases: an app's own drawing. The closure runs when its revision, its size or the theme
//! changed; otherwise the last recording is used again.

use crate::node::{Flow, Kind};
use crate::{El, Style, Theme, Tone, Ui};
use std::panic::Location;
use std::sync::Arc;
use zinc_scene::{
    BlendMode, Color, FillRule, Image, ImageDraw, Matrix, Paint, Path, Point, Recorder, Rect,
    SharedPath, Size, StrokeStyle, limits,
};
use zinc_text::{TextEngine, TextStyle};

/// What a canvas draws with: a recorder that knows the theme and text.
pub struct Painter<'a> {
    r: &'a mut Recorder,
    theme: Theme,
    engine: &'a mut TextEngine,
}

impl core::fmt::Debug for Painter<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Painter")
    }
}

/// What a painter fills with: a tone, a colour, or a gradient.
#[derive(Clone, Copy, Debug)]
pub enum Ink<'p> {
    /// A tone of the theme.
    Tone(Tone),
    /// A scene paint.
    Paint(Paint<'p>),
}

impl From<Tone> for Ink<'_> {
    fn from(t: Tone) -> Self {
        Ink::Tone(t)
    }
}
impl From<Color> for Ink<'_> {
    fn from(c: Color) -> Self {
        Ink::Paint(Paint::Solid(c))
    }
}
impl<'p> From<Paint<'p>> for Ink<'p> {
    fn from(p: Paint<'p>) -> Self {
        Ink::Paint(p)
    }
}

fn resolve<'p>(theme: &Theme, ink: Ink<'p>) -> Paint<'p> {
    match ink {
        Ink::Tone(t) => Paint::Solid(theme.color(t)),
        Ink::Paint(p) => p,
    }
}

/// A box on its way.
#[derive(Debug)]
pub struct RectShape<'a> {
    inner: zinc_scene::RectDraw<'a>,
    theme: Theme,
}

impl RectShape<'_> {
    /// Round corners.
    pub fn radius(self, r: f32) -> Self {
        Self { inner: self.inner.radius(r), ..self }
    }
    /// Fills it.
    pub fn fill<'p>(self, ink: impl Into<Ink<'p>>) -> Self {
        let p = resolve(&self.theme, ink.into());
        Self { inner: self.inner.fill(p), ..self }
    }
    /// Frames it, inwards.
    pub fn border<'p>(self, width: f32, ink: impl Into<Ink<'p>>) -> Self {
        let p = resolve(&self.theme, ink.into());
        Self { inner: self.inner.border(width, p), ..self }
    }
    /// Draws its shadow; call it before `fill`.
    pub fn shadow(self, dx: f32, dy: f32, blur: f32, color: Color) -> Self {
        Self { inner: self.inner.shadow(dx, dy, blur, 0.0, color), ..self }
    }
}

/// A path on its way.
#[derive(Debug)]
pub struct Shape<'a> {
    inner: zinc_scene::PathDraw<'a>,
    theme: Theme,
}

impl Shape<'_> {
    /// Which parts are inside.
    pub fn rule(self, rule: FillRule) -> Self {
        Self { inner: self.inner.rule(rule), ..self }
    }
    /// Fills it.
    pub fn fill<'p>(self, ink: impl Into<Ink<'p>>) -> Self {
        let p = resolve(&self.theme, ink.into());
        Self { inner: self.inner.fill(p), ..self }
    }
    /// Strokes it with round joins and ends.
    pub fn stroke<'p>(self, width: f32, ink: impl Into<Ink<'p>>) -> Self {
        self.stroke_with(StrokeStyle::new(width), ink)
    }
    /// Strokes it.
    pub fn stroke_with<'p>(self, style: StrokeStyle<'_>, ink: impl Into<Ink<'p>>) -> Self {
        let p = resolve(&self.theme, ink.into());
        Self { inner: self.inner.stroke(style, p), ..self }
    }
}

impl Painter<'_> {
    /// The colour of a tone now.
    pub fn color(&self, tone: Tone) -> Color {
        self.theme.color(tone)
    }
    /// The theme.
    pub fn theme(&self) -> Theme {
        self.theme
    }
    /// A box.
    #[must_use = "a box draws nothing until it is filled"]
    pub fn rect(&mut self, x: f32, y: f32, w: f32, h: f32) -> RectShape<'_> {
        RectShape { inner: self.r.rect(x, y, w, h), theme: self.theme }
    }
    /// A path.
    #[must_use = "a path draws nothing until it is filled or stroked"]
    pub fn path(&mut self, build: impl FnOnce(&mut Path)) -> Shape<'_> {
        Shape { inner: self.r.path(build), theme: self.theme }
    }
    /// A path made once and drawn often.
    #[must_use = "a path draws nothing until it is filled or stroked"]
    pub fn shared_path(&mut self, path: &Arc<SharedPath>) -> Shape<'_> {
        Shape { inner: self.r.shared_path(path), theme: self.theme }
    }
    /// A circle.
    #[must_use = "a circle draws nothing until it is filled or stroked"]
    pub fn circle(&mut self, x: f32, y: f32, radius: f32) -> Shape<'_> {
        Shape { inner: self.r.circle(Point::new(x, y), radius), theme: self.theme }
    }
    /// A straight line with round ends.
    pub fn line<'p>(&mut self, from: Point, to: Point, width: f32, ink: impl Into<Ink<'p>>) {
        let p = resolve(&self.theme, ink.into());
        self.r.line(from, to, width, p);
    }
    /// One paragraph, its top left corner at `at`; wraps at `width` when given.
    pub fn text<'p>(
        &mut self,
        words: &str,
        style: &TextStyle,
        at: Point,
        width: Option<f32>,
        ink: impl Into<Ink<'p>>,
    ) -> Size {
        let p = self.engine.paragraph(words, style, width);
        p.record(self.r, at, resolve(&self.theme, ink.into()));
        p.size()
    }
    /// The size a paragraph will have.
    pub fn measure(&mut self, words: &str, style: &TextStyle, width: Option<f32>) -> Size {
        self.engine.paragraph(words, style, width).size()
    }
    /// An image in a box.
    #[must_use = "an image is drawn by `draw`"]
    pub fn image(&mut self, image: &Arc<Image>, dst: Rect) -> ImageDraw<'_> {
        self.r.image(image, dst)
    }
    /// Draws under a matrix.
    pub fn with_matrix<R>(&mut self, m: Matrix, f: impl FnOnce(&mut Painter<'_>) -> R) -> R {
        self.r.push_matrix(m);
        let r = f(&mut Painter { r: self.r, theme: self.theme, engine: self.engine });
        self.r.pop_matrix();
        r
    }
    /// Draws within a box.
    pub fn with_clip<R>(
        &mut self,
        rect: Rect,
        radius: f32,
        f: impl FnOnce(&mut Painter<'_>) -> R,
    ) -> R {
        self.r.push_clip(rect, radius);
        let r = f(&mut Painter { r: self.r, theme: self.theme, engine: self.engine });
        self.r.pop_clip();
        r
    }
    /// Draws apart, then blends at once.
    pub fn with_layer<R>(
        &mut self,
        opacity: f32,
        blend: BlendMode,
        f: impl FnOnce(&mut Painter<'_>) -> R,
    ) -> R {
        self.r.push_layer(opacity, blend);
        let r = f(&mut Painter { r: self.r, theme: self.theme, engine: self.engine });
        self.r.pop_layer();
        r
    }
    /// The recorder underneath.
    pub fn recorder(&mut self) -> &mut Recorder {
        self.r
    }
}

impl Ui {
    /// A place to draw on; ask what fingers did, then `draw`.
    #[track_caller]
    pub fn canvas(&mut self, style: Style) -> El<'_> {
        let node = self.add(Location::caller(), style, Flow::Stack, Kind::Canvas);
        self.slot(node).extra().canvas.get_or_insert_default();
        El { ui: self, node }
    }
}

impl El<'_> {
    /// Draws a canvas: `f` gets its size and runs only when `revision`, size or theme changed.
    /// A number that changes each frame (time) draws each frame.
    pub fn draw(self, revision: impl Revision, f: impl FnOnce(&mut Painter<'_>, Size)) -> Self {
        if !self.ui.showing {
            return self;
        }
        let theme = self.ui.theme;
        let look = Look(theme).hash() ^ u64::from(self.ui.scale.to_bits());
        // 0 is "never drawn".
        let revision = revision.number().wrapping_add(1).max(1);
        let Self { ui, node } = self;
        let slot = ui.nodes[node as usize].slot as usize;
        let Ui { slots, engine, .. } = &mut *ui;
        let Some(c) = slots[slot].extra.as_mut().and_then(|e| e.canvas.as_mut()) else {
            return Self { ui, node };
        };
        let (w, h) = c.size;
        let empty = !(w > 0.0 && h > 0.0);
        if empty || (c.revision == revision && c.theme == look && c.list.is_some()) {
            return Self { ui, node };
        }
        // The list is of an unbounded plane: what leaves the canvas is cut where it is put.
        let side = limits::SURFACE_SIDE;
        if c.recorder.begin(side, side).is_ok() {
            c.recorder.push_matrix(Matrix::IDENTITY);
            let mut p = Painter { r: &mut c.recorder, theme, engine };
            f(&mut p, Size::new(w, h));
            c.recorder.pop_matrix();
            c.list = Some(c.recorder.freeze());
            c.revision = revision;
            c.theme = look;
            c.drawn += 1;
            if c.recorder.refused() > 0 {
                let (warnings, refused) = (c.recorder.warnings().to_vec(), c.recorder.refused());
                ui.report_refused(&warnings, refused);
            }
        }
        Self { ui, node }
    }
}

struct Look(Theme);

impl Look {
    fn hash(&self) -> u64 {
        let t = self.0;
        u64::from(t.dark) | (t.accent as u64) << 1 | u64::from(t.reduced_motion) << 8
    }
}

/// What tells one drawing of a canvas from another.
pub trait Revision {
    /// A number that changes with the drawing.
    fn number(self) -> u64;
}

macro_rules! revisions {
    ($($ty:ty => |$v:ident| $e:expr),* $(,)?) => {
        $(impl Revision for $ty {
            fn number(self) -> u64 {
                let $v = self;
                $e
            }
        })*
    };
}

revisions! {
    u64 => |v| v,
    u32 => |v| u64::from(v),
    usize => |v| v as u64,
    bool => |v| u64::from(v),
    f32 => |v| u64::from(v.to_bits()),
    f64 => |v| v.to_bits(),
    () => |_v| 0,
}

impl<A: Revision, B: Revision> Revision for (A, B) {
    fn number(self) -> u64 {
        crate::Key(self.0.number()).child(self.1.number()).0
    }
}

impl<A: Revision, B: Revision, C: Revision> Revision for (A, B, C) {
    fn number(self) -> u64 {
        (self.0, (self.1, self.2)).number()
    }
}
