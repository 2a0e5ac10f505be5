//! Pixels into the target's memory: one write a pixel, never a read.

use crate::simd::Simd;
use fearless_simd_macros::simd;
use zinc_scene::PixelFormat;

/// Stores a row of words at the start of `out`.
#[simd]
pub(crate) fn row<S: Simd>(simd: S, words: &[u32], out: &mut [u8], format: PixelFormat) {
    let out = &mut out[..words.len() * 4];
    match format {
        PixelFormat::Argb8888 if cfg!(target_endian = "little") => {
            out.copy_from_slice(bytemuck::cast_slice(words));
        }
        PixelFormat::Argb8888 => {
            for (o, w) in out.chunks_exact_mut(4).zip(words) {
                o.copy_from_slice(&w.to_le_bytes());
            }
        }
        PixelFormat::Xrgb8888 => {
            for (o, w) in out.chunks_exact_mut(4).zip(words) {
                o.copy_from_slice(&(w | 0xFF00_0000).to_le_bytes());
            }
        }
    }
}
