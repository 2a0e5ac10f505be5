//! Paths: verbs and points in two arrays. An inline path lives in the list's arenas; a shared
//! one is a handle whose content was hashed once, when it was built.

use crate::{Matrix, Point, Radii, Rect, math};
use serde::{Deserialize, Serialize};

/// One step of a path; the number says how many points it consumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Verb {
    /// Starts a contour (1 point).
    Move,
    /// A straight line (1 point).
    Line,
    /// A quadratic curve (2 points).
    Quad,
    /// A cubic curve (3 points).
    Cubic,
    /// Back to the contour's start (0 points).
    Close,
}

impl Verb {
    /// Points it consumes.
    pub const fn points(self) -> usize {
        match self {
            Verb::Move | Verb::Line => 1,
            Verb::Quad => 2,
            Verb::Cubic => 3,
            Verb::Close => 0,
        }
    }
}

/// Which parts of a path are inside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FillRule {
    /// Where the winding number is not zero.
    #[default]
    NonZero,
    /// Where it is odd.
    EvenOdd,
}

/// A borrowed path.
#[derive(Clone, Copy, Debug)]
pub struct PathView<'a> {
    /// The steps.
    pub verbs: &'a [Verb],
    /// Their points, in order.
    pub points: &'a [Point],
}

/// One step with its points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// Starts a contour.
    Move(Point),
    /// To a point.
    Line(Point),
    /// Control, end.
    Quad(Point, Point),
    /// Control, control, end.
    Cubic(Point, Point, Point),
    /// Closes the contour.
    Close,
}

impl<'a> PathView<'a> {
    /// The steps in order; stops where points are missing (a validated path misses none).
    pub fn segments(self) -> impl Iterator<Item = Segment> + 'a {
        let mut at = 0;
        let Self { verbs, points } = self;
        verbs.iter().map_while(move |v| {
            let p = points.get(at..at + v.points())?;
            at += v.points();
            Some(match v {
                Verb::Move => Segment::Move(p[0]),
                Verb::Line => Segment::Line(p[0]),
                Verb::Quad => Segment::Quad(p[0], p[1]),
                Verb::Cubic => Segment::Cubic(p[0], p[1], p[2]),
                Verb::Close => Segment::Close,
            })
        })
    }
    /// The box around all points (control points included).
    pub fn bounds(self) -> Rect {
        let mut it = self.points.iter();
        let Some(p) = it.next() else { return Rect::default() };
        let (mut l, mut t, mut r, mut b) = (p.x, p.y, p.x, p.y);
        for p in it {
            l = l.min(p.x);
            t = t.min(p.y);
            r = r.max(p.x);
            b = b.max(p.y);
        }
        Rect::from_ltrb(l, t, r, b)
    }
}

/// A path that owns its points. Build one per frame for a shape that changes, or once into an
/// `Arc` for a shape that stays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    verbs: Vec<Verb>,
    points: Vec<Point>,
}

/// Distance of a cubic's control points for a quarter circle of radius 1: 4/3 (sqrt 2 - 1).
pub const KAPPA: f32 = 0.552_284_8;

