//! Captures: a frame in a file, complete. The same file is golden test, benchmark, bug report
//! and remote view.
//!
//! Layout: the magic `ZINCCAP` and a zero byte, version (u16), xxh3-64 checksum of what follows
//! (u64), all little-endian; then the postcard form of `v1::Capture`. The types of a version are
//! its own: changing a working type never changes a file. Fonts are not stored; the masks and
//! outlines that the frame uses are. Film pictures are stored as they were latched.

mod v1;

use crate::validate::Invalid;
use crate::{CommandList, ImageError, LayerPlan};
use std::sync::Arc;

/// First bytes of every capture.
pub const MAGIC: [u8; 8] = *b"ZINCCAP\0";
/// The version that is written.
pub const VERSION: u16 = 1;
const HEADER: usize = 8 + 2 + 8;

/// Why bytes are no capture.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// The magic is missing.
    #[error("not a Zinc capture (it does not start with {MAGIC:02x?})")]
    Magic,
    /// Written by another version.
    #[error("capture version {0} is not known; this program reads up to {VERSION}")]
    Version(u16),
    /// The checksum does not match: cut short or damaged.
    #[error("the capture is damaged: its checksum does not match")]
    Checksum,
    /// The content does not decode.
    #[error("the capture does not decode: {0}")]
    Decode(postcard::Error),
    /// A command is refused by the validator.
    #[error("the capture is refused at {}: {why}", Place(*.index))]
    Invalid {
        /// Index of the command, if it is one command's fault.
        index: Option<usize>,
        /// The reason.
        why: Invalid,
    },
    /// A bitmap is refused.
    #[error("the capture's image {index} is refused: {why}")]
    Image {
        /// Index of the bitmap.
        index: usize,
        /// The reason.
        why: ImageError,
    },
    /// A glyph mask is refused.
    #[error("the capture's font {font:016x} holds a glyph mask of a wrong size")]
    Mask {
        /// The font's hash.
        font: u64,
    },
}

struct Place(Option<usize>);

impl core::fmt::Display for Place {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.0 {
            Some(i) => write!(f, "command {i}"),
            None => f.write_str("the list as a whole"),
        }
    }
}

/// A frame and what its films showed, as bytes.
pub fn save(list: &CommandList, plan: &LayerPlan) -> Vec<u8> {
    let mut out = Vec::with_capacity(1 << 16);
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&[0; 8]);
    let capture = v1::Capture::of(list, plan);
    // Serializing plain data into a growing vector has no way to fail.
    let mut out = postcard::to_extend(&capture, out).unwrap_or_default();
    if let Some(body) = out.get(HEADER..) {
        let sum = xxhash_rust::xxh3::xxh3_64(body);
        out[10..18].copy_from_slice(&sum.to_le_bytes());
    }
    out
}

/// The frame in `bytes`, checked as if it came from an enemy.
///
/// # Errors
/// [`CaptureError`] names the first thing wrong.
pub fn load(bytes: &[u8]) -> Result<(Arc<CommandList>, LayerPlan), CaptureError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(CaptureError::Magic);
    }
    let (Some(version), Some(sum), Some(body)) = (
        bytes.get(8..10).and_then(|b| b.try_into().ok()),
        bytes.get(10..18).and_then(|b| b.try_into().ok()),
        bytes.get(HEADER..),
    ) else {
        return Err(CaptureError::Checksum);
    };
    let version = u16::from_le_bytes(version);
    if version != VERSION {
        return Err(CaptureError::Version(version));
    }
    if xxhash_rust::xxh3::xxh3_64(body) != u64::from_le_bytes(sum) {
        return Err(CaptureError::Checksum);
    }
    decode_v1(body)
}

