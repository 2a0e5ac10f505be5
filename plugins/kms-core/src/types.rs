//! What a card tells, as plain values.

/// The kernel's number of an object of a card; 0 is none.
pub type Id = u32;

/// A pixel format by its four letters.
pub type Fourcc = u32;

/// A format's number.
pub const fn fourcc(letters: [u8; 4]) -> Fourcc {
    u32::from_le_bytes(letters)
}

/// Timings of a screen; the kernel's own fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the kernel's own names")]
pub struct Mode {
    /// In kHz.
    pub clock: u32,
    pub hdisplay: u16,
    pub hsync_start: u16,
    pub hsync_end: u16,
    pub htotal: u16,
    pub hskew: u16,
    pub vdisplay: u16,
    pub vsync_start: u16,
    pub vsync_end: u16,
    pub vtotal: u16,
    pub vscan: u16,
    /// In Hz, rounded.
    pub vrefresh: u32,
    pub flags: u32,
    pub kind: u32,
    pub name: [u8; 32],
}

/// The screen's own wish among its modes.
const PREFERRED: u32 = 1 << 3;
/// The wish of who set the machine up (`video=` on the kernel's command line).
const USER: u32 = 1 << 5;
const INTERLACE: u32 = 1 << 4;
const DOUBLE_SCAN: u32 = 1 << 5;

impl Mode {
    /// A mode with plain timings, for tests and for screens that tell none.
    pub fn plain(width: u16, height: u16, hertz: u32, preferred: bool) -> Self {
        let (htotal, vtotal) = (width + 100, height + 20);
        Self {
            clock: (u32::from(htotal) * u32::from(vtotal) * hertz).div_ceil(1000),
            hdisplay: width,
            hsync_start: width + 20,
            hsync_end: width + 60,
            htotal,
            vdisplay: height,
            vsync_start: height + 5,
            vsync_end: height + 10,
            vtotal,
            vrefresh: hertz,
            kind: if preferred { PREFERRED } else { 0 },
            ..Self::default()
        }
    }

    /// Columns and rows.
    pub fn size(&self) -> (u32, u32) {
        (self.hdisplay.into(), self.vdisplay.into())
    }

    /// Every other row at a time: text flickers.
    pub fn is_interlaced(&self) -> bool {
        self.flags & INTERLACE != 0
    }

    /// It is the screen's own wish.
    pub fn is_preferred(&self) -> bool {
        self.kind & PREFERRED != 0
    }

    /// It is the wish of who set the machine up.
    pub fn is_users(&self) -> bool {
        self.kind & USER != 0
    }

    /// Nanoseconds from frame to frame, from the timings; 60 Hz when they make no sense.
    pub fn frame_ns(&self) -> u64 {
        let mut dots = u64::from(self.htotal) * u64::from(self.vtotal);
        if self.flags & DOUBLE_SCAN != 0 {
            dots *= 2;
        }
        if self.flags & INTERLACE != 0 {
            dots /= 2;
        }
        let ns = dots * 1_000_000 / u64::from(self.clock.max(1));
        if (1_000_000..=1_000_000_000).contains(&ns) { ns } else { 16_666_667 }
    }

    /// The screen sees no difference: names and marks may differ.
    pub fn same_timings(&self, other: &Self) -> bool {
        let bare = |m: &Self| Self { vrefresh: 0, kind: 0, name: [0; 32], ..*m };
        bare(self) == bare(other)
    }

    /// `struct drm_mode_modeinfo`, as the blob of a `MODE_ID`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let shorts = [
            self.hdisplay,
            self.hsync_start,
            self.hsync_end,
            self.htotal,
            self.hskew,
            self.vdisplay,
            self.vsync_start,
            self.vsync_end,
            self.vtotal,
            self.vscan,
        ];
        let mut out = self.clock.to_ne_bytes().to_vec();
        out.extend(shorts.iter().flat_map(|s| s.to_ne_bytes()));
        out.extend([self.vrefresh, self.flags, self.kind].iter().flat_map(|w| w.to_ne_bytes()));
        out.extend(self.name);
        out
    }
}

