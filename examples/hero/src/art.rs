//! Eight generative pieces. Each is a function of size, a phase in seconds and a pointer in
//! 0..=1, so that the same piece can rest on a card and move when it is looked at.

use zinc::prelude::*;

/// A piece.
#[derive(Clone, Copy)]
pub(crate) struct Art {
    pub(crate) name: &'static str,
    pub(crate) by: &'static str,
    pub(crate) about: &'static str,
    draw: fn(&mut Painter<'_>, Size, f32, Point),
}

impl Art {
    /// Draws it, clipped to a rounded box.
    pub(crate) fn draw(&self, r: &mut Painter<'_>, size: Size, t: f32, at: Point, radius: f32) {
        let box_ = Rect::new(0.0, 0.0, size.w, size.h);
        r.with_clip(box_, radius, |r| (self.draw)(r, size, t, at));
    }
}

pub(crate) const ALL: [Art; 8] = [
    Art {
        name: "Aurora",
        by: "Light in layers",
        about: "Five curtains of light over a dark coast. Each is one wave of its own length; \
                where they meet, the sky turns green.",
        draw: aurora,
    },
    Art {
        name: "Orbits",
        by: "A quiet system",
        about: "Nine bodies on nine rings, none of them in a hurry. The inner ones go round \
                faster, as they should.",
        draw: orbits,
    },
    Art {
        name: "Bloom",
        by: "Petals by number",
        about: "Three rings of petals on one stem of arithmetic. Turn it: it has no up.",
        draw: bloom,
    },
    Art {
        name: "Pulse Grid",
        by: "Dots that listen",
        about: "Each dot knows how far away you are and grows a little. Together they show a \
                wave that none of them is.",
        draw: pulse_grid,
    },
    Art {
        name: "Tides",
        by: "Six slow waves",
        about: "The sea in six strokes, back to front, each a little darker and a little \
                faster than the one behind.",
        draw: tides,
    },
    Art {
        name: "Confetti",
        by: "After the party",
        about: "A hundred and twenty pieces of paper, still falling. They come back at the top, \
                so the party never quite ends.",
        draw: confetti,
    },
    Art {
        name: "Ripples",
        by: "Rain on a pond",
        about: "Rings from five drops. They cross and go on as if nothing had been there.",
        draw: ripples,
    },
    Art {
        name: "Phyllotaxis",
        by: "Four hundred seeds",
        about: "Each seed turns by the golden angle, 137.5 degrees, and takes the next free \
                place. Sunflowers do the same.",
        draw: phyllotaxis,
    },
];

const TURN: f32 = std::f32::consts::TAU;

fn c(v: u32) -> Color {
    Color::hex(v)
}

fn backdrop(r: &mut Painter<'_>, s: Size, top: u32, bottom: u32) {
    let stops = [Stop::new(0.0, c(top)), Stop::new(1.0, c(bottom))];
    let paint = Paint::linear(Point::new(0.0, 0.0), Point::new(0.0, s.h), &stops);
    r.rect(0.0, 0.0, s.w, s.h).fill(paint);
}

/// A number in 0..1 that belongs to `n`.
fn hash(n: u32) -> f32 {
    let mut x = n.wrapping_mul(0x9E37_79B1) ^ 0x85EB_CA6B;
    x ^= x >> 15;
    x = x.wrapping_mul(0x2C1B_3C6D);
    x ^= x >> 12;
    (x >> 8) as f32 / (1 << 24) as f32
}

/// The area below a wave, down to `bottom`.
fn wave(p: &mut Path, s: Size, bottom: f32, f: impl Fn(f32) -> f32) {
    const STEPS: usize = 64;
    p.move_to(0.0, f(0.0));
    for i in 1..=STEPS {
        let u = i as f32 / STEPS as f32;
        p.line_to(u * s.w, f(u));
    }
    p.line_to(s.w, bottom).line_to(0.0, bottom).close();
}

fn aurora(r: &mut Painter<'_>, s: Size, t: f32, at: Point) {
    backdrop(r, s, 0x071226, 0x123A52);
    for i in 0..40u32 {
        let (x, y) = (hash(i) * s.w, hash(i + 400) * s.h * 0.6);
        r.circle(x, y, 0.5 + hash(i + 90)).fill(c(0xFFFFFF).alpha(0.2 + 0.5 * hash(i + 7)));
    }
    let hues = [0x2BE3A7, 0x49D6FF, 0x7B6CFF, 0x2BE3A7, 0xE36CFF];
    for (i, hue) in hues.into_iter().enumerate() {
        let k = i as f32;
        let phase = t * (0.25 + 0.08 * k) + k * 1.7 + at.x;
        let top = |u: f32| {
            let sway = math::sin(u * 5.0 + phase) * 0.1 + math::sin(u * 11.0 - phase) * 0.04;
            s.h * (0.2 + 0.1 * k + sway)
        };
        let reach = s.h * 0.5;
        let y = s.h * (0.14 + 0.1 * k);
        let stops = [
            Stop::new(0.0, c(hue).alpha(0.0)),
            Stop::new(0.25, c(hue).alpha(0.42)),
            Stop::new(1.0, c(hue).alpha(0.0)),
        ];
        let paint = Paint::linear(Point::new(0.0, y), Point::new(0.0, y + reach), &stops);
        r.path(|p| wave(p, s, s.h, top)).fill(paint);
    }
    r.path(|p| {
        wave(p, s, s.h, |u| {
            s.h * (0.86 - 0.07 * math::sin(u * 7.0 + 0.6) - 0.012 * hash((u * 64.0) as u32))
        });
    })
    .fill(c(0x050B16));
}

fn orbits(r: &mut Painter<'_>, s: Size, t: f32, at: Point) {
    backdrop(r, s, 0x1B1033, 0x2A1748);
    let o = Point::new(s.w * (0.5 + 0.04 * (at.x - 0.5)), s.h * (0.5 + 0.04 * (at.y - 0.5)));
    let unit = s.w.min(s.h) * 0.5;
    let glow = [Stop::new(0.0, c(0xFFB86B).alpha(0.75)), Stop::new(1.0, c(0xFFB86B).alpha(0.0))];
    r.circle(o.x, o.y, unit * 0.5).fill(Paint::radial(o, unit * 0.5, &glow));
    r.circle(o.x, o.y, unit * 0.13).fill(c(0xFFD9A0));
    let hues = [0xFF7A90, 0x8CE3FF, 0xFFD166, 0xB39BFF, 0x7CF5C1];
    for i in 0..9u32 {
        let k = i as f32;
        let radius = unit * (0.24 + 0.085 * k);
        r.circle(o.x, o.y, radius).stroke(1.0, c(0xFFFFFF).alpha(0.14));
        let a = t * 1.6 / (1.0 + 0.55 * k) + hash(i + 3) * TURN;
        let (x, y) = (o.x + radius * math::cos(a), o.y + radius * math::sin(a));
        let size = unit * (0.022 + 0.03 * hash(i + 17));
        r.circle(x, y, size).fill(c(hues[i as usize % hues.len()]));
    }
}

fn bloom(r: &mut Painter<'_>, s: Size, t: f32, at: Point) {
    backdrop(r, s, 0xFFE9D6, 0xFFC9C0);
    let o = Point::new(s.w * 0.5, s.h * 0.52);
    let unit = s.w.min(s.h) * 0.46;
    let rings = [(14u32, 1.0, 0xE8577E), (11, 0.74, 0xF5849B), (8, 0.48, 0xFBB9A9)];
    for (ring, (n, reach, hue)) in rings.into_iter().enumerate() {
        let turn = t * 0.12 * if ring == 1 { -1.0 } else { 1.0 } + ring as f32 * 0.4 + at.x * 0.5;
        for i in 0..n {
            let a = turn + TURN * i as f32 / n as f32;
            let m = Matrix::translate(o.x, o.y).then_inner(Matrix::rotate(a));
            let len = unit * reach * (0.94 + 0.06 * math::sin(t * 0.8 + i as f32));
            r.with_matrix(m, |r| {
                r.path(|p| {
                    let w = len * 0.2;
                    p.move_to(0.0, 0.0)
                        .cubic_to(len * 0.3, -w, len * 0.8, -w, len, 0.0)
                        .cubic_to(len * 0.8, w, len * 0.3, w, 0.0, 0.0)
                        .close();
                })
                .fill(c(hue).alpha(0.72));
            });
        }
    }
    r.circle(o.x, o.y, unit * 0.15).fill(c(0xFFD27A));
    for i in 0..12u32 {
        let a = TURN * i as f32 / 12.0;
        let q = unit * 0.09;
        r.circle(o.x + q * math::cos(a), o.y + q * math::sin(a), unit * 0.018).fill(c(0xD9853B));
    }
}

fn pulse_grid(r: &mut Painter<'_>, s: Size, t: f32, at: Point) {
    backdrop(r, s, 0x0B1B2B, 0x0F2C3F);
    let cell = s.w / 16.0;
    let rows = (s.h / cell) as usize + 1;
    for j in 0..rows {
        for i in 0..16 {
            let (x, y) = ((i as f32 + 0.5) * cell, (j as f32 + 0.5) * cell);
            let d = Point::new(x / s.w - at.x, (y - at.y * s.h) / s.w).length();
            let v = 0.5 + 0.5 * math::sin(d * 16.0 - t * 2.2);
            let radius = cell * (0.08 + 0.3 * v * (1.0 - (d * 0.8).min(0.85)));
            let hue = c(0x38BDF8).mix(c(0xF472B6), (d * 1.3).min(1.0));
            r.circle(x, y, radius).fill(hue.alpha(0.45 + 0.55 * v));
        }
    }
}

fn tides(r: &mut Painter<'_>, s: Size, t: f32, at: Point) {
    backdrop(r, s, 0xFDE6C8, 0xF7B58A);
    r.circle(s.w * (0.68 + 0.05 * (at.x - 0.5)), s.h * 0.36, s.h * 0.14).fill(c(0xFFF4DE));
    let hues = [0x8FB8C9, 0x6AA0B8, 0x4A86A4, 0x336C8C, 0x215372, 0x143C57];
    for (i, hue) in hues.into_iter().enumerate() {
        let k = i as f32;
        let phase = t * (0.35 + 0.12 * k) + k * 2.1;
        let height = |u: f32| {
            let swell = math::sin(u * (5.0 + k) + phase) * 0.03;
            let chop = math::sin(u * (13.0 - k) - phase * 1.3) * 0.012;
            s.h * (0.48 + 0.085 * k + swell + chop)
        };
        r.path(|p| wave(p, s, s.h, height)).fill(c(hue));
    }
}

fn confetti(r: &mut Painter<'_>, s: Size, t: f32, at: Point) {
    backdrop(r, s, 0xFFFFFF, 0xEEF1FA);
    let hues = [0xFF5A5F, 0x2D9CDB, 0xF2C94C, 0x27AE60, 0x9B51E0, 0xFF8FB1];
    for i in 0..120u32 {
        let fall = (hash(i) + t * (0.04 + 0.05 * hash(i + 500))) % 1.0;
        let sway = math::sin(t * 1.3 + i as f32) * 0.02 + (at.x - 0.5) * 0.04 * hash(i + 31);
        let (x, y) = ((hash(i + 1000) + sway) * s.w, (fall * 1.2 - 0.1) * s.h);
        let size = s.w * (0.014 + 0.018 * hash(i + 77));
        let m = Matrix::translate(x, y)
            .then_inner(Matrix::rotate(t * (hash(i + 5) - 0.5) * 3.0 + hash(i + 9) * TURN));
        let hue = c(hues[i as usize % hues.len()]);
        r.with_matrix(m, |r| {
            if i % 3 == 0 {
                r.circle(0.0, 0.0, size * 0.5).fill(hue);
            } else {
                r.rect(-size * 0.6, -size * 0.3, size * 1.2, size * 0.6)
                    .radius(size * 0.1)
                    .fill(hue);
            }
        });
    }
}

fn ripples(r: &mut Painter<'_>, s: Size, t: f32, at: Point) {
    backdrop(r, s, 0x12324A, 0x0C2233);
    for drop in 0..5u32 {
        let at = if drop == 0 { at } else { Point::new(hash(drop + 2), hash(drop + 60)) };
        let o = Point::new(at.x * s.w, at.y * s.h);
        for ring in 0..5u32 {
            let age = (t * 0.22 + hash(drop) + ring as f32 * 0.2) % 1.0;
            let radius = age * s.w * 0.42;
            let faint = (1.0 - age) * (1.0 - age);
            let hue = c(0x8FE3FF).mix(c(0xFFFFFF), hash(drop + 8));
            r.circle(o.x, o.y, radius).stroke(1.0 + 2.5 * faint, hue.alpha(0.75 * faint));
        }
    }
}

fn phyllotaxis(r: &mut Painter<'_>, s: Size, t: f32, at: Point) {
    backdrop(r, s, 0x1F1300, 0x3A2405);
    let o = Point::new(s.w * 0.5, s.h * 0.5);
    let unit = s.w.max(s.h) * 0.029;
    let golden = 2.399_963 + (at.x - 0.5) * 0.004 + math::sin(t * 0.2) * 0.002;
    for i in 0..400u32 {
        let k = i as f32;
        let (a, d) = (k * golden + t * 0.05, unit * k.sqrt());
        let (x, y) = (o.x + d * math::cos(a), o.y + d * math::sin(a));
        let hue = c(0xFFF0B3).mix(c(0xE2711D), (k / 400.0).sqrt());
        r.circle(x, y, unit * (0.26 + 0.2 * (k / 400.0))).fill(hue);
    }
}
