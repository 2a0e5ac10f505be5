//! Pointers from streams of events: what a device is, what its packets mean, what is lost and gone.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

mod bench;

use bench::{Bench, facts, multi};
use evdev::{AbsoluteAxisCode as Abs, EventType as Kind, KeyCode as K, RelativeAxisCode as Rel};
use zinc_hal::Placement;
use zinc_input_evdev::{Decoder, Facts, Need, Place, SlotTruth, Touch, Truth};
use zinc_scene::{IRect, Rotation};

const SLOT: Abs = Abs::ABS_MT_SLOT;
const ID: Abs = Abs::ABS_MT_TRACKING_ID;
const X: Abs = Abs::ABS_MT_POSITION_X;
const Y: Abs = Abs::ABS_MT_POSITION_Y;
const WHOLE: Placement = Placement::whole((800, 480));

fn mouse() -> Facts {
    let axes = [Rel::REL_X, Rel::REL_Y, Rel::REL_WHEEL, Rel::REL_HWHEEL];
    facts(&[K::BTN_LEFT, K::BTN_RIGHT, K::BTN_MIDDLE], &axes, &[])
}

fn rel(r: Rel, v: i32) -> (Kind, u16, i32) {
    (Kind::RELATIVE, r.0, v)
}

/// 33: only some kinds were seen.
#[test]
fn case_33_devices_are_what_their_codes_say() {
    let place = |keys: &[K], abs: &[(Abs, i32)]| {
        facts(keys, &[], abs).roles().map(|r| (r.place, r.keys, r.mouse))
    };
    let xy = [(Abs::ABS_X, 32767), (Abs::ABS_Y, 32767)];
    assert_eq!(place(&[K::BTN_LEFT], &xy), Ok((Some(Place::Hover), false, false)));
    assert_eq!(place(&[K::BTN_TOUCH], &xy), Ok((Some(Place::Single), false, false)));
    let pen = [K::BTN_TOUCH, K::BTN_TOOL_PEN, K::BTN_STYLUS];
    assert_eq!(place(&pen, &xy), Ok((Some(Place::Hover), false, false)));
    assert_eq!(multi((10, 10)).roles().unwrap().place, Some(Place::Slots));
    let m = mouse().roles().unwrap();
    assert!(m.mouse && !m.keys && m.place.is_none());
    // A knob alone, a power button alone, a keyboard with a pointing stick.
    assert!(facts(&[], &[Rel::REL_WHEEL], &[]).roles().unwrap().mouse);
    assert!(facts(&[K::KEY_POWER], &[], &[]).roles().unwrap().keys);
    let mut both = bench::keyboard();
    both.relative = mouse().relative;
    let r = both.roles().unwrap();
    assert!(r.keys && r.letters && r.mouse);
    // No pointers: a gamepad's stick, gravity, an axis of no length, a touchpad.
    assert!(place(&[K::BTN_SOUTH, K::BTN_LEFT], &xy).is_err());
    assert!(place(&[K::BTN_TOUCH], &[(Abs::ABS_X, 0), (Abs::ABS_Y, 0)]).is_err());
    let gravity = Facts { accelerometer: true, ..facts(&[K::BTN_TOUCH], &[], &xy) };
    assert!(gravity.roles().is_err());
    let pad = Facts { pointer: true, ..multi((10, 10)) };
    assert!(Decoder::new(&pad, &[]).unwrap_err().contains("touchpad"));
}

/// 33, and a mouse stays on the surface.
#[test]
fn case_33_a_mouse_moves_presses_and_scrolls() {
    let mut b = Bench::new(&mouse(), WHOLE, &[]);
    b.packet(&[rel(Rel::REL_X, 10), rel(Rel::REL_Y, -20), (Kind::KEY, K::BTN_LEFT.0, 1)]);
    b.packet(&[rel(Rel::REL_X, 5000), (Kind::KEY, K::BTN_LEFT.0, 0)]);
    b.packet(&[rel(Rel::REL_X, -9000), rel(Rel::REL_Y, -9000)]);
    b.packet(&[rel(Rel::REL_WHEEL, -1)]);
    b.packet(&[rel(Rel::REL_HWHEEL, 2)]);
    b.key(K::BTN_RIGHT, 1);
    assert_eq!(
        b.told(),
        [
            "mouse Move 410,220",
            "mouse Down 410,220 Primary",
            "mouse Move 799,220",
            "mouse Up 799,220 Primary",
            "mouse Move 0,0",
            "wheel 0,100",
            "wheel 200,0",
            "mouse Down 0,0 Secondary",
        ]
    );
    // A wheel with fine steps is not counted twice.
    let mut fine = mouse();
    fine.relative.insert(Rel::REL_WHEEL_HI_RES.0);
    let mut b = Bench::new(&fine, WHOLE, &[]);
    b.packet(&[rel(Rel::REL_WHEEL_HI_RES, 60)]);
    b.packet(&[rel(Rel::REL_WHEEL_HI_RES, 60), rel(Rel::REL_WHEEL, 1)]);
    assert_eq!(b.told(), ["wheel 0,-50", "wheel 0,-50"]);
}

