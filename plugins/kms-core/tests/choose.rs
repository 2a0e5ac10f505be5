//! Outputs, modes and planes on a scripted card; and what is put back when a commit is refused.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use zinc_kms_core::mock::{Call, Kind, Mock};
use zinc_kms_core::{Kms, Mode, ModeWish, Saved, Wish, mode_of, output, outputs, primary_plane};

/// The kernel's mark of a mode from its command line.
const USER: u32 = 1 << 5;

fn wish(names: &[&str], mode: Option<(u32, u32, Option<u32>)>) -> Wish {
    let outputs = names.iter().map(|n| (*n).to_owned()).collect();
    Wish { outputs, mode: mode.map(|(width, height, rate)| ModeWish { width, height, rate }) }
}

#[test]
fn a_built_in_panel_comes_first_and_names_decide() {
    let card = Mock::new("three");
    for i in 0..2 {
        card.add_crtc();
        card.add_plane(Kind::Primary, 1 << i);
    }
    let modes = [Mode::plain(640, 480, 60, true)];
    card.add_connector("Composite-1", true, &modes, 3);
    card.add_connector("HDMI-A-2", true, &modes, 3);
    card.add_connector("HDMI-A-1", true, &modes, 3);
    card.add_connector("DSI-1", true, &modes, 2);
    let first = |w: &Wish| output(&card, w).unwrap().first().map(|o| o.connector.name.clone());
    assert_eq!(first(&Wish::default()).unwrap(), "DSI-1");
    assert_eq!(first(&wish(&["hdmi-a-2"], None)).unwrap(), "HDMI-A-2");
    assert_eq!(first(&wish(&["HDMI-A-1", "DSI-1"], None)).unwrap(), "HDMI-A-1");
    card.plug("HDMI-A-1", false);
    assert_eq!(first(&wish(&["HDMI-A-1", "DSI-1"], None)).unwrap(), "DSI-1");
    assert_eq!(first(&wish(&["HDMI-A-1"], None)), None, "it is waited for");
    assert!(output(&card, &wish(&["DP-1"], None)).is_err());
    // Each of several has a CRTC of its own, with a plane that is possible there.
    let all = outputs(&card, &["DSI-1", "HDMI-A-2"], None).unwrap();
    assert_eq!(all.iter().map(|o| o.index).collect::<Vec<_>>(), [1, 0]);
    let planes: Vec<_> =
        all.iter().map(|o| primary_plane(&card, o, &[]).unwrap().unwrap().0).collect();
    assert_ne!(planes[0], planes[1]);
}

#[test]
fn modes_by_size_and_rate_and_the_current_one_if_it_is_right() {
    let plain = |w, h, r, p| Mode::plain(w, h, r, p);
    let modes = [
        plain(1920, 1080, 60, true),
        plain(1920, 1080, 50, false),
        plain(800, 480, 60, false),
        plain(800, 480, 75, false),
    ];
    let card = Mock::simple("x", "HDMI-A-1", true, &modes);
    let c = card.connector(card.resources().unwrap().connectors[0], true).unwrap();
    let of = |w: Option<(u32, u32, Option<u32>)>, now: Option<Mode>| {
        mode_of(&c, wish(&[], w).mode, now).map(|m| (m.hdisplay, m.vrefresh))
    };
    assert_eq!(of(None, None).unwrap(), (1920, 60));
    assert_eq!(of(None, Some(modes[1])).unwrap(), (1920, 50), "of the preferred size already");
    assert_eq!(of(None, Some(modes[2])).unwrap(), (1920, 60), "a smaller one is not right");
    assert_eq!(of(Some((800, 480, None)), None).unwrap(), (800, 75));
    assert_eq!(of(Some((800, 480, None)), Some(modes[2])).unwrap(), (800, 60));
    assert_eq!(of(Some((800, 480, Some(60))), Some(modes[3])).unwrap(), (800, 60));
    assert!(of(Some((800, 480, Some(30))), None).is_err());
    assert!(of(Some((801, 480, None)), Some(modes[2])).is_err());
    // Whole pictures before half ones.
    let half = Mode { flags: 1 << 4, ..plain(720, 480, 120, true) };
    let both = [half, plain(720, 480, 50, false)];
    let d = Mock::simple("y", "HDMI-A-1", true, &both);
    let d = d.connector(d.resources().unwrap().connectors[0], true).unwrap();
    assert_eq!(mode_of(&d, wish(&[], Some((720, 480, None))).mode, None).unwrap().vrefresh, 50);
    // One that the screen cannot show is not right, whoever set it.
    assert_eq!(of(None, Some(plain(1920, 1080, 61, false))).unwrap(), (1920, 60));
    // Who set the machine up has the word before the screen.
    let mut c = c.clone();
    c.modes[2].kind = USER;
    assert_eq!(mode_of(&c, None, None).unwrap().hdisplay, 800);
    c.modes.clear();
    assert!(mode_of(&c, None, None).is_err());
}

#[test]
fn what_a_commit_cannot_put_back_the_legacy_call_does() {
    let modes = [Mode::plain(640, 480, 60, true), Mode::plain(320, 240, 60, false)];
    let card = Mock::simple("x", "HDMI-A-1", true, &modes);
    let (crtc, connector, plane) = {
        let s = card.state();
        (s.crtcs[0].0, s.connectors[0].id, s.planes[0].id)
    };
    card.light(crtc, connector, plane, modes[0]);
    card.set_master().unwrap();
    card.atomic().unwrap();
    let found = card.picture();
    let saved = Saved::read(&card, crtc, &[plane]).unwrap();
    let dumb = card.create_dumb((320, 240), 32).unwrap();
    let fb = card.add_fb(&dumb, (320, 240), zinc_kms_core::fourcc(*b"XR24")).unwrap();
    card.set_crtc(crtc, fb, (0, 0), &[connector], Some(&modes[1])).unwrap();
    assert_ne!(card.picture(), found);
    card.state_mut().refuse = Box::new(|c| matches!(c, Call::Commit(..)).then_some(22));
    saved.restore(&card, true, false).unwrap();
    assert_eq!(card.picture(), found);
    // And when that is refused as well, it is an error and no panic.
    card.state_mut().refuse = Box::new(|_| Some(13));
    assert!(saved.restore(&card, true, false).is_err());
}
