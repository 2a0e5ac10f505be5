//! Work beside the screen: [`Task`] for one result, [`Latest`] for the newest value of a sensor,
//! [`Inbox`] for commands in order. Each wakes the loop; a view only ever looks.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use zinc_hal::Waker;

/// What can fail in an app, with its cause.
pub type Error = Box<dyn std::error::Error + Send + Sync>;
/// A result with any error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic while holding the lock leaves plain data; the value is as good as before.
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where background work is started, and how it wakes the loop.
#[derive(Clone)]
pub struct Spawner {
    waker: Waker,
    inline: bool,
}

impl core::fmt::Debug for Spawner {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Spawner(inline: {})", self.inline)
    }
}

impl Spawner {
    /// `waker` is called when something is ready. `inline` runs tasks at once on the caller, so
    /// that scripted runs give the same frames every time.
    pub fn new(waker: Waker, inline: bool) -> Self {
        Self { waker, inline }
    }
    /// Runs `f` on a thread of its own; it may block.
    pub fn spawn<T: Send + Sync + 'static>(
        &self,
        f: impl FnOnce() -> T + Send + 'static,
    ) -> Task<T> {
        let cell = Arc::new(OnceLock::new());
        if self.inline {
            let _ = cell.set(f());
            return Task(Some(cell));
        }
        let (out, waker) = (cell.clone(), self.waker.clone());
        let run = move || {
            let _ = out.set(f());
            waker();
        };
        if let Err(e) = std::thread::Builder::new().name("zinc-task".into()).spawn(run) {
            tracing::error!("cannot start a thread for a task: {e}");
        }
        Task(Some(cell))
    }
    /// Runs `f` for as long as the program lives; it hands values over through `out`. In scripted
    /// runs (virtual time) it is not started, since its values would come at no certain frame:
    /// the value stays as it is until the app or a test sets it.
    pub fn thread<T: Send + 'static>(
        &self,
        to: &Latest<T>,
        f: impl FnOnce(Sender<T>) + Send + 'static,
    ) {
        if self.inline {
            tracing::info!("virtual time: a thread of the app is not started");
            return;
        }
        let out = Sender { cell: to.cell.clone(), waker: self.waker.clone() };
        let run = move || f(out);
        if let Err(e) = std::thread::Builder::new().name("zinc-thread".into()).spawn(run) {
            tracing::error!("cannot start a thread: {e}");
        }
    }
    /// The sending end of an inbox, for a thread of your own.
    pub fn post<T>(&self, to: &Inbox<T>) -> Post<T> {
        Post { shared: to.0.clone(), waker: self.waker.clone() }
    }
    /// Wakes the loop.
    pub fn wake(&self) {
        (self.waker)();
    }
}

/// One result, some time.
#[derive(Debug)]
pub struct Task<T>(Option<Arc<OnceLock<T>>>);

impl<T> Default for Task<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Task<T> {
    /// The result, when it is there.
    pub fn get(&self) -> Option<&T> {
        self.0.as_ref().and_then(|c| c.get())
    }
    /// It was started.
    pub fn is_started(&self) -> bool {
        self.0.is_some()
    }
}

/// The newest value of something that changes elsewhere.
#[derive(Debug, Default)]
pub struct Latest<T> {
    cell: Arc<Mutex<T>>,
}

impl<T> Latest<T> {
    /// Starts with `value`.
    pub fn new(value: T) -> Self {
        Self { cell: Arc::new(Mutex::new(value)) }
    }
    /// A copy of it.
    pub fn get(&self) -> T
    where
        T: Clone,
    {
        lock(&self.cell).clone()
    }
    /// Replaces it, from the view's side.
    pub fn set(&self, value: T) {
        *lock(&self.cell) = value;
    }
}

/// The writing end of a [`Latest`].
pub struct Sender<T> {
    cell: Arc<Mutex<T>>,
    waker: Waker,
}

impl<T> core::fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Sender")
    }
}

impl<T> Sender<T> {
    /// Replaces the value; the loop wakes at most once a frame, however often this is called.
    pub fn set(&self, value: T) {
        *lock(&self.cell) = value;
        (self.waker)();
    }
}

#[derive(Debug)]
struct Queue<T> {
    items: VecDeque<T>,
    capacity: usize,
    dropped: u64,
}

/// Commands in order, bounded: when it is full the newest is dropped and counted.
#[derive(Debug)]
pub struct Inbox<T>(Arc<Mutex<Queue<T>>>);

impl<T> Default for Inbox<T> {
    fn default() -> Self {
        Self::new(64)
    }
}

impl<T> Inbox<T> {
    /// For at most `capacity` waiting commands.
    pub fn new(capacity: usize) -> Self {
        Self(Arc::new(Mutex::new(Queue { items: VecDeque::new(), capacity, dropped: 0 })))
    }
    /// The oldest waiting command.
    pub fn take(&self) -> Option<T> {
        lock(&self.0).items.pop_front()
    }
    /// How many were dropped so far.
    pub fn dropped(&self) -> u64 {
        lock(&self.0).dropped
    }
}

/// The writing end of an [`Inbox`].
pub struct Post<T> {
    shared: Arc<Mutex<Queue<T>>>,
    waker: Waker,
}

impl<T> core::fmt::Debug for Post<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Post")
    }
}

impl<T> Post<T> {
    /// Appends a command; gives it back when the inbox is full.
    ///
    /// # Errors
    /// The command, undelivered.
    pub fn send(&self, item: T) -> std::result::Result<(), T> {
        let mut q = lock(&self.shared);
        if q.items.len() >= q.capacity {
            q.dropped += 1;
            return Err(item);
        }
        q.items.push_back(item);
        drop(q);
        (self.waker)();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::{Duration, Instant};

    fn counting() -> (Spawner, Arc<AtomicUsize>) {
        let wakes = Arc::new(AtomicUsize::new(0));
        let w = wakes.clone();
        let waker: Waker = Arc::new(move || {
            w.fetch_add(1, Ordering::SeqCst);
        });
        (Spawner::new(waker, false), wakes)
    }

    #[test]
    fn a_task_ends_and_wakes() {
        let (s, wakes) = counting();
        let t = s.spawn(|| 42);
        let start = Instant::now();
        while wakes.load(Ordering::SeqCst) == 0 {
            assert!(start.elapsed() < Duration::from_secs(10));
            std::thread::yield_now();
        }
        assert_eq!(t.get(), Some(&42));
        assert_eq!(Task::<u8>::default().get(), None);
    }

    #[test]
    fn a_scripted_run_starts_no_thread_and_ends_tasks_at_once() {
        let s = Spawner::new(Arc::new(|| {}), true);
        let latest = Latest::new(7);
        s.thread(&latest, |out| out.set(8));
        assert_eq!((latest.get(), s.spawn(|| 3).get()), (7, Some(&3)));
    }

    #[test]
    fn a_full_inbox_counts_what_it_drops() {
        let (s, wakes) = counting();
        let inbox = Inbox::new(2);
        let post = s.post(&inbox);
        assert_eq!((0..3).map(|i| post.send(i)).collect::<Vec<_>>(), [Ok(()), Ok(()), Err(2)]);
        assert_eq!((inbox.take(), inbox.take(), inbox.take()), (Some(0), Some(1), None));
        assert_eq!((inbox.dropped(), wakes.load(Ordering::SeqCst)), (1, 2));
    }
}
