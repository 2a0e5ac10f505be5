//! The smallest app: a number and a button.

use zinc::prelude::*;

fn main() -> zinc::Exit {
    let mut n = 0;
    zinc::run(move |ui: &mut Ui| {
        ui.center(|ui| {
            ui.text(format_args!("Pressed {n} times")).title();
            if ui.button("Press").clicked() {
                n += 1;
            }
        });
    })
}
