//! A card that a test scripts: it behaves as an atomic driver does, remembers every call, and
//! refuses, delays and changes as it is told. Vertical blanks come when the test says so.

mod card;

use crate::{
    Cards, Changes, Commit, Connector, Crtc, Encoder, Flip, Fourcc, Id, Kms, Mode, Object,
};
use crate::{PlaneInfo, Property, Rect, fourcc};
use std::cell::{Ref, RefCell, RefMut};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What was asked of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// Something was read; the call's name.
    Read(&'static str),
    /// A property was set by itself.
    SetProperty(Id, Id, u64),
    /// Memory of columns, rows, bits.
    CreateDumb(u32, u32, u32),
    /// Memory was mapped.
    MapDumb(Id),
    /// Memory was given back.
    DestroyDumb(Id),
    /// A framebuffer was made.
    AddFb(Id, Fourcc),
    /// A framebuffer was given back.
    RmFb(Id),
    /// Bytes were kept.
    CreateBlob(Vec<u8>),
    /// Bytes were given back.
    DestroyBlob(Id),
    /// An atomic commit.
    Commit(Changes, Commit),
    /// Legacy: CRTC, framebuffer, connectors, mode.
    SetCrtc(Id, Id, Vec<Id>, Option<Mode>),
    /// Legacy: CRTC, framebuffer.
    PageFlip(Id, Id),
    /// Legacy: boxes were written.
    DirtyFb(Id, Vec<Rect>),
    /// To be master.
    SetMaster,
    /// To be master no more.
    DropMaster,
}

/// What a kind of plane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The lowest.
    Primary,
    /// Above it.
    Overlay,
    /// A pointer.
    Cursor,
}

/// Says the errno with which a call is refused, or `None`.
pub type Refuse = Box<dyn FnMut(&Call) -> Option<i32>>;

/// A card's state; a test may look at and change all of it.
pub struct State {
    /// The driver's name.
    pub driver: String,
    /// EOPNOTSUPP for everything about outputs, as a card that only draws.
    pub without_outputs: bool,
    /// It has atomic commits.
    pub has_atomic: bool,
    /// In the kernel's order.
    pub connectors: Vec<Connector>,
    /// By their number.
    pub encoders: BTreeMap<Id, Encoder>,
    /// In the order of `possible_crtcs`.
    pub crtcs: Vec<(Id, Crtc)>,
    /// In the kernel's order.
    pub planes: Vec<PlaneInfo>,
    /// Of each object.
    pub properties: BTreeMap<Id, Vec<Property>>,
    /// Kept bytes.
    pub blobs: BTreeMap<Id, Vec<u8>>,
    /// Framebuffers: handle of the memory, size, format.
    pub fbs: BTreeMap<Id, (Id, (u32, u32), Fourcc)>,
    /// Memory.
    pub dumbs: BTreeMap<Id, File>,
    /// Bytes by which rows are longer than their pixels.
    pub gap: u32,
    /// Who holds it is us.
    pub is_master: bool,
    /// Every call, in order.
    pub log: Vec<Call>,
    /// What is refused.
    pub refuse: Refuse,
    /// Vertical blanks that a flip takes beyond the next one.
    pub delay: u32,
    /// Flips under way: CRTC, blanks to go.
    pending: Vec<(Id, u32)>,
    events: Vec<Flip>,
    /// Vertical blanks so far.
    pub sequence: u32,
    wants_atomic: bool,
    next: Id,
}

/// A card; clones are the same one.
#[derive(Clone)]
pub struct Mock(Rc<RefCell<State>>);

/// What lies in memory that nobody has written.
pub const UNTOUCHED: u8 = 0xA5;
/// Reads XRGB8888 and RGB565.
pub const FORMATS: [Fourcc; 2] = [fourcc(*b"XR24"), fourcc(*b"RG16")];

impl Mock {
    /// Without outputs yet.
    pub fn new(driver: &str) -> Self {
        Self(Rc::new(RefCell::new(State {
            driver: driver.to_owned(),
            without_outputs: false,
            has_atomic: true,
            connectors: Vec::new(),
            encoders: BTreeMap::new(),
            crtcs: Vec::new(),
            planes: Vec::new(),
            properties: BTreeMap::new(),
            blobs: BTreeMap::new(),
            fbs: BTreeMap::new(),
            dumbs: BTreeMap::new(),
            gap: 64,
            is_master: false,
            log: Vec::new(),
            refuse: Box::new(|_| None),
            delay: 0,
            pending: Vec::new(),
            events: Vec::new(),
            sequence: 0,
            wants_atomic: false,
            next: 30,
        })))
    }

