//! Editing: insertion, deletion by clusters, movement, selection, pointers, limits.

use zinc_scene::{Color, Point, Recorder};
use zinc_text::{Align, Editor, Lines, Motion, TextEngine, TextStyle};

const STYLE: TextStyle = TextStyle::new(20.0);

fn editor(lines: Lines, text: &str) -> (TextEngine, Editor) {
    let mut e = TextEngine::default();
    let mut ed = Editor::new(lines, STYLE);
    ed.set_text(&mut e, text);
    (e, ed)
}

#[test]
fn inserts_and_deletes_at_the_caret() {
    let (mut e, mut ed) = editor(Lines::Single, "");
    assert!(ed.insert(&mut e, "Helo"));
    ed.move_caret(&mut e, Motion::Left, false);
    ed.insert(&mut e, "l");
    assert_eq!((ed.text(), ed.caret_index()), ("Hello", 4));
    ed.move_caret(&mut e, Motion::LineStart, false);
    ed.backspace(&mut e);
    ed.delete(&mut e);
    assert_eq!(ed.text(), "ello");
    ed.move_caret(&mut e, Motion::LineEnd, false);
    ed.insert(&mut e, " brave new world");
    ed.backspace_word(&mut e);
    assert_eq!(ed.text(), "ello brave new ");
    ed.move_caret(&mut e, Motion::TextStart, false);
    ed.delete_word(&mut e);
    assert_eq!(ed.text(), "brave new ");
    ed.move_caret(&mut e, Motion::WordRight, true);
    assert_eq!(ed.selected_text(), Some("brave"));
    ed.insert(&mut e, "old");
    assert_eq!(ed.text(), "old new ");
    ed.select_all(&mut e);
    assert_eq!(ed.selection(), 0..8);
    ed.insert(&mut e, "");
    assert_eq!((ed.text(), ed.selection()), ("", 0..0));
}

#[test]
fn emoji_go_whole() {
    let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}";
    for sign in [
        family,
        "\u{1F1E9}\u{1F1EA}",
        "\u{1F44D}\u{1F3FD}",
        "\u{2764}\u{FE0F}",
        "1\u{FE0F}\u{20E3}",
        "\u{1F600}",
    ] {
        let text = format!("a{sign}b");
        let (mut e, mut ed) = editor(Lines::Single, &text);
        ed.move_caret(&mut e, Motion::Left, false);
        assert_eq!(ed.caret_index(), text.len() - 1);
        ed.move_caret(&mut e, Motion::Left, false);
        assert_eq!(ed.caret_index(), 1, "{sign}");
        ed.move_caret(&mut e, Motion::Right, true);
        assert_eq!(ed.selected_text(), Some(sign));
        ed.move_caret(&mut e, Motion::Right, false);
        ed.backspace(&mut e);
        assert_eq!(ed.text(), "ab", "{sign:?}");
        ed.set_text(&mut e, &text);
        ed.select(&mut e, 1..1);
        ed.delete(&mut e);
        assert_eq!(ed.text(), "ab");
    }
    // Backspace takes an accent off first, as in other editors; Delete takes the whole cluster.
    let (mut e, mut ed) = editor(Lines::Single, "e\u{301}");
    ed.backspace(&mut e);
    assert_eq!(ed.text(), "e");
    ed.set_text(&mut e, "e\u{301}");
    ed.move_caret(&mut e, Motion::TextStart, false);
    ed.delete(&mut e);
    assert_eq!(ed.text(), "");
}

#[test]
fn a_single_line_takes_no_line_feed_and_a_limit_holds() {
    let (mut e, mut ed) = editor(Lines::Single, "a\r\nb\nc\u{2028}d\u{7}e\tf");
    assert_eq!(ed.text(), "a b c de f");
    ed.set_width(Some(10.0));
    let one = TextEngine::default().paragraph("x", &STYLE, None).size().h;
    assert_eq!(ed.size(&mut e).h, one, "it does not wrap");
    ed.set_max_chars(Some(5));
    ed.set_text(&mut e, "1234567");
    assert_eq!(ed.text(), "12345");
    assert!(!ed.insert(&mut e, "8"));
    assert_eq!(ed.text(), "12345");
    ed.select(&mut e, 1..3);
    assert!(!ed.insert(&mut e, "abc"));
    assert_eq!(ed.text(), "1ab45");
    // An emoji that does not fit whole stays out.
    ed.set_text(&mut e, "abc\u{1F44D}\u{1F3FD}\u{1F600}");
    assert_eq!(ed.text(), "abc\u{1F44D}\u{1F3FD}");
    ed.set_text(&mut e, "abcd\u{1F44D}\u{1F3FD}");
    assert_eq!(ed.text(), "abcd");
    let (_, multi) = editor(Lines::Multi, "a\r\nb\rc");
    assert_eq!(multi.text(), "a\nb\nc");
}

