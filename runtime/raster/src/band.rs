//! One unit of the target: its bands of the plan, their damaged columns tile by tile, each pixel
//! stored once.

use crate::cells::TILE_W;
use crate::dither::Place;
use crate::plan::Planner;
use crate::pool::{TRACE, ThreadStats};
use crate::simd::{Simd, dispatch};
use crate::store;
use crate::tile::Painter;
use crate::view::View;
use fearless_simd::Level;
use fearless_simd_macros::simd;
use zinc_scene::{IRect, PixelFormat, Region, Rotation};

/// What all units of a frame share.
pub(crate) struct Frame<'a> {
    pub(crate) planners: &'a [Planner],
    /// Chunks in the order of commands: planner, first item, one past the last.
    pub(crate) order: &'a [(u32, u32, u32)],
    /// On the surface, inside of the target.
    pub(crate) damage: &'a Region,
    pub(crate) view: View,
    /// Instruction set.
    pub(crate) level: Level,
    /// Some film is a hole.
    pub(crate) holes: bool,
    /// No antialiasing.
    pub(crate) hard: bool,
}

/// Rows and columns of a tile that are turned sideways at once.
const ROWS: usize = 16;
const COLUMNS: usize = 8;

/// One thread's memory of the second pass, and what it did.
#[derive(Debug)]
pub(crate) struct Worker {
    painter: Painter,
    /// How far each planner's list of a band is read.
    read: Vec<u32>,
    /// A row upside down.
    line: [u32; TILE_W],
    /// A strip's rows in the target's format, without gaps.
    rows: Vec<u8>,
    /// Estimated cost of each unit, by what this thread planned.
    pub(crate) costs: Vec<u64>,
    pub(crate) stats: ThreadStats,
    pub(crate) pixels: u64,
    pub(crate) units: u64,
}

impl Worker {
    /// For bands of so many rows.
    pub(crate) fn new(band: usize) -> Self {
        Self {
            painter: Painter::new(band),
            read: Vec::new(),
            line: [0; TILE_W],
            rows: Vec::new(),
            costs: Vec::new(),
            stats: ThreadStats::default(),
            pixels: 0,
            units: 0,
        }
    }
}

impl Worker {
    /// Items that its lists have room for.
    pub(crate) fn listed(&self) -> usize {
        self.painter.list.capacity()
    }

    /// Makes room for so many.
    pub(crate) fn reserve(&mut self, items: usize) {
        self.painter.list.clear();
        self.painter.list.reserve(items);
        self.painter.marks.clear();
        self.painter.marks.reserve(items);
    }
}

