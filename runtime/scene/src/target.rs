//! Memory that a frame is stored into, described in the field's words.

use crate::IRect;

/// Layout of a stored pixel; names and little-endian byte orders as in DRM's fourcc list. Colours
/// are premultiplied: a format without alpha shows the surface over black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PixelFormat {
    /// Bytes B, G, R, 0xFF.
    Xrgb8888,
    /// Bytes B, G, R, A; premultiplied. The surface's own format.
    Argb8888,
    /// Bytes R, G, B, 0xFF.
    Xbgr8888,
    /// Bytes R, G, B, A; premultiplied.
    Abgr8888,
    /// Bytes B, G, R.
    Rgb888,
    /// Bytes R, G, B.
    Bgr888,
    /// A 16-bit word: red in its upper 5 bits, green, blue in its lower 5; dithered.
    Rgb565,
    /// A 16-bit word: blue in its upper 5 bits, green, red in its lower 5; dithered.
    Bgr565,
    /// Any other layout of 16, 24 or 32 bits, as a frame buffer reports it; slower.
    Channels(Channels),
}

/// Bits of one channel in a little-endian pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Channel {
    /// The lowest bit's place, from 0.
    pub offset: u8,
    /// Number of bits, 0 to 16; 0: there is no such channel.
    pub bits: u8,
}

impl Channel {
    /// From the lowest bit's place and the number of bits.
    pub const fn new(offset: u8, bits: u8) -> Self {
        Self { offset, bits }
    }
    const fn mask(self) -> u64 {
        ((1 << self.bits) - 1) << self.offset
    }
}

/// A pixel described by its channels; legal by construction, see [`PixelFormat::of_channels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Channels {
    bytes: u8,
    rgb: [Channel; 3],
    alpha: Channel,
}

impl Channels {
    /// Channels of a pixel of 16, 24 or 32 bits. `None` when it has another size, or a colour has
    /// no bits or more than 16, or channels overlap or leave the pixel.
    pub const fn new(bits: u32, rgb: [Channel; 3], alpha: Channel) -> Option<Self> {
        if !matches!(bits, 16 | 24 | 32) {
            return None;
        }
        let all = [rgb[0], rgb[1], rgb[2], alpha];
        let (mut used, mut i) = (0u64, 0);
        while i < all.len() {
            let c = all[i];
            let short = i < 3 && c.bits == 0;
            if short || c.bits > 16 || c.offset as u32 + c.bits as u32 > bits {
                return None;
            }
            if used & c.mask() != 0 {
                return None;
            }
            used |= c.mask();
            i += 1;
        }
        Some(Self { bytes: (bits / 8) as u8, rgb, alpha })
    }
    /// Bytes of a pixel: 2, 3 or 4.
    pub const fn bytes(&self) -> usize {
        self.bytes as usize
    }
    /// Red, green and blue.
    pub const fn rgb(&self) -> [Channel; 3] {
        self.rgb
    }
    /// The bits that every pixel has set: those of its alpha, since nothing lies below a panel's
    /// only picture.
    pub const fn set(&self) -> u32 {
        self.alpha.mask() as u32
    }
}

impl PixelFormat {
    /// Those with a name.
    pub const NAMED: [Self; 8] = [
        Self::Xrgb8888,
        Self::Argb8888,
        Self::Xbgr8888,
        Self::Abgr8888,
        Self::Rgb888,
        Self::Bgr888,
        Self::Rgb565,
        Self::Bgr565,
    ];

    /// The format with these channels, as a frame buffer reports them: bits of a pixel, red, green,
    /// blue, and an alpha that is written whole. One of the named formats where it is one. `None`
    /// for what cannot be a pixel of 16, 24 or 32 bits.
    pub fn of_channels(bits: u32, rgb: [Channel; 3], alpha: Channel) -> Option<Self> {
        let channels = Channels::new(bits, rgb, alpha)?;
        let wide = [Channel::new(16, 8), Channel::new(8, 8), Channel::new(0, 8)];
        let high = [Channel::new(11, 5), Channel::new(5, 6), Channel::new(0, 5)];
        let turned = |of: [Channel; 3]| [of[2], of[1], of[0]];
        Some(match bits {
            32 if rgb == wide => PixelFormat::Xrgb8888,
            32 if rgb == turned(wide) => PixelFormat::Xbgr8888,
            24 if rgb == wide => PixelFormat::Rgb888,
            24 if rgb == turned(wide) => PixelFormat::Bgr888,
            16 if rgb == high => PixelFormat::Rgb565,
            16 if rgb == turned(high) => PixelFormat::Bgr565,
            _ => PixelFormat::Channels(channels),
        })
    }

