//! One lit output: its buffers, and how a buffer gets onto the glass.

use rustix::io::Errno;
use std::io;
use std::rc::Rc;
use zinc_hal::{PixelBuffer, Slot};
use zinc_kms_core::{
    Changes, Commit, Dumb, Fourcc, Id, Kms, Layer, Object, Output, Plane, Rect, Saved, fourcc,
};
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
    pub(crate) output: Output,
    plane: Option<Plane>,
    pub(crate) plan: Plan,
    pub(crate) buffers: Vec<Buffer>,
    /// What the CRTC needs has been set; from now on frames only flip.
    pub(crate) is_lit: bool,
    /// Modesets that were made.
    pub(crate) modesets: u64,
    mode_blob: Id,
    /// Legacy: the driver flips.
    flips: bool,
}

impl Screen {
    /// Makes the buffers, black. Changes nothing of what is seen.
    pub(crate) fn new(
        kms: Rc<dyn Kms>,
        output: Output,
        plane: Option<Plane>,
        plan: Plan,
    ) -> Result<Self, Refused> {
        let mut s = Self {
            kms,
            output,
            plane,
            plan,
            buffers: Vec::new(),
            is_lit: false,
            modesets: 0,
            mode_blob: 0,
            flips: true,
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
        let (shape, size) = (self.plan.shape, self.output.mode.size());
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
    pub(crate) fn test(&mut self, saved: &Saved) -> Result<(), Refused> {
        if !self.plan.atomic {
            return Ok(());
        }
        let mut modeset = !self.output.is_set;
        loop {
            let first = self.first(0, saved, modeset).map_err(no("cannot prepare a mode on"))?;
            match self.kms.commit(&first, Commit { test: true, modeset, ..Commit::default() }) {
                Ok(()) => return Ok(()),
                // It is not the state that it seemed to be.
                Err(_) if !modeset => modeset = true,
                Err(e) => return Err(("cannot show a picture on", e)),
            }
            self.output.is_set = false;
        }
    }

    /// The whole state that this output needs: of connector, CRTC, our plane; and no other plane
    /// over it.
    fn first(&mut self, index: usize, saved: &Saved, modeset: bool) -> io::Result<Changes> {
        let mut changes = Changes::default();
        let (crtc, connector) = (self.output.crtc, self.output.connector.id);
        if modeset {
            if self.mode_blob == 0 {
                self.mode_blob = self.kms.create_blob(&self.output.mode.to_bytes())?;
            }
            let mode = self.mode_blob;
            for (name, value) in [("MODE_ID", mode.into()), ("ACTIVE", 1)] {
                if let Some(p) = saved.crtc_property(name) {
                    changes.set(crtc, p.id, value);
                }
            }
            if let Some(p) = saved.connector_property(connector, "CRTC_ID") {
                changes.set(connector, p.id, crtc.into());
            }
        }
        // Somebody's colours are not ours. What is neutral already is left alone: some drivers
        // take any change here for a modeset.
        for name in ["GAMMA_LUT", "DEGAMMA_LUT", "CTM"] {
            if let Some(p) = saved.crtc_property(name).filter(|p| p.value != 0) {
                changes.set(crtc, p.id, 0);
            }
        }
        let Some(plane) = &self.plane else { return Ok(changes) };
        saved.others(plane.id).for_each(|p| p.hide(&mut changes));
        let layer = Layer::whole(self.buffers[index].fb, self.output.mode.size());
        plane.show(crtc, &layer, &mut changes);
        Ok(changes)
    }

    /// Shows a buffer; `damage` (of the surface) is what differs from the one before.
    pub(crate) fn show(
        &mut self,
        index: usize,
        damage: &Region,
        saved: &Saved,
    ) -> io::Result<Shown> {
        if self.plan.atomic {
            self.commit(index, damage, saved)
        } else {
            self.legacy(index, damage)
        }
    }

    fn commit(&mut self, index: usize, damage: &Region, saved: &Saved) -> io::Result<Shown> {
        let flip = Commit { nonblock: true, event: true, ..Commit::default() };
        if self.is_lit {
            let mut changes = Changes::default();
            let Some(plane) = &self.plane else { return Err(io::Error::other("no plane")) };
            plane.flip(self.buffers[index].fb, &mut changes);
            let blob = self.damage_blob(damage);
            if let (Some(p), Some(b)) = (plane.property("FB_DAMAGE_CLIPS"), blob) {
                changes.set(plane.id, p.id, b.into());
            }
            let done = self.kms.commit(&changes, flip);
            if let Some(b) = blob {
                // The commit keeps what it needs of it.
                let _ = self.kms.destroy_blob(b);
            }
            return done.map(|()| Shown::Soon);
        }
        if self.output.is_set {
            let changes = self.first(index, saved, false)?;
            match self.kms.commit(&changes, flip) {
                Err(e) if e.raw_os_error() == Some(Errno::INVAL.raw_os_error()) => {
                    tracing::info!("kms: {} needs a modeset after all", self.output.connector.name);
                    self.output.is_set = false;
                }
                done => {
                    self.is_lit = done.is_ok();
                    return done.map(|()| Shown::Soon);
                }
            }
        }
        // Waiting: a card may be busy with the old mode, and there is no frame to be late with.
        let changes = self.first(index, saved, true)?;
        let how = Commit { event: true, modeset: true, ..Commit::default() };
        self.kms.commit(&changes, how)?;
        (self.is_lit, self.output.is_set) = (true, true);
        self.modesets += 1;
        Ok(Shown::Soon)
    }

    fn legacy(&mut self, index: usize, damage: &Region) -> io::Result<Shown> {
        let (fb, crtc) = (self.buffers[index].fb, self.output.crtc);
        if self.is_lit && self.flips {
            match self.kms.page_flip(crtc, fb) {
                Ok(()) => return Ok(Shown::Soon),
                Err(e) if is_unable(&e) => {
                    tracing::info!("kms: the driver does not flip ({e}): the clock paces");
                    self.flips = false;
                }
                Err(e) => return Err(e),
            }
        }
        let connectors = [self.output.connector.id];
        // The kernel itself sees whether this is another mode or only another picture.
        self.kms.set_crtc(crtc, fb, (0, 0), &connectors, Some(&self.output.mode))?;
        if self.is_lit {
            // A driver without flips may be one that sends what was written; others refuse this.
            let _ = self.kms.dirty_fb(fb, &self.clips(damage));
        } else {
            self.modesets += u64::from(!self.output.is_set);
            self.neutral();
        }
        (self.is_lit, self.output.is_set) = (true, true);
        Ok(Shown::Now)
    }

    /// Legacy: the plane's properties that another program may have left.
    fn neutral(&self) {
        let Some(plane) = &self.plane else { return };
        let mut changes = Changes::default();
        plane.show(self.output.crtc, &Layer::default(), &mut changes);
        for name in ["rotation", "alpha", "pixel blend mode"] {
            let Some(p) = plane.property(name) else { continue };
            let wanted = changes.0.iter().find(|(_, id, _)| *id == p.id).map(|c| c.2);
            if let Some(v) = wanted.filter(|v| *v != p.value) {
                // Refused, it is as the driver wants it.
                let _ = self.kms.set_property(Object::Plane, plane.id, p.id, v);
            }
        }
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
        if damage.is_empty() || !self.plane.as_ref()?.takes_damage() {
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
        (self.is_lit, self.output.is_set) = (false, false);
        self.buffers.iter_mut().for_each(|b| b.presented = 0);
    }

    /// Switches the output off: its screen is gone.
    pub(crate) fn off(&mut self, saved: &Saved) -> io::Result<()> {
        if !self.is_lit {
            return Ok(());
        }
        self.is_lit = false;
        let (crtc, connector) = (self.output.crtc, self.output.connector.id);
        let (true, Some(plane)) = (self.plan.atomic, &self.plane) else {
            return self.kms.set_crtc(crtc, 0, (0, 0), &[], None);
        };
        let mut changes = Changes::default();
        plane.hide(&mut changes);
        for name in ["ACTIVE", "MODE_ID"] {
            if let Some(p) = saved.crtc_property(name) {
                changes.set(crtc, p.id, 0);
            }
        }
        if let Some(p) = saved.connector_property(connector, "CRTC_ID") {
            changes.set(connector, p.id, 0);
        }
        self.kms.commit(&changes, Commit { modeset: true, ..Commit::default() })
    }
}

/// The driver cannot do this at all.
fn is_unable(e: &io::Error) -> bool {
    [Errno::NOSYS, Errno::INVAL, Errno::OPNOTSUPP, Errno::NOTTY]
        .iter()
        .any(|u| e.raw_os_error() == Some(u.raw_os_error()))
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.give_back(0);
        if self.mode_blob != 0 {
            let _ = self.kms.destroy_blob(self.mode_blob);
        }
    }
}
