//! Building for a board on this machine: the linker and the C library of its processor, Rust's
//! standard library for it, and an emulator that runs what was built.
//!
//! Rust's part is found in this order: what the tool chain in use has; what `rustup` can add to
//! it; on Debian a compiler and both standard libraries from its packages, unpacked into the target
//! folder ([`debian`]). A standard library fits one compiler only, so the last is always the pair.

mod debian;

use crate::cargo;
use crate::packages::{self, Need, What};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A kind of board, by the names that the tools have for it.
#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) name: &'static str,
    /// Rust's.
    pub(crate) triple: &'static str,
    /// Debian's name of its processor.
    debian: &'static str,
    linker: &'static str,
    /// An emulator of programs, and the folder where it finds the C library.
    emulator: [&'static str; 3],
    needs: [Need; 3],
}

/// 64-bit ARM with glibc: a Raspberry Pi 3 and newer.
pub(crate) const ARM64: Board = Board {
    name: "aarch64",
    triple: "aarch64-unknown-linux-gnu",
    debian: "arm64",
    linker: "aarch64-linux-gnu-gcc",
    emulator: ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"],
    needs: [
        Need { what: What::Program("aarch64-linux-gnu-gcc"), package: "gcc-aarch64-linux-gnu" },
        Need {
            what: What::File("/usr/aarch64-linux-gnu/lib/crt1.o"),
            package: "libc6-dev-arm64-cross",
        },
        Need { what: What::Program("qemu-aarch64-static"), package: "qemu-user-static" },
    ],
};

/// All that a build for a board needs.
#[derive(Debug)]
pub(crate) struct Toolchain {
    board: &'static Board,
    rust: Rust,
}

#[derive(Debug)]
enum Rust {
    /// The tool chain in use.
    Own,
    /// A folder of unpacked packages.
    Unpacked(PathBuf),
}

impl Toolchain {
    /// Finds or fetches what is missing; `tools` is a folder for what has to be unpacked.
    pub(crate) fn prepare(board: &'static Board, tools: &Path) -> Result<Self> {
        let who = format!("building for {}", board.name);
        packages::install(&who, &board.needs)?;
        Ok(Self { board, rust: rust(board, tools)? })
    }

    /// A verb of cargo for the board. Programs that it starts run in the emulator.
    pub(crate) fn cargo(&self, verb: &str) -> Command {
        let (name, under) = (self.board.triple, self.board.triple.replace('-', "_"));
        let upper = under.to_uppercase();
        let mut c = cargo::command(&[verb, "--target", name]);
        c.env(format!("CARGO_TARGET_{upper}_LINKER"), self.board.linker);
        c.env(format!("CARGO_TARGET_{upper}_RUNNER"), self.runner());
        c.env(format!("CC_{under}"), self.board.linker);
        if let Rust::Unpacked(folder) = &self.rust {
            c.env("RUSTC", debian::rustc(folder));
            c.env("LD_LIBRARY_PATH", debian::libraries(folder));
        }
        c
    }

    /// What stands before a program of the board to run it here.
    pub(crate) fn runner(&self) -> String {
        self.board.emulator.join(" ")
    }

    /// Where cargo puts programs that it builds for the board without optimizations of a release.
    pub(crate) fn programs(&self, target: &Path) -> PathBuf {
        target.join(self.board.triple).join("debug")
    }
}

/// Rust's standard library for the board.
fn rust(board: &Board, tools: &Path) -> Result<Rust> {
    if has_std(board) {
        return Ok(Rust::Own);
    }
    if packages::has("rustup") {
        eprintln!("asking rustup for Rust's standard library for {}", board.name);
        let mut c = Command::new("rustup");
        c.args(["target", "add", board.triple]).stdin(Stdio::null()).stdout(Stdio::null());
        if c.status().is_ok_and(|s| s.success()) && has_std(board) {
            return Ok(Rust::Own);
        }
    }
    if packages::is_debian() {
        return debian::unpack(board.debian, tools).map(Rust::Unpacked).with_context(|| {
            format!(
                "there is no Rust standard library for {0}; with rustup, type: rustup target add {1}",
                board.name, board.triple
            )
        });
    }
    bail!(
        "there is no Rust standard library for {0}. Type: rustup target add {1} (Rust of a system \
         package: install its standard library for {1})",
        board.name,
        board.triple
    )
}

/// The compiler in use has a standard library for the board.
fn has_std(board: &Board) -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut c = Command::new(rustc);
    c.args(["--print", "target-libdir", "--target", board.triple]);
    let Ok(out) = c.stdin(Stdio::null()).stderr(Stdio::null()).output() else { return false };
    let folder = PathBuf::from(String::from_utf8_lossy(&out.stdout).trim());
    let Ok(files) = std::fs::read_dir(folder) else { return false };
    files.flatten().any(|f| f.file_name().to_string_lossy().starts_with("libstd-"))
}
