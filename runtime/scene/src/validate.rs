//! The one validator. The recorder asks it for each command, the loader for a whole list; a
//! renderer sees only what passed, and needs no check of its own.

use crate::command::{Arenas, ClipShape, Op, Span};
use crate::{GradientShape, IRect, Matrix, PaintRef, PathRef, Point, Radii, Rect, Stop, limits};

/// Why a command is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Invalid {
    /// A coordinate or size is NaN or infinite.
    #[error("a coordinate is not a finite number")]
    NotFinite,
    /// A coordinate is beyond [`limits::COORDINATE`].
    #[error("a coordinate is beyond ±{}", limits::COORDINATE)]
    TooFar,
    /// A matrix is not finite or beyond the limit.
    #[error("the matrix is not finite, or an entry is beyond ±{}", limits::COORDINATE)]
    Matrix,
    /// A gradient has no stop, too many, or an offset outside 0..=1.
    #[error("a gradient needs 1 to {} stops with offsets in 0..=1", limits::STOPS)]
    Stops,
    /// A dash pattern is too long, negative or all zero.
    #[error("a dash pattern needs up to {} lengths, none negative, not all zero", limits::DASHES)]
    Dashes,
    /// Blur outside 0..=[`limits::SIGMA`].
    #[error("the blur (sigma) is outside 0..={}", limits::SIGMA)]
    Sigma,
    /// Text size outside the limit.
    #[error("the text size is outside 0..={} pixels per em", limits::FONT_SIZE)]
    FontSize,
    /// The points of a path do not match its steps, or it does not start with a move.
    #[error("a path's points do not match its steps")]
    Path,
    /// An index points outside its arena.
    #[error("an index points outside its table")]
    Index,
    /// A pop without its push.
    #[error("a clip or layer ends that was never begun")]
    UnbalancedPop,
    /// A push without its pop.
    #[error("a clip or layer is never ended")]
    UnbalancedPush,
    /// Too many clips and layers are open.
    #[error(
        "more than {} clips and layers, or {} layers, are open at once",
        limits::NESTING,
        limits::LAYERS
    )]
    Nesting,
    /// The list is full.
    #[error(
        "a list holds at most {} commands and {} elements of a kind",
        limits::COMMANDS,
        limits::ARENA
    )]
    Full,
    /// The surface has no pixel or too many.
    #[error("a surface has 1 to {} pixels a side", limits::SURFACE_SIDE)]
    Surface,
}

/// What a valid command does to a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It may change pixels, or the state of later commands.
    Draws,
    /// It is well formed but has nothing to draw (an empty box, no width): leave it out.
    Nothing,
}

fn number(v: f32) -> Result<(), Invalid> {
    if !v.is_finite() {
        return Err(Invalid::NotFinite);
    }
    if v.abs() > limits::COORDINATE { Err(Invalid::TooFar) } else { Ok(()) }
}

fn point(p: Point) -> Result<(), Invalid> {
    number(p.x)?;
    number(p.y)
}

fn rect(r: Rect) -> Result<Effect, Invalid> {
    for v in [r.x, r.y, r.w, r.h, r.right(), r.bottom()] {
        number(v)?;
    }
    Ok(if r.is_empty() { Effect::Nothing } else { Effect::Draws })
}

fn radii(r: Radii) -> Result<(), Invalid> {
    r.0.iter().try_for_each(|v| number(*v))
}

fn span(s: Span, len: usize) -> Result<(), Invalid> {
    (s.start as usize)
        .checked_add(s.len as usize)
        .filter(|e| *e <= len)
        .map(|_| ())
        .ok_or(Invalid::Index)
}

fn paint(p: PaintRef, a: &Arenas) -> Result<(), Invalid> {
    let PaintRef::Gradient(i) = p else { return Ok(()) };
    let g = a.gradients.get(i as usize).ok_or(Invalid::Index)?;
    span(g.stops, a.stops.len())?;
    stops(&a.stops[g.stops.range()])?;
    gradient_shape(g.shape)
}

pub(crate) fn stops(s: &[Stop]) -> Result<(), Invalid> {
    let n = 1..=limits::STOPS;
    let ok = n.contains(&s.len()) && s.iter().all(|s| (0.0..=1.0).contains(&s.offset));
    if ok { Ok(()) } else { Err(Invalid::Stops) }
}

