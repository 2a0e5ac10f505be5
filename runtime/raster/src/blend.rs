//! Pixels: premultiplied words `0xAARRGGBB`, every product rounded as [`product`] does. A source
//! never holds a channel above its alpha, so that no sum leaves its byte.

use crate::kernels;
use crate::simd::{Simd, product, weight};
use fearless_simd_macros::simd;
use zinc_scene::{BlendMode, mul_div_255};

/// Every channel times `k / 255`.
#[inline(always)]
pub(crate) fn scale(c: u32, k: u32) -> u32 {
    let w = weight(k);
    u32::from_ne_bytes(c.to_ne_bytes().map(|v| product(v as i32, w) as u8))
}

/// `s` over `d`.
#[inline(always)]
pub(crate) fn over(d: u32, s: u32) -> u32 {
    s + scale(d, 255 - (s >> 24))
}

/// From `d` to `s` by `k / 255`.
#[inline(always)]
pub(crate) fn lerp(d: u32, s: u32, k: u32) -> u32 {
    let (w, s) = (weight(k), s.to_ne_bytes());
    let d = d.to_ne_bytes();
    let mix = |i: usize| (d[i] as i32 + product(s[i] as i32 - d[i] as i32, w)) as u8;
    u32::from_ne_bytes(core::array::from_fn(mix))
}

/// With channels cut to alpha.
#[inline(always)]
pub(crate) fn legal(c: u32) -> u32 {
    let a = c >> 24;
    let cut = |i: u32| ((c >> i) & 255).min(a) << i;
    (a << 24) | cut(16) | cut(8) | cut(0)
}

/// What is painted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Src<'a> {
    Solid(u32),
    /// One word a pixel; `true`: all are opaque.
    Pixels(&'a [u32], bool),
}

/// How much of it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cov<'a> {
    Const(u8),
    Mask(&'a [u8]),
}

/// Source over destination, by coverage.
#[simd]
pub(crate) fn paint<S: Simd>(simd: S, dst: &mut [u32], src: Src<'_>, cov: Cov<'_>) {
    match (src, cov) {
        (Src::Solid(c), Cov::Const(k)) => kernels::over_one_alike(simd, dst, c, k),
        (Src::Solid(c), Cov::Mask(m)) => kernels::over_one_masked(simd, dst, c, m),
        (Src::Pixels(p, true), Cov::Const(255)) => dst.copy_from_slice(&p[..dst.len()]),
        (Src::Pixels(p, _), Cov::Const(255)) => kernels::over_each(simd, dst, p),
        (Src::Pixels(p, _), Cov::Const(k)) => kernels::over_each_alike(simd, dst, p, k),
        (Src::Pixels(p, _), Cov::Mask(m)) => kernels::over_each_masked(simd, dst, p, m),
    }
}

/// What painting leaves of a layer's film holes.
pub(crate) fn fade_holes(holes: &mut [u8], src: Src<'_>, cov: Cov<'_>) {
    for (i, h) in holes.iter_mut().enumerate().filter(|(_, h)| **h != 0) {
        let a = match src {
            Src::Solid(c) => c >> 24,
            Src::Pixels(p, _) => p[i] >> 24,
        };
        let k = match cov {
            Cov::Const(k) => k,
            Cov::Mask(m) => m[i],
        } as u32;
        *h = mul_div_255(*h as u32, 255 - mul_div_255(a, k)) as u8;
    }
}

/// A layer's pixel `s` onto `d`; modes but source-over. Linear in `s`, so coverage and opacity
/// are applied to `s` before.
pub(crate) fn mode(d: u32, s: u32, mode: BlendMode) -> u32 {
    let ch = |v: u32, i: u32| (v >> (i * 8)) & 255;
    let (sa, da) = (s >> 24, d >> 24);
    let a = match mode {
        BlendMode::Plus => (sa + da).min(255),
        _ => sa + da - mul_div_255(sa, da),
    };
    let mut out = a << 24;
    for i in 0..3 {
        let (sc, dc) = (ch(s, i), ch(d, i));
        // Twice the rounding of one product would show as a grey step: one division for all.
        let v = match mode {
            BlendMode::SourceOver => sc * 255 + dc * (255 - sa),
            BlendMode::Multiply => sc * dc + sc * (255 - da) + dc * (255 - sa),
            BlendMode::Screen => (sc + dc) * 255 - sc * dc,
            BlendMode::Plus => (sc + dc) * 255,
            BlendMode::Darken => (sc + dc) * 255 - (sc * da).max(dc * sa),
            BlendMode::Lighten => (sc + dc) * 255 - (sc * da).min(dc * sa),
        };
        out |= ((v + 127) / 255).min(a) << (i * 8);
    }
    out
}
