//! What the display and its pages share: who watches, what each still lacks, what happened.
//!
//! Rules. A page has one frame in flight at most; what is presented meanwhile gathers in its
//! `lacks` and goes out as one frame, cut from the kept copy: a lagging page costs a region of 16
//! boxes, not a queue. A frame is presented when the first page has shown it, so that the
//! quickest one paces the app. The window heard of last rules the size. A page that is hidden, or
//! has not shown a frame for [`STALL`], is no viewer; without viewers every frame counts as
//! presented at once and the app is told not to draw.

mod input;

use crate::pixels::Kept;
use crate::wire::{FrameHead, Window};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use zinc_hal::{DisplayEvent, Key, Waker};
use zinc_scene::{IRect, Region};

/// Pages at once.
pub(crate) const PAGES: usize = 8;
/// A page that has not shown a frame for so long does not watch.
pub(crate) const STALL: Duration = Duration::from_secs(5);
/// Greatest side and area of a surface that follows a window: 128 MB.
const SIDE: u32 = 8192;
const AREA: u32 = 32 << 20;

/// The surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Surface {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) scale: f32,
}

/// How the surface gets its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sizing {
    /// As the app was told.
    Fixed,
    /// As the window, with so many surface pixels per layout pixel on an ordinary screen.
    Follows { scale: f32 },
}

/// A page.
#[derive(Debug)]
struct Page {
    notify: Arc<Notify>,
    visible: bool,
    stalled: bool,
    lacks: Region,
    sequence: u32,
    /// Sequence and number of the frame that is not yet on its screen.
    in_flight: Option<(u32, u64)>,
    /// What its window offers, and when it said so.
    window: Option<(Window, u64)>,
    pointers: Vec<input::Present>,
    keys: Vec<Key>,
    clipboard: Option<String>,
}

impl Page {
    fn watches(&self) -> bool {
        self.visible && !self.stalled
    }
}

/// All of it, behind one lock.
pub(crate) struct Hub {
    pub(crate) kept: Kept,
    pub(crate) surface: Surface,
    sizing: Sizing,
    start: Instant,
    waker: Waker,
    pages: [Option<Page>; PAGES],
    inbox: Vec<DisplayEvent>,
    dropped: u64,
    /// The frame that no page has shown yet.
    pending: Option<u64>,
    newest: u64,
    clock: u64,
    /// The page that acted last.
    actor: Option<usize>,
}

impl Hub {
    pub(crate) fn new(surface: Surface, sizing: Sizing, start: Instant, waker: Waker) -> Self {
        let mut kept = Kept::default();
        kept.resize(surface.width, surface.height);
        Self {
            kept,
            surface,
            sizing,
            start,
            waker,
            pages: Default::default(),
            inbox: Vec::new(),
            dropped: 0,
            pending: None,
            newest: 0,
            clock: 0,
            actor: None,
        }
    }

    fn wake(&self) {
        (self.waker)();
    }

    // ---- The display's side.

    /// Somebody looks.
    pub(crate) fn is_watched(&self) -> bool {
        self.pages.iter().flatten().any(Page::watches)
    }

    /// A frame is drawn: it is kept, and every page hears of it.
    pub(crate) fn present(&mut self, bytes: &[u8], pitch: usize, damage: &[IRect], number: u64) {
        // After a resize nothing but a whole frame helps.
        let whole = [self.kept.surface()];
        let damage = if self.kept.is_valid() { damage } else { &whole };
        self.kept.store(bytes, pitch, damage);
        self.newest = number;
        self.pending = Some(number);
        for p in self.pages.iter_mut().flatten() {
            damage.iter().for_each(|r| p.lacks.add(*r));
            if p.visible && p.in_flight.is_none() {
                p.notify.notify_one();
            }
        }
        if damage.is_empty() || !self.is_watched() {
            self.settle(number);
        }
    }

    /// A frame of another size was drawn: nobody gets it.
    pub(crate) fn discard(&mut self, number: u64) {
        self.pending = Some(number);
        self.settle(number);
    }

    /// Frames up to this one are out.
    fn settle(&mut self, number: u64) {
        if let Some(p) = self.pending.filter(|p| *p <= number) {
            self.pending = None;
            self.inbox.push(DisplayEvent::Presented { at: self.start.elapsed(), number: p });
            self.wake();
        }
    }

    /// Hands out what happened. Here, and only here, the surface takes another size.
    pub(crate) fn collect(&mut self, events: &mut Vec<DisplayEvent>) -> bool {
        let wanted = self.wanted();
        let resized = wanted != self.surface;
        if resized {
            let Surface { width, height, scale } = wanted;
            self.surface = wanted;
            self.kept.resize(width, height);
            self.pages.iter_mut().flatten().for_each(|p| p.lacks = Region::EMPTY);
            events.push(DisplayEvent::Resized { width, height, scale });
        }
        events.append(&mut self.inbox);
        resized
    }

    /// The page whose window rules.
    fn ruler(&self) -> Option<usize> {
        let asked = |p: &Page| p.window.filter(|_| p.visible).map(|(_, at)| at);
        let all = self.pages.iter().enumerate();
        let all = all.filter_map(|(i, p)| Some((i, asked(p.as_ref()?)?)));
        all.max_by_key(|(_, at)| *at).map(|(i, _)| i)
    }

