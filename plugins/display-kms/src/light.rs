//! From a card and its outputs to a screen that frames can be drawn for. Nothing is shown yet.

use crate::find::{self, Found};
use crate::head::Head;
use crate::screen::{FORMATS, Plan, Screen, Shape};
use crate::{Kmsd, LOOK, watch};
use std::rc::Rc;
use zinc_hal::{DisplayError, DisplayEvent};
use zinc_kms_core::{Id, Kms, Output, Plane, Saved, primary_plane};
use zinc_scene::{IRect, PixelFormat, Rotation};

impl Kmsd {
    /// Begins to use a card, and its screen if one is there.
    pub(crate) fn take(&mut self, found: Found) -> Result<(), DisplayError> {
        let Found { node, kms, driver, outputs } = found;
        (self.node, self.driver) = (node, driver);
        self.saved.clear();
        if let Some(fd) = kms.fd() {
            watch(&self.poll, fd, 0).map_err(|e| self.error(("cannot watch", e.into())))?;
        }
        // Without it only overlays are told, and legacy calls know the primary plane by themselves.
        let _ = kms.universal_planes();
        self.atomic = !self.o.legacy && kms.atomic().is_ok();
        self.kms = Some(kms);
        match outputs.is_empty() {
            false => self.light(outputs),
            true => {
                self.info.description = format!(
                    "{} ({}): no screen is connected; waiting for one",
                    self.node.display(),
                    self.driver
                );
                self.next_look = Some(self.now() + LOOK);
                Ok(())
            }
        }
    }

    /// Makes ready to show on outputs: on the first, and the same on the others.
    pub(crate) fn light(&mut self, outputs: Vec<Output>) -> Result<(), DisplayError> {
        let Some(kms) = self.kms.clone() else { return Ok(()) };
        if !kms.has_dumb().unwrap_or(true) {
            let node = self.node.display();
            return Err(DisplayError::Unsupported(format!("{node} has no dumb buffers")));
        }
        let system = |k: &Self, tried| {
            let node = k.node.clone();
            move |e| find::refused(tried, &node, e)
        };
        let (mut heads, mut reads): (Vec<(Output, Option<Plane>)>, _) = (Vec::new(), None);
        for output in outputs {
            let taken: Vec<Id> = heads.iter().flat_map(|h| &h.1).map(|p| p.id).collect();
            let primary = primary_plane(&*kms, &output, &taken)
                .map_err(|e| DisplayError::Unsupported(format!("{}: {e}", self.node.display())))?;
            let mut plane = None;
            match primary {
                Some((id, formats)) => {
                    let read = Plane::read(&*kms, id);
                    plane = Some(read.map_err(system(self, "cannot ask a plane of"))?);
                    // All heads read the same framebuffers.
                    let both = |all: Vec<u32>| all.into_iter().filter(|f| formats.contains(f));
                    reads = Some(reads.map_or(formats.clone(), |r| both(r).collect()));
                }
                None if self.atomic && heads.is_empty() => {
                    let (node, name) = (self.node.display(), &output.connector.name);
                    let text = format!("{node}: no primary plane can feed {name}");
                    return Err(DisplayError::Unsupported(text));
                }
                None if self.atomic => {
                    tracing::info!("kms: no primary plane is left for {}", output.connector.name);
                    continue;
                }
                None => {}
            }
            let crtc = output.crtc;
            if !self.saved.iter().any(|s| s.crtc() == crtc) {
                let ours: Vec<Id> = plane.iter().map(|p| p.id).collect();
                let saved = Saved::read(&*kms, crtc, &ours)
                    .map_err(system(self, "cannot ask the state of"))?;
                self.saved.push(saved);
            }
            heads.push((output, plane));
        }
        let Some(output) = heads.first().map(|h| h.0.clone()) else { return Ok(()) };
        let wanted = |f: &&(PixelFormat, u32, &str)| {
            self.o.format.is_none_or(|w| w == f.0)
                && reads.as_ref().is_none_or(|r| r.contains(&f.1))
        };
        let candidates: Vec<_> = FORMATS.iter().filter(wanted).collect();
        if candidates.is_empty() {
            let format = self.o.format.map_or("known format".to_owned(), |f| format!("{f:?}"));
            let text = format!("{}: its plane reads no {format}", self.node.display());
            return Err(DisplayError::Unsupported(text));
        }
        let (atomic, buffers) = (self.atomic, self.o.buffers);
        let (mode, mut why, mut made) = (output.mode, None, None);
        for (format, fourcc, name) in candidates {
            let shape = self.shape(&output, *format)?;
            let plan = Plan { shape, fourcc: *fourcc, atomic, buffers };
            // Without a list of a plane's formats only the answer tells.
            match self.ready(kms.clone(), &heads, plan) {
                Ok(screen) => {
                    made = Some((screen, shape, *name));
                    break;
                }
                Err(e) => why = why.or(Some(e)),
            }
        }
        let Some((screen, shape, name)) = made else {
            return Err(why.unwrap_or_else(|| DisplayError::Lost(self.node.display().to_string())));
        };
        let old = (self.info.width, self.info.height);
        self.info.description = self.describe(&screen, name);
        (self.info.width, self.info.height) = shape.surface;
        self.info.frame_ns = mode.frame_ns();
        self.frames.begin(screen.buffers.len());
        self.screen = Some(screen);
        self.next_look = None;
        if old != shape.surface {
            let (width, height) = shape.surface;
            self.news.push(DisplayEvent::Resized { width, height, scale: self.o.scale });
        }
        Ok(())
    }

