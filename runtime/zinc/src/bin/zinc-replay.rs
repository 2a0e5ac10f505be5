//! `zinc replay`: draws captures, prints their hashes, keeps pictures.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use zinc::replay::{Options, Replay};

const HELP: &str = "\
Draws captures and prints the hash of each frame.

Usage: zinc replay [options] <capture>...

  -o, --out <file.png>   writes the last frame as a picture
      --threads <n>      raster threads, 1 to 8 (default 1)
      --whole            draws each frame whole instead of by its damage
      --hard             draws without antialiasing, as with ZINC_ANTIALIAS=0

A capture is written by ZINC_CAPTURE=<folder> ZINC_CAPTURE_FRAMES=60 zinc run <app>.
Example: zinc replay captures/frame-00060.zcap -o frame.png";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("zinc replay: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let mut files = Vec::new();
    let mut out = None;
    let mut options = Options { threads: 1, damage: true, antialias: true };
    let mut args = std::env::args().skip(1);
    while let Some(a) = args.next() {
        match a.as_str() {
            "-h" | "--help" => {
                println!("{HELP}");
                return Ok(());
            }
            "-o" | "--out" => out = Some(PathBuf::from(args.next().ok_or("-o needs a file")?)),
            "--threads" => {
                let n = args.next().and_then(|n| n.parse().ok());
                options.threads =
                    n.filter(|n| (1..=8).contains(n)).ok_or("--threads needs 1 to 8")?;
            }
            "--whole" => options.damage = false,
            "--hard" => options.antialias = false,
            a if a.starts_with('-') => return Err(format!("unknown option {a}; see --help").into()),
            a => files.push(PathBuf::from(a)),
        }
    }
    if files.is_empty() {
        return Err("no capture given; see --help".into());
    }
    let mut replay = Replay::new(options);
    for f in &files {
        let d = replay.draw(f)?;
        let line =
            writeln!(std::io::stdout(), "{} {}x{} {:016x}", f.display(), d.width, d.height, d.hash);
        match line {
            Ok(()) => {}
            // Nobody reads on: that is no failure.
            Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => return Ok(()),
            Err(e) => return Err(format!("cannot print the hash: {e}").into()),
        }
    }
    if let Some(out) = out {
        replay.write_png(&out)?;
    }
    Ok(())
}
