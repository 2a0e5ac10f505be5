//! The tests once more on another processor: crates cross-built and run in an emulator, and the
//! frames of hero and of the bench's scenes against the hashes and pictures that are committed.

use crate::cargo;
use crate::cross::{ARM64, Toolchain};
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// Crates whose numbers reach a pixel.
const CRATES: [&str; 5] = ["zinc-scene", "zinc-text", "zinc-image", "zinc-raster", "zinc-ui"];

/// Tests from outside whose programs are run in the emulator.
const OUTSIDE: [&str; 2] = ["bench_hashes", "goldens"];

/// Tests that are left out, and why; everything else takes two minutes at most.
const SKIPPED: [(&str, &str); 1] = [(
    "threads_damage_and_pipeline_do_not_reach_a_pixel",
    "it draws the tour 18 times, five minutes here; one tour is compared with the golden hashes, \
     and the bench's scenes are drawn with 1 to 8 threads",
)];

/// Builds and tests, in order.
pub(super) fn commands(target: &Path, tools: &Path) -> Result<Vec<Command>> {
    let cross = Toolchain::prepare(&ARM64, tools)?;
    let mut crates = cross.cargo("test");
    crates.args(["--no-fail-fast", "--lib", "--tests"]);
    crates.args(CRATES.iter().flat_map(|c| ["--package", c]));

    let mut programs = cross.cargo("build");
    programs.args(["--package", "hero", "--package", "zinc-bench", "--features", "zinc/sim"]);

    // All of the workspace, so that what the tests were built from is not built again.
    let mut outside = cargo::command(&["test", "--workspace", "--no-fail-fast"]);
    outside.args(OUTSIDE.iter().flat_map(|t| ["--test", t])).arg("--");
    for (name, why) in SKIPPED {
        eprintln!("      not on {}: {name} ({why})", ARM64.name);
        outside.args(["--skip", name]);
    }
    outside.env("ZINC_T1_PROGRAMS", cross.programs(target));
    outside.env("ZINC_T1_RUNNER", cross.runner());
    Ok(vec![crates, programs, outside])
}
