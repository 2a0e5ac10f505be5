//! The frame buffer display as a program sees it, on a file in the node's stead: hero's frames are
//! those of the simulated display, in every depth and turn; what cannot be shown is said and ends
//! with 2.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use std::path::Path;
use std::process::Command;
use zinc_raster::store_surface;
use zinc_scene::{IRect, PixelFormat, Region, Rotation, TargetMut};
use zinc_t1::{folder, run};

const SIZE: (u32, u32) = (400, 240);
/// Bytes between rows of a simulated frame buffer.
const GAP: usize = 32;

fn app(name: &str) -> Command {
    let mut c = run::command(Path::new(env!("CARGO_BIN_EXE_t1-app")));
    c.arg(name);
    c
}

/// Hero's surface after a tour of some frames, as the simulated display keeps it: B, G, R, 0xFF.
fn surface(frames: u32, dir: &Path) -> (Vec<u8>, String) {
    let file = dir.join("sim");
    let mut c = app("hero");
    c.env("ZINC_DISPLAY", "sim").env("ZINC_SIM", &file).env("ZINC_FRAMEHASH", "last");
    c.env("ZINC_SIZE", format!("{}x{}", SIZE.0, SIZE.1));
    let e = run::end(tour(&mut c, frames)).expect(0);
    (std::fs::read(file).unwrap(), e.out)
}

fn tour(c: &mut Command, frames: u32) -> &mut Command {
    c.env("ZINC_DETERMINISTIC", "1").env("ZINC_DEMO", "bench");
    c.env("ZINC_FRAMES", frames.to_string())
}

/// What a frame buffer holds that shows this surface, its padding left out.
fn expected(surface: &[u8], format: PixelFormat, rotation: Rotation) -> Vec<u8> {
    let (width, height) = rotation.size(SIZE);
    let pitch = width as usize * format.bytes();
    let mut bytes = vec![0; pitch * height as usize];
    let mut target = TargetMut { bytes: &mut bytes, width, height, pitch, format, rotation };
    let all = Region::of(IRect::of_size(SIZE.0, SIZE.1));
    store_surface(surface, SIZE, &all, &mut target);
    bytes
}

#[test]
fn heros_frames_are_the_simulated_displays_in_every_depth_and_turn() {
    let dir = folder();
    // Past the first change of screens, so that most of it was drawn by damage.
    let frames = 90;
    let (sim, hash) = surface(frames, dir.path());
    let depths =
        [(16, PixelFormat::Rgb565), (24, PixelFormat::Rgb888), (32, PixelFormat::Xrgb8888)];
    for ((bits, format), turn) in
        depths.into_iter().flat_map(|d| Rotation::ALL.map(|turn| (d, turn)))
    {
        let file = dir.path().join("fb");
        let (w, h) = turn.size(SIZE);
        let degrees = Rotation::ALL.iter().position(|t| *t == turn).unwrap() * 90;
        let mut c = app("hero");
        c.env("ZINC_DISPLAY", "fbdev").env("ZINC_FBDEV_SIM", &file);
        c.env("ZINC_FBDEV_SIM_FORMAT", format!("{w}x{h}x{bits}"));
        c.env("ZINC_ROTATION", degrees.to_string());
        // The surface is kept, hashed and stored for one of them; the others are drawn directly.
        if degrees == 90 {
            c.env("ZINC_FRAMEHASH", "last");
        }
        let e = run::end(tour(&mut c, frames)).expect(0);
        assert_eq!(e.out, if degrees == 90 { hash.as_str() } else { "" });
        let (got, want) = (std::fs::read(&file).unwrap(), expected(&sim, format, turn));
        let line = w as usize * format.bytes();
        assert_eq!(got.len(), (line + GAP) * h as usize);
        for (y, (row, want)) in got.chunks(line + GAP).zip(want.chunks(line)).enumerate() {
            assert!(row[..line] == *want, "{bits} bits, {degrees} degrees: row {y} differs");
            assert_eq!(row[line..], [0; GAP], "padding of row {y}");
        }
    }
}

#[test]
fn a_fixed_size_stands_in_the_middle_of_its_panel() {
    let dir = folder();
    let file = dir.path().join("fb");
    let mut c = app("hero");
    c.env("ZINC_DISPLAY", "fbdev").env("ZINC_FBDEV_SIM", &file);
    c.env("ZINC_FBDEV_SIM_FORMAT", "500x240x32").env("ZINC_SIZE", "400x240");
    run::end(tour(&mut c, 20)).expect(0).said(&["500x240", "showing 400x240"]);
    let (sim, _) = surface(20, dir.path());
    let got = std::fs::read(&file).unwrap();
    for (y, row) in got.chunks(500 * 4 + GAP).enumerate() {
        let black = |p: &[u8]| p.chunks(4).all(|p| p == [0, 0, 0, 0xFF]);
        assert!(black(&row[..200]) && black(&row[1800..2000]), "row {y}");
        assert!(row[200..1800] == sim[y * 1600..][..1600], "row {y}");
    }
}

