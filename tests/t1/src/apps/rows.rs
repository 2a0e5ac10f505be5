//! A thousand elements that never change, and a number of steady frames: instructions per frame
//! are the difference of two runs. No display, no pixels: view, layout, record and freeze.

use std::process::ExitCode;
use zinc::prelude::*;
use zinc::testing::Harness;

/// A row is 5 elements: the row, an icon, two texts, a box around one of them.
const ROWS: usize = 200;
const ROW: Style = S.pad_x(12.).gap(8.).height(24.).radius(6.).fill(Surface).rigid();

/// The screen; in row `changing` the number is the frame's.
fn view(ui: &mut Ui, changing: Option<usize>) {
    ui.col(S.gap(2.), |ui| {
        for i in 0..ROWS {
            let shown = if changing == Some(i) { ui.frame_number() % 10 } else { i as u64 };
            ui.line(ROW, |ui| {
                ui.icon(icons::CHECK, 16.);
                ui.text("A row of a list").one_line().grow();
                ui.col(S.pad_x(6.).radius(4.).fill(Line), |ui| {
                    ui.text(format_args!("{shown:>3}")).caption();
                });
            });
        }
    });
}

pub(crate) fn main() -> ExitCode {
    let frames = std::env::args().nth(2).and_then(|n| n.parse().ok()).unwrap_or(1u32);
    let changing = std::env::args().nth(3).and_then(|n| n.parse().ok());
    // High enough that no row is off the surface: each is recorded.
    let mut app = Harness::with(move |ui: &mut Ui| view(ui, changing), 800, 5400, None);
    let before = app.counts();
    for _ in 0..frames {
        app.frame(&[]);
    }
    let after = app.counts();
    let commands = app.list().map_or(0, |l| l.commands().len());
    println!(
        "frames {} elements {} commands {commands} layouts {} paragraphs {}",
        after.frames - before.frames,
        after.elements,
        after.layouts - before.layouts,
        after.paragraphs - before.paragraphs
    );
    ExitCode::SUCCESS
}
