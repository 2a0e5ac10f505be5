//! Source-over in blocks of eight pixels, a channel in each 16-bit lane, compiled once per
//! instruction set by the token each kernel takes. What does not fill a block goes through
//! `blend`'s words; both round alike, and a test compares them.

use crate::blend::{lerp, over, scale};
use crate::cells::{Covered, GROUP};
use crate::simd::{Simd, weight, weights};
use fearless_simd::prelude::*;
use fearless_simd::{i16x8, i16x16, u8x16, u8x32, u16x8, u16x16, u32x4, u32x8, u64x2};
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
        Self::spread(weights(k))
    }

    /// A number of each of eight pixels, in its channels.
    #[inline(always)]
    fn spread(w: u16x8<S>) -> Self {
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

    /// From these pixels to others, by weights.
    #[inline(always)]
    fn toward(self, simd: S, to: Self, weights: Self) -> Self {
        let way = Self(to.0 - self.0, to.1 - self.1);
        way.times(simd, weights).plus(self)
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
    Block::of(d).toward(simd, c, weights).words()
}

/// Black of some alpha over `d`.
#[inline(always)]
fn darken_block<S: Simd>(simd: S, d: u32x8<S>, alpha: i16x16<S>, k: u16x8<S>) -> u32x8<S> {
    let w = weights(k).bitcast::<i16x8<S>>();
    let (a, _) = simd.product(alpha, w.combine(w)).split();
    let a = a.bitcast::<u16x8<S>>();
    let keep = Block::weights(255 - a);
    let (low, high) = a.widen();
    sum(low.combine(high) << 24, Block::of(d).times(simd, keep).words())
}

/// Blends a run in blocks, `$block` from the index of a block's first pixel and its pixels; runs
/// shorter than a block go pixel by pixel. The last block may overlap the one before: its pixels
/// are read before any is written, and a pixel's result is its own, so writing it twice is right.
macro_rules! blocks {
    ($simd:expr, $dst:expr, |$i:ident, $d:ident| $block:expr, |$j:ident, $p:ident| $pixel:expr) => {
        match $dst.len().checked_sub(N) {
            Some(last) => {
                let kept = u32x8::from_slice($simd, &$dst[last..]);
                let blocks = $dst.as_chunks_mut::<N>().0;
                for (n, b) in blocks.iter_mut().take(last.div_ceil(N)).enumerate() {
                    let ($i, $d) = (n * N, u32x8::from_slice($simd, b));
                    $block.store_slice(b);
                }
                let ($i, $d) = (last, kept);
                $block.store_slice(&mut $dst[last..]);
            }
            None => {
                for ($j, p) in $dst.iter_mut().enumerate() {
                    let $p = *p;
                    *p = $pixel;
                }
            }
        }
    };
}

/// The eight words from `i` on.
#[inline(always)]
fn eight<S: Simd>(simd: S, words: &[u32], i: usize) -> u32x8<S> {
    u32x8::from_slice(simd, &words[i..i + N])
}

/// The coverage of the eight pixels from `i` on.
#[inline(always)]
fn eight_bytes(mask: &[u8], i: usize) -> u64 {
    mask[i..].first_chunk().map_or(0, |m| u64::from_le_bytes(*m))
}

/// One colour that is neither opaque nor clear.
#[simd]
pub(crate) fn over_one<S: Simd>(simd: S, dst: &mut [u32], s: u32) {
    let keep = Block::alike(simd, 255 - (s >> 24));
    let add = u32x8::splat(simd, s);
    blocks!(simd, dst, |_i, d| sum(add, Block::of(d).times(simd, keep).words()), |_j, d| over(
        d, s
    ));
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
            blocks!(simd, dst, |_i, d| lerp_block(simd, d, color, w), |_j, d| lerp(d, c, k as u32));
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
    k: Covered<S>,
) {
    let d = u32x8::from_slice(simd, dst);
    let color = Block::of(u32x8::splat(simd, c));
    let weights = Block::spread(k.weights());
    let out = if OPAQUE {
        lerp_block(simd, d, color, weights)
    } else {
        over_block(simd, d, color.times(simd, weights).words())
    };
    out.store_slice(dst);
}

/// Eight bytes in wider lanes.
#[inline(always)]
fn bytes<S: Simd>(simd: S, m: u64) -> u16x8<S> {
    u64x2::splat(simd, m.to_le()).bitcast::<u8x16<S>>().widen().0
}

/// One colour through masks of eight pixels.
struct Stamp<S: Simd> {
    simd: S,
    c: u32,
    color: Block<S>,
    alpha: i16x16<S>,
}

impl<S: Simd> Stamp<S> {
    #[inline(always)]
    fn new(simd: S, c: u32) -> Self {
        let color = Block::of(u32x8::splat(simd, c));
        Self { simd, c, color, alpha: i16x16::splat(simd, (c >> 24) as i16) }
    }

    /// `m`: coverage, the first pixel's in the low byte.
    #[inline(always)]
    fn block(&self, d: u32x8<S>, m: u64) -> u32x8<S> {
        let (simd, opaque) = (self.simd, self.c >> 24 == 255);
        if m == 0 {
            return d;
        }
        let k = bytes(simd, m);
        if opaque {
            lerp_block(simd, d, self.color, Block::weights(k))
        } else if self.c << 8 == 0 {
            darken_block(simd, d, self.alpha, k)
        } else {
            over_block(simd, d, scale_block(simd, self.color, k))
        }
    }

    #[inline(always)]
    fn onto(&self, d: &mut [u32; N], m: u64) {
        if m != 0 {
            self.block(u32x8::from_slice(self.simd, d), m).store_slice(d);
        }
    }
}

/// One colour through a mask.
#[simd]
pub(crate) fn over_one_masked<S: Simd>(simd: S, dst: &mut [u32], c: u32, mask: &[u8]) {
    let mask = &mask[..dst.len()];
    let stamp = Stamp::new(simd, c);
    blocks!(simd, dst, |i, d| stamp.block(d, eight_bytes(mask, i)), |j, d| {
        match mask[j] as u32 {
            k if c >> 24 == 255 => lerp(d, c, k),
            k => over(d, scale(c, k)),
        }
    });
}

/// One colour through a mask of many rows: `mask` holds `pitch` bytes a row, of which `width`
/// count; rows of `dst` are `stride` pixels apart. What is left of a row's last block is read and
/// written back as it was.
#[simd]
pub(crate) fn stamp<S: Simd>(
    simd: S,
    (dst, stride): (&mut [u32], usize),
    (mask, pitch): (&[u8], usize),
    width: usize,
    c: u32,
) {
    let stamp = Stamp::new(simd, c);
    for (dst, mask) in dst.chunks_mut(stride).zip(mask.chunks(pitch)) {
        let (masks, last) = mask[..width].as_chunks::<N>();
        let (blocks, rest) = dst.as_chunks_mut::<N>();
        for (d, m) in blocks.iter_mut().zip(masks) {
            stamp.onto(d, u64::from_le_bytes(*m));
        }
        if last.is_empty() {
            continue;
        }
        let m = last.iter().rev().fold(0u64, |m, k| m << 8 | *k as u64);
        match blocks.get_mut(masks.len()) {
            Some(d) => stamp.onto(d, m),
            // The last row may end with its pixels.
            None => {
                let mut d = [0; N];
                d[..rest.len()].copy_from_slice(rest);
                stamp.onto(&mut d, m);
                rest.copy_from_slice(&d[..rest.len()]);
            }
        }
    }
}

/// Pixel by pixel.
#[simd]
pub(crate) fn over_each<S: Simd>(simd: S, dst: &mut [u32], src: &[u32]) {
    let src = &src[..dst.len()];
    blocks!(simd, dst, |i, d| over_block(simd, d, eight(simd, src, i)), |j, d| over(d, src[j]));
}

/// Pixel by pixel, all by the same coverage.
#[simd]
pub(crate) fn over_each_alike<S: Simd>(simd: S, dst: &mut [u32], src: &[u32], k: u8) {
    let src = &src[..dst.len()];
    let w = Block::alike(simd, k as u32);
    blocks!(
        simd,
        dst,
        |i, d| over_block(simd, d, Block::of(eight(simd, src, i)).times(simd, w).words()),
        |j, d| over(d, scale(src[j], k as u32))
    );
}

/// Pixel by pixel through a mask.
#[simd]
pub(crate) fn over_each_masked<S: Simd>(simd: S, dst: &mut [u32], src: &[u32], mask: &[u8]) {
    let (src, mask) = (&src[..dst.len()], &mask[..dst.len()]);
    blocks!(
        simd,
        dst,
        |i, d| match eight_bytes(mask, i) {
            0 => d,
            m => {
                let s = scale_block(simd, Block::of(eight(simd, src, i)), bytes(simd, m));
                over_block(simd, d, s)
            }
        },
        |j, d| over(d, scale(src[j], mask[j] as u32))
    );
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
                                over_one_group::<_, true>(simd, d, solid, Covered::of_bytes(k));
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
                let want = run(Level::fallback(), 1, k);
                for level in crate::levels() {
                    assert_eq!(run(level, MANY, k), want, "kernel {i} at {level:?}");
                    assert_eq!(run(level, GROUP, k), want, "kernel {i} at {level:?}, by eight");
                }
            }
        }
    }
}
