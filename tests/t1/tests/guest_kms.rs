//! Screens through kernel mode setting, on a real kernel in a guest: hero on `vkms`, whose writeback
//! connector tells what the glass shows.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use std::path::Path;
use zinc_raster::store_surface;
use zinc_scene::{IRect, PixelFormat, Region, Rotation, TargetMut};
use zinc_t1::guest::{Guest, Left, User};
use zinc_t1::{folder, run};

const INIT: &str = env!("CARGO_BIN_EXE_t1-guest");
const APP: &str = env!("CARGO_BIN_EXE_t1-app");
const SIZE: (u32, u32) = (800, 480);
const FRAMES: u32 = 60;
/// The group `video` of Debian.
const VIDEO: u32 = 44;

type Env = Vec<(&'static str, &'static str)>;

/// A card whose screen is set up for 800x480.
fn vkms(more: &[&str]) -> Guest {
    Guest::new(INIT, &[&["video=Virtual-1:800x480-32"], more].concat())
}

/// Virtual time, one frame more than is looked at.
fn tour(display: &'static str, frames: &'static str) -> Env {
    vec![
        ("ZINC_DISPLAY", display),
        ("ZINC_DETERMINISTIC", "1"),
        ("ZINC_FRAMES", frames),
        ("ZINC_DEMO", "bench"),
        ("ZINC_PIPELINE", "0"),
        ("ZINC_CONSOLE", "0"),
    ]
}

/// The last of so many frames of hero, on this machine.
fn surface(size: (u32, u32)) -> Vec<u8> {
    let dir = folder();
    let file = dir.path().join("sim");
    let mut c = run::command(Path::new(APP));
    c.arg("glass").arg("1000").arg("none").envs(tour("sim", "60")).env("ZINC_SIM", &file);
    c.env("ZINC_SIZE", format!("{}x{}", size.0, size.1));
    run::end(&mut c).expect(0);
    std::fs::read(file).unwrap()
}

/// What the kernel makes of a surface in a framebuffer of this format and turn: B, G, R, X.
fn composed(surface: &[u8], size: (u32, u32), format: PixelFormat, rotation: Rotation) -> Vec<u8> {
    let (width, height) = rotation.size(size);
    let pitch = width as usize * format.bytes();
    let mut bytes = vec![0; pitch * height as usize];
    let target = &mut TargetMut { bytes: &mut bytes, width, height, pitch, format, rotation };
    store_surface(surface, size, &Region::of(IRect::of_size(size.0, size.1)), target);
    if format == PixelFormat::Xrgb8888 {
        return bytes;
    }
    let eight = |v: u32, top: u32| ((v * 255 * 2 + top) / (top * 2)) as u8;
    bytes
        .chunks(2)
        .flat_map(|p| {
            let v = u32::from(u16::from_le_bytes([p[0], p[1]]));
            [eight(v & 31, 31), eight(v >> 5 & 63, 63), eight(v >> 11, 31), 0xFF]
        })
        .collect()
}

/// A number before a word of the statistics.
#[track_caller]
fn count(l: &Left, word: &str) -> u64 {
    let line = l.err.lines().find(|l| l.starts_with("kms: ") && l.contains("flip events"));
    let line = line.unwrap_or_else(|| panic!("no statistics:\n{}", l.err));
    let words: Vec<&str> = line.split([' ', ',', ';']).filter(|w| !w.is_empty()).collect();
    let at = words.windows(word.split(' ').count()).position(|w| w.join(" ") == word);
    words[at.unwrap_or_else(|| panic!("no {word}: {line}")) - 1].parse().unwrap()
}

/// Atomic or legacy, buffers, turn, format: each pair of values is in one of them at least.
const PAIRWISE: [(&str, &str, &str, &str); 8] = [
    ("0", "2", "0", "XRGB8888"),
    ("1", "3", "0", "RGB565"),
    ("0", "3", "90", "XRGB8888"),
    ("1", "2", "90", "RGB565"),
    ("1", "2", "180", "XRGB8888"),
    ("0", "3", "180", "RGB565"),
    ("1", "3", "270", "XRGB8888"),
    ("0", "2", "270", "RGB565"),
];

#[test]
fn what_the_card_composes_is_the_surface_in_every_way() {
    let mut g = vkms(&[]);
    for (i, (legacy, buffers, turn, format)) in PAIRWISE.into_iter().enumerate() {
        let mut env = tour("kms", "62");
        env.extend([
            ("ZINC_KMS_LEGACY", legacy),
            ("ZINC_KMS_BUFFERS", buffers),
            ("ZINC_ROTATION", turn),
            ("ZINC_KMS_FORMAT", format),
            ("ZINC_KMS_STATS", "1"),
        ]);
        let file = format!("/run/out/seen-{i}");
        g.run(User::Root, APP, &["glass", &FRAMES.to_string(), &file], &env);
    }
    let left = g.boot();
    for (i, (legacy, buffers, turn, format)) in PAIRWISE.into_iter().enumerate() {
        let l = &left[i];
        println!("{i}: {}", l.err);
        let way = if legacy == "1" { "legacy" } else { "atomic" };
        l.ended(0, &["800x480@", format, &format!("{buffers} buffers, {way}")]);
        let (rotation, size) = match turn {
            "0" => (Rotation::Deg0, SIZE),
            "90" => (Rotation::Deg90, (SIZE.1, SIZE.0)),
            "180" => (Rotation::Deg180, SIZE),
            _ => (Rotation::Deg270, (SIZE.1, SIZE.0)),
        };
        let pixels = if format == "RGB565" { PixelFormat::Rgb565 } else { PixelFormat::Xrgb8888 };
        let want = composed(&surface(size), size, pixels, rotation);
        let seen = g.kept(&format!("seen-{i}"));
        assert_eq!(seen.len(), want.len());
        let differ = seen.iter().zip(&want).filter(|(a, b)| a != b).count();
        assert_eq!(differ, 0, "{i}: of {} bytes", want.len());
        // Each frame was flipped once, at a blank of its own; the first legacy one has no event.
        let (frames, events) = (count(l, "frames"), count(l, "flip events"));
        assert_eq!(events, frames - u64::from(legacy == "1"), "{}", l.err);
        assert!(count(l, "vertical blanks") + 1 >= events, "{}", l.err);
        assert_eq!(count(l, "modesets"), 0, "the mode was right: {}", l.err);
    }
}

