//! Input devices in the guest: `input WAY` plugs virtual devices in, runs an app of this program on
//! the guest's frame buffer, does something with the devices, and prints what the app tells of it.
//! `targets` is that app: a button in each corner, a slate that is dragged, a field that is typed into.

use evdev::uinput::VirtualDevice;
use evdev::{
    AbsInfo, AbsoluteAxisCode as Abs, AttributeSet, EventType, InputEvent, KeyCode as K, PropType,
    RelativeAxisCode as Rel, UinputAbsSetup,
};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use zinc::prelude::*;

type Outcome<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(10);

// ---- The app.

fn say(words: std::fmt::Arguments<'_>) {
    let mut out = std::io::stdout();
    // Who listens may be gone.
    let _ = writeln!(out, "{words}").and_then(|()| out.flush());
}

/// Four corners, a slate, a field.
#[derive(Default)]
pub(crate) struct Targets {
    text: String,
    told: bool,
}

impl App for Targets {
    fn view(&mut self, ui: &mut Ui) {
        let corner = |ui: &mut Ui, name: &str| {
            if ui.button(name).style(|s| s.size(90., 60.).rigid()).clicked() {
                say(format_args!("hit {name}"));
            }
        };
        let row = |ui: &mut Ui, a: &str, b: &str| {
            ui.line(S.rigid(), |ui| {
                corner(ui, a);
                ui.spacer();
                corner(ui, b);
            });
        };
        ui.col(S.grow(), |ui| {
            row(ui, "top-left", "top-right");
            let slate = ui.canvas(S.grow());
            if let Some(p) = slate.hover_place() {
                say(format_args!("mouse {:.0} {:.0}", p.x, p.y));
            }
            if slate.dragged().is_some_and(|d| d != Point::default()) {
                say(format_args!("drag"));
            }
            if slate.released() {
                say(format_args!("let go"));
            }
            slate.draw(0u32, |_, _| {});
            let before = self.text.clone();
            if ui.field(&mut self.text, S.rigid()).submitted() {
                say(format_args!("line {}", self.text));
                self.text.clear();
            } else if self.text != before {
                say(format_args!("text {}", self.text));
            }
            row(ui, "bottom-left", "bottom-right");
        });
        if !std::mem::replace(&mut self.told, true) {
            say(format_args!("ready"));
        }
    }
}

// ---- Who plugs devices in.

/// The app, and what it tells.
struct Rig {
    child: Child,
    lines: Receiver<String>,
}

impl Rig {
    fn start(app: &str, env: &[(&str, &str)]) -> Outcome<Self> {
        let mut c = Command::new(std::env::current_exe()?);
        c.arg(app).env("ZINC_DISPLAY", "fbdev").envs(env.iter().copied());
        let mut child = c.stdout(Stdio::piped()).spawn()?;
        let out = child.stdout.take().ok_or("no pipe")?;
        let (tell, lines) = channel();
        std::thread::spawn(move || {
            for l in BufReader::new(out).lines().map_while(std::result::Result::ok) {
                if tell.send(l).is_err() {
                    return;
                }
            }
        });
        let rig = Self { child, lines };
        rig.until("ready")?;
        Ok(rig)
    }

    /// Waits for a line that begins so.
    fn until(&self, start: &str) -> Outcome<String> {
        let end = Instant::now() + PATIENCE;
        let mut seen = Vec::new();
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(l) if l.starts_with(start) => return Ok(l),
                Ok(l) => seen.push(l),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("no {start:?} came, but {seen:?}").into());
                }
                Err(e) => return Err(format!("{e} before {start:?}, after {seen:?}").into()),
            }
        }
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn keys(all: &[K]) -> AttributeSet<K> {
    all.iter().copied().collect()
}

fn axis(code: Abs, max: i32) -> UinputAbsSetup {
    UinputAbsSetup::new(code, AbsInfo::new(0, 0, max, 0, 0, 0))
}

fn abs(code: Abs, value: i32) -> InputEvent {
    InputEvent::new(EventType::ABSOLUTE.0, code.0, value)
}

fn key(code: K, value: i32) -> InputEvent {
    InputEvent::new(EventType::KEY.0, code.0, value)
}

/// A mouse with a wheel.
fn mouse() -> Outcome<VirtualDevice> {
    let b = VirtualDevice::builder()?.name("t1 mouse");
    let b = b.with_keys(&keys(&[K::BTN_LEFT, K::BTN_RIGHT, K::BTN_MIDDLE]))?;
    let axes: AttributeSet<Rel> = [Rel::REL_X, Rel::REL_Y, Rel::REL_WHEEL].into_iter().collect();
    Ok(b.with_relative_axes(&axes)?.build()?)
}

