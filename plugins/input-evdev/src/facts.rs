//! What a device says of itself, and what it is to us: judged by the codes that it can send, not by
//! its name or by a database. A device may be several things; most combined ones are.

use evdev::{AbsoluteAxisCode as Abs, KeyCode as K, RelativeAxisCode as Rel};
use std::collections::{BTreeMap, BTreeSet};

/// An event as the kernel gives it, at a time of the program's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw {
    /// Since the program's start.
    pub at: std::time::Duration,
    /// `EV_*`.
    pub kind: u16,
    /// `KEY_*`, `ABS_*`, …
    pub code: u16,
    /// What became of it.
    pub value: i32,
}

/// The range of an absolute axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The least value.
    pub min: i32,
    /// The greatest value; some drivers say a lesser one than they send.
    pub max: i32,
}

impl Axis {
    /// Where the middle of a step lies between the edges, 0 to 1; `None` when the range is empty.
    pub fn unit(self, value: i32) -> Option<f32> {
        let steps = i64::from(self.max) - i64::from(self.min) + 1;
        let at = i64::from(value) - i64::from(self.min);
        (steps > 1).then(|| (at as f64 + 0.5) as f32 / steps as f32)
    }
}

/// What a device can send.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Its name.
    pub name: String,
    /// Keys and buttons.
    pub keys: BTreeSet<u16>,
    /// Relative axes.
    pub relative: BTreeSet<u16>,
    /// Absolute axes.
    pub absolute: BTreeMap<u16, Axis>,
    /// It lies on the screen (`INPUT_PROP_DIRECT`).
    pub direct: bool,
    /// It moves a pointer (`INPUT_PROP_POINTER`).
    pub pointer: bool,
    /// Its axes are those of gravity (`INPUT_PROP_ACCELEROMETER`).
    pub accelerometer: bool,
}

/// A device that is touched or pointed at by place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Contacts in slots (multi-touch, type B).
    Slots,
    /// One contact.
    Single,
    /// A pointer that hovers: a tablet, the mouse of a virtual machine.
    Hover,
}

/// What a device is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    /// Keys that write or command.
    pub keys: bool,
    /// Among them letters: worth a keymap at once.
    pub letters: bool,
    /// Moves by way, or has a wheel.
    pub mouse: bool,
    /// Points by place.
    pub place: Option<Place>,
}

/// Buttons of gamepads, wheels and joysticks, whose sticks are no pointers.
const GAME: std::ops::RangeInclusive<u16> = K::BTN_TRIGGER.0..=K::BTN_THUMBR.0;
/// Buttons of pointers, pens and tablets: no keys.
const BUTTONS: std::ops::Range<u16> = 0x100..0x160;

/// A code of `EV_KEY` that a keyboard sends.
pub(crate) fn is_key(code: u16) -> bool {
    code != 0 && !BUTTONS.contains(&code) && !(0x220..=0x223).contains(&code) && code < 0x2c0
}

impl Facts {
    /// What it is; `None` when it is nothing that we can use, with a word of why.
    pub fn roles(&self) -> Result<Roles, &'static str> {
        let key = |k: K| self.keys.contains(&k.0);
        let relative = |r: Rel| self.relative.contains(&r.0);
        let axes = |x: Abs, y: Abs| {
            let there = |a: Abs| self.absolute.get(&a.0).is_some_and(|a| a.unit(0).is_some());
            there(x) && there(y)
        };
        let letters = (K::KEY_Q.0..=K::KEY_P.0).all(|k| self.keys.contains(&k));
        let game = self.keys.iter().any(|k| GAME.contains(k));
        let touchpad = !self.direct && (self.pointer || key(K::BTN_TOOL_FINGER));
        let place = if self.accelerometer || game {
            None
        } else if axes(Abs::ABS_MT_POSITION_X, Abs::ABS_MT_POSITION_Y)
            && self.absolute.contains_key(&Abs::ABS_MT_SLOT.0)
        {
            Some(Place::Slots)
        } else if !axes(Abs::ABS_X, Abs::ABS_Y) {
            None
        } else if key(K::BTN_TOOL_PEN) || key(K::BTN_STYLUS) {
            Some(Place::Hover)
        } else if key(K::BTN_TOUCH) || self.absolute.contains_key(&Abs::ABS_PRESSURE.0) {
            Some(Place::Single)
        } else if key(K::BTN_LEFT) {
            Some(Place::Hover)
        } else {
            None
        };
        let pads = touchpad && key(K::BTN_TOUCH) && !key(K::BTN_TOOL_PEN) && place.is_some();
        let roles = Roles {
            keys: self.keys.iter().any(|k| is_key(*k)),
            letters,
            mouse: relative(Rel::REL_X) && relative(Rel::REL_Y)
                || relative(Rel::REL_WHEEL)
                || relative(Rel::REL_HWHEEL),
            place: place.filter(|_| !pads),
        };
        if roles.keys || roles.mouse || roles.place.is_some() {
            Ok(roles)
        } else if pads {
            Err("a touchpad, which needs gestures that are not here")
        } else if game {
            Err("a game controller")
        } else {
            Err("neither keys, nor a way, nor a place")
        }
    }
}
