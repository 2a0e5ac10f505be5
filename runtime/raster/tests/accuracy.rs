//! Coverage against exact areas in double precision (polygons cut to each pixel, Sutherland and
//! Hodgman, shoelace), and against tiny-skia, which must never be closer.

#![allow(clippy::disallowed_methods, reason = "a reference does not share the maths it judges")]

mod common;

use common::{frame, list, skia_path};
use std::f64::consts::TAU;
use zinc_scene::{
    Cap, Color, FillRule, Join, LayerPlan, Path, Point, Radii, Recorder, Rect, StrokeStyle,
};

const W: usize = 100;
const H: usize = 100;
type Poly = Vec<(f64, f64)>;

/// Keeps the part of a polygon where `inside` is positive.
fn cut(p: &Poly, inside: impl Fn((f64, f64)) -> f64) -> Poly {
    let mut out = Vec::new();
    for i in 0..p.len() {
        let (a, b) = (p[i], p[(i + 1) % p.len()]);
        let (da, db) = (inside(a), inside(b));
        if da >= 0.0 {
            out.push(a);
        }
        if (da >= 0.0) != (db >= 0.0) {
            let t = da / (da - db);
            out.push((a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t));
        }
    }
    out
}

fn area(p: &Poly) -> f64 {
    (0..p.len())
        .map(|i| {
            let (a, b) = (p[i], p[(i + 1) % p.len()]);
            (a.0 * b.1 - b.0 * a.1) * 0.5
        })
        .sum()
}

/// Exact coverage, 0..=255, of polygons whose signed areas add up.
fn exact(polys: &[Poly]) -> Vec<f64> {
    let mut out = vec![0.0; W * H];
    for p in polys {
        for y in 0..H {
            let row = cut(&cut(p, |q| q.1 - y as f64), |q| y as f64 + 1.0 - q.1);
            if row.is_empty() {
                continue;
            }
            for x in 0..W {
                let cell = cut(&cut(&row, |q| q.0 - x as f64), |q| x as f64 + 1.0 - q.0);
                out[y * W + x] += area(&cell) * 255.0;
            }
        }
    }
    out.iter().map(|v| v.abs()).collect()
}

fn alphas(f: impl FnOnce(&mut Recorder)) -> Vec<f64> {
    let l = list(W as u32, H as u32, f);
    frame(&l, &LayerPlan::new()).iter().map(|w| (w >> 24) as f64).collect()
}

fn skia(p: &Path, stroke: Option<StrokeStyle<'_>>) -> Vec<f64> {
    let mut map = tiny_skia::Pixmap::new(W as u32, H as u32).expect("a pixmap");
    let mut paint = tiny_skia::Paint { anti_alias: true, ..Default::default() };
    paint.set_color_rgba8(0, 0, 0, 255);
    let path = skia_path(p);
    let same = tiny_skia::Transform::identity();
    match stroke {
        None => map.fill_path(&path, &paint, tiny_skia::FillRule::Winding, same, None),
        Some(s) => {
            let line_cap = match s.cap {
                Cap::Butt => tiny_skia::LineCap::Butt,
                Cap::Round => tiny_skia::LineCap::Round,
                Cap::Square => tiny_skia::LineCap::Square,
            };
            let line_join = match s.join {
                Join::Miter => tiny_skia::LineJoin::Miter,
                Join::Round => tiny_skia::LineJoin::Round,
                Join::Bevel => tiny_skia::LineJoin::Bevel,
            };
            let (width, miter_limit) = (s.width, s.miter_limit);
            let stroke = tiny_skia::Stroke { width, miter_limit, line_cap, line_join, dash: None };
            map.stroke_path(&path, &paint, &stroke, same, None);
        }
    }
    map.pixels().iter().map(|p| p.alpha() as f64).collect()
}

/// Mean over the ink, and greatest difference.
fn differ(a: &[f64], b: &[f64]) -> (f64, f64) {
    let ink = b.iter().filter(|v| **v > 0.0).count().max(1) as f64;
    let d = || a.iter().zip(b).map(|(a, b)| (a - b).abs());
    (d().sum::<f64>() / ink, d().fold(0.0, f64::max))
}

