//! Gallery: eight cards; one grows into a page where the piece can be moved, turned and zoomed.

use crate::art;
use zinc::prelude::*;

#[derive(Default)]
pub(crate) struct Gallery {
    liked: [bool; art::ALL.len()],
    only_liked: bool,
    /// The open piece.
    pub(crate) open: Option<usize>,
    /// Where its card was.
    from: Rect,
    pose: Pose,
    phase: f32,
    playing: bool,
}

const ART: f32 = 168.0;
const GAP: f32 = 16.0;

impl Gallery {
    pub(crate) fn likes(&self) -> usize {
        self.liked.iter().filter(|l| **l).count()
    }

    /// Opens a piece without a card to grow from.
    pub(crate) fn show(&mut self, i: usize) {
        self.open(i, Rect::default());
    }

    fn open(&mut self, i: usize, from: Rect) {
        self.open = Some(i);
        self.from = from;
        self.pose = Pose::default();
        self.phase = 0.0;
        self.playing = false;
    }

    pub(crate) fn view(&mut self, ui: &mut Ui, page: Style) {
        match self.open {
            Some(i) => self.detail(ui, page, i),
            None => self.cards(ui, page),
        }
    }

    fn cards(&mut self, ui: &mut Ui, page: Style) {
        if self.only_liked && self.likes() == 0 {
            ui.col(page.pad_each(0.0, 24.0, 20.0, 24.0), |ui| {
                self.filter(ui);
                self.none_liked(ui);
            });
            return;
        }
        let cell = S.width(card_width(ui.viewport().w)).rigid();
        ui.scroll(page.gap(12.0), |ui| {
            self.filter(ui);
            ui.row(S.gap(GAP).wrap().rigid().pad_each(0.0, 0.0, 24.0, 0.0), |ui| {
                for i in 0..art::ALL.len() {
                    if !self.only_liked || self.liked[i] {
                        ui.keyed(i, |ui| self.card(ui, i)).style(|_| cell);
                    }
                }
            });
        });
    }

    fn filter(&mut self, ui: &mut Ui) {
        ui.line(S.rigid(), |ui| {
            let n = self.likes();
            ui.text(format_args!("{} pieces, {n} liked", art::ALL.len())).muted();
            ui.spacer();
            if let Some(i) = ui.segments(&["All", "Liked"], self.only_liked as usize) {
                self.only_liked = i == 1;
            }
        });
    }

    fn none_liked(&mut self, ui: &mut Ui) {
        ui.col(S.grow().centered().gap(12.0), |ui| {
            ui.icon(icons::HEART, 40.0).tone(Muted);
            ui.text("Nothing liked yet").weight(600).size(17.0);
            ui.text("Touch the heart of a piece to keep it here.").muted();
            if ui.button("Show all").clicked() {
                self.only_liked = false;
            }
        });
    }

    fn card(&mut self, ui: &mut Ui, i: usize) {
        let piece = &art::ALL[i];
        let mut liked = false;
        let style = S.radius(14.0).fill(Surface).card().clip().enter(Motion::SlideUp);
        let mut card = ui
            .col(style.delay_ms(30 * i as u16), |ui| {
                let canvas = ui.canvas(S.height(ART).rigid());
                let hover = canvas.hover_place();
                let rect = Size::new(236.0, ART);
                let at = hover.map_or(Point::new(0.5, 0.5), |p| {
                    Point::new((p.x / rect.w).clamp(0.0, 1.0), (p.y / rect.h).clamp(0.0, 1.0))
                });
                canvas.draw((at.x, at.y), |r, size| {
                    piece.draw(r, size, 2.0 + i as f32, at, 0.0);
                });
                ui.line(S.pad_each(6.0, 6.0, 6.0, 16.0), |ui| {
                    ui.col(S.grow(), |ui| {
                        ui.text(piece.name).weight(600).one_line();
                        ui.text(piece.by).caption().muted().one_line();
                    });
                    liked = heart(ui, self.liked[i]);
                });
            })
            .pressable();
        let lift = if card.hovered() { -3.0 } else { 0.0 };
        let lift = card.spring(lift);
        card = card.style(|s| s.offset(0.0, lift));
        let rect = card.rect();
        let clicked = card.clicked();
        if liked {
            self.liked[i] ^= true;
        } else if clicked {
            self.open(i, rect);
        }
    }

