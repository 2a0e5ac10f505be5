//! Random strokes with round joins against samples of their definition (discs and bars along the
//! line), and against tiny-skia, which must not be closer on average. Single strokes may differ
//! more where two arms of one line overlap along an edge: areas add up there, samples do not.

mod common;

use common::{frame, list, skia_path};
use zinc_raster::testing::Rng;
use zinc_scene::{Cap, Color, Join, LayerPlan, Path, Segment, StrokeStyle};

const W: usize = 100;
const H: usize = 100;

fn ours(p: &Path, style: StrokeStyle<'_>) -> Vec<i32> {
    let l = list(W as u32, H as u32, |r| {
        r.path(|q| *q = p.clone()).stroke(style, Color::BLACK);
    });
    frame(&l, &LayerPlan::new()).iter().map(|w| (w >> 24) as i32).collect()
}

fn theirs(p: &Path, style: StrokeStyle<'_>) -> Vec<i32> {
    let mut map = tiny_skia::Pixmap::new(W as u32, H as u32).expect("a pixmap");
    let mut paint = tiny_skia::Paint { anti_alias: true, ..Default::default() };
    paint.set_color_rgba8(0, 0, 0, 255);
    let stroke = tiny_skia::Stroke {
        width: style.width,
        miter_limit: style.miter_limit,
        line_cap: match style.cap {
            Cap::Butt => tiny_skia::LineCap::Butt,
            Cap::Round => tiny_skia::LineCap::Round,
            Cap::Square => tiny_skia::LineCap::Square,
        },
        line_join: match style.join {
            Join::Miter => tiny_skia::LineJoin::Miter,
            Join::Round => tiny_skia::LineJoin::Round,
            Join::Bevel => tiny_skia::LineJoin::Bevel,
        },
        dash: tiny_skia::StrokeDash::new(style.dashes.to_vec(), style.dash_offset),
    };
    let path = skia_path(p);
    map.stroke_path(&path, &paint, &stroke, tiny_skia::Transform::identity(), None);
    map.pixels().iter().map(|p| p.alpha() as i32).collect()
}

/// A polyline, and whether it is closed.
type Piece = (Vec<(f64, f64)>, bool);

/// Where each centre line runs, cut into dashes.
fn pieces(p: &Path, style: StrokeStyle<'_>) -> Vec<Piece> {
    let (mut line, mut closed) = (Vec::<(f64, f64)>::new(), false);
    for s in p.view().segments() {
        let at = *line.last().unwrap_or(&(0.0, 0.0));
        let f = |p: zinc_scene::Point| (p.x as f64, p.y as f64);
        let mut curve = |points: &[(f64, f64)]| {
            for i in 1..=400 {
                let t = i as f64 / 400.0;
                let mut q = points.to_vec();
                while q.len() > 1 {
                    q = q
                        .windows(2)
                        .map(|w| (w[0].0 + (w[1].0 - w[0].0) * t, w[0].1 + (w[1].1 - w[0].1) * t))
                        .collect();
                }
                line.push(q[0]);
            }
        };
        match s {
            Segment::Move(p) => line.push(f(p)),
            Segment::Line(p) => line.push(f(p)),
            Segment::Quad(b, c) => curve(&[at, f(b), f(c)]),
            Segment::Cubic(b, c, d) => curve(&[at, f(b), f(c), f(d)]),
            Segment::Close => closed = true,
        }
    }
    if style.dashes.is_empty() {
        return vec![(line, closed)];
    }
    if closed {
        line.push(line[0]);
    }
    let period: f64 = style.dashes.iter().map(|v| *v as f64).sum();
    let on = |at: f64| (at + style.dash_offset as f64).rem_euclid(period) < style.dashes[0] as f64;
    let mut out: Vec<Piece> = Vec::new();
    let (mut at, mut open) = (0.0f64, false);
    for w in line.windows(2) {
        let (dx, dy) = (w[1].0 - w[0].0, w[1].1 - w[0].1);
        let len = (dx * dx + dy * dy).sqrt();
        let n = (len / 0.01).ceil() as usize;
        for i in 0..n {
            let t = (i as f64 + 0.5) / n as f64;
            if on(at + len * t) {
                let q = (w[0].0 + dx * t, w[0].1 + dy * t);
                match out.last_mut() {
                    Some((l, _)) if open => l.push(q),
                    _ => out.push((vec![q], false)),
                }
                open = true;
            } else {
                open = false;
            }
        }
        at += len;
    }
    // A closed line's last dash goes on in its first.
    if closed && open && on(0.0) && out.len() > 1 {
        let (mut last, _) = out.pop().expect("two of them");
        last.extend_from_slice(&out[0].0);
        out[0].0 = last;
    }
    out
}