/// 33: a tablet of a virtual machine: 0 to 32767, and a left button.
#[test]
fn case_33_a_tablet_hovers_and_clicks() {
    let f = facts(&[K::BTN_LEFT], &[], &[(Abs::ABS_X, 32767), (Abs::ABS_Y, 32767)]);
    let mut b = Bench::new(&f, WHOLE, &[]);
    b.abs(&[(Abs::ABS_X, 16384), (Abs::ABS_Y, 0)]);
    b.key(K::BTN_LEFT, 1);
    // The axis that stayed is not told again.
    b.abs(&[(Abs::ABS_Y, 32767)]);
    b.key(K::BTN_LEFT, 0);
    let want = ["mouse Move 400,0", "mouse Down 400,0 Primary", "mouse Move 400,479"];
    assert_eq!(b.told(), [&want[..], &["mouse Up 400,479 Primary"]].concat());
}

/// 33: one finger, whose first place is known from before.
#[test]
fn case_33_a_single_finger_comes_moves_and_goes() {
    let f = facts(&[K::BTN_TOUCH], &[], &[(Abs::ABS_X, 799), (Abs::ABS_Y, 479)]);
    let mut b = Bench::new(&f, WHOLE, &[]);
    b.decoder.start(&Truth { place: [Some(100), Some(50), None], ..Truth::default() });
    b.packet(&[(Kind::KEY, K::BTN_TOUCH.0, 1), (Kind::ABSOLUTE, Abs::ABS_X.0, 200)]);
    b.abs(&[(Abs::ABS_X, 300)]);
    // Without a new place there is nothing to tell.
    b.abs(&[(Abs::ABS_PRESSURE, 3)]);
    b.key(K::BTN_TOUCH, 0);
    b.abs(&[(Abs::ABS_X, 1)]);
    b.key(K::BTN_TOUCH, 1);
    assert_eq!(
        b.told(),
        ["finger1 Down 200,50", "finger1 Move 300,50", "finger1 Up 300,50", "finger2 Down 1,50"]
    );
}

/// 33: fingers in slots; what also comes as ABS_X and BTN_TOUCH is the same finger.
#[test]
fn case_33_ten_fingers_have_their_own_ways() {
    let mut b = Bench::new(&multi((800, 480)), WHOLE, &[]);
    b.packet(&[
        (Kind::ABSOLUTE, ID.0, 40),
        (Kind::ABSOLUTE, X.0, 10),
        (Kind::ABSOLUTE, Y.0, 20),
        (Kind::KEY, K::BTN_TOUCH.0, 1),
        (Kind::ABSOLUTE, Abs::ABS_X.0, 10),
        (Kind::ABSOLUTE, Abs::ABS_Y.0, 20),
    ]);
    b.abs(&[(SLOT, 1), (ID, 41), (X, 700), (Y, 400)]);
    b.abs(&[(SLOT, 0), (X, 11), (SLOT, 1), (Y, 401)]);
    assert_eq!(
        b.told(),
        [
            "finger1 Down 10,20",
            "finger2 Down 700,400",
            "finger1 Move 11,20",
            "finger2 Move 700,401"
        ]
    );
    // One lifts and another comes in its slot, within a packet.
    b.abs(&[(SLOT, 0), (ID, -1), (ID, 42), (X, 300)]);
    assert_eq!(b.told(), ["finger1 Up 11,20", "finger3 Down 300,20"]);
    // Eleven are one too many: it is not mistaken for another.
    for n in 2..12 {
        b.abs(&[(SLOT, n), (ID, 50 + n), (X, 5), (Y, 5)]);
    }
    assert_eq!(b.told().len(), 8);
    b.abs(&[(SLOT, 11), (X, 99), (ID, -1)]);
    b.abs(&[(SLOT, -3), (X, 99)]);
    assert_eq!(b.told(), [""; 0]);
}