impl Path {
    /// An empty path.
    pub const fn new() -> Self {
        Self { verbs: Vec::new(), points: Vec::new() }
    }
    /// Forgets the steps, keeps the memory.
    pub fn clear(&mut self) {
        self.verbs.clear();
        self.points.clear();
    }
    /// Has no step.
    pub fn is_empty(&self) -> bool {
        self.verbs.is_empty()
    }
    /// Borrowed.
    pub fn view(&self) -> PathView<'_> {
        PathView { verbs: &self.verbs, points: &self.points }
    }
    /// The box around all points.
    pub fn bounds(&self) -> Rect {
        self.view().bounds()
    }
    /// From parts; `None` when the points do not match the verbs or the first step is no `Move`.
    pub fn from_parts(verbs: Vec<Verb>, points: Vec<Point>) -> Option<Self> {
        let need: usize = verbs.iter().map(|v| v.points()).sum();
        let starts = verbs.first().is_none_or(|v| *v == Verb::Move);
        (need == points.len() && starts).then_some(Self { verbs, points })
    }

    /// Starts a contour.
    pub fn move_to(&mut self, x: f32, y: f32) -> &mut Self {
        self.push(Verb::Move, &[Point::new(x, y)])
    }
    /// A straight line.
    pub fn line_to(&mut self, x: f32, y: f32) -> &mut Self {
        self.push(Verb::Line, &[Point::new(x, y)])
    }
    /// A quadratic curve by control and end.
    pub fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) -> &mut Self {
        self.push(Verb::Quad, &[Point::new(cx, cy), Point::new(x, y)])
    }
    /// A cubic curve by two controls and end.
    pub fn cubic_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) -> &mut Self {
        self.push(Verb::Cubic, &[Point::new(ax, ay), Point::new(bx, by), Point::new(x, y)])
    }
    /// Back to the contour's start.
    pub fn close(&mut self) -> &mut Self {
        if !self.verbs.is_empty() {
            self.verbs.push(Verb::Close);
        }
        self
    }
    fn push(&mut self, verb: Verb, points: &[Point]) -> &mut Self {
        // A contour needs a start: drawing on an empty path starts at the first point.
        if self.verbs.is_empty() && verb != Verb::Move {
            self.verbs.push(Verb::Move);
            self.points.push(points[0]);
        }
        self.verbs.push(verb);
        self.points.extend_from_slice(points);
        self
    }
    /// A closed box.
    pub fn rect(&mut self, r: Rect) -> &mut Self {
        self.move_to(r.x, r.y)
            .line_to(r.right(), r.y)
            .line_to(r.right(), r.bottom())
            .line_to(r.x, r.bottom())
            .close()
    }
    /// A closed box with round corners (fitted first), clockwise; `reverse` for a hole under the
    /// non-zero rule.
    pub fn rounded_rect(&mut self, r: Rect, radii: Radii, reverse: bool) -> &mut Self {
        let mut one = RoundedRectOutline::new(r, radii);
        if reverse {
            one.reverse();
        }
        self.verbs.extend_from_slice(&one.verbs[..one.verb_count]);
        self.points.extend_from_slice(&one.points[..one.point_count]);
        self
    }
    /// A closed circle.
    pub fn circle(&mut self, center: Point, radius: f32) -> &mut Self {
        let r = Rect::new(center.x - radius, center.y - radius, radius * 2.0, radius * 2.0);
        self.rounded_rect(r, Radii::all(radius), false)
    }
    /// An arc of a circle from `start` over `sweep` radians, clockwise when positive; joined to
    /// the contour by a line when one is open.
    pub fn arc(&mut self, center: Point, radius: f32, start: f32, sweep: f32) -> &mut Self {
        let turn = sweep.clamp(-core::f32::consts::TAU, core::f32::consts::TAU);
        let parts = ((turn.abs() / core::f32::consts::FRAC_PI_2).ceil() as usize).clamp(1, 4);
        let step = turn / parts as f32;
        let k = 4.0 / 3.0 * math::tan(step * 0.25);
        let mut a = start;
        for i in 0..parts {
            let (s0, c0) = (math::sin(a), math::cos(a));
            a += step;
            let (s1, c1) = (math::sin(a), math::cos(a));
            let at = |c: f32, s: f32| Point::new(center.x + radius * c, center.y + radius * s);
            if i == 0 {
                let p = at(c0, s0);
                let open = !matches!(self.verbs.last(), None | Some(Verb::Close));
                if open {
                    self.line_to(p.x, p.y);
                } else {
                    self.move_to(p.x, p.y);
                }
            }
            let (p1, p2, p3) =
                (at(c0 - k * s0, s0 + k * c0), at(c1 + k * s1, s1 - k * c1), at(c1, s1));
            self.cubic_to(p1.x, p1.y, p2.x, p2.y, p3.x, p3.y);
        }
        self
    }
    /// Every point mapped.
    pub fn transform(&mut self, m: Matrix) -> &mut Self {
        for p in &mut self.points {
            *p = m.apply(*p);
        }
        self
    }
}

/// The outline of a rounded box, on the stack: at most 4 lines and 4 cubics.
#[derive(Clone, Copy, Debug)]
pub struct RoundedRectOutline {
    verbs: [Verb; 10],
    points: [Point; 17],
    verb_count: usize,
    point_count: usize,
}

