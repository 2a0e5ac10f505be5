//! Damage: which pixels of a frame differ from the last one.
//!
//! Commands are matched by their hashes, in order, so that one insertion damages one box. Why
//! the pixels outside the answer are equal: a pixel is a function of the sequence of commands
//! whose bounds hold it. The matched commands form a common subsequence of both lists; what is
//! unmatched has its bounds (old and new) in the answer; so outside it both sequences are the
//! same. Clips are part of the hash of what they clip. Layers are matched with their box in the
//! hash, so a layer that begins or ends elsewhere, or holds a larger box, is unmatched.

use crate::{Command, CommandList, IRect, LayerPlan, Op, hash};

/// Boxes a region holds at most; more are merged.
pub const REGION_RECTS: usize = 16;

/// At most [`REGION_RECTS`] disjoint boxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Region {
    rects: [IRect; REGION_RECTS],
    len: usize,
}

impl Region {
    /// No pixel.
    pub const EMPTY: Self = Self { rects: [IRect::EMPTY; REGION_RECTS], len: 0 };

    /// One box.
    pub fn of(r: IRect) -> Self {
        let mut s = Self::EMPTY;
        s.add(r);
        s
    }
    /// Its boxes.
    #[inline]
    pub fn rects(&self) -> &[IRect] {
        &self.rects[..self.len]
    }
    /// Holds no pixel.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// Pixels.
    pub fn area(&self) -> i64 {
        self.rects().iter().map(|r| r.area()).sum()
    }
    /// The box around all.
    #[inline]
    pub fn bounds(&self) -> IRect {
        self.rects().iter().fold(IRect::EMPTY, |a, r| a.union(*r))
    }
    /// The pixel is in it.
    #[inline]
    pub fn contains(&self, x: i32, y: i32) -> bool {
        self.rects().iter().any(|r| r.contains(x, y))
    }
    /// Adds a box. Boxes that overlap become one; over the limit the pair that grows least does.
    pub fn add(&mut self, mut r: IRect) {
        if r.is_empty() || self.rects().iter().any(|o| o.contains_rect(r)) {
            return;
        }
        loop {
            let mut i = 0;
            while i < self.len {
                if self.rects[i].overlaps(r) {
                    r = r.union(self.rects[i]);
                    self.len -= 1;
                    self.rects[i] = self.rects[self.len];
                    // A grown box may reach those already passed.
                    i = 0;
                } else {
                    i += 1;
                }
            }
            if self.len < REGION_RECTS {
                self.rects[self.len] = r;
                self.len += 1;
                return;
            }
            let grown = |o: &IRect| o.union(r).area() - o.area();
            let Some(best) = (0..self.len).min_by_key(|i| grown(&self.rects[*i])) else { return };
            r = r.union(self.rects[best]);
            self.len -= 1;
            self.rects[best] = self.rects[self.len];
        }
    }
    /// Adds all boxes of another region.
    pub fn add_region(&mut self, o: &Self) {
        for r in o.rects() {
            self.add(*r);
        }
    }
    /// The part inside a box.
    pub fn clipped(&self, to: IRect) -> Self {
        let mut s = Self::EMPTY;
        for r in self.rects() {
            s.add(r.intersect(to));
        }
        s
    }
}

/// Runs of unmatched commands after which matching gives up and the rest is damage.
const RUNS: usize = 64;
/// How far ahead a run looks for the next pair.
const LOOK_AHEAD: usize = 128;

/// Compares lists; keeps its memory between frames.
#[derive(Debug, Default)]
pub struct Differ {
    old: Vec<(u64, IRect)>,
    new: Vec<(u64, IRect)>,
}

