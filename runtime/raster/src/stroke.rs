//! Strokes: a polyline becomes the outline of its stroke, straight to edges.
//!
//! - All of it happens in the path's own units, in `f64`; only points that leave go through the
//!   matrix, so a stroke under any matrix is the image of the stroke.
//! - An open line is one contour (one side, a cap, the other side, a cap); a closed one is two.
//!   Inside of a bend the two offset lines are cut where they meet, as long as both are long
//!   enough; else the contour goes through the vertex. Filled non-zero.
//! - Vertices of a flattened curve join by a point whatever the style; cusps join round.
//! - Without dashes a street of 8 points with round joins is about 60 edges.

use crate::dash::Dashes;
use crate::fixed::{Edges, Map, P};
use crate::flatten::{self, TOLERANCE};
use zinc_scene::{Cap, Join, PathView, Segment, Stroke, math};

/// A point of a polyline.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct V {
    pub(crate) p: P,
    /// Inside a curve.
    pub(crate) smooth: bool,
}

/// Memory of the stroker.
#[derive(Debug, Default)]
pub(crate) struct Stroker {
    points: Vec<V>,
    /// A dash, and the first dash of a closed line.
    pieces: [Vec<V>; 2],
}

/// Greatest distance of a round join or cap from its circle, pixels: coarser than curves, since
/// ends and corners are few pixels of a line.
const ROUND: f64 = 0.036;
/// Most edges of a round join or cap.
const ARC: f64 = 256.0;

impl Stroker {
    /// The edges of a stroked path.
    pub(crate) fn stroke(
        &mut self,
        path: PathView<'_>,
        style: &Stroke,
        dashes: &[f32],
        map: &Map,
        edges: &mut Edges<'_>,
    ) {
        let mut pen = Pen::new(style, map, edges);
        let mut points = core::mem::take(&mut self.points);
        points.clear();
        let mut drawn = false;
        for s in path.segments() {
            let at = points.last().map_or(P::default(), |v: &V| v.p);
            match s {
                Segment::Move(p) => {
                    self.contour(&mut points, false, drawn, dashes, style, &mut pen);
                    points.push(V { p: P::of(p), smooth: false });
                    drawn = false;
                    continue;
                }
                Segment::Line(p) => pen.add(&mut points, P::of(p), false),
                Segment::Quad(b, c) => {
                    let (b, c) = (P::of(b), P::of(c));
                    let tolerance = pen.tolerance(&[at, b, c]);
                    flatten::quad(at, b, c, tolerance, |p| pen.add(&mut points, p, p != c));
                }
                Segment::Cubic(b, c, d) => {
                    let [b, c, d] = [b, c, d].map(P::of);
                    let tolerance = pen.tolerance(&[at, b, c, d]);
                    flatten::cubic(at, b, c, d, tolerance, |p| pen.add(&mut points, p, p != d));
                }
                Segment::Close => {
                    let start = points.first().copied();
                    self.contour(&mut points, true, true, dashes, style, &mut pen);
                    points.extend(start);
                    drawn = false;
                    continue;
                }
            }
            drawn = true;
        }
        self.contour(&mut points, false, drawn, dashes, style, &mut pen);
        self.points = points;
    }

    /// Ends a contour: whole, or in dashes.
    fn contour(
        &mut self,
        points: &mut Vec<V>,
        closed: bool,
        drawn: bool,
        dashes: &[f32],
        style: &Stroke,
        pen: &mut Pen<'_, '_>,
    ) {
        if closed {
            // The last point closes onto the first.
            while points.len() > 1 && pen.same(points[points.len() - 1].p, points[0].p) {
                points.pop();
            }
        }
        if drawn && !points.is_empty() {
            match Dashes::new(dashes, style.dash_offset, points, closed) {
                Some(d) => d.cut(points, closed, &mut self.pieces, pen),
                None if points.len() == 1 => pen.dot(points[0].p, P::new(1.0, 0.0)),
                None if closed && points.len() > 2 => pen.ring(points),
                None if closed => {
                    points.push(points[0]);
                    pen.line(points);
                }
                None => pen.line(points),
            }
        }
        points.clear();
    }
}

/// Draws outlines of polylines.
pub(crate) struct Pen<'a, 'b> {
    edges: &'a mut Edges<'b>,
    map: Map,
    half: f64,
    join: Join,
    cap: Cap,
    miter: f64,
    scale: f64,
    /// Greatest turn of one edge of an arc.
    step: f64,
    first: Option<P>,
}

fn normal(d: P) -> P {
    P::new(d.y, -d.x)
}

impl<'a, 'b> Pen<'a, 'b> {
    fn new(style: &Stroke, map: &Map, edges: &'a mut Edges<'b>) -> Self {
        let half = style.width as f64 * 0.5;
        let scale = map.max_scale().max(1e-12);
        // A chord of angle s leaves a circle of radius r by r s^2 / 8.
        let step = (8.0 * ROUND / (half * scale)).sqrt().clamp(1e-3, 1.0);
        let miter = style.miter_limit.max(1.0) as f64;
        let (join, cap) = (style.join, style.cap);
        Self { edges, map: *map, half, join, cap, miter, scale, step, first: None }
    }

    /// Closer than a pixel's thousandth.
    fn same(&self, a: P, b: P) -> bool {
        (a - b).length() * self.scale < 1.0 / 1024.0
    }

    fn add(&self, points: &mut Vec<V>, p: P, smooth: bool) {
        if points.last().is_none_or(|l| !self.same(l.p, p)) {
            points.push(V { p, smooth });
        }
    }

