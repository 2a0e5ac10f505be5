//! The recorder: a frame is declared through it, then frozen. It keeps the memory of lists that
//! nobody holds any more, so that a steady frame allocates nothing.

use crate::command::{ClipShape, Command, Op, Span};
use crate::copy::Remap;
use crate::seal::{Sealer, Surroundings};
use crate::validate::{self, Balance, Effect, Invalid, Open};
use crate::{
    BlendMode, Color, CommandList, FillRule, Filter, Glyph, GlyphSource, Gradient, IRect, Image,
    Matrix, Paint, PaintRef, Path, PathRef, PictureId, Point, Radii, Rect, SharedPath, Stroke,
    StrokeStyle, hash, limits,
};
use std::sync::Arc;

/// A refused command: what it was and why. The frame goes on without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{what} left out: {why}")]
pub struct Warning {
    /// Kind of command.
    pub what: &'static str,
    /// The reason.
    pub why: Invalid,
}

/// Warnings kept per frame; more are only counted.
const WARNINGS: usize = 16;
/// Retired lists kept for their memory: current, previous, one being drawn, one spare.
const SPARES: usize = 4;

/// Records one frame at a time.
#[derive(Debug)]
pub struct Recorder {
    pub(crate) list: CommandList,
    spares: Vec<Arc<CommandList>>,
    pub(crate) matrix: Matrix,
    pub(crate) matrix_index: Option<u32>,
    matrices: Vec<Matrix>,
    pub(crate) balance: Balance,
    pub(crate) sealer: Sealer,
    /// Clips and layers begun beyond the limit, and not ended yet.
    pub(crate) lost: usize,
    pub(crate) remap: Remap,
    path: Path,
    warnings: Vec<Warning>,
    refused: usize,
}

impl Default for Recorder {
    fn default() -> Self {
        Self::new()
    }
}

impl Recorder {
    /// A recorder without a frame; call [`Recorder::begin`].
    pub fn new() -> Self {
        Self {
            list: CommandList::empty(),
            spares: Vec::new(),
            matrix: Matrix::IDENTITY,
            matrix_index: None,
            matrices: Vec::new(),
            balance: Balance::default(),
            sealer: Sealer::default(),
            lost: 0,
            remap: Remap::default(),
            path: Path::new(),
            warnings: Vec::new(),
            refused: 0,
        }
    }

    /// Starts a frame for a surface of this size, throwing away what was recorded and not frozen.
    ///
    /// # Errors
    /// [`Invalid::Surface`] when a side is 0 or over [`limits::SURFACE_SIDE`].
    pub fn begin(&mut self, width: u32, height: u32) -> Result<(), Invalid> {
        validate::surface(width, height)?;
        let list = &mut self.list;
        list.width = width;
        list.height = height;
        list.commands.clear();
        list.arenas.clear();
        list.arenas.matrices.push(Matrix::IDENTITY);
        self.matrix = Matrix::IDENTITY;
        self.matrix_index = Some(0);
        self.matrices.clear();
        self.balance.reset();
        self.sealer.begin(IRect::of_size(width, height));
        self.lost = 0;
        self.remap.clear();
        self.warnings.clear();
        self.refused = 0;
        Ok(())
    }

    /// Ends the frame: clips and layers still open are ended (with a warning), bounds and hashes
    /// are computed, and the list never changes again.
    pub fn freeze(&mut self) -> Arc<CommandList> {
        while let Some(open) = self.balance.innermost() {
            let (op, what) = match open {
                Open::Clip => (Op::PopClip, "push clip"),
                Open::Layer => (Op::PopLayer, "push layer"),
            };
            self.warn(what, Invalid::UnbalancedPush);
            self.push(op);
        }
        self.list.id = crate::list::next_id();
        let mut spare = match self.spares.iter_mut().position(|l| Arc::get_mut(l).is_some()) {
            Some(i) => self.spares.swap_remove(i),
            None => Arc::new(CommandList::empty()),
        };
        if let Some(inner) = Arc::get_mut(&mut spare) {
            core::mem::swap(inner, &mut self.list);
        }
        if self.spares.len() == SPARES {
            self.spares.remove(0);
        }
        self.spares.push(spare.clone());
        spare
    }

