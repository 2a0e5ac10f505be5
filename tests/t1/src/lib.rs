//! What the end-to-end tests share: the programs under test, built once; a way to run them and
//! keep what they said; a browser and what it shows; frame hashes; pictures and their
//! differences; counted allocations.
//!
//! `ZINC_T1_BLESS=1` writes golden files anew instead of comparing with them:
//! `ZINC_T1_BLESS=1 cargo test -p zinc-t1 --test goldens --test bench_hashes --test any_bits`.
#![forbid(unsafe_code)]

pub mod browser;
#[cfg(target_os = "linux")]
pub mod guest;
pub mod hashes;
pub mod picture;
pub mod programs;
pub mod run;
pub mod wild;

use std::path::{Path, PathBuf};

/// The cookbook: every snippet compiles, and the test in it runs.
#[doc = include_str!("../../../docs/cookbook.md")]
#[cfg(doctest)]
pub struct Cookbook;

/// The clone's root.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// This package's folder.
pub fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Golden files are to be written anew.
pub fn blessing() -> bool {
    std::env::var_os("ZINC_T1_BLESS").is_some_and(|v| v == "1")
}

/// A folder of its own for a test, gone with the value.
///
/// # Panics
/// When the system gives none: no test can go on without it.
pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}
