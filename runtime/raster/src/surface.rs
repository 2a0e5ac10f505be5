//! A surface that was drawn before, into a target: for those who keep the surface itself, to hash
//! it or to show it to others. The same pixels as if the frame were drawn into the target.

use crate::dither::Place;
use crate::simd::dispatch;
use crate::store;
use fearless_simd::Level;
use zinc_scene::{IRect, Region, TargetMut};

/// Pixels gathered at once.
const LINE: usize = 64;

/// Stores the damaged pixels of a surface into a target, converted and turned. `surface` holds the
/// surface's own format, rows of `width` pixels without gaps. A smaller target shows its top left
/// part; an invalid one is left alone.
pub fn store_surface(
    surface: &[u8],
    (width, height): (u32, u32),
    damage: &Region,
    target: &mut TargetMut<'_>,
) {
    let size = target.surface_size();
    let line = width as usize * 4;
    if !target.is_valid() || surface.len() < line * height as usize {
        return;
    }
    let (turn, format, level) = (target.rotation, target.format, Level::new());
    let back = turn.inverse();
    let both = IRect::of_size(width.min(size.0), height.min(size.1));
    for r in damage.clipped(both).rects() {
        let at = turn.turn(*r, size);
        for y in at.y0..at.y1 {
            for x in (at.x0..at.x1).step_by(LINE) {
                // Where this run of the target lies on the surface, and which way it goes there.
                let from = |x: i32| {
                    let r =
                        back.turn(IRect::new(x, y, x + 1, y + 1), (target.width, target.height));
                    (r.x0, r.y0)
                };
                let n = (at.x1 - x).min(LINE as i32) as usize;
                let (first, next) = (from(x), from(x + 1));
                let (dx, dy) = (next.0 - first.0, next.1 - first.1);
                let step = dx as isize * 4 + dy as isize * line as isize;
                let start = first.1 as usize * line + first.0 as usize * 4;
                let mut words = [0u32; LINE];
                for (i, w) in words[..n].iter_mut().enumerate() {
                    let i = start.wrapping_add_signed(step * i as isize);
                    *w = u32::from_le_bytes([0, 1, 2, 3].map(|b| surface[i + b]));
                }
                let to = y as usize * target.pitch + x as usize * format.bytes();
                let place = Place::new(first.0, first.1, dx, dy);
                let out = &mut target.bytes[to..];
                dispatch!(level, simd => store::row(simd, &words[..n], out, format, place));
            }
        }
    }
}