fn check(name: &str, ours: &[f64], theirs: &[f64], want: &[f64], greatest: f64) {
    let (mean, max) = differ(ours, want);
    let (peer, _) = differ(theirs, want);
    println!("{name:16} mean {mean:.3} max {max:5.2}   tiny-skia mean {peer:.3}");
    assert!(mean <= 0.5, "{name}: mean {mean}");
    assert!(max <= greatest, "{name}: greatest {max}");
    assert!(mean <= peer + 1e-9, "{name}: {mean}, tiny-skia {peer}");
}

const STRAIGHT: f64 = 4.0;
const CURVED: f64 = 16.0;

fn filled(name: &str, p: &Path, want: &[f64], greatest: f64) {
    let ours = alphas(|r| {
        r.path(|q| *q = p.clone()).fill(Color::BLACK);
    });
    check(name, &ours, &skia(p, None), want, greatest);
}

fn polygon(points: &Poly) -> Path {
    let mut p = Path::new();
    for (x, y) in points {
        p.line_to(*x as f32, *y as f32);
    }
    p.close();
    p
}

/// What single precision makes of the points.
fn single(p: Poly) -> Poly {
    p.iter().map(|(x, y)| (*x as f32 as f64, *y as f32 as f64)).collect()
}

fn turned(points: &[(f64, f64)], angle: f64) -> Poly {
    let (s, c) = angle.sin_cos();
    single(points.iter().map(|(x, y)| (50.0 + c * x - s * y, 50.0 + s * x + c * y)).collect())
}

fn circle(cx: f64, cy: f64, r: f64) -> Poly {
    let at = |i| i as f64 / 2000.0 * TAU;
    (0..2000).map(|i| (cx + r * at(i).cos(), cy + r * at(i).sin())).collect()
}

fn rounded(l: f64, t: f64, r: f64, b: f64, radius: f64) -> Poly {
    let arc = |cx: f64, cy: f64, from: f64| {
        (0..=500).map(move |i| {
            let a = from + i as f64 / 500.0 * TAU / 4.0;
            (cx + radius * a.cos(), cy + radius * a.sin())
        })
    };
    arc(r - radius, b - radius, 0.0)
        .chain(arc(l + radius, b - radius, TAU / 4.0))
        .chain(arc(l + radius, t + radius, TAU / 2.0))
        .chain(arc(r - radius, t + radius, TAU * 0.75))
        .collect()
}

/// The circle of four cubics that a path really holds (up to 0.03 % off a circle), moved out along
/// its normals.
fn four_cubics(cx: f64, cy: f64, r: f64, out: f64) -> Poly {
    let k = zinc_scene::KAPPA as f64;
    let mut all = Vec::new();
    for quarter in 0..4 {
        let (s, c) = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][quarter];
        for i in 0..500 {
            let t = i as f64 / 500.0;
            let u = 1.0 - t;
            // The quarter from (1, 0) to (0, 1).
            let at = |a: f64, b: f64, c: f64, d: f64| {
                u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
            };
            let slope = |a: f64, b: f64, c: f64, d: f64| {
                u * u * (b - a) + 2.0 * u * t * (c - b) + t * t * (d - c)
            };
            let (x, y) = (at(1.0, 1.0, k, 0.0), at(0.0, k, 1.0, 1.0));
            let (dx, dy) = (slope(1.0, 1.0, k, 0.0), slope(0.0, k, 1.0, 1.0));
            let n = out / (dx * dx + dy * dy).sqrt();
            let (x, y) = (x * r + dy * n, y * r - dx * n);
            all.push((cx + c * x - s * y, cy + s * x + c * y));
        }
    }
    all
}

