//! Programs and packages of the system: what a step needs is installed where that is possible
//! without asking, else named with the command that brings it.

use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

/// Something that a step needs, and the Debian package that brings it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Need {
    pub(crate) what: What,
    pub(crate) package: &'static str,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// A program that answers `--version`.
    Program(&'static str),
    File(&'static str),
}

impl Need {
    fn is_met(&self) -> bool {
        match self.what {
            What::Program(name) => has(name),
            What::File(path) => Path::new(path).exists(),
        }
    }
}

/// The program is there and starts.
pub(crate) fn has(program: &str) -> bool {
    let mut c = Command::new(program);
    c.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    c.status().is_ok_and(|s| s.success())
}

/// Packages can come from Debian's own repositories.
pub(crate) fn is_debian() -> bool {
    Path::new("/etc/debian_version").exists()
}

pub(crate) fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|o| o.stdout.starts_with(b"0\n"))
}

/// Installs what is missing; `who` needs it.
pub(crate) fn install(who: &str, needs: &[Need]) -> Result<()> {
    let missing: Vec<&str> = needs.iter().filter(|n| !n.is_met()).map(|n| n.package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages = missing.join(" ");
    if !(is_debian() && is_root()) {
        bail!(
            "{who} needs {packages}; install with: sudo apt-get install -y \
             --no-install-recommends {packages}"
        );
    }
    eprintln!("installing {packages} for {who}");
    let script = format!(
        "apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
         --no-install-recommends {packages}"
    );
    let mut c = Command::new("sh");
    c.arg("-c").arg(script).stdin(Stdio::null());
    let out = c.output().context("cannot start a shell to install packages")?;
    if !out.status.success() {
        bail!("cannot install {packages}: {}", String::from_utf8_lossy(&out.stderr).trim());
    }
    Ok(())
}
