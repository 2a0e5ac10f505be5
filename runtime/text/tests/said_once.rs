//! What is logged, and how often. Alone in its process: the log of other tests would mix in.

#![cfg(not(feature = "system-fonts"))]

use std::sync::{Arc, Mutex};
use zinc_text::{FontSet, TextEngine, TextStyle};

const STYLE: TextStyle = TextStyle::new(16.0);

/// Collects messages of one thread.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl tracing::Subscriber for Log {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }
    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn event(&self, event: &tracing::Event<'_>) {
        struct Visit<'a>(&'a mut String);
        impl tracing::field::Visit for Visit<'_> {
            fn record_debug(&mut self, _: &tracing::field::Field, v: &dyn core::fmt::Debug) {
                *self.0 += &format!("{v:?}");
            }
        }
        let mut s = String::new();
        event.record(&mut Visit(&mut s));
        self.0.lock().expect("no panic under it").push(s);
    }
    fn enter(&self, _: &tracing::span::Id) {}
    fn exit(&self, _: &tracing::span::Id) {}
}

#[test]
fn without_system_fonts_there_is_text_and_it_is_said_once() {
    let log = Log::default();
    tracing::subscriber::with_default(log.clone(), || {
        let mut e = TextEngine::new(FontSet::built_in());
        for i in 0..50 {
            let p = e.paragraph(&format!("text {i} \u{4E00}"), &STYLE, None);
            assert!(p.glyphs().len() > 6 && p.glyphs()[..6].iter().all(|g| g.id != 0));
        }
    });
    let log = log.0.lock().unwrap();
    assert_eq!(log.iter().filter(|l| l.contains("built-in")).count(), 1, "{log:?}");
    assert_eq!(log.iter().filter(|l| l.contains("U+4E00")).count(), 1, "{log:?}");
    assert_eq!(log.len(), 2);
}
