//! The only door to transcendental functions: `std`'s differ between platforms in the last
//! bit, and one bit moves a pixel. These come from the crate `libm`, compiled from the same
//! source everywhere. `+ - * /` and `sqrt` are exact in IEEE 754 and need no wrapper.

/// Sine of `x` radians.
#[inline]
pub fn sin(x: f32) -> f32 {
    libm::sinf(x)
}

/// Cosine of `x` radians.
#[inline]
pub fn cos(x: f32) -> f32 {
    libm::cosf(x)
}

/// Tangent of `x` radians.
#[inline]
pub fn tan(x: f32) -> f32 {
    libm::tanf(x)
}

/// Angle of the vector `(x, y)` in radians, -π..=π.
#[inline]
pub fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

/// Arc cosine in radians; NaN outside -1..=1.
#[inline]
pub fn acos(x: f32) -> f32 {
    libm::acosf(x)
}

/// e to the power `x`.
#[inline]
pub fn exp(x: f32) -> f32 {
    libm::expf(x)
}

/// Natural logarithm.
#[inline]
pub fn ln(x: f32) -> f32 {
    libm::logf(x)
}

/// `x` to the power `y`.
#[inline]
pub fn pow(x: f32, y: f32) -> f32 {
    libm::powf(x, y)
}

/// Error function, in double precision (gaussian integrals of shadows).
#[inline]
pub fn erf64(x: f64) -> f64 {
    libm::erf(x)
}

/// e to the power `x`, in double precision.
#[inline]
pub fn exp64(x: f64) -> f64 {
    libm::exp(x)
}
