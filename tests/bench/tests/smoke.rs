//! The bench runs on its own scenes, and every contestant draws about the same picture.

use std::process::Command;

#[test]
fn the_small_set_is_measured() {
    let out = Command::new(env!("CARGO_BIN_EXE_zinc-bench"))
        .args(["--frames", "2", "--rounds", "1", "--threads", "2"])
        .output()
        .unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success(), "{text}{}", String::from_utf8_lossy(&out.stderr));
    for scene in ["cards", "photos", "map"] {
        let rows: Vec<_> = text.lines().filter(|l| l.starts_with(scene)).collect();
        assert_eq!(rows.len(), 4, "{text}");
        for peer in &rows[2..] {
            let psnr: f64 = peer.split_whitespace().last().unwrap().parse().unwrap();
            assert!(psnr > 28.0, "{peer}");
        }
    }
}
