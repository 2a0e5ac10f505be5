//! What a plane shows, and a plane's properties as a commit needs them. The UI is a layer like any
//! other: which plane carries it is a result.

use crate::{Changes, Id, Kms, Object, Property};
use std::io;

/// A picture on a CRTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// The framebuffer.
    pub fb: Id,
    /// The part of it that is shown: column, row, columns, rows.
    pub from: (u32, u32, u32, u32),
    /// Where on the CRTC: column, row, columns, rows.
    pub to: (i32, i32, u32, u32),
}

impl Layer {
    /// A whole framebuffer of the CRTC's own size.
    pub fn whole(fb: Id, (width, height): (u32, u32)) -> Self {
        Self { fb, from: (0, 0, width, height), to: (0, 0, width, height) }
    }
}

/// A plane, with its properties as they were found.
#[derive(Clone, Debug)]
pub struct Plane {
    /// Its number.
    pub id: Id,
    properties: Vec<Property>,
}

impl Plane {
    /// Reads one.
    ///
    /// # Errors
    /// The card's answer.
    pub fn read(kms: &dyn Kms, id: Id) -> io::Result<Self> {
        Ok(Self { id, properties: kms.properties(Object::Plane, id)? })
    }

    /// A property of this name that can be set.
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|p| p.name == name && !p.fixed)
    }

    /// It takes the boxes that were written, and so need not send all to the screen.
    pub fn takes_damage(&self) -> bool {
        self.property("FB_DAMAGE_CLIPS").is_some()
    }

    /// Shows a layer on a CRTC: the whole state, whatever was there before. Another program may have
    /// left the plane turned, translucent or somewhere else.
    pub fn show(&self, crtc: Id, layer: &Layer, to: &mut Changes) {
        let (sx, sy, sw, sh) = layer.from;
        let (x, y, w, h) = layer.to;
        // The kernel takes positions as 64-bit two's complement, and source boxes in 16.16.
        let signed = |v: i32| i64::from(v) as u64;
        let fixed = |v: u32| u64::from(v) << 16;
        let rotation = self.property("rotation").and_then(|p| p.named("rotate-0")).map(|b| 1 << b);
        let blend = self.property("pixel blend mode");
        let values = [
            ("FB_ID", Some(layer.fb.into())),
            ("CRTC_ID", Some(crtc.into())),
            ("SRC_X", Some(fixed(sx))),
            ("SRC_Y", Some(fixed(sy))),
            ("SRC_W", Some(fixed(sw))),
            ("SRC_H", Some(fixed(sh))),
            ("CRTC_X", Some(signed(x))),
            ("CRTC_Y", Some(signed(y))),
            ("CRTC_W", Some(w.into())),
            ("CRTC_H", Some(h.into())),
            ("rotation", rotation),
            ("alpha", self.property("alpha").and_then(|p| p.range).map(|r| r.1)),
            ("pixel blend mode", blend.and_then(|p| p.named("Pre-multiplied"))),
            ("zpos", self.property("zpos").and_then(|p| p.range).map(|r| r.0)),
        ];
        for (name, value) in values {
            if let (Some(p), Some(v)) = (self.property(name), value) {
                to.set(self.id, p.id, v);
            }
        }
    }

    /// Only another framebuffer, all else as it is.
    pub fn flip(&self, fb: Id, to: &mut Changes) {
        if let Some(p) = self.property("FB_ID") {
            to.set(self.id, p.id, fb.into());
        }
    }

    /// Shows nothing.
    pub fn hide(&self, to: &mut Changes) {
        for name in ["FB_ID", "CRTC_ID"] {
            if let Some(p) = self.property(name) {
                to.set(self.id, p.id, 0);
            }
        }
    }

    /// As it was found, but for what only goes with a commit.
    pub fn restore(&self, to: &mut Changes) {
        let commits = ["FB_DAMAGE_CLIPS", "IN_FENCE_FD"];
        for p in self.properties.iter().filter(|p| !p.fixed && !commits.contains(&&*p.name)) {
            to.set(self.id, p.id, p.value);
        }
    }
}
