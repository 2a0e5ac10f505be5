//! The wire: binary websocket messages, little-endian, the kind in the first byte.
//!
//! To the page:
//!
//! | bytes | message |
//! |---|---|
//! | `01` flags u8, rectangles u8, 0, sequence u32, width u16, height u16, then x, y, w, h u16 per rectangle, then pixels | frame |
//! | `02`, UTF-8 | text for the clipboard |
//!
//! Flags of a frame: 1 when pixels are a PNG per rectangle (length u32, bytes), else they are raw
//! rows R, G, B, A, rectangle after rectangle; 2 when the surface follows this page's window. A
//! frame whose size differs from the last one's holds the whole surface.
//!
//! From the page:
//!
//! | bytes | message |
//! |---|---|
//! | `01` version u8, visible u8, 0, width u32, height u32, pixel ratio f32 | hello, once, first |
//! | `02` 0, 0, 0, width u32, height u32, pixel ratio f32 | the window has another size |
//! | `03` visible u8 | the page is shown or hidden |
//! | `04` 0, 0, 0, sequence u32 | this frame is on the screen |
//! | `10` pointer u8, kind u8, phase u8, button u8, x f32, y f32 | mouse (0) or contact |
//! | `11` x f32, y f32, dx f32, dy f32 | wheel |
//! | `12` down u8, modifiers u8, name | key, by the browser's name for it |
//! | `13`, UTF-8 | text |
//! | `14`, UTF-8 | pasted text |
//!
//! A mouse move is 13 bytes. Anything else is an error and closes the socket; no bytes panic.

use bytes::{BufMut, BytesMut};
use zinc_hal::{Button, Key, Modifiers, PointerKind, PointerPhase};
use zinc_scene::{IRect, Point};

/// Version of all of the above; a page of another version is told to load itself anew.
pub(crate) const VERSION: u8 = 1;
/// Longest message from a page, and so the longest pasted text.
pub(crate) const MESSAGE_BYTES: usize = 64 << 10;
/// Longest text of one keystroke or composition.
pub(crate) const TEXT_BYTES: usize = 4096;
/// Longest text for the clipboard.
pub(crate) const CLIPBOARD_BYTES: usize = 1 << 20;
/// Pointers of a page: the mouse is 0, contacts follow.
pub(crate) const POINTERS: u8 = 64;

const FRAME: u8 = 1;
const CLIPBOARD: u8 = 2;
const FLAG_PNG: u8 = 1;
const FLAG_FOLLOWS: u8 = 2;

/// What a window offers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Window {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Device pixels per CSS pixel.
    pub(crate) ratio: f32,
}

/// A message from a page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FromPage {
    Hello { visible: bool, window: Window },
    Resize(Window),
    Visible(bool),
    Shown(u32),
    Pointer { id: u8, kind: PointerKind, phase: PointerPhase, button: Button, at: Point },
    Wheel { at: Point, delta: Point },
    Key { down: bool, modifiers: Modifiers, key: Option<Key> },
    Text(String),
    Paste(String),
}

/// Why a message is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The page speaks another version.
    Version,
    /// No message has this form.
    Form,
}

/// Reads fields off the front.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Refused> {
        let (head, tail) = self.0.split_first_chunk::<N>().ok_or(Refused::Form)?;
        self.0 = tail;
        Ok(*head)
    }
    fn u8(&mut self) -> Result<u8, Refused> {
        Ok(self.take::<1>()?[0])
    }
    fn u32(&mut self) -> Result<u32, Refused> {
        Ok(u32::from_le_bytes(self.take()?))
    }
    /// A finite number of ordinary size.
    fn number(&mut self) -> Result<f32, Refused> {
        let v = f32::from_le_bytes(self.take()?);
        if v.abs() <= 1.0e6 { Ok(v) } else { Err(Refused::Form) }
    }
    fn point(&mut self) -> Result<Point, Refused> {
        Ok(Point::new(self.number()?, self.number()?))
    }
    fn window(&mut self) -> Result<Window, Refused> {
        Ok(Window { width: self.u32()?, height: self.u32()?, ratio: self.number()? })
    }
    fn skip<const N: usize>(&mut self) -> Result<(), Refused> {
        self.take::<N>().map(|_| ())
    }
    fn text(&mut self, most: usize) -> Result<&'a str, Refused> {
        let bytes = std::mem::take(&mut self.0);
        if bytes.len() > most {
            return Err(Refused::Form);
        }
        std::str::from_utf8(bytes).map_err(|_| Refused::Form)
    }
}

