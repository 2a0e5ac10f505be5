//! Where Zinc's own sources are: the tool is built in its clone and works from there.

use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// The clone's root.
pub(crate) fn root() -> Result<PathBuf> {
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = built_in.parent().unwrap_or(built_in).to_owned();
    if !root.join("runtime/zinc/Cargo.toml").is_file() {
        bail!(
            "Zinc's sources are not at {} any more: this tool was built there. Run ./zinc in the \
             folder where they are now; it builds the tool again",
            root.display()
        );
    }
    Ok(root)
}

/// The folder is Zinc's own root.
pub(crate) fn is_root(folder: &Path) -> bool {
    match (folder.canonicalize(), root().and_then(|r| Ok(r.canonicalize()?))) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}
