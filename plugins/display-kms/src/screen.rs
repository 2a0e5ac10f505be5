//! What is lit, one output or several that show the same: its buffers, and how a buffer gets onto the glass.

use crate::find::is;
use crate::head::Head;
use rustix::io::Errno;
use std::io;
use std::rc::Rc;
use zinc_hal::{PixelBuffer, Placement, Slot};
use zinc_kms_core::{Changes, Commit, Dumb, Fourcc, Id, Kms, Plane, Rect, Saved, fourcc};
use zinc_scene::{IRect, PixelFormat, Region, Rotation, target_bytes};

/// A step that was refused: what was tried, and the answer.
pub(crate) type Refused = (&'static str, io::Error);

fn no(tried: &'static str) -> impl Fn(io::Error) -> Refused {
    move |e| (tried, e)
}

/// Formats that the store has and that planes read, in the order of preference.
pub(crate) const FORMATS: [(PixelFormat, Fourcc, &str); 2] = [
    (PixelFormat::Xrgb8888, fourcc(*b"XR24"), "XRGB8888"),
    (PixelFormat::Rgb565, fourcc(*b"RG16"), "RGB565"),
];

/// How a frame is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// From some vertical blank on; an event says so.
    Soon,
    /// It is; no event follows.
    Now,
}

pub(crate) struct Buffer {
    dumb: Dumb,
    fb: Id,
    /// `None` while it is out.
    pub(crate) memory: Option<Box<dyn PixelBuffer>>,
    /// Number of presents when this one was presented last; 0 is never.
    pub(crate) presented: u64,
}

/// What every slot has in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shape {
    /// Columns and rows of the surface.
    pub(crate) surface: (u32, u32),
    /// Where it is in the framebuffer, turned.
    pub(crate) at: IRect,
    pub(crate) format: PixelFormat,
    pub(crate) rotation: Rotation,
}

/// What a screen is made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) shape: Shape,
    pub(crate) fourcc: Fourcc,
    pub(crate) atomic: bool,
    pub(crate) buffers: usize,
}

pub(crate) struct Screen {
    kms: Rc<dyn Kms>,
    /// Outputs that show the same framebuffers; their modes have one size.
    pub(crate) heads: Vec<Head>,
    pub(crate) plan: Plan,
    pub(crate) buffers: Vec<Buffer>,
    /// What the CRTC needs has been set; from now on frames only flip.
    pub(crate) is_lit: bool,
    /// Modesets that were made.
    pub(crate) modesets: u64,
    /// Legacy: the driver flips.
    flips: bool,
    /// CRTCs whose event has not come yet.
    pending: Vec<Id>,
}

/// What was found of a head's CRTC.
fn of<'a>(saved: &'a [Saved], head: &Head) -> io::Result<&'a Saved> {
    let found = saved.iter().find(|s| s.crtc() == head.output.crtc);
    found.ok_or_else(|| io::Error::other("its state was never asked"))
}

impl Screen {
    /// Makes the buffers, black. Changes nothing of what is seen.
    pub(crate) fn new(kms: Rc<dyn Kms>, heads: Vec<Head>, plan: Plan) -> Result<Self, Refused> {
        let mut s = Self {
            kms,
            heads,
            plan,
            buffers: Vec::new(),
            is_lit: false,
            modesets: 0,
            flips: true,
            pending: Vec::new(),
        };
        for i in 0..plan.buffers {
            match s.add_buffer() {
                Ok(()) => {}
                // What was made before a refusal goes with `s`.
                Err(e) if i < 2 => return Err(e),
                Err((tried, e)) => {
                    // Memory that a screen controller can read may be small.
                    tracing::info!("kms: {i} buffers, no more ({tried} the card: {e})");
                    s.give_back(i);
                    break;
                }
            }
        }
        Ok(s)
    }

    /// Columns and rows of the framebuffers.
    fn size(&self) -> (u32, u32) {
        self.heads.first().map_or((0, 0), |h| h.output.mode.size())
    }

    /// Where the surface lies on the panel.
    pub(crate) fn placement(&self) -> Placement {
        let Shape { surface, at, rotation, .. } = self.plan.shape;
        Placement { panel: self.size(), at, rotation, surface }
    }

    /// Every head is fed in its mode already.
    pub(crate) fn is_set(&self) -> bool {
        self.heads.iter().all(|h| h.output.is_set)
    }

    fn set(&mut self, is_set: bool) {
        self.heads.iter_mut().for_each(|h| h.output.is_set = is_set);
    }

    /// Its outputs, for a person.
    pub(crate) fn names(&self) -> String {
        let names: Vec<&str> = self.heads.iter().map(|h| &*h.output.connector.name).collect();
        names.join("+")
    }

    /// A CRTC's event came; it was the last one of the flip.
    pub(crate) fn flipped(&mut self, crtc: Id) -> bool {
        // Old kernels do not say which one it was.
        let at = self.pending.iter().position(|p| *p == crtc || crtc == 0);
        at.is_some_and(|i| {
            self.pending.remove(i);
            self.pending.is_empty()
        })
    }

