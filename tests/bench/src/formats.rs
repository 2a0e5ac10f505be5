//! One scene into targets of several formats and turns, next to XRGB8888 in the same run. Targets
//! are taken from a ring that no cache holds, as a display's buffers are.

use crate::measure::{self, Contestant, Times};
use crate::record;
use crate::zsc::Scene;
use anyhow::Result;
use std::sync::Arc;
use zinc_raster::Rasterizer;
use zinc_scene::{CommandList, LayerPlan, PixelFormat, Region, Rotation, TargetMut};

/// Targets of a ring: 48 MB at 800x480 and 32 bits.
const RING: usize = 32;

/// What is compared; the first is what the others are measured by.
const TARGETS: &[(PixelFormat, Rotation)] = &[
    (PixelFormat::Xrgb8888, Rotation::Deg0),
    (PixelFormat::Argb8888, Rotation::Deg0),
    (PixelFormat::Abgr8888, Rotation::Deg0),
    (PixelFormat::Rgb888, Rotation::Deg0),
    (PixelFormat::Rgb565, Rotation::Deg0),
    (PixelFormat::Xrgb8888, Rotation::Deg180),
    (PixelFormat::Xrgb8888, Rotation::Deg90),
    (PixelFormat::Xrgb8888, Rotation::Deg270),
    (PixelFormat::Rgb565, Rotation::Deg90),
];

/// A contestant: one format and turn, drawn by so many threads.
fn contestant(
    lists: &Arc<Vec<Arc<CommandList>>>,
    (format, rotation): (PixelFormat, Rotation),
    threads: usize,
    strip: Option<usize>,
) -> Contestant {
    let lists = lists.clone();
    let mut raster = Rasterizer::new(threads);
    if let Some(rows) = strip {
        raster = raster.with_strip(rows);
    }
    let mut ring: Vec<Vec<u8>> = vec![Vec::new(); RING];
    let draw = move |f: usize| {
        let list = &lists[f % lists.len()];
        let (width, height) = rotation.size((list.width(), list.height()));
        let pitch = width as usize * format.bytes();
        let bytes = &mut ring[f % RING];
        bytes.resize(pitch * height as usize, 0);
        let mut target = TargetMut { bytes, width, height, pitch, format, rotation };
        raster.render(list, &LayerPlan::new(), &Region::of(list.surface()), &mut target);
    };
    let strip = strip.map_or(String::new(), |n| format!(" /{n}"));
    let name = format!("{format:?} {rotation:?} {threads}t{strip}");
    Contestant { name, draw: Box::new(draw) }
}

/// Prints a line per scene, format, turn and number of threads; the ratio is to the first of as many
/// threads. With `strips`, sideways targets alone, cut into strips of so many of their rows.
pub(crate) fn run(
    scenes: &[Scene],
    frames: usize,
    rounds: usize,
    threads: usize,
    strips: &[usize],
) -> Result<()> {
    println!(
        "{:<22}{:<28}{:>9}{:>9}{:>9}{:>9}",
        "scene", "target", "p50 ms", "p99 ms", "cpu ms", "ratio"
    );
    scenes.iter().try_for_each(|s| scene(s, frames, rounds, threads, strips))
}

fn scene(
    scene: &Scene,
    frames: usize,
    rounds: usize,
    threads: usize,
    strips: &[usize],
) -> Result<()> {
    let lists = Arc::new(record::lists(scene, frames)?);
    let mut all = Vec::new();
    for n in 1..=threads {
        if strips.is_empty() {
            all.extend(TARGETS.iter().map(|t| contestant(&lists, *t, n, None)));
            continue;
        }
        all.push(contestant(&lists, TARGETS[0], n, None));
        let sideways = TARGETS.iter().filter(|t| t.1.is_sideways());
        all.extend(
            sideways.flat_map(|t| strips.iter().map(|s| contestant(&lists, *t, n, Some(*s)))),
        );
    }
    let times: Vec<Times> = measure::run(&mut all, frames.max(RING), rounds);
    let first = all.len() / threads;
    for (i, (c, t)) in all.iter().zip(&times).enumerate() {
        let ratio = t.p50 / times[i / first * first].p50;
        println!(
            "{:<22}{:<28}{:>9.3}{:>9.3}{:>9.3}{:>9.2}",
            scene.name, c.name, t.p50, t.p99, t.cpu, ratio
        );
    }
    Ok(())
}
