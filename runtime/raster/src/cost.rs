//! Estimates: which unit costs most, and how many threads a pass is worth. They decide who draws
//! what and when, never a pixel.
//!
//! One unit of cost is about one pixel of a flat fill. What waking a thread costs ([`WAKE`]) and
//! what a command costs to plan are measured on no board in particular: they only have to keep a
//! small change on one thread and a whole screen on all.

use crate::plan::{CHUNK, Cover, Item, Kind, Planner};
use crate::view::View;
use zinc_scene::{CommandList, IRect, Region};

/// Of looking at an item in a unit.
const ITEM: u64 = 50;
/// Of an edge in a band.
const EDGE: u64 = 10;
/// Cost that a further thread must take over: it sleeps, and wakes in tens of microseconds.
const WAKE: u64 = 16_384;
/// How many times more commands meet the damage than its share of the surface says: they are boxes,
/// not points. Counting them would cost as much as culling them.
const REACH: i64 = 4;

fn edges(item: &Item, plan: &Planner, band: i32) -> u64 {
    let (Kind::Fill(cover, _)
    | Kind::Image { cover, .. }
    | Kind::Hole { cover, .. }
    | Kind::PushClip(cover)
    | Kind::Shadow(_, _, Some(cover))) = item.kind
    else {
        return 0;
    };
    match cover {
        Cover::Path(bins, _) => bins.of(band as usize, &plan.segs, &plan.starts).len() as u64,
        Cover::Box(_) | Cover::Rounded(_) => 0,
    }
}

/// Adds what a planner's items cost in each unit.
pub(crate) fn tally(plan: &Planner, view: &View, damage: &Region, costs: &mut Vec<u64>) {
    costs.clear();
    costs.resize(view.units(), 0);
    for item in &plan.items {
        for r in damage.rects() {
            let r = r.intersect(item.bounds);
            if !r.is_empty() {
                add(item, plan, view, r, costs);
            }
        }
    }
}

/// Adds what an item costs in a damaged part of its bounds.
fn add(item: &Item, plan: &Planner, view: &View, r: IRect, costs: &mut [u64]) {
    let bands = r.y0 / view.band..=(r.y1 - 1) / view.band;
    let at = view.turned(r);
    let units = view.unit_of(at.y0)..=view.unit_of(at.y1 - 1);
    if view.rotation.is_sideways() {
        // Each strip goes through all bands, and in each through all edges.
        let each = bands.map(|b| ITEM + EDGE * edges(item, plan, b)).sum::<u64>();
        for n in units {
            costs[n] += each + r.intersect(view.part(n)).area() as u64;
        }
    } else {
        for b in bands {
            // A unit is a band; upside down they come in the other order.
            let rows = IRect { y0: b * view.band, y1: (b + 1) * view.band, ..r };
            let part = r.intersect(rows);
            let n = view.unit_of(view.turned(part).y0);
            costs[n] += ITEM + EDGE * edges(item, plan, b) + part.area() as u64;
        }
    }
}

/// Threads that the second pass is worth, of so many.
pub(crate) fn to_draw(costs: impl Iterator<Item = u64>, threads: usize) -> usize {
    let (units, cost) = costs.fold((0usize, 0u64), |(n, sum), c| (n + 1, sum + c));
    let worth = usize::try_from(cost / WAKE).unwrap_or(usize::MAX);
    worth.min(units).clamp(1, threads)
}

/// Threads that planning a list is worth, of so many: a chunk of seen commands for each.
pub(crate) fn to_plan(list: &CommandList, damage: &Region, threads: usize) -> usize {
    let share = (damage.area() * REACH).min(list.surface().area());
    let seen = list.commands().len() as i64 * share / list.surface().area().max(1);
    (seen as usize / CHUNK).clamp(1, threads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_shared_by_what_is_seen() {
        let mut r = zinc_scene::Recorder::new();
        r.begin(800, 480).unwrap();
        for i in 0..320 {
            r.rect(i as f32, 0.0, 9.0, 9.0).fill(zinc_scene::Color::BLACK);
        }
        let list = r.freeze();
        let threads = |w, h| to_plan(&list, &Region::of(IRect::of_size(w, h)), 4);
        assert_eq!(
            [threads(10, 10), threads(100, 100), threads(400, 240), threads(800, 480)],
            [1, 1, 4, 4]
        );
        assert_eq!(to_plan(&list, &Region::EMPTY, 4), 1);
    }

    #[test]
    fn small_work_stays_on_the_caller() {
        assert_eq!(to_draw([0, 0, 0].into_iter(), 4), 1);
        assert_eq!(to_draw([900, 900].into_iter(), 4), 1);
        assert_eq!(to_draw([WAKE; 30].into_iter(), 4), 4);
        assert_eq!(to_draw([WAKE * 9, WAKE * 9].into_iter(), 4), 2);
        assert_eq!(to_draw([WAKE * 2].into_iter(), 4), 1);
        assert_eq!(to_draw(core::iter::empty(), 4), 1);
    }
}
