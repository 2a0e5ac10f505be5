//! A steady frame allocates at most one block per thread and pass, and one more.

mod common;

use common::draw;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use zinc_raster::Rasterizer;
use zinc_raster::testing::{Rng, Scene};
use zinc_scene::{LayerPlan, PixelFormat, Recorder, Region};

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

#[test]
fn steady_frames_reuse_their_memory() {
    for threads in [1, 3] {
        let mut raster = Rasterizer::new(threads);
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
        let mut words = vec![0; 300 * 200];
        let plan = LayerPlan::new();
        let mut frame = |list: &zinc_scene::CommandList| {
            let all = Region::of(list.surface());
            draw(&mut raster, list, &plan, &all, &mut words, PixelFormat::Xrgb8888);
        };
        // Which thread plans what differs from frame to frame: all of them must have grown.
        for _ in 0..30 {
            lists.iter().for_each(|l| frame(l));
        }
        let before = COUNT.load(Ordering::Relaxed);
        let frames = lists.len() * 10;
        for _ in 0..10 {
            lists.iter().for_each(|l| frame(l));
        }
        let each = (COUNT.load(Ordering::Relaxed) - before) as f64 / frames as f64;
        println!("{threads} threads: {each:.2} allocations a frame");
        let most = if threads == 1 { 0.0 } else { 2.0 * (threads + 1) as f64 };
        assert!(each <= most, "{threads} threads: {each} allocations a frame");
    }
}
