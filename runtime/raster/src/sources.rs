//! Samplers for images and film pictures: which pixels, how far averaged, under which planes.

use crate::fixed::{Map, Plane};
use crate::image::{Pixels, Sampler, Taps};
use crate::mips::{Mips, level};
use std::sync::Arc;
use zinc_scene::{Filter, IRect, Image, Matrix, Rect};

/// A film's frame fills its box.
pub(crate) fn picture(image: &Arc<Image>, dst: Rect, m: Matrix, mips: &Mips) -> Option<Sampler> {
    let src = Rect::new(0.0, 0.0, image.width() as f32, image.height() as f32);
    sampler(image, src, dst, m, Filter::Smooth, None, mips)
}

/// Halvings of an axis along which `step` source pixels make one target pixel.
fn halvings(mut step: f64, side: i32) -> u32 {
    let mut n = 0;
    while step > 2.0 && (1i64 << n) < side as i64 {
        step *= 0.5;
        n += 1;
    }
    n
}

/// `None`: nothing is covered, or the source rectangle lies beside the image.
pub(crate) fn sampler(
    image: &Arc<Image>,
    src: Rect,
    dst: Rect,
    m: Matrix,
    filter: Filter,
    tint: Option<u32>,
    mips: &Mips,
) -> Option<Sampler> {
    let inv = Map::of(m).invert()?;
    let crop = src.round_out().intersect(IRect::of_size(image.width(), image.height()));
    if crop.is_empty() || dst.is_empty() {
        return None;
    }
    // Source = offset + local * ratio; then the inverse matrix puts in the pixel.
    let (rx, ry) = (src.w as f64 / dst.w as f64, src.h as f64 / dst.h as f64);
    let mut u = [inv.a * rx, inv.c * rx, (inv.e - dst.x as f64) * rx + src.x as f64];
    let mut v = [inv.b * ry, inv.d * ry, (inv.f - dst.y as f64) * ry + src.y as f64];
    let step = |p: &[f64; 3]| (p[0] * p[0] + p[1] * p[1]).sqrt();
    let (lx, ly) = match filter {
        Filter::Nearest => (0, 0),
        Filter::Smooth => (halvings(step(&u), crop.width()), halvings(step(&v), crop.height())),
    };
    let mut x = (crop.x0, crop.x1 - 1);
    let mut y = (crop.y0, crop.y1 - 1);
    let pixels = if lx == 0 && ly == 0 {
        Pixels::Image(image.clone())
    } else {
        let mip = level(mips, image, crop, lx, ly);
        x = (0, mip.width as i32 - 1);
        y = (0, mip.height as i32 - 1);
        u[2] -= crop.x0 as f64;
        v[2] -= crop.y0 as f64;
        let shrink = |p: [f64; 3], l: u32| p.map(|v| v / (1u64 << l) as f64);
        (u, v) = (shrink(u, lx), shrink(v, ly));
        Pixels::Mip(mip)
    };
    // Weights are rounded to 1/256: a place within 1/512 of a pixel is that pixel.
    let half = if filter == Filter::Smooth { 0.5 - 1.0 / 512.0 } else { 0.0 };
    let plane = |p: [f64; 3]| Plane::new(p[0], p[1], p[2] - half);
    let (u, v) = (plane(u), plane(v));
    let one = 1i64 << 32;
    let upright = u.dx == one && u.dy == 0 && v.dx == 0 && v.dy == one;
    let exact = |p: &Plane| (p.at(0, 0) >> 24) & 255 == 0;
    let taps = match filter {
        Filter::Nearest if upright => Taps::Copy,
        Filter::Nearest => Taps::Nearest,
        Filter::Smooth if upright && exact(&u) && exact(&v) => Taps::Copy,
        Filter::Smooth => Taps::Bilinear,
    };
    Some(Sampler { pixels, u, v, x, y, taps, opaque: image.is_opaque(), tint })
}
