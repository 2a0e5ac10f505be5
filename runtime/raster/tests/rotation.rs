//! Turned targets: the same picture, whatever the turn, the damage, the format and the threads.

mod common;

use common::{Frame, frame, list, reference};
use zinc_raster::Rasterizer;
use zinc_raster::testing::{Rng, Scene};
use zinc_scene::{Color, IRect, LayerPlan, PixelFormat, Recorder, Region, Rotation};

/// 8: all four turns put the same rectangle.
#[test]
fn field_case_8_all_turns_put_the_same_rectangle() {
    let (format, raster) = (PixelFormat::Xrgb8888, &mut Rasterizer::new(2));
    for (x, y) in [(0, 0), (480, 270), (1, 3)] {
        let l = list(960, 540, |r| {
            r.clear(Color::hex(0x10_2030));
            r.rect(x as f32, y as f32, 100.0, 40.0).fill(Color::hex(0xFF_8000));
        });
        let all = Region::of(l.surface());
        for turn in Rotation::ALL {
            let mut f = Frame::new(&l, format, turn, 12, 0);
            f.render(raster, &l, &all);
            f.padding_is_whole();
            let size = (960, 540);
            let at = turn.turn(IRect::new(x, y, x + 100, y + 40), size);
            // The rectangle is where a person who turns the panel sees it, corner by corner.
            let corner = match turn {
                Rotation::Deg0 => (x, y),
                Rotation::Deg90 => (540 - y - 40, x),
                Rotation::Deg180 => (960 - x - 100, 540 - y - 40),
                Rotation::Deg270 => (y, 960 - x - 100),
            };
            assert_eq!((at.x0, at.y0), corner);
            let (w, h) = turn.size(size);
            for ty in 0..h {
                for tx in 0..w {
                    let inside = at.contains(tx as i32, ty as i32);
                    let want =
                        if inside { [0, 0x80, 0xFF, 0xFF] } else { [0x30, 0x20, 0x10, 0xFF] };
                    assert_eq!(f.pixel(tx, ty), want, "{turn:?}, {x},{y}: {tx},{ty}");
                }
            }
        }
    }
}

fn damages(rng: &mut Rng, size: (i32, i32)) -> [Region; 3] {
    let mut part = |most: i32| {
        let (w, h) = (1 + rng.below(most as usize) as i32, 1 + rng.below(most as usize) as i32);
        let (x, y) = (rng.below(size.0 as usize) as i32, rng.below(size.1 as usize) as i32);
        IRect::new(x, y, (x + w).min(size.0), (y + h).min(size.1))
    };
    let mut many = Region::of(part(9));
    (0..3).for_each(|_| many.add(part(60)));
    [Region::of(IRect::new(0, 0, size.0, size.1)), Region::of(part(200)), many]
}

/// Random lists in all turns, formats, dividings and damages, next to the upright surface turned
/// pixel by pixel; undamaged bytes stay.
#[test]
fn turned_frames_are_the_surface_turned() {
    let mut recorder = Recorder::new();
    let mut rasters = [
        Rasterizer::new(1),
        Rasterizer::new(3),
        Rasterizer::with_band(1, 8).with_strip(40),
        Rasterizer::with_band(2, 32).with_strip(7),
        Rasterizer::new(2).with_strip(1000).shuffled(5),
    ];
    let formats = [
        PixelFormat::Argb8888,
        PixelFormat::Rgb565,
        PixelFormat::Bgr888,
        PixelFormat::Xbgr8888,
        PixelFormat::Bgr565,
    ];
    let rng = &mut Rng::new(8);
    // Wider than a tile and a strip, and no whole bands.
    for (round, (w, h)) in
        [(417, 83), (150, 131), (1, 40), (40, 1), (64, 64)].into_iter().enumerate()
    {
        let scene = Scene::random(rng, w, h);
        scene.record(&mut recorder);
        let (l, plan) = (recorder.freeze(), scene.plan());
        let words = frame(&l, &plan);
        for turn in Rotation::ALL {
            for (i, raster) in rasters.iter_mut().enumerate() {
                let format = formats[(i + round) % formats.len()];
                let want = reference(&words, w, format, turn);
                for damage in damages(rng, (w as i32, h as i32)) {
                    let mut f = Frame::new(&l, format, turn, i, i % 4);
                    let stats = f.render_with(raster, &l, &plan, &damage);
                    assert_eq!(stats.pixels as i64, damage.area());
                    let here = format!("{w}x{h}, {turn:?}, {format:?}, rasterizer {i}, {damage:?}");
                    f.padding_is_whole();
                    f.equals_inside(&want, &damage, &here);
                }
            }
        }
    }
}

/// A target of another size than the surface shows the surface's top left part.
#[test]
fn turned_targets_of_other_sizes_are_cut() {
    let l = list(60, 30, |r| {
        r.clear(Color::WHITE);
        r.rect(0.0, 0.0, 10.0, 10.0).fill(Color::BLACK);
    });
    for turn in Rotation::ALL {
        for size in [(20, 25), (100, 90)] {
            let (width, height) = turn.size(size);
            let mut bytes = vec![0x77; (width * height * 4) as usize];
            let (pitch, format) = (width as usize * 4, PixelFormat::Xrgb8888);
            let mut target = zinc_scene::TargetMut {
                bytes: &mut bytes,
                width,
                height,
                pitch,
                format,
                rotation: turn,
            };
            let all = Region::of(l.surface());
            let plan = LayerPlan::new();
            let stats = Rasterizer::new(2).render(&l, &plan, &all, &mut target);
            let (w, h) = (size.0.min(60), size.1.min(30));
            assert_eq!(stats.pixels, (w * h) as u64);
            let at = |r: IRect| turn.turn(r, size);
            let (shown, black) = (at(IRect::of_size(w, h)), at(IRect::of_size(10, 10)));
            for (i, px) in bytes.as_chunks::<4>().0.iter().enumerate() {
                let (x, y) = (i as i32 % width as i32, i as i32 / width as i32);
                let want = match (shown.contains(x, y), black.contains(x, y)) {
                    (false, _) => [0x77; 4],
                    (_, true) => [0, 0, 0, 0xFF],
                    _ => [0xFF; 4],
                };
                assert_eq!(*px, want, "{turn:?}, {size:?}: {x},{y}");
            }
        }
    }
}
