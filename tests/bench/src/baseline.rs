//! The instruction baseline: what a frame of each built-in scene costs, written down. It is counted
//! at one level by one compiler, so that the numbers depend on the code alone.

use crate::counts::{self, Counting};
use crate::levels;
use crate::source::Source;
use crate::zsc::Scene;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Present on every x86-64 processor that Zinc may meet, and what valgrind knows for certain.
const LEVEL: &str = "sse4.2";
/// Even and odd frames of films, and two places of what moves.
const FRAMES: usize = 2;
/// A change of more than this part is a change.
const NOTABLE: f64 = 0.02;
/// The compiler that built this program.
const RUSTC: &str = env!("BENCH_RUSTC");

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Baseline {
    rustc: String,
    level: String,
    /// Instructions of a frame.
    scenes: BTreeMap<String, u64>,
}

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("baseline.json")
}

fn read() -> Result<Baseline> {
    let file = file();
    let again = "--write-baseline makes it";
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("cannot read {}; {again}", file.display()))?;
    serde_json::from_str(&text)
        .with_context(|| format!("{} is no baseline; {again}", file.display()))
}

/// Counts the scenes, saying each.
fn counted(scenes: &[Scene]) -> Result<BTreeMap<String, u64>> {
    if env!("BENCH_PROFILE") != "release" {
        bail!("this program is not a release build: its counts mean nothing");
    }
    let level = levels::named(Some(LEVEL))?;
    let counting = Counting { source: Source::BuiltIn, frames: FRAMES, level };
    let one = |s: &Scene| {
        let n = counts::count(&counting, &s.name)?;
        println!("{:<22}{:>14} instructions a frame", s.name, n);
        Ok((s.name.clone(), n))
    };
    scenes.iter().map(one).collect()
}

/// Writes the baseline anew.
pub(crate) fn write(scenes: &[Scene]) -> Result<()> {
    let scenes = counted(scenes)?;
    let new = Baseline { rustc: RUSTC.into(), level: LEVEL.into(), scenes };
    let text = serde_json::to_string_pretty(&new).context("a baseline cannot be written")? + "\n";
    let file = file();
    std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    println!("wrote {}", file.display());
    Ok(())
}

/// Counts and compares; an error names every scene that got worse.
pub(crate) fn check(scenes: &[Scene]) -> Result<()> {
    let old = read()?;
    if let Some(why) = incomparable(&old) {
        println!("NOT COMPARED: {why}");
        return Ok(());
    }
    let answer = compare(&old.scenes, &counted(scenes)?);
    for line in &answer.better {
        println!("{line}");
    }
    if !answer.better.is_empty() {
        println!("write the baseline anew: ./zinc bench --write-baseline");
    }
    if !answer.worse.is_empty() {
        bail!("slower than {}:\n{}", file().display(), answer.worse.join("\n"));
    }
    println!("instructions: within {} % of the baseline", NOTABLE * 100.0);
    Ok(())
}

/// Why numbers of this program and this machine say nothing about the baseline's.
fn incomparable(old: &Baseline) -> Option<String> {
    if old.rustc != RUSTC {
        return Some(format!(
            "the instruction baseline is of {}, this program of {RUSTC}: counts differ for other \
             reasons than the code. Compare with that compiler, or write the baseline anew: \
             ./zinc bench --write-baseline",
            old.rustc
        ));
    }
    if old.level != LEVEL {
        return Some(format!("the instruction baseline is of level {}, not {LEVEL}", old.level));
    }
    let here = levels::all().iter().any(|l| l.name == LEVEL);
    (!here).then(|| format!("this processor has no {LEVEL}, which the instruction baseline is of"))
}

#[derive(Debug, Default, PartialEq)]
struct Answer {
    worse: Vec<String>,
    better: Vec<String>,
}

fn compare(old: &BTreeMap<String, u64>, new: &BTreeMap<String, u64>) -> Answer {
    let mut answer = Answer::default();
    for (name, &n) in new {
        let Some(&o) = old.get(name) else {
            answer.worse.push(format!("{name}: not in the baseline; write it anew"));
            continue;
        };
        let change = n as f64 / o.max(1) as f64 - 1.0;
        let line = format!("{name}: {o} to {n} instructions a frame, {:+.2} %", change * 100.0);
        if change > NOTABLE {
            answer.worse.push(line);
        } else if change < -NOTABLE {
            answer.better.push(line);
        }
    }
    let gone = old.keys().filter(|k| !new.contains_key(*k));
    answer.worse.extend(gone.map(|k| format!("{k}: in the baseline, but no scene any more")));
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(all: &[(&str, u64)]) -> BTreeMap<String, u64> {
        all.iter().map(|(k, n)| ((*k).to_owned(), *n)).collect()
    }

    #[test]
    fn what_got_worse_is_named_with_both_numbers() {
        let old = map(&[("a", 1000), ("b", 1000), ("c", 1000), ("gone", 5)]);
        let new = map(&[("a", 1019), ("b", 1021), ("c", 979), ("new", 7)]);
        let answer = compare(&old, &new);
        assert_eq!(answer.worse.len(), 3, "{answer:?}");
        assert_eq!(answer.worse[0], "b: 1000 to 1021 instructions a frame, +2.10 %");
        assert!(answer.worse[1].starts_with("new: not in the baseline"), "{answer:?}");
        assert!(answer.worse[2].starts_with("gone: "), "{answer:?}");
        assert_eq!(answer.better, ["c: 1000 to 979 instructions a frame, -2.10 %"]);
        assert_eq!(compare(&old, &old), Answer::default());
    }

    #[test]
    fn another_compilers_numbers_are_not_compared() {
        let of = |rustc: &str, level: &str| Baseline {
            rustc: rustc.into(),
            level: level.into(),
            scenes: BTreeMap::new(),
        };
        let why = incomparable(&of("rustc 1.0.0", LEVEL)).unwrap();
        assert!(why.contains("rustc 1.0.0") && why.contains(RUSTC), "{why}");
        assert!(incomparable(&of(RUSTC, "avx2")).is_some());
    }

    #[test]
    fn the_committed_file_is_read_and_holds_every_scene() {
        let old = read().unwrap();
        let scenes = Source::BuiltIn.scenes(&|_| true).unwrap();
        let names: Vec<_> = scenes.iter().map(|s| s.name.clone()).collect();
        for name in &names {
            assert!(old.scenes.contains_key(name), "{name} is not in the baseline");
        }
        assert_eq!(old.scenes.len(), names.len());
    }
}
