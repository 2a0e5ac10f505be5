//! The vector products that pixels are blended and images mixed by, where the portable layer lacks
//! them.
//!
//! A weight is a coverage or alpha `k` of 0..=255 as a 15-bit fraction, [`weight`]. A channel times
//! a weight, rounded to the nearest, is one instruction on SSE4.2, AVX2, AVX-512 and NEON. Of the
//! 65 536 pairs of a channel and a `k`, 22 land one beside the nearest to `c * k / 255`, which is
//! then 0.502 or less away; 0 and 255 are exact, and results never fall when either grows.

use fearless_simd::prelude::*;
use fearless_simd::{i16x8, i16x16, u8x32, u16x8};

/// A `k` of 0..=255 as a fraction of 15 bits.
#[inline(always)]
pub(crate) const fn weight(k: u32) -> u32 {
    let w = (k << 7) + ((k + 1) >> 1);
    if w > 32_767 { 32_767 } else { w }
}

/// `a * w` as [`Simd::product`] rounds it.
#[inline(always)]
pub(crate) const fn product(a: i32, w: u32) -> i32 {
    (a * w as i32 + (1 << 14)) >> 15
}

/// [`weight`] of eight numbers.
#[inline(always)]
pub(crate) fn weights<S: Simd>(k: u16x8<S>) -> u16x8<S> {
    ((k << 7) + ((k + 1) >> 1)).min(32_767)
}

/// Thirty-two numbers, in order.
pub(crate) type Pair<S> = (i16x16<S>, i16x16<S>);

/// The portable layer's token, and the products that it lacks.
pub(crate) trait Simd: fearless_simd::Simd {
    /// `(a * b + 2^14) >> 15`, of two numbers that are not both -2^15.
    fn product(self, a: i16x16<Self>, b: i16x16<Self>) -> i16x16<Self>;
    /// `a * w[0] + b * w[1]` of each byte, in order; weights are negative, at least -128 together.
    fn between(self, a: u8x32<Self>, b: u8x32<Self>, w: [i8; 2]) -> (i16x16<Self>, i16x16<Self>);
}

/// Calls with the token of a level; as the portable layer's, for tokens that have the product.
macro_rules! dispatch {
    ($level:expr, $simd:ident => $op:expr) => {
        match $level {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx512($simd) => $op,
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx2($simd) => $op,
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Sse4_2($simd) => $op,
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Sse2($simd) => $op,
            #[cfg(target_arch = "aarch64")]
            fearless_simd::Level::Neon($simd) => $op,
            #[cfg(any(
                feature = "testing",
                not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))
            ))]
            fearless_simd::Level::Fallback($simd) => $op,
            _ => unreachable!("every level of this processor is above"),
        }
    };
}
pub(crate) use dispatch;

/// By wide products, for levels that have no such instruction.
#[inline(always)]
#[allow(dead_code, reason = "some machines' levels all have the instruction")]
fn wide<S: fearless_simd::Simd>(simd: S, a: i16x8<S>, b: i16x8<S>) -> i16x8<S> {
    let (a, b): ([i16; 8], [i16; 8]) = (a.into(), b.into());
    let mut out = [0i16; 8];
    for i in 0..8 {
        out[i] = product(a[i] as i32, b[i] as u32) as i16;
    }
    i16x8::from_slice(simd, &out)
}

/// By products of 16 bits.
#[inline(always)]
#[allow(dead_code, reason = "some machines' levels all have the instruction")]
fn sums<S: fearless_simd::Simd>(simd: S, a: u8x32<S>, b: u8x32<S>, w: [i8; 2]) -> Pair<S> {
    let [wa, wb] = w.map(|w| i16x16::splat(simd, w as i16));
    let ((a0, a1), (b0, b1)) = (a.widen(), b.widen());
    let one = |a: fearless_simd::u16x16<S>, b: fearless_simd::u16x16<S>| {
        a.bitcast::<i16x16<S>>() * wa + b.bitcast::<i16x16<S>>() * wb
    };
    (one(a0, b0), one(a1, b1))
}