/// What was lost between two reports is asked for: who is the same goes on, who is not is cancelled.
#[test]
fn dropped_events_are_made_good() {
    let mut b = Bench::new(&multi((800, 480)), WHOLE, &[]);
    b.abs(&[(ID, 1), (X, 100), (Y, 100)]);
    b.abs(&[(SLOT, 1), (ID, 2), (X, 200), (Y, 200)]);
    b.told();
    assert_eq!(b.raw(Kind::SYNCHRONIZATION, 3, 0), Need::Nothing);
    // Not believed: its packet is torn.
    b.raw(Kind::ABSOLUTE, ID.0, -1);
    assert_eq!(b.raw(Kind::SYNCHRONIZATION, 0, 0), Need::Truth);
    let slot = |tracking, x, y| SlotTruth { tracking, x, y, pressure: 0 };
    let slots = vec![slot(9, 300, 300), slot(2, 210, 200), slot(-1, 0, 0)];
    b.resync(&Truth { slot: 1, slots, ..Truth::default() });
    assert_eq!(
        b.told(),
        ["finger1 Cancel 100,100", "finger3 Down 300,300", "finger2 Move 210,200"]
    );
    b.abs(&[(X, 220)]);
    assert_eq!(b.told(), ["finger2 Move 220,200"]);
}

/// 39: a device goes while fingers and buttons are down.
#[test]
fn case_39_what_a_lost_device_held_is_cancelled() {
    let mut b = Bench::new(&multi((800, 480)), WHOLE, &[]);
    b.abs(&[(ID, 1), (X, 100), (Y, 100)]);
    b.abs(&[(SLOT, 1), (ID, 2), (X, 200), (Y, 200)]);
    b.told();
    b.gone();
    assert_eq!(b.told(), ["finger1 Cancel 100,100", "finger2 Cancel 200,200"]);
    b.gone();
    assert_eq!(b.told(), [""; 0]);
    let mut b = Bench::new(&mouse(), WHOLE, &[]);
    b.key(K::BTN_LEFT, 1);
    b.told();
    b.gone();
    assert_eq!(b.told(), ["mouse Cancel 400,240"]);
    let mut b = Bench::new(&bench::keyboard(), WHOLE, &[]);
    b.key(K::KEY_LEFTCTRL, 1);
    b.key(K::KEY_C, 1);
    b.told();
    b.gone();
    assert_eq!(b.told(), ["up Char('c')"]);
    // Control is not held by nobody.
    b.key(K::KEY_C, 1);
    assert_eq!(b.told(), ["down Char('c')", "text c"]);
}

fn setting(rotation: Rotation) -> Touch {
    Touch { rotation, ..Touch::default() }
}

/// 31: one switch turned picture and touch, so a digitizer that lies otherwise could not be right.
#[test]
fn case_31_sixteen_turns_hit_their_corners() {
    let device = (800, 1280);
    // The four corners of what a person sees, by the digitizer's own corners in reading order.
    let read = ["top left", "top right", "bottom left", "bottom right"];
    for screen in Rotation::ALL {
        let panel = (800, 1280);
        let surface = screen.inverse().size(panel);
        let at = IRect::of_size(panel.0, panel.1);
        let place = Placement { panel, at, rotation: screen, surface };
        for digitizer in Rotation::ALL {
            // A digitizer that lies sideways has its long side along the panel's short one.
            let (w, h) = digitizer.inverse().size(device);
            let f = multi((w as i32, h as i32));
            let mut b = Bench::new(&f, place, &[setting(digitizer)]);
            for (i, want) in read.into_iter().enumerate() {
                // Backwards: where the person's corner lies on the panel, and where that is on the
                // digitizer, by boxes and not by the code's own formulas.
                let s = surface;
                let corner = match i {
                    0 => IRect::new(0, 0, 1, 1),
                    1 => IRect::new(s.0 as i32 - 1, 0, s.0 as i32, 1),
                    2 => IRect::new(0, s.1 as i32 - 1, 1, s.1 as i32),
                    _ => IRect::new(s.0 as i32 - 1, s.1 as i32 - 1, s.0 as i32, s.1 as i32),
                };
                let on_panel = screen.turn(corner, surface);
                let on_device = digitizer.inverse().turn(on_panel, panel);
                let xy = [(X, on_device.x0), (Y, on_device.y0)];
                b.abs(&[(ID, i as i32), xy[0], xy[1]]);
                b.abs(&[(ID, -1)]);
                let told = b.told();
                let p: Vec<f32> = told[0]
                    .rsplit(' ')
                    .next()
                    .unwrap()
                    .split(',')
                    .map(|v| v.parse().unwrap())
                    .collect();
                let x = if p[0] < s.0 as f32 / 2.0 { "left" } else { "right" };
                let y = if p[1] < s.1 as f32 / 2.0 { "top" } else { "bottom" };
                assert_eq!(format!("{y} {x}"), want, "{screen:?} {digitizer:?}: {told:?}");
                let near = |v: f32, n: u32| v == 0.0 || v == n as f32 - 1.0;
                assert!(near(p[0], s.0) && near(p[1], s.1), "{told:?}");
            }
        }
    }
}

