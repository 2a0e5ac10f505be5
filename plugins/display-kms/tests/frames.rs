//! What gets onto a scripted card: pixels, padding, places, damage, formats, ages; drivers that lack
//! this or that.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]
#![allow(dead_code, reason = "the rig has more than this file needs")]

mod rig;

use rig::{SMALL, events, list, mode, open, panel, present, presented, show};
use std::time::Duration;
use zinc_hal::{Display, Frame};
use zinc_kms_core::mock::{Call, FORMATS, Kind, Mock, UNTOUCHED};
use zinc_kms_core::{ModeWish, Rect};
use zinc_raster::Rasterizer;
use zinc_scene::{
    CommandList, Differ, History, IRect, LayerPlan, PixelFormat, Region, Rotation, TargetMut,
};

/// A list drawn whole, turned, without padding.
fn drawn(l: &CommandList, format: PixelFormat, rotation: Rotation) -> Vec<u8> {
    let (width, height) = rotation.size((l.width(), l.height()));
    let pitch = width as usize * format.bytes();
    let mut bytes = vec![0; pitch * height as usize];
    let mut target = TargetMut { bytes: &mut bytes, width, height, pitch, format, rotation };
    let all = Region::of(l.surface());
    Rasterizer::new(1).render(l, &LayerPlan::new(), &all, &mut target);
    bytes
}

/// What is on the glass.
fn glass(card: &Mock) -> Vec<u8> {
    let fb = card.state().crtcs[0].1.fb;
    card.pixels(fb)
}

/// 1: rows are as far apart as the card says, and what is between them is never written. A surface
/// of another size stands in the middle, black around it.
#[test]
fn case_01_padding_is_never_written_and_the_rest_is_black() {
    let turns = [Rotation::Deg0, Rotation::Deg90, Rotation::Deg180, Rotation::Deg270];
    let formats = [PixelFormat::Xrgb8888, PixelFormat::Rgb565];
    let sizes = [None, Some((101, 55))];
    for (turn, format, size) in turns
        .into_iter()
        .flat_map(|t| formats.map(|f| (t, f)))
        .flat_map(|(t, f)| sizes.map(|s| (t, f, s)))
    {
        let card = panel();
        let mut k = open(&card, |o| (o.rotation, o.format, o.size) = (turn, Some(format), size));
        let k = k.as_mut().unwrap();
        present(k, 0).unwrap();
        let i = k.info();
        let picture = drawn(&list((i.width, i.height), 0), format, turn);
        let (w, h) = turn.size((i.width, i.height));
        let (x0, y0) = ((u32::from(SMALL.0) - w) / 2, (u32::from(SMALL.1) - h) / 2);
        let n = format.bytes();
        let memory = glass(&card);
        let pitch = SMALL.0 as usize * n + 64;
        assert_eq!(memory.len(), pitch * SMALL.1 as usize);
        for (y, row) in memory.chunks(pitch).enumerate() {
            let (seen, padding) = row.split_at(SMALL.0 as usize * n);
            assert!(padding.iter().all(|b| *b == UNTOUCHED), "{turn:?} {format:?}: row {y}");
            let mut want = vec![0; seen.len()];
            if let Some(line) = (y as u32).checked_sub(y0).filter(|l| *l < h) {
                let (at, len) = (x0 as usize * n, w as usize * n);
                want[at..at + len].copy_from_slice(&picture[line as usize * len..][..len]);
            }
            assert!(seen == want, "{turn:?} {format:?} {size:?}: row {y}");
        }
    }
}

/// The law: with two buffers or three, what is drawn by age is the whole frame.
#[test]
fn a_frame_drawn_by_age_is_the_whole_frame() {
    for buffers in [2, 3] {
        let card = panel();
        let mut k = open(&card, |o| o.buffers = buffers).unwrap();
        let (mut differ, mut history) = (Differ::default(), History::default());
        let plan = LayerPlan::new();
        let mut before: Option<std::sync::Arc<CommandList>> = None;
        let mut ages = Vec::new();
        for n in 0..40u64 {
            let mut slot = k.acquire().unwrap().unwrap();
            let l = list(slot.surface_size(), n as u32);
            let damage = differ.diff(before.as_deref().map(|b| (b, &plan)), (&l, &plan));
            history.push(damage);
            let lacks = history.since(slot.age, l.surface());
            ages.push(slot.age);
            Rasterizer::new(1).render(&l, &plan, &lacks, &mut slot.target());
            k.present(slot, Frame { damage: damage.rects(), number: n }).unwrap();
            card.blank();
            assert_eq!(presented(&events(&mut k)), [n]);
            let whole = drawn(&l, PixelFormat::Xrgb8888, Rotation::Deg0);
            let row = SMALL.0 as usize * 4;
            let memory = glass(&card);
            let seen: Vec<u8> = memory.chunks(row + 64).flat_map(|r| r[..row].to_vec()).collect();
            assert!(seen == whole, "{buffers} buffers, frame {n}");
            before = Some(l);
        }
        // The newest free one is taken: two take turns, and a third is there for late frames.
        assert_eq!(ages[..2], [0, 0]);
        assert!(ages[2..].iter().all(|a| *a == 2), "{ages:?}");
    }
}

