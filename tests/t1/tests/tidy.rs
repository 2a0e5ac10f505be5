//! The repository checks itself: which crate may know which, how long files are, where `unsafe`
//! stands, that every switch is documented, what no text may say.

#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use zinc_t1::root;

/// A file of the repository that is text: its path from the root, and its content.
struct Text {
    name: String,
    content: String,
}

/// All committed or about to be committed text files, with one of these endings.
fn texts(endings: &[&str]) -> Vec<Text> {
    let git = Command::new("git")
        .current_dir(root())
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .output()
        .unwrap();
    assert!(git.status.success(), "git ls-files failed");
    let all = String::from_utf8(git.stdout).unwrap();
    let wanted = |n: &&str| endings.is_empty() || endings.iter().any(|e| n.ends_with(e));
    let read = |name: &str| {
        let content = std::fs::read_to_string(root().join(name)).ok()?;
        Some(Text { name: name.to_owned(), content })
    };
    let found: Vec<Text> = all.lines().filter(wanted).filter_map(read).collect();
    assert!(!found.is_empty(), "no file ends with {endings:?}");
    found
}

/// The code of a line: no comment, no text in quotes.
fn code(line: &str) -> String {
    let mut out = String::new();
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if quoted => drop(chars.next()),
            '"' => quoted ^= true,
            '/' if !quoted && chars.peek() == Some(&'/') => break,
            c if !quoted => out.push(c),
            _ => {}
        }
    }
    out
}

fn fail(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

// ---- Crates.

/// Which workspace crates each may know; `*` is all of a folder. Tests may know more.
const ARROWS: &[(&str, &[&str])] = &[
    ("zinc-scene", &[]),
    ("zinc-hal", &["zinc-scene"]),
    // The machine's own files: it knows nobody, and board tools know it.
    ("zinc-doctor", &[]),
    ("zinc-raster", &["zinc-scene"]),
    ("zinc-text", &["zinc-scene"]),
    ("zinc-image", &["zinc-scene"]),
    ("zinc-ui", &["zinc-scene", "zinc-hal", "zinc-text", "zinc-image"]),
    ("zinc", &["runtime/*", "plugins/*"]),
    // It knows nothing of displays.
    ("zinc-console", &[]),
    ("zinc-kms-core", &["zinc-hal"]),
    // It is beside displays, not of one.
    ("zinc-input-evdev", &["zinc-scene", "zinc-hal"]),
    ("plugins/*", &["zinc-scene", "zinc-hal", "zinc-kms-core"]),
    ("zinc-compiler", &["zinc-doctor"]),
    ("examples/*", &["zinc"]),
    ("zinc-t1", &["runtime/*", "plugins/*", "examples/*"]),
    // Measurements next to other rasterizers, which stay out of everything else.
    ("zinc-bench", &["zinc-scene", "zinc-raster"]),
];

struct Crate {
    name: String,
    folder: String,
    knows: Vec<String>,
}

fn crates() -> Vec<Crate> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let args = ["metadata", "--format-version", "1", "--no-deps", "--offline", "--locked"];
    let out = Command::new(cargo).current_dir(root()).args(args).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let v: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let all = v["packages"].as_array().unwrap();
    let names: BTreeSet<&str> = all.iter().map(|p| p["name"].as_str().unwrap()).collect();
    let one = |p: &serde_json::Value| {
        let manifest = PathBuf::from(p["manifest_path"].as_str().unwrap());
        let folder = manifest.parent().unwrap().strip_prefix(root().canonicalize().unwrap());
        let dependency = |d: &serde_json::Value| {
            let name = d["name"].as_str().unwrap();
            let ours = names.contains(name) && d["kind"].as_str() != Some("dev");
            ours.then(|| name.to_owned())
        };
        let knows = p["dependencies"].as_array().unwrap().iter().filter_map(dependency).collect();
        let folder = folder.unwrap().display().to_string();
        Crate { name: p["name"].as_str().unwrap().to_owned(), folder, knows }
    };
    all.iter().map(one).collect()
}

