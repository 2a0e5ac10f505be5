//! `zinc-bench`: the rasterizer on scenes, next to tiny-skia and vello_cpu in the same run.
//!
//! Zinc's clock covers plan to store with warm glyph and shadow caches; nothing is kept from the
//! frame before. Peers draw objects made beforehand. Only figures of one run compare.
#![forbid(unsafe_code)]

mod busy;
mod counts;
mod font;
mod formats;
mod measure;
mod pool;
mod record;
mod skia;
mod small;
mod vello;
mod zsc;

use anyhow::{Context, Result, bail};
use clap::Parser;
use measure::{Contestant, Times};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use zsc::Scene;

/// Measures the rasterizer on scenes.
#[derive(Debug, Parser)]
#[command(name = "zinc-bench")]
struct Args {
    /// A folder of `.zsc` scenes; without one, the small built-in set.
    dir: Option<PathBuf>,
    /// Frames a round.
    #[arg(long, default_value_t = 60)]
    frames: usize,
    /// Measured rounds; medians are printed.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Most threads of Zinc: it is measured with 1 to this many.
    #[arg(long, default_value_t = zinc_raster::default_threads())]
    threads: usize,
    /// Only scenes whose name begins so (may be repeated).
    #[arg(long)]
    scene: Vec<String>,
    /// Zinc's instruction set: 0 is the baseline, the next are those the processor adds to it, the
    /// last one is the default.
    #[arg(long, default_value_t = usize::MAX)]
    level: usize,
    /// Zinc alone.
    #[arg(long)]
    no_peers: bool,
    /// Zinc alone, into targets of several formats and turns.
    #[arg(long)]
    formats: bool,
    /// With `--formats`: only turned sideways, in strips of so many rows (may be repeated).
    #[arg(long)]
    strip: Vec<usize>,
    /// Zinc alone: whole frames and small changes by 1 to all threads, and what each thread did.
    #[arg(long)]
    busy: bool,
    /// Nothing but ways to share 30 bands of 50 us between so many threads.
    #[arg(long)]
    pool: bool,
    /// Count instructions a frame under callgrind instead of measuring time.
    #[arg(long)]
    instructions: bool,
    /// Draw so many frames after a warm-up and print nothing: what is counted.
    #[arg(long, hide = true)]
    draw: Option<usize>,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("zinc-bench: {e:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<()> {
    if args.pool {
        return pool::run(args.threads.max(2), args.frames * args.rounds);
    }
    let scenes = scenes(args)?;
    if let Some(n) = args.draw {
        return scenes.iter().try_for_each(|s| counts::draw(s, args.frames, n, args.level));
    }
    if args.instructions {
        println!("{:<22}{:>24}", "scene", "M instructions a frame");
        for s in &scenes {
            let count =
                counts::count(args.dir.as_deref(), &s.name, args.frames.min(20), args.level)?;
            println!("{:<22}{:>24.2}", s.name, count / 1e6);
        }
        return Ok(());
    }
    if args.busy {
        return busy::run(&scenes, args.frames, args.rounds, args.threads.max(1));
    }
    if args.formats {
        return formats::run(&scenes, args.frames, args.rounds, args.threads.max(1), &args.strip);
    }
    println!(
        "{:<22}{:<14}{:>9}{:>9}{:>9}{:>9}{:>9}",
        "scene", "who", "p50 ms", "p99 ms", "cpu ms", "ratio", "psnr"
    );
    for s in scenes {
        scene(&Rc::new(s), args)?;
    }
    Ok(())
}

fn scenes(args: &Args) -> Result<Vec<Scene>> {
    let wanted = |name: &str| {
        args.scene.is_empty() || args.scene.iter().any(|s| name.starts_with(s.as_str()))
    };
    let Some(dir) = &args.dir else {
        let all = small::scenes()?;
        return Ok(all.into_iter().filter(|s| wanted(&s.name)).collect());
    };
    let read = |p: &Path| std::fs::read(p).with_context(|| format!("cannot read {}", p.display()));
    let list = std::fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))?;
    let mut files: Vec<PathBuf> = list.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "zsc"));
    files.sort();
    let mut all = Vec::new();
    for f in files {
        let name = f.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if wanted(&name) {
            let text = String::from_utf8(read(&f)?).context("a scene is not UTF-8")?;
            all.push(zsc::parse(&name, &text, &mut |file| read(&dir.join(file)))?);
        }
    }
    if all.is_empty() {
        bail!("{} holds no such scene", dir.display());
    }
    Ok(all)
}

/// Peak signal-to-noise ratio of two pictures, dB.
fn psnr(a: &[[u8; 3]], b: &[[u8; 3]]) -> f64 {
    let square = |a: &u8, b: &u8| (*a as f64 - *b as f64).powi(2);
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    let mean = pairs.map(|(a, b)| square(a, b)).sum::<f64>() / (a.len() * 3).max(1) as f64;
    10.0 * (255.0f64.powi(2) / mean.max(1e-9)).log10()
}

fn scene(scene: &Rc<Scene>, args: &Args) -> Result<()> {
    let lists = Arc::new(record::lists(scene, args.frames)?);
    let mut all = Vec::new();
    let mut likeness = Vec::new();
    let mut zinc = record::Zinc::new(lists.clone(), 1, args.level);
    zinc.draw(0);
    let ours = zinc.rgb();
    for n in 1..=args.threads.max(1) {
        let mut zinc = record::Zinc::new(lists.clone(), n, args.level);
        zinc.draw(0);
        if zinc.rgb() != ours {
            bail!("{}: {n} threads draw another picture than one", scene.name);
        }
        likeness.push(None);
        all.push(Contestant { name: format!("zinc {n}t"), draw: Box::new(move |f| zinc.draw(f)) });
    }
    if !args.no_peers {
        let mut skia = skia::Skia::new(scene)?;
        skia.draw(0);
        likeness.push(Some(psnr(&ours, &skia.rgb())));
        all.push(Contestant { name: "tiny-skia".into(), draw: Box::new(move |f| skia.draw(f)) });
        let mut vello = vello::Vello::new(scene);
        vello.draw(0);
        likeness.push(Some(psnr(&ours, &vello.rgb())));
        all.push(Contestant { name: "vello_cpu".into(), draw: Box::new(move |f| vello.draw(f)) });
    }
    let times: Vec<Times> = measure::run(&mut all, args.frames, args.rounds);
    for ((c, t), like) in all.iter().zip(&times).zip(likeness) {
        let ratio = t.p50 / times[0].p50;
        let like = like.map_or(String::new(), |v| format!("{v:.1}"));
        println!(
            "{:<22}{:<14}{:>9.3}{:>9.3}{:>9.3}{:>9.2}{:>9}",
            scene.name, c.name, t.p50, t.p99, t.cpu, ratio, like
        );
    }
    Ok(())
}
