//! How a frame is cut for threads: units of whole target rows, each with its part of the surface.
//!
//! - Not turned, and upside down: a unit is one band of the plan, 16 rows of the surface. Upside
//!   down the first unit of the target is the surface's last band, which may be short.
//! - Sideways: target rows are surface columns. A unit is a strip of them over the surface's whole
//!   height, drawn band by band; its rows are collected and stored whole. What crosses strips is
//!   drawn in each, so they are as wide as a tile, or as equal shares of the threads allow.

use crate::cells::TILE_W;
use std::ops::Range;
use zinc_scene::{IRect, PixelFormat, Rotation, TargetMut};

/// Rows of a strip at least: below, tiles cost more than a thread helps.
const NARROW: usize = 64;

/// Target rows of a strip, for a target of so many rows and so many threads.
pub(crate) fn strip(rows: u32, threads: usize) -> usize {
    let rows = rows as usize;
    let strips = rows.div_ceil(TILE_W).next_multiple_of(threads);
    rows.div_ceil(strips).max(NARROW).next_multiple_of(16)
}

/// A target without its memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// Columns and rows of the target.
    size: (u32, u32),
    pub(crate) pitch: usize,
    pub(crate) format: PixelFormat,
    pub(crate) rotation: Rotation,
    /// Rows of a band of the plan.
    pub(crate) band: i32,
    /// Target rows of a strip.
    strip: i32,
}

impl View {
    /// Of a valid target, for bands and strips of so many rows.
    pub(crate) fn new(target: &TargetMut<'_>, band: i32, strip: i32) -> Self {
        let &TargetMut { width, height, pitch, format, rotation, .. } = target;
        Self { size: (width, height), pitch, format, rotation, band, strip }
    }
    /// Columns of the target.
    pub(crate) fn columns(&self) -> usize {
        self.size.0 as usize
    }
    /// Columns and rows of the surface that fills the target.
    pub(crate) fn surface(&self) -> (u32, u32) {
        self.rotation.size(self.size)
    }
    /// Where a part of the surface lies in the target.
    pub(crate) fn turned(&self, r: IRect) -> IRect {
        self.rotation.turn(r, self.surface())
    }
    /// Target rows of a unit, but for the first and the last one, and of the first.
    fn steps(&self) -> (i32, i32) {
        let height = self.size.1 as i32;
        match self.rotation {
            Rotation::Deg0 => (self.band, self.band),
            Rotation::Deg180 => (self.band, (height - 1) % self.band + 1),
            Rotation::Deg90 | Rotation::Deg270 => (self.strip, self.strip),
        }
    }
    /// Number of units.
    pub(crate) fn units(&self) -> usize {
        self.unit_of(self.size.1 as i32 - 1) + 1
    }
    /// The unit that holds a row of the target.
    pub(crate) fn unit_of(&self, row: i32) -> usize {
        let (step, first) = self.steps();
        ((row + step - first) / step) as usize
    }
    /// Target rows of a unit.
    pub(crate) fn rows(&self, unit: usize) -> Range<i32> {
        let (step, first) = self.steps();
        let start = first - step + unit as i32 * step;
        start.max(0)..(start + step).min(self.size.1 as i32)
    }
    /// The part of the surface that a unit shows.
    pub(crate) fn part(&self, unit: usize) -> IRect {
        let rows = self.rows(unit);
        let r = IRect::new(0, rows.start, self.size.0 as i32, rows.end);
        self.rotation.inverse().turn(r, self.size)
    }
    /// The target's memory, unit by unit.
    pub(crate) fn split<'a>(
        &self,
        mut bytes: &'a mut [u8],
    ) -> impl Iterator<Item = (usize, &'a mut [u8])> {
        let view = *self;
        (0..self.units()).map(move |n| {
            let rest = core::mem::take(&mut bytes);
            // The last row need not be followed by what its pitch promises.
            let len = (view.rows(n).len() * view.pitch).min(rest.len());
            let (unit, rest) = rest.split_at_mut(len);
            bytes = rest;
            (n, unit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_are_equal_shares() {
        let all = [(800, 1), (800, 2), (800, 4), (1920, 2), (1, 1), (800, 64), (401, 1)];
        let strips = all.map(|(rows, threads)| strip(rows, threads));
        assert_eq!(strips, [400, 400, 208, 320, 64, 64, 208]);
    }

    #[test]
    fn units_hold_every_row_once_and_whole_bands() {
        for rotation in Rotation::ALL {
            for (width, height) in [(1, 1), (33, 16), (16, 33), (50, 47), (100, 130)] {
                let (pitch, format) = (width as usize * 2 + 3, PixelFormat::Rgb565);
                let len = pitch * (height as usize - 1) + width as usize * 2;
                let mut bytes = vec![0; len];
                let target =
                    TargetMut { bytes: &mut bytes, width, height, pitch, format, rotation };
                assert!(target.is_valid());
                let view = View::new(&target, 16, 48);
                let (mut row, mut area) = (0, 0);
                for (n, part) in view.split(target.bytes) {
                    let rows = view.rows(n);
                    assert_eq!(rows.start, row);
                    assert!(rows.clone().all(|y| view.unit_of(y) == n));
                    row = rows.end;
                    let last = row == height as i32;
                    let gap = if last { 3 } else { 0 };
                    assert_eq!(part.len(), rows.len() * pitch - gap);
                    let r = view.part(n);
                    area += r.area();
                    assert_eq!(view.turned(r), IRect::new(0, rows.start, width as i32, row));
                    if !rotation.is_sideways() {
                        assert!(r.y0 % 16 == 0 && r.height() <= 16, "{rotation:?}: {r:?}");
                    }
                }
                assert_eq!((row, area), (height as i32, width as i64 * height as i64));
            }
        }
    }
}
