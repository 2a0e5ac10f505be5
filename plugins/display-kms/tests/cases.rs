//! The display on a scripted card: field cases 11, 13, 17, 18, 19, 21, 22, 24, 26, 27, 29 and 30.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

mod rig;

use rig::{
    SMALL, device, events, mode, open, options, panel, patient, present, presented, said, show,
};
use std::time::{Duration, Instant};
use zinc_display_kms::Kmsd;
use zinc_hal::{Display, DisplayEvent};
use zinc_kms_core::mock::{Call, Kind, Mock, MockCards};
use zinc_kms_core::{Commit, ModeWish};

const EACCES: i32 = 13;
const EBUSY: i32 = 16;
const ENOMEM: i32 = 12;

/// Calls that change something, by name.
fn changes(log: &[Call]) -> Vec<String> {
    let name = |c: &Call| match c {
        Call::Read(_) => None,
        Call::Commit(_, how) if how.test => None,
        other => format!("{other:?}").split(['(', ' ']).next().map(str::to_owned),
    };
    log.iter().filter_map(name).collect()
}

/// 11: the program stayed master over a VT switch, and the other session died.
#[test]
fn case_11_a_session_switch_lets_go_and_comes_back_whole() {
    let card = panel();
    let mut k = open(&card, |_| {}).unwrap();
    show(&mut k, &card, 0..5);
    present(&mut k, 5).unwrap();
    // A flip is under way when the session goes, and a frame is being drawn.
    let slot = k.acquire().unwrap().unwrap();
    let before = card.state().log.len();
    k.suspend();
    assert!(!k.visible());
    assert_eq!(presented(&events(&mut k)), [5]);
    k.present(slot, zinc_hal::Frame { damage: &[], number: 6 }).unwrap();
    assert_eq!(presented(&events(&mut k)), [6], "nobody waits for what nobody sees");
    assert!(k.acquire().unwrap().is_none());
    card.blank();
    assert_eq!(presented(&events(&mut k)), []);
    k.look();
    assert_eq!(changes(&card.state().log[before..]), ["DropMaster"]);

    // Somebody else is still there.
    card.state_mut().refuse = Box::new(|c| (*c == Call::SetMaster).then_some(EBUSY));
    let e = k.resume().unwrap_err().to_string();
    assert!(e.contains("cannot become the master of /dev/dri/card0"), "{e}");
    assert!(!k.visible());
    card.state_mut().refuse = Box::new(|_| None);

    let before = card.state().log.len();
    k.resume().unwrap();
    assert!(k.visible());
    assert_eq!(events(&mut k), [DisplayEvent::Redraw]);
    assert_eq!(present(&mut k, 7), Some(0), "nothing is known of what a buffer holds");
    let log = card.state().log[before..].to_vec();
    assert_eq!(changes(&log), ["SetMaster", "Commit"]);
    let modeset = Commit { event: true, modeset: true, ..Commit::default() };
    assert!(matches!(log.last(), Some(Call::Commit(_, how)) if *how == modeset));
    card.blank();
    assert_eq!(presented(&events(&mut k)), [7]);
}

/// 11, the rest: what the other session left on the CRTC is neither shown nor kept.
#[test]
fn what_another_session_left_is_not_shown() {
    let card = panel();
    let over = card.add_plane(Kind::Overlay, 1);
    let crtc = card.state().crtcs[0].0;
    let found = card.picture();
    let mut k = open(&card, |_| {}).unwrap();
    show(&mut k, &card, 0..3);
    k.suspend();
    card.state_mut().blobs.insert(999, vec![0; 8]);
    card.set_value(over, "CRTC_ID", crtc.into());
    card.set_value(crtc, "GAMMA_LUT", 999);
    k.resume().unwrap();
    events(&mut k);
    show(&mut k, &card, 3..6);
    assert_eq!((card.value(over, "CRTC_ID"), card.value(crtc, "GAMMA_LUT")), (Some(0), Some(0)));
    drop(k);
    assert_eq!(card.picture(), found);
}

