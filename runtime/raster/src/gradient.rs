//! Gradients: a float setup per command, then integers and exactly rounded operations per pixel.
//!
//! - `t` is a function of the pixel's absolute centre, in 1/65536. Linear: a 32.32 plane. Radial
//!   and sweep: two planes, then `* / + sqrt` of floats, which IEEE 754 rounds exactly (no fused
//!   operation, no estimate), so every machine agrees.
//! - Colours are premultiplied, then interpolated per channel with 22 bits of fraction: exact at
//!   each stop, monotone between two, within 1/100 of a step of the real value.
//! - A level (vertical) gradient is one colour a row and paints like a solid colour.

use crate::blend::legal;
use crate::cells::TILE_W;
use crate::fixed::{Map, Plane, floor64};
use zinc_scene::{Gradient, GradientShape, Point, Spread, Stop};

/// Colour from `from` on: `base + slope * (t - from)`, 10.22 per channel. Two channels share a
/// word: blue and red, green and alpha. A slope below zero borrows from its neighbour and the sum
/// gives it back, since no channel of a ramp ever leaves 0..=255.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ramp {
    from: i32,
    base: [u64; 2],
    slope: [u64; 2],
}

const FRACTION: u32 = 22;

/// Channels b, g, r, a into their pairs.
fn pairs(v: [i64; 4]) -> [u64; 2] {
    let join = |low: i64, high: i64| (high << 32).wrapping_add(low) as u64;
    [join(v[0], v[2]), join(v[1], v[3])]
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    Linear(Plane),
    Radial(Plane, Plane),
    Sweep(Plane, Plane, i32),
}

/// A gradient ready to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shader {
    shape: Shape,
    spread: Spread,
    /// Ramps in the plan's arena.
    pub(crate) ramps: (u32, u32),
    opaque: bool,
    /// Rounding cannot lift a channel above its alpha: no pixel has to be checked.
    tame: bool,
}

/// What a command is filled with, when it is not worth a shader.
pub(crate) enum Made {
    Solid(u32),
    Shader(Shader),
    /// The plane is flattened: no pixel is covered.
    Nothing,
}

fn bytes(c: u32) -> [i32; 4] {
    [c & 255, (c >> 8) & 255, (c >> 16) & 255, c >> 24].map(|v| v as i32)
}

/// Sets a gradient up under a matrix.
pub(crate) fn make(g: &Gradient, stops: &[Stop], map: &Map, ramps: &mut Vec<Ramp>) -> Made {
    let Some(last) = stops.last() else { return Made::Solid(0) };
    let end = Made::Solid(last.color.premultiply());
    let Some(inv) = map.invert() else { return Made::Nothing };
    // Rows of the inverse as functions of the pixel, about a pivot.
    let about = |p: Point, k: f64| {
        (
            Plane::new(inv.a * k, inv.c * k, (inv.e - p.x as f64) * k),
            Plane::new(inv.b * k, inv.d * k, (inv.f - p.y as f64) * k),
        )
    };
    let shape = match g.shape {
        GradientShape::Linear { from, to } => {
            let (dx, dy) = (to.x as f64 - from.x as f64, to.y as f64 - from.y as f64);
            let n = dx * dx + dy * dy;
            if n == 0.0 {
                return end;
            }
            let (kx, ky) = (dx / n, dy / n);
            Shape::Linear(Plane::new(
                inv.a * kx + inv.b * ky,
                inv.c * kx + inv.d * ky,
                (inv.e - from.x as f64) * kx + (inv.f - from.y as f64) * ky,
            ))
        }
        GradientShape::Radial { radius, .. } if radius <= 0.0 => return end,
        GradientShape::Radial { center, radius } => {
            let (u, v) = about(center, 1.0 / radius as f64);
            Shape::Radial(u, v)
        }
        GradientShape::Sweep { center, start } => {
            // Angles do not depend on the size of the vector: about one a pixel is precise.
            let big = inv.a.abs().max(inv.b.abs()).max(inv.c.abs()).max(inv.d.abs());
            let (u, v) = about(center, if big > 0.0 { 1.0 / big } else { 1.0 });
            let turns = start as f64 / core::f64::consts::TAU;
            let part = turns - floor64(turns) as f64;
            Shape::Sweep(u, v, floor64(part * 65_536.0 + 0.5) as i32)
        }
    };
    let begin = ramps.len() as u32;
    let (opaque, tame) = add_ramps(stops, ramps);
    let ramps = (begin, ramps.len() as u32);
    Made::Shader(Shader { shape, spread: g.spread, ramps, opaque, tame })
}

