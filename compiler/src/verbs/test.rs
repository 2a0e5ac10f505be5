//! `zinc test`: an app's tests; in Zinc's own folder everything that CI runs.

mod guest;

use crate::args::TestArgs;
use crate::project::App;
use crate::{cargo, home};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

pub(crate) fn run(a: TestArgs) -> Result<ExitCode> {
    if home::is_root(&a.app) {
        return everything(&a.app, &a.rest);
    }
    let app = App::open(&a.app)?;
    let mut c = cargo::cargo();
    c.arg("test").arg("--manifest-path").arg(app.folder.join("Cargo.toml"));
    c.arg("--").args(&a.rest);
    Ok(super::code(c.status().context("cannot start cargo")?))
}

/// A program that a step needs, and the Debian package that brings it.
const TOOLS: [(&str, &str); 2] = [("chromium", "chromium"), ("valgrind", "valgrind")];

/// The licence checker, built once into the target folder when it is not on the path.
const DENY: &str = "cargo-deny@0.20.2";

fn deny(root: &Path) -> Result<PathBuf> {
    if has("cargo-deny") {
        return Ok(PathBuf::from("cargo-deny"));
    }
    let tools = target(root).join("tools");
    let program = tools.join("bin/cargo-deny");
    if !program.is_file() {
        eprintln!("building {DENY} for the licence check, once (a few minutes)");
        let mut c = cargo::cargo();
        c.args(["install", "--quiet", "--locked", "--debug", DENY, "--root"]).arg(&tools);
        let status = c.status().context("cannot start cargo")?;
        if !status.success() {
            bail!("cargo-deny does not build; see above");
        }
    }
    Ok(program)
}

/// What cargo builds into.
fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

fn everything(root: &Path, rest: &[String]) -> Result<ExitCode> {
    tools()?;
    let lints = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    let mut tests = cargo::command(&["test", "--workspace", "--no-fail-fast"]);
    if !rest.is_empty() {
        tests.arg("--").args(rest);
    }
    let mut licences = Command::new(deny(root)?);
    licences.args(["check", "bans", "licenses", "sources"]);
    let steps = [
        ("format", cargo::command(&["fmt", "--all", "--check"])),
        ("lints", cargo::command(&lints)),
        ("licences and sources", licences),
        ("the guest's kernel", guest::kernel(root)),
        ("tests", tests),
    ];
    let all = Instant::now();
    let count = steps.len();
    for (i, (name, mut c)) in steps.into_iter().enumerate() {
        eprintln!("[{}/{count}] {name}", i + 1);
        let start = Instant::now();
        let status = c.current_dir(root).status();
        let status = status.with_context(|| format!("cannot start the step {name}"))?;
        let seconds = start.elapsed().as_secs_f32();
        if !status.success() {
            eprintln!("{name} failed after {seconds:.0} s");
            return Ok(super::code(status));
        }
        eprintln!("      {name}: {seconds:.0} s");
    }
    eprintln!("all of it in {:.0} s", all.elapsed().as_secs_f32());
    Ok(ExitCode::SUCCESS)
}

fn has(program: &str) -> bool {
    let mut c = Command::new(program);
    c.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    c.status().is_ok_and(|s| s.success())
}

/// Installs what is missing where that is possible without asking, else says how.
fn tools() -> Result<()> {
    let missing: Vec<&str> =
        TOOLS.iter().filter(|(program, _)| !has(program)).map(|(_, package)| *package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages = missing.join(" ");
    let debian = Path::new("/etc/debian_version").exists();
    let root = Command::new("id").arg("-u").output().is_ok_and(|o| o.stdout.starts_with(b"0\n"));
    if !(debian && root) {
        bail!(
            "the tests need {packages}; install with: sudo apt-get install -y --no-install-recommends {packages}"
        );
    }
    eprintln!("installing {packages} for the tests");
    let script = format!(
        "apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends {packages}"
    );
    let out = Command::new("sh").arg("-c").arg(script).stdin(Stdio::null()).output()?;
    if !out.status.success() {
        bail!("cannot install {packages}: {}", String::from_utf8_lossy(&out.stderr).trim());
    }
    Ok(())
}
