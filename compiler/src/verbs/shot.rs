//! `zinc shot`: one frame of an app on a virtual clock.

use super::run::{environment, set};
use crate::args::{Scheme, ShotArgs};
use crate::cargo;
use crate::project::App;
use anyhow::{Context, Result, bail};
use std::process::{Command, ExitCode};

pub(crate) fn run(a: ShotArgs) -> Result<ExitCode> {
    let app = App::open(&a.app)?;
    let exe = cargo::build(&app, &["zinc/sim".to_owned()], false)?;
    let mut c = Command::new(&exe);
    environment(&mut c, &app);
    c.env("ZINC_DISPLAY", "sim")
        .env("ZINC_DETERMINISTIC", "1")
        .env("ZINC_FRAMES", (a.frame + 1).to_string())
        .env("ZINC_SHOT", &a.out)
        .env_remove("ZINC_FRAMEHASH");
    if std::env::var_os("ZINC_LOG").is_none() {
        c.env("ZINC_LOG", "warn");
    }
    set(&mut c, "ZINC_SIZE", a.size.as_deref());
    set(&mut c, "ZINC_DEMO", a.demo.as_deref());
    set(&mut c, "ZINC_SCHEME", a.scheme.map(Scheme::name));
    if let Some(i) = &a.input {
        c.env("ZINC_INPUT", i);
    }
    let status = c.status().with_context(|| format!("cannot start {}", exe.display()))?;
    if !status.success() {
        bail!("{} ended with {status}: no picture", exe.display());
    }
    println!("{}", a.out.display());
    Ok(ExitCode::SUCCESS)
}