#[test]
fn straight_shapes() {
    for (i, (x, y, w, h)) in [
        (10.0, 10.0, 50.0, 30.0),
        (10.3, 20.7, 40.45, 0.4),
        (5.9, 3.1, 0.2, 80.0),
        (33.33, 1.5, 7.77, 9.09),
    ]
    .into_iter()
    .enumerate()
    {
        let p = single(vec![(x, y), (x + w, y), (x + w, y + h), (x, y + h)]);
        let name = format!("rect {i}");
        filled(&name, &polygon(&p), &exact(std::slice::from_ref(&p)), STRAIGHT);
        let ours = alphas(|r| {
            r.rect(x as f32, y as f32, w as f32, h as f32).fill(Color::BLACK);
        });
        let path = alphas(|r| {
            r.path(|q| *q = polygon(&p)).fill(Color::BLACK);
        });
        assert_eq!(ours, path, "{name}: the box and its path");
    }
    for i in 0..7 {
        let angle = 0.1 + i as f64 * 0.37;
        let p = turned(&[(-30.0, -20.0), (30.0, -20.0), (30.0, 20.0), (-30.0, 20.0)], angle);
        filled(&format!("turned {i}"), &polygon(&p), &exact(&[p]), STRAIGHT);
        let p = turned(&[(-40.0, 25.3), (0.0, -44.0), (37.7, 30.1)], angle);
        filled(&format!("triangle {i}"), &polygon(&p), &exact(&[p]), STRAIGHT);
        let star: Poly = (0..10)
            .map(|k| {
                let (a, r) = (k as f64 * TAU / 10.0, if k % 2 == 0 { 45.0 } else { 18.0 });
                (r * a.cos(), r * a.sin())
            })
            .collect();
        let p = turned(&star, angle);
        filled(&format!("star {i}"), &polygon(&p), &exact(&[p]), STRAIGHT);
    }
}

#[test]
fn round_shapes() {
    for (i, (x, y, radius)) in [
        (50.0, 50.0, 40.0),
        (30.3, 40.7, 22.2),
        (50.5, 50.5, 6.0),
        (20.25, 70.1, 3.0),
        (9.6, 9.1, 1.2),
    ]
    .into_iter()
    .enumerate()
    {
        let mut p = Path::new();
        p.circle(Point::new(x as f32, y as f32), radius as f32);
        filled(&format!("circle {i}"), &p, &exact(&[circle(x, y, radius)]), CURVED);
    }
    for (i, (x, y, radius)) in
        [(10.0, 10.0, 14.0), (10.5, 20.25, 6.0), (20.3, 9.9, 25.0)].into_iter().enumerate()
    {
        let (w, h) = (60.0f32, 55.0f32);
        let (r, b) = ((x as f32 + w) as f64, (y as f32 + h) as f64);
        let want = exact(&[rounded(x as f32 as f64, y as f32 as f64, r, b, radius)]);
        let rect = Rect::new(x as f32, y as f32, w, h);
        let mut p = Path::new();
        p.rounded_rect(rect, Radii::all(radius as f32), false);
        filled(&format!("rounded {i}"), &p, &want, CURVED);
        let ours = alphas(|r| {
            r.rect(rect.x, rect.y, w, h).radius(radius as f32).fill(Color::BLACK);
        });
        let same = alphas(|r| {
            r.path(|q| *q = p.clone()).fill(Color::BLACK);
        });
        // Its sides are rounded to 1/256, and so are the path's chords.
        let (_, most) = differ(&ours, &same);
        assert!(most <= 1.0, "rounded {i}: the box and its path differ by {most}");
    }
}

fn stroked(name: &str, p: &Path, style: StrokeStyle<'_>, want: &[f64], greatest: f64) {
    let ours = alphas(|r| {
        r.path(|q| *q = p.clone()).stroke(style, Color::BLACK);
    });
    check(name, &ours, &skia(p, Some(style)), want, greatest);
}