    /// A screen in one format that the card says it will take.
    fn ready(
        &self,
        kms: Rc<dyn Kms>,
        heads: &[(Output, Option<Plane>)],
        plan: Plan,
    ) -> Result<Screen, DisplayError> {
        let heads = heads.iter().map(|(o, p)| Head::new(o.clone(), p.clone())).collect();
        let mut screen = Screen::new(kms, heads, plan).map_err(|e| self.error(e))?;
        screen.test(&self.saved).map_err(|e| self.error(e))?;
        Ok(screen)
    }

    /// Where the surface is on the screen: in its middle.
    fn shape(&self, output: &Output, format: PixelFormat) -> Result<Shape, DisplayError> {
        let (mode, rotation) = (output.mode.size(), self.o.rotation);
        let surface = self.o.size.unwrap_or(rotation.size(mode));
        let (w, h) = rotation.size(surface);
        if w > mode.0 || h > mode.1 {
            return Err(DisplayError::Unsupported(format!(
                "{}: a surface of {}x{} does not fit {} in the mode {}; ask for another size or mode",
                self.node.display(),
                surface.0,
                surface.1,
                output.connector.name,
                output.mode
            )));
        }
        let (x, y) = (((mode.0 - w) / 2) as i32, ((mode.1 - h) / 2) as i32);
        let at = IRect::new(x, y, x + w as i32, y + h as i32);
        Ok(Shape { surface, at, format, rotation })
    }

    fn describe(&self, screen: &Screen, format: &str) -> String {
        let (node, driver) = (self.node.display(), &self.driver);
        let shape = screen.plan.shape;
        let way = if screen.plan.atomic { "atomic" } else { "legacy" };
        let turn = match shape.rotation {
            Rotation::Deg0 => "",
            Rotation::Deg90 => ", turned by 90 degrees",
            Rotation::Deg180 => ", turned by 180 degrees",
            Rotation::Deg270 => ", turned by 270 degrees",
        };
        let mode = screen.heads.first().map(|h| h.output.mode).unwrap_or_default();
        let placed = if shape.surface == shape.rotation.size(mode.size()) {
            String::new()
        } else {
            format!(", showing {}x{}", shape.surface.0, shape.surface.1)
        };
        let kept = if screen.is_set() { ", already set" } else { "" };
        format!(
            "{node} ({driver}) {} {mode}{kept}, {format}, {} buffers, {way}{turn}{placed}",
            screen.names(),
            screen.buffers.len()
        )
    }
}
