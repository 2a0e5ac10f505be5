//! Instruction sets by name.

use anyhow::{Context, Result, bail};
use zinc_raster::testing;

/// An instruction set of this machine: its place among them, and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    pub(crate) index: usize,
    pub(crate) name: &'static str,
}

/// All of this machine, plain code first, the best last.
pub(crate) fn all() -> Vec<Level> {
    let names = testing::levels().into_iter().enumerate();
    names.map(|(index, name)| Level { index, name }).collect()
}

/// The one of this name; without one, the best.
pub(crate) fn named(name: Option<&str>) -> Result<Level> {
    let all = all();
    let Some(name) = name else {
        return all.last().copied().context("this machine has no instruction set");
    };
    all.iter().find(|l| l.name == name).copied().with_context(|| {
        let names: Vec<_> = all.iter().map(|l| l.name).collect();
        format!("this machine has no level {name:?}; it has {}", names.join(", "))
    })
}

/// As [`named`], for counting: without a name the best that valgrind knows.
pub(crate) fn countable(name: Option<&str>) -> Result<Level> {
    const UNKNOWN: &str = "avx512";
    if name == Some(UNKNOWN) {
        bail!("valgrind knows no {UNKNOWN}; count at avx2, or measure time at {UNKNOWN}");
    }
    match name {
        Some(_) => named(name),
        None => {
            let best = all().into_iter().rfind(|l| l.name != UNKNOWN);
            best.context("this machine has no instruction set")
        }
    }
}
