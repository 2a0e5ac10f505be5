//! Pictures for Zinc: files to premultiplied bitmaps, with limits; and a cache with a ceiling
//! that decodes beside the UI thread and opens a broken file once.
//!
//! ```
//! use zinc_image::{Limits, decode};
//! let gif = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\x00\x00\x00\x00\x00\
//!             ,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";
//! let image = decode(gif, &Limits::default())?;
//! assert_eq!(image.pixels(), [0xFFFF_0000]);
//! # Ok::<(), zinc_image::DecodeError>(())
//! ```

#![forbid(unsafe_code)]

mod cache;
mod convert;
mod decode;
mod error;
mod fit;
mod limits;
mod timed;
mod worker;

pub use cache::{CacheOptions, ImageCache, Mode, Slot};
pub use convert::{from_rgba, premultiply, unpremultiply};
pub use decode::{decode, decode_fit};
pub use error::{DecodeError, Format};
pub use limits::Limits;
