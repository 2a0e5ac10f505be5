//! Displays on a real kernel, in a guest: hero on the frame buffers of `vfb` (red in the low bits, no
//! wait for the vblank) and of `vkms` (red high, a wait that works, room to pan), and users without
//! the right to them.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use std::path::Path;
use zinc_raster::store_surface;
use zinc_scene::{IRect, PixelFormat, Region, Rotation, TargetMut};
use zinc_t1::guest::{Guest, User};
use zinc_t1::{folder, run};

const INIT: &str = env!("CARGO_BIN_EXE_t1-guest");
const APP: &str = env!("CARGO_BIN_EXE_t1-app");
const SIZE: (u32, u32) = (800, 480);
/// The group `video` of Debian.
const VIDEO: u32 = 44;
/// Past the first change of hero's screens.
const FRAMES: &str = "70";

/// A kernel without a card, with a virtual frame buffer of this depth.
fn vfb(bits: u32) -> Guest {
    let mode = format!("video=vfb:{}x{}M-{bits}@60", SIZE.0, SIZE.1);
    let memory = "vfb.videomemorysize=4194304";
    Guest::new(INIT, &[&mode, memory, "initcall_blacklist=vkms_init"])
}

fn tour(display: &str) -> Vec<(&str, &str)> {
    let virtual_time = [("ZINC_DETERMINISTIC", "1"), ("ZINC_FRAMES", FRAMES)];
    let rest = [("ZINC_DEMO", "bench"), ("ZINC_SIZE", "800x480"), ("ZINC_FRAMEHASH", "last")];
    // The picture is looked at after the end, when the console would have its text back.
    [&[("ZINC_DISPLAY", display), ("ZINC_CONSOLE", "0")], &virtual_time[..], &rest[..]].concat()
}

/// The simulated display's last frame, and its hash, on this machine.
fn sim() -> (Vec<u8>, String) {
    let dir = folder();
    let file = dir.path().join("sim");
    let mut c = run::command(Path::new(APP));
    c.arg("hero").envs(tour("sim")).env("ZINC_SIM", &file);
    let e = run::end(&mut c).expect(0);
    (std::fs::read(file).unwrap(), e.out)
}

/// The frame buffer's memory, at its beginning, is the surface in this format.
fn holds(memory: &[u8], surface: &[u8], format: PixelFormat, rotation: Rotation) {
    let bytes = stored(surface, format, rotation);
    assert!(memory.len() >= bytes.len(), "{} bytes", memory.len());
    let differ = memory.iter().zip(&bytes).filter(|(a, b)| a != b).count();
    assert_eq!(differ, 0, "of {} bytes of {format:?}", bytes.len());
}

/// The surface in this format and turn, without padding.
fn stored(surface: &[u8], format: PixelFormat, rotation: Rotation) -> Vec<u8> {
    let (width, height) = rotation.size(SIZE);
    let pitch = width as usize * format.bytes();
    let mut bytes = vec![0; pitch * height as usize];
    let target = &mut TargetMut { bytes: &mut bytes, width, height, pitch, format, rotation };
    store_surface(surface, SIZE, &Region::of(IRect::of_size(SIZE.0, SIZE.1)), target);
    bytes
}

#[test]
fn hero_on_a_frame_buffer_is_the_simulated_displays_frame() {
    let (surface, hash) = sim();
    for (bits, format) in [(16, PixelFormat::Bgr565), (32, PixelFormat::Xbgr8888)] {
        let mut g = vfb(bits);
        g.run(User::Root, APP, &["hero"], &tour("fbdev"));
        g.keep("/dev/fb0", "fb0");
        let mut turned = tour("fbdev");
        turned.push(("ZINC_ROTATION", "180"));
        g.run(User::Root, APP, &["hero"], &turned);
        g.keep("/dev/fb0", "fb0-turned");
        let left = g.boot();
        let mode = format!("/dev/fb0 (Virtual FB) 800x480, {bits} bits {format:?}");
        left[0].ended(0, &[&mode]);
        left[1].ended(0, &["turned by 180 degrees"]);
        assert_eq!(left[0].out, hash);
        holds(&g.kept("fb0"), &surface, format, Rotation::Deg0);
        holds(&g.kept("fb0-turned"), &surface, format, Rotation::Deg180);
    }
}

