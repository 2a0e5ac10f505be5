//! The command palette: everything hero can do, by name.

use crate::app::Tab;
use crate::art;
use zinc::prelude::*;

/// Something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Go(Tab),
    Open(usize),
    Dark,
    Accent(Hue),
    NewTask,
    Shake,
    Reset,
}

/// What came of a frame of the palette.
pub(crate) enum Outcome {
    Open,
    Closed,
    Picked(Action),
}

#[derive(Default)]
pub(crate) struct Palette {
    query: String,
    at: usize,
    focused: bool,
}

/// Entries shown at once.
const SHOWN: usize = 5;

fn all() -> Vec<(Icon, String, Action)> {
    let mut all = Vec::new();
    for t in Tab::ALL {
        all.push((t.icon(), format!("Go to {}", t.name()), Action::Go(t)));
    }
    all.push((icons::PLUS, "New task".to_owned(), Action::NewTask));
    all.push((icons::MOON, "Switch between light and dark".to_owned(), Action::Dark));
    all.push((icons::BALL, "Shake the playground".to_owned(), Action::Shake));
    for (i, a) in art::ALL.iter().enumerate() {
        all.push((icons::SPARK, format!("Open {}", a.name), Action::Open(i)));
    }
    for h in Hue::ALL {
        all.push((icons::DROP, format!("Accent {}", h.name()), Action::Accent(h)));
    }
    all.push((icons::REPEAT, "Reset everything".to_owned(), Action::Reset));
    all
}

impl Palette {
    /// With a query typed already.
    pub(crate) fn asking(query: &str) -> Self {
        Self { query: query.to_owned(), ..Self::default() }
    }

    pub(crate) fn view(&mut self, ui: &mut Ui) -> Outcome {
        let query = self.query.trim().to_lowercase();
        let words: Vec<&str> = query.split_whitespace().collect();
        let found: Vec<_> = all()
            .into_iter()
            .filter(|(_, name, _)| {
                let name = name.to_lowercase();
                words.iter().all(|w| name.contains(w))
            })
            .collect();
        let mut picked = None;
        if ui.key(NamedKey::Down) {
            self.at += 1;
        }
        if ui.key(NamedKey::Up) {
            self.at = self.at.saturating_sub(1);
        }
        self.at = self.at.min(found.len().saturating_sub(1));
        let focus = !std::mem::replace(&mut self.focused, true);
        let dialog = ui.palette(S.width(480.0).pad(12.0).gap(4.0), |ui| {
            let field = ui.field(&mut self.query, S);
            let field = field.placeholder("Search for anything").take_focus(focus);
            if field.submitted() {
                picked = found.get(self.at).map(|f| f.2);
            }
            if field.changed() {
                self.at = 0;
            }
            let first = self.at.saturating_sub(SHOWN - 1);
            for (i, (icon, name, action)) in found.iter().enumerate().skip(first).take(SHOWN) {
                let b = ui.button(name).icon(*icon).quiet().start().selected(i == self.at);
                if b.style(|s| s.pad_x(14.0)).clicked() {
                    picked = Some(*action);
                }
            }
            if found.is_empty() {
                ui.col(S.pad(20.0).gap(4.0).align(Align::Center), |ui| {
                    ui.text("Nothing by that name").weight(600);
                    ui.text("Try a screen, a piece or a colour.").muted();
                });
            }
        });
        match picked {
            Some(a) => Outcome::Picked(a),
            None if dialog.dismissed() => Outcome::Closed,
            None => Outcome::Open,
        }
    }
}
