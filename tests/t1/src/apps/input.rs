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
use zinc_scene::{IRect, Rotation};
use zinc_t1::run::open_files;

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
                if let Some(p) = slate.touched() {
                    say(format_args!("at {:.2}", p.x));
                }
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
        Self::run(c)
    }

    fn run(mut c: Command) -> Outcome<Self> {
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

/// 31: the person's corners, on a digitizer that lies otherwise than the picture, by all turns.
fn by_turns() -> Outcome {
    let panel = (800, 480);
    let turn = |r: Rotation| Rotation::ALL.iter().position(|x| *x == r).unwrap_or(0) * 90;
    for (screen, lies) in Rotation::ALL.into_iter().flat_map(|s| Rotation::ALL.map(|t| (s, t))) {
        let size = lies.inverse().size(panel);
        let mut touch = multi((size.0 as i32, size.1 as i32))?;
        wait_for_node();
        let (surface, degrees) = (screen.inverse().size(panel), turn(screen).to_string());
        let settings = format!(r#"[{{"device":"t1 *","rotation":{}}}]"#, turn(lies));
        let env = [("ZINC_ROTATION", degrees.as_str()), ("ZINC_INPUT_TOUCH", settings.as_str())];
        let rig = Rig::start("targets", &env)?;
        let mut hits = Vec::new();
        for (x, y) in corners((surface.0 as i32, surface.1 as i32)) {
            let on_panel = screen.turn(IRect::new(x, y, x + 1, y + 1), surface);
            let at = lies.inverse().turn(on_panel, panel);
            let id = abs(Abs::ABS_MT_TRACKING_ID, hits.len() as i32);
            let (x, y) = (abs(Abs::ABS_MT_POSITION_X, at.x0), abs(Abs::ABS_MT_POSITION_Y, at.y0));
            touch.emit(&[id, x, y])?;
            a_moment();
            touch.emit(&[abs(Abs::ABS_MT_TRACKING_ID, -1)])?;
            hits.push(rig.until("hit")?.replace("hit ", ""));
        }
        println!("{degrees} {} {}", turn(lies), hits.join(" "));
    }
    Ok(())
}

/// 34: a picture smaller than its panel, and one of another shape.
fn by_placement() -> Outcome {
    let mut touch = multi((800, 480))?;
    wait_for_node();
    for (size, x) in [("400x240", 0), ("640x480", 80)] {
        let rig = Rig::start("targets", &[("ZINC_SIZE", size)])?;
        let mut hits = Vec::new();
        for (cx, cy) in corners((800 - 2 * x, 480)) {
            let id = abs(Abs::ABS_MT_TRACKING_ID, hits.len() as i32);
            let at = [abs(Abs::ABS_MT_POSITION_X, x + cx), abs(Abs::ABS_MT_POSITION_Y, cy)];
            touch.emit(&[id, at[0], at[1]])?;
            a_moment();
            touch.emit(&[abs(Abs::ABS_MT_TRACKING_ID, -1)])?;
            hits.push(rig.until("hit")?.replace("hit ", ""));
        }
        println!("{size} {}", hits.join(" "));
    }
    Ok(())
}

/// A keyboard with all keys.
fn keyboard() -> Outcome<VirtualDevice> {
    let all: Vec<K> = (1..=127).map(K).collect();
    Ok(VirtualDevice::builder()?.name("t1 keyboard").with_keys(&keys(&all))?.build()?)
}

/// 37: a German writes into the field.
fn by_typing() -> Outcome {
    let (mut board, mut touch) = (keyboard()?, multi((800, 480))?);
    wait_for_node();
    let env = [("ZINC_INPUT_LAYOUT", "de"), ("LANG", "de_DE.UTF-8")];
    let rig = Rig::start("targets", &env)?;
    let at = [abs(Abs::ABS_MT_POSITION_X, 400), abs(Abs::ABS_MT_POSITION_Y, 390)];
    touch.emit(&[abs(Abs::ABS_MT_TRACKING_ID, 1), at[0], at[1]])?;
    a_moment();
    touch.emit(&[abs(Abs::ABS_MT_TRACKING_ID, -1)])?;
    a_moment();
    let tap = [K::KEY_Y, K::KEY_Z, K::KEY_BACKSLASH];
    for k in tap {
        board.emit(&[key(k, 1)])?;
        board.emit(&[key(k, 0)])?;
    }
    board.emit(&[key(K::KEY_RIGHTALT, 1)])?;
    board.emit(&[key(K::KEY_E, 1)])?;
    board.emit(&[key(K::KEY_E, 0)])?;
    board.emit(&[key(K::KEY_RIGHTALT, 0)])?;
    for k in [K::KEY_EQUAL, K::KEY_E, K::KEY_ENTER] {
        board.emit(&[key(k, 1)])?;
        board.emit(&[key(k, 0)])?;
    }
    println!("{}", rig.until("line")?);
    // A key that is held: it repeats by itself, and ends when its keyboard does.
    board.emit(&[key(K::KEY_A, 1)])?;
    println!("{}", rig.until("text aaa")?);
    drop(board);
    std::thread::sleep(Duration::from_millis(100));
    let so_far = rig.lines.try_iter().count();
    std::thread::sleep(Duration::from_millis(500));
    println!("repeats after the keyboard is gone: {}", rig.lines.try_iter().count());
    eprintln!("{so_far} lines came while it went");
    Ok(())
}

/// 39: devices come and go while a finger is down.
fn by_crowd() -> Outcome {
    const CROWD: usize = 200;
    let finger = |d: &mut VirtualDevice, id: i32, x: i32, y: i32| {
        let at = [abs(Abs::ABS_MT_POSITION_X, x), abs(Abs::ABS_MT_POSITION_Y, y)];
        d.emit(&[abs(Abs::ABS_MT_TRACKING_ID, id), at[0], at[1]])
    };
    let rig = Rig::start("targets", &[])?;
    // Plugged in later, and used at once.
    let mut first = multi((800, 480))?;
    wait_for_node();
    std::thread::sleep(Duration::from_millis(100));
    finger(&mut first, 1, 400, 200)?;
    finger(&mut first, 1, 420, 200)?;
    println!("{}", rig.until("drag")?);
    let before = open_files(&rig.child);
    for n in 0..CROWD {
        let mut d = if n % 3 == 0 { mouse()? } else { multi((100, 100))? };
        // Some are gone before they are seen, some with a finger down.
        if n % 2 == 0 {
            wait_for_node();
            if n % 3 != 0 {
                finger(&mut d, 5, 50, 50)?;
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        finger(&mut first, 1, 400 + (n % 50) as i32, 200)?;
    }
    let end = Instant::now() + PATIENCE;
    while open_files(&rig.child) != before && Instant::now() < end {
        a_moment();
    }
    println!("descriptors {}", open_files(&rig.child) as i64 - before as i64);
    while rig.lines.try_recv().is_ok() {}
    // The finger is still the same one.
    finger(&mut first, 1, 300, 180)?;
    println!("{}", rig.until("drag")?);
    drop(first);
    println!("{}", rig.until("let go")?);
    // A finger that is lost over a button presses nothing.
    let mut second = multi((800, 480))?;
    std::thread::sleep(Duration::from_millis(100));
    finger(&mut second, 1, 20, 20)?;
    a_moment();
    drop(second);
    let mut third = multi((800, 480))?;
    std::thread::sleep(Duration::from_millis(100));
    finger(&mut third, 1, 780, 460)?;
    a_moment();
    third.emit(&[abs(Abs::ABS_MT_TRACKING_ID, -1)])?;
    println!("{}", rig.until("hit")?);
    println!("descriptors {}", open_files(&rig.child) as i64 - before as i64);
    Ok(())
}

/// More than the kernel keeps for a reader, while the app stands still.
fn by_flood() -> Outcome {
    use rustix::process::{Pid, Signal, kill_process};
    let (mut touch, mut board) = (multi((800, 480))?, keyboard()?);
    wait_for_node();
    let rig = Rig::start("targets", &[])?;
    let pid = i32::try_from(rig.child.id()).ok().and_then(Pid::from_raw).ok_or("no id")?;
    let id = |v| abs(Abs::ABS_MT_TRACKING_ID, v);
    let (x, y) = (|v| abs(Abs::ABS_MT_POSITION_X, v), |v| abs(Abs::ABS_MT_POSITION_Y, v));
    // A finger on a button; while nobody reads it lifts, and another comes and wanders.
    touch.emit(&[id(1), x(20), y(20)])?;
    board.emit(&[key(K::KEY_LEFTCTRL, 1)])?;
    a_moment();
    kill_process(pid, Signal::STOP)?;
    // The kernel keeps the newest: what counts is told first.
    touch.emit(&[id(-1)])?;
    board.emit(&[key(K::KEY_LEFTCTRL, 0)])?;
    touch.emit(&[id(2), x(400), y(200)])?;
    for n in 0..2000 {
        touch.emit(&[x(100 + n % 600), y(100 + n % 200)])?;
        board.emit(&[key(K::KEY_X, i32::from(n % 2 == 0))])?;
    }
    touch.emit(&[x(780), y(460)])?;
    kill_process(pid, Signal::CONT)?;
    a_moment();
    a_moment();
    // What became of the first is not known: it presses nothing. The other is where it is.
    touch.emit(&[id(-1)])?;
    println!("{}", rig.until("hit")?);
    touch.emit(&[id(4), x(780), y(20)])?;
    a_moment();
    touch.emit(&[id(-1)])?;
    println!("{}", rig.until("hit")?);
    // Control is up again: a letter is a letter.
    touch.emit(&[id(3), x(400), y(390)])?;
    a_moment();
    touch.emit(&[id(-1)])?;
    a_moment();
    board.emit(&[key(K::KEY_A, 1)])?;
    println!("{}", rig.until("text")?);
    Ok(())
}

/// 40: a panel that tells a place 25 times a second.
fn by_slow_panel() -> Outcome {
    const SAMPLES: i32 = 25;
    let mut touch = multi((800, 480))?;
    wait_for_node();
    let rig = Rig::start("targets", &[])?;
    let y = abs(Abs::ABS_MT_POSITION_Y, 200);
    let x = |n: i32| abs(Abs::ABS_MT_POSITION_X, 50 + 25 * n);
    touch.emit(&[abs(Abs::ABS_MT_TRACKING_ID, 1), x(0), y])?;
    let start = Instant::now();
    for n in 1..=SAMPLES {
        let due = Duration::from_millis(40) * n as u32;
        std::thread::sleep(due.saturating_sub(start.elapsed()));
        touch.emit(&[x(n)])?;
    }
    touch.emit(&[abs(Abs::ABS_MT_TRACKING_ID, -1)])?;
    let mut drawn: Vec<f32> = Vec::new();
    let end = Instant::now() + PATIENCE;
    while let Ok(l) = rig.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
        if l == "let go" {
            break;
        }
        drawn.extend(l.strip_prefix("at ").and_then(|x| x.parse::<f32>().ok()));
    }
    eprintln!("{} places drawn of {SAMPLES} told: {drawn:?}", drawn.len());
    println!("forward {}", drawn.is_sorted());
    // 60 a second would be 60; a busy machine leaves some out.
    println!("more than were told {}", drawn.len() > SAMPLES as usize * 5 / 4);
    println!("end {:?}", drawn.last());
    Ok(())
}

/// A panel that is off by a few percent, and shakes: calibrated, and then hit in its corners.
fn by_calibration() -> Outcome {
    const SIZE: (f32, f32) = (800., 480.);
    let mut touch = multi((1000, 1000))?;
    wait_for_node();
    // What the digitizer tells of a place of the panel, in its own steps.
    let told = |x: f32, y: f32| (900. * x + 30. * y + 40., 880. * y - 20. * x + 70.);
    let mut seed = 5u32;
    let mut shake = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32 * 12. - 6.
    };
    let mut c = Command::new(std::env::current_exe()?);
    c.arg("calibrate").env("ZINC_DISPLAY", "fbdev");
    let mut rig = Rig { child: c.stdout(Stdio::piped()).spawn()?, lines: channel().1 };
    let out = rig.child.stdout.take().ok_or("no pipe")?;
    std::thread::sleep(Duration::from_millis(500));
    for (n, (x, y)) in calibrate::TARGETS.into_iter().enumerate() {
        let (tx, ty) = told(x, y);
        touch.emit(&[abs(Abs::ABS_MT_TRACKING_ID, n as i32)])?;
        for _ in 0..25 {
            let at = [tx + shake(), ty + shake()].map(|v| v as i32);
            touch
                .emit(&[abs(Abs::ABS_MT_POSITION_X, at[0]), abs(Abs::ABS_MT_POSITION_Y, at[1])])?;
            std::thread::sleep(Duration::from_millis(15));
        }
        touch.emit(&[abs(Abs::ABS_MT_TRACKING_ID, -1)])?;
        a_moment();
    }
    let matrix = BufReader::new(out).lines().next().ok_or("it tells no matrix")??;
    println!("{:?}", rig.child.wait()?.code());
    let m: Vec<f32> = matrix
        .trim_matches(['[', ']'])
        .split(", ")
        .map(str::parse)
        .collect::<std::result::Result<_, _>>()?;
    let mut worst = 0.0f32;
    for (x, y) in [(0., 0.), (1., 0.), (0., 1.), (1., 1.), (0.5, 0.5)] {
        let (tx, ty) = told(x, y);
        let (tx, ty) = (tx / 1000., ty / 1000.);
        let off = [m[0] * tx + m[1] * ty + m[2] - x, m[3] * tx + m[4] * ty + m[5] - y];
        worst = worst.max((off[0] * SIZE.0).hypot(off[1] * SIZE.1));
    }
    eprintln!("{matrix}: misses by {worst:.2} px at most");
    println!("below four pixels: {}", worst < 4.0);
    let file = std::path::Path::new("/run/touch.json");
    std::fs::write(file, format!("[{{\"matrix\": {matrix}}}]"))?;
    let rig = Rig::start("targets", &[("ZINC_INPUT_TOUCH", "@/run/touch.json")])?;
    for (n, (x, y)) in corners((800, 480)).into_iter().enumerate() {
        let (tx, ty) = told(x as f32 / SIZE.0, y as f32 / SIZE.1);
        let at = [abs(Abs::ABS_MT_POSITION_X, tx as i32), abs(Abs::ABS_MT_POSITION_Y, ty as i32)];
        touch.emit(&[abs(Abs::ABS_MT_TRACKING_ID, 50 + n as i32), at[0], at[1]])?;
        a_moment();
        touch.emit(&[abs(Abs::ABS_MT_TRACKING_ID, -1)])?;
        println!("{}", rig.until("hit")?);
    }
    Ok(())
}

/// 14: who may have the picture and the console, and no device.
fn by_rights() -> Outcome {
    use rustix::fs::{Gid, Mode, chmod, chown};
    use std::os::unix::process::CommandExt;
    const GROUP: u32 = 44;
    let own = |node: &str, mode: u32| -> Outcome {
        chown(node, None, Some(Gid::from_raw(GROUP)))?;
        Ok(chmod(node, Mode::from_raw_mode(mode))?)
    };
    own("/dev/fb0", 0o660)?;
    let state =
        || format!("{:?}", zinc_console::Terminal::open("/dev/tty0").map(|t| t.map(|t| t.state())));
    let plain = |env: &[(&str, &str)]| -> Outcome<String> {
        let mut c = Command::new(std::env::current_exe()?);
        c.arg("plain").env("ZINC_DISPLAY", "fbdev").env("ZINC_FRAMES", "5");
        c.envs(env.iter().copied()).uid(1000).gid(GROUP).stderr(Stdio::piped());
        let o = c.output()?;
        let err = String::from_utf8_lossy(&o.stderr);
        let told = [
            "join the group input",
            "no device is plugged in",
            "/dev/input/event*: Permission denied",
        ];
        let told: Vec<_> = told.into_iter().filter(|w| err.contains(w)).collect();
        eprintln!("{err}");
        Ok(format!("{:?} {told:?}", o.status.code()))
    };
    let alone = ("ZINC_CONSOLE", "0");
    println!("without devices: {}", plain(&[alone])?);
    let (mut first, second) = (multi((800, 480))?, mouse()?);
    wait_for_node();
    let before = state();
    println!("refused: {}", plain(&[])?);
    println!("the console is as it was: {}", before == state());
    println!("without input: {}", plain(&[alone, ("ZINC_INPUT_DEVICES", "off")])?);
    own("/dev/input/event1", 0o660)?;
    println!("one of two: {}", plain(&[alone])?);
    // Rights that come later, as udev's do.
    let mut c = Command::new(std::env::current_exe()?);
    c.arg("targets").env("ZINC_DISPLAY", "fbdev").env("ZINC_CONSOLE", "0").uid(1000).gid(GROUP);
    let rig = Rig::run(c)?;
    own("/dev/input/event0", 0o660)?;
    std::thread::sleep(Duration::from_millis(100));
    let at = [abs(Abs::ABS_MT_POSITION_X, 20), abs(Abs::ABS_MT_POSITION_Y, 20)];
    first.emit(&[abs(Abs::ABS_MT_TRACKING_ID, 1), at[0], at[1]])?;
    a_moment();
    first.emit(&[abs(Abs::ABS_MT_TRACKING_ID, -1)])?;
    println!("{}", rig.until("hit")?);
    drop(second);
    Ok(())
}

pub(crate) fn main() -> ExitCode {
    let way = std::env::args().nth(2).unwrap_or_default();
    let done = match way.as_str() {
        "mouse" => by_mouse(),
        "panels" => by_panels(),
        "turns" => by_turns(),
        "placement" => by_placement(),
        "typing" => by_typing(),
        "crowd" => by_crowd(),
        "calibration" => by_calibration(),
        "flood" => by_flood(),
        "slow" => by_slow_panel(),
        "rights" => by_rights(),
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
