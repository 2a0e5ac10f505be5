//! Gradients: a float setup per command, then integers and exactly rounded operations per pixel.
//!
//! - `t` is a function of the pixel's absolute centre, in 1/65536. Linear: a 32.32 plane. Radial
//!   and sweep: two planes, then `* / + sqrt` of floats, which IEEE 754 rounds exactly (no fused
//!   operation, no estimate), so every machine agrees. Runs go in blocks of [`BLOCK`] pixels, which
//!   lie on one ramp as a rule; blocks beyond an end are filled.
//! - Colours are premultiplied, then interpolated per channel with 22 bits of fraction: exact at
//!   each stop, monotone between two, within 1/100 of a step of the real value.
//! - A level (vertical) gradient is one colour a row and paints like a solid colour.

use crate::blend::legal;
use crate::fixed::{Map, Plane, floor64};
use crate::kernels;
use crate::simd::Simd;
use crate::table::{Distance, SIZE, Table};
use fearless_simd::{i32x8, prelude::*, u32x8, u32x16};
use fearless_simd_macros::simd;
use zinc_scene::{Gradient, GradientShape, Point, Spread, Stop};

/// Colour from `from` on: `base + slope * (t - from)`, 10.22 for each of b, g, r, a. A product may
/// wrap; the sum does not, since no channel of a ramp ever leaves 0..=255.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ramp {
    from: i32,
    base: [u32; 4],
    slope: [u32; 4],
}

const FRACTION: u32 = 22;

/// What the gradients of a frame are read from.
#[derive(Debug, Default)]
pub(crate) struct Colors {
    ramps: Vec<Ramp>,
    tables: Vec<Table>,
}

impl Colors {
    pub(crate) fn clear(&mut self) {
        self.ramps.clear();
        self.tables.clear();
    }
}

/// Pixels that are shaded at once.
const BLOCK: usize = 16;

#[derive(Clone, Copy, Debug)]
enum Shape {
    Linear(Plane),
    Radial(Plane, Plane),
    /// A smooth radial one: distance and index of the table.
    Table(Distance, u32),
    Sweep(Plane, Plane, i32),
}

/// A gradient ready to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shader {
    shape: Shape,
    spread: Spread,
    /// Ramps in the plan's arena.
    ramps: (u32, u32),
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
pub(crate) fn make(g: &Gradient, stops: &[Stop], map: &Map, colors: &mut Colors) -> Made {
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
    let Colors { ramps, tables } = colors;
    let begin = ramps.len();
    let (opaque, tame) = add_ramps(stops, ramps);
    let all = &ramps[begin..];
    let shape = match shape {
        Shape::Radial(u, v) if g.spread == Spread::Pad && all.iter().all(Ramp::is_smooth) => {
            tables.push(table(all));
            Shape::Table(Distance::new(u, v), tables.len() as u32 - 1)
        }
        other => other,
    };
    let ramps = (begin as u32, ramps.len() as u32);
    Made::Shader(Shader { shape, spread: g.spread, ramps, opaque, tame })
}

impl Ramp {
    /// Half an entry of a table changes no channel by more than a quarter of a step.
    fn is_smooth(&self) -> bool {
        let most = (1i64 << FRACTION) * 512 / 65_536;
        self.slope.iter().all(|s| (*s as i32 as i64).abs() <= most)
    }
}

/// The colours of a gradient at equal distances.
fn table(all: &[Ramp]) -> Table {
    let mut at = 0;
    core::array::from_fn(|i| {
        let t = ((i << 17) / (SIZE - 1) + 1) as i32 >> 1;
        while at + 1 < all.len() && all[at + 1].from <= t {
            at += 1;
        }
        color(&all[at], t)
    })
}

