//! The programs under test. Each is built once per test program, by the command that a person's
//! own `./zinc` uses, so that nothing is compiled twice.
//!
//! With `ZINC_T1_PROGRAMS` hero and the bench come from that folder instead, and
//! [`crate::run::command`] puts `ZINC_T1_RUNNER` before them: programs of another processor.

use crate::root;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The command line tool.
pub fn zinc() -> &'static PathBuf {
    static ONE: OnceLock<PathBuf> = OnceLock::new();
    ONE.get_or_init(|| build(&["--package", "zinc-compiler"], "zinc"))
}

/// The folder with programs of another processor.
pub fn foreign() -> Option<PathBuf> {
    std::env::var_os("ZINC_T1_PROGRAMS").map(PathBuf::from)
}

/// The bench, which knows scenes that need no file.
pub fn bench() -> &'static PathBuf {
    static ONE: OnceLock<PathBuf> = OnceLock::new();
    ONE.get_or_init(|| match foreign() {
        Some(folder) => folder.join("zinc-bench"),
        None => build(&["--package", "zinc-bench"], "zinc-bench"),
    })
}

/// Hero, as `zinc shot` builds it.
pub fn hero() -> &'static PathBuf {
    static ONE: OnceLock<PathBuf> = OnceLock::new();
    ONE.get_or_init(|| {
        if let Some(folder) = foreign() {
            return folder.join("hero");
        }
        let manifest = root().join("examples/hero/Cargo.toml").display().to_string();
        build(&["--manifest-path", &manifest, "--features", "zinc/sim"], "hero")
    })
}

/// The folder into which everything is built.
pub fn target() -> PathBuf {
    let exe = std::env::current_exe().unwrap_or_default();
    // target/debug/deps/<test>
    exe.ancestors().nth(3).map(PathBuf::from).unwrap_or_else(|| root().join("target"))
}

/// Builds with cargo; the path of the program called `name`.
fn build(args: &[&str], name: &str) -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let out = Command::new(cargo)
        .current_dir(root())
        .args(["build", "--message-format=json-render-diagnostics"])
        .args(args)
        .env("CARGO_TARGET_DIR", target())
        .stdin(Stdio::null())
        .output()
        .expect("cargo can be started");
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "cargo build {args:?} failed:\n{said}");
    let lines = String::from_utf8_lossy(&out.stdout);
    let found = lines.lines().find_map(|l| {
        let v: serde_json::Value = serde_json::from_str(l).ok()?;
        let exe = v["executable"].as_str()?;
        (v["target"]["name"] == name).then(|| PathBuf::from(exe))
    });
    found.unwrap_or_else(|| panic!("cargo build {args:?} made no program {name}"))
}
