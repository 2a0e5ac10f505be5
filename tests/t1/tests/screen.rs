//! Screen care, from outside: a screen that nobody touches goes dim, then dark; from then on the app
//! draws nothing, and at the end the light is as it was found.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use rustix::process::Signal;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use zinc_t1::picture::Picture;
use zinc_t1::{folder, run};

const APP: &str = env!("CARGO_BIN_EXE_t1-app");

/// Runs an app that moves all the time until `done`, ends it, and gives back what it said.
fn watch(mut c: Command, mut done: impl FnMut() -> bool) -> String {
    c.arg("plain").env("ZINC_DISPLAY", "sim").env("ZINC_PROFILE", "1");
    c.env("ZINC_SCREEN_DIM", "1s:0.25").env("ZINC_SCREEN_OFF", "2s");
    let child = c.stderr(Stdio::piped()).spawn().unwrap();
    let end = Instant::now() + Duration::from_secs(30);
    while !done() {
        assert!(Instant::now() < end, "it does not come to that");
        std::thread::sleep(Duration::from_millis(10));
    }
    // Frames that were drawn from here on would be counted below.
    std::thread::sleep(Duration::from_millis(1500));
    run::send(&child, Signal::TERM);
    let out = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(0), "{err}");
    err
}

#[test]
fn a_backlight_is_dimmed_switched_off_and_put_back() {
    let dir = folder();
    let panel = dir.path().join("panel");
    std::fs::create_dir_all(&panel).unwrap();
    for (file, text) in [("brightness", "200"), ("max_brightness", "255"), ("bl_power", "0")] {
        std::fs::write(panel.join(file), text).unwrap();
    }
    let tells = |file: &str| std::fs::read_to_string(panel.join(file)).unwrap();
    let mut c = run::command(Path::new(APP));
    c.env("ZINC_BACKLIGHT", dir.path());
    let mut dimmed = false;
    let err = watch(c, || {
        dimmed |= tells("brightness") == "50";
        tells("bl_power") == "4"
    });
    assert!(dimmed, "{err}");
    for words in ["screen: 25 % of its light", "screen: 0 % of its light"] {
        assert!(err.contains(words), "{err}");
    }
    // Two seconds of frames at 60 Hz, and none in the dark.
    let frames = run::counted(&err, "frames");
    assert!((60..=150).contains(&frames), "{frames} frames:\n{err}");
    assert_eq!((tells("brightness"), tells("bl_power")), ("200".into(), "0".into()));
}

#[test]
fn without_a_backlight_a_veil_darkens() {
    let dir = folder();
    let (file, shot) = (dir.path().join("sim"), dir.path().join("last.png"));
    let mut c = run::command(Path::new(APP));
    c.env("ZINC_SIM", &file).env("ZINC_SHOT", &shot);
    let brightest = || {
        let bytes = std::fs::read(&file).unwrap_or_default();
        bytes.as_chunks::<4>().0.iter().map(|p| p[0].max(p[1]).max(p[2])).max()
    };
    let mut dimmed = false;
    let err = watch(c, || {
        let b = brightest();
        // White under three quarters of black.
        dimmed |= b.is_some_and(|b| (55..75).contains(&b));
        b == Some(0)
    });
    assert!(dimmed && err.contains("no backlight here"), "{err}");
    let frames = run::counted(&err, "frames");
    assert!((60..=150).contains(&frames), "{frames} frames:\n{err}");
    let p = Picture::read(&shot).unwrap();
    assert!(p.pixels.as_chunks::<4>().0.iter().all(|p| p[..3] == [0, 0, 0]));
}

#[test]
fn wishes_that_make_no_sense_are_named() {
    for (name, value, wanted) in [
        ("ZINC_SCREEN_DIM", "5min", "a time and a share, as 5min:0.2"),
        ("ZINC_SCREEN_OFF", "30min,sometimes", "hours as 22:00-08:00"),
    ] {
        let mut c = run::on_sim(Path::new(APP), 2);
        run::end(c.arg("plain").env(name, value)).expect(1).said(&[name, wanted]);
    }
}