/// 10, on a kernel that answers ENOTTY; and rights: 14's first half, for the frame buffer.
#[test]
fn rights_are_checked_and_named() {
    let mut g = vfb(32);
    let plain = [("ZINC_DISPLAY", "fbdev"), ("ZINC_FRAMES", "5")];
    g.own("/dev/fb0", VIDEO, 0o660);
    g.keep("/dev/fb0", "found");
    g.run(User::Plain(1000), APP, &["plain"], &plain);
    g.keep("/dev/fb0", "before");
    // The picture may be shown, the console is somebody else's.
    g.run(User::Plain(VIDEO), APP, &["plain"], &plain);
    g.keep("/dev/fb0", "still");
    let alone = [&plain[..], &[("ZINC_CONSOLE", "0")]].concat();
    g.run(User::Plain(VIDEO), APP, &["plain"], &alone);
    g.keep("/dev/fb0", "after");
    g.own("/dev/fb0", 0, 0o600);
    g.run(User::Plain(VIDEO), APP, &["plain"], &plain);
    let left = g.boot();
    let denied = "cannot open /dev/fb0: Permission denied (os error 13); join the group video";
    left[0].ended(2, &[denied, "no display works"]);
    let found = g.kept("found");
    assert!(g.kept("before") == found, "something is written without the right");
    let console = "cannot open /dev/tty0: Permission denied (os error 13); run it on that terminal";
    left[1].ended(2, &[console, "ZINC_CONSOLE=0", "no display works"]);
    assert!(g.kept("still") == found, "something is written without the console");
    left[2].ended(0, &["no wait for the vblank here (Inappropriate ioctl for device"]);
    assert!(!left[2].err.contains("console:"), "{}", left[2].err);
    assert!(g.kept("after") != found, "with both, something is");
    left[3].ended(2, &[denied]);
}

/// The frame buffer of a card: its wait waits, and is used; with room for two pictures it pans.
#[test]
fn a_cards_frame_buffer_waits_and_pans() {
    let (surface, hash) = sim();
    for (room, way) in [("100", "copied"), ("200", "2 pages"), ("350", "3 pages")] {
        let overalloc = format!("drm_kms_helper.drm_fbdev_overalloc={room}");
        let mut g = Guest::new(INIT, &["video=Virtual-1:800x480-16", &overalloc]);
        let mut env = tour("fbdev");
        g.run(User::Root, APP, &["hero"], &env);
        g.keep("/dev/fb0", "fb0");
        // In real time, to see how it is paced.
        env.retain(|(k, _)| !matches!(*k, "ZINC_DETERMINISTIC" | "ZINC_FRAMEHASH"));
        env.extend([("ZINC_FBDEV_STATS", "1")]);
        g.run(User::Root, APP, &["hero"], &env);
        let left = g.boot();
        println!("overalloc {room}:\n{}{}", left[0].err, left[1].err);
        left[0].ended(0, &["800x480, 16 bits Rgb565", way]);
        assert_eq!(left[0].out, hash);
        left[1].ended(0, &["frames wait for the vblank", " frames in "]);
        let by_itself = left[1].err.matches("panning waits by itself").count();
        assert_eq!(by_itself, usize::from(way != "copied"), "{way}:\n{}", left[1].err);
        let (memory, page) = (g.kept("fb0"), SIZE.0 as usize * 2 * SIZE.1 as usize);
        let want = stored(&surface, PixelFormat::Rgb565, Rotation::Deg0);
        let at: Vec<usize> =
            (0..memory.len() / page).filter(|i| memory[i * page..][..page] == want).collect();
        // The last page; the offset is back at the first when the program has ended.
        assert_eq!(at.len(), 1, "{way}: {at:?}");
    }
}

