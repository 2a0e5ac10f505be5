//! Tests of apps: the app runs on a virtual clock, is touched by what it shows, and is looked at.
//!
//! ```
//! use zinc::{prelude::*, testing::Harness};
//! let mut n = 0;
//! let mut app = Harness::new(move |ui: &mut Ui| {
//!     ui.text(format_args!("Pressed {n} times"));
//!     if ui.button("Press").clicked() {
//!         n += 1;
//!     }
//! });
//! app.click("Press");
//! assert!(app.shows("Pressed 1 times"));
//! ```

use crate::film::Films;
use crate::{App, Cx};
use std::sync::Arc;
use std::time::Duration;
use zinc_hal::{
    Button, InputEvent, Key, Modifiers, PointerEvent, PointerId, PointerKind, PointerPhase, Timed,
};
use zinc_image::{CacheOptions, ImageCache, Mode};
use zinc_raster::Rasterizer;
use zinc_scene::{CommandList, LayerPlan, PixelFormat, Point, Region, Rotation, TargetMut};
use zinc_text::{FontSet, TextEngine};
use zinc_ui::{Counts, Output, Spawner, Ui};

/// A frame of virtual time.
const FRAME: Duration = Duration::from_nanos(16_666_667);
/// Frames after which an animation must have come to rest.
const SETTLE: usize = 600;

/// An app under test.
pub struct Harness<A: App> {
    app: A,
    ui: Ui,
    now: Duration,
    out: Option<Output>,
    size: (u32, u32),
}

impl<A: App> core::fmt::Debug for Harness<A> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Harness({:?} at {:?})", self.size, self.now)
    }
}

impl<A: App> Harness<A> {
    /// Starts the app at 800x480 and lets it come to rest.
    pub fn new(app: A) -> Self {
        Self::with(app, 800, 480, None)
    }

    /// Starts the app with a size and a demo state.
    pub fn with(mut app: A, width: u32, height: u32, demo: Option<&str>) -> Self {
        let engine = TextEngine::new(FontSet::built_in());
        let options = CacheOptions { mode: Mode::Now, ..CacheOptions::default() };
        let images = ImageCache::new(options, || {});
        let mut ui = Ui::new(engine, images, Spawner::new(Arc::new(|| {}), true));
        ui.resize(width, height, 1.0);
        let mut films = Films::default();
        app.start(&mut Cx { ui: &mut ui, demo, films: &mut films });
        let mut h = Self { app, ui, now: Duration::ZERO, out: None, size: (width, height) };
        h.frame(&[]);
        h.settle();
        h
    }

    /// One frame with events.
    pub fn frame(&mut self, events: &[InputEvent]) -> &Output {
        let now = self.now;
        let timed: Vec<Timed> =
            events.iter().map(|e| Timed { at: now, event: e.clone() }).collect();
        let Self { app, ui, .. } = self;
        let out = ui.frame(now, &timed, &mut |ui| app.view(ui));
        self.now += FRAME;
        self.out.insert(out)
    }

    /// Frames until nothing moves (at most ten seconds of them).
    pub fn settle(&mut self) {
        for _ in 0..SETTLE {
            if !self.out.as_ref().is_some_and(|o| o.animating) {
                return;
            }
            self.frame(&[]);
        }
    }

    /// Lets time pass: a frame where a timer is due or something moves, none otherwise.
    pub fn wait(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            let due = self
                .out
                .as_ref()
                .is_some_and(|o| o.animating || o.wake_at.is_some_and(|t| t <= self.now));
            if due {
                self.frame(&[]);
            } else {
                self.now += FRAME;
            }
        }
    }

    /// Presses and releases at a point.
    pub fn click_at(&mut self, x: f32, y: f32) {
        for phase in [PointerPhase::Move, PointerPhase::Down, PointerPhase::Up] {
            self.frame(&[pointer(0, PointerKind::Mouse, phase, x, y)]);
        }
        self.settle();
    }

    /// Clicks the middle of the first element that shows exactly these words.
    ///
    /// # Panics
    /// When nothing shows them: a test must fail there.
    #[track_caller]
    pub fn click(&mut self, words: &str) {
        let Some(at) = self.ui.find(words) else {
            panic!("nothing shows {words:?}; there is: {}", self.ui.words().join(" | "));
        };
        self.click_at(at.x, at.y);
    }

    /// A key goes down and up.
    pub fn key(&mut self, name: &str) {
        if let Some(key) = Key::from_name(name) {
            let modifiers = Modifiers::default();
            self.frame(&[InputEvent::KeyDown { key, modifiers }, InputEvent::KeyUp { key }]);
            self.settle();
        }
    }

    /// Types text into what has the focus.
    pub fn type_text(&mut self, text: &str) {
        self.frame(&[InputEvent::Text(text.to_owned())]);
        self.settle();
    }

    /// A finger goes from a point to a point in `frames` frames.
    pub fn drag(&mut self, from: (f32, f32), to: (f32, f32), frames: u32) {
        let touch = |p, x, y| pointer(1, PointerKind::Touch, p, x, y);
        self.frame(&[touch(PointerPhase::Down, from.0, from.1)]);
        for i in 1..=frames {
            let t = i as f32 / frames as f32;
            let (x, y) = (from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t);
            self.frame(&[touch(PointerPhase::Move, x, y)]);
        }
        self.frame(&[touch(PointerPhase::Up, to.0, to.1)]);
        self.settle();
    }

    /// Some element shows exactly these words.
    pub fn shows(&self, words: &str) -> bool {
        self.ui.find(words).is_some()
    }
    /// All words on the screen, in the order of declaration.
    pub fn words(&self) -> Vec<String> {
        self.ui.words()
    }
    /// The app, to look at its state.
    pub fn app(&mut self) -> &mut A {
        &mut self.app
    }
    /// The interface.
    pub fn ui(&mut self) -> &mut Ui {
        &mut self.ui
    }
    /// Work done so far.
    pub fn counts(&self) -> Counts {
        self.ui.counts()
    }
    /// The last frame's list.
    pub fn list(&self) -> Option<Arc<CommandList>> {
        self.out.as_ref().map(|o| o.list.clone())
    }
    /// The last frame's outcome.
    pub fn output(&self) -> Option<&Output> {
        self.out.as_ref()
    }
    /// The last frame's pixels, rows of B, G, R, A.
    pub fn pixels(&self) -> Vec<u8> {
        let (width, height) = self.size;
        let pitch = width as usize * 4;
        let mut bytes = vec![0; pitch * height as usize];
        if let Some(list) = self.list() {
            let format = PixelFormat::Argb8888;
            let mut target = TargetMut {
                bytes: &mut bytes,
                width,
                height,
                pitch,
                format,
                rotation: Rotation::Deg0,
            };
            let all = Region::of(list.surface());
            Rasterizer::new(1).render(&list, &LayerPlan::new(), &all, &mut target);
        }
        bytes
    }
}

fn pointer(id: u32, kind: PointerKind, phase: PointerPhase, x: f32, y: f32) -> InputEvent {
    InputEvent::Pointer(PointerEvent {
        id: PointerId(id),
        kind,
        phase,
        position: Point::new(x, y),
        button: Button::Primary,
    })
}
