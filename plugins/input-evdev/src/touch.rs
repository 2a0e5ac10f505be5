//! Touch panels: contacts in slots (multi-touch, type B) or a single one, one packet at a time.

use crate::facts::{Axis, Facts, Place, Raw, Roles};
use crate::seat::{Seat, tell, touch};
use crate::settings::Touch;
use crate::smooth::Smooth;
use evdev::{AbsoluteAxisCode as Abs, EventType as Kind, KeyCode as K};
use std::time::Duration;
use zinc_hal::{PointerId, PointerPhase, Timed};
use zinc_scene::Point;

/// Contacts of a panel; ten fingers are what a person has.
pub const CONTACTS: usize = 10;
/// A contact that counts is let go at this part of the pressure from which it does.
const RELEASE: f32 = 0.8;

/// What the kernel knows of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotTruth {
    /// Its contact; below 0 there is none.
    pub tracking: i32,
    /// Where.
    pub x: i32,
    /// Where.
    pub y: i32,
    /// How hard; 0 where the panel does not tell.
    pub pressure: i32,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    tracking: i32,
    x: i32,
    y: i32,
    pressure: i32,
    /// The pointer that was told of, and where it was last.
    told: Option<(PointerId, Point)>,
    /// Another contact took its place within a packet.
    ended: Option<(PointerId, Point)>,
    moved: bool,
    /// It was there before we were: nobody meant us.
    ignored: bool,
    smooth: Smooth,
}

/// The panel of a device.
#[derive(Debug)]
pub(crate) struct Panel {
    single: bool,
    /// A single contact is told by its pressure alone.
    by_pressure: bool,
    x: Axis,
    y: Axis,
    force: Option<Axis>,
    touch: Touch,
    /// The one that is spoken of; past the last when it is one too many.
    current: usize,
    slots: [Slot; CONTACTS],
}

impl Panel {
    pub(crate) fn new(facts: &Facts, roles: Roles, settings: Touch) -> Option<Self> {
        let axis = |a: Abs| facts.absolute.get(&a.0).copied();
        let (single, x, y, force) = match roles.place? {
            Place::Slots => (
                false,
                axis(Abs::ABS_MT_POSITION_X)?,
                axis(Abs::ABS_MT_POSITION_Y)?,
                axis(Abs::ABS_MT_PRESSURE),
            ),
            Place::Single => (true, axis(Abs::ABS_X)?, axis(Abs::ABS_Y)?, axis(Abs::ABS_PRESSURE)),
            Place::Hover => return None,
        };
        let slot = Slot {
            tracking: -1,
            x: 0,
            y: 0,
            pressure: 0,
            told: None,
            ended: None,
            moved: false,
            ignored: false,
            smooth: Smooth::new(settings.smooth),
        };
        let by_pressure = single && !facts.keys.contains(&K::BTN_TOUCH.0);
        let slots = [slot; CONTACTS];
        Some(Self { single, by_pressure, x, y, force, touch: settings, current: 0, slots })
    }

    /// What the kernel knows before the first event: places, and contacts that are not meant for us.
    pub(crate) fn start(&mut self, current: usize, truth: &[SlotTruth]) {
        self.current = current;
        for (s, t) in self.slots.iter_mut().zip(truth) {
            (s.tracking, s.x, s.y, s.pressure) = (t.tracking, t.x, t.y, t.pressure);
            s.ignored = t.tracking >= 0;
        }
    }

    pub(crate) fn feed(&mut self, e: Raw) {
        match (Kind(e.kind), self.single) {
            (Kind::ABSOLUTE, false) => self.feed_slots(Abs(e.code), e.value),
            (Kind::ABSOLUTE, true) => {
                let s = &mut self.slots[0];
                match Abs(e.code) {
                    Abs::ABS_X => (s.x, s.moved) = (e.value, true),
                    Abs::ABS_Y => (s.y, s.moved) = (e.value, true),
                    Abs::ABS_PRESSURE => {
                        s.pressure = e.value;
                        if self.by_pressure {
                            self.track(if e.value > 0 { 0 } else { -1 });
                        }
                    }
                    _ => {}
                }
            }
            (Kind::KEY, true) if e.code == K::BTN_TOUCH.0 => {
                self.track(if e.value != 0 { 0 } else { -1 });
            }
            _ => {}
        }
    }

