//! Virtual lists: only the rows in view (and a few around them) are declared. Heights are
//! learned row by row; rows that were never shown count as the mean of the others.

use crate::node::{Flow, Key, Kind};
use crate::slot::KeyMap;
use crate::{El, S, Style, Ui};
use std::hash::{Hash, Hasher};
use std::panic::Location;

/// Pixels declared beyond the view on each side.
const MARGIN: f32 = 120.0;
/// Height of a row before any was seen.
const GUESS: f32 = 48.0;

/// A hash that is the same in every run.
pub(crate) fn key_hash(key: &impl Hash) -> u64 {
    struct Xx(xxhash_rust::xxh3::Xxh3Default);
    impl Hasher for Xx {
        fn finish(&self) -> u64 {
            self.0.digest()
        }
        fn write(&mut self, bytes: &[u8]) {
            self.0.update(bytes);
        }
    }
    let mut h = Xx(xxhash_rust::xxh3::Xxh3Default::new());
    key.hash(&mut h);
    h.finish()
}

impl Ui {
    /// A list that scrolls. `key` names a row for as long as it lives; `row` declares it.
    #[track_caller]
    pub fn list<T, K: Hash>(
        &mut self,
        style: Style,
        items: &[T],
        key: impl Fn(&T) -> K,
        mut row: impl FnMut(&mut Ui, &T),
    ) -> El<'_> {
        let at = Location::caller();
        let gap = style.layout.gap;
        let mut outer = style;
        outer.layout.gap = 0.0;
        let node = self.add(at, outer, Flow::Col, Kind::Box);
        self.nodes[node as usize].flags.scroll = true;
        let list = self.nodes[node as usize].key;
        let extra = self.slot(node).extra();
        let s = *extra.scroll.get_or_insert_default();
        let mut rows = extra.rows.take().unwrap_or_default();
        let mut names = std::mem::take(&mut rows.names);
        names.clear();
        names.extend(items.iter().map(|i| list.child(key_hash(&key(i)))));
        self.learn(&mut rows.heights, &names[clamp(&rows.shown, names.len())]);
        let sum: f32 =
            names[clamp(&rows.shown, names.len())].iter().filter_map(|k| rows.heights.get(k)).sum();
        let shown = clamp(&rows.shown, names.len()).len();
        if sum > 0.0 && shown > 0 {
            rows.mean = sum / shown as f32;
        } else if rows.mean == 0.0 {
            rows.mean = GUESS;
        }
        let height = |k: &Key| rows.heights.get(k).copied().unwrap_or(rows.mean) + gap;
        let view = if s.view > 0.0 { s.view } else { self.size.h };
        let (top, bottom) = (s.offset - MARGIN, s.offset + view + MARGIN);
        let (mut y, mut before, mut first, mut last) = (0.0f32, 0.0f32, names.len(), names.len());
        let mut after = 0.0f32;
        for (i, k) in names.iter().enumerate() {
            let h = height(k);
            if first == names.len() && y + h > top {
                first = i;
                before = y;
            }
            if first != names.len() && last == names.len() && y > bottom {
                last = i;
            }
            if last != names.len() {
                after += h;
            }
            y += h;
        }
        rows.shown = first..last;
        self.slot(node).extra().rows = Some(rows);
        self.inside(node, |ui| {
            ui.add_keyed(list.child(1), S.height(before).rigid(), Flow::Col, Kind::Box);
            for i in first..last {
                let k = names[i];
                if ui.is_declared(k) {
                    ui.duplicate(at, i, k, &names);
                    continue;
                }
                let style = S.pad_each(0.0, 0.0, gap, 0.0).rigid();
                let n = ui.add_keyed(k, style, Flow::Col, Kind::Box);
                ui.inside(n, |ui| row(ui, &items[i]));
            }
            ui.add_keyed(list.child(2), S.height(after).rigid(), Flow::Col, Kind::Box);
        });
        if let Some(rows) = &mut self.slot(node).extra().rows {
            rows.names = names;
        }
        El { ui: self, node }
    }

    fn is_declared(&self, k: Key) -> bool {
        let slot = self.by_key.get(&k).map(|i| &self.slots[*i as usize]);
        slot.is_some_and(|s| s.pass == self.pass)
    }

    fn duplicate(&mut self, at: &'static Location<'static>, i: usize, k: Key, names: &[Key]) {
        let other = names.iter().position(|n| *n == k).unwrap_or(i);
        self.warn_once(k.0, || {
            tracing::warn!(
                "{at}: rows {other} and {i} of a list have the same key; row {i} is left out"
            );
        });
    }

    /// Heights of rows that the last layout placed.
    fn learn(&self, heights: &mut KeyMap<f32>, names: &[Key]) {
        for k in names {
            if let Some(i) = self.by_key.get(k) {
                let s = &self.slots[*i as usize];
                let gap = s.layout_style.map_or(0.0, |(l, ..)| l.pad[2]);
                if s.rect.h > 0.0 {
                    heights.insert(*k, s.rect.h - gap);
                }
            }
        }
        // Rows that are gone for good must not pile up.
        if heights.len() > names.len() * 4 + 4096 {
            heights.clear();
        }
    }
}

fn clamp(r: &std::ops::Range<usize>, len: usize) -> std::ops::Range<usize> {
    r.start.min(len)..r.end.min(len)
}
