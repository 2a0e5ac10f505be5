//! What stands above the screen: dialogs, menus, toasts.

use crate::node::{Flow, Kind};
use crate::{Align, Justify, Key, Motion, S, Style, Tone, Ui, tones};
use std::panic::Location;
use std::time::Duration;
use zinc_hal::NamedKey;
use zinc_scene::Color;

/// How long a toast stays.
const TOAST: Duration = Duration::from_secs(4);
/// Toasts at once; the oldest makes room.
const TOASTS: usize = 3;

/// A message that goes on its own.
#[derive(Clone, Debug)]
pub(crate) struct Toast {
    id: u64,
    words: String,
    until: Duration,
}

/// The answer of a dialog.
#[derive(Clone, Copy, Debug)]
pub struct Dialog {
    dismissed: bool,
}

impl Dialog {
    /// The person touched beside it, or pressed Escape.
    pub fn dismissed(self) -> bool {
        self.dismissed
    }
}

impl Ui {
    /// A dialog in front of everything, while it is declared. What is behind it cannot be
    /// touched and keeps no focus.
    #[track_caller]
    pub fn dialog(&mut self, style: Style, f: impl FnOnce(&mut Ui)) -> Dialog {
        self.over(Location::caller(), S.centered(), style, f)
    }

    /// A dialog at the top, for palettes and menus whose height changes.
    #[track_caller]
    pub fn palette(&mut self, style: Style, f: impl FnOnce(&mut Ui)) -> Dialog {
        let place = S.align(Align::Center).justify(Justify::Start).pad_each(56.0, 0.0, 0.0, 0.0);
        self.over(Location::caller(), place, style, f)
    }

    /// Declares something above the app and its dialogs, in a box of the window's size: place it
    /// with [`Style::pin`]. What lies beside it stays in reach.
    pub fn above<R>(&mut self, f: impl FnOnce(&mut Ui) -> R) -> R {
        self.inside(self.overlay, f)
    }

    fn over(
        &mut self,
        at: &'static Location<'static>,
        place: Style,
        style: Style,
        f: impl FnOnce(&mut Ui),
    ) -> Dialog {
        let key = self.key_at(at);
        let overlay = self.overlay;
        let dismissed = self.inside(overlay, |ui| {
            let veil = Tone::fixed(Color::rgba(8, 11, 16, 112));
            let scrim = place.fill_parent().fill(veil).enter(Motion::Fade).exit(Motion::Fade);
            let s = ui.add_keyed(key, scrim, Flow::Col, Kind::Box);
            ui.nodes[s as usize].flags.blocks = true;
            let beside = ui.answering && ui.input.outside.contains(&key);
            ui.inside(s, |ui| {
                let look = style.fill(tones::Raised).radius(20.0).floating().rigid();
                let card =
                    ui.add_keyed(key.child(1), look.enter(Motion::Grow), Flow::Col, Kind::Box);
                ui.nodes[card as usize].flags.blocks = true;
                ui.nodes[card as usize].flags.trap = true;
                ui.inside(card, f);
            });
            beside
        });
        // Asked last: a menu or field inside it may have used the key.
        let escaped = self.key(NamedKey::Escape);
        Dialog { dismissed: dismissed || escaped }
    }

    /// Shows a message at the bottom for four seconds.
    pub fn toast(&mut self, words: impl core::fmt::Display) {
        if self.toasts.len() == TOASTS {
            self.toasts.remove(0);
        }
        self.toast_count += 1;
        let (id, until) = (self.toast_count, self.now + TOAST);
        self.toasts.push(Toast { id, words: words.to_string(), until });
    }

    pub(crate) fn show_toasts(&mut self) {
        let now = self.now;
        if self.showing {
            self.toasts.retain(|t| t.until > now);
        }
        if self.toasts.is_empty() {
            return;
        }
        let key = Key::ROOT.child(3);
        let place = S.fill_parent().align(Align::Center).justify(Justify::End).pad(24.0).gap(8.0);
        let node = self.add_keyed(key, place, Flow::Col, Kind::Box);
        let toasts = std::mem::take(&mut self.toasts);
        self.inside(node, |ui| {
            for t in &toasts {
                let look = S.pad_x(20.0).pad_y(14.0).radius(14.0).fill(tones::Ink).floating();
                let look = look.enter(Motion::SlideUp).exit(Motion::Fade).max_width(480.0).rigid();
                let n = ui.add_keyed(key.child(t.id), look, Flow::Col, Kind::Box);
                ui.inside(n, |ui| {
                    ui.text(&t.words).tone(tones::Ground);
                });
                ui.wake(t.until);
            }
        });
        self.toasts = toasts;
    }
}
