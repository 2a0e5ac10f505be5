//! Films on planes: a hole's alpha, and a drawn film against a hole over the same film.

mod common;

use common::{bytes, frame, list};
use std::sync::Arc;
use zinc_raster::testing::{Rng, Scene};
use zinc_scene::{
    BlendMode, Color, CommandList, Image, Latched, LayerPlan, PictureId, Point, Radii, Recorder,
    Rect,
};

const FILM: PictureId = PictureId(0);

fn hole() -> LayerPlan {
    let mut p = LayerPlan::new();
    p.set(FILM, Latched::Hole);
    p
}

fn drawn(color: u32) -> LayerPlan {
    let mut p = LayerPlan::new();
    let image = Image::new(2, 2, Box::new([color; 4])).expect("counted");
    p.set(FILM, Latched::Drawn(Arc::new(image)));
    p
}

/// Surface alpha must be 1 - coverage x opacity; coverage is read off the same shape in black.
fn alpha_is_what_is_left(radii: Radii, opacity: f32, clip: Option<(Rect, f32)>) {
    let at = Rect::new(10.3, 8.6, 60.5, 44.2);
    let within = |r: &mut Recorder, f: &dyn Fn(&mut Recorder)| match clip {
        Some((c, radius)) => r.with_clip(c, radius, f),
        None => f(r),
    };
    let film = list(80, 64, |r| {
        r.clear(Color::WHITE);
        within(r, &|r| r.picture(FILM, at, radii, opacity));
    });
    let shape = list(80, 64, |r| {
        within(r, &|r| {
            r.rect(at.x, at.y, at.w, at.h).radius(radii).fill(Color::BLACK.alpha(opacity));
        });
    });
    let (film, shape) = (frame(&film, &hole()), frame(&shape, &LayerPlan::new()));
    let mut partly = 0;
    for (f, s) in film.iter().zip(&shape) {
        let (left, covered) = ((f >> 24) as i32, (s >> 24) as i32);
        assert!((left - (255 - covered)).abs() <= 1, "{left} left of {covered}");
        partly += (covered > 0 && covered < 255) as usize;
    }
    assert!(partly > 20);
}

#[test]
fn holes_leave_one_minus_coverage_times_opacity() {
    let clip = Rect::new(20.5, 4.0, 40.0, 40.5);
    for radii in [Radii::ZERO, Radii::all(12.0), Radii([3.0, 30.0, 0.0, 9.5])] {
        for opacity in [1.0, 0.6] {
            alpha_is_what_is_left(radii, opacity, None);
            alpha_is_what_is_left(radii, opacity, Some((clip, 0.0)));
            alpha_is_what_is_left(radii, opacity, Some((clip, 11.0)));
        }
    }
}

/// The hole's frame over an even film against the film drawn.
fn greatest_difference(list: &CommandList, film: u32) -> i32 {
    let over = frame(list, &hole());
    let want = frame(list, &drawn(film));
    let mut greatest = 0;
    for (o, w) in over.iter().zip(&want) {
        let (o, w, f) = (bytes(*o), bytes(*w), bytes(film));
        // Where the drawn frame is not opaque, nothing lies under the surface either way.
        for i in 0..3 {
            let plane = (f[i] * (255 - o[3]) + 127) / 255;
            greatest = greatest.max((o[i] + plane - w[i]).abs());
        }
    }
    greatest
}

#[test]
fn a_hole_over_the_film_equals_the_film_drawn() {
    let at = Rect::new(10.5, 8.0, 60.0, 44.0);
    let caption = |r: &mut Recorder| {
        r.rect(20.0, 30.0, 40.0, 12.0).radius(5.0).fill(Color::BLACK.alpha(0.5));
        r.circle(Point::new(60.0, 20.0), 8.3).fill(Color::hex(0xEF4444));
    };
    for opacity in [1.0, 0.7] {
        for radius in [0.0, 14.0] {
            let plain = list(80, 64, |r| {
                r.clear(Color::hex(0x335577));
                r.picture(FILM, at, Radii::all(radius), opacity);
                caption(r);
            });
            let clipped = list(80, 64, |r| {
                r.clear(Color::hex(0x335577));
                r.with_clip(Rect::new(15.0, 2.0, 50.0, 50.0), 16.0, |r| {
                    r.picture(FILM, at, Radii::all(radius), opacity);
                    caption(r);
                });
            });
            for film in [0xFFFF_FFFF, 0xFF20_80C0, 0xFF00_0000] {
                assert!(greatest_difference(&plain, film) <= 1, "plain");
                assert!(greatest_difference(&clipped, film) <= 1, "clipped");
            }
        }
    }
}

#[test]
fn holes_in_layers_erase_what_is_below() {
    let at = Rect::new(10.5, 8.0, 60.0, 44.0);
    for opacity in [1.0, 0.5] {
        let l = list(80, 64, |r| {
            r.clear(Color::hex(0x335577));
            r.push_layer(opacity, BlendMode::SourceOver);
            r.rect(5.0, 5.0, 30.0, 50.0).fill(Color::hex(0x10B981));
            r.push_clip(Rect::new(8.0, 2.0, 60.0, 60.0), 20.0);
            r.picture(FILM, at, Radii::all(9.0), 0.9);
            r.pop_clip();
            r.push_layer(0.8, BlendMode::SourceOver);
            r.rect(20.0, 30.0, 40.0, 12.0).radius(5.0).fill(Color::BLACK.alpha(0.5));
            r.pop_layer();
            r.pop_layer();
            r.rect(0.0, 50.0, 80.0, 8.0).fill(Color::WHITE.alpha(0.4));
        });
        for film in [0xFFFF_FFFF, 0xFF20_80C0] {
            let d = greatest_difference(&l, film);
            // A layer rounds once more on its way down.
            assert!(d <= 2, "opacity {opacity}: {d}");
        }
        let a = frame(&l, &hole())[20 * 80 + 50] >> 24;
        let want = 255.0 * (1.0 - 0.9 * opacity);
        assert!((a as f32 - want).abs() <= 1.5, "alpha {a}, want {want}");
    }
}

#[test]
fn an_absent_film_draws_nothing() {
    let at = Rect::new(1.0, 1.0, 6.0, 6.0);
    let l = list(8, 8, |r| {
        r.clear(Color::WHITE);
        r.picture(FILM, at, Radii::ZERO, 1.0);
    });
    assert_eq!(frame(&l, &LayerPlan::new()), [0xFFFF_FFFF; 64]);
}

/// No channel of a surface ever passes its alpha, whatever is drawn.
#[test]
fn surfaces_stay_premultiplied() {
    let mut recorder = Recorder::new();
    let rng = &mut Rng::new(99);
    for n in 0..400 {
        let scene = Scene::random(rng, 96, 80);
        scene.record(&mut recorder);
        let list = recorder.freeze();
        for w in frame(&list, &scene.plan()) {
            let [b, g, r, a] = bytes(w);
            assert!(b <= a && g <= a && r <= a, "list {n}: {w:08x}");
        }
    }
}
