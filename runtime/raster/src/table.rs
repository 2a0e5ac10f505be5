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
        // Functions of the pixel's own place: any start of a run gives the same.
        let line = |p: &Plane| [entries(p.dx), entries(p.at(0, y))];
        let lines = [line(&self.u), line(&self.v)];
        let x: [f32; 8] = core::array::from_fn(|i| (x + i as i32) as f32);
        let mut x = f32x8::from_slice(simd, &x);
        let (blocks, rest) = out.as_chunks_mut::<8>();
        for b in blocks {
            eight(simd, table, x, lines, b);
            x += 8.0;
        }
        if !rest.is_empty() {
            let mut b = [0; 8];
            eight(simd, table, x, lines, &mut b);
            rest.copy_from_slice(&b[..rest.len()]);
        }
    }
}

/// Colours of eight pixels.
#[inline(always)]
fn eight<S: Simd>(
    simd: S,
    table: &Table,
    x: f32x8<S>,
    [[du, u], [dv, v]]: [[f32; 2]; 2],
    out: &mut [u32; 8],
) {
    let (a, b) = (x * du + u, x * dv + v);
    let d = (a * a + b * b).sqrt().min(LAST) + 0.5;
    let index: [i32; 8] = simd.cvt_i32_f32x8(d).into();
    for (o, i) in out.iter_mut().zip(index) {
        // The check keeps compilers from a gather, which is slower than eight loads.
        if let Some(c) = table.get(i as usize) {
            *o = *c;
        }
    }
}