impl core::fmt::Display for Mode {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let hertz = 1e9 / self.frame_ns() as f64;
        write!(f, "{}x{}@{hertz:.1}", self.hdisplay, self.vdisplay)
    }
}

/// The objects of a card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Plugs and panels.
    pub connectors: Vec<Id>,
    /// In the order of the bits of `possible_crtcs`.
    pub crtcs: Vec<Id>,
    /// Largest framebuffer.
    pub max: (u32, u32),
}

/// A plug or a panel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Connector {
    /// Its number.
    pub id: Id,
    /// Its name, as `DSI-1`: kind, and a number among those of its kind.
    pub name: String,
    /// A screen is there.
    pub connected: bool,
    /// A connector that writes into memory, no screen.
    pub writeback: bool,
    /// What the screen can show.
    pub modes: Vec<Mode>,
    /// What can feed it.
    pub encoders: Vec<Id>,
    /// What feeds it now; 0 when nothing does.
    pub encoder: Id,
}

/// What feeds a connector from a CRTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoder {
    /// The CRTC that it takes from now; 0 when none.
    pub crtc: Id,
    /// A bit for each CRTC of [`Resources::crtcs`].
    pub possible_crtcs: u32,
}

/// What a CRTC does now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crtc {
    /// `None` when it is off.
    pub mode: Option<Mode>,
    /// The framebuffer of its primary plane; 0 when none.
    pub fb: Id,
    /// Which pixel of it is the first.
    pub at: (u32, u32),
    /// Entries of the gamma table; 0 when there is none.
    pub gamma: u32,
}

/// What a plane does now, and where it can.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaneInfo {
    /// Its number.
    pub id: Id,
    /// A bit for each CRTC of [`Resources::crtcs`].
    pub possible_crtcs: u32,
    /// What it reads.
    pub formats: Vec<Fourcc>,
    /// Where it is; 0 when nowhere.
    pub crtc: Id,
    /// What it shows; 0 when nothing.
    pub fb: Id,
}

/// The kinds of objects that have properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Object {
    /// A CRTC.
    Crtc,
    /// A connector.
    Connector,
    /// A plane.
    Plane,
}

/// A property of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Property {
    /// Its number.
    pub id: Id,
    /// Its name, as `rotation`.
    pub name: String,
    /// What it is now.
    pub value: u64,
    /// It cannot be set.
    pub fixed: bool,
    /// Names of values, of an enumeration or of bits.
    pub names: Vec<(u64, String)>,
    /// Least and largest value, of a range.
    pub range: Option<(u64, u64)>,
}

impl Property {
    /// The value that has this name.
    pub fn named(&self, name: &str) -> Option<u64> {
        self.names.iter().find(|(_, n)| n == name).map(|(v, _)| *v)
    }
}

/// A piece of memory that the card shows and the processor writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dumb {
    /// Its number.
    pub handle: Id,
    /// Bytes from row to row.
    pub pitch: u32,
    /// Bytes in all.
    pub size: u64,
}

/// A box of a framebuffer: first column and row, and those behind the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the kernel's own names")]
pub struct Rect {
    pub x1: i32,
    pub y1: i32,
    pub x2: i32,
    pub y2: i32,
}

/// Another framebuffer is on the glass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flip {
    /// On which CRTC; 0 from a kernel that does not tell.
    pub crtc: Id,
    /// When, in nanoseconds of the monotonic clock.
    pub at: u64,
    /// The CRTC's count of vertical blanks.
    pub sequence: u32,
}

/// Values for properties: of which object, which property, what. One commit sets all or none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes(pub Vec<(Id, Id, u64)>);

impl Changes {
    /// One more; a later value of the same property is the one that counts.
    pub fn set(&mut self, object: Id, property: Id, value: u64) {
        match self.0.iter_mut().find(|(o, p, _)| (*o, *p) == (object, property)) {
            Some(c) => c.2 = value,
            None => self.0.push((object, property, value)),
        }
    }
}
