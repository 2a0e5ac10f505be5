//! Films as the loop sees them: sources that have a picture at a time. What a film shows is
//! latched once per frame; a new picture draws a frame without calling the view.

use std::sync::Arc;
use std::time::Duration;
use zinc_scene::{CommandList, Image, Latched, LayerPlan, PictureId};

/// A source of pictures.
pub trait Film {
    /// The picture that is due at `now` (the program's clock), or `None` before the first.
    fn latch(&mut self, now: Duration) -> Option<Arc<Image>>;
    /// When the next picture is due; `None` when there will be no other.
    fn next_due(&self, now: Duration) -> Option<Duration>;
}

/// All film sources of a program.
#[derive(Default)]
pub(crate) struct Films(Vec<Box<dyn Film>>);

impl core::fmt::Debug for Films {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Films({})", self.0.len())
    }
}

impl Films {
    pub(crate) fn add(&mut self, film: Box<dyn Film>) -> PictureId {
        self.0.push(film);
        PictureId(self.0.len() as u32 - 1)
    }

    /// Latches the pictures of the films in `list`. No display of today offers a plane for them,
    /// so each is drawn.
    pub(crate) fn latch(&mut self, list: &CommandList, now: Duration, plan: &mut LayerPlan) {
        plan.clear();
        if self.0.is_empty() {
            return;
        }
        for p in list.pictures() {
            if plan.get(p.id).is_none()
                && let Some(film) = self.0.get_mut(p.id.0 as usize)
                && let Some(image) = film.latch(now)
            {
                plan.set(p.id, Latched::Drawn(image));
            }
        }
    }

    /// When a film in `list` has a new picture.
    pub(crate) fn next_due(&self, list: &CommandList, now: Duration) -> Option<Duration> {
        if self.0.is_empty() {
            return None;
        }
        let due = list.pictures().filter_map(|p| self.0.get(p.id.0 as usize)?.next_due(now));
        due.min()
    }

    /// A film in `list` has a new picture by now.
    pub(crate) fn next_due_at(&self, list: Option<&CommandList>, now: Duration) -> bool {
        list.and_then(|l| self.next_due(l, now)).is_some_and(|t| t <= now)
    }
}
