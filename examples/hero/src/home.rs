//! Home: a greeting, four figures, a live chart, three goals, what happened lately.

use crate::gallery::Gallery;
use crate::settings::Settings;
use crate::tasks::Tasks;
use zinc::prelude::*;

/// Samples on the chart: twelve seconds at eight a second.
const SAMPLES: usize = 96;
const PERIOD: Duration = Duration::from_millis(125);
const CARD: Style = S.pad(16.0).gap(8.0).radius(14.0).fill(Surface).card();

pub(crate) struct Home {
    samples: Vec<f32>,
    ticks: u32,
}

impl Default for Home {
    fn default() -> Self {
        let mut h = Self { samples: Vec::with_capacity(SAMPLES + 1), ticks: 0 };
        for _ in 0..SAMPLES {
            h.tick();
        }
        h
    }
}

/// The power that a house draws, as far as a demo knows: slow waves and a little unrest.
fn power(tick: u32) -> f32 {
    let t = tick as f32;
    let noise = (tick.wrapping_mul(2_654_435_761) >> 24) as f32 / 255.0 - 0.5;
    let slow = math::sin(t * 0.045) * 0.26 + math::sin(t * 0.017 + 1.3) * 0.2;
    let kettle = if (t * 0.011) % 1.0 > 0.86 { 0.28 } else { 0.0 };
    (0.42 + slow + kettle + noise * 0.025).clamp(0.05, 0.97)
}

struct Goal {
    name: &'static str,
    value: f32,
    words: &'static str,
}

const GOALS: [Goal; 3] = [
    Goal { name: "Energy", value: 0.72, words: "7.2 of 10 kWh" },
    Goal { name: "Water", value: 0.45, words: "90 of 200 l" },
    Goal { name: "Steps", value: 0.88, words: "8.8 of 10 k" },
];

const ACTIVITY: [(Icon, &str, &str); 5] = [
    (icons::DROP, "Garden watered", "12 minutes ago"),
    (icons::SUN, "Blinds opened in the study", "40 minutes ago"),
    (icons::CLOCK, "Dishwasher finished", "1 hour ago"),
    (icons::PERSON, "Mara came home", "2 hours ago"),
    (icons::GAUGE, "Heating set to 20.5 °C", "this morning"),
];

impl Home {
    fn tick(&mut self) {
        if self.samples.len() == SAMPLES {
            self.samples.remove(0);
        }
        self.samples.push(power(self.ticks));
        self.ticks += 1;
    }

    pub(crate) fn view(
        &mut self,
        ui: &mut Ui,
        page: Style,
        tasks: &Tasks,
        gallery: &Gallery,
        settings: &Settings,
    ) {
        if ui.every(PERIOD) {
            self.tick();
        }
        let wide = ui.viewport().w >= 1000.0;
        let gap = if wide { 16.0 } else { 12.0 };
        ui.scroll(page.gap(gap), |ui| {
            ui.col(S.gap(2.0).pad_each(0.0, 0.0, 4.0, 0.0).rigid(), |ui| {
                ui.text(format_args!("Good evening, {}", settings.name())).title();
                ui.text("Monday, 30 November. All quiet at home.").muted();
            });
            let minutes = ui.now().as_secs() / 60;
            // Four in a row, or two rows of two.
            let pairs = ui.viewport().w < 600.0;
            let figures = |ui: &mut Ui, from: u16, n: u16| {
                ui.row(S.gap(gap).rigid(), |ui| {
                    for i in from..from + n {
                        match i {
                            0 => figure(ui, i, icons::CHECKS, "To do", tasks.open() as f32, ""),
                            1 => figure(ui, i, icons::HEART, "Likes", gallery.likes() as f32, ""),
                            2 => figure(ui, i, icons::DROP, "Indoors", 21.5, " °C"),
                            _ => figure(ui, i, icons::CLOCK, "Up for", minutes as f32, " min"),
                        }
                    }
                });
            };
            if pairs {
                figures(ui, 0, 2);
                figures(ui, 2, 2);
            } else {
                figures(ui, 0, 4);
            }
            ui.row(S.gap(gap).rigid(), |ui| {
                self.chart(ui, if wide { 232.0 } else { 168.0 });
                if wide {
                    goals(ui, true);
                }
            });
            if !wide {
                goals(ui, false);
            }
            activity(ui);
            ui.col(S.height(12.0).rigid(), |_| {});
        });
    }

    fn chart(&mut self, ui: &mut Ui, height: f32) {
        let now = self.samples.last().copied().unwrap_or(0.0);
        ui.col(CARD.grow().enter(Motion::SlideUp).delay_ms(180), |ui| {
            ui.line(S.gap(8.0), |ui| {
                ui.text("Power").weight(600);
                ui.spacer();
                ui.text(format_args!("{:.2} kW", now * 4.0)).tabular().weight(600);
            });
            let chart = ui.canvas(S.height(height - 64.0).grow_by(1.0));
            let cross = chart.hover_place();
            let key = cross.map_or(-1.0, |p| p.x);
            let samples = &self.samples;
            chart.draw((self.ticks, key), |r, size| plot(r, size, samples, cross));
        });
    }
}

