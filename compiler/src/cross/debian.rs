//! A Rust compiler and its standard library for two processors out of Debian's packages. They are
//! unpacked, not installed: the system's package database is not touched, its own Rust neither.
//!
//! apt gets a state folder of its own for each processor and reads the machine's sources, keys and
//! proxies as they are; so nothing here names a server.

use crate::packages;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Packages with a compiler, the newer line first.
const COMPILERS: [&str; 2] = ["rustc-web", "rustc"];
/// The oldest that builds Zinc.
const WANTED: &str = env!("CARGO_PKG_RUST_VERSION");

/// The compiler in a folder of unpacked packages.
pub(super) fn rustc(folder: &Path) -> PathBuf {
    folder.join("usr/bin/rustc")
}

/// Folders of the compiler's own libraries, before those that are searched already.
pub(super) fn libraries(folder: &Path) -> std::ffi::OsString {
    let own = folder.join("usr/lib").join(format!("{}-linux-gnu", std::env::consts::ARCH));
    let mut all = own.into_os_string();
    if let Some(before) = std::env::var_os("LD_LIBRARY_PATH").filter(|v| !v.is_empty()) {
        all.push(":");
        all.push(before);
    }
    all
}

/// Brings the pair for `arch` into a folder of `tools`, once.
pub(super) fn unpack(arch: &str, tools: &Path) -> Result<PathBuf> {
    let folder = tools.join(format!("rust-{arch}"));
    // Written last: a folder without it is half done.
    let done = folder.join("complete");
    if done.is_file() {
        return Ok(folder);
    }
    eprintln!("unpacking a Rust compiler for {arch} from Debian's packages, once");
    let state = tools.join("apt");
    for left in [&folder, &state] {
        clear(left)?;
    }
    let here = Apt::new(&state, &host()?)?;
    let there = Apt::new(&state, arch)?;
    let (compiler, found) = compiler(&here)?;
    let all = closure(&here, compiler)?;
    let std: Vec<&str> = all.iter().map(String::as_str).filter(|n| n.ends_with("-dev")).collect();
    if std.is_empty() {
        bail!("the package {compiler} names no standard library");
    }
    let names: Vec<&str> = all.iter().map(String::as_str).collect();
    for (apt, names) in [(&here, &names), (&there, &std)] {
        for deb in apt.download(names)? {
            run(Command::new("dpkg-deb").arg("-x").arg(&deb).arg(&folder))?;
        }
    }
    let mut c = Command::new(rustc(&folder));
    run(c.arg("-V").env("LD_LIBRARY_PATH", libraries(&folder)))?;
    clear(&state)?;
    std::fs::write(&done, &found).with_context(|| format!("cannot write {}", done.display()))?;
    eprintln!("Rust {found} for {arch} is in {}", folder.display());
    Ok(folder)
}

/// Removes a folder, if it is there.
fn clear(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    std::fs::remove_dir_all(folder).with_context(|| format!("cannot clear {}", folder.display()))
}

/// Debian's name of this machine's processor.
fn host() -> Result<String> {
    Ok(run(Command::new("dpkg").arg("--print-architecture"))?.trim().to_owned())
}

/// The first compiler that is new enough, and its version.
fn compiler(apt: &Apt) -> Result<(&'static str, String)> {
    let mut seen = Vec::new();
    for name in COMPILERS {
        let Ok(about) = apt.show(name) else { continue };
        let version = field(&about, "Version").unwrap_or_default().to_owned();
        if number(&version) >= number(WANTED) {
            return Ok((name, version));
        }
        seen.push(format!("{name} {version}"));
    }
    let seen = if seen.is_empty() { "none".to_owned() } else { seen.join(", ") };
    bail!("Debian's packages hold no Rust from {WANTED} on (found: {seen})")
}

/// A compiler and what it needs of Rust and LLVM; the rest is on every machine with a C compiler.
fn closure(apt: &Apt, compiler: &str) -> Result<BTreeSet<String>> {
    let mut all = BTreeSet::new();
    let mut left = vec![compiler.to_owned()];
    while let Some(name) = left.pop() {
        let about = apt.show(&name)?;
        left.extend(needs(&about).into_iter().filter(|n| !all.contains(n)));
        all.insert(name);
    }
    Ok(all)
}