impl Frame<'_> {
    /// Draws a unit into its rows of the target.
    pub(crate) fn unit(&self, n: usize, worker: &mut Worker, rows: &mut [u8]) {
        let _span = tracing::info_span!(target: TRACE, "band", n).entered();
        dispatch!(self.level, simd => self.draw(simd, n, worker, rows));
    }

    /// Some pixel of this part of the surface is damaged.
    pub(crate) fn is_damaged(&self, part: IRect) -> bool {
        self.damage.rects().iter().any(|r| r.overlaps(part))
    }

    #[simd]
    fn draw<S: Simd>(&self, simd: S, n: usize, worker: &mut Worker, rows: &mut [u8]) {
        let whole = self.view.part(n);
        if !self.is_damaged(whole) {
            return;
        }
        worker.units += 1;
        worker.painter.set_hard(self.hard);
        let sideways = self.view.rotation.is_sideways();
        if sideways {
            let (height, columns) = (whole.width() as usize, self.view.columns());
            worker.rows.resize(height * columns * self.view.format.bytes(), 0);
        }
        let top = self.view.rows(n).start;
        let step = self.view.band;
        for band in whole.y0 / step..=(whole.y1 - 1) / step {
            let part = whole.intersect(IRect { y0: band * step, y1: (band + 1) * step, ..whole });
            if !self.is_damaged(part) {
                continue;
            }
            self.list(band as usize, part, worker);
            for r in self.damage.rects() {
                let r = r.intersect(part);
                for x in (r.x0..r.x1).step_by(TILE_W) {
                    let tile = IRect { x0: x, x1: r.x1.min(x + TILE_W as i32), ..r };
                    worker.painter.tile(simd, self.planners, band as usize, tile, self.holes);
                    worker.pixels += tile.area() as u64;
                    if sideways {
                        self.collect(simd, tile, worker, top);
                    } else {
                        self.store(simd, tile, worker, top, rows);
                    }
                }
            }
        }
        if sideways {
            self.store_strip(whole, worker, top, rows);
        }
    }

    /// Lists the items of a band that meet `part` of it, in the order of commands.
    fn list(&self, band: usize, part: IRect, worker: &mut Worker) {
        let Painter { list, marks, .. } = &mut worker.painter;
        list.clear();
        marks.clear();
        worker.read.clear();
        worker.read.extend(self.planners.iter().map(|p| p.bands.start(band)));
        // A planner's chunks come in the order that it planned them in.
        for &(p, _, end) in self.order {
            let plan = &self.planners[p as usize];
            let read = &mut worker.read[p as usize];
            while let Some((entry, next)) = plan.bands.at(*read).filter(|e| e.0 / 2 < end) {
                *read = next;
                let b = plan.items[entry as usize / 2].bounds;
                if b.x0 < part.x1 && b.x1 > part.x0 {
                    if entry & 1 == 1 {
                        marks.push(list.len());
                    }
                    list.push((p, entry / 2));
                }
            }
        }
    }

    /// Stores a tile of a frame that is not turned, or upside down.
    #[simd]
    fn store<S: Simd>(&self, simd: S, tile: IRect, worker: &mut Worker, top: i32, rows: &mut [u8]) {
        // Where all alpha is 255 already, words are bytes.
        let format = match self.view.format {
            PixelFormat::Xrgb8888 if worker.painter.is_opaque() => PixelFormat::Argb8888,
            f => f,
        };
        let at = self.view.turned(tile);
        let over = self.view.rotation == Rotation::Deg180;
        for n in 0..tile.height() {
            let y = if over { tile.y1 - 1 - n } else { tile.y0 + n };
            let to = (at.y0 + n - top) as usize * self.view.pitch + at.x0 as usize * format.bytes();
            let words = worker.painter.row(y);
            if over {
                let line = &mut worker.line[..words.len()];
                line.iter_mut().zip(words.iter().rev()).for_each(|(o, w)| *o = *w);
                let place = Place::new(tile.x1 - 1, y, -1, 0);
                store::row(simd, line, &mut rows[to..], format, place);
            } else {
                let place = Place::new(tile.x0, y, 1, 0);
                store::row(simd, words, &mut rows[to..], format, place);
            }
        }
    }

    /// Turns a tile sideways into the strip's rows.
    #[simd]
    fn collect<S: Simd>(&self, simd: S, tile: IRect, worker: &mut Worker, top: i32) {
        let (format, at) = (self.view.format, self.view.turned(tile));
        let (bytes, clockwise) = (format.bytes(), self.view.rotation == Rotation::Deg90);
        let pitch = self.view.columns() * bytes;
        // Along a row of the target the surface's rows run up or down.
        let down = if clockwise { -1 } else { 1 };
        for from in (0..tile.height()).step_by(ROWS) {
            let n = (tile.height() - from).min(ROWS as i32) as usize;
            let first = if clockwise { tile.y1 - 1 - from } else { tile.y0 + from };
            let lines: [&[u32]; ROWS] = core::array::from_fn(|i| match i < n {
                true => worker.painter.row(first + i as i32 * down),
                false => &[],
            });
            let width = tile.width() as usize;
            for left in (0..width).step_by(COLUMNS) {
                let mut columns = [[0; ROWS]; COLUMNS];
                let count = (width - left).min(COLUMNS);
                for (i, line) in lines[..n].iter().enumerate() {
                    match line[left..].first_chunk::<COLUMNS>() {
                        Some(words) => (0..COLUMNS).for_each(|c| columns[c][i] = words[c]),
                        None => (0..count).for_each(|c| columns[c][i] = line[left + c]),
                    }
                }
                for (c, words) in columns[..count].iter().enumerate() {
                    let x = (left + c) as i32;
                    let place = Place::new(tile.x0 + x, first, 0, down);
                    // A row of the target is a column of the surface, in one order or the other.
                    let y = if clockwise { at.y0 + x } else { at.y1 - 1 - x } - top;
                    let to = y as usize * pitch + (at.x0 + from) as usize * bytes;
                    store::row(simd, &words[..n], &mut worker.rows[to..], format, place);
                }
            }
        }
    }

    /// Stores the damaged part of a strip, row by row.
    fn store_strip(&self, part: IRect, worker: &Worker, top: i32, rows: &mut [u8]) {
        let bytes = self.view.format.bytes();
        let pitch = self.view.columns() * bytes;
        for r in self.damage.rects() {
            let r = r.intersect(part);
            if r.is_empty() {
                continue;
            }
            let at = self.view.turned(r);
            let (left, len) = (at.x0 as usize * bytes, at.width() as usize * bytes);
            for y in (at.y0 - top) as usize..(at.y1 - top) as usize {
                let from = &worker.rows[y * pitch + left..][..len];
                rows[y * self.view.pitch + left..][..len].copy_from_slice(from);
            }
        }
    }
}