/// 10, in the whole program: without a wait for the vblank frames go on, and one line says so.
#[test]
fn case_10_a_missing_wait_is_one_line() {
    let dir = folder();
    let mut c = app("plain");
    c.env("ZINC_DISPLAY", "fbdev").env("ZINC_FBDEV_SIM", dir.path().join("fb"));
    c.env("ZINC_FBDEV_SIM_FORMAT", "80x60x16").env("ZINC_FRAMES", "20");
    c.env("ZINC_FBDEV_STATS", "2").env("ZINC_FBDEV_CRC", "1");
    let e = run::end(&mut c).expect(0);
    assert_eq!(e.times("no wait for the vblank here"), 1, "{}", e.err);
    assert_eq!(e.times("the clock paces"), 1, "{}", e.err);
    assert_eq!(e.times("fbdev frame "), 20, "{}", e.err);
    e.said(&["fbdev: 20 frames in", "p50 ms", "crc32 80x60 "]);
}

/// 18: a program fell back to another display silently.
#[test]
fn case_18_another_display_only_when_allowed_and_with_the_first_cause() {
    let node = "/dev/no-such-fb";
    let cause = ["display fbdev refused", "cannot open /dev/no-such-fb: No such file"];
    let mut c = app("plain");
    c.env("ZINC_DISPLAY", "fbdev").env("ZINC_DISPLAY_DEVICE", node).env("ZINC_FRAMES", "3");
    run::end(&mut c).expect(2).said(&cause).said(&["no display works", "(os error 2)"]);
    c.env("ZINC_DISPLAY", "fbdev,sim");
    run::end(&mut c).expect(0).said(&cause).said(&["display sim:", "(after fbdev refused)"]);
    // Nobody asked for a frame buffer: it is not taken.
    c.env("ZINC_DISPLAY", "auto").env("ZINC_WEB_PORT", "0");
    let e = run::end(c.env("ZINC_DETERMINISTIC", "1"));
    assert_eq!(e.times("fbdev"), 0, "{}", e.err);
}

/// A node that is there and no frame buffer, and one that this user may not open.
#[test]
fn what_cannot_be_shown_ends_with_2() {
    let mut c = app("plain");
    c.env("ZINC_DISPLAY", "fbdev").env("ZINC_DISPLAY_DEVICE", "/dev/null").env("ZINC_FRAMES", "3");
    run::end(&mut c).expect(2).said(&["/dev/null", "it is no frame buffer"]);
}

/// A recorded finger, in virtual and in real time; and settings of devices that make no sense.
#[test]
fn recorded_input_touches_the_simulated_panel() {
    let dir = folder();
    let (fb, file) = (dir.path().join("fb"), dir.path().join("events"));
    // `struct input_event`: two words of time, kind, code, value.
    let record = |kind: u16, code: u16, value: i32| {
        let mut r = vec![0; 2 * size_of::<usize>()];
        r.extend(kind.to_ne_bytes());
        r.extend(code.to_ne_bytes());
        r.extend(value.to_ne_bytes());
        r
    };
    let (slot, id, x, y) = (0x2f, 0x39, 0x35, 0x36);
    let end = record(0, 0, 0);
    let mut events = Vec::new();
    for (n, (px, py)) in [(20, 20), (780, 20), (780, 460)].into_iter().enumerate() {
        let down = [record(3, slot, 1), record(3, id, n as i32), record(3, x, px)].concat();
        events.extend([down, record(3, y, py), end.clone(), end.clone()].concat());
        events.extend([record(3, id, -1), end.clone(), end.clone()].concat());
    }
    std::fs::write(&file, &events).unwrap();
    let run = |env: &[(&str, &str)]| {
        let mut c = app("targets");
        c.env("ZINC_DISPLAY", "fbdev").env("ZINC_FBDEV_SIM", &fb).env("ZINC_FRAMES", "60");
        c.env("ZINC_FBDEV_SIM_FORMAT", "800x480x16").env("ZINC_FBDEV_SIM_INPUT", &file);
        run::end(c.envs(env.iter().copied()))
    };
    let hits = "ready\nhit top-left\nhit top-right\nhit bottom-right\n";
    assert_eq!(run(&[("ZINC_DETERMINISTIC", "1")]).expect(0).out, hits);
    assert_eq!(run(&[]).expect(0).out, hits);
    // The panel's places, not the surface's.
    assert_eq!(run(&[("ZINC_SIZE", "400x240")]).expect(0).out, hits);
    let turned = "ready\nhit bottom-right\nhit bottom-left\nhit top-left\n";
    assert_eq!(run(&[("ZINC_ROTATION", "180")]).expect(0).out, turned);
    for (name, value, words) in [
        ("ZINC_INPUT_TOUCH", "{}", "invalid type"),
        ("ZINC_INPUT_TOUCH", r#"[{"rotation":45}]"#, "0, 90, 180 or 270"),
        ("ZINC_INPUT_LAYOUT", "../us", "is no layout"),
    ] {
        run(&[(name, value)]).expect(1).said(&[name, "is not understood", words]);
    }
    run(&[("ZINC_FBDEV_SIM_INPUT", "/nowhere")])
        .expect(2)
        .said(&["cannot read the recorded input"]);
}