    fn detail(&mut self, ui: &mut Ui, page: Style, i: usize) {
        let piece = &art::ALL[i];
        if self.playing {
            self.phase += 1.0 / 60.0;
            ui.request_frame();
        }
        let t = anim::ease_out(ui.elapsed() / anim::SCREEN);
        if t < 1.0 {
            ui.request_frame();
        }
        ui.col(page.gap(12.0).pad_each(0.0, 24.0, 20.0, 24.0), |ui| {
            self.picture(ui, i, t);
            ui.line(S.gap(12.0).rigid(), |ui| {
                ui.col(S.grow().gap(2.0), |ui| {
                    ui.text(piece.name).title();
                    ui.text(piece.about).muted().lines(2);
                });
                let icon = if self.playing { icons::PAUSE } else { icons::PLAY };
                if ui.icon_button(icon).tone(Ink).clicked() {
                    self.playing ^= true;
                }
                if self.pose != Pose::default() && ui.icon_button(icons::REPEAT).clicked() {
                    self.pose = Pose::default();
                }
                if heart(ui, self.liked[i]) {
                    self.liked[i] ^= true;
                }
                if ui.button("Back").icon(icons::BACK).clicked() {
                    self.open = None;
                }
            });
        });
    }

    /// The piece under the fingers; it grows out of its card.
    fn picture(&mut self, ui: &mut Ui, i: usize, t: f32) {
        let (from, phase) = (self.from, self.phase);
        ui.stack(S.grow().radius(14.0).clip().fill(Line.percent(40)), |ui| {
            let mut canvas = ui.canvas(S.fill_parent());
            let to = canvas.rect();
            if t < 1.0 && !from.is_empty() && !to.is_empty() {
                let (a, b) = (from.center(), to.center());
                let k = 1.0 - t;
                let scale = 1.0 + (from.w / to.w - 1.0) * k;
                canvas = canvas.style(|s| s.offset((a.x - b.x) * k, (a.y - b.y) * k).scale(scale));
            }
            let canvas = canvas.pose(&mut self.pose);
            let center = Point::new(0.5, 0.5);
            canvas.draw(phase, |r, size| {
                art::ALL[i].draw(r, size, 2.0 + i as f32 + phase, center, 14.0);
            });
        });
    }
}

/// Cards of one width, as many a row as fit.
fn card_width(viewport: f32) -> f32 {
    let pad = if viewport >= 1000.0 { 32.0 } else { 24.0 };
    let room = viewport - crate::app::sidebar_width(viewport) - 2.0 * pad;
    let columns = ((room + GAP) / (236.0 + GAP)).floor().max(1.0);
    ((room - GAP * (columns - 1.0)) / columns).floor()
}

/// A heart to touch.
fn heart(ui: &mut Ui, on: bool) -> bool {
    let beat = ui.spring(if on { 1.0 } else { 0.0 });
    let c = ui.canvas(S.size(48.0, 48.0).rigid().radius(24.0)).pressable();
    c.draw((on, beat), |r, size| {
        let k = 1.0 + 0.25 * beat * (1.0 - beat) * 4.0;
        let m = Matrix::translate(size.w * 0.5, size.h * 0.5)
            .then_inner(Matrix::scale(k, k))
            .then_inner(Matrix::translate(-12.0, -12.0));
        r.with_matrix(m, |r| {
            let shape = |p: &mut Path| {
                p.move_to(12.0, 20.0)
                    .cubic_to(5.0, 15.5, 3.5, 12.0, 3.5, 9.3)
                    .cubic_to(3.5, 6.6, 5.6, 4.8, 7.9, 4.8)
                    .cubic_to(9.6, 4.8, 11.1, 5.7, 12.0, 7.2)
                    .cubic_to(12.9, 5.7, 14.4, 4.8, 16.1, 4.8)
                    .cubic_to(18.4, 4.8, 20.5, 6.6, 20.5, 9.3)
                    .cubic_to(20.5, 12.0, 19.0, 15.5, 12.0, 20.0)
                    .close();
            };
            if on {
                r.path(shape).fill(Bad);
            }
            r.path(shape).stroke(2.0, if on { Bad } else { Muted });
        });
    })
    .clicked()
}
