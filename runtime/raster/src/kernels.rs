//! Source-over in blocks of pixels, byte by byte in 16-bit products: plain loops that compilers
//! turn into vectors, compiled once per instruction set by the token each kernel takes. What does
//! not fill a block goes through `blend`'s words; both round alike, and a test compares them.

use crate::blend::{over, scale};
use crate::cells::GROUP;
use bytemuck::{cast_mut, cast_ref};
use fearless_simd::Simd;
use fearless_simd_macros::simd;

/// Pixels of a block; what is left of a run goes by [`FEW`], then one by one.
const N: usize = 16;
const FEW: usize = 4;

/// `a * b / 255`, to the nearest.
#[inline(always)]
fn product(a: u8, b: u8) -> u8 {
    let t = a as u16 * b as u16 + 128;
    ((t + (t >> 8)) >> 8) as u8
}

/// A byte in all four places.
#[inline(always)]
fn spread(v: u32) -> u32 {
    let v = v | v << 8;
    v | v << 16
}

/// Blocks of pixels and the kernels on them; `B` is four times `P`.
macro_rules! block {
    ($name:ident, $p:expr) => {
        mod $name {
            use super::*;
            pub(super) type Words = [u32; $p];
            type Bytes = [u8; $p * 4];

            #[inline(always)]
            pub(super) fn over_block(d: &mut Words, s: &Words) {
                let mut keep = [0u32; $p];
                for (k, s) in keep.iter_mut().zip(s) {
                    *k = spread(255 - (s >> 24));
                }
                let d: &mut Bytes = cast_mut(d);
                let (s, keep): (&Bytes, &Bytes) = (cast_ref(s), cast_ref(&keep));
                for i in 0..$p * 4 {
                    d[i] = s[i].wrapping_add(product(d[i], keep[i]));
                }
            }

            /// `s` over `d`, all keeping the same part of `d`.
            #[inline(always)]
            pub(super) fn over_alike(d: &mut Words, s: &Words, keep: u8) {
                let (d, s): (&mut Bytes, &Bytes) = (cast_mut(d), cast_ref(s));
                for i in 0..$p * 4 {
                    d[i] = s[i].wrapping_add(product(d[i], keep));
                }
            }

            /// One opaque colour over `d`, by each pixel's coverage.
            #[inline(always)]
            pub(super) fn lerp_spread(d: &mut Words, c: u32, m: &Words) {
                let k = m.map(spread);
                let c = [c; $p];
                let d: &mut Bytes = cast_mut(d);
                let (c, k): (&Bytes, &Bytes) = (cast_ref(&c), cast_ref(&k));
                for i in 0..$p * 4 {
                    d[i] = product(c[i], k[i]).wrapping_add(product(d[i], 255 - k[i]));
                }
            }

            /// Every pixel of `s` by its own coverage.
            #[inline(always)]
            pub(super) fn scale_spread(s: &Words, m: &Words) -> Words {
                let k = m.map(spread);
                let mut out = [0u32; $p];
                let o: &mut Bytes = cast_mut(&mut out);
                let (s, k): (&Bytes, &Bytes) = (cast_ref(s), cast_ref(&k));
                for i in 0..$p * 4 {
                    o[i] = product(s[i], k[i]);
                }
                out
            }

            /// Black of some alpha over `d`, by each pixel's coverage.
            #[inline(always)]
            pub(super) fn darken_block(d: &mut Words, alpha: u8, m: &[u8; $p]) {
                let (mut add, mut keep) = ([0u32; $p], [0u32; $p]);
                for i in 0..$p {
                    let t = m[i] as u32 * alpha as u32 + 128;
                    let a = (t + (t >> 8)) >> 8;
                    add[i] = a << 24;
                    keep[i] = spread(255 - a);
                }
                let d: &mut Bytes = cast_mut(d);
                let (add, keep): (&Bytes, &Bytes) = (cast_ref(&add), cast_ref(&keep));
                for i in 0..$p * 4 {
                    d[i] = add[i].wrapping_add(product(d[i], keep[i]));
                }
            }

            #[inline(always)]
            pub(super) fn lerp_block(d: &mut Words, c: u32, m: &[u8; $p]) {
                lerp_spread(d, c, &m.map(u32::from));
            }

            #[inline(always)]
            pub(super) fn scale_block(s: &Words, m: &[u8; $p]) -> Words {
                scale_spread(s, &m.map(u32::from))
            }
        }
    };
}
block!(many, N);
block!(group, GROUP);
block!(few, FEW);

/// One colour that is neither opaque nor clear.
#[simd]
pub(crate) fn over_one<S: Simd>(simd: S, dst: &mut [u32], s: u32) {
    let keep = (255 - (s >> 24)) as u8;
    let (blocks, rest) = dst.as_chunks_mut::<N>();
    for d in blocks {
        many::over_alike(d, &[s; N], keep);
    }
    let (blocks, rest) = rest.as_chunks_mut::<GROUP>();
    for d in blocks {
        group::over_alike(d, &[s; GROUP], keep);
    }
    let (blocks, rest) = rest.as_chunks_mut::<FEW>();
    for d in blocks {
        few::over_alike(d, &[s; FEW], keep);
    }
    for d in rest {
        *d = s + scale(*d, keep as u32);
    }
}

