//! Ink bounds: the pixels a command may change. The one source of bounds for damage, culling,
//! binning and overlays; a test renders each kind alone and finds no pixel outside them.

use crate::command::{Arenas, ClipShape, Op};
use crate::{Cap, IRect, Join, Matrix, Rect, Stroke};

/// How far a blur of `sigma` reaches beyond its caster, in the caster's units: the kernel is cut
/// at three standard deviations.
pub fn shadow_reach(sigma: f32) -> f32 {
    3.0 * sigma
}

/// How far a stroke reaches from its centre line, in the path's units.
pub fn stroke_reach(s: &Stroke) -> f32 {
    let join = if s.join == Join::Miter { s.miter_limit.max(1.0) } else { 1.0 };
    let cap = if s.cap == Cap::Square { core::f32::consts::SQRT_2 } else { 1.0 };
    s.width * 0.5 * join.max(cap)
}

/// Rounding of transformed points may leave the exact box by this much.
const SLACK: f32 = 1.0 / 16.0;

fn device(m: Matrix, r: Rect) -> IRect {
    let out = m.apply_rect(r);
    if m.is_axis_aligned() { out.round_out() } else { out.inflate(SLACK).round_out() }
}

/// A path's box is closed: a vertical line has ink (when stroked) but no area.
fn device_path(m: Matrix, r: Rect, reach: f32) -> IRect {
    let r = Rect::new(r.x - reach, r.y - reach, r.w + 2.0 * reach, r.h + 2.0 * reach);
    let out = m.apply_rect(r);
    Rect::new(out.x - SLACK, out.y - SLACK, out.w + 2.0 * SLACK, out.h + 2.0 * SLACK).round_out()
}

/// The pixels that `op` under `m` may change on an endless surface. Commands that end something,
/// layers and `Clear` answer "everything": their reach is decided by what surrounds them.
pub fn ink(op: &Op, m: Matrix, a: &Arenas) -> IRect {
    const ALL: IRect = IRect::new(i32::MIN / 2, i32::MIN / 2, i32::MAX / 2, i32::MAX / 2);
    match *op {
        Op::Clear { .. } | Op::PopClip | Op::PushLayer { .. } | Op::PopLayer => ALL,
        Op::Rect { rect, .. } | Op::Border { rect, .. } => device(m, rect),
        Op::Image { dst, .. } | Op::Picture { dst, .. } => device(m, dst),
        Op::Shadow { rect, inset: true, .. } => device(m, rect),
        Op::Shadow { rect, offset, spread, sigma, .. } => {
            // A pixel more than the kernel's cut: masks are made on whole pixels.
            let scale = m.max_scale().max(1e-6);
            let reach = spread + shadow_reach(sigma) + 2.0 / scale;
            device(m, rect.translate(offset).inflate(reach))
        }
        Op::Path { path, .. } => device_path(m, a.path(path).bounds(), 0.0),
        Op::Stroke { path, stroke, .. } => {
            let reach = stroke_reach(&a.strokes[stroke as usize]);
            device_path(m, a.path(path).bounds(), reach)
        }
        Op::GlyphRun { font, size, origin, glyphs, .. } => {
            let em = size as f32 / 64.0;
            let [l, t, r, b] = a.fonts[font as usize].em_box();
            let mut box_ = Rect::default();
            for g in &a.glyphs[glyphs.range()] {
                let (x, y) = (origin.x + g.x, origin.y + g.y);
                let one = Rect::from_ltrb(x + l * em, y + t * em, x + r * em, y + b * em);
                box_ = box_.union(one);
            }
            if box_.is_empty() {
                return IRect::EMPTY;
            }
            // Masks sit on whole rows and quarter columns, and filters reach one pixel further.
            m.apply_rect(box_).inflate(2.0).round_out()
        }
        Op::PushClip { shape } => match shape {
            ClipShape::Rect { rect, .. } => device(m, rect),
            ClipShape::Path { path, .. } => device_path(m, a.path(path).bounds(), 0.0),
        },
    }
}
