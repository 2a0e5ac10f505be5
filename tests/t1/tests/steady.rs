//! Steady frames allocate nothing, in view, layout, record and freeze, and shape no paragraph.
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use hero::Hero;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use zinc::prelude::*;
use zinc::testing::Harness;

/// Counts the allocations of the thread that asks.
struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn counted() {
    // A thread that is ending has no counter any more; nobody asks for it.
    let _ = COUNT.try_with(|c| c.set(c.get() + 1));
}

// SAFETY: every call goes to the system's allocator unchanged; counting touches no memory of it,
// and a `const` thread-local without a destructor allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        counted();
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(ptr, layout) }
    }
    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        counted();
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(ptr, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations and paragraphs of `n` frames after `warm` others.
fn cost<A: App>(app: &mut Harness<A>, warm: u32, n: u32) -> (u64, u64) {
    for _ in 0..warm {
        app.frame(&[]);
    }
    let (before, words) = (COUNT.get(), app.counts().paragraphs);
    for _ in 0..n {
        app.frame(&[]);
    }
    (COUNT.get() - before, app.counts().paragraphs - words)
}

#[test]
fn the_counter_counts() {
    let before = COUNT.get();
    drop(std::hint::black_box(vec![1u8; 100]));
    assert_eq!(COUNT.get() - before, 1);
}

#[test]
fn a_forced_frame_of_an_unchanged_screen_allocates_nothing() {
    for demo in ["settings", "gallery", "detail", "tasks", "dialog"] {
        let mut app = Harness::with(Hero::default(), 800, 480, Some(demo));
        // What moves comes to rest, and every buffer has its size.
        let (allocations, paragraphs) = cost(&mut app, 200, 20);
        assert_eq!((allocations, paragraphs), (0, 0), "{demo}: allocations, paragraphs");
        // Recorded anew instead of kept.
        app.ui().retain(false);
        let (allocations, paragraphs) = cost(&mut app, 20, 20);
        assert_eq!((allocations, paragraphs), (0, 0), "{demo}, recorded: allocations, paragraphs");
    }
}

#[test]
fn a_frame_in_which_things_move_allocates_nothing() {
    let mut t = 0u32;
    let mut app = Harness::new(move |ui: &mut Ui| {
        ui.request_frame();
        t += 1;
        let x = (t % 100) as f32;
        ui.row(S.gap(8.), |ui| {
            ui.col(S.size(80., 80.).fill(Accent).radius(12.).offset(x, 0.).card(), |ui| {
                ui.text("moves").title();
            });
            ui.col(S.size(80., 80.).turn(x * 0.01).opacity(0.5).clip(), |ui| {
                ui.text("turns");
                ui.busy();
            });
            ui.canvas(S.size(100., 100.)).draw(t, |r, size| {
                r.circle(x, size.h * 0.5, 10.).fill(Accent);
                r.line(Point::new(0., x), Point::new(size.w, x), 2., Ink);
                r.text("drawn", &type_scale::BODY, Point::new(4., 4.), None, Ink);
            });
        });
        ui.scroll(S.height(100.), |ui| {
            for i in 0..50u32 {
                ui.text(format_args!("row {}", i % 7));
            }
        });
    });
    assert_eq!(cost(&mut app, 300, 100), (0, 0), "allocations, paragraphs");
}