    /// Bytes of a pixel.
    pub const fn bytes(self) -> usize {
        match self {
            PixelFormat::Xrgb8888
            | PixelFormat::Argb8888
            | PixelFormat::Xbgr8888
            | PixelFormat::Abgr8888 => 4,
            PixelFormat::Rgb888 | PixelFormat::Bgr888 => 3,
            PixelFormat::Rgb565 | PixelFormat::Bgr565 => 2,
            PixelFormat::Channels(c) => c.bytes(),
        }
    }
}

/// How far the picture is turned clockwise on its way into a target: the surface's top left pixel
/// lies in the target's corner of that name, and further corners clockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rotation {
    /// Not turned: top left.
    #[default]
    Deg0,
    /// A quarter: top right.
    Deg90,
    /// Upside down: bottom right.
    Deg180,
    /// Three quarters: bottom left.
    Deg270,
}

impl Rotation {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Deg0, Self::Deg90, Self::Deg180, Self::Deg270];

    /// Rows of the surface become columns of the target.
    pub const fn is_sideways(self) -> bool {
        matches!(self, Rotation::Deg90 | Rotation::Deg270)
    }
    /// The turn that undoes this one.
    pub const fn inverse(self) -> Self {
        match self {
            Rotation::Deg0 => Rotation::Deg0,
            Rotation::Deg90 => Rotation::Deg270,
            Rotation::Deg180 => Rotation::Deg180,
            Rotation::Deg270 => Rotation::Deg90,
        }
    }
    /// Width and height after the turn.
    pub const fn size(self, (width, height): (u32, u32)) -> (u32, u32) {
        if self.is_sideways() { (height, width) } else { (width, height) }
    }
    /// Where a box of a picture of this size lies after the turn; of the surface in the target
    /// with the surface's size, and back by [`Rotation::inverse`] with the target's.
    pub const fn turn(self, r: IRect, (width, height): (u32, u32)) -> IRect {
        let (w, h) = (width as i32, height as i32);
        match self {
            Rotation::Deg0 => r,
            Rotation::Deg90 => IRect::new(h - r.y1, r.x0, h - r.y0, r.x1),
            Rotation::Deg180 => IRect::new(w - r.x1, h - r.y1, w - r.x0, h - r.y0),
            Rotation::Deg270 => IRect::new(r.y0, w - r.x1, r.y1, w - r.x0),
        }
    }
}

/// A borrowed target: rows of `width` pixels, `pitch` bytes apart. What lies between rows is never
/// written, and no byte is ever read.
#[derive(Debug)]
pub struct TargetMut<'a> {
    /// The memory; at least `pitch * (height - 1) + width * bytes` of it, at any alignment.
    pub bytes: &'a mut [u8],
    /// Columns of the memory; those of a surface turned sideways are its rows.
    pub width: u32,
    /// Rows of the memory.
    pub height: u32,
    /// Bytes from row to row; any number that holds a row.
    pub pitch: usize,
    /// Layout of a pixel.
    pub format: PixelFormat,
    /// How far the surface is turned in it.
    pub rotation: Rotation,
}

impl TargetMut<'_> {
    /// The memory holds all rows.
    pub fn is_valid(&self) -> bool {
        let size = (self.width, self.height);
        target_bytes(size, self.pitch, self.format).is_some_and(|n| self.bytes.len() >= n)
    }
    /// Columns and rows of the surface that fills it.
    pub fn surface_size(&self) -> (u32, u32) {
        self.rotation.size((self.width, self.height))
    }
}

