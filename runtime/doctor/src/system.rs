//! The machine as its files tell it, below a folder: the real one is `/`, a test makes its own.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

/// Who wants to run an app.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct User {
    /// Number of the user; 0 may do all.
    pub id: u32,
    /// Numbers of all groups.
    pub groups: Vec<u32>,
}

/// A machine.
#[derive(Clone, Debug)]
pub struct System {
    root: PathBuf,
    /// Who asks.
    pub user: User,
}

impl System {
    /// This machine, and who runs this program.
    pub fn here() -> Self {
        Self { root: "/".into(), user: user() }
    }

    /// What lies below a folder.
    pub fn below(root: impl Into<PathBuf>, user: User) -> Self {
        Self { root: root.into(), user }
    }

    /// Where a path of the machine is.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.path(path).exists()
    }

    /// A file's text without the end of its line; device trees end in a zero.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        let bytes = std::fs::read(self.path(path)).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        Some(text.trim_end_matches(['\0', '\n', ' ']).to_owned())
    }

    pub(crate) fn number(&self, path: &str) -> Option<u64> {
        self.text(path)?.trim().parse().ok()
    }

    /// Names in a folder, in the order of their numbers.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let all = std::fs::read_dir(self.path(folder)).into_iter().flatten().flatten();
        let mut all: Vec<String> = all.filter_map(|e| e.file_name().into_string().ok()).collect();
        let number =
            |n: &str| n.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<u32>().ok();
        all.sort_by_key(|n| (number(n), n.clone()));
        all
    }

    /// The last part of where a link leads.
    pub(crate) fn link(&self, path: &str) -> Option<String> {
        let to = std::fs::read_link(self.path(path)).ok()?;
        Some(to.file_name()?.to_string_lossy().into_owned())
    }

    /// The user may read and write a node; `None` when it is not there.
    pub(crate) fn may_use(&self, node: &str) -> Option<bool> {
        let m = std::fs::metadata(self.path(node)).ok()?;
        let (owner, group, mode) = rights(&m);
        let bits = match () {
            () if self.user.id == 0 => 6,
            () if owner == self.user.id => mode >> 6,
            () if self.user.groups.contains(&group) => mode >> 3,
            () => mode,
        };
        Some(bits & 6 == 6)
    }

    /// Name of the group that a node belongs to, unless that is root's.
    pub(crate) fn group_of(&self, node: &str) -> Option<String> {
        let (_, id, _) = rights(&std::fs::metadata(self.path(node)).ok()?);
        let all = self.text("/etc/group")?;
        let of = |l: &str| {
            let mut fields = l.split(':');
            let (name, n) = (fields.next()?, fields.nth(1)?);
            (id != 0 && n.parse() == Ok(id)).then(|| name.to_owned())
        };
        all.lines().find_map(of)
    }

    /// Processes that have one of these nodes open: number, name, node. Only root sees those of
    /// others.
    pub(crate) fn users_of(&self, nodes: &[String]) -> Vec<(u32, String, String)> {
        let mut found = Vec::new();
        for pid in self.names("/proc") {
            let Ok(id) = pid.parse::<u32>() else { continue };
            if id == std::process::id() && self.root == Path::new("/") {
                continue;
            }
            let folder = format!("/proc/{pid}/fd");
            let fds = std::fs::read_dir(self.path(&folder)).into_iter().flatten().flatten();
            let open = fds.filter_map(|e| std::fs::read_link(e.path()).ok());
            let mut open: Vec<String> = open.map(|p| p.to_string_lossy().into_owned()).collect();
            open.retain(|p| nodes.contains(p));
            open.sort();
            open.dedup();
            let name = self.text(&format!("/proc/{pid}/comm")).unwrap_or_default();
            found.extend(open.into_iter().map(|p| (id, name.clone(), p)));
        }
        found
    }

    /// What to do to get at a node that is refused.
    pub(crate) fn join(&self, node: &str, usual: &str) -> String {
        let group = self.group_of(node).unwrap_or_else(|| usual.to_owned());
        format!("sudo usermod -aG {group} $USER, then log in again")
    }
}

#[cfg(unix)]
fn rights(m: &Metadata) -> (u32, u32, u32) {
    use std::os::unix::fs::MetadataExt;
    (m.uid(), m.gid(), m.mode())
}

#[cfg(not(unix))]
fn rights(_: &Metadata) -> (u32, u32, u32) {
    (0, 0, 0o666)
}

#[cfg(target_os = "linux")]
fn user() -> User {
    use rustix::process::{getegid, geteuid, getgroups};
    let mut groups: Vec<u32> =
        getgroups().unwrap_or_default().into_iter().map(|g| g.as_raw()).collect();
    groups.push(getegid().as_raw());
    User { id: geteuid().as_raw(), groups }
}

#[cfg(not(target_os = "linux"))]
fn user() -> User {
    User::default()
}
