//! `zinc test`: an app's tests; in Zinc's own folder everything that CI runs.

mod arm64;
mod guest;

use crate::args::TestArgs;
use crate::packages::{self, Need, What};
use crate::project::App;
use crate::{cargo, home};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
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

const NEEDS: [Need; 2] = [
    Need { what: What::Program("chromium"), package: "chromium" },
    Need { what: What::Program("valgrind"), package: "valgrind" },
];

/// The licence checker, built once into the target folder when it is not on the path.
const DENY: &str = "cargo-deny@0.20.2";

/// The folder that cargo builds into.
fn target(root: &Path) -> Result<PathBuf> {
    let folder = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    std::path::absolute(root.join(folder)).context("this folder has no path any more")
}

fn deny(tools: &Path) -> Result<PathBuf> {
    if packages::has("cargo-deny") {
        return Ok(PathBuf::from("cargo-deny"));
    }
    let program = tools.join("bin/cargo-deny");
    if !program.is_file() {
        eprintln!("building {DENY} for the licence check, once (a few minutes)");
        let mut c = cargo::cargo();
        c.args(["install", "--quiet", "--locked", "--debug", DENY, "--root"]).arg(tools);
        let status = c.status().context("cannot start cargo")?;
        if !status.success() {
            bail!("cargo-deny does not build; see above");
        }
    }
    Ok(program)
}

/// A step, and its commands; what they need is fetched when its turn comes.
type Step<'a> = (&'a str, &'a dyn Fn() -> Result<Vec<Command>>);

fn everything(root: &Path, rest: &[String]) -> Result<ExitCode> {
    packages::install("the tests", &NEEDS)?;
    let target = target(root)?;
    let tools = target.join("tools");
    let lints = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    let counts = ["run", "--quiet", "--release", "--package", "zinc-bench", "--"];
    let steps: [Step<'_>; 7] = [
        ("format", &|| Ok(vec![cargo::command(&["fmt", "--all", "--check"])])),
        ("lints", &|| Ok(vec![cargo::command(&lints)])),
        ("licences and sources", &|| {
            let mut c = Command::new(deny(&tools)?);
            c.args(["check", "bans", "licenses", "sources"]);
            Ok(vec![c])
        }),
        ("the guest's kernel", &|| Ok(vec![guest::kernel(root, &target)])),
        ("tests", &|| {
            let mut c = cargo::command(&["test", "--workspace", "--no-fail-fast"]);
            if !rest.is_empty() {
                c.arg("--").args(rest);
            }
            Ok(vec![c])
        }),
        ("instructions", &|| {
            let mut c = cargo::command(&counts);
            c.arg("--check-baseline");
            Ok(vec![c])
        }),
        ("aarch64", &|| arm64::commands(&target, &tools)),
    ];
    let all = Instant::now();
    // A filter is for one test: what comes after the tests has none of that name.
    let count = if rest.is_empty() { steps.len() } else { 5 };
    for (i, (name, commands)) in steps.into_iter().take(count).enumerate() {
        eprintln!("[{}/{count}] {name}", i + 1);
        let start = Instant::now();
        for mut c in commands()? {
            let status = c.current_dir(root).status();
            let status = status.with_context(|| format!("cannot start the step {name}"))?;
            if !status.success() {
                eprintln!("{name} failed after {:.0} s", start.elapsed().as_secs_f32());
                return Ok(super::code(status));
            }
        }
        eprintln!("      {name}: {:.0} s", start.elapsed().as_secs_f32());
    }
    eprintln!("all of it in {:.0} s", all.elapsed().as_secs_f32());
    Ok(ExitCode::SUCCESS)
}
