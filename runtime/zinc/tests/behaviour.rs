//! What a person may expect of elements: presses, scrolling, lists, dialogs, text, focus, time.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use zinc::hal::{
    Button, InputEvent, Key, Modifiers, PointerEvent, PointerId, PointerKind, PointerPhase,
    WheelEvent,
};
use zinc::prelude::*;
use zinc::testing::Harness;

fn touch(id: u32, phase: PointerPhase, x: f32, y: f32) -> InputEvent {
    InputEvent::Pointer(PointerEvent {
        id: PointerId(id),
        kind: PointerKind::Touch,
        phase,
        position: Point::new(x, y),
        button: Button::Primary,
    })
}

fn key(name: &str, modifiers: Modifiers) -> InputEvent {
    InputEvent::KeyDown { key: Key::from_name(name).expect("a key's name"), modifiers }
}

/// A button in the middle that counts its clicks.
fn counter() -> (Harness<impl App>, Rc<Cell<u32>>) {
    let clicks = Rc::new(Cell::new(0));
    let n = clicks.clone();
    let app = Harness::new(move |ui: &mut Ui| {
        ui.center(|ui| {
            if ui.button("Press").clicked() {
                n.set(n.get() + 1);
            }
        });
    });
    (app, clicks)
}

#[test]
fn a_press_clicks_once_where_it_is_let_go() {
    use PointerPhase::{Cancel, Down, Up};
    let (mut app, clicks) = counter();
    app.click("Press");
    assert_eq!(clicks.get(), 1);
    // Let go beside it: nothing.
    app.frame(&[touch(1, Down, 400.0, 240.0)]);
    app.frame(&[touch(1, Up, 10.0, 10.0)]);
    assert_eq!(clicks.get(), 1);
    // A lost contact clicks nothing.
    app.frame(&[touch(1, Down, 400.0, 240.0)]);
    app.frame(&[touch(1, Cancel, 400.0, 240.0)]);
    assert_eq!(clicks.get(), 1);
    // Down and up in one frame still count.
    app.frame(&[touch(1, Down, 400.0, 240.0), touch(1, Up, 400.0, 240.0)]);
    assert_eq!(clicks.get(), 2);
}

#[test]
fn keys_reach_every_control() {
    let state = Rc::new(RefCell::new((false, 0.5f32, 0)));
    let s = state.clone();
    let mut app = Harness::new(move |ui: &mut Ui| {
        let mut s = s.borrow_mut();
        ui.col(S.pad(24.0).gap(8.0), |ui| {
            if ui.button("One").clicked() {
                s.2 += 1;
            }
            ui.toggle(&mut s.0);
            ui.slider(S.width(200.0), &mut s.1, 0.0..=1.0);
        });
    });
    app.key("Tab");
    app.key("Enter");
    assert_eq!(state.borrow().2, 1);
    app.key("Tab");
    app.key("Space");
    assert!(state.borrow().0);
    app.key("Tab");
    app.key("ArrowRight");
    assert!((state.borrow().1 - 0.55).abs() < 1e-4);
    // Around the end, and back by the other way.
    app.key("Tab");
    app.key("Enter");
    assert_eq!(state.borrow().2, 2);
}

#[test]
fn a_finger_that_moves_scrolls_and_presses_nothing() {
    let clicked = Rc::new(Cell::new(None));
    let c = clicked.clone();
    let mut app = Harness::new(move |ui: &mut Ui| {
        ui.scroll(S.fill_parent(), |ui| {
            for i in 0..40 {
                if ui.button(format_args!("Row {i}")).clicked() {
                    c.set(Some(i));
                }
            }
        });
    });
    app.drag((100.0, 400.0), (100.0, 100.0), 10);
    assert_eq!(clicked.get(), None);
    let y = app.ui().find("Row 20").unwrap().y;
    assert!(y < 20.5 * 48.0 - 300.0, "Row 20 is at {y}");
    // A tap on the moved rows hits what is seen there.
    let mut visible = |i: &u32| {
        let at = app.ui().find(&format!("Row {i}")).unwrap();
        (100.0..400.0).contains(&at.y).then_some((*i, at))
    };
    let (row, at) = (0..40).find_map(|i| visible(&i)).unwrap();
    app.click_at(at.x, at.y);
    assert_eq!(clicked.get(), Some(row));
}

#[test]
fn a_long_list_declares_what_is_in_view() {
    let items: Vec<u32> = (0..10_000).collect();
    let mut app = Harness::new(move |ui: &mut Ui| {
        ui.list(
            S.fill_parent(),
            &items,
            |i| *i,
            |ui, i| {
                ui.line(S.height(40.0), |ui| {
                    ui.text(format_args!("Item {i}"));
                });
            },
        );
    });
    assert!(app.shows("Item 0") && !app.shows("Item 500"));
    assert!(app.counts().elements < 120, "{} elements", app.counts().elements);
    let wheel = |dy| {
        InputEvent::Wheel(WheelEvent {
            position: Point::new(400.0, 200.0),
            delta: Point::new(0.0, dy),
        })
    };
    app.frame(&[wheel(20_000.0)]);
    app.settle();
    assert!(app.shows("Item 505"), "{:?}", app.words());
    app.frame(&[wheel(1e9)]);
    app.settle();
    assert!(app.shows("Item 9999"), "{:?}", app.words());
}

