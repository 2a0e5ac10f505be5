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
