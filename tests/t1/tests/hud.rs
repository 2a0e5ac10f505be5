//! `ZINC_PERF_HUD`: the panel changes nothing but what it covers, asks for no frames, and says in
//! the table of `ZINC_PROFILE`, as everybody sees, what it costs.
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use std::path::Path;
use std::time::Duration;
use zinc_t1::{folder, run};

const APP: &str = env!("CARGO_BIN_EXE_t1-app");
const SIZE: (usize, usize) = (800, 480);

/// Hero's last frame on the simulated display; what was said.
fn hero(frames: u32, hud: &str) -> (Vec<u8>, String) {
    let dir = folder();
    let file = dir.path().join("sim");
    let mut c = run::on_sim(Path::new(APP), frames);
    c.arg("hero").env("ZINC_DEMO", "bench").env("ZINC_SIM", &file).env("ZINC_PERF_HUD", hud);
    c.env("ZINC_PROFILE", "1");
    let e = run::end(&mut c).expect(0);
    (std::fs::read(&file).unwrap(), e.err)
}

#[test]
fn nothing_but_its_box_differs() {
    for frames in [3, 90, 200] {
        let ((without, _), (with, _)) = (hero(frames, "0"), hero(frames, "1"));
        assert_eq!((without.len(), with.len()), (SIZE.0 * SIZE.1 * 4, SIZE.0 * SIZE.1 * 4));
        let differs = |i: &usize| without[i * 4..][..4] != with[i * 4..][..4];
        let all: Vec<usize> = (0..SIZE.0 * SIZE.1).filter(differs).collect();
        let (columns, rows) = (all.iter().map(|i| i % SIZE.0), all.iter().map(|i| i / SIZE.0));
        let span = |v: &mut dyn Iterator<Item = usize>| {
            v.fold((usize::MAX, 0), |(a, b), v| (a.min(v), b.max(v)))
        };
        let (x, y) = (span(&mut columns.into_iter()), span(&mut rows.into_iter()));
        println!("{frames} frames: columns {x:?}, rows {y:?}");
        assert!(all.len() > 10_000, "no panel");
        assert!(x.0 >= 16 && x.1 < 16 + 270 && y.0 >= 16 && y.1 < 16 + 170, "{x:?} {y:?}");
    }
}

/// An app that sleeps is not woken by the panel: as many lists and wake-ups as without.
#[test]
fn an_app_that_sleeps_goes_on_sleeping() {
    let count = |hud: &str| {
        let mut c = run::command(Path::new(APP));
        c.arg("still").env("ZINC_DISPLAY", "sim").env("ZINC_PROFILE", "1");
        c.env("ZINC_PERF_HUD", hud);
        let e = run::end(&mut c).expect(0);
        assert!(e.took >= Duration::from_secs(2), "{}", e.err);
        let line = e.err.lines().find(|l| l.starts_with("wake-ups")).unwrap().to_owned();
        let at = line.find(", pixels").unwrap();
        line[..at].to_owned()
    };
    let (without, with) = (count("0"), count("1"));
    println!("{without}\n{with}");
    // The list at the end differs from the first by the panel's own numbers: one frame.
    let lists = |l: &str| l.split("lists ").nth(1).unwrap().split(',').next().unwrap().to_owned();
    assert_eq!(lists(&without), lists(&with));
    let wake_ups = |l: &str| l[9..l.find(',').unwrap()].trim().parse::<u32>().unwrap();
    assert!(wake_ups(&with) <= wake_ups(&without) + 2, "{without} / {with}");
}
