//! An app's folder: its crate, and its zinc.json if it has one.

mod keys;
mod parse;

pub(crate) use parse::{Config, ProjectError};

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// An app.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) folder: PathBuf,
    pub(crate) config: Config,
}

impl App {
    /// Opens a folder.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let given = folder.display();
        if !folder.exists() {
            bail!("there is no folder {given}{}", suggestion(folder));
        }
        let folder = folder.canonicalize().with_context(|| format!("cannot open {given}"))?;
        if !folder.join("Cargo.toml").is_file() {
            bail!(
                "{given} is no app: it has no Cargo.toml{}. `zinc new FOLDER` makes one",
                suggestion(&folder)
            );
        }
        let file = folder.join("zinc.json");
        let config = if file.exists() {
            let text = std::fs::read_to_string(&file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            let name = file.display().to_string();
            Config::parse(&name, &text)?
        } else {
            Config::default()
        };
        Ok(Self { folder, config })
    }

    /// The manifest path that cargo reports is this app's.
    pub(crate) fn owns(&self, manifest: &str) -> bool {
        Path::new(manifest).parent().and_then(|p| p.canonicalize().ok()).as_ref()
            == Some(&self.folder)
    }

    /// Cargo features of `zinc` that the wished displays need.
    pub(crate) fn features(wish: &[String]) -> Vec<String> {
        let known = ["fbdev", "kms", "web", "sim"];
        let mut all: Vec<String> = known
            .iter()
            .filter(|k| wish.iter().any(|w| w == *k))
            .map(|k| format!("zinc/{k}"))
            .collect();
        all.sort();
        all
    }
}

/// Apps near a wrong path.
fn suggestion(wrong: &Path) -> String {
    let Ok(root) = crate::home::root() else { return String::new() };
    let Ok(examples) = std::fs::read_dir(root.join("examples")) else { return String::new() };
    let mut names: Vec<String> = examples
        .flatten()
        .filter(|e| e.path().join("Cargo.toml").is_file())
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let wish = wrong.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let near = names.iter().find(|n| strsim::jaro_winkler(n, &wish) > 0.8);
    match near {
        Some(n) => format!("; did you mean examples/{n}?"),
        None => format!(" (Zinc's examples are {})", names.join(", ")),
    }
}
