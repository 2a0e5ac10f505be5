//! Who ends a program by a signal gets a proper end: pictures and statistics are finished, the exit
//! code is 0. A program that does not listen is ended all the same.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use rustix::process::Signal;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use zinc_t1::{folder, run};

const APP: &str = env!("CARGO_BIN_EXE_t1-app");

fn start(mut c: Command) -> Child {
    c.env("ZINC_DISPLAY", "sim").stdout(Stdio::piped()).stderr(Stdio::piped());
    c.spawn().unwrap()
}

fn until(what: &str, f: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    while !f() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for the end; the code and what was said.
fn end(mut c: Child) -> (Option<i32>, String) {
    let mut err = String::new();
    c.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    (c.wait().unwrap().code(), err)
}

/// With signals as a terminal's programs have them, whoever runs the tests ignores which.
fn plain() -> Command {
    let app = run::command(Path::new(APP));
    let mut c = run::command(Path::new("/usr/bin/env"));
    c.arg("--default-signal=HUP,INT,TERM").arg(app.get_program()).args(app.get_args());
    c
}

#[test]
fn a_program_that_is_told_to_end_ends_well() {
    for s in [Signal::TERM, Signal::INT, Signal::HUP] {
        let dir = folder();
        let (shot, file) = (dir.path().join("last.png"), dir.path().join("sim"));
        let mut c = plain();
        c.arg("plain").env("ZINC_PROFILE", "1").env("ZINC_SHOT", &shot).env("ZINC_SIM", &file);
        let c = start(c);
        until("nothing is drawn", || std::fs::metadata(&file).is_ok_and(|m| m.len() > 0));
        run::send(&c, s);
        let (code, err) = end(c);
        assert_eq!(code, Some(0), "{s:?}: {err}");
        assert!(err.contains("raster") && err.contains("samples"), "{s:?}: {err}");
        assert!(shot.is_file(), "{s:?}: no picture: {err}");
    }
}

#[test]
fn a_program_that_does_not_listen_is_ended_by_the_second_word_or_after_a_while() {
    for words in [2, 1] {
        let mut c = plain();
        c.arg("stuck");
        let mut c = start(c);
        let mut line = String::new();
        BufReader::new(c.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "stuck\n");
        run::send(&c, Signal::TERM);
        if words == 2 {
            // Two of a kind at once are one to the kernel.
            std::thread::sleep(Duration::from_millis(300));
            assert!(c.try_wait().unwrap().is_none(), "the first word is a request");
            run::send(&c, Signal::TERM);
        }
        let (code, err) = end(c);
        assert_eq!(code, Some(128 + 15), "{err}");
        let why = if words == 2 { "told to end twice" } else { "did not end within" };
        assert!(err.contains(why), "{err}");
    }
}

/// `nohup`: what was ignored when the program began stays ignored.
#[test]
fn an_ignored_signal_stays_ignored() {
    let mut c = run::command(Path::new("/bin/sh"));
    c.args(["-c", "trap '' HUP; exec \"$0\" plain", APP]).env("ZINC_PROFILE", "1");
    let dir = folder();
    let file = dir.path().join("sim");
    c.env("ZINC_SIM", &file);
    let mut c = start(c);
    until("nothing is drawn", || std::fs::metadata(&file).is_ok_and(|m| m.len() > 0));
    run::send(&c, Signal::HUP);
    std::thread::sleep(Duration::from_millis(300));
    assert!(c.try_wait().unwrap().is_none(), "it ended");
    run::send(&c, Signal::TERM);
    assert_eq!(end(c).0, Some(0));
}