/// One colour through the coverage of a group.
#[inline(always)]
pub(crate) fn over_one_group(dst: &mut [u32], c: u32, k: &[u32; GROUP]) {
    let Some(d) = dst.first_chunk_mut::<GROUP>() else { return };
    if c >> 24 == 255 {
        group::lerp_spread(d, c, k);
    } else {
        group::over_block(d, &group::scale_spread(&[c; GROUP], k));
    }
}

/// One colour through a mask.
#[simd]
pub(crate) fn over_one_masked<S: Simd>(simd: S, dst: &mut [u32], c: u32, mask: &[u8]) {
    let opaque = c >> 24 == 255;
    let one = [c; N];
    let mask = &mask[..dst.len()];
    let (blocks, rest) = dst.as_chunks_mut::<N>();
    let (masks, last) = mask.as_chunks::<N>();
    for (d, m) in blocks.iter_mut().zip(masks) {
        let bits = u128::from_ne_bytes(*m);
        if bits == 0 {
            continue;
        }
        if opaque && bits == u128::MAX {
            *d = one;
            continue;
        }
        if opaque {
            many::lerp_block(d, c, m);
        } else if c << 8 == 0 {
            many::darken_block(d, (c >> 24) as u8, m);
        } else {
            many::over_block(d, &many::scale_block(&one, m));
        }
    }
    let (blocks, rest) = rest.as_chunks_mut::<GROUP>();
    let (masks, last) = last.as_chunks::<GROUP>();
    for (d, m) in blocks.iter_mut().zip(masks) {
        if opaque {
            group::lerp_block(d, c, m);
        } else if c << 8 == 0 {
            group::darken_block(d, (c >> 24) as u8, m);
        } else {
            group::over_block(d, &group::scale_block(&[c; GROUP], m));
        }
    }
    let (blocks, rest) = rest.as_chunks_mut::<FEW>();
    let (masks, last) = last.as_chunks::<FEW>();
    for (d, m) in blocks.iter_mut().zip(masks) {
        let bits = u32::from_ne_bytes(*m);
        if bits == 0 {
            continue;
        }
        if opaque && bits == u32::MAX {
            *d = [c; FEW];
            continue;
        }
        if opaque {
            few::lerp_block(d, c, m);
        } else if c << 8 == 0 {
            few::darken_block(d, (c >> 24) as u8, m);
        } else {
            few::over_block(d, &few::scale_block(&[c; FEW], m));
        }
    }
    for (d, &k) in rest.iter_mut().zip(last) {
        match k {
            0 => {}
            255 if opaque => *d = c,
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
        many::over_block(d, s);
    }
    for (d, &s) in rest.iter_mut().zip(last) {
        *d = over(*d, s);
    }
}

/// Pixel by pixel, all by the same coverage.
#[simd]
pub(crate) fn over_each_alike<S: Simd>(simd: S, dst: &mut [u32], src: &[u32], k: u8) {
    let src = &src[..dst.len()];
    let (blocks, rest) = dst.as_chunks_mut::<N>();
    let (words, last) = src.as_chunks::<N>();
    for (d, s) in blocks.iter_mut().zip(words) {
        many::over_block(d, &many::scale_block(s, &[k; N]));
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
            many::over_block(d, &many::scale_block(s, m));
        }
    }
    for ((d, &s), &k) in rest.iter_mut().zip(last).zip(end) {
        *d = over(*d, scale(s, k as u32));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};

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
            let dst: Vec<u32> = (0..N).map(|_| legal(next())).collect();
            let src: Vec<u32> = (0..N).map(|_| legal(next())).collect();
            let mask: Vec<u8> = (0..N).map(|_| (next() >> 24) as u8).collect();
            let run = |level: Level, n: usize, f: Kernel<'_>| {
                let mut d = dst.clone();
                for i in (0..N).step_by(n) {
                    f(level, &mut d[i..i + n], &src[i..i + n], &mask[i..i + n]);
                }
                d
            };
            let solid = src[0] | 0xFF00_0000;
            let black = src[0] & 0xFF00_0000;
            let kernels: [Kernel<'_>; 8] = [
                &|l, d, _, m| dispatch!(l, simd => over_one_masked(simd, d, black, m)),
                &|l, d, _, m| dispatch!(l, simd => over_one_masked(simd, d, solid, m)),
                &|l, d, _, m| match (d.len(), m.as_chunks::<GROUP>().0) {
                    (N, [a, b]) => {
                        over_one_group(&mut d[..GROUP], solid, &a.map(u32::from));
                        over_one_group(&mut d[GROUP..], solid, &b.map(u32::from));
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
                    assert_eq!(run(level, N, k), want, "kernel {i} at {level:?}");
                    assert_eq!(run(level, FEW, k), want, "kernel {i} at {level:?}, few");
                }
            }
        }
    }
}