    /// With one CRTC, its primary plane, and one connector with these modes.
    pub fn simple(driver: &str, connector: &str, connected: bool, modes: &[Mode]) -> Self {
        let m = Self::new(driver);
        m.add_crtc();
        m.add_plane(Kind::Primary, 1);
        m.add_connector(connector, connected, modes, 1);
        m
    }

    /// Its state.
    pub fn state(&self) -> Ref<'_, State> {
        self.0.borrow()
    }

    /// Its state, to change it.
    pub fn state_mut(&self) -> RefMut<'_, State> {
        self.0.borrow_mut()
    }

    /// Another CRTC, dark.
    pub fn add_crtc(&self) -> Id {
        let mut s = self.state_mut();
        let id = s.number();
        let blob = |s: &mut State, name: &str| s.property(name, 0);
        let all = ["MODE_ID", "GAMMA_LUT", "OUT_FENCE_PTR"].map(|n| blob(&mut s, n));
        let mut active = s.property("ACTIVE", 0);
        active.range = Some((0, 1));
        s.properties.insert(id, [all.to_vec(), vec![active]].concat());
        s.crtcs.push((id, Crtc { gamma: 256, ..Crtc::default() }));
        id
    }

    /// Another plane, possible on these CRTCs.
    pub fn add_plane(&self, kind: Kind, possible_crtcs: u32) -> Id {
        let mut s = self.state_mut();
        let id = s.number();
        let named = |s: &mut State, name: &str, value: u64, names: &[(u64, &str)]| {
            let mut p = s.property(name, value);
            p.names = names.iter().map(|(v, n)| (*v, (*n).to_owned())).collect();
            p
        };
        let kinds = [(0, "Overlay"), (1, "Primary"), (2, "Cursor")];
        let value = [Kind::Overlay, Kind::Primary, Kind::Cursor].iter().position(|k| *k == kind);
        let mut of = named(&mut s, "type", value.unwrap_or(0) as u64, &kinds);
        of.fixed = true;
        let turns = [(0, "rotate-0"), (1, "rotate-90"), (2, "rotate-180"), (3, "rotate-270")];
        let blends = [(0, "None"), (1, "Pre-multiplied"), (2, "Coverage")];
        let mut all = vec![
            of,
            named(&mut s, "rotation", 1, &turns),
            named(&mut s, "pixel blend mode", 1, &blends),
        ];
        for (name, value, range) in [("alpha", 0xFFFF, (0, 0xFFFF)), ("zpos", 0, (0, 7))] {
            let mut p = s.property(name, value);
            p.range = Some(range);
            all.push(p);
        }
        let plain = [
            "FB_ID",
            "CRTC_ID",
            "SRC_X",
            "SRC_Y",
            "SRC_W",
            "SRC_H",
            "CRTC_X",
            "CRTC_Y",
            "CRTC_W",
            "CRTC_H",
            "FB_DAMAGE_CLIPS",
        ];
        all.extend(plain.map(|n| s.property(n, 0)));
        s.properties.insert(id, all);
        let formats = FORMATS.to_vec();
        s.planes.push(PlaneInfo { id, possible_crtcs, formats, crtc: 0, fb: 0 });
        id
    }

    /// Another connector, which these CRTCs can feed.
    pub fn add_connector(&self, name: &str, connected: bool, modes: &[Mode], crtcs: u32) -> Id {
        let mut s = self.state_mut();
        let (id, encoder) = (s.number(), s.number());
        s.encoders.insert(encoder, Encoder { crtc: 0, possible_crtcs: crtcs });
        let (feeds, mut link) = (s.property("CRTC_ID", 0), s.property("link-status", 0));
        link.names = vec![(0, "Good".to_owned()), (1, "Bad".to_owned())];
        s.properties.insert(id, vec![feeds, link]);
        let (name, modes, encoders) = (name.to_owned(), modes.to_vec(), vec![encoder]);
        s.connectors.push(Connector {
            id,
            name,
            connected,
            writeback: false,
            modes,
            encoders,
            encoder: 0,
        });
        id
    }

    /// Somebody's console is on an output: a mode and a picture.
    pub fn light(&self, crtc: Id, connector: Id, plane: Id, mode: Mode) -> Id {
        let mut s = self.state_mut();
        let (fb, blob) = (s.number(), s.number());
        s.fbs.insert(fb, (0, mode.size(), FORMATS[0]));
        s.blobs.insert(blob, mode.to_bytes());
        let (w, h) = mode.size();
        let (w, h) = (u64::from(w), u64::from(h));
        let values = [
            (crtc, "MODE_ID", blob.into()),
            (crtc, "ACTIVE", 1),
            (connector, "CRTC_ID", crtc.into()),
            (plane, "CRTC_ID", crtc.into()),
            (plane, "FB_ID", fb.into()),
            (plane, "SRC_W", w << 16),
            (plane, "SRC_H", h << 16),
            (plane, "CRTC_W", w),
            (plane, "CRTC_H", h),
        ];
        for (id, name, v) in values {
            let p = s.id_of(id, name);
            s.apply(id, p, v);
        }
        fb
    }

    /// A property's value.
    pub fn value(&self, object: Id, name: &str) -> Option<u64> {
        let s = self.state();
        s.properties.get(&object)?.iter().find(|p| p.name == name).map(|p| p.value)
    }

    /// Somebody sets a property.
    ///
    /// # Panics
    /// When the object has none of this name.
    pub fn set_value(&self, object: Id, name: &str, value: u64) {
        let mut s = self.state_mut();
        let id = s.id_of(object, name);
        s.apply(object, id, value);
    }

    /// All that a person could see, and what the next program finds: to be compared.
    pub fn picture(&self) -> Vec<(Id, String, u64)> {
        let s = self.state();
        let mut all = Vec::new();
        for (id, properties) in &s.properties {
            for p in properties {
                // A blob's number may be another one for the same mode.
                let value = if p.name == "MODE_ID" {
                    let mode = s.crtcs.iter().find(|c| c.0 == *id).and_then(|c| c.1.mode);
                    mode.map_or(0, |m| u64::from(m.clock) << 32 | u64::from(m.hdisplay))
                } else {
                    p.value
                };
                all.push((*id, p.name.clone(), value));
            }
        }
        all
    }

    /// Plugs a connector in, or out.
    pub fn plug(&self, name: &str, connected: bool) {
        let mut s = self.state_mut();
        if let Some(c) = s.connectors.iter_mut().find(|c| c.name == name) {
            c.connected = connected;
        }
    }

    /// A vertical blank.
    pub fn blank(&self) {
        self.state_mut().blank();
    }

    /// The flip under way on one CRTC takes so many blanks beyond the next.
    pub fn delay_of(&self, crtc: Id, blanks: u32) {
        let mut s = self.state_mut();
        s.pending.iter_mut().filter(|p| p.0 == crtc).for_each(|p| p.1 = blanks);
    }

    /// A flip is under way.
    pub fn is_pending(&self) -> bool {
        !self.state().pending.is_empty()
    }

    /// The content of a framebuffer's memory, with its gaps.
    ///
    /// # Panics
    /// When there is no such framebuffer.
    pub fn pixels(&self, fb: Id) -> Vec<u8> {
        use std::os::unix::fs::FileExt;
        let s = self.state();
        let file = s.fbs.get(&fb).and_then(|f| s.dumbs.get(&f.0)).expect("a framebuffer");
        let len = file.metadata().expect("a file has a length").len();
        let mut bytes = vec![0; len as usize];
        file.read_exact_at(&mut bytes, 0).expect("memory can be read");
        bytes
    }

    /// Commits so far that were not only tests.
    pub fn commits(&self) -> Vec<(Changes, Commit)> {
        let is = |c: &Call| match c {
            Call::Commit(changes, how) if !how.test => Some((changes.clone(), *how)),
            _ => None,
        };
        self.state().log.iter().filter_map(is).collect()
    }
}

