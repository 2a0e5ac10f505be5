//! Films in a list: a `Picture` names a source, and what stands there is latched per frame.
//!
//! - `Hole`: the film runs on a hardware plane below the UI plane. The surface is *erased* there
//!   (destination-out by coverage x opacity); the plane shows through the surface's alpha. A new
//!   film frame under a hole changes no surface pixel, so it is no damage.
//! - `Drawn`: the frame is drawn into the surface like an image.

use crate::Image;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Names a film source for the life of the program.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct PictureId(pub u32);

/// What stands at a film's place in this frame.
#[derive(Clone, Debug)]
pub enum Latched {
    /// A plane shows it; the surface is transparent there.
    Hole,
    /// The bands draw it.
    Drawn(Arc<Image>),
}

/// What each film source shows in one frame. Sources that are not listed draw nothing.
#[derive(Clone, Debug, Default)]
pub struct LayerPlan {
    entries: Vec<(PictureId, Latched)>,
}

impl LayerPlan {
    /// A plan without films.
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }
    /// Sets what `id` shows.
    pub fn set(&mut self, id: PictureId, what: Latched) {
        match self.entries.iter_mut().find(|(i, _)| *i == id) {
            Some((_, slot)) => *slot = what,
            None => self.entries.push((id, what)),
        }
    }
    /// What `id` shows.
    pub fn get(&self, id: PictureId) -> Option<&Latched> {
        self.entries.iter().find(|(i, _)| *i == id).map(|(_, l)| l)
    }
    /// Forgets all films.
    pub fn clear(&mut self) {
        self.entries.clear();
    }
    /// All of it.
    pub fn iter(&self) -> impl Iterator<Item = (PictureId, &Latched)> {
        self.entries.iter().map(|(i, l)| (*i, l))
    }
    /// A hash that is equal when the surface's pixels are: the picture drawn, or the hole.
    pub fn surface_hash(&self, id: PictureId) -> u64 {
        match self.get(id) {
            None => 0,
            Some(Latched::Hole) => 1,
            Some(Latched::Drawn(image)) => image.hash() | 2,
        }
    }
}
