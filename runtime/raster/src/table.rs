//! Smooth radial gradients by a table of their colours: a distance from the centre, in floats that
//! IEEE 754 rounds exactly, is the index. A table stands in only where neighbouring entries differ
//! by less than one step, so that half an entry is never seen.

use crate::fixed::Plane;
use crate::simd::Simd;
use fearless_simd::f32x8;
use fearless_simd::prelude::*;

/// Entries of a table, from the first stop to the last.
pub(crate) const SIZE: usize = 1024;
/// The index of the last entry.
const LAST: f32 = (SIZE - 1) as f32;

/// Colours at equal distances.
pub(crate) type Table = [u32; SIZE];

/// Two planes whose root of squares is an index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distance {
    u: Plane,
    v: Plane,
}

/// A 32.32 number in entries.
#[inline(always)]
fn entries(v: i64) -> f32 {
    (v as f64 * (LAST as f64 / 4_294_967_296.0)) as f32
}

impl Distance {
    /// Of planes that count radii.
    pub(crate) fn new(u: Plane, v: Plane) -> Self {
        Self { u, v }
    }

    /// Colours of a run of a row; beyond the last entry it is repeated.
    #[inline(always)]
    pub(crate) fn shade<S: Simd>(
        &self,
        simd: S,
        table: &Table,
        (x, y): (i32, i32),
        out: &mut [u32],
    ) {
        let (mut at, lines) = self.row(simd, (x, y));
        let (blocks, rest) = out.as_chunks_mut::<8>();
        for b in blocks {
            for (o, i) in b.iter_mut().zip(indices(simd, at, lines)) {
                // The check keeps compilers from a gather, which is slower than eight loads.
                if let Some(c) = table.get(i as usize) {
                    *o = *c;
                }
            }
            at += 8.0;
        }
        for (o, i) in rest.iter_mut().zip(indices(simd, at, lines)) {
            *o = table[i as usize & (SIZE - 1)];
        }
    }

    /// As [`Distance::shade`], of colours that are found one by one.
    #[inline(always)]
    pub(crate) fn each<S: Simd>(
        &self,
        simd: S,
        (x, y): (i32, i32),
        out: &mut [u32],
        color: impl Fn(usize) -> u32,
    ) {
        let (mut at, lines) = self.row(simd, (x, y));
        for b in out.chunks_mut(8) {
            for (o, i) in b.iter_mut().zip(indices(simd, at, lines)) {
                *o = color(i as usize & (SIZE - 1));
            }
            at += 8.0;
        }
    }

    /// Columns of the first eight pixels, and slope and start of both planes in row `y`: functions
    /// of the pixel's own place, so that any start of a run gives the same.
    #[inline(always)]
    fn row<S: Simd>(&self, simd: S, (x, y): (i32, i32)) -> (f32x8<S>, [[f32; 2]; 2]) {
        let line = |p: &Plane| [entries(p.dx), entries(p.at(0, y))];
        let x: [f32; 8] = core::array::from_fn(|i| (x + i as i32) as f32);
        (f32x8::from_slice(simd, &x), [line(&self.u), line(&self.v)])
    }
}

/// Entries of eight pixels.
#[inline(always)]
fn indices<S: Simd>(simd: S, x: f32x8<S>, [[du, u], [dv, v]]: [[f32; 2]; 2]) -> [i32; 8] {
    let (a, b) = (x * du + u, x * dv + v);
    let d = (a * a + b * b).sqrt().min(LAST) + 0.5;
    simd.cvt_i32_f32x8(d).into()
}
