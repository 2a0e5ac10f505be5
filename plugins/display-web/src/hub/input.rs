//! Input of the pages, on its way to the app: a page's pointers are told apart from another's,
//! and whatever it holds when it leaves or hides is let go for it. A mouse's moves come at most
//! once a frame of the page: 60 a second.

use super::Hub;
use crate::wire::POINTERS;
use zinc_hal::{
    Button, DisplayEvent, InputEvent, PointerEvent, PointerId, PointerKind, PointerPhase, Timed,
};
use zinc_scene::Point;

/// Events that wait for the app; more are dropped, moves first.
pub(super) const INBOX: usize = 4096;
pub(super) const INBOX_MOVES: usize = 1024;
/// Keys held down on one page.
pub(super) const KEYS: usize = 16;

/// A pointer that the app believes to be there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Present {
    id: u8,
    kind: PointerKind,
    down: bool,
    at: Point,
}

impl Hub {
    /// Ends what a page holds.
    pub(super) fn let_go(&mut self, i: usize) {
        let Some(p) = &mut self.pages[i] else { return };
        let (pointers, keys) = (std::mem::take(&mut p.pointers), std::mem::take(&mut p.keys));
        for p in pointers {
            if p.down {
                self.pointer(i, p.id, p.kind, PointerPhase::Cancel, Default::default(), p.at);
            }
            if p.kind == PointerKind::Mouse {
                self.pointer(i, p.id, p.kind, PointerPhase::Leave, Default::default(), p.at);
            }
        }
        keys.into_iter().for_each(|key| self.input(InputEvent::KeyUp { key }));
    }

    /// A person did something on a page.
    pub(crate) fn act(&mut self, i: usize, event: InputEvent) {
        self.actor = Some(i);
        if let Some(p) = &mut self.pages[i] {
            match &event {
                InputEvent::KeyDown { key, .. } if p.keys.len() < KEYS && !p.keys.contains(key) => {
                    p.keys.push(*key);
                }
                InputEvent::KeyUp { key } => p.keys.retain(|k| k != key),
                _ => {}
            }
        }
        self.input(event);
    }

    /// A pointer did something on a page.
    pub(crate) fn point(
        &mut self,
        i: usize,
        (id, kind): (u8, PointerKind),
        phase: PointerPhase,
        button: Button,
        at: Point,
    ) {
        self.actor = Some(i);
        let Some(p) = &mut self.pages[i] else { return };
        let known = p.pointers.iter().position(|k| k.id == id);
        let was_down = known.is_some_and(|k| p.pointers[k].down);
        let down = match phase {
            PointerPhase::Down => true,
            PointerPhase::Move => was_down,
            PointerPhase::Up | PointerPhase::Cancel | PointerPhase::Leave => false,
        };
        let stays = down || kind == PointerKind::Mouse && phase != PointerPhase::Leave;
        match known {
            Some(k) if stays => p.pointers[k] = Present { id, kind, down, at },
            Some(k) => drop(p.pointers.swap_remove(k)),
            None if stays => p.pointers.push(Present { id, kind, down, at }),
            None => {}
        }
        self.pointer(i, id, kind, phase, button, at);
    }

    fn pointer(
        &mut self,
        i: usize,
        id: u8,
        kind: PointerKind,
        phase: PointerPhase,
        button: Button,
        position: Point,
    ) {
        let id = PointerId(i as u32 * u32::from(POINTERS) + u32::from(id));
        self.input(InputEvent::Pointer(PointerEvent { id, kind, phase, position, button }));
    }

    fn input(&mut self, event: InputEvent) {
        let passing = matches!(
            event,
            InputEvent::Wheel(_)
                | InputEvent::Pointer(PointerEvent { phase: PointerPhase::Move, .. })
        );
        if self.inbox.len() >= if passing { INBOX_MOVES } else { INBOX } {
            if self.dropped == 0 {
                tracing::warn!("the app does not keep up: input of the page is dropped");
            }
            self.dropped += 1;
            return;
        }
        self.inbox.push(DisplayEvent::Input(Timed { at: self.start.elapsed(), event }));
        self.wake();
    }
}
