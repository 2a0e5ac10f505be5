//! What a program meets in the field: switches that make no sense, displays that are not there,
//! files that are missing or damaged, full disks, closed pipes, panics, numbers that are none.
//! Each is a clear message and the right exit code; the rest goes on.
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use std::path::Path;
use std::process::{Command, Stdio};
use zinc_t1::{folder, run};

fn app() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_t1-app"))
}

fn sim(name: &str, frames: u32) -> Command {
    let mut c = run::on_sim(app(), frames);
    c.arg(name);
    c
}

#[test]
fn a_display_that_does_not_exist_is_refused_with_each_cause() {
    let mut c = sim("plain", 3);
    let e = run::end(c.env("ZINC_DISPLAY", "glas,window,gl")).expect(2);
    let e = e.said(&["no display works", "glas: there is no display of this name"]);
    // Known, but not in this program: another cause, and a way out.
    e.said(&["window: not in this program", "gl: not in this program", "zinc.json"]);
}

#[test]
fn switches_that_make_no_sense_are_named() {
    for (name, value) in [
        ("ZINC_SIZE", "0x0"),
        ("ZINC_SIZE", "800"),
        ("ZINC_SIZE", "99999x1"),
        ("ZINC_RENDER_THREADS", "0"),
        ("ZINC_RENDER_THREADS", "9"),
        ("ZINC_FRAMEHASH", "some"),
        ("ZINC_FIXED_DT", "-1"),
        ("ZINC_FIXED_DT", "NaN"),
        ("ZINC_SCALE", "0"),
        ("ZINC_SCALE", "1000"),
        ("ZINC_CRASH", "explode"),
        ("ZINC_SCHEME", "pink"),
    ] {
        let e = run::end(sim("plain", 3).env(name, value)).expect(1);
        e.said(&[&format!("{name}={value} is not understood")]);
    }
}

#[test]
fn an_input_script_that_cannot_be_read_is_named_with_its_line() {
    let dir = folder();
    let e = run::end(sim("plain", 3).env("ZINC_INPUT", dir.path().join("none"))).expect(1);
    e.said(&["cannot read the input script", "none"]);
    let file = dir.path().join("script");
    std::fs::write(&file, "1 tap 5 5\n2 jump 1\n").unwrap();
    run::end(sim("plain", 3).env("ZINC_INPUT", &file)).expect(1).said(&["2", "jump"]);
}

#[test]
fn damaged_pictures_and_fonts_are_one_line_each_and_the_app_runs_on() {
    let dir = folder();
    let put = |name: &str, bytes: &[u8]| {
        std::fs::write(dir.path().join(name), bytes).unwrap();
        dir.path().join(name)
    };
    let noise: Vec<u8> =
        (0..4000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let mut c = sim("files", 90);
    c.env("ZINC_FRAMEHASH", "last");
    c.arg(put("noise.png", &noise)).arg(put("cut.png", b"\x89PNG\r\n\x1a\n"));
    c.arg(put("empty.jpg", b"")).arg(dir.path().join("none.png"));
    c.arg("--font").arg(put("noise.ttf", &noise));
    c.arg("--font").arg(put("cut.ttf", b"\0\x01\0\0\0\x0a")).arg("--font").arg("none.ttf");
    let e = run::end(&mut c).expect(0);
    for name in ["noise.png", "cut.png", "empty.jpg", "none.png", "noise.ttf", "cut.ttf"] {
        assert_eq!(e.times(name), 1, "{name}:\n{}", e.err);
    }
    assert!(e.out.starts_with("frame 89 "), "{}", e.out);
}

#[test]
fn a_panic_in_the_view_ends_with_101_and_its_message() {
    let e = run::end(&mut sim("panics", 9)).expect(101);
    let e = e.said(&["the view stumbled", "simple.rs", "the app panicked"]);
    assert_eq!(e.times("the view stumbled"), 1);
}

#[test]
fn restarting_gives_up_after_three_crashes() {
    let e = run::end(sim("panics", 9).env("ZINC_CRASH", "restart")).expect(101);
    assert_eq!(e.times("the view stumbled"), 3, "{}", e.err);
    assert_eq!(e.times("starting it again"), 2, "{}", e.err);
    e.said(&["giving up"]);
}

#[test]
fn a_full_disk_is_a_message_and_exit_1() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        println!("no /dev/full here: nothing to try");
        return;
    }
    let e = run::end(sim("plain", 3).env("ZINC_SHOT", full)).expect(1);
    e.said(&["cannot write the picture /dev/full", "No space left"]);
    let out = std::fs::File::create(full).unwrap();
    let mut c = sim("plain", 3);
    let child = c.env("ZINC_FRAMEHASH", "all").stdout(out).stderr(Stdio::piped()).spawn();
    let o = child.unwrap().wait_with_output().unwrap();
    assert_eq!(o.status.code(), Some(1));
    let said = String::from_utf8_lossy(&o.stderr);
    assert!(said.contains("cannot print the hash of frame 0: No space left"), "{said}");
    // A capture into a folder that cannot be made.
    let e = run::end(sim("plain", 3).env("ZINC_CAPTURE", "/dev/full/frames")).expect(1);
    e.said(&["cannot write the capture"]);
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let mut c = sim("plain", 100_000);
    c.env("ZINC_FRAMEHASH", "all").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = c.spawn().unwrap();
    drop(child.stdout.take());
    let o = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&o.stderr);
    assert_eq!(o.status.code(), Some(0), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn numbers_that_are_none_reach_no_pixel_and_are_named_once() {
    let e = run::end(sim("nan", 60).env("ZINC_FRAMEHASH", "last")).expect(0);
    assert!(e.out.starts_with("frame 59 "), "{}\n{}", e.out, e.err);
    for what in ["rect", "glyph run", "shadow", "push clip", "stroke", "path", "image", "border"] {
        let line = format!("{what} left out: a coordinate is not a finite number");
        assert_eq!(e.times(&line), 1, "{line}:\n{}", e.err);
    }
    assert_eq!(e.times("panicked"), 0);
}