#[allow(unused_macros, reason = "some machines' levels all have the instruction")]
macro_rules! by_wide {
    ($level:ty) => {
        impl Simd for $level {
            #[inline(always)]
            fn product(self, a: i16x16<Self>, b: i16x16<Self>) -> i16x16<Self> {
                let ((a0, a1), (b0, b1)) = (a.split(), b.split());
                wide(self, a0, b0).combine(wide(self, a1, b1))
            }
            #[inline(always)]
            fn between(self, a: u8x32<Self>, b: u8x32<Self>, w: [i8; 2]) -> Pair<Self> {
                sums(self, a, b, w)
            }
        }
    };
}

/// By kernels of registers of 16 bytes, and what their weights are made by.
#[allow(unused_macros, reason = "some machines' levels have other registers")]
macro_rules! by_halves {
    ($level:ty, $product:ident, $between:ident, $weights:expr) => {
        impl Simd for $level {
            #[inline(always)]
            fn product(self, a: i16x16<Self>, b: i16x16<Self>) -> i16x16<Self> {
                let ((a0, a1), (b0, b1)) = (a.split(), b.split());
                let low: i16x8<Self> = $product(self, a0.into(), b0.into()).simd_into(self);
                let high: i16x8<Self> = $product(self, a1.into(), b1.into()).simd_into(self);
                low.combine(high)
            }
            #[inline(always)]
            fn between(self, a: u8x32<Self>, b: u8x32<Self>, w: [i8; 2]) -> Pair<Self> {
                let ((a0, a1), (b0, b1)) = (a.split(), b.split());
                let half = |a: u8x16<Self>, b: u8x16<Self>| -> i16x16<Self> {
                    let (low, high) = $between(self, a.into(), b.into(), $weights(w));
                    let low: i16x8<Self> = low.simd_into(self);
                    let high: i16x8<Self> = high.simd_into(self);
                    low.combine(high)
                };
                (half(a0, b0), half(a1, b1))
            }
        }
    };
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86 {
    use super::{Pair, Simd, sums, wide};
    #[cfg(target_arch = "x86")]
    use core::arch::x86::*;
    #[cfg(target_arch = "x86_64")]
    use core::arch::x86_64::*;
    use fearless_simd::prelude::*;
    use fearless_simd::{Avx2, Avx512, Sse2, Sse4_2, i16x8, i16x16, u8x16, u8x32};

    by_wide!(Sse2);

    /// Two weights side by side, as often as they fit.
    #[inline(always)]
    fn both(w: [i8; 2]) -> i16 {
        i16::from_le_bytes(w.map(|w| w as u8))
    }

    fearless_simd::kernel!(
        #[inline]
        fn product_sse(level: Sse4_2, a: __m128i, b: __m128i) -> __m128i {
            _mm_mulhrs_epi16(a, b)
        }
    );
    fearless_simd::kernel!(
        #[inline]
        fn between_sse(level: Sse4_2, a: __m128i, b: __m128i, w: i16) -> (__m128i, __m128i) {
            let w = _mm_set1_epi16(w);
            let low = _mm_maddubs_epi16(_mm_unpacklo_epi8(a, b), w);
            (low, _mm_maddubs_epi16(_mm_unpackhi_epi8(a, b), w))
        }
    );
    by_halves!(Sse4_2, product_sse, between_sse, both);

    /// By kernels of registers of 32 bytes: the same calls at both levels, each compiled for its own.
    macro_rules! by_whole {
        ($level:ident, $product:ident, $between:ident) => {
            fearless_simd::kernel!(
                #[inline]
                fn $product(level: $level, a: __m256i, b: __m256i) -> __m256i {
                    _mm256_mulhrs_epi16(a, b)
                }
            );
            // Halves of a register stay apart in these, and are put in order after them.
            fearless_simd::kernel!(
                #[inline]
                fn $between(level: $level, a: __m256i, b: __m256i, w: i16) -> (__m256i, __m256i) {
                    let w = _mm256_set1_epi16(w);
                    let low = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(a, b), w);
                    let high = _mm256_maddubs_epi16(_mm256_unpackhi_epi8(a, b), w);
                    let first = _mm256_permute2x128_si256::<0x20>(low, high);
                    (first, _mm256_permute2x128_si256::<0x31>(low, high))
                }
            );
            impl Simd for $level {
                #[inline(always)]
                fn product(self, a: i16x16<Self>, b: i16x16<Self>) -> i16x16<Self> {
                    $product(self, a.into(), b.into()).simd_into(self)
                }
                #[inline(always)]
                fn between(self, a: u8x32<Self>, b: u8x32<Self>, w: [i8; 2]) -> Pair<Self> {
                    let (low, high) = $between(self, a.into(), b.into(), both(w));
                    (low.simd_into(self), high.simd_into(self))
                }
            }
        };
    }
    by_whole!(Avx2, product_avx2, between_avx2);
    by_whole!(Avx512, product_avx512, between_avx512);
}

