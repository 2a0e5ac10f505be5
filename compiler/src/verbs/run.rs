//! `zinc run`: build, then become the app.

use crate::args::RunArgs;
use crate::cargo;
use crate::project::App;
use anyhow::{Context, Result};
use std::process::{Command, ExitCode};

pub(crate) fn run(a: RunArgs) -> Result<ExitCode> {
    let app = App::open(&a.app)?;
    let wish = wish(&app, a.display.as_deref());
    let exe = cargo::build(&app, &App::features(&wish), a.release)?;
    let mut c = Command::new(&exe);
    c.args(&a.rest);
    environment(&mut c, &app);
    if !wish.is_empty() {
        c.env("ZINC_DISPLAY", wish.join(","));
    }
    set(&mut c, "ZINC_SIZE", a.size.as_deref());
    set(&mut c, "ZINC_DEMO", a.demo.as_deref());
    turn_into(c).with_context(|| format!("cannot start {}", exe.display()))
}

/// The app in this program's place, so that signals and the terminal are its own.
#[cfg(unix)]
fn turn_into(mut c: Command) -> std::io::Result<ExitCode> {
    Err(std::os::unix::process::CommandExt::exec(&mut c))
}

#[cfg(not(unix))]
fn turn_into(mut c: Command) -> std::io::Result<ExitCode> {
    Ok(super::code(c.status()?))
}

/// Drivers to try: the option, the environment, zinc.json; else the program's own choice.
fn wish(app: &App, option: Option<&str>) -> Vec<String> {
    let typed = option.map(str::to_owned).or_else(|| std::env::var("ZINC_DISPLAY").ok());
    match typed.filter(|t| !t.is_empty()) {
        Some(t) => t.split(',').map(|s| s.trim().to_owned()).collect(),
        None => app.config.drivers.clone(),
    }
}

/// What of zinc.json the program reads as switches; the environment has the last word.
pub(crate) fn environment(c: &mut Command, app: &App) {
    let default = |c: &mut Command, name: &str, value: Option<&str>| {
        if let Some(v) = value
            && std::env::var_os(name).is_none()
        {
            c.env(name, v);
        }
    };
    default(c, "ZINC_SIZE", app.config.size.as_deref());
    default(c, "ZINC_DISPLAY_DEVICE", app.config.device.as_deref());
    default(c, "ZINC_DISPLAY_OUTPUT", app.config.output.as_deref());
    default(c, "ZINC_DISPLAY_MODE", app.config.mode.as_deref());
    default(c, "ZINC_ROTATION", app.config.rotation.as_deref());
    default(c, "ZINC_INPUT_LAYOUT", app.config.layout.as_deref());
    default(c, "ZINC_INPUT_TOUCH", app.config.touch.as_deref());
    // The red box is a debugging aid that the runtime does not draw yet: it ends instead.
    let crash = app.config.crash.as_deref().map(|c| if c == "redbox" { "exit" } else { c });
    default(c, "ZINC_CRASH", crash);
    default(c, "ZINC_ASSETS", app.folder.to_str());
}

pub(crate) fn set(c: &mut Command, name: &str, value: Option<&str>) {
    if let Some(v) = value {
        c.env(name, v);
    }
}
