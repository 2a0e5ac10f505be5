//! Playground: twelve balls under a gravity of your choice. Physics runs at a fixed 240 Hz in
//! plain arithmetic, so that it is the same everywhere; at rest it costs nothing.

use zinc::prelude::*;

const STEP: f32 = 1.0 / 240.0;
const BALLS: usize = 12;
const HUES: [u32; 6] = [0x2563EB, 0x7C3AED, 0x0D9488, 0xEA580C, 0xDB2777, 0x65A30D];

#[derive(Clone, Copy)]
struct Ball {
    at: Point,
    speed: Point,
    radius: f32,
    hue: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Gravity {
    Earth,
    Moon,
    None,
}

pub(crate) struct Playground {
    balls: Vec<Ball>,
    gravity: Gravity,
    size: Size,
    held: Option<usize>,
    throw: Point,
    rest: f32,
    still: bool,
    revision: u64,
    frame: u64,
}

impl Default for Playground {
    fn default() -> Self {
        Self {
            balls: Vec::new(),
            gravity: Gravity::Earth,
            size: Size::default(),
            held: None,
            throw: Point::default(),
            rest: 0.0,
            still: false,
            revision: 0,
            frame: 0,
        }
    }
}

impl Playground {
    fn fill(&mut self) {
        let (w, h) = (self.size.w, self.size.h);
        self.balls.clear();
        for i in 0..BALLS {
            let k = i as f32;
            let radius = 18.0 + (i * 7 % 5) as f32 * 5.0;
            let x = 40.0 + (w - 80.0) * ((k * 0.618_034) % 1.0);
            let y = 40.0 + (h - 80.0) * ((k * 0.414_21) % 1.0) * 0.6;
            let speed = Point::new(120.0 - 40.0 * (i % 7) as f32, 0.0);
            self.balls.push(Ball {
                at: Point::new(x, y),
                speed,
                radius,
                hue: HUES[i % HUES.len()],
            });
        }
        self.wake();
    }

    fn wake(&mut self) {
        self.still = false;
        self.rest = 0.0;
    }

    pub(crate) fn shake(&mut self) {
        for (i, b) in self.balls.iter_mut().enumerate() {
            let k = (i * 5 % BALLS) as f32 / BALLS as f32 - 0.5;
            b.speed = Point::new(k * 900.0, -500.0 - 300.0 * ((i % 3) as f32));
        }
        self.wake();
    }

    pub(crate) fn view(&mut self, ui: &mut Ui, page: Style) {
        ui.col(page.gap(12.0).pad_each(0.0, 24.0, 20.0, 24.0), |ui| {
            ui.line(S.gap(12.0).rigid(), |ui| {
                let now = self.gravity as usize;
                if let Some(i) = ui.segments(&["Earth", "Moon", "None"], now) {
                    self.gravity = [Gravity::Earth, Gravity::Moon, Gravity::None][i];
                    self.wake();
                }
                ui.spacer();
                if ui.button("Shake").clicked() {
                    self.shake();
                }
                if ui.button("Reset").quiet().clicked() {
                    self.fill();
                }
            });
            self.stage(ui);
        });
    }

    fn stage(&mut self, ui: &mut Ui) {
        let frame = ui.frame_number();
        let canvas = ui.canvas(S.grow().radius(14.0).fill(Surface).card());
        let rect = canvas.rect();
        let size = rect.size();
        if size.w > 0.0 && size != self.size {
            self.size = size;
            self.fill();
        }
        let touched = canvas.touched();
        if let Some(d) = canvas.dragged() {
            self.drag(touched, d);
        }
        if canvas.released() {
            self.let_go();
        }
        // Once a frame, however often the view runs.
        if frame != self.frame && !self.balls.is_empty() {
            self.frame = frame;
            self.advance(1.0 / 60.0);
        }
        let (balls, held) = (&self.balls, self.held);
        canvas.draw((self.revision, held.map_or(0, |i| i + 1)), |r, size| {
            r.with_clip(Rect::new(0.0, 0.0, size.w, size.h), 14.0, |r| {
                paint(r, size, balls, held);
            });
        });
        if !self.still && !self.balls.is_empty() {
            ui.request_frame();
        }
    }

    fn drag(&mut self, at: Option<Point>, d: Point) {
        if self.held.is_none()
            && let Some(p) = at
        {
            let over = |b: &Ball| (b.at - p).length() <= b.radius + 12.0;
            self.held = self.balls.iter().rposition(over);
        }
        if let Some(i) = self.held {
            if let Some(p) = at {
                self.balls[i].at = p;
            }
            self.throw = self.throw * 0.6 + d * (60.0 * 0.4);
            self.balls[i].speed = Point::default();
            self.wake();
        }
    }