    /// The surface of the frame.
    pub fn surface(&self) -> IRect {
        self.list.surface()
    }
    /// Commands recorded so far.
    pub fn command_count(&self) -> usize {
        self.list.commands.len()
    }
    /// Commands refused in this frame, the first few.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
    /// How many were refused in this frame.
    pub fn refused(&self) -> usize {
        self.refused
    }
    /// The matrix in force.
    pub fn matrix(&self) -> Matrix {
        self.matrix
    }
    /// What decides, besides themselves, how the next commands come out.
    pub fn surroundings(&self) -> Surroundings {
        Surroundings { matrix: self.matrix, around: self.sealer.around() }
    }

    pub(crate) fn warn(&mut self, what: &'static str, why: Invalid) {
        self.refused += 1;
        let w = Warning { what, why };
        if self.warnings.len() < WARNINGS && !self.warnings.contains(&w) {
            self.warnings.push(w);
        }
    }

    /// Pushes `m` (inner coordinates to the current ones) until [`Recorder::pop_matrix`].
    pub fn push_matrix(&mut self, m: Matrix) {
        self.matrices.push(self.matrix);
        self.matrix = self.matrix.then_inner(m);
        self.matrix_index = None;
    }
    /// Takes back the last pushed matrix; without one, nothing happens.
    pub fn pop_matrix(&mut self) {
        if let Some(m) = self.matrices.pop() {
            self.matrix_index = if m == self.matrix { self.matrix_index } else { None };
            self.matrix = m;
        }
    }
    /// Runs `f` under `m`.
    pub fn with_matrix<R>(&mut self, m: Matrix, f: impl FnOnce(&mut Self) -> R) -> R {
        self.push_matrix(m);
        let r = f(self);
        self.pop_matrix();
        r
    }

    fn matrix_index(&mut self) -> Result<u32, Invalid> {
        if let Some(i) = self.matrix_index {
            return Ok(i);
        }
        validate::matrix(self.matrix)?;
        let all = &mut self.list.arenas.matrices;
        // A pop usually returns to a matrix of a moment ago.
        let recent = all.len().saturating_sub(8);
        let i = match all[recent..].iter().rposition(|m| *m == self.matrix) {
            Some(i) => recent + i,
            None if all.len() >= limits::ARENA => return Err(Invalid::Full),
            None => {
                all.push(self.matrix);
                all.len() - 1
            }
        };
        self.matrix_index = Some(i as u32);
        Ok(i as u32)
    }

    /// Records a command whose arena parts are in place. Refused commands leave a warning.
    pub(crate) fn push(&mut self, op: Op) {
        if let Err(why) = self.try_push(op) {
            self.warn(op.name(), why);
        }
    }

    fn try_push(&mut self, op: Op) -> Result<(), Invalid> {
        if self.lost > 0 && self.is_lost(&op) {
            return Ok(());
        }
        if !matches!(op, Op::PopClip | Op::PopLayer) {
            self.room(&op)?;
        }
        let a = &self.list.arenas;
        if validate::command(&op, a)? == Effect::Nothing {
            return Ok(());
        }
        let own_hash = hash::op(&op, &self.list.arenas);
        self.place(op, own_hash)
    }

    /// A full list refuses all but the ends of what is open: it keeps room for those.
    fn room(&mut self, op: &Op) -> Result<(), Invalid> {
        let a = &self.list.arenas;
        let arenas = [a.points.len(), a.glyphs.len(), a.verbs.len(), a.stops.len()];
        let commands = self.list.commands.len() >= limits::COMMANDS - limits::NESTING;
        if commands || arenas.iter().any(|n| *n > limits::ARENA) {
            if matches!(op, Op::PushClip { .. } | Op::PushLayer { .. }) {
                self.lost = 1;
            }
            return Err(Invalid::Full);
        }
        Ok(())
    }

    /// Records a command that a list holds already, so that it needs no check of its own.
    pub(crate) fn push_checked(&mut self, op: Op, own_hash: u64) {
        if self.lost > 0 && self.is_lost(&op) {
            return;
        }
        let ends = matches!(op, Op::PopClip | Op::PopLayer);
        let room = if ends { Ok(()) } else { self.room(&op) };
        let placed = room.and_then(|()| self.place(op, own_hash));
        if let Err(why) = placed {
            self.warn(op.name(), why);
        }
    }