/// A link that gives less than it did wants its mode set anew, and all drawn.
#[test]
fn a_bad_link_is_set_up_anew() {
    let card = panel();
    let connector = card.state().connectors[0].id;
    let mut k = open(&card, |_| {}).unwrap();
    show(&mut k, &card, 0..3);
    k.look();
    assert_eq!(events(&mut k), []);
    // A flip is under way when it is found out.
    present(&mut k, 3).unwrap();
    card.set_value(connector, "link-status", 1);
    k.look();
    assert_eq!(events(&mut k), [DisplayEvent::Redraw]);
    card.blank();
    assert_eq!(presented(&events(&mut k)), [3]);
    assert_eq!(present(&mut k, 4), Some(0));
    assert_eq!(card.value(connector, "link-status"), Some(0));
    assert!(card.commits().last().unwrap().1.modeset);
    card.blank();
    assert_eq!(presented(&events(&mut k)), [4]);
    show(&mut k, &card, 5..8);
}

/// A slot that is out while the session goes and comes.
#[test]
fn a_slot_of_before_a_switch_is_taken_back() {
    let card = panel();
    let mut k = open(&card, |_| {}).unwrap();
    let slot = k.acquire().unwrap().unwrap();
    k.suspend();
    k.resume().unwrap();
    events(&mut k);
    k.present(slot, zinc_hal::Frame { damage: &[], number: 3 }).unwrap();
    assert_eq!(presented(&events(&mut k)), [3]);
    show(&mut k, &card, 4..12);
}

/// 13: the console kept the wrong mode after the end, on another screen as well.
#[test]
fn case_13_every_crtc_goes_back_to_mode_and_buffer_found() {
    for legacy in [false, true] {
        let modes = [mode((1024, 768), true), mode((800, 600), false)];
        let card = Mock::new("two");
        let (a, b) = (card.add_crtc(), card.add_crtc());
        let (pa, pb) = (card.add_plane(Kind::Primary, 1), card.add_plane(Kind::Primary, 2));
        let over = card.add_plane(Kind::Overlay, 3);
        let ca = card.add_connector("HDMI-A-1", true, &modes, 1);
        let cb = card.add_connector("HDMI-A-2", true, &modes, 2);
        card.light(a, ca, pa, modes[0]);
        card.light(b, cb, pb, modes[0]);
        // What a desktop may have left: turned, translucent, gamma, a plane over it.
        {
            let mut s = card.state_mut();
            let set = |s: &mut zinc_kms_core::mock::State, id, name: &str, v| {
                let all = s.properties.get_mut(&id).unwrap();
                all.iter_mut().find(|p| p.name == name).unwrap().value = v;
            };
            set(&mut s, pa, "rotation", 4);
            set(&mut s, pa, "alpha", 0x8000);
            s.blobs.insert(999, vec![0; 64]);
            set(&mut s, a, "GAMMA_LUT", 999);
            set(&mut s, over, "CRTC_ID", a.into());
            set(&mut s, over, "CRTC_X", 7);
            s.planes.iter_mut().find(|p| p.id == over).unwrap().crtc = a;
        }
        let found = card.picture();
        let mut k = open(&card, |o| {
            o.legacy = legacy;
            o.wish.outputs = vec!["HDMI-A-1".to_owned()];
            o.wish.mode = Some(ModeWish { width: 800, height: 600, rate: Some(60) });
        })
        .unwrap();
        assert_eq!(card.picture(), found, "nothing changes before the first frame");
        assert_eq!((k.info().width, k.info().height), (800, 600));
        present(&mut k, 0).unwrap();
        assert_eq!(card.state().crtcs[0].1.mode.unwrap().size(), (800, 600));
        assert_eq!((card.value(pa, "rotation"), card.value(pa, "alpha")), (Some(1), Some(0xFFFF)));
        if !legacy {
            assert_eq!(card.value(a, "GAMMA_LUT"), Some(0));
            assert_eq!(card.value(over, "CRTC_ID"), Some(0), "nothing is over it");
        }
        if legacy {
            // The first frame is a modeset, which has no event: the clock tells.
            std::thread::sleep(Duration::from_millis(20));
        }
        card.blank();
        assert_eq!(presented(&events(&mut k)), [0]);
        show(&mut k, &card, 1..20);
        k.finish().unwrap();
        drop(k);
        let left = card.picture();
        let differ: Vec<_> = found.iter().zip(&left).filter(|(a, b)| a != b).collect();
        assert!(differ.is_empty(), "legacy {legacy}: {differ:?}");
        // Nothing of ours is left.
        assert!(card.state().dumbs.is_empty());
        assert_eq!(card.state().fbs.len(), 2);
    }
}

