//! Small apps: files that are missing or damaged, a panic in a view, one that just runs.

use zinc::prelude::*;

/// Shows images named by the arguments, adds fonts named after `--font`, and goes on.
#[derive(Default)]
pub(crate) struct Files {
    images: Vec<String>,
    frames: u32,
}

impl App for Files {
    fn start(&mut self, cx: &mut Cx<'_>) {
        let mut args = std::env::args().skip(2);
        while let Some(a) = args.next() {
            if a != "--font" {
                self.images.push(a);
                continue;
            }
            let path = args.next().unwrap_or_default();
            match std::fs::read(&path) {
                Err(e) => eprintln!("font {path}: {e}"),
                Ok(bytes) => {
                    if let Err(e) = cx.font(bytes) {
                        eprintln!("font {path}: {e}");
                    }
                }
            }
        }
    }

    fn view(&mut self, ui: &mut Ui) {
        self.frames += 1;
        ui.request_frame();
        ui.row(S.pad(8.).gap(8.), |ui| {
            for i in &self.images {
                ui.image(i.as_str(), S.size(100., 100.));
            }
        });
        ui.text("still here");
    }
}

/// Panics in its second view.
pub(crate) fn panics(ui: &mut Ui) {
    ui.request_frame();
    if ui.frame_number() > 1 {
        panic!("the view stumbled");
    }
}

/// Shows a word, and moves each frame.
pub(crate) fn plain(ui: &mut Ui) {
    ui.request_frame();
    ui.text(format_args!("frame {}", ui.frame_number())).title();
}

/// Says that it runs, and never comes back from its third view.
pub(crate) fn stuck(ui: &mut Ui) {
    ui.request_frame();
    if ui.frame_number() == 3 {
        println!("stuck");
        loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
    }
}

/// Stands still for two seconds, then ends.
pub(crate) fn still(ui: &mut Ui) {
    ui.text("still");
    if ui.every(std::time::Duration::from_secs(2)) {
        ui.quit();
    }
}
