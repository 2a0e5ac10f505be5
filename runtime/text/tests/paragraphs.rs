//! Paragraphs: wrapping, alignment, ellipsis, direction, questions about carets.

use zinc_scene::{Color, Op, Point, Recorder};
use zinc_text::{Align, FontSet, TextEngine, TextStyle, Wrap};

const STYLE: TextStyle = TextStyle::new(16.0);
const TEXT: &str = "The quick brown fox jumps over the lazy dog";

#[test]
fn wraps_between_words_and_inside_words_that_are_too_wide() {
    let mut e = TextEngine::default();
    let one = e.paragraph(TEXT, &STYLE, None);
    assert_eq!(one.line_count(), 1);
    assert_eq!(one.size().w, one.max_content_width());
    let many = e.paragraph(TEXT, &STYLE, Some(120.0));
    assert!((3..=5).contains(&many.line_count()), "{}", many.line_count());
    assert!(many.size().w <= 120.0);
    let per_line = one.size().h;
    assert_eq!(many.size().h, per_line * many.line_count() as f32);
    assert_eq!(per_line, (16.0f32 * 1.3).ceil());
    // Laid out again in its own width, it breaks the same.
    let again = e.paragraph(TEXT, &STYLE, Some(many.size().w));
    assert_eq!(again.line_count(), many.line_count());
    // A word alone is too wide.
    let word = e.paragraph("Donaudampfschifffahrt", &STYLE, Some(40.0));
    assert!(word.line_count() >= 4 && word.size().w <= 40.0);
    assert!(!word.truncated());
    assert!(many.min_content_width() < 60.0 && many.min_content_width() > 20.0);
    // Line feeds.
    assert_eq!(e.paragraph("a\nb\r\nc\n", &STYLE, None).line_count(), 4);
    assert_eq!(e.paragraph("", &STYLE, Some(10.0)).size().h, per_line);
    let fed = e.paragraph("a\tb\nc\r\nd", &STYLE, None);
    assert!(fed.glyphs().iter().all(|g| g.id != 0), "{:?}", fed.glyphs());
}

#[test]
fn aligns_in_the_width_given() {
    let mut e = TextEngine::default();
    let x = |e: &mut TextEngine, a| {
        let p = e.paragraph("abc", &STYLE.align(a), Some(200.0));
        (p.glyphs()[0].x, p.size().w)
    };
    let (start, w) = x(&mut e, Align::Start);
    let (center, w2) = x(&mut e, Align::Center);
    let (end, _) = x(&mut e, Align::End);
    assert_eq!(start, 0.0);
    assert_eq!(w, w2, "the size is that of the line, not of the box");
    assert!((center - (200.0 - w) / 2.0).abs() <= 1.0, "{center}");
    assert!((end - (200.0 - w)).abs() <= 1.0, "{end}");
    // Also without wrapping.
    let p = e.paragraph("abc", &STYLE.align(Align::End).wrap(Wrap::None), Some(200.0));
    assert!((p.glyphs()[0].x - end).abs() < 0.1);
}

#[test]
fn ellipsis_on_the_last_allowed_line() {
    let mut e = TextEngine::default();
    let dots = e.paragraph("\u{2026}", &STYLE, None).glyphs()[0].id;
    for width in [0.0, 3.0, 20.0, 57.0, 80.0, 120.0, 200.0, 300.0, 400.0] {
        for lines in 1..4u16 {
            let s = STYLE.max_lines(lines);
            let p = e.paragraph(TEXT, &s, Some(width));
            let whole = e.paragraph(TEXT, &STYLE, Some(width));
            assert!(p.line_count() <= lines as usize, "{width} {lines}");
            assert_eq!(p.truncated(), whole.line_count() > lines as usize);
            if width >= 20.0 {
                assert!(p.size().w <= width.ceil(), "{width} {lines} {}", p.size().w);
            }
            if p.truncated() {
                assert_eq!(p.glyphs().last().unwrap().id, dots);
                assert_eq!(p.text_len(), TEXT.len());
                // A hit beyond the ellipsis answers where the shown text ends.
                let end = p.hit(Point::new(10_000.0, 10_000.0));
                assert!(end < TEXT.len() && TEXT.is_char_boundary(end));
                assert!(p.caret(TEXT.len()).x <= width.max(20.0) + 1.0);
            }
        }
    }
    // The last line is filled, not cut at a word.
    let p = e.paragraph(TEXT, &STYLE.max_lines(2), Some(120.0));
    assert!(p.size().w > 100.0);
}

