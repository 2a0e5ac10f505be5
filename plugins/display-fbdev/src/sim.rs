//! A file as frame buffer: the real driver with nothing behind it. Its rows are padded on purpose.

use crate::device::{Bitfield, Device, Fix, Memory, Var};
use rustix::io::Errno;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::PathBuf;
use zinc_hal::DisplayError;

/// Bytes that no picture owns, behind each row.
pub const PADDING: u32 = 32;

/// Which file, and the mode it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimFile {
    /// The file; it is made, or made anew.
    pub path: PathBuf,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Bits of a pixel: 16 (565, red high), 24 (bytes B, G, R), 32 (bytes B, G, R, 0xFF).
    pub bits: u32,
}

impl SimFile {
    /// Makes the file, all zero.
    pub(crate) fn create(&self) -> Result<SimDevice, DisplayError> {
        let refused = |cause| DisplayError::System {
            tried: "cannot make the simulated frame buffer",
            on: self.path.display().to_string(),
            cause,
        };
        let mut o = OpenOptions::new();
        let file = o.read(true).write(true).create(true).truncate(true).open(&self.path);
        let file = file.map_err(refused)?;
        let n = match self.bits {
            16 | 24 | 32 => self.bits / 8,
            other => {
                let words = format!("a simulated frame buffer has 16, 24 or 32 bits, not {other}");
                return Err(DisplayError::Unsupported(words));
            }
        };
        let pitch = self.width.saturating_mul(n).saturating_add(PADDING);
        file.set_len(u64::from(pitch) * u64::from(self.height)).map_err(refused)?;
        Ok(SimDevice { file, mode: self.clone(), pitch })
    }
}

/// The file, opened.
#[derive(Debug)]
pub(crate) struct SimDevice {
    file: File,
    mode: SimFile,
    pitch: u32,
}

impl Device for SimDevice {
    fn var(&mut self) -> io::Result<Var> {
        let SimFile { width, height, bits, .. } = self.mode;
        let c = |offset, length| Bitfield { offset, length, msb_right: 0 };
        let (red, green, blue) = match bits {
            16 => (c(11, 5), c(5, 6), c(0, 5)),
            _ => (c(16, 8), c(8, 8), c(0, 8)),
        };
        Ok(Var {
            xres: width,
            yres: height,
            xres_virtual: width,
            yres_virtual: height,
            bits_per_pixel: bits,
            red,
            green,
            blue,
            ..Var::default()
        })
    }
    fn set_var(&mut self, _: &Var) -> io::Result<()> {
        Err(Errno::INVAL.into())
    }
    fn fix(&mut self) -> io::Result<Fix> {
        let smem_len = u32::try_from(u64::from(self.pitch) * u64::from(self.mode.height));
        let mut fix = Fix { line_length: self.pitch, visual: 2, ..Fix::default() };
        fix.id[..4].copy_from_slice(b"file");
        fix.smem_len = smem_len.map_err(|_| io::Error::from(Errno::OVERFLOW))?;
        Ok(fix)
    }
    fn wait(&mut self) -> io::Result<()> {
        Err(Errno::NOTTY.into())
    }
    fn pan(&mut self, _: &Var) -> io::Result<()> {
        Err(Errno::INVAL.into())
    }
    fn map(&mut self, fix: &Fix) -> io::Result<Memory> {
        let len = fix.smem_len as usize;
        Memory::of(&self.file, len, 0..len)
    }
}