/// Adds the ramps between stops. Answers: all are opaque; no rounding needs a check.
fn add_ramps(stops: &[Stop], ramps: &mut Vec<Ramp>) -> (bool, bool) {
    // Half a step is in the base: the sum is only cut.
    let half = 1i64 << (FRACTION - 1);
    let flat = |from: i32, c: u32| Ramp {
        from,
        base: bytes(c).map(|v| (((v as i64) << FRACTION) + half) as u32),
        slope: [0; 4],
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
                    // Equal to alpha all along, or a whole step below it, or so far below that where
                    // both fade out both round to nothing: slopes are cut by 1/64 step at most.
                    let far = |c: i32, a: i32| c < 30 * (a - c);
                    tame &= (0..3).all(|i| {
                        (a[i] == a[3] && b[i] == b[3])
                            || (a[i] < a[3] && b[i] < b[3])
                            || (b[3] == 0 && far(a[i], a[3]))
                            || (a[3] == 0 && far(b[i], b[3]))
                    });
                    let slope = core::array::from_fn(|i| {
                        ((((b[i] - a[i]) as i64) << FRACTION) / (at - t) as i64) as u32
                    });
                    ramps.push(Ramp { slope, ..flat(t, was) });
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
    let d = t.wrapping_sub(r.from) as u32;
    let v = |i: usize| (r.base[i].wrapping_add(r.slope[i].wrapping_mul(d)) >> FRACTION) & 255;
    v(0) | v(1) << 8 | v(2) << 16 | v(3) << 24
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

/// Index of the ramp that a place lies on.
#[inline(always)]
fn ramp(all: &[Ramp], t: i32) -> usize {
    all.iter().rposition(|r| r.from <= t).unwrap_or(0)
}

/// Colours of places on a ramp.
#[inline(always)]
fn colors<S: Simd>(simd: S, r: &Ramp, t: i32x8<S>) -> u32x8<S> {
    let d = (t - r.from).bitcast::<u32x8<S>>();
    let v =
        |i: usize| (d * u32x8::splat(simd, r.slope[i]) + u32x8::splat(simd, r.base[i])) >> FRACTION;
    v(0) | (v(1) << 8) | (v(2) << 16) | (v(3) << 24)
}

/// Colours of a block of places between `low` and `high`.
#[inline(always)]
fn block<S: Simd>(
    simd: S,
    all: &[Ramp],
    ts: [i32x8<S>; 2],
    (low, high): (i32, i32),
    out: &mut [u32; BLOCK],
) {
    let (first, last) = (ramp(all, low), ramp(all, high));
    for (i, out) in out.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let t = ts[i];
        let mut c = colors(simd, &all[first], t);
        for one in &all[first + 1..last + 1] {
            let on = t.simd_ge(i32x8::splat(simd, one.from));
            c = on.select(colors(simd, one, t), c);
        }
        c.store_slice(out);
    }
}

/// As [`block`], of places that lie anywhere.
#[inline(always)]
fn places<S: Simd>(simd: S, all: &[Ramp], ts: [i32x8<S>; 2], out: &mut [u32; BLOCK]) {
    // One ramp as a rule: the first place's.
    let at = ramp(all, ts[0][0]);
    let from = i32x8::splat(simd, all[at].from);
    let next = i32x8::splat(simd, all.get(at + 1).map_or(i32::MAX, |r| r.from));
    let (low, high) = (ts[0].min(ts[1]), ts[0].max(ts[1]));
    let bounds = if (low.simd_ge(from) & high.simd_lt(next)).all_true() {
        (ts[0][0], ts[0][0])
    } else {
        let (low, high): ([i32; 8], [i32; 8]) = (low.into(), high.into());
        (low.into_iter().fold(i32::MAX, i32::min), high.into_iter().fold(i32::MIN, i32::max))
    };
    block(simd, all, ts, bounds, out);
}

/// `(start + n d) >> 16` for the pixels `n` of blocks, in 32 bits: exact where the result fits.
struct Steps<S: Simd> {
    whole: [i32x8<S>; 2],
    part: [i32x8<S>; 2],
}

impl<S: Simd> Steps<S> {
    #[inline(always)]
    fn new(simd: S, d: i64) -> Self {
        let n = i32x8::simd_from(simd, [0, 1, 2, 3, 4, 5, 6, 7]);
        let (whole, part) = ((d >> 16) as i32, (d & 0xFFFF) as i32);
        let (a, b) = (n * whole, n * part);
        Self { whole: [a, a + whole.wrapping_mul(8)], part: [b, b + part * 8] }
    }

    #[inline(always)]
    fn from(&self, start: i64) -> [i32x8<S>; 2] {
        let (whole, part) = ((start >> 16) as i32, (start & 0xFFFF) as i32);
        let (w, p) = (&self.whole, &self.part);
        [w[0] + whole + ((p[0] + part) >> 16), w[1] + whole + ((p[1] + part) >> 16)]
    }
}

/// Calls `f` with each block's first pixel and a place for its colours.
#[inline(always)]
fn blocks(out: &mut [u32], mut f: impl FnMut(i64, &mut [u32; BLOCK])) {
    let (whole, rest) = out.as_chunks_mut::<BLOCK>();
    let n = whole.len();
    for (i, o) in whole.iter_mut().enumerate() {
        f((i * BLOCK) as i64, o);
    }
    if !rest.is_empty() {
        let mut o = [0; BLOCK];
        f((n * BLOCK) as i64, &mut o);
        rest.copy_from_slice(&o[..rest.len()]);
    }
}

/// A row of a linear gradient that does not repeat, ramp by ramp. On a ramp a colour is a linear
/// function of the pixel's column, 10.22 per channel, so that any start of a run gives the same.
#[inline(always)]
fn padded_row<S: Simd>(simd: S, all: &[Ramp], p: &Plane, (x, y): (i32, i32), out: &mut [u32]) {
    let (start, dx) = (p.at(x, y), p.dx);
    let n = out.len() as i64;
    // Pixels before the first one that lies at or beyond a place, seen along the row.
    let before = |from: i32| {
        let d = ((from as i64) << 16) - start;
        match dx {
            1.. => (d + dx - 1).div_euclid(dx).clamp(0, n),
            0 => {
                if d <= 0 {
                    0
                } else {
                    n
                }
            }
            _ => ((-d).div_euclid(-dx) + 1).clamp(0, n),
        }
    };
    for (i, r) in all.iter().enumerate() {
        let next = all.get(i + 1);
        let (a, b) = if dx >= 0 {
            let a = if i == 0 { 0 } else { before(r.from) };
            (a, next.map_or(n, |r| before(r.from)))
        } else {
            let b = if i == 0 { n } else { before(r.from) };
            (next.map_or(0, |r| before(r.from)), b)
        };
        if a < b {
            r.row(simd, p, (x + a as i32, y), &mut out[a as usize..b as usize]);
        }
    }
}

impl Ramp {
    /// Pixels of a row that lie on this ramp.
    #[inline(always)]
    fn row<S: Simd>(&self, simd: S, p: &Plane, (x, y): (i32, i32), out: &mut [u32]) {
        if self.slope == [0; 4] {
            return kernels::fill(out, color(self, self.from));
        }
        let d = p.at(0, y) as i128 - ((self.from as i128) << 16);
        let scaled = |i: usize, d: i128| ((self.slope[i] as i32 as i128 * d) >> 16) as u32;
        let step: [u32; 4] = core::array::from_fn(|i| scaled(i, p.dx as i128));
        let at = |i: usize, x: i32| {
            self.base[i].wrapping_add(scaled(i, d)).wrapping_add(step[i].wrapping_mul(x as u32))
        };
        let four =
            |x: i32| -> [u32; 16] { core::array::from_fn(|i| at(i & 3, x + (i >> 2) as i32)) };
        let mut low = u32x16::from_slice(simd, &four(x));
        let mut high = u32x16::from_slice(simd, &four(x + 4));
        let eight: [u32; 16] = core::array::from_fn(|i| step[i & 3].wrapping_mul(8));
        let eight = u32x16::from_slice(simd, &eight);
        let (blocks, rest) = out.as_chunks_mut::<8>();
        for b in blocks {
            pack(low, high).store_slice(b);
            (low, high) = (low + eight, high + eight);
        }
        if !rest.is_empty() {
            let last: [u32; 8] = pack(low, high).into();
            rest.copy_from_slice(&last[..rest.len()]);
        }
    }
}

/// Eight pixels from 10.22 numbers, four of a pixel after another.
#[inline(always)]
fn pack<S: Simd>(low: u32x16<S>, high: u32x16<S>) -> u32x8<S> {
    let (low, high) = (low >> FRACTION).relaxed_narrow(high >> FRACTION).split();
    low.relaxed_narrow(high).bitcast()
}

/// Polynomial for atan(r) / 2 pi on 0..=1 in r squared; error below 1/65536 of a turn.
#[inline(always)]
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
#[inline(always)]
fn coarse(v: i64) -> f32 {
    (v >> 16).clamp(i32::MIN as i64, i32::MAX as i64) as i32 as f32
}

impl Shader {
    /// The row's one colour, where it has one.
    pub(crate) fn row_color(&self, colors: &Colors, y: i32) -> Option<u32> {
        match self.shape {
            Shape::Linear(p) if p.dx == 0 => {
                let t = spread(p.at(0, y) >> 16, self.spread);
                let all = self.ramps(colors);
                let at = all.iter().rposition(|r| r.from <= t).unwrap_or(0);
                Some(legal(color(&all[at], t)))
            }
            _ => None,
        }
    }

    fn ramps<'a>(&self, colors: &'a Colors) -> &'a [Ramp] {
        &colors.ramps[self.ramps.0 as usize..self.ramps.1 as usize]
    }

    /// All colours are opaque.
    pub(crate) fn is_opaque(&self) -> bool {
        self.opaque
    }

    /// Colours of a run of a row.
    #[simd]
    pub(crate) fn shade<S: Simd>(&self, simd: S, colors: &Colors, x: i32, y: i32, out: &mut [u32]) {
        let all = self.ramps(colors);
        match self.shape {
            Shape::Linear(p) if self.spread == Spread::Pad => {
                padded_row(simd, all, &p, (x, y), out)
            }
            Shape::Linear(p) => self.linear(simd, all, p.at(x, y), p.dx, out),
            Shape::Table(d, n) => d.shade(simd, &colors.tables[n as usize], (x, y), out),
            Shape::Radial(u, v) => {
                self.radial(simd, all, [u.at(x, y), v.at(x, y)], [u.dx, v.dx], out)
            }
            Shape::Sweep(u, v, start) => {
                let (a, b) = (u.at(x, y), v.at(x, y));
                blocks(
                    out,
                    #[inline(always)]
                    |i, o| {
                        let mut ts = [0i32; BLOCK];
                        for (n, t) in (i..).zip(&mut ts) {
                            let (x, y) =
                                (a.wrapping_add(u.dx * n), b.wrapping_add(v.dx.wrapping_mul(n)));
                            *t = ((turns(coarse(y), coarse(x)) - start as i64) & 0xFFFF) as i32;
                        }
                        places(simd, all, lanes(simd, &ts), o);
                    },
                );
            }
        }
        if !self.tame {
            // Two roundings may disagree by one: a channel never exceeds alpha.
            out.iter_mut().for_each(|o| *o = legal(*o));
        }
    }

    /// Places that repeat.
    #[inline(always)]
    fn linear<S: Simd>(&self, simd: S, all: &[Ramp], start: i64, dx: i64, out: &mut [u32]) {
        let steps = Steps::new(simd, dx);
        blocks(
            out,
            #[inline(always)]
            |i, o| {
                let a = start.wrapping_add(dx.wrapping_mul(i));
                let b = a.wrapping_add(dx * (BLOCK as i64 - 1));
                let (low, high) = (a.min(b) >> 16, a.max(b) >> 16);
                if low >= 0 && high < 65_536 {
                    return block(simd, all, steps.from(a), (low as i32, high as i32), o);
                }
                let mut ts = [0i32; BLOCK];
                for (n, t) in (0i64..).zip(&mut ts) {
                    *t = spread(a.wrapping_add(dx * n) >> 16, self.spread);
                }
                places(simd, all, lanes(simd, &ts), o);
            },
        );
    }

    #[inline(always)]
    fn radial<S: Simd>(
        &self,
        simd: S,
        all: &[Ramp],
        start: [i64; 2],
        d: [i64; 2],
        out: &mut [u32],
    ) {
        // Far ends saturate; between near ones nothing has to be asked per pixel.
        let n = out.len() as i64 + BLOCK as i64;
        let near = |v: i64| v >> 16 == (v >> 16) as i32 as i64;
        let steps = [Steps::new(simd, d[0]), Steps::new(simd, d[1])];
        let all_near = (0..2).all(|i| near(start[i]) && near(start[i].wrapping_add(d[i] * n)));
        blocks(
            out,
            #[inline(always)]
            |i, o| {
                let a = start[0].wrapping_add(d[0].wrapping_mul(i));
                let b = start[1].wrapping_add(d[1].wrapping_mul(i));
                let ts = if self.spread == Spread::Pad && all_near {
                    let (a, b) = (steps[0].from(a), steps[1].from(b));
                    [padded_all(simd, a[0], b[0]), padded_all(simd, a[1], b[1])]
                } else {
                    let mut ts = [0i32; BLOCK];
                    for (n, t) in (0i64..).zip(&mut ts) {
                        let fa = coarse(a.wrapping_add(d[0].wrapping_mul(n)));
                        let fb = coarse(b.wrapping_add(d[1].wrapping_mul(n)));
                        *t = match self.spread {
                            Spread::Pad => padded(fa, fb),
                            how => spread(((fa * fa + fb * fb).sqrt() + 0.5) as i32 as i64, how),
                        };
                    }
                    lanes(simd, &ts)
                };
                places(simd, all, ts, o);
            },
        );
    }
}

#[inline(always)]
fn lanes<S: Simd>(simd: S, ts: &[i32; BLOCK]) -> [i32x8<S>; 2] {
    let (a, b) = ts.split_at(8);
    [i32x8::from_slice(simd, a), i32x8::from_slice(simd, b)]
}

/// As [`padded`].
#[inline(always)]
fn padded_all<S: Simd>(simd: S, a: i32x8<S>, b: i32x8<S>) -> i32x8<S> {
    let (a, b) = (simd.cvt_f32_i32x8(a), simd.cvt_f32_i32x8(b));
    let d = (a * a + b * b).sqrt().min(65_536.0);
    (d + 8_388_608.0).bitcast::<i32x8<S>>() & 0x7F_FFFF
}

/// A distance cut to 0..=65536 and rounded to the nearest, halves to even: beyond 2^23 a float has
/// no fraction, so its low bits are the number.
#[inline(always)]
fn padded(a: f32, b: f32) -> i32 {
    let d = (a * a + b * b).sqrt();
    let d = if d < 65_536.0 { d } else { 65_536.0 };
    ((d + 8_388_608.0).to_bits() & 0x7F_FFFF) as i32
}
