//! One running app: from events to lists to presented frames. The loop (run.rs) decides when;
//! this does.
//!
//! A frame's stations: `built` (a list, waiting for a buffer) → the renderer → `ready` (drawn,
//! waiting for the flip) → `in_flight` (one at most). A list without damage goes no further than
//! `built`.

use crate::film::Films;
use crate::hud::Hud;
use crate::profile::{Clock, Loop, Phase, Profile};
use crate::render::{Done, Job, Painter, RenderDied, Renderer, Surface};
use crate::switches::{Hashes, Switches};
use crate::{App, Cx, shot};
use std::sync::Arc;
use std::time::Duration;
use tracing::info_span;
use zinc_hal::{Display, DisplayError, Frame, Timed, Waker};
use zinc_raster::TRACE;
use zinc_scene::{Color, CommandList, Differ, History, LayerPlan, Region, capture};
use zinc_ui::{Output, S, Tone, Ui};

/// A list that waits for a buffer.
struct Built {
    list: Arc<CommandList>,
    plan: LayerPlan,
    damage: Region,
    /// Nanoseconds spent on it so far.
    spent: u64,
    /// Which frame of the app it is.
    tick: u64,
}

pub(crate) struct Session {
    pub(crate) ui: Ui,
    pub(crate) app: Box<dyn App>,
    pub(crate) display: Box<dyn Display>,
    pub(crate) switches: Switches,
    pub(crate) films: Films,
    pub(crate) profile: Profile,
    hud: Option<Box<Hud>>,
    /// How much of the light a veil over the app takes away, 0 to 1.
    pub(crate) veil: f32,
    pub(crate) counts: Loop,
    renderer: Renderer,
    differ: Differ,
    history: History,
    /// What the newest drawn frame showed.
    shown: Option<(Arc<CommandList>, LayerPlan)>,
    /// The newest list, drawn or not.
    pub(crate) list: Option<Arc<CommandList>>,
    built: Option<Built>,
    ready: Option<Done>,
    pub(crate) in_flight: bool,
    drawn: u64,
    pub(crate) last_hash: Option<u64>,
    last_surface: Option<Surface>,
    pub(crate) animating: bool,
    pub(crate) wake_at: Option<Duration>,
    pub(crate) quit: bool,
    pub(crate) failed: bool,
    spare_plan: LayerPlan,
    /// Nanoseconds of the newest list, and of the frame being drawn.
    spent: u64,
    spent_drawing: u64,
    /// The newest frame of the app, and the one being drawn.
    tick: u64,
    tick_drawing: u64,
    /// Virtual time: the last tick whose frame was presented or found unchanged.
    pub(crate) flushed: Option<u64>,
}

impl Session {
    pub(crate) fn new(
        ui: Ui,
        app: Box<dyn App>,
        display: Box<dyn Display>,
        switches: Switches,
        waker: Waker,
    ) -> Self {
        // Which frame a picture is asked of is known only when it is presented.
        let shots = switches.shot.is_some()
            || switches.shot_every.is_some()
            || !switches.shot_frames.is_empty()
            || switches.fbdev.crc;
        let hash = switches.hashes != Hashes::Off;
        let painter = Painter::new(switches.threads, switches.wants_pixels(), hash, shots)
            .antialiasing(switches.antialias);
        let renderer = Renderer::new(painter, switches.pipeline.then_some(waker));
        let profile = Profile::new(switches.profile);
        let period = Duration::from_nanos(display.info().frame_ns);
        let hud = switches.hud.then(|| Box::new(Hud::new(period)));
        let mut s = Self {
            ui,
            app,
            display,
            switches,
            films: Films::default(),
            profile,
            hud,
            veil: 0.0,
            counts: Loop::default(),
            renderer,
            differ: Differ::default(),
            history: History::default(),
            shown: None,
            list: None,
            built: None,
            ready: None,
            in_flight: false,
            drawn: 0,
            last_hash: None,
            last_surface: None,
            animating: false,
            wake_at: None,
            quit: false,
            failed: false,
            spare_plan: LayerPlan::new(),
            spent: 0,
            spent_drawing: 0,
            tick: 0,
            tick_drawing: 0,
            flushed: None,
        };
        s.resized();
        s
    }

    /// A stage took so long.
    fn took(&mut self, phase: Phase, ns: u64) {
        self.profile.add(phase, ns);
        if let Some(h) = &mut self.hud {
            h.add(phase, ns);
        }
    }