    /// Puts a checked command under the matrix in force.
    fn place(&mut self, op: Op, own_hash: u64) -> Result<(), Invalid> {
        self.nest(&op)?;
        let matrix = match self.matrix_index() {
            Ok(i) => i,
            // A clip or layer under a bad matrix must still nest: it keeps the identity, and
            // hides nothing that its (also refused) content would have shown.
            Err(e) if matches!(op, Op::PushClip { .. } | Op::PushLayer { .. }) => {
                self.warn(op.name(), e);
                0
            }
            Err(_) if matches!(op, Op::PopClip | Op::PopLayer) => 0,
            Err(e) => return Err(e),
        };
        self.list.commands.push(Command { op, matrix, bounds: IRect::EMPTY, own_hash, hash: 0 });
        self.sealer.last(&mut self.list.commands, &self.list.arenas);
        Ok(())
    }

    /// A clip or layer beyond the limit is left out, and so are all in it, and their ends.
    pub(crate) fn nest(&mut self, op: &Op) -> Result<(), Invalid> {
        let nested = self.balance.feed(op);
        if nested == Err(Invalid::Nesting) {
            self.lost = 1;
        }
        nested
    }

    /// The command begins or ends what stands within a clip or layer that was left out.
    fn is_lost(&mut self, op: &Op) -> bool {
        match op {
            Op::PushClip { .. } | Op::PushLayer { .. } => self.lost += 1,
            Op::PopClip | Op::PopLayer => self.lost -= 1,
            _ => return false,
        }
        true
    }

    fn paint(&mut self, p: Paint<'_>) -> Result<PaintRef, Invalid> {
        match p {
            Paint::Solid(c) => Ok(PaintRef::Solid(c)),
            Paint::Gradient { shape, stops, spread } => {
                validate::stops(stops)?;
                let a = &mut self.list.arenas;
                let span = extend(&mut a.stops, stops);
                a.gradients.push(Gradient { shape, spread, stops: span });
                Ok(PaintRef::Gradient(a.gradients.len() as u32 - 1))
            }
        }
    }

    fn record(&mut self, what: &'static str, p: Paint<'_>, op: impl FnOnce(PaintRef) -> Op) {
        // Nothing to see: also the way to record "no fill" without an `if`.
        if matches!(p, Paint::Solid(c) if c.a == 0) {
            return;
        }
        match self.paint(p) {
            Ok(p) => self.push(op(p)),
            Err(e) => self.warn(what, e),
        }
    }

