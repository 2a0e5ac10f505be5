//! What keys write, next to libxkbcommon, where that is installed: the reference of XKB. Loaded when
//! the test runs, so that nothing links it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

mod bench;

use bench::{Bench, keyboard, options};
use evdev::KeyCode as K;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use zinc_hal::{InputEvent, Placement, Timed};

/// `struct xkb_rule_names`.
#[repr(C)]
struct Names {
    all: [*const c_char; 5],
}

// SAFETY: who calls it hands over what it says.
type New = unsafe extern "C" fn(c_int) -> *mut c_void;
// SAFETY: who calls it hands over what it says.
type Keymap = unsafe extern "C" fn(*mut c_void, *const Names, c_int) -> *mut c_void;
// SAFETY: who calls it hands over what it says.
type State = unsafe extern "C" fn(*mut c_void) -> *mut c_void;
// SAFETY: who calls it hands over what it says.
type Update = unsafe extern "C" fn(*mut c_void, u32, c_int) -> c_int;
// SAFETY: who calls it hands over what it says.
type Text = unsafe extern "C" fn(*mut c_void, u32, *mut c_char, usize) -> c_int;

/// The library, once it is found.
struct Oracle {
    context: *mut c_void,
    keymap: Keymap,
    state: State,
    update: Update,
    text: Text,
}

impl Oracle {
    fn load() -> Option<Self> {
        // SAFETY: the name is a text that ends with 0; loading this library runs nothing of note.
        let lib = unsafe { libc::dlopen(c"libxkbcommon.so.0".as_ptr(), libc::RTLD_NOW) };
        let find = |name: &CStr| {
            // SAFETY: `lib` came from dlopen, and the name ends with 0.
            let f = unsafe { libc::dlsym(lib, name.as_ptr()) };
            (!f.is_null()).then_some(f)
        };
        if lib.is_null() {
            return None;
        }
        let new = find(c"xkb_context_new")?;
        // SAFETY: these are the functions of these names in the library's stable interface, whose
        // types are those above.
        unsafe {
            let new: New = std::mem::transmute(new);
            Some(Self {
                context: new(0),
                keymap: std::mem::transmute::<*mut c_void, Keymap>(find(
                    c"xkb_keymap_new_from_names",
                )?),
                state: std::mem::transmute::<*mut c_void, State>(find(c"xkb_state_new")?),
                update: std::mem::transmute::<*mut c_void, Update>(find(c"xkb_state_update_key")?),
                text: std::mem::transmute::<*mut c_void, Text>(find(c"xkb_state_key_get_utf8")?),
            })
        }
    }

    /// What a key writes in a layout while these keys are held.
    fn writes(&self, keymap: *mut c_void, held: &[K], key: K) -> String {
        // SAFETY: the keymap is one of this library; the state is used here only, and a buffer of
        // 16 bytes is told to be one. What it leaves is left: the test is short.
        unsafe {
            let state = (self.state)(keymap);
            for k in held {
                (self.update)(state, u32::from(k.0) + 8, 1);
            }
            let mut buffer = [0u8; 16];
            (self.text)(state, u32::from(key.0) + 8, buffer.as_mut_ptr().cast(), buffer.len());
            CStr::from_bytes_until_nul(&buffer).unwrap().to_string_lossy().into_owned()
        }
    }

    fn layout(&self, layout: &str, variant: &str) -> *mut c_void {
        let texts = ["evdev", "pc105", layout, variant, ""].map(|t| CString::new(t).unwrap());
        let names = Names { all: [0, 1, 2, 3, 4].map(|i: usize| texts[i].as_ptr()) };
        // SAFETY: the names live until the call is over, and end with 0.
        let map = unsafe { (self.keymap)(self.context, &names, 0) };
        assert!(!map.is_null(), "{layout} {variant}");
        map
    }
}

/// 37: every writing key of many layouts, with shift, AltGr and both.
#[test]
fn case_37_keys_write_what_the_reference_writes() {
    let Some(oracle) = Oracle::load() else {
        println!("libxkbcommon is not installed: nothing to compare with");
        return;
    };
    let keys = (2..=13).chain(16..=27).chain(30..=41).chain(43..=53).chain([57, 86]).map(K);
    let keys: Vec<K> = keys.collect();
    let (shift, graph) = (K::KEY_LEFTSHIFT, K::KEY_RIGHTALT);
    let (mut compared, mut differ) = (0, Vec::new());
    for (layout, variant) in [
        ("us", ""),
        ("us", "intl"),
        ("us", "dvorak"),
        ("de", ""),
        ("de", "nodeadkeys"),
        ("de", "neo"),
        ("fr", ""),
        ("fr", "bepo"),
        ("gb", ""),
        ("es", ""),
        ("it", ""),
        ("ch", "fr"),
        ("se", ""),
        ("pl", ""),
        ("cz", ""),
        ("tr", ""),
        ("ru", ""),
        ("gr", ""),
        ("il", ""),
        ("br", ""),
    ] {
        let map = oracle.layout(layout, variant);
        let name = if variant.is_empty() { layout.into() } else { format!("{layout}({variant})") };
        // Without a compose table: what a key writes by itself.
        let plain = options(&name, &[("XLOCALEDIR", "/nowhere")]);
        let mut ours = Bench::with(&keyboard(), Placement::whole((8, 8)), &[], plain);
        for held in [&[][..], &[shift], &[graph], &[shift, graph]] {
            // Its own key for the fifth level, after shift: kbvm stays on the second.
            if variant == "neo" && held.len() == 2 {
                continue;
            }
            held.iter().for_each(|k| ours.key(*k, 1));
            for k in &keys {
                ours.tap_key(*k);
                let alt = |t: &Timed| matches!(t.event, InputEvent::KeyDown { modifiers, .. } if modifiers.alt);
                if ours.out.iter().any(alt) {
                    // Without an AltGr the key is Alt: it commands, and we write nothing.
                    assert_eq!(ours.text(), "");
                    continue;
                }
                let want = oracle.writes(map, held, *k);
                // Control characters are keys, not text.
                let want: String = want.chars().filter(|c| !c.is_control()).collect();
                let got = ours.text();
                if got != want {
                    differ
                        .push(format!("{name}: {k:?} with {held:?} writes {got:?}, not {want:?}"));
                }
                compared += 1;
            }
            held.iter().for_each(|k| ours.key(*k, 0));
        }
    }
    println!("{compared} keys compared");
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}
