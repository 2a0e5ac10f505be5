//! Things made from a key, shared by threads and kept between frames within a budget of bytes; what
//! was used longest ago goes first. Two threads may make the same thing; both are equal.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// Something with a size.
pub(crate) trait Weigh {
    /// Bytes that it keeps.
    fn bytes(&self) -> usize;
}

#[derive(Debug)]
struct Inner<K, V> {
    all: HashMap<K, (Arc<V>, u64)>,
    bytes: usize,
    clock: u64,
}

/// A bounded cache.
#[derive(Debug)]
pub(crate) struct Cache<K, V> {
    inner: Mutex<Inner<K, V>>,
    budget: usize,
}

impl<K: Copy + Eq + Hash, V: Weigh> Cache<K, V> {
    /// Keeps at most so many bytes.
    pub(crate) fn new(budget: usize) -> Self {
        let inner = Inner { all: HashMap::new(), bytes: 0, clock: 0 };
        Self { inner: Mutex::new(inner), budget }
    }

    /// What belongs to the key, made when it is not there.
    pub(crate) fn get(&self, key: K, make: impl FnOnce() -> V) -> Arc<V> {
        let lock = || self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut inner = lock();
            inner.clock += 1;
            let now = inner.clock;
            if let Some((v, used)) = inner.all.get_mut(&key) {
                *used = now;
                return v.clone();
            }
        }
        let v = Arc::new(make());
        let size = v.bytes();
        let mut inner = lock();
        let now = inner.clock;
        while inner.bytes + size > self.budget {
            let oldest = inner.all.iter().min_by_key(|(_, (_, used))| *used).map(|(k, _)| *k);
            let Some((gone, _)) = oldest.and_then(|k| inner.all.remove(&k)) else { break };
            inner.bytes -= gone.bytes();
        }
        if inner.all.insert(key, (v.clone(), now)).is_none() {
            inner.bytes += size;
        }
        v
    }
}
