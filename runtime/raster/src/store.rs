//! A row of surface words into a target's memory: one write a pixel, never a read, at any address.
//! Plain loops over blocks that compilers turn into vectors, compiled once per instruction set as
//! in `kernels`. What does not fill a block goes pixel by pixel, and a test holds every format to
//! the generic one, which puts channels in place one after the other.

use crate::dither::{PATTERN, Place, narrow};
use crate::simd::Simd;
use bytemuck::cast_slice;
use fearless_simd_macros::simd;
use zinc_scene::{Channels, PixelFormat};

const ALPHA: u32 = 0xFF00_0000;

/// Red and blue in each other's place.
#[inline(always)]
fn swap(w: u32) -> u32 {
    (w.rotate_left(16) & 0x00FF_00FF) | (w & 0xFF00_FF00)
}

/// The upper bits of each channel, moved by thresholds that never carry.
#[inline(always)]
fn dithered(w: u32, thresholds: u32) -> u32 {
    let w = w & !ALPHA;
    w - ((w >> 5 & 0x0007_0007) | (w >> 6 & 0x0300)) + thresholds
}

#[inline(always)]
fn rgb565(w: u32, t: u32) -> u16 {
    let w = dithered(w, t);
    ((w >> 8 & 0xF800) | (w >> 5 & 0x07E0) | (w >> 3 & 0x001F)) as u16
}

#[inline(always)]
fn bgr565(w: u32, t: u32) -> u16 {
    let w = dithered(w, t);
    ((w << 8 & 0xF800) | (w >> 5 & 0x07E0) | (w >> 19 & 0x001F)) as u16
}

/// Four bytes a pixel.
#[simd]
fn wide<S: Simd>(simd: S, words: &[u32], out: &mut [u8], f: impl Fn(u32) -> u32) {
    for (o, w) in out.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *o = f(*w).to_le_bytes();
    }
}

/// Three bytes a pixel: four pixels are three words.
#[simd]
fn packed<S: Simd>(simd: S, words: &[u32], out: &mut [u8], f: impl Fn(u32) -> u32) {
    let (blocks, rest) = words.as_chunks::<4>();
    let (outs, last) = out.split_at_mut(blocks.len() * 12);
    for (o, w) in outs.as_chunks_mut::<12>().0.iter_mut().zip(blocks) {
        let w = w.map(|w| f(w) & !ALPHA);
        let three = [w[0] | w[1] << 24, w[1] >> 8 | w[2] << 16, w[2] >> 16 | w[3] << 8];
        o.copy_from_slice(three.map(u32::to_le_bytes).as_flattened());
    }
    for (o, w) in last.as_chunks_mut::<3>().0.iter_mut().zip(rest) {
        let [a, b, c, _] = f(*w).to_le_bytes();
        *o = [a, b, c];
    }
}

/// Two bytes a pixel, dithered.
#[simd]
fn short<S: Simd>(
    simd: S,
    words: &[u32],
    out: &mut [u8],
    place: Place,
    f: impl Fn(u32, u32) -> u16,
) {
    let t = place.pattern();
    let (blocks, rest) = words.as_chunks::<PATTERN>();
    let (outs, last) = out.split_at_mut(blocks.len() * PATTERN * 2);
    for (o, w) in outs.as_chunks_mut::<{ PATTERN * 2 }>().0.iter_mut().zip(blocks) {
        let mut px = [0u16; PATTERN];
        for i in 0..PATTERN {
            px[i] = f(w[i], t[i]).to_le();
        }
        o.copy_from_slice(cast_slice(&px));
    }
    for ((o, w), t) in last.as_chunks_mut::<2>().0.iter_mut().zip(rest).zip(t) {
        *o = f(*w, *t).to_le_bytes();
    }
}

/// Any channels, one after the other.
fn generic(words: &[u32], out: &mut [u8], place: Place, channels: Channels) {
    let bytes = channels.bytes();
    for (i, (o, w)) in out.chunks_exact_mut(bytes).zip(words).enumerate() {
        let [b, g, r, _] = w.to_le_bytes();
        let mut px = channels.set();
        for ((v, c), t) in [r, g, b].into_iter().zip(channels.rgb()).zip(place.rgb(i)) {
            px |= narrow(v, c.bits as u32, t) << c.offset;
        }
        o.copy_from_slice(&px.to_le_bytes()[..bytes]);
    }
}

