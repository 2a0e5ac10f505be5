//! The kept copy of the surface, and cutting rectangles out of it for the wire.
//!
//! `present` copies what is damaged into the copy; every page is served from there, so that a
//! page that joins or lags never disturbs the app. 800x480 are 1.5 MB. Raw coding swaps B, G, R, X
//! into R, G, B, A on the way; PNG coding gathers R, G, B and compresses outside any lock.

use crate::wire::Coding;
use bytes::{BufMut, Bytes, BytesMut};
use zinc_scene::IRect;

/// The surface as presented last: rows of B, G, R, 0xFF without padding.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
    /// A whole frame of this size is in it.
    valid: bool,
}

impl Kept {
    pub(crate) fn is_valid(&self) -> bool {
        self.valid
    }

    pub(crate) fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    pub(crate) fn surface(&self) -> IRect {
        IRect::of_size(self.width, self.height)
    }

    /// Another size: nothing of it is known.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        *self = Self { width, height, pixels: std::mem::take(&mut self.pixels), valid: false };
        self.pixels.resize(width as usize * height as usize * 4, 0);
        self.pixels.shrink_to_fit();
    }

    /// Takes over rectangles of a frame whose rows are `pitch` bytes apart; the first frame whole.
    pub(crate) fn store(&mut self, bytes: &[u8], pitch: usize, damage: &[IRect]) {
        let whole = [self.surface()];
        let damage = if self.valid { damage } else { &whole };
        self.valid = true;
        let line = self.width as usize * 4;
        for r in damage.iter().map(|r| r.intersect(whole[0])) {
            for y in r.y0..r.y1 {
                let (from, to) = (y as usize * pitch, y as usize * line);
                let (a, b) = (r.x0 as usize * 4, r.x1 as usize * 4);
                if let (Some(to), Some(from)) =
                    (self.pixels.get_mut(to + a..to + b), bytes.get(from + a..from + b))
                {
                    to.copy_from_slice(from);
                }
            }
        }
    }

    fn rows(&self, r: IRect) -> impl Iterator<Item = &[u8]> {
        let line = self.width as usize * 4;
        (r.y0..r.y1).filter_map(move |y| {
            let row = y as usize * line;
            self.pixels.get(row + r.x0 as usize * 4..row + r.x1 as usize * 4)
        })
    }
}

/// Makes frame messages; keeps its memory from frame to frame.
#[derive(Debug)]
pub(crate) struct Cutter {
    pub(crate) coding: Coding,
    message: BytesMut,
    rgb: Vec<u8>,
    rects: Vec<IRect>,
}

impl Cutter {
    pub(crate) fn new(coding: Coding) -> Self {
        Self { coding, message: BytesMut::new(), rgb: Vec::new(), rects: Vec::new() }
    }

    /// The message, empty, with room for `bytes`.
    pub(crate) fn message(&mut self, bytes: usize) -> &mut BytesMut {
        self.message.clear();
        self.message.reserve(bytes);
        &mut self.message
    }

    /// Takes pixels out of the copy; quick, for it holds the lock.
    pub(crate) fn gather(&mut self, kept: &Kept, rects: &[IRect]) {
        self.rects.clear();
        self.rects.extend_from_slice(rects);
        self.rgb.clear();
        for r in rects {
            for row in kept.rows(*r) {
                let pixels = row.as_chunks::<4>().0.iter();
                match self.coding {
                    Coding::Raw => raw(&mut self.message, pixels),
                    Coding::Png => self.rgb.extend(pixels.flat_map(|[b, g, r, _]| [*r, *g, *b])),
                }
            }
        }
    }