/// On demand: a lit screen that shows what it shall wakes nobody, and asks the card nothing.
#[test]
fn a_screen_at_rest_wakes_nobody() {
    for legacy in [false, true] {
        let card = panel();
        let mut k = open(&card, |o| o.legacy = legacy).unwrap();
        present(&mut k, 0).unwrap();
        std::thread::sleep(Duration::from_millis(20));
        card.blank();
        events(&mut k);
        show(&mut k, &card, 1..4);
        assert_eq!(k.due(), None);
        assert_eq!(events(&mut k), []);
    }
}

/// The time of a frame is the vertical blank's, however late somebody looks.
#[test]
fn a_frame_is_presented_when_its_event_says() {
    let card = panel();
    let start = std::time::Instant::now();
    let mut k = open(&card, |o| o.start = start).unwrap();
    present(&mut k, 0).unwrap();
    std::thread::sleep(Duration::from_millis(20));
    let before = start.elapsed();
    card.blank();
    let after = start.elapsed();
    std::thread::sleep(Duration::from_millis(80));
    let all = events(&mut k);
    let [zinc_hal::DisplayEvent::Presented { at, number: 0 }] = all[..] else { panic!("{all:?}") };
    // Two clocks are read one after the other.
    let slack = Duration::from_millis(5);
    assert!(at + slack >= before && at <= after + slack, "{before:?} {at:?} {after:?}");
}

/// Boxes of the surface, as boxes of the framebuffer.
#[test]
fn damage_is_told_where_the_plane_takes_it() {
    for (turn, want) in [
        (Rotation::Deg0, Rect { x1: 101, y1: 52, x2: 131, y2: 72 }),
        (Rotation::Deg180, Rect { x1: 189, y1: 128, x2: 219, y2: 148 }),
    ] {
        let card = panel();
        let mut k = open(&card, |o| (o.size, o.rotation) = (Some((120, 100)), turn)).unwrap();
        show(&mut k, &card, 0..2);
        let blob = |c: &Call| match c {
            Call::CreateBlob(bytes) if bytes.len() == 16 => Some(bytes.clone()),
            _ => None,
        };
        let last = card.state().log.iter().rev().find_map(blob).unwrap();
        let bytes: Vec<u8> =
            [want.x1, want.y1, want.x2, want.y2].into_iter().flat_map(i32::to_ne_bytes).collect();
        assert_eq!(last, bytes, "{turn:?}");
        // No blob is left behind but the mode's.
        show(&mut k, &card, 2..20);
        assert_eq!(card.state().blobs.len(), 1);
    }
}

/// What the plane reads decides, unless something is asked for.
#[test]
fn the_format_is_one_that_the_plane_reads() {
    let card = panel();
    card.state_mut().planes[0].formats = vec![FORMATS[1]];
    let mut k = open(&card, |_| {}).unwrap();
    assert!(k.info().description.contains("RGB565"), "{k:?}");
    assert_eq!(k.acquire().unwrap().unwrap().format, PixelFormat::Rgb565);
    let e = open(&card, |o| o.format = Some(PixelFormat::Xrgb8888)).unwrap_err().to_string();
    assert!(e.contains("reads no Xrgb8888"), "{e}");
}

/// A driver that tells no planes, and takes no framebuffer of 32 bits.
#[test]
fn a_format_that_is_refused_is_followed_by_the_next() {
    let card = panel();
    card.state_mut().refuse = Box::new(|c| match c {
        Call::AddFb(_, f) if *f == FORMATS[0] => Some(22),
        _ => None,
    });
    let mut k = open(&card, |_| {}).unwrap();
    assert!(k.info().description.contains("RGB565"), "{k:?}");
    show(&mut k, &card, 0..3);
    assert_eq!(card.state().dumbs.len(), 3, "nothing of the first try is left");
}

/// Little memory for the screen: two buffers where three do not fit.
#[test]
fn two_buffers_where_three_do_not_fit() {
    let card = panel();
    let left = card.clone();
    card.state_mut().refuse = Box::new(move |c| {
        (matches!(c, Call::CreateDumb(..)) && left.state().dumbs.len() >= 2).then_some(12)
    });
    let (k, text) = rig::said(|| open(&card, |_| {}));
    let mut k = k.unwrap();
    assert!(k.info().description.contains("2 buffers"), "{k:?}");
    assert!(text.contains("2 buffers, no more"), "{text}");
    show(&mut k, &card, 0..5);
}

