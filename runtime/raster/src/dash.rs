//! Dashes: a polyline cut into open pieces. A closed line whose first and last piece are both
//! drawn joins them into one. Pieces of no length are dots when caps make them visible.

use crate::fixed::P;
use crate::stroke::{Pen, V, unit};

/// Pieces of one contour at most; a denser pattern is drawn solid.
const PIECES: f64 = 16_384.0;

/// A pattern laid on a contour.
pub(crate) struct Dashes<'a> {
    lengths: &'a [f32],
    /// Entry the contour starts in, and how much of it is left.
    entry: usize,
    left: f64,
    /// The entry is drawn.
    on: bool,
}

impl<'a> Dashes<'a> {
    /// `None`: the contour is drawn whole.
    pub(crate) fn new(lengths: &'a [f32], offset: f32, v: &[V], closed: bool) -> Option<Self> {
        let sum: f64 = lengths.iter().map(|v| *v as f64).sum();
        if lengths.is_empty() || sum <= 0.0 || v.len() < 2 {
            return None;
        }
        let mut total: f64 = v.windows(2).map(|w| (w[1].p - w[0].p).length()).sum();
        if closed {
            total += (v[0].p - v[v.len() - 1].p).length();
        }
        if total / sum * lengths.len() as f64 > PIECES {
            return None;
        }
        // An odd pattern is repeated once, with gaps and dashes exchanged.
        let odd = lengths.len() % 2 == 1;
        let period = if odd { sum * 2.0 } else { sum };
        let mut at = (offset as f64).rem_euclid(period);
        let (mut entry, mut on) = (0, true);
        let rounds = lengths.len() * if odd { 2 } else { 1 };
        for _ in 0..rounds {
            let len = lengths[entry] as f64;
            if at < len {
                break;
            }
            at -= len;
            entry = (entry + 1) % lengths.len();
            on = !on;
        }
        let left = (lengths[entry] as f64 - at).max(0.0);
        Some(Self { lengths, entry, left, on })
    }

    /// Draws the pieces.
    pub(crate) fn cut(
        mut self,
        v: &mut Vec<V>,
        closed: bool,
        [piece, head]: &mut [Vec<V>; 2],
        pen: &mut Pen<'_, '_>,
    ) {
        if closed {
            v.push(V { p: v[0].p, smooth: v[0].smooth });
        }
        // The first piece of a closed line waits for the last one.
        head.clear();
        let mut keep_head = closed && self.on;
        piece.clear();
        if self.on {
            piece.push(v[0]);
        }
        let mut way = P::new(1.0, 0.0);
        for w in v.windows(2) {
            let d = w[1].p - w[0].p;
            let len = d.length();
            way = unit(d);
            let mut done = 0.0;
            while self.left <= len - done {
                done += self.left;
                let p = w[0].p.lerp(w[1].p, if len > 0.0 { (done / len).min(1.0) } else { 1.0 });
                let here = V { p, smooth: false };
                if self.on {
                    push(piece, here);
                    if keep_head {
                        head.append(piece);
                        keep_head = false;
                    } else {
                        flush(piece, way, pen);
                    }
                }
                self.next();
                if self.on {
                    piece.clear();
                    piece.push(here);
                }
            }
            self.left -= len - done;
            if self.on {
                push(piece, w[1]);
            }
        }
        if self.on && !piece.is_empty() {
            if head.is_empty() {
                flush(piece, way, pen);
            } else {
                piece.extend_from_slice(&head[1..]);
                flush(piece, way, pen);
                head.clear();
            }
        }
        if !head.is_empty() {
            flush(head, way, pen);
        }
    }

    fn next(&mut self) {
        self.entry = (self.entry + 1) % self.lengths.len();
        self.left = self.lengths[self.entry] as f64;
        self.on = !self.on;
    }
}

fn push(piece: &mut Vec<V>, v: V) {
    if piece.last().is_none_or(|l| l.p != v.p) {
        piece.push(v);
    }
}

fn flush(piece: &mut Vec<V>, way: P, pen: &mut Pen<'_, '_>) {
    match piece.as_mut_slice() {
        [] => {}
        [one] => pen.dot(one.p, way),
        many => pen.line(many),
    }
    piece.clear();
}
