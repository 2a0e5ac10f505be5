//! `ZINC_TRACE`: a file that Perfetto and Chrome open. Each thread is a track, spans nest, and the
//! frames that reached the glass are as many there as in the table of `ZINC_PROFILE`.
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use zinc_t1::{folder, run};

const APP: &str = env!("CARGO_BIN_EXE_t1-app");

#[test]
fn a_trace_has_every_stage_on_its_threads_track() {
    let dir = folder();
    let file = dir.path().join("trace.json");
    let mut c = run::command(Path::new(APP));
    c.arg("hero").env("ZINC_DISPLAY", "sim").env("ZINC_DEMO", "bench").env("ZINC_FRAMES", "60");
    c.env("ZINC_TRACE", &file).env("ZINC_PROFILE", "1").env("ZINC_RENDER_THREADS", "3");
    let e = run::end(&mut c).expect(0).said(&["a trace of every frame is written to"]);
    // Spans are not lines.
    assert_eq!(e.times("flip{"), 0, "{}", e.err);

    let all: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let text = |v: &Value, key: &str| v[key].as_str().unwrap_or_default().to_owned();
    let mut open: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    let mut tracks: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    let (mut flips, mut spans) = (0, 0);
    for v in &all {
        let (name, thread) = (text(v, "name"), v["tid"].as_u64().unwrap());
        match text(v, "ph").as_str() {
            "B" => {
                spans += 1;
                tracks.entry(name.clone()).or_default().insert(thread);
                open.entry(thread).or_default().push(name);
            }
            "E" => assert_eq!(open.entry(thread).or_default().pop(), Some(name)),
            "i" => {
                flips += u64::from(v["args"]["number"].is_string() || v["args"]["number"].is_u64())
            }
            _ => {}
        }
    }
    assert!(open.values().all(Vec::is_empty), "not ended: {open:?}");
    let known = ["band", "bands", "diff", "plan", "present", "raster", "view"];
    assert_eq!(tracks.keys().map(String::as_str).collect::<Vec<_>>(), known);
    assert!(tracks["bands"].len() > 1 && tracks["band"].len() > 1, "{tracks:?}");
    assert_eq!((tracks["view"].len(), tracks["raster"].len()), (1, 1), "{tracks:?}");
    let [frames, told] = ["frames", "flips"].map(|w| run::counted(&e.err, w));
    println!("{spans} spans, {flips} flips");
    assert_eq!(flips, told, "{}", e.err);
    assert!(flips == frames && frames >= 30, "{}", e.err);
}

#[test]
fn a_trace_that_cannot_be_written_is_said() {
    let mut c = run::on_sim(Path::new(APP), 3);
    c.arg("plain").env("ZINC_TRACE", "/nowhere/at/all.json");
    run::end(&mut c).expect(0).said(&["ZINC_TRACE: cannot write /nowhere/at/all.json: No such"]);
}
