//! Tasks: add, check, remove, filter, clear.

use std::cell::RefCell;
use zinc::prelude::*;

#[derive(Clone, Debug)]
struct Item {
    id: u32,
    title: String,
    done: bool,
    /// On its way out: its row closes, then it is dropped.
    leaving: bool,
    /// Its row is closed.
    gone: bool,
}

pub(crate) struct Tasks {
    items: Vec<Item>,
    next: u32,
    draft: String,
    filter: usize,
    focus: bool,
    /// Indices of the rows of this frame, kept for the memory.
    shown: Vec<usize>,
}

const FIRST: [(&str, bool); 7] = [
    ("Water the tomatoes", false),
    ("Book the train to Antwerp", false),
    ("Descale the kettle", true),
    ("Call Mara about Saturday", false),
    ("New filter for the ventilation", false),
    ("Return the ladder", true),
    ("Sharpen the good knife", false),
];

impl Default for Tasks {
    fn default() -> Self {
        let items = FIRST.iter().enumerate().map(|(i, (title, done))| Item {
            id: i as u32,
            title: (*title).to_owned(),
            done: *done,
            leaving: false,
            gone: false,
        });
        let items: Vec<Item> = items.collect();
        let next = items.len() as u32;
        Self { items, next, draft: String::new(), filter: 0, focus: false, shown: Vec::new() }
    }
}

const ROW: f32 = 56.0;

impl Tasks {
    pub(crate) fn open(&self) -> usize {
        self.items.iter().filter(|i| !i.done && !i.leaving).count()
    }
    fn done(&self) -> usize {
        self.items.iter().filter(|i| i.done && !i.leaving).count()
    }
    /// The next view puts the caret into the field.
    pub(crate) fn begin(&mut self) {
        self.focus = true;
    }
    pub(crate) fn clear_done(&mut self) -> usize {
        let n = self.done();
        self.items.iter_mut().filter(|i| i.done).for_each(|i| i.leaving = true);
        n
    }

    fn add(&mut self) {
        let title = self.draft.trim();
        if title.is_empty() {
            return;
        }
        let item = Item {
            id: self.next,
            title: title.to_owned(),
            done: false,
            leaving: false,
            gone: false,
        };
        self.items.insert(0, item);
        self.next += 1;
        self.draft.clear();
    }

    /// Answers that finished tasks are to be cleared.
    pub(crate) fn view(&mut self, ui: &mut Ui, page: Style) -> bool {
        let mut clear = false;
        ui.col(page.gap(12.0).pad_each(0.0, 24.0, 20.0, 24.0), |ui| {
            ui.line(S.gap(12.0).rigid(), |ui| {
                let focus = std::mem::take(&mut self.focus);
                let field = ui.field(&mut self.draft, S.grow());
                let field = field.placeholder("What is to be done?").take_focus(focus);
                let enter = field.submitted();
                let can = !self.draft.trim().is_empty();
                let b = ui.button("Add").icon(icons::PLUS).primary().disabled(!can);
                if b.clicked() || enter {
                    self.add();
                }
            });
            ui.line(S.gap(12.0).rigid(), |ui| {
                let names = ["All", "Open", "Done"];
                if let Some(i) = ui.segments(&names, self.filter) {
                    self.filter = i;
                }
                ui.spacer();
                let done = self.done();
                let b = ui.button("Clear finished").quiet().tone(Muted).disabled(done == 0);
                clear = b.clicked();
            });
            self.rows(ui);
        });
        clear
    }

    fn rows(&mut self, ui: &mut Ui) {
        let filter = self.filter;
        let mut shown = std::mem::take(&mut self.shown);
        shown.clear();
        shown.extend((0..self.items.len()).filter(|i| match (filter, &self.items[*i]) {
            (1, item) => !item.done || item.leaving,
            (2, item) => item.done,
            _ => true,
        }));
        if shown.is_empty() {
            self.nothing(ui);
        }
        let items = RefCell::new(&mut self.items);
        let style = S.grow().radius(14.0).fill(Surface).card().pad_y(4.0);
        if !shown.is_empty() {
            ui.list(
                style,
                &shown,
                |i| items.borrow()[*i].id,
                |ui, i| {
                    row(ui, &mut items.borrow_mut()[*i]);
                },
            );
        }
        if self.items.iter().any(|i| i.gone) {
            self.items.retain(|i| !i.gone);
            ui.request_frame();
        }
        self.shown = shown;
    }

    fn nothing(&mut self, ui: &mut Ui) {
        ui.col(S.grow().centered().gap(8.0).radius(14.0).fill(Surface).card(), |ui| {
            ui.icon(icons::CHECKS, 40.0).tone(Muted);
            let (title, note) = match self.filter {
                2 => ("Nothing finished yet", "Finished tasks gather here."),
                _ => ("Nothing to do", "Write your next task above."),
            };
            ui.text(title).weight(600).size(17.0);
            ui.text(note).muted();
            if self.filter != 0 && ui.button("Show all").clicked() {
                self.filter = 0;
            }
        });
    }
}

fn row(ui: &mut Ui, item: &mut Item) {
    let height = ui.tween(if item.leaving { 0.0 } else { ROW }, 0.22);
    item.gone = item.leaving && height <= 0.5;
    ui.line(S.height(height).clip().pad_x(8.0).gap(4.0), |ui| {
        ui.check(&mut item.done);
        let ink = if item.done { Muted } else { Ink };
        ui.text(&item.title).size(16.0).tone(ink).one_line().grow();
        if item.done {
            ui.text("Done").caption().tone(Good);
        }
        if ui.icon_button(icons::TRASH).tone(Muted).clicked() {
            item.leaving = true;
        }
    });
}
