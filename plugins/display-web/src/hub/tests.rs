//! What pages send, as the hub hands it on.

use super::input::{INBOX, INBOX_MOVES, KEYS};
use super::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use zinc_hal::{Button, InputEvent, PointerKind, PointerPhase};
use zinc_scene::Point;

const WINDOW: Window = Window { width: 8, height: 4, ratio: 1.0 };

fn hub(sizing: Sizing) -> (Hub, Arc<AtomicUsize>) {
    let woken = Arc::new(AtomicUsize::new(0));
    let count = woken.clone();
    let waker: Waker = Arc::new(move || {
        count.fetch_add(1, Ordering::Relaxed);
    });
    let surface = Surface { width: 8, height: 4, scale: 1.0 };
    (Hub::new(surface, sizing, Instant::now(), waker), woken)
}

fn followed() -> Hub {
    hub(Sizing::Follows { scale: 1.0 }).0
}

fn draw(h: &mut Hub, number: u64, damage: &[IRect]) {
    let (w, rows) = h.kept.size();
    h.present(&vec![number as u8; (w * rows * 4) as usize], w as usize * 4, damage, number);
}

fn events(h: &mut Hub) -> Vec<DisplayEvent> {
    let mut v = Vec::new();
    h.collect(&mut v);
    v
}

fn presented(h: &mut Hub) -> Vec<u64> {
    let of = |e| match e {
        DisplayEvent::Presented { number, .. } => Some(number),
        _ => None,
    };
    events(h).into_iter().filter_map(of).collect()
}

fn whole() -> IRect {
    IRect::of_size(8, 4)
}

#[test]
fn without_pages_nothing_is_watched_and_frames_are_out_at_once() {
    let (mut h, woken) = hub(Sizing::Fixed);
    assert!(!h.is_watched());
    draw(&mut h, 0, &[whole()]);
    assert_eq!(woken.load(Ordering::Relaxed), 1);
    assert_eq!(presented(&mut h), [0]);
}

#[test]
fn the_first_page_asks_for_a_frame_and_a_later_one_gets_the_kept_copy() {
    let mut h = followed();
    let (a, _) = h.join(true, WINDOW).unwrap();
    assert!(h.is_watched());
    assert_eq!(events(&mut h), [DisplayEvent::Redraw]);
    assert!(h.next_frame(a).is_none(), "nothing is drawn yet");
    draw(&mut h, 0, &[whole()]);
    assert_eq!(h.next_frame(a).unwrap().1.rects(), [whole()]);
    let (b, _) = h.join(true, WINDOW).unwrap();
    assert_eq!(events(&mut h), [], "the app is not disturbed");
    assert_eq!(h.next_frame(b).unwrap().1.rects(), [whole()]);
}

#[test]
fn a_lagging_page_gets_the_union() {
    let mut h = followed();
    let (a, _) = h.join(true, WINDOW).unwrap();
    let (b, _) = h.join(true, WINDOW).unwrap();
    let (left, right) = (IRect::new(0, 0, 2, 2), IRect::new(6, 0, 8, 2));
    draw(&mut h, 0, &[whole()]);
    let slow = h.next_frame(b).unwrap().0.sequence;
    for (n, damage) in [(1, left), (2, right), (3, left)] {
        let (head, lacks) = h.next_frame(a).unwrap();
        assert_eq!(lacks.rects().len(), 1);
        assert!(h.next_frame(a).is_none(), "one frame in flight");
        h.shown(a, head.sequence);
        draw(&mut h, n, &[damage]);
        assert!(h.next_frame(b).is_none());
    }
    h.shown(b, slow.wrapping_add(9));
    assert!(h.next_frame(b).is_none(), "a number that was never sent");
    h.shown(b, slow);
    let (_, lacks) = h.next_frame(b).unwrap();
    assert_eq!(lacks.rects(), [left, right]);
    assert!(h.next_frame(b).is_none());
}

#[test]
fn the_quickest_page_paces() {
    let mut h = followed();
    let (a, _) = h.join(true, WINDOW).unwrap();
    h.join(true, WINDOW).unwrap();
    draw(&mut h, 7, &[whole()]);
    assert_eq!(presented(&mut h), [0; 0]);
    let s = h.next_frame(a).unwrap().0.sequence;
    h.shown(a, s);
    h.shown(a, s);
    assert_eq!(presented(&mut h), [7]);
}

#[test]
fn a_page_that_hides_stalls_or_leaves_holds_nobody_up() {
    let ways: [fn(&mut Hub, usize, u32); 3] =
        [|h, i, _| h.set_visible(i, false), |h, i, s| h.stall(i, s), |h, i, _| h.leave(i)];
    for way in ways {
        let mut h = followed();
        let (a, _) = h.join(true, WINDOW).unwrap();
        draw(&mut h, 3, &[whole()]);
        let s = h.next_frame(a).unwrap().0.sequence;
        h.stall(a, s.wrapping_add(1));
        assert!(h.is_watched(), "another frame's stall");
        way(&mut h, a, s);
        assert_eq!(presented(&mut h), [3]);
        assert!(!h.is_watched());
        h.shown(a, s);
        h.set_visible(a, true);
        assert_eq!(h.is_watched(), h.pages[a].is_some());
    }
}

