//! Where a surface lies on its panel: what a touch on the glass means in surface pixels.

use zinc_scene::{IRect, Point, Rotation};

/// The surface on the panel: turned, in a box, perhaps scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Columns and rows of the panel; no side is 0.
    pub panel: (u32, u32),
    /// The box of the panel that shows the surface, turned; not empty.
    pub at: IRect,
    /// How far the surface is turned on the panel, clockwise.
    pub rotation: Rotation,
    /// Columns and rows of the surface, unturned.
    pub surface: (u32, u32),
}

impl Placement {
    /// A surface that is its panel.
    pub const fn whole(surface: (u32, u32)) -> Self {
        let at = IRect::of_size(surface.0, surface.1);
        Self { panel: surface, at, rotation: Rotation::Deg0, surface }
    }

    /// A place on the panel, in its unit square, in surface pixels. What lies beside the picture
    /// lies outside of the surface.
    pub fn to_surface(&self, unit: Point) -> Point {
        let along = |u: f32, panel: u32, from: i32, to: i32| {
            (u * panel as f32 - from as f32) / (to - from).max(1) as f32
        };
        let x = along(unit.x, self.panel.0, self.at.x0, self.at.x1);
        let y = along(unit.y, self.panel.1, self.at.y0, self.at.y1);
        let p = turn_unit(self.rotation.inverse(), Point::new(x, y));
        Point::new(p.x * self.surface.0 as f32, p.y * self.surface.1 as f32)
    }

    /// The nearest place on the surface: its last pixels are the furthest.
    pub fn clamp(&self, p: Point) -> Point {
        let side = |v: f32, n: u32| v.clamp(0.0, n.saturating_sub(1) as f32);
        Point::new(side(p.x, self.surface.0), side(p.y, self.surface.1))
    }
}

/// Where a point of the unit square lies when the square is turned, clockwise.
pub const fn turn_unit(rotation: Rotation, p: Point) -> Point {
    match rotation {
        Rotation::Deg0 => p,
        Rotation::Deg90 => Point::new(1.0 - p.y, p.x),
        Rotation::Deg180 => Point::new(1.0 - p.x, 1.0 - p.y),
        Rotation::Deg270 => Point::new(p.y, 1.0 - p.x),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The middle of each surface pixel is found again where the pixel is shown.
    #[test]
    fn places_are_undone_for_every_turn() {
        let surface = (6, 4);
        for rotation in Rotation::ALL {
            let (w, h) = rotation.size(surface);
            // Twice as large, off the panel's middle.
            let at = IRect::new(3, 5, 3 + 2 * w as i32, 5 + 2 * h as i32);
            let p = Placement { panel: (40, 30), at, rotation, surface };
            for (x, y) in (0..6).flat_map(|x| (0..4).map(move |y| (x, y))) {
                let shown = rotation.turn(IRect::new(x, y, x + 1, y + 1), surface);
                let middle = |a: i32, b: i32| (a + b) as f32;
                let unit = Point::new(
                    (3.0 + middle(shown.x0, shown.x1)) / 40.0,
                    (5.0 + middle(shown.y0, shown.y1)) / 30.0,
                );
                let got = p.to_surface(unit);
                let want = Point::new(x as f32 + 0.5, y as f32 + 0.5);
                assert!((got - want).length() < 0.001, "{rotation:?}: {got:?}, not {want:?}");
            }
        }
    }

    #[test]
    fn beside_the_picture_is_outside() {
        let at = IRect::new(80, 0, 720, 480);
        let p = Placement { panel: (800, 480), at, rotation: Rotation::Deg0, surface: (640, 480) };
        assert_eq!(p.to_surface(Point::new(0.05, 0.5)), Point::new(-40.0, 240.0));
        let inside = p.clamp(Point::new(900.0, -3.0));
        assert_eq!(inside, Point::new(639.0, 0.0));
    }
}
