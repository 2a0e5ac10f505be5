//! Every command in README.md works: each line of its shell blocks is run as it stands, with only
//! the folders it writes to moved aside and `run` ended after a few frames.

use std::path::Path;
use std::process::Command;
use zinc_t1::{folder, programs, root, run};

/// The shell lines of a text, in order.
fn commands(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let bare = line.trim();
        if bare.starts_with("```") {
            inside = bare == "```sh";
        } else if inside && !bare.is_empty() {
            all.push(bare.to_owned());
        }
    }
    all
}

/// A line with its files in `aside`.
fn moved(line: &str, aside: &str) -> String {
    line.replace("../tide", &format!("{aside}/tide"))
        .replace("ZINC_CAPTURE=frames", &format!("ZINC_CAPTURE={aside}/frames"))
        .replace(" frames/", &format!(" {aside}/frames/"))
        .replace("-o ", &format!("-o {aside}/"))
}

#[test]
fn every_command_of_the_readme_works() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let all = commands(&text);
    assert!(all.iter().any(|c| c == "./zinc test"), "the test command is not in the readme");
    assert!(all.len() >= 8, "{all:?}");
    let aside = folder();
    let place = aside.path().display().to_string();
    for line in all {
        // This test is part of that one.
        if line == "./zinc test" {
            continue;
        }
        let mut c = run::command(Path::new("sh"));
        c.arg("-c").arg(moved(&line, &place)).current_dir(root());
        c.env("CARGO_TARGET_DIR", programs::target()).env("ZINC_DISPLAY", "sim");
        if !line.contains("ZINC_FRAMES") {
            c.env("ZINC_FRAMES", "5");
        }
        let e = run::end(&mut c);
        println!("{:>5.1} s  {line}", e.took.as_secs_f32());
        e.expect(0);
    }
    for picture in ["tide.png", "frame.png", "gallery.png"] {
        let file = aside.path().join(picture);
        assert!(file.is_file(), "no command of the readme wrote {picture}");
    }
}

#[test]
fn the_pictures_of_the_readme_exist() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let shown: Vec<&str> = text.split("](").skip(1).filter_map(|t| t.split(')').next()).collect();
    let pictures: Vec<&&str> = shown.iter().filter(|s| s.ends_with(".png")).collect();
    assert!(pictures.len() >= 4);
    for p in pictures {
        assert!(root().join(p).is_file(), "README.md shows {p}, which is not there");
    }
}

/// `sh` is what the readme's blocks are for.
#[test]
fn a_posix_shell_reads_the_launcher() {
    let ok = Command::new("sh").arg("-n").arg(root().join("zinc")).status().unwrap().success();
    assert!(ok, "./zinc has a syntax error");
}

/// The launcher with only these programs before the system's own.
fn launched(programs: &[(&str, &str)]) -> run::Ended {
    use std::os::unix::fs::PermissionsExt;
    let dir = folder();
    for (name, text) in programs {
        let file = dir.path().join(name);
        std::fs::write(&file, format!("#!/bin/sh\n{text}\n")).expect("a script is written");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755))
            .expect("it can be run");
    }
    let mut c = run::command(&root().join("zinc"));
    c.arg("--version").env("PATH", format!("{}:/usr/bin:/bin", dir.path().display()));
    run::end(&mut c)
}

#[test]
fn an_old_compiler_is_named_with_its_cure() {
    let old = ("rustc", "echo 'rustc 1.80.1 (0000000 2024-01-01)'");
    let e = launched(&[old, ("cargo", "exit 1")]).expect(1);
    e.said(&["rustc 1.80 is too old", "Zinc needs 1.95", "rustup update"]);
}

#[test]
fn a_machine_without_rust_is_told_so() {
    if Path::new("/usr/bin/cargo").exists() {
        // A Rust of the system cannot be hidden from the launcher here: it must work instead.
        launched(&[]).expect(0);
    } else {
        launched(&[]).expect(1).said(&["no Rust here"]);
    }
}
