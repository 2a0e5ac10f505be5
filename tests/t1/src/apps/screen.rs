//! Watches what a screen shows while a program takes it: `screen WAY`. `turns` plugs its connector
//! out and in; `kill` ends the program by SIGKILL and compares the console's picture; `busy` has the
//! card itself when the program comes. Prints what it saw; a test holds that to what it must be.

use rustix::process::{Pid, Signal, kill_process};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use zinc_kms_core::{Card, Kms, writeback};
use zinc_t1::run::open_files;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

const NODE: &str = "/dev/dri/card0";
const CONNECTOR: &str = "/sys/class/drm/card0-Virtual-1/status";
const UEVENT: &str = "/sys/class/drm/card0/uevent";

fn sleep(ms: u64) {
    std::thread::sleep(Duration::from_millis(ms));
}

/// A program of this file's siblings on the screen.
fn start(app: &str, env: &[(&str, &str)]) -> Outcome<Child> {
    let mut c = Command::new(std::env::current_exe()?);
    c.arg(app).env("ZINC_DISPLAY", "kms").envs(env.iter().copied());
    Ok(c.stdin(Stdio::null()).spawn()?)
}

/// Other programs' masters are none of the first who opens.
fn seen() -> Outcome<writeback::Seen> {
    Ok(writeback::read_back(&Card::open(Path::new(NODE))?)?)
}

fn plug(on: bool, told: bool) -> Outcome {
    std::fs::write(CONNECTOR, if on { "on" } else { "off" })?;
    if told {
        std::fs::write(UEVENT, "change")?;
    }
    Ok(())
}

/// A start without a screen; so many turns, most with a uevent, and some that nobody tells of; then the program ends by itself.
fn turns() -> Outcome {
    plug(false, false)?;
    let mut child = start("plain", &[("ZINC_FRAMES", "400")])?;
    sleep(700);
    println!("in the dark {}", child.try_wait()?.is_none());
    plug(true, true)?;
    sleep(500);
    for _ in 0..3 {
        plug(false, true)?;
        sleep(60);
        plug(true, true)?;
        sleep(60);
    }
    let before = open_files(&child);
    for turn in 0..50u64 {
        plug(false, true)?;
        sleep(60 + turn * 7 % 40);
        plug(true, true)?;
        sleep(60 + turn * 11 % 40);
    }
    plug(false, false)?;
    sleep(4500);
    let dark = child.try_wait()?.is_none();
    plug(true, false)?;
    let after = open_files(&child);
    println!("alive {dark}, files grew by {}", after.saturating_sub(before));
    println!("{:?}", child.wait()?.code());
    Ok(())
}

/// The console shows this again, within seconds: a guardian puts it into text, the kernel lets go of
/// a dead program's card when it comes to it, and a cursor blinks.
fn comes_back(before: &writeback::Seen) -> Outcome<bool> {
    let end = Instant::now() + Duration::from_secs(5);
    loop {
        let after = seen();
        if after.as_ref().is_ok_and(|a| a == before) || Instant::now() > end {
            return Ok(after? == *before);
        }
        sleep(50);
    }
}

/// The console's picture before and after a program that is killed.
fn kill() -> Outcome {
    let mut console = std::fs::OpenOptions::new().write(true).open("/dev/tty0")?;
    for line in 0..20 {
        write!(console, "line {line} of the console, before anything is shown\r\n")?;
    }
    console.flush()?;
    sleep(200);
    let before = seen()?;
    // One that ends by itself puts it back by itself.
    let mut child = start("hero", &[("ZINC_DEMO", "bench"), ("ZINC_FRAMES", "20")])?;
    println!("{:?}", child.wait()?.code());
    println!("the same {}", comes_back(&before)?);
    let mut child = start("hero", &[("ZINC_DEMO", "bench")])?;
    sleep(1500);
    // It is the master: a stranger must not change anything.
    println!(
        "a stranger {:?}",
        Card::open(Path::new(NODE))?.set_master().map_err(|e| e.raw_os_error())
    );
    if let Some(p) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        kill_process(p, Signal::KILL)?;
    }
    println!("{:?}", child.wait()?.code());
    let same = comes_back(&before)?;
    let lit = before.bytes.chunks(4).filter(|p| p[0] | p[1] | p[2] != 0).count();
    println!("lit {}, the same {}", lit > 1000, same);
    Ok(())
}

/// The card is ours for a while.
fn busy() -> Outcome {
    let card = Card::open(Path::new(NODE))?;
    card.set_master()?;
    let frames = ("ZINC_FRAMES", "10");
    let mut child = start("plain", &[frames, ("ZINC_DISPLAY_WAIT", "1")])?;
    println!("{:?}", child.wait()?.code());
    let mut child = start("plain", &[frames])?;
    sleep(2000);
    drop(card);
    println!("{:?}", child.wait()?.code());
    Ok(())
}

pub(crate) fn main() -> ExitCode {
    let way = std::env::args().nth(2).unwrap_or_default();
    let done = match way.as_str() {
        "turns" => turns(),
        "kill" => kill(),
        _ => busy(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("screen {way}: {e}");
            ExitCode::FAILURE
        }
    }
}
