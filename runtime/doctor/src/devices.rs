//! What is touched and typed on, and what decodes films.

use crate::Finding;
use crate::system::System;

pub(crate) fn look(s: &System, all: &mut Vec<Finding>) {
    input(s, all);
    decoders(s, all);
}

/// What the kernel's bitmaps of a device tell it to be.
fn kind(s: &System, event: &str) -> &'static str {
    // Words of 64 bits (32 on small boards), the highest first.
    let bits = |what: &str| -> Vec<u64> {
        let path = format!("/sys/class/input/{event}/device/capabilities/{what}");
        let text = s.text(&path).unwrap_or_default();
        let words = text.split_whitespace().rev();
        words.map(|w| u64::from_str_radix(w, 16).unwrap_or(0)).collect()
    };
    let width = if cfg!(target_pointer_width = "32") { 32 } else { 64 };
    let has = |words: &[u64], bit: usize| {
        words.get(bit / width).is_some_and(|w| w >> (bit % width) & 1 == 1)
    };
    let (key, rel, abs) = (bits("key"), bits("rel"), bits("abs"));
    const BTN_LEFT: usize = 0x110;
    const BTN_TOUCH: usize = 0x14a;
    const KEY_A: usize = 30;
    const ABS_MT_POSITION_X: usize = 0x35;
    match () {
        () if has(&abs, ABS_MT_POSITION_X) => "multi-touch",
        () if has(&abs, 0) && has(&key, BTN_TOUCH) => "touch",
        () if has(&abs, 0) && has(&key, BTN_LEFT) => "pointer",
        () if has(&rel, 0) && has(&key, BTN_LEFT) => "mouse",
        () if has(&key, KEY_A) => "keyboard",
        () => "",
    }
}

fn input(s: &System, all: &mut Vec<Finding>) {
    let mut useful = 0;
    for event in s.names("/sys/class/input").into_iter().filter(|n| n.starts_with("event")) {
        let name = s.text(&format!("/sys/class/input/{event}/device/name")).unwrap_or_default();
        let kind = kind(s, &event);
        if kind.is_empty() {
            continue;
        }
        useful += 1;
        let node = format!("/dev/input/{event}");
        let says = format!("{node}: {kind}, {name}");
        all.push(match s.may_use(&node) {
            Some(false) => Finding::bad("input", format!("{says}: may not be opened by you"))
                .cure(s.join(&node, "input")),
            None => Finding::warning("input", format!("{says}: the node is not there"))
                .cure("mount /dev with devtmpfs"),
            Some(true) => Finding::good("input", says),
        });
    }
    if useful == 0 {
        all.push(Finding::note("input", "nothing to touch or type on is plugged in"));
    }
}

fn decoders(s: &System, all: &mut Vec<Finding>) {
    const V4L: &str = "/sys/class/video4linux";
    let mut found = false;
    for video in s.names(V4L).into_iter().filter(|n| n.starts_with("video")) {
        let name = s.text(&format!("{V4L}/{video}/name")).unwrap_or_default();
        let decodes = ["dec", "codec", "hevc", "vpu"].iter().any(|w| name.contains(w));
        if !decodes || name.contains("encode") || name.contains("isp") {
            continue;
        }
        found = true;
        let node = format!("/dev/{video}");
        let says = format!("{node}: {name}");
        all.push(match s.may_use(&node) {
            Some(false) => Finding::warning("films", format!("{says}: may not be opened by you"))
                .cure(s.join(&node, "video")),
            _ => Finding::good("films", says),
        });
    }
    if !found {
        all.push(Finding::note("films", "no decoder: films are decoded by the processor"));
    }
}
