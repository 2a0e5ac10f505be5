//! Primitives one by one: the same shape all over a surface, side by side, so that none hides
//! another. Speed is covered pixels a second; the time of an empty surface is taken off.

use crate::counts::{self, Counting};
use crate::generate::{self, Rng, counted, head, text};
use crate::levels::Level;
use crate::measure::{self, Contestant};
use crate::source::Source;
use crate::zsc::{Op, Scene};
use crate::{record, skia, vello};
use anyhow::Result;
use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::Arc;
use zinc_scene::math;

const SIZE: (u32, u32) = (800, 480);
/// Only the surface: its time is part of all others.
pub(crate) const EMPTY: &str = "clear";

/// Writes a primitive of a size into the box whose corner is given.
type Draw = fn(&mut String, &mut Rng, u32, u32, u32);

/// A primitive in three sizes.
struct Kind {
    name: &'static str,
    sizes: [u32; 3],
    /// Room on each side that it draws into, beside a pixel.
    around: u32,
    draw: Draw,
}

const fn kind(name: &'static str, sizes: [u32; 3], around: u32, draw: Draw) -> Kind {
    Kind { name, sizes, around, draw }
}

const BOXES: [u32; 3] = [16, 64, 256];
const CARDS: [u32; 3] = [32, 96, 288];
const PATHS: [u32; 3] = [20, 60, 200];

const KINDS: [Kind; 17] = [
    kind("rect", BOXES, 0, |s, r, x, y, n| line(s, &format!("rect {x} {y} {n} {n}"), r, 255)),
    kind("rect-alpha", BOXES, 0, |s, r, x, y, n| line(s, &format!("rect {x} {y} {n} {n}"), r, 128)),
    kind("rect-aa", BOXES, 0, |s, r, x, y, n| {
        line(s, &format!("rect {x}.5 {y}.25 {n} {n}"), r, 255)
    }),
    kind("rrect8", CARDS, 0, |s, r, x, y, n| line(s, &format!("rrect {x} {y} {n} {n} 8"), r, 255)),
    kind("rrect32", [80, 160, 320], 0, |s, r, x, y, n| {
        line(s, &format!("rrect {x} {y} {n} {n} 32"), r, 255);
    }),
    kind("border1", CARDS, 0, |s, r, x, y, n| {
        line(s, &format!("border {x}.5 {y}.5 {} {} 8 1", n - 1, n - 1), r, 255);
    }),
    kind("shadow24", [80, 160, 320], 36, |s, _, x, y, n| {
        let _ = writeln!(s, "shadow {x} {y} {n} {n} 12 12 s 0 0 0 128");
    }),
    kind("linear", CARDS, 0, |s, r, x, y, n| {
        let (c, d, e) = (r.rgb(), r.rgb(), r.rgb());
        let (x1, y1) = (x + n, y + n * 6 / 10);
        let _ = writeln!(
            s,
            "rect {x} {y} {n} {n} l {x} {y} {x1} {y1} 3 0 {c} 255 0.5 {d} 255 1 {e} 255"
        );
    }),
    kind("radial", CARDS, 0, |s, r, x, y, n| {
        let (c, d, e) = (r.rgb(), r.rgb(), r.rgb());
        let (cx, cy, half) = (x + n / 2, y + n / 2, n / 2);
        let _ =
            writeln!(s, "rect {x} {y} {n} {n} r {cx} {cy} {half} 3 0 {c} 200 0.5 {d} 80 1 {e} 20");
    }),
    kind("glyphs20", [12, 20, 48], 0, |s, r, x, y, n| {
        text(s, (x as f32, (y + n) as f32), n as f32, 20, &r.rgb(), "text");
    }),
    kind("image-1to1", [32, 128, 400], 0, |s, _, x, y, n| {
        let _ = writeln!(s, "img {} {x} {y} {n} {}", image(n), image_rows(n));
    }),
    kind("image-scaled", [32, 128, 400], 0, |s, _, x, y, n| {
        let _ = writeln!(s, "img {} {x} {y} {} {}", image(n), n * 9 / 16, image_rows(n) * 9 / 16);
    }),
    kind("convex12", PATHS, 0, |s, r, x, y, n| star(s, r, (x, y, n), 1)),
    kind("star32", PATHS, 0, |s, r, x, y, n| star(s, r, (x, y, n), 13)),
    kind("stroke2", PATHS, 1, |s, r, x, y, n| wave(s, r, (x, y, n), 2)),
    kind("stroke8", PATHS, 4, |s, r, x, y, n| wave(s, r, (x, y, n), 8)),
    kind("stroke24", PATHS, 12, |s, r, x, y, n| wave(s, r, (x, y, n), 24)),
];

fn line(s: &mut String, what: &str, r: &mut Rng, alpha: u32) {
    let _ = writeln!(s, "{what} s {} {alpha}", r.rgb());
}

/// The image of a size, and its rows.
fn image(n: u32) -> usize {
    [32, 128, 400].iter().position(|m| *m == n).unwrap_or(0)
}

const fn image_rows(n: u32) -> u32 {
    if n == 400 { 250 } else { n }
}

/// Corners on a circle, each joined to the one so many steps on: 12 that make a polygon, or 32
/// that make a star.
fn star(s: &mut String, r: &mut Rng, (x, y, n): (u32, u32, u32), step: usize) {
    let corners = if step == 1 { 12 } else { 32 };
    let (half, rule) = (n as f32 / 2.0, (step > 1) as u32);
    let mut path = String::new();
    for i in 0..corners {
        let turn = (i * step % corners) as f32 / corners as f32 * core::f32::consts::TAU;
        let (sin, cos) = (math::sin(turn), math::cos(turn));
        let (px, py) = (x as f32 + half + half * cos, y as f32 + half + half * sin);
        let _ = write!(path, "{} {px:.3} {py:.3} ", if i == 0 { 'm' } else { 'l' });
    }
    path.push('z');
    line(s, &format!("path {rule} {}", counted(&path)), r, 255);
}

