//! `zinc bench`: builds the bench with all optimizations and becomes it.

use crate::args::BenchArgs;
use crate::{cargo, home};
use anyhow::{Context, Result};
use std::process::ExitCode;

pub(crate) fn run(a: BenchArgs) -> Result<ExitCode> {
    let mut c = cargo::command(&["run", "--quiet", "--release", "--package", "zinc-bench"]);
    c.arg("--manifest-path").arg(home::root()?.join("Cargo.toml")).arg("--");
    c.args(a.scenes.flatten());
    c.args(&a.rest);
    Ok(super::code(c.status().context("cannot start cargo")?))
}
