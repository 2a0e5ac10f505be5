//! Where the picture stands on a panel that may have another size: whole, in the middle, as large as
//! its shape allows, black around it. Another scale than 1 takes the nearest pixel.

use zinc_scene::{IRect, Region, TargetMut};

/// Which source pixel each column or row shows.
type Map = Vec<u32>;

/// A place on the panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The picture's box on the panel.
    pub(crate) at: IRect,
    /// Columns and rows, where the scale is not 1.
    scale: Option<(Map, Map)>,
}

impl Place {
    /// Of a picture (as it lies on the panel, turned) on a panel; no side is 0.
    pub(crate) fn new(panel: (u32, u32), picture: (u32, u32)) -> Self {
        let [pw, ph, w, h] = [panel.0, panel.1, picture.0, picture.1].map(u64::from);
        // The side that limits is filled; the other follows.
        let (dw, dh) =
            if pw * h <= ph * w { (pw, (h * pw / w).max(1)) } else { ((w * ph / h).max(1), ph) };
        let (x, y) = ((pw - dw) / 2, (ph - dh) / 2);
        let at = IRect::new(x as i32, y as i32, (x + dw) as i32, (y + dh) as i32);
        let map = |to: u64, from: u64| -> Map {
            (0..to).map(|i| ((2 * i + 1) * from / (2 * to)) as u32).collect()
        };
        let scale = ((dw, dh) != (w, h)).then(|| (map(dw, w), map(dh, h)));
        Self { at, scale }
    }

    /// Surface pixels are panel pixels.
    pub(crate) fn is_whole(&self) -> bool {
        self.scale.is_none()
    }

    /// Copies what is damaged (a region of the surface) to the panel's memory, which begins at the
    /// first pixel of `at` and has rows of `pitch` bytes. Only where the scale is not 1.
    pub(crate) fn copy(&self, from: &TargetMut<'_>, damage: &Region, to: &mut [u8], pitch: usize) {
        let Some((columns, rows)) = &self.scale else { return };
        let (n, size) = (from.format.bytes(), from.surface_size());
        for r in damage.clipped(IRect::of_size(size.0, size.1)).rects() {
            let r = from.rotation.turn(*r, size);
            let part = |m: &Map, a: i32, b: i32| {
                m.partition_point(|s| (*s as i32) < a)..m.partition_point(|s| (*s as i32) < b)
            };
            let across = part(columns, r.x0, r.x1);
            for y in part(rows, r.y0, r.y1) {
                let source = &from.bytes[rows[y] as usize * from.pitch..];
                let line = &mut to[y * pitch + across.start * n..];
                for (o, x) in line.chunks_exact_mut(n).zip(&columns[across.clone()]) {
                    o.copy_from_slice(&source[*x as usize * n..][..n]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_keep_their_shape_in_the_middle() {
        let at = |panel, picture| Place::new(panel, picture).at;
        assert_eq!(at((800, 480), (800, 480)), IRect::new(0, 0, 800, 480));
        assert_eq!(at((800, 480), (640, 480)), IRect::new(80, 0, 720, 480));
        assert_eq!(at((800, 480), (400, 240)), IRect::new(0, 0, 800, 480));
        assert_eq!(at((800, 480), (1600, 480)), IRect::new(0, 120, 800, 360));
        assert_eq!(at((480, 800), (800, 480)), IRect::new(0, 256, 480, 544));
        assert_eq!(at((100, 100), (16384, 1)), IRect::new(0, 49, 100, 50));
        assert_eq!(at((1, 1), (1, 16384)), IRect::new(0, 0, 1, 1));
        assert!(Place::new((800, 480), (640, 480)).is_whole());
        assert!(!Place::new((800, 480), (400, 240)).is_whole());
    }

    #[test]
    fn every_panel_pixel_shows_one_of_the_picture() {
        for (to, from) in
            [((7, 5), (14, 10)), ((30, 20), (3, 2)), ((5, 9), (4, 3)), ((1, 1), (9, 9))]
        {
            let p = Place::new(to, from);
            let Some((columns, rows)) = &p.scale else { panic!("{to:?}, {from:?}") };
            assert_eq!(
                (columns.len(), rows.len()),
                (p.at.width() as usize, p.at.height() as usize)
            );
            for (map, side) in [(columns, from.0), (rows, from.1)] {
                assert!(map.is_sorted() && map.iter().all(|s| *s < side), "{map:?}");
            }
        }
    }
}
