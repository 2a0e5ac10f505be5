//! What a picture may cost. A file's header says what it would take; it is refused before the
//! memory is asked for.

use std::time::Duration;

/// Limits of one decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file.
    pub bytes: usize,
    /// Greatest width or height; above [`zinc_scene::limits::IMAGE_SIDE`] it has no effect.
    pub side: u32,
    /// Width times height.
    pub pixels: u64,
    /// Bytes of the decoded picture and of the bitmap made from it, together.
    pub memory: u64,
    /// Time; checked whenever the decoder asks for 64 KiB more of the file, and at the end.
    pub time: Duration,
}

impl Default for Limits {
    /// A photo of 36 megapixels on a board with 1 GB.
    fn default() -> Self {
        Self {
            bytes: 64 << 20,
            side: zinc_scene::limits::IMAGE_SIDE,
            pixels: 36_000_000,
            memory: 320 << 20,
            time: Duration::from_secs(20),
        }
    }
}