/// 13, the rest: the screen is gone at the end, or another session was there in between.
#[test]
fn case_13_what_was_found_is_put_back_also_in_the_dark() {
    for way in ["unplugged", "plugged again", "away and back", "away and back, and a frame"] {
        let card = Mock::new("lit");
        let modes = [mode(SMALL, true)];
        let crtc = card.add_crtc();
        let plane = card.add_plane(Kind::Primary, 1);
        let connector = card.add_connector("DSI-1", true, &modes, 1);
        card.light(crtc, connector, plane, modes[0]);
        let found = card.picture();
        let mut k = open(&card, |_| {}).unwrap();
        show(&mut k, &card, 0..3);
        if way.starts_with("away") {
            k.suspend();
            // What the other one had.
            card.set_value(plane, "rotation", 4);
            k.resume().unwrap();
            events(&mut k);
            if way.ends_with("frame") {
                show(&mut k, &card, 3..4);
            }
        } else {
            card.plug("DSI-1", false);
            k.look();
            assert_eq!(card.value(crtc, "ACTIVE"), Some(0));
            if way.ends_with("again") {
                card.plug("DSI-1", true);
                k.look();
            }
        }
        drop(k);
        assert_eq!(card.picture(), found, "{way}");
    }
}

/// 17: no screen, and the program quit; a screen that was off for days, and it crashed.
#[test]
fn case_17_without_a_screen_it_lives_on_and_shows_when_one_comes() {
    let card = Mock::simple("plug", "HDMI-A-1", false, &[mode(SMALL, true)]);
    let mut k = open(&card, |_| {}).unwrap();
    assert!(!k.visible());
    assert_eq!((k.info().width, k.info().height), (800, 480));
    assert!(k.info().description.contains("no screen is connected"), "{:?}", k);
    assert!(k.acquire().unwrap().is_none());
    assert!(k.due().is_some_and(|t| t <= Duration::from_secs(3)), "it asks again by itself");
    card.plug("HDMI-A-1", true);
    k.look();
    let resized = DisplayEvent::Resized { width: 320, height: 200, scale: 1.0 };
    assert_eq!(events(&mut k), [resized, DisplayEvent::Redraw]);
    assert!(k.visible());
    show(&mut k, &card, 0..3);

    let kept = || {
        let s = card.state();
        (s.dumbs.len(), s.fbs.len(), s.blobs.len())
    };
    let (before, mut n) = (kept(), 3);
    let mut seed = 1u32;
    for turn in 0..200 {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // Out: while nothing is drawn, while a slot is out, while a flip is under way.
        let slot = if seed >> 16 & 1 == 1 { k.acquire().unwrap() } else { None };
        let flying = seed >> 17 & 1 == 1 && present(&mut k, n).is_some();
        card.plug("HDMI-A-1", false);
        k.look();
        assert!(!k.visible(), "turn {turn}");
        let told = presented(&events(&mut k));
        assert_eq!(told, if flying { vec![n] } else { vec![] }, "nobody waits for ever");
        n += u64::from(flying);
        card.plug("HDMI-A-1", true);
        let ((), text) = said(|| k.look());
        assert_eq!(events(&mut k), [DisplayEvent::Redraw], "turn {turn}: {text}");
        if let Some(s) = slot {
            k.present(s, zinc_hal::Frame { damage: &[], number: 77 }).unwrap();
            assert_eq!(presented(&events(&mut k)), [77]);
        }
        for _ in 0..seed >> 18 & 3 {
            present(&mut k, n).unwrap();
            while card.is_pending() {
                card.blank();
            }
            assert_eq!(presented(&events(&mut k)), [n], "turn {turn}");
            n += 1;
        }
    }
    assert_eq!(kept(), before, "memory, framebuffers and blobs are given back");
}

