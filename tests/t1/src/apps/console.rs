//! Watches a console while a program of this file's siblings takes it and comes to an end: `console
//! WAY`, where WAY is `end`, `panic`, or a signal, `term` or `kill`. Prints what it saw, one state a
//! line; a test holds that to what it must be. `console-keys` types before, while and after a program
//! has the console, and prints what a shell there would have read. `console-switch TIMES` switches to
//! another terminal and back so many times while hero has the glass, and ends it by SIGTERM.

use evdev::uinput::VirtualDevice;
use evdev::{AttributeSet, EventType, InputEvent, KeyCode};
use rustix::process::{Pid, Signal, kill_process};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Child, Command, ExitCode};
use std::time::{Duration, Instant};
use zinc_console::{Mode, State, Terminal};
use zinc_t1::run::open_files;

/// Longer than anything here takes; a state that is not reached by then is printed as it is.
const PATIENCE: Duration = Duration::from_secs(10);

fn state() -> Option<State> {
    Terminal::open("/dev/tty0").ok()??.state().ok()
}

/// Waits until something holds.
fn until(f: impl Fn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !f() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn tell(when: &str) {
    println!("{when} {:?}", state());
}

/// Processes with this one's name. One that has ended and is not yet buried has no command line.
fn siblings() -> usize {
    let own = std::fs::read_to_string("/proc/self/comm").unwrap_or_default();
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lives = |e: &std::fs::DirEntry| {
        let text = |name: &str| std::fs::read_to_string(e.path().join(name)).unwrap_or_default();
        // Not the links beside them, as /proc/self.
        let process = e.file_type().is_ok_and(|t| t.is_dir());
        process && text("comm") == own && !text("cmdline").is_empty()
    };
    all.filter(lives).count()
}

fn signal(child: &Child, s: Signal) {
    if let Some(p) = i32::try_from(child.id()).ok().and_then(Pid::from_raw)
        && let Err(e) = kill_process(p, s)
    {
        println!("no signal: {e}");
    }
}

pub(crate) fn main() -> ExitCode {
    let way = std::env::args().nth(2).unwrap_or_default();
    let app = if way == "panic" { "panics" } else { "plain" };
    tell("before");
    let Ok(exe) = std::env::current_exe() else { return ExitCode::FAILURE };
    let mut c = Command::new(exe);
    c.arg(app).env("ZINC_DISPLAY", "fbdev");
    if way == "end" {
        c.env("ZINC_FRAMES", "10");
    }
    let Ok(mut child) = c.spawn() else { return ExitCode::FAILURE };
    let signal_of = match way.as_str() {
        "term" => Some(Signal::TERM),
        "kill" => Some(Signal::KILL),
        _ => None,
    };
    if let Some(s) = signal_of {
        until(|| state().is_some_and(|s| s.mode == Mode::Graphics));
        tell("during");
        println!("processes {}", siblings());
        signal(&child, s);
    }
    println!("{:?}", child.wait().map(|s| s.code()));
    until(|| state().is_some_and(|s| s.mode == Mode::Text));
    tell("after");
    until(|| siblings() == 1);
    println!("processes {}", siblings());
    ExitCode::SUCCESS
}

/// A keyboard with a few keys, as if plugged in.
fn keyboard() -> std::io::Result<VirtualDevice> {
    let keys = [KeyCode::KEY_A, KeyCode::KEY_B, KeyCode::KEY_C, KeyCode::KEY_ENTER];
    let keys: AttributeSet<KeyCode> = keys.into_iter().collect();
    VirtualDevice::builder()?.name("t1 keyboard").with_keys(&keys)?.build()
}

fn type_line(to: &mut VirtualDevice, key: KeyCode) -> std::io::Result<()> {
    for k in [key, KeyCode::KEY_ENTER] {
        for value in [1, 0] {
            to.emit(&[InputEvent::new(EventType::KEY.0, k.0, value)])?;
        }
    }
    Ok(())
}

/// What a shell on the terminal in front would read, until it has a line that ends so.
struct Shell(std::fs::File, String);

impl Shell {
    fn open(on: &str) -> std::io::Result<Self> {
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        let mut o = std::fs::OpenOptions::new();
        // The bits of two flags fit.
        let file = o.read(true).custom_flags(flags.bits() as i32).open(on)?;
        Ok(Self(file, String::new()))
    }

    fn reads(&mut self, end: &str) {
        let limit = Instant::now() + PATIENCE;
        while !self.1.ends_with(end) && Instant::now() < limit {
            let mut bytes = [0; 64];
            // Nothing to read is an error here, and no news.
            let n = self.0.read(&mut bytes).unwrap_or(0);
            self.1.push_str(&String::from_utf8_lossy(&bytes[..n]));
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn try_keys() -> std::io::Result<()> {
    let (mut keys, mut shell) = (keyboard()?, Shell::open("/dev/tty1")?);
    type_line(&mut keys, KeyCode::KEY_A)?;
    shell.reads("a\n");
    let mut c = Command::new(std::env::current_exe()?);
    let mut child = c.arg("plain").env("ZINC_DISPLAY", "fbdev").spawn()?;
    until(|| state().is_some_and(|s| s.mode == Mode::Graphics));
    type_line(&mut keys, KeyCode::KEY_B)?;
    signal(&child, Signal::KILL);
    child.wait()?;
    until(|| state().is_some_and(|s| s.mode == Mode::Text));
    type_line(&mut keys, KeyCode::KEY_C)?;
    shell.reads("c\n");
    println!("{:?}", shell.1);
    Ok(())
}

pub(crate) fn keys() -> ExitCode {
    match try_keys() {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("console-keys: {e}");
            ExitCode::FAILURE
        }
    }
}

/// The glass, as a number.
fn glass() -> std::io::Result<u64> {
    use std::hash::{DefaultHasher, Hasher};
    let mut h = DefaultHasher::new();
    h.write(&std::fs::read("/dev/fb0")?);
    Ok(h.finish())
}

/// Waits until a terminal is in front.
fn front(t: &Terminal, number: u16) {
    until(|| t.front().is_ok_and(|n| n == number));
}

fn try_switch(times: u32) -> std::io::Result<()> {
    let wrong = std::io::Error::other;
    let t = Terminal::open("/dev/tty0")?.ok_or_else(|| wrong("no terminal"))?;
    let (mut keys, mut shell) = (keyboard()?, Shell::open("/dev/tty2")?);
    let mut c = Command::new(std::env::current_exe()?);
    c.arg("hero").env("ZINC_DISPLAY", "fbdev").env("ZINC_DEMO", "bench").env("ZINC_PROFILE", "1");
    let mut child = c.spawn()?;
    until(|| state().is_some_and(|s| s.mode == Mode::Graphics));
    let before = glass()?;
    until(|| glass().is_ok_and(|g| g != before));
    let files = open_files(&child);
    let (mut left, mut still, mut moved) = (0, 0, 0);
    for _ in 0..times {
        t.switch_to(2)?;
        front(&t, 2);
        left += u32::from(t.front()? == 2);
        // The kernel draws the other terminal's text before it is in front.
        let seen = glass()?;
        std::thread::sleep(Duration::from_millis(30));
        still += u32::from(glass()? == seen);
        t.switch_to(1)?;
        front(&t, 1);
        until(|| glass().is_ok_and(|g| g != seen));
        let first = glass()?;
        until(|| glass().is_ok_and(|g| g != first));
        moved += u32::from(glass()? != first);
    }
    println!("left {left}, nothing drawn there {still}, drawn again {moved}");
    t.switch_to(2)?;
    front(&t, 2);
    type_line(&mut keys, KeyCode::KEY_A)?;
    shell.reads("a\n");
    println!("typed there {:?}", shell.1);
    t.switch_to(1)?;
    front(&t, 1);
    // Images that are read just now are open for a moment; one file a switch would be far more.
    println!("more files {}", open_files(&child) > files + times as usize / 5);
    signal(&child, Signal::TERM);
    println!("{:?}", child.wait()?.code());
    tell("after");
    Ok(())
}

pub(crate) fn switch() -> ExitCode {
    let times = std::env::args().nth(2).and_then(|n| n.parse().ok()).unwrap_or(1);
    match try_switch(times) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("console-switch: {e}");
            ExitCode::FAILURE
        }
    }
}