/// Wishes that cannot be are answered with what there is.
#[test]
fn wrong_wishes_are_answered_with_what_there_is() {
    let card = Mock::simple("x", "HDMI-A-1", true, &[mode((1280, 720), false), mode(SMALL, true)]);
    let e = open(&card, |o| o.wish.mode = Some(ModeWish { width: 9, height: 9, rate: Some(50) }));
    let e = e.unwrap_err().to_string();
    assert!(e.contains("HDMI-A-1 has no mode 9x9@50; it has: 1280x720@60.0, 320x200@60.0"), "{e}");
    let e = open(&card, |o| o.wish.outputs = vec!["DSI-1".to_owned()]).unwrap_err().to_string();
    assert!(e.contains("there is no output DSI-1; there are: HDMI-A-1"), "{e}");
    let e = open(&card, |o| o.size = Some((321, 200))).unwrap_err().to_string();
    assert!(
        e.contains("a surface of 321x200 does not fit HDMI-A-1 in the mode 320x200@60.0"),
        "{e}"
    );
}

/// A driver without flips: each frame is set, what was written is told, and the clock paces.
#[test]
fn a_driver_without_flips_is_paced_by_the_clock() {
    let card = panel();
    card.state_mut().has_atomic = false;
    card.state_mut().refuse = Box::new(|c| matches!(c, Call::PageFlip(..)).then_some(38));
    let mut k = open(&card, |_| {}).unwrap();
    assert!(k.info().description.contains("legacy"), "{k:?}");
    let start = std::time::Instant::now();
    for n in 0..10 {
        present(&mut k, n).unwrap();
        let mut told = Vec::new();
        while told.is_empty() {
            std::thread::sleep(Duration::from_millis(1));
            assert!(start.elapsed() < Duration::from_secs(5));
            told = presented(&events(&mut k));
        }
        assert_eq!(told, [n]);
    }
    assert!(start.elapsed() >= Duration::from_millis(160), "{:?}", start.elapsed());
    let log = card.state().log.clone();
    assert_eq!(log.iter().filter(|c| matches!(c, Call::PageFlip(..))).count(), 1);
    assert_eq!(log.iter().filter(|c| matches!(c, Call::SetCrtc(..))).count(), 10);
    let dirty = |c: &&Call| matches!(c, Call::DirtyFb(_, r) if r[..] == [Rect { x1: 1, y1: 2, x2: 31, y2: 22 }]);
    assert_eq!(log.iter().filter(dirty).count(), 9);
}

/// A console that blanked its screen leaves a mode that is right, and the CRTC asleep.
#[test]
fn a_blanked_console_is_woken_and_left_blank() {
    let card = Mock::new("lit");
    let crtc = card.add_crtc();
    let plane = card.add_plane(Kind::Primary, 1);
    let connector = card.add_connector("DSI-1", true, &[mode(SMALL, true)], 1);
    card.light(crtc, connector, plane, mode(SMALL, true));
    let set = |card: &Mock, v| {
        let mut s = card.state_mut();
        let all = s.properties.get_mut(&crtc).unwrap();
        all.iter_mut().find(|p| p.name == "ACTIVE").unwrap().value = v;
    };
    set(&card, 0);
    let found = card.picture();
    let mut k = open(&card, |_| {}).unwrap();
    show(&mut k, &card, 0..3);
    assert_eq!(card.value(crtc, "ACTIVE"), Some(1));
    drop(k);
    assert_eq!(card.picture(), found);
}

/// Another plug of the same CRTC.
#[test]
fn another_output_is_used_when_the_first_one_goes() {
    let card = Mock::new("two plugs");
    let crtc = card.add_crtc();
    card.add_plane(Kind::Primary, 1);
    let a = card.add_connector("HDMI-A-1", true, &[mode(SMALL, true)], 1);
    let b = card.add_connector("HDMI-A-2", false, &[mode(SMALL, true)], 1);
    let found = card.picture();
    let mut k = open(&card, |_| {}).unwrap();
    show(&mut k, &card, 0..3);
    card.plug("HDMI-A-1", false);
    card.plug("HDMI-A-2", true);
    k.look();
    events(&mut k);
    show(&mut k, &card, 3..6);
    assert_eq!(card.value(a, "CRTC_ID"), Some(0));
    assert_eq!(card.value(b, "CRTC_ID"), Some(crtc.into()));
    drop(k);
    assert_eq!(card.picture(), found);
}

/// A frame that was refused is replaced by the next, and the damage of both is told.
#[test]
fn damage_of_a_frame_that_never_came_goes_with_the_next() {
    let card = panel();
    let mut k = open(&card, |_| {}).unwrap();
    show(&mut k, &card, 0..3);
    card.state_mut().refuse = Box::new(|c| matches!(c, Call::Commit(..)).then_some(13));
    let slot = k.acquire().unwrap().unwrap();
    let damage = [IRect::new(200, 100, 210, 110)];
    k.present(slot, Frame { damage: &damage, number: 3 }).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(presented(&events(&mut k)), [3]);
    present(&mut k, 4).unwrap();
    card.state_mut().refuse = Box::new(|_| None);
    std::thread::sleep(Duration::from_millis(300));
    events(&mut k);
    assert!(card.is_pending());
    let blob = |c: &Call| match c {
        Call::CreateBlob(bytes) => Some(bytes.len() / 16),
        _ => None,
    };
    assert_eq!(card.state().log.iter().rev().find_map(blob), Some(2));
}
