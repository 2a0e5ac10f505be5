//! What can be typed. Checked and completed by the verbs.

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Zinc: user interfaces for boards with no desktop.
#[derive(Debug, Parser)]
#[command(name = "zinc", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  zinc new ../tide && zinc run ../tide     start an app of your own and look at it
  zinc run examples/hero                   the showcase, in your browser
  zinc shot examples/hero --demo home -o home.png

Every ZINC_* switch is in docs/env_vars.md.";

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Build an app and run it here.
    Run(RunArgs),
    /// Draw one frame of an app, off screen, into a PNG.
    Shot(ShotArgs),
    /// Test an app; in Zinc's own folder, all of Zinc.
    Test(TestArgs),
    /// Draw captured frames again and print their hashes.
    Replay(ReplayArgs),
    /// Measure the rasterizer on scenes, next to others in the same run.
    Bench(BenchArgs),
    /// Look at this machine: power, clock, screens, rights, input; each fault with its cure.
    #[command(after_help = DOCTOR)]
    Doctor,
    /// Touch four crosses; find the matrix of a touch panel.
    Calibrate(CalibrateArgs),
    /// Start an app: a folder with a crate that runs, tests and shoots.
    New(NewArgs),
}

const DOCTOR: &str = "\
Reads what the kernel tells in /proc and /sys, opens no device and changes nothing. As root it sees
which programs of others have the screen. Exit code 1 when something is BAD.

An exported app does the same on its board: APP --doctor";

/// Light or dark.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Scheme {
    Light,
    Dark,
}

impl Scheme {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Scheme::Light => "light",
            Scheme::Dark => "dark",
        }
    }
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  zinc run examples/hero                       auto picks a display and says which
  zinc run examples/hero --display sim         without a screen
  zinc run . --size 1100x700 --release")]
pub(crate) struct RunArgs {
    /// The app's folder (with Cargo.toml, and zinc.json if it has one).
    #[arg(default_value = ".")]
    pub(crate) app: PathBuf,
    /// Display driver: web, sim or auto. Same as ZINC_DISPLAY.
    #[arg(long)]
    pub(crate) display: Option<String>,
    /// Surface size. Same as ZINC_SIZE.
    #[arg(long, value_name = "WxH")]
    pub(crate) size: Option<String>,
    /// Scripted state of the app. Same as ZINC_DEMO.
    #[arg(long)]
    pub(crate) demo: Option<String>,
    /// Build with all optimizations.
    #[arg(long)]
    pub(crate) release: bool,
    /// Arguments for the app.
    #[arg(last = true)]
    pub(crate) rest: Vec<String>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example:
  zinc shot examples/hero --demo home --size 800x480 --frame 60 -o home.png

Time is virtual: the same command gives the same bytes on every machine.")]
pub(crate) struct ShotArgs {
    /// The app's folder.
    #[arg(default_value = ".")]
    pub(crate) app: PathBuf,
    /// Scripted state of the app.
    #[arg(long)]
    pub(crate) demo: Option<String>,
    /// Surface size (default: zinc.json's, else 800x480).
    #[arg(long, value_name = "WxH")]
    pub(crate) size: Option<String>,
    /// Which frame, from 0; 60 make a second.
    #[arg(long, default_value_t = 60)]
    pub(crate) frame: u64,
    /// Light or dark theme at the start.
    #[arg(long)]
    pub(crate) scheme: Option<Scheme>,
    /// Scripted input: see ZINC_INPUT in docs/env_vars.md.
    #[arg(long, value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    /// The picture.
    #[arg(short, long, value_name = "FILE.png")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  zinc test                 in Zinc's folder: format, lints, licences, every test, instruction
                            counts, and the tests on aarch64 in an emulator
  zinc test ../tide         the tests of an app, on a virtual clock")]
pub(crate) struct TestArgs {
    /// The app's folder.
    #[arg(default_value = ".")]
    pub(crate) app: PathBuf,
    /// Arguments for the test programs (as a filter).
    #[arg(last = true)]
    pub(crate) rest: Vec<String>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example:
  ZINC_CAPTURE=frames ZINC_CAPTURE_FRAMES=60 zinc run examples/hero
  zinc replay frames/frame-00060.zcap -o frame.png")]
pub(crate) struct ReplayArgs {
    /// Captures, drawn one after the other.
    #[arg(required = true)]
    pub(crate) captures: Vec<PathBuf>,
    /// Picture of the last one.
    #[arg(short, long, value_name = "FILE.png")]
    pub(crate) out: Option<PathBuf>,
    /// Raster threads, 1 to 8.
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: usize,
    /// Draw each frame whole instead of by its damage.
    #[arg(long)]
    pub(crate) whole: bool,
    /// Draw without antialiasing, as with ZINC_ANTIALIAS=0.
    #[arg(long)]
    pub(crate) hard: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  zinc bench --scenes                          the built-in scenes
  zinc bench --scenes DIR --levels             files, at every instruction set
  zinc bench --scenes DIR --scene S1 --rounds 9
  zinc bench --primitives                      shapes one by one
  zinc bench --scenes --instructions --level sse4.2
  zinc bench --check-baseline                  what CI counts

All other options are the bench's own: zinc bench -- --help lists them. Only figures of one run
compare.")]
pub(crate) struct BenchArgs {
    /// Draw `.zsc` scenes: those of a folder, or the built-in ones.
    #[arg(long, value_name = "DIR", num_args = 0..=1)]
    pub(crate) scenes: Option<Option<PathBuf>>,
    /// Options of the bench.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) rest: Vec<String>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  zinc calibrate --device \"*ft5x06*\"         prints what belongs into zinc.json
  zinc calibrate -o touch.json               and then ZINC_INPUT_TOUCH=@touch.json

The crosses are shown on the bare panel, not turned and in its own size; a digitizer that is turned
or mirrored comes out as a matrix too.")]
pub(crate) struct CalibrateArgs {
    /// Names of devices that the matrix is for, with * and ?.
    #[arg(long, default_value = "*")]
    pub(crate) device: String,
    /// File for the settings, as ZINC_INPUT_TOUCH=@FILE reads it.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Display driver that has the panel; fbdev by default.
    #[arg(long)]
    pub(crate) display: Option<String>,
    /// Build with optimizations.
    #[arg(long)]
    pub(crate) release: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example:
  zinc new ../tide-kiosk
  zinc run ../tide-kiosk")]
pub(crate) struct NewArgs {
    /// The folder to make; its name becomes the app's.
    pub(crate) folder: PathBuf,
}