/// 17, the rest: a card that is unplugged, and another one in its stead.
#[test]
fn a_card_that_vanishes_is_waited_for() {
    let card = panel();
    let cards = MockCards::of(&[&card]);
    let mut k = Kmsd::open(options(&cards)).unwrap();
    show(&mut k, &card, 0..3);
    cards.clear();
    card.state_mut().refuse = Box::new(|_| Some(19));
    assert_eq!(presented(&events(&mut k)), []);
    assert!(!k.visible());
    let other = Mock::simple("other", "HDMI-A-1", true, &[mode((640, 480), true)]);
    cards.put("/dev/dri/card7", &other);
    k.look();
    let resized = DisplayEvent::Resized { width: 640, height: 480, scale: 1.0 };
    assert_eq!(events(&mut k), [resized, DisplayEvent::Redraw]);
    show(&mut k, &other, 3..9);
}

/// 18: the program fell from the screen to another display without a word.
#[test]
fn case_18_what_is_refused_is_named_with_step_and_answer() {
    type Step = fn(&Call) -> bool;
    let steps: [(Step, &str); 4] = [
        (|c| matches!(c, Call::CreateDumb(..)), "cannot make a dumb buffer on /dev/dri/card0"),
        (|c| matches!(c, Call::AddFb(..)), "cannot make a framebuffer on /dev/dri/card0"),
        (|c| matches!(c, Call::MapDumb(..)), "cannot map a dumb buffer of /dev/dri/card0"),
        (|c| matches!(c, Call::Commit(..)), "cannot show a picture on /dev/dri/card0"),
    ];
    for (step, words) in steps {
        let card = panel();
        card.state_mut().refuse = Box::new(move |c| step(c).then_some(ENOMEM));
        let e = open(&card, |_| {}).unwrap_err().to_string();
        assert!(e.contains(words) && e.contains("os error 12"), "{e}");
        // What was made before the refusal is given back.
        assert!(card.state().dumbs.is_empty() && card.state().fbs.is_empty(), "{words}");
        assert!(card.commits().is_empty(), "{words}");
    }
}

/// 19: cards without outputs, and numbers that change from boot to boot.
#[test]
fn case_19_the_card_with_a_screen_whatever_its_number() {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    for order in orders {
        let v3d = Mock::new("v3d");
        v3d.state_mut().without_outputs = true;
        let hdmi = Mock::simple("vc4", "HDMI-A-1", false, &[mode((1920, 1080), true)]);
        let dsi = panel();
        let all = [&v3d, &hdmi, &dsi];
        let cards = MockCards::of(&order.map(|i| all[i]));
        let mut k = Kmsd::open(options(&cards)).unwrap();
        assert!(k.info().description.contains("DSI-1"), "{order:?}: {:?}", k);
        show(&mut k, &dsi, 0..2);
        assert!(v3d.commits().is_empty() && hdmi.commits().is_empty());

        // By the driver's name, and by the node.
        let mut o = options(&cards);
        o.device = device("vc4");
        assert!(Kmsd::open(o).unwrap().info().description.contains("(vc4): no screen"));
        let place = order.iter().position(|i| *i == 2).unwrap();
        let mut o = options(&cards);
        o.device = device(&format!("/dev/dri/card{place}"));
        assert!(Kmsd::open(o).unwrap().info().description.contains("DSI-1"));
        // Nobody has this one.
        let mut o = options(&cards);
        o.device = device("i915");
        let e = Kmsd::open(o).unwrap_err().to_string();
        assert!(e.contains("no card of the driver i915 has outputs"), "{e}");
    }
}