/// Names of Rust's and LLVM's libraries among a package's dependencies.
fn needs(about: &str) -> Vec<String> {
    let list = field(about, "Depends").unwrap_or_default();
    let names = list.split([',', '|']).filter_map(|d| d.split_whitespace().next());
    let ours = |n: &&str| ["libstd-rust", "libllvm"].iter().any(|p| n.starts_with(p));
    names.filter(ours).map(str::to_owned).collect()
}

/// A line of a package's description.
fn field<'a>(about: &'a str, name: &str) -> Option<&'a str> {
    about.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix(": "))
}

/// The first two numbers of a version.
fn number(version: &str) -> (u32, u32) {
    let mut parts = version.split(|c: char| !c.is_ascii_digit()).map(|n| n.parse().unwrap_or(0));
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0))
}

/// apt for one processor.
struct Apt {
    arch: String,
    state: PathBuf,
}

impl Apt {
    fn new(state: &Path, arch: &str) -> Result<Self> {
        let apt = Self { arch: arch.to_owned(), state: state.join(arch) };
        for folder in ["lists/partial", "archives/partial"] {
            let folder = apt.state.join(folder);
            std::fs::create_dir_all(&folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
        }
        let status = apt.state.join("status");
        std::fs::write(&status, "")
            .with_context(|| format!("cannot write {}", status.display()))?;
        // A source that does not know this processor is no reason to stop: the download tells.
        if let Err(e) = run(apt.command("apt-get").args(["-qq", "update"])) {
            eprintln!("apt could not read every source for {arch}: {e:#}");
        }
        Ok(apt)
    }

    fn command(&self, program: &str) -> Command {
        let mut c = Command::new(program);
        let place = |name: &str| self.state.join(name).display().to_string();
        let options = [
            format!("APT::Architecture={}", self.arch),
            format!("APT::Architectures={}", self.arch),
            format!("Dir::State={}", place("")),
            format!("Dir::State::status={}", place("status")),
            format!("Dir::State::lists={}", place("lists")),
            format!("Dir::Cache={}", place("")),
            "Acquire::Languages=none".to_owned(),
        ];
        for o in options {
            c.arg("-o").arg(o);
        }
        if packages::is_root() {
            // Its helper user may not write into our folder.
            c.args(["-o", "APT::Sandbox::User=root"]);
        }
        c
    }

    /// A package's description.
    fn show(&self, name: &str) -> Result<String> {
        run(self.command("apt-cache").args(["show", "--no-all-versions", name]))
    }

    /// Downloads packages; their files.
    fn download(&self, names: &[&str]) -> Result<Vec<PathBuf>> {
        let folder = self.state.join("archives");
        run(self.command("apt-get").args(["-qq", "download"]).args(names).current_dir(&folder))?;
        let list = std::fs::read_dir(&folder)
            .with_context(|| format!("cannot read {}", folder.display()))?;
        let mut files: Vec<PathBuf> = list.flatten().map(|e| e.path()).collect();
        files.retain(|f| f.extension().is_some_and(|e| e == "deb"));
        if files.len() != names.len() {
            bail!("apt fetched {} of {} packages: {}", files.len(), names.len(), names.join(" "));
        }
        Ok(files)
    }
}

/// Runs a command to its end; what it printed.
fn run(c: &mut Command) -> Result<String> {
    let name = c.get_program().to_string_lossy().into_owned();
    let out = c.stdin(Stdio::null()).output().with_context(|| format!("cannot start {name}"))?;
    if !out.status.success() {
        bail!("{name} failed: {}", String::from_utf8_lossy(&out.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_read() {
        let about = "Package: rustc-web\nVersion: 1.96.0+dfsg1-1\n\
            Depends: libc6 (>= 2.34), libstd-rust-web-dev (= 1.96), gcc | clang, libllvm22\n";
        assert_eq!(needs(about), ["libstd-rust-web-dev", "libllvm22"]);
        assert_eq!(field(about, "Version"), Some("1.96.0+dfsg1-1"));
        assert_eq!(field(about, "Conflicts"), None);
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(number("1.96.0+dfsg1-1~deb12u2"), (1, 96));
        assert!(number("1.100.0") > number("1.95"));
        assert!(number("1.63.0+dfsg1-2") < number("1.95"));
    }
}
