//! Drags on the frame clock. A panel that tells a finger's place 25 times a second, drawn 60 times,
//! stands still for two frames of three; one that tells it 62 times stumbles once in 16 ms. So a
//! held pointer is drawn a little behind its newest sample, on the line between two of them; what
//! the panel's rate would cost beyond a frame is bridged by going on as fast as before, for one
//! frame at most. Where it is let go it is where it was let go.
//!
//! Pure: times come in, events go out. Runs in virtual time do without.

use std::collections::VecDeque;
use std::time::Duration;
use zinc_hal::{InputEvent, PointerEvent, PointerId, PointerPhase, Timed};
use zinc_scene::Point;

/// The time between samples until it is known: that of the slowest panels in use.
const SLOW: Duration = Duration::from_millis(40);
/// A longer time between two samples is a rest, not a rate.
const REST: Duration = Duration::from_millis(100);
/// At least so far behind: samples come a little late.
const BEHIND: Duration = Duration::from_millis(4);
/// Gaps that the rate is judged by.
const GAPS: usize = 4;
/// Samples kept of a pointer; at 1000 a second and a frame of 16 ms no more are wanted.
const SAMPLES: usize = 32;

/// A pointer that is down.
#[derive(Clone, Debug)]
struct Track {
    /// Its newest event, for all but place and time.
    like: PointerEvent,
    samples: VecDeque<(Duration, Point)>,
    gaps: [Duration; GAPS],
    /// Where it is drawn, and when its finger was there.
    drawn: (Duration, Point),
    /// The frame that drew it; `None` after a rest.
    frame: Option<Duration>,
    /// It lies still where it is: nothing is guessed.
    rests: bool,
}

/// Drags of all pointers.
#[derive(Clone, Debug)]
pub(crate) struct Resampler {
    tracks: Vec<Track>,
    /// From frame to frame.
    period: Duration,
    /// The gaps of the drag before: the next one is likely of the same panel.
    gaps: [Duration; GAPS],
    spare: Vec<Timed>,
}

fn scaled(d: Duration, times: u32, of: u32) -> Duration {
    d * times / of
}

fn dot(a: Point, b: Point) -> f32 {
    a.x * b.x + a.y * b.y
}

impl Track {
    fn new(at: Duration, p: PointerEvent, gaps: [Duration; GAPS]) -> Self {
        let samples = VecDeque::from([(at, p.position)]);
        Self { like: p, samples, gaps, drawn: (at, p.position), frame: None, rests: true }
    }

    fn newest(&self) -> (Duration, Point) {
        self.samples.back().copied().unwrap_or(self.drawn)
    }

    fn gap(&self) -> Duration {
        self.gaps.iter().max().copied().unwrap_or(SLOW)
    }

    fn sample(&mut self, at: Duration, p: PointerEvent) {
        self.like = p;
        let (last, _) = self.newest();
        if at <= last {
            // Two places at one time: the later word counts.
            if let Some(s) = self.samples.back_mut() {
                s.1 = p.position;
            }
            return;
        }
        let gap = at - last;
        if gap <= REST {
            self.gaps.rotate_right(1);
            self.gaps[0] = gap;
        }
        if self.rests {
            // It lay still until shortly before: the way begins there and then.
            let start = at.saturating_sub(self.gap()).max(self.drawn.0);
            (self.drawn.0, self.frame) = (start, None);
            self.samples.clear();
            self.samples.push_back((start, self.drawn.1));
            self.rests = false;
        }
        if self.samples.len() == SAMPLES {
            self.samples.pop_front();
        }
        self.samples.push_back((at, p.position));
    }

    /// Per second, along the newest two samples.
    fn velocity(&self) -> Point {
        let n = self.samples.len();
        let Some(&(t0, p0)) = n.checked_sub(2).and_then(|i| self.samples.get(i)) else {
            return Point::default();
        };
        let (t1, p1) = self.newest();
        (p1 - p0) * (1.0 / (t1 - t0).as_secs_f32().max(0.001))
    }