    /// Finishes the message; may take its time.
    pub(crate) fn finish(&mut self) -> Result<Bytes, png::EncodingError> {
        if self.coding == Coding::Png {
            let mut rest = self.rgb.as_slice();
            for r in &self.rects {
                let (w, h) = (r.width() as u32, r.height() as u32);
                let (part, tail) = rest.split_at((w as usize * h as usize * 3).min(rest.len()));
                rest = tail;
                let at = self.message.len();
                self.message.put_u32_le(0);
                compress(&mut self.message, part, w, h)?;
                let bytes = (self.message.len() - at - 4) as u32;
                self.message[at..at + 4].copy_from_slice(&bytes.to_le_bytes());
            }
        }
        Ok(self.message.split().freeze())
    }
}

/// A row as R, G, B, A.
fn raw<'a>(to: &mut BytesMut, pixels: impl ExactSizeIterator<Item = &'a [u8; 4]>) {
    let at = to.len();
    to.resize(at + pixels.len() * 4, 0xff);
    for (to, [b, g, r, _]) in to[at..].as_chunks_mut::<4>().0.iter_mut().zip(pixels) {
        *to = [*r, *g, *b, 0xff];
    }
}

fn compress(to: &mut BytesMut, rgb: &[u8], w: u32, h: u32) -> Result<(), png::EncodingError> {
    let mut e = png::Encoder::new(to.writer(), w, h);
    e.set_color(png::ColorType::Rgb);
    e.set_depth(png::BitDepth::Eight);
    e.set_compression(png::Compression::Fast);
    let mut e = e.write_header()?;
    e.write_image_data(rgb)?;
    e.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 3x2 pixels, 4 bytes of padding a row: blue is 10 y + x.
    fn frame() -> Vec<u8> {
        let px = |y: u8, x: u8| [10 * y + x, 100, 200, 0xff];
        (0..2).flat_map(|y| (0..3).flat_map(move |x| px(y, x)).chain([9; 4])).collect()
    }

    #[test]
    fn the_first_frame_is_taken_whole_and_later_ones_by_damage() {
        let mut k = Kept::default();
        k.resize(3, 2);
        assert!(!k.is_valid());
        k.store(&frame(), 16, &[IRect::new(0, 0, 1, 1)]);
        assert!(k.is_valid());
        assert_eq!(k.pixels[20..24], [12, 100, 200, 0xff]);
        let white = vec![0xff; 32];
        k.store(&white, 16, &[IRect::new(1, 1, 9, 9), IRect::new(-5, 0, 0, 1)]);
        assert_eq!(k.pixels[12..16], [10, 100, 200, 0xff]);
        assert_eq!(k.pixels[16..24], [0xff; 8]);
        k.resize(3, 2);
        assert!(!k.is_valid());
    }

    #[test]
    fn a_frame_too_short_is_no_crash() {
        let mut k = Kept::default();
        k.resize(3, 2);
        k.store(&[1; 16], 16, &[]);
        assert_eq!((k.pixels[8], k.pixels[12]), (1, 0));
    }

    #[test]
    fn raw_pixels_are_red_first() {
        let mut k = Kept::default();
        k.resize(3, 2);
        k.store(&frame(), 16, &[]);
        let mut c = Cutter::new(Coding::Raw);
        c.message(8);
        c.gather(&k, &[IRect::new(1, 0, 2, 2)]);
        let bytes = c.finish().unwrap();
        assert_eq!(&bytes[..], &[200, 100, 1, 255, 200, 100, 11, 255]);
    }

    #[test]
    fn png_pixels_come_back() {
        let mut k = Kept::default();
        k.resize(3, 2);
        k.store(&frame(), 16, &[]);
        let mut c = Cutter::new(Coding::Png);
        c.message(64);
        c.gather(&k, &[IRect::new(0, 0, 1, 1), IRect::new(1, 0, 3, 2)]);
        let bytes = c.finish().unwrap();
        let first = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        let second = &bytes[8 + first..];
        let mut d = png::Decoder::new(std::io::Cursor::new(second)).read_info().unwrap();
        let mut out = vec![0; 12];
        let info = d.next_frame(&mut out).unwrap();
        assert_eq!((info.width, info.height), (2, 2));
        assert_eq!(out, [200, 100, 1, 200, 100, 2, 200, 100, 11, 200, 100, 12]);
    }
}
