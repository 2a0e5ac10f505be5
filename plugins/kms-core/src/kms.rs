//! What drivers ask of a card: the kernel answers, or a test.

use crate::{
    Changes, Connector, Crtc, Dumb, Encoder, Flip, Fourcc, Id, Memory, Mode, Object, PlaneInfo,
    Property, Rect, Resources,
};
use std::io;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};

/// How a commit is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Commit {
    /// Only says whether it would do.
    pub test: bool,
    /// Returns before it is done.
    pub nonblock: bool,
    /// Sends an event when it is done.
    pub event: bool,
    /// May switch screens on, off, or to another mode, which can blank them for seconds.
    pub modeset: bool,
}

/// A card. Every call's error is the system's answer.
#[expect(clippy::missing_errors_doc, reason = "said above, once for all")]
pub trait Kms {
    /// Readable when there are flips to take; `None` of one that has no descriptor.
    fn fd(&self) -> Option<BorrowedFd<'_>>;
    /// Name of the kernel's driver, as `vc4`.
    fn driver(&self) -> io::Result<String>;
    /// Connectors and CRTCs. A card without outputs answers EOPNOTSUPP.
    fn resources(&self) -> io::Result<Resources>;
    /// A connector; with `probe` the screen itself is asked, which can take tens of milliseconds.
    fn connector(&self, id: Id, probe: bool) -> io::Result<Connector>;
    /// An encoder.
    fn encoder(&self, id: Id) -> io::Result<Encoder>;
    /// A CRTC.
    fn crtc(&self, id: Id) -> io::Result<Crtc>;
    /// All planes; only overlays before `universal_planes`.
    fn planes(&self) -> io::Result<Vec<Id>>;
    /// A plane.
    fn plane(&self, id: Id) -> io::Result<PlaneInfo>;
    /// Properties of an object, in the kernel's order.
    fn properties(&self, kind: Object, id: Id) -> io::Result<Vec<Property>>;
    /// Sets one property at once, without a commit.
    fn set_property(&self, kind: Object, id: Id, property: Id, value: u64) -> io::Result<()>;
    /// Asks for primary and cursor planes as well.
    fn universal_planes(&self) -> io::Result<()>;
    /// Asks for atomic commits; EOPNOTSUPP where the driver has none.
    fn atomic(&self) -> io::Result<()>;
    /// The card has dumb buffers.
    fn has_dumb(&self) -> io::Result<bool>;
    /// Memory for so many pixels of `bits` bits.
    fn create_dumb(&self, size: (u32, u32), bits: u32) -> io::Result<Dumb>;
    /// Its bytes.
    fn map_dumb(&self, dumb: &Dumb) -> io::Result<Memory>;
    /// Gives it back. What is mapped stays mapped.
    fn destroy_dumb(&self, handle: Id) -> io::Result<()>;
    /// A framebuffer of it.
    fn add_fb(&self, dumb: &Dumb, size: (u32, u32), format: Fourcc) -> io::Result<Id>;
    /// Takes it off whatever shows it.
    fn rm_fb(&self, fb: Id) -> io::Result<()>;
    /// Keeps bytes for a property that wants a blob's number.
    fn create_blob(&self, bytes: &[u8]) -> io::Result<Id>;
    /// Gives it back; who uses it keeps it.
    fn destroy_blob(&self, blob: Id) -> io::Result<()>;
    /// An atomic commit.
    fn commit(&self, changes: &Changes, how: Commit) -> io::Result<()>;
    /// Legacy: mode and framebuffer of a CRTC, or all of it off. Waits until it is done.
    fn set_crtc(
        &self,
        crtc: Id,
        fb: Id,
        at: (u32, u32),
        connectors: &[Id],
        mode: Option<&Mode>,
    ) -> io::Result<()>;
    /// Legacy: shows another framebuffer of the same shape, with an event.
    fn page_flip(&self, crtc: Id, fb: Id) -> io::Result<()>;
    /// Legacy: these boxes were written.
    fn dirty_fb(&self, fb: Id, clips: &[Rect]) -> io::Result<()>;
    /// Becomes the one who may change the card. EBUSY or EACCES while somebody else is.
    fn set_master(&self) -> io::Result<()>;
    /// Lets somebody else be it.
    fn drop_master(&self) -> io::Result<()>;
    /// Flips since the last call. Never waits.
    fn flips(&self) -> io::Result<Vec<Flip>>;
}

/// The cards of a system.
#[expect(clippy::missing_errors_doc, reason = "the system's answer")]
pub trait Cards {
    /// Nodes that are there now, in a stable order.
    fn list(&self) -> Vec<PathBuf>;
    /// Opens one.
    fn open(&self, node: &Path) -> io::Result<Box<dyn Kms>>;
    /// Who else has it open, and may be its master; for a message.
    fn holders(&self, node: &Path) -> Vec<String>;
}
