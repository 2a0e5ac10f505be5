//! Boards made of files: one in good order, one with a weak supply and a desktop, one without a
//! screen, and one whose user is in no group. Each finding with its cure.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use tempfile::TempDir;
use zinc_doctor::{Finding, Grade, Report, System, User};

/// Who runs a test owns its files; this is nobody who does.
const SOMEBODY: u32 = 54_321;

struct Board(TempDir);

impl Board {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }
    fn file(&self, path: &str, text: &str) {
        let p = self.0.path().join(path);
        std::fs::create_dir_all(p.parent().unwrap()).unwrap();
        std::fs::write(p, text).unwrap();
    }
    /// A node that its owner and group may use.
    fn node(&self, path: &str) {
        self.file(path, "");
        let p = self.0.path().join(path);
        std::fs::set_permissions(p, PermissionsExt::from_mode(0o660)).unwrap();
    }
    fn link(&self, path: &str, to: &str) {
        let p = self.0.path().join(path);
        std::fs::create_dir_all(p.parent().unwrap()).unwrap();
        symlink(to, p).unwrap();
    }
    /// As somebody who owns none of it; `groups` are as he wishes.
    fn report(&self, id: u32, groups: &[u32]) -> Report {
        Report::of(&System::below(self.0.path(), User { id, groups: groups.to_vec() }))
    }
    /// The group that all its files belong to.
    fn group(&self) -> u32 {
        std::os::unix::fs::MetadataExt::gid(&std::fs::metadata(self.0.path()).unwrap())
    }
}

fn about<'r>(r: &'r Report, subject: &str, words: &str) -> &'r Finding {
    let all = r.0.iter().filter(|f| f.subject == subject);
    all.clone().find(|f| f.says.contains(words)).unwrap_or_else(|| {
        panic!(
            "no {subject} says {words:?}:\n{}",
            all.map(|f| format!("{f}\n")).collect::<String>()
        )
    })
}

/// A Raspberry Pi 3 with its touch screen, in good order.
fn pi() -> Board {
    let b = Board::new();
    b.file("proc/device-tree/model", "Raspberry Pi 3 Model B Plus Rev 1.3\0");
    b.file("proc/sys/kernel/osrelease", "6.12.25+rpt-rpi-v8\n");
    b.file("sys/devices/platform/soc/soc:firmware/get_throttled", "0\n");
    b.file("sys/class/thermal/thermal_zone0/temp", "51540\n");
    let cpu = "sys/devices/system/cpu/cpu0/cpufreq";
    b.file(&format!("{cpu}/scaling_governor"), "performance\n");
    b.file(&format!("{cpu}/scaling_max_freq"), "1400000\n");
    b.file(&format!("{cpu}/cpuinfo_max_freq"), "1400000\n");
    b.file(
        "proc/meminfo",
        "MemTotal:  927456 kB\nMemAvailable: 712345 kB\nCmaTotal: 262144 kB\nCmaFree: 241000 kB\n",
    );
    b.file("sys/class/drm/card1/x", "");
    b.link("sys/class/drm/card1/device/driver", "../../../bus/platform/drivers/vc4-drm");
    b.file("sys/class/drm/card1-DSI-1/status", "connected\n");
    b.file("sys/class/drm/card1-DSI-1/modes", "800x480\n");
    b.file("sys/class/drm/card1-HDMI-A-1/status", "disconnected\n");
    b.file("sys/class/drm/card1-Writeback-1/status", "unknown\n");
    b.file("sys/class/drm/card0/x", "");
    b.link("sys/class/drm/card0/device/driver", "../../../bus/platform/drivers/v3d");
    b.node("dev/dri/card1");
    b.node("dev/dri/card0");
    b.file("sys/class/graphics/fb0/name", "vc4drmfb\n");
    b.file("sys/class/graphics/fb0/virtual_size", "800,480\n");
    b.file("sys/class/graphics/fb0/bits_per_pixel", "16\n");
    b.node("dev/fb0");
    b.node("dev/tty0");
    b.node("dev/tty1");
    b.file("sys/class/tty/tty0/active", "tty1\n");
    let touch = "sys/class/input/event2/device";
    b.file(&format!("{touch}/name"), "generic ft5x06 (79)\n");
    b.file(&format!("{touch}/capabilities/key"), "400 0 0 0 0 0\n");
    b.file(&format!("{touch}/capabilities/abs"), "260800000000003\n");
    b.node("dev/input/event2");
    let keys = "sys/class/input/event10/device";
    b.file(&format!("{keys}/name"), "A keyboard\n");
    b.file(
        &format!("{keys}/capabilities/key"),
        "1000000000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe\n",
    );
    b.node("dev/input/event10");
    b.file("sys/class/video4linux/video10/name", "bcm2835-codec-decode\n");
    b.file("sys/class/video4linux/video11/name", "bcm2835-codec-encode_image\n");
    b.node("dev/video10");
    b.file("etc/group", &format!("root:x:0:\nvideo:x:{}:pi\n", b.group()));
    b
}