    /// Where it is drawn in the frame of `now`, and which time that is.
    fn step(&mut self, now: Duration, period: Duration) -> (Duration, Point) {
        let gap = self.gap();
        let behind = scaled(gap, 9, 8).saturating_sub(period).max(BEHIND);
        // When the rate turns out to be another, time runs a little faster or slower for a while:
        // it neither stops nor jumps.
        let (from, was) = self.drawn;
        let to = now.saturating_sub(behind);
        let to = self.frame.map_or(to.max(from), |frame| {
            let since = now.saturating_sub(frame);
            to.clamp(from + scaled(since, 1, 2), from + scaled(since, 3, 2))
        });
        let (last, end) = self.newest();
        // Not at the first sample that is late: it would be drawn going back.
        if now.saturating_sub(last) > gap * 2 + SLOW {
            self.rests = true;
            return (to, end);
        }
        let v = self.velocity();
        let guess = |t: Duration| {
            let ahead = t.saturating_sub(last).min(period).min(gap);
            end + v * ahead.as_secs_f32()
        };
        let mut a = (from, was);
        let mut at = None;
        for &(t, p) in self.samples.iter().filter(|(t, _)| *t > from) {
            if t >= to {
                let part = (to - a.0).as_secs_f32() / (t - a.0).as_secs_f32().max(1e-6);
                at = Some(a.1 + (p - a.1) * part);
                break;
            }
            a = (t, p);
        }
        let at = at.unwrap_or_else(|| {
            if from <= last {
                return guess(to);
            }
            // A sample came whose time was guessed already: half of what was wrong is made good.
            was + (guess(to) - guess(from)) + (guess(from) - was) * 0.5
        });
        // A guess that went too far waits for the finger; it does not go back.
        if dot(at - was, v) < 0.0 { (to, was) } else { (to, at) }
    }

    fn event(&self, at: Duration, position: Point) -> Timed {
        let p = PointerEvent { phase: PointerPhase::Move, position, ..self.like };
        Timed { at, event: InputEvent::Pointer(p) }
    }
}

impl Resampler {
    /// For frames that come so often.
    pub(crate) fn new(period: Duration) -> Self {
        Self { tracks: Vec::new(), period, gaps: [SLOW; GAPS], spare: Vec::new() }
    }

    /// Some pointer is not drawn where it is: a frame is wanted.
    pub(crate) fn is_behind(&self) -> bool {
        self.tracks.iter().any(|t| t.drawn.1 != t.newest().1)
    }

    /// Takes the events since the last frame and leaves what the frame of `now` shows: moves of
    /// pointers that are down are replaced, all else stays as and where it is.
    pub(crate) fn frame(&mut self, now: Duration, events: &mut Vec<Timed>) {
        if events.is_empty() && self.tracks.is_empty() {
            return;
        }
        let mut out = std::mem::take(&mut self.spare);
        for e in events.drain(..) {
            let InputEvent::Pointer(p) = &e.event else {
                out.push(e);
                continue;
            };
            let held = self.held(p.id);
            match (p.phase, held) {
                (PointerPhase::Move, Some(i)) => {
                    self.tracks[i].sample(e.at, *p);
                    continue;
                }
                (PointerPhase::Down, None) => self.tracks.push(Track::new(e.at, *p, self.gaps)),
                (PointerPhase::Down | PointerPhase::Up, Some(i)) => {
                    let t = &mut self.tracks[i];
                    let (at, p) = t.newest();
                    if t.drawn.1 != p {
                        t.drawn = (at.max(t.drawn.0), p);
                        out.push(t.event(t.drawn.0, p));
                    }
                }
                _ => {}
            }
            if let (PointerPhase::Up | PointerPhase::Cancel | PointerPhase::Leave, Some(i)) =
                (p.phase, held)
            {
                self.gaps = self.tracks.swap_remove(i).gaps;
            }
            out.push(e);
        }
        for t in &mut self.tracks {
            if t.drawn.1 == t.newest().1 && t.rests {
                t.frame = None;
                continue;
            }
            let (at, p) = t.step(now, self.period);
            t.frame = Some(now);
            if p != t.drawn.1 {
                out.push(t.event(at, p));
            }
            t.drawn = (at, p);
        }
        std::mem::swap(events, &mut out);
        self.spare = out;
        self.spare.clear();
    }

