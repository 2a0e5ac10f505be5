//! The folder of event nodes: which are there, and which come later or may be opened later. No udev:
//! the kernel makes the nodes, inotify tells. A folder that is not there yet is waited for.

use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use rustix::io::Errno;
use std::io;
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};

/// What became of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// It is there, or its rights are others.
    There(PathBuf),
    /// It is not there any more.
    Gone(PathBuf),
    /// Too much happened: look at all.
    All,
}

/// A watched folder.
#[derive(Debug)]
pub(crate) struct Watch {
    fd: OwnedFd,
    folder: PathBuf,
    /// The watch of the folder itself, or of the one above while it is not there.
    inside: bool,
    id: i32,
}

impl Watch {
    pub(crate) fn new(folder: &Path) -> io::Result<Self> {
        let fd = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        let mut w = Self { fd, folder: folder.to_owned(), inside: false, id: -1 };
        w.look()?;
        Ok(w)
    }

    /// Watches the folder, or the one above until it is there.
    fn look(&mut self) -> io::Result<()> {
        let inside =
            WatchFlags::CREATE | WatchFlags::ATTRIB | WatchFlags::DELETE | WatchFlags::MOVED_TO;
        let inside = inside | WatchFlags::DELETE_SELF | WatchFlags::ONLYDIR;
        match inotify::add_watch(&self.fd, &self.folder, inside) {
            Ok(id) => (self.id, self.inside) = (id, true),
            Err(Errno::NOENT | Errno::NOTDIR) => {
                let above = self.folder.parent().unwrap_or(Path::new("/"));
                let flags = WatchFlags::CREATE | WatchFlags::MOVED_TO | WatchFlags::ONLYDIR;
                let id = inotify::add_watch(&self.fd, above, flags)?;
                (self.id, self.inside) = (id, false);
            }
            Err(e) => return Err(e.into()),
        }
        Ok(())
    }

    /// The event nodes that are there, in the order of their numbers.
    pub(crate) fn nodes(&self) -> Vec<PathBuf> {
        let all = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut all: Vec<(u32, PathBuf)> =
            all.filter_map(|e| Some((number(&e.file_name())?, e.path()))).collect();
        all.sort();
        all.into_iter().map(|(_, path)| path).collect()
    }

    /// What changed since the last call.
    pub(crate) fn changes(&mut self, into: &mut Vec<Change>) {
        let mut buffer = [MaybeUninit::<u8>::uninit(); 4096];
        let mut again = false;
        {
            let mut reader = inotify::Reader::new(&self.fd, &mut buffer);
            // Ends with `AGAIN` when there is no more.
            while let Ok(e) = reader.next() {
                let flags = e.events();
                if flags.contains(ReadFlags::QUEUE_OVERFLOW) {
                    into.push(Change::All);
                    continue;
                }
                if e.wd() != self.id {
                    continue;
                }
                if flags.intersects(ReadFlags::DELETE_SELF | ReadFlags::IGNORED) {
                    again = true;
                    continue;
                }
                let Some(name) = e.file_name() else { continue };
                let name = std::ffi::OsStr::new(name.to_str().unwrap_or_default());
                if !self.inside {
                    again |= self.folder.file_name() == Some(name);
                    continue;
                }
                if number(name).is_none() {
                    continue;
                }
                let path = self.folder.join(name);
                into.push(match flags.contains(ReadFlags::DELETE) {
                    true => Change::Gone(path),
                    false => Change::There(path),
                });
            }
        }
        if again {
            let above = (!self.inside).then_some(self.id);
            if let Err(e) = self.look() {
                tracing::warn!("input: cannot watch {}: {e}", self.folder.display());
            }
            if let Some(id) = above.filter(|id| *id != self.id) {
                let _ = inotify::remove_watch(&self.fd, id);
            }
            into.push(Change::All);
        }
    }
}

impl AsFd for Watch {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// The number of an event node's name.
fn number(name: &std::ffi::OsStr) -> Option<u32> {
    name.to_str()?.strip_prefix("event")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn changes(w: &mut Watch) -> Vec<Change> {
        let mut all = Vec::new();
        w.changes(&mut all);
        all
    }

    #[test]
    fn case_39_nodes_come_and_go_and_change_their_rights() {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("input");
        let mut w = Watch::new(&folder).unwrap();
        assert!(w.nodes().is_empty() && changes(&mut w).is_empty());
        fs::create_dir(above.path().join("other")).unwrap();
        assert_eq!(changes(&mut w), []);
        fs::create_dir(&folder).unwrap();
        // What was made before the watch was there is seen by looking at all.
        fs::write(folder.join("event10"), "").unwrap();
        assert_eq!(changes(&mut w), [Change::All]);
        fs::write(folder.join("event9"), "").unwrap();
        fs::write(folder.join("mouse0"), "").unwrap();
        let nine = folder.join("event9");
        assert_eq!(changes(&mut w), [Change::There(nine.clone())]);
        assert_eq!(w.nodes(), [nine.clone(), folder.join("event10")]);
        let mut rights = fs::metadata(&nine).unwrap().permissions();
        rights.set_readonly(true);
        fs::set_permissions(&nine, rights).unwrap();
        assert_eq!(changes(&mut w), [Change::There(nine.clone())]);
        fs::remove_file(&nine).unwrap();
        let gone = changes(&mut w);
        assert_eq!(gone.last(), Some(&Change::Gone(nine)), "{gone:?}");
        // The folder itself goes with its last device, and comes again.
        fs::remove_dir_all(&folder).unwrap();
        assert!(changes(&mut w).contains(&Change::All));
        fs::create_dir(&folder).unwrap();
        assert_eq!(changes(&mut w), [Change::All]);
        fs::write(folder.join("event0"), "").unwrap();
        assert_eq!(changes(&mut w), [Change::There(folder.join("event0"))]);
    }
}
