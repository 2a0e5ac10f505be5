//! Hero, and what the glass shows of it: `glass FRAMES FILE`. After so many frames of virtual time
//! the file gets what the card composes, read through its writeback connector by the descriptor that
//! the display has open, while the display goes on. Rows of B, G, R, X.

use std::fs::File;
use std::os::fd::AsFd;
use std::process::{ExitCode, Termination};
use std::time::Duration;
use zinc::prelude::*;
use zinc_kms_core::{Card, writeback};

struct Glass {
    hero: hero::Hero,
    at: Duration,
    file: String,
    done: bool,
}

impl App for Glass {
    fn start(&mut self, cx: &mut Cx<'_>) {
        self.hero.start(cx);
    }

    fn view(&mut self, ui: &mut Ui) {
        if !self.done && ui.now() >= self.at {
            self.done = true;
            match see().and_then(|s| std::fs::write(&self.file, s.bytes)) {
                Ok(()) => {}
                Err(e) => eprintln!("glass: {e}"),
            }
        }
        self.hero.view(ui);
        ui.request_frame();
    }
}

fn see() -> std::io::Result<writeback::Seen> {
    let is_card = |e: &std::fs::DirEntry| {
        std::fs::read_link(e.path()).is_ok_and(|l| l.starts_with("/dev/dri"))
    };
    let open = std::fs::read_dir("/proc/self/fd")?.flatten().find(is_card);
    let open = open.ok_or_else(|| std::io::Error::other("no card is open"))?;
    let number = open.file_name().into_string().ok().and_then(|n| n.parse().ok());
    let number = number.ok_or_else(|| std::io::Error::other("a descriptor is a number"))?;
    // The same open card, so the same master; opening the node again would make a stranger.
    let own = rustix::process::getpid();
    let me = rustix::process::pidfd_open(own, rustix::process::PidfdFlags::empty())?;
    let fd = rustix::process::pidfd_getfd(
        me.as_fd(),
        number,
        rustix::process::PidfdGetfdFlags::empty(),
    )?;
    writeback::read_back(&Card::of(File::from(fd)))
}

pub(crate) fn main() -> ExitCode {
    let mut args = std::env::args().skip(2);
    let frames: u32 = args.next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let file = args.next().unwrap_or_default();
    let at = Duration::from_nanos(16_666_667) * frames;
    zinc::run(Glass { hero: hero::Hero::default(), at, file, done: false }).report()
}
