//! Cargo as a subprocess: the user's own, with its own progress on the terminal.

use crate::project::App;
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The cargo that runs us, else the one on the path.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Cargo with arguments.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut c = cargo();
    c.args(args);
    c
}

/// Builds an app; its executable.
pub(crate) fn build(app: &App, features: &[String], release: bool) -> Result<PathBuf> {
    let mut c = cargo();
    c.arg("build").arg("--manifest-path").arg(app.folder.join("Cargo.toml"));
    c.arg("--message-format=json-render-diagnostics");
    if release {
        c.arg("--release");
    }
    if !features.is_empty() {
        c.arg("--features").arg(features.join(","));
    }
    let mut child = c
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start cargo; install Rust (rustup) and try again")?;
    let out = child.stdout.take().context("cargo's output cannot be read")?;
    let mut exe = None;
    for line in BufReader::new(out).lines() {
        let line = line.context("cargo's output cannot be read")?;
        let Ok(v) = serde_json::from_str::<serde_json::Value>(&line) else { continue };
        let of_app = v["manifest_path"].as_str().is_some_and(|p| app.owns(p));
        if v["reason"] == "compiler-artifact" && of_app {
            exe = v["executable"].as_str().map(PathBuf::from).or(exe);
        }
    }
    if !child.wait()?.success() {
        bail!("{} does not build; see above", app.folder.display());
    }
    exe.with_context(|| {
        format!("{} has no program to run: it needs a src/main.rs", app.folder.display())
    })
}
