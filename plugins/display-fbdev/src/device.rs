//! The frame buffer itself: the kernel's structures, the calls that are made of it, and its memory.
//! The only file with `unsafe`. A simulated device is a file with the same memory and no calls.

use memmap2::{MmapOptions, MmapRaw};
use rustix::ioctl::{Getter, Opcode, Setter, Updater, ioctl};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use zinc_hal::PixelBuffer;

/// `struct fb_bitfield`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bitfield {
    /// Place of the lowest bit.
    pub offset: u32,
    /// Number of bits.
    pub length: u32,
    /// The lowest bit is the most significant one.
    pub msb_right: u32,
}

/// `struct fb_var_screeninfo`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the kernel's own names")]
pub struct Var {
    pub xres: u32,
    pub yres: u32,
    pub xres_virtual: u32,
    pub yres_virtual: u32,
    pub xoffset: u32,
    pub yoffset: u32,
    pub bits_per_pixel: u32,
    pub grayscale: u32,
    pub red: Bitfield,
    pub green: Bitfield,
    pub blue: Bitfield,
    pub transp: Bitfield,
    pub nonstd: u32,
    pub activate: u32,
    pub height: u32,
    pub width: u32,
    pub accel_flags: u32,
    pub pixclock: u32,
    pub left_margin: u32,
    pub right_margin: u32,
    pub upper_margin: u32,
    pub lower_margin: u32,
    pub hsync_len: u32,
    pub vsync_len: u32,
    pub sync: u32,
    pub vmode: u32,
    pub rotate: u32,
    pub colorspace: u32,
    pub reserved: [u32; 4],
}

/// `struct fb_fix_screeninfo`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the kernel's own names")]
pub struct Fix {
    pub id: [u8; 16],
    pub smem_start: usize,
    pub smem_len: u32,
    /// `type`.
    pub kind: u32,
    pub type_aux: u32,
    pub visual: u32,
    pub xpanstep: u16,
    pub ypanstep: u16,
    pub ywrapstep: u16,
    pub line_length: u32,
    pub mmio_start: usize,
    pub mmio_len: u32,
    pub accel: u32,
    pub capabilities: u16,
    pub reserved: [u16; 2],
}

// The kernel writes as many bytes as its own structures have.
const _: () = assert!(size_of::<Var>() == 160);
const _: () = assert!(size_of::<Fix>() == if size_of::<usize>() == 8 { 80 } else { 68 });

impl Fix {
    /// The driver's name.
    pub fn name(&self) -> String {
        let end = self.id.iter().position(|b| *b == 0).unwrap_or(self.id.len());
        String::from_utf8_lossy(&self.id[..end]).into_owned()
    }
}

/// What the driver asks of a frame buffer.
pub trait Device: Send {
    /// The mode as it is.
    ///
    /// # Errors
    /// The system's answer.
    fn var(&mut self) -> io::Result<Var>;
    /// Asks for a mode.
    ///
    /// # Errors
    /// The system's answer.
    fn set_var(&mut self, var: &Var) -> io::Result<()>;
    /// What does not change within a mode.
    ///
    /// # Errors
    /// The system's answer.
    fn fix(&mut self) -> io::Result<Fix>;
    /// Waits for the next vertical blank, where the driver can.
    ///
    /// # Errors
    /// The system's answer.
    fn wait(&mut self) -> io::Result<()>;
    /// Shows the part of the memory that begins at the mode's offsets.
    ///
    /// # Errors
    /// The system's answer.
    fn pan(&mut self, var: &Var) -> io::Result<()>;
    /// The memory: so many bytes of it.
    ///
    /// # Errors
    /// The system's answer.
    fn map(&mut self, fix: &Fix) -> io::Result<Memory>;
}

const GET_VAR: Opcode = 0x4600;
const SET_VAR: Opcode = 0x4601;
const GET_FIX: Opcode = 0x4602;
const PAN: Opcode = 0x4606;
/// `_IOW('F', 0x20, __u32)`.
const WAIT: Opcode = 0x4004_4620;

