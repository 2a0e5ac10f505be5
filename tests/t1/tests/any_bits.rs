//! Any bit pattern, in a command or in a capture file, is drawn or refused by name; nothing
//! panics, nothing hangs, and threads agree on the pixels of what passes. Seeds are fixed: a
//! failure names its own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;
use zinc_raster::Rasterizer;
use zinc_raster::testing::{Rng, Scene, image};
use zinc_scene::{
    CommandList, Latched, LayerPlan, PictureId, PixelFormat, Recorder, Region, Rotation, TargetMut,
    capture,
};
use zinc_t1::{here, wild};

const SIZE: (u32, u32) = (61, 47);

/// Pixels of a list, drawn whole.
fn draw(raster: &mut Rasterizer, list: &CommandList, plan: &LayerPlan) -> Vec<u8> {
    let (width, height) = (list.width().min(512), list.height().min(512));
    let pitch = width as usize * 4;
    let mut bytes = vec![0; pitch * height as usize];
    if (width, height) == (list.width(), list.height()) {
        let format = PixelFormat::Argb8888;
        let mut to =
            TargetMut { bytes: &mut bytes, width, height, pitch, format, rotation: Rotation::Deg0 };
        raster.render(list, plan, &Region::of(list.surface()), &mut to);
    }
    bytes
}

fn plan() -> LayerPlan {
    let mut plan = LayerPlan::new();
    plan.set(PictureId(0), Latched::Drawn(image(3)));
    plan.set(PictureId(1), Latched::Hole);
    plan
}

/// Draws by one thread and by three, and complains when they differ.
struct Both(Rasterizer, Rasterizer, LayerPlan);

impl Both {
    fn new() -> Self {
        Self(Rasterizer::new(1), Rasterizer::new(3), plan())
    }
    fn draw(&mut self, seed: u64, list: &CommandList) {
        let one = draw(&mut self.0, list, &self.2);
        assert!(one == draw(&mut self.1, list, &self.2), "seed {seed}: threads differ");
    }
}

#[test]
fn any_number_recorded_is_drawn_or_refused() {
    let start = Instant::now();
    let mut recorder = Recorder::new();
    let mut both = Both::new();
    let (mut commands, mut refused) = (0, 0);
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..40_000 {
        let mut r = Rng::new(seed);
        recorder.begin(SIZE.0, SIZE.1).expect("a legal size");
        for _ in 0..r.below(24) {
            wild::record(&mut r, &mut recorder);
        }
        let list = recorder.freeze();
        refused += recorder.refused();
        assert_eq!(recorder.refused() > 0, !recorder.warnings().is_empty(), "seed {seed}");
        for c in list.commands() {
            *kinds.entry(c.op.name()).or_default() += 1;
            assert!(list.surface().contains_rect(c.bounds) || c.bounds.is_empty(), "seed {seed}");
        }
        commands += list.commands().len();
        both.draw(seed, &list);
    }
    println!("{commands} commands drawn, {refused} refused, in {:.1?}: {kinds:?}", start.elapsed());
    assert_eq!(kinds.len(), KINDS, "a kind is never drawn: {kinds:?}");
    assert!(kinds.values().all(|n| *n >= 500) && refused > 5000, "{kinds:?}");
}

#[test]
fn any_parts_are_a_list_or_a_named_error() {
    let start = Instant::now();
    let mut both = Both::new();
    let (mut passed, mut errors) = (0, BTreeMap::<String, usize>::new());
    for seed in 0..400_000 {
        let mut r = Rng::new(seed);
        let a = wild::arenas(&mut r);
        let ops: Vec<_> = (0..r.below(5)).map(|_| wild::op(&mut r, &a)).collect();
        let (w, h) = if r.one_in(40) { (r.bits() as u32, 0) } else { SIZE };
        match CommandList::from_parts(w, h, ops, a) {
            Ok(list) => {
                passed += usize::from(!list.commands().is_empty());
                both.draw(seed, &list);
            }
            Err((_, why)) => *errors.entry(format!("{why}")).or_default() += 1,
        }
    }
    println!("{passed} lists drawn in {:.1?}; refused: {errors:#?}", start.elapsed());
    assert!(passed > 3000, "only {passed} passed");
    assert!(errors.len() >= 10, "few reasons are met: {errors:?}");
}

