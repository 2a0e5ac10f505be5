//! A device that tests speak for: facts, events, and what became of them.
#![allow(dead_code, reason = "each test uses a part")]
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use evdev::{AbsoluteAxisCode as Abs, EventType as Kind, KeyCode as K, RelativeAxisCode as Rel};
use std::sync::Arc;
use std::time::Duration;
use zinc_hal::{InputEvent, Placement, PointerKind, PointerPhase, Timed};
use zinc_input_evdev::{Axis, Decoder, Facts, KeyboardOptions, Need, Raw, Seat, Touch, Truth};

/// Facts by a few words.
pub(crate) fn facts(keys: &[K], relative: &[Rel], absolute: &[(Abs, i32)]) -> Facts {
    Facts {
        name: "a device".into(),
        keys: keys.iter().map(|k| k.0).collect(),
        relative: relative.iter().map(|r| r.0).collect(),
        absolute: absolute.iter().map(|(a, max)| (a.0, Axis { min: 0, max: *max })).collect(),
        ..Facts::default()
    }
}

/// A panel for ten fingers.
pub(crate) fn multi((w, h): (i32, i32)) -> Facts {
    let all = [
        (Abs::ABS_MT_SLOT, 9),
        (Abs::ABS_MT_TRACKING_ID, 65535),
        (Abs::ABS_MT_POSITION_X, w - 1),
        (Abs::ABS_MT_POSITION_Y, h - 1),
        // What such panels tell as well.
        (Abs::ABS_X, w - 1),
        (Abs::ABS_Y, h - 1),
    ];
    facts(&[K::BTN_TOUCH], &[], &all)
}

/// A keyboard.
pub(crate) fn keyboard() -> Facts {
    let keys: Vec<K> = (1..=127).map(K).collect();
    facts(&keys, &[], &[])
}

/// Keyboards of this layout and environment.
pub(crate) fn options(layout: &str, env: &[(&str, &str)]) -> KeyboardOptions {
    let env: Vec<(String, String)> =
        env.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    KeyboardOptions {
        layout: Some(zinc_input_evdev::Layout::parse(layout, "a test").unwrap()),
        env: Arc::new(move |name: &str| {
            env.iter().find(|(k, _)| k == name).map(|(_, v)| v.clone())
        }),
        root: "/nowhere".into(),
    }
}

pub(crate) struct Bench {
    pub(crate) decoder: Decoder,
    pub(crate) seat: Seat,
    pub(crate) out: Vec<Timed>,
    pub(crate) now: Duration,
}

impl Bench {
    pub(crate) fn new(facts: &Facts, place: Placement, settings: &[Touch]) -> Self {
        Self::with(facts, place, settings, options("us", &[]))
    }

    pub(crate) fn with(
        facts: &Facts,
        place: Placement,
        settings: &[Touch],
        keys: KeyboardOptions,
    ) -> Self {
        let decoder = Decoder::new(facts, settings).unwrap();
        let mut seat = Seat::new(Placement::whole((1, 1)), keys);
        seat.set_place(place);
        Self { decoder, seat, out: Vec::new(), now: Duration::ZERO }
    }

    /// One event.
    pub(crate) fn raw(&mut self, kind: Kind, code: u16, value: i32) -> Need {
        let e = Raw { at: self.now, kind: kind.0, code, value };
        self.decoder.feed(e, &mut self.seat, &mut self.out)
    }

    /// A whole packet, a hundredth of a second later.
    pub(crate) fn packet(&mut self, events: &[(Kind, u16, i32)]) {
        self.now += Duration::from_millis(10);
        for (kind, code, value) in events {
            assert_eq!(self.raw(*kind, *code, *value), Need::Nothing);
        }
        assert_eq!(self.raw(Kind::SYNCHRONIZATION, 0, 0), Need::Nothing);
    }

    /// A packet of absolute axes.
    pub(crate) fn abs(&mut self, all: &[(Abs, i32)]) {
        let all: Vec<_> = all.iter().map(|(a, v)| (Kind::ABSOLUTE, a.0, *v)).collect();
        self.packet(&all);
    }

    pub(crate) fn key(&mut self, code: K, value: i32) {
        self.packet(&[(Kind::KEY, code.0, value)]);
    }

    /// Down and up.
    pub(crate) fn tap_key(&mut self, code: K) {
        self.key(code, 1);
        self.key(code, 0);
    }

    pub(crate) fn resync(&mut self, truth: &Truth) {
        self.decoder.resync(self.now, truth, &mut self.seat, &mut self.out);
    }

    pub(crate) fn gone(&mut self) {
        self.decoder.gone(self.now, &mut self.seat, &mut self.out);
    }

    /// What came out since the last look, a word each.
    pub(crate) fn told(&mut self) -> Vec<String> {
        self.out.drain(..).map(|t| word(&t.event)).collect()
    }

    /// The text among it.
    pub(crate) fn text(&mut self) -> String {
        let text = |t: Timed| match t.event {
            InputEvent::Text(t) => Some(t),
            _ => None,
        };
        self.out.drain(..).filter_map(text).collect()
    }
}

fn word(e: &InputEvent) -> String {
    match e {
        InputEvent::Pointer(p) => {
            let who = match p.kind {
                PointerKind::Mouse => "mouse".to_owned(),
                PointerKind::Touch => format!("finger{}", p.id.0),
            };
            let button = match (p.kind, p.phase) {
                (PointerKind::Mouse, PointerPhase::Down | PointerPhase::Up) => {
                    format!(" {:?}", p.button)
                }
                _ => String::new(),
            };
            // The pixel that it is in; a hair below its edge is the edge.
            let at = |v: f32| (v + 0.01).floor();
            let (x, y) = (at(p.position.x), at(p.position.y));
            format!("{who} {:?} {x},{y}{button}", p.phase)
        }
        InputEvent::Wheel(w) => format!("wheel {:.0},{:.0}", w.delta.x, w.delta.y),
        InputEvent::KeyDown { key, modifiers: m } => {
            let held = [(m.shift, "shift+"), (m.ctrl, "ctrl+"), (m.alt, "alt+")];
            let held: String = held.iter().filter(|(on, _)| *on).map(|(_, w)| *w).collect();
            format!("down {held}{key:?}")
        }
        InputEvent::KeyUp { key } => format!("up {key:?}"),
        InputEvent::Text(t) => format!("text {t}"),
        InputEvent::Paste(t) => format!("paste {t}"),
    }
}
