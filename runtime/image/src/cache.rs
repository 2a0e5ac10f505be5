//! Pictures by path. Asking never waits: a file is opened and decoded by a worker, and until
//! then the answer is "loading". A file that failed is one line in the log, and is looked at
//! again (its size and time, once a second; not its content) until it changes. Bitmaps have a
//! ceiling, 64 MiB by default; what was not asked for longest goes first, and what this frame
//! has asked for stays.

use crate::worker::{Done, Stamp, Wake, Worker, load};
use crate::{DecodeError, Limits, decode_fit};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use zinc_scene::Image;

/// What is known of a picture now.
#[derive(Clone, Debug)]
pub enum Slot {
    /// On its way.
    Loading,
    /// There.
    Ready(Arc<Image>),
    /// It cannot be shown, until its file changes.
    Failed(Arc<DecodeError>),
}

impl Slot {
    /// The picture, if it is there.
    pub fn ready(&self) -> Option<&Arc<Image>> {
        match self {
            Slot::Ready(i) => Some(i),
            Slot::Loading | Slot::Failed(_) => None,
        }
    }
}

/// Who decodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// A worker thread.
    #[default]
    Worker,
    /// The caller, at the first question: for tests and scripted runs, where the picture must be
    /// there in the first frame.
    Now,
}

/// How a cache works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheOptions {
    /// Ceiling of all bitmaps together, in bytes.
    pub budget: usize,
    /// Limits of each file.
    pub limits: Limits,
    /// Larger pictures are scaled down to this side: the display's longer one.
    pub max_side: Option<u32>,
    /// Who decodes.
    pub mode: Mode,
    /// How often a failed file is looked at.
    pub recheck: Duration,
}

impl Default for CacheOptions {
    fn default() -> Self {
        Self {
            budget: 64 << 20,
            limits: Limits::default(),
            max_side: None,
            mode: Mode::Worker,
            recheck: Duration::from_secs(1),
        }
    }
}

/// Files known at once; the longest unused ones are forgotten beyond.
const ENTRIES: usize = 4096;
/// Files on their way at once; others are queued when they are asked for again.
const IN_FLIGHT: usize = 64;

#[derive(Debug)]
enum State {
    /// Not asked for, or its bitmap was dropped.
    Idle,
    Loading,
    Ready(Arc<Image>),
    Failed(Arc<DecodeError>, Option<Stamp>),
}

#[derive(Debug)]
struct Entry {
    state: State,
    ticket: u64,
    used: u64,
    frame: u64,
    checked: Duration,
    opens: u32,
}

/// Pictures by path, and those built into the program by name.
pub struct ImageCache {
    options: CacheOptions,
    files: HashMap<PathBuf, Entry>,
    built_in: HashMap<&'static str, Result<Arc<Image>, Arc<DecodeError>>>,
    worker: Option<Worker>,
    wake: Wake,
    now: Duration,
    frame: u64,
    clock: u64,
    bytes: usize,
    in_flight: usize,
    said_full: bool,
}

impl core::fmt::Debug for ImageCache {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ImageCache")
            .field("files", &self.files.len())
            .field("bytes", &self.bytes)
            .field("in_flight", &self.in_flight)
            .finish_non_exhaustive()
    }
}

impl Default for ImageCache {
    fn default() -> Self {
        Self::new(CacheOptions::default(), || {})
    }
}

/// Bytes that a picture counts for: its pixels, and what it takes to know it.
fn size_of(i: &Image) -> usize {
    i.pixels().len() * 4 + 256
}