/// A capture whose checksum is right, whatever its content.
fn sealed(body: &[u8]) -> Vec<u8> {
    let mut out = capture::MAGIC.to_vec();
    out.extend_from_slice(&capture::VERSION.to_le_bytes());
    out.extend_from_slice(&xxhash_rust::xxh3::xxh3_64(body).to_le_bytes());
    out.extend_from_slice(body);
    out
}

#[test]
fn any_file_is_a_capture_or_a_named_error() {
    let start = Instant::now();
    let mut both = Both::new();
    let (mut opened, mut errors) = (0, 0);
    for seed in 0..30_000 {
        let mut r = Rng::new(seed);
        let mut recorder = Recorder::new();
        recorder.begin(SIZE.0, SIZE.1).expect("a legal size");
        let scene = Scene::random(&mut r, SIZE.0, SIZE.1);
        scene.record(&mut recorder);
        let file = capture::save(&recorder.freeze(), &scene.plan());
        assert!(capture::load(&file).is_ok(), "seed {seed}");
        let mut body = file[18..].to_vec();
        for _ in 0..1 + r.below(3) {
            let at = r.below(body.len());
            match r.below(4) {
                0 => body.truncate(at.max(1)),
                1 => body[at] = r.bits() as u8,
                2 => body[at] ^= 1 << r.below(8),
                _ => {
                    body.remove(at);
                    body.push(0);
                }
            }
        }
        match capture::load(&sealed(&body)) {
            Ok((list, _)) => {
                opened += 1;
                both.draw(seed, &list);
            }
            Err(e) => {
                assert!(!e.to_string().is_empty());
                errors += 1;
            }
        }
        // Noise, with and without a header that fits.
        let noise: Vec<u8> = (0..r.below(300)).map(|_| r.bits() as u8).collect();
        assert!(capture::load(&noise).is_err());
        let _ = capture::load(&sealed(&noise));
    }
    println!("{opened} mutated captures opened, {errors} refused, in {:.1?}", start.elapsed());
    assert!(opened > 100 && errors > 1000, "{opened} opened, {errors} refused");
}

/// Kinds of commands there are.
const KINDS: usize = 13;

fn kinds(list: &CommandList) -> usize {
    list.commands().iter().map(|c| c.op.name()).collect::<BTreeSet<_>>().len()
}

/// A random scene of 320x240.
fn sample(seed: u64) -> (Arc<CommandList>, LayerPlan) {
    let (mut r, mut recorder) = (Rng::new(seed), Recorder::new());
    recorder.begin(320, 240).expect("a legal size");
    let scene = Scene::random(&mut r, 320, 240);
    scene.record(&mut recorder);
    (recorder.freeze(), scene.plan())
}

/// The file that every later version must open as the same list. What it looks like is a golden
/// beside it, to be blessed when the rasterizer's rounding changes on purpose.
#[test]
fn the_first_capture_opens_forever() {
    let file = here().join("captures/v1.zcap");
    let golden = here().join("captures/v1.pixels");
    if zinc_t1::blessing() && !file.exists() {
        let sample = (0..).map(sample).find(|(list, _)| kinds(list) == KINDS);
        let (list, plan) = sample.expect("some scene holds every kind");
        std::fs::write(&file, capture::save(&list, &plan)).expect("written");
    }
    let bytes = std::fs::read(&file).expect("captures/v1.zcap");
    let (list, plan) = capture::load(&bytes).expect("it opens");
    assert_eq!(kinds(&list), KINDS, "it holds every kind of command");
    assert_eq!(capture::save(&list, &plan), bytes, "what is read is what is written");
    let pixels = draw(&mut Rasterizer::new(2), &list, &plan);
    let hash = pixels.iter().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
        (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let hash = format!("{hash:016x}\n");
    if zinc_t1::blessing() {
        std::fs::write(&golden, &hash).expect("written");
    }
    assert_eq!(std::fs::read_to_string(&golden).expect("captures/v1.pixels"), hash);
}
