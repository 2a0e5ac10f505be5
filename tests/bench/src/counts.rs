//! Instructions a frame: this program under callgrind with `n` and with `2 n` frames after the
//! same warm-up; the difference is theirs.

use crate::levels::Level;
use crate::record;
use crate::source::Source;
use crate::zsc::Scene;
use anyhow::{Context, Result, bail};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// What is counted, and how.
#[derive(Clone, Debug)]
pub(crate) struct Counting {
    pub(crate) source: Source,
    /// Frames whose mean is answered.
    pub(crate) frames: usize,
    pub(crate) level: Level,
}

/// Warms up on all `frames`, then draws the first `n` of them.
pub(crate) fn draw(scene: &Scene, frames: usize, n: usize, level: Level) -> Result<()> {
    let mut zinc = record::Zinc::new(Arc::new(record::lists(scene, frames)?), 1, level.index);
    (0..frames).for_each(|f| zinc.draw(f));
    (0..n).for_each(|f| zinc.draw(f));
    Ok(())
}

fn total(c: &Counting, scene: &str, n: usize) -> Result<u64> {
    let mut v = Command::new("valgrind");
    v.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    v.arg(std::env::current_exe().context("this program has no path")?);
    v.args(c.source.args());
    v.args(["--scene", scene, "--frames", &(c.frames * 2).to_string()]);
    v.args(["--draw", &n.to_string(), "--level", c.level.name]);
    // The C library's choice of memcpy hangs on the processor: the same everywhere.
    v.env("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2,-ERMS,-FSRM");
    let out = v.stdin(Stdio::null()).output();
    let out = out.context("cannot start valgrind; install the package valgrind")?;
    let said = String::from_utf8_lossy(&out.stderr);
    let line = said.lines().find_map(|l| l.split_once("Collected :"));
    match line.and_then(|(_, n)| n.trim().parse().ok()) {
        Some(n) if out.status.success() => Ok(n),
        _ => bail!("valgrind failed on {scene}: {said}"),
    }
}

/// Instructions of a frame: the mean of so many after a warm-up.
pub(crate) fn count(c: &Counting, scene: &str) -> Result<u64> {
    let n = c.frames.max(1);
    let (some, more) = std::thread::scope(|s| {
        let some = s.spawn(|| total(c, scene, n));
        let more = total(c, scene, n * 2);
        (some.join(), more)
    });
    let some = some.ok().context("counting stopped")??;
    Ok(more?.saturating_sub(some) / n as u64)
}
