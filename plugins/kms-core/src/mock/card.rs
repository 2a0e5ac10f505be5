//! The mock's answers.

use super::{Call, Mock, State, kind_of};
use crate::{
    Changes, Commit, Connector, Crtc, Dumb, Encoder, Flip, Fourcc, Id, Kms, Memory, Mode, Object,
    PlaneInfo, Property, Rect, Resources,
};
use std::cell::RefMut;
use std::fs::File;
use std::io;
use std::os::fd::BorrowedFd;

const ENOENT: i32 = 2;
const EACCES: i32 = 13;
const EBUSY: i32 = 16;
const EINVAL: i32 = 22;
const EOPNOTSUPP: i32 = 95;

fn errno<T>(n: i32) -> io::Result<T> {
    Err(io::Error::from_raw_os_error(n))
}

impl Mock {
    /// Remembers a call, and refuses it when the script says so.
    fn call(&self, call: Call) -> io::Result<RefMut<'_, State>> {
        let mut s = self.state_mut();
        s.log.push(call.clone());
        let mut refuse = std::mem::replace(&mut s.refuse, Box::new(|_| None));
        // The script may look at the card itself.
        drop(s);
        let answer = refuse(&call);
        let mut s = self.state_mut();
        s.refuse = refuse;
        match answer {
            Some(n) => errno(n),
            None => Ok(s),
        }
    }

    fn outputs(&self, name: &'static str) -> io::Result<RefMut<'_, State>> {
        let s = self.call(Call::Read(name))?;
        if s.without_outputs { errno(EOPNOTSUPP) } else { Ok(s) }
    }

    fn change(&self, call: Call) -> io::Result<RefMut<'_, State>> {
        let s = self.call(call)?;
        if s.is_master { Ok(s) } else { errno(EACCES) }
    }
}

fn of<T: Clone>(found: Option<&T>) -> io::Result<T> {
    found.cloned().map_or_else(|| errno(ENOENT), Ok)
}

impl State {
    /// What the kernel would refuse.
    fn check(&self, changes: &Changes, how: Commit) -> io::Result<()> {
        if how.test && how.event || !self.wants_atomic {
            return errno(EINVAL);
        }
        for (object, property, value) in &changes.0 {
            let all = self.properties.get(object).map_or(&[][..], |v| v);
            let Some(p) = all.iter().find(|p| p.id == *property) else { return errno(ENOENT) };
            let is_routing = match kind_of(self, *object) {
                Some(Object::Crtc) => ["MODE_ID", "ACTIVE"].contains(&&*p.name),
                Some(Object::Connector) => p.name == "CRTC_ID",
                _ => false,
            };
            if p.fixed || (is_routing && p.value != *value && !how.modeset) {
                return errno(EINVAL);
            }
            let fb_gone =
                p.name == "FB_ID" && *value != 0 && !self.fbs.contains_key(&(*value as Id));
            let blob = ["MODE_ID", "FB_DAMAGE_CLIPS", "GAMMA_LUT"].contains(&&*p.name);
            if fb_gone || (blob && *value != 0 && !self.blobs.contains_key(&(*value as Id))) {
                return errno(ENOENT);
            }
            if p.name == "CRTC_ID" && *value != 0 && kind_of(self, *object) == Some(Object::Plane) {
                let place = self.crtcs.iter().position(|c| u64::from(c.0) == *value);
                let plane = self.planes.iter().find(|q| q.id == *object);
                let possible =
                    place.zip(plane).is_some_and(|(i, q)| q.possible_crtcs >> i & 1 == 1);
                if !possible {
                    return errno(EINVAL);
                }
            }
        }
        Ok(())
    }

    /// The CRTCs of a commit, for their events.
    fn crtcs_in(&self, changes: &Changes) -> Vec<Id> {
        let plane = |id: &Id| self.planes.iter().find(|p| p.id == *id).map(|p| p.crtc);
        let mut all: Vec<Id> = changes.0.iter().filter_map(|(o, ..)| plane(o)).collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|c| *c != 0);
        all
    }
}

