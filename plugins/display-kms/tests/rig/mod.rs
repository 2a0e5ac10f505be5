//! The display on a scripted card, and who drives it: draws frames, lets vertical blanks pass.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use zinc_display_kms::{Kmsd, Options};
use zinc_hal::{Display, DisplayError, DisplayEvent, Frame};
use zinc_kms_core::mock::{Mock, MockCards};
use zinc_kms_core::{Mode, Wish};
use zinc_raster::Rasterizer;
use zinc_scene::{Color, CommandList, IRect, LayerPlan, Recorder, Region, Rotation};

/// Pauses that were made while a card was waited for; each is virtual.
#[derive(Clone, Default)]
pub(crate) struct Waited(pub(crate) Rc<RefCell<Duration>>);

pub(crate) fn options(cards: &MockCards) -> Options {
    Options {
        cards: Box::new(cards.clone()),
        device: None,
        wish: Wish::default(),
        size: None,
        default_size: (800, 480),
        scale: 1.0,
        rotation: Rotation::Deg0,
        format: None,
        buffers: 3,
        legacy: false,
        wait: Duration::from_secs(30),
        stats: false,
        start: Instant::now(),
        pause: Box::new(|_| {}),
        before_write: None,
    }
}

/// With pauses that take no time, and what happens at some of them.
pub(crate) fn patient(
    cards: &MockCards,
    mut then: impl FnMut(Duration) + 'static,
) -> (Options, Waited) {
    let waited = Waited::default();
    let mut o = options(cards);
    let sum = waited.clone();
    o.pause = Box::new(move |d| {
        *sum.0.borrow_mut() += d;
        then(*sum.0.borrow());
    });
    (o, waited)
}

pub(crate) const SMALL: (u16, u16) = (320, 200);

pub(crate) fn mode((w, h): (u16, u16), preferred: bool) -> Mode {
    Mode::plain(w, h, 60, preferred)
}

/// A panel of 320x200 on a card of its own.
pub(crate) fn panel() -> Mock {
    Mock::simple("panel", "DSI-1", true, &[mode(SMALL, true)])
}

pub(crate) fn open(card: &Mock, with: impl FnOnce(&mut Options)) -> Result<Kmsd, DisplayError> {
    let mut o = options(&MockCards::of(&[card]));
    with(&mut o);
    Kmsd::open(o)
}

pub(crate) fn list(size: (u32, u32), n: u32) -> Arc<CommandList> {
    let mut r = Recorder::new();
    r.begin(size.0, size.1).unwrap();
    r.clear(Color::hex(0x204060));
    let x = (n * 7 % 100) as f32;
    r.rect(x, 20.0, 30.0, 10.0).fill(Color::hex(0xFF8010 + n));
    r.freeze()
}

/// Draws a frame whole and presents it; `None` when no buffer is free. Answers the slot's age.
pub(crate) fn present(k: &mut Kmsd, n: u64) -> Option<u32> {
    let mut slot = k.acquire().unwrap()?;
    let l = list(slot.surface_size(), n as u32);
    let all = Region::of(l.surface());
    let age = slot.age;
    Rasterizer::new(1).render(&l, &LayerPlan::new(), &all, &mut slot.target());
    let damage = [IRect::new(1, 2, 31, 22)];
    k.present(slot, Frame { damage: &damage, number: n }).unwrap();
    Some(age)
}

pub(crate) fn events(k: &mut Kmsd) -> Vec<DisplayEvent> {
    let mut all = Vec::new();
    k.poll(&mut all);
    all
}

pub(crate) fn presented(events: &[DisplayEvent]) -> Vec<u64> {
    let number = |e: &DisplayEvent| match e {
        DisplayEvent::Presented { number, .. } => Some(*number),
        _ => None,
    };
    events.iter().filter_map(number).collect()
}

/// Shows so many frames, a blank after each.
pub(crate) fn show(k: &mut Kmsd, card: &Mock, numbers: std::ops::Range<u64>) {
    for n in numbers {
        present(k, n).expect("a buffer is free");
        card.blank();
        let told = presented(&events(k));
        assert_eq!(told, [n]);
    }
}

/// What is said while something runs.
pub(crate) fn said<T>(f: impl FnOnce() -> T) -> (T, String) {
    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);
    impl std::io::Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let sink = Sink::default();
    let to = sink.clone();
    let subscriber =
        tracing_subscriber::fmt().with_ansi(false).with_writer(move || to.clone()).finish();
    let out = tracing::subscriber::with_default(subscriber, f);
    let text = String::from_utf8_lossy(&sink.0.lock().unwrap()).into_owned();
    (out, text)
}

pub(crate) fn device(name: &str) -> Option<PathBuf> {
    Some(PathBuf::from(name))
}
