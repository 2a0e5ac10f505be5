//! Poses: where fingers have put a card. One finger moves it, two move, turn and scale it about
//! themselves, a wheel scales it about the pointer; let go in motion it glides on.

use crate::{El, Key, Ui};
use zinc_scene::{Matrix, Point, Rect, math};

/// A place, a turn and a size, relative to where layout put the element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Pixels to the right.
    pub x: f32,
    /// Pixels down.
    pub y: f32,
    /// Radians clockwise.
    pub angle: f32,
    /// 1 is its own size.
    pub scale: f32,
}

impl Default for Pose {
    fn default() -> Self {
        Self { x: 0.0, y: 0.0, angle: 0.0, scale: 1.0 }
    }
}

/// Limits of a pose's scale: large enough to read, small enough to find again.
pub const POSE_SCALE: std::ops::RangeInclusive<f32> = 0.25..=8.0;

/// A change of a pose: turn and scale about a pivot, then move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PoseDelta {
    pivot: Point,
    moved: Point,
    angle: f32,
    scale: f32,
}

impl PoseDelta {
    pub(crate) fn moved(d: Point) -> Self {
        Self { pivot: Point::default(), moved: d, angle: 0.0, scale: 1.0 }
    }
    pub(crate) fn zoomed(pivot: Point, scale: f32) -> Self {
        Self { pivot, moved: Point::default(), angle: 0.0, scale }
    }
    /// One finger stays at `fixed`, another goes from `from` to `to`: the card stays under both.
    pub(crate) fn two_fingers(fixed: Point, from: Point, to: Point) -> Self {
        let (a, b) = (from - fixed, to - fixed);
        let (la, lb) = (a.length(), b.length());
        if la < 1.0 || lb < 1.0 {
            return Self::moved(Point::default());
        }
        let angle = math::atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y);
        Self { pivot: fixed, moved: Point::default(), angle, scale: lb / la }
    }
}

impl Pose {
    /// The matrix of an element laid out at `rect`.
    pub fn matrix(&self, rect: Rect) -> Matrix {
        let c = rect.center();
        Matrix::translate(c.x + self.x, c.y + self.y)
            .then_inner(Matrix::rotate(self.angle))
            .then_inner(Matrix::scale(self.scale, self.scale))
            .then_inner(Matrix::translate(-c.x, -c.y))
    }

    fn change(&mut self, d: PoseDelta, rect: Rect) {
        let scale = (self.scale * d.scale).clamp(*POSE_SCALE.start(), *POSE_SCALE.end());
        let k = scale / self.scale;
        let c = rect.center();
        let v = c + Point::new(self.x, self.y) - d.pivot;
        let (sin, cos) = (math::sin(d.angle), math::cos(d.angle));
        let turned = Point::new(v.x * cos - v.y * sin, v.x * sin + v.y * cos) * k;
        let to = d.pivot + d.moved + turned - c;
        if to.is_finite() && scale.is_finite() {
            *self = Pose { x: to.x, y: to.y, angle: self.angle + d.angle, scale };
        }
    }
}

impl El<'_> {
    /// Lets fingers move, turn and scale it; the app keeps the pose.
    pub fn pose(self, pose: &mut Pose) -> Self {
        let node = self.node;
        let ui: &mut Ui = self.ui;
        ui.nodes[node as usize].flags.pose = true;
        let key: Key = ui.nodes[node as usize].key;
        // The untransformed box: layout's answer of the last frame.
        let rect = ui.last_rect(node);
        if ui.answering {
            for i in 0..ui.input.poses.len() {
                let (k, d) = ui.input.poses[i];
                if k == key {
                    pose.change(d, rect);
                    ui.slot(node).extra().pose_velocity = Point::default();
                }
            }
            if let Some((_, v)) = ui.input.flung.iter().find(|(k, _)| *k == key) {
                let v = *v;
                ui.slot(node).extra().pose_velocity = v;
            }
        }
        let (frame, dt) = (ui.frame, ui.dt);
        let e = ui.slot(node).extra();
        let v = e.pose_velocity;
        if v != Point::default() && e.pose_frame != frame {
            e.pose_frame = frame;
            pose.x += v.x * dt;
            pose.y += v.y * dt;
            let k = math::exp(-dt * 5.0);
            e.pose_velocity = if v.length() < 20.0 { Point::default() } else { v * k };
        }
        let moving = ui.slot(node).extra().pose_velocity != Point::default();
        ui.animating |= moving;
        let n = &mut ui.nodes[node as usize];
        n.style.paint.dx += pose.x;
        n.style.paint.dy += pose.y;
        n.style.paint.turn += pose.angle;
        n.style.paint.scale *= pose.scale;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_card_stays_under_both_fingers() {
        let rect = Rect::new(100.0, 100.0, 200.0, 120.0);
        let mut p = Pose::default();
        let (fixed, from, to) =
            (Point::new(120.0, 130.0), Point::new(280.0, 200.0), Point::new(320.0, 110.0));
        let grab = |p: &Pose, at| p.matrix(rect).invert().unwrap().apply(at);
        let (g1, g2) = (grab(&p, fixed), grab(&p, from));
        p.change(PoseDelta::two_fingers(fixed, from, to), rect);
        let (a, b) = (p.matrix(rect).apply(g1), p.matrix(rect).apply(g2));
        assert!((a - fixed).length() < 0.01, "{a:?}");
        assert!((b - to).length() < 0.01, "{b:?}");
    }
}
