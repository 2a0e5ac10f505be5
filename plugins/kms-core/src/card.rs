//! Cards of the system: the kernel's calls, through `drm-ffi`, which is plain ioctl without a C
//! library.

use crate::{
    Cards, Changes, Commit, Connector, Crtc, Dumb, Encoder, Flip, Fourcc, Id, Kms, Memory, Mode,
    Object, PlaneInfo, Property, Rect, Resources,
};
use drm_ffi as ffi;
use rustix::fs::OFlags;
use std::ffi::c_char;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// A card's node, open.
#[derive(Debug)]
pub struct Card(File);

impl Card {
    /// Opens a node. The first who does is the card's master.
    ///
    /// # Errors
    /// The system's answer.
    pub fn open(node: &Path) -> io::Result<Self> {
        let flags = OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mut o = std::fs::OpenOptions::new();
        // The bits of two flags fit.
        let file = o.read(true).write(true).custom_flags(flags.bits() as i32).open(node)?;
        Ok(Self(file))
    }

    /// Of a descriptor that is a card's.
    pub fn of(file: File) -> Self {
        Self(file)
    }

    fn cap(&self, cap: u32) -> io::Result<()> {
        ffi::set_capability(self.0.as_fd(), cap.into(), true).map(|_| ())
    }

    /// Asks for connectors that write into memory as well; only after `atomic`.
    ///
    /// # Errors
    /// The system's answer.
    pub fn writeback_connectors(&self) -> io::Result<()> {
        self.cap(ffi::DRM_CLIENT_CAP_WRITEBACK_CONNECTORS)
    }

    fn kind(object: Object) -> u32 {
        match object {
            Object::Crtc => ffi::DRM_MODE_OBJECT_CRTC,
            Object::Connector => ffi::DRM_MODE_OBJECT_CONNECTOR,
            Object::Plane => ffi::DRM_MODE_OBJECT_PLANE,
        }
    }

    fn property(&self, id: Id, value: u64) -> io::Result<Property> {
        let (mut values, mut enums) = (Vec::new(), Vec::new());
        let p = ffi::mode::get_property(self.0.as_fd(), id, Some(&mut values), Some(&mut enums))?;
        let has = |flag: u32| p.flags & flag != 0;
        let named = has(ffi::DRM_MODE_PROP_ENUM) || has(ffi::DRM_MODE_PROP_BITMASK);
        let names = enums.iter().filter(|_| named).map(|e| (e.value, text(&e.name))).collect();
        let range = match values[..] {
            [a, b, ..] if has(ffi::DRM_MODE_PROP_RANGE) => Some((a, b)),
            _ => None,
        };
        let fixed = has(ffi::DRM_MODE_PROP_IMMUTABLE);
        Ok(Property { id, name: text(&p.name), value, fixed, names, range })
    }
}

