//! A steady frame allocates nothing: paragraphs and an editor that are found again.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};
use zinc_scene::{Color, Point, Recorder};
use zinc_text::{Editor, Lines, TextEngine, TextStyle};

struct Counting;

static COUNT: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes to the system's allocator unchanged; counting touches no memory of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(ptr, layout) }
    }
    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(ptr, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn frame(e: &mut TextEngine, editor: &mut Editor, r: &mut Recorder) {
    r.begin(800, 480).expect("a legal size");
    for (i, size) in [12.0, 16.0, 24.0, 40.0].into_iter().enumerate() {
        let s = TextStyle::new(size);
        let at = Point::new(10.0, 60.0 * i as f32);
        let p = e.paragraph("Living room 21.5 \u{B0}C \u{1F600}", &s, Some(300.0));
        p.record(r, at, Color::BLACK);
        let p = e.paragraph("A longer label that is cut", &s.one_line(), Some(120.0));
        p.record(r, at, Color::WHITE);
        assert!(p.hit(Point::new(3.0, 3.0)) < 3);
    }
    editor.record(e, r, Point::new(400.0, 10.0), Color::BLACK);
    editor.caret(e);
    r.freeze();
}

#[test]
fn a_steady_frame_allocates_and_lays_out_nothing() {
    let mut e = TextEngine::default();
    let mut editor = Editor::new(Lines::Multi, TextStyle::new(18.0));
    editor.set_width(Some(200.0));
    editor.set_text(&mut e, "Some text\nunder edit");
    let mut r = Recorder::new();
    for _ in 0..8 {
        frame(&mut e, &mut editor, &mut r);
    }
    let (layouts, before) = (e.layouts(), COUNT.load(Ordering::Relaxed));
    assert_eq!(layouts, 8);
    for _ in 0..100 {
        frame(&mut e, &mut editor, &mut r);
    }
    assert_eq!(e.layouts(), layouts);
    assert_eq!(COUNT.load(Ordering::Relaxed), before);
}
