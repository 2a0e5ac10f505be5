//! Panels that shake: the median of three samples takes out the strays, and a first-order filter
//! calms what is left.

use zinc_scene::Point;

/// The filter of one contact.
#[derive(Clone, Copy, Debug)]
pub struct Smooth {
    /// How much of the place before stays.
    keep: f32,
    last: [Point; 3],
    at: Option<Point>,
}

impl Smooth {
    /// `keep` from 0 (nothing is done) to 0.95.
    pub fn new(keep: f32) -> Self {
        Self { keep, last: [Point::default(); 3], at: None }
    }

    /// The next sample, filtered. The first one stands for all before it.
    pub fn next(&mut self, p: Point) -> Point {
        if self.keep <= 0.0 {
            return p;
        }
        let Some(before) = self.at else {
            self.last = [p; 3];
            self.at = Some(p);
            return p;
        };
        self.last = [self.last[1], self.last[2], p];
        let [a, b, c] = self.last;
        let middle = Point::new(median(a.x, b.x, c.x), median(a.y, b.y, c.y));
        let now = before * self.keep + middle * (1.0 - self.keep);
        self.at = Some(now);
        now
    }
}

fn median(a: f32, b: f32, c: f32) -> f32 {
    a.min(b).max(a.max(b).min(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stray_sample_is_not_seen_and_noise_is_halved() {
        let mut s = Smooth::new(0.8);
        let rest = Point::new(100.0, 100.0);
        for _ in 0..5 {
            assert_eq!(s.next(rest), rest);
        }
        assert_eq!(s.next(Point::new(700.0, 0.0)), rest);
        assert_eq!(s.next(rest), rest);
        // Noise of 4 pixels either way.
        let mut seed = 1u32;
        let mut noise = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 23) as f32 * 4.0 - 4.0
        };
        let (mut raw, mut calm) = (0.0, 0.0);
        for _ in 0..1000 {
            let p = Point::new(100.0 + noise(), 100.0);
            raw += (p.x - 100.0).abs();
            calm += (s.next(p).x - 100.0).abs();
        }
        assert!(calm < raw * 0.5, "{calm} of {raw}");
    }

    #[test]
    fn a_moving_finger_is_followed_to_its_end() {
        let mut s = Smooth::new(0.8);
        let mut at = Point::default();
        for i in 0..40 {
            at = s.next(Point::new((i.min(20) * 10) as f32, 0.0));
        }
        assert!((at.x - 200.0).abs() < 3.0, "{at:?}");
    }
}
