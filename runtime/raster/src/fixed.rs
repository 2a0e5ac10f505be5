//! Numbers after the rounding: 24.8 segments, and 32.32 planes over pixel centres.
//!
//! - A point is rounded to 1/256 pixel once, by [`fix`]; everything later is integer arithmetic.
//! - Segments are cut in `f64` to a box of ±32768 pixels by their own numbers alone, so that the
//!   cut is the same whatever band or damage asks. Parts left or right of the box become upright.
//! - Coordinates are then below 2^24, differences below 2^25, products below 2^50.

use zinc_scene::{IRect, Matrix, Point};

/// 1.0 in 24.8.
pub(crate) const ONE: i32 = 256;

/// Half the side of the box that segments are cut to, in pixels.
const REACH: f64 = 32_768.0;

/// A directed edge of a polygon in 24.8, never level, kept from its upper end to its lower one:
/// shared edges of neighbours then round alike and cancel exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seg {
    /// The upper end.
    pub(crate) x0: i32,
    pub(crate) y0: i32,
    /// The lower end.
    pub(crate) x1: i32,
    /// Twice its `y`, and one more for an edge that goes upwards.
    low: i32,
}

impl Seg {
    /// An edge between points at different heights.
    #[inline(always)]
    pub(crate) fn new(x0: i32, y0: i32, x1: i32, y1: i32) -> Self {
        if y0 < y1 {
            Self { x0, y0, x1, low: y1 * 2 }
        } else {
            Self { x0: x1, y0: y1, x1: x0, low: y0 * 2 + 1 }
        }
    }
    #[inline(always)]
    pub(crate) fn y1(&self) -> i32 {
        self.low >> 1
    }
    /// It goes upwards: its area counts against.
    #[inline(always)]
    pub(crate) fn is_up(&self) -> bool {
        self.low & 1 == 1
    }
    /// Some of it lies between two rows.
    #[inline(always)]
    pub(crate) fn meets(&self, top: i32, bottom: i32) -> bool {
        self.y0 < bottom && self.low > top * 2 + 1
    }
}

/// Floor without a call into a maths library.
#[inline]
pub(crate) fn floor64(v: f64) -> i64 {
    let t = v as i64;
    t - (t as f64 > v) as i64
}

/// 1.5 * 2^52: a number below 2^51 that is added to it stands in the low bits of the sum, rounded
/// to the nearest, halves to even. One addition, on every processor.
pub(crate) const SHIFT: f64 = 6_755_399_441_055_744.0;

/// Rounds what is below 2^31 to an integer.
#[inline(always)]
fn round(v: f64) -> i32 {
    (v + SHIFT).to_bits() as i32
}

/// Rounds to 24.8; saturating, NaN is 0.
#[inline]
pub(crate) fn fix(v: f64) -> i32 {
    const MOST: f64 = (i32::MAX / 2) as f64;
    let v = v * 256.0;
    if v.is_nan() { 0 } else { round(v.clamp(-MOST, MOST)) }
}

/// Up to whole pixels.
#[inline(always)]
pub(crate) fn ceil(v: i32) -> i32 {
    (v + ONE - 1) >> 8
}

/// How much of row `y` lies between `top` and `bottom`.
#[inline(always)]
pub(crate) fn height_in_row(top: i32, bottom: i32, y: i32) -> i32 {
    (bottom.min((y + 1) * ONE) - top.max(y * ONE)).max(0)
}

/// A point in double precision.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct P {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl P {
    pub(crate) const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }
    pub(crate) fn of(p: Point) -> Self {
        Self { x: p.x as f64, y: p.y as f64 }
    }
    pub(crate) fn length(self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }
    pub(crate) fn lerp(self, o: P, t: f64) -> P {
        P::new(self.x + (o.x - self.x) * t, self.y + (o.y - self.y) * t)
    }
}

impl core::ops::Add for P {
    type Output = P;
    fn add(self, o: P) -> P {
        P::new(self.x + o.x, self.y + o.y)
    }
}
impl core::ops::Sub for P {
    type Output = P;
    fn sub(self, o: P) -> P {
        P::new(self.x - o.x, self.y - o.y)
    }
}
impl core::ops::Mul<f64> for P {
    type Output = P;
    fn mul(self, k: f64) -> P {
        P::new(self.x * k, self.y * k)
    }
}

/// An affine map in double precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Map {
    pub(crate) a: f64,
    pub(crate) b: f64,
    pub(crate) c: f64,
    pub(crate) d: f64,
    pub(crate) e: f64,
    pub(crate) f: f64,
}

impl Map {
    pub(crate) fn of(m: Matrix) -> Self {
        let [a, b, c, d, e, f] = m.to_array().map(|v| v as f64);
        Self { a, b, c, d, e, f }
    }
    #[inline]
    pub(crate) fn apply(&self, p: P) -> P {
        P::new(self.a * p.x + self.c * p.y + self.e, self.b * p.x + self.d * p.y + self.f)
    }
    /// `None` when the plane is flattened.
    pub(crate) fn invert(&self) -> Option<Self> {
        let det = self.a * self.d - self.b * self.c;
        let k = 1.0 / det;
        if !k.is_finite() || k == 0.0 {
            return None;
        }
        let m = Self {
            a: self.d * k,
            b: -self.b * k,
            c: -self.c * k,
            d: self.a * k,
            e: (self.c * self.f - self.d * self.e) * k,
            f: (self.b * self.e - self.a * self.f) * k,
        };
        [m.a, m.b, m.c, m.d, m.e, m.f].iter().all(|v| v.is_finite()).then_some(m)
    }
    /// The larger singular value.
    pub(crate) fn max_scale(&self) -> f64 {
        let (p, q) = (self.a * self.a + self.b * self.b, self.c * self.c + self.d * self.d);
        let dot = self.a * self.c + self.b * self.d;
        let h = ((p - q) * (p - q) + 4.0 * dot * dot).sqrt();
        ((p + q + h) * 0.5).sqrt()
    }
}

