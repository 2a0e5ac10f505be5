//! A copy of a single-buffered target in ordinary memory. Frames are drawn into the copy at any
//! time; what they damaged then goes to the device in one go, after its vblank wait, so that the
//! glass never shows half a band. The device's memory is written where the damage is, in rows from
//! left to right, and never read.

use zinc_scene::{PixelFormat, Region, Rotation, TargetMut, target_bytes};

/// The device's memory is smaller than the target that it was said to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a frame of {needed} bytes does not fit the device's {found} bytes")]
pub struct TooSmall {
    /// Bytes of the target.
    pub needed: usize,
    /// Bytes given.
    pub found: usize,
}

/// A target's shadow: its pixels in the panel's format and pitch.
#[derive(Debug)]
pub struct ShadowBuffer {
    bytes: Vec<u8>,
    width: u32,
    height: u32,
    pitch: usize,
    format: PixelFormat,
    rotation: Rotation,
}

impl ShadowBuffer {
    /// For a target of `width` by `height` pixels of memory, `pitch` bytes from row to row, in which
    /// the surface is turned; all zero. `None` when no memory can hold such a target.
    pub fn new(
        (width, height): (u32, u32),
        pitch: usize,
        format: PixelFormat,
        rotation: Rotation,
    ) -> Option<Self> {
        let bytes = vec![0; target_bytes((width, height), pitch, format)?];
        Some(Self { bytes, width, height, pitch, format, rotation })
    }

    /// To draw into.
    pub fn target(&mut self) -> TargetMut<'_> {
        let Self { width, height, pitch, format, rotation, .. } = *self;
        TargetMut { bytes: &mut self.bytes, width, height, pitch, format, rotation }
    }

    /// Copies damaged pixels (a region of the surface) into the device's memory, which begins at the
    /// target's first pixel. Answers the bytes written.
    ///
    /// # Errors
    /// [`TooSmall`]; nothing is written then.
    pub fn copy(&self, damage: &Region, device: &mut [u8]) -> Result<usize, TooSmall> {
        let (needed, found) = (self.bytes.len(), device.len());
        if found < needed {
            return Err(TooSmall { needed, found });
        }
        let (size, n) = (self.rotation.size((self.width, self.height)), self.format.bytes());
        let whole = zinc_scene::IRect::of_size(size.0, size.1);
        let mut written = 0;
        for r in damage.clipped(whole).rects() {
            let r = self.rotation.turn(*r, size);
            let (left, line) = (r.x0 as usize * n, r.width() as usize * n);
            for y in r.y0 as usize..r.y1 as usize {
                let at = y * self.pitch + left;
                device[at..at + line].copy_from_slice(&self.bytes[at..at + line]);
                written += line;
            }
        }
        Ok(written)
    }
}