    /// Replaces every pixel of the clip by `color`.
    pub fn clear(&mut self, color: Color) {
        self.push(Op::Clear { color });
    }
    /// A box: give it radii, then fill, border or shadow it.
    #[must_use = "a box draws nothing until it is filled"]
    pub fn rect(&mut self, x: f32, y: f32, w: f32, h: f32) -> RectDraw<'_> {
        RectDraw { r: self, rect: Rect::new(x, y, w, h), radii: Radii::ZERO }
    }
    /// A path built on the spot: give it a rule, then fill or stroke it.
    #[must_use = "a path draws nothing until it is filled or stroked"]
    pub fn path(&mut self, build: impl FnOnce(&mut Path)) -> PathDraw<'_> {
        let mut path = core::mem::take(&mut self.path);
        path.clear();
        build(&mut path);
        let v = path.view();
        let a = &mut self.list.arenas;
        let r = PathRef::Inline {
            verbs: extend(&mut a.verbs, v.verbs),
            points: extend(&mut a.points, v.points),
        };
        self.path = path;
        PathDraw { r: self, path: r, rule: FillRule::NonZero }
    }
    /// A shared path: give it a rule, then fill or stroke it.
    #[must_use = "a path draws nothing until it is filled or stroked"]
    pub fn shared_path(&mut self, path: &Arc<SharedPath>) -> PathDraw<'_> {
        let i = handle(&mut self.list.arenas.paths, path);
        PathDraw { r: self, path: PathRef::Shared(i), rule: FillRule::NonZero }
    }
    /// A circle: fill or stroke it.
    #[must_use = "a path draws nothing until it is filled or stroked"]
    pub fn circle(&mut self, center: Point, radius: f32) -> PathDraw<'_> {
        self.path(|p| {
            p.circle(center, radius);
        })
    }
    /// A straight stroke with round ends.
    pub fn line<'p>(&mut self, from: Point, to: Point, width: f32, paint: impl Into<Paint<'p>>) {
        self.path(|p| {
            p.move_to(from.x, from.y).line_to(to.x, to.y);
        })
        .stroke(StrokeStyle::new(width), paint);
    }
    /// Glyphs of a font at `size` pixels per em; positions are relative to `origin`.
    pub fn glyphs<'p>(
        &mut self,
        font: &Arc<dyn GlyphSource>,
        size: f32,
        origin: Point,
        glyphs: &[Glyph],
        paint: impl Into<Paint<'p>>,
    ) {
        let legal = (0.0..=limits::FONT_SIZE).contains(&size);
        if !legal {
            return self.warn("glyph run", Invalid::FontSize);
        }
        let a = &mut self.list.arenas;
        let same = |f: &Arc<dyn GlyphSource>| Arc::ptr_eq(f, font);
        let font = match a.fonts.iter().rposition(same) {
            Some(i) => i,
            None => {
                a.fonts.push(font.clone());
                a.fonts.len() - 1
            }
        } as u32;
        let glyphs = extend(&mut a.glyphs, glyphs);
        let size = (size * 64.0 + 0.5) as u32;
        self.record("glyph run", paint.into(), |paint| Op::GlyphRun {
            font,
            size,
            origin,
            glyphs,
            paint,
        });
    }
    /// An image scaled into a box: change what you like, then `draw` it.
    #[must_use = "an image is drawn by `draw`"]
    pub fn image(&mut self, image: &Arc<Image>, dst: Rect) -> ImageDraw<'_> {
        let src = Rect::new(0.0, 0.0, image.width() as f32, image.height() as f32);
        let image = handle(&mut self.list.arenas.images, image);
        ImageDraw {
            r: self,
            image,
            src,
            dst,
            radii: Radii::ZERO,
            filter: Filter::Smooth,
            opacity: 1.0,
            tint: None,
        }
    }
    /// A film in a box.
    pub fn picture(&mut self, source: PictureId, dst: Rect, radii: Radii, opacity: f32) {
        self.push(Op::Picture { source, dst, radii, opacity: unit_byte(opacity) });
    }
    /// Narrows what follows to a box until [`Recorder::pop_clip`].
    pub fn push_clip(&mut self, rect: Rect, radii: impl Into<Radii>) {
        let shape = ClipShape::Rect { rect, radii: radii.into() };
        self.push_scope(Op::PushClip { shape });
    }
    /// Narrows what follows to a path until [`Recorder::pop_clip`].
    pub fn push_clip_path(&mut self, rule: FillRule, build: impl FnOnce(&mut Path)) {
        let d = self.path(build);
        let (path, r) = (d.path, d.r);
        r.push_scope(Op::PushClip { shape: ClipShape::Path { path, rule } });
    }
    /// A refused clip still nests: it becomes an empty one, which hides its content.
    fn push_scope(&mut self, op: Op) {
        if let Err(why) = self.try_push(op) {
            self.warn(op.name(), why);
            if why != Invalid::Nesting && why != Invalid::Full {
                let shape = ClipShape::Rect { rect: Rect::default(), radii: Radii::ZERO };
                self.push(Op::PushClip { shape });
            }
        }
    }
    /// Ends the innermost clip.
    pub fn pop_clip(&mut self) {
        self.push(Op::PopClip);
    }
    /// Draws what `f` records within a box.
    pub fn with_clip<R>(
        &mut self,
        rect: Rect,
        radii: impl Into<Radii>,
        f: impl FnOnce(&mut Self) -> R,
    ) -> R {
        self.push_clip(rect, radii);
        let r = f(self);
        self.pop_clip();
        r
    }
    /// Draws what follows apart until [`Recorder::pop_layer`], then blends it at once.
    pub fn push_layer(&mut self, opacity: f32, blend: BlendMode) {
        self.push(Op::PushLayer { opacity: unit_byte(opacity), blend });
    }
    /// Ends the innermost layer.
    pub fn pop_layer(&mut self) {
        self.push(Op::PopLayer);
    }
}