/// 21: EBUSY from a flip while one is pending.
#[test]
fn case_21_one_flip_in_flight_and_busy_waits_for_its_event() {
    for (legacy, delay) in [0, 1, 5, 100].into_iter().flat_map(|d| [(false, d), (true, d)]) {
        let card = panel();
        card.state_mut().delay = delay;
        let mut k = open(&card, |o| o.legacy = legacy).unwrap();
        present(&mut k, 0).unwrap();
        if legacy {
            // The first frame is a modeset, which has no event: the clock tells.
            std::thread::sleep(Duration::from_millis(20));
        }
        for n in 1..6 {
            // As long as it is under way the app may draw ahead, and nothing is flipped.
            let mut told = presented(&events(&mut k));
            let mut blanks = 0;
            while told.is_empty() {
                let before = card.state().log.len();
                assert!(card.is_pending());
                events(&mut k);
                assert_eq!(changes(&card.state().log[before..]), Vec::<String>::new());
                card.blank();
                blanks += 1;
                told = presented(&events(&mut k));
            }
            assert_eq!(told, [n - 1]);
            assert!(n == 1 && legacy || blanks == delay + 1, "{blanks} blanks, delay {delay}");
            present(&mut k, n).unwrap();
        }
        let flips = card.state().log.iter().filter(|c| matches!(c, Call::PageFlip(..))).count();
        assert_eq!(flips, if legacy { 5 } else { 0 });
    }
    // Frames that come ahead of the event: none is flipped before it, and the newest goes then.
    let card = panel();
    let mut k = open(&card, |_| {}).unwrap();
    show(&mut k, &card, 0..2);
    present(&mut k, 2).unwrap();
    let before = card.state().log.len();
    present(&mut k, 3).unwrap();
    assert_eq!(changes(&card.state().log[before..]), Vec::<String>::new());
    card.blank();
    assert_eq!(presented(&events(&mut k)), [2]);
    assert!(card.is_pending(), "it is flipped as soon as it can be");
    card.blank();
    assert_eq!(presented(&events(&mut k)), [3]);

    // Somebody else's flip is under way.
    let card = panel();
    let mut k = open(&card, |_| {}).unwrap();
    show(&mut k, &card, 0..2);
    let mut left = 3;
    card.state_mut().refuse = Box::new(move |c| {
        let busy = left > 0 && matches!(c, Call::Commit(..));
        left -= i32::from(busy);
        busy.then_some(EBUSY)
    });
    present(&mut k, 2).unwrap();
    let end = Instant::now() + Duration::from_secs(2);
    while !card.is_pending() {
        assert!(Instant::now() < end, "it is never tried again");
        assert!(k.due().is_some(), "somebody must wake it");
        assert_eq!(presented(&events(&mut k)), [], "it is not shown yet");
        std::thread::sleep(Duration::from_millis(1));
    }
    card.blank();
    assert_eq!(presented(&events(&mut k)), [2]);
}

/// Frames a second when each takes so many microseconds to draw, at 60 Hz: the loop in short, on a
/// clock of its own.
fn rate(buffers: usize, draw: u64) -> f64 {
    const PERIOD: u64 = 16_667;
    const SECONDS: u64 = 10;
    let card = panel();
    let mut k = open(&card, |o| o.buffers = buffers).unwrap();
    let (mut drawing, mut ready, mut in_flight) = (None, None, false);
    let (mut shown, mut number, mut now, mut blank) = (0u64, 0, 0, PERIOD);
    while now < SECONDS * 1_000_000 {
        if drawing.is_none() && ready.is_none() {
            drawing = k.acquire().unwrap().map(|s| (s, now + draw));
        }
        if !in_flight && let Some(slot) = ready.take() {
            k.present(slot, zinc_hal::Frame { damage: &[], number }).unwrap();
            (number, in_flight) = (number + 1, true);
            continue;
        }
        let done = drawing.as_ref().map_or(u64::MAX, |d| d.1);
        now = done.min(blank);
        if now == done {
            ready = drawing.take().map(|d| d.0);
        }
        if now == blank {
            blank += PERIOD;
            card.blank();
            let told = presented(&events(&mut k)).len() as u64;
            (shown, in_flight) = (shown + told, in_flight && told == 0);
        }
    }
    shown as f64 / SECONDS as f64
}

/// 22: with two buffers a frame of 17 ms dropped the app to half the rate.
#[test]
fn case_22_a_slightly_late_frame_costs_one_blank_and_not_half_the_rate() {
    for (draw, want) in [(10_000, 60.0), (17_000, 58.0), (20_000, 50.0), (30_000, 33.0)] {
        let got = rate(3, draw);
        assert!((got - want).abs() < 1.0, "{draw} us: {got} frames a second, {want} expected");
    }
    let two = rate(2, 17_000);
    assert!(two < 31.0, "the test sees what two buffers cost: {two}");
}

