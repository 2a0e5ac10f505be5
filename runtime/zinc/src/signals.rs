//! Signals, as news for the loop: who ends the program (SIGTERM, SIGINT, SIGHUP) gets its pictures
//! finished and its statistics printed, and who switches to another virtual terminal (SIGUSR1,
//! SIGUSR2, which `zinc-console` asks the kernel for) gets the glass.
//!
//! A thread waits for them and sleeps otherwise. A program that does not end by itself within
//! [`PATIENCE`], or is told twice, is ended.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::{Handle, Signals as Source};
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;
use zinc_hal::Waker;

/// From the first word to the end by force.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// To end.
    End,
    /// To leave the glass to another terminal.
    Leave,
    /// To take it back.
    Return,
}

/// Listens until it is dropped.
#[derive(Debug)]
pub(crate) struct Signals {
    told: Receiver<Told>,
    handle: Handle,
    thread: Option<JoinHandle<()>>,
}

impl Signals {
    /// Starts to listen. What was ignored at the program's start (`nohup`) stays ignored.
    pub(crate) fn listen(waker: Waker) -> io::Result<Self> {
        let ignored = ignored();
        let all = [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2];
        let source = Source::new(all.into_iter().filter(|s| ignored >> (s - 1) & 1 == 0))?;
        let handle = source.handle();
        let (out, told) = channel();
        let thread = std::thread::Builder::new()
            .name("zinc-signals".into())
            .spawn(move || listen(source, &out, &waker))?;
        Ok(Self { told, handle, thread: Some(thread) })
    }

    /// What was asked for since the last call, in order.
    pub(crate) fn next(&self) -> Option<Told> {
        self.told.try_recv().ok()
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.handle.close();
        if let Some(t) = self.thread.take() {
            // It panics nowhere, and there is nothing to do about it here.
            let _ = t.join();
        }
    }
}

fn listen(mut source: Source, out: &Sender<Told>, waker: &Waker) {
    let mut ending: Option<Sender<()>> = None;
    for s in source.forever() {
        let told = match s {
            SIGUSR1 => Told::Leave,
            SIGUSR2 => Told::Return,
            _ if ending.is_some() => {
                tracing::error!("told to end twice: the program is ended");
                signal_hook::low_level::exit(128 + s);
            }
            _ => {
                ending = Some(watch(s));
                Told::End
            }
        };
        if out.send(told).is_err() {
            break;
        }
        waker();
    }
}

/// Ends the program by force when what is answered still lives after [`PATIENCE`].
fn watch(signal: i32) -> Sender<()> {
    let (alive, over) = channel::<()>();
    let wait = move || {
        if over.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            tracing::error!("the program did not end within {PATIENCE:?}: it is ended");
            signal_hook::low_level::exit(128 + signal);
        }
    };
    if let Err(e) = std::thread::Builder::new().name("zinc-end".into()).spawn(wait) {
        tracing::warn!("nobody watches over the end of the program: {e}");
    }
    alive
}

/// Signals that are ignored, bit n-1 for signal n.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    line.and_then(|l| u64::from_str_radix(l.trim(), 16).ok()).unwrap_or(0)
}
