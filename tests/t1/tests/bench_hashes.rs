//! The 600 frames of hero's tour have one set of hashes: for every number of render threads,
//! with damage and without, pipelined and not, drawn again from its captures, and at every
//! instruction set, plain code among them. So have the frames of the bench's scenes.
//!
//! `zinc test` runs this with programs of another processor too: what they hash and capture there
//! is compared with the same golden files and drawn again here.
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use zinc_raster::Rasterizer;
use zinc_raster::testing::{FNV, fnv, levels};
use zinc_scene::{
    CommandList, Differ, LayerPlan, PixelFormat, Region, Rotation, TargetMut, capture,
};
use zinc_t1::{blessing, folder, hashes, here, programs, run};

const FRAMES: usize = 600;
/// The golden file holds each so manieth frame's hash.
const EVERY: usize = 60;

fn tour(threads: u32, damage: u32, pipeline: u32) -> std::process::Command {
    let mut c = run::on_sim(programs::hero(), FRAMES as u32);
    c.env("ZINC_DEMO", "bench").env("ZINC_SIZE", "800x480").env("ZINC_FRAMEHASH", "all");
    c.env("ZINC_RENDER_THREADS", threads.to_string());
    c.env("ZINC_DAMAGE", damage.to_string()).env("ZINC_PIPELINE", pipeline.to_string());
    c
}

fn frames_of(c: &mut std::process::Command) -> (Vec<u64>, std::time::Duration) {
    let e = run::end(c).expect(0);
    let all = hashes::of(&e.out);
    assert_eq!(all.len(), FRAMES, "{}", e.err);
    (all, e.took)
}

/// The tour must show something: screens that differ, and movement within them.
fn is_alive(all: &[u64]) {
    let different: std::collections::HashSet<_> = all.iter().collect();
    assert!(different.len() > FRAMES / 3, "only {} different frames", different.len());
}

#[test]
fn threads_damage_and_pipeline_do_not_reach_a_pixel() {
    let (first, took) = frames_of(&mut tour(1, 1, 0));
    println!("1 thread, damage: {took:.1?}");
    is_alive(&first);
    for threads in [1, 2, 3, 4, 8] {
        for (damage, pipeline) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            // One thread has nobody to draw meanwhile: it is never pipelined.
            if threads == 1 && (pipeline, damage) != (0, 0) {
                continue;
            }
            let (all, took) = frames_of(&mut tour(threads, damage, pipeline));
            println!("{threads} threads, damage {damage}, pipeline {pipeline}: {took:.1?}");
            let d = hashes::first_difference(&first, &all);
            assert_eq!(d, None, "{threads} threads, damage {damage}, pipeline {pipeline}");
        }
    }
}

#[test]
fn pixels_are_those_of_the_golden_hashes() {
    let (all, _) = frames_of(&mut tour(2, 1, 1));
    let lines: Vec<String> =
        (0..FRAMES).step_by(EVERY).map(|i| format!("{i} {:016x}", all[i])).collect();
    against("bench_hashes.txt", &(lines.join("\n") + "\n"));
}

