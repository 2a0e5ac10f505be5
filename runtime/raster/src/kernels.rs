//! Source-over in blocks of eight pixels, a channel in each 16-bit lane, compiled once per
//! instruction set by the token each kernel takes. What does not fill a block goes through
//! `blend`'s words; both round alike, and a test compares them.

use crate::blend::{lerp, over, scale};
use crate::cells::GROUP;
use crate::simd::{Simd, weight, weights};
use fearless_simd::prelude::*;
use fearless_simd::{i16x16, u8x32, u16x8, u16x16, u32x4, u32x8};
use fearless_simd_macros::simd;

/// Pixels of a block.
const N: usize = GROUP;

/// Eight pixels, a channel in each lane.
#[derive(Clone, Copy)]
struct Block<S: Simd>(i16x16<S>, i16x16<S>);

impl<S: Simd> Block<S> {
    #[inline(always)]
    fn of(px: u32x8<S>) -> Self {
        let (low, high) = px.bitcast::<u8x32<S>>().widen();
        Self(low.bitcast(), high.bitcast())
    }

    /// Back to words; every lane is a byte.
    #[inline(always)]
    fn words(self) -> u32x8<S> {
        let (low, high): (u16x16<S>, u16x16<S>) = (self.0.bitcast(), self.1.bitcast());
        low.relaxed_narrow(high).bitcast()
    }

    /// Weights of eight pixels, in each one's channels.
    #[inline(always)]
    fn weights(k: u16x8<S>) -> Self {
        let w = weights(k);
        let (low, high) = (w.zip_low(w).bitcast(), w.zip_high(w).bitcast());
        let twice = |w: u32x4<S>| w.zip_low(w).combine(w.zip_high(w)).bitcast();
        Self(twice(low), twice(high))
    }

    /// One weight for all.
    #[inline(always)]
    fn alike(simd: S, k: u32) -> Self {
        let w = i16x16::splat(simd, weight(k) as i16);
        Self(w, w)
    }

    #[inline(always)]
    fn times(self, simd: S, weights: Self) -> Self {
        Self(simd.product(self.0, weights.0), simd.product(self.1, weights.1))
    }

    #[inline(always)]
    fn plus(self, o: Self) -> Self {
        Self(self.0 + o.0, self.1 + o.1)
    }

    #[inline(always)]
    fn less(self, o: Self) -> Self {
        Self(self.0 - o.0, self.1 - o.1)
    }
}

/// Sums of bytes that fit.
#[inline(always)]
fn sum<S: Simd>(a: u32x8<S>, b: u32x8<S>) -> u32x8<S> {
    (a.bitcast::<u8x32<S>>() + b.bitcast::<u8x32<S>>()).bitcast()
}

#[inline(always)]
fn over_block<S: Simd>(simd: S, d: u32x8<S>, s: u32x8<S>) -> u32x8<S> {
    let (low, high) = (s >> 24).split();
    let keep = Block::weights(255 - low.relaxed_narrow(high));
    sum(s, Block::of(d).times(simd, keep).words())
}

/// Every pixel of `s` by its own coverage.
#[inline(always)]
fn scale_block<S: Simd>(simd: S, s: Block<S>, k: u16x8<S>) -> u32x8<S> {
    s.times(simd, Block::weights(k)).words()
}

/// From `d` to an opaque colour.
#[inline(always)]
fn lerp_block<S: Simd>(simd: S, d: u32x8<S>, c: Block<S>, weights: Block<S>) -> u32x8<S> {
    let d = Block::of(d);
    c.less(d).times(simd, weights).plus(d).words()
}

/// Black of some alpha over `d`.
#[inline(always)]
fn darken_block<S: Simd>(simd: S, d: u32x8<S>, alpha: u32, k: u16x8<S>) -> u32x8<S> {
    let (low, high) = weights(k).widen();
    let a = (low.combine(high) * alpha + (1 << 14)) >> 15;
    let (low, high) = a.split();
    let keep = Block::weights(255 - low.relaxed_narrow(high));
    sum(a << 24, Block::of(d).times(simd, keep).words())
}

/// One colour that is neither opaque nor clear.
#[simd]
pub(crate) fn over_one<S: Simd>(simd: S, dst: &mut [u32], s: u32) {
    let keep = Block::alike(simd, 255 - (s >> 24));
    let add = u32x8::splat(simd, s);
    let (blocks, rest) = dst.as_chunks_mut::<N>();
    for d in blocks {
        let out = Block::of(u32x8::from_slice(simd, d)).times(simd, keep).words();
        sum(add, out).store_slice(d);
    }
    for d in rest {
        *d = over(*d, s);
    }
}

