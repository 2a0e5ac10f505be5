//! Screen care: a screen that nobody touches goes dim, then dark, or by the hour of the day; the
//! touch that wakes it does nothing else. While it is dark the app is not asked for a frame.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::time::Duration;
use zinc_hal::{InputEvent, PointerId, PointerPhase, Timed};

/// In hours in which it is off, a touch lights the screen for so long.
const NIGHT_VISIT: Duration = Duration::from_secs(60);
/// The wall clock may be set at any time; hours are looked at again after so long.
const HOURS_LOOK: Duration = Duration::from_secs(30);
const DAY: u32 = 24 * 60 * 60;

/// How bright the screen is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Light {
    Full,
    /// A share of what it was, above 0 and below 1.
    Dim(f32),
    Off,
}

/// `ZINC_SCREEN_DIM`: how long after the last touch, and how bright then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dim {
    /// Since the last touch or key.
    pub after: Duration,
    /// Share of the brightness, above 0 and below 1.
    pub to: f32,
}

/// `ZINC_SCREEN_OFF`: when the screen is dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Off {
    /// So long after the last touch or key.
    After(Duration),
    /// From one time of day to another, in seconds since midnight; past midnight when the second is
    /// smaller.
    Hours(u32, u32),
}

/// `90s`, `5min`, `1h`.
fn duration(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let n: u64 = text[..digits].parse().ok()?;
    let unit = match &text[digits..] {
        "s" => 1,
        "min" => 60,
        "h" => 3600,
        _ => return None,
    };
    n.checked_mul(unit).filter(|s| (1..=365 * 86_400).contains(s)).map(Duration::from_secs)
}

impl FromStr for Dim {
    type Err = ();
    /// `5min:0.2`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let (after, to) = text.split_once(':').ok_or(())?;
        let to: f32 = to.trim().parse().map_err(|_| ())?;
        let after = duration(after.trim()).ok_or(())?;
        if to > 0.0 && to < 1.0 { Ok(Self { after, to }) } else { Err(()) }
    }
}

impl FromStr for Off {
    type Err = ();
    /// `30min`, or `22:00-08:00`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let text = text.trim();
        let Some((from, to)) = text.split_once('-') else {
            return duration(text).map(Off::After).ok_or(());
        };
        let time = |t: &str| -> Option<u32> {
            let (h, m) = t.trim().split_once(':')?;
            let (h, m): (u32, u32) = (h.parse().ok()?, m.parse().ok()?);
            (h <= 24 && m < 60 && h * 60 + m <= 24 * 60).then_some(h * 3600 + m * 60)
        };
        match (time(from), time(to)) {
            (Some(a), Some(b)) if a != b => Ok(Off::Hours(a, b)),
            _ => Err(()),
        }
    }
}

/// What a person wishes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wish {
    /// `ZINC_SCREEN_DIM`.
    pub dim: Option<Dim>,
    /// `ZINC_SCREEN_OFF`, all of them.
    pub off: Vec<Off>,
}

/// The state of a screen that is cared for.
#[derive(Debug)]
pub(crate) struct Care {
    wish: Wish,
    /// Of the last touch or key.
    touched: Duration,
    light: Light,
    /// Pointers that woke it and are still down.
    waking: BTreeSet<PointerId>,
}

impl Care {
    /// `None` when nothing is wished.
    pub(crate) fn new(wish: &Wish) -> Option<Self> {
        (wish.dim.is_some() || !wish.off.is_empty()).then(|| Self {
            wish: wish.clone(),
            touched: Duration::ZERO,
            light: Light::Full,
            waking: BTreeSet::new(),
        })
    }

    pub(crate) fn light(&self) -> Light {
        self.light
    }

    /// Takes away what only woke the screen.
    pub(crate) fn hear(&mut self, now: Duration, events: &mut Vec<Timed>) {
        if events.is_empty() {
            return;
        }
        self.touched = now;
        let asleep = self.light != Light::Full;
        events.retain(|t| match &t.event {
            InputEvent::Pointer(p) => {
                if asleep && p.phase == PointerPhase::Down {
                    self.waking.insert(p.id);
                }
                let wakes = self.waking.contains(&p.id);
                if matches!(p.phase, PointerPhase::Up | PointerPhase::Cancel) {
                    self.waking.remove(&p.id);
                }
                !wakes && !asleep
            }
            // A key that comes up again after it woke the screen says nothing by itself.
            _ => !asleep,
        });
    }

    /// How bright it is from now on; answers whether that is news. `second`: of the day.
    pub(crate) fn look(&mut self, now: Duration, second: u32) -> bool {
        let idle = now.saturating_sub(self.touched);
        let dark = |o: &Off| match *o {
            Off::After(t) => idle >= t,
            Off::Hours(a, b) => within(second, a, b) && idle >= NIGHT_VISIT,
        };
        let dim = self.wish.dim.filter(|d| idle >= d.after);
        let light = if self.wish.off.iter().any(dark) {
            Light::Off
        } else {
            dim.map_or(Light::Full, |d| Light::Dim(d.to))
        };
        std::mem::replace(&mut self.light, light) != light
    }

    /// When to look again, on the program's clock.
    pub(crate) fn next(&self, now: Duration, second: u32) -> Option<Duration> {
        let later = |t: Duration| Some(self.touched + t).filter(|at| *at > now);
        let hours = |a: u32, b: u32| {
            let to = |t: u32| Duration::from_secs(u64::from((t + DAY - second) % DAY).max(1));
            let visit = later(NIGHT_VISIT).filter(|_| within(second, a, b));
            let edge = now + to(a).min(to(b)).min(HOURS_LOOK);
            Some(visit.map_or(edge, |v| v.min(edge)))
        };
        let off = self.wish.off.iter().filter_map(|o| match *o {
            Off::After(t) => later(t),
            Off::Hours(a, b) => hours(a, b),
        });
        let dim = self.wish.dim.and_then(|d| later(d.after));
        off.chain(dim).min()
    }
}