fn matches(pattern: &str, c: &Crate) -> bool {
    match pattern.strip_suffix('*') {
        Some(folder) => c.folder.starts_with(folder),
        None => pattern == c.name,
    }
}

#[test]
fn arrows_point_down() {
    let all = crates();
    let mut wrong = Vec::new();
    for c in &all {
        let Some((_, may)) = ARROWS.iter().find(|(p, _)| matches(p, c)) else {
            wrong.push(format!("{} ({}) is in no row of ARROWS", c.name, c.folder));
            continue;
        };
        for k in &c.knows {
            let known = all.iter().find(|o| o.name == *k).unwrap();
            if !may.iter().any(|p| matches(p, known)) {
                wrong.push(format!("{} must not know {k}", c.name));
            }
        }
    }
    fail(&wrong);
}

#[test]
fn the_lock_file_is_there_and_holds_one_version_of_each_drawing_crate() {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let mut versions: BTreeMap<&str, usize> = BTreeMap::new();
    for name in lock.lines().filter_map(|l| l.strip_prefix("name = \"")?.strip_suffix('"')) {
        *versions.entry(name).or_default() += 1;
    }
    assert!(versions.len() > 50, "Cargo.lock names {} crates", versions.len());
    for name in ["skrifa", "harfrust", "read-fonts", "kurbo", "tiny-skia", "drm"] {
        let n = versions.get(name).copied().unwrap_or(0);
        assert!(n <= 1, "Cargo.lock holds {n} versions of {name}");
    }
    for name in ["skrifa", "kurbo"] {
        assert!(versions.contains_key(name), "{name} is not in Cargo.lock any more: mend the list");
    }
}

// ---- Files.

const LINES_MAX: usize = 1000;
const LINES_NOTE: usize = 600;
const FUNCTION_NOTE: usize = 100;

#[test]
fn files_are_short_and_begin_with_what_they_are() {
    let (mut wrong, mut long, mut functions) = (Vec::new(), Vec::new(), Vec::new());
    for t in texts(&[".rs"]) {
        let n = t.content.lines().count();
        if n > LINES_MAX {
            wrong.push(format!("{}: {n} lines, over {LINES_MAX}", t.name));
        } else if n > LINES_NOTE {
            long.push(format!("{} ({n})", t.name));
        }
        if !t.content.starts_with("//!") && !t.content.starts_with("/*") {
            wrong.push(format!("{}: it does not begin with a head comment", t.name));
        }
        functions.extend(long_functions(&t));
    }
    println!("files over {LINES_NOTE} lines: {}", long.join(", "));
    println!("{} functions over {FUNCTION_NOTE} lines: {}", functions.len(), functions.join(", "));
    fail(&wrong);
}

/// Functions of more than so many lines, by the indentation that rustfmt gives them.
fn long_functions(t: &Text) -> Vec<String> {
    let lines: Vec<&str> = t.content.lines().collect();
    let mut found = Vec::new();
    for (i, l) in lines.iter().enumerate() {
        let indent = l.len() - l.trim_start().len();
        let head = l.trim_start().split('(').next().unwrap_or_default();
        if !head.split(' ').any(|w| w == "fn") || l.trim_start().starts_with("//") {
            continue;
        }
        let close = format!("{}}}", " ".repeat(indent));
        let len = lines[i..].iter().position(|l| *l == close).unwrap_or(0);
        if len > FUNCTION_NOTE {
            found.push(format!("{}:{} ({len})", t.name, i + 1));
        }
    }
    found
}

#[test]
fn both_licences_are_there() {
    for (file, words) in [("LICENSE-MIT", "MIT"), ("LICENSE-APACHE", "Apache License")] {
        let text = std::fs::read_to_string(root().join(file)).unwrap_or_default();
        assert!(text.contains(words), "{file} is missing or another one");
    }
}

// ---- Unsafe.

