//! Keyboards: layouts, dead keys, what is missing or broken, repeats.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

mod bench;

use bench::{Bench, keyboard, options};
use evdev::KeyCode as K;
use std::path::Path;
use std::time::Duration;
use zinc_hal::Placement;
use zinc_input_evdev::{KeyboardOptions, REPEAT_AFTER, REPEAT_EVERY};

const WHOLE: Placement = Placement::whole((800, 480));
const LOCALE: (&str, &str) = ("LANG", "en_US.UTF-8");

fn of(o: KeyboardOptions) -> Bench {
    Bench::with(&keyboard(), WHOLE, &[], o)
}

/// Text that a row of keys writes; `!` before one holds shift, `^` AltGr.
fn typed(b: &mut Bench, keys: &[(&str, K)]) -> String {
    for (with, k) in keys {
        let held = [("!", K::KEY_LEFTSHIFT), ("^", K::KEY_RIGHTALT)];
        let held: Vec<K> = held.iter().filter(|(c, _)| with.contains(c)).map(|(_, k)| *k).collect();
        held.iter().for_each(|k| b.key(*k, 1));
        b.tap_key(*k);
        held.iter().for_each(|k| b.key(*k, 0));
    }
    b.text()
}

/// The system's layouts are here: they are a part of what the tests need.
fn files() -> bool {
    Path::new("/usr/share/X11/xkb").is_dir() && Path::new("/usr/share/X11/locale").is_dir()
}

/// 37: no other layout than us.
#[test]
fn case_37_layouts_write_what_stands_on_their_keys() {
    assert!(files(), "these tests want the packages xkb-data and libx11-data");
    // The key right of T, the one left of X, the one right of the apostrophe, AltGr+E, the acute
    // and then e.
    let keys = [
        ("", K::KEY_Y),
        ("", K::KEY_Z),
        ("!", K::KEY_Z),
        ("", K::KEY_BACKSLASH),
        ("^", K::KEY_E),
        ("", K::KEY_A),
        ("", K::KEY_EQUAL),
        ("", K::KEY_E),
    ];
    let mut de = of(options("de", &[LOCALE]));
    assert_eq!(typed(&mut de, &keys), "zyY#€aé");
    let mut de = of(options("de(nodeadkeys)", &[LOCALE]));
    assert_eq!(typed(&mut de, &keys), "zyY#€a´e");
    let mut fr = of(options("fr", &[LOCALE]));
    assert_eq!(typed(&mut fr, &keys[..6]), "ywW*€q");
    // Dead circumflex and e; the plain e with acute has a key of its own.
    assert_eq!(typed(&mut fr, &[("", K::KEY_LEFTBRACE), ("", K::KEY_E), ("", K::KEY_2)]), "êé");
    let mut us = of(options("us(intl)", &[LOCALE]));
    assert_eq!(typed(&mut us, &keys[..6]), "yzZ\\éa");
    assert_eq!(typed(&mut us, &[("", K::KEY_APOSTROPHE), ("", K::KEY_E)]), "é");
    let mut us = of(options("us", &[LOCALE]));
    assert_eq!(typed(&mut us, &keys), "yzZ\\a=e");
    // Options, and two layouts with a key between them.
    let mut two = of(options("us,de grp:alt_shift_toggle", &[LOCALE]));
    assert_eq!(typed(&mut two, &[("", K::KEY_Y)]), "y");
    two.key(K::KEY_LEFTALT, 1);
    two.key(K::KEY_LEFTSHIFT, 1);
    two.key(K::KEY_LEFTSHIFT, 0);
    two.key(K::KEY_LEFTALT, 0);
    assert_eq!(typed(&mut two, &[("", K::KEY_Y)]), "z");
}

/// 37: the layout of the system's file.
#[test]
fn case_37_without_a_setting_the_systems_layout_counts() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("etc/default/keyboard");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "XKBLAYOUT=\"de\"\n").unwrap();
    let mut o = options("us", &[LOCALE]);
    (o.layout, o.root) = (None, root.path().to_owned());
    assert_eq!(typed(&mut of(o), &[("", K::KEY_Y)]), "z");
}