/// 24: a plane of another CRTC was chosen.
#[test]
fn case_24_a_plane_must_be_possible_on_the_crtc() {
    let card = Mock::new("two");
    let (a, b) = (card.add_crtc(), card.add_crtc());
    let wrong = card.add_plane(Kind::Primary, 2);
    let cursor = card.add_plane(Kind::Cursor, 3);
    let right = card.add_plane(Kind::Primary, 1);
    let connector = card.add_connector("DSI-1", true, &[mode(SMALL, true)], 1);
    let mut k = open(&card, |_| {}).unwrap();
    show(&mut k, &card, 0..3);
    assert_eq!(card.value(right, "CRTC_ID"), Some(a.into()));
    assert_eq!(card.value(connector, "CRTC_ID"), Some(a.into()));
    for other in [wrong, cursor] {
        assert_eq!(card.value(other, "CRTC_ID"), Some(0));
    }
    assert_eq!(card.value(b, "ACTIVE"), Some(0));
    drop(k);

    // None is possible: that is said.
    let card = Mock::new("none");
    card.add_crtc();
    card.add_crtc();
    card.add_plane(Kind::Primary, 2);
    card.add_connector("DSI-1", true, &[mode(SMALL, true)], 1);
    let e = open(&card, |_| {}).unwrap_err().to_string();
    assert!(e.contains("no primary plane can feed DSI-1"), "{e}");
}

/// 26: a needless modeset blanked the screen for seconds.
#[test]
fn case_26_a_mode_that_is_right_is_kept() {
    let card = Mock::new("lit");
    let modes = [mode((640, 400), false), mode(SMALL, true)];
    let crtc = card.add_crtc();
    let plane = card.add_plane(Kind::Primary, 1);
    let connector = card.add_connector("DSI-1", true, &modes, 1);
    card.light(crtc, connector, plane, modes[1]);
    let found = card.picture();
    let mut k = open(&card, |_| {}).unwrap();
    assert!(k.info().description.contains("already set"), "{k:?}");
    show(&mut k, &card, 0..30);
    k.finish().unwrap();
    drop(k);
    assert_eq!(card.picture(), found);
    let all = card.commits();
    assert_eq!(all.len(), 31);
    assert_eq!(all.iter().filter(|(_, how)| how.modeset).count(), 0);

    // Another mode needs one, and one to go back.
    let mut k = open(&card, |o| {
        o.wish.mode = Some(ModeWish { width: 640, height: 400, rate: None });
    })
    .unwrap();
    show(&mut k, &card, 0..30);
    drop(k);
    assert_eq!(card.picture(), found);
    assert_eq!(card.commits().iter().filter(|(_, how)| how.modeset).count(), 2);
}

/// 27: the node came seconds after the program, or did not work yet.
#[test]
fn case_27_a_late_card_is_waited_for() {
    for after in [0, 2, 12] {
        let cards = MockCards::default();
        let (to, card) = (cards.clone(), panel());
        let (comes, late) = (Duration::from_secs(after), card.clone());
        if after == 0 {
            cards.put("/dev/dri/card0", &card);
            cards.close("/dev/dri/card0", EACCES);
        }
        let mut there = after == 0;
        let (o, waited) = patient(&cards, move |now| {
            if now >= comes && !there {
                there = true;
                to.put("/dev/dri/card0", &late);
                to.close("/dev/dri/card0", EACCES);
            }
            // The right to it comes a moment later.
            if now >= comes + Duration::from_millis(1500) {
                to.close("/dev/dri/card0", 0);
            }
        });
        let (k, text) = said(|| Kmsd::open(o));
        let mut k = k.unwrap();
        let waited = *waited.0.borrow();
        assert!(waited >= comes && waited < comes + Duration::from_secs(4), "{waited:?}");
        assert_eq!(text.matches("Waiting for at most 30s").count(), 1, "{text}");
        assert_eq!(text.matches("now it works").count(), 1, "{text}");
        show(&mut k, &card, 0..3);
    }
    // It never comes, and it never works.
    let (o, waited) = patient(&MockCards::default(), |_| {});
    let e = Kmsd::open(o).unwrap_err().to_string();
    assert!(e.contains("cards in /dev/dri: none"), "{e}");
    assert!((30..32).contains(&waited.0.borrow().as_secs()), "{:?}", waited.0);
    let cards = MockCards::of(&[&panel()]);
    cards.close("/dev/dri/card0", EACCES);
    let (o, waited) = patient(&cards, |_| {});
    let e = Kmsd::open(o).unwrap_err().to_string();
    assert!(e.contains("cannot open /dev/dri/card0: Permission denied"), "{e}");
    assert!(e.contains("join the group"), "{e}");
    // Nobody waits half a minute to be told that.
    assert!(waited.0.borrow().as_secs() < 5, "{:?}", waited.0);
}

