//! Colours between source pixels: two rows mixed, then neighbours of the mixed row.
//!
//! A mixed row keeps sixteen bits a channel, 128 times the colour and below zero, as the product of
//! bytes and signed weights leaves it: nothing is rounded between the two steps. Weights are 7 bits
//! from row to row, 8 from column to column. Equal colours stay as they are, and results never fall
//! when a colour grows, so that no channel gets above its alpha.

use crate::simd::{Simd, product};
use fearless_simd::prelude::*;
use fearless_simd::{i16x8, i16x16, u16x16, u32x8, u64x2};

/// A pixel of a mixed row.
pub(crate) type Quad = [i16; 4];

/// Pixels mixed at once.
pub(crate) const LANES: usize = 8;

/// What turns a mixed channel into a byte: 1/128, and the sign.
const BYTE: i16 = -256;

/// Weights of two rows, of 1/256ths to the lower one.
#[inline(always)]
fn rows_weights(f: u32) -> [i8; 2] {
    let low = (f + 1) as i32 >> 1;
    [(low - 128) as i8, -low as i8]
}

/// The weight of the right one of two columns, of 1/256ths, in each channel.
#[inline(always)]
pub(crate) fn weight(f: u32) -> Quad {
    [(f << 7) as i16; 4]
}

/// One pixel of two rows.
#[inline(always)]
pub(crate) fn rows_one(top: u32, low: u32, f: u32) -> Quad {
    let w = rows_weights(f).map(i32::from);
    let (t, l) = (top.to_le_bytes(), low.to_le_bytes());
    core::array::from_fn(|i| (t[i] as i32 * w[0] + l[i] as i32 * w[1]) as i16)
}

/// Two rows by 1/256ths to the lower one.
#[inline(always)]
pub(crate) fn rows<S: Simd>(simd: S, out: &mut [Quad], top: &[u32], low: &[u32], f: u32) {
    let w = rows_weights(f);
    let (top, low) = (&top[..out.len()], &low[..out.len()]);
    let (blocks, rest) = out.as_chunks_mut::<LANES>();
    let (tops, last_top) = top.as_chunks::<LANES>();
    let (lows, last_low) = low.as_chunks::<LANES>();
    for ((o, t), l) in blocks.iter_mut().zip(tops).zip(lows) {
        let bytes = |w: &[u32; LANES]| u32x8::from_slice(simd, w);
        let (a, b) = simd.between(bytes(t).bitcast(), bytes(l).bitcast(), w);
        let (first, last) = o.as_flattened_mut().split_at_mut(16);
        a.store_slice(first);
        b.store_slice(last);
    }
    for ((o, t), l) in rest.iter_mut().zip(last_top).zip(last_low) {
        *o = rows_one(*t, *l, f);
    }
}

/// One pixel between two neighbours of a mixed row.
#[inline(always)]
pub(crate) fn columns_one(left: Quad, right: Quad, weight: Quad) -> u32 {
    u32::from_le_bytes(core::array::from_fn(|i| {
        let (l, r) = (left[i] as i32, right[i] as i32);
        let v = l + product(r - l, weight[i] as u32);
        ((v * BYTE as i32 + (1 << 14)) >> 15) as u8
    }))
}

/// Places of a mixed row: a power of two, so that a masked index needs no check, and one more.
pub(crate) const ROW: usize = 1025;
const _: () = assert!((ROW - 1).is_power_of_two());

/// A pixel of a mixed row and the next one.
#[inline(always)]
pub(crate) fn pair(row: &[Quad; ROW], left: u16) -> &[i16] {
    &row.as_flattened()[(left as usize & (ROW - 2)) * 4..][..8]
}

/// Four pixels between neighbours, 16-bit lanes of bytes.
#[inline(always)]
fn four<S: Simd>(simd: S, row: &[Quad; ROW], left: &[u16], weights: &[Quad]) -> u16x16<S> {
    let [a, b, c, d]: [u64x2<S>; 4] =
        core::array::from_fn(|i| i16x8::from_slice(simd, pair(row, left[i])).bitcast());
    let near: i16x16<S> = a.zip_low(b).combine(c.zip_low(d)).bitcast();
    let far: i16x16<S> = a.zip_high(b).combine(c.zip_high(d)).bitcast();
    let w = i16x16::from_slice(simd, weights.as_flattened());
    let v = near + simd.product(far - near, w);
    simd.product(v, i16x16::splat(simd, BYTE)).bitcast()
}