/// Adds the ramps between stops. Answers: all are opaque; no rounding needs a check.
fn add_ramps(stops: &[Stop], ramps: &mut Vec<Ramp>) -> (bool, bool) {
    // Half a step is in the base: the sum is only cut.
    let half = 1i64 << (FRACTION - 1);
    let flat = |from: i32, c: u32| Ramp {
        from,
        base: pairs(bytes(c).map(|v| ((v as i64) << FRACTION) + half)),
        slope: [0; 2],
    };
    let (mut opaque, mut tame) = (true, true);
    let mut before: Option<(i32, u32)> = None;
    for s in stops {
        opaque &= s.color.is_opaque();
        let c = s.color.premultiply();
        let at = floor64(s.offset as f64 * 65_536.0 + 0.5) as i32;
        let at = match before {
            None => {
                ramps.push(flat(i32::MIN, c));
                at
            }
            Some((t, was)) => {
                let at = at.max(t);
                if at > t {
                    let (a, b) = (bytes(was), bytes(c));
                    // Equal to alpha all along, or a whole step below it.
                    tame &= (0..3)
                        .all(|i| (a[i] == a[3] && b[i] == b[3]) || (a[i] < a[3] && b[i] < b[3]));
                    let slope = core::array::from_fn(|i| {
                        (((b[i] - a[i]) as i64) << FRACTION) / (at - t) as i64
                    });
                    ramps.push(Ramp { slope: pairs(slope), ..flat(t, was) });
                }
                at
            }
        };
        before = Some((at, c));
    }
    if let Some((t, c)) = before {
        ramps.push(flat(t, c));
    }
    (opaque, tame || opaque)
}

#[inline(always)]
fn color(r: &Ramp, t: i32) -> u32 {
    const LOW: u64 = 0x0000_00FF_0000_00FF;
    let d = t.wrapping_sub(r.from) as i64 as u64;
    let v = |i: usize| {
        let v = (r.base[i].wrapping_add(r.slope[i].wrapping_mul(d)) >> FRACTION) & LOW;
        (v | v >> 16) as u32
    };
    (v(0) & 0x00FF_00FF) | (v(1) & 0x00FF_00FF) << 8
}

#[inline(always)]
fn spread(t: i64, how: Spread) -> i32 {
    match how {
        Spread::Pad => t.clamp(-1, 65_536) as i32,
        Spread::Repeat => (t & 0xFFFF) as i32,
        Spread::Reflect => {
            let m = (t & 0x1_FFFF) as i32;
            if m > 65_536 { 131_072 - m } else { m }
        }
    }
}

/// Colours of places.
fn paint(all: &[Ramp], ts: &[i32], out: &mut [u32]) {
    let (low, high) = ts.iter().fold((i32::MAX, i32::MIN), |(l, h), t| (l.min(*t), h.max(*t)));
    let ramp = |t: i32| all.iter().rposition(|r| r.from <= t).unwrap_or(0);
    let mut at = ramp(low);
    if at == ramp(high) {
        let one = all[at];
        for (o, &t) in out.iter_mut().zip(ts) {
            *o = color(&one, t);
        }
        return;
    }
    for (o, &t) in out.iter_mut().zip(ts) {
        // Neighbours lie on the same ramp or the next.
        while at + 1 < all.len() && all[at + 1].from <= t {
            at += 1;
        }
        while at > 0 && all[at].from > t {
            at -= 1;
        }
        *o = color(&all[at], t);
    }
}