/// A node of the system, as `/dev/fb0`.
#[derive(Debug)]
pub struct Node(pub File);

impl Device for Node {
    fn var(&mut self) -> io::Result<Var> {
        // SAFETY: FBIOGET_VSCREENINFO fills a `struct fb_var_screeninfo`; `Var` has its layout and
        // size (asserted above), and any bits are a valid value of its integers.
        Ok(unsafe { ioctl(&self.0, Getter::<GET_VAR, Var>::new()) }?)
    }
    fn set_var(&mut self, var: &Var) -> io::Result<()> {
        let mut var = *var;
        // SAFETY: FBIOPUT_VSCREENINFO reads a `struct fb_var_screeninfo` and writes it back.
        Ok(unsafe { ioctl(&self.0, Updater::<SET_VAR, Var>::new(&mut var)) }?)
    }
    fn fix(&mut self) -> io::Result<Fix> {
        // SAFETY: FBIOGET_FSCREENINFO fills a `struct fb_fix_screeninfo`; `Fix` has its layout and
        // size (asserted above), and any bits are a valid value of its integers.
        Ok(unsafe { ioctl(&self.0, Getter::<GET_FIX, Fix>::new()) }?)
    }
    fn wait(&mut self) -> io::Result<()> {
        // SAFETY: FBIO_WAITFORVSYNC reads one u32, the number of the screen.
        Ok(unsafe { ioctl(&self.0, Setter::<WAIT, u32>::new(0)) }?)
    }
    fn pan(&mut self, var: &Var) -> io::Result<()> {
        let mut var = *var;
        // SAFETY: FBIOPAN_DISPLAY reads a `struct fb_var_screeninfo` and writes it back.
        Ok(unsafe { ioctl(&self.0, Updater::<PAN, Var>::new(&mut var)) }?)
    }
    fn map(&mut self, fix: &Fix) -> io::Result<Memory> {
        // A mapping begins at a page; the frame buffer's memory need not.
        let lead = fix.smem_start % rustix::param::page_size();
        let len = lead + fix.smem_len as usize;
        Memory::of(&self.0, len, lead..len)
    }
}

/// Mapped memory that others see at once: a screen controller, or who reads the file.
#[derive(Debug)]
pub struct Memory {
    map: MmapRaw,
    part: Range<usize>,
}

impl Memory {
    /// Maps the first `len` bytes of a file, of which `part` is meant.
    ///
    /// # Errors
    /// The system's answer.
    pub fn of(file: &File, len: usize, part: Range<usize>) -> io::Result<Self> {
        let map = MmapOptions::new().len(len).map_raw(file)?;
        Ok(Self { map, part })
    }

    /// Cuts it into parts, each with an owner of its own. `None` when they overlap or leave it.
    pub fn split(self, parts: &[Range<usize>]) -> Option<Vec<Part>> {
        let len = self.part.len();
        let inside = |r: &Range<usize>| r.start <= r.end && r.end <= len;
        let apart = |(i, a): (usize, &Range<usize>)| {
            parts[i + 1..].iter().all(|b| a.end <= b.start || b.end <= a.start)
        };
        if !(parts.iter().all(inside) && parts.iter().enumerate().all(apart)) {
            return None;
        }
        let lead = self.part.start;
        let map = Arc::new(self.map);
        let part = |r: &Range<usize>| Part { map: map.clone(), at: lead + r.start, len: r.len() };
        Some(parts.iter().map(part).collect())
    }
}

/// A part of a device's memory. Write-only by agreement: reading it back is slow on most devices.
#[derive(Debug)]
pub struct Part {
    map: Arc<MmapRaw>,
    at: usize,
    len: usize,
}

impl PixelBuffer for Part {
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: `at..at + len` lies in the mapping (`Memory::split` checked it), which lives as
        // long as `map`. No other part overlaps this one (checked there as well, and a mapping is
        // split once), so the slice is unique while `self` is borrowed. Any byte is a valid u8;
        // what a screen controller reads meanwhile is not Rust's memory.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().add(self.at), self.len) }
    }
}