/// Bytes of a target of this size; `None` when there is no pixel, when rows would overlap, or when
/// it is larger than memory can be.
pub fn target_bytes(
    (width, height): (u32, u32),
    pitch: usize,
    format: PixelFormat,
) -> Option<usize> {
    let line = (width as usize).checked_mul(format.bytes())?;
    let rows = (height as usize).checked_sub(1)?;
    let sound = line > 0 && pitch >= line && width.max(height) <= i32::MAX as u32;
    sound.then(|| pitch.checked_mul(rows)?.checked_add(line)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Channel = Channel::new(0, 0);

    fn rgb(r: (u8, u8), g: (u8, u8), b: (u8, u8)) -> [Channel; 3] {
        [r, g, b].map(|(offset, bits)| Channel { offset, bits })
    }

    #[test]
    fn channels_of_named_formats_get_the_name() {
        let wide = rgb((16, 8), (8, 8), (0, 8));
        let other = rgb((0, 8), (8, 8), (16, 8));
        let of = |bits, rgb, alpha| PixelFormat::of_channels(bits, rgb, alpha);
        assert_eq!(of(32, wide, NONE), Some(PixelFormat::Xrgb8888));
        assert_eq!(of(32, wide, Channel::new(24, 8)), Some(PixelFormat::Xrgb8888));
        assert_eq!(of(32, other, NONE), Some(PixelFormat::Xbgr8888));
        assert_eq!(of(24, wide, NONE), Some(PixelFormat::Rgb888));
        assert_eq!(of(24, other, NONE), Some(PixelFormat::Bgr888));
        let high = rgb((11, 5), (5, 6), (0, 5));
        assert_eq!(of(16, high, NONE), Some(PixelFormat::Rgb565));
        assert_eq!(of(16, rgb((0, 5), (5, 6), (11, 5)), NONE), Some(PixelFormat::Bgr565));
        let Some(f @ PixelFormat::Channels(c)) =
            of(16, rgb((10, 5), (5, 5), (0, 5)), Channel::new(15, 1))
        else {
            panic!("1555 is a layout of its own");
        };
        assert_eq!((f.bytes(), c.set()), (2, 0x8000));
    }

    #[test]
    fn impossible_channels_are_refused() {
        let high = rgb((11, 5), (5, 6), (0, 5));
        for bits in [0, 1, 8, 15, 33, 48] {
            assert_eq!(PixelFormat::of_channels(bits, high, NONE), None, "{bits}");
        }
        for (rgb, alpha) in [
            (rgb((11, 5), (5, 6), (0, 6)), NONE),
            (rgb((11, 6), (5, 6), (0, 5)), NONE),
            (rgb((11, 5), (5, 0), (0, 5)), NONE),
            (rgb((255, 5), (5, 6), (0, 5)), NONE),
            (high, Channel::new(15, 1)),
            (high, Channel::new(16, 1)),
        ] {
            assert_eq!(PixelFormat::of_channels(16, rgb, alpha), None, "{rgb:?} {alpha:?}");
        }
        let long = rgb((0, 17), (17, 1), (18, 1));
        assert_eq!(PixelFormat::of_channels(32, long, NONE), None);
    }

    #[test]
    fn four_quarters_are_none() {
        let (size, r) = ((70, 40), IRect::new(3, 5, 20, 11));
        assert_eq!(Rotation::Deg90.turn(r, size), IRect::new(29, 3, 35, 20));
        for t in Rotation::ALL {
            assert_eq!(t.inverse().turn(t.turn(r, size), t.size(size)), r, "{t:?}");
        }
        let (mut at, mut now) = (r, size);
        for _ in 0..2 {
            at = Rotation::Deg90.turn(at, now);
            now = Rotation::Deg90.size(now);
        }
        assert_eq!(at, Rotation::Deg180.turn(r, size));
        at = Rotation::Deg90.turn(at, now);
        assert_eq!(at, Rotation::Deg270.turn(r, size));
    }

    #[test]
    fn sizes_beyond_memory_hold_nothing() {
        let f = PixelFormat::Rgb888;
        assert_eq!(target_bytes((3, 2), 16, f), Some(25));
        assert_eq!(target_bytes((3, 2), 8, f), None);
        assert_eq!(target_bytes((0, 2), 8, f), None);
        assert_eq!(target_bytes((3, 0), 16, f), None);
        assert_eq!(target_bytes((3, 3), usize::MAX / 2, f), None);
        assert_eq!(target_bytes((u32::MAX, 1), usize::MAX, f), None);
    }
}
