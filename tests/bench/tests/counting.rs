//! What the bench counts is a property of the program: two runs count alike, and a level has a name.

use std::process::{Command, Output};

fn bench(args: &[&str]) -> Output {
    let mut c = Command::new(env!("CARGO_BIN_EXE_zinc-bench"));
    c.args(args).output().expect("the bench starts")
}

/// Instructions of a frame of the small scenes, in millions.
fn counted() -> Vec<(String, f64)> {
    let o = bench(&["--instructions", "--frames", "2", "--scene", "cards", "--scene", "photos"]);
    let said = String::from_utf8_lossy(&o.stderr);
    assert!(o.status.success(), "{said}");
    let out = String::from_utf8_lossy(&o.stdout).into_owned();
    let row = |l: &str| {
        let mut words = l.split_whitespace();
        Some((words.next()?.to_owned(), words.next()?.parse().ok()?))
    };
    out.lines().skip(1).filter_map(row).collect()
}

#[test]
fn two_runs_count_alike() {
    let (one, two) = (counted(), counted());
    assert_eq!(one.len(), 2, "{one:?}");
    for ((name, a), (_, b)) in one.iter().zip(&two) {
        assert!(*a > 0.5, "{name}: {a} million instructions");
        // Two decimals are printed: the last may be rounded the other way.
        assert!((a - b).abs() < 0.015, "{name}: {a} and {b} million instructions");
    }
}

#[test]
fn a_level_that_is_not_here_is_answered_with_those_that_are() {
    let o = bench(&["--level", "mmx"]);
    assert!(!o.status.success());
    let said = String::from_utf8_lossy(&o.stderr);
    assert!(said.contains("\"mmx\"") && said.contains("scalar"), "{said}");
}
