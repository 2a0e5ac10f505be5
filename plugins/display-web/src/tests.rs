//! The display as the loop sees it.

use super::*;
use std::time::Duration;
use zinc_scene::IRect;

fn open(size: Option<(u32, u32)>) -> Web {
    Web::open(Options {
        bind: "127.0.0.1".into(),
        port: 0,
        token: None,
        size,
        default_size: (8, 4),
        scale: 1.0,
        title: "test".into(),
        waker: Arc::new(|| {}),
        start: Instant::now(),
    })
    .unwrap()
}

#[test]
fn buffers_are_lent_and_aged() {
    let mut w = open(None);
    let mut a = w.acquire().unwrap().unwrap();
    let b = w.acquire().unwrap().unwrap();
    assert_eq!((a.age, b.age), (0, 0));
    assert!(w.acquire().unwrap().is_none(), "all are out");
    let damage = [IRect::of_size(8, 4)];
    let (first, second) = (a.index, b.index);
    assert_eq!(a.buffer.bytes().len(), 8 * 4 * 4);
    w.present(a, Frame { damage: &damage, number: 0 }).unwrap();
    w.present(b, Frame { damage: &damage, number: 1 }).unwrap();
    let newest = w.acquire().unwrap().unwrap();
    assert_eq!((newest.index, newest.age), (second, 1));
    let older = w.acquire().unwrap().unwrap();
    assert_eq!((older.index, older.age), (first, 2));
    w.release(newest);
    let again = w.acquire().unwrap().unwrap();
    assert_eq!((again.index, again.age), (second, 1), "given back undrawn");
}

#[test]
fn a_slot_of_the_old_size_is_shown_to_nobody() {
    let mut w = open(None);
    let slot = w.acquire().unwrap().unwrap();
    let window = wire::Window { width: 6, height: 5, ratio: 2.0 };
    lock(&w.shared).join(true, window).unwrap();
    let mut events = Vec::new();
    w.poll(&mut events);
    assert_eq!(events[0], DisplayEvent::Resized { width: 6, height: 5, scale: 2.0 });
    assert_eq!((w.info().width, w.info().scale), (6, 2.0));
    w.present(slot, Frame { damage: &[IRect::of_size(8, 4)], number: 5 }).unwrap();
    events.clear();
    w.poll(&mut events);
    assert!(matches!(events[..], [DisplayEvent::Presented { number: 5, .. }]), "{events:?}");
    assert!(!lock(&w.shared).kept.is_valid());
    let slot = w.acquire().unwrap().unwrap();
    assert_eq!((slot.width, slot.height, slot.age), (6, 5, 0));
}

#[test]
fn the_server_ends_with_the_display() {
    let w = open(Some((8, 4)));
    let at = w.info().description;
    let at = at.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
    assert!(at.starts_with("127.0.0.1:") && !at.ends_with(":0"), "{at}");
    let stream = std::net::TcpStream::connect(&at).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    drop(w);
    assert!(std::net::TcpStream::connect(&at).is_err());
}
