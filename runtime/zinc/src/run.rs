//! The loop. It owns the main thread and the only clock. On demand: without input, timer,
//! animation, finished work or a due picture it sleeps in one system call.

use crate::displays::{self, Opening};
use crate::inputs::{self, Inputs, Wishes};
use crate::resample::Resampler;
use crate::screen::Screen;
use crate::seat::Seat;
use crate::session::Session;
#[cfg(unix)]
use crate::signals::{Signals, Told};
use crate::switches::{Crash, Hashes, Switches};
use crate::{App, Exit, log, script::Script};
use calloop::EventLoop;
use calloop::ping::make_ping;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use zinc_hal::{DisplayError, DisplayEvent, InputEvent, PointerPhase, Timed, Waker};
use zinc_raster::TRACE;
use zinc_ui::{Spawner, Theme, Ui};

/// Runs an app until it ends, on the display that the switches choose.
pub fn run<A: App + 'static>(app: A) -> Exit {
    // Finished last, when all threads are gone.
    let _log = log::start();
    if std::env::args_os().skip(1).any(|a| a == "--doctor") {
        return doctor();
    }
    let switches = match Switches::from_env() {
        Ok(s) => s,
        Err(e) => {
            tracing::error!("{e}");
            return Exit::Failed;
        }
    };
    run_with(app, switches)
}

/// `APP --doctor`: what keeps this machine from showing it well.
fn doctor() -> Exit {
    let report = zinc_doctor::Report::of(&zinc_doctor::System::here());
    println!("{report}");
    if report.grade() == zinc_doctor::Grade::Bad { Exit::Failed } else { Exit::Ended }
}