/// Takes closed contours, point by point, and keeps the edges that can matter on a surface,
/// rounded.
pub(crate) struct Edges<'a> {
    out: &'a mut Vec<Seg>,
    /// Rows that count, in 24.8, and where columns end.
    top: i32,
    bottom: i32,
    right: i32,
    /// The pixels that count, a pixel wider on each side.
    near: [f64; 4],
    /// The point before.
    at: P,
    /// What it is rounded to, when it lies within [`REACH`].
    fixed: Option<[i32; 2]>,
}

/// A point within reach, rounded.
#[inline(always)]
fn within(p: P) -> Option<[i32; 2]> {
    let inside = p.x.abs() <= REACH && p.y.abs() <= REACH;
    inside.then(|| [round(p.x * 256.0), round(p.y * 256.0)])
}

impl<'a> Edges<'a> {
    /// Edges for these pixels.
    pub(crate) fn new(out: &'a mut Vec<Seg>, at: IRect) -> Self {
        let near = [at.x0 - 1, at.y0 - 1, at.x1 + 1, at.y1 + 1].map(f64::from);
        let [top, bottom, right] = [at.y0, at.y1, at.x1].map(|v| v.saturating_mul(ONE));
        Self { out, top, bottom, right, near, at: P::default(), fixed: Some([0; 2]) }
    }

    /// A curve within the hull of these points is as good as the line between its ends: above,
    /// below and right of the pixels nothing counts; left of them only the ends' rows do.
    #[inline]
    pub(crate) fn is_beside(&self, hull: &[P]) -> bool {
        let [l, t, r, b] = self.near;
        hull.iter().all(|p| p.y < t)
            || hull.iter().all(|p| p.y > b)
            || hull.iter().all(|p| p.x < l)
            || hull.iter().all(|p| p.x > r)
    }

    /// Starts a contour. It must end where it started.
    #[inline]
    pub(crate) fn start(&mut self, p: P) {
        (self.at, self.fixed) = (p, within(p));
    }

    /// An edge from the point before to this one.
    #[inline]
    pub(crate) fn to(&mut self, p: P) {
        let fixed = within(p);
        match (self.fixed, fixed) {
            (Some(a), Some(b)) => self.push(a[0], a[1], b[0], b[1]),
            _ => self.cut(clean(self.at), clean(p)),
        }
        (self.at, self.fixed) = (p, fixed);
    }

    #[inline(always)]
    fn push(&mut self, x0: i32, y0: i32, x1: i32, y1: i32) {
        let s = Seg::new(x0, y0, x1, y1);
        if y0 != y1 && s.meets(self.top, self.bottom) && (x0 < self.right || x1 < self.right) {
            self.out.push(s);
        }
    }

    #[cold]
    fn cut(&mut self, a: P, b: P) {
        let (lo, hi) = (a.y.min(b.y), a.y.max(b.y));
        if hi <= -REACH || lo >= REACH || lo == hi {
            return;
        }
        let at_y = |y: f64| a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y));
        let bring = |p: P| {
            let y = p.y.clamp(-REACH, REACH);
            if y == p.y { p } else { P::new(at_y(y), y) }
        };
        let (a, b) = (bring(a), bring(b));
        let at_x = |x: f64| a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x));
        // Where the edge crosses the box's sides, in its own order.
        let mut stops = [a, b, b, b];
        let mut n = 1;
        let (first, second) = if a.x <= b.x { (-REACH, REACH) } else { (REACH, -REACH) };
        for x in [first, second] {
            if (a.x < x) != (b.x < x) {
                stops[n] = P::new(x, at_x(x));
                n += 1;
            }
        }
        stops[n] = b;
        for w in stops[..=n].windows(2) {
            let x = |p: P| fix(p.x.clamp(-REACH, REACH));
            self.push(x(w[0]), fix(w[0].y), x(w[1]), fix(w[1].y));
        }
    }
}

/// Far but finite.
fn clean(p: P) -> P {
    let c = |v: f64| if v.is_nan() { 0.0 } else { v.clamp(-1e15, 1e15) };
    P::new(c(p.x), c(p.y))
}

/// A linear function of pixel centres, 32.32: exact sums, so any start gives the same values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plane {
    pub(crate) dx: i64,
    pub(crate) dy: i64,
    c: i64,
}

impl Plane {
    /// `a x + b y + c` in pixel coordinates. Slopes are cut to ±2^14 a pixel, the value at the
    /// origin to ±2^29, so that no value on a surface overflows.
    pub(crate) fn new(a: f64, b: f64, c: f64) -> Self {
        const SLOPE: f64 = 16_384.0;
        const ORIGIN: f64 = 536_870_912.0;
        let (a, b) = (a.clamp(-SLOPE, SLOPE), b.clamp(-SLOPE, SLOPE));
        let c = (c + (a + b) * 0.5).clamp(-ORIGIN, ORIGIN);
        let fix = |v: f64| floor64(v * 4_294_967_296.0 + 0.5);
        Self { dx: fix(a), dy: fix(b), c: fix(c) }
    }
    /// The value at a pixel's centre.
    #[inline]
    pub(crate) fn at(&self, x: i32, y: i32) -> i64 {
        let (x, y) = (x as i64, y as i64);
        self.c.wrapping_add(self.dx.wrapping_mul(x)).wrapping_add(self.dy.wrapping_mul(y))
    }
}
