//! Memory that a frame is stored into, described in the field's words.

/// Layout of a stored pixel; names as in DRM's fourcc list, little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PixelFormat {
    /// Bytes B, G, R, 0xFF.
    Xrgb8888,
    /// Bytes B, G, R, A; premultiplied. The surface's own format.
    Argb8888,
}

impl PixelFormat {
    /// Bytes of a pixel.
    pub const fn bytes(self) -> usize {
        match self {
            PixelFormat::Xrgb8888 | PixelFormat::Argb8888 => 4,
        }
    }
}

/// A borrowed target: rows of `width` pixels, `pitch` bytes apart.
#[derive(Debug)]
pub struct TargetMut<'a> {
    /// The memory; at least `pitch * (height - 1) + width * bytes` of it, at any alignment.
    pub bytes: &'a mut [u8],
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Bytes from row to row.
    pub pitch: usize,
    /// Layout of a pixel.
    pub format: PixelFormat,
}

impl TargetMut<'_> {
    /// The memory holds all rows.
    pub fn is_valid(&self) -> bool {
        let line = self.width as usize * self.format.bytes();
        let rows = self.height as usize;
        self.width > 0
            && rows > 0
            && self.pitch >= line
            && self.bytes.len() >= self.pitch * (rows - 1) + line
    }
}