/// Runs an app with switches given by the caller.
pub fn run_with<A: App + 'static>(app: A, switches: Switches) -> Exit {
    let crash = switches.crash;
    let outcome = catch_unwind(AssertUnwindSafe(|| try_run(Box::new(app), switches)));
    match outcome {
        Ok(Ok(exit)) => exit,
        Ok(Err(e)) => {
            tracing::error!("{e}");
            match e {
                RunError::NoDisplay(_) => Exit::NoDisplay,
                _ => Exit::Failed,
            }
        }
        // The panic hook has printed message and place.
        Err(_) => after_crash(crash),
    }
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
enum RunError {
    #[error(transparent)]
    NoDisplay(#[from] displays::NoDisplay),
    #[error(transparent)]
    Display(#[from] DisplayError),
    #[error(transparent)]
    Render(#[from] crate::render::RenderDied),
    #[error(transparent)]
    Script(#[from] crate::script::ScriptError),
    #[error(transparent)]
    Input(#[from] inputs::InputSwitchError),
    #[error("the event loop failed: {0}")]
    Loop(#[from] calloop::Error),
    #[error("the event loop cannot be set up: {0}")]
    Setup(#[from] std::io::Error),
    #[error("the event loop cannot be set up: {0}")]
    Insert(String),
}

/// How long a frame on its way to the glass may hold up a switch of terminals.
#[cfg(unix)]
const LEAVING: Duration = Duration::from_millis(500);
/// How long the last frames may take to reach the glass; less when the program is told to end.
const DRAINING: Duration = Duration::from_secs(1);
const ENDING: Duration = Duration::from_millis(250);

const CRASHES: &str = "ZINC_CRASH_TIMES";
/// So many crashes within [`CRASH_WINDOW`] and the program gives up.
const CRASH_LIMIT: usize = 3;
const CRASH_WINDOW: u64 = 5;

/// Starts the program again, if it may.
fn after_crash(policy: Crash) -> Exit {
    if policy == Crash::Exit {
        tracing::error!(
            "the app panicked; the program ends (\"crash\": \"restart\" would start it again)"
        );
        return Exit::Crashed;
    }
    let now = std::time::SystemTime::now();
    let now = now.duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let before = std::env::var(CRASHES).unwrap_or_default();
    let mut times: Vec<u64> = before.split(',').filter_map(|t| t.parse().ok()).collect();
    times.retain(|t| now.saturating_sub(*t) <= CRASH_WINDOW);
    times.push(now);
    if times.len() >= CRASH_LIMIT {
        tracing::error!(
            "the app panicked {CRASH_LIMIT} times in {CRASH_WINDOW} seconds; giving up"
        );
        return Exit::Crashed;
    }
    tracing::warn!("the app panicked; starting it again");
    let list = times.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    let e = restart(&list);
    tracing::error!("cannot start the program again: {e}");
    Exit::Crashed
}

#[cfg(unix)]
fn restart(times: &str) -> std::io::Error {
    use std::os::unix::process::CommandExt;
    match std::env::current_exe() {
        Ok(exe) => std::process::Command::new(exe)
            .args(std::env::args_os().skip(1))
            .env(CRASHES, times)
            .exec(),
        Err(e) => e,
    }
}

#[cfg(not(unix))]
fn restart(_: &str) -> std::io::Error {
    std::io::Error::other("restarting needs a Unix system")
}

/// Where relative paths of images start: `ZINC_ASSETS`, else the app's folder under cargo, else
/// the executable's folder.
fn assets(s: &Switches) -> PathBuf {
    let cargo = || std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let beside = || std::env::current_exe().ok()?.parent().map(PathBuf::from);
    s.assets.clone().or_else(cargo).or_else(beside).unwrap_or_default()
}

fn title() -> String {
    let exe = std::env::current_exe().ok();
    let name = exe.as_ref().and_then(|p| p.file_stem()).map(|n| n.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "Zinc".to_owned())
}

fn try_run(app: Box<dyn App>, switches: Switches) -> Result<Exit, RunError> {
    let start = Instant::now();
    let script = match &switches.input {
        Some(path) => Script::load(path)?,
        None => Script::default(),
    };
    let wishes = Wishes::of(&switches)?;
    let events: EventLoop<'_, ()> = EventLoop::try_new()?;
    let (ping, source) = make_ping()?;
    let insert = events.handle().insert_source(source, |_, _, _| {});
    insert.map_err(|e| RunError::Insert(e.to_string()))?;
    let wake_ping = ping.clone();
    let waker: Waker = Arc::new(move || wake_ping.ping());
    let app_woke = Arc::new(AtomicBool::new(false));
    let (flag, app_ping) = (app_woke.clone(), ping);
    let app_waker: Waker = Arc::new(move || {
        // Many values a frame are one wake-up.
        if !flag.swap(true, Ordering::AcqRel) {
            app_ping.ping();
        }
    });
    let title = title();
    // Before anything is taken that a signal should give back.
    #[cfg(unix)]
    let signals = Signals::listen(waker.clone())?;
    // Given back last: after the session, its display and its threads.
    let seat = Seat::default();
    let opening = Opening {
        switches: &switches,
        waker: waker.clone(),
        start,
        title: &title,
        seat: seat.clone(),
        wishes,
        input: inputs::Source::default(),
    };
    let display = displays::open(&opening)?;
    #[cfg(unix)]
    if let Some(fd) = display.fd() {
        watch(&events, fd.try_clone_to_owned()?, || {})?;
    }
    let inputs = Inputs::watch(&opening.input, &events)?;
    drop(opening);
    let spawner = Spawner::new(app_waker.clone(), switches.deterministic);
    let ui = interface(&switches, spawner, app_waker);
    let virtual_time = switches.deterministic;
    let driver = display.info().driver;
    let screen = if virtual_time { None } else { Screen::new(&switches, driver) };
    let mut session = Session::new(ui, app, display, switches, waker);
    session.start();
    let mut l = Loop {
        s: session,
        inputs,
        events,
        start,
        app_woke,
        script,
        inbox: Vec::new(),
        seat,
        #[cfg(unix)]
        signals,
        told_to_end: false,
        away: false,
        screen,
    };
    let exit = if virtual_time { l.run_virtual() } else { l.run_live() };
    let finished = l.s.display.finish();
    if l.s.switches.fbdev.crc {
        l.s.print_crc();
    }
    if let Some(table) = l.s.profile.table(&l.s.counts) {
        eprintln!("{table}");
    }
    exit?;
    finished?;
    Ok(if l.s.failed { Exit::Failed } else { Exit::Ended })
}

/// Lets the loop wake when there is something to read, and calls `told` then: again and again, until
/// whoever it belongs to has taken it.
#[cfg(unix)]
pub(crate) fn watch(
    events: &EventLoop<'static, ()>,
    fd: std::os::fd::OwnedFd,
    mut told: impl FnMut() + 'static,
) -> std::io::Result<()> {
    use calloop::generic::Generic;
    use calloop::{Interest, Mode, PostAction};
    let source = Generic::new(fd, Interest::READ, Mode::Level);
    let insert = events.handle().insert_source(source, move |_, _, ()| {
        told();
        Ok(PostAction::Continue)
    });
    insert.map(|_| ()).map_err(|e| std::io::Error::other(e.error))
}

/// The interface of a run.
fn interface(s: &Switches, spawner: Spawner, waker: Waker) -> Ui {
    let engine = zinc_text::TextEngine::new(zinc_text::FontSet::built_in());
    let images = crate::images(s, waker);
    let mut ui = Ui::new(engine, images, spawner);
    ui.set_asset_root(assets(s));
    if let Some(dark) = s.dark {
        ui.set_theme(Theme { dark, ..Theme::default() });
    }
    ui
}

/// The event is a pointer on its way.
fn is_move(e: &InputEvent) -> bool {
    matches!(e, InputEvent::Pointer(p) if p.phase == PointerPhase::Move)
}

struct Loop {
    s: Session,
    inputs: Inputs,
    events: EventLoop<'static, ()>,
    start: Instant,
    app_woke: Arc<AtomicBool>,
    script: Script,
    inbox: Vec<DisplayEvent>,
    seat: Seat,
    #[cfg(unix)]
    signals: Signals,
    told_to_end: bool,
    /// Another virtual terminal is in front.
    away: bool,
    /// Cared for in real time only.
    screen: Option<Screen>,
}

/// What the display told since the last look.
#[derive(Default)]
struct News {
    input: Vec<Timed>,
    redraw: bool,
    closed: bool,
}

impl Loop {
    /// Takes what the display has to tell.
    fn listen(&mut self, news: &mut News) {
        self.inbox.clear();
        self.s.display.poll(&mut self.inbox);
        for e in self.inbox.drain(..) {
            match e {
                DisplayEvent::Input(t) => news.input.push(t),
                DisplayEvent::Presented { number, at } => {
                    tracing::info!(target: TRACE, number, at_us = at.as_micros() as u64, "flip");
                    self.s.flipped(at);
                }
                DisplayEvent::Resized { .. } => {
                    self.s.resized();
                    news.redraw = true;
                }
                DisplayEvent::Redraw => {
                    self.s.forget();
                    news.redraw = true;
                }
                DisplayEvent::Closed => news.closed = true,
            }
        }
    }

    /// Answers signals. Answers whether the glass came back.
    #[cfg(unix)]
    fn hear(&mut self) -> Result<bool, RunError> {
        let mut back = false;
        while let Some(told) = self.signals.next() {
            match told {
                Told::End => self.told_to_end = true,
                Told::Leave if self.seat.is_held() && !self.away => {
                    self.leave()?;
                    back = false;
                }
                Told::Return if self.away => {
                    self.seat.is_back();
                    self.s.display.resume()?;
                    self.s.forget();
                    tracing::info!("console: the screen is back");
                    (self.away, back) = (false, true);
                }
                // A switch that was begun and not made.
                Told::Leave => self.seat.leave(),
                Told::Return => self.seat.is_back(),
            }
        }
        Ok(back)
    }

    #[cfg(not(unix))]
    fn hear(&mut self) -> Result<bool, RunError> {
        Ok(false)
    }

    /// Lets go of the glass, when nothing is on its way there any more, and grants the switch.
    #[cfg(unix)]
    fn leave(&mut self) -> Result<(), RunError> {
        self.s.collect(true)?;
        self.s.drop_ready();
        let end = self.start.elapsed() + LEAVING;
        while self.s.in_flight && self.start.elapsed() < end {
            self.sleep(Some(self.s.display.due().map_or(end, |d| d.min(end))))?;
            self.listen(&mut News::default());
        }
        self.s.display.suspend();
        self.away = true;
        self.seat.leave();
        tracing::info!("console: another terminal has the screen");
        Ok(())
    }

    /// Somebody may be looking.
    fn visible(&self) -> bool {
        let dark = self.screen.as_ref().is_some_and(Screen::is_dark);
        !self.away && !dark && self.s.display.visible()
    }

    /// Sleeps until `at` on the program's clock, or until something wakes it.
    fn sleep(&mut self, at: Option<Duration>) -> Result<(), RunError> {
        let now = self.start.elapsed();
        let timeout = at.map(|t| t.saturating_sub(now));
        self.events.dispatch(timeout, &mut ())?;
        self.s.counts.wakeups += 1;
        Ok(())
    }

    /// Real time: frames when there is a reason.
    fn run_live(&mut self) -> Result<(), RunError> {
        let mut news = News::default();
        let mut reason = true;
        let mut hold = Duration::ZERO;
        let mut tick = 0u64;
        let period = Duration::from_nanos(self.s.display.info().frame_ns);
        let mut drags = Resampler::new(period);
        // Counted frames come at the display's pace, whether something changes or not.
        let counted = self.s.switches.frames.is_some();
        loop {
            self.listen(&mut news);
            news.redraw |= self.hear()?;
            // Before the first frame there is nothing to hit.
            if self.s.list.is_some() {
                let display = &self.s.display;
                self.inputs.poll(|| display.placement(), self.start.elapsed(), &mut news.input);
            }
            let ends = news.closed || self.s.quit || self.told_to_end;
            if ends || self.s.switches.frames.is_some_and(|n| tick >= n) {
                break;
            }
            if self.away {
                // What is typed and touched there is not meant for here.
                news.input.clear();
            }
            self.s.collect(false)?;
            let now = self.start.elapsed();
            if let Some(screen) = &mut self.screen {
                screen.hear(now, &mut news.input);
                reason |= screen.look(now);
                self.s.veil = screen.veil();
            }
            // A mouse may report a thousand moves a second; they wait for the frame clock.
            let acts = news.input.iter().any(|t| !is_move(&t.event));
            reason |= news.redraw || acts || (!news.input.is_empty() && now >= hold);
            reason |= self.app_woke.swap(false, Ordering::AcqRel);
            reason |= self.s.wake_at.is_some_and(|t| t <= now);
            reason |= (self.s.animating || counted || drags.is_behind()) && now >= hold;
            let visible = self.visible();
            if reason && visible && self.s.may_build() {
                drags.frame(now, &mut news.input);
                news.input
                    .extend(self.script.take(tick).map(|e| Timed { at: now, event: e.clone() }));
                let changes = self.s.build(now, &news.input, tick);
                if let Some(screen) = &mut self.screen {
                    screen.built();
                }
                news.input.clear();
                news.redraw = false;
                reason = self.script.has_more();
                tick += 1;
                // Without damage no flip paces an animation: the clock does.
                let period = Duration::from_nanos(self.s.display.info().frame_ns);
                hold = if changes { Duration::ZERO } else { now + period };
                if !changes {
                    // It looks as the one before.
                    self.after_frame(tick - 1);
                }
            } else if self.film_due(now) && visible && self.s.may_build() {
                self.s.latch(now);
            }
            if !self.away {
                self.s.submit()?;
                self.s.collect(false)?;
                if let Some(shown) = self.s.present()? {
                    self.after_frame(shown);
                    continue;
                }
            }
            let waiting =
                self.s.animating || counted || drags.is_behind() || !news.input.is_empty();
            let wake = self.next_wake(reason && visible, waiting.then_some(hold), visible);
            if wake.is_none_or(|t| t > now) {
                self.sleep(wake)?;
            }
        }
        self.drain()?;
        self.finish(tick.saturating_sub(1))
    }

    /// Brings what is on its way to the glass, for a while: nobody may be looking.
    fn drain(&mut self) -> Result<(), RunError> {
        let most = if self.told_to_end { ENDING } else { DRAINING };
        let end = self.start.elapsed() + most;
        let mut news = News::default();
        while (self.s.is_busy() || self.s.in_flight) && self.start.elapsed() < end && self.visible()
        {
            self.s.submit()?;
            self.s.collect(true)?;
            match self.s.present()? {
                Some(shown) => self.after_frame(shown),
                None => self.sleep(self.s.display.due().or(Some(end)))?,
            }
            self.listen(&mut news);
        }
        Ok(())
    }

    fn film_due(&self, now: Duration) -> bool {
        let Some(list) = &self.s.list else { return false };
        self.s.films.next_due(list, now).is_some_and(|t| t <= now)
    }

    /// When the loop must look again on its own.
    fn next_wake(&self, reason: bool, hold: Option<Duration>, visible: bool) -> Option<Duration> {
        let mut at = self.s.display.due();
        let mut sooner = |t: Option<Duration>| {
            if let Some(t) = t {
                at = Some(at.map_or(t, |a| a.min(t)));
            }
        };
        sooner(self.screen.as_ref().and_then(|s| s.next(self.start.elapsed())));
        sooner(self.inputs.due());
        if visible && self.s.may_build() {
            sooner(self.s.wake_at);
            sooner(hold);
            sooner(reason.then_some(Duration::ZERO));
            if let Some(list) = &self.s.list {
                sooner(self.s.films.next_due(list, self.start.elapsed()));
            }
        }
        at
    }

    /// Virtual time: a frame every `ZINC_FIXED_DT`, the same bytes every time.
    fn run_virtual(&mut self) -> Result<(), RunError> {
        let dt = self.s.switches.fixed_dt;
        let frames = self.s.switches.frames.unwrap_or(u64::MAX);
        let mut news = News::default();
        let mut tick = 0u64;
        while tick < frames && !self.s.quit && !news.closed && !self.told_to_end {
            let now = dt * tick.min(u64::from(u32::MAX)) as u32;
            self.listen(&mut news);
            news.redraw |= self.hear()?;
            while self.away && !self.told_to_end {
                self.sleep(None)?;
                news.redraw |= self.hear()?;
            }
            // Only the script speaks, and what was recorded.
            news.input.clear();
            if tick > 0 {
                let display = &self.s.display;
                self.inputs.step(|| display.placement(), now, &mut news.input);
            }
            let scripted = self.script.take(tick).map(|e| Timed { at: now, event: e.clone() });
            news.input.extend(scripted);
            let reason = tick == 0
                || news.redraw
                || !news.input.is_empty()
                || self.s.animating
                || self.app_woke.swap(false, Ordering::AcqRel)
                || self.s.wake_at.is_some_and(|t| t <= now);
            news.redraw = false;
            if reason {
                self.s.build(now, &news.input, tick);
            } else if self.s.films.next_due_at(self.s.list.as_deref(), now) {
                self.s.latch(now);
            }
            // The frame before this one was drawn while this one was built.
            self.flush(tick.checked_sub(1))?;
            self.s.submit()?;
            // Each frame is drawn: where all buffers are on their way, one is waited for.
            while self.s.wants_buffer() {
                self.sleep(self.s.display.due())?;
                self.listen(&mut News::default());
                self.s.submit()?;
            }
            if !self.s.switches.pipeline {
                self.flush(Some(tick))?;
            }
            tick += 1;
        }
        self.flush(tick.checked_sub(1))?;
        self.finish(tick.saturating_sub(1))
    }

    /// Brings the frame of `tick` to the glass and keeps what is asked of it; once per tick.
    fn flush(&mut self, tick: Option<u64>) -> Result<(), RunError> {
        let Some(tick) = tick.filter(|t| Some(*t) != self.s.flushed) else { return Ok(()) };
        self.s.flushed = Some(tick);
        self.s.collect(true)?;
        while self.s.is_ready() {
            if self.s.present()?.is_none() {
                self.sleep(self.s.display.due())?;
            }
            let mut news = News::default();
            self.listen(&mut news);
        }
        self.after_frame(tick);
        Ok(())
    }

    /// Hash, picture and capture of a frame.
    fn after_frame(&mut self, tick: u64) {
        let s = &mut self.s;
        if s.switches.hashes == Hashes::All {
            s.print_hash(tick);
        }
        if s.switches.keeps_shot(tick) {
            let path = s.switches.shot_dir.join(format!("frame-{tick:05}.png"));
            s.write_shot(&path);
        }
        if s.switches.keeps_capture(tick) {
            s.write_capture(tick);
        }
    }

    /// What is asked for at the end.
    fn finish(&mut self, tick: u64) -> Result<(), RunError> {
        self.listen(&mut News::default());
        let s = &mut self.s;
        if s.switches.hashes == Hashes::Last {
            s.print_hash(tick);
        }
        if let Some(path) = s.switches.shot.clone() {
            s.write_shot(&path);
        }
        if s.switches.capture.is_some()
            && !s.switches.capture_all
            && s.switches.capture_frames.is_empty()
        {
            s.write_capture(tick);
        }
        Ok(())
    }
}