/// Coverage of a stroke with round joins from 8 x 8 samples a pixel.
fn sampled(p: &Path, style: StrokeStyle<'_>) -> Vec<i32> {
    const S: usize = 8;
    let hw = style.width as f64 / 2.0;
    let mut hit = vec![false; W * H * S * S];
    let mut mark = |a: (f64, f64), b: (f64, f64), ends: [f64; 2], discs: bool| {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let len = (dx * dx + dy * dy).sqrt();
        let (ux, uy) = if len > 0.0 { (dx / len, dy / len) } else { (1.0, 0.0) };
        let reach = hw * 1.5;
        let range = |l: f64, h: f64, n: usize| {
            let s = S as f64;
            let lo = ((l - reach) * s).max(0.0) as usize;
            lo..((((h + reach) * s).max(0.0)) as usize + 1).min(n * S)
        };
        for y in range(a.1.min(b.1), a.1.max(b.1), H) {
            for x in range(a.0.min(b.0), a.0.max(b.0), W) {
                let (px, py) = ((x as f64 + 0.5) / S as f64, (y as f64 + 0.5) / S as f64);
                let (rx, ry) = (px - a.0, py - a.1);
                let (along, off) = (rx * ux + ry * uy, (rx * uy - ry * ux).abs());
                let body = off <= hw && along >= -ends[0] && along <= len + ends[1];
                let disc = discs && rx * rx + ry * ry <= hw * hw;
                hit[y * W * S + x] |= body || disc;
            }
        }
    };
    for (mut l, closed) in pieces(p, style) {
        if closed {
            l.push(l[0]);
        }
        let n = l.len() - 1;
        let end = if style.cap == Cap::Square && !closed { hw } else { 0.0 };
        for i in 0..n {
            let ends = [if i == 0 { end } else { 0.0 }, if i == n - 1 { end } else { 0.0 }];
            let disc = i > 0 || closed || style.cap == Cap::Round;
            mark(l[i], l[i + 1], ends, disc);
        }
        if style.cap == Cap::Round || closed {
            mark(l[n], l[n], [-1.0, -1.0], true);
        }
    }
    (0..W * H)
        .map(|i| {
            let (x, y) = (i % W * S, i / W * S);
            let n: usize =
                (0..S).map(|r| (0..S).filter(|c| hit[(y + r) * W * S + x + c]).count()).sum();
            (n * 255 / (S * S)) as i32
        })
        .collect()
}

#[test]
fn random_strokes_follow_their_definition() {
    let rng = &mut Rng::new(11);
    let (mut worst, mut total, mut peers) = (0.0f64, 0.0, 0.0);
    const N: usize = 120;
    for n in 0..N {
        let mut p = Path::new();
        let mut at = |_| (rng.range(15.0, 85.0), rng.range(15.0, 85.0));
        let points: Vec<(f32, f32)> = (0..8).map(&mut at).collect();
        p.move_to(points[0].0, points[0].1);
        match n % 4 {
            0 => (1..5).for_each(|i| _ = p.line_to(points[i].0, points[i].1)),
            1 => _ = p.quad_to(points[1].0, points[1].1, points[2].0, points[2].1),
            2 => {
                let [a, b, c] = [points[1], points[2], points[3]];
                p.cubic_to(a.0, a.1, b.0, b.1, c.0, c.1);
            }
            _ => (1..3).for_each(|i| _ = p.line_to(points[i].0, points[i].1)),
        }
        if n % 4 == 3 || n % 8 == 1 {
            p.close();
        }
        let dashes = [rng.range(3.0, 14.0), rng.range(3.0, 9.0)];
        let style = StrokeStyle {
            join: Join::Round,
            // The reference puts discs on every vertex: round caps where vertices crowd the ends.
            cap: match n % 4 {
                0 | 3 if n % 3 > 0 => [Cap::Butt, Cap::Round, Cap::Square][rng.below(3)],
                _ => Cap::Round,
            },
            dashes: if n % 3 == 0 { &dashes } else { &[] },
            dash_offset: rng.range(0.0, 10.0),
            ..StrokeStyle::new(rng.range(2.0, 12.0))
        };
        let (a, b) = (ours(&p, style), sampled(&p, style));
        let peer = theirs(&p, style);
        let ink = b.iter().filter(|v| **v > 0).count().max(1) as f64;
        let mean = a.iter().zip(&b).map(|(a, b)| (a - b).abs() as f64).sum::<f64>() / ink;
        let other = peer.iter().zip(&b).map(|(a, b)| (a - b).abs() as f64).sum::<f64>() / ink;
        peers += other;
        if mean > 5.0 {
            println!("{n}: {mean:.2} peer {other:.2} {style:?} {:?}", &points[..5]);
        }
        worst = worst.max(mean);
        total += mean;
    }
    println!("mean {:.2} worst {worst:.2} peer {:.2}", total / N as f64, peers / N as f64);
    assert!(total <= peers, "{total} against {peers}");
    assert!(total / (N as f64) <= 2.0, "{}", total / N as f64);
    assert!(worst <= 12.0, "{worst}");
}
