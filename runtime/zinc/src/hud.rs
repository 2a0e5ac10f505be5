//! `ZINC_PERF_HUD`: a panel over the app with the frames per second that reached the glass, a graph
//! of what the last frames took, the damage, and what this panel itself costs. A finger moves it; a
//! tap folds it to a badge. It asks for no frames: while the app sleeps it stands still.

use crate::profile::{Clock, Loop, PHASES, Phase};
use std::collections::VecDeque;
use std::time::Duration;
use zinc_scene::{Color, Point, Size};
use zinc_ui::{Painter, S, Style, Tone, Ui};

/// Frames in the graph, a column of two pixels each.
const COLUMNS: usize = 120;
const COLUMN: f32 = 2.0;
const GRAPH: Size = Size { w: COLUMN * COLUMNS as f32, h: 44.0 };
/// Flips that the rate is of, and how old they may be.
const FLIPS: usize = 60;
const WINDOW: Duration = Duration::from_secs(2);
/// Between readings of the power supply's state.
const POWER: Duration = Duration::from_secs(2);
/// Less is a tap.
const TAP: f32 = 6.0;

const GROUND: Color = Color::rgba(14, 17, 22, 240);
const INK: Color = Color::rgba(238, 241, 246, 255);
const MUTED: Color = Color::rgba(151, 163, 182, 255);
const BAD: Color = Color::rgba(255, 122, 122, 255);
/// The stages from the bottom up.
const STAGES: [(Phase, &str, Color); 4] = [
    (Phase::Ui, "ui", Color::rgba(110, 160, 255, 255)),
    (Phase::Diff, "diff", Color::rgba(151, 163, 182, 255)),
    (Phase::Raster, "raster", Color::rgba(60, 203, 149, 255)),
    (Phase::Present, "show", Color::rgba(240, 169, 75, 255)),
];

const PANEL: Style = S.pad(12.).gap(4.).radius(14.).fill(Tone::fixed(GROUND)).rigid();

/// What a frame took, in microseconds.
type Column = [u32; PHASES];

pub(crate) struct Hud {
    at: Point,
    folded: bool,
    /// How far the finger on it went.
    way: f32,
    frames: VecDeque<Column>,
    /// The middle of their times, in milliseconds.
    medians: [f64; PHASES],
    /// The frame that is being made.
    now: Column,
    flips: VecDeque<Duration>,
    counts: Loop,
    /// Pixels of the last frame's damage, and of the surface.
    damage: (u64, u64),
    period: Duration,
    /// What this panel took in the last frame.
    cost: u64,
    spent: u64,
    power: Option<(Duration, Option<u32>)>,
}

impl Hud {
    pub(crate) fn new(period: Duration) -> Self {
        Self {
            at: Point::new(16.0, 16.0),
            folded: false,
            way: 0.0,
            frames: VecDeque::with_capacity(COLUMNS + 1),
            medians: [0.0; PHASES],
            now: [0; PHASES],
            flips: VecDeque::with_capacity(FLIPS + 1),
            counts: Loop::default(),
            damage: (0, 1),
            period,
            cost: 0,
            spent: 0,
            power: None,
        }
    }

    /// A stage of the frame took so long; the last one ends the frame.
    pub(crate) fn add(&mut self, phase: Phase, ns: u64) {
        self.now[phase as usize] += (ns / 1000).min(u64::from(u32::MAX)) as u32;
        if phase == Phase::Present {
            self.frames.push_back(std::mem::take(&mut self.now));
            if self.frames.len() > COLUMNS {
                self.frames.pop_front();
            }
        }
    }

    /// A frame reached the glass.
    pub(crate) fn flip(&mut self, at: Duration, counts: Loop) {
        self.counts = counts;
        self.flips.push_back(at);
        while self.flips.len() > FLIPS
            || self.flips.front().is_some_and(|f| at.saturating_sub(*f) > WINDOW)
        {
            self.flips.pop_front();
        }
    }