impl RoundedRectOutline {
    /// Clockwise from the top edge's left end; radii are fitted first.
    pub fn new(r: Rect, radii: Radii) -> Self {
        let [tl, tr, br, bl] = radii.fit(r.size()).0;
        let mut s = Self {
            verbs: [Verb::Close; 10],
            points: [Point::default(); 17],
            verb_count: 0,
            point_count: 0,
        };
        let (l, t, rt, b) = (r.x, r.y, r.right(), r.bottom());
        let k = 1.0 - KAPPA;
        s.add(Verb::Move, &[Point::new(l + tl, t)]);
        s.add(Verb::Line, &[Point::new(rt - tr, t)]);
        s.corner(tr, [(rt - tr * k, t), (rt, t + tr * k), (rt, t + tr)]);
        s.add(Verb::Line, &[Point::new(rt, b - br)]);
        s.corner(br, [(rt, b - br * k), (rt - br * k, b), (rt - br, b)]);
        s.add(Verb::Line, &[Point::new(l + bl, b)]);
        s.corner(bl, [(l + bl * k, b), (l, b - bl * k), (l, b - bl)]);
        s.add(Verb::Line, &[Point::new(l, t + tl)]);
        s.corner(tl, [(l, t + tl * k), (l + tl * k, t), (l + tl, t)]);
        s.add(Verb::Close, &[]);
        s
    }
    fn add(&mut self, v: Verb, p: &[Point]) {
        self.verbs[self.verb_count] = v;
        self.verb_count += 1;
        self.points[self.point_count..self.point_count + p.len()].copy_from_slice(p);
        self.point_count += p.len();
    }
    fn corner(&mut self, radius: f32, p: [(f32, f32); 3]) {
        if radius > 0.0 {
            self.add(Verb::Cubic, &p.map(|(x, y)| Point::new(x, y)));
        }
    }
    /// The same outline, counter-clockwise.
    fn reverse(&mut self) {
        self.points[..self.point_count].reverse();
        // Reversed points pair with reversed verbs; the leading Move stays in front.
        let n = self.verb_count;
        self.verbs[1..n - 1].reverse();
    }
    /// Borrowed.
    pub fn view(&self) -> PathView<'_> {
        PathView { verbs: &self.verbs[..self.verb_count], points: &self.points[..self.point_count] }
    }
}

/// A path with its content hash, to be held in an `Arc` and drawn in many frames.
#[derive(Clone, Debug)]
pub struct SharedPath {
    path: Path,
    hash: u64,
}

impl SharedPath {
    /// Hashes `path` once.
    pub fn new(path: Path) -> std::sync::Arc<Self> {
        let hash = crate::hash::path(path.view());
        std::sync::Arc::new(Self { path, hash })
    }
    /// The path.
    pub fn view(&self) -> PathView<'_> {
        self.path.view()
    }
    /// The content hash.
    pub fn hash(&self) -> u64 {
        self.hash
    }
}

/// Where a command's path lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PathRef {
    /// In the list's arenas.
    Inline {
        /// Steps in [`crate::Arenas::verbs`].
        verbs: crate::Span,
        /// Points in [`crate::Arenas::points`].
        points: crate::Span,
    },
    /// Index into [`crate::Arenas::paths`].
    Shared(u32),
}

/// The shape of a stroke's corners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Join {
    /// Pointed, up to the miter limit, then bevelled.
    Miter,
    /// Round.
    #[default]
    Round,
    /// Cut.
    Bevel,
}

/// The shape of a stroke's ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Cap {
    /// Cut at the end point.
    Butt,
    /// Half a circle.
    #[default]
    Round,
    /// Half a square.
    Square,
}

/// How a path is stroked, in the path's own units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrokeStyle<'a> {
    /// Full width.
    pub width: f32,
    /// Corners.
    pub join: Join,
    /// Ends.
    pub cap: Cap,
    /// Greatest miter length, in half widths (SVG's `stroke-miterlimit`).
    pub miter_limit: f32,
    /// Lengths of dashes and gaps in turn; empty is solid. At most [`crate::limits::DASHES`].
    pub dashes: &'a [f32],
    /// Where in the pattern the path starts.
    pub dash_offset: f32,
}

impl StrokeStyle<'_> {
    /// A solid stroke with round joins and caps.
    pub const fn new(width: f32) -> Self {
        StrokeStyle {
            width,
            join: Join::Round,
            cap: Cap::Round,
            miter_limit: 4.0,
            dashes: &[],
            dash_offset: 0.0,
        }
    }
}

/// A stroke style as a list stores it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stroke {
    /// Full width.
    pub width: f32,
    /// Corners.
    pub join: Join,
    /// Ends.
    pub cap: Cap,
    /// Greatest miter length, in half widths.
    pub miter_limit: f32,
    /// Lengths in [`crate::Arenas::dashes`].
    pub dashes: crate::Span,
    /// Where in the pattern the path starts.
    pub dash_offset: f32,
}