fn gradient_shape(g: GradientShape) -> Result<(), Invalid> {
    match g {
        GradientShape::Linear { from, to } => {
            point(from)?;
            point(to)
        }
        GradientShape::Radial { center, radius } => {
            point(center)?;
            number(radius)
        }
        GradientShape::Sweep { center, start } => {
            point(center)?;
            number(start)
        }
    }
}

fn path(p: PathRef, a: &Arenas) -> Result<Effect, Invalid> {
    match p {
        PathRef::Inline { verbs, points } => {
            span(verbs, a.verbs.len())?;
            span(points, a.points.len())?;
            path_parts(&a.verbs[verbs.range()], &a.points[points.range()])
        }
        PathRef::Shared(i) => {
            let p = a.paths.get(i as usize).ok_or(Invalid::Index)?.view();
            path_parts(p.verbs, p.points)
        }
    }
}

fn path_parts(verbs: &[crate::Verb], points: &[Point]) -> Result<Effect, Invalid> {
    let need: usize = verbs.iter().map(|v| v.points()).sum();
    if need != points.len() || verbs.first().is_some_and(|v| *v != crate::Verb::Move) {
        return Err(Invalid::Path);
    }
    points.iter().try_for_each(|p| point(*p))?;
    Ok(if verbs.len() < 2 { Effect::Nothing } else { Effect::Draws })
}

/// Checks a matrix.
pub fn matrix(m: Matrix) -> Result<(), Invalid> {
    let ok = m.to_array().iter().all(|v| v.is_finite() && v.abs() <= limits::COORDINATE);
    if ok { Ok(()) } else { Err(Invalid::Matrix) }
}

/// Checks a surface size.
pub fn surface(width: u32, height: u32) -> Result<IRect, Invalid> {
    let side = 1..=limits::SURFACE_SIDE;
    if side.contains(&width) && side.contains(&height) {
        Ok(IRect::of_size(width, height))
    } else {
        Err(Invalid::Surface)
    }
}

/// Checks one command against its arenas. Balance is checked by [`Balance`].
pub fn command(op: &Op, a: &Arenas) -> Result<Effect, Invalid> {
    match *op {
        Op::Clear { .. } | Op::PopClip | Op::PopLayer | Op::PushLayer { .. } => Ok(Effect::Draws),
        Op::Rect { rect: r, radii: c, paint: p } => {
            radii(c)?;
            paint(p, a)?;
            rect(r)
        }
        Op::Border { rect: r, radii: c, width, paint: p } => {
            radii(c)?;
            number(width)?;
            paint(p, a)?;
            let e = rect(r)?;
            Ok(if width > 0.0 { e } else { Effect::Nothing })
        }
        Op::Shadow { rect: r, radii: c, offset, spread, sigma, color, .. } => {
            radii(c)?;
            point(offset)?;
            number(spread)?;
            number(sigma)?;
            if !(0.0..=limits::SIGMA).contains(&sigma) {
                return Err(Invalid::Sigma);
            }
            let e = rect(r)?;
            Ok(if color.a == 0 { Effect::Nothing } else { e })
        }
        Op::Path { path: p, paint: fill, .. } => {
            paint(fill, a)?;
            path(p, a)
        }
        Op::Stroke { path: p, stroke, paint: fill } => {
            paint(fill, a)?;
            let s = a.strokes.get(stroke as usize).ok_or(Invalid::Index)?;
            for v in [s.width, s.miter_limit, s.dash_offset] {
                number(v)?;
            }
            span(s.dashes, a.dashes.len())?;
            dashes(&a.dashes[s.dashes.range()])?;
            let e = path(p, a)?;
            Ok(if s.width > 0.0 { e } else { Effect::Nothing })
        }
        Op::GlyphRun { font, size, origin, glyphs, paint: fill } => {
            if font as usize >= a.fonts.len() {
                return Err(Invalid::Index);
            }
            if size as f32 / 64.0 > limits::FONT_SIZE {
                return Err(Invalid::FontSize);
            }
            paint(fill, a)?;
            point(origin)?;
            span(glyphs, a.glyphs.len())?;
            let run = &a.glyphs[glyphs.range()];
            run.iter().try_for_each(|g| point(Point::new(g.x, g.y)))?;
            Ok(if run.is_empty() || size == 0 { Effect::Nothing } else { Effect::Draws })
        }
        Op::Image { image, src, dst, radii: c, opacity, .. } => {
            if image as usize >= a.images.len() {
                return Err(Invalid::Index);
            }
            radii(c)?;
            let s = rect(src)?;
            let d = rect(dst)?;
            let nothing = s == Effect::Nothing || d == Effect::Nothing || opacity == 0;
            Ok(if nothing { Effect::Nothing } else { Effect::Draws })
        }
        Op::Picture { dst, radii: c, opacity, .. } => {
            radii(c)?;
            let d = rect(dst)?;
            Ok(if opacity == 0 { Effect::Nothing } else { d })
        }
        // An empty clip is no nothing: it hides all that it holds.
        Op::PushClip { shape } => match shape {
            ClipShape::Rect { rect: r, radii: c } => {
                radii(c)?;
                rect(r).map(|_| Effect::Draws)
            }
            ClipShape::Path { path: p, .. } => path(p, a).map(|_| Effect::Draws),
        },
    }
}