/// Polynomial for atan(r) / 2 pi on 0..=1 in r squared; error below 1/65536 of a turn.
fn turns(y: f32, x: f32) -> i64 {
    let (ax, ay) = (x.abs(), y.abs());
    let (lo, hi) = (ax.min(ay), ax.max(ay));
    if hi == 0.0 {
        return 0;
    }
    let r = lo / hi;
    let q = r * r;
    // Taylor-like coefficients fitted to the interval (Abramowitz and Stegun 4.4.49, over tau).
    let p = 0.002_866_225_7;
    let p = p * q - 0.016_165_737;
    let p = p * q + 0.042_909_613;
    let p = p * q - 0.075_289_64;
    let p = p * q + 0.106_562_64;
    let p = p * q - 0.142_089;
    let p = p * q + 0.199_935_51;
    let p = p * q - 0.333_331_45;
    let p = p * q + 1.0;
    let turn = p * r * (65_536.0 / core::f32::consts::TAU);
    let t = (turn + 0.5) as i64;
    let t = if ay > ax { 16_384 - t } else { t };
    let t = if x < 0.0 { 32_768 - t } else { t };
    if y < 0.0 { 65_536 - t } else { t }
}

/// 32.32 to a float of 16 bits of fraction; far values saturate.
#[inline]
fn coarse(v: i64) -> f32 {
    (v >> 16).clamp(i32::MIN as i64, i32::MAX as i64) as i32 as f32
}

impl Shader {
    /// The row's one colour, where it has one.
    pub(crate) fn row_color(&self, ramps: &[Ramp], y: i32) -> Option<u32> {
        match self.shape {
            Shape::Linear(p) if p.dx == 0 => {
                let t = spread(p.at(0, y) >> 16, self.spread);
                let all = &ramps[self.ramps.0 as usize..self.ramps.1 as usize];
                let at = all.iter().rposition(|r| r.from <= t).unwrap_or(0);
                Some(legal(color(&all[at], t)))
            }
            _ => None,
        }
    }

    /// Colours of a run of a row. True: all are opaque.
    pub(crate) fn shade(&self, ramps: &[Ramp], x: i32, y: i32, out: &mut [u32]) -> bool {
        let mut ts = [0i32; TILE_W];
        let ts = &mut ts[..out.len()];
        match self.shape {
            Shape::Linear(p) => {
                let mut v = p.at(x, y);
                let mut each = |how: Spread| {
                    for t in ts.iter_mut() {
                        *t = spread(v >> 16, how);
                        v = v.wrapping_add(p.dx);
                    }
                };
                match self.spread {
                    Spread::Pad => each(Spread::Pad),
                    Spread::Repeat => each(Spread::Repeat),
                    Spread::Reflect => each(Spread::Reflect),
                }
            }
            Shape::Radial(u, v) => {
                let (mut a, mut b) = (u.at(x, y), v.at(x, y));
                // Far ends saturate; between near ones nothing has to be asked per pixel.
                let n = ts.len() as i64 - 1;
                let near = |v: i64| v >> 16 == (v >> 16) as i32 as i64;
                let ends = [a, a.wrapping_add(u.dx * n), b, b.wrapping_add(v.dx * n)];
                let all_near = ends.into_iter().all(near);
                for t in ts.iter_mut() {
                    let (fa, fb) = if all_near {
                        ((a >> 16) as i32 as f32, (b >> 16) as i32 as f32)
                    } else {
                        (coarse(a), coarse(b))
                    };
                    *t = ((fa * fa + fb * fb).sqrt() + 0.5) as i32;
                    a = a.wrapping_add(u.dx);
                    b = b.wrapping_add(v.dx);
                }
                let mut each = |how: Spread| {
                    for t in ts.iter_mut() {
                        *t = spread(*t as i64, how);
                    }
                };
                match self.spread {
                    Spread::Pad => each(Spread::Pad),
                    Spread::Repeat => each(Spread::Repeat),
                    Spread::Reflect => each(Spread::Reflect),
                }
            }
            Shape::Sweep(u, v, start) => {
                let (mut a, mut b) = (u.at(x, y), v.at(x, y));
                for t in ts.iter_mut() {
                    *t = ((turns(coarse(b), coarse(a)) - start as i64) & 0xFFFF) as i32;
                    a = a.wrapping_add(u.dx);
                    b = b.wrapping_add(v.dx);
                }
            }
        }
        paint(&ramps[self.ramps.0 as usize..self.ramps.1 as usize], ts, out);
        if !self.tame {
            // Two roundings may disagree by one: a channel never exceeds alpha.
            out.iter_mut().for_each(|o| *o = legal(*o));
        }
        self.opaque
    }
}
