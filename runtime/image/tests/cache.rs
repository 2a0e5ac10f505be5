//! The cache: states, a log line and an open per broken file, budget, threads.

use image::{DynamicImage, ImageFormat};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use zinc_image::{CacheOptions, DecodeError, ImageCache, Mode, Slot};

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let p = std::env::temp_dir().join(format!("zinc-image-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&p);
        std::fs::create_dir_all(&p).expect("a temporary folder");
        Self(p)
    }
    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let p = self.0.join(name);
        std::fs::write(&p, bytes).expect("a temporary file");
        p
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn file(side: u32, grey: u8, format: ImageFormat) -> Vec<u8> {
    let p = image::RgbImage::from_pixel(side, side, image::Rgb([grey; 3]));
    let mut out = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(p).write_to(&mut out, format).expect("the encoder takes it");
    out.into_inner()
}

fn options(mode: Mode) -> CacheOptions {
    CacheOptions { mode, ..CacheOptions::default() }
}

fn wait(c: &mut ImageCache, path: &Path) -> Slot {
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        match c.get(path) {
            Slot::Loading if Instant::now() < end => std::thread::sleep(Duration::from_millis(1)),
            slot => return slot,
        }
    }
}

/// 100 bad files and a good one on screen for 600 frames (10 s at 60 Hz).
fn bad_beside_good(mode: Mode) {
    let dir = Folder::new(&format!("{mode:?}"));
    let formats = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Gif];
    let bad: Vec<PathBuf> = (0..100)
        .map(|i| {
            let whole = file(32, 9, formats[i % 4]);
            // Cut within the header, flipped signature, empty.
            let bytes = match i % 3 {
                0 => whole[..whole.len() / 16 + 2].to_vec(),
                1 => [&[whole[0] ^ 0xFF], &whole[1..]].concat(),
                _ => Vec::new(),
            };
            dir.write(&format!("bad{i}.png"), &bytes)
        })
        .collect();
    let good = dir.write("good.jpg", &file(20, 77, ImageFormat::Png));
    let mut c = ImageCache::new(options(mode), || {});
    let mut ready = 0;
    for frame in 0..600u64 {
        c.tick(Duration::from_micros(frame * 16_667));
        for b in &bad {
            assert!(c.get(b).ready().is_none());
        }
        if let Slot::Ready(i) = c.get(&good) {
            ready += 1;
            assert_eq!((i.width(), i.pixels()[0]), (20, 0xFF4D_4D4D));
        }
        if mode == Mode::Worker && c.in_flight() > 0 {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
    assert!(ready > 300, "{ready}");
    for b in &bad {
        assert!(matches!(c.get(b), Slot::Failed(_)), "{b:?}");
        assert_eq!(c.opens(b), 1, "{b:?}");
    }
    assert_eq!(c.opens(&good), 1);
}

#[test]
fn a_bad_file_is_opened_once_by_the_worker() {
    bad_beside_good(Mode::Worker);
}

#[test]
fn a_bad_file_is_opened_once_by_the_caller() {
    bad_beside_good(Mode::Now);
}

#[test]
fn a_file_that_changes_is_opened_again() {
    let dir = Folder::new("changes");
    let path = dir.write("a.png", b"broken");
    let mut c = ImageCache::new(options(Mode::Now), || {});
    c.tick(Duration::from_secs(1));
    let Slot::Failed(e) = c.get(&path) else { panic!() };
    assert!(matches!(*e, DecodeError::UnknownFormat));
    dir.write("a.png", &file(4, 1, ImageFormat::Png));
    c.tick(Duration::from_millis(1500));
    assert!(matches!(c.get(&path), Slot::Failed(_)), "not looked at within a second");
    c.tick(Duration::from_millis(2100));
    assert!(c.get(&path).ready().is_some());
    assert_eq!(c.opens(&path), 2);
    // A file that does not exist yet.
    let later = dir.0.join("later.png");
    assert!(matches!(c.get(&later), Slot::Failed(_)));
    dir.write("later.png", &file(4, 1, ImageFormat::Png));
    c.tick(Duration::from_secs(9));
    assert!(c.get(&later).ready().is_some());
    c.forget(&later);
    assert_eq!(c.opens(&later), 0);
    assert!(c.get(&later).ready().is_some());
    // A folder is no file.
    assert!(matches!(c.get(&dir.0), Slot::Failed(_)));
}

#[test]
fn memory_has_a_ceiling_and_the_longest_unused_goes_first() {
    let dir = Folder::new("ceiling");
    let paths: Vec<_> =
        (0..40).map(|i| dir.write(&format!("{i}.png"), &file(64, i, ImageFormat::Png))).collect();
    let one = 64 * 64 * 4 + 256;
    let mut c = ImageCache::new(CacheOptions { budget: 10 * one, ..options(Mode::Now) }, || {});
    for (i, p) in paths.iter().enumerate() {
        c.tick(Duration::from_millis(i as u64));
        // The first one is on every frame.
        assert!(c.get(&paths[0]).ready().is_some());
        assert!(c.get(p).ready().is_some());
        assert!(c.bytes() <= 10 * one);
    }
    assert_eq!(c.opens(&paths[0]), 1);
    assert_eq!(c.opens(&paths[39]), 1);
    c.get(&paths[5]);
    assert_eq!(c.opens(&paths[5]), 2, "it was dropped");
    // What one frame shows stays, even over the budget.
    c.tick(Duration::from_secs(1));
    for p in &paths[..15] {
        assert!(c.get(p).ready().is_some());
    }
    let opens: u32 = paths[..15].iter().map(|p| c.opens(p)).sum();
    for p in &paths[..15] {
        assert!(c.get(p).ready().is_some());
    }
    assert_eq!(opens, paths[..15].iter().map(|p| c.opens(p)).sum::<u32>());
    c.tick(Duration::from_secs(2));
    c.get(&paths[30]);
    assert!(c.bytes() <= 10 * one);
    // One that alone is over the whole.
    let huge = dir.write("huge.png", &file(300, 1, ImageFormat::Png));
    let Slot::Failed(e) = c.get(&huge) else { panic!() };
    assert!(matches!(*e, DecodeError::Budget { .. }));
}

#[test]
fn the_worker_wakes_and_get_now_overtakes_it() {
    let dir = Folder::new("wakes");
    let woken = Arc::new(AtomicU32::new(0));
    let w = woken.clone();
    let mut c = ImageCache::new(options(Mode::Worker), move || {
        w.fetch_add(1, Ordering::SeqCst);
    });
    let a = dir.write("a.webp", &file(50, 3, ImageFormat::WebP));
    assert!(matches!(c.get(&a), Slot::Loading));
    assert!(wait(&mut c, &a).ready().is_some());
    let end = Instant::now() + Duration::from_secs(5);
    while woken.load(Ordering::SeqCst) == 0 && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(woken.load(Ordering::SeqCst), 1);
    let b = dir.write("b.png", &file(50, 3, ImageFormat::Png));
    c.get(&b);
    let first = c.get_now(&b);
    let first = first.ready().expect("decoded here").clone();
    std::thread::sleep(Duration::from_millis(50));
    c.tick(Duration::from_secs(1));
    assert!(Arc::ptr_eq(&first, c.get(&b).ready().expect("still there")));
    assert_eq!(c.in_flight(), 0);
}

#[test]
fn more_files_than_the_queue_holds_all_arrive() {
    let dir = Folder::new("queue");
    let paths: Vec<_> =
        (0..150).map(|i| dir.write(&format!("{i}"), &file(8, i, ImageFormat::Gif))).collect();
    let mut c = ImageCache::new(options(Mode::Worker), || {});
    for p in &paths {
        c.get(p);
    }
    for p in &paths {
        assert!(wait(&mut c, p).ready().is_some());
        assert_eq!(c.opens(p), 1);
    }
}

#[test]
fn pictures_of_the_program_and_sizes() {
    let bytes = file(100, 200, ImageFormat::Png);
    let mut c =
        ImageCache::new(CacheOptions { max_side: Some(40), ..options(Mode::Worker) }, || {});
    let Slot::Ready(i) = c.get_built_in("logo", &bytes) else { panic!() };
    assert_eq!((i.width(), i.pixels()[0]), (40, 0xFFC8_C8C8));
    let again = c.get_built_in("logo", &[]);
    assert!(Arc::ptr_eq(&i, again.ready().expect("kept")));
    assert!(matches!(c.get_built_in("bad", b"x"), Slot::Failed(_)));
}