    /// Gives back buffers from this one on.
    fn give_back(&mut self, from: usize) {
        // Refused, the card is gone and all of it with it. What a slot still maps stays mapped.
        for b in self.buffers.drain(from..) {
            if b.fb != 0 {
                let _ = self.kms.rm_fb(b.fb);
            }
            let _ = self.kms.destroy_dumb(b.dumb.handle);
        }
    }

    fn add_buffer(&mut self) -> Result<(), Refused> {
        let (shape, size) = (self.plan.shape, self.size());
        let n = shape.format.bytes();
        let kms = &self.kms;
        let dumb =
            kms.create_dumb(size, n as u32 * 8).map_err(no("cannot make a dumb buffer on"))?;
        self.buffers.push(Buffer { dumb, fb: 0, memory: None, presented: 0 });
        let fb = kms.add_fb(&dumb, size, self.plan.fourcc);
        let fb = fb.map_err(no("cannot make a framebuffer on"))?;
        if let Some(b) = self.buffers.last_mut() {
            b.fb = fb;
        }
        let mut memory = kms.map_dumb(&dumb).map_err(no("cannot map a dumb buffer of"))?;
        let pitch = dumb.pitch as usize;
        let seen = target_bytes((size.0, size.1), pitch, shape.format);
        if seen.is_none_or(|s| s > memory.bytes().len()) {
            return Err(("cannot use a dumb buffer of", io::Error::other("it is too small")));
        }
        // The kernel gives zeros, which are black in both formats; not every old one did.
        let row = size.0 as usize * n;
        memory.bytes().chunks_mut(pitch).take(size.1 as usize).for_each(|r| r[..row].fill(0));
        let first = shape.at.y0 as usize * pitch + shape.at.x0 as usize * n;
        let part = (shape.at.width() as u32, shape.at.height() as u32);
        let inside = target_bytes(part, pitch, shape.format)
            .and_then(|len| memory.narrow(first..first + len));
        if inside.is_none() {
            return Err(("cannot use a dumb buffer of", io::Error::other("it is too small")));
        }
        if let Some(b) = self.buffers.last_mut() {
            b.memory = Some(Box::new(memory));
        }
        Ok(())
    }

    /// A buffer on loan, with how old it is after so many presents.
    pub(crate) fn lend(&mut self, index: usize, presents: u64, as_index: usize) -> Option<Slot> {
        let Shape { at, format, rotation, .. } = self.plan.shape;
        let b = self.buffers.get_mut(index)?;
        let age = if b.presented == 0 { 0 } else { (presents - b.presented + 1) as u32 };
        Some(Slot {
            index: as_index,
            age,
            width: at.width() as u32,
            height: at.height() as u32,
            pitch: b.dumb.pitch as usize,
            format,
            rotation,
            buffer: b.memory.take()?,
        })
    }

    /// Whether the card would take the first frame, without showing anything. Legacy calls cannot
    /// be asked.
    pub(crate) fn test(&mut self, saved: &[Saved]) -> Result<(), Refused> {
        if !self.plan.atomic {
            return Ok(());
        }
        let mut modeset = !self.is_set();
        loop {
            let first = self.first(0, saved, modeset).map_err(no("cannot prepare a mode on"))?;
            match self.kms.commit(&first, Commit { test: true, modeset, ..Commit::default() }) {
                Ok(()) => return Ok(()),
                // It is not the state that it seemed to be.
                Err(_) if !modeset => modeset = true,
                Err(e) => return Err(("cannot show a picture on", e)),
            }
            self.set(false);
        }
    }

    /// The whole state that all heads need.
    fn first(&mut self, index: usize, saved: &[Saved], modeset: bool) -> io::Result<Changes> {
        let mut changes = Changes::default();
        let fb = self.buffers[index].fb;
        for h in &mut self.heads {
            let saved = of(saved, h)?;
            h.light(&*self.kms, fb, saved, modeset, &mut changes)?;
        }
        Ok(changes)
    }

    /// Shows a buffer; `damage` (of the surface) is what differs from the one before.
    pub(crate) fn show(
        &mut self,
        index: usize,
        damage: &Region,
        saved: &[Saved],
    ) -> io::Result<Shown> {
        if self.plan.atomic {
            self.commit(index, damage, saved)?;
            self.pending = self.heads.iter().map(|h| h.output.crtc).collect();
            Ok(Shown::Soon)
        } else {
            self.legacy(index, damage)
        }
    }

