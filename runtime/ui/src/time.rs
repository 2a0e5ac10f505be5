//! Values and answers that depend on time: springs, tweens, timers. Each belongs to its call
//! site and dies when it is not asked for any more.

use crate::anim::{RESPONSE, Spring, ease_out};
use crate::node::Key;
use crate::{El, Ui};
use std::panic::Location;
use std::time::Duration;

/// A value on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpringState {
    spring: Spring,
    /// For tweens: where it started and how long it has been going.
    from: f32,
    elapsed: f32,
    frame: u64,
}

/// A timer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimerState {
    due: Duration,
    frame: u64,
    /// For `idle_for`: the input after which it last fired.
    fired: Option<Duration>,
}

impl Ui {
    /// A value that follows `target` on a critically damped spring: it starts there, and moves
    /// when the target changes.
    #[track_caller]
    pub fn spring(&mut self, target: f32) -> f32 {
        self.spring_with(target, RESPONSE)
    }

    /// A spring with its own response time, in seconds.
    #[track_caller]
    pub fn spring_with(&mut self, target: f32, response: f32) -> f32 {
        let key = self.value_key(Location::caller(), 1);
        self.spring_by_key(key, target, response)
    }

    fn spring_by_key(&mut self, key: Key, target: f32, response: f32) -> f32 {
        let (frame, dt, reduced) = (self.frame, self.dt, self.theme.reduced_motion);
        let target = if target.is_finite() { target } else { 0.0 };
        let fresh = SpringState { spring: Spring::at(target), from: target, elapsed: 0.0, frame };
        let s = self.springs.entry(key).or_insert(fresh);
        s.spring.target = target;
        if s.frame != frame {
            s.frame = frame;
            s.spring.step(dt, response);
        }
        if reduced {
            s.spring = Spring::at(target);
        }
        let value = s.spring.value;
        self.animating |= !s.spring.is_resting();
        value
    }

    /// A value that goes to `target` in `seconds`, fast first.
    #[track_caller]
    pub fn tween(&mut self, target: f32, seconds: f32) -> f32 {
        let key = self.value_key(Location::caller(), 2);
        let (frame, dt) = (self.frame, self.dt);
        let target = if target.is_finite() { target } else { 0.0 };
        let fresh = SpringState { spring: Spring::at(target), from: target, elapsed: 0.0, frame };
        let s = self.springs.entry(key).or_insert(fresh);
        if s.spring.target != target {
            s.from = s.spring.value;
            s.spring.target = target;
            s.elapsed = 0.0;
            s.frame = frame;
        } else if s.frame != frame {
            s.frame = frame;
            s.elapsed += dt;
        }
        let t = if seconds > 0.0 { s.elapsed / seconds } else { 1.0 };
        s.spring.value = s.from + (target - s.from) * ease_out(t);
        let value = s.spring.value;
        self.animating |= value != target;
        value
    }

    /// Seconds since this place was first asked, for motion that starts when something appears.
    #[track_caller]
    pub fn elapsed(&mut self) -> f32 {
        let key = self.value_key(Location::caller(), 3);
        let (frame, dt) = (self.frame, self.dt);
        let fresh = SpringState { spring: Spring::at(0.0), from: 0.0, elapsed: 0.0, frame };
        let s = self.springs.entry(key).or_insert(fresh);
        if s.frame != frame {
            s.frame = frame;
            s.elapsed += dt;
        }
        s.elapsed
    }

    /// True once every `period`, counted from when it was first asked. Act on it: the frame is
    /// declared again after the answer.
    #[track_caller]
    pub fn every(&mut self, period: Duration) -> bool {
        let key = self.value_key(Location::caller(), 4);
        let period = period.max(Duration::from_millis(1));
        let (now, frame) = (self.now, self.frame);
        let t =
            self.timers.entry(key).or_insert(TimerState { due: now + period, frame, fired: None });
        t.frame = frame;
        let due = self.answering && now >= t.due;
        if due {
            // Missed periods are not made up for: a clock shows the time, not each second.
            let late = (now - t.due).as_nanos() / period.as_nanos();
            t.due += period * (late as u32).saturating_add(1);
        }
        let at = t.due;
        self.wake(at);
        due
    }

    /// True once, when `delay` has passed since it was first asked.
    #[track_caller]
    pub fn after(&mut self, delay: Duration) -> bool {
        let key = self.value_key(Location::caller(), 5);
        let (now, frame) = (self.now, self.frame);
        let t =
            self.timers.entry(key).or_insert(TimerState { due: now + delay, frame, fired: None });
        t.frame = frame;
        if t.fired.is_some() {
            return false;
        }
        let due = self.answering && now >= t.due;
        if due {
            t.fired = Some(now);
        } else {
            let at = t.due;
            self.wake(at);
        }
        due
    }

    /// True once, when nobody touched anything for `time`; again after the next touch.
    #[track_caller]
    pub fn idle_for(&mut self, time: Duration) -> bool {
        let key = self.value_key(Location::caller(), 6);
        let (now, frame, input) = (self.now, self.frame, self.last_input);
        let due = input + time;
        let t = self.timers.entry(key).or_insert(TimerState { due, frame, fired: None });
        t.frame = frame;
        t.due = due;
        if t.fired == Some(input) {
            return false;
        }
        let answer = self.answering && now >= due;
        if answer {
            t.fired = Some(input);
        } else {
            self.wake(due);
        }
        answer
    }

    fn value_key(&mut self, at: &'static Location<'static>, kind: u64) -> Key {
        self.parent_key().at(at).child(kind)
    }

    pub(crate) fn wake(&mut self, at: Duration) {
        self.wake_at = Some(self.wake_at.map_or(at, |w| w.min(at)));
    }

    /// A timer of the last pass is due: the coming frame needs answers.
    pub(crate) fn timer_due(&self) -> bool {
        self.wake_at.is_some_and(|w| w <= self.now)
    }

    /// Drops values that were not asked for in this frame.
    pub(crate) fn end_of_pass(&mut self) {
        if !self.showing {
            return;
        }
        let frame = self.frame;
        let stale = self.springs.values().any(|s| s.frame != frame);
        if stale {
            self.springs.retain(|_, s| s.frame == frame);
        }
        if self.timers.values().any(|t| t.frame != frame) {
            self.timers.retain(|_, t| t.frame == frame);
        }
    }
}

impl El<'_> {
    /// A value of this element that follows `target` on a spring, for its own style.
    pub fn spring(&mut self, target: f32) -> f32 {
        let key = self.ui.nodes[self.node as usize].key.child(7);
        self.ui.spring_by_key(key, target, RESPONSE)
    }
}