pub(crate) fn dashes(d: &[f32]) -> Result<(), Invalid> {
    if d.is_empty() {
        return Ok(());
    }
    let legal = d.iter().all(|v| (0.0..=limits::COORDINATE).contains(v));
    let some = d.iter().any(|v| *v > 0.0);
    if d.len() <= limits::DASHES && legal && some { Ok(()) } else { Err(Invalid::Dashes) }
}

/// What is open, innermost last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// A clip.
    Clip,
    /// A layer.
    Layer,
}

/// Checks that clips and layers nest.
#[derive(Clone, Debug, Default)]
pub struct Balance {
    open: Vec<Open>,
    layers: usize,
}

impl Balance {
    /// Forgets all.
    pub fn reset(&mut self) {
        self.open.clear();
        self.layers = 0;
    }
    /// Takes note of a command.
    pub fn feed(&mut self, op: &Op) -> Result<(), Invalid> {
        match op {
            Op::PushClip { .. } => self.push(Open::Clip),
            Op::PushLayer { .. } => self.push(Open::Layer),
            Op::PopClip => self.pop(Open::Clip),
            Op::PopLayer => self.pop(Open::Layer),
            _ => Ok(()),
        }
    }
    fn push(&mut self, what: Open) -> Result<(), Invalid> {
        let layer = (what == Open::Layer) as usize;
        if self.open.len() == limits::NESTING || self.layers + layer > limits::LAYERS {
            return Err(Invalid::Nesting);
        }
        self.layers += layer;
        self.open.push(what);
        Ok(())
    }
    fn pop(&mut self, what: Open) -> Result<(), Invalid> {
        if self.open.last() != Some(&what) {
            return Err(Invalid::UnbalancedPop);
        }
        self.layers -= (what == Open::Layer) as usize;
        self.open.pop();
        Ok(())
    }
    /// Commands that hold whole clips and layers fit in here. Their own depth is not known
    /// without a walk: the deepest that they may have is one level per two commands.
    pub(crate) fn has_room_for(&self, commands: &[crate::Command]) -> bool {
        let room = (limits::NESTING - self.open.len()).min(limits::LAYERS - self.layers);
        if commands.len() / 2 <= room {
            return true;
        }
        let (mut open, mut layers, mut most) = (0usize, 0usize, (0, 0));
        for c in commands {
            match c.op {
                Op::PushClip { .. } => open += 1,
                Op::PushLayer { .. } => (open, layers) = (open + 1, layers + 1),
                Op::PopClip => open = open.saturating_sub(1),
                Op::PopLayer => {
                    (open, layers) = (open.saturating_sub(1), layers.saturating_sub(1));
                }
                _ => continue,
            }
            most = (most.0.max(open), most.1.max(layers));
        }
        self.open.len() + most.0 <= limits::NESTING && self.layers + most.1 <= limits::LAYERS
    }
    /// What must be ended next.
    pub fn innermost(&self) -> Option<Open> {
        self.open.last().copied()
    }
}