/// 17: the connector is turned fifty times while a program shows something; then without a word of
/// the kernel.
#[test]
fn case_17_fifty_turns_of_the_connector() {
    let mut g = vkms(&[]);
    g.run(User::Root, APP, &["screen", "turns"], &[("ZINC_KMS_STATS", "1")]);
    let left = g.boot();
    let l = &left[0];
    let dark = "display kms: /dev/dri/card0 (vkms): no screen is connected; waiting for one";
    l.ended(0, &[dark, "Virtual-1 is disconnected; waiting for a screen"]);
    println!("{}{}", l.out, l.err);
    assert_eq!(l.out, "in the dark true\nalive true, files grew by 0\nSome(0)\n", "{}", l.err);
    // A turn may cost the frame that was on its way. On a busy machine not every turn is seen.
    assert!(count(l, "frames") >= 400 - 54, "{}", l.err);
    let seen = l.err.matches("is disconnected").count();
    assert!(seen >= 25, "{seen} of 54 turns");
    assert!(!l.err.contains("ERROR"), "{}", l.err);
}

/// 13, on a real kernel: SIGKILL, and the console's picture comes back.
#[test]
fn case_13_the_consoles_picture_comes_back_after_the_end_and_after_sigkill() {
    let mut g = vkms(&[]);
    g.run(User::Root, APP, &["screen", "kill"], &[]);
    let left = g.boot();
    left[0].ended(0, &["display kms: /dev/dri/card0 (vkms)"]);
    let want = "Some(0)\nthe same true\na stranger Err(Some(16))\nNone\nlit true, the same true\n";
    assert_eq!(left[0].out, want, "{}", left[0].err);
}

/// 14 and 30: rights, and a card that somebody else has.
#[test]
fn rights_and_owners_are_named() {
    let plain = [("ZINC_DISPLAY", "kms"), ("ZINC_FRAMES", "5")];
    let mut g = vkms(&[]);
    g.own("/dev/dri/card0", VIDEO, 0o660);
    g.keep("/dev/fb0", "found");
    g.run(User::Plain(1000), APP, &["plain"], &plain);
    g.keep("/dev/fb0", "before");
    // The card, but not the console.
    g.run(User::Plain(VIDEO), APP, &["plain"], &plain);
    let alone = [&plain[..], &[("ZINC_CONSOLE", "0")]].concat();
    g.run(User::Plain(VIDEO), APP, &["plain"], &alone);
    g.run(User::Root, APP, &["screen", "busy"], &[]);
    g.run(User::Plain(VIDEO), APP, &["screen", "busy"], &[("ZINC_CONSOLE", "0")]);
    let left = g.boot();
    let denied =
        "cannot open /dev/dri/card0: Permission denied (os error 13); join the group video";
    left[0].ended(2, &[denied, "no display works"]);
    assert!(!left[0].err.contains("console:"), "{}", left[0].err);
    assert!(g.kept("before") == g.kept("found"), "something is written without the right");
    left[1].ended(2, &["cannot open /dev/tty0: Permission denied", "ZINC_CONSOLE=0"]);
    left[2].ended(0, &["display kms: /dev/dri/card0 (vkms) Virtual-1 800x480@60.0"]);
    for (l, errno) in left[3..].iter().zip(["16", "13"]) {
        let refused = format!("(os error {errno}); t1-app (process ");
        let words = ["cannot become the master of /dev/dri/card0", &refused, "has the screen"];
        l.ended(0, &words);
        l.ended(0, &["now it works", "no display works"]);
        assert_eq!(l.out, "Some(2)\nSome(0)\n", "{}", l.err);
    }
}

/// 18: another display only where it is asked for, and said with the first one's cause.
#[test]
fn case_18_another_display_only_where_it_is_asked_for() {
    let mode = format!("video=vfb:{}x{}M-32@60", SIZE.0, SIZE.1);
    let mut g = Guest::new(INIT, &[&mode, "initcall_blacklist=vkms_init"]);
    for display in ["kms", "kms,fbdev"] {
        let env = [
            ("ZINC_DISPLAY", display),
            ("ZINC_FRAMES", "5"),
            ("ZINC_DISPLAY_WAIT", "0.2"),
            ("ZINC_CONSOLE", "0"),
        ];
        g.run(User::Root, APP, &["plain"], &env);
    }
    let left = g.boot();
    let cause = "no card has outputs (cards in /dev/dri: none)";
    left[0].ended(2, &["display kms refused", cause, "no display works"]);
    assert!(!left[0].err.contains("display fbdev"), "{}", left[0].err);
    left[1].ended(0, &["display kms refused", cause, "display fbdev", "(after kms refused)"]);
}

/// 25: a program that draws by itself died for want of a graphics library.
#[test]
fn case_25_no_graphics_library_is_linked() {
    let out = std::process::Command::new("ldd").arg(APP).output().unwrap();
    let linked = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(linked.contains("libc.so"), "{linked}");
    for library in ["libgbm", "libEGL", "libGL", "libdrm", "libudev", "libseat"] {
        assert!(!linked.contains(library), "{linked}");
    }
}