impl State {
    fn number(&mut self) -> Id {
        self.next += 1;
        self.next
    }

    fn property(&mut self, name: &str, value: u64) -> Property {
        Property { id: self.number(), name: name.to_owned(), value, ..Property::default() }
    }

    /// The number of a property.
    ///
    /// # Panics
    /// When there is none.
    pub fn id_of(&self, object: Id, name: &str) -> Id {
        let of = self.properties.get(&object).and_then(|all| all.iter().find(|p| p.name == name));
        of.map(|p| p.id).expect("the object has the property")
    }

    fn blank(&mut self) {
        self.sequence += 1;
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        let at = now.tv_sec.unsigned_abs() * 1_000_000_000 + now.tv_nsec.unsigned_abs();
        for (crtc, left) in std::mem::take(&mut self.pending) {
            match left.checked_sub(1) {
                Some(left) => self.pending.push((crtc, left)),
                None => self.events.push(Flip { crtc, at, sequence: self.sequence }),
            }
        }
    }

    /// One value, with all that follows from it.
    fn apply(&mut self, object: Id, property: Id, value: u64) {
        let Some(p) = self
            .properties
            .get_mut(&object)
            .and_then(|all| all.iter_mut().find(|p| p.id == property))
        else {
            return;
        };
        // These are forgotten with the commit.
        p.value = if p.name == "FB_DAMAGE_CLIPS" { 0 } else { value };
        let name = p.name.clone();
        let id = value as Id;
        if let Some(i) = self.crtcs.iter().position(|c| c.0 == object) {
            if name == "MODE_ID" {
                self.crtcs[i].1.mode = self.mode_of(id);
            }
        } else if let Some(i) = self.connectors.iter().position(|c| c.id == object) {
            let encoder = self.connectors[i].encoders[0];
            if let (Some(e), "CRTC_ID") = (self.encoders.get_mut(&encoder), &*name) {
                e.crtc = id;
                self.connectors[i].encoder = if id == 0 { 0 } else { encoder };
            }
        } else if let Some(i) = self.planes.iter().position(|p| p.id == object) {
            match &*name {
                "FB_ID" => self.planes[i].fb = id,
                "CRTC_ID" => self.planes[i].crtc = id,
                _ => return,
            }
            let (crtc, fb) = (self.planes[i].crtc, self.planes[i].fb);
            if self.is_primary(object)
                && let Some(c) = self.crtcs.iter_mut().find(|c| c.0 == crtc)
            {
                c.1.fb = fb;
            }
        }
    }

