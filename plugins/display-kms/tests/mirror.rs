//! Several outputs that show the same.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]
#![allow(dead_code, reason = "the rig has more than this file needs")]

mod rig;

use rig::{SMALL, events, mode, open, present, presented, said, show};
use zinc_hal::{Display, DisplayEvent};
use zinc_kms_core::Id;
use zinc_kms_core::mock::{Call, Kind, Mock};

/// Two outputs of a card; the second has this mode.
fn two(second: (u16, u16)) -> (Mock, [Id; 2]) {
    let card = Mock::new("two");
    let crtcs = [card.add_crtc(), card.add_crtc()];
    // A plane that is possible on both comes first.
    card.add_plane(Kind::Primary, 3);
    card.add_plane(Kind::Primary, 3);
    card.add_connector("HDMI-A-1", true, &[mode((640, 480), false), mode(SMALL, true)], 3);
    card.add_connector("HDMI-A-2", true, &[mode((800, 600), true), mode(second, false)], 3);
    (card, crtcs)
}

fn both(o: &mut zinc_display_kms::Options) {
    o.wish.outputs = vec!["HDMI-A-1+HDMI-A-2".to_owned()];
}

fn shown(card: &Mock) -> Vec<Id> {
    card.state().crtcs.iter().map(|c| c.1.fb).collect()
}

#[test]
fn two_outputs_show_the_same_frames() {
    for legacy in [false, true] {
        let (card, crtcs) = two(SMALL);
        let found = card.picture();
        let mut k = open(&card, |o| {
            both(o);
            o.legacy = legacy;
        })
        .unwrap();
        let text = k.info().description;
        assert!(text.contains("HDMI-A-1+HDMI-A-2 320x200@60.0"), "{text}");
        present(&mut k, 0).unwrap();
        if legacy {
            // The first frame is a modeset, which has no event: the clock tells.
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        card.blank();
        assert_eq!(presented(&events(&mut k)), [0]);
        for n in 1..20 {
            show(&mut k, &card, n..n + 1);
            let fbs = shown(&card);
            assert!(fbs[0] != 0 && fbs[0] == fbs[1], "{fbs:?}");
        }
        let sizes: Vec<_> = card.state().crtcs.iter().map(|c| c.1.mode.unwrap().size()).collect();
        assert_eq!(sizes, [(320, 200); 2]);
        // One of them is late: the frame is out when both are.
        card.state_mut().delay = 0;
        present(&mut k, 20).unwrap();
        if !legacy {
            card.delay_of(crtcs[1], 2);
            card.blank();
            assert_eq!(presented(&events(&mut k)), []);
            card.blank();
            card.blank();
        } else {
            card.blank();
        }
        assert_eq!(presented(&events(&mut k)), [20]);
        drop(k);
        assert_eq!(card.picture(), found, "legacy {legacy}");
    }
}

#[test]
fn an_output_that_goes_leaves_the_other_and_may_come_back() {
    let (card, _) = two(SMALL);
    let found = card.picture();
    let mut k = open(&card, both).unwrap();
    show(&mut k, &card, 0..3);
    for (gone, stays) in [("HDMI-A-2", "HDMI-A-1"), ("HDMI-A-1", "HDMI-A-2")] {
        card.plug(gone, false);
        k.look();
        assert!(k.visible());
        events(&mut k);
        let text = k.info().description;
        assert!(text.contains(&format!(" {stays} ")), "{text}");
        show(&mut k, &card, 3..6);
        assert_eq!(shown(&card).iter().filter(|f| **f != 0).count(), 1);
        card.plug(gone, true);
        k.look();
        assert!(events(&mut k).contains(&DisplayEvent::Redraw));
        assert!(k.info().description.contains("HDMI-A-1+HDMI-A-2"));
        show(&mut k, &card, 6..9);
        assert!(shown(&card).iter().all(|f| *f != 0));
    }
    drop(k);
    assert_eq!(card.picture(), found);
}

#[test]
fn an_output_without_such_a_mode_is_left_alone() {
    let (card, crtcs) = two((720, 576));
    let (k, _) = said(|| open(&card, both));
    let mut k = k.unwrap();
    assert!(k.info().description.contains(" HDMI-A-1 320x200@60.0"), "{k:?}");
    show(&mut k, &card, 0..4);
    assert_eq!(card.value(crtcs[1], "ACTIVE"), Some(0));
    let commits = card.state().log.iter().filter(|c| matches!(c, Call::Commit(..))).count();
    assert_eq!(commits, 5, "a test and four frames");
}