    fn wanted(&self) -> Surface {
        let Sizing::Follows { scale } = self.sizing else { return self.surface };
        let window = self.ruler().and_then(|i| self.pages[i].as_ref()?.window);
        let Some((w, _)) = window else { return self.surface };
        let width = w.width.clamp(1, SIDE);
        let ratio = if w.ratio > 0.0 { w.ratio } else { 1.0 };
        Surface {
            width,
            height: w.height.clamp(1, SIDE.min(AREA / width)),
            scale: (scale * ratio).clamp(0.25, 8.0),
        }
    }

    /// Text for the clipboard of the person who acted last, or of all.
    pub(crate) fn set_clipboard(&mut self, text: &str) {
        let only = self.actor.filter(|i| self.pages[*i].is_some());
        for (i, p) in self.pages.iter_mut().enumerate() {
            if let Some(p) = p
                && only.is_none_or(|o| o == i)
            {
                p.clipboard = Some(text.to_owned());
                p.notify.notify_one();
            }
        }
    }

    // ---- The pages' side.

    /// A page said hello. `None` when there are too many.
    pub(crate) fn join(&mut self, visible: bool, window: Window) -> Option<(usize, Arc<Notify>)> {
        let free = self.pages.iter().position(Option::is_none)?;
        let notify = Arc::new(Notify::new());
        self.pages[free] = Some(Page {
            notify: notify.clone(),
            visible,
            stalled: false,
            lacks: Region::EMPTY,
            sequence: 0,
            in_flight: None,
            window: None,
            pointers: Vec::new(),
            keys: Vec::new(),
            clipboard: None,
        });
        self.set_window(free, window);
        if self.kept.is_valid() {
            self.lacks_all(free);
        } else {
            self.inbox.push(DisplayEvent::Redraw);
        }
        self.wake();
        Some((free, notify))
    }

    fn lacks_all(&mut self, i: usize) {
        let all = self.kept.surface();
        if let Some(p) = &mut self.pages[i] {
            p.lacks = Region::of(all);
            p.notify.notify_one();
        }
    }

    /// A page is gone; so are its pointers and keys.
    pub(crate) fn leave(&mut self, i: usize) {
        self.let_go(i);
        self.pages[i] = None;
        if self.actor == Some(i) {
            self.actor = None;
        }
        self.viewers_changed();
    }

    /// Without viewers nobody waits for the frame on its way.
    fn viewers_changed(&mut self) {
        if !self.is_watched() {
            self.settle(self.newest);
        }
        self.wake();
    }

    pub(crate) fn set_window(&mut self, i: usize, window: Window) {
        self.clock += 1;
        let at = self.clock;
        if let Some(p) = &mut self.pages[i] {
            p.window = Some((window, at));
        }
        if self.wanted() != self.surface {
            self.wake();
        }
    }

    pub(crate) fn set_visible(&mut self, i: usize, visible: bool) {
        if !visible {
            self.let_go(i);
        }
        let Some(p) = &mut self.pages[i] else { return };
        p.visible = visible;
        p.stalled = false;
        p.in_flight = None;
        p.notify.notify_one();
        self.viewers_changed();
    }

    /// A page has shown a frame.
    pub(crate) fn shown(&mut self, i: usize, sequence: u32) {
        let Some(p) = &mut self.pages[i] else { return };
        let Some((_, number)) = p.in_flight.filter(|(s, _)| *s == sequence) else { return };
        p.in_flight = None;
        // Also without a next frame: the page's task stops its watch for stalls.
        p.notify.notify_one();
        let back = std::mem::take(&mut p.stalled);
        self.settle(number);
        if back {
            self.viewers_changed();
        }
    }

    /// A page took too long over the frame with this sequence.
    pub(crate) fn stall(&mut self, i: usize, sequence: u32) {
        let Some(p) = &mut self.pages[i] else { return };
        if p.in_flight.is_some_and(|(s, _)| s == sequence) && !p.stalled {
            p.stalled = true;
            self.viewers_changed();
        }
    }

    /// The next frame of a page, if it may have one: its head, and what to cut.
    pub(crate) fn next_frame(&mut self, i: usize) -> Option<(FrameHead, Region)> {
        let follows = self.sizing != Sizing::Fixed && self.ruler() == Some(i);
        let (width, height) = self.kept.size();
        let surface = self.kept.surface();
        let p = self.pages[i].as_mut()?;
        if !p.visible || p.in_flight.is_some() || p.lacks.is_empty() || !self.kept.is_valid() {
            return None;
        }
        let lacks = std::mem::take(&mut p.lacks).clipped(surface);
        p.sequence = p.sequence.wrapping_add(1);
        p.in_flight = Some((p.sequence, self.newest));
        Some((FrameHead { sequence: p.sequence, width, height, follows }, lacks))
    }

    /// Text for a page's clipboard.
    pub(crate) fn next_clipboard(&mut self, i: usize) -> Option<String> {
        self.pages[i].as_mut()?.clipboard.take()
    }
}

#[cfg(test)]
mod tests;
