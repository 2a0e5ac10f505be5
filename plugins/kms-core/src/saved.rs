//! What was found, before the first change: mode, picture and properties of each CRTC that is
//! touched, so that the console (or who comes next) has its own again.

use crate::{Changes, Commit, Connector, Crtc, Id, Kms, Mode, Object, Plane, Property};
use std::io;

/// A CRTC with its planes and connectors, as found.
#[derive(Clone, Debug)]
pub struct Saved {
    crtc: Id,
    state: Crtc,
    /// Connectors that it fed.
    fed: Vec<Id>,
    crtc_properties: Vec<Property>,
    /// All of the card: another one may be fed later.
    connectors: Vec<(Id, Vec<Property>)>,
    /// Planes that were on it, and ours.
    planes: Vec<Plane>,
}

/// Properties that only go with a commit, or that the kernel keeps itself.
const NOT_KEPT: &[&str] =
    &["OUT_FENCE_PTR", "WRITEBACK_FB_ID", "WRITEBACK_OUT_FENCE_PTR", "MODE_ID"];

impl Saved {
    /// Reads what a CRTC does; `ours` are the planes that will be changed.
    ///
    /// # Errors
    /// The card's answer.
    pub fn read(kms: &dyn Kms, crtc: Id, ours: &[Id]) -> io::Result<Self> {
        let state = kms.crtc(crtc)?;
        let crtc_properties = kms.properties(Object::Crtc, crtc)?;
        let (mut fed, mut connectors) = (Vec::new(), Vec::new());
        for id in kms.resources()?.connectors {
            // One may vanish while we look.
            let Ok(c) = kms.connector(id, false) else { continue };
            if feeds_from(kms, &c) == Some(crtc) {
                fed.push(id);
            }
            connectors.push((id, kms.properties(Object::Connector, id)?));
        }
        let mut planes = Vec::new();
        for id in kms.planes().unwrap_or_default() {
            if ours.contains(&id) || kms.plane(id).is_ok_and(|p| p.crtc == crtc) {
                planes.push(Plane::read(kms, id)?);
            }
        }
        Ok(Self { crtc, state, fed, crtc_properties, connectors, planes })
    }

    /// The CRTC.
    pub fn crtc(&self) -> Id {
        self.crtc
    }

    /// The mode that was found; `None` when it was off.
    pub fn mode(&self) -> Option<Mode> {
        self.state.mode
    }

    /// A property of the CRTC that can be set.
    pub fn crtc_property(&self, name: &str) -> Option<&Property> {
        self.crtc_properties.iter().find(|p| p.name == name && !p.fixed)
    }

    /// A property of a connector.
    pub fn connector_property(&self, id: Id, name: &str) -> Option<&Property> {
        let (_, all) = self.connectors.iter().find(|(c, _)| *c == id)?;
        all.iter().find(|p| p.name == name && !p.fixed)
    }

    /// Puts all back. `is_set`: the mode is still the one that was found, and needs no modeset.
    ///
    /// # Errors
    /// The card's answer, when neither a commit nor the legacy call does it.
    pub fn restore(&self, kms: &dyn Kms, atomic: bool, is_set: bool) -> io::Result<()> {
        if atomic && self.commit(kms, is_set).is_ok() {
            return Ok(());
        }
        let (fb, mode) = (self.state.fb, self.state.mode);
        match (fb, &mode) {
            (0, _) | (_, None) => kms.set_crtc(self.crtc, 0, (0, 0), &[], None)?,
            (_, Some(m)) => kms.set_crtc(self.crtc, fb, self.state.at, &self.fed, Some(m))?,
        }
        if !atomic {
            // The properties that we set ourselves; the rest was not touched.
            for p in &self.planes {
                let ours = ["rotation", "alpha", "pixel blend mode"];
                for q in ours.iter().filter_map(|n| p.property(n)) {
                    // Refused, it is as the driver wants it.
                    let _ = kms.set_property(Object::Plane, p.id, q.id, q.value);
                }
            }
        }
        Ok(())
    }

    fn commit(&self, kms: &dyn Kms, is_set: bool) -> io::Result<()> {
        let mut changes = Changes::default();
        let kept = |p: &&Property| !p.fixed && !NOT_KEPT.contains(&&*p.name);
        let crtc = u64::from(self.crtc);
        for (id, all) in &self.connectors {
            // Those that it fed, and those that it feeds now. What others feed is not ours.
            let fed = feeds_from(kms, &kms.connector(*id, false)?).map(u64::from);
            for p in all.iter().filter(|p| p.name == "CRTC_ID") {
                if p.value == crtc || fed == Some(crtc) {
                    changes.set(*id, p.id, p.value);
                }
            }
        }
        for p in self.crtc_properties.iter().filter(kept) {
            changes.set(self.crtc, p.id, p.value);
        }
        let mut blob = 0;
        if let (Some(p), false) = (self.crtc_property("MODE_ID"), is_set) {
            // The blob that was found may be gone with who made it.
            blob = self.state.mode.map_or(Ok(0), |m: Mode| kms.create_blob(&m.to_bytes()))?;
            changes.set(self.crtc, p.id, blob.into());
        }
        for p in &self.planes {
            p.restore(&mut changes);
        }
        let done = kms.commit(&changes, Commit { modeset: !is_set, ..Commit::default() });
        if blob != 0 {
            let _ = kms.destroy_blob(blob);
        }
        done
    }
}

fn feeds_from(kms: &dyn Kms, c: &Connector) -> Option<Id> {
    if c.encoder == 0 {
        return None;
    }
    kms.encoder(c.encoder).ok().map(|e| e.crtc).filter(|c| *c != 0)
}
