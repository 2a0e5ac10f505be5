//! A file of events as touch panel: the kernel's own records, played a packet at a time. For the
//! simulated frame buffer, whose size the panel has.

use crate::decode::Decoder;
use crate::facts::{Axis, Facts, Raw};
use crate::keyboard::KeyboardOptions;
use crate::seat::Seat;
use evdev::{AbsoluteAxisCode as Abs, EventType as Kind, KeyCode as K};
use rustix::event::epoll;
use rustix::fd::OwnedFd;
use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};
use zinc_hal::{InputError, InputSource, Placement, Timed};

/// Half of `struct input_event`'s time, which is as wide as the machine's words.
const WORD: usize = size_of::<usize>();
/// `struct input_event`: seconds, microseconds, kind, code, value.
const RECORD: usize = 2 * WORD + 8;
/// From packet to packet, where time is real.
const PACE: Duration = Duration::from_nanos(16_666_667);

/// A file's events.
#[derive(Debug)]
pub struct Recorded {
    /// Nothing ever comes by it.
    quiet: OwnedFd,
    packets: VecDeque<Vec<(u16, u16, i32)>>,
    /// Made when the panel's size is known.
    device: Option<(Decoder, Seat)>,
    start: Instant,
    due: Duration,
}

impl Recorded {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read. What is left over after the last whole record is said and left out.
    pub fn open(path: &Path, start: Instant) -> Result<Self, InputError> {
        let failed = |cause: io::Error| InputError {
            tried: "cannot read the recorded input",
            on: path.display().to_string(),
            cause,
            cure: "it is a file of raw input_event records, as read from an event node".to_owned(),
        };
        let bytes = std::fs::read(path).map_err(failed)?;
        let records = bytes.chunks_exact(RECORD);
        if !records.remainder().is_empty() {
            let left = records.remainder().len();
            tracing::warn!("input: {left} bytes at the end of {} are no record", path.display());
        }
        let mut packets = VecDeque::from([Vec::new()]);
        for r in records {
            let (kind, code, value) = parse(r);
            if kind == Kind::SYNCHRONIZATION.0 && code == 0 {
                packets.push_back(Vec::new());
            } else if let Some(p) = packets.back_mut() {
                p.push((kind, code, value));
            }
        }
        // What no report ends is no packet.
        packets.pop_back();
        let quiet = epoll::create(epoll::CreateFlags::CLOEXEC).map_err(|e| failed(e.into()))?;
        Ok(Self { quiet, packets, device: None, start, due: start.elapsed() })
    }
}

/// Kind, code and value of a record.
fn parse(r: &[u8]) -> (u16, u16, i32) {
    let at = 2 * WORD;
    let half = |i: usize| u16::from_ne_bytes([r[i], r[i + 1]]);
    let value = i32::from_ne_bytes([r[at + 4], r[at + 5], r[at + 6], r[at + 7]]);
    (half(at), half(at + 2), value)
}

/// A panel for many fingers, of this size.
fn panel((width, height): (u32, u32)) -> Facts {
    let side = |n: u32| Axis { min: 0, max: i32::try_from(n).unwrap_or(i32::MAX) - 1 };
    let slots = |max| Axis { min: 0, max };
    Facts {
        name: "recorded".to_owned(),
        keys: [K::BTN_TOUCH.0].into(),
        absolute: [
            (Abs::ABS_MT_SLOT.0, slots(9)),
            (Abs::ABS_MT_TRACKING_ID.0, slots(65535)),
            (Abs::ABS_MT_POSITION_X.0, side(width)),
            (Abs::ABS_MT_POSITION_Y.0, side(height)),
        ]
        .into(),
        direct: true,
        ..Facts::default()
    }
}

impl InputSource for Recorded {
    fn descriptor(&self) -> io::Result<OwnedFd> {
        self.quiet.try_clone()
    }

    /// A packet a call.
    fn poll(&mut self, place: &Placement, out: &mut Vec<Timed>) {
        let Some(packet) = self.packets.pop_front() else { return };
        let at = self.start.elapsed();
        self.due = (self.due + PACE).max(at);
        if self.device.is_none() {
            let seat = Seat::new(*place, KeyboardOptions::default());
            self.device = Decoder::new(&panel(place.panel), &[]).ok().map(|d| (d, seat));
        }
        let Some((decoder, seat)) = &mut self.device else { return };
        seat.set_place(*place);
        let end = (Kind::SYNCHRONIZATION.0, 0, 0);
        for (kind, code, value) in packet.into_iter().chain([end]) {
            decoder.feed(Raw { at, kind, code, value }, seat, out);
        }
    }

    fn due(&self) -> Option<Duration> {
        (!self.packets.is_empty()).then_some(self.due)
    }

    fn is_recorded(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zinc_hal::{InputEvent, PointerPhase};

    fn record(kind: Kind, code: u16, value: i32) -> Vec<u8> {
        let mut r = vec![0; 2 * WORD];
        r.extend(kind.0.to_ne_bytes());
        r.extend(code.to_ne_bytes());
        r.extend(value.to_ne_bytes());
        r
    }

    #[test]
    fn a_packet_comes_with_each_look() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let abs = |a: Abs, v| record(Kind::ABSOLUTE, a.0, v);
        let end = || record(Kind::SYNCHRONIZATION, 0, 0);
        let mut bytes = [
            abs(Abs::ABS_MT_TRACKING_ID, 3),
            abs(Abs::ABS_MT_POSITION_X, 10),
            abs(Abs::ABS_MT_POSITION_Y, 20),
            end(),
            abs(Abs::ABS_MT_TRACKING_ID, -1),
            end(),
            abs(Abs::ABS_MT_TRACKING_ID, 4),
        ]
        .concat();
        bytes.extend([1, 2, 3]);
        std::fs::write(file.path(), bytes).unwrap();
        let mut r = Recorded::open(file.path(), Instant::now()).unwrap();
        let place = Placement::whole((64, 48));
        let mut phases = Vec::new();
        for _ in 0..4 {
            let mut out = Vec::new();
            r.poll(&place, &mut out);
            let InputEvent::Pointer(p) = (match out.pop() {
                Some(t) => t.event,
                None => break,
            }) else {
                panic!("a pointer")
            };
            assert_eq!((p.position.x, p.position.y), (10.5, 20.5));
            phases.push(p.phase);
        }
        assert_eq!(phases, [PointerPhase::Down, PointerPhase::Up]);
        assert_eq!(r.due(), None);
        assert!(Recorded::open(Path::new("/nowhere/at/all"), Instant::now()).is_err());
    }
}