/// A C string in a field.
fn text(field: &[c_char]) -> String {
    let bytes: Vec<u8> = field.iter().map(|c| *c as u8).take_while(|b| *b != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn mode_from(m: &ffi::drm_mode_modeinfo) -> Mode {
    Mode {
        clock: m.clock,
        hdisplay: m.hdisplay,
        hsync_start: m.hsync_start,
        hsync_end: m.hsync_end,
        htotal: m.htotal,
        hskew: m.hskew,
        vdisplay: m.vdisplay,
        vsync_start: m.vsync_start,
        vsync_end: m.vsync_end,
        vtotal: m.vtotal,
        vscan: m.vscan,
        vrefresh: m.vrefresh,
        flags: m.flags,
        kind: m.type_,
        name: m.name.map(|c| c as u8),
    }
}

fn mode_to(m: &Mode) -> ffi::drm_mode_modeinfo {
    ffi::drm_mode_modeinfo {
        clock: m.clock,
        hdisplay: m.hdisplay,
        hsync_start: m.hsync_start,
        hsync_end: m.hsync_end,
        htotal: m.htotal,
        hskew: m.hskew,
        vdisplay: m.vdisplay,
        vsync_start: m.vsync_start,
        vsync_end: m.vsync_end,
        vtotal: m.vtotal,
        vscan: m.vscan,
        vrefresh: m.vrefresh,
        flags: m.flags,
        type_: m.kind,
        name: m.name.map(|c| c as c_char),
    }
}

/// The kernel's `DRM_MODE_CONNECTOR_WRITEBACK`.
const WRITEBACK: u32 = 18;
/// The kernel's names, by `connector_type`, as sysfs writes them.
const KINDS: [&str; 21] = [
    "Unknown",
    "VGA",
    "DVI-I",
    "DVI-D",
    "DVI-A",
    "Composite",
    "SVIDEO",
    "LVDS",
    "Component",
    "DIN",
    "DP",
    "HDMI-A",
    "HDMI-B",
    "TV",
    "eDP",
    "Virtual",
    "DSI",
    "DPI",
    "Writeback",
    "SPI",
    "USB",
];

impl Kms for Card {
    fn fd(&self) -> Option<BorrowedFd<'_>> {
        Some(self.0.as_fd())
    }

    fn driver(&self) -> io::Result<String> {
        let mut name = Vec::new();
        ffi::get_version(self.0.as_fd(), Some(&mut name), None, None)?;
        let bytes: Vec<u8> = name.iter().map(|c| *c as u8).take_while(|b| *b != 0).collect();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn resources(&self) -> io::Result<Resources> {
        let (mut crtcs, mut connectors) = (Vec::new(), Vec::new());
        let (c, n) = (Some(&mut crtcs), Some(&mut connectors));
        let r = ffi::mode::get_resources(self.0.as_fd(), None, c, n, None)?;
        Ok(Resources { connectors, crtcs, max: (r.max_width, r.max_height) })
    }

    fn connector(&self, id: Id, probe: bool) -> io::Result<Connector> {
        let (mut modes, mut encoders) = (Vec::new(), Vec::new());
        let (m, e) = (Some(&mut modes), Some(&mut encoders));
        let c = ffi::mode::get_connector(self.0.as_fd(), id, None, None, m, e, probe)?;
        let kind = KINDS.get(c.connector_type as usize).unwrap_or(&KINDS[0]);
        Ok(Connector {
            id,
            name: format!("{kind}-{}", c.connector_type_id),
            connected: c.connection == 1,
            writeback: c.connector_type == WRITEBACK,
            modes: modes.iter().map(mode_from).collect(),
            encoders,
            encoder: c.encoder_id,
        })
    }

    fn encoder(&self, id: Id) -> io::Result<Encoder> {
        let e = ffi::mode::get_encoder(self.0.as_fd(), id)?;
        Ok(Encoder { crtc: e.crtc_id, possible_crtcs: e.possible_crtcs })
    }

    fn crtc(&self, id: Id) -> io::Result<Crtc> {
        let c = ffi::mode::get_crtc(self.0.as_fd(), id)?;
        let mode = (c.mode_valid != 0).then(|| mode_from(&c.mode));
        Ok(Crtc { mode, fb: c.fb_id, at: (c.x, c.y), gamma: c.gamma_size })
    }

    fn planes(&self) -> io::Result<Vec<Id>> {
        let mut all = Vec::new();
        ffi::mode::get_plane_resources(self.0.as_fd(), Some(&mut all))?;
        Ok(all)
    }

    fn plane(&self, id: Id) -> io::Result<PlaneInfo> {
        let mut formats = Vec::new();
        let p = ffi::mode::get_plane(self.0.as_fd(), id, Some(&mut formats))?;
        let (possible_crtcs, crtc, fb) = (p.possible_crtcs, p.crtc_id, p.fb_id);
        Ok(PlaneInfo { id, possible_crtcs, formats, crtc, fb })
    }

    fn properties(&self, kind: Object, id: Id) -> io::Result<Vec<Property>> {
        let (mut ids, mut values) = (Vec::new(), Vec::new());
        let (i, v) = (Some(&mut ids), Some(&mut values));
        ffi::mode::get_properties(self.0.as_fd(), id, Self::kind(kind), i, v)?;
        ids.iter().zip(&values).map(|(id, v)| self.property(*id, *v)).collect()
    }

    fn set_property(&self, kind: Object, id: Id, property: Id, value: u64) -> io::Result<()> {
        ffi::mode::set_property(self.0.as_fd(), property, id, Self::kind(kind), value)
    }

    fn universal_planes(&self) -> io::Result<()> {
        self.cap(ffi::DRM_CLIENT_CAP_UNIVERSAL_PLANES)
    }

    fn atomic(&self) -> io::Result<()> {
        self.cap(ffi::DRM_CLIENT_CAP_ATOMIC)
    }

    fn has_dumb(&self) -> io::Result<bool> {
        Ok(ffi::get_capability(self.0.as_fd(), ffi::DRM_CAP_DUMB_BUFFER.into())?.value != 0)
    }

    fn create_dumb(&self, (width, height): (u32, u32), bits: u32) -> io::Result<Dumb> {
        let d = ffi::mode::dumbbuffer::create(self.0.as_fd(), width, height, bits, 0)?;
        Ok(Dumb { handle: d.handle, pitch: d.pitch, size: d.size })
    }

    fn map_dumb(&self, dumb: &Dumb) -> io::Result<Memory> {
        let m = ffi::mode::dumbbuffer::map(self.0.as_fd(), dumb.handle, 0, 0)?;
        Memory::of(&self.0, m.offset, usize::try_from(dumb.size).map_err(io::Error::other)?)
    }

    fn destroy_dumb(&self, handle: Id) -> io::Result<()> {
        ffi::mode::dumbbuffer::destroy(self.0.as_fd(), handle).map(|_| ())
    }

    fn add_fb(&self, dumb: &Dumb, (width, height): (u32, u32), format: Fourcc) -> io::Result<Id> {
        let (handles, pitches) = ([dumb.handle, 0, 0, 0], [dumb.pitch, 0, 0, 0]);
        let none = ([0; 4], [0; 4]);
        let fd = self.0.as_fd();
        let fb =
            ffi::mode::add_fb2(fd, width, height, format, &handles, &pitches, &none.0, &none.1, 0)?;
        Ok(fb.fb_id)
    }

    fn rm_fb(&self, fb: Id) -> io::Result<()> {
        ffi::mode::rm_fb(self.0.as_fd(), fb)
    }

    fn create_blob(&self, bytes: &[u8]) -> io::Result<Id> {
        let mut bytes = bytes.to_vec();
        Ok(ffi::mode::create_property_blob(self.0.as_fd(), &mut bytes)?.blob_id)
    }

    fn destroy_blob(&self, blob: Id) -> io::Result<()> {
        ffi::mode::destroy_property_blob(self.0.as_fd(), blob).map(|_| ())
    }

    fn commit(&self, changes: &Changes, how: Commit) -> io::Result<()> {
        let bits = [
            (how.test, ffi::DRM_MODE_ATOMIC_TEST_ONLY),
            (how.nonblock, ffi::DRM_MODE_ATOMIC_NONBLOCK),
            (how.event, ffi::DRM_MODE_PAGE_FLIP_EVENT),
            (how.modeset, ffi::DRM_MODE_ATOMIC_ALLOW_MODESET),
        ];
        let flags = bits.iter().filter(|(on, _)| *on).map(|(_, bit)| bit).sum();
        // The kernel wants objects, a count of properties for each, then all properties.
        let mut all = changes.0.clone();
        all.sort_by_key(|(object, ..)| *object);
        let mut objects: Vec<u32> = all.iter().map(|(o, ..)| *o).collect();
        objects.dedup();
        let count = |o: &u32| all.iter().filter(|(p, ..)| p == o).count() as u32;
        let mut counts: Vec<u32> = objects.iter().map(count).collect();
        let mut properties: Vec<u32> = all.iter().map(|(_, p, _)| *p).collect();
        let mut values: Vec<u64> = all.iter().map(|(.., v)| *v).collect();
        let fd = self.0.as_fd();
        ffi::mode::atomic_commit(fd, flags, &mut objects, &mut counts, &mut properties, &mut values)
    }

    fn set_crtc(
        &self,
        crtc: Id,
        fb: Id,
        at: (u32, u32),
        connectors: &[Id],
        mode: Option<&Mode>,
    ) -> io::Result<()> {
        let mode = mode.map(mode_to);
        ffi::mode::set_crtc(self.0.as_fd(), crtc, fb, at.0, at.1, connectors, mode).map(|_| ())
    }

    fn page_flip(&self, crtc: Id, fb: Id) -> io::Result<()> {
        ffi::mode::page_flip(self.0.as_fd(), crtc, fb, ffi::DRM_MODE_PAGE_FLIP_EVENT, 0)
    }

    fn dirty_fb(&self, fb: Id, clips: &[Rect]) -> io::Result<()> {
        let side = |v: i32| v.clamp(0, u16::MAX.into()) as u16;
        let clip = |r: &Rect| ffi::drm_clip_rect {
            x1: side(r.x1),
            y1: side(r.y1),
            x2: side(r.x2),
            y2: side(r.y2),
        };
        let clips: Vec<_> = clips.iter().map(clip).collect();
        ffi::mode::dirty_fb(self.0.as_fd(), fb, &clips).map(|_| ())
    }

    fn set_master(&self) -> io::Result<()> {
        ffi::auth::acquire_master(self.0.as_fd())
    }

    fn drop_master(&self) -> io::Result<()> {
        ffi::auth::release_master(self.0.as_fd())
    }

    fn flips(&self) -> io::Result<Vec<Flip>> {
        let mut all = Vec::new();
        let mut bytes = [0u8; 1024];
        loop {
            match (&self.0).read(&mut bytes) {
                Ok(0) => return Ok(all),
                Ok(n) => parse(&bytes[..n], &mut all),
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return Ok(all),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
    }
}

/// `struct drm_event_vblank` of kind `DRM_EVENT_FLIP_COMPLETE`; others are passed over. The kernel
/// gives whole events only.
fn parse(mut bytes: &[u8], to: &mut Vec<Flip>) {
    const FLIP_COMPLETE: u32 = 2;
    let word = |b: &[u8], at: usize| {
        b.get(at..at + 4).and_then(|w| w.try_into().ok()).map_or(0, u32::from_ne_bytes)
    };
    while bytes.len() >= 8 {
        let len = (word(bytes, 4) as usize).clamp(8, bytes.len());
        let e = &bytes[..len];
        if word(e, 0) == FLIP_COMPLETE {
            let at = u64::from(word(e, 16)) * 1_000_000_000 + u64::from(word(e, 20)) * 1000;
            to.push(Flip { crtc: word(e, 28), at, sequence: word(e, 24) });
        }
        bytes = &bytes[len..];
    }
}

/// The cards of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemCards;

/// Where cards are.
const FOLDER: &str = "/dev/dri";

impl Cards for SystemCards {
    fn list(&self) -> Vec<PathBuf> {
        let Ok(dir) = std::fs::read_dir(FOLDER) else { return Vec::new() };
        let card = |e: std::fs::DirEntry| {
            let number = e.file_name().to_str()?.strip_prefix("card")?.parse::<u32>().ok()?;
            // Which device it is, not which number it got: those change from boot to boot.
            let device = format!("/sys/class/drm/card{number}/device");
            let device = std::fs::canonicalize(device).unwrap_or_default();
            Some((device, number, e.path()))
        };
        let mut all: Vec<_> = dir.flatten().filter_map(card).collect();
        all.sort();
        all.into_iter().map(|(.., path)| path).collect()
    }

    fn open(&self, node: &Path) -> io::Result<Box<dyn Kms>> {
        Ok(Box::new(Card::open(node)?))
    }

    fn holders(&self, node: &Path) -> Vec<String> {
        masters(node).filter(|m| !m.is_empty()).unwrap_or_else(|| users(node))
    }
}

/// From the kernel's own list, which root may read: `command tgid dev master a uid magic`.
fn masters(node: &Path) -> Option<Vec<String>> {
    let number = node.file_name()?.to_str()?.strip_prefix("card")?;
    let list = std::fs::read_to_string(format!("/sys/kernel/debug/dri/{number}/clients")).ok()?;
    Some(masters_of(&list, &std::process::id().to_string()))
}

fn masters_of(list: &str, own: &str) -> Vec<String> {
    let master = |l: &str| {
        let words: Vec<&str> = l.split_whitespace().collect();
        // A command may have blanks in it, and newer kernels have more columns at the end: the
        // master's column is the first that says y or n.
        let at = words.iter().position(|w| matches!(*w, "y" | "n"))?;
        let pid = *words.get(at.checked_sub(2)?)?;
        let name = words.get(..at - 2)?.join(" ");
        (words[at] == "y" && pid != own).then(|| format!("{name} (process {pid})"))
    };
    list.lines().filter_map(master).collect()
}

/// Processes that have the node open, of those that we may look at.
fn users(node: &Path) -> Vec<String> {
    let own = std::process::id().to_string();
    let Ok(all) = std::fs::read_dir("/proc") else { return Vec::new() };
    let user = |e: std::fs::DirEntry| {
        let pid = e.file_name().into_string().ok()?;
        if pid == own || !pid.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let open = std::fs::read_dir(e.path().join("fd")).ok()?;
        let is = |f: std::fs::DirEntry| std::fs::read_link(f.path()).is_ok_and(|l| l == node);
        let name = std::fs::read_to_string(e.path().join("comm")).unwrap_or_default();
        open.flatten().any(is).then(|| format!("{} (process {pid})", name.trim()))
    };
    all.flatten().filter_map(user).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_by_their_length() {
        let event = |kind: u32, extra: &[u8]| {
            let mut e = Vec::new();
            let len = 32 + extra.len() as u32;
            for w in [kind, len, 7, 0, 2, 500_000, 99, 41] {
                e.extend(w.to_ne_bytes());
            }
            e.extend(extra);
            e
        };
        let bytes = [event(2, &[]), event(1, &[]), event(2, &[0; 8])].concat();
        let mut flips = Vec::new();
        parse(&bytes, &mut flips);
        assert_eq!(flips, vec![Flip { crtc: 41, at: 2_500_000_000, sequence: 99 }; 2]);
        // What no kernel sends ends as well.
        parse(&[2, 0, 0, 0, 0, 0, 0, 0, 9], &mut flips);
    }

    #[test]
    fn the_master_is_found_in_the_kernels_list() {
        let list = "             command  tgid dev master a   uid      magic\n\
                    \x20     systemd-logind   501   0   n    y     0          0\n\
                    \x20        Xorg server  777   0   y    y  1000          1\n\
                    \x20             t1-app  778   0   y    y  1000          1\n";
        assert_eq!(masters_of(list, "778"), ["Xorg server (process 777)"]);
        assert_eq!(masters_of("", "1"), Vec::<String>::new());
    }

    #[test]
    fn the_blob_of_a_mode_is_the_kernels_structure() {
        let m = Mode {
            name: *b"800x480\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            ..Mode::plain(800, 480, 60, true)
        };
        assert_eq!(m.to_bytes().len(), size_of::<ffi::drm_mode_modeinfo>());
        assert_eq!(mode_from(&mode_to(&m)), m);
        let b = m.to_bytes();
        assert_eq!(b[4..6], 800u16.to_ne_bytes());
        assert_eq!(b[14..16], 480u16.to_ne_bytes());
        assert_eq!(&b[36..43], b"800x480");
    }
}
