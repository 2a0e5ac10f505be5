//! Plain geometry in pixels, y down. `f32` before the rasterizer's 24.8 rounding, `i32` after.

use serde::{Deserialize, Serialize};

/// A point or a vector, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Right.
    pub x: f32,
    /// Down.
    pub y: f32,
}

impl Point {
    /// The point `(x, y)`.
    #[inline]
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }
    /// Both coordinates are finite.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
    /// Length of the vector.
    #[inline]
    pub fn length(self) -> f32 {
        (self.x * self.x + self.y * self.y).sqrt()
    }
}

impl core::ops::Add for Point {
    type Output = Point;
    #[inline]
    fn add(self, o: Point) -> Point {
        Point::new(self.x + o.x, self.y + o.y)
    }
}

impl core::ops::Sub for Point {
    type Output = Point;
    #[inline]
    fn sub(self, o: Point) -> Point {
        Point::new(self.x - o.x, self.y - o.y)
    }
}

impl core::ops::Mul<f32> for Point {
    type Output = Point;
    #[inline]
    fn mul(self, k: f32) -> Point {
        Point::new(self.x * k, self.y * k)
    }
}

/// A width and a height, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Size {
    /// Width.
    pub w: f32,
    /// Height.
    pub h: f32,
}

impl Size {
    /// `w` by `h`.
    #[inline]
    pub const fn new(w: f32, h: f32) -> Self {
        Self { w, h }
    }
}

/// A box: left, top, width, height. Empty unless both sizes are positive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    /// Left edge.
    pub x: f32,
    /// Top edge.
    pub y: f32,
    /// Width.
    pub w: f32,
    /// Height.
    pub h: f32,
}

impl Rect {
    /// The box at `(x, y)`, `w` by `h`.
    #[inline]
    pub const fn new(x: f32, y: f32, w: f32, h: f32) -> Self {
        Self { x, y, w, h }
    }
    /// From two corners.
    #[inline]
    pub const fn from_ltrb(l: f32, t: f32, r: f32, b: f32) -> Self {
        Self { x: l, y: t, w: r - l, h: b - t }
    }
    /// Right edge.
    #[inline]
    pub fn right(self) -> f32 {
        self.x + self.w
    }
    /// Bottom edge.
    #[inline]
    pub fn bottom(self) -> f32 {
        self.y + self.h
    }
    /// Its size.
    #[inline]
    pub fn size(self) -> Size {
        Size::new(self.w, self.h)
    }
    /// Its top left corner.
    #[inline]
    pub fn origin(self) -> Point {
        Point::new(self.x, self.y)
    }
    /// Its middle.
    #[inline]
    pub fn center(self) -> Point {
        Point::new(self.x + self.w * 0.5, self.y + self.h * 0.5)
    }
    /// Holds no area (also when a size is NaN).
    #[inline]
    pub fn is_empty(self) -> bool {
        !(self.w > 0.0 && self.h > 0.0)
    }
    /// All four numbers are finite.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.w.is_finite() && self.h.is_finite()
    }
    /// Moved by `d`.
    #[inline]
    pub fn translate(self, d: Point) -> Self {
        Self { x: self.x + d.x, y: self.y + d.y, ..self }
    }
    /// Grown by `d` on each side (shrunk when negative, never below zero size).
    #[inline]
    pub fn inflate(self, d: f32) -> Self {
        Self {
            x: self.x - d,
            y: self.y - d,
            w: (self.w + 2.0 * d).max(0.0),
            h: (self.h + 2.0 * d).max(0.0),
        }
    }
    /// The point lies inside (left and top edges included).
    #[inline]
    pub fn contains(self, p: Point) -> bool {
        p.x >= self.x && p.y >= self.y && p.x < self.right() && p.y < self.bottom()
    }
    /// The common part; empty when there is none.
    #[inline]
    pub fn intersect(self, o: Self) -> Self {
        let l = self.x.max(o.x);
        let t = self.y.max(o.y);
        let r = self.right().min(o.right());
        let b = self.bottom().min(o.bottom());
        Self { x: l, y: t, w: (r - l).max(0.0), h: (b - t).max(0.0) }
    }
    /// The smallest box that holds both; an empty one does not count.
    #[inline]
    pub fn union(self, o: Self) -> Self {
        if self.is_empty() {
            return o;
        }
        if o.is_empty() {
            return self;
        }
        Self::from_ltrb(
            self.x.min(o.x),
            self.y.min(o.y),
            self.right().max(o.right()),
            self.bottom().max(o.bottom()),
        )
    }
    /// The smallest pixel box that holds it; saturating.
    #[inline]
    pub fn round_out(self) -> IRect {
        if self.is_empty() {
            return IRect::EMPTY;
        }
        // Far out but small enough that no sum of two overflows.
        let cut = |v: f32| (v as i32).clamp(i32::MIN / 2, i32::MAX / 2);
        IRect {
            x0: cut(self.x.floor()),
            y0: cut(self.y.floor()),
            x1: cut(self.right().ceil()),
            y1: cut(self.bottom().ceil()),
        }
    }
}

