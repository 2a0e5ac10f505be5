//! A map with a budget. A hit writes a stamp and allocates nothing; when an insertion goes over
//! the budget, the longest unused entries go until three quarters of it are left, so that the
//! pass over all entries is paid once per quarter budget (for 1024 paragraphs 0.25 ms, most of it
//! giving back the memory of 256 of them).

use foldhash::fast::FixedState;
use std::collections::HashMap;
use std::hash::Hash;

#[derive(Debug)]
struct Entry<V> {
    value: V,
    cost: usize,
    used: u64,
}

/// A map that forgets the longest unused entries.
#[derive(Debug)]
pub(crate) struct Lru<K, V> {
    map: HashMap<K, Entry<V>, FixedState>,
    budget: usize,
    cost: usize,
    clock: u64,
    stamps: Vec<(u64, usize)>,
}

impl<K: Eq + Hash, V> Lru<K, V> {
    pub(crate) fn new(budget: usize) -> Self {
        let map = HashMap::with_hasher(FixedState::with_seed(0));
        Self { map, budget, cost: 0, clock: 0, stamps: Vec::new() }
    }
    pub(crate) fn get(&mut self, key: &K) -> Option<&V> {
        let e = self.map.get_mut(key)?;
        self.clock += 1;
        e.used = self.clock;
        Some(&e.value)
    }
    /// Inserts; an entry that alone is over the budget is not kept.
    pub(crate) fn insert(&mut self, key: K, value: V, cost: usize) {
        if cost > self.budget {
            return;
        }
        self.clock += 1;
        if let Some(old) = self.map.insert(key, Entry { value, cost, used: self.clock }) {
            self.cost -= old.cost;
        }
        self.cost += cost;
        if self.cost > self.budget {
            self.shrink(self.budget - self.budget / 4);
        }
    }
    fn shrink(&mut self, target: usize) {
        self.stamps.clear();
        self.stamps.extend(self.map.values().map(|e| (e.used, e.cost)));
        self.stamps.sort_unstable();
        let mut left = self.cost;
        let mut oldest_kept = u64::MAX;
        for (used, cost) in &self.stamps {
            if left <= target {
                oldest_kept = *used;
                break;
            }
            left -= cost;
        }
        self.map.retain(|_, e| e.used >= oldest_kept);
        self.cost = left;
    }
    pub(crate) fn set_budget(&mut self, budget: usize) {
        self.budget = budget;
        if self.cost > budget {
            self.shrink(budget);
        }
    }
    pub(crate) fn len(&self) -> usize {
        self.map.len()
    }
    pub(crate) fn cost(&self) -> usize {
        self.cost
    }
    pub(crate) fn clear(&mut self) {
        self.map.clear();
        self.cost = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_within_its_budget_and_keeps_what_is_used() {
        let mut c = Lru::new(100);
        for i in 0..10_000u32 {
            c.insert(i, i * 2, 1 + (i as usize % 3));
            assert!(c.cost() <= 100, "{} at {i}", c.cost());
            // Number 0 is asked for all the time and never goes.
            assert_eq!(c.get(&0), Some(&0), "at {i}");
        }
        assert!(c.len() >= 30);
        assert_eq!(c.cost(), c.map.values().map(|e| e.cost).sum::<usize>());
        c.insert(1, 1, 101);
        assert!(c.get(&1).is_none(), "over the budget alone");
        c.set_budget(10);
        assert!(c.cost() <= 10);
        c.clear();
        assert_eq!((c.len(), c.cost()), (0, 0));
    }
}
