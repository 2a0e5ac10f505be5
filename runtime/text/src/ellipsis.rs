//! What is left out when text does not fit, and the ellipsis in its place. Text is cut between
//! clusters only (an emoji or a letter with its accents stays whole), and the rest is shaped
//! again together with the ellipsis: kerning, joining and direction come out right. The place is
//! estimated from the cluster's advances and then proven by shaping, two layouts in most cases.

use crate::engine::build;
use crate::paragraph::Span;
use crate::{TextEngine, TextStyle, Wrap, limits};
use parley::Layout;

/// The sign for what was left out.
const ELLIPSIS: char = '\u{2026}';
/// Sums of advances differ in the last bits between two ways of adding them.
const SLACK: f32 = 1.0 / 64.0;

/// What to show.
pub(crate) enum Fit {
    /// All of it.
    Whole,
    /// Another text, and where its parts come from.
    Cut { shown: String, spans: Vec<Span> },
}

/// Decides for a laid out text.
pub(crate) fn fit(
    engine: &mut TextEngine,
    layout: &Layout<()>,
    text: &str,
    style: &TextStyle,
    max_width: Option<f32>,
) -> Fit {
    let lines = layout.len();
    let kept = match style.max_lines as usize {
        0 => lines,
        n => n.min(lines),
    };
    let width = max_width.unwrap_or(f32::INFINITY);
    let wide = |i: usize| layout.get(i).is_some_and(|l| content(&l) > width + SLACK);
    let cuts_wide = style.wrap == Wrap::None;
    if kept == lines && !(cuts_wide && (0..kept).any(wide)) {
        return Fit::Whole;
    }
    let (mut shown, mut spans) = (String::new(), Vec::new());
    for i in 0..kept {
        let Some(line) = layout.get(i) else { break };
        let last_of_more = i + 1 == kept && kept < lines;
        let start = line.text_range().start;
        let full = &text[line.text_range()];
        let body = full.trim_end_matches(LINE_ENDS);
        let (keep, dots) = if last_of_more {
            // A wrapped line goes on with the words of the next one, up to the width.
            let end = layout.get(i + 1).map_or(text.len(), |l| l.text_range().end);
            let rest = &text[start..end];
            let rest = rest.split(LINE_ENDS).next().unwrap_or(rest);
            (cut(engine, rest, style, width), true)
        } else if cuts_wide && wide(i) {
            (cut(engine, body, style, width), true)
        } else {
            (full.len(), false)
        };
        spans.push(Span { shown: shown.len(), source: start, len: keep });
        shown.push_str(&text[start..start + keep]);
        if dots {
            shown.push(ELLIPSIS);
            if i + 1 < kept {
                shown.push_str(&full[body.len()..]);
            }
        }
    }
    Fit::Cut { shown, spans }
}

const LINE_ENDS: [char; 6] = ['\n', '\r', '\u{B}', '\u{C}', '\u{2028}', '\u{2029}'];

/// Width of a line without the space that hangs over its end.
fn content(line: &parley::Line<'_, ()>) -> f32 {
    let m = line.metrics();
    m.advance - m.hanging_advance
}

/// How many bytes of a single line fit into `width` together with an ellipsis.
fn cut(engine: &mut TextEngine, line: &str, style: &TextStyle, width: f32) -> usize {
    let plain = TextStyle { wrap: Wrap::None, max_lines: 0, ..*style };
    let mut shape = |text: &str| build(&mut engine.fonts, &mut engine.cx, text, &plain, None);
    if width == f32::INFINITY {
        return line.trim_end().len();
    }
    let dots = shape(ELLIPSIS.encode_utf8(&mut [0; 4])).full_width();
    // Ends of clusters in reading order, with the width up to them.
    let layout = shape(line);
    let mut ends: Vec<(usize, f32)> = Vec::new();
    for c in layout.lines().flat_map(|l| l.runs().flat_map(|r| r.clusters())) {
        ends.push((c.text_range().end, c.advance()));
    }
    ends.sort_unstable_by_key(|e| e.0);
    let mut sum = 0.0;
    for e in &mut ends {
        sum += e.1;
        e.1 = sum;
    }
    let fitting = ends.partition_point(|e| e.1 + dots <= width + SLACK);
    let mut tried = String::new();
    let mut last = usize::MAX;
    for n in (0..=fitting).rev().take(limits::ELLIPSIS_STEPS) {
        let end = n.checked_sub(1).map_or(0, |i| ends[i].0);
        let keep = line[..end].trim_end().len();
        if keep == last {
            continue;
        }
        last = keep;
        tried.clear();
        tried.push_str(&line[..keep]);
        tried.push(ELLIPSIS);
        if shape(&tried).full_width() <= width + SLACK {
            return keep;
        }
    }
    0
}
