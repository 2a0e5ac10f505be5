//! Pictures of hero's screens, exactly as committed: `zinc shot` is the same everywhere.

use zinc_t1::{folder, picture, programs, root, run};

const SCREENS: [&str; 8] =
    ["home", "gallery", "detail", "playground", "tasks", "settings", "palette", "dialog"];

fn shots(scheme: &str) {
    let dir = folder();
    let mut wrong = Vec::new();
    for screen in SCREENS {
        let name = format!("{screen}-{scheme}");
        let png = dir.path().join(format!("{name}.png"));
        let mut c = run::command(programs::zinc());
        c.current_dir(root()).args(["shot", "examples/hero", "--demo", screen]);
        c.args(["--size", "800x480", "--frame", "60", "--scheme", scheme, "-o"]).arg(&png);
        let e = run::end(&mut c).expect(0);
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
