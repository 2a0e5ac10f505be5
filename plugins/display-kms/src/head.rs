//! One output of a screen: connector, CRTC and plane, and the changes that light it and darken it.

use std::io;
use zinc_kms_core::{Changes, Id, Kms, Layer, Object, Output, Plane, Saved};

/// A connector's property that says whether the mode reaches the screen.
const LINK: &str = "link-status";

pub(crate) struct Head {
    pub(crate) output: Output,
    /// Legacy calls know it by themselves.
    pub(crate) plane: Option<Plane>,
    mode_blob: Id,
}

impl Head {
    pub(crate) fn new(output: Output, plane: Option<Plane>) -> Self {
        Self { output, plane, mode_blob: 0 }
    }

    /// The whole state that this output needs: of connector, CRTC, our plane; and no other plane
    /// over it.
    pub(crate) fn light(
        &mut self,
        kms: &dyn Kms,
        fb: Id,
        saved: &Saved,
        modeset: bool,
        to: &mut Changes,
    ) -> io::Result<()> {
        let (crtc, connector) = (self.output.crtc, self.output.connector.id);
        if modeset {
            if self.mode_blob == 0 {
                self.mode_blob = kms.create_blob(&self.output.mode.to_bytes())?;
            }
            let mode = self.mode_blob;
            for (name, value) in [("MODE_ID", mode.into()), ("ACTIVE", 1)] {
                if let Some(p) = saved.crtc_property(name) {
                    to.set(crtc, p.id, value);
                }
            }
            if let Some(p) = saved.connector_property(connector, "CRTC_ID") {
                to.set(connector, p.id, crtc.into());
            }
            let link = saved.connector_property(connector, LINK);
            if let Some((p, good)) = link.and_then(|p| Some((p, p.named("Good")?))) {
                to.set(connector, p.id, good);
            }
        }
        // Somebody's colours are not ours. What is neutral already is left alone: some drivers
        // take any change here for a modeset. Another session may have left other things than were
        // found at first, so it is asked now.
        let now = kms.properties(Object::Crtc, crtc)?;
        let colours = ["GAMMA_LUT", "DEGAMMA_LUT", "CTM"];
        for p in now.iter().filter(|p| colours.contains(&&*p.name) && !p.fixed && p.value != 0) {
            to.set(crtc, p.id, 0);
        }
        let Some(plane) = &self.plane else { return Ok(()) };
        for id in kms.planes()? {
            if id != plane.id && kms.plane(id)?.crtc == crtc {
                Plane::read(kms, id)?.hide(to);
            }
        }
        plane.show(crtc, &Layer::whole(fb, self.output.mode.size()), to);
        Ok(())
    }

    /// The screen does not get the mode that was set, as the kernel found out.
    pub(crate) fn is_link_bad(&self, kms: &dyn Kms) -> bool {
        let all = kms.properties(Object::Connector, self.output.connector.id).unwrap_or_default();
        all.iter().any(|p| p.name == LINK && p.named("Bad") == Some(p.value))
    }

    /// Switches it off.
    pub(crate) fn darken(&self, saved: &Saved, to: &mut Changes) {
        let (crtc, connector) = (self.output.crtc, self.output.connector.id);
        if let Some(plane) = &self.plane {
            plane.hide(to);
        }
        for name in ["ACTIVE", "MODE_ID"] {
            if let Some(p) = saved.crtc_property(name) {
                to.set(crtc, p.id, 0);
            }
        }
        if let Some(p) = saved.connector_property(connector, "CRTC_ID") {
            to.set(connector, p.id, 0);
        }
    }

    /// Legacy: the plane's properties that another program may have left.
    pub(crate) fn neutral(&self, kms: &dyn Kms) {
        let Some(plane) = &self.plane else { return };
        let mut changes = Changes::default();
        plane.show(self.output.crtc, &Layer::default(), &mut changes);
        for name in ["rotation", "alpha", "pixel blend mode"] {
            let Some(p) = plane.property(name) else { continue };
            let wanted = changes.0.iter().find(|(_, id, _)| *id == p.id).map(|c| c.2);
            if let Some(v) = wanted.filter(|v| *v != p.value) {
                // Refused, it is as the driver wants it.
                let _ = kms.set_property(Object::Plane, plane.id, p.id, v);
            }
        }
    }

    /// Gives back what it keeps of the card.
    pub(crate) fn end(&self, kms: &dyn Kms) {
        if self.mode_blob != 0 {
            let _ = kms.destroy_blob(self.mode_blob);
        }
    }
}
