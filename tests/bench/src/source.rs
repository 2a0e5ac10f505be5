//! Where scenes come from: a folder of files, or what the bench makes itself.

use crate::zsc::{self, Scene};
use crate::{primitives, sized, small};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub(crate) enum Source {
    Folder(PathBuf),
    BuiltIn,
    Primitives,
}

impl Source {
    /// What has to be typed to get it.
    pub(crate) fn args(&self) -> Vec<&std::ffi::OsStr> {
        match self {
            Source::Folder(dir) => vec![dir.as_os_str()],
            Source::BuiltIn => Vec::new(),
            Source::Primitives => vec!["--primitives".as_ref()],
        }
    }

    /// The scenes whose name is wanted.
    pub(crate) fn scenes(&self, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<Scene>> {
        let all = match self {
            Source::Folder(dir) => folder(dir, wanted)?,
            Source::BuiltIn => [small::scenes(wanted)?, sized::scenes(wanted)?].concat(),
            Source::Primitives => primitives::scenes(wanted)?,
        };
        if all.is_empty() {
            bail!("there is no such scene");
        }
        Ok(all)
    }
}

fn folder(dir: &Path, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<Scene>> {
    let read = |p: &Path| std::fs::read(p).with_context(|| format!("cannot read {}", p.display()));
    let list = std::fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))?;
    let mut files: Vec<PathBuf> = list.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "zsc"));
    files.sort();
    let mut all = Vec::new();
    for f in files {
        let name = f.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if wanted(&name) {
            let text = String::from_utf8(read(&f)?)
                .with_context(|| format!("{} is not UTF-8", f.display()))?;
            all.push(zsc::parse(&name, &text, &mut |file| read(&dir.join(file)))?);
        }
    }
    Ok(all)
}
