//! Scripted input (`ZINC_INPUT`): one event a line, `FRAME EVENT ARGUMENTS`, in frame order.
//!
//! ```text
//! # tap a button, type, scroll
//! 10 tap 400 240
//! 20 down 1 100 100        finger 1
//! 21 move 1 120 100
//! 22 up 1 120 100
//! 30 mouse 300 200         moves the mouse
//! 40 wheel 300 200 0 120
//! 50 key Enter             also: key ctrl+k, key shift+Tab
//! 60 text Buy milk
//! ```

use std::path::{Path, PathBuf};
use zinc_hal::{
    Button, InputEvent, Key, Modifiers, PointerEvent, PointerId, PointerKind, PointerPhase,
    WheelEvent,
};
use zinc_scene::Point;

/// A script that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file cannot be read.
    #[error("cannot read the input script {path}: {cause}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        cause: std::io::Error,
    },
    /// A line makes no sense.
    #[error(
        "{path}:{line}: {text:?} is not understood; a line is FRAME EVENT ARGUMENTS, as `10 tap 400 240`"
    )]
    Line {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What stands there.
        text: String,
    },
}

/// Events by frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    events: Vec<(u64, InputEvent)>,
    next: usize,
}

impl Script {
    /// From a file.
    ///
    /// # Errors
    /// When it cannot be read, or the first line that makes no sense.
    pub fn load(path: &Path) -> Result<Self, ScriptError> {
        let text = std::fs::read_to_string(path)
            .map_err(|cause| ScriptError::Read { path: path.to_owned(), cause })?;
        Self::parse(&text).map_err(|(line, text)| ScriptError::Line {
            path: path.to_owned(),
            line,
            text,
        })
    }

    /// From text; the error is line number and line.
    ///
    /// # Errors
    /// The first line that makes no sense.
    pub fn parse(text: &str) -> Result<Self, (usize, String)> {
        let mut events = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let bare = line.trim();
            if bare.is_empty() || bare.starts_with('#') {
                continue;
            }
            parse_line(bare, &mut events).ok_or_else(|| (i + 1, line.to_owned()))?;
        }
        events.sort_by_key(|(f, _)| *f);
        Ok(Self { events, next: 0 })
    }

    /// The events of all frames up to `frame` that were not taken yet.
    pub fn take(&mut self, frame: u64) -> impl Iterator<Item = &InputEvent> {
        let from = self.next;
        while self.events.get(self.next).is_some_and(|(f, _)| *f <= frame) {
            self.next += 1;
        }
        self.events[from..self.next].iter().map(|(_, e)| e)
    }
    /// Events are left.
    pub fn has_more(&self) -> bool {
        self.next < self.events.len()
    }
}

fn parse_line(line: &str, out: &mut Vec<(u64, InputEvent)>) -> Option<()> {
    let (frame, rest) = line.split_once(char::is_whitespace)?;
    let frame: u64 = frame.parse().ok()?;
    let rest = rest.trim_start();
    let (what, args) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let numbers: Vec<f32> = args.split_whitespace().map_while(|a| a.parse().ok()).collect();
    let pointer = |kind, id: f32, phase, x, y| {
        InputEvent::Pointer(PointerEvent {
            id: PointerId(id as u32),
            kind,
            phase,
            position: Point::new(x, y),
            button: Button::Primary,
        })
    };
    let (mouse, touch) = (PointerKind::Mouse, PointerKind::Touch);
    use PointerPhase::{Cancel, Down, Move, Up};
    match (what, numbers.as_slice()) {
        ("tap", &[x, y]) => {
            out.push((frame, pointer(touch, 1.0, Down, x, y)));
            out.push((frame + 2, pointer(touch, 1.0, Up, x, y)));
        }
        ("click", &[x, y]) => {
            out.push((frame, pointer(mouse, 0.0, Move, x, y)));
            out.push((frame, pointer(mouse, 0.0, Down, x, y)));
            out.push((frame + 2, pointer(mouse, 0.0, Up, x, y)));
        }
        ("down", &[id, x, y]) => out.push((frame, pointer(touch, id, Down, x, y))),
        ("move", &[id, x, y]) => out.push((frame, pointer(touch, id, Move, x, y))),
        ("up", &[id, x, y]) => out.push((frame, pointer(touch, id, Up, x, y))),
        ("cancel", &[id]) => out.push((frame, pointer(touch, id, Cancel, 0.0, 0.0))),
        ("mouse", &[x, y]) => out.push((frame, pointer(mouse, 0.0, Move, x, y))),
        ("wheel", &[x, y, dx, dy]) => {
            let (position, delta) = (Point::new(x, y), Point::new(dx, dy));
            out.push((frame, InputEvent::Wheel(WheelEvent { position, delta })));
        }
        ("key", _) => {
            let mut modifiers = Modifiers::default();
            let mut name = args.trim();
            while let Some((m, rest)) = name.split_once('+').filter(|(_, r)| !r.is_empty()) {
                match m {
                    "ctrl" => modifiers.ctrl = true,
                    "shift" => modifiers.shift = true,
                    "alt" => modifiers.alt = true,
                    _ => return None,
                }
                name = rest;
            }
            let key = Key::from_name(name)?;
            out.push((frame, InputEvent::KeyDown { key, modifiers }));
            out.push((frame, InputEvent::KeyUp { key }));
        }
        ("text", _) => out.push((frame, InputEvent::Text(args.to_owned()))),
        ("paste", _) => out.push((frame, InputEvent::Paste(args.to_owned()))),
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_events_in_frame_order() {
        let mut s = Script::parse("# x\n\n20 key ctrl+k\n10 tap 4 5\n").unwrap();
        assert_eq!(s.take(9).count(), 0);
        assert_eq!(s.take(10).count(), 1);
        assert_eq!(s.take(15).count(), 1);
        let keys: Vec<_> = s.take(99).cloned().collect();
        let m = Modifiers { ctrl: true, ..Modifiers::default() };
        assert_eq!(keys[0], InputEvent::KeyDown { key: Key::Char('k'), modifiers: m });
        assert!(!s.has_more());
    }

    #[test]
    fn a_wrong_line_is_named() {
        for bad in ["x tap 1 2", "1 jump", "1 tap 1", "1 key", "1 key hyper+x"] {
            assert_eq!(Script::parse(bad).unwrap_err(), (1, bad.to_owned()));
        }
    }
}
