//! Smaller copies: a photo of 12 megapixels on a screen of 0.4 costs memory and a slow sampler.
//! Catmull-Rom, whose weights are polynomials and so the same numbers on every CPU; on
//! premultiplied words, so that no rim appears around what is transparent.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};

/// Size with the longer side `max`, the other one in proportion.
pub(crate) fn size(width: u32, height: u32, max: u32) -> (u32, u32) {
    let long = width.max(height).max(1) as u64;
    let side = |v: u32| ((v as u64 * max as u64 + long / 2) / long).max(1) as u32;
    (side(width), side(height))
}

/// Scales words down; `None` when the sides do not fit the words.
pub(crate) fn scale(words: &[u32], from: (u32, u32), to: (u32, u32)) -> Option<Box<[u32]>> {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let src = ImageRef::new(from.0, from.1, &bytes, PixelType::U8x4).ok()?;
    let mut dst = Image::new(to.0, to.1, PixelType::U8x4);
    let options = ResizeOptions::new()
        .resize_alg(ResizeAlg::Convolution(FilterType::CatmullRom))
        .use_alpha(false);
    Resizer::new().resize(&src, &mut dst, &options).ok()?;
    let words = dst.buffer().chunks_exact(4);
    Some(words.map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_keep_proportions_and_never_vanish() {
        assert_eq!(size(4000, 3000, 800), (800, 600));
        assert_eq!(size(3000, 4000, 800), (600, 800));
        assert_eq!(size(16384, 1, 100), (100, 1));
        assert_eq!(size(1, 1, 1), (1, 1));
    }

    #[test]
    fn an_even_colour_stays() {
        let words = vec![0x8040_2010; 64 * 48];
        let small = scale(&words, (64, 48), (16, 12)).unwrap();
        assert_eq!(small.len(), 16 * 12);
        assert!(small.iter().all(|w| *w == 0x8040_2010));
        assert!(scale(&words, (64, 49), (16, 12)).is_none());
    }
}
