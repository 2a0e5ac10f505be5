//! What a person can do about a node that is refused.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The cure of a refused node, to end a sentence: the group that has it, else the `usual` one.
pub fn join_group(node: &Path, usual: &str) -> String {
    let group = group(node).unwrap_or_else(|| usual.to_owned());
    format!("join the group {group} (sudo usermod -aG {group} $USER) and log in again")
}

/// The group that may use a node, unless that is root's.
fn group(node: &Path) -> Option<String> {
    let gid = std::fs::metadata(node).ok()?.gid();
    let all = std::fs::read_to_string("/etc/group").ok()?;
    let of = |l: &str| {
        let mut fields = l.split(':');
        let (name, id) = (fields.next()?, fields.nth(1)?);
        (gid != 0 && id.parse() == Ok(gid)).then(|| name.to_owned())
    };
    all.lines().find_map(of)
}