/// A line that goes up and down through a box.
fn wave(s: &mut String, r: &mut Rng, (x, y, n): (u32, u32, u32), width: u32) {
    let mut what = format!("stroke {width} 21");
    for i in 0..21 {
        let on = x as f32 + n as f32 * i as f32 / 20.0;
        let _ = write!(what, " {on:.3} {:.3}", y as f32 + r.range(0.0, n as f32));
    }
    line(s, &what, r, 255);
}

/// A surface full of one primitive.
fn full(k: &Kind, n: u32) -> String {
    let images = [(32, 32), (128, 128), (400, 250)];
    let mut s = head(SIZE, if k.name.starts_with("image") { &images } else { &[] });
    s += "clear 255 255 255\n";
    let mut r = Rng(n);
    let (wide, high) = match k.name {
        // Twenty letters, each a little more than half as wide as high, and what hangs below.
        "glyphs20" => (n * 23 / 2, n * 5 / 4),
        "image-1to1" | "image-scaled" => (n, image_rows(n)),
        _ => (n, n),
    };
    let (dx, dy) = (wide + 2 * k.around + 2, high + 2 * k.around + 2);
    for row in 0..SIZE.1 / dy {
        for column in 0..SIZE.0 / dx {
            let (x, y) = (column * dx + k.around + 1, row * dy + k.around + 1);
            (k.draw)(&mut s, &mut r, x, y, n);
        }
    }
    s
}

/// Those whose name is wanted, the empty surface first.
pub(crate) fn scenes(wanted: &dyn Fn(&str) -> bool) -> Result<Vec<Scene>> {
    let empty = || format!("{}clear 255 255 255\n", head(SIZE, &[]));
    let mut all = Vec::new();
    if wanted(EMPTY) {
        all.push(generate::scene(EMPTY, &empty())?);
    }
    for (k, n) in KINDS.iter().flat_map(|k| k.sizes.map(|n| (k, n))) {
        let name = format!("{}-{n}", k.name);
        if wanted(&name) {
            all.push(generate::scene(&name, &full(k, n))?);
        }
    }
    Ok(all)
}

/// Pixels that are drawn on beside the clear.
fn covered(scene: &Scene) -> Result<usize> {
    let mut bare = scene.clone();
    bare.ops.retain(|op| !matches!(op, Op::Clear(_)));
    let list = record::lists(&bare, 1)?.remove(0);
    Ok(record::surface(&list).as_chunks::<4>().0.iter().filter(|p| p[3] != 0).count())
}

/// Who draws a scene: Zinc at each level, then the others.
fn contestants(scene: &Rc<Scene>, levels: &[Level], peers: bool) -> Result<Vec<Contestant>> {
    let lists = Arc::new(record::lists(scene, 1)?);
    let mut all = Vec::new();
    for l in levels {
        let mut zinc = record::Zinc::new(lists.clone(), 1, l.index);
        all.push(Contestant::new(format!("zinc {}", l.name), move |f| zinc.draw(f)));
    }
    if peers {
        let mut skia = skia::Skia::new(scene)?;
        all.push(Contestant::new("tiny-skia", move |f| skia.draw(f)));
        let mut vello = vello::Vello::new(scene);
        all.push(Contestant::new("vello_cpu", move |f| vello.draw(f)));
    }
    Ok(all)
}

/// Measures them and prints a table; ratios are to the last level.
pub(crate) fn print(
    scenes: Vec<Scene>,
    levels: &[Level],
    (frames, rounds): (usize, usize),
    peers: bool,
) -> Result<()> {
    println!("{:<20}{:<18}{:>12}{:>10}{:>9}", "primitive", "who", "Mpx/s", "ns/px", "ratio");
    let empty = scenes.iter().find(|s| s.name == EMPTY).cloned().map(Rc::new);
    for s in scenes.into_iter().filter(|s| s.name != EMPTY) {
        let pixels = covered(&s)?.max(1) as f64;
        let s = Rc::new(s);
        let mut all = contestants(&s, levels, peers)?;
        let n = all.len();
        if let Some(empty) = &empty {
            all.extend(contestants(empty, levels, peers)?);
        }
        let times = measure::run(&mut all, frames, rounds);
        let bare = |i: usize| times.get(n + i).map_or(0.0, |t| t.p50);
        let ns: Vec<f64> =
            (0..n).map(|i| (times[i].p50 - bare(i)).max(1e-6) * 1e6 / pixels).collect();
        for (c, each) in all.iter().zip(&ns) {
            let (speed, ratio) = (1e3 / each, each / ns[levels.len() - 1]);
            println!("{:<20}{:<18}{speed:>12.0}{each:>10.4}{ratio:>9.2}", s.name, c.name);
        }
    }
    Ok(())
}

/// Counts their instructions a covered pixel and prints a table.
pub(crate) fn print_instructions(scenes: &[Scene], level: Level) -> Result<()> {
    println!("{:<20}{:>22}", "primitive", "instructions a pixel");
    let counting = Counting { source: Source::Primitives, frames: 2, level };
    let empty = counts::count(&counting, EMPTY)?;
    for s in scenes.iter().filter(|s| s.name != EMPTY) {
        let count = counts::count(&counting, &s.name)?.saturating_sub(empty);
        println!("{:<20}{:>22.3}", s.name, count as f64 / covered(s)?.max(1) as f64);
    }
    Ok(())
}
