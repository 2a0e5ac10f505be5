//! `zinc calibrate`: crosses on the bare panel; what comes out is the matrix of its digitizer.

use crate::args::CalibrateArgs;
use crate::project::App;
use crate::{cargo, home};
use anyhow::{Context, Result, bail};
use std::process::{Command, ExitCode, Stdio};

pub(crate) fn run(a: CalibrateArgs) -> Result<ExitCode> {
    let app = App::open(&home::root()?.join("examples/calibrate"))?;
    let display = a.display.unwrap_or_else(|| "fbdev".to_owned());
    let wish: Vec<String> = display.split(',').map(|s| s.trim().to_owned()).collect();
    let exe = cargo::build(&app, &App::features(&wish), a.release)?;
    let mut c = Command::new(&exe);
    c.env("ZINC_DISPLAY", &display);
    // What is asked for is the panel's own place: nothing may turn, scale or mend it.
    for name in ["ZINC_ROTATION", "ZINC_SIZE", "ZINC_SCALE", "ZINC_INPUT_TOUCH"] {
        c.env_remove(name);
    }
    let out = c.stderr(Stdio::inherit()).output();
    let out = out.with_context(|| format!("cannot start {}", exe.display()))?;
    if !out.status.success() {
        return Ok(super::code(out.status));
    }
    let said = String::from_utf8_lossy(&out.stdout);
    let Some(matrix) = said.lines().rfind(|l| l.starts_with('[')) else {
        bail!("the crosses were not touched to the end: there is no matrix");
    };
    let device = serde_json::Value::from(a.device);
    let touch = format!("[{{ \"device\": {device}, \"matrix\": {matrix} }}]");
    match a.out {
        None => println!("\"input\": {{ \"touch\": {touch} }}"),
        Some(file) => {
            std::fs::write(&file, format!("{touch}\n"))
                .with_context(|| format!("cannot write {}", file.display()))?;
            println!("{}", file.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}
