//! Nothing happens, nothing runs: a screen at rest costs no view, no list, no frame and no
//! wake-up; a screen that ticks damages what ticks; a hidden screen does not wake anybody.
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use hero::Hero;
use std::time::Duration;
use zinc::testing::Harness;
use zinc_scene::{Differ, IRect, LayerPlan};
use zinc_t1::{programs, run};

fn hero(demo: &str) -> Harness<Hero> {
    Harness::with(Hero::default(), 800, 480, Some(demo))
}

/// A harness lets time pass as the loop does: frames only where there is a reason.
#[test]
fn settings_at_rest_runs_no_view() {
    let mut app = hero("settings");
    app.wait(Duration::from_secs(1));
    let before = app.counts();
    app.wait(Duration::from_secs(5));
    assert_eq!(app.counts(), before);
    let out = app.output().unwrap();
    assert_eq!((out.animating, out.wake_at), (false, None), "nothing will wake it later either");
}

#[test]
fn a_hidden_screen_does_not_wake() {
    let mut app = hero("home");
    app.wait(Duration::from_secs(2));
    assert!(app.output().unwrap().wake_at.is_some(), "home ticks while it is shown");
    app.click("Settings");
    app.wait(Duration::from_secs(1));
    let before = app.counts();
    app.wait(Duration::from_secs(5));
    assert_eq!(app.counts(), before);
    app.click("Home");
    let before = app.counts().views;
    app.wait(Duration::from_secs(2));
    assert!(app.counts().views > before, "it ticks again when it is shown again");
}

#[test]
fn home_ticks_and_damages_only_what_ticks() {
    let mut app = hero("home");
    app.wait(Duration::from_secs(3));
    // The card of the chart: between its own heading and the next one's.
    let top = app.ui().find("Power").unwrap().y as i32 - 20;
    let bottom = app.ui().find("Goals of today").unwrap().y as i32 - 10;
    let card = IRect::new(232, top, 800, bottom);
    let (mut differ, mut ticks) = (Differ::default(), 0);
    let before = app.counts();
    let mut old = app.list().unwrap();
    for _ in 0..5 * 60 {
        app.wait(Duration::from_nanos(16_666_667));
        let new = app.list().unwrap();
        let plan = LayerPlan::new();
        let damage = differ.diff(Some((&old, &plan)), (&new, &plan));
        for r in damage.rects() {
            assert!(card.contains_rect(*r), "{r:?} is damaged, outside of {card:?}");
        }
        ticks += u32::from(!damage.is_empty());
        old = new;
    }
    let frames = app.counts().frames - before.frames;
    println!("home, 5 s: {frames} frames, {ticks} with damage");
    assert!((30..=42).contains(&ticks), "eight a second, not {ticks} in five");
    assert!(frames <= u64::from(ticks) + 2, "{frames} frames for {ticks} ticks");
}

/// Context switches of all threads of a process: each wake-up is one.
#[cfg(target_os = "linux")]
fn switches(pid: u32) -> u64 {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let of = |t: std::fs::DirEntry| {
        let status = std::fs::read_to_string(t.path().join("status")).unwrap();
        let count = |l: &str| l.split_whitespace().next_back().and_then(|n| n.parse::<u64>().ok());
        status.lines().filter(|l| l.contains("ctxt_switches")).filter_map(count).sum::<u64>()
    };
    tasks.map(|t| of(t.unwrap())).sum()
}

/// Wake-ups of hero, as a real process on the real clock, in `seconds`, after it came to rest.
#[cfg(target_os = "linux")]
fn wakeups(demo: &str, seconds: u64) -> u64 {
    let mut c = run::command(programs::hero());
    c.env("ZINC_DISPLAY", "sim").env("ZINC_DEMO", demo).env("ZINC_LOG", "warn");
    let mut child = c.spawn().unwrap();
    std::thread::sleep(Duration::from_secs(3));
    let before = switches(child.id());
    std::thread::sleep(Duration::from_secs(seconds));
    let after = switches(child.id());
    assert!(child.try_wait().unwrap().is_none(), "hero ended by itself");
    child.kill().unwrap();
    child.wait().unwrap();
    after - before
}

#[test]
#[cfg(target_os = "linux")]
fn settings_sleeps_in_one_system_call() {
    assert_eq!(wakeups("settings", 5), 0, "wake-ups in 5 s");
    // The measure is worth something: Home wakes for its chart.
    let home = wakeups("home", 2);
    println!("home: {home} switches in 2 s");
    assert!(home > 10, "{home}");
}