fn flag(v: u8) -> Result<bool, Refused> {
    match v {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Refused::Form),
    }
}

/// Reads a message of a page.
pub(crate) fn decode(bytes: &[u8]) -> Result<FromPage, Refused> {
    if bytes.len() > MESSAGE_BYTES {
        return Err(Refused::Form);
    }
    let mut r = Reader(bytes);
    let message = match r.u8()? {
        0x01 => {
            if r.u8()? != VERSION {
                return Err(Refused::Version);
            }
            let visible = flag(r.u8()?)?;
            r.skip::<1>()?;
            FromPage::Hello { visible, window: r.window()? }
        }
        0x02 => {
            r.skip::<3>()?;
            FromPage::Resize(r.window()?)
        }
        0x03 => FromPage::Visible(flag(r.u8()?)?),
        0x04 => {
            r.skip::<3>()?;
            FromPage::Shown(r.u32()?)
        }
        0x10 => pointer(&mut r)?,
        0x11 => FromPage::Wheel { at: r.point()?, delta: r.point()? },
        0x12 => {
            let down = flag(r.u8()?)?;
            let m = r.u8()?;
            let modifiers = Modifiers { shift: m & 1 != 0, ctrl: m & 2 != 0, alt: m & 4 != 0 };
            FromPage::Key { down, modifiers, key: Key::from_name(r.text(32)?) }
        }
        0x13 => FromPage::Text(r.text(TEXT_BYTES)?.to_owned()),
        0x14 => FromPage::Paste(r.text(MESSAGE_BYTES)?.to_owned()),
        _ => return Err(Refused::Form),
    };
    if r.0.is_empty() { Ok(message) } else { Err(Refused::Form) }
}

fn pointer(r: &mut Reader<'_>) -> Result<FromPage, Refused> {
    let id = r.u8()?;
    if id >= POINTERS {
        return Err(Refused::Form);
    }
    let kind = match r.u8()? {
        0 => PointerKind::Mouse,
        1 => PointerKind::Touch,
        _ => return Err(Refused::Form),
    };
    let phase = match r.u8()? {
        0 => PointerPhase::Down,
        1 => PointerPhase::Move,
        2 => PointerPhase::Up,
        3 => PointerPhase::Cancel,
        4 => PointerPhase::Leave,
        _ => return Err(Refused::Form),
    };
    let button = match r.u8()? {
        0 => Button::Primary,
        1 => Button::Middle,
        2 => Button::Secondary,
        _ => return Err(Refused::Form),
    };
    Ok(FromPage::Pointer { id, kind, phase, button, at: r.point()? })
}

/// How pixels travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// Rows of R, G, B, A: nothing is cheaper on the same machine.
    Raw,
    /// A PNG per rectangle, fast setting.
    Png,
}

/// All of a frame but its pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameHead {
    pub(crate) sequence: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) follows: bool,
}

/// Writes a frame's head; its pixels are to follow.
pub(crate) fn frame_head(to: &mut BytesMut, h: FrameHead, coding: Coding, rects: &[IRect]) {
    let png = if coding == Coding::Png { FLAG_PNG } else { 0 };
    let follows = if h.follows { FLAG_FOLLOWS } else { 0 };
    to.put_slice(&[FRAME, png | follows, rects.len() as u8, 0]);
    to.put_u32_le(h.sequence);
    to.put_u16_le(h.width as u16);
    to.put_u16_le(h.height as u16);
    for r in rects {
        for v in [r.x0, r.y0, r.width(), r.height()] {
            to.put_u16_le(v as u16);
        }
    }
}