#[test]
fn ellipsis_without_wrapping_keeps_clusters_whole() {
    let mut e = TextEngine::default();
    let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}";
    let text = format!("{family}e\u{301}{family}e\u{301}{family}e\u{301}{family}");
    let full = e.paragraph(&text, &STYLE.one_line(), None);
    assert!(!full.truncated());
    let mut before = usize::MAX;
    for width in (0..full.size().w as u32).rev() {
        let p = e.paragraph(&text, &STYLE.one_line(), Some(width as f32));
        assert!(p.truncated(), "{width}");
        assert_eq!(p.line_count(), 1);
        let end = p.hit(Point::new(9_999.0, 0.0));
        assert!(end <= before);
        before = end;
        let rest = &text[end..];
        assert!(rest.starts_with(family) || rest.starts_with("e\u{301}"), "{width}: {rest:?}");
        assert_eq!(p.max_content_width(), full.max_content_width());
    }
    // Each line feed starts a line of its own, each with its own ellipsis.
    let two =
        e.paragraph("a long first line\nb\na long last line", &STYLE.wrap(Wrap::None), Some(60.0));
    assert_eq!(two.line_count(), 3);
    assert!(two.truncated() && two.size().w <= 60.0);
    let b = two.caret(18);
    assert_eq!((b.x, two.hit(b.center())), (0.0, 18));
    // Lines beyond the greatest number.
    let fed = e.paragraph("a\nb\nc", &STYLE.max_lines(2), None);
    assert!(fed.truncated() && fed.line_count() == 2);
}

#[test]
fn right_to_left_text_is_reordered() {
    let mut e = TextEngine::default();
    // No glyphs for Hebrew in the built-in fonts: the boxes still stand in visual order.
    let p = e.paragraph("ab \u{5D0}\u{5D1}\u{5D2} cd", &STYLE, None);
    let x = |i: usize| p.caret(i).x;
    assert!(x(1) > x(0), "left to right");
    // Bytes: a0 b1 _2 alef3 bet5 gimel7 _9 c10 d11
    assert!(x(5) < x(3) || x(3) < x(2) + 1.0, "{} {}", x(5), x(3));
    assert!(x(7) < x(5), "each Hebrew letter is left of the one before it");
    assert!(x(11) > x(10));
    let hits: Vec<_> = (0..p.size().w as u32).map(|x| p.hit(Point::new(x as f32, 5.0))).collect();
    assert!(hits.contains(&5) && hits.contains(&7) && hits.contains(&11));
    // A right-to-left paragraph starts at the right.
    let r = e.paragraph("\u{5D0}\u{5D1} ab", &STYLE, Some(200.0));
    assert!(r.glyphs().iter().all(|g| g.x > 100.0), "{:?}", r.glyphs());
    let mut boxes = Vec::new();
    p.selection(1..5, &mut boxes);
    assert!(boxes.len() >= 2, "a logical range may be two boxes: {boxes:?}");
    if !cfg!(feature = "system-fonts") {
        assert_eq!(e.missing(), ['\u{5D0}', '\u{5D1}', '\u{5D2}']);
    }
}

#[test]
fn records_one_run_per_font_and_line() {
    let mut e = TextEngine::default();
    let mut r = Recorder::new();
    r.begin(800, 480).unwrap();
    let p = e.paragraph("Sun \u{1F600} and moon", &STYLE, None);
    assert_eq!(p.run_count(), 3);
    p.record(&mut r, Point::new(10.0, 20.0), Color::BLACK);
    assert_eq!(e.paragraph(TEXT, &STYLE, Some(120.0)).run_count(), 4);
    let list = r.freeze();
    assert_eq!(r.refused(), 0);
    let runs: Vec<_> = list
        .commands()
        .iter()
        .map(|c| match c.op {
            Op::GlyphRun { font, size, origin, .. } => {
                assert_eq!((size, origin), (16 * 64, Point::new(10.0, 20.0)));
                font
            }
            _ => panic!("only glyph runs"),
        })
        .collect();
    assert_eq!(runs[0], runs[2], "the same handle for the same font");
    assert_ne!(runs[0], runs[1]);
    // Lines do not move for a font of the fallback.
    let plain = e.paragraph("Sun and moon", &STYLE, None);
    assert_eq!(p.size().h, plain.size().h);
    assert_eq!(p.first_baseline(), plain.first_baseline());
    assert_eq!(p.first_baseline(), p.first_baseline().round());
}

