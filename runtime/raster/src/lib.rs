//! Zinc's software renderer: a frozen command list becomes pixels, in two passes.
//!
//! ```
//! use zinc_raster::Rasterizer;
//! use zinc_scene::{Color, LayerPlan, PixelFormat, Recorder, Region, Rotation, TargetMut};
//! let mut r = Recorder::new();
//! r.begin(64, 32)?;
//! r.clear(Color::hex(0xF4F5F7));
//! r.rect(4.0, 4.0, 24.0, 12.0).radius(5.0).fill(Color::BLACK);
//! let list = r.freeze();
//! let mut bytes = vec![0; 64 * 32 * 4];
//! let (width, height, pitch, format) = (64, 32, 64 * 4, PixelFormat::Xrgb8888);
//! let rotation = Rotation::Deg0;
//! let mut target = TargetMut { bytes: &mut bytes, width, height, pitch, format, rotation };
//! let all = Region::of(list.surface());
//! let stats = Rasterizer::new(1).render(&list, &LayerPlan::new(), &all, &mut target);
//! assert_eq!(stats.pixels, 64 * 32);
//! # Ok::<(), zinc_scene::Invalid>(())
//! ```
//!
//! 1. **Plan**, over chunks of commands: cull, transform, stroke, flatten, round to 24.8, bin
//!    edges per band, resolve glyphs, shadow masks and image levels.
//! 2. **Bands** of 16 rows, in tiles of 400 columns that fit an L1: every item is drawn into the
//!    tile but for what later opaque items cover, then each pixel is stored once. The target is
//!    never read. Kernels are compiled once per instruction set; the processor's best is chosen.
//!
//! The bytes are a function of the list (and what its films show) alone: floats only before the
//! 24.8 rounding, and only operations that IEEE 754 rounds exactly; integers after it. Threads,
//! bands, instruction sets and damage decide who draws a pixel, never what it becomes.
#![forbid(unsafe_code)]

mod band;
mod bins;
mod blend;
mod cache;
mod canvas;
mod cells;
mod cost;
mod dash;
mod dither;
mod fixed;
mod flatten;
mod glyphs;
mod gradient;
mod image;
mod kernels;
mod line;
mod lists;
mod mips;
mod mix;
mod parallel;
mod plan;
mod pool;
mod rounded;
mod row;
mod scan;
mod serial;
mod shadow;
mod simd;
mod sources;
mod store;
mod stroke;
mod surface;
mod table;
#[cfg(feature = "testing")]
pub mod testing;
mod tile;
#[cfg(test)]
mod twins;
mod view;

pub use pool::{PoolStats, TRACE, ThreadStats};
pub use surface::store_surface;

use band::{Frame, Worker};
use fearless_simd::Level;
use mips::Mips;
use parallel::Crew;
use plan::{Job, Planner};
use rayon::{ThreadPool, ThreadPoolBuilder};
use rounded::Corners;
use shadow::Masks;
use view::View;
use zinc_scene::{CommandList, Latched, LayerPlan, Region, TargetMut};

/// Rows of a band: with 400 columns of a tile they are 25 KB, which a small core's first cache holds.
const BAND: usize = 16;
/// Rows of a band where the second cache is nearly as quick and there is nobody to share many bands
/// with: edges are then looked at half as often. A map takes 6 to 9 % less, a screen of cards the
/// same.
const TALL_BAND: usize = 32;

/// Rows of a band for so many threads; the frame is the same.
const fn band(threads: usize) -> usize {
    if cfg!(target_arch = "x86_64") && threads <= 2 { TALL_BAND } else { BAND }
}

/// Most threads that a frame is cut for: a screen has 30 to 70 bands.
const THREADS: usize = 8;

/// What a frame took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Commands drawn.
    pub drawn: usize,
    /// Commands outside the damage, or with nothing to show.
    pub culled: usize,
    /// Edges; of shapes that are sorted by band, one that crosses bands counts in each.
    pub segments: usize,
    /// Bands with damage; where the target is turned sideways, strips of its rows.
    pub bands: u64,
    /// Pixels stored.
    pub pixels: u64,
}

/// Online cores, at most 8.
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get()).min(THREADS)
}

/// Draws lists. Keeps its memory, its threads and its caches between frames.
#[derive(Debug)]
pub struct Rasterizer {
    /// `None` with one thread, or when no thread could be started.
    pool: Option<ThreadPool>,
    planners: Vec<Planner>,
    workers: Vec<Worker>,
    order: Vec<(u32, u32, u32)>,
    /// Rows of a band.
    band: usize,
    /// Target rows of a unit of a frame that is turned sideways; `None`: as `View` advises.
    strip: Option<usize>,
    stats: PoolStats,
    shuffle: Option<u64>,
    mips: Mips,
    shadows: Masks,
    corners: Corners,
    level: Level,
    hard: bool,
}

/// The instruction sets that can be asked for here: plain code (with the `testing` feature), the
/// baseline, and what the processor adds.
fn levels() -> Vec<Level> {
    let best = Level::new();
    let mut all = Vec::new();
    #[cfg(feature = "testing")]
    all.push(Level::fallback());
    all.push(Level::baseline());
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        all.extend(best.as_sse4_2().map(Level::Sse4_2));
        all.extend(best.as_avx2().map(Level::Avx2));
    }
    all.push(best);
    all.dedup_by_key(|l| core::mem::discriminant(l));
    all
}