#[test]
fn what_was_missed_while_hidden_follows() {
    let mut h = followed();
    let (a, _) = h.join(true, WINDOW).unwrap();
    draw(&mut h, 0, &[whole()]);
    let s = h.next_frame(a).unwrap().0.sequence;
    h.shown(a, s);
    h.set_visible(a, false);
    let spot = IRect::new(1, 1, 2, 2);
    draw(&mut h, 1, &[spot]);
    assert!(h.next_frame(a).is_none());
    h.set_visible(a, true);
    assert_eq!(h.next_frame(a).unwrap().1.rects(), [spot]);
}

#[test]
fn the_window_heard_of_last_rules_the_size() {
    let mut h = followed();
    let (a, _) = h.join(true, WINDOW).unwrap();
    let (b, _) = h.join(true, Window { width: 20, height: 10, ratio: 2.0 }).unwrap();
    let resized = |h: &mut Hub| events(h).into_iter().find(|e| *e != DisplayEvent::Redraw);
    let size = |width, height, scale| Some(DisplayEvent::Resized { width, height, scale });
    assert_eq!(resized(&mut h), size(20, 10, 2.0));
    draw(&mut h, 0, &[IRect::EMPTY]);
    assert!(!h.next_frame(a).unwrap().0.follows);
    let (head, lacks) = h.next_frame(b).unwrap();
    assert_eq!((head.width, head.height, head.follows), (20, 10, true));
    assert_eq!(lacks.rects(), [IRect::of_size(20, 10)], "another size is sent whole");
    h.leave(b);
    assert_eq!(presented(&mut h), [0; 0]);
    assert_eq!(h.surface, Surface { width: 8, height: 4, scale: 1.0 });
    h.set_window(a, Window { width: 0, height: u32::MAX, ratio: -1.0 });
    assert_eq!(resized(&mut h), size(1, SIDE, 1.0));
    h.set_window(a, Window { width: u32::MAX, height: u32::MAX, ratio: 99.0 });
    assert_eq!(resized(&mut h), size(SIDE, AREA / SIDE, 8.0));
}

#[test]
fn a_fixed_size_follows_nobody() {
    let (mut h, _) = hub(Sizing::Fixed);
    h.join(true, Window { width: 20, height: 10, ratio: 2.0 }).unwrap();
    assert_eq!(events(&mut h), [DisplayEvent::Redraw]);
}

fn inputs(h: &mut Hub) -> Vec<InputEvent> {
    let of = |e| match e {
        DisplayEvent::Input(t) => Some(t.event),
        _ => None,
    };
    events(h).into_iter().filter_map(of).collect()
}

#[test]
fn pointers_of_pages_are_distinct_and_end_with_them() {
    let mut h = followed();
    let (a, _) = h.join(true, WINDOW).unwrap();
    let (b, _) = h.join(true, WINDOW).unwrap();
    let at = Point::new(1.0, 2.0);
    for i in [a, b] {
        h.point(i, (0, PointerKind::Mouse), PointerPhase::Move, Button::Primary, at);
        h.point(i, (1, PointerKind::Touch), PointerPhase::Down, Button::Primary, at);
    }
    h.act(b, InputEvent::KeyDown { key: Key::Char('x'), modifiers: Default::default() });
    let id = |e: &InputEvent| match e {
        InputEvent::Pointer(p) => Some((p.id.0, p.phase)),
        _ => None,
    };
    let ids: Vec<_> = inputs(&mut h).iter().filter_map(id).map(|(id, _)| id).collect();
    assert_eq!(ids, [0, 1, 64, 65]);
    h.leave(b);
    let ends = inputs(&mut h);
    let phases: Vec<_> = ends.iter().filter_map(id).collect();
    assert_eq!(phases, [(64, PointerPhase::Leave), (65, PointerPhase::Cancel)]);
    assert_eq!(ends.last(), Some(&InputEvent::KeyUp { key: Key::Char('x') }));
}

#[test]
fn input_and_pages_are_bounded() {
    let mut h = followed();
    let (a, _) = h.join(true, WINDOW).unwrap();
    let at = Point::default();
    for _ in 0..2 * INBOX {
        h.point(a, (0, PointerKind::Mouse), PointerPhase::Move, Button::Primary, at);
    }
    assert!(h.inbox.len() <= INBOX_MOVES);
    for n in 0..2 * INBOX {
        let key = Key::Char(char::from_u32(n as u32 % 500 + 33).unwrap());
        h.act(a, InputEvent::KeyDown { key, modifiers: Default::default() });
    }
    assert!(h.inbox.len() <= INBOX);
    assert!(h.pages[a].as_ref().unwrap().keys.len() <= KEYS);
    for _ in 1..PAGES {
        assert!(h.join(true, WINDOW).is_some());
    }
    assert!(h.join(true, WINDOW).is_none());
}

#[test]
fn the_clipboard_is_of_the_person_who_acted() {
    let mut h = followed();
    let (a, _) = h.join(true, WINDOW).unwrap();
    let (b, _) = h.join(true, WINDOW).unwrap();
    h.act(b, InputEvent::Text("x".into()));
    h.set_clipboard("copied");
    assert_eq!(h.next_clipboard(a), None);
    assert_eq!(h.next_clipboard(b).as_deref(), Some("copied"));
    assert_eq!(h.next_clipboard(b), None);
}
