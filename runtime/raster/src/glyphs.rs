//! Glyph runs: masks at whole pixels where `zinc_scene::placement` says so, outlines elsewhere.

use crate::fixed::Map;
use crate::flatten;
use crate::plan::{Job, Kind, PlacedGlyph, Planner};
use zinc_scene::{FillRule, IRect, Matrix, Op, PaintRef, Placement, mask_size, placement};

/// Plans a run; `None` when none of it is seen.
pub(crate) fn plan(p: &mut Planner, job: &Job<'_>, op: &Op, m: Matrix, b: IRect) -> Option<Kind> {
    let Op::GlyphRun { font, size, origin, glyphs, paint } = *op else { return None };
    let a = job.list.arenas();
    let font = &a.fonts[font as usize];
    let run = &a.glyphs[glyphs.range()];
    let fill = p.fill(job, paint, m, b)?;
    let mask = mask_size(m, size);
    let hash = font.font_hash();
    if mask.is_none() {
        let cover = p.path(job, b, FillRule::NonZero, |e, _| {
            for g in run {
                let place = placement(m, hash, size, origin, *g, None);
                if let (Placement::Outline { matrix }, Some(o)) = (place, font.outline(g.id)) {
                    flatten::fill(o.view(), &Map::of(matrix), e);
                }
            }
        });
        return Some(Kind::Fill(cover, fill));
    }
    let first = p.glyphs.len();
    for g in run {
        let Placement::Mask { key, x, y } = placement(m, hash, size, origin, *g, mask) else {
            continue;
        };
        // Far pens saturate: nothing there is on a surface.
        let Some(mask) = font.mask(key).filter(|k| k.is_valid()) else { continue };
        let (x, y) = (x.saturating_add(mask.left), y.saturating_add(mask.top));
        let right = x.saturating_add(mask.width as i32);
        let low = y.saturating_add(mask.height as i32);
        let at = IRect::new(x, y, right, low).intersect(b);
        if job.damage.rects().iter().any(|r| r.overlaps(at)) {
            p.glyphs.push(PlacedGlyph { x, y, mask });
        }
    }
    let len = p.glyphs.len() - first;
    let alpha = match paint {
        PaintRef::Solid(c) => c.a,
        PaintRef::Gradient(_) => 255,
    };
    let (first, len) = (first as u32, len as u32);
    (len > 0).then_some(Kind::Glyphs { first, len, fill, alpha })
}