/// The mouse of a virtual machine: a place, and a left button.
fn tablet() -> Outcome<VirtualDevice> {
    let b = VirtualDevice::builder()?.name("t1 tablet").with_keys(&keys(&[K::BTN_LEFT]))?;
    let b = b.with_absolute_axis(&axis(Abs::ABS_X, 32767))?;
    Ok(b.with_absolute_axis(&axis(Abs::ABS_Y, 32767))?.build()?)
}

/// A panel for one finger.
fn single((w, h): (i32, i32)) -> Outcome<VirtualDevice> {
    let b = VirtualDevice::builder()?.name("t1 single touch").with_keys(&keys(&[K::BTN_TOUCH]))?;
    let b = b.with_absolute_axis(&axis(Abs::ABS_X, w - 1))?;
    Ok(b.with_absolute_axis(&axis(Abs::ABS_Y, h - 1))?.build()?)
}

/// A panel for ten.
fn multi((w, h): (i32, i32)) -> Outcome<VirtualDevice> {
    let b = VirtualDevice::builder()?.name("t1 multi touch").with_keys(&keys(&[K::BTN_TOUCH]))?;
    let direct: AttributeSet<PropType> = [PropType::DIRECT].into_iter().collect();
    let b = b.with_properties(&direct)?;
    let b = b.with_absolute_axis(&axis(Abs::ABS_MT_SLOT, 9))?;
    let b = b.with_absolute_axis(&axis(Abs::ABS_MT_TRACKING_ID, 65535))?;
    let b = b.with_absolute_axis(&axis(Abs::ABS_MT_POSITION_X, w - 1))?;
    Ok(b.with_absolute_axis(&axis(Abs::ABS_MT_POSITION_Y, h - 1))?.build()?)
}

/// Where a panel of this size is touched, in its steps: near its own four corners.
fn corners((w, h): (i32, i32)) -> [(i32, i32); 4] {
    let (x, y) = (w / 20, h / 20);
    [(x, y), (w - 1 - x, y), (x, h - 1 - y), (w - 1 - x, h - 1 - y)]
}

/// Two frames, so that a press is seen before it ends.
fn a_moment() {
    std::thread::sleep(Duration::from_millis(40));
}

fn wait_for_node() {
    // A node is there when uinput says so; devtmpfs makes it a moment later.
    std::thread::sleep(Duration::from_millis(20));
}

/// A mouse moves over the slate, from its middle, and clicks in a corner.
fn by_mouse() -> Outcome {
    let mut m = mouse()?;
    wait_for_node();
    let rig = Rig::start("targets", &[])?;
    let rel = |r: Rel, v| InputEvent::new(EventType::RELATIVE.0, r.0, v);
    m.emit(&[rel(Rel::REL_X, 10), rel(Rel::REL_Y, -20)])?;
    println!("{}", rig.until("mouse")?);
    m.emit(&[rel(Rel::REL_X, 3000), rel(Rel::REL_Y, 3000)])?;
    for v in [1, 0] {
        m.emit(&[key(K::BTN_LEFT, v)])?;
        a_moment();
    }
    println!("{}", rig.until("hit")?);
    Ok(())
}

/// Each kind of panel touches its four corners.
fn by_panels() -> Outcome {
    let size = (800, 480);
    let (mut one, mut many, mut place) = (single(size)?, multi(size)?, tablet()?);
    wait_for_node();
    let rig = Rig::start("targets", &[])?;
    for (x, y) in corners(size) {
        one.emit(&[abs(Abs::ABS_X, x), abs(Abs::ABS_Y, y), key(K::BTN_TOUCH, 1)])?;
        a_moment();
        one.emit(&[key(K::BTN_TOUCH, 0)])?;
        println!("single {}", rig.until("hit")?);
    }
    for (n, (x, y)) in corners(size).into_iter().enumerate() {
        let at = [abs(Abs::ABS_MT_POSITION_X, x), abs(Abs::ABS_MT_POSITION_Y, y)];
        let slot = abs(Abs::ABS_MT_SLOT, n as i32);
        many.emit(&[slot, abs(Abs::ABS_MT_TRACKING_ID, 7 + n as i32), at[0], at[1]])?;
        a_moment();
        many.emit(&[abs(Abs::ABS_MT_TRACKING_ID, -1)])?;
        println!("multi {}", rig.until("hit")?);
    }
    for (x, y) in corners((32768, 32768)) {
        place.emit(&[abs(Abs::ABS_X, x), abs(Abs::ABS_Y, y)])?;
        for v in [1, 0] {
            place.emit(&[key(K::BTN_LEFT, v)])?;
            a_moment();
        }
        println!("tablet {}", rig.until("hit")?);
    }
    Ok(())
}

pub(crate) fn main() -> ExitCode {
    let way = std::env::args().nth(2).unwrap_or_default();
    let done = match way.as_str() {
        "mouse" => by_mouse(),
        "panels" => by_panels(),
        _ => Err(format!("there is no way {way:?}").into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("input {way}: {e}");
            ExitCode::FAILURE
        }
    }
}