#[test]
fn lines_up_and_down_and_carets() {
    let (mut e, mut ed) = editor(Lines::Multi, "wwwww line\nsecond\n");
    let line = TextEngine::default().paragraph("x", &STYLE, None).size().h;
    assert_eq!(ed.size(&mut e).h, 3.0 * line);
    assert!(ed.caret(&mut e).y >= 2.0 * line - 2.0, "after the last line feed");
    ed.move_caret(&mut e, Motion::Up, false);
    ed.move_caret(&mut e, Motion::LineEnd, false);
    assert_eq!(ed.caret_index(), 17);
    ed.select(&mut e, 17..17);
    ed.move_caret(&mut e, Motion::Up, false);
    let at = ed.caret_index();
    assert!((3..=6).contains(&at), "{at}");
    ed.move_caret(&mut e, Motion::Down, true);
    assert_eq!(ed.selection(), at..17);
    let mut boxes = Vec::new();
    ed.selection_rects(&mut e, &mut boxes);
    assert_eq!(boxes.len(), 2);
    ed.move_caret(&mut e, Motion::TextEnd, true);
    assert_eq!(ed.selection(), at..18);
    let c = ed.caret(&mut e);
    assert_eq!(c.w, 1.0);
    // An empty field still has a caret.
    ed.set_text(&mut e, "");
    let c = ed.caret(&mut e);
    assert!(c.h >= 20.0 && c.x == 0.0);
    ed.set_style(STYLE.align(Align::Center));
    ed.set_width(Some(100.0));
    assert!((ed.caret(&mut e).x - 50.0).abs() <= 1.0, "{:?}", ed.caret(&mut e));
}

#[test]
fn pointers_select() {
    let (mut e, mut ed) = editor(Lines::Single, "alpha beta gamma");
    let x = |e: &mut TextEngine, ed: &mut Editor, i| {
        ed.select(e, i..i);
        let c = ed.caret(e);
        Point::new(c.x, c.y + 5.0)
    };
    let (a, b) = (x(&mut e, &mut ed, 2), x(&mut e, &mut ed, 8));
    ed.click(&mut e, b, false);
    assert_eq!(ed.selection(), 8..8);
    ed.click(&mut e, a, true);
    assert_eq!(ed.selection(), 2..8);
    ed.click(&mut e, a, false);
    ed.drag_to(&mut e, b);
    assert_eq!(ed.selection(), 2..8);
    ed.select_word_at(&mut e, b);
    assert_eq!(ed.selected_text(), Some("beta"));
    ed.drag_to(&mut e, a);
    assert_eq!(ed.selected_text(), Some("alpha beta"));
    ed.select_line_at(&mut e, b);
    assert_eq!(ed.selection(), 0..16);
    ed.click(&mut e, Point::new(9_999.0, 5.0), false);
    assert_eq!(ed.caret_index(), 16);
    ed.click(&mut e, Point::new(-50.0, -50.0), false);
    assert_eq!(ed.caret_index(), 0);
    ed.select(&mut e, 3..400);
    assert_eq!(ed.selection(), 3..16);
    let mut r = Recorder::new();
    r.begin(400, 100).unwrap();
    ed.record(&mut e, &mut r, Point::new(5.0, 5.0), Color::BLACK);
    assert_eq!(r.freeze().commands().len(), 1);
    // Fonts may come later: the next call lays out with them.
    let hebrew = include_bytes!("../fonts/test/hebrew.ttf");
    ed.set_text(&mut e, "\u{5D0}");
    let before = ed.size(&mut e);
    e.fonts_mut().add(hebrew.as_slice(), None).unwrap();
    assert_ne!(ed.size(&mut e), before);
}