/// 31: and a matrix on top, for a digitizer that is mirrored, or smaller than its panel.
#[test]
fn case_31_a_matrix_mirrors_and_stretches() {
    let mirrored = Touch { matrix: [-1.0, 0.0, 1.0, 0.0, 1.0, 0.0], ..Touch::default() };
    let mut b = Bench::new(&multi((800, 480)), WHOLE, &[mirrored]);
    b.abs(&[(ID, 1), (X, 0), (Y, 10)]);
    assert_eq!(b.told(), ["finger1 Down 799,10"]);
    // Turned first: x of the matrix is that of the panel.
    let half = [0.5, 0.0, 0.25, 0.0, 1.0, 0.0];
    let turned = Touch { rotation: Rotation::Deg180, matrix: half, ..Touch::default() };
    let mut b = Bench::new(&multi((800, 480)), WHOLE, &[turned]);
    b.abs(&[(ID, 1), (X, 0), (Y, 479)]);
    assert_eq!(b.told(), ["finger1 Down 599,0"]);
}

/// 34: the pointer was limited by a wrong size when the interface is smaller than the display.
#[test]
fn case_34_input_goes_through_the_placement() {
    // 640x480 in the middle of 800x480, and 400x240 shown twice as large.
    let side = Placement {
        panel: (800, 480),
        at: IRect::new(80, 0, 720, 480),
        rotation: Rotation::Deg0,
        surface: (640, 480),
    };
    let large = Placement {
        panel: (800, 480),
        at: IRect::of_size(800, 480),
        rotation: Rotation::Deg0,
        surface: (400, 240),
    };
    let touched = |place, x, y| {
        let mut b = Bench::new(&multi((800, 480)), place, &[]);
        b.abs(&[(ID, 1), (X, x), (Y, y)]);
        b.told()
    };
    assert_eq!(touched(side, 400, 240), ["finger1 Down 320,240"]);
    assert_eq!(touched(side, 719, 479), ["finger1 Down 639,479"]);
    // On the black beside the picture: outside of the surface, where nothing is hit.
    assert_eq!(touched(side, 10, 240), ["finger1 Down -70,240"]);
    assert_eq!(touched(large, 799, 479), ["finger1 Down 399,239"]);
    assert_eq!(touched(large, 200, 120), ["finger1 Down 100,60"]);
    for (place, end) in [(side, "mouse Move 639,479"), (large, "mouse Move 399,239")] {
        let mut b = Bench::new(&mouse(), place, &[]);
        b.packet(&[rel(Rel::REL_X, 9999), rel(Rel::REL_Y, 9999)]);
        assert_eq!(b.told(), [end]);
    }
    // A mouse goes where the hand goes on the glass, also when the picture is turned.
    let turned = Placement { rotation: Rotation::Deg90, surface: (480, 800), ..WHOLE };
    let mut b = Bench::new(&mouse(), turned, &[]);
    b.packet(&[rel(Rel::REL_X, 100)]);
    assert_eq!(b.told(), ["mouse Move 240,300"]);
}

/// Resistive panels: a finger that lifts is light before it is gone.
#[test]
fn light_touches_do_not_count_where_it_is_said() {
    let abs = [(Abs::ABS_X, 799), (Abs::ABS_Y, 479), (Abs::ABS_PRESSURE, 999)];
    let f = facts(&[K::BTN_TOUCH], &[], &abs);
    let mut b = Bench::new(&f, WHOLE, &[Touch { pressure: 0.5, ..Touch::default() }]);
    let touch = |b: &mut Bench, x: i32, pressure: i32| {
        b.abs(&[(Abs::ABS_X, x), (Abs::ABS_PRESSURE, pressure)]);
    };
    b.key(K::BTN_TOUCH, 1);
    touch(&mut b, 100, 300);
    touch(&mut b, 110, 600);
    // A little lighter is still it; much lighter is not, and its stray place is not seen.
    touch(&mut b, 120, 450);
    touch(&mut b, 400, 100);
    b.key(K::BTN_TOUCH, 0);
    assert_eq!(b.told(), ["finger1 Down 110,0", "finger1 Move 120,0", "finger1 Up 120,0"]);
    // A panel that tells a contact by pressure alone.
    let f = facts(&[], &[], &abs);
    let mut b = Bench::new(&f, WHOLE, &[]);
    touch(&mut b, 100, 5);
    touch(&mut b, 101, 0);
    assert_eq!(b.told(), ["finger1 Down 100,0", "finger1 Up 100,0"]);
}