    /// Tolerance of a centre line, so that its outer side is smooth too.
    fn tolerance(&self, control: &[P]) -> f64 {
        let size = control.windows(2).map(|w| (w[1] - w[0]).length()).sum::<f64>() * 0.6;
        // A curve of this size bends about as a circle of this radius would.
        let grow = if size > 0.0 { (self.half / size).min(64.0) } else { 0.0 };
        // Half: both sides of a thin line move with its centre, and it is all edge.
        TOLERANCE * 0.5 / self.scale / (1.0 + grow)
    }

    fn pt(&mut self, p: P) {
        let p = self.map.apply(p);
        if self.first.is_some() {
            self.edges.to(p);
        } else {
            self.first = Some(p);
            self.edges.start(p);
        }
    }

    fn close(&mut self) {
        if let Some(first) = self.first.take() {
            self.edges.to(first);
        }
    }

    /// From `c + n0` by an angle to `c + n1`, without the first point.
    fn arc(&mut self, c: P, n0: P, n1: P, angle: f64) {
        let n = ((angle / self.step).min(ARC) as i32 + 1).max(1);
        let part = (angle / n as f64) as f32;
        let (s, k) = (math::sin(part) as f64, math::cos(part) as f64);
        let mut v = n0;
        for _ in 1..n {
            v = P::new(v.x * k - v.y * s, v.x * s + v.y * k);
            self.pt(c + v);
        }
        self.pt(c + n1);
    }

    /// An open line of at least two points.
    pub(crate) fn line(&mut self, v: &mut [V]) {
        if let [only] = v {
            return self.dot(only.p, P::new(1.0, 0.0));
        }
        for _ in 0..2 {
            self.side(v, false);
            let (a, b) = (v[v.len() - 2].p, v[v.len() - 1].p);
            self.end(b, unit(b - a));
            v.reverse();
        }
        self.close();
    }

    /// A closed line of at least three points.
    fn ring(&mut self, v: &mut [V]) {
        for _ in 0..2 {
            self.side(v, true);
            self.close();
            v.reverse();
        }
    }

    /// A point with caps.
    pub(crate) fn dot(&mut self, p: P, d: P) {
        if self.cap == Cap::Butt {
            return;
        }
        let n = normal(d) * self.half;
        self.pt(p + n);
        self.end(p, d);
        self.pt(p - n);
        self.end(p, d * -1.0);
        self.close();
    }

    fn side(&mut self, v: &[V], closed: bool) {
        let n = v.len();
        let mut d0;
        let mut len0;
        let first = if closed {
            let d = v[0].p - v[n - 1].p;
            (d0, len0) = (unit(d), d.length());
            0
        } else {
            let d = v[1].p - v[0].p;
            (d0, len0) = (unit(d), d.length());
            self.pt(v[0].p + normal(d0) * self.half);
            1
        };
        let last = if closed { n } else { n - 1 };
        for i in first..last {
            let d = v[(i + 1) % n].p - v[i].p;
            let (d1, len1) = (unit(d), d.length());
            self.corner(v[i], d0, d1, len0.min(len1));
            (d0, len0) = (d1, len1);
        }
        if !closed {
            self.pt(v[n - 1].p + normal(d0) * self.half);
        }
    }

    fn corner(&mut self, v: V, d0: P, d1: P, shorter: f64) {
        let cross = d0.x * d1.y - d0.y * d1.x;
        let dot = d0.x * d1.x + d0.y * d1.y;
        let (n0, n1) = (normal(d0) * self.half, normal(d1) * self.half);
        let p = v.p;
        // Where the two offset lines meet, seen from the vertex.
        let meet = (n0 + n1) * (1.0 / (1.0 + dot).max(1e-9));
        if cross == 0.0 && dot > 0.0 {
            return self.pt(p + n1);
        }
        if cross < 0.0 {
            if self.half * -cross <= shorter * 0.5 * (1.0 + dot) {
                self.pt(p + meet);
            } else {
                self.pt(p + n0);
                self.pt(p);
                self.pt(p + n1);
            }
            return;
        }
        let join = match self.join {
            _ if v.smooth && dot > 0.9 => return self.pt(p + meet),
            _ if v.smooth => Join::Round,
            // The corner of a slight bend leaves the circle by about half (1 - cos) / 4: no arc is closer than that.
            Join::Round if self.half * self.scale * (1.0 - dot) < 4.0 * ROUND => {
                return self.pt(p + meet);
            }
            j => j,
        };
        match join {
            Join::Miter if 2.0 <= self.miter * self.miter * (1.0 + dot) => self.pt(p + meet),
            Join::Miter | Join::Bevel => {
                self.pt(p + n0);
                self.pt(p + n1);
            }
            Join::Round => {
                let angle = math::atan2(cross as f32, dot as f32).abs() as f64;
                self.pt(p + n0);
                self.arc(p, n0, n1, angle);
            }
        }
    }

    /// The cap beyond `p`, from its side to its other side.
    fn end(&mut self, p: P, d: P) {
        let n = normal(d) * self.half;
        match self.cap {
            Cap::Butt => {}
            Cap::Square => {
                self.pt(p + n + d * self.half);
                self.pt(p - n + d * self.half);
            }
            Cap::Round => self.arc(p, n, n * -1.0, core::f64::consts::PI),
        }
    }
}

/// Length 1; points that are the same never come here.
pub(crate) fn unit(d: P) -> P {
    let l = d.length();
    if l > 0.0 { d * (1.0 / l) } else { P::new(1.0, 0.0) }
}