/// An opaque colour.
#[inline(always)]
pub(crate) fn fill(dst: &mut [u32], c: u32) {
    let (blocks, rest) = dst.as_chunks_mut::<16>();
    for b in blocks {
        *b = [c; 16];
    }
    let (blocks, rest) = rest.as_chunks_mut::<4>();
    for b in blocks {
        *b = [c; 4];
    }
    for d in rest {
        *d = c;
    }
}

/// One colour, covering all alike.
#[simd]
pub(crate) fn over_one_alike<S: Simd>(simd: S, dst: &mut [u32], c: u32, k: u8) {
    match (c >> 24, k) {
        (_, 0) => {}
        (255, 255) => fill(dst, c),
        (255, k) => {
            let (w, color) = (Block::alike(simd, k as u32), Block::of(u32x8::splat(simd, c)));
            let (blocks, rest) = dst.as_chunks_mut::<N>();
            for d in blocks {
                lerp_block(simd, u32x8::from_slice(simd, d), color, w).store_slice(d);
            }
            for d in rest {
                *d = lerp(*d, c, k as u32);
            }
        }
        (_, 255) => over_one(simd, dst, c),
        _ => over_one(simd, dst, scale(c, k as u32)),
    }
}

/// One colour, opaque or not, through the coverage of a group.
#[inline(always)]
pub(crate) fn over_one_group<S: Simd, const OPAQUE: bool>(
    simd: S,
    dst: &mut [u32; N],
    c: u32,
    k: u16x8<S>,
) {
    let d = u32x8::from_slice(simd, dst);
    let color = Block::of(u32x8::splat(simd, c));
    let out = if OPAQUE {
        lerp_block(simd, d, color, Block::weights(k))
    } else {
        over_block(simd, d, scale_block(simd, color, k))
    };
    out.store_slice(dst);
}

/// Bytes in wider lanes.
#[inline(always)]
fn bytes<S: Simd>(simd: S, m: &[u8; N]) -> u16x8<S> {
    u16x8::from_slice(simd, &m.map(u16::from))
}

/// One colour through a mask.
#[simd]
pub(crate) fn over_one_masked<S: Simd>(simd: S, dst: &mut [u32], c: u32, mask: &[u8]) {
    let opaque = c >> 24 == 255;
    let mask = &mask[..dst.len()];
    let color = Block::of(u32x8::splat(simd, c));
    let (blocks, rest) = dst.as_chunks_mut::<N>();
    let (masks, last) = mask.as_chunks::<N>();
    for (d, m) in blocks.iter_mut().zip(masks) {
        let bits = u64::from_ne_bytes(*m);
        if bits == 0 {
            continue;
        }
        if opaque && bits == u64::MAX {
            *d = [c; N];
            continue;
        }
        let (k, below) = (bytes(simd, m), u32x8::from_slice(simd, d));
        let out = if opaque {
            lerp_block(simd, below, color, Block::weights(k))
        } else if c << 8 == 0 {
            darken_block(simd, below, c >> 24, k)
        } else {
            over_block(simd, below, scale_block(simd, color, k))
        };
        out.store_slice(d);
    }
    for (d, &k) in rest.iter_mut().zip(last) {
        match k {
            0 => {}
            k if opaque => *d = lerp(*d, c, k as u32),
            k => *d = over(*d, scale(c, k as u32)),
        }
    }
}

/// Pixel by pixel.
#[simd]
pub(crate) fn over_each<S: Simd>(simd: S, dst: &mut [u32], src: &[u32]) {
    let src = &src[..dst.len()];
    let (blocks, rest) = dst.as_chunks_mut::<N>();
    let (words, last) = src.as_chunks::<N>();
    for (d, s) in blocks.iter_mut().zip(words) {
        let s = u32x8::from_slice(simd, s);
        over_block(simd, u32x8::from_slice(simd, d), s).store_slice(d);
    }
    for (d, &s) in rest.iter_mut().zip(last) {
        *d = over(*d, s);
    }
}