/// Writes text for the clipboard, cut at the limit.
pub(crate) fn clipboard(text: &str) -> BytesMut {
    let text = &text[..text.floor_char_boundary(CLIPBOARD_BYTES)];
    let mut to = BytesMut::with_capacity(text.len() + 1);
    to.put_u8(CLIPBOARD);
    to.put_slice(text.as_bytes());
    to
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use zinc_hal::NamedKey;

    fn bytes(head: &[u8], floats: &[f32]) -> Vec<u8> {
        let mut v = head.to_vec();
        v.extend(floats.iter().flat_map(|f| f.to_le_bytes()));
        v
    }

    #[test]
    fn messages_of_the_page() {
        let mut hello = vec![1, VERSION, 1, 0, 0x4c, 4, 0, 0, 0xbc, 2, 0, 0];
        hello.extend(1.5f32.to_le_bytes());
        let window = Window { width: 1100, height: 700, ratio: 1.5 };
        assert_eq!(decode(&hello), Ok(FromPage::Hello { visible: true, window }));
        hello[1] = VERSION + 1;
        assert_eq!(decode(&hello), Err(Refused::Version));

        let down = FromPage::Pointer {
            id: 3,
            kind: PointerKind::Touch,
            phase: PointerPhase::Down,
            button: Button::Primary,
            at: Point::new(10.5, -2.0),
        };
        assert_eq!(decode(&bytes(&[0x10, 3, 1, 0, 0], &[10.5, -2.0])), Ok(down));
        let wheel = FromPage::Wheel { at: Point::new(1.0, 2.0), delta: Point::new(0.0, 120.0) };
        assert_eq!(decode(&bytes(&[0x11], &[1.0, 2.0, 0.0, 120.0])), Ok(wheel));
        let modifiers = Modifiers { shift: false, ctrl: true, alt: false };
        let key = |key| Ok(FromPage::Key { down: true, modifiers, key });
        assert_eq!(decode(b"\x12\x01\x02K"), key(Some(Key::Char('k'))));
        assert_eq!(decode(b"\x12\x01\x02Tab"), key(Some(Key::Named(NamedKey::Tab))));
        assert_eq!(decode(b"\x12\x01\x02F13"), key(None));
        assert_eq!(decode("\x13ß".as_bytes()), Ok(FromPage::Text("ß".into())));
        assert_eq!(decode(b"\x14a\nb"), Ok(FromPage::Paste("a\nb".into())));
        assert_eq!(decode(&[4, 0, 0, 0, 7, 0, 0, 0]), Ok(FromPage::Shown(7)));
    }

    #[test]
    fn what_is_refused() {
        let nan = bytes(&[0x10, 0, 0, 1, 0], &[f32::NAN, 0.0]);
        let many = bytes(&[0x10, POINTERS, 1, 0, 0], &[0.0, 0.0]);
        let long_text = [&[0x13][..], &vec![b'a'; TEXT_BYTES + 1]].concat();
        let long = [&[0x14][..], &vec![b'a'; MESSAGE_BYTES]].concat();
        let bad: [&[u8]; 8] =
            [&[], &[0xff], &[3], &[3, 0, 0], b"\x13\xff", &nan, &many, &long_text];
        for b in bad.into_iter().chain([long.as_slice()]) {
            assert_eq!(decode(b), Err(Refused::Form), "{:?}", &b[..b.len().min(16)]);
        }
    }

    #[test]
    fn a_frame_head_is_as_documented() {
        let mut to = BytesMut::new();
        let head = FrameHead { sequence: 0x0403_0201, width: 800, height: 480, follows: true };
        frame_head(&mut to, head, Coding::Png, &[IRect::new(1, 2, 11, 22)]);
        let want = [1, 3, 1, 0, 1, 2, 3, 4, 0x20, 3, 0xe0, 1, 1, 0, 2, 0, 10, 0, 20, 0];
        assert_eq!(&to[..], &want);
    }

    #[test]
    fn clipboard_text_is_cut_between_characters() {
        let text = "ß".repeat(CLIPBOARD_BYTES / 2 + 1);
        assert_eq!(clipboard(&format!("a{text}")).len(), CLIPBOARD_BYTES);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(
            kind in prop::sample::select(vec![1u8, 2, 3, 4, 0x10, 0x11, 0x12, 0x13, 0x14, 0x55]),
            rest in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            let mut b = vec![kind];
            b.extend(&rest);
            let _ = decode(&b);
            b[0] = 1;
            if b.len() > 1 { b[1] = VERSION; }
            let _ = decode(&b);
        }
    }
}
