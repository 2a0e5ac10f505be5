//! Curves to edges: in device space, from the curve's own numbers alone.
//!
//! A curve becomes `n` chords of equal parameter steps, with `n` from its second differences, so
//! that no chord leaves the curve by more than [`TOLERANCE`]; a quarter circle of radius 14 takes
//! 24. What is cut away later never changes where the chords lie.

use crate::fixed::{Edges, Map, P};
use zinc_scene::{PathView, Segment};

/// Greatest distance between chord and curve, pixels: 1.5/255 of a pixel's coverage.
pub(crate) const TOLERANCE: f64 = 0.006;
/// Chords of one curve at most; only curves longer than any screen reach it.
const CHORDS: f64 = 512.0;

fn chords(bend: f64, tolerance: f64) -> usize {
    let n = (bend / tolerance).sqrt();
    // The conversion saturates, and NaN becomes 0.
    (n.min(CHORDS) as usize + 1).min(CHORDS as usize)
}

/// Points of a quadratic curve after its first.
pub(crate) fn quad(a: P, b: P, c: P, tolerance: f64, mut to: impl FnMut(P)) {
    let n = chords((a - b * 2.0 + c).length() * 0.25, tolerance);
    for i in 1..n {
        let t = i as f64 / n as f64;
        let s = 1.0 - t;
        to(a * (s * s) + b * (2.0 * s * t) + c * (t * t));
    }
    to(c);
}

/// Points of a cubic curve after its first.
pub(crate) fn cubic(a: P, b: P, c: P, d: P, tolerance: f64, mut to: impl FnMut(P)) {
    let bend = (a - b * 2.0 + c).length().max((b - c * 2.0 + d).length()) * 0.75;
    let n = chords(bend, tolerance);
    for i in 1..n {
        let t = i as f64 / n as f64;
        let s = 1.0 - t;
        to(a * (s * s * s) + b * (3.0 * s * s * t) + c * (3.0 * s * t * t) + d * (t * t * t));
    }
    to(d);
}

/// The edges of a filled path; open contours are closed.
pub(crate) fn fill(path: PathView<'_>, map: &Map, edges: &mut Edges<'_>) {
    let (mut start, mut at) = (P::default(), P::default());
    edges.start(start);
    for s in path.segments() {
        match s {
            Segment::Move(p) => {
                edges.to(start);
                start = map.apply(P::of(p));
                at = start;
                edges.start(start);
            }
            Segment::Line(p) => {
                at = map.apply(P::of(p));
                edges.to(at);
            }
            Segment::Quad(b, c) => {
                let (b, c) = (map.apply(P::of(b)), map.apply(P::of(c)));
                if edges.is_beside(&[at, b, c]) {
                    edges.to(c);
                } else {
                    quad(at, b, c, TOLERANCE, |p| edges.to(p));
                }
                at = c;
            }
            Segment::Cubic(b, c, d) => {
                let [b, c, d] = [b, c, d].map(|p| map.apply(P::of(p)));
                if edges.is_beside(&[at, b, c, d]) {
                    edges.to(d);
                } else {
                    cubic(at, b, c, d, TOLERANCE, |p| edges.to(p));
                }
                at = d;
            }
            Segment::Close => {
                edges.to(start);
                at = start;
            }
        }
    }
    edges.to(start);
}
