//! One band: which items touch it, its damaged columns tile by tile, each pixel stored once.

use crate::cells::TILE_W;
use crate::plan::Planner;
use crate::simd::{Simd, dispatch};
use crate::store;
use crate::tile::Painter;
use fearless_simd::Level;
use fearless_simd_macros::simd;
use zinc_scene::{IRect, PixelFormat, Region};

/// What all bands of a frame share.
pub(crate) struct Frame<'a> {
    pub(crate) planners: &'a [Planner],
    /// Chunks in the order of commands: planner, first item, one past the last.
    pub(crate) order: &'a [(u32, u32, u32)],
    pub(crate) damage: &'a Region,
    pub(crate) band: i32,
    pub(crate) width: i32,
    pub(crate) height: i32,
    pub(crate) pitch: usize,
    pub(crate) format: PixelFormat,
    /// Instruction set.
    pub(crate) level: Level,
    /// Some film is a hole.
    pub(crate) holes: bool,
}

impl Frame<'_> {
    /// Draws band `n` into its rows of the target.
    pub(crate) fn band(&self, n: usize, painter: &mut Painter, rows: &mut [u8]) {
        dispatch!(self.level, simd => self.draw(simd, n, painter, rows));
    }

    #[simd]
    fn draw<S: Simd>(&self, simd: S, n: usize, painter: &mut Painter, rows: &mut [u8]) {
        let y0 = n as i32 * self.band;
        let band = IRect::new(0, y0, self.width, (y0 + self.band).min(self.height));
        if !self.damage.rects().iter().any(|r| r.overlaps(band)) {
            return;
        }
        painter.list.clear();
        for &(p, first, end) in self.order {
            let items = &self.planners[p as usize].items[first as usize..end as usize];
            let meets = |b: IRect| b.y0 < band.y1 && b.y1 > band.y0;
            let seen = items.iter().zip(first..).filter(|(i, _)| meets(i.bounds));
            painter.list.extend(seen.map(|(_, i)| (p, i)));
        }
        painter.bands += 1;
        for r in self.damage.rects() {
            let part = r.intersect(band);
            for x in (part.x0..part.x1).step_by(TILE_W) {
                let tile = IRect { x0: x, x1: part.x1.min(x + TILE_W as i32), ..part };
                painter.tile(simd, self.planners, n, tile, self.holes);
                for y in tile.y0..tile.y1 {
                    let at = (y - y0) as usize * self.pitch + x as usize * self.format.bytes();
                    store::row(simd, painter.row(y), &mut rows[at..], self.format);
                }
                painter.pixels += tile.area() as u64;
            }
        }
    }
}
