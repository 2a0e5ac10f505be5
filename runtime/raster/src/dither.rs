//! Ordered dither for formats of fewer than 8 bits a channel. A threshold depends on the pixel's
//! place on the surface alone: it stands still, and is the same for whoever draws the pixel.
//!
//! - The place is one number, `x + 3 y` modulo 8, so that any row or column of a target in any turn
//!   is a pattern of 8, and no two neighbours are alike in any direction.
//! - A channel of `n` bits takes its whole steps exactly: `v - (v >> n)` is a multiple of `2^(8-n)`
//!   just where `v` is a widened `n`-bit number, and no threshold reaches the next one.
//! - Next to a grey that all channels hold exactly, every second pixel of a row differs from it:
//!   no run of a slow ramp is longer than 9 pixels. The order of thresholds was searched for this,
//!   and then for the least light in low frequencies.

const RED: [u8; 8] = [7, 4, 2, 3, 0, 6, 1, 5];
const GREEN: [u8; 8] = [0, 2, 7, 4, 6, 5, 1, 3];
const BLUE: [u8; 8] = [1, 5, 0, 6, 2, 3, 7, 4];

/// Pixels of a packed pattern: two periods.
pub(crate) const PATTERN: usize = 16;

/// A run of pixels on the surface: where it begins and which way it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    start: u8,
    /// From pixel to pixel; odd.
    step: u8,
}

impl Place {
    /// A run from a pixel of the surface in steps of one pixel along `x` or along `y`.
    #[inline(always)]
    pub(crate) fn new(x: i32, y: i32, dx: i32, dy: i32) -> Self {
        let place = |x: i32, y: i32| (x.wrapping_add(y.wrapping_mul(3)) & 7) as u8;
        Self { start: place(x, y), step: place(dx, dy) }
    }
    #[inline(always)]
    const fn index(self, n: usize) -> usize {
        (self.start as usize + n * self.step as usize) & 7
    }
    /// Thresholds of red, green and blue at the run's `n`th pixel, 0 to 7.
    pub(crate) fn rgb(self, n: usize) -> [u8; 3] {
        let i = self.index(n);
        [RED[i], GREEN[i], BLUE[i]]
    }
    /// Thresholds of a 565 pixel for 16 pixels, as words of the surface's layout.
    #[inline(always)]
    pub(crate) fn pattern(self) -> &'static [u32; PATTERN] {
        &PATTERNS[(self.step as usize / 2) & 3][self.start as usize & 7]
    }
}

/// By step (1, 3, 5, 7) and start.
static PATTERNS: [[[u32; PATTERN]; 8]; 4] = patterns();

const fn patterns() -> [[[u32; PATTERN]; 8]; 4] {
    let mut all = [[[0; PATTERN]; 8]; 4];
    let mut n = 0;
    while n < 4 * 8 * PATTERN {
        let (step, start, i) = (n / (8 * PATTERN), n / PATTERN % 8, n % PATTERN);
        let at = Place { start: start as u8, step: step as u8 * 2 + 1 }.index(i);
        all[step][start][i] =
            (RED[at] as u32) << 16 | (GREEN[at] as u32 >> 1) << 8 | BLUE[at] as u32;
        n += 1;
    }
    all
}

/// A channel's value, 0 to 255, in `bits` bits (1 to 16), by a threshold of 0 to 7.
pub(crate) fn narrow(v: u8, bits: u32, threshold: u8) -> u32 {
    let (v, t) = (v as u32, threshold as u32);
    if bits >= 8 {
        return (v * 0x0101) >> (16 - bits);
    }
    let t = if bits <= 5 { t << (5 - bits) } else { t >> (bits - 5) };
    (v - (v >> bits) + t) >> (8 - bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_steps_are_exact_and_the_mean_is_the_value() {
        for bits in 1..=8u32 {
            let top = (1u32 << bits) - 1;
            for q in 0..=top {
                // The number repeated downwards, as panels widen it.
                let mut wide = q << (8 - bits);
                let mut n = bits;
                while n < 8 {
                    wide |= wide >> n;
                    n *= 2;
                }
                for t in 0..8 {
                    assert_eq!(narrow(wide as u8, bits, t), q, "{bits} bits, {q}");
                }
            }
            let mut last = 0;
            for v in 0..=255u8 {
                let sum: u32 = (0..8).map(|t| narrow(v, bits, t)).sum();
                assert!(sum >= last, "{bits} bits, {v}");
                last = sum;
                let mean = sum as f64 / 8.0 * 255.0 / top as f64;
                let near = if bits < 5 { 255.0 / top as f64 / 8.0 } else { 1.5 };
                assert!((mean - v as f64).abs() <= near, "{bits} bits, {v}: {mean}");
            }
        }
        assert_eq!((narrow(255, 10, 3), narrow(128, 16, 7)), (1023, 0x8080));
    }

    #[test]
    fn patterns_are_the_places_of_their_pixels() {
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            for (x, y) in (0..16).flat_map(|x| (0..16).map(move |y| (x, y))) {
                let run = Place::new(x, y, dx, dy);
                for (i, word) in run.pattern().iter().enumerate() {
                    let [r, g, b] = Place::new(x + dx * i as i32, y + dy * i as i32, 1, 0).rgb(0);
                    let want = (r as u32) << 16 | (g as u32 >> 1) << 8 | b as u32;
                    assert_eq!(*word, want);
                    assert_eq!(run.rgb(i), [r, g, b]);
                }
            }
        }
    }
}
