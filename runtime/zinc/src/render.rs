//! From a list to pixels in a slot, on the caller or on a thread of its own. With a thread the
//! app builds the next list while this one is drawn; one frame of credit, never more.

use crate::profile::Clock;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::JoinHandle;
use zinc_hal::{Slot, Waker};
use zinc_raster::{Rasterizer, store_surface};
use zinc_scene::{CommandList, LayerPlan, PixelFormat, Region, Rotation, TargetMut};

/// One frame to draw.
pub(crate) struct Job {
    pub(crate) number: u64,
    pub(crate) list: Arc<CommandList>,
    pub(crate) plan: LayerPlan,
    /// What changed since the last frame.
    pub(crate) damage: Region,
    /// What the slot lacks, and the slot.
    pub(crate) lacks: Region,
    pub(crate) slot: Slot,
}

/// One frame drawn.
pub(crate) struct Done {
    pub(crate) number: u64,
    pub(crate) slot: Slot,
    pub(crate) damage: Region,
    pub(crate) raster_ns: u64,
    /// Hash of the surface, when asked for.
    pub(crate) hash: Option<u64>,
    /// A copy of the surface, when this frame is to be kept.
    pub(crate) pixels: Option<Surface>,
    /// Given back for its memory.
    pub(crate) plan: LayerPlan,
}

/// Pixels of a whole surface, premultiplied B, G, R, A.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surface {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) bytes: Vec<u8>,
}

impl Surface {
    pub(crate) fn target(&mut self) -> TargetMut<'_> {
        TargetMut {
            bytes: &mut self.bytes,
            width: self.width,
            height: self.height,
            pitch: self.width as usize * 4,
            format: PixelFormat::Argb8888,
            rotation: Rotation::Deg0,
        }
    }

    /// FNV-1a, 64 bits, over all bytes in order.
    pub(crate) fn hash(&self) -> u64 {
        self.bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| {
            (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }
}

/// Draws jobs.
pub(crate) struct Painter {
    raster: Rasterizer,
    /// The surface itself, kept whole when hashes or pictures are asked for.
    surface: Option<Surface>,
    hash: bool,
    /// Each frame's pixels go along with it.
    keep: bool,
}

impl Painter {
    pub(crate) fn new(threads: usize, surface: bool, hash: bool, keep: bool) -> Self {
        let surface = surface.then(Surface::default);
        Self { raster: Rasterizer::new(threads), surface, hash, keep }
    }

    /// As `ZINC_ANTIALIAS` says.
    pub(crate) fn antialiasing(mut self, on: bool) -> Self {
        self.raster.set_antialiasing(on);
        self
    }

    fn draw(&mut self, mut job: Job) -> Done {
        let clock = Clock::start();
        let number = job.number;
        let _span = tracing::info_span!(target: zinc_raster::TRACE, "raster", number).entered();
        let (mut hash, mut pixels) = (None, None);
        if let Some(s) = &mut self.surface {
            let (w, h) = (job.list.width(), job.list.height());
            let mut damage = job.damage;
            if (s.width, s.height) != (w, h) {
                *s = Surface { width: w, height: h, bytes: vec![0; w as usize * h as usize * 4] };
                damage = Region::of(job.list.surface());
            }
            self.raster.render(&job.list, &job.plan, &damage, &mut s.target());
            store_surface(&s.bytes, (w, h), &job.lacks, &mut job.slot.target());
            hash = self.hash.then(|| s.hash());
            pixels = self.keep.then(|| s.clone());
        } else {
            self.raster.render(&job.list, &job.plan, &job.lacks, &mut job.slot.target());
        }
        Done {
            number: job.number,
            slot: job.slot,
            damage: job.damage,
            raster_ns: clock.ns(),
            hash,
            pixels,
            plan: job.plan,
        }
    }
}

/// The render thread is gone: it panicked, and said why.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the render thread died; its message is above")]
pub(crate) struct RenderDied;

/// Where jobs go.
pub(crate) enum Renderer {
    /// Drawn at once, on the caller.
    Inline(Box<Painter>, Option<Box<Done>>),
    /// Drawn on the thread `zinc-render`.
    Thread {
        jobs: Option<Sender<Job>>,
        done: Receiver<Done>,
        busy: bool,
        handle: Option<JoinHandle<()>>,
    },
}

impl Renderer {
    /// With a thread when `waker` is given; it is called after each frame.
    pub(crate) fn new(painter: Painter, waker: Option<Waker>) -> Self {
        let Some(waker) = waker else { return Renderer::Inline(Box::new(painter), None) };
        let (jobs, inbox) = channel::<Job>();
        let (outbox, done) = channel();
        let mut painter = painter;
        let run = move || {
            while let Ok(job) = inbox.recv() {
                if outbox.send(painter.draw(job)).is_err() {
                    return;
                }
                waker();
            }
        };
        match std::thread::Builder::new().name("zinc-render".into()).spawn(run) {
            Ok(h) => Renderer::Thread { jobs: Some(jobs), done, busy: false, handle: Some(h) },
            Err(e) => {
                tracing::error!("no render thread ({e}): frames are drawn on the main thread");
                let painter = Painter::new(1, false, false, false);
                Renderer::Inline(Box::new(painter), None)
            }
        }
    }

    /// A frame is being drawn, or drawn and not yet taken.
    pub(crate) fn is_busy(&self) -> bool {
        match self {
            Renderer::Inline(_, done) => done.is_some(),
            Renderer::Thread { busy, .. } => *busy,
        }
    }

    /// Hands a frame over. Only while it is not busy.
    pub(crate) fn submit(&mut self, job: Job) {
        match self {
            Renderer::Inline(p, done) => *done = Some(Box::new(p.draw(job))),
            Renderer::Thread { jobs, busy, .. } => {
                *busy = jobs.as_ref().is_some_and(|j| j.send(job).is_ok());
            }
        }
    }

    /// The frame handed over, if it is drawn; `wait` waits for it. `None` without one.
    pub(crate) fn take(&mut self, wait: bool) -> Result<Option<Done>, RenderDied> {
        match self {
            Renderer::Inline(_, done) => Ok(done.take().map(|d| *d)),
            Renderer::Thread { busy: false, .. } => Ok(None),
            Renderer::Thread { done, busy, .. } => {
                let frame = if wait {
                    done.recv().map_err(|_| RenderDied)?
                } else {
                    match done.try_recv() {
                        Ok(d) => d,
                        Err(TryRecvError::Empty) => return Ok(None),
                        Err(TryRecvError::Disconnected) => return Err(RenderDied),
                    }
                };
                *busy = false;
                Ok(Some(frame))
            }
        }
    }
}

impl Drop for Renderer {
    fn drop(&mut self) {
        if let Renderer::Thread { jobs, handle, .. } = self {
            jobs.take();
            if let Some(h) = handle.take() {
                let _ = h.join();
            }
        }
    }
}
