//! What a frame buffer says of itself, checked before a byte is written: a mode that contradicts
//! itself is refused with the field that does.

use crate::device::{Bitfield, Fix, Var};
use std::ops::Range;
use std::time::Duration;
use zinc_scene::{Channel, PixelFormat, limits};

/// Pixels that lie in memory as pixels (`FB_TYPE_PACKED_PIXELS`).
const PACKED: u32 = 0;
/// Visuals whose pixels are colours: `FB_VISUAL_TRUECOLOR`, `FB_VISUAL_DIRECTCOLOR`.
const COLOURS: [u32; 2] = [2, 4];
/// Where the screen does not tell its rate.
const RATE: Duration = Duration::from_nanos(16_666_667);
/// Frame times that a screen may have; others are made up by a driver that has none.
const RATES: Range<Duration> = Duration::from_millis(4)..Duration::from_millis(50);

/// A mode that cannot be drawn into.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its mode cannot be used: {field} is {value}, {why}")]
pub struct ModeError {
    /// The field, as the kernel's header calls it.
    pub field: &'static str,
    /// Its value.
    pub value: u64,
    /// What contradicts it.
    pub why: String,
}

/// A checked mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Visible columns.
    pub width: u32,
    /// Visible rows.
    pub height: u32,
    /// Bytes from row to row.
    pub pitch: usize,
    /// Layout of a pixel.
    pub format: PixelFormat,
    /// Bits of a pixel, for people.
    pub bits: u32,
    /// Bytes of the device's memory.
    pub memory: usize,
    /// Byte of the first visible pixel.
    pub first: usize,
    /// Byte of column `xoffset` in row 0.
    pub left: usize,
    /// Rows of memory, seen or not.
    pub rows: u32,
    /// The driver moves the visible part row by row.
    pub pans: bool,
    /// From frame to frame.
    pub period: Duration,
}

fn refuse<T>(field: &'static str, value: impl Into<u64>, why: String) -> Result<T, ModeError> {
    Err(ModeError { field, value: value.into(), why })
}

impl Mode {
    /// Checks what a device reports.
    ///
    /// # Errors
    /// The first field that contradicts the others, or asks for what cannot be drawn.
    pub fn of(var: &Var, fix: &Fix) -> Result<Self, ModeError> {
        if fix.kind != PACKED {
            return refuse("type", fix.kind, "not packed pixels (0)".into());
        }
        if !COLOURS.contains(&fix.visual) {
            return refuse("visual", fix.visual, "not true colour (2) or direct colour (4)".into());
        }
        if var.grayscale != 0 {
            return refuse("grayscale", var.grayscale, "not a colour mode (0)".into());
        }
        for (field, side) in [("xres", var.xres), ("yres", var.yres)] {
            if !(1..=limits::SURFACE_SIDE).contains(&side) {
                return refuse(field, side, format!("not 1 to {}", limits::SURFACE_SIDE));
            }
        }
        let format = format(var)?;
        let n = u64::from(var.bits_per_pixel / 8);
        let [x, y, w, h] = [var.xoffset, var.yoffset, var.xres, var.yres].map(u64::from);
        let [columns, rows] = [var.xres_virtual, var.yres_virtual].map(u64::from);
        if columns < x + w {
            return refuse("xres_virtual", columns, format!("less than xoffset + xres, {}", x + w));
        }
        if rows < y + h {
            return refuse("yres_virtual", rows, format!("less than yoffset + yres, {}", y + h));
        }
        let pitch = u64::from(fix.line_length);
        let line = (x + w) * n;
        if pitch < line {
            return refuse("line_length", pitch, format!("less than a row's {line} bytes"));
        }
        let memory = u64::from(fix.smem_len);
        let needed = (y + h - 1) * pitch + line;
        if memory < needed {
            return refuse("smem_len", memory, format!("less than the picture's {needed} bytes"));
        }
        // All of these are below `smem_len`, which is a u32.
        Ok(Self {
            width: var.xres,
            height: var.yres,
            pitch: pitch as usize,
            format,
            bits: var.bits_per_pixel,
            memory: memory as usize,
            first: (y * pitch + x * n) as usize,
            left: (x * n) as usize,
            rows: rows.min(memory / pitch) as u32,
            pans: fix.ypanstep > 0 && var.yres.is_multiple_of(u32::from(fix.ypanstep)),
            period: period(var),
        })
    }

    /// Bytes from the first visible pixel to the last.
    pub fn frame_bytes(&self) -> usize {
        (self.height as usize - 1) * self.pitch + self.width as usize * self.format.bytes()
    }
}

/// The pixel of a mode.
fn format(var: &Var) -> Result<PixelFormat, ModeError> {
    let bits = var.bits_per_pixel;
    if !matches!(bits, 16 | 24 | 32) {
        return refuse("bits_per_pixel", bits, "not 16, 24 or 32".into());
    }
    let all = [("red", var.red), ("green", var.green), ("blue", var.blue), ("transp", var.transp)];
    let mut used = 0u64;
    let mut channels = [Channel::default(); 4];
    for (i, (field, c)) in all.into_iter().enumerate() {
        let Bitfield { offset, length, msb_right } = c;
        if msb_right != 0 {
            return refuse(field, msb_right, "its msb_right: bits run backwards".into());
        }
        if i < 3 && length == 0 || length > 16 {
            return refuse(field, length, "its length: not 1 to 16 bits".into());
        }
        if u64::from(offset) + u64::from(length) > u64::from(bits) {
            return refuse(field, offset, format!("its offset: outside of {bits} bits"));
        }
        let mask = ((1u64 << length) - 1) << offset;
        if used & mask != 0 {
            return refuse(field, offset, "its offset: it overlaps another channel".into());
        }
        used |= mask;
        // At most 32 both.
        channels[i] = Channel::new(offset as u8, length as u8);
    }
    let [r, g, b, alpha] = channels;
    match PixelFormat::of_channels(bits, [r, g, b], alpha) {
        Some(f) => Ok(f),
        None => refuse("bits_per_pixel", bits, "with channels that do not fit it".into()),
    }
}

/// The time of a frame, from the mode's timings: picoseconds a pixel.
fn period(var: &Var) -> Duration {
    let sum = |parts: [u32; 4]| parts.into_iter().map(u64::from).sum::<u64>();
    let columns = sum([var.xres, var.left_margin, var.right_margin, var.hsync_len]);
    let rows = sum([var.yres, var.upper_margin, var.lower_margin, var.vsync_len]);
    let picoseconds = u128::from(var.pixclock) * u128::from(columns) * u128::from(rows);
    let told = u64::try_from(picoseconds / 1000).map_or(Duration::ZERO, Duration::from_nanos);
    if RATES.contains(&told) { told } else { RATE }
}

/// The bytes of a black pixel; what alpha it has is whole.
pub(crate) fn black(format: PixelFormat) -> Vec<u8> {
    let word = match format {
        PixelFormat::Xrgb8888
        | PixelFormat::Argb8888
        | PixelFormat::Xbgr8888
        | PixelFormat::Abgr8888 => 0xFF00_0000,
        PixelFormat::Rgb888 | PixelFormat::Bgr888 | PixelFormat::Rgb565 | PixelFormat::Bgr565 => 0,
        PixelFormat::Channels(c) => c.set(),
    };
    word.to_le_bytes()[..format.bytes()].to_vec()
}
