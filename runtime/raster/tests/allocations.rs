//! A steady frame allocates at most one block per thread and pass, and one more; per command
//! nothing.

mod common;

use common::{Frame, list};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use zinc_raster::Rasterizer;
use zinc_raster::testing::{Rng, Scene};
use zinc_scene::{Color, CommandList, LayerPlan, PixelFormat, Point, Recorder, Region, Rotation};

struct Counting;

static COUNT: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise is the system's.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is the system's.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations a frame, once all memory has grown.
fn steady(raster: &mut Rasterizer, lists: &[Arc<CommandList>], turn: Rotation) -> f64 {
    let plan = LayerPlan::new();
    let mut frames: Vec<_> =
        lists.iter().map(|l| Frame::new(l, PixelFormat::Rgb565, turn, 0, 0)).collect();
    let mut round = || {
        for (list, frame) in lists.iter().zip(&mut frames) {
            frame.render_with(raster, list, &plan, &Region::of(list.surface()));
        }
    };
    // Which thread plans what differs from frame to frame: all of them must have grown.
    (0..40).for_each(|_| round());
    let before = COUNT.load(Ordering::Relaxed);
    (0..10).for_each(|_| round());
    (COUNT.load(Ordering::Relaxed) - before) as f64 / (lists.len() * 10) as f64
}

/// So many commands of four kinds.
fn many(commands: usize) -> Arc<CommandList> {
    let fill = Color::rgba(200, 100, 50, 128);
    list(300, 200, |r| {
        for i in 0..commands / 4 {
            let (x, y) = ((i * 7 % 280) as f32, (i * 11 % 190) as f32);
            r.rect(x, y, 9.0, 5.0).fill(fill);
            r.rect(x, y, 12.0, 8.0).radius(3.0).fill(fill).border(1.0, Color::BLACK);
            r.path(|p| {
                p.circle(Point::new(x, y), 5.0);
            })
            .fill(fill);
        }
    })
}

#[test]
fn steady_frames_reuse_their_memory() {
    let mut recorder = Recorder::new();
    let rng = &mut Rng::new(3);
    // Glyph sources answer in fresh masks here, which is theirs to answer for.
    let lists: Vec<_> = (0..40)
        .filter_map(|_| {
            Scene::random(rng, 300, 200).record(&mut recorder);
            let list = recorder.freeze();
            list.arenas().fonts.is_empty().then_some(list)
        })
        .collect();
    assert!(lists.len() > 5);
    for threads in [1, 2, 3, 4, 8] {
        let most = if threads == 1 { 0.0 } else { 2.0 * (threads + 1) as f64 };
        let raster = || Rasterizer::new(threads).shuffled(1);
        let check = |what: &str, each: f64| {
            println!("{threads} threads, {what}: {each:.2} allocations a frame");
            assert!(each <= most, "{threads} threads, {what}: {each} allocations a frame");
        };
        check("random lists", steady(&mut raster(), &lists, Rotation::Deg0));
        check("turned", steady(&mut raster(), &lists[..5], Rotation::Deg90));
        for commands in [40, 4000] {
            let list = [many(commands)];
            assert!(list[0].commands().len() >= commands);
            check(&format!("{commands} commands"), steady(&mut raster(), &list, Rotation::Deg0));
        }
    }
}
