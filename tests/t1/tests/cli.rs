//! The command line tool from outside: an app that is made by `zinc new` far from the clone runs,
//! tests and shoots; mistakes in paths and in zinc.json are answered with what to do.
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use std::path::Path;
use std::process::Command;
use zinc_t1::{folder, picture::Picture, programs, root, run};

fn zinc() -> Command {
    let mut c = run::command(programs::zinc());
    c.current_dir(root()).env("CARGO_TARGET_DIR", programs::target());
    c
}

/// A crate that needs nothing, with this zinc.json.
fn project(folder: &Path, json: &str) {
    let manifest =
        "[package]\nname = \"probe\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    std::fs::create_dir_all(folder.join("src")).unwrap();
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(folder.join("src/main.rs"), "fn main() {}\n").unwrap();
    std::fs::write(folder.join("zinc.json"), json).unwrap();
}

#[test]
fn a_new_app_outside_the_clone_runs_tests_and_shoots() {
    let dir = folder();
    let app = dir.path().join("tide kiosk");
    let made = run::end(zinc().arg("new").arg(&app)).expect(0);
    assert!(made.out.contains("zinc run"), "{}", made.out);

    let mut c = zinc();
    c.args(["run", "--display", "sim"]).arg(&app).env("ZINC_DETERMINISTIC", "1");
    c.env("ZINC_FRAMES", "3").env("ZINC_FRAMEHASH", "all");
    let e = run::end(&mut c).expect(0).said(&["display sim: 800x480"]);
    assert_eq!(e.out.lines().count(), 3, "{}", e.out);
    println!("built and ran: {:.1?}", e.took);

    let png = dir.path().join("new.png");
    let mut c = zinc();
    run::end(c.args(["shot", "--size", "320x240", "-o"]).arg(&png).arg(&app)).expect(0);
    let p = Picture::read(&png).unwrap();
    assert_eq!((p.width, p.height), (320, 240));
    let first = &p.pixels[..4];
    assert!(p.pixels.chunks_exact(4).any(|q| q != first), "the picture is empty");

    let e = run::end(zinc().arg("test").arg(&app)).expect(0);
    assert!(e.out.contains("more_and_less_count ... ok"), "{}", e.out);
    println!("tested: {:.1?}", e.took);

    // A second one at the same place is refused, and nothing is touched.
    run::end(zinc().arg("new").arg(&app)).expect(1).said(&["exists already"]);
}

#[test]
fn a_missing_folder_names_the_nearest_app() {
    let e = run::end(zinc().args(["run", "examples/heros"])).expect(1);
    e.said(&["there is no folder examples/heros", "did you mean examples/hero?"]);
    let dir = folder();
    let e = run::end(zinc().arg("run").arg(dir.path())).expect(1);
    e.said(&["has no Cargo.toml", "zinc new"]);
}

#[test]
fn a_broken_project_file_shows_line_caret_and_nearest_key() {
    let dir = folder();
    let cases: [(&str, &[&str]); 4] = [
        (
            "{\n  // a console\n  \"display\": {\n    \"drivr\": \"sim\"\n  }\n}\n",
            &["zinc.json:4:5", "\"drivr\": \"sim\"", "unknown key", "did you mean \"driver\"?"],
        ),
        ("{\n  \"crash\": \"explode\"\n}\n", &["zinc.json:2:", "exit, restart, redbox"]),
        ("{\n  \"bench\": 3\n}\n", &["zinc.json:2:", "must be an object"]),
        ("{\n  \"id\": \n", &["is no JSON"]),
    ];
    for (json, words) in cases {
        project(dir.path(), json);
        run::end(zinc().arg("run").arg(dir.path())).expect(1).said(words);
    }
}

#[test]
fn an_app_that_does_not_build_is_said_after_the_compilers_words() {
    let dir = folder();
    project(dir.path(), "{}");
    std::fs::write(dir.path().join("src/main.rs"), "fn main() { nothing() }\n").unwrap();
    let e = run::end(zinc().arg("run").arg(dir.path())).expect(1);
    e.said(&["cannot find function `nothing`", "does not build; see above"]);
}

#[test]
fn a_capture_that_is_none_is_named() {
    let dir = folder();
    let file = dir.path().join("no.zcap");
    run::end(zinc().arg("replay").arg(&file)).expect(1).said(&["cannot read", "no.zcap"]);
    std::fs::write(&file, b"not a capture at all").unwrap();
    run::end(zinc().arg("replay").arg(&file)).expect(1).said(&["no.zcap", "capture"]);
}

/// What zinc.json says of the display and of input devices reaches the program; the environment has
/// the last word.
#[test]
fn the_devices_keys_reach_the_program() {
    let dir = folder();
    let json = r#"{
        "display": { "device": "/dev/fb7", "rotation": 270, "size": "64x48" },
        "input": { "layout": "de", "touch": [{ "rotation": 90, }] }, // lies sideways
    }"#;
    project(dir.path(), json);
    let names = "[\"ZINC_DISPLAY_DEVICE\", \"ZINC_ROTATION\", \"ZINC_SIZE\", \
                 \"ZINC_INPUT_LAYOUT\", \"ZINC_INPUT_TOUCH\"]";
    let main =
        format!("fn main() {{ for n in {names} {{ println!(\"{{:?}}\", std::env::var(n)); }} }}\n");
    std::fs::write(dir.path().join("src/main.rs"), main).unwrap();
    let e = run::end(zinc().arg("run").arg(dir.path())).expect(0);
    let input = "Ok(\"de\")\nOk(\"[{\\\"rotation\\\":90}]\")\n";
    assert_eq!(e.out, format!("Ok(\"/dev/fb7\")\nOk(\"270\")\nOk(\"64x48\")\n{input}"));
    let e = run::end(zinc().arg("run").arg(dir.path()).env("ZINC_ROTATION", "0")).expect(0);
    assert_eq!(e.out, format!("Ok(\"/dev/fb7\")\nOk(\"0\")\nOk(\"64x48\")\n{input}"));
}

/// It runs on any machine; this one may have no screen, which is BAD and exit code 1.
#[test]
fn the_doctor_looks_at_any_machine() {
    let e = run::end(zinc().arg("doctor"));
    assert!(matches!(e.code, Some(0 | 1)), "{} {}", e.out, e.err);
    assert_eq!(e.code == Some(1), e.out.contains("BAD "), "{}", e.out);
    assert!(e.out.starts_with("note  board"), "{}", e.out);
}