#[test]
fn a_board_in_good_order_has_nothing_wrong() {
    let b = pi();
    let r = b.report(SOMEBODY, &[b.group()]);
    println!("{r}");
    assert_eq!(r.grade(), Grade::Note, "{r}");
    about(&r, "board", "Raspberry Pi 3 Model B Plus Rev 1.3, kernel 6.12.25+rpt-rpi-v8");
    about(&r, "screen", "/dev/dri/card1 (vc4-drm), DSI-1: 800x480, 1 modes");
    about(&r, "screen", "/dev/dri/card0 (v3d) has no outputs");
    about(&r, "screen", "/dev/fb0 (vc4drmfb), 800x480, 16 bits");
    about(&r, "input", "/dev/input/event2: multi-touch, generic ft5x06 (79)");
    about(&r, "input", "/dev/input/event10: keyboard, A keyboard");
    about(&r, "films", "/dev/video10: bcm2835-codec-decode");
    assert!(!r.to_string().contains("encode"), "{r}");
    assert!(r.to_string().ends_with("nothing is wrong"), "{r}");
}

#[test]
fn a_weak_supply_a_desktop_and_a_slow_clock_are_named_with_their_cures() {
    let b = pi();
    b.file("sys/devices/platform/soc/soc:firmware/get_throttled", "50005\n");
    b.file("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "ondemand\n");
    b.file("sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq", "600000\n");
    b.file("sys/class/thermal/thermal_zone0/temp", "82100\n");
    b.file("proc/412/comm", "labwc\n");
    b.link("proc/412/fd/9", "/dev/dri/card1");
    b.file("proc/500/comm", "fbi\n");
    b.link("proc/500/fd/3", "/dev/fb0");
    b.file("sys/module/kernel/parameters/consoleblank", "600\n");
    let r = b.report(0, &[]);
    println!("{r}");
    assert_eq!(r.grade(), Grade::Bad);
    let power = about(&r, "power", "under-voltage, throttled now (0x50005)");
    assert!(power.cure.as_ref().unwrap().contains("5 V and 3 A"));
    let clock = about(&r, "clock", "governor ondemand, held at 600 of 1400 MHz: it speeds up late");
    assert!(clock.cure.as_ref().unwrap().contains("echo performance"));
    let desktop = about(&r, "owner", "labwc (process 412), a desktop, has /dev/dri/card1");
    assert!(desktop.cure.as_ref().unwrap().contains("multi-user.target"));
    assert_eq!(about(&r, "owner", "fbi (process 500) has /dev/fb0 open").grade, Grade::Warning);
    assert_eq!(about(&r, "heat", "82 degrees").grade, Grade::Warning);
    about(&r, "console", "dark after 600 s");
    assert!(r.to_string().ends_with("2 wrong, 2 to better"), "{r}");
    // What was, and is no more.
    b.file("sys/devices/platform/soc/soc:firmware/get_throttled", "0x80000\n");
    let r = b.report(0, &[]);
    assert_eq!(about(&r, "power", "hot since the start (0x80000)").grade, Grade::Warning);
}

#[test]
fn somebody_in_no_group_is_told_which_to_join() {
    let b = pi();
    let r = b.report(SOMEBODY, &[]);
    println!("{r}");
    for (subject, words) in
        [("rights", "/dev/dri/card1"), ("console", "/dev/tty1"), ("input", "event2")]
    {
        let f = about(&r, subject, words);
        assert_eq!(f.grade, Grade::Bad, "{f}");
        assert!(f.cure.as_ref().unwrap().contains("sudo usermod -aG "), "{f}");
    }
    let cure = about(&r, "rights", "/dev/dri/card1").cure.clone().unwrap();
    assert!(cure.starts_with("sudo usermod -aG video $USER"), "{cure}");
    assert!(about(&r, "owner", "none of your programs").cure.as_ref().unwrap().contains("sudo"));
}

#[test]
fn a_machine_without_a_screen_or_anything_is_told_so() {
    let b = Board::new();
    let r = b.report(SOMEBODY, &[]);
    println!("{r}");
    let none = about(&r, "screen", "no card with outputs and no frame buffer");
    assert_eq!(none.grade, Grade::Bad);
    about(&r, "console", "no virtual terminals");
    about(&r, "films", "no decoder");
    // Something is plugged into a card, or not.
    b.file("sys/class/drm/card0-HDMI-A-1/status", "disconnected\n");
    b.file("sys/class/drm/card0/x", "");
    let r = b.report(SOMEBODY, &[]);
    let f = about(&r, "screen", "nothing is plugged in");
    assert_eq!(f.grade, Grade::Warning);
    assert!(about(&r, "rights", "/dev/dri/card0 is not there").cure.is_some());
}

/// Whatever a file holds, there is a report.
#[test]
fn nonsense_in_files_is_no_panic() {
    let b = pi();
    for path in [
        "proc/meminfo",
        "etc/group",
        "sys/class/drm/card1-DSI-1/modes",
        "sys/devices/platform/soc/soc:firmware/get_throttled",
        "sys/class/thermal/thermal_zone0/temp",
        "sys/class/input/event2/device/capabilities/abs",
        "sys/class/graphics/fb0/virtual_size",
    ] {
        for text in ["", "\0\0", "-1\n", "zz zz\n", "99999999999999999999999\n", ":::\n:"] {
            b.file(path, text);
            let _ = b.report(SOMEBODY, &[]).to_string();
        }
        std::fs::write(Path::new(b.0.path()).join(path), [0xFF, 0xFE, 0x80]).unwrap();
        let _ = b.report(0, &[]).to_string();
    }
}
