//! `zinc test`: an app's tests; in Zinc's own folder everything that CI runs.

use crate::args::TestArgs;
use crate::project::App;
use crate::{cargo, home};
use anyhow::{Context, Result, bail};
use std::path::Path;
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

/// A step of the whole.
struct Step {
    name: &'static str,
    args: Vec<&'static str>,
}

fn everything(root: &Path, rest: &[String]) -> Result<ExitCode> {
    tools()?;
    let lints = vec!["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    let mut steps = vec![
        Step { name: "format", args: vec!["fmt", "--all", "--check"] },
        Step { name: "lints", args: lints },
    ];
    if has("cargo-deny") {
        let args = vec!["deny", "--offline", "check", "bans", "licenses", "sources"];
        steps.push(Step { name: "licences and sources", args });
    } else {
        bail!("cargo-deny is missing; install it with: cargo install --locked cargo-deny");
    }
    steps.push(Step { name: "tests", args: vec!["test", "--workspace"] });
    let all = Instant::now();
    let count = steps.len();
    for (i, s) in steps.iter().enumerate() {
        eprintln!("[{}/{count}] {}: cargo {}", i + 1, s.name, s.args.join(" "));
        let start = Instant::now();
        let mut c = cargo::cargo();
        c.current_dir(root).args(&s.args);
        if s.name == "tests" && !rest.is_empty() {
            c.arg("--").args(rest);
        }
        let status = c.status().context("cannot start cargo")?;
        if !status.success() {
            eprintln!("{} failed after {:.0} s", s.name, start.elapsed().as_secs_f32());
            return Ok(super::code(status));
        }
        eprintln!("      {:.0} s", start.elapsed().as_secs_f32());
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
