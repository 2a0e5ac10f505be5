//! Tells the program which compiler builds it and how: instruction counts are of both.
#![allow(clippy::print_stdout, reason = "cargo reads it")]

use std::process::Command;

fn main() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let out = Command::new(rustc).arg("--version").output();
    let version = out.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned());
    println!("cargo::rustc-env=BENCH_RUSTC={}", version.unwrap_or_default());
    let profile = std::env::var("PROFILE").unwrap_or_default();
    println!("cargo::rustc-env=BENCH_PROFILE={profile}");
    println!("cargo::rerun-if-changed=build.rs");
}