impl Differ {
    /// The pixels that may differ between two frames: `old` (`None` for the first frame, or when
    /// the target's content is unknown) and `new`, each with what its films show.
    pub fn diff(
        &mut self,
        old: Option<(&CommandList, &LayerPlan)>,
        new: (&CommandList, &LayerPlan),
    ) -> Region {
        let surface = new.0.surface();
        let Some(old) = old.filter(|o| o.0.surface() == surface) else {
            return Region::of(surface);
        };
        load(&mut self.old, old.0, old.1);
        load(&mut self.new, new.0, new.1);
        let (mut a, mut b) = (self.old.as_slice(), self.new.as_slice());
        let mut damage = Region::EMPTY;
        let mut runs = 0;
        loop {
            let same = a.iter().zip(b).take_while(|(x, y)| x.0 == y.0).count();
            (a, b) = (&a[same..], &b[same..]);
            let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x.0 == y.0).count();
            (a, b) = (&a[..a.len() - tail], &b[..b.len() - tail]);
            if a.is_empty() && b.is_empty() {
                return damage;
            }
            runs += 1;
            let (i, j) = if runs > RUNS { (a.len(), b.len()) } else { next_pair(a, b) };
            for x in a[..i].iter().chain(&b[..j]) {
                damage.add(x.1);
            }
            (a, b) = (&a[i..], &b[j..]);
        }
    }
}

/// The nearest place where both go on alike: how many to skip on each side.
fn next_pair(a: &[(u64, IRect)], b: &[(u64, IRect)]) -> (usize, usize) {
    let (la, lb) = (a.len().min(LOOK_AHEAD), b.len().min(LOOK_AHEAD));
    for sum in 1..la + lb {
        for i in sum.saturating_sub(lb.saturating_sub(1))..=sum.min(la.saturating_sub(1)) {
            let j = sum - i;
            if let (Some(x), Some(y)) = (a.get(i), b.get(j))
                && x.0 == y.0
            {
                return (i, j);
            }
        }
    }
    (a.len(), b.len())
}

fn load(to: &mut Vec<(u64, IRect)>, list: &CommandList, plan: &LayerPlan) {
    to.clear();
    to.extend(list.commands().iter().filter(|c| counts(c)).map(|c| {
        let h = match c.op {
            Op::Picture { source, .. } => hash::join(c.hash, plan.surface_hash(source)),
            _ => c.hash,
        };
        (h, c.bounds)
    }));
}

/// Commands that can change a pixel; clips are in the hashes of what they hold.
fn counts(c: &Command) -> bool {
    !c.bounds.is_empty() && !matches!(c.op, Op::PushClip { .. } | Op::PopClip)
}

/// Damage by buffer age: each of n buffers holds an older frame and needs what changed since.
#[derive(Clone, Debug, Default)]
pub struct History {
    past: [Region; History::AGES],
    frames: usize,
}

impl History {
    /// Ages it can answer; an older buffer is drawn whole.
    pub const AGES: usize = 8;

    /// Forgets everything: every buffer is drawn whole.
    pub fn reset(&mut self) {
        self.frames = 0;
    }
    /// Takes note of a frame's damage. Call it once per frame that is presented.
    pub fn push(&mut self, damage: Region) {
        self.past.rotate_right(1);
        self.past[0] = damage;
        self.frames = (self.frames + 1).min(Self::AGES);
    }
    /// What a buffer of `age` frames lacks, the newest frame's damage included. Age 1 holds the
    /// frame before this one; age 0 has unknown content.
    pub fn since(&self, age: u32, surface: IRect) -> Region {
        let age = age as usize;
        if age == 0 || age > self.frames {
            return Region::of(surface);
        }
        let mut all = Region::EMPTY;
        for r in &self.past[..age] {
            all.add_region(r);
        }
        all.clipped(surface)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Latched, PictureId, Radii, Recorder, Rect};
    use std::sync::Arc;

    fn list(f: impl FnOnce(&mut Recorder)) -> Arc<CommandList> {
        let mut r = Recorder::new();
        r.begin(800, 480).unwrap();
        r.clear(Color::WHITE);
        f(&mut r);
        r.freeze()
    }
    fn diff(a: &CommandList, b: &CommandList) -> Region {
        let none = LayerPlan::new();
        Differ::default().diff(Some((a, &none)), (b, &none))
    }
    fn cards(n: usize, extra: Option<usize>) -> Arc<CommandList> {
        list(|r| {
            for i in 0..n {
                if extra == Some(i) {
                    r.rect(700.0, 400.0, 10.0, 10.0).fill(Color::hex(0xFF0000));
                }
                let at = i as f32;
                r.rect(at * 3.0, at, 2.0, 2.0).fill(Color::hex(i as u32));
            }
        })
    }