/// Pixel by pixel, all by the same coverage.
#[simd]
pub(crate) fn over_each_alike<S: Simd>(simd: S, dst: &mut [u32], src: &[u32], k: u8) {
    let src = &src[..dst.len()];
    let w = Block::alike(simd, k as u32);
    let (blocks, rest) = dst.as_chunks_mut::<N>();
    let (words, last) = src.as_chunks::<N>();
    for (d, s) in blocks.iter_mut().zip(words) {
        let s = Block::of(u32x8::from_slice(simd, s)).times(simd, w).words();
        over_block(simd, u32x8::from_slice(simd, d), s).store_slice(d);
    }
    for (d, &s) in rest.iter_mut().zip(last) {
        *d = over(*d, scale(s, k as u32));
    }
}

/// Pixel by pixel through a mask.
#[simd]
pub(crate) fn over_each_masked<S: Simd>(simd: S, dst: &mut [u32], src: &[u32], mask: &[u8]) {
    let (src, mask) = (&src[..dst.len()], &mask[..dst.len()]);
    let (blocks, rest) = dst.as_chunks_mut::<N>();
    let (words, last) = src.as_chunks::<N>();
    let (masks, end) = mask.as_chunks::<N>();
    for ((d, s), m) in blocks.iter_mut().zip(words).zip(masks) {
        if *m != [0; N] {
            let s = scale_block(simd, Block::of(u32x8::from_slice(simd, s)), bytes(simd, m));
            over_block(simd, u32x8::from_slice(simd, d), s).store_slice(d);
        }
    }
    for ((d, &s), &k) in rest.iter_mut().zip(last).zip(end) {
        *d = over(*d, scale(s, k as u32));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::dispatch;
    use fearless_simd::Level;

    /// Two blocks.
    const MANY: usize = 16;
    type Kernel<'a> = &'a dyn Fn(Level, &mut [u32], &[u32], &[u8]);

    #[test]
    fn blocks_and_words_agree() {
        let mut seed = 1u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed
        };
        for _ in 0..2000 {
            let legal = crate::blend::legal;
            let dst: Vec<u32> = (0..MANY).map(|_| legal(next())).collect();
            let src: Vec<u32> = (0..MANY).map(|_| legal(next())).collect();
            let mask: Vec<u8> = (0..MANY).map(|_| (next() >> 24) as u8).collect();
            let run = |level: Level, n: usize, f: Kernel<'_>| {
                let mut d = dst.clone();
                for i in (0..MANY).step_by(n) {
                    f(level, &mut d[i..i + n], &src[i..i + n], &mask[i..i + n]);
                }
                d
            };
            let solid = src[0] | 0xFF00_0000;
            let black = src[0] & 0xFF00_0000;
            let kernels: [Kernel<'_>; 9] = [
                &|l, d, _, _| dispatch!(l, simd => over_one_alike(simd, d, solid, mask[0])),
                &|l, d, _, m| dispatch!(l, simd => over_one_masked(simd, d, black, m)),
                &|l, d, _, m| dispatch!(l, simd => over_one_masked(simd, d, solid, m)),
                &|l, d, _, m| match (d.len(), m.as_chunks::<GROUP>().0) {
                    (MANY, [a, b]) => {
                        dispatch!(l, simd => {
                            for (d, k) in d.as_chunks_mut().0.iter_mut().zip([a, b]) {
                                let k = u16x8::from_slice(simd, &k.map(u16::from));
                                over_one_group::<_, true>(simd, d, solid, k);
                            }
                        });
                    }
                    _ => dispatch!(l, simd => over_one_masked(simd, d, solid, m)),
                },
                &|l, d, _, _| dispatch!(l, simd => over_one(simd, d, src[0])),
                &|l, d, _, m| dispatch!(l, simd => over_one_masked(simd, d, src[0], m)),
                &|l, d, s, _| dispatch!(l, simd => over_each(simd, d, s)),
                &|l, d, s, m| dispatch!(l, simd => over_each_masked(simd, d, s, m)),
                &|l, d, s, _| dispatch!(l, simd => over_each_alike(simd, d, s, mask[0])),
            ];
            for (i, k) in kernels.into_iter().enumerate() {
                let want = run(Level::baseline(), 1, k);
                for level in crate::levels() {
                    assert_eq!(run(level, MANY, k), want, "kernel {i} at {level:?}");
                    assert_eq!(run(level, GROUP, k), want, "kernel {i} at {level:?}, by eight");
                }
            }
        }
    }
}
