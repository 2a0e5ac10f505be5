//! Times of whole scenes, everyone in the same rounds.

use crate::args::Args;
use crate::levels::{self, Level};
use crate::measure::{self, Contestant};
use crate::record::{self, Zinc};
use crate::skia::Skia;
use crate::vello::Vello;
use crate::zsc::Scene;
use anyhow::{Result, bail};
use std::rc::Rc;
use std::sync::Arc;

/// Measures all and prints a table; ratios are to Zinc with one thread at `level`.
pub(crate) fn print(scenes: Vec<Scene>, args: &Args, level: Level) -> Result<()> {
    println!(
        "{:<22}{:<18}{:>9}{:>9}{:>9}{:>9}{:>9}",
        "scene", "who", "p50 ms", "p99 ms", "cpu ms", "ratio", "psnr"
    );
    scenes.into_iter().try_for_each(|s| one(&Rc::new(s), args, level))
}

fn one(scene: &Rc<Scene>, args: &Args, level: Level) -> Result<()> {
    let lists = Arc::new(record::lists(scene, args.frames)?);
    let (mut all, mut likeness) = (Vec::new(), Vec::new());
    let mut zinc = Zinc::new(lists.clone(), 1, level.index);
    zinc.draw(0);
    let ours = zinc.rgb();
    let mut entries: Vec<(usize, Level)> = (1..=args.threads.max(1)).map(|n| (n, level)).collect();
    if args.levels {
        entries.extend(levels::all().into_iter().filter(|l| *l != level).map(|l| (1, l)));
    }
    for (threads, level) in entries {
        let mut zinc = Zinc::new(lists.clone(), threads, level.index);
        zinc.draw(0);
        let name = format!("zinc {threads}t {}", level.name);
        if zinc.rgb() != ours {
            bail!("{}: {name} draws another picture than one thread", scene.name);
        }
        likeness.push(None);
        all.push(Contestant::new(name, move |f| zinc.draw(f)));
    }
    if !args.no_peers {
        let mut skia = Skia::new(scene)?;
        skia.draw(0);
        likeness.push(Some(psnr(&ours, &skia.rgb())));
        all.push(Contestant::new("tiny-skia", move |f| skia.draw(f)));
        let mut vello = Vello::new(scene);
        vello.draw(0);
        likeness.push(Some(psnr(&ours, &vello.rgb())));
        all.push(Contestant::new("vello_cpu", move |f| vello.draw(f)));
    }
    let times = measure::run(&mut all, args.frames, args.rounds);
    for ((c, t), like) in all.iter().zip(&times).zip(likeness) {
        let ratio = t.p50 / times[0].p50;
        let like = like.map_or(String::new(), |v| format!("{v:.1}"));
        println!(
            "{:<22}{:<18}{:>9.3}{:>9.3}{:>9.3}{ratio:>9.2}{like:>9}",
            scene.name, c.name, t.p50, t.p99, t.cpu
        );
    }
    Ok(())
}

/// Peak signal-to-noise ratio of two pictures, dB.
fn psnr(a: &[[u8; 3]], b: &[[u8; 3]]) -> f64 {
    let square = |a: &u8, b: &u8| (*a as f64 - *b as f64).powi(2);
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    let mean = pairs.map(|(a, b)| square(a, b)).sum::<f64>() / (a.len() * 3).max(1) as f64;
    10.0 * (255.0f64.powi(2) / mean.max(1e-9)).log10()
}