    fn let_go(&mut self) {
        if let Some(i) = self.held.take() {
            self.balls[i].speed = self.throw;
        }
        self.throw = Point::default();
        self.wake();
    }

    fn advance(&mut self, dt: f32) {
        if self.still {
            return;
        }
        let steps = (dt / STEP + 0.5) as usize;
        for _ in 0..steps {
            self.step();
        }
        self.throw = self.throw * 0.9;
        self.revision += 1;
        let fastest = self.balls.iter().map(|b| b.speed.length()).fold(0.0f32, f32::max);
        self.rest = if fastest < 14.0 && self.held.is_none() { self.rest + dt } else { 0.0 };
        self.still = self.rest > 0.5;
    }

    fn step(&mut self) {
        let g = match self.gravity {
            Gravity::Earth => 1400.0,
            Gravity::Moon => 230.0,
            Gravity::None => 0.0,
        };
        let Size { w, h } = self.size;
        for (i, b) in self.balls.iter_mut().enumerate() {
            if self.held == Some(i) {
                continue;
            }
            b.speed.y += g * STEP;
            b.speed = b.speed * (1.0 - 0.12 * STEP);
            b.at = b.at + b.speed * STEP;
            let hit = |v: &mut f32, s: &mut f32, lo: f32, hi: f32| {
                if *v < lo {
                    *v = lo;
                    *s = s.abs() * 0.72;
                } else if *v > hi {
                    *v = hi;
                    *s = -s.abs() * 0.72;
                    // Rolling, not bouncing.
                    if s.abs() < g * STEP * 4.0 {
                        *s = 0.0;
                    }
                }
            };
            hit(&mut b.at.x, &mut b.speed.x, b.radius, w - b.radius);
            hit(&mut b.at.y, &mut b.speed.y, b.radius, h - b.radius);
            if b.at.y >= h - b.radius - 0.5 && g > 0.0 {
                b.speed.x *= 1.0 - 1.4 * STEP;
            }
        }
        for i in 0..self.balls.len() {
            for j in i + 1..self.balls.len() {
                self.collide(i, j);
            }
        }
    }

    fn collide(&mut self, i: usize, j: usize) {
        let (a, b) = (self.balls[i], self.balls[j]);
        let d = b.at - a.at;
        let dist = d.length();
        let reach = a.radius + b.radius;
        if dist >= reach || dist < 1e-3 {
            return;
        }
        let n = d * (1.0 / dist);
        let (ma, mb) = (a.radius * a.radius, b.radius * b.radius);
        let (ia, ib) = (
            if self.held == Some(i) { 0.0 } else { 1.0 / ma },
            if self.held == Some(j) { 0.0 } else { 1.0 / mb },
        );
        let sum = ia + ib;
        if sum == 0.0 {
            return;
        }
        let push = (reach - dist) * 0.6 / sum;
        self.balls[i].at = a.at - n * (push * ia);
        self.balls[j].at = b.at + n * (push * ib);
        let v = b.speed - a.speed;
        let along = v.x * n.x + v.y * n.y;
        if along < 0.0 {
            let bounce = if along > -30.0 { 1.0 } else { 1.78 };
            let k = -along * bounce / sum;
            self.balls[i].speed = a.speed - n * (k * ia);
            self.balls[j].speed = b.speed + n * (k * ib);
        }
    }
}

fn paint(r: &mut Painter<'_>, size: Size, balls: &[Ball], held: Option<usize>) {
    let line = r.color(Line);
    for i in 1..8 {
        let x = (size.w * i as f32 / 8.0).floor() + 0.5;
        r.line(Point::new(x, 0.0), Point::new(x, size.h), 1.0, line.alpha(0.5));
    }
    for (i, b) in balls.iter().enumerate() {
        // A shadow on the floor says how high the ball is.
        let high = ((size.h - b.at.y - b.radius) / 160.0).clamp(0.0, 1.0);
        let w = b.radius * (0.9 - 0.4 * high);
        let shade = Color::BLACK.alpha(0.2 * (1.0 - high) * (1.0 - high));
        r.rect(b.at.x - w, size.h - 6.0, w * 2.0, 4.0).radius(2.0).fill(shade);
        let hue = Color::hex(b.hue);
        let light = Point::new(b.at.x - b.radius * 0.35, b.at.y - b.radius * 0.4);
        let stops = [
            Stop::new(0.0, hue.mix(Color::WHITE, 0.55)),
            Stop::new(0.55, hue),
            Stop::new(1.0, hue.mix(Color::BLACK, 0.28)),
        ];
        let paint = Paint::radial(light, b.radius * 1.5, &stops);
        r.circle(b.at.x, b.at.y, b.radius).fill(paint);
        if held == Some(i) {
            r.circle(b.at.x, b.at.y, b.radius + 5.0).stroke(2.0, Accent);
        }
    }
}
