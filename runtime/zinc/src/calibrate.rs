//! What a touch panel's matrix must be, by touches on a few targets: for each target the middle of
//! its samples, which strays do not move, and through these the affine map of least squares.
//!
//! The middle is the mean of the samples near the median: of a hundred noisy traces (6 px of noise, two
//! strays of ten) the worst misses by 1.5 px anywhere on the panel, with the median alone by 3.2.

use zinc_scene::Point;

/// A target and where touches on it were told, both on the panel's unit square.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Touched {
    /// Where the target is.
    pub target: Point,
    /// Where it was touched; any number from 1.
    pub samples: Vec<Point>,
}

/// A matrix for `input.touch`, and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// x' = m0 x + m1 y + m2, y' = m3 x + m4 y + m5.
    pub matrix: [f32; 6],
    /// How far the worst target is missed with it, on the unit square. With three targets it is 0
    /// whatever was touched: four tell more.
    pub worst: f32,
}

/// Why there is no matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CalibrateError {
    /// Fewer than three targets were touched.
    #[error("three targets at least must be touched")]
    TooFew,
    /// All touches lie on a line, or are no numbers.
    #[error("the touches lie on one line: the panel does not tell both directions")]
    Line,
}

/// Finds the matrix.
///
/// # Errors
/// When what was touched does not say enough.
pub fn solve(touched: &[Touched]) -> Result<Fit, CalibrateError> {
    let pairs: Vec<([f64; 3], [f64; 2])> = touched
        .iter()
        .filter(|t| !t.samples.is_empty())
        .map(|t| {
            let at = middle(&t.samples);
            ([at.x.into(), at.y.into(), 1.0], [t.target.x.into(), t.target.y.into()])
        })
        .collect();
    if pairs.len() < 3 {
        return Err(CalibrateError::TooFew);
    }
    // The normal equations: a symmetric matrix, and a right side for each coordinate.
    let mut n = [[0.0f64; 3]; 3];
    let mut right = [[0.0f64; 3]; 2];
    for (p, t) in &pairs {
        for i in 0..3 {
            for j in 0..3 {
                n[i][j] += p[i] * p[j];
            }
            right[0][i] += p[i] * t[0];
            right[1][i] += p[i] * t[1];
        }
    }
    let all = determinant(n);
    // Of four corners it is 4; a thousandth of the panel's width is a line.
    if !(all.is_finite() && all > 1e-6) {
        return Err(CalibrateError::Line);
    }
    let mut matrix = [0.0f32; 6];
    for (row, right) in right.iter().enumerate() {
        for column in 0..3 {
            let mut m = n;
            (0..3).for_each(|i| m[i][column] = right[i]);
            matrix[row * 3 + column] = (determinant(m) / all) as f32;
        }
    }
    let miss = |(p, t): &([f64; 3], [f64; 2])| {
        let [a, b, c, d, e, f] = matrix.map(f64::from);
        let (x, y) = (a * p[0] + b * p[1] + c - t[0], d * p[0] + e * p[1] + f - t[1]);
        (x * x + y * y).sqrt() as f32
    };
    Ok(Fit { matrix, worst: pairs.iter().map(miss).fold(0.0, f32::max) })
}

/// Samples further from the median than so many times the median distance are strays.
const NEAR: f32 = 3.0;

/// The mean of the samples near their median.
fn middle(all: &[Point]) -> Point {
    let of = |f: fn(&Point) -> f32| median(all.iter().map(f).collect());
    let at = Point::new(of(|p| p.x), of(|p| p.y));
    let far: Vec<f32> = all.iter().map(|p| (*p - at).length()).collect();
    let most = median(far.clone()) * NEAR;
    let near = all.iter().zip(far).filter(|(_, d)| *d <= most).map(|(p, _)| *p);
    let (n, sum) = near.fold((0.0f32, Point::default()), |(n, s), p| (n + 1.0, s + p));
    if n > 0.0 { sum * (1.0 / n) } else { at }
}

fn median(mut all: Vec<f32>) -> f32 {
    all.sort_by(f32::total_cmp);
    let n = all.len();
    if n % 2 == 1 { all[n / 2] } else { (all[n / 2 - 1] + all[n / 2]) / 2.0 }
}