/// 36: a bad locale file killed all keyboard input.
#[test]
fn case_36_broken_locales_leave_a_keyboard_that_writes() {
    let broken = tempfile::tempdir().unwrap();
    let compose = broken.path().join("Compose");
    std::fs::write(&compose, b"\xff\xfe\x00<dead_acute> \xc3\x28 : \"\xe9\"\n\x80\x81").unwrap();
    let empty = broken.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let (compose, empty) = (compose.to_str().unwrap(), empty.to_str().unwrap());
    let keys = [("", K::KEY_A), ("!", K::KEY_B), ("", K::KEY_SPACE), ("", K::KEY_1)];
    for env in [
        vec![],
        vec![("LANG", "en_GB.iso88591")],
        vec![("LC_ALL", "xx_YY")],
        vec![("LC_ALL", "\u{fffd}///..")],
        vec![LOCALE, ("XLOCALEDIR", empty)],
        vec![LOCALE, ("XLOCALEDIR", "/nowhere")],
        vec![LOCALE, ("XCOMPOSEFILE", compose)],
        vec![LOCALE, ("XCOMPOSEFILE", "/proc/self/mem")],
        vec![LOCALE, ("XKB_CONFIG_ROOT", empty), ("XKB_CONFIG_EXTRA_PATH", empty)],
        vec![LOCALE, ("HOME", empty)],
    ] {
        let mut b = of(options("us", &env));
        assert_eq!(typed(&mut b, &keys), "aB 1", "{env:?}");
    }
    // A layout that is not there, and one whose files are not there.
    for (layout, env) in [
        ("de(nosuchvariant)", vec![LOCALE]),
        ("nosuchlayout", vec![LOCALE]),
        ("us", vec![LOCALE, ("XKB_CONFIG_ROOT", empty), ("XKB_CONFIG_EXTRA_PATH", empty)]),
        ("de", vec![LOCALE, ("XKB_CONFIG_ROOT", empty), ("XKB_CONFIG_EXTRA_PATH", empty)]),
    ] {
        let mut b = of(options(layout, &env));
        assert_eq!(typed(&mut b, &keys), "aB 1", "{layout} {env:?}");
    }
    // Without a locale that has one the table of en_US serves: dead keys still work.
    let mut b = of(options("de", &[("LC_ALL", "xx_YY")]));
    assert_eq!(typed(&mut b, &[("", K::KEY_EQUAL), ("", K::KEY_E)]), "é");
}

/// The layout that needs no file writes what a us keyboard has on its keys, with all that commands.
#[test]
fn the_built_in_layout_is_a_whole_keyboard() {
    let none = ("XKB_CONFIG_ROOT", "/nowhere");
    let mut b = of(options("us", &[none, ("XKB_CONFIG_EXTRA_PATH", "/nowhere")]));
    let rows = [(2..=13, "1234567890-="), (16..=27, "qwertyuiop[]"), (30..=41, "asdfghjkl;'`")];
    for (codes, text) in rows.into_iter().chain([(43..=53, "\\zxcvbnm,./")]) {
        let keys: Vec<_> = codes.map(|c| ("", K(c))).collect();
        assert_eq!(typed(&mut b, &keys), text);
    }
    let shifted = [("!", K::KEY_1), ("!", K::KEY_SLASH), ("!", K::KEY_GRAVE), ("!", K::KEY_Q)];
    assert_eq!(typed(&mut b, &shifted), "!?~Q");
    b.tap_key(K::KEY_CAPSLOCK);
    assert_eq!(typed(&mut b, &[("", K::KEY_Q), ("!", K::KEY_Q), ("", K::KEY_1)]), "Qq1");
    b.tap_key(K::KEY_CAPSLOCK);
    assert_eq!(typed(&mut b, &[("", K::KEY_KP7), ("", K::KEY_KPDOT), ("", K::KEY_KPSLASH)]), "7./");
    for k in [K::KEY_ENTER, K::KEY_ESC, K::KEY_TAB, K::KEY_BACKSPACE, K::KEY_DELETE, K::KEY_LEFT] {
        b.key(k, 1);
        b.key(k, 0);
    }
    b.key(K::KEY_LEFTCTRL, 1);
    b.tap_key(K::KEY_K);
    b.key(K::KEY_LEFTCTRL, 0);
    b.key(K::KEY_LEFTSHIFT, 1);
    b.tap_key(K::KEY_TAB);
    let named = ["Enter", "Escape", "Tab", "Backspace", "Delete", "Left"];
    let pair = |n: &str| [format!("down Named({n})"), format!("up Named({n})")];
    let mut want: Vec<String> = named.iter().flat_map(|n| pair(n)).collect();
    want.extend(["down ctrl+Char('k')".to_owned(), "up Char('k')".to_owned()]);
    want.extend(["down shift+Named(Tab)".to_owned(), "up Named(Tab)".to_owned()]);
    assert_eq!(b.told(), want);
}