/// The console is put aside while a program has the glass, and put back however the program ends.
#[test]
fn a_console_is_put_back_whatever_happens() {
    let ways = [("end", "Some(0)"), ("panic", "Some(101)"), ("term", "Some(0)"), ("kill", "None")];
    let mut g = vfb(32);
    for (way, _) in ways {
        g.run(User::Root, APP, &["console", way], &[]);
    }
    g.run(
        User::Root,
        APP,
        &["plain"],
        &[("ZINC_DISPLAY", "fbdev"), ("ZINC_FRAMES", "3"), ("ZINC_CONSOLE", "0")],
    );
    let left = g.boot();
    let text = "Some(State { mode: Text, keyboard: Keyboard(3) })";
    let aside = "Some(State { mode: Graphics, keyboard: Keyboard(4) })";
    for ((way, code), l) in ways.into_iter().zip(&left) {
        let during = match way {
            // The program, its guardian, and who watches them.
            "term" | "kill" => format!("during {aside}\nprocesses 3\n"),
            _ => String::new(),
        };
        let want = format!("before {text}\n{during}Ok({code})\nafter {text}\nprocesses 1\n");
        assert_eq!(l.out, want, "{way}:\n{}", l.err);
        // One that is killed may not come to say so.
        let said: &[&str] = match way {
            "kill" => &[],
            _ => &["console: /dev/tty0 shows no text and takes no keys until the end"],
        };
        l.ended(0, said);
    }
    let alone = &left[ways.len()];
    alone.ended(0, &["display fbdev"]);
    assert!(!alone.err.contains("console:"), "{}", alone.err);
}

/// 15: typed keys also reached the shell behind. Before and after they do, while the program has the
/// console they do not, and what was typed then does not come later.
#[test]
fn case_15_typed_keys_reach_no_shell_behind() {
    let mut g = vfb(32);
    g.run(User::Root, APP, &["console-keys"], &[]);
    let left = g.boot();
    left[0].ended(0, &[]);
    assert_eq!(left[0].out, "\"a\\nc\\n\"\n", "{}", left[0].err);
}

/// 11, for a frame buffer: another terminal comes to the front and goes again, fifty times. Nothing is
/// drawn over it meanwhile, what is typed there reaches its shell, and the picture comes back. Then the
/// program is told to end, and does so in good order.
#[test]
fn another_terminal_comes_and_goes() {
    // A depth that the kernel's console changes when a terminal comes to the front, and one that not.
    for bits in [16, 32] {
        let mut g = vfb(bits);
        g.run(User::Root, APP, &["console-switch", "50"], &[]);
        let left = g.boot();
        left[0].ended(0, &["console: the screen is back", "work"]);
        let want = "left 50, nothing drawn there 50, drawn again 50\ntyped there \"a\\n\"\nmore files false\nSome(0)\nafter Some(State { mode: Text, keyboard: Keyboard(3) })\n";
        assert_eq!(left[0].out, want, "{bits} bits:\n{}", left[0].err);
    }
}

/// `APP --doctor` on a real kernel: what is there, what the user may not open, and which group to join.
#[test]
fn the_doctor_names_screens_input_and_rights() {
    let mut g = Guest::new(INIT, &["video=Virtual-1:800x480-16"]);
    g.own("/dev/dri/card0", VIDEO, 0o660);
    g.run(User::Root, APP, &["plain", "--doctor"], &[]);
    g.run(User::Plain(1000), APP, &["plain", "--doctor"], &[]);
    g.run(User::Plain(VIDEO), APP, &["plain", "--doctor"], &[]);
    let left = g.boot();
    println!("{}\n{}", left[0].out, left[1].out);
    let screen = "screen    /dev/dri/card0 (vkms), Virtual-1: ";
    assert!(left[0].out.contains(screen), "{}", left[0].out);
    assert!(left[0].out.contains("nobody has a screen"), "{}", left[0].out);
    assert_eq!(left[0].code, Some(0), "{}", left[0].out);
    let refused = "rights    /dev/dri/card0 may not be opened by you";
    assert!(left[1].out.contains(refused), "{}", left[1].out);
    assert!(left[1].out.contains("-> sudo usermod -aG video $USER"), "{}", left[1].out);
    assert_eq!(left[1].code, Some(1));
    assert!(!left[2].out.contains(refused), "{}", left[2].out);
}
