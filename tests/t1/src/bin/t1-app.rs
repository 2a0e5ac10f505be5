//! The programs that tests run: one app a file, chosen by the first argument.

use std::process::{ExitCode, Termination};

#[cfg(target_os = "linux")]
#[path = "../apps/console.rs"]
mod console;
#[cfg(target_os = "linux")]
#[path = "../apps/glass.rs"]
mod glass;
#[path = "../apps/input.rs"]
mod input;
#[path = "../apps/nan.rs"]
mod nan;
#[path = "../apps/rows.rs"]
mod rows;
#[cfg(target_os = "linux")]
#[path = "../apps/screen.rs"]
mod screen;
#[path = "../apps/simple.rs"]
mod simple;

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    match name.as_str() {
        #[cfg(target_os = "linux")]
        "console" => console::main(),
        #[cfg(target_os = "linux")]
        "console-keys" => console::keys(),
        #[cfg(target_os = "linux")]
        "console-switch" => console::switch(),
        #[cfg(target_os = "linux")]
        "glass" => glass::main(),
        "input" => input::main(),
        #[cfg(target_os = "linux")]
        "targets" => zinc::run(input::Targets::default()).report(),
        "calibrate" => {
            let tell = |fit: &_| println!("{}", calibrate::json(fit));
            zinc::run(calibrate::Calibrate::new(tell)).report()
        }
        "hero" => zinc::run(hero::Hero::default()).report(),
        #[cfg(target_os = "linux")]
        "screen" => screen::main(),
        "rows" => rows::main(),
        "nan" => zinc::run(nan::Nan::default()).report(),
        "files" => zinc::run(simple::Files::default()).report(),
        "panics" => zinc::run(simple::panics).report(),
        "plain" => zinc::run(simple::plain).report(),
        "still" => zinc::run(simple::still).report(),
        "stuck" => zinc::run(simple::stuck).report(),
        _ => {
            eprintln!("t1-app: there is no app {name:?}");
            ExitCode::from(64)
        }
    }
}
