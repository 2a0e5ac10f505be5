//! The shell: sidebar, top bar, the stage with its transitions, shortcuts, dialogs.

use crate::demo::Demo;
use crate::gallery::Gallery;
use crate::home::Home;
use crate::palette::{Action, Palette};
use crate::playground::Playground;
use crate::settings::Settings;
use crate::tasks::Tasks;
use zinc::prelude::*;

/// The screens, in the order of the sidebar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Tab {
    #[default]
    Home,
    Gallery,
    Playground,
    Tasks,
    Settings,
}

impl Tab {
    pub(crate) const ALL: [Tab; 5] =
        [Tab::Home, Tab::Gallery, Tab::Playground, Tab::Tasks, Tab::Settings];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Tab::Home => "Home",
            Tab::Gallery => "Gallery",
            Tab::Playground => "Playground",
            Tab::Tasks => "Tasks",
            Tab::Settings => "Settings",
        }
    }
    pub(crate) const fn icon(self) -> Icon {
        match self {
            Tab::Home => icons::HOME,
            Tab::Gallery => icons::GRID,
            Tab::Playground => icons::BALL,
            Tab::Tasks => icons::CHECKS,
            Tab::Settings => icons::SLIDERS,
        }
    }
    /// The tab `by` places further, around the ends.
    fn step(self, by: usize) -> Tab {
        let i = Self::ALL.iter().position(|t| *t == self).unwrap_or(0);
        Self::ALL[(i + by) % Self::ALL.len()]
    }
}

/// What waits for a yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    ClearDone,
    Reset,
}

/// The app.
#[derive(Default)]
pub struct Hero {
    pub(crate) tab: Tab,
    pub(crate) theme: Theme,
    pub(crate) home: Home,
    pub(crate) gallery: Gallery,
    pub(crate) playground: Playground,
    pub(crate) tasks: Tasks,
    pub(crate) settings: Settings,
    pub(crate) palette: Option<Palette>,
    pub(crate) question: Option<Question>,
    pub(crate) demo: Option<Demo>,
    greeted: bool,
}

const SIDEBAR: f32 = 232.0;
/// Below this width the sidebar is a rail.
const NARROW: f32 = 700.0;

/// Width of the sidebar on a screen.
pub(crate) fn sidebar_width(viewport: f32) -> f32 {
    if viewport < NARROW { 80.0 } else { SIDEBAR }
}
const TOP_BAR: f32 = 64.0;

impl App for Hero {
    fn start(&mut self, cx: &mut Cx<'_>) {
        self.theme = cx.ui().theme();
        self.demo = cx.demo().and_then(Demo::named);
        // A demo shows its screen at once.
        self.greeted = self.demo.is_some();
        if let Some(d) = self.demo {
            d.start(self);
        }
    }

    fn view(&mut self, ui: &mut Ui) {
        if let Some(d) = self.demo {
            d.step(self, ui);
        }
        self.shortcuts(ui);
        ui.set_theme(self.theme);
        let wide = ui.viewport().w >= 1000.0;
        ui.row(S.fill_parent().fill(Ground), |ui| {
            self.sidebar(ui);
            ui.col(S.grow(), |ui| {
                self.top_bar(ui, wide);
                ui.stack(S.grow().clip(), |ui| self.stage(ui, wide));
            });
        });
        self.overlays(ui);
        if !self.greeted {
            self.intro(ui);
        }
    }
}

impl Hero {
    pub(crate) fn go(&mut self, tab: Tab) {
        self.tab = tab;
        self.gallery.open = None;
    }