    fn is_primary(&self, plane: Id) -> bool {
        let of = self.properties.get(&plane).and_then(|all| all.iter().find(|p| p.name == "type"));
        of.is_some_and(|p| p.value == 1)
    }

    fn mode_of(&self, blob: Id) -> Option<Mode> {
        let bytes = self.blobs.get(&blob)?;
        let all = self.connectors.iter().flat_map(|c| &c.modes);
        all.copied().find(|m| m.to_bytes() == *bytes)
    }
}

/// Cards by their nodes. A test puts them there, and may take them away.
#[derive(Clone, Default)]
pub struct MockCards(Rc<RefCell<Folder>>);

#[derive(Default)]
struct Folder {
    cards: Vec<(PathBuf, Mock)>,
    /// The errno of opening, by node.
    closed: BTreeMap<PathBuf, i32>,
    holders: Vec<String>,
}

impl MockCards {
    /// These cards, as card0 and so on.
    pub fn of(cards: &[&Mock]) -> Self {
        let all = Self::default();
        for (i, c) in cards.iter().enumerate() {
            all.put(&format!("/dev/dri/card{i}"), c);
        }
        all
    }

    /// A node appears.
    pub fn put(&self, node: &str, card: &Mock) {
        self.0.borrow_mut().cards.push((node.into(), card.clone()));
    }

    /// All nodes vanish.
    pub fn clear(&self) {
        self.0.borrow_mut().cards.clear();
    }

    /// A node cannot be opened, with this errno; 0: it can.
    pub fn close(&self, node: &str, errno: i32) {
        self.0.borrow_mut().closed.insert(node.into(), errno);
    }

    /// Who else has the cards.
    pub fn set_holders(&self, who: &[&str]) {
        self.0.borrow_mut().holders = who.iter().map(|w| (*w).to_owned()).collect();
    }
}

impl Cards for MockCards {
    fn list(&self) -> Vec<PathBuf> {
        self.0.borrow().cards.iter().map(|c| c.0.clone()).collect()
    }

    fn open(&self, node: &Path) -> io::Result<Box<dyn Kms>> {
        let all = self.0.borrow();
        match all.closed.get(node).copied().unwrap_or(0) {
            0 => {}
            errno => return Err(io::Error::from_raw_os_error(errno)),
        }
        let card = all.cards.iter().find(|c| c.0 == node);
        let card = card.ok_or_else(|| io::Error::from_raw_os_error(2))?;
        Ok(Box::new(card.1.clone()))
    }

    fn holders(&self, _: &Path) -> Vec<String> {
        self.0.borrow().holders.clone()
    }
}

/// Objects of one kind.
fn kind_of(s: &State, id: Id) -> Option<Object> {
    if s.crtcs.iter().any(|c| c.0 == id) {
        return Some(Object::Crtc);
    }
    if s.connectors.iter().any(|c| c.id == id) {
        return Some(Object::Connector);
    }
    s.planes.iter().any(|p| p.id == id).then_some(Object::Plane)
}
