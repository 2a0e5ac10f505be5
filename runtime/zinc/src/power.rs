//! Whether a Raspberry Pi slows itself down: the firmware's `get_throttled` bits. The first thing to
//! look at when a board is slower than it was: a weak supply halves its clock.

/// Where the kernel shows them, in hexadecimal.
const NODE: &str = "/sys/devices/platform/soc/soc:firmware/get_throttled";

/// Bits of what is so now; sixteen higher, of what has been so since the start.
const NOW: [(u32, &str); 4] = [
    (1 << 0, "under-voltage: a stronger supply or cable"),
    (1 << 2, "throttled: cooler, or a stronger supply"),
    (1 << 1, "clock capped: a stronger supply or cable"),
    (1 << 3, "hot: the clock is held down, cool it"),
];

/// The bits; `None` on other machines.
pub(crate) fn throttled() -> Option<u32> {
    let text = std::fs::read_to_string(NODE).ok()?;
    parse(&text)
}

fn parse(text: &str) -> Option<u32> {
    u32::from_str_radix(text.trim().trim_start_matches("0x"), 16).ok()
}

/// The worst of what is so now, in words and with its cure.
pub(crate) fn now(bits: u32) -> Option<&'static str> {
    NOW.iter().find(|(b, _)| bits & b != 0).map(|(_, words)| *words)
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
        assert!(now(0x5_0005).unwrap().starts_with("under-voltage"));
        assert!(now(0x4).unwrap().starts_with("throttled"));
    }
}
