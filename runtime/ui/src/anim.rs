//! Motion as values: critically damped springs for what a finger moves, ease-out for states.
//! All maths goes through `zinc_scene::math`, so that frames are equal on every machine.

use zinc_scene::math;

/// Response of the look's springs, in seconds.
pub const RESPONSE: f32 = 0.28;
/// Duration of a change of state, in seconds.
pub const STATE: f32 = 0.14;
/// Duration of a change of screen, in seconds.
pub const SCREEN: f32 = 0.42;
/// Way of a change of screen, in pixels.
pub const SLIDE: f32 = 56.0;

/// A critically damped spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Where it is.
    pub value: f32,
    /// Units per second.
    pub velocity: f32,
    /// Where it goes.
    pub target: f32,
}

impl Spring {
    /// At rest.
    pub const fn at(value: f32) -> Self {
        Self { value, velocity: 0.0, target: value }
    }
    /// Moves on by `dt` seconds; exact for any step (closed form of the damped oscillator at
    /// critical damping: x = (c1 + c2 t) e^-wt).
    pub fn step(&mut self, dt: f32, response: f32) {
        let w = core::f32::consts::TAU / response.max(0.01);
        let x = self.value - self.target;
        let c2 = self.velocity + w * x;
        let e = math::exp(-w * dt);
        self.value = self.target + (x + c2 * dt) * e;
        self.velocity = (c2 - w * (x + c2 * dt)) * e;
        if self.is_resting() {
            *self = Self::at(self.target);
        }
    }
    /// Close enough to its target to stay there: a thousandth of a unit, or of the distance's
    /// scale for large values.
    pub fn is_resting(&self) -> bool {
        let eps = 0.001 * self.target.abs().max(1.0);
        !((self.value - self.target).abs() > eps || self.velocity.abs() > eps * 4.0)
    }
}

/// 0..=1 to 0..=1, fast first (cubic).
pub fn ease_out(t: f32) -> f32 {
    let u = 1.0 - t.clamp(0.0, 1.0);
    1.0 - u * u * u
}

/// 0..=1 to 0..=1, slow at both ends (smoothstep).
pub fn ease_in_out(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spring_arrives_without_passing() {
        let mut s = Spring { value: 0.0, velocity: 0.0, target: 100.0 };
        let mut frames = 0;
        while s.value != 100.0 {
            let before = s.value;
            s.step(1.0 / 60.0, RESPONSE);
            assert!(s.value >= before && s.value <= 100.0);
            frames += 1;
            assert!(frames < 60, "still at {}", s.value);
        }
    }

    #[test]
    fn one_long_step_equals_two_short_ones() {
        let mut a = Spring { value: 3.0, velocity: 40.0, target: 10.0 };
        let mut b = a;
        a.step(0.08, 0.5);
        b.step(0.04, 0.5);
        b.step(0.04, 0.5);
        assert!((a.value - b.value).abs() < 1e-4, "{} {}", a.value, b.value);
    }
}
