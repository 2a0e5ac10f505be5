//! Events of one device into what a person did. Pure: no file, no clock. What belongs together ends
//! with a SYN_REPORT; after a SYN_DROPPED nothing counts until the next one, and then the kernel is
//! asked how things are.

use crate::facts::{Facts, Raw, Roles, is_key};
use crate::mouse::Mouse;
use crate::seat::Seat;
use crate::settings::Touch;
use crate::touch::{Panel, SlotTruth};
use evdev::{EventType as Kind, KeyCode as K, SynchronizationCode as Syn};
use std::collections::BTreeSet;
use std::time::Duration;
use zinc_hal::Timed;

/// How things are with a device, as the kernel tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// Keys and buttons that are down.
    pub keys: BTreeSet<u16>,
    /// `ABS_X`, `ABS_Y`, `ABS_PRESSURE`.
    pub place: [Option<i32>; 3],
    /// The slot that is spoken of.
    pub slot: i32,
    /// The slots.
    pub slots: Vec<SlotTruth>,
}

/// What the decoder needs after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Nothing.
    Nothing,
    /// Events were lost: ask the kernel, and call [`Decoder::resync`].
    Truth,
}

/// The decoder of one device.
#[derive(Debug)]
pub struct Decoder {
    roles: Roles,
    mouse: Option<Mouse>,
    panel: Option<Panel>,
    /// Keys that are down, so that they come up when the device is gone.
    down: BTreeSet<u16>,
    dropping: bool,
}

impl Decoder {
    /// For a device.
    ///
    /// # Errors
    /// Why it is of no use.
    pub fn new(facts: &Facts, settings: &[Touch]) -> Result<Self, &'static str> {
        let roles = facts.roles()?;
        let touch = Touch::of_device(settings, &facts.name);
        let mouse = Mouse::new(facts, roles, touch.clone());
        let panel = Panel::new(facts, roles, touch);
        Ok(Self { roles, mouse, panel, down: BTreeSet::new(), dropping: false })
    }

    /// What the device is.
    pub fn roles(&self) -> Roles {
        self.roles
    }

    /// Takes the state before the first event: what is held already is not meant for us.
    pub fn start(&mut self, truth: &Truth) {
        if let Some(m) = &mut self.mouse {
            m.at(truth.place[0], truth.place[1]);
        }
        if let Some(p) = &mut self.panel {
            let (slot, slots) = contacts(p, truth);
            p.start(slot, &slots);
        }
    }

    /// Takes an event.
    pub fn feed(&mut self, e: Raw, seat: &mut Seat, out: &mut Vec<Timed>) -> Need {
        if e.kind == Kind::SYNCHRONIZATION.0 {
            match Syn(e.code) {
                Syn::SYN_DROPPED => {
                    self.dropping = true;
                    if let Some(m) = &mut self.mouse {
                        m.drop_packet();
                    }
                }
                Syn::SYN_REPORT if self.dropping => {
                    self.dropping = false;
                    return Need::Truth;
                }
                Syn::SYN_REPORT => {
                    if let Some(m) = &mut self.mouse {
                        m.flush(e.at, seat, out);
                    }
                    if let Some(p) = &mut self.panel {
                        p.flush(e.at, seat, out);
                    }
                }
                _ => {}
            }
        } else if !self.dropping {
            if self.roles.keys && e.kind == Kind::KEY.0 && is_key(e.code) {
                self.key(e, seat, out);
            }
            if let Some(m) = &mut self.mouse {
                m.feed(e);
            }
            if let Some(p) = &mut self.panel {
                p.feed(e);
            }
        }
        Need::Nothing
    }

    fn key(&mut self, e: Raw, seat: &mut Seat, out: &mut Vec<Timed>) {
        // Repeats (2) are made by the keyboard: a device's own rate is whatever it was left at.
        let changed = match e.value {
            0 => self.down.remove(&e.code),
            1 => self.down.insert(e.code),
            _ => false,
        };
        if changed {
            seat.keyboard().key(e.at, e.code, e.value == 1, out);
        }
    }

    /// Events were lost; this is how things are now.
    pub fn resync(&mut self, at: Duration, truth: &Truth, seat: &mut Seat, out: &mut Vec<Timed>) {
        let up: Vec<u16> = self.down.difference(&truth.keys).copied().collect();
        for code in up {
            self.down.remove(&code);
            seat.keyboard().key(at, code, false, out);
        }
        // Of keys that went down meanwhile only modifiers count: what was typed is lost.
        let missed = truth.keys.iter().filter(|k| is_modifier(**k) && !self.down.contains(k));
        for code in missed.copied().collect::<Vec<_>>() {
            self.down.insert(code);
            seat.keyboard().key(at, code, true, out);
        }
        if let Some(m) = &mut self.mouse {
            m.cancel(at, seat, out);
            m.at(truth.place[0], truth.place[1]);
        }
        if let Some(p) = &mut self.panel {
            let (slot, slots) = contacts(p, truth);
            p.resync(at, slot, &slots, seat, out);
        }
    }

    /// The device is gone: nothing that was down is decided.
    pub fn gone(&mut self, at: Duration, seat: &mut Seat, out: &mut Vec<Timed>) {
        for code in std::mem::take(&mut self.down) {
            seat.keyboard().key(at, code, false, out);
        }
        if let Some(m) = &mut self.mouse {
            m.cancel(at, seat, out);
        }
        if let Some(p) = &mut self.panel {
            p.cancel(at, out);
        }
    }
}

fn is_modifier(code: u16) -> bool {
    matches!(
        K(code),
        K::KEY_LEFTSHIFT
            | K::KEY_RIGHTSHIFT
            | K::KEY_LEFTCTRL
            | K::KEY_RIGHTCTRL
            | K::KEY_LEFTALT
            | K::KEY_RIGHTALT
            | K::KEY_LEFTMETA
            | K::KEY_RIGHTMETA
    )
}

/// The contacts of a panel in the kernel's word.
fn contacts(p: &Panel, t: &Truth) -> (usize, Vec<SlotTruth>) {
    if !p.is_single() {
        return (usize::try_from(t.slot).unwrap_or(usize::MAX), t.slots.clone());
    }
    let [x, y, pressure] = t.place.map(|v| v.unwrap_or(0));
    let touched = if p.is_by_pressure() { pressure > 0 } else { t.keys.contains(&K::BTN_TOUCH.0) };
    (0, vec![SlotTruth { tracking: if touched { 0 } else { -1 }, x, y, pressure }])
}