/// What is behind the checksum; the fuzz tests come in here.
#[doc(hidden)]
pub fn decode_v1(body: &[u8]) -> Result<(Arc<CommandList>, LayerPlan), CaptureError> {
    let capture: v1::Capture = postcard::from_bytes(body).map_err(CaptureError::Decode)?;
    let (list, plan) = capture.open()?;
    Ok((Arc::new(list), plan))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::*;

    fn sample() -> (Arc<CommandList>, LayerPlan) {
        let mut r = Recorder::new();
        r.begin(320, 240).unwrap();
        r.clear(Color::WHITE);
        let stops = [Stop::new(0.0, Color::BLACK), Stop::new(1.0, Color::rgba(9, 8, 7, 6))];
        let (a, b) = (Point::new(0.0, 0.0), Point::new(10.0, 20.0));
        r.rect(1.0, 2.0, 30.0, 40.0)
            .radius(Radii([1.0, 2.0, 3.0, 4.0]))
            .shadow(0.0, 2.0, 8.0, 1.0, Color::BLACK)
            .fill(Paint::linear(a, b, &stops))
            .border(2.0, Paint::sweep(a, 0.5, &stops))
            .inset_shadow(0.0, 1.0, 3.0, 0.0, Color::BLACK);
        let star = |p: &mut Path| {
            p.move_to(0.0, 0.0).quad_to(5.0, 5.0, 9.0, 0.0).close();
        };
        r.push_matrix(Matrix::rotate(0.3));
        r.path(star).rule(FillRule::EvenOdd).fill(Paint::radial(a, 9.0, &stops)).stroke(
            StrokeStyle { dashes: &[3.0, 1.0], ..StrokeStyle::new(2.0) },
            Color::hex(0x123456),
        );
        r.push_clip_path(FillRule::NonZero, star);
        r.push_layer(0.5, BlendMode::Screen);
        let image = Arc::new(Image::new(2, 1, Box::new([0xFF00_00FF, 0x8000_0040])).unwrap());
        r.image(&image, Rect::new(3.0, 3.0, 20.0, 9.0)).radius(2.0).tint(Color::WHITE).draw();
        r.picture(PictureId(3), Rect::new(0.0, 0.0, 9.0, 9.0), Radii::all(1.0), 0.7);
        r.pop_layer();
        r.pop_clip();
        r.pop_matrix();
        r.with_clip(Rect::new(0.0, 0.0, 50.0, 50.0), 4.0, |r| r.clear(Color::TRANSPARENT));
        assert_eq!(r.warnings(), []);
        let mut plan = LayerPlan::new();
        plan.set(PictureId(3), Latched::Drawn(image));
        plan.set(PictureId(4), Latched::Hole);
        (r.freeze(), plan)
    }

    #[test]
    fn a_capture_opens_as_what_was_saved() {
        let (list, plan) = sample();
        let (back, back_plan) = load(&save(&list, &plan)).unwrap();
        let hashes =
            |l: &CommandList| l.commands().iter().map(|c| (c.hash, c.bounds)).collect::<Vec<_>>();
        assert_eq!(hashes(&list), hashes(&back));
        assert_eq!(list.hash(), back.hash());
        for (id, _) in plan.iter() {
            assert_eq!(plan.surface_hash(id), back_plan.surface_hash(id));
        }
        let d = Differ::default().diff(Some((&list, &plan)), (&back, &back_plan));
        assert!(d.is_empty());
    }

    #[test]
    fn damage_to_the_file_is_named() {
        let (list, plan) = sample();
        let bytes = save(&list, &plan);
        assert!(matches!(load(b"PNG"), Err(CaptureError::Magic)));
        assert!(matches!(load(&bytes[..12]), Err(CaptureError::Checksum)));
        assert!(matches!(load(&bytes[..bytes.len() - 1]), Err(CaptureError::Checksum)));
        let mut future = bytes.clone();
        future[8] = 9;
        assert!(matches!(load(&future), Err(CaptureError::Version(9))));
    }

    #[test]
    fn any_damage_behind_the_checksum_is_an_error_or_a_valid_list() {
        let (list, plan) = sample();
        let body = save(&list, &plan).split_off(HEADER);
        for cut in 0..body.len() {
            let _ = decode_v1(&body[..cut]);
        }
        for at in 0..body.len() {
            for bit in 0..8 {
                let mut b = body.clone();
                b[at] ^= 1 << bit;
                let _ = decode_v1(&b);
            }
        }
    }
}