#[test]
fn keys_are_told_before_their_text_and_control_writes_nothing() {
    let mut b = of(options("de", &[LOCALE]));
    b.key(K::KEY_LEFTSHIFT, 1);
    b.tap_key(K::KEY_A);
    b.key(K::KEY_LEFTSHIFT, 0);
    b.key(K::KEY_LEFTCTRL, 1);
    b.tap_key(K::KEY_Z);
    b.key(K::KEY_LEFTCTRL, 0);
    b.tap_key(K::KEY_SPACE);
    // AltGr writes, and is no Alt.
    b.key(K::KEY_RIGHTALT, 1);
    b.tap_key(K::KEY_Q);
    b.key(K::KEY_RIGHTALT, 0);
    // A dead key with a key that it does not go with.
    b.tap_key(K::KEY_EQUAL);
    b.tap_key(K::KEY_X);
    assert_eq!(
        b.told(),
        [
            "down shift+Char('a')",
            "text A",
            "up Char('a')",
            "down ctrl+Char('y')",
            "up Char('y')",
            "down Named(Space)",
            "text  ",
            "up Named(Space)",
            "down Char('@')",
            "text @",
            "up Char('@')",
            "down Char('x')",
            "text x",
            "up Char('x')",
        ]
    );
}

/// A held key repeats by our clock: after 400 ms, 25 times a second, until it or another ends it.
#[test]
fn held_keys_repeat() {
    let mut b = of(options("us", &[LOCALE]));
    b.key(K::KEY_A, 1);
    let start = b.now;
    assert_eq!(b.seat.keyboard().due(), Some(start + REPEAT_AFTER));
    // The kernel's own repeats are not counted as well.
    b.key(K::KEY_A, 2);
    b.told();
    let at = |b: &mut Bench, ms: u64| {
        let now = start + Duration::from_millis(ms);
        b.seat.keyboard().repeat(now, &mut b.out);
        b.text()
    };
    assert_eq!(at(&mut b, 399), "");
    assert_eq!(at(&mut b, 400), "a");
    assert_eq!(at(&mut b, 439), "");
    assert_eq!(at(&mut b, 440), "a");
    // A loop that stood still for two seconds does not write fifty of them.
    assert_eq!(at(&mut b, 2440), "a");
    let due = b.seat.keyboard().due().unwrap();
    assert!(due <= start + Duration::from_millis(2440) + REPEAT_EVERY);
    b.key(K::KEY_LEFTSHIFT, 1);
    b.key(K::KEY_B, 1);
    b.told();
    assert_eq!(b.seat.keyboard().due(), Some(b.now + REPEAT_AFTER));
    b.key(K::KEY_B, 0);
    assert_eq!(b.seat.keyboard().due(), None);
}