#[test]
fn rows_keep_their_state_when_they_change_places() {
    let items = Rc::new(RefCell::new(vec!["b".to_owned(), "c".to_owned()]));
    let i = items.clone();
    let mut app = Harness::new(move |ui: &mut Ui| {
        let items = i.borrow().clone();
        ui.list(
            S.fill_parent(),
            &items,
            |i| i.clone(),
            |ui, i| {
                let far = ui.tween(if i == "c" { 100.0 } else { 0.0 }, 0.2);
                ui.text(format_args!("{i} {far:.0}"));
            },
        );
    });
    items.borrow_mut().insert(0, "a".to_owned());
    app.frame(&[touch(1, PointerPhase::Move, 0.0, 0.0)]);
    // "c" is the third row now and is not on its way again.
    assert!(app.shows("c 100"), "{:?}", app.words());
}

#[test]
fn two_rows_with_one_key_do_not_panic() {
    let mut app = Harness::new(|ui: &mut Ui| {
        ui.list(
            S.fill_parent(),
            &[1, 1, 2],
            |i| *i,
            |ui, i| {
                ui.text(format_args!("row {i}"));
            },
        );
    });
    app.key("Tab");
    assert!(app.shows("row 1") && app.shows("row 2"));
}

#[test]
fn a_dialog_keeps_touches_and_focus_to_itself() {
    let open = Rc::new(Cell::new(true));
    let behind = Rc::new(Cell::new(0));
    let (o, b) = (open.clone(), behind.clone());
    let mut app = Harness::new(move |ui: &mut Ui| {
        ui.line(S.pad(24.0).align(Align::Start), |ui| {
            if ui.button("Behind").style(|s| s.align_self(Align::Start)).clicked() {
                b.set(b.get() + 1);
            }
        });
        if o.get() {
            let d = ui.dialog(S.pad(24.0), |ui| {
                if ui.button("Inside").clicked() {
                    b.set(b.get() + 100);
                }
            });
            if d.dismissed() {
                o.set(false);
            }
        }
    });
    app.key("Tab");
    app.key("Enter");
    app.key("Tab");
    app.key("Enter");
    assert_eq!(behind.get(), 200, "Tab left the dialog");
    // A touch beside the dialog, on the button behind it, only closes it.
    app.click("Behind");
    assert_eq!((behind.get(), open.get()), (200, false));
    open.set(true);
    app.key("a");
    app.key("Escape");
    assert!(!open.get());
}

#[test]
fn text_is_written_selected_copied_and_pasted() {
    let text = Rc::new(RefCell::new(String::new()));
    let sent = Rc::new(Cell::new(0));
    let (t, s) = (text.clone(), sent.clone());
    let mut app = Harness::new(move |ui: &mut Ui| {
        ui.col(S.pad(24.0), |ui| {
            if ui.field(&mut t.borrow_mut(), S.width(300.0)).placeholder("Name").submitted() {
                s.set(s.get() + 1);
            }
        });
    });
    app.click_at(100.0, 48.0);
    app.type_text("Zoë 😀");
    assert_eq!(*text.borrow(), "Zoë 😀");
    app.key("Backspace");
    app.key("Backspace");
    assert_eq!(*text.borrow(), "Zoë");
    let ctrl = Modifiers { ctrl: true, ..Modifiers::default() };
    app.frame(&[key("a", ctrl)]);
    let copied = app.frame(&[key("c", ctrl)]).clipboard.clone();
    assert_eq!(copied.as_deref(), Some("Zoë"));
    app.frame(&[InputEvent::Paste("two\nlines".to_owned())]);
    assert_eq!(*text.borrow(), "two lines");
    app.key("Enter");
    assert_eq!(sent.get(), 1);
    // The app may change it too.
    text.borrow_mut().clear();
    app.type_text("x");
    assert_eq!(*text.borrow(), "x");
}

#[test]
fn shortcuts_wait_while_text_is_written() {
    let hits = Rc::new(Cell::new(0));
    let h = hits.clone();
    let mut name = String::new();
    let mut app = Harness::new(move |ui: &mut Ui| {
        if ui.key('d') {
            h.set(h.get() + 1);
        }
        ui.col(S.pad(24.0), |ui| {
            ui.field(&mut name, S.width(300.0));
        });
    });
    app.key("d");
    assert_eq!(hits.get(), 1);
    app.click_at(100.0, 48.0);
    app.key("d");
    assert_eq!(hits.get(), 1);
}