    fn sidebar(&mut self, ui: &mut Ui) {
        // A narrow screen gets a rail of icons.
        let rail = sidebar_width(ui.viewport().w) < SIDEBAR;
        let width = sidebar_width(ui.viewport().w);
        let style = S.width(width).rigid().pad(16.0).gap(4.0).fill(Surface);
        ui.col(style, |ui| {
            ui.line(S.pad_each(4.0, 8.0, 16.0, 8.0).gap(12.0), |ui| {
                logo(ui, 32.0);
                if !rail {
                    ui.col(S, |ui| {
                        ui.text("Hero").control().weight(650);
                        ui.text("Living room").caption().muted();
                    });
                }
            });
            for tab in Tab::ALL {
                let on = self.tab == tab;
                let name = if rail { "" } else { tab.name() };
                let b = ui.button(name).icon(tab.icon()).quiet().start().selected(on);
                if b.style(|s| s.pad_x(14.0)).tone(if on { Ink } else { Muted }).clicked() {
                    self.go(tab);
                }
            }
            ui.spacer();
            let (icon, name) = if self.theme.dark {
                (icons::SUN, "Light theme")
            } else {
                (icons::MOON, "Dark theme")
            };
            let name = if rail { "" } else { name };
            let b = ui.button(name).icon(icon).quiet().start().tone(Muted);
            if b.style(|s| s.pad_x(14.0)).clicked() {
                self.theme.dark ^= true;
            }
        });
    }

    fn top_bar(&mut self, ui: &mut Ui, wide: bool) {
        let pad = if wide { 32.0 } else { 24.0 };
        let style = S.height(TOP_BAR).rigid().pad_each(0.0, pad - 12.0, 0.0, pad).gap(8.0);
        ui.line(style, |ui| {
            ui.text(self.tab.name()).title().one_line().style(|s| s.rigid());
            ui.spacer();
            let search = if ui.viewport().w < NARROW {
                ui.icon_button(icons::SEARCH).tone(Muted)
            } else {
                let look = |s: Style| s.width(168.0).pad_x(14.0).min_height(44.0);
                ui.button("Search").icon(icons::SEARCH).start().tone(Muted).style(look)
            };
            if search.clicked() {
                self.palette = Some(Palette::default());
            }
            if ui.icon_button(icons::BELL).tone(Muted).clicked() {
                ui.toast("Nothing new. You are up to date.");
            }
        });
    }

    fn stage(&mut self, ui: &mut Ui, wide: bool) {
        let pad = if wide { 32.0 } else { 24.0 };
        let tab = self.tab;
        // A key per screen: the new one slides in, the old one fades from its last picture.
        ui.keyed(tab, |ui| {
            let page = S.grow().pad_each(0.0, pad, 0.0, pad);
            match tab {
                Tab::Home => self.home.view(ui, page, &self.tasks, &self.gallery, &self.settings),
                Tab::Gallery => self.gallery.view(ui, page),
                Tab::Playground => self.playground.view(ui, page),
                Tab::Tasks => {
                    if self.tasks.view(ui, page) {
                        self.question = Some(Question::ClearDone);
                    }
                }
                Tab::Settings => {
                    if self.settings.view(ui, page, &mut self.theme) {
                        self.question = Some(Question::Reset);
                    }
                }
            }
        })
        .style(|s| s.fill_parent().enter(Motion::SlideUp).exit(Motion::Fade));
    }

    fn overlays(&mut self, ui: &mut Ui) {
        if let Some(q) = self.question {
            self.ask(ui, q);
        }
        if let Some(mut p) = self.palette.take() {
            let outcome = p.view(ui);
            match outcome {
                crate::palette::Outcome::Open => self.palette = Some(p),
                crate::palette::Outcome::Closed => {}
                crate::palette::Outcome::Picked(a) => self.act(ui, a),
            }
        }
    }

