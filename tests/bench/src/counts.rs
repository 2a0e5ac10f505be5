//! Instructions a frame: this program under callgrind with `n` and with `2 n` frames after the
//! same warm-up; the difference is theirs.

use crate::record;
use crate::zsc::Scene;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Warms up on all `frames`, then draws the first `n` of them.
pub(crate) fn draw(scene: &Scene, frames: usize, n: usize, level: usize) -> Result<()> {
    let mut zinc = record::Zinc::new(Arc::new(record::lists(scene, frames)?), 1, level);
    (0..frames).for_each(|f| zinc.draw(f));
    (0..n).for_each(|f| zinc.draw(f));
    Ok(())
}

fn total(dir: Option<&Path>, scene: &str, frames: usize, n: usize, level: usize) -> Result<f64> {
    let mut c = Command::new("valgrind");
    c.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    c.arg(std::env::current_exe().context("this program has no path")?);
    c.args(dir);
    c.args(["--scene", scene, "--frames", &frames.to_string(), "--draw", &n.to_string()]);
    c.args(["--level", &level.to_string()]);
    let out = c.stdin(Stdio::null()).output().context("cannot start valgrind; is it installed?")?;
    let said = String::from_utf8_lossy(&out.stderr);
    let line = said.lines().find_map(|l| l.split_once("Collected :"));
    match line.and_then(|(_, n)| n.trim().parse().ok()) {
        Some(n) if out.status.success() => Ok(n),
        _ => bail!("valgrind failed: {said}"),
    }
}

/// The mean of frames `n` to `2 n`.
pub(crate) fn count(dir: Option<&Path>, scene: &str, n: usize, level: usize) -> Result<f64> {
    let n = n.max(1);
    let of = |m| total(dir, scene, n * 2, m, level);
    Ok((of(n * 2)? - of(n)?) / n as f64)
}