    #[test]
    fn equal_lists_have_no_damage() {
        assert!(diff(&cards(50, None), &cards(50, None)).is_empty());
    }

    #[test]
    fn one_insertion_damages_one_box() {
        for at in [0, 25, 49] {
            let d = diff(&cards(50, None), &cards(50, Some(at)));
            assert_eq!(d.rects(), [IRect::new(700, 400, 710, 410)], "inserted at {at}");
        }
    }

    // Field case 43: the background changes, everything is drawn again.
    #[test]
    fn a_new_clear_colour_damages_everything() {
        let b = list(|r| r.clear(Color::BLACK));
        assert_eq!(diff(&list(|_| {}), &b).rects(), [IRect::new(0, 0, 800, 480)]);
    }

    // Field case 44: a change inside a clip damages no more than the clip, and no less.
    #[test]
    fn a_clip_that_moves_damages_what_it_holds() {
        let clipped = |x: f32| {
            list(|r| {
                r.with_clip(Rect::new(x, 10.0, 50.0, 50.0), 0.0, |r| {
                    r.rect(0.0, 0.0, 800.0, 480.0).fill(Color::BLACK);
                });
            })
        };
        let d = diff(&clipped(10.0), &clipped(200.0));
        assert_eq!(d.rects().len(), 2);
        assert!(d.contains(10, 10) && d.contains(249, 59) && !d.contains(100, 30));
    }

    #[test]
    fn pictures_damage_as_they_are_shown() {
        let film =
            list(|r| r.picture(PictureId(7), Rect::new(8.0, 8.0, 64.0, 32.0), Radii::ZERO, 1.0));
        let image = |c: u32| {
            Latched::Drawn(Arc::new(crate::Image::new(1, 1, Box::new([c | 0xFF00_0000])).unwrap()))
        };
        let plan = |l: Latched| {
            let mut p = LayerPlan::new();
            p.set(PictureId(7), l);
            p
        };
        let mut d = Differ::default();
        let mut run = |a: &LayerPlan, b: &LayerPlan| d.diff(Some((&film, a)), (&film, b)).area();
        assert_eq!(run(&plan(Latched::Hole), &plan(Latched::Hole)), 0);
        assert_eq!(run(&plan(Latched::Hole), &plan(image(1))), 64 * 32);
        assert_eq!(run(&plan(image(1)), &plan(image(1))), 0);
        assert_eq!(run(&plan(image(1)), &plan(image(2))), 64 * 32);
    }

    #[test]
    fn regions_stay_disjoint_and_bounded() {
        let mut seed = 1u32;
        let mut next = |n: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((seed >> 8) % n) as i32
        };
        for _ in 0..200 {
            let mut region = Region::EMPTY;
            let mut all = Vec::new();
            for _ in 0..40 {
                let (x, y) = (next(700), next(400));
                let r = IRect::new(x, y, x + 1 + next(60), y + 1 + next(60));
                region.add(r);
                all.push(r);
            }
            let rs = region.rects();
            assert!(rs.len() <= REGION_RECTS);
            for (i, a) in rs.iter().enumerate() {
                assert!(rs[i + 1..].iter().all(|b| !a.overlaps(*b)));
            }
            assert!(all.iter().all(|r| rs.iter().any(|o| o.contains_rect(*r))));
        }
    }

    #[test]
    fn history_answers_by_age() {
        let surface = IRect::new(0, 0, 800, 480);
        let mut h = History::default();
        assert_eq!(h.since(1, surface), Region::of(surface));
        h.push(Region::of(IRect::new(0, 0, 10, 10)));
        h.push(Region::of(IRect::new(100, 0, 110, 10)));
        assert_eq!(h.since(1, surface).area(), 100);
        assert_eq!(h.since(2, surface).area(), 200);
        assert_eq!(h.since(3, surface), Region::of(surface));
        assert_eq!(h.since(0, surface), Region::of(surface));
    }
}
