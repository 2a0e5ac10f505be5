//! `zinc replay`: hands over to the runtime's own replay program.

use crate::args::ReplayArgs;
use crate::{cargo, home};
use anyhow::{Context, Result};
use std::process::ExitCode;

pub(crate) fn run(a: ReplayArgs) -> Result<ExitCode> {
    let mut c = cargo::cargo();
    c.args(["run", "--quiet", "--package", "zinc", "--bin", "zinc-replay", "--manifest-path"]);
    c.arg(home::root()?.join("Cargo.toml")).arg("--");
    c.args(&a.captures).arg("--threads").arg(a.threads.to_string());
    if let Some(out) = &a.out {
        c.arg("--out").arg(out);
    }
    for (on, option) in [(a.whole, "--whole"), (a.hard, "--hard")] {
        if on {
            c.arg(option);
        }
    }
    Ok(super::code(c.status().context("cannot start cargo")?))
}
