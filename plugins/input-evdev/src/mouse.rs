//! Mice, wheels, tablets that hover: one packet at a time. The way of a mouse is not accelerated.

use crate::facts::{Axis, Facts, Place, Raw, Roles};
use crate::seat::{Seat, tell};
use crate::settings::Touch;
use evdev::{AbsoluteAxisCode as Abs, EventType as Kind, KeyCode as K, RelativeAxisCode as Rel};
use std::time::Duration;
use zinc_hal::{Button, PointerPhase, Timed};
use zinc_scene::Point;

/// Surface pixels that a notch of a wheel scrolls, as browsers do.
pub const NOTCH: f32 = 100.0;
/// Steps of a notch of a wheel that tells more than notches.
const FINE: f32 = 120.0;

/// A pointer of a device.
#[derive(Debug)]
pub(crate) struct Mouse {
    /// The range of the place, where it points by place.
    hover: Option<(Axis, Axis)>,
    touch: Touch,
    /// The wheel tells fine steps as well: its notches are not counted twice.
    fine: bool,
    place: (i32, i32),
    moved: bool,
    way: Point,
    wheel: Point,
    /// Buttons of this packet.
    pressed: Vec<(Button, bool)>,
    down: [bool; 3],
}

const BUTTONS: [Button; 3] = [Button::Primary, Button::Secondary, Button::Middle];

impl Mouse {
    pub(crate) fn new(facts: &Facts, roles: Roles, touch: Touch) -> Option<Self> {
        let axis = |a: Abs| facts.absolute.get(&a.0).copied();
        let hover = match roles.place {
            Some(Place::Hover) => axis(Abs::ABS_X).zip(axis(Abs::ABS_Y)),
            _ => None,
        };
        let fine = [Rel::REL_WHEEL_HI_RES, Rel::REL_HWHEEL_HI_RES];
        (roles.mouse || hover.is_some()).then(|| Self {
            hover,
            touch,
            fine: fine.iter().any(|r| facts.relative.contains(&r.0)),
            place: (0, 0),
            moved: false,
            way: Point::default(),
            wheel: Point::default(),
            pressed: Vec::new(),
            down: [false; 3],
        })
    }

    /// Where it points, before it tells.
    pub(crate) fn at(&mut self, x: Option<i32>, y: Option<i32>) {
        self.place = (x.unwrap_or(self.place.0), y.unwrap_or(self.place.1));
    }

    pub(crate) fn feed(&mut self, e: Raw) {
        let v = e.value as f32;
        match Kind(e.kind) {
            Kind::RELATIVE => match Rel(e.code) {
                Rel::REL_X => self.way.x += v,
                Rel::REL_Y => self.way.y += v,
                // Away from the person is up: what lies above is shown.
                Rel::REL_WHEEL if !self.fine => self.wheel.y -= v * NOTCH,
                Rel::REL_HWHEEL if !self.fine => self.wheel.x += v * NOTCH,
                Rel::REL_WHEEL_HI_RES => self.wheel.y -= v * NOTCH / FINE,
                Rel::REL_HWHEEL_HI_RES => self.wheel.x += v * NOTCH / FINE,
                _ => {}
            },
            Kind::ABSOLUTE if self.hover.is_some() => match Abs(e.code) {
                Abs::ABS_X => (self.place.0, self.moved) = (e.value, true),
                Abs::ABS_Y => (self.place.1, self.moved) = (e.value, true),
                _ => {}
            },
            Kind::KEY => {
                let button = match K(e.code) {
                    K::BTN_LEFT => Button::Primary,
                    // A pen's tip.
                    K::BTN_TOUCH if self.hover.is_some() => Button::Primary,
                    K::BTN_RIGHT => Button::Secondary,
                    K::BTN_STYLUS if self.hover.is_some() => Button::Secondary,
                    K::BTN_MIDDLE => Button::Middle,
                    _ => return,
                };
                if e.value != 2 {
                    self.pressed.push((button, e.value != 0));
                }
            }
            _ => {}
        }
    }

    /// The packet is whole.
    pub(crate) fn flush(&mut self, at: Duration, seat: &mut Seat, out: &mut Vec<Timed>) {
        let way = std::mem::take(&mut self.way);
        let moved = way != Point::default();
        if moved {
            seat.move_by(way);
        }
        let placed = std::mem::take(&mut self.moved);
        if placed
            && let Some((x, y)) = self.hover
            && let Some(u) = x.unit(self.place.0).zip(y.unit(self.place.1))
        {
            seat.move_to(seat.on_surface(self.touch.to_panel(Point::new(u.0, u.1))));
        }
        if moved || placed {
            tell(out, at, seat.mouse(PointerPhase::Move, Button::Primary));
        }
        for (button, down) in self.pressed.drain(..) {
            let held = &mut self.down[button as usize];
            if *held != down {
                *held = down;
                let phase = if down { PointerPhase::Down } else { PointerPhase::Up };
                tell(out, at, seat.mouse(phase, button));
            }
        }
        let wheel = std::mem::take(&mut self.wheel);
        if wheel != Point::default() {
            tell(out, at, seat.wheel(wheel));
        }
    }

    /// Forgets a packet that is not whole.
    pub(crate) fn drop_packet(&mut self) {
        self.pressed.clear();
        (self.way, self.wheel, self.moved) = (Point::default(), Point::default(), false);
    }

    /// What is down is gone without a word: when the device is, or when its word was lost.
    pub(crate) fn cancel(&mut self, at: Duration, seat: &mut Seat, out: &mut Vec<Timed>) {
        self.drop_packet();
        for (held, button) in self.down.iter_mut().zip(BUTTONS) {
            if std::mem::take(held) {
                tell(out, at, seat.mouse(PointerPhase::Cancel, button));
            }
        }
    }
}