    /// A frame reached the glass.
    pub(crate) fn flipped(&mut self, at: Duration) {
        self.in_flight = false;
        self.counts.flips += 1;
        if let Some(h) = &mut self.hud {
            h.flip(at, self.counts);
        }
    }

    /// Calls the app's start.
    pub(crate) fn start(&mut self) {
        let Self { ui, app, films, switches, .. } = self;
        app.start(&mut Cx { ui, demo: switches.demo.as_deref(), films });
    }

    /// The display has another size.
    pub(crate) fn resized(&mut self) {
        let i = self.display.info();
        self.ui.resize(i.width, i.height, i.scale);
        self.forget();
    }

    /// The content of the glass is unknown: the next frame is drawn whole.
    pub(crate) fn forget(&mut self) {
        self.shown = None;
        self.history.reset();
        if let Some(b) = &mut self.built {
            b.damage = Region::of(b.list.surface());
        }
    }

    /// A list waits, is drawn, or waits for the flip.
    pub(crate) fn is_busy(&self) -> bool {
        self.built.is_some() || self.renderer.is_busy() || self.ready.is_some()
    }

    /// A drawn frame waits for the flip.
    pub(crate) fn is_ready(&self) -> bool {
        self.ready.is_some()
    }

    /// The view may run now: nothing waits for a buffer, and what is being drawn is being drawn
    /// by somebody else.
    pub(crate) fn may_build(&self) -> bool {
        self.built.is_none()
            && self.ready.is_none()
            && (!self.renderer.is_busy() || self.switches.pipeline)
    }

    /// Runs the app for one frame; answers whether it changes a pixel.
    pub(crate) fn build(&mut self, now: Duration, events: &[Timed], tick: u64) -> bool {
        self.tick = tick;
        let clock = Clock::start();
        let _span = info_span!(target: TRACE, "view", tick).entered();
        let Self { ui, app, hud, veil, .. } = self;
        if let Some(h) = hud {
            h.begin(now);
        }
        let out: Output = ui.frame(now, events, &mut |ui| {
            app.view(ui);
            if let Some(h) = hud {
                h.view(ui);
            }
            if *veil > 0.0 {
                let black = Color::rgba(0, 0, 0, (*veil * 255.0).round() as u8);
                ui.above(|ui| _ = ui.col(S.fill_parent().fill(Tone::fixed(black)), |_| {}));
            }
        });
        self.counts.lists += 1;
        self.counts.events += events.len() as u64;
        self.counts.views = self.ui.counts().views;
        self.animating = out.animating;
        self.wake_at = out.wake_at;
        self.quit |= out.quit;
        if let Some(text) = &out.clipboard {
            self.display.set_clipboard(text);
        }
        self.list = Some(out.list);
        self.spent = clock.ns();
        self.took(Phase::Ui, self.spent);
        self.latch(now);
        self.built.is_some()
    }

    /// Latches the films of the newest list and finds what changed since the last frame.
    pub(crate) fn latch(&mut self, now: Duration) {
        let Some(list) = self.list.clone() else { return };
        let _span = info_span!(target: TRACE, "diff").entered();
        let clock = Clock::start();
        let mut plan = std::mem::take(&mut self.spare_plan);
        self.films.latch(&list, now, &mut plan);
        let old = self.shown.as_ref().filter(|_| self.switches.damage);
        let old = old.map(|(l, p)| (&**l, p));
        let damage = self.differ.diff(old, (&list, &plan));
        let ns = clock.ns();
        self.took(Phase::Diff, ns);
        let spent = std::mem::take(&mut self.spent) + ns;
        if damage.is_empty() {
            self.spare_plan = plan;
            return;
        }
        self.counts.pixels += damage.area() as u64;
        if let Some(h) = &mut self.hud {
            h.damaged(damage.area() as u64, list.surface().area() as u64);
        }
        self.built = Some(Built { list, plan, damage, spent, tick: self.tick });
    }

    /// A list could be drawn if the display had a buffer.
    pub(crate) fn wants_buffer(&self) -> bool {
        self.built.is_some() && !self.renderer.is_busy() && self.ready.is_none()
    }