impl ImageCache {
    /// An empty cache. `wake` is called, on the worker's thread, when a picture has arrived.
    pub fn new(options: CacheOptions, wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            options,
            files: HashMap::new(),
            built_in: HashMap::new(),
            worker: None,
            wake: Arc::new(wake),
            now: Duration::ZERO,
            frame: 0,
            clock: 0,
            bytes: 0,
            in_flight: 0,
            said_full: false,
        }
    }

    /// A frame begins: the caller's time, and what has arrived. Answers whether a picture changed
    /// its state.
    pub fn tick(&mut self, now: Duration) -> bool {
        self.now = now;
        self.frame += 1;
        self.collect()
    }

    /// What is known of the file now.
    pub fn get(&mut self, path: &Path) -> Slot {
        self.collect();
        let mode = self.options.mode;
        if self.touch(path) {
            match mode {
                Mode::Now => self.load_now(path),
                Mode::Worker => self.queue(path),
            }
        }
        self.slot(path)
    }

    /// The file's picture, decoded here when it is not there yet.
    pub fn get_now(&mut self, path: &Path) -> Slot {
        self.collect();
        let wanted = self.touch(path);
        let loading = self.files.get(path).is_some_and(|e| matches!(e.state, State::Loading));
        if wanted || loading {
            self.load_now(path);
        }
        self.slot(path)
    }

    /// A picture built into the program (`include_bytes!`), decoded at the first question and
    /// kept. Not part of the budget: the program's author knows how many there are.
    pub fn get_built_in(&mut self, name: &'static str, bytes: &[u8]) -> Slot {
        let CacheOptions { limits, max_side, .. } = self.options;
        let known = self.built_in.entry(name).or_insert_with(|| {
            decode_fit(bytes, max_side.unwrap_or(u32::MAX), &limits).map(Arc::new).map_err(|e| {
                tracing::warn!("picture {name}: {e}");
                Arc::new(e)
            })
        });
        match known {
            Ok(i) => Slot::Ready(i.clone()),
            Err(e) => Slot::Failed(e.clone()),
        }
    }

    /// Forgets a file, for instance when it was written anew.
    pub fn forget(&mut self, path: &Path) {
        if let Some(e) = self.files.remove(path) {
            match e.state {
                State::Ready(i) => self.bytes -= size_of(&i),
                State::Loading => self.in_flight -= 1,
                State::Idle | State::Failed(..) => {}
            }
        }
    }
    /// How often the file was opened.
    pub fn opens(&self, path: &Path) -> u32 {
        self.files.get(path).map_or(0, |e| e.opens)
    }
    /// Bytes of all bitmaps held.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
    /// Files on their way.
    pub fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Marks a file as asked for; whether it must be loaded.
    fn touch(&mut self, path: &Path) -> bool {
        self.clock += 1;
        let (used, frame, now) = (self.clock, self.frame, self.now);
        if let Some(e) = self.files.get_mut(path) {
            (e.used, e.frame) = (used, frame);
            return match &e.state {
                State::Idle => true,
                State::Loading | State::Ready(_) => false,
                State::Failed(_, stamp) => {
                    if now < e.checked + self.options.recheck {
                        return false;
                    }
                    e.checked = now;
                    *stamp != Stamp::of(path)
                }
            };
        }
        if self.files.len() >= ENTRIES {
            self.forget_unused();
        }
        let entry = Entry { state: State::Idle, ticket: 0, used, frame, checked: now, opens: 0 };
        self.files.insert(path.to_owned(), entry);
        true
    }

    fn slot(&self, path: &Path) -> Slot {
        match self.files.get(path).map(|e| &e.state) {
            Some(State::Ready(i)) => Slot::Ready(i.clone()),
            Some(State::Failed(e, _)) => Slot::Failed(e.clone()),
            Some(State::Idle | State::Loading) | None => Slot::Loading,
        }
    }

    fn queue(&mut self, path: &Path) {
        if self.in_flight >= IN_FLIGHT {
            return;
        }
        if self.worker.is_none() {
            match Worker::start(self.wake.clone()) {
                Ok(w) => self.worker = Some(w),
                Err(e) => {
                    tracing::warn!("no thread for pictures ({e}): they are decoded in the frame");
                    self.options.mode = Mode::Now;
                    return self.load_now(path);
                }
            }
        }
        let ticket = self.clock;
        let CacheOptions { limits, max_side, .. } = self.options;
        let sent = self.worker.as_ref().is_some_and(|w| w.send(path, ticket, limits, max_side));
        if !sent {
            // It ended (its `wake` panicked): the next question starts another one.
            self.worker = None;
        } else if let Some(e) = self.files.get_mut(path) {
            e.state = State::Loading;
            e.ticket = ticket;
            e.opens += 1;
            self.in_flight += 1;
        }
    }

    fn load_now(&mut self, path: &Path) {
        let (result, stamp) = load(path, &self.options.limits, self.options.max_side);
        let Some(e) = self.files.get_mut(path) else { return };
        if matches!(core::mem::replace(&mut e.state, State::Idle), State::Loading) {
            // The worker's answer will come too late.
            self.in_flight -= 1;
        }
        e.opens += 1;
        e.ticket = self.clock;
        let ticket = e.ticket;
        self.settle(Done { path: path.to_owned(), ticket, result, stamp });
    }

    /// Takes what the worker has done.
    fn collect(&mut self) -> bool {
        let mut changed = false;
        while let Some(done) = self.worker.as_ref().and_then(Worker::poll) {
            let waits = |e: &Entry| e.ticket == done.ticket && matches!(e.state, State::Loading);
            if self.files.get(&done.path).is_some_and(waits) {
                self.in_flight -= 1;
                self.settle(done);
                changed = true;
            }
        }
        changed
    }

    fn settle(&mut self, done: Done) {
        let Done { path, result, stamp, .. } = done;
        let over = |i: &Image| size_of(i) > self.options.budget;
        let now = self.now;
        let Some(e) = self.files.get_mut(&path) else { return };
        match result {
            Ok(i) if over(&i) => {
                let (bytes, limit) = (size_of(&i) as u64, self.options.budget as u64);
                let error = DecodeError::Budget { bytes, limit };
                tracing::warn!("picture {}: {error}", path.display());
                e.state = State::Failed(Arc::new(error), stamp);
                e.checked = now;
            }
            Ok(i) => {
                self.bytes += size_of(&i);
                e.state = State::Ready(Arc::new(i));
                self.shrink(&path);
            }
            Err(error) => {
                tracing::warn!("picture {}: {error}", path.display());
                e.state = State::Failed(Arc::new(error), stamp);
                e.checked = now;
            }
        }
    }

    /// Drops bitmaps until all are within the budget; `new` has just come.
    fn shrink(&mut self, new: &Path) {
        while self.bytes > self.options.budget {
            let frame = self.frame;
            let idle = self.files.iter_mut().filter(|(p, e)| {
                let in_use = frame > 0 && e.frame == frame;
                matches!(e.state, State::Ready(_)) && !in_use && p.as_path() != new
            });
            let Some((_, e)) = idle.min_by_key(|(_, e)| e.used) else {
                if !core::mem::replace(&mut self.said_full, true) {
                    let (have, max) = (self.bytes, self.options.budget);
                    tracing::warn!("one frame's pictures take {have} bytes, over {max}");
                }
                return;
            };
            if let State::Ready(i) = core::mem::replace(&mut e.state, State::Idle) {
                self.bytes -= size_of(&i);
            }
        }
    }

    /// Makes room in the table: the older half of what holds nothing.
    fn forget_unused(&mut self) {
        let rest = |e: &Entry| matches!(e.state, State::Idle | State::Failed(..));
        let mut ages: Vec<u64> = self.files.values().filter(|e| rest(e)).map(|e| e.used).collect();
        ages.sort_unstable();
        let Some(limit) = ages.get(ages.len() / 2).copied() else { return };
        self.files.retain(|_, e| !(rest(e) && e.used <= limit));
    }
}
