//! The app that the public API is held against: it must read like this, and it must run.

use zinc::prelude::*;
use zinc::testing::Harness;

const CARD: Style = S.pad(16.).gap(12.).radius(12.).fill(Surface); // const, Copy, no class names

struct Work {
    id: u32,
    title: String,
    picture: String,
}

#[derive(Default)]
struct Kiosk {
    works: Task<Result<Vec<Work>>>, // ends on a worker, wakes the loop
    tide: Latest<f32>,              // newest value of a thread; at most one wake-up a frame
    open: Option<u32>,
    card: Pose, // x, y, angle, scale: what fingers do
    night: bool,
}

fn load_works() -> Result<Vec<Work>> {
    let work = |id, title: &str| Work { id, title: title.into(), picture: "wave.png".into() };
    Ok(vec![work(1, "The wave"), work(2, "The storm")])
}

fn read_tide(out: zinc::ui::Sender<f32>) {
    out.set(0.4);
}

impl App for Kiosk {
    fn start(&mut self, cx: &mut Cx) {
        self.works = cx.spawn(load_works); // may block
        cx.thread(&self.tide, read_tide);
    }
    fn view(&mut self, ui: &mut Ui) {
        // never called when idle
        if ui.idle_for(Duration::from_secs(90)) {
            self.open = None;
            self.card = Pose::default();
        }
        if ui.every(Duration::from_secs(60)) {
            self.night = !self.night;
        }

        ui.row(S.fill_parent().pad(24.).gap(24.), |ui| {
            ui.col(CARD.width(280.), |ui| {
                ui.text("The wave").title();
                match self.works.get() {
                    None => ui.busy(),
                    Some(Err(e)) => {
                        if ui.problem(e).retry() {
                            self.works = ui.spawn(load_works)
                        }
                    }
                    Some(Ok(works)) => {
                        // virtual
                        ui.list(
                            S.grow(),
                            works,
                            |w| w.id,
                            |ui, w| {
                                if ui.button(&w.title).selected(self.open == Some(w.id)).clicked() {
                                    self.open = Some(w.id)
                                }
                            },
                        );
                    }
                }
            });
            ui.stack(S.grow(), |ui| {
                let works = self.works.get().and_then(|r| r.as_ref().ok());
                if let Some(w) = works.and_then(|ws| ws.iter().find(|w| Some(w.id) == self.open)) {
                    let lift = ui.spring(if self.night { 0.96 } else { 1. });
                    ui.image(w.picture.as_str(), CARD.scale(lift).enter(SlideUp).exit(Fade))
                        .pose(&mut self.card); // drag, pinch, turn, inertia
                }
                let gauge = ui.canvas(S.width(120.).height(240.));
                if let Some(d) = gauge.dragged() {
                    self.tide.set(self.tide.get() - d.y / 240.)
                }
                gauge.draw(self.tide.get().to_bits(), |r, size| {
                    // skipped while the revision stands
                    let h = size.h * self.tide.get();
                    r.rect(0., size.h - h, size.w, h).radius(6.).fill(Accent);
                });
                ui.text(format_args!("{:.2} m", self.tide.get()));
            });
        });
    }
}

#[test]
fn the_kiosk_runs() {
    let mut app = Harness::new(Kiosk::default());
    app.click("The storm");
    assert_eq!(app.app().open, Some(2));
    app.wait(Duration::from_secs(100));
    assert_eq!(app.app().open, None, "it goes back after ninety seconds");
    assert!(app.app().night);
}
