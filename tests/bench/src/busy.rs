//! How well threads share a scene: whole frames, and changes of 10x10 pixels, by 1 to n threads in
//! one interleaved run, and what each thread did in them.

use crate::measure::{self, Contestant, Times};
use crate::record;
use crate::zsc::Scene;
use anyhow::Result;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use zinc_raster::{PoolStats, Rasterizer};
use zinc_scene::{CommandList, IRect, LayerPlan, PixelFormat, Region, Rotation, TargetMut};

/// One rasterizer, whose counters outlive the contestant that draws by it.
type Shared = Rc<RefCell<Rasterizer>>;

fn contestant(
    lists: &Arc<Vec<Arc<CommandList>>>,
    raster: &Shared,
    what: &str,
    damage: Option<IRect>,
) -> Contestant {
    let (lists, raster) = (lists.clone(), raster.clone());
    let name = format!("{what} {}t", raster.borrow().threads());
    let mut bytes = Vec::new();
    let draw = move |f: usize| {
        let list = &lists[f % lists.len()];
        let (width, height) = (list.width(), list.height());
        let pitch = width as usize * 4;
        bytes.resize(pitch * height as usize, 0);
        let (format, rotation) = (PixelFormat::Xrgb8888, Rotation::Deg0);
        let mut target = TargetMut { bytes: &mut bytes, width, height, pitch, format, rotation };
        let damage = Region::of(damage.unwrap_or(list.surface()));
        raster.borrow_mut().render(list, &LayerPlan::new(), &damage, &mut target);
    };
    Contestant { name, draw: Box::new(draw) }
}

/// What each thread did, as parts of the caller's busy time.
fn shares(stats: &PoolStats) -> String {
    let caller = stats.threads.first().map_or(0.0, |t| t.busy.as_secs_f64()).max(1e-9);
    let part = |of: std::time::Duration| of.as_secs_f64() / caller;
    let one = |t: &zinc_raster::ThreadStats| {
        let waits = t.waits as f64 / t.passes.max(1) as f64;
        format!("{:.2} busy, {:.2} late, {waits:.2} waits", part(t.busy), part(t.late))
    };
    stats.threads.iter().map(one).collect::<Vec<_>>().join(" | ")
}

/// Prints a line per scene, kind of frame and number of threads; ratios are to one thread, and what
/// threads did are parts of the caller's busy time.
pub(crate) fn run(scenes: &[Scene], frames: usize, rounds: usize, threads: usize) -> Result<()> {
    println!("{:<22}{:<14}{:>9}{:>9}{:>9}", "scene", "frame", "p50 ms", "cpu ms", "ratio");
    scenes.iter().try_for_each(|s| scene(s, frames, rounds, threads))
}

fn scene(scene: &Scene, frames: usize, rounds: usize, threads: usize) -> Result<()> {
    let lists = Arc::new(record::lists(scene, frames)?);
    let (x, y) = (scene.width as i32 / 2, scene.height as i32 / 2);
    let kinds = [("whole", None), ("10x10", Some(IRect::new(x, y, x + 10, y + 10)))];
    let rasters: Vec<Vec<Shared>> = kinds
        .map(|_| (1..=threads).map(|n| Rc::new(RefCell::new(Rasterizer::new(n)))).collect())
        .into();
    let mut all = Vec::new();
    for ((what, damage), rasters) in kinds.into_iter().zip(&rasters) {
        all.extend(rasters.iter().map(|r| contestant(&lists, r, what, damage)));
    }
    let times: Vec<Times> = measure::run(&mut all, frames, rounds);
    for (i, (c, t)) in all.iter().zip(&times).enumerate() {
        let (kind, n) = (i / threads, i % threads);
        let raster = rasters[kind][n].borrow();
        let stats = raster.pool_stats();
        let woken = stats.woken as f64 * 2.0 / stats.passes.max(1) as f64;
        println!(
            "{:<22}{:<14}{:>9.3}{:>9.3}{:>9.2}  {woken:.2} woken a frame; {}",
            scene.name,
            c.name,
            t.p50,
            t.cpu,
            t.p50 / times[kind * threads].p50,
            shares(stats)
        );
    }
    Ok(())
}
