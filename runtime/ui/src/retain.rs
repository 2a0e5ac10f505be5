//! What is recorded anew and what is kept. An element whose style, text, state, place and
//! children are those of the last frame looks as it did: its commands are copied from the last
//! list, hashes included, whole subtrees at a time.
//!
//! A change is noted where it is found (layout, text, box, scroll offset) or here, by comparing
//! with what the slot remembers; one walk from the last node to the first then tells each parent.

use crate::node::{Flags, Kind, NONE, Picture};
use crate::slot::Slot;
use crate::style::Paint;
use crate::{Fit, Theme, Tone, Ui};

/// What decides an element's own commands, besides layout, text and theme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Look {
    paint: Paint,
    tone: Tone,
    flags: Flags,
    kind: u64,
    state: u8,
}

impl Look {
    pub(crate) const NONE: Self =
        Self { paint: crate::S.paint, tone: Tone::NONE, flags: Flags::NONE, kind: 0, state: 0 };
}

/// What decides every element's commands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Everywhere {
    theme: Theme,
    scale: f32,
    surface: (u32, u32),
}

/// A number that tells what a kind shows; `None` for kinds that are always recorded anew.
fn shows(kind: &Kind, slot: &Slot) -> Option<u64> {
    Some(match kind {
        Kind::Box | Kind::Text => 0,
        Kind::Button(b) => {
            let icon = b.icon.map_or(0, |i| i.0.as_ptr() as u64);
            icon << 8 | (b.variant as u64) << 2 | u64::from(b.selected) << 1 | u64::from(b.start)
        }
        Kind::Toggle { on } | Kind::Check { on } => u64::from(*on),
        Kind::Slider { part } => u64::from(part.to_bits()),
        // The caret follows an editor, the dots time: neither is worth a memory.
        Kind::Field { .. } | Kind::Busy => return None,
        Kind::Canvas => slot.extra.as_ref()?.canvas.as_ref()?.drawn,
        Kind::Image { image, fit } => {
            let fit = u64::from(*fit == Fit::Contain);
            match image {
                Picture::Loading => 2 | fit,
                Picture::Failed => 4 | fit,
                Picture::Ready(i) => i.hash() << 1 | fit,
            }
        }
        Kind::Film(source) => u64::from(source.0),
        Kind::Icon(icon, size) => icon.0.as_ptr() as u64 ^ u64::from(size.to_bits()) << 32,
    })
}

impl Ui {
    /// Decides for each node of the pass whether it, with all in it, is as it was.
    pub(crate) fn survey(&mut self) {
        let now = Everywhere { theme: self.theme, scale: self.scale, surface: self.surface };
        let ghosts = !self.ghosts.is_empty();
        // A leaving element is drawn within its parent, which keeps no commands until it is gone.
        let all = self.everywhere != Some(now) || ghosts || self.had_ghosts || !self.retains;
        self.everywhere = Some(now);
        self.had_ghosts = ghosts;
        let Self { nodes, slots, input, frame, .. } = self;
        let touched =
            !(input.hovered.is_empty() && input.pressed.is_empty() && input.dragging.is_empty());
        for i in (0..nodes.len()).rev() {
            let n = &nodes[i];
            let s = &mut slots[n.slot as usize];
            let mut state = u8::from(input.focus_visible && input.focus == Some(n.key));
            if touched {
                state |= u8::from(input.hovered.contains(&n.key)) << 1;
                state |= u8::from(input.pressed.contains(&n.key)) << 2;
                state |= u8::from(input.dragging.contains(&n.key)) << 3;
            }
            let kind = shows(&n.kind, s);
            let l = &s.look;
            let same = kind == Some(l.kind)
                && l.state == state
                && l.tone == n.tone
                && l.flags == n.flags
                && l.paint == n.style.paint;
            if !same {
                let (paint, tone, flags) = (n.style.paint, n.tone, n.flags);
                s.look = Look { paint, tone, flags, kind: kind.unwrap_or(0), state };
                s.changed = *frame;
            }
            if all || !n.clean || s.changed == *frame || s.moving {
                let parent = n.parent as usize;
                nodes[i].clean = false;
                if let Some(p) = nodes.get_mut(parent) {
                    p.clean = false;
                }
            }
        }
    }

    /// Records a node from the last list, if nothing in it changed. Answers whether it did.
    pub(crate) fn keep(&mut self, i: u32) -> bool {
        let n = &self.nodes[i as usize];
        let s = &self.slots[n.slot as usize];
        if !n.clean || s.shown_frame + 1 != self.frame {
            return false;
        }
        let Some(last) = &self.last else { return false };
        let start = self.recorder.command_count();
        if !self.recorder.repeat(last, s.fragment.clone(), s.surroundings) {
            return false;
        }
        let from = s.fragment.start;
        self.shown_again(i, from, start);
        true
    }

    /// What recording would have left in the slots and nodes of a kept subtree.
    fn shown_again(&mut self, i: u32, from: usize, to: usize) {
        let n = &mut self.nodes[i as usize];
        let s = &mut self.slots[n.slot as usize];
        // What is scrolled out of sight was not recorded, and still is not.
        if s.shown_frame + 1 != self.frame {
            return;
        }
        s.shown_frame = self.frame;
        s.age += self.dt;
        s.fragment = s.fragment.start - from + to..s.fragment.end - from + to;
        n.matrix = s.matrix;
        let mut at = n.first;
        while at != NONE {
            self.shown_again(at, from, to);
            at = self.nodes[at as usize].next;
        }
    }

    /// Whether unchanged elements are copied from the last frame instead of being recorded anew.
    /// It is on; the frames are the same without it, which tests compare.
    pub fn retain(&mut self, yes: bool) {
        self.retains = yes;
    }
}