    pub(crate) fn damaged(&mut self, pixels: u64, of: u64) {
        self.damage = (pixels, of.max(1));
    }

    /// Before the frame's first view.
    pub(crate) fn begin(&mut self, now: Duration) {
        let clock = Clock::start();
        self.cost = std::mem::take(&mut self.spent);
        for (phase, ..) in STAGES {
            self.medians[phase as usize] = self.median(phase);
        }
        if self.power.is_none_or(|(at, _)| now.saturating_sub(at) >= POWER) {
            self.power = Some((now, zinc_doctor::throttled()));
        }
        self.spent += clock.ns();
    }

    /// Frames a second over the last flips.
    fn rate(&self) -> f64 {
        let (Some(a), Some(b)) = (self.flips.front(), self.flips.back()) else { return 0.0 };
        let span = (*b - *a).as_secs_f64();
        if span > 0.0 { (self.flips.len() - 1) as f64 / span } else { 0.0 }
    }

    /// The middle of the last frames' times of a stage, in milliseconds.
    fn median(&self, phase: Phase) -> f64 {
        let mut all: Vec<u32> = self.frames.iter().map(|c| c[phase as usize]).collect();
        let middle = all.len() / 2;
        if all.is_empty() {
            return 0.0;
        }
        f64::from(*all.select_nth_unstable(middle).1) / 1000.0
    }

    pub(crate) fn view(&mut self, ui: &mut Ui) {
        let clock = Clock::start();
        let size = ui.viewport();
        ui.above(|ui| {
            self.at.x = self.at.x.clamp(0.0, (size.w - 48.0).max(0.0));
            self.at.y = self.at.y.clamp(0.0, (size.h - 32.0).max(0.0));
            let place = S.pin(self.at.x, self.at.y, zinc_ui::FREE, zinc_ui::FREE);
            let panel =
                ui.stack(place, |ui| if self.folded { self.badge(ui) } else { self.panel(ui) });
            if let Some(d) = panel.dragged() {
                self.at = self.at + d;
                self.way += d.length();
            }
            if panel.released() {
                self.folded ^= self.way < TAP;
                self.way = 0.0;
            }
        });
        self.spent += clock.ns();
    }

    /// What slows the board down now, and the cure.
    fn warning(&self) -> Option<(&'static str, &'static str)> {
        zinc_doctor::slowed_down(self.power?.1?)
    }

    fn badge(&self, ui: &mut Ui) {
        let ink = if self.warning().is_some() { BAD } else { INK };
        ui.line(PANEL.pad_x(12.).pad_y(6.).radius(999.), |ui| {
            ui.text(format_args!("{:.0}", self.rate()))
                .tabular()
                .weight(600)
                .tone(Tone::fixed(ink));
        });
    }

    fn panel(&self, ui: &mut Ui) {
        ui.col(PANEL, |ui| {
            let work = STAGES.iter().map(|s| self.medians[s.0 as usize]).sum::<f64>();
            let budget = self.period.as_secs_f64() * 1000.0;
            ui.line(S.gap(8.), |ui| {
                let t = ui.text(format_args!("{:.1} fps", self.rate()));
                t.size(17.0).weight(600).tabular().tone(Tone::fixed(INK));
                ui.spacer();
                small(ui, format_args!("{work:.1} of {budget:.1} ms"), MUTED);
            });
            let (frames, period) = (&self.frames, self.period);
            ui.canvas(S.size(GRAPH.w, GRAPH.h).rigid())
                .draw(self.counts.frames, |p, size| graph(p, size, frames, period));
            ui.line(S.gap(10.), |ui| {
                for (i, (phase, name, color)) in STAGES.into_iter().enumerate() {
                    ui.keyed(i, |ui| {
                        small(
                            ui,
                            format_args!("{name} {:.1}", self.medians[phase as usize]),
                            color,
                        );
                    });
                }
            });
            let (pixels, of) = self.damage;
            let part = pixels as f64 * 100.0 / of as f64;
            small(ui, format_args!("damage {part:.0} % · {} flips", self.counts.flips), MUTED);
            let cost = self.cost as f64 / 1e6;
            match self.warning() {
                Some((what, cure)) => small(ui, format_args!("{what}: {cure}"), BAD),
                None => small(ui, format_args!("this panel {cost:.2} ms"), MUTED),
            }
        });
    }
}