/// Stores words at the start of `out`; `place` is theirs on the surface.
#[simd]
pub(crate) fn row<S: Simd>(
    simd: S,
    words: &[u32],
    out: &mut [u8],
    format: PixelFormat,
    place: Place,
) {
    let out = &mut out[..words.len() * format.bytes()];
    match format {
        PixelFormat::Argb8888 if cfg!(target_endian = "little") => {
            out.copy_from_slice(cast_slice(words));
        }
        PixelFormat::Argb8888 => wide(simd, words, out, |w| w),
        PixelFormat::Xrgb8888 => wide(simd, words, out, |w| w | ALPHA),
        PixelFormat::Abgr8888 => wide(simd, words, out, swap),
        PixelFormat::Xbgr8888 => wide(simd, words, out, |w| swap(w) | ALPHA),
        PixelFormat::Rgb888 => packed(simd, words, out, |w| w),
        PixelFormat::Bgr888 => packed(simd, words, out, swap),
        PixelFormat::Rgb565 => short(simd, words, out, place, rgb565),
        PixelFormat::Bgr565 => short(simd, words, out, place, bgr565),
        PixelFormat::Channels(c) => generic(words, out, place, c),
    }
}

/// One word by the generic code: the scalar twin of every format.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn pixel(word: u32, x: i32, y: i32, format: PixelFormat) -> Vec<u8> {
    use zinc_scene::Channel;
    let make = |bits, rgb: [(u8, u8); 3], set: bool| {
        let c = rgb.map(|(offset, bits)| Channel { offset, bits });
        let alpha = if set { Channel::new(24, 8) } else { Channel::default() };
        Channels::new(bits, c, alpha).expect("a layout with a name")
    };
    let (rgb, bgr) = ([(16, 8), (8, 8), (0, 8)], [(0, 8), (8, 8), (16, 8)]);
    let channels = match format {
        PixelFormat::Xrgb8888 => make(32, rgb, true),
        PixelFormat::Argb8888 => make(32, rgb, false),
        PixelFormat::Xbgr8888 => make(32, bgr, true),
        PixelFormat::Abgr8888 => make(32, bgr, false),
        PixelFormat::Rgb888 => make(24, rgb, false),
        PixelFormat::Bgr888 => make(24, bgr, false),
        PixelFormat::Rgb565 => make(16, [(11, 5), (5, 6), (0, 5)], false),
        PixelFormat::Bgr565 => make(16, [(0, 5), (5, 6), (11, 5)], false),
        PixelFormat::Channels(c) => c,
    };
    let mut out = vec![0; channels.bytes()];
    generic(&[word], &mut out, Place::new(x, y, 1, 0), channels);
    if matches!(format, PixelFormat::Argb8888 | PixelFormat::Abgr8888) {
        out[3] = (word >> 24) as u8;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::dispatch;

    #[test]
    fn every_format_and_level_agrees_with_the_generic_one() {
        let mut seed = 1u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed ^ seed >> 15
        };
        for round in 0..600 {
            let words: Vec<u32> = (0..round % 70).map(|_| next()).collect();
            let (x, y, shift) = (next() as i32 & 15, next() as i32 & 15, next() as usize % 5);
            let (dx, dy) = [(1, 0), (-1, 0), (0, 1), (0, -1)][round % 4];
            let place = Place::new(x, y, dx, dy);
            for format in PixelFormat::NAMED {
                let mut want = vec![0xA5; shift];
                for (i, w) in words.iter().enumerate() {
                    want.extend(pixel(*w, x + i as i32 * dx, y + i as i32 * dy, format));
                }
                want.resize(want.len() + 9, 0xA5);
                for level in crate::levels() {
                    let mut got = vec![0xA5; want.len()];
                    let out = &mut got[shift..];
                    dispatch!(level, simd => row(simd, &words, out, format, place));
                    assert_eq!(got, want, "{format:?}, {} pixels at {level:?}", words.len());
                }
            }
        }
    }

    #[test]
    fn every_value_of_a_channel_is_stored_by_every_threshold() {
        for v in 0..=255u32 {
            let word = v << 16 | v << 8 | v;
            for start in 0..8 {
                let place = Place::new(start, 0, 1, 0);
                let [r, g, b] = place.rgb(0);
                let t = place.pattern()[0];
                let (r, g, b) =
                    (narrow(v as u8, 5, r), narrow(v as u8, 6, g), narrow(v as u8, 5, b));
                assert_eq!(rgb565(word, t) as u32, r << 11 | g << 5 | b);
                assert_eq!(bgr565(word, t) as u32, b << 11 | g << 5 | r);
            }
        }
    }
}