#[cfg(target_arch = "aarch64")]
mod arm {
    use super::{Pair, Simd};
    use core::arch::aarch64::*;
    use fearless_simd::prelude::*;
    use fearless_simd::{Neon, i16x8, i16x16, u8x16, u8x32};

    fearless_simd::kernel!(
        #[inline]
        fn product_neon(level: Neon, a: int16x8_t, b: int16x8_t) -> int16x8_t {
            vqrdmulhq_s16(a, b)
        }
    );
    fearless_simd::kernel!(
        #[inline]
        fn between_neon(
            level: Neon,
            a: uint8x16_t,
            b: uint8x16_t,
            w: [u8; 2],
        ) -> (int16x8_t, int16x8_t) {
            // Weights without their signs, taken away from nothing.
            let (none, wa, wb) = (vdupq_n_u16(0), vdupq_n_u8(w[0]), vdupq_n_u8(w[1]));
            let low = vmlsl_u8(none, vget_low_u8(a), vget_low_u8(wa));
            let low = vmlsl_u8(low, vget_low_u8(b), vget_low_u8(wb));
            let high = vmlsl_high_u8(none, a, wa);
            let high = vmlsl_high_u8(high, b, wb);
            (vreinterpretq_s16_u16(low), vreinterpretq_s16_u16(high))
        }
    );

    by_halves!(Neon, product_neon, between_neon, |w: [i8; 2]| w.map(i8::unsigned_abs));
}

#[cfg(any(
    feature = "testing",
    not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))
))]
by_wide!(fearless_simd::Fallback);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_rounds_alike_and_to_the_nearest() {
        let mut beside = 0;
        for k in 0..=255u32 {
            for a in (-255i32..=255).step_by(3) {
                let all: [i16; 16] = core::array::from_fn(|i| (a + i as i32 % 3).min(255) as i16);
                let want = all.map(|a| product(a as i32, weight(k)) as i16);
                for level in crate::levels() {
                    let got: [i16; 16] = dispatch!(level, simd => {
                        let w = i16x16::splat(simd, weight(k) as i16);
                        simd.product(i16x16::from_slice(simd, &all), w).into()
                    });
                    assert_eq!(got, want, "{a} {k} at {level:?}");
                }
            }
            for a in 0..=255i32 {
                let nearest = (2 * a * k as i32 + 255) / 510;
                beside += (product(a, weight(k)) != nearest) as i32;
                assert!((product(a, weight(k)) - nearest).abs() <= 1, "{a} {k}");
            }
            assert_eq!(product(255, weight(k)), k as i32);
        }
        assert_eq!(beside, 22);
    }
}
