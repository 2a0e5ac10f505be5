//! What can be typed.

use crate::source::Source;
use clap::Parser;
use std::path::PathBuf;

/// Measures the rasterizer on scenes.
#[derive(Debug, Parser)]
#[command(name = "zinc-bench")]
pub(crate) struct Args {
    /// A folder of `.zsc` scenes; without one, the built-in scenes.
    pub(crate) dir: Option<PathBuf>,
    /// Frames a round.
    #[arg(long, default_value_t = 60)]
    pub(crate) frames: usize,
    /// Measured rounds; medians are printed.
    #[arg(long, default_value_t = 5)]
    pub(crate) rounds: usize,
    /// Most threads of Zinc: it is measured with 1 to this many.
    #[arg(long, default_value_t = zinc_raster::default_threads())]
    pub(crate) threads: usize,
    /// Only scenes whose name begins so (may be repeated).
    #[arg(long)]
    pub(crate) scene: Vec<String>,
    /// Zinc's instruction set: scalar (plain code), sse2, sse4.2, avx2, avx512 or neon, as far as
    /// the processor has it; the best without this.
    #[arg(long)]
    pub(crate) level: Option<String>,
    /// Zinc at every instruction set too, in the same rounds.
    #[arg(long)]
    pub(crate) levels: bool,
    /// Zinc alone.
    #[arg(long)]
    pub(crate) no_peers: bool,
    /// Zinc alone, into targets of several formats and turns.
    #[arg(long)]
    pub(crate) formats: bool,
    /// With `--formats`: only turned sideways, in strips of so many rows (may be repeated).
    #[arg(long)]
    pub(crate) strip: Vec<usize>,
    /// Zinc alone: whole frames and small changes by 1 to all threads, and what each thread did.
    #[arg(long)]
    pub(crate) busy: bool,
    /// Nothing but ways to share 30 bands of 50 us between so many threads.
    #[arg(long)]
    pub(crate) pool: bool,
    /// Shapes one by one instead of scenes: covered pixels a second.
    #[arg(long, conflicts_with = "dir")]
    pub(crate) primitives: bool,
    /// Count instructions under callgrind instead of measuring time.
    #[arg(long)]
    pub(crate) instructions: bool,
    /// Count instructions of the built-in scenes; fail where one got over 2 % worse.
    #[arg(long, conflicts_with_all = ["dir", "scene", "primitives", "write_baseline"])]
    pub(crate) check_baseline: bool,
    /// Count them and write them down as the baseline.
    #[arg(long, conflicts_with_all = ["dir", "scene", "primitives"])]
    pub(crate) write_baseline: bool,
    /// Print a hash of each frame, at every instruction set, with 1 to 8 threads.
    #[arg(long)]
    pub(crate) hashes: bool,
    /// Draw so many frames after a warm-up and print nothing: what is counted.
    #[arg(long, hide = true)]
    pub(crate) draw: Option<usize>,
}

impl Args {
    pub(crate) fn source(&self) -> Source {
        match &self.dir {
            Some(dir) => Source::Folder(dir.clone()),
            None if self.primitives => Source::Primitives,
            None => Source::BuiltIn,
        }
    }

    pub(crate) fn wants(&self, name: &str) -> bool {
        let wanted = |s: &String| match self.draw {
            // One that is counted is named in full.
            Some(_) => s == name,
            None => name.starts_with(s.as_str()),
        };
        // The time of the empty surface is part of every primitive's.
        let needed = self.primitives && self.draw.is_none() && name == crate::primitives::EMPTY;
        self.scene.is_empty() || needed || self.scene.iter().any(wanted)
    }
}
