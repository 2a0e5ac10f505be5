//! Lists at their limits: full, too deep, and parts of lists copied where they do not fit.

use zinc_scene::{
    BlendMode, Color, Invalid, LayerPlan, Matrix, Op, Radii, Recorder, Rect, capture, limits,
};

const RED: Color = Color::rgb(255, 0, 0);

/// A full list still ends what is open, and can be stored.
#[test]
fn a_full_list_ends_what_is_open() {
    let mut r = Recorder::new();
    r.begin(100, 100).expect("a legal size");
    r.push_clip(Rect::new(0.0, 0.0, 50.0, 50.0), Radii::ZERO);
    r.push_layer(0.5, BlendMode::SourceOver);
    for _ in 0..limits::COMMANDS + 10 {
        r.rect(0.0, 0.0, 9.0, 9.0).fill(RED);
    }
    // Begun when the list is full: left out, as is its end.
    r.push_clip(Rect::new(0.0, 0.0, 5.0, 5.0), Radii::ZERO);
    r.pop_clip();
    r.pop_layer();
    let list = r.freeze();
    assert!(r.warnings().iter().any(|w| w.why == Invalid::Full), "{:?}", r.warnings());
    let n = list.commands().len();
    assert!(n <= limits::COMMANDS && n > limits::COMMANDS - 2 * limits::NESTING, "{n}");
    assert!(matches!(list.commands()[n - 1].op, Op::PopClip));
    assert!(matches!(list.commands()[n - 2].op, Op::PopLayer));
    assert!(capture::load(&capture::save(&list, &LayerPlan::new())).is_ok());
}

/// Clips beyond the limit are left out with their ends: what follows is clipped as it should be.
#[test]
fn ends_of_clips_beyond_the_limit_end_nothing_else() {
    let mut r = Recorder::new();
    r.begin(100, 100).expect("a legal size");
    let deep = limits::NESTING + 5;
    for _ in 0..deep {
        r.push_clip(Rect::new(0.0, 0.0, 50.0, 50.0), Radii::ZERO);
    }
    r.push_layer(0.5, BlendMode::SourceOver);
    r.rect(0.0, 0.0, 90.0, 90.0).fill(RED);
    r.pop_layer();
    for _ in 0..deep - 1 {
        r.pop_clip();
    }
    r.rect(0.0, 0.0, 90.0, 90.0).fill(RED);
    r.pop_clip();
    r.rect(0.0, 0.0, 90.0, 90.0).fill(RED);
    let list = r.freeze();
    assert!(r.warnings().iter().all(|w| w.why == Invalid::Nesting), "{:?}", r.warnings());
    let widths: Vec<i32> = list
        .commands()
        .iter()
        .filter(|c| matches!(c.op, Op::Rect { .. }))
        .map(|c| c.bounds.x1 - c.bounds.x0)
        .collect();
    assert_eq!(widths, [50, 50, 90]);
}

/// A part that ends what it did not begin is refused; so is one whose surroundings are others.
#[test]
fn parts_that_do_not_fit_are_not_copied() {
    let mut r = Recorder::new();
    r.begin(100, 100).expect("a legal size");
    let at = r.surroundings();
    r.push_clip(Rect::new(0.0, 0.0, 50.0, 50.0), Radii::ZERO);
    let inside = r.surroundings();
    r.rect(0.0, 0.0, 90.0, 90.0).fill(RED);
    r.pop_clip();
    let list = r.freeze();

    let mut again = Recorder::new();
    again.begin(100, 100).expect("a legal size");
    assert!(!again.repeat(&list, 1..2, inside), "no clip is in force here");
    assert!(!again.repeat(&list, 1..3, at), "it ends a clip of somebody else");
    assert!(!again.repeat(&list, 0..9, at), "the list is shorter");
    again.append(&list, 0..2, Matrix::IDENTITY);
    assert_eq!(again.command_count(), 0);
    assert_eq!(again.refused(), 3);
    assert!(again.repeat(&list, 0..3, at));
    let copy = again.freeze();
    assert_eq!(copy.hash(), list.hash());
    for (a, b) in copy.commands().iter().zip(list.commands()) {
        assert_eq!((a.hash, a.bounds), (b.hash, b.bounds));
    }
}
