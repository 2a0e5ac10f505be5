//! `zinc-bench`: the rasterizer on scenes, next to tiny-skia and vello_cpu in the same run.
//!
//! Zinc's clock covers plan to store with warm glyph and shadow caches; nothing is kept from the
//! frame before. Peers draw objects made beforehand. Only figures of one run compare.
#![forbid(unsafe_code)]

mod args;
mod baseline;
mod busy;
mod counts;
mod font;
mod formats;
mod generate;
mod hashes;
mod levels;
mod measure;
mod pool;
mod primitives;
mod record;
mod scenes;
mod sized;
mod skia;
mod small;
mod source;
mod vello;
mod zsc;

use anyhow::Result;
use args::Args;
use clap::Parser;
use counts::Counting;
use std::process::ExitCode;

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
    let threads = args.threads.max(1);
    if args.pool {
        return pool::run(threads.max(2), args.frames * args.rounds);
    }
    let source = args.source();
    let scenes = source.scenes(&|name| args.wants(name))?;
    let level = match args.instructions {
        true => levels::countable(args.level.as_deref())?,
        false => levels::named(args.level.as_deref())?,
    };
    if let Some(n) = args.draw {
        return scenes.iter().try_for_each(|s| counts::draw(s, args.frames, n, level));
    }
    if args.write_baseline {
        return baseline::write(&scenes);
    }
    if args.check_baseline {
        return baseline::check(&scenes);
    }
    if args.hashes {
        return hashes::print(&scenes, args.frames.min(3));
    }
    if args.primitives && args.instructions {
        return primitives::print_instructions(&scenes, level);
    }
    if args.primitives {
        let levels = if args.levels { levels::all() } else { vec![level] };
        return primitives::print(scenes, &levels, (args.frames, args.rounds), !args.no_peers);
    }
    if args.instructions {
        let counting = Counting { source, frames: args.frames.min(20), level };
        println!("{:<22}{:>24}  {}", "scene", "M instructions a frame", level.name);
        for s in &scenes {
            println!("{:<22}{:>24.2}", s.name, counts::count(&counting, &s.name)? as f64 / 1e6);
        }
        return Ok(());
    }
    if args.busy {
        return busy::run(&scenes, args.frames, args.rounds, threads);
    }
    if args.formats {
        return formats::run(&scenes, args.frames, args.rounds, threads, &args.strip);
    }
    scenes::print(scenes, args, level)
}
