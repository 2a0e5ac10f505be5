//! Four crosses, touched one after the other: what comes out is the matrix of the touch panel, for
//! zinc.json's `input.touch`. Run it on the bare panel, not turned and without a size of its own:
//! `zinc calibrate` does.

use zinc::calibrate::{Fit, Touched, solve};
use zinc::prelude::*;

/// Where the crosses are, on the unit square: a tenth inside, where panels still tell well.
pub const TARGETS: [(f32, f32); 4] = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)];
/// A fit that misses a target by more, of the panel's side, was not touched on its crosses.
pub const MISS: f32 = 0.03;
/// Half of a cross, in layout pixels.
const ARM: f32 = 24.0;

/// The app; `done` is called with the matrix, once.
pub struct Calibrate<F: FnMut(&Fit)> {
    done: F,
    touched: Vec<Touched>,
    samples: Vec<Point>,
    failed: Option<String>,
}

impl<F: FnMut(&Fit)> Calibrate<F> {
    /// With what becomes of the matrix.
    pub fn new(done: F) -> Self {
        Self { done, touched: Vec::new(), samples: Vec::new(), failed: None }
    }

    /// A cross was touched.
    fn next(&mut self, ui: &mut Ui) {
        let Some((x, y)) = TARGETS.get(self.touched.len()) else { return };
        let samples = std::mem::take(&mut self.samples);
        self.failed = None;
        self.touched.push(Touched { target: Point::new(*x, *y), samples });
        if self.touched.len() < TARGETS.len() {
            return;
        }
        match solve(&self.touched) {
            Ok(fit) if fit.worst <= MISS => {
                (self.done)(&fit);
                ui.quit();
            }
            Ok(_) => self.again("The crosses do not fit together".to_owned()),
            Err(e) => self.again(e.to_string()),
        }
    }

    fn again(&mut self, why: String) {
        self.touched.clear();
        self.failed = Some(why);
    }
}

impl<F: FnMut(&Fit)> App for Calibrate<F> {
    fn view(&mut self, ui: &mut Ui) {
        let at = TARGETS.get(self.touched.len()).copied();
        let mut lifted = false;
        ui.stack(S.grow(), |ui| {
            let slate = ui.canvas(S.grow());
            let size = slate.rect();
            if let Some(p) = slate.touched()
                && size.w > 0.0
                && size.h > 0.0
            {
                self.samples.push(Point::new(p.x / size.w, p.y / size.h));
            }
            lifted = slate.released();
            slate.draw(self.touched.len(), |r, size| {
                let Some((x, y)) = at else { return };
                let (x, y) = (x * size.w, y * size.h);
                r.rect(x - ARM, y - 1.0, 2.0 * ARM, 2.0).fill(Accent);
                r.rect(x - 1.0, y - ARM, 2.0, 2.0 * ARM).fill(Accent);
            });
            ui.center(|ui| {
                ui.col(S.gap(8.), |ui| {
                    let n = self.touched.len() + 1;
                    ui.text(format_args!("Touch the cross: {n} of {}", TARGETS.len())).title();
                    if let Some(why) = &self.failed {
                        ui.text(format_args!("{why}: once more")).muted();
                    }
                });
            });
        });
        // A finger that came and went without a place (a device was unplugged) is none.
        if lifted && !self.samples.is_empty() {
            self.next(ui);
        }
    }
}

/// A matrix as zinc.json writes it.
pub fn json(fit: &Fit) -> String {
    let numbers: Vec<String> = fit.matrix.iter().map(|v| format!("{v:.5}")).collect();
    format!("[{}]", numbers.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_is_written_as_numbers() {
        let fit = Fit { matrix: [1.0, 0.0, -0.5, 0.0, 1.25, 0.0], worst: 0.0 };
        assert_eq!(json(&fit), "[1.00000, 0.00000, -0.50000, 0.00000, 1.25000, 0.00000]");
    }
}
