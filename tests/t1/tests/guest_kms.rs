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

#[track_caller]
fn ended(l: &Left, code: i64, words: &[&str]) {
    assert_eq!(l.code, Some(code), "{}{}", l.out, l.err);
    for w in words {
        assert!(l.err.contains(w), "nothing says {w:?}:\n{}", l.err);
    }
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
        ended(l, 0, &["800x480@", format, &format!("{buffers} buffers, {way}")]);
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