    /// Gives the built list to the renderer, when it is free and the display has a buffer.
    pub(crate) fn submit(&mut self) -> Result<(), DisplayError> {
        if self.built.is_none() || self.renderer.is_busy() || self.ready.is_some() {
            return Ok(());
        }
        let Some(slot) = self.display.acquire()? else { return Ok(()) };
        let Some(b) = self.built.take() else { return Ok(()) };
        if slot.surface_size() != (b.list.width(), b.list.height()) {
            // It was resized meanwhile; the event is on its way.
            self.display.release(slot);
            self.resized();
            return Ok(());
        }
        self.history.push(b.damage);
        let age = if self.switches.damage { slot.age } else { 0 };
        let lacks = self.history.since(age, b.list.surface());
        self.shown = Some((b.list.clone(), b.plan.clone()));
        self.spent_drawing = b.spent;
        self.tick_drawing = b.tick;
        let number = self.drawn;
        self.drawn += 1;
        self.renderer.submit(Job {
            number,
            list: b.list,
            plan: b.plan,
            damage: b.damage,
            lacks,
            slot,
        });
        Ok(())
    }

    /// Takes a drawn frame from the renderer, waiting for it if told to.
    pub(crate) fn collect(&mut self, wait: bool) -> Result<(), RenderDied> {
        let Some(d) = self.renderer.take(wait)? else { return Ok(()) };
        self.took(Phase::Raster, d.raster_ns);
        self.took(Phase::Work, self.spent_drawing + d.raster_ns);
        self.ready = Some(d);
        Ok(())
    }

    /// Shows the drawn frame, when none is on its way to the glass. Answers which frame of the
    /// app it is.
    pub(crate) fn present(&mut self) -> Result<Option<u64>, DisplayError> {
        if self.in_flight {
            return Ok(None);
        }
        let Some(mut d) = self.ready.take() else { return Ok(None) };
        let clock = Clock::start();
        let _span = info_span!(target: TRACE, "present", number = d.number).entered();
        self.last_hash = d.hash.or(self.last_hash);
        if let Some(p) = d.pixels.take() {
            self.last_surface = Some(p);
        }
        self.spare_plan = d.plan;
        let frame = Frame { damage: d.damage.rects(), number: d.number };
        self.display.present(d.slot, frame)?;
        self.in_flight = true;
        self.counts.frames += 1;
        self.took(Phase::Present, clock.ns());
        Ok(Some(self.tick_drawing))
    }

    /// Gives a drawn frame up.
    #[cfg(unix)]
    pub(crate) fn drop_ready(&mut self) {
        if let Some(d) = self.ready.take() {
            self.spare_plan = d.plan;
            self.display.release(d.slot);
        }
    }

    // ---- What is kept of frames.

    /// Prints the hash of frame `n`. When nobody reads on, the program ends quietly, as any
    /// program in a pipe does.
    pub(crate) fn print_hash(&mut self, n: u64) {
        use std::io::Write;
        let i = self.display.info();
        let Some(h) = self.last_hash else { return };
        match writeln!(std::io::stdout(), "frame {n} {}x{} {h:016x}", i.width, i.height) {
            Ok(()) => {}
            Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => self.quit = true,
            Err(e) => {
                tracing::error!("cannot print the hash of frame {n}: {e}");
                (self.quit, self.failed) = (true, true);
            }
        }
    }

    /// Prints the CRC-32 of the newest surface, bytes B, G, R, A.
    pub(crate) fn print_crc(&self) {
        if let Some(s) = &self.last_surface {
            eprintln!("crc32 {}x{} {:08x}", s.width, s.height, crc32fast::hash(&s.bytes));
        }
    }

    /// Writes the newest picture.
    pub(crate) fn write_shot(&mut self, path: &std::path::Path) {
        let Some(s) = &self.last_surface else {
            tracing::error!("no frame was drawn: there is no picture for {}", path.display());
            self.failed = true;
            return;
        };
        if let Err(e) = shot::write(s, path) {
            tracing::error!("{e}");
            self.failed = true;
        }
    }

    /// Writes the newest list as a capture, under the name of frame `n`.
    pub(crate) fn write_capture(&mut self, n: u64) {
        let (Some(to), Some((list, plan))) = (self.switches.capture.clone(), &self.shown) else {
            return;
        };
        let file = to.extension().is_some_and(|e| e == "zcap");
        let path = if file { to.clone() } else { to.join(format!("frame-{n:05}.zcap")) };
        let dir = path.parent().filter(|d| !d.as_os_str().is_empty());
        let made = dir.map_or(Ok(()), std::fs::create_dir_all);
        let wrote = made.and_then(|_| std::fs::write(&path, capture::save(list, plan)));
        if let Err(e) = wrote {
            tracing::error!("cannot write the capture {}: {e}", path.display());
            self.failed = true;
        }
    }
}