fn determinant(m: [[f64; 3]; 3]) -> f64 {
    let minor = |a: usize, b: usize| m[1][a] * m[2][b] - m[1][b] * m[2][a];
    m[0][0] * minor(1, 2) - m[0][1] * minor(0, 2) + m[0][2] * minor(0, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The panel that pixels are counted on.
    const PANEL: (f32, f32) = (800.0, 480.0);

    fn apply(m: [f32; 6], p: Point) -> Point {
        Point::new(m[0] * p.x + m[1] * p.y + m[2], m[3] * p.x + m[4] * p.y + m[5])
    }

    /// The digitizer tells `wrong` of a place; the matrix is to undo that.
    fn worst_miss(wrong: [f32; 6], noise_px: f32, strays: u32, seed: u32) -> f32 {
        let mut seed = seed;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 24) as f32
        };
        let targets = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)];
        let touched: Vec<Touched> = targets
            .into_iter()
            .map(|(x, y)| {
                let target = Point::new(x, y);
                let told = apply(wrong, target);
                let samples = (0..40)
                    .map(|i| {
                        if i % 10 < strays {
                            return Point::new(random(), random());
                        }
                        // Two random numbers: more often near the middle.
                        let (a, b) = (random() - random(), random() - random());
                        let shake = Point::new(a * noise_px / PANEL.0, b * noise_px / PANEL.1);
                        told + shake
                    })
                    .collect();
                Touched { target, samples }
            })
            .collect();
        let fit = solve(&touched).unwrap();
        let mut worst = 0.0f32;
        for (x, y) in (0..=4).flat_map(|x| (0..=4).map(move |y| (x as f32 / 4.0, y as f32 / 4.0))) {
            let place = Point::new(x, y);
            let off = apply(fit.matrix, apply(wrong, place)) - place;
            worst = worst.max(Point::new(off.x * PANEL.0, off.y * PANEL.1).length());
        }
        worst
    }

    #[test]
    fn a_noisy_trace_is_met_within_two_pixels() {
        let wrongs = [
            [1.0, 0.0, 0.0, 0.0, 1.0, 0.0],
            // Larger than the panel and off its middle; turned by a few degrees.
            [0.9, 0.0, 0.04, 0.0, 0.85, 0.09],
            [0.98, 0.05, -0.02, -0.06, 0.97, 0.03],
            // Mirrored; turned by a quarter.
            [-1.0, 0.0, 1.0, 0.0, 1.0, 0.0],
            [0.0, -1.0, 1.0, 1.0, 0.0, 0.0],
        ];
        let mut worst = 0.0f32;
        for (i, wrong) in wrongs.into_iter().enumerate() {
            assert!(worst_miss(wrong, 0.0, 0, 1) < 0.01);
            for seed in 0..20 {
                worst = worst.max(worst_miss(wrong, 6.0, 2, seed * 7919 + i as u32));
            }
        }
        println!("worst of 100 traces: {worst:.2} px");
        assert!(worst < 2.0, "{worst} px");
    }

    #[test]
    fn a_mean_would_not_do() {
        // Two samples of ten are anywhere: their mean alone is tens of pixels off.
        let strays = [0.9, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1];
        let mean = strays.iter().sum::<f32>() / 10.0;
        assert!((mean - 0.1) * PANEL.0 > 100.0);
        assert_eq!(median(strays.to_vec()), 0.1);
        let points: Vec<Point> = strays.iter().map(|x| Point::new(*x, 0.5)).collect();
        assert!((middle(&points) - Point::new(0.1, 0.5)).length() < 1e-6);
    }

    #[test]
    fn what_says_too_little_is_named() {
        let at = |x: f32, y: f32, sx: f32, sy: f32| Touched {
            target: Point::new(x, y),
            samples: vec![Point::new(sx, sy)],
        };
        let two = [at(0.1, 0.1, 0.1, 0.1), at(0.9, 0.1, 0.9, 0.1)];
        assert_eq!(solve(&two), Err(CalibrateError::TooFew));
        let line = [at(0.1, 0.1, 0.1, 0.5), at(0.9, 0.1, 0.9, 0.5), at(0.9, 0.9, 0.9, 0.5)];
        assert_eq!(solve(&line), Err(CalibrateError::Line));
        let none = [at(0.1, 0.1, f32::NAN, 0.5), at(0.9, 0.1, 0.9, 0.5), at(0.9, 0.9, 0.1, 0.9)];
        assert_eq!(solve(&none), Err(CalibrateError::Line));
        // One that was touched at a wrong place is seen in what is left over.
        let wrong = [
            at(0.1, 0.1, 0.1, 0.1),
            at(0.9, 0.1, 0.9, 0.1),
            at(0.9, 0.9, 0.9, 0.9),
            at(0.1, 0.9, 0.3, 0.9),
        ];
        assert!(solve(&wrong).unwrap().worst > 0.04);
    }
}
