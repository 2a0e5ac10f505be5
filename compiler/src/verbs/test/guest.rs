//! The kernel of the tests' guest, built before the tests so that its minutes are seen: four to eight
//! from an empty target folder, none later.

use std::path::Path;
use std::process::Command;

/// The step. The guest is a program for x86-64; elsewhere its tests are not there either.
pub(super) fn kernel(root: &Path, target: &Path) -> Command {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        eprintln!("the guest runs on x86-64 Linux only: its tests are left out here");
        return Command::new("true");
    }
    let mut c = Command::new(root.join("tests/t1/guest/kernel.sh"));
    c.arg(target.join("guest"));
    c
}