    fn commit(&mut self, index: usize, damage: &Region, saved: &[Saved]) -> io::Result<()> {
        let flip = Commit { nonblock: true, event: true, ..Commit::default() };
        if self.is_lit {
            let mut changes = Changes::default();
            let blob = self.damage_blob(damage);
            for plane in self.heads.iter().filter_map(|h| h.plane.as_ref()) {
                plane.flip(self.buffers[index].fb, &mut changes);
                if let (Some(p), Some(b)) = (plane.property("FB_DAMAGE_CLIPS"), blob) {
                    changes.set(plane.id, p.id, b.into());
                }
            }
            let done = self.kms.commit(&changes, flip);
            if let Some(b) = blob {
                // The commit keeps what it needs of it.
                let _ = self.kms.destroy_blob(b);
            }
            return done;
        }
        if self.is_set() {
            let changes = self.first(index, saved, false)?;
            match self.kms.commit(&changes, flip) {
                Err(e) if is(&e, &[Errno::INVAL]) => {
                    tracing::info!("kms: {} needs a modeset after all", self.names());
                    self.set(false);
                }
                done => {
                    self.is_lit = done.is_ok();
                    return done;
                }
            }
        }
        // Waiting: a card may be busy with the old mode, and there is no frame to be late with.
        let changes = self.first(index, saved, true)?;
        let how = Commit { event: true, modeset: true, ..Commit::default() };
        self.kms.commit(&changes, how)?;
        self.is_lit = true;
        self.set(true);
        self.modesets += 1;
        Ok(())
    }

    fn legacy(&mut self, index: usize, damage: &Region) -> io::Result<Shown> {
        let fb = self.buffers[index].fb;
        if self.is_lit && self.flips {
            self.pending.clear();
            for (i, h) in self.heads.iter().enumerate() {
                match self.kms.page_flip(h.output.crtc, fb) {
                    Ok(()) => self.pending.push(h.output.crtc),
                    Err(e) if i == 0 && is_unable(&e) => {
                        tracing::info!("kms: the driver does not flip ({e}): the clock paces");
                        self.flips = false;
                        break;
                    }
                    Err(e) if i == 0 => return Err(e),
                    // The others follow the first; one that cannot now shows the next frame.
                    Err(_) => {}
                }
            }
            if self.flips {
                return Ok(Shown::Soon);
            }
        }
        for h in &self.heads {
            let (crtc, connectors) = (h.output.crtc, [h.output.connector.id]);
            // The kernel itself sees whether this is another mode or only another picture.
            self.kms.set_crtc(crtc, fb, (0, 0), &connectors, Some(&h.output.mode))?;
        }
        if self.is_lit {
            // A driver without flips may be one that sends what was written; others refuse this.
            let _ = self.kms.dirty_fb(fb, &self.clips(damage));
        } else {
            self.modesets += u64::from(!self.is_set());
            self.heads.iter().for_each(|h| h.neutral(&*self.kms));
        }
        self.is_lit = true;
        self.set(true);
        Ok(Shown::Now)
    }

    /// Boxes of the surface as boxes of the framebuffer.
    fn clips(&self, damage: &Region) -> Vec<Rect> {
        let Shape { at, rotation, surface, .. } = self.plan.shape;
        let clip = |r: &IRect| {
            let r = rotation.turn(*r, surface);
            let (x, y) = (at.x0, at.y0);
            Rect { x1: r.x0 + x, y1: r.y0 + y, x2: r.x1 + x, y2: r.y1 + y }
        };
        damage.rects().iter().map(clip).collect()
    }

    fn damage_blob(&self, damage: &Region) -> Option<Id> {
        let takes = |h: &Head| h.plane.as_ref().is_some_and(Plane::takes_damage);
        if damage.is_empty() || !self.heads.iter().any(takes) {
            return None;
        }
        let clips = self.clips(damage);
        let bytes: Vec<u8> = clips
            .iter()
            .flat_map(|r| [r.x1, r.y1, r.x2, r.y2])
            .flat_map(i32::to_ne_bytes)
            .collect();
        // Without it the driver sends all.
        self.kms.create_blob(&bytes).ok()
    }

    /// The next frame sets everything again, and every buffer's content is taken for lost.
    pub(crate) fn forget(&mut self) {
        self.is_lit = false;
        self.set(false);
        self.buffers.iter_mut().for_each(|b| b.presented = 0);
    }

    /// Switches all heads off: the screen is gone.
    pub(crate) fn off(&mut self, saved: &[Saved]) -> io::Result<()> {
        if !self.is_lit {
            return Ok(());
        }
        self.is_lit = false;
        if !self.plan.atomic {
            let mut all = self.heads.iter().map(|h| h.output.crtc);
            return all.try_for_each(|c| self.kms.set_crtc(c, 0, (0, 0), &[], None));
        }
        let mut changes = Changes::default();
        for h in &self.heads {
            h.darken(of(saved, h)?, &mut changes);
        }
        self.kms.commit(&changes, Commit { modeset: true, ..Commit::default() })
    }
}

/// The driver cannot do this at all.
fn is_unable(e: &io::Error) -> bool {
    is(e, &[Errno::NOSYS, Errno::INVAL, Errno::OPNOTSUPP, Errno::NOTTY])
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.give_back(0);
        self.heads.iter().for_each(|h| h.end(&*self.kms));
    }
}