    fn held(&self, id: PointerId) -> Option<usize> {
        self.tracks.iter().position(|t| t.like.id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zinc_hal::{Button, PointerKind};

    const FRAME: Duration = Duration::from_nanos(16_666_667);

    fn pointer(phase: PointerPhase, x: f32) -> InputEvent {
        let (kind, button) = (PointerKind::Touch, Button::Primary);
        let position = Point::new(x, x * 0.5);
        InputEvent::Pointer(PointerEvent { id: PointerId(1), kind, phase, position, button })
    }

    /// Frames of a drag: `way` is where the finger is at a time; samples come so often, and a
    /// little late. What each frame draws, and when; the last one is the finger let go.
    fn drag(
        r: &mut Resampler,
        every: Duration,
        jitter_ms: u64,
        length: Duration,
        way: impl Fn(f32) -> f32,
    ) -> Vec<(Duration, f32)> {
        let start = Duration::from_secs(1);
        let x = |t: Duration| way((t - start).as_secs_f32());
        let mut inbox = vec![(start, pointer(PointerPhase::Down, x(start)))];
        let mut t = start + every;
        let mut seed = 7u64;
        while t < start + length {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let late = Duration::from_millis((seed >> 33) % (jitter_ms + 1));
            inbox.push((t + late, pointer(PointerPhase::Move, x(t + late))));
            t += every;
        }
        inbox.push((start + length, pointer(PointerPhase::Up, x(start + length))));
        let (mut drawn, mut next, mut now) = (Vec::new(), 0, start);
        while next < inbox.len() {
            let mut events: Vec<Timed> = Vec::new();
            while next < inbox.len() && inbox[next].0 <= now {
                let (at, event) = inbox[next].clone();
                events.push(Timed { at, event });
                next += 1;
            }
            r.frame(now, &mut events);
            for e in events {
                let InputEvent::Pointer(p) = e.event else { panic!("a pointer") };
                if p.phase != PointerPhase::Down {
                    drawn.push((now, p.position.x));
                }
            }
            now += FRAME;
        }
        assert!(!r.is_behind() && r.tracks.is_empty());
        drawn
    }

    /// From the first move on, each frame but the last (two events) draws further ahead.
    fn moves_on(drawn: &[(Duration, f32)], what: &str) -> (f32, f32) {
        let n = drawn.len() - 2;
        for w in drawn[..n].windows(2) {
            assert_eq!(w[1].0, w[0].0 + FRAME, "{what}: a frame stands still at {:?}", w[0]);
        }
        let steps: Vec<f32> = drawn[..n].windows(2).map(|w| w[1].1 - w[0].1).collect();
        let least = steps.iter().copied().fold(f32::MAX, f32::min);
        assert!(least > 0.0, "{what}: a step of {least} of {steps:?}");
        (least, steps.iter().copied().fold(0.0, f32::max))
    }

    /// 40: touch events at 25 Hz made drags look broken.
    #[test]
    fn case_40_slow_panels_drag_smoothly() {
        for (hz, jitter) in
            [(25, 0), (25, 4), (30, 2), (50, 2), (60, 1), (62, 0), (100, 1), (250, 0)]
        {
            let mut r = Resampler::new(FRAME);
            let every = Duration::from_secs(1) / hz;
            let speed = 600.0;
            let length = Duration::from_millis(900);
            let drawn = drag(&mut r, every, jitter, length, |s| s * speed);
            let what = format!("{hz} Hz, {jitter} ms late");
            let (least, most) = moves_on(&drawn, &what);
            // A frame is 10 px. Once the rate is known steps are even.
            let late: Vec<f32> = drawn[drawn.len() / 2..drawn.len() - 2]
                .windows(2)
                .map(|w| w[1].1 - w[0].1)
                .collect();
            let even = late.iter().all(|s| (s - 10.0).abs() < 1.0 + 2.0 * jitter as f32);
            assert!(even, "{what}: {late:?}");
            // At most a gap and a frame behind, and never a frame ahead.
            for (now, x) in &drawn[..drawn.len() - 2] {
                let finger = (*now - Duration::from_secs(1)).as_secs_f32() * speed;
                let behind = (finger - x) / speed;
                let most = (every + FRAME).as_secs_f32() + 0.005 * jitter as f32 + 0.02;
                assert!((-0.0167..most).contains(&behind), "{what}: {behind} s behind");
            }
            println!("{what}: steps {least:.1} to {most:.1} px");
            assert!((drawn[drawn.len() - 1].1 - 540.0).abs() < 0.01, "it ends where it was let go");
        }
    }

    /// 40: a hand speeds up and slows down; it is never drawn going back.
    #[test]
    fn case_40_a_hand_that_slows_down_is_not_drawn_going_back() {
        for hz in [25, 40, 100] {
            let mut r = Resampler::new(FRAME);
            let way = |s: f32| 300.0 * (1.0 - (s * 3.5).min(core::f32::consts::PI).cos());
            let every = Duration::from_secs(1) / hz;
            let drawn = drag(&mut r, every, 2, Duration::from_millis(890), way);
            let back = drawn.windows(2).map(|w| w[0].1 - w[1].1).fold(0.0, f32::max);
            assert!(back < 0.01, "{hz} Hz: {back} px back in {drawn:?}");
        }
    }

    /// A finger that rests is drawn where it is, and then nothing is asked for.
    #[test]
    fn a_finger_that_rests_costs_no_frames() {
        let mut r = Resampler::new(FRAME);
        let ms = Duration::from_millis;
        let mut events = vec![
            Timed { at: ms(0), event: pointer(PointerPhase::Down, 0.0) },
            Timed { at: ms(40), event: pointer(PointerPhase::Move, 40.0) },
            Timed { at: ms(80), event: pointer(PointerPhase::Move, 80.0) },
        ];
        r.frame(ms(80), &mut events);
        let mut now = ms(80);
        let mut last = 0.0;
        let mut frames = 0;
        while r.is_behind() {
            now += FRAME;
            let mut events = Vec::new();
            r.frame(now, &mut events);
            for e in events {
                let InputEvent::Pointer(p) = e.event else { panic!("a pointer") };
                last = p.position.x;
            }
            frames += 1;
            assert!(frames < 20, "it never comes to rest");
        }
        assert_eq!(last, 80.0);
        // After a second it moves again: not from a second ago, and at once.
        now += Duration::from_secs(1);
        let mut events = vec![Timed { at: now, event: pointer(PointerPhase::Move, 90.0) }];
        r.frame(now, &mut events);
        let InputEvent::Pointer(p) = &events[0].event else { panic!("a pointer") };
        assert!((80.5..88.0).contains(&p.position.x), "{}", p.position.x);
    }

    /// All else goes through untouched, in its order.
    #[test]
    fn only_moves_of_held_pointers_are_replaced() {
        let mut r = Resampler::new(FRAME);
        let t = |ms, event| Timed { at: Duration::from_millis(ms), event };
        let text = InputEvent::Text("a".into());
        let mut events = vec![
            t(1, pointer(PointerPhase::Move, 5.0)),
            t(2, pointer(PointerPhase::Down, 5.0)),
            t(3, text.clone()),
            t(4, pointer(PointerPhase::Move, 9.0)),
            t(5, pointer(PointerPhase::Up, 10.0)),
            t(6, pointer(PointerPhase::Move, 11.0)),
        ];
        let all = events.clone();
        r.frame(Duration::from_millis(7), &mut events);
        assert_eq!(events, all);
        let mut cancelled = vec![
            t(10, pointer(PointerPhase::Down, 5.0)),
            t(12, pointer(PointerPhase::Move, 9.0)),
            t(14, pointer(PointerPhase::Cancel, 9.0)),
        ];
        r.frame(Duration::from_millis(15), &mut cancelled);
        assert_eq!(cancelled.len(), 2);
        assert!(!r.is_behind());
    }
}
