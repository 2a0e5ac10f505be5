//! One law: the bytes are a function of the list. Threads, band heights,
//! instruction sets and damage change who
//! draws a pixel, never what it becomes.

mod common;

use common::{draw, frame, frame_by};
use zinc_raster::Rasterizer;
use zinc_raster::testing::{Rng, Scene, levels};
use zinc_scene::{Differ, Op, PixelFormat, Recorder};

/// Edits of random lists; each is drawn partly and whole.
const EDITS: usize = 10_000;
/// How often each kind of command must have been drawn.
const LEAST: usize = 50;

fn kind(op: &Op) -> usize {
    match op {
        Op::Clear { .. } => 0,
        Op::Rect { .. } => 1,
        Op::Border { .. } => 2,
        Op::Shadow { inset: false, .. } => 3,
        Op::Shadow { .. } => 4,
        Op::Path { .. } => 5,
        Op::Stroke { .. } => 6,
        Op::GlyphRun { .. } => 7,
        Op::Image { .. } => 8,
        Op::Picture { .. } => 9,
        Op::PushClip { .. } => 10,
        Op::PopClip => 11,
        Op::PushLayer { .. } => 12,
        Op::PopLayer => 13,
    }
}

#[test]
fn field_case_44_partial_frames_equal_full_ones() {
    let (mut recorder, mut differ) = (Recorder::new(), Differ::default());
    let (mut one, mut two) = (Rasterizer::new(1), Rasterizer::new(2));
    let mut oracle = Rasterizer::with_band(1, 96);
    let mut counts = [0usize; 14];
    let mut partial = 0;
    let rng = &mut Rng::new(1);
    for run in 0..EDITS / 25 {
        let mut scene = Scene::random(rng, 96, 80);
        let mut old: Option<(std::sync::Arc<zinc_scene::CommandList>, zinc_scene::LayerPlan)> =
            None;
        let mut kept = vec![0u32; 96 * 80];
        for step in 0..25 {
            scene.edit(rng);
            scene.record(&mut recorder);
            let list = recorder.freeze();
            let plan = scene.plan();
            let damage = differ.diff(old.as_ref().map(|(l, p)| (&**l, p)), (&list, &plan));
            let by = if step % 2 == 0 { &mut one } else { &mut two };
            let stats = draw(by, &list, &plan, &damage, &mut kept, PixelFormat::Argb8888);
            assert_eq!(stats.pixels as i64, damage.area());
            partial += (damage.area() < 96 * 80) as usize;
            let full = frame_by(&mut oracle, &list, &plan);
            if let Some(i) = (0..full.len()).find(|i| full[*i] != kept[*i]) {
                panic!(
                    "run {run} step {step}: pixel {},{} is {:08x}, not {:08x}",
                    i % 96,
                    i / 96,
                    kept[i],
                    full[i]
                );
            }
            for c in list.commands().iter().filter(|c| !c.bounds.is_empty()) {
                counts[kind(&c.op)] += 1;
            }
            old = Some((list, plan));
        }
    }
    assert!(counts.iter().all(|n| *n >= LEAST), "{counts:?}");
    assert!(partial > EDITS / 4, "{partial} partial frames");
}

#[test]
fn threads_bands_and_instruction_sets_change_nothing() {
    let mut recorder = Recorder::new();
    // Some leave a list of this size to few threads; shuffled ones call all of them.
    let mut others: Vec<Rasterizer> = (1..=16).map(Rasterizer::new).collect();
    others.extend((2..=16).map(|n| Rasterizer::new(n).shuffled(n as u64)));
    for band in [8, 16, 32, 64] {
        others.push(Rasterizer::with_band(1, band));
        others.push(Rasterizer::with_band(3, band).shuffled(band as u64));
    }
    for level in 0..levels().len() {
        others.push(Rasterizer::new(1).at_level(level));
        others.push(
            Rasterizer::with_band(2, 8 << (level % 3)).at_level(level).shuffled(level as u64),
        );
    }
    let rng = &mut Rng::new(7);
    for n in 0..30 {
        // Wider than a tile, and not a whole number of bands.
        let scene = Scene::random(rng, 531, 131);
        scene.record(&mut recorder);
        let (list, plan) = (recorder.freeze(), scene.plan());
        let want = frame(&list, &plan);
        for (i, o) in others.iter_mut().enumerate() {
            assert!(frame_by(o, &list, &plan) == want, "list {n}, rasterizer {i}");
        }
    }
    for (i, o) in others[16..31].iter().enumerate() {
        let stats = o.pool_stats();
        assert_eq!(stats.woken, stats.passes * (i as u64 + 1), "{} threads", i + 2);
    }
}
