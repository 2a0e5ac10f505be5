//! What is recorded anew and what is kept. An element whose style, text, state, place and
//! children are those of the last frame looks as it did: its commands are copied from the last
//! list, hashes included, whole subtrees at a time.
//!
//! A change is noted where it is found (layout, text, box, scroll offset) or here, by comparing
//! with what the slot remembers; one walk from the last node to the first then tells each parent.

use crate::node::{Flags, Kind, Picture};
use crate::slot::Slot;
use crate::style::Paint;
use crate::{Fit, Key, Theme, Tone, Ui};
use std::ops::Range;
use std::sync::Arc;
use zinc_scene::CommandList;

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

/// The parent of what is being recorded, as it stands in the last list and in the new one.
///
/// An element that is kept is not walked into, so what is in it is not told that it was shown.
/// It was, if its parent was, and if it was recorded or kept when its parent was last recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Within {
    /// The parent is in the last list.
    pub(crate) shown: bool,
    /// Frame in which it was last recorded, the one being recorded aside.
    pub(crate) recorded: u64,
    /// Its first command in the last list.
    pub(crate) old_start: usize,
    /// Its first command in the new list.
    pub(crate) start: usize,
}

impl Within {
    /// Around the root of a frame.
    pub(crate) const fn frame(frame: u64) -> Self {
        Self { shown: frame > 1, recorded: frame - 1, old_start: 0, start: 0 }
    }
    /// A child is in the last list.
    pub(crate) fn has(&self, child: &Slot) -> bool {
        self.shown && child.shown_frame >= self.recorded
    }
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
        self.counts.kept = 0;
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
    pub(crate) fn keep(&mut self, i: u32, at: Within) -> bool {
        let n = &self.nodes[i as usize];
        let s = &mut self.slots[n.slot as usize];
        let (true, true, Some(last)) = (n.clean, at.has(s), &self.last) else { return false };
        let (start, end) = (at.old_start + s.fragment.start, at.old_start + s.fragment.end);
        let new = self.recorder.command_count() - at.start;
        if !self.recorder.repeat(last, start..end, s.surroundings) {
            return false;
        }
        self.counts.kept += (end - start) as u64;
        s.shown_frame = self.frame;
        s.fragment = new..new + (end - start);
        true
    }

    /// The whole last list, when nothing in it changed.
    pub(crate) fn keep_all(&mut self) -> Option<Arc<CommandList>> {
        let n = self.nodes.first().filter(|n| n.clean)?;
        let s = &mut self.slots[n.slot as usize];
        if s.shown_frame + 1 != self.frame {
            return None;
        }
        s.shown_frame = self.frame;
        self.counts.kept = (s.fragment.end - s.fragment.start) as u64;
        self.last.clone()
    }

    /// Where in the last frame's list an element's commands stood, if it was in there. To be
    /// asked before this frame is recorded.
    pub(crate) fn last_place(&self, slot: usize) -> Option<Range<usize>> {
        let s = &self.slots[slot];
        let at = if s.key == Key::ROOT {
            Within::frame(self.frame)
        } else {
            let parent = *self.by_key.get(&s.parent)? as usize;
            let start = self.last_place(parent)?.start;
            let recorded = self.slots[parent].recorded_frame;
            Within { shown: true, recorded, old_start: start, start: 0 }
        };
        let range = at.old_start + s.fragment.start..at.old_start + s.fragment.end;
        at.has(s).then_some(range)
    }

    /// Whether unchanged elements are copied from the last frame instead of being recorded anew.
    /// It is on; the frames are the same without it, which tests compare.
    pub fn retain(&mut self, yes: bool) {
        self.retains = yes;
    }
}