    fn feed_slots(&mut self, code: Abs, value: i32) {
        if code == Abs::ABS_MT_SLOT {
            self.current = usize::try_from(value).unwrap_or(CONTACTS);
            return;
        }
        if code == Abs::ABS_MT_TRACKING_ID {
            return self.track(value);
        }
        let Some(s) = self.slots.get_mut(self.current) else { return };
        match code {
            Abs::ABS_MT_POSITION_X => (s.x, s.moved) = (value, true),
            Abs::ABS_MT_POSITION_Y => (s.y, s.moved) = (value, true),
            Abs::ABS_MT_PRESSURE => s.pressure = value,
            _ => {}
        }
    }

    /// The current slot has this contact from now on.
    fn track(&mut self, tracking: i32) {
        let keep = self.touch.smooth;
        let Some(s) = self.slots.get_mut(self.current) else { return };
        if s.tracking == tracking {
            return;
        }
        if let Some(told) = s.told.take() {
            s.ended = Some(told);
        }
        s.tracking = tracking;
        (s.ignored, s.smooth) = (false, Smooth::new(keep));
    }

    /// The packet is whole.
    pub(crate) fn flush(&mut self, at: Duration, seat: &mut Seat, out: &mut Vec<Timed>) {
        for i in 0..CONTACTS {
            let hard = self.is_hard(i);
            let s = &mut self.slots[i];
            if let Some((id, last)) = s.ended.take() {
                tell(out, at, touch(id, PointerPhase::Up, last));
            }
            let moved = std::mem::take(&mut s.moved);
            if s.tracking < 0 || s.ignored {
                continue;
            }
            if !hard {
                if let Some((id, last)) = s.told.take() {
                    tell(out, at, touch(id, PointerPhase::Up, last));
                    s.smooth = Smooth::new(self.touch.smooth);
                }
                continue;
            }
            let is_new = s.told.is_none();
            let Some(unit) = self.x.unit(s.x).zip(self.y.unit(s.y)).filter(|_| moved || is_new)
            else {
                continue;
            };
            let unit = s.smooth.next(Point::new(unit.0, unit.1));
            let p = seat.on_surface(self.touch.to_panel(unit));
            match &mut s.told {
                None => {
                    let id = seat.contact();
                    s.told = Some((id, p));
                    tell(out, at, touch(id, PointerPhase::Down, p));
                }
                Some((id, last)) => {
                    *last = p;
                    tell(out, at, touch(*id, PointerPhase::Move, p));
                }
            }
        }
    }

    /// The contact presses hard enough to count.
    fn is_hard(&self, slot: usize) -> bool {
        let (s, Some(force)) = (&self.slots[slot], self.force) else { return true };
        if self.touch.pressure <= 0.0 {
            return true;
        }
        let enough = self.touch.pressure * if s.told.is_some() { RELEASE } else { 1.0 };
        force.unit(s.pressure).is_none_or(|p| p >= enough)
    }

    /// Events were lost: contacts that are the same go on, others are gone without a decision, new
    /// ones begin.
    pub(crate) fn resync(
        &mut self,
        at: Duration,
        current: usize,
        truth: &[SlotTruth],
        seat: &mut Seat,
        out: &mut Vec<Timed>,
    ) {
        self.current = current;
        for (s, t) in self.slots.iter_mut().zip(truth) {
            let lost = s.ended.take().or_else(|| s.told.take_if(|_| s.tracking != t.tracking));
            if let Some((id, last)) = lost {
                tell(out, at, touch(id, PointerPhase::Cancel, last));
            }
            if s.tracking != t.tracking {
                (s.ignored, s.smooth) = (false, Smooth::new(self.touch.smooth));
            }
            s.moved = (s.x, s.y) != (t.x, t.y);
            (s.tracking, s.x, s.y, s.pressure) = (t.tracking, t.x, t.y, t.pressure);
        }
        self.flush(at, seat, out);
    }

    /// The device is gone, and every finger with it.
    pub(crate) fn cancel(&mut self, at: Duration, out: &mut Vec<Timed>) {
        for s in &mut self.slots {
            for (id, last) in [s.ended.take(), s.told.take()].into_iter().flatten() {
                tell(out, at, touch(id, PointerPhase::Cancel, last));
            }
            s.tracking = -1;
        }
    }

    /// One contact, without slots.
    pub(crate) fn is_single(&self) -> bool {
        self.single
    }
    /// Its one contact is told by pressure.
    pub(crate) fn is_by_pressure(&self) -> bool {
        self.by_pressure
    }
}