/// 0..=1 to 0..=255; NaN is 0.
fn unit_byte(v: f32) -> u8 {
    (v.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

pub(crate) fn extend<T: Copy>(to: &mut Vec<T>, from: &[T]) -> Span {
    let start = to.len() as u32;
    to.extend_from_slice(from);
    Span { start, len: from.len() as u32 }
}

/// Index of a shared handle; recent ones are found again, older ones stand twice.
fn handle<T>(all: &mut Vec<Arc<T>>, one: &Arc<T>) -> u32 {
    let recent = all.len().saturating_sub(16);
    match all[recent..].iter().rposition(|x| Arc::ptr_eq(x, one)) {
        Some(i) => (recent + i) as u32,
        None => {
            all.push(one.clone());
            all.len() as u32 - 1
        }
    }
}

/// A box on its way into the list.
#[derive(Debug)]
pub struct RectDraw<'a> {
    r: &'a mut Recorder,
    rect: Rect,
    radii: Radii,
}

impl RectDraw<'_> {
    /// Round corners: one radius, or four.
    pub fn radius(mut self, r: impl Into<Radii>) -> Self {
        self.radii = r.into();
        self
    }
    /// Fills it.
    pub fn fill<'p>(self, paint: impl Into<Paint<'p>>) -> Self {
        let (rect, radii) = (self.rect, self.radii);
        self.r.record("rect", paint.into(), |paint| Op::Rect { rect, radii, paint });
        self
    }
    /// Frames it: `width` pixels inwards from its edge.
    pub fn border<'p>(self, width: f32, paint: impl Into<Paint<'p>>) -> Self {
        let (rect, radii) = (self.rect, self.radii);
        self.r.record("border", paint.into(), |paint| Op::Border { rect, radii, width, paint });
        self
    }
    /// Draws its shadow (call it before `fill`): `blur` as in CSS, twice the standard deviation.
    pub fn shadow(self, dx: f32, dy: f32, blur: f32, spread: f32, color: Color) -> Self {
        self.cast(Point::new(dx, dy), blur, spread, color, false)
    }
    /// Draws a shadow that falls into it (call it after `fill`).
    pub fn inset_shadow(self, dx: f32, dy: f32, blur: f32, spread: f32, color: Color) -> Self {
        self.cast(Point::new(dx, dy), blur, spread, color, true)
    }
    fn cast(self, offset: Point, blur: f32, spread: f32, color: Color, inset: bool) -> Self {
        let (rect, radii, sigma) = (self.rect, self.radii, blur * 0.5);
        self.r.push(Op::Shadow { rect, radii, offset, spread, sigma, color, inset });
        self
    }
}

/// A path on its way into the list.
#[derive(Debug)]
pub struct PathDraw<'a> {
    r: &'a mut Recorder,
    path: PathRef,
    rule: FillRule,
}

impl PathDraw<'_> {
    /// Which parts are inside.
    pub fn rule(mut self, rule: FillRule) -> Self {
        self.rule = rule;
        self
    }
    /// Fills it.
    pub fn fill<'p>(self, paint: impl Into<Paint<'p>>) -> Self {
        let (path, rule) = (self.path, self.rule);
        self.r.record("path", paint.into(), |paint| Op::Path { path, rule, paint });
        self
    }
    /// Strokes it.
    pub fn stroke<'p>(self, style: StrokeStyle<'_>, paint: impl Into<Paint<'p>>) -> Self {
        if let Err(e) = validate::dashes(style.dashes) {
            self.r.warn("stroke", e);
            return self;
        }
        let a = &mut self.r.list.arenas;
        let dashes = extend(&mut a.dashes, style.dashes);
        a.strokes.push(Stroke {
            width: style.width,
            join: style.join,
            cap: style.cap,
            miter_limit: style.miter_limit,
            dashes,
            dash_offset: style.dash_offset,
        });
        let (path, stroke) = (self.path, a.strokes.len() as u32 - 1);
        self.r.record("stroke", paint.into(), |paint| Op::Stroke { path, stroke, paint });
        self
    }
}

/// An image on its way into the list.
#[derive(Debug)]
pub struct ImageDraw<'a> {
    r: &'a mut Recorder,
    image: u32,
    src: Rect,
    dst: Rect,
    radii: Radii,
    filter: Filter,
    opacity: f32,
    tint: Option<Color>,
}

impl ImageDraw<'_> {
    /// Only this part, in image pixels.
    pub fn src(mut self, src: Rect) -> Self {
        self.src = src;
        self
    }
    /// Round corners of the destination.
    pub fn radius(mut self, r: impl Into<Radii>) -> Self {
        self.radii = r.into();
        self
    }
    /// How it is sampled.
    pub fn filter(mut self, filter: Filter) -> Self {
        self.filter = filter;
        self
    }
    /// 0..=1.
    pub fn opacity(mut self, opacity: f32) -> Self {
        self.opacity = opacity;
        self
    }
    /// Replaces its colour, keeps its alpha.
    pub fn tint(mut self, color: Color) -> Self {
        self.tint = Some(color);
        self
    }
    /// Records it.
    pub fn draw(self) {
        let Self { r, image, src, dst, radii, filter, opacity, tint } = self;
        let opacity = unit_byte(opacity);
        r.push(Op::Image { image, src, dst, radii, filter, opacity, tint });
    }
}