fn small(ui: &mut Ui, words: core::fmt::Arguments<'_>, color: Color) {
    ui.text(words).caption().tabular().one_line().tone(Tone::fixed(color));
}

/// Stages stacked, the frame's period as a line at half the height.
fn graph(p: &mut Painter<'_>, size: Size, frames: &VecDeque<Column>, period: Duration) {
    let scale = size.h / (2.0 * period.as_micros() as f32).max(1.0);
    let first = COLUMNS - frames.len().min(COLUMNS);
    for (i, column) in frames.iter().enumerate() {
        let (x, mut y) = ((first + i) as f32 * COLUMN, size.h);
        for (phase, _, color) in STAGES {
            let h = (column[phase as usize] as f32 * scale).min(y);
            y -= h;
            if h > 0.0 {
                p.rect(x, y, COLUMN, h).fill(color);
            }
        }
    }
    p.rect(0.0, size.h / 2.0, size.w, 1.0).fill(Color::rgba(238, 241, 246, 96));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Harness;
    use std::cell::RefCell;
    use std::rc::Rc;

    const PERIOD: Duration = Duration::from_nanos(16_666_667);

    /// An app that is still, with a panel over it.
    fn app(hud: &Rc<RefCell<Hud>>) -> Harness<impl crate::App> {
        let hud = hud.clone();
        let mut asked = false;
        Harness::new(move |ui: &mut Ui| {
            ui.text("beside");
            hud.borrow_mut().view(ui);
            if !std::mem::replace(&mut asked, true) {
                ui.request_frame();
            }
        })
    }

    fn hud(flips: u64) -> Rc<RefCell<Hud>> {
        let mut h = Hud::new(PERIOD);
        for n in 1..=flips {
            h.add(Phase::Raster, 2_000_000);
            h.add(Phase::Present, 500_000);
            h.flip(PERIOD * n as u32, Loop { flips: n, ..Loop::default() });
        }
        h.damaged(96_000, 384_000);
        h.begin(PERIOD * flips as u32);
        Rc::new(RefCell::new(h))
    }

    #[test]
    fn it_tells_what_reached_the_glass() {
        let h = hud(90);
        let app = app(&h);
        for words in ["60.0 fps", "2.5 of 16.7 ms", "raster 2.0", "damage 25 % · 90 flips"] {
            assert!(app.shows(words), "no {words:?} in {:?}", app.words());
        }
        assert_eq!(h.borrow().frames.len(), 90);
        // A pause is no slow frame: old flips do not count.
        h.borrow_mut().flip(Duration::from_secs(60), Loop::default());
        assert!(h.borrow().rate() == 0.0);
    }

    #[test]
    fn a_tap_folds_it_and_a_finger_moves_it() {
        let h = hud(3);
        let mut app = app(&h);
        let at = h.borrow().at;
        app.drag((40.0, 30.0), (240.0, 130.0), 10);
        let moved = h.borrow().at - at;
        assert!((moved - Point::new(200.0, 100.0)).length() < 1.0, "{moved:?}");
        assert!(!h.borrow().folded, "a drag is no tap");
        app.click_at(240.0, 130.0);
        assert!(h.borrow().folded && !app.shows("2.5 of 16.7 ms"), "{:?}", app.words());
        app.click_at(225.0, 125.0);
        assert!(app.shows("2.5 of 16.7 ms"), "{:?}", app.words());
        // It stays on the screen.
        app.drag((240.0, 130.0), (3000.0, 3000.0), 10);
        assert!(h.borrow().at.x <= 800.0 - 48.0 && h.borrow().at.y <= 480.0 - 32.0);
    }
}
