//! Settings: who you are, how it looks, how it moves.

use zinc::prelude::*;

const CARD: Style = S.pad_x(20.0).pad_y(8.0).radius(14.0).fill(Surface).card().rigid();

pub(crate) struct Settings {
    name: String,
    brightness: f32,
    quiet_hours: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { name: "Alex".to_owned(), brightness: 80.0, quiet_hours: true }
    }
}

impl Settings {
    pub(crate) fn name(&self) -> &str {
        if self.name.trim().is_empty() { "you" } else { self.name.trim() }
    }

    /// Answers that everything is to be reset.
    pub(crate) fn view(&mut self, ui: &mut Ui, page: Style, theme: &mut Theme) -> bool {
        let mut reset = false;
        ui.scroll(page.gap(16.0), |ui| {
            ui.col(CARD, |ui| {
                entry(ui, "Your name", "Shown in the greeting", |ui| {
                    ui.field(&mut self.name, S.width(200.0)).placeholder("Name");
                });
            });
            ui.col(CARD, |ui| {
                entry(ui, "Dark theme", "Easier on the eyes at night", |ui| {
                    ui.toggle(&mut theme.dark);
                });
                ui.divider();
                entry(ui, "Accent", theme.accent.name(), |ui| accents(ui, theme));
                ui.divider();
                entry(ui, "Reduce motion", "Fades instead of slides", |ui| {
                    ui.toggle(&mut theme.reduced_motion);
                });
            });
            ui.col(CARD, |ui| {
                let percent = self.brightness;
                entry(ui, "Brightness", format_args!("{percent:.0} %"), |ui| {
                    ui.slider(S.width(220.0), &mut self.brightness, 10.0..=100.0);
                });
                ui.divider();
                entry(ui, "Quiet hours", "No sounds from 22:00 to 7:00", |ui| {
                    ui.toggle(&mut self.quiet_hours);
                });
            });
            ui.line(S.rigid().pad_each(0.0, 0.0, 24.0, 0.0), |ui| {
                reset = ui.button("Reset everything").tone(Bad).quiet().clicked();
            });
        });
        reset
    }
}

/// A row: what it is, and its control.
fn entry(ui: &mut Ui, name: &str, note: impl zinc::ui::Words, control: impl FnOnce(&mut Ui)) {
    ui.keyed(name, |ui| {
        ui.line(S.min_height(68.0).gap(16.0), |ui| {
            ui.col(S.grow().gap(1.0), |ui| {
                ui.text(name).size(16.0).weight(550).one_line();
                ui.text(note).caption().muted().one_line();
            });
            control(ui);
        });
    });
}

fn accents(ui: &mut Ui, theme: &mut Theme) {
    ui.line(S.gap(0.0), |ui| {
        for hue in Hue::ALL {
            let on = theme.accent == hue;
            let dark = theme.dark;
            let c = ui.canvas(S.size(44.0, 48.0).rigid().radius(22.0)).pressable();
            let c = c.draw((on, dark, hue as u64), |r, size| {
                let (x, y) = (size.w * 0.5, size.h * 0.5);
                r.circle(x, y, 12.0).fill(hue.color(dark));
                if on {
                    r.circle(x, y, 16.5).stroke(2.5, hue.color(dark));
                }
            });
            if c.clicked() {
                theme.accent = hue;
            }
        }
    });
}