/// Where `unsafe` may stand, beside tests that count allocations.
const UNSAFE_ALLOWED: &[&str] = &[
    "runtime/raster/src/simd",
    "runtime/raster/src/store",
    "runtime/gles/",
    "plugins/console/",
    "plugins/display-fbdev/",
    "plugins/display-kms/",
    "plugins/display-gl/",
    "plugins/kms-core/",
    "plugins/input-evdev/",
    "plugins/video/",
];

/// Tests with an allocator of their own.
const COUNTING: &[&str] = &[
    "runtime/image/tests/bomb_memory.rs",
    "runtime/raster/tests/allocations.rs",
    "runtime/text/tests/no_allocation.rs",
    "tests/t1/tests/steady.rs",
];

#[test]
fn unsafe_code_is_where_it_may_be_and_says_why() {
    let mut wrong = Vec::new();
    for t in texts(&[".rs"]) {
        let lines: Vec<&str> = t.content.lines().collect();
        for (i, l) in lines.iter().enumerate() {
            if !code(l).split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|w| w == "unsafe") {
                continue;
            }
            let place = format!("{}:{}", t.name, i + 1);
            let allowed = UNSAFE_ALLOWED.iter().any(|p| t.name.starts_with(p));
            if !allowed && !COUNTING.contains(&t.name.as_str()) {
                wrong.push(format!("{place}: unsafe may not stand here"));
            }
            // A function that is unsafe to call says so in its `# Safety`; blocks and
            // implementations say it above.
            let block = !code(l).contains("unsafe fn");
            let above = lines[i.saturating_sub(4)..=i].iter().any(|l| l.contains("SAFETY:"));
            if block && !above {
                wrong.push(format!("{place}: no SAFETY comment above"));
            }
        }
    }
    fail(&wrong);
}

#[test]
fn every_crate_forbids_unsafe_unless_it_needs_it() {
    let mut wrong = Vec::new();
    for c in crates() {
        let folder = root().join(&c.folder);
        let allowed = UNSAFE_ALLOWED.iter().any(|p| p.starts_with(&c.folder));
        for head in ["src/lib.rs", "src/main.rs"].map(|f| folder.join(f)) {
            let Ok(text) = std::fs::read_to_string(&head) else { continue };
            // A program beside a library of the same crate is a line or two.
            let thin = head.ends_with("main.rs") && folder.join("src/lib.rs").exists();
            let said =
                ["forbid(unsafe_code)", "deny(unsafe_code)"].iter().any(|w| text.contains(w));
            if !said && !allowed && !thin && !c.folder.starts_with("examples") {
                wrong.push(format!("{}: no #![forbid(unsafe_code)]", head.display()));
            }
        }
    }
    fail(&wrong);
}

// ---- Switches.

/// Every `ZINC_…` word of a text.
fn switches(text: &str) -> BTreeSet<String> {
    let legal = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    text.match_indices("ZINC_")
        .map(|(i, _)| {
            let rest = &text[i..];
            rest[..rest.find(|c| !legal(c)).unwrap_or(rest.len())].to_owned()
        })
        .filter(|w| w.len() > 5 && !w.ends_with('_'))
        .collect()
}

#[test]
fn every_switch_is_in_the_table_and_every_row_is_read() {
    let table = std::fs::read_to_string(root().join("docs/env_vars.md")).unwrap();
    let (now, before) = table.split_once("## The prototype's switches").unwrap();
    let rows = |t: &str| -> BTreeSet<String> {
        let row = |l: &&str| l.starts_with("| `ZINC_");
        t.lines()
            .filter(row)
            .flat_map(|l| switches(l.split(" | ").next().unwrap_or_default()))
            .collect()
    };
    let (listed, told) = (rows(now), rows(before));
    let read: BTreeSet<String> = texts(&[".rs"])
        .iter()
        .filter(|t| !t.name.contains("tests/t1/tests/"))
        .flat_map(|t| switches(&t.content))
        .collect();
    let missing: Vec<_> = read.difference(&listed).collect();
    assert!(missing.is_empty(), "read, but not in docs/env_vars.md: {missing:?}");
    let stale: Vec<_> = listed.difference(&read).collect();
    assert!(stale.is_empty(), "in docs/env_vars.md, but read nowhere: {stale:?}");
    assert!(told.len() > 60, "the second table tells of {} switches", told.len());
}

