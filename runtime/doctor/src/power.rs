//! Whether a Raspberry Pi slows itself down: the firmware's `get_throttled` bits. The first thing to
//! look at when a board is slower than it was: a weak supply halves its clock and more.

use crate::Finding;
use crate::system::System;

/// Where the kernel shows them, in hexadecimal.
const NODE: &str = "/sys/devices/platform/soc/soc:firmware/get_throttled";

/// Bits of what is so now, gravest first, with words and cure; sixteen bits higher it has been so
/// since the start.
const BITS: [(u32, &str, &str); 4] = [
    (1 << 0, "under-voltage", "a supply of 5 V and 3 A with a short, thick cable"),
    (1 << 2, "throttled", "a stronger supply, or a heat sink"),
    (1 << 1, "clock capped", "a stronger supply, or a heat sink"),
    (1 << 3, "hot", "a heat sink or a fan"),
];

/// The bits; `None` on other machines.
pub fn throttled() -> Option<u32> {
    bits(&System::here())
}

fn bits(s: &System) -> Option<u32> {
    parse(&s.text(NODE)?)
}

fn parse(text: &str) -> Option<u32> {
    u32::from_str_radix(text.trim().trim_start_matches("0x"), 16).ok()
}

/// The gravest of what is so now: words, and the cure.
pub fn now(bits: u32) -> Option<(&'static str, &'static str)> {
    BITS.iter().find(|(b, ..)| bits & b != 0).map(|(_, words, cure)| (*words, *cure))
}

pub(crate) fn look(s: &System, all: &mut Vec<Finding>) {
    let Some(bits) = bits(s) else { return };
    let names = |bits: u32| {
        let on = BITS.iter().filter(|(b, ..)| bits & b != 0).map(|(_, words, _)| *words);
        on.collect::<Vec<_>>().join(", ")
    };
    let found = match (now(bits), now(bits >> 16)) {
        (Some((_, cure)), _) => {
            Finding::bad("power", format!("{} now (0x{bits:x})", names(bits))).cure(cure)
        }
        (None, Some((_, cure))) => {
            let was = names(bits >> 16);
            Finding::warning("power", format!("{was} since the start (0x{bits:x})")).cure(cure)
        }
        (None, None) => Finding::good("power", "never too weak or too hot since the start"),
    };
    all.push(found);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_words() {
        assert_eq!(parse("0x50005\n"), Some(0x5_0005));
        assert_eq!(parse("0"), Some(0));
        assert_eq!(parse("none"), None);
        // Of the past only: nothing to say now.
        assert_eq!(now(0x5_0000), None);
        assert_eq!(now(0x5_0005).map(|w| w.0), Some("under-voltage"));
        assert_eq!(now(0x4).map(|w| w.0), Some("throttled"));
    }
}