/// A box of whole pixels, half open: `x0 <= x < x1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct IRect {
    /// First column.
    pub x0: i32,
    /// First row.
    pub y0: i32,
    /// One past the last column.
    pub x1: i32,
    /// One past the last row.
    pub y1: i32,
}

impl IRect {
    /// The box without a pixel.
    pub const EMPTY: Self = Self { x0: 0, y0: 0, x1: 0, y1: 0 };

    /// From edges.
    #[inline]
    pub const fn new(x0: i32, y0: i32, x1: i32, y1: i32) -> Self {
        Self { x0, y0, x1, y1 }
    }
    /// From the origin, `w` by `h`.
    #[inline]
    pub const fn of_size(w: u32, h: u32) -> Self {
        Self { x0: 0, y0: 0, x1: w as i32, y1: h as i32 }
    }
    /// Holds no pixel.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }
    /// Columns, 0 when empty.
    #[inline]
    pub const fn width(self) -> i32 {
        if self.is_empty() { 0 } else { self.x1 - self.x0 }
    }
    /// Rows, 0 when empty.
    #[inline]
    pub const fn height(self) -> i32 {
        if self.is_empty() { 0 } else { self.y1 - self.y0 }
    }
    /// Pixels.
    #[inline]
    pub const fn area(self) -> i64 {
        self.width() as i64 * self.height() as i64
    }
    /// The common part; `EMPTY` when there is none.
    #[inline]
    pub fn intersect(self, o: Self) -> Self {
        let r = Self {
            x0: self.x0.max(o.x0),
            y0: self.y0.max(o.y0),
            x1: self.x1.min(o.x1),
            y1: self.y1.min(o.y1),
        };
        if r.is_empty() { Self::EMPTY } else { r }
    }
    /// The smallest box that holds both; an empty one does not count.
    #[inline]
    pub fn union(self, o: Self) -> Self {
        if self.is_empty() {
            return o;
        }
        if o.is_empty() {
            return self;
        }
        Self {
            x0: self.x0.min(o.x0),
            y0: self.y0.min(o.y0),
            x1: self.x1.max(o.x1),
            y1: self.y1.max(o.y1),
        }
    }
    /// They share a pixel.
    #[inline]
    pub fn overlaps(self, o: Self) -> bool {
        !self.intersect(o).is_empty()
    }
    /// `o` lies inside.
    #[inline]
    pub fn contains_rect(self, o: Self) -> bool {
        o.is_empty() || (self.x0 <= o.x0 && self.y0 <= o.y0 && self.x1 >= o.x1 && self.y1 >= o.y1)
    }
    /// The pixel lies inside.
    #[inline]
    pub const fn contains(self, x: i32, y: i32) -> bool {
        x >= self.x0 && x < self.x1 && y >= self.y0 && y < self.y1
    }
}

/// Corner radii: top left, top right, bottom right, bottom left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Radii(pub [f32; 4]);

impl Radii {
    /// Square corners.
    pub const ZERO: Self = Self([0.0; 4]);
    /// The same radius at each corner.
    #[inline]
    pub const fn all(r: f32) -> Self {
        Self([r; 4])
    }
    /// Each corner is square.
    #[inline]
    pub fn is_zero(self) -> bool {
        self.0 == [0.0; 4]
    }
    /// Made to fit a box: negative radii become 0, and where two radii of one side exceed it all
    /// four shrink by the same factor (CSS Backgrounds 3, section 5.5).
    #[inline]
    pub fn fit(self, size: Size) -> Self {
        let mut r = self.0.map(|v| if v > 0.0 { v } else { 0.0 });
        let mut k = 1.0f32;
        for (a, b, side) in
            [(r[0], r[1], size.w), (r[1], r[2], size.h), (r[2], r[3], size.w), (r[3], r[0], size.h)]
        {
            if a + b > side && a + b > 0.0 {
                k = k.min(side.max(0.0) / (a + b));
            }
        }
        if k < 1.0 {
            r = r.map(|v| v * k);
        }
        Self(r)
    }
    /// Each radius changed by `d`, never below zero; square corners stay square.
    #[inline]
    pub fn grow(self, d: f32) -> Self {
        Self(self.0.map(|v| if v > 0.0 { (v + d).max(0.0) } else { 0.0 }))
    }
}

impl From<f32> for Radii {
    fn from(r: f32) -> Self {
        Self::all(r)
    }
}

/// An affine map: `x' = a x + c y + e`, `y' = b x + d y + f`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Matrix {
    /// x to x'.
    pub a: f32,
    /// x to y'.
    pub b: f32,
    /// y to x'.
    pub c: f32,
    /// y to y'.
    pub d: f32,
    /// Added to x'.
    pub e: f32,
    /// Added to y'.
    pub f: f32,
}