#[test]
fn style_changes_what_it_says() {
    let mut e = TextEngine::default();
    let w = |e: &mut TextEngine, t: &str, s: TextStyle| e.paragraph(t, &s, None).size().w;
    let text = "Hamburgefonstiv";
    assert!(w(&mut e, text, STYLE.weight(900)) > w(&mut e, text, STYLE) + 5.0);
    assert!(w(&mut e, text, STYLE.weight(100)) < w(&mut e, text, STYLE.weight(900)));
    assert!(w(&mut e, text, STYLE.tracking(0.1)) > w(&mut e, text, STYLE) + 20.0);
    assert!(w(&mut e, text, STYLE.tracking(-0.06)) < w(&mut e, text, STYLE) - 10.0);
    let (a, b) = ("1111", "8888");
    assert_ne!(w(&mut e, a, STYLE), w(&mut e, b, STYLE));
    assert_eq!(w(&mut e, a, STYLE.tabular()), w(&mut e, b, STYLE.tabular()));
    let p = e.paragraph("a\nb", &STYLE.line_height(2.0), None);
    assert_eq!(p.size().h, 64.0);
    // Numbers that are none, and too large or small.
    for bad in [f32::NAN, f32::INFINITY, -f32::INFINITY, -1.0, 0.0, 1e30] {
        let s = TextStyle { size: bad, line_height: bad, tracking: bad, ..STYLE };
        let p = e.paragraph("bad \u{1F600}", &s, Some(bad));
        assert!(p.size().w.is_finite() && p.size().h.is_finite() && p.size().h > 0.0);
        e.paragraph("bad", &s.one_line(), Some(bad));
    }
    assert_eq!(STYLE, STYLE.weight(400));
    assert_ne!(STYLE, STYLE.tracking(0.01));
}

#[test]
fn the_cache_is_bounded_and_follows_the_fonts() {
    let mut e = TextEngine::default();
    e.set_capacity(50);
    for i in 0..500 {
        e.paragraph(&format!("{i}"), &STYLE, None);
        assert!(e.cached() <= 50);
    }
    assert_eq!(e.layouts(), 500);
    let p = e.paragraph("499", &STYLE, None);
    assert_eq!(e.layouts(), 500);
    assert!(std::sync::Arc::ptr_eq(&p, &e.paragraph("499", &STYLE, None)));
    e.paragraph("499", &STYLE.align(Align::End), Some(400.0));
    e.paragraph("499", &STYLE.weight(401), None);
    assert_eq!(e.layouts(), 502);
    e.fonts_mut().add(include_bytes!("../fonts/test/hebrew.ttf").as_slice(), None).unwrap();
    e.paragraph("499", &STYLE, None);
    assert_eq!(e.layouts(), 503);
}

#[test]
fn long_texts_are_cut_and_empty_sets_do_not_panic() {
    let mut e = TextEngine::default();
    let long = "\u{E9}\u{20AC}x ".repeat(50_000);
    let p = e.paragraph(&long, &STYLE.max_lines(3), Some(300.0));
    assert_eq!(p.line_count(), 3);
    let mut none = TextEngine::new(FontSet::empty());
    let p = none.paragraph("text", &STYLE, Some(50.0));
    assert!(p.size().w.is_finite());
    p.hit(Point::new(3.0, 3.0));
    p.caret(2);
    none.paragraph("text that is long", &STYLE.one_line(), Some(5.0));
}

#[test]
fn what_fits_is_not_laid_out_for_every_width() {
    let mut e = TextEngine::default();
    let free = e.paragraph("label", &STYLE, None);
    for w in 0..200 {
        let p = e.paragraph("label", &STYLE, Some(free.size().w + w as f32 * 0.37));
        assert!(std::sync::Arc::ptr_eq(&p, &free));
    }
    assert_eq!(e.layouts(), 1);
    e.paragraph("label", &STYLE.align(Align::End), Some(200.0));
    e.paragraph("label", &STYLE, Some(10.0));
    assert_eq!(e.layouts(), 3);
    // From right to left the width decides where a line starts.
    let rtl = e.paragraph("\u{5D0}", &STYLE, None);
    assert_ne!(rtl.glyphs(), e.paragraph("\u{5D0}", &STYLE, Some(200.0)).glyphs());
}

/// Equal on every CPU: the places of all glyphs of some paragraphs.
#[test]
fn positions_are_the_same_everywhere() {
    let mut e = TextEngine::default();
    let mut sum = 0u64;
    for (i, width) in [None, Some(90.0), Some(133.7), Some(301.25)].into_iter().enumerate() {
        for weight in [100, 400, 650, 900] {
            for size in [11.0, 16.0, 23.5, 48.0] {
                let s = TextStyle::new(size).weight(weight).tracking(0.01 * i as f32);
                let p =
                    e.paragraph("Ta\u{301}fel \u{1F600}, AVATAR 12:30 \u{2192} Fjord", &s, width);
                for g in p.glyphs() {
                    for v in [g.id, g.x.to_bits(), g.y.to_bits()] {
                        sum = (sum ^ v as u64).wrapping_mul(0x0000_0100_0000_01B3);
                    }
                    assert_eq!((g.x * 64.0).fract(), 0.0);
                }
            }
        }
    }
    assert_eq!(format!("{sum:016x}"), "af469c6e567a0100");
}