    fn ask(&mut self, ui: &mut Ui, q: Question) {
        let (title, body, yes) = match q {
            Question::ClearDone => (
                "Clear finished tasks?",
                "They are removed from the list for good. Open tasks stay.",
                "Clear tasks",
            ),
            Question::Reset => (
                "Reset everything?",
                "Name, theme, tasks and likes go back to how they came.",
                "Reset",
            ),
        };
        let mut answer = None;
        let dialog = ui.dialog(S.width(400.0).pad(24.0).gap(12.0), |ui| {
            ui.text(title).title();
            ui.text(body).muted();
            ui.line(S.gap(12.0).pad_each(12.0, 0.0, 0.0, 0.0).justify(Justify::End), |ui| {
                if ui.button("Cancel").clicked() {
                    answer = Some(false);
                }
                if ui.button(yes).danger().clicked() {
                    answer = Some(true);
                }
            });
        });
        if dialog.dismissed() {
            answer = Some(false);
        }
        let Some(yes) = answer else { return };
        self.question = None;
        if !yes {
            return;
        }
        match q {
            Question::ClearDone => {
                let n = self.tasks.clear_done();
                ui.toast(format_args!("{n} tasks cleared"));
            }
            Question::Reset => {
                let tab = self.tab;
                *self = Hero { tab, greeted: true, ..Hero::default() };
                ui.toast("Everything is as it came");
            }
        }
    }

    /// Does what the palette was asked for.
    fn act(&mut self, ui: &mut Ui, a: Action) {
        match a {
            Action::Go(tab) => self.go(tab),
            Action::Open(art) => {
                self.tab = Tab::Gallery;
                self.gallery.show(art);
            }
            Action::Dark => self.theme.dark ^= true,
            Action::Accent(hue) => self.theme.accent = hue,
            Action::NewTask => {
                self.go(Tab::Tasks);
                self.tasks.begin();
            }
            Action::Shake => {
                self.go(Tab::Playground);
                self.playground.shake();
            }
            Action::Reset => self.question = Some(Question::Reset),
        }
        if let Action::Accent(hue) = a {
            ui.toast(format_args!("Accent: {}", hue.name()));
        }
    }

    fn shortcuts(&mut self, ui: &mut Ui) {
        if self.palette.is_some() || self.question.is_some() {
            return;
        }
        if ui.key(Shortcut::ctrl('k')) || ui.key('/') {
            self.palette = Some(Palette::default());
        }
        for (i, tab) in Tab::ALL.into_iter().enumerate() {
            let digit = char::from_digit(i as u32 + 1, 10).unwrap_or('1');
            if ui.key(digit) {
                self.go(tab);
            }
        }
        if ui.key(']') {
            self.go(self.tab.step(1));
        }
        if ui.key('[') {
            self.go(self.tab.step(Tab::ALL.len() - 1));
        }
        if ui.key('d') {
            self.theme.dark ^= true;
        }
        if ui.key('?') {
            ui.toast("1 to 5 screens · / search · d theme · Esc back");
        }
        if self.gallery.open.is_some() && ui.key(NamedKey::Escape) {
            self.gallery.open = None;
        }
    }

    /// The first second: the mark on an empty ground, then it makes room.
    fn intro(&mut self, ui: &mut Ui) {
        if ui.after(Duration::from_millis(900)) {
            self.greeted = true;
            return;
        }
        let veil = S.fill_parent().fill(Ground).exit(Motion::Fade).centered().gap(16.0);
        ui.stack(S.pin(0.0, 0.0, 0.0, 0.0), |ui| {
            ui.col(veil, |ui| {
                ui.col(S.enter(Motion::Grow), |ui| logo(ui, 72.0));
                ui.text("Hero").title().style(|s| s.enter(Motion::SlideUp).delay_ms(120));
            });
        });
    }
}

/// The mark: a zinc-blue drop cut by a lighter wave.
fn logo(ui: &mut Ui, side: f32) {
    ui.canvas(S.size(side, side).rigid()).draw((), |r, size| {
        let k = size.w / 32.0;
        r.with_matrix(Matrix::scale(k, k), |r| {
            r.rect(0.0, 0.0, 32.0, 32.0).radius(9.0).fill(Accent);
            r.path(|p| {
                p.move_to(9.0, 10.5).line_to(22.5, 10.5).line_to(9.5, 21.5).line_to(23.0, 21.5);
            })
            .stroke(3.2, OnAccent);
        });
    });
}