/// 29: hung at the end, and said the same error without end.
#[test]
fn case_29_errors_are_said_once_a_second_and_the_end_is_near() {
    for legacy in [false, true] {
        let card = panel();
        let mut k = open(&card, |o| o.legacy = legacy).unwrap();
        present(&mut k, 0).unwrap();
        std::thread::sleep(Duration::from_millis(20));
        card.blank();
        events(&mut k);
        show(&mut k, &card, 1..100);
        card.state_mut().refuse = Box::new(|c| {
            let change = matches!(c, Call::Commit(..) | Call::PageFlip(..) | Call::SetCrtc(..));
            change.then_some(EACCES)
        });
        let start = Instant::now();
        let (told, text) = said(|| {
            let (mut told, mut number) = (0, 100);
            while start.elapsed() < Duration::from_millis(2300) {
                if present(&mut k, number).is_some() {
                    number += 1;
                }
                // The app goes on: it is told that its frames are out.
                let next = k.due().map_or(Duration::from_millis(5), |_| Duration::from_millis(2));
                std::thread::sleep(next);
                told += presented(&events(&mut k)).len();
            }
            told
        });
        assert!(told > 3, "{told}");
        let lines = text.matches("cannot show a frame on /dev/dri/card0").count();
        assert!((2..=4).contains(&lines), "{lines} lines:\n{text}");
        let end = Instant::now();
        let _ = k.finish();
        drop(k);
        assert!(end.elapsed() < Duration::from_secs(1), "{:?}", end.elapsed());
    }
}

/// After an error that ends, what was drawn last is shown.
#[test]
fn what_was_refused_is_shown_when_it_can_be() {
    let card = panel();
    let mut k = open(&card, |_| {}).unwrap();
    show(&mut k, &card, 0..3);
    card.state_mut().refuse = Box::new(|c| matches!(c, Call::Commit(..)).then_some(EACCES));
    present(&mut k, 3).unwrap();
    std::thread::sleep(Duration::from_millis(30));
    assert_eq!(presented(&events(&mut k)), [3], "the app goes on");
    card.state_mut().refuse = Box::new(|_| None);
    let end = Instant::now() + Duration::from_secs(2);
    while !card.is_pending() {
        assert!(Instant::now() < end && k.due().is_some());
        assert_eq!(presented(&events(&mut k)), [], "it was told already");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// 30: the right to change the card was refused in the first 20 s of a boot.
#[test]
fn case_30_a_busy_master_is_waited_for_and_named() {
    for errno in [EACCES, EBUSY] {
        let card = panel();
        let cards = MockCards::of(&[&card]);
        cards.set_holders(&["weston (process 321)"]);
        card.state_mut().refuse = Box::new(move |c| (*c == Call::SetMaster).then_some(errno));
        let busy = card.clone();
        let (o, waited) = patient(&cards, move |now| {
            if now >= Duration::from_secs(20) {
                busy.state_mut().refuse = Box::new(|_| None);
            }
        });
        let (k, text) = said(|| Kmsd::open(o));
        assert!((20..22).contains(&waited.0.borrow().as_secs()), "{:?}", waited.0);
        assert!(text.contains("weston (process 321) has the screen"), "{text}");
        assert_eq!(text.lines().count(), 2, "{text}");
        let tries = card.state().log.iter().filter(|c| **c == Call::SetMaster).count();
        assert!(tries < 40, "{tries} tries in 20 s");
        show(&mut k.unwrap(), &card, 0..2);
    }
}
