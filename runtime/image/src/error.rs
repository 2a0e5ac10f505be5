//! Why there is no picture: what was tried, on which format, and what the decoder answered.

use std::time::Duration;

/// A format that is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// WebP.
    WebP,
    /// GIF.
    Gif,
}

impl core::fmt::Display for Format {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Format::Png => "PNG",
            Format::Jpeg => "JPEG",
            Format::WebP => "WebP",
            Format::Gif => "GIF",
        })
    }
}

/// Why bytes or a file did not become a picture.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// No bytes.
    #[error("a file of 0 bytes")]
    Empty,
    /// The file could not be read.
    #[error("the file cannot be read: {0}")]
    Io(#[source] std::io::Error),
    /// Over [`crate::Limits::bytes`].
    #[error("a file of {bytes} bytes is over the limit of {limit}")]
    TooManyBytes {
        /// Bytes of the file (at least).
        bytes: u64,
        /// The limit.
        limit: usize,
    },
    /// The first bytes are not those of a known format.
    #[error("neither PNG, JPEG, WebP nor GIF")]
    UnknownFormat,
    /// Over [`crate::Limits::side`] or [`crate::Limits::pixels`], or a side of 0.
    #[error("{format} of {width}x{height} is outside the limits")]
    Size {
        /// Its format.
        format: Format,
        /// Width in the header.
        width: u32,
        /// Height in the header.
        height: u32,
    },
    /// Over [`crate::Limits::memory`].
    #[error("{format} would take {bytes} bytes, over the limit of {limit}")]
    Memory {
        /// Its format.
        format: Format,
        /// Bytes needed.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// Over a cache's whole budget.
    #[error("a bitmap of {bytes} bytes is over the whole cache of {limit}")]
    Budget {
        /// Bytes of the bitmap.
        bytes: u64,
        /// The cache's budget.
        limit: u64,
    },
    /// Over [`crate::Limits::time`].
    #[error("{format} was not decoded within {limit:?}")]
    Time {
        /// Its format.
        format: Format,
        /// The limit.
        limit: Duration,
    },
    /// The decoder found it damaged.
    #[error("{format} is damaged: {cause}")]
    Damaged {
        /// Its format.
        format: Format,
        /// What the decoder said.
        #[source]
        cause: image::ImageError,
    },
    /// The decoder panicked.
    #[error("{format} is damaged: the decoder stopped on it")]
    Panicked {
        /// Its format.
        format: Format,
    },
}
