//! Input devices on a real kernel, in a guest: made through uinput, seen by an app on `vfb`.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use zinc_t1::guest::{Guest, Left, User};

const INIT: &str = env!("CARGO_BIN_EXE_t1-guest");
const APP: &str = env!("CARGO_BIN_EXE_t1-app");

/// A kernel with a frame buffer of this size.
fn vfb(size: &str) -> Guest {
    let mode = format!("video=vfb:{size}M-32@60");
    Guest::new(INIT, &[&mode, "vfb.videomemorysize=4194304", "initcall_blacklist=vkms_init"])
}

#[track_caller]
fn said(l: &Left, lines: &[&str]) {
    assert_eq!(l.code, Some(0), "{}{}", l.out, l.err);
    assert_eq!(l.out.lines().collect::<Vec<_>>(), lines, "{}", l.err);
}

#[test]
fn a_mouse_moves_the_pointer() {
    let mut g = vfb("800x480");
    g.run(User::Root, APP, &["input", "mouse"], &[]);
    let left = g.boot();
    println!("{}", left[0].err);
    assert_eq!(left[0].code, Some(0), "{}{}", left[0].out, left[0].err);
    said(&left[0], &["mouse 410 160", "hit bottom-right"]);
}

/// 33: only some kinds of devices worked.
#[test]
fn case_33_every_kind_of_panel_hits_the_corners() {
    let mut g = vfb("800x480");
    g.run(User::Root, APP, &["input", "panels"], &[]);
    let left = g.boot();
    println!("{}", left[0].err);
    let corners = ["top-left", "top-right", "bottom-left", "bottom-right"];
    let all = ["single", "multi", "tablet"].map(|k| corners.map(|c| format!("{k} hit {c}")));
    let all: Vec<&str> = all.iter().flatten().map(String::as_str).collect();
    said(&left[0], &all);
}

const CORNERS: &str = "top-left top-right bottom-left bottom-right";

/// 31: one switch turned picture and touch together. Here each has its own, and 16 pairs are right.
#[test]
fn case_31_turns_of_picture_and_digitizer_are_apart() {
    let mut g = vfb("800x480");
    g.run(User::Root, APP, &["input", "turns"], &[]);
    let left = g.boot();
    let turns = [0, 90, 180, 270];
    let pairs = turns.into_iter().flat_map(|s| turns.map(|t| format!("{s} {t} {CORNERS}")));
    let want: Vec<String> = pairs.collect();
    let want: Vec<&str> = want.iter().map(String::as_str).collect();
    said(&left[0], &want);
}

/// 34: a picture smaller than its panel is hit where it is shown.
#[test]
fn case_34_touches_go_through_the_placement() {
    let mut g = vfb("800x480");
    g.run(User::Root, APP, &["input", "placement"], &[]);
    let left = g.boot();
    said(&left[0], &[&format!("400x240 {CORNERS}"), &format!("640x480 {CORNERS}")]);
}

/// 37: a German keyboard writes German, with dead keys, and repeats.
#[test]
fn case_37_a_german_keyboard_writes_into_a_field() {
    let mut g = vfb("800x480");
    g.run(User::Root, APP, &["input", "typing"], &[]);
    let left = g.boot();
    println!("{}", left[0].err);
    let gone = "repeats after the keyboard is gone: 0";
    said(&left[0], &["line zy#€é", "text aaa", gone]);
    assert!(left[0].err.contains("keyboard: layout de (ZINC_INPUT_LAYOUT)"), "{}", left[0].err);
}

/// 39: devices come and go while a finger is down: nobody ends, nothing leaks, the finger stays, and
/// that of a removed device is cancelled.
#[test]
fn case_39_two_hundred_devices_come_and_go() {
    let mut g = vfb("800x480");
    g.run(User::Root, APP, &["input", "crowd"], &[("ZINC_LOG", "warn")]);
    let left = g.boot();
    let want = ["drag", "descriptors 0", "drag", "let go", "hit bottom-right", "descriptors 0"];
    said(&left[0], &want);
}

/// Four crosses are touched on a panel that is off and shakes; with what comes out it is hit.
#[test]
fn a_panel_is_calibrated() {
    let mut g = vfb("800x480");
    g.run(User::Root, APP, &["input", "calibration"], &[]);
    let left = g.boot();
    println!("{}", left[0].err);
    let corners = ["hit top-left", "hit top-right", "hit bottom-left", "hit bottom-right"];
    said(&left[0], &[&["Some(0)", "below four pixels: true"], &corners[..]].concat());
}

/// What the kernel dropped is asked for: fingers and keys are as they are.
#[test]
fn a_flood_is_made_good() {
    let mut g = vfb("800x480");
    g.run(User::Root, APP, &["input", "flood"], &[("ZINC_LOG", "debug")]);
    let left = g.boot();
    said(&left[0], &["hit bottom-right", "hit top-right", "text a"]);
    let asked = left[0].err.matches("was too fast; asked how things are").count();
    assert!(asked >= 2, "{}", left[0].err);
}

/// 40: a panel of 25 Hz is drawn on the frame clock.
#[test]
fn case_40_a_slow_panel_drags_on_the_frame_clock() {
    let mut g = vfb("800x480");
    g.run(User::Root, APP, &["input", "slow"], &[]);
    let left = g.boot();
    println!("{}", left[0].err);
    said(&left[0], &["forward true", "more than were told true", "end Some(675.5)"]);
}

/// 14: no right to the devices: the app ran, the keyboard was dead, only a reset helped.
#[test]
fn case_14_without_a_right_to_input_the_start_is_refused() {
    let mut g = vfb("800x480");
    g.run(User::Root, APP, &["input", "rights"], &[]);
    let left = g.boot();
    println!("{}", left[0].err);
    said(
        &left[0],
        &[
            "without devices: Some(0) [\"no device is plugged in\"]",
            "refused: Some(2) [\"join the group input\", \"/dev/input/event*: Permission denied\"]",
            "the console is as it was: true",
            "without input: Some(0) []",
            "one of two: Some(0) []",
            "hit top-left",
        ],
    );
}