#[test]
fn strokes() {
    let style = |width, join, cap| StrokeStyle { join, cap, ..StrokeStyle::new(width) };
    for (i, width) in [1.0f32, 2.5, 10.0, 24.0].into_iter().enumerate() {
        let (hw, len) = (width as f64 / 2.0, 60.0);
        let mut line = Path::new();
        line.move_to(20.0, 30.0).line_to(68.0, 66.0);
        // Direction (0.8, 0.6).
        let map = |u: f64, v: f64| (20.0 + 0.8 * u - 0.6 * v, 30.0 + 0.6 * u + 0.8 * v);
        let quad = |a: f64, b: f64| vec![map(a, -hw), map(b, -hw), map(b, hw), map(a, hw)];
        let butt = exact(&[quad(0.0, len)]);
        stroked(&format!("butt {i}"), &line, style(width, Join::Miter, Cap::Butt), &butt, STRAIGHT);
        let square = exact(&[quad(-hw, len + hw)]);
        stroked(
            &format!("square {i}"),
            &line,
            style(width, Join::Miter, Cap::Square),
            &square,
            STRAIGHT,
        );
        let half = |from: f64, u0: f64| {
            (0..=1000).map(move |k| {
                let a = from + k as f64 / 1000.0 * TAU / 2.0;
                map(u0 + hw * a.cos(), hw * a.sin())
            })
        };
        let round = exact(&[half(-TAU / 4.0, len).chain(half(TAU / 4.0, 0.0)).collect()]);
        stroked(
            &format!("round {i}"),
            &line,
            style(width, Join::Round, Cap::Round),
            &round,
            CURVED,
        );
        // A right angle, mitered, with butt ends.
        let mut corner = Path::new();
        corner.move_to(20.25, 80.5).line_to(20.25, 20.75).line_to(80.5, 20.75);
        let (x, y) = (20.25, 20.75);
        let l = vec![
            (x - hw, 80.5),
            (x - hw, y - hw),
            (80.5, y - hw),
            (80.5, y + hw),
            (x + hw, y + hw),
            (x + hw, 80.5),
        ];
        stroked(
            &format!("corner {i}"),
            &corner,
            style(width, Join::Miter, Cap::Butt),
            &exact(&[l]),
            STRAIGHT,
        );
        // A ring.
        let mut c = Path::new();
        c.circle(Point::new(50.0, 49.5), 30.0);
        let mut inner = four_cubics(50.0, 49.5, 30.0, -hw);
        inner.reverse();
        let ring = exact(&[four_cubics(50.0, 49.5, 30.0, hw), inner]);
        stroked(&format!("ring {i}"), &c, style(width, Join::Round, Cap::Round), &ring, CURVED);
    }
}

#[test]
fn overlaps_count_once() {
    let twice = alphas(|r| {
        r.path(|p| {
            for _ in 0..3 {
                p.rect(Rect::new(10.0, 10.0, 40.0, 40.0));
            }
            p.rect(Rect::new(20.0, 20.0, 60.0, 10.0));
        })
        .fill(Color::BLACK);
    });
    assert_eq!(twice[15 * W + 15], 255.0);
    assert_eq!(twice[25 * W + 70], 255.0);
    let odd = alphas(|r| {
        r.path(|p| {
            p.rect(Rect::new(10.0, 10.0, 40.0, 40.0)).rect(Rect::new(20.0, 20.0, 60.0, 10.0));
        })
        .rule(FillRule::EvenOdd)
        .fill(Color::BLACK);
    });
    assert_eq!((odd[25 * W + 25], odd[25 * W + 70], odd[15 * W + 15]), (0.0, 255.0, 255.0));
}

#[test]
fn very_many_edges_do_not_overflow() {
    // 40000 boxes over each other: an area of 2^32 and more in each pixel.
    for (n, rule, want) in [
        (40_000, FillRule::NonZero, 255.0),
        (40_001, FillRule::EvenOdd, 255.0),
        (40_000, FillRule::EvenOdd, 0.0),
    ] {
        let got = alphas(|r| {
            r.path(|p| {
                for _ in 0..n {
                    p.rect(Rect::new(10.0, 10.0, 40.0, 5.0));
                }
            })
            .rule(rule)
            .fill(Color::BLACK);
        });
        assert_eq!((got[12 * W + 20], got[12 * W + 60]), (want, 0.0), "{n} {rule:?}");
    }
}