impl Kms for Mock {
    fn fd(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    fn driver(&self) -> io::Result<String> {
        Ok(self.call(Call::Read("driver"))?.driver.clone())
    }

    fn resources(&self) -> io::Result<Resources> {
        let s = self.outputs("resources")?;
        let connectors = s.connectors.iter().map(|c| c.id).collect();
        let crtcs = s.crtcs.iter().map(|c| c.0).collect();
        Ok(Resources { connectors, crtcs, max: (8192, 8192) })
    }

    fn connector(&self, id: Id, _: bool) -> io::Result<Connector> {
        let s = self.outputs("connector")?;
        let mut c = of(s.connectors.iter().find(|c| c.id == id))?;
        if !c.connected {
            c.modes.clear();
        }
        Ok(c)
    }

    fn encoder(&self, id: Id) -> io::Result<Encoder> {
        of(self.outputs("encoder")?.encoders.get(&id))
    }

    fn crtc(&self, id: Id) -> io::Result<Crtc> {
        let s = self.outputs("crtc")?;
        of(s.crtcs.iter().find(|c| c.0 == id)).map(|c| c.1)
    }

    fn planes(&self) -> io::Result<Vec<Id>> {
        Ok(self.outputs("planes")?.planes.iter().map(|p| p.id).collect())
    }

    fn plane(&self, id: Id) -> io::Result<PlaneInfo> {
        let s = self.outputs("plane")?;
        of(s.planes.iter().find(|p| p.id == id))
    }

    fn properties(&self, kind: Object, id: Id) -> io::Result<Vec<Property>> {
        let s = self.outputs("properties")?;
        if kind_of(&s, id) == Some(kind) { of(s.properties.get(&id)) } else { errno(ENOENT) }
    }

    fn set_property(&self, _: Object, id: Id, property: Id, value: u64) -> io::Result<()> {
        self.change(Call::SetProperty(id, property, value))?.apply(id, property, value);
        Ok(())
    }

    fn universal_planes(&self) -> io::Result<()> {
        self.call(Call::Read("universal planes")).map(|_| ())
    }

    fn atomic(&self) -> io::Result<()> {
        let mut s = self.call(Call::Read("atomic"))?;
        s.wants_atomic = s.has_atomic;
        if s.has_atomic { Ok(()) } else { errno(EOPNOTSUPP) }
    }

    fn has_dumb(&self) -> io::Result<bool> {
        self.call(Call::Read("dumb")).map(|_| true)
    }

    fn create_dumb(&self, (width, height): (u32, u32), bits: u32) -> io::Result<Dumb> {
        let mut s = self.call(Call::CreateDumb(width, height, bits))?;
        let handle = s.number();
        let pitch = width * (bits / 8) + s.gap;
        let size = u64::from(pitch) * u64::from(height);
        let flags = rustix::fs::MemfdFlags::CLOEXEC;
        let file = File::from(rustix::fs::memfd_create("dumb", flags)?);
        // What an old kernel may leave there.
        std::os::unix::fs::FileExt::write_all_at(&file, &vec![super::UNTOUCHED; size as usize], 0)?;
        s.dumbs.insert(handle, file);
        Ok(Dumb { handle, pitch, size })
    }

    fn map_dumb(&self, dumb: &Dumb) -> io::Result<Memory> {
        let s = self.call(Call::MapDumb(dumb.handle))?;
        let Some(file) = s.dumbs.get(&dumb.handle) else { return errno(ENOENT) };
        Memory::of(file, 0, dumb.size as usize)
    }

    fn destroy_dumb(&self, handle: Id) -> io::Result<()> {
        let gone = self.call(Call::DestroyDumb(handle))?.dumbs.remove(&handle);
        if gone.is_some() { Ok(()) } else { errno(ENOENT) }
    }

    fn add_fb(&self, dumb: &Dumb, size: (u32, u32), format: Fourcc) -> io::Result<Id> {
        let mut s = self.call(Call::AddFb(dumb.handle, format))?;
        let id = s.number();
        s.fbs.insert(id, (dumb.handle, size, format));
        Ok(id)
    }

    fn rm_fb(&self, fb: Id) -> io::Result<()> {
        let mut s = self.call(Call::RmFb(fb))?;
        let gone = s.fbs.remove(&fb);
        // Whatever shows it goes dark.
        let shows: Vec<Id> = s.planes.iter().filter(|p| p.fb == fb).map(|p| p.id).collect();
        for plane in shows {
            for name in ["FB_ID", "CRTC_ID"] {
                let property = s.id_of(plane, name);
                s.apply(plane, property, 0);
            }
        }
        if gone.is_some() { Ok(()) } else { errno(ENOENT) }
    }

    fn create_blob(&self, bytes: &[u8]) -> io::Result<Id> {
        let mut s = self.call(Call::CreateBlob(bytes.to_vec()))?;
        let id = s.number();
        s.blobs.insert(id, bytes.to_vec());
        Ok(id)
    }

    fn destroy_blob(&self, blob: Id) -> io::Result<()> {
        let gone = self.call(Call::DestroyBlob(blob))?.blobs.remove(&blob);
        if gone.is_some() { Ok(()) } else { errno(ENOENT) }
    }

    fn commit(&self, changes: &Changes, how: Commit) -> io::Result<()> {
        let mut s = self.change(Call::Commit(changes.clone(), how))?;
        s.check(changes, how)?;
        if how.test {
            return Ok(());
        }
        if !s.pending.is_empty() {
            if how.nonblock {
                return errno(EBUSY);
            }
            // It waits.
            while !s.pending.is_empty() {
                s.blank();
            }
        }
        changes.0.iter().for_each(|(o, p, v)| s.apply(*o, *p, *v));
        if how.event {
            let (all, delay) = (s.crtcs_in(changes), s.delay);
            s.pending.extend(all.into_iter().map(|c| (c, delay)));
        }
        Ok(())
    }

    fn set_crtc(
        &self,
        crtc: Id,
        fb: Id,
        _: (u32, u32),
        connectors: &[Id],
        mode: Option<&Mode>,
    ) -> io::Result<()> {
        let mut s = self.change(Call::SetCrtc(crtc, fb, connectors.to_vec(), mode.copied()))?;
        while !s.pending.is_empty() {
            s.blank();
        }
        let Some(index) = s.crtcs.iter().position(|c| c.0 == crtc) else { return errno(ENOENT) };
        if mode.is_some() && !s.fbs.contains_key(&fb) {
            return errno(ENOENT);
        }
        // Connectors that it fed and shall not feed any more are cut off.
        let fed: Vec<Id> = s
            .connectors
            .iter()
            .filter(|c| s.encoders.get(&c.encoder).is_some_and(|e| e.crtc == crtc))
            .map(|c| c.id)
            .collect();
        for (id, to) in fed.into_iter().map(|c| (c, 0)).chain(connectors.iter().map(|c| (*c, crtc)))
        {
            let p = s.id_of(id, "CRTC_ID");
            s.apply(id, p, to.into());
        }
        // Its own, or one that nobody has.
        let primary = s
            .planes
            .iter()
            .filter(|p| p.possible_crtcs >> index & 1 == 1 && s.is_primary(p.id))
            .filter(|p| p.crtc == crtc || p.crtc == 0)
            .max_by_key(|p| (p.crtc == crtc, std::cmp::Reverse(p.id)))
            .map(|p| p.id);
        let blob = mode.map_or(0, |m| {
            let id = s.number();
            s.blobs.insert(id, m.to_bytes());
            id
        });
        let p = s.id_of(crtc, "MODE_ID");
        s.apply(crtc, p, blob.into());
        let p = s.id_of(crtc, "ACTIVE");
        s.apply(crtc, p, u64::from(mode.is_some()));
        if let Some(plane) = primary {
            let on = if mode.is_some() { crtc } else { 0 };
            let (w, h) = mode.map_or((0, 0), Mode::size);
            let (w, h) = (u64::from(w), u64::from(h));
            let values = [
                ("CRTC_ID", on.into()),
                ("FB_ID", fb.into()),
                ("SRC_W", w << 16),
                ("SRC_H", h << 16),
                ("CRTC_W", w),
                ("CRTC_H", h),
            ];
            for (name, v) in values {
                let p = s.id_of(plane, name);
                s.apply(plane, p, v);
            }
        }
        Ok(())
    }

    fn page_flip(&self, crtc: Id, fb: Id) -> io::Result<()> {
        let mut s = self.change(Call::PageFlip(crtc, fb))?;
        if s.pending.iter().any(|p| p.0 == crtc) {
            return errno(EBUSY);
        }
        let Some(plane) = s.planes.iter().find(|p| p.crtc == crtc && s.is_primary(p.id)) else {
            return errno(EINVAL);
        };
        let plane = plane.id;
        let p = s.id_of(plane, "FB_ID");
        s.apply(plane, p, fb.into());
        let delay = s.delay;
        s.pending.push((crtc, delay));
        Ok(())
    }

    fn dirty_fb(&self, fb: Id, clips: &[Rect]) -> io::Result<()> {
        self.call(Call::DirtyFb(fb, clips.to_vec())).map(|_| ())
    }

    fn set_master(&self) -> io::Result<()> {
        self.call(Call::SetMaster)?.is_master = true;
        Ok(())
    }

    fn drop_master(&self) -> io::Result<()> {
        self.call(Call::DropMaster)?.is_master = false;
        Ok(())
    }

    fn flips(&self) -> io::Result<Vec<Flip>> {
        Ok(std::mem::take(&mut self.call(Call::Read("flips"))?.events))
    }
}
