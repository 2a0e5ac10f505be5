//! What is kept from the last frame is what would have been recorded: hero is used at random,
//! twice at once, with unchanged elements kept and without; every frame's commands are equal.

use hero::Hero;
use zinc::hal::{
    Button, InputEvent, Key, Modifiers, PointerEvent, PointerId, PointerKind, PointerPhase,
    WheelEvent,
};
use zinc::testing::Harness;
use zinc_scene::{CommandList, Point};

/// A small generator: the same events in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

const KEYS: [&str; 12] = [
    "Tab",
    "Enter",
    "Escape",
    "ArrowDown",
    "ArrowUp",
    "ArrowLeft",
    "ArrowRight",
    "Space",
    "1",
    "d",
    "]",
    "/",
];

/// Events of one frame; mostly none, so that frames at rest are met too.
fn events(d: &mut Dice, down: &mut bool) -> Vec<InputEvent> {
    let position = Point::new(d.roll(800) as f32, d.roll(480) as f32);
    let pointer = |phase| {
        let (id, kind, button) = (PointerId(0), PointerKind::Mouse, Button::Primary);
        InputEvent::Pointer(PointerEvent { id, kind, phase, position, button })
    };
    match d.roll(12) {
        0 | 1 => vec![pointer(PointerPhase::Move)],
        2 if !*down => {
            *down = true;
            vec![pointer(PointerPhase::Move), pointer(PointerPhase::Down)]
        }
        2 | 3 if *down => {
            *down = false;
            vec![pointer(PointerPhase::Up)]
        }
        4 => {
            let delta = Point::new(0.0, d.roll(400) as f32 - 200.0);
            vec![InputEvent::Wheel(WheelEvent { position, delta })]
        }
        5 => match Key::from_name(KEYS[d.roll(KEYS.len() as u64) as usize]) {
            Some(key) => {
                let modifiers = Modifiers::default();
                vec![InputEvent::KeyDown { key, modifiers }, InputEvent::KeyUp { key }]
            }
            None => panic!("a key of the list has no such name"),
        },
        6 => vec![InputEvent::Text("word ".to_owned())],
        _ => Vec::new(),
    }
}

/// Hash, box and kind of each command.
fn essence(list: &CommandList) -> Vec<(u64, zinc_scene::IRect, u64, &'static str)> {
    list.commands().iter().map(|c| (c.hash, c.bounds, c.own_hash, c.op.name())).collect()
}

#[test]
fn kept_and_recorded_frames_are_equal() {
    let (mut kept_commands, mut all_commands) = (0usize, 0usize);
    for (seed, demo) in [(1, "home"), (2, "gallery"), (3, "tasks"), (4, "settings")] {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ seed);
        let mut down = false;
        let mut kept = Harness::with(Hero::default(), 800, 480, Some(demo));
        let mut anew = Harness::with(Hero::default(), 800, 480, Some(demo));
        anew.ui().retain(false);
        for frame in 0..1500 {
            let events = events(&mut dice, &mut down);
            let (a, b) = (kept.frame(&events).list.clone(), anew.frame(&events).list.clone());
            let (x, y) = (essence(&a), essence(&b));
            let first = x.iter().zip(&y).position(|(p, q)| p != q);
            assert_eq!(first.map(|i| (x[i], y[i])), None, "{demo}, frame {frame}, {events:?}");
            assert_eq!(x.len(), y.len(), "{demo}, frame {frame}");
            assert_eq!(a.hash(), b.hash(), "{demo}, frame {frame}");
            all_commands += x.len();
            kept_commands += kept.counts().kept as usize;
        }
    }
    println!("{kept_commands} of {all_commands} commands were kept");
    assert!(kept_commands > all_commands / 10, "hardly anything is kept");
}