/// Compares with a golden file, or blesses it.
fn against(file: &str, text: &str) {
    let file = here().join("goldens").join(file);
    if blessing() {
        std::fs::write(&file, text).unwrap();
        return;
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(golden, text, "bless with ZINC_T1_BLESS=1 if the pixels changed on purpose");
}

#[test]
fn scenes_of_the_bench_are_the_same_at_every_level_with_every_number_of_threads() {
    let mut c = run::command(programs::bench());
    c.args(["--hashes", "--frames", "3"]);
    let e = run::end(&mut c).expect(0);
    println!("drawn in {:.1?}", e.took);
    let (mut seen, mut first) = (BTreeSet::new(), Vec::<(String, String)>::new());
    for l in e.out.lines() {
        let words: Vec<&str> = l.split(' ').collect();
        let [scene, frame, level, threads, hash] = words[..] else { panic!("{l:?}") };
        seen.insert((level.to_owned(), threads.to_owned()));
        let name = format!("{scene} {frame}");
        match first.iter().find(|(n, _)| *n == name) {
            Some((_, h)) => assert_eq!(h, hash, "{name}: {threads} threads at {level}"),
            None => first.push((name, hash.to_owned())),
        }
    }
    let levels: BTreeSet<_> = seen.iter().map(|(l, _)| l.as_str()).collect();
    println!("levels: {levels:?}");
    assert!(levels.contains("scalar") && levels.len() > 1, "{levels:?}");
    assert_eq!(seen.len(), levels.len() * 8, "not every level with 1 to 8 threads: {seen:?}");
    assert_eq!(e.out.lines().count(), first.len() * seen.len());
    let lines: Vec<String> = first.iter().map(|(name, hash)| format!("{name} {hash}")).collect();
    against("scene_hashes.txt", &(lines.join("\n") + "\n"));
}

fn replay(captures: &[std::path::PathBuf], options: &[&str]) -> Vec<u64> {
    let mut c = run::command(programs::zinc());
    c.arg("replay").args(options).args(captures);
    hashes::of(&run::end(&mut c).expect(0).out)
}

fn captures(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut all: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder of captures")
        .map(|e| e.expect("a capture").path())
        .collect();
    all.sort();
    all
}

#[test]
fn replayed_captures_give_the_same_hashes() {
    let dir = folder();
    let mut c = tour(2, 1, 1);
    c.env("ZINC_CAPTURE", dir.path()).env("ZINC_CAPTURE_FRAMES", "all");
    let (all, took) = frames_of(&mut c);
    println!("captured in {took:.1?}");
    let files = captures(dir.path());
    assert_eq!(files.len(), FRAMES);
    let again = replay(&files, &[]);
    assert_eq!(hashes::first_difference(&all, &again), None, "by damage");
    let tenth: Vec<u64> = all.iter().copied().step_by(10).collect();
    let some: Vec<_> = files.iter().step_by(10).cloned().collect();
    for options in [&["--threads", "4"][..], &["--whole"], &["--threads", "4", "--whole"]] {
        let again = replay(&some, options);
        assert_eq!(hashes::first_difference(&tenth, &again), None, "{options:?}");
    }
}

/// Field case 54, end to end: the switch reaches every frame, and a replay that is told the same.
#[test]
fn frames_without_antialiasing_are_replayed_so() {
    let dir = folder();
    let mut c = run::on_sim(programs::hero(), 3);
    c.env("ZINC_DEMO", "home").env("ZINC_SIZE", "320x240").env("ZINC_FRAMEHASH", "all");
    c.env("ZINC_ANTIALIAS", "0");
    c.env("ZINC_CAPTURE", dir.path()).env("ZINC_CAPTURE_FRAMES", "all");
    let hard = hashes::of(&run::end(&mut c).expect(0).out);
    let files = captures(dir.path());
    assert_eq!((hard.len(), files.len()), (3, 3));
    assert_eq!(hashes::first_difference(&hard, &replay(&files, &["--hard"])), None);
    assert!(hashes::first_difference(&hard, &replay(&files, &[])).is_some(), "edges are soft");
}

/// The tour drawn from its captures by every instruction set of this machine with 1 to 8 threads,
/// each into a surface of its own, by what changes from frame to frame.
#[test]
fn the_tour_is_the_same_at_every_level_with_every_number_of_threads() {
    let dir = folder();
    let mut c = tour(2, 1, 1);
    c.env("ZINC_CAPTURE", dir.path()).env("ZINC_CAPTURE_FRAMES", "all");
    let (hashes, _) = frames_of(&mut c);
    let names = levels();
    println!("levels: {names:?}");
    assert!(names[0] == "scalar" && names.len() > 1, "{names:?}");
    let each = (0..names.len()).flat_map(|l| (1..=8).map(move |threads| (l, threads)));
    let mut all: Vec<_> = each
        .map(|(l, n)| (format!("{} {n}t", names[l]), Rasterizer::new(n).at_level(l), Vec::new()))
        .collect();
    let mut differ = Differ::default();
    let mut before: Option<(Arc<CommandList>, LayerPlan)> = None;
    for (i, file) in captures(dir.path()).iter().enumerate() {
        let (list, plan) = capture::load(&std::fs::read(file).unwrap()).unwrap();
        let (width, height) = (list.width(), list.height());
        let damage = match &before {
            Some((l, p)) => differ.diff(Some((l, p)), (&list, &plan)),
            None => Region::of(list.surface()),
        };
        let pitch = width as usize * 4;
        let mut want: Option<Vec<u8>> = None;
        for (name, raster, bytes) in &mut all {
            bytes.resize(pitch * height as usize, 0);
            let (format, rotation) = (PixelFormat::Argb8888, Rotation::Deg0);
            raster.render(
                &list,
                &plan,
                &damage,
                &mut TargetMut { bytes, width, height, pitch, format, rotation },
            );
            match &want {
                Some(want) => assert!(want == bytes, "frame {i}: {name}"),
                None => {
                    assert_eq!(fnv(bytes, FNV), hashes[i], "frame {i}: {name}");
                    want = Some(bytes.clone());
                }
            }
        }
        before = Some((list, plan));
    }
}
