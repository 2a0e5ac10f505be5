//! A browser as a test drives it: Chromium without a screen over its DevTools protocol, and a
//! program under test that shows itself in it. Everything a person would do is done through the
//! protocol's input, everything they would see is read from the page's canvas.

mod chrome;
mod live;
mod tab;

pub use chrome::Chrome;
pub use live::Live;
pub use tab::{Area, Tab};

use std::time::{Duration, Instant};

/// Longest wait for something that has to come: ten times what a slow machine takes.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Asks until there is an answer.
///
/// # Panics
/// When there is none in time.
#[track_caller]
pub fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(v) = ask() {
            return v;
        }
        assert!(start.elapsed() < PATIENCE, "waited {PATIENCE:?} in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