/// One figure, counting up when it comes.
fn figure(ui: &mut Ui, i: u16, icon: Icon, name: &str, value: f32, unit: &str) {
    let style = CARD.share().gap(4.0).enter(Motion::SlideUp).delay_ms(40 * i);
    ui.col(style, |ui| {
        ui.line(S.gap(8.0), |ui| {
            ui.icon(icon, 18.0).tone(Accent);
            ui.text(name).caption().muted().one_line();
        });
        let shown = ui.tween(value, 0.6);
        ui.line(S.align(Align::Baseline), |ui| {
            let t = if value.fract() == 0.0 {
                ui.text(format_args!("{shown:.0}"))
            } else {
                ui.text(format_args!("{shown:.1}"))
            };
            t.figure().size(28.0);
            ui.text(unit).muted();
        });
    });
}

/// The area under the line, the line, and where the pointer is.
fn plot(r: &mut Painter<'_>, size: Size, samples: &[f32], cross: Option<Point>) {
    let accent = r.color(Accent);
    let line = r.color(Line);
    let base = size.h - 1.0;
    for i in 0..4 {
        let y = (base * i as f32 / 3.0).floor() + 0.5;
        r.line(Point::new(0.0, y), Point::new(size.w, y), 1.0, line.alpha(0.7));
    }
    let step = size.w / (SAMPLES - 1) as f32;
    let at = |i: usize| Point::new(i as f32 * step, base - samples[i] * (base - 6.0));
    let trace = |p: &mut Path| {
        let first = at(0);
        p.move_to(first.x, first.y);
        // A Catmull-Rom spline through the samples, as cubics.
        for i in 1..samples.len() {
            let (a, b) = (at(i - 1), at(i));
            let (before, after) = (at(i.saturating_sub(2)), at((i + 1).min(samples.len() - 1)));
            let (u, v) = ((b - before) * (1.0 / 6.0), (after - a) * (1.0 / 6.0));
            p.cubic_to(a.x + u.x, a.y + u.y, b.x - v.x, b.y - v.y, b.x, b.y);
        }
    };
    let stops = [Stop::new(0.0, accent.alpha(0.34)), Stop::new(1.0, accent.alpha(0.02))];
    let fade = Paint::linear(Point::new(0.0, 0.0), Point::new(0.0, base), &stops);
    r.path(|p| {
        trace(p);
        p.line_to(size.w, base).line_to(0.0, base).close();
    })
    .fill(fade);
    r.path(trace).stroke(2.5, accent);
    if let Some(end) = samples.len().checked_sub(1) {
        let p = at(end);
        r.circle(p.x - 3.0, p.y, 4.5).fill(Surface).stroke(2.5, accent);
    }
    if let Some(p) = cross {
        let i = ((p.x / step + 0.5) as usize).min(samples.len().saturating_sub(1));
        let q = at(i);
        r.line(Point::new(q.x, 0.0), Point::new(q.x, base), 1.0, Muted);
        r.circle(q.x, q.y, 4.0).fill(accent);
        let words = format!("{:.2} kW", samples[i] * 4.0);
        let x = (q.x + 8.0).min(size.w - 64.0);
        r.text(&words, &type_scale::CAPTION, Point::new(x, 2.0), None, Ink);
    }
}

fn goals(ui: &mut Ui, wide: bool) {
    let mut card = CARD.enter(Motion::SlideUp).delay_ms(240).rigid();
    if wide {
        card = card.width(320.0);
    }
    ui.col(card.gap(12.0), |ui| {
        ui.text("Goals of today").weight(600);
        ui.row(S.gap(12.0).grow(), |ui| {
            for g in &GOALS {
                ui.col(S.share().gap(8.0).align(Align::Center), |ui| {
                    ring(ui, g.value);
                    ui.col(S.align(Align::Center), |ui| {
                        ui.text(g.name).weight(600);
                        ui.text(g.words).caption().muted().align_center();
                    });
                });
            }
        });
    });
}

fn ring(ui: &mut Ui, value: f32) {
    let t = anim::ease_out(ui.elapsed() / 0.8);
    if t < 1.0 {
        ui.request_frame();
    }
    let shown = value * t;
    ui.canvas(S.size(84.0, 84.0).rigid()).draw(shown, |r, size| {
        let c = Point::new(size.w * 0.5, size.h * 0.5);
        let radius = size.w * 0.5 - 6.0;
        r.circle(c.x, c.y, radius).stroke(8.0, Line);
        let turn = std::f32::consts::TAU;
        r.path(|p| {
            p.arc(c, radius, -turn / 4.0, turn * shown);
        })
        .stroke(8.0, Accent);
        let words = format!("{:.0} %", shown * 100.0);
        let style = TextStyle::new(17.0).weight(600).tabular();
        let s = r.measure(&words, &style, None);
        let at = Point::new((c.x - s.w * 0.5).round(), (c.y - s.h * 0.5).round());
        r.text(&words, &style, at, None, Ink);
    });
}

fn activity(ui: &mut Ui) {
    ui.col(CARD.gap(4.0).enter(Motion::SlideUp).delay_ms(300).rigid(), |ui| {
        ui.text("Lately").weight(600);
        for (i, (icon, what, when)) in ACTIVITY.iter().enumerate() {
            if i > 0 {
                ui.divider();
            }
            ui.line(S.height(48.0).gap(14.0).rigid(), |ui| {
                ui.icon(*icon, 20.0).tone(Accent);
                ui.text(*what).one_line().grow();
                ui.text(*when).caption().muted();
            });
        }
    });
}
