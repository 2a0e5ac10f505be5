//! Bitmaps and film pictures as the scene knows them: pixels with a hash, nothing of files.

use crate::limits;

/// A premultiplied bitmap; pixels are surface words `0xAARRGGBB`, rows without padding.
#[derive(Clone)]
pub struct Image {
    width: u32,
    height: u32,
    pixels: Box<[u32]>,
    opaque: bool,
    hash: u64,
}

impl core::fmt::Debug for Image {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Image({}x{} {:016x})", self.width, self.height, self.hash)
    }
}

/// Why pixels do not make an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// A side is 0 or over [`limits::IMAGE_SIDE`].
    #[error("an image of {width}x{height} is outside 1..={} a side", limits::IMAGE_SIDE)]
    Size {
        /// Width asked for.
        width: u32,
        /// Height asked for.
        height: u32,
    },
    /// The number of pixels does not match the size.
    #[error("an image of {width}x{height} needs {} pixels, not {got}", *width as u64 * *height as u64)]
    Count {
        /// Width.
        width: u32,
        /// Height.
        height: u32,
        /// Pixels given.
        got: usize,
    },
}

impl Image {
    /// From surface words. Colour channels above alpha are clamped to it, so that any bit
    /// pattern is a valid premultiplied image.
    pub fn new(width: u32, height: u32, mut pixels: Box<[u32]>) -> Result<Self, ImageError> {
        let side = 1..=limits::IMAGE_SIDE;
        if !side.contains(&width) || !side.contains(&height) {
            return Err(ImageError::Size { width, height });
        }
        if pixels.len() as u64 != width as u64 * height as u64 {
            return Err(ImageError::Count { width, height, got: pixels.len() });
        }
        let mut opaque = true;
        for p in &mut pixels {
            let a = *p >> 24;
            if a != 255 {
                opaque = false;
                let (r, g, b) = ((*p >> 16) & 255, (*p >> 8) & 255, *p & 255);
                if r > a || g > a || b > a {
                    *p = (a << 24) | (r.min(a) << 16) | (g.min(a) << 8) | b.min(a);
                }
            }
        }
        let hash = crate::hash::image(width, height, &pixels);
        Ok(Self { width, height, pixels, opaque, hash })
    }
    /// Columns.
    pub fn width(&self) -> u32 {
        self.width
    }
    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }
    /// Every pixel is opaque.
    pub fn is_opaque(&self) -> bool {
        self.opaque
    }
    /// All pixels, row after row.
    pub fn pixels(&self) -> &[u32] {
        &self.pixels
    }
    /// One row.
    pub fn row(&self, y: u32) -> &[u32] {
        let w = self.width as usize;
        &self.pixels[y as usize * w..][..w]
    }
    /// Hash of size and pixels.
    pub fn hash(&self) -> u64 {
        self.hash
    }
}
