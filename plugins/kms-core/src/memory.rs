//! Mapped memory of a dumb buffer.

use memmap2::{MmapOptions, MmapRaw};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::fd::AsFd;
use zinc_hal::PixelBuffer;

/// Memory that a screen controller reads. Write-only by agreement: reading it back is slow on most
/// devices. It stays mapped as long as this lives, also when the buffer is given back.
#[derive(Debug)]
pub struct Memory {
    map: MmapRaw,
    part: Range<usize>,
}

impl Memory {
    /// Maps `len` bytes of a file from `offset` on, which a page's size divides.
    ///
    /// # Errors
    /// The system's answer.
    pub fn of(file: impl AsFd, offset: u64, len: usize) -> io::Result<Self> {
        let file = File::from(file.as_fd().try_clone_to_owned()?);
        let map = MmapOptions::new().offset(offset).len(len).map_raw(&file)?;
        Ok(Self { map, part: 0..len })
    }

    /// Keeps only this range of it. `None`, and unchanged, when it leaves what is there.
    pub fn narrow(&mut self, to: Range<usize>) -> Option<()> {
        let inside = to.start <= to.end && to.end <= self.part.len();
        inside.then(|| self.part = self.part.start + to.start..self.part.start + to.end)
    }
}

impl PixelBuffer for Memory {
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: `part` lies in the mapping (`of` and `narrow` see to it), which lives as long as
        // `self`; nothing else of this program maps it, so the slice is unique while `self` is
        // borrowed. Any byte is a valid u8; what a screen controller reads meanwhile is not Rust's.
        unsafe {
            let start = self.map.as_mut_ptr().add(self.part.start);
            std::slice::from_raw_parts_mut(start, self.part.len())
        }
    }
}