impl Rasterizer {
    /// Draws with `threads` threads, the caller among them: 1 starts none.
    pub fn new(threads: usize) -> Self {
        Self::with_band(threads, band(threads))
    }

    /// With bands of another height; the frame is the same.
    #[doc(hidden)]
    pub fn with_band(threads: usize, band: usize) -> Self {
        let threads = threads.clamp(1, 64);
        let build = |n: usize| {
            let name = |i| format!("zinc-raster-{i}");
            ThreadPoolBuilder::new().num_threads(n).thread_name(name).build().ok()
        };
        let pool = (threads > 1).then(|| build(threads - 1)).flatten();
        let n = if pool.is_some() { threads } else { 1 };
        Self {
            pool,
            planners: (0..n).map(|_| Planner::default()).collect(),
            workers: (0..n).map(|_| Worker::new(band)).collect(),
            order: Vec::new(),
            band,
            strip: None,
            stats: PoolStats::default(),
            shuffle: None,
            mips: mips::mips(),
            shadows: shadow::masks(),
            corners: rounded::corners(),
            level: Level::new(),
            hard: false,
        }
    }

    /// With the `n`th instruction set that this machine has, the last one beyond; the frame is the
    /// same.
    #[doc(hidden)]
    pub fn at_level(mut self, n: usize) -> Self {
        let all = levels();
        self.level = all[n.min(all.len() - 1)];
        self
    }

    /// With strips of so many target rows, 1 and up, where frames are turned sideways; the frame is
    /// the same.
    #[doc(hidden)]
    pub fn with_strip(mut self, rows: usize) -> Self {
        self.strip = Some(rows.max(1));
        self
    }

    /// With units handed out in a random order, to all threads; the frame is the same.
    #[doc(hidden)]
    pub fn shuffled(mut self, seed: u64) -> Self {
        self.shuffle = Some(seed);
        self
    }

    /// What the threads did so far.
    pub fn pool_stats(&self) -> &PoolStats {
        &self.stats
    }

    /// With antialiasing (as at the start) or without: then a pixel belongs to a shape or a glyph
    /// from half of its area on, and is its colour alone. Shadows, gradients and scaled images stay
    /// smooth inside.
    pub fn set_antialiasing(&mut self, on: bool) {
        self.hard = !on;
    }

    /// Threads that draw, the caller among them.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Draws the damaged pixels of `list` into `target` and leaves all others as they are; damage is
    /// on the surface, whatever the target's turn. A target smaller than the surface shows its top
    /// left part; an invalid one is left alone.
    pub fn render(
        &mut self,
        list: &CommandList,
        plan: &LayerPlan,
        damage: &Region,
        target: &mut TargetMut<'_>,
    ) -> Stats {
        let (width, height) = target.surface_size();
        let seen = zinc_scene::IRect::of_size(width, height);
        let damage = &damage.clipped(list.surface().intersect(seen));
        if !target.is_valid() || damage.is_empty() {
            return Stats::default();
        }
        let band = self.band as i32;
        let strip = self.strip.unwrap_or_else(|| view::strip(target.height, self.threads()));
        let view = View::new(target, band, strip as i32);
        let (mips, shadows, corners) = (&self.mips, &self.shadows, &self.corners);
        let around = damage.bounds();
        let job = Job { list, films: plan, damage, around, band, mips, shadows, corners };
        let mut crew = self.pool.as_ref().map(|pool| Crew {
            pool,
            stats: &mut self.stats,
            shuffle: self.shuffle,
        });
        match &mut crew {
            None => serial::plan(&job, &mut self.planners[0], &mut self.workers[0]),
            Some(crew) => crew.plan(&job, &view, &mut self.planners, &mut self.workers),
        }
        self.order.clear();
        self.order.resize(list.commands().len().div_ceil(plan::CHUNK), (0, 0, 0));
        for (p, planner) in self.planners.iter().enumerate() {
            for &(n, first, end) in &planner.chunks {
                self.order[n as usize] = (p as u32, first, end);
            }
        }
        let frame = Frame {
            planners: &self.planners,
            order: &self.order,
            damage,
            view,
            level: self.level,
            hard: self.hard,
            holes: plan.iter().any(|(_, l)| matches!(l, Latched::Hole)),
        };
        match &mut crew {
            None => serial::draw(&frame, &mut self.workers[0], target.bytes),
            Some(crew) => crew.draw(&frame, &mut self.workers, target.bytes),
        }
        self.finish()
    }

    /// Adds the counters up and lets go of the frame.
    fn finish(&mut self) -> Stats {
        let mut s = Stats::default();
        let mut sizes = [0; 14];
        for p in &mut self.planners {
            s.drawn += p.items.len();
            s.culled += p.culled;
            s.segments += p.segs.len();
            for (all, one) in sizes.iter_mut().zip(p.sizes()) {
                *all += one;
            }
            p.clear();
        }
        if self.planners.len() > 1 {
            // Who plans and draws what differs from frame to frame.
            self.planners.iter_mut().for_each(|p| p.reserve(&sizes));
            let most = self.workers.iter().map(Worker::listed).max().unwrap_or(0);
            self.workers.iter_mut().for_each(|w| w.reserve(most));
        }
        self.stats.passes += 2;
        self.stats.threads.clear();
        for w in &mut self.workers {
            s.bands += core::mem::take(&mut w.units);
            s.pixels += core::mem::take(&mut w.pixels);
            self.stats.threads.push(w.stats);
        }
        s
    }
}