/// Eight pixels: each between the pixel of the mixed row at `left` and the next one.
#[inline(always)]
pub(crate) fn columns<S: Simd>(
    simd: S,
    row: &[Quad; ROW],
    left: &[u16; LANES],
    weights: &[Quad; LANES],
    out: &mut [u32; LANES],
) {
    let low = four(simd, row, &left[..4], &weights[..4]);
    let high = four(simd, row, &left[4..], &weights[4..]);
    low.relaxed_narrow(high).bitcast::<u32x8<S>>().store_slice(out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::dispatch;
    use crate::testing::Rng;

    fn one(corners: [[u32; 2]; 2], fx: u32, fy: u32) -> u32 {
        let [left, right] = corners.map(|[top, low]| rows_one(top, low, fy));
        columns_one(left, right, weight(fx))
    }

    #[test]
    fn equals_stay_and_colours_stay_premultiplied() {
        let r = &mut Rng::new(5);
        for c in [0u32, 0xFFFF_FFFF, 0x8040_2010] {
            for f in 0..256 {
                assert_eq!(one([[c; 2]; 2], f, 255 - f), c);
            }
        }
        for _ in 0..20_000 {
            let mut any = || crate::blend::legal(r.bits() as u32);
            let corners = [[any(), any()], [any(), any()]];
            let (fx, fy) = (r.below(256) as u32, r.below(256) as u32);
            let [b, g, red, a] = one(corners, fx, fy).to_le_bytes();
            assert!(b.max(g).max(red) <= a, "{corners:08x?} {fx} {fy}");
        }
    }

    /// Rows by 7 bits and columns by 8: half a step of a row's weight, and one rounding.
    #[test]
    fn a_mixed_colour_is_near_the_exact_one() {
        let r = &mut Rng::new(6);
        let (mut worst, mut sum) = (0.0f64, 0.0);
        const ROUNDS: usize = 20_000;
        for _ in 0..ROUNDS {
            let mut any = || r.bits() as u32 & 255;
            let corners = [[any(), any()], [any(), any()]];
            let (fx, fy) = (r.below(256) as u32, r.below(256) as u32);
            let [wx, wy] = [fx, fy].map(|f| f as f64 / 256.0);
            let [left, right] = corners.map(|[t, l]| t as f64 * (1.0 - wy) + l as f64 * wy);
            let off = (one(corners, fx, fy) as f64 - (left * (1.0 - wx) + right * wx)).abs();
            worst = worst.max(off);
            sum += off;
        }
        println!("worst {worst:.3}, mean {:.3}", sum / ROUNDS as f64);
        assert!(worst <= 1.5 && sum / (ROUNDS as f64) <= 0.32, "{worst} {sum}");
    }

    #[test]
    fn blocks_and_pixels_mix_alike() {
        let r = &mut Rng::new(7);
        for _ in 0..3000 {
            let words = |r: &mut Rng| -> [u32; 11] { core::array::from_fn(|_| r.bits() as u32) };
            let (top, low, fy) = (words(r), words(r), r.below(256) as u32);
            let mut row = [[0; 4]; ROW];
            for i in 0..11 {
                row[i] = rows_one(top[i], low[i], fy);
            }
            let left: [u16; LANES] = core::array::from_fn(|_| r.below(10) as u16);
            let weights: [Quad; LANES] = core::array::from_fn(|_| weight(r.below(256) as u32));
            let want: [u32; LANES] = core::array::from_fn(|i| {
                let l = left[i] as usize;
                columns_one(row[l], row[l + 1], weights[i])
            });
            for level in crate::levels() {
                let (mut mixed, mut got) = ([[0; 4]; 11], [0; LANES]);
                dispatch!(level, simd => rows(simd, &mut mixed, &top, &low, fy));
                assert_eq!(mixed, row[..11], "{level:?}");
                dispatch!(level, simd => columns(simd, &row, &left, &weights, &mut got));
                assert_eq!(got, want, "{level:?}");
            }
        }
    }
}
