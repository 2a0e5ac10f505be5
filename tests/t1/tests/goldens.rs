//! Pictures of hero's screens, exactly as committed: `zinc shot` is the same everywhere, and so are
//! the programs that it starts when they are another processor's.

use std::path::Path;
use std::process::Command;
use zinc_t1::{folder, picture, programs, root, run};

const SCREENS: [&str; 8] =
    ["home", "gallery", "detail", "playground", "tasks", "settings", "palette", "dialog"];

/// One screen's picture, by `zinc shot`; by what that starts where it cannot start it itself.
fn shot(screen: &str, scheme: &str, png: &Path) -> Command {
    if programs::foreign().is_some() {
        let mut c = run::on_sim(programs::hero(), 61);
        c.env("ZINC_DEMO", screen).env("ZINC_SIZE", "800x480").env("ZINC_SCHEME", scheme);
        c.env("ZINC_ASSETS", root().join("examples/hero")).env("ZINC_SHOT", png);
        return c;
    }
    let mut c = run::command(programs::zinc());
    c.current_dir(root()).args(["shot", "examples/hero", "--demo", screen]);
    c.args(["--size", "800x480", "--frame", "60", "--scheme", scheme, "-o"]).arg(png);
    c
}

fn shots(scheme: &str) {
    let dir = folder();
    let mut wrong = Vec::new();
    for screen in SCREENS {
        let name = format!("{screen}-{scheme}");
        let png = dir.path().join(format!("{name}.png"));
        let e = run::end(&mut shot(screen, scheme, &png)).expect(0);
        println!("{name}: {:.1?}", e.took);
        wrong.extend(picture::against_golden(&name, &png).err());
    }
    assert!(wrong.is_empty(), "{}\nZINC_T1_BLESS=1 makes them anew", wrong.join("\n"));
}

#[test]
fn light_screens_are_as_committed() {
    shots("light");
}

#[test]
fn dark_screens_are_as_committed() {
    shots("dark");
}
