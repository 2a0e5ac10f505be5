//! What all devices share: one mouse pointer, numbers for contacts, one keyboard, and where the
//! surface lies. And the list of events that they add to.

use crate::keyboard::{Keyboard, KeyboardOptions};
use std::time::Duration;
use zinc_hal::{
    Button, InputEvent, Placement, PointerEvent, PointerId, PointerKind, PointerPhase, Timed,
    WheelEvent,
};
use zinc_scene::Point;

/// What devices share.
#[derive(Debug)]
pub struct Seat {
    place: Placement,
    /// In the middle until it is moved.
    mouse: Option<Point>,
    contacts: u32,
    keyboard: Option<Keyboard>,
    options: KeyboardOptions,
}

impl Seat {
    /// For a surface.
    pub fn new(place: Placement, options: KeyboardOptions) -> Self {
        Self { place, mouse: None, contacts: 0, keyboard: None, options }
    }

    /// The surface lies elsewhere.
    pub fn set_place(&mut self, place: Placement) {
        if self.place != place {
            self.place = place;
            self.mouse = self.mouse.map(|p| place.clamp(p));
        }
    }

    /// The keyboard, whose layout is read when it is first wanted: a panel alone needs none.
    pub fn keyboard(&mut self) -> &mut Keyboard {
        let options = &self.options;
        self.keyboard.get_or_insert_with(|| Keyboard::new(options))
    }

    /// The keyboard, if it was wanted yet.
    pub fn keyboard_if(&self) -> Option<&Keyboard> {
        self.keyboard.as_ref()
    }

    /// A number for a new contact; the mouse is 0.
    pub fn contact(&mut self) -> PointerId {
        self.contacts = self.contacts.checked_add(1).unwrap_or(1);
        PointerId(self.contacts)
    }

    /// A place on the panel's unit square, in surface pixels.
    pub fn on_surface(&self, unit: Point) -> Point {
        self.place.to_surface(unit)
    }

    /// Moves the mouse by a way on the panel, in its pixels; it stays on the surface.
    pub fn move_by(&mut self, way: Point) {
        let (w, h) = self.place.panel;
        let from = self.place.to_surface(Point::new(0.0, 0.0));
        let to = self.place.to_surface(Point::new(way.x / w as f32, way.y / h as f32));
        self.mouse = Some(self.place.clamp(self.at() + (to - from)));
    }

    /// Moves the mouse to a place of the surface, or the nearest.
    pub fn move_to(&mut self, at: Point) {
        self.mouse = Some(self.place.clamp(at));
    }

    /// Where the mouse is.
    fn at(&self) -> Point {
        let (w, h) = self.place.surface;
        self.mouse.unwrap_or(Point::new(w as f32 / 2.0, h as f32 / 2.0))
    }

    /// An event of the mouse, where it is.
    pub fn mouse(&self, phase: PointerPhase, button: Button) -> InputEvent {
        let (id, kind) = (PointerId(0), PointerKind::Mouse);
        InputEvent::Pointer(PointerEvent { id, kind, phase, position: self.at(), button })
    }

    /// An event of the wheel, where the mouse is.
    pub fn wheel(&self, delta: Point) -> InputEvent {
        InputEvent::Wheel(WheelEvent { position: self.at(), delta })
    }
}

/// A contact's event.
pub(crate) fn touch(id: PointerId, phase: PointerPhase, position: Point) -> InputEvent {
    let (kind, button) = (PointerKind::Touch, Button::Primary);
    InputEvent::Pointer(PointerEvent { id, kind, phase, position, button })
}

/// Adds an event with its time.
pub(crate) fn tell(out: &mut Vec<Timed>, at: Duration, event: InputEvent) {
    out.push(Timed { at, event });
}