fn within(second: u32, a: u32, b: u32) -> bool {
    if a < b { (a..b).contains(&second) } else { second >= a || second < b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zinc_hal::{Button, Key, Modifiers, NamedKey, PointerEvent, PointerKind};
    use zinc_scene::Point;

    fn at(s: u64) -> Duration {
        Duration::from_secs(s)
    }
    fn hour(h: u32) -> u32 {
        h * 3600
    }
    fn finger(id: u32, phase: PointerPhase) -> Timed {
        let position = Point::new(5.0, 5.0);
        let (id, kind, button) = (PointerId(id), PointerKind::Touch, Button::Primary);
        let p = PointerEvent { id, kind, phase, position, button };
        Timed { at: Duration::ZERO, event: InputEvent::Pointer(p) }
    }
    fn care(dim: Option<&str>, off: &[&str]) -> Care {
        let dim = dim.map(|d| d.parse().unwrap());
        Care::new(&Wish { dim, off: off.iter().map(|o| o.parse().unwrap()).collect() }).unwrap()
    }

    #[test]
    fn wishes_are_read_or_refused() {
        assert_eq!("5min:0.2".parse(), Ok(Dim { after: at(300), to: 0.2 }));
        assert_eq!("30min".parse(), Ok(Off::After(at(1800))));
        assert_eq!("22:00-08:00".parse(), Ok(Off::Hours(hour(22), hour(8))));
        assert_eq!("00:00-24:00".parse(), Ok(Off::Hours(0, DAY)));
        for bad in ["", "5", "min", "5min:", "5min:0", "5min:1", "5min:NaN", "0s:0.5", "9d:0.5"] {
            assert_eq!(bad.parse::<Dim>(), Err(()), "{bad}");
        }
        for bad in ["", "22-8", "22:00", "22:60-08:00", "25:00-08:00", "08:00-08:00", "a:b-c:d"] {
            assert_eq!(bad.parse::<Off>(), Err(()), "{bad}");
        }
    }

    #[test]
    fn it_goes_dim_then_dark_and_says_when_to_look() {
        let mut c = care(Some("5min:0.2"), &["30min"]);
        assert!(!c.look(at(299), 0));
        assert_eq!(c.next(at(299), 0), Some(at(300)));
        assert!(c.look(at(300), 0));
        assert_eq!(c.light(), Light::Dim(0.2));
        assert_eq!(c.next(at(300), 0), Some(at(1800)));
        assert!(!c.look(at(1000), 0), "no news");
        assert!(c.look(at(1800), 0));
        assert_eq!((c.light(), c.next(at(1800), 0)), (Light::Off, None));
        c.hear(at(2000), &mut vec![finger(1, PointerPhase::Down)]);
        assert!(c.look(at(2000), 0));
        assert_eq!((c.light(), c.next(at(2000), 0)), (Light::Full, Some(at(2300))));
    }

    #[test]
    fn hours_go_past_midnight_and_a_visitor_at_night_gets_light() {
        for (h, dark) in [(21, false), (22, true), (23, true), (0, true), (7, true), (8, false)] {
            let mut c = care(None, &["22:00-08:00"]);
            c.look(at(1000), hour(h));
            assert_eq!(c.light() == Light::Off, dark, "at {h}");
        }
        let mut c = care(None, &["22:00-08:00"]);
        c.look(at(1000), hour(23));
        c.hear(at(1001), &mut vec![finger(1, PointerPhase::Down)]);
        c.look(at(1001), hour(23));
        assert_eq!(c.light(), Light::Full);
        // Looked at when the visit ends; and before an hour comes, as the clock may be set.
        assert!(c.next(at(1050), hour(23)).unwrap() <= at(1061));
        c.look(at(1061), hour(23));
        assert_eq!(c.light(), Light::Off);
        let day = care(None, &["22:00-08:00"]);
        assert_eq!(day.next(at(0), hour(22) - 10), Some(at(10)));
        assert_eq!(day.next(at(0), hour(12)), Some(HOURS_LOOK));
    }

    #[test]
    fn the_touch_that_wakes_does_nothing_else() {
        let mut c = care(Some("5min:0.2"), &["30min"]);
        c.look(at(400), 0);
        let mut woke = vec![finger(1, PointerPhase::Down), finger(1, PointerPhase::Move)];
        c.hear(at(401), &mut woke);
        assert_eq!(woke, []);
        c.look(at(401), 0);
        assert_eq!(c.light(), Light::Full);
        // It is still down: what it does until it is lifted is swallowed, a second finger is not.
        let mut on = vec![finger(1, PointerPhase::Move), finger(2, PointerPhase::Down)];
        c.hear(at(402), &mut on);
        assert_eq!(on, [finger(2, PointerPhase::Down)]);
        let mut up = vec![finger(1, PointerPhase::Up), finger(2, PointerPhase::Up)];
        c.hear(at(403), &mut up);
        assert_eq!(up, [finger(2, PointerPhase::Up)]);
        let mut again = vec![finger(1, PointerPhase::Down)];
        c.hear(at(404), &mut again);
        assert_eq!(again.len(), 1);
        // A key as well.
        c.look(at(5000), 0);
        let key = InputEvent::KeyDown {
            key: Key::Named(NamedKey::Enter),
            modifiers: Modifiers::default(),
        };
        let mut keys = vec![Timed { at: at(0), event: key }];
        c.hear(at(5001), &mut keys);
        assert_eq!(keys, []);
    }
}