impl Default for Matrix {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Matrix {
    /// Changes nothing.
    pub const IDENTITY: Self = Self { a: 1.0, b: 0.0, c: 0.0, d: 1.0, e: 0.0, f: 0.0 };

    /// Moves by `(x, y)`.
    #[inline]
    pub const fn translate(x: f32, y: f32) -> Self {
        Self { a: 1.0, b: 0.0, c: 0.0, d: 1.0, e: x, f: y }
    }
    /// Scales about the origin.
    #[inline]
    pub const fn scale(x: f32, y: f32) -> Self {
        Self { a: x, b: 0.0, c: 0.0, d: y, e: 0.0, f: 0.0 }
    }
    /// Turns about the origin, clockwise on the screen, by `angle` radians.
    #[inline]
    pub fn rotate(angle: f32) -> Self {
        let (s, c) = (crate::math::sin(angle), crate::math::cos(angle));
        Self { a: c, b: s, c: -s, d: c, e: 0.0, f: 0.0 }
    }
    /// First `inner`, then `self`.
    #[inline]
    pub fn then_inner(self, inner: Self) -> Self {
        Self {
            a: self.a * inner.a + self.c * inner.b,
            b: self.b * inner.a + self.d * inner.b,
            c: self.a * inner.c + self.c * inner.d,
            d: self.b * inner.c + self.d * inner.d,
            e: self.a * inner.e + self.c * inner.f + self.e,
            f: self.b * inner.e + self.d * inner.f + self.f,
        }
    }
    /// The image of a point.
    #[inline]
    pub fn apply(self, p: Point) -> Point {
        Point::new(self.a * p.x + self.c * p.y + self.e, self.b * p.x + self.d * p.y + self.f)
    }
    /// The smallest box around the image of a box.
    #[inline]
    pub fn apply_rect(self, r: Rect) -> Rect {
        if self.is_axis_aligned() {
            let p = self.apply(r.origin());
            let q = self.apply(Point::new(r.right(), r.bottom()));
            return Rect::from_ltrb(p.x.min(q.x), p.y.min(q.y), p.x.max(q.x), p.y.max(q.y));
        }
        let ps = [
            self.apply(r.origin()),
            self.apply(Point::new(r.right(), r.y)),
            self.apply(Point::new(r.right(), r.bottom())),
            self.apply(Point::new(r.x, r.bottom())),
        ];
        let (mut l, mut t, mut rr, mut b) = (ps[0].x, ps[0].y, ps[0].x, ps[0].y);
        for p in &ps[1..] {
            l = l.min(p.x);
            t = t.min(p.y);
            rr = rr.max(p.x);
            b = b.max(p.y);
        }
        Rect::from_ltrb(l, t, rr, b)
    }
    /// Only scales and moves.
    #[inline]
    pub fn is_axis_aligned(self) -> bool {
        self.b == 0.0 && self.c == 0.0
    }
    /// Only moves.
    #[inline]
    pub fn is_translation(self) -> bool {
        self.is_axis_aligned() && self.a == 1.0 && self.d == 1.0
    }
    /// The common scale of a matrix that scales both axes alike, positively, and moves.
    #[inline]
    pub fn uniform_scale(self) -> Option<f32> {
        (self.is_axis_aligned() && self.a == self.d && self.a > 0.0).then_some(self.a)
    }
    /// The greatest factor by which it stretches a length (its larger singular value).
    #[inline]
    pub fn max_scale(self) -> f32 {
        let (p, q) = (self.a * self.a + self.b * self.b, self.c * self.c + self.d * self.d);
        let dot = self.a * self.c + self.b * self.d;
        let h = ((p - q) * (p - q) + 4.0 * dot * dot).sqrt();
        ((p + q + h) * 0.5).sqrt()
    }
    /// Area factor, negative when it mirrors.
    #[inline]
    pub fn determinant(self) -> f32 {
        self.a * self.d - self.b * self.c
    }
    /// The inverse; `None` when it flattens the plane.
    #[inline]
    pub fn invert(self) -> Option<Self> {
        let det = self.determinant();
        if !det.is_finite() || det == 0.0 {
            return None;
        }
        let k = 1.0 / det;
        let m = Self {
            a: self.d * k,
            b: -self.b * k,
            c: -self.c * k,
            d: self.a * k,
            e: (self.c * self.f - self.d * self.e) * k,
            f: (self.b * self.e - self.a * self.f) * k,
        };
        m.is_finite().then_some(m)
    }
    /// All six numbers are finite.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.to_array().iter().all(|v| v.is_finite())
    }
    /// `[a, b, c, d, e, f]`.
    #[inline]
    pub const fn to_array(self) -> [f32; 6] {
        [self.a, self.b, self.c, self.d, self.e, self.f]
    }
}
