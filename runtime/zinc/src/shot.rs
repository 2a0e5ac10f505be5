//! Pictures of frames as PNG files.

use crate::render::Surface;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// A picture that cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum ShotError {
    /// The file cannot be written.
    #[error("cannot write the picture {path}: {cause}")]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        cause: std::io::Error,
    },
    /// The picture cannot be encoded.
    #[error("cannot encode the picture {path}: {cause}")]
    Encode {
        /// The file.
        path: PathBuf,
        /// The encoder's answer.
        cause: png::EncodingError,
    },
}

/// Writes a surface as a PNG: RGB when it is opaque, else RGBA (not premultiplied).
pub(crate) fn write(surface: &Surface, path: &Path) -> Result<(), ShotError> {
    let failed = |cause| ShotError::Write { path: path.to_owned(), cause };
    if let Some(dir) = path.parent().filter(|d| !d.as_os_str().is_empty()) {
        std::fs::create_dir_all(dir).map_err(failed)?;
    }
    let file = File::create(path).map_err(failed)?;
    let opaque = surface.bytes.chunks_exact(4).all(|p| p[3] == 255);
    let mut e = png::Encoder::new(BufWriter::new(file), surface.width, surface.height);
    e.set_depth(png::BitDepth::Eight);
    e.set_color(if opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
    let encoding = |cause: png::EncodingError| match cause {
        png::EncodingError::IoError(cause) => failed(cause),
        cause => ShotError::Encode { path: path.to_owned(), cause },
    };
    let mut w = e.write_header().map_err(encoding)?;
    w.write_image_data(&straight(&surface.bytes, opaque)).map_err(encoding)?;
    w.finish().map_err(encoding)
}

/// R, G, B (and A) of premultiplied B, G, R, A.
fn straight(bytes: &[u8], opaque: bool) -> Vec<u8> {
    let n = if opaque { 3 } else { 4 };
    let mut out = Vec::with_capacity(bytes.len() / 4 * n);
    for p in bytes.chunks_exact(4) {
        let a = u32::from(p[3]);
        let un =
            |c: u8| (u32::from(c) * 255 + a / 2).checked_div(a).map_or(0, |v| v.min(255) as u8);
        out.extend_from_slice(&[un(p[2]), un(p[1]), un(p[0])]);
        if !opaque {
            out.push(p[3]);
        }
    }
    out
}
