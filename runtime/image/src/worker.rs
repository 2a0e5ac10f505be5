//! The thread that opens and decodes, made at first use. It ends with its cache: the queue's
//! other side goes away. One thread, since a board of four cores has three busy with the frame.

use crate::{DecodeError, Limits, decode::decode_with};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::SystemTime;
use zinc_scene::Image;

/// Called from the worker when an answer is there to be fetched.
pub(crate) type Wake = Arc<dyn Fn() + Send + Sync>;

/// What tells one state of a file from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    modified: Option<SystemTime>,
    len: u64,
}

impl Stamp {
    /// `None` when there is no such file.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok().map(|m| Self { modified: m.modified().ok(), len: m.len() })
    }
}

/// An answer.
pub(crate) struct Done {
    pub(crate) path: PathBuf,
    pub(crate) ticket: u64,
    pub(crate) result: Result<Image, DecodeError>,
    /// The file as it was when it was opened.
    pub(crate) stamp: Option<Stamp>,
}

/// Opens, reads and decodes a file.
pub(crate) fn load(
    path: &Path,
    limits: &Limits,
    max_side: Option<u32>,
) -> (Result<Image, DecodeError>, Option<Stamp>) {
    // Before opening: a change in between is then seen as a change.
    let stamp = Stamp::of(path);
    let result = read(path, limits).and_then(|b| decode_with(&b, max_side, limits));
    (result, stamp)
}

fn read(path: &Path, limits: &Limits) -> Result<Vec<u8>, DecodeError> {
    let file = File::open(path).map_err(DecodeError::Io)?;
    let len = file.metadata().map_err(DecodeError::Io)?.len();
    if len > limits.bytes as u64 {
        return Err(DecodeError::TooManyBytes { bytes: len, limit: limits.bytes });
    }
    let mut bytes = Vec::with_capacity(len as usize);
    // A file that grows, or a pipe, ends here too.
    file.take(limits.bytes as u64 + 1).read_to_end(&mut bytes).map_err(DecodeError::Io)?;
    Ok(bytes)
}

struct Job {
    path: PathBuf,
    ticket: u64,
    limits: Limits,
    max_side: Option<u32>,
}

/// A queue to the thread and one back.
pub(crate) struct Worker {
    jobs: Sender<Job>,
    done: Receiver<Done>,
}

impl Worker {
    /// Starts the thread.
    pub(crate) fn start(wake: Wake) -> std::io::Result<Self> {
        let (jobs, todo) = channel::<Job>();
        let (out, done) = channel();
        std::thread::Builder::new().name("zinc-image".into()).spawn(move || {
            for Job { path, ticket, limits, max_side } in todo {
                let (result, stamp) = load(&path, &limits, max_side);
                if out.send(Done { path, ticket, result, stamp }).is_err() {
                    return;
                }
                wake();
            }
        })?;
        Ok(Self { jobs, done })
    }
    /// Queues a file; false when the thread is gone.
    pub(crate) fn send(
        &self,
        path: &Path,
        ticket: u64,
        limits: Limits,
        max_side: Option<u32>,
    ) -> bool {
        self.jobs.send(Job { path: path.to_owned(), ticket, limits, max_side }).is_ok()
    }
    /// The next answer, if one is there.
    pub(crate) fn poll(&self) -> Option<Done> {
        self.done.try_recv().ok()
    }
}
