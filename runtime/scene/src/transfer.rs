//! From a frame in ordinary memory to a device with a single buffer. Frames are drawn into a copy
//! of the device's memory (its format, its pitch) at any time; what they damaged then goes to the
//! device in one go, after its vblank wait, so that the glass never shows half a band. The device's
//! memory is written where the damage is, in rows from left to right, and never read.

use crate::{IRect, Region, TargetMut};

/// The device's memory is smaller than the target that it was said to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a frame of {needed} bytes does not fit the device's {found} bytes")]
pub struct TooSmall {
    /// Bytes of the target.
    pub needed: usize,
    /// Bytes given.
    pub found: usize,
}

impl TargetMut<'_> {
    /// Copies damaged pixels (a region of the surface) into the device's memory, which begins at the
    /// target's first pixel. Answers the bytes written.
    ///
    /// # Errors
    /// [`TooSmall`]; nothing is written then.
    pub fn copy_to(&self, damage: &Region, device: &mut [u8]) -> Result<usize, TooSmall> {
        let (needed, found) = (self.bytes.len(), device.len());
        if found < needed {
            return Err(TooSmall { needed, found });
        }
        let (size, n) = (self.surface_size(), self.format.bytes());
        let mut written = 0;
        for r in damage.clipped(IRect::of_size(size.0, size.1)).rects() {
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