// ---- Words.

/// Words that stand for work not done. Written apart, so that this file holds none of them.
const UNDONE: &[&str] = &[
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("dbg", "!("),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
];

#[test]
fn nothing_is_left_undone() {
    let mut wrong = Vec::new();
    for t in texts(&[".rs", ".toml", ".sh", ".html", ".md", ".txt", "zinc"]) {
        for (i, l) in t.content.lines().enumerate() {
            wrong.extend(
                UNDONE
                    .iter()
                    .filter(|w| l.contains(*w))
                    .map(|w| format!("{}:{}: {w}", t.name, i + 1)),
            );
        }
    }
    fail(&wrong);
}

/// The public registry's crate of our name is someone else's.
#[test]
fn nobody_is_told_to_add_a_strangers_crate() {
    let words = [
        concat!("cargo add ", "zinc"),
        concat!("zin", "c = \""),
        concat!("cargo install ", "zinc"),
    ];
    let mut wrong = Vec::new();
    for t in texts(&[".rs", ".toml", ".md", ".txt", ".html", ".sh"]) {
        for (i, l) in t.content.lines().enumerate() {
            wrong.extend(
                words
                    .iter()
                    .filter(|w| l.contains(*w))
                    .map(|w| format!("{}:{}: {w}", t.name, i + 1)),
            );
        }
    }
    fail(&wrong);
}

/// Hosts that texts may name besides the machine itself: places to read, never to reach.
const PUBLIC: &[&str] = &[
    "www.apache.org",
    "github.com",
    "docs.rs",
    "crates.io",
    "www.w3.org",
    "openfontlicense.org",
    "scripts.sil.org",
    "rustup.rs",
    "www.rust-lang.org",
    "www.unicode.org",
];

#[test]
fn no_text_names_a_machine() {
    let mut wrong = Vec::new();
    for t in texts(&[".rs", ".toml", ".md", ".txt", ".html", ".json", ".sh", "zinc"]) {
        for (i, l) in t.content.lines().enumerate() {
            for host in hosts(l) {
                let own = ["127.0.0.1", "localhost", "0.0.0.0", "[::1]"].contains(&host.as_str());
                let example = host.ends_with(".example") || host.ends_with("example.org");
                let made = host.is_empty() || host.starts_with(['{', '$', '<']);
                if !own && !example && !made && !PUBLIC.contains(&host.as_str()) {
                    wrong.push(format!("{}:{}: the host {host}", t.name, i + 1));
                }
            }
            for path in [concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/wo", "rk/")] {
                if l.contains(path) {
                    wrong.push(format!("{}:{}: the path {path}", t.name, i + 1));
                }
            }
        }
    }
    fail(&wrong);
}

/// The hosts of all addresses in a line.
fn hosts(l: &str) -> Vec<String> {
    let after = |scheme: &str| -> Vec<String> {
        let end = |c: char| c.is_whitespace() || "/:\"'`<>)],;\\".contains(c);
        l.split(scheme).skip(1).map(|r| r[..r.find(end).unwrap_or(r.len())].to_owned()).collect()
    };
    [after("http://"), after("https://"), after("ws://")].concat()
}

/// The helpers above see what they are to see.
#[test]
fn the_checks_can_fail() {
    assert_eq!(code("let a = \"unsafe\"; // unsafe"), "let a = ; ");
    assert_eq!(hosts("see http://a.example/c and https://b.example"), ["a.example", "b.example"]);
    let found: Vec<String> = switches("ZINC_A, ZINC_B_2 and ZINC_").into_iter().collect();
    assert_eq!(found, ["ZINC_A", "ZINC_B_2"]);
    let long = format!("fn a() {{\n{}}}\n", "    x();\n".repeat(FUNCTION_NOTE + 1));
    let t = Text { name: "a.rs".to_owned(), content: long };
    assert_eq!(long_functions(&t).len(), 1);
    assert!(Path::new(&root()).join("Cargo.toml").exists());
}