#[test]
fn timers_belong_to_what_is_shown() {
    let ticks = Rc::new(Cell::new(0));
    let shown = Rc::new(Cell::new(true));
    let (t, s) = (ticks.clone(), shown.clone());
    let mut app = Harness::new(move |ui: &mut Ui| {
        if s.get() && ui.every(Duration::from_millis(100)) {
            t.set(t.get() + 1);
        }
    });
    app.wait(Duration::from_millis(1050));
    assert_eq!(ticks.get(), 10);
    shown.set(false);
    app.key("a");
    let views = app.counts().views;
    app.wait(Duration::from_secs(5));
    assert_eq!((ticks.get(), app.counts().views), (10, views));
    assert_eq!(app.output().unwrap().wake_at, None);
}

#[test]
fn idle_is_answered_once_per_stretch() {
    let hits = Rc::new(Cell::new(0));
    let h = hits.clone();
    let mut app = Harness::new(move |ui: &mut Ui| {
        if ui.idle_for(Duration::from_secs(2)) {
            h.set(h.get() + 1);
        }
    });
    app.wait(Duration::from_secs(10));
    assert_eq!(hits.get(), 1);
    app.key("a");
    app.wait(Duration::from_secs(10));
    assert_eq!(hits.get(), 2);
}

#[test]
fn a_theme_lays_nothing_out() {
    let dark = Rc::new(Cell::new(false));
    let d = dark.clone();
    let mut app = Harness::new(move |ui: &mut Ui| {
        ui.set_theme(Theme { dark: d.get(), ..Theme::default() });
        ui.center(|ui| {
            ui.text("Words").title();
            ui.button("Press").clicked();
        });
    });
    let before = app.counts();
    let light = app.pixels();
    dark.set(true);
    app.key("a");
    let after = app.counts();
    assert_ne!(light, app.pixels());
    assert_eq!((before.layouts, before.paragraphs), (after.layouts, after.paragraphs));
}

#[test]
fn what_leaves_fades_and_is_gone() {
    let here = Rc::new(Cell::new(true));
    let h = here.clone();
    let mut app = Harness::new(move |ui: &mut Ui| {
        ui.stack(S.fill_parent(), |ui| {
            if h.get() {
                ui.col(S.size(100.0, 100.0).fill(Accent).exit(Motion::Fade), |_| {});
            }
        });
    });
    let with = app.list().unwrap().commands().len();
    here.set(false);
    app.frame(&[touch(1, PointerPhase::Move, 0.0, 0.0)]);
    assert!(app.output().unwrap().animating, "it leaves at once");
    assert!(app.list().unwrap().commands().len() >= with);
    app.settle();
    assert!(app.list().unwrap().commands().len() < with);
}

#[test]
fn toasts_go_on_their_own() {
    let mut app = Harness::new(|ui: &mut Ui| {
        if ui.button("Say").clicked() {
            ui.toast("Said");
        }
    });
    app.click("Say");
    assert!(app.shows("Said"));
    app.wait(Duration::from_secs(5));
    assert!(!app.shows("Said"));
    assert_eq!(app.output().unwrap().wake_at, None);
}

// Field case 52: a slider without a range, and every other number that is none.
#[test]
fn odd_numbers_draw_nothing_and_harm_nothing() {
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.0, 1e-6, 0.49, 1e30];
    for v in odd {
        let mut value = v;
        let mut app = Harness::new(move |ui: &mut Ui| {
            ui.col(S.pad(v).gap(v).width(v).height(v).radius(v).scale(v).turn(v), |ui| {
                ui.slider(S.width(100.0), &mut value, 0.0..=v);
                ui.text("words").size(v);
                let far = ui.spring(v);
                ui.canvas(S.size(40.0, 40.0)).draw(v, |r, _| {
                    r.rect(v, v, v, v).radius(v).fill(Accent).border(v, Accent);
                    r.circle(v, v, v).stroke(v, Accent);
                    r.line(Point::new(v, far), Point::new(v, v), v, Accent);
                });
            });
            ui.text("still here");
        });
        app.key("Tab");
        app.key("ArrowRight");
        assert!(app.shows("still here"), "{v}");
        app.pixels();
    }
}

#[test]
fn a_steady_screen_asks_for_nothing() {
    let (app, _) = counter();
    let out = app.output().unwrap();
    assert!(!out.animating && out.wake_at.is_none());
}

#[test]
fn motion_is_over_when_the_person_wants_none() {
    let far = Rc::new(Cell::new(0.0f32));
    let f = far.clone();
    let mut app = Harness::new(move |ui: &mut Ui| {
        ui.set_theme(Theme { reduced_motion: true, ..Theme::default() });
        let x = ui.spring(f.get());
        ui.text(format_args!("{x}"));
    });
    far.set(100.0);
    app.frame(&[touch(1, PointerPhase::Move, 0.0, 0.0)]);
    assert!(app.shows("100"));
}
