//! `zinc new`: a folder with an app that runs, tests and shoots.

use crate::args::NewArgs;
use crate::home;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::ExitCode;

const MAIN: &str = include_str!("new_main.rs.txt");

pub(crate) fn run(a: NewArgs) -> Result<ExitCode> {
    let folder = &a.folder;
    let occupied = folder.read_dir().is_ok_and(|mut d| d.next().is_some());
    if occupied || folder.is_file() {
        bail!("{} exists already; name a folder that does not", folder.display());
    }
    let name = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let name = crate_name(&name)?;
    let root = home::root()?;
    write(&folder.join("Cargo.toml"), &manifest(&name, &root.join("runtime/zinc")))?;
    // The versions that Zinc is tested with; cargo drops what the app does not use.
    let lock = std::fs::read_to_string(root.join("Cargo.lock"));
    write(&folder.join("Cargo.lock"), &lock.context("cannot read Zinc's Cargo.lock")?)?;
    write(&folder.join("src/main.rs"), MAIN)?;
    write(&folder.join(".gitignore"), "/target\n/dist\n")?;
    let shown = folder.display();
    println!("{shown} is ready. Look at it with:  zinc run {shown}");
    Ok(ExitCode::SUCCESS)
}

/// A crate name of a folder name.
fn crate_name(folder: &str) -> Result<String> {
    let name: String = folder
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .collect();
    let name = name.trim_matches('-').to_owned();
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if !starts_well || name == "zinc" || name == "test" {
        bail!(
            "{folder:?} cannot be an app's name: it needs to start with a letter, and not be zinc or test"
        );
    }
    Ok(name)
}

fn manifest(name: &str, zinc: &Path) -> String {
    // A TOML literal string holds any path without quotes; others are escaped.
    let path = zinc.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    format!(
        r#"[package]
name = "{name}"
version = "0.1.0"
edition = "2024"
publish = false

[dependencies]
zinc = {{ path = "{path}" }}

# A workspace of its own, wherever the folder lies.
[workspace]

# A software renderer without optimization is tens of times slower.
[profile.dev]
debug-assertions = false
overflow-checks = false
debug = "line-tables-only"

[profile.dev.package."*"]
opt-level = 3
"#
    )
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_folders() {
        assert_eq!(crate_name("Tide Kiosk").unwrap(), "tide-kiosk");
        for bad in ["", "9lives", "zinc", "---"] {
            assert!(crate_name(bad).is_err(), "{bad:?}");
        }
    }
}
