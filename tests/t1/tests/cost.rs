//! Instructions of a steady frame of 1,000 unchanged elements, counted by callgrind: view, layout,
//! record and freeze. Two runs of different length are compared, so that the start cancels out.
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use std::path::Path;
use zinc_t1::{folder, run};

/// The budget of rule 1 of the programming interface.
const BUDGET: u64 = 1_000_000;
const FRAMES: [u64; 2] = [20, 60];

/// Instructions of a run with so many frames, and what the program said.
fn instructions(frames: u64, changing: &str) -> (u64, String) {
    let dir = folder();
    let out = dir.path().join("callgrind.out");
    let mut c = run::command(Path::new("valgrind"));
    c.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", out.display()));
    c.arg(env!("CARGO_BIN_EXE_t1-app")).args(["rows", &frames.to_string(), changing]);
    let found = std::process::Command::new("valgrind").arg("--version").output();
    assert!(found.is_ok(), "valgrind is missing: install the package valgrind");
    let e = run::end(&mut c).expect(0);
    let total = std::fs::read_to_string(&out).unwrap();
    let line = total.lines().find(|l| l.starts_with("totals:") || l.starts_with("summary:"));
    let n = line.and_then(|l| l.split_whitespace().nth(1)).and_then(|n| n.parse().ok());
    (n.expect("callgrind writes a total"), e.out)
}

/// Instructions of one frame.
fn per_frame(changing: &str) -> (u64, String) {
    let (few, _) = instructions(FRAMES[0], changing);
    let (many, said) = instructions(FRAMES[1], changing);
    ((many - few) / (FRAMES[1] - FRAMES[0]), said)
}

/// A figure, past the test runner's capture: it is to be read in every run.
fn say(words: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{words}");
}

#[test]
fn a_thousand_unchanged_elements_stay_in_the_budget() {
    let (n, said) = per_frame("none");
    say(&format!("steady frame of 1,000 elements: {n} instructions (budget {BUDGET}); {said}"));
    assert!(said.contains("layouts 0 paragraphs 0"), "{said}");
    let elements: u64 =
        said.split("elements ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let commands: u64 =
        said.split("commands ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(elements >= 1000 && commands >= 1000, "{said}");
    assert!(n <= BUDGET, "{n} instructions");
    let (one, said) = per_frame("100");
    say(&format!("the same with one text that changes: {one} instructions; {said}"));
}
