//! Bytes to a bitmap. The format is told by the first bytes, never by a name. Order of checks:
//! bytes, format, header against the limits, memory, and only then pixels; the picture is turned
//! as its EXIF says. Animations give their first frame.

use crate::timed::Timed;
use crate::{DecodeError, Format, Limits, convert, fit};
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use zinc_scene::{Image, limits::IMAGE_SIDE};

/// Decodes a picture.
///
/// # Errors
/// Whatever the bytes are, the answer is a picture or an error that says why not.
pub fn decode(bytes: &[u8], limits: &Limits) -> Result<Image, DecodeError> {
    decode_with(bytes, None, limits)
}

/// Decodes a picture and scales it down, in proportion, when its longer side is over `max_side`.
/// The limits are those of the file's own size.
///
/// # Errors
/// As [`decode`].
pub fn decode_fit(bytes: &[u8], max_side: u32, limits: &Limits) -> Result<Image, DecodeError> {
    decode_with(bytes, Some(max_side), limits)
}

pub(crate) fn decode_with(
    bytes: &[u8],
    max_side: Option<u32>,
    limits: &Limits,
) -> Result<Image, DecodeError> {
    if bytes.is_empty() {
        return Err(DecodeError::Empty);
    }
    if bytes.len() > limits.bytes {
        let (bytes, limit) = (bytes.len() as u64, limits.bytes);
        return Err(DecodeError::TooManyBytes { bytes, limit });
    }
    let (format, library) = match image::guess_format(bytes) {
        Ok(f @ ImageFormat::Png) => (Format::Png, f),
        Ok(f @ ImageFormat::Jpeg) => (Format::Jpeg, f),
        Ok(f @ ImageFormat::WebP) => (Format::WebP, f),
        Ok(f @ ImageFormat::Gif) => (Format::Gif, f),
        _ => return Err(DecodeError::UnknownFormat),
    };
    let deadline = Instant::now() + limits.time;
    let picture = catch_unwind(AssertUnwindSafe(|| {
        pixels(Timed::new(bytes, deadline), format, library, limits)
    }))
    .unwrap_or(Err(DecodeError::Panicked { format }));
    if Instant::now() >= deadline {
        return Err(DecodeError::Time { format, limit: limits.time });
    }
    finish(picture?, format, max_side)
}

/// Reads the header, checks it, reads the pixels.
fn pixels(
    bytes: Timed<'_>,
    format: Format,
    library: ImageFormat,
    limits: &Limits,
) -> Result<DynamicImage, DecodeError> {
    let damaged = |cause| DecodeError::Damaged { format, cause };
    let mut reader = ImageReader::with_format(bytes, library);
    // Sides are checked here, where the error can name them; constructors read the header only.
    let mut own = image::Limits::no_limits();
    own.max_alloc = Some(limits.memory);
    reader.limits(own);
    let mut decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    let side = 1..=limits.side.min(IMAGE_SIDE);
    let area = width as u64 * height as u64;
    if !side.contains(&width) || !side.contains(&height) || area > limits.pixels {
        return Err(DecodeError::Size { format, width, height });
    }
    let need = decoder.total_bytes().saturating_add(area * 4);
    if need > limits.memory {
        return Err(DecodeError::Memory { format, bytes: need, limit: limits.memory });
    }
    // A damaged EXIF block is no reason to show nothing.
    let orientation = decoder.orientation().ok();
    let mut picture = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    if let Some(o) = orientation {
        picture.apply_orientation(o);
    }
    Ok(picture)
}

fn finish(
    picture: DynamicImage,
    format: Format,
    max_side: Option<u32>,
) -> Result<Image, DecodeError> {
    let (mut width, mut height) = (picture.width(), picture.height());
    let mut words = convert::words(picture);
    if let Some(max) = max_side.map(|m| m.max(1)).filter(|m| width.max(height) > *m) {
        let to = fit::size(width, height, max);
        if let Some(small) = fit::scale(&words, (width, height), to) {
            (width, height, words) = (to.0, to.1, small);
        }
    }
    Image::new(width, height, words).map_err(|_| DecodeError::Size { format, width, height })
}
