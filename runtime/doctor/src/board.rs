//! The board itself: model, power, heat, clock, memory.

use crate::system::System;
use crate::{Finding, power};

/// Degrees from which boards begin to slow down.
const HOT: u64 = 75;
/// Megabytes of free memory that an app with pictures wants.
const FREE: u64 = 96;
/// Megabytes of contiguous memory that screens and films want.
const CMA: u64 = 64;

pub(crate) fn look(s: &System, all: &mut Vec<Finding>) {
    let model =
        s.text("/proc/device-tree/model").or_else(|| s.text("/sys/class/dmi/id/product_name"));
    let kernel = s.text("/proc/sys/kernel/osrelease").unwrap_or_else(|| "no Linux".to_owned());
    let model = model.unwrap_or_else(|| "unknown model".to_owned());
    all.push(Finding::note("board", format!("{model}, kernel {kernel}")));
    power::look(s, all);
    heat(s, all);
    clock(s, all);
    memory(s, all);
    blanking(s, all);
}

fn heat(s: &System, all: &mut Vec<Finding>) {
    let zones = s.names("/sys/class/thermal");
    let degrees = |z: &String| s.number(&format!("/sys/class/thermal/{z}/temp")).map(|t| t / 1000);
    let zones = zones.iter().filter(|z| z.starts_with("thermal_zone"));
    // What tells more is broken or meant for something else.
    let Some(most) = zones.filter_map(degrees).filter(|t| *t < 150).max() else { return };
    let says = format!("{most} degrees");
    all.push(match most {
        HOT.. => {
            Finding::warning("heat", says).cure("a heat sink or a fan; apps slow down from 80")
        }
        _ => Finding::good("heat", says),
    });
}

fn clock(s: &System, all: &mut Vec<Finding>) {
    const CPU: &str = "/sys/devices/system/cpu/cpu0/cpufreq";
    let Some(governor) = s.text(&format!("{CPU}/scaling_governor")) else { return };
    let mhz = |file: &str| s.number(&format!("{CPU}/{file}")).map(|k| k / 1000);
    let range = match (mhz("scaling_max_freq"), mhz("cpuinfo_max_freq")) {
        (Some(a), Some(b)) if a < b => format!(", held at {a} of {b} MHz"),
        (Some(a), _) => format!(", up to {a} MHz"),
        _ => String::new(),
    };
    let says = format!("governor {governor}{range}");
    let cure = "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor";
    all.push(match governor.as_str() {
        "performance" | "schedutil" => Finding::good("clock", says),
        "powersave" => Finding::warning("clock", says).cure(cure),
        _ => Finding::note("clock", format!("{says}: it speeds up late")).cure(cure),
    });
}

fn memory(s: &System, all: &mut Vec<Finding>) {
    let Some(info) = s.text("/proc/meminfo") else { return };
    let mb = |key: &str| {
        let line = info.lines().find_map(|l| l.strip_prefix(key)?.strip_prefix(':'))?;
        line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|k| k / 1024)
    };
    let (Some(total), Some(free)) = (mb("MemTotal"), mb("MemAvailable")) else { return };
    let says = format!("{free} of {total} MB free");
    all.push(match free {
        FREE.. => Finding::good("memory", says),
        _ => Finding::warning("memory", says).cure("end what else runs: a desktop takes 300 MB"),
    });
    // Boards whose screens and decoders need none have none.
    if let (Some(total @ 1..), Some(free)) = (mb("CmaTotal"), mb("CmaFree")) {
        let says = format!("{free} of {total} MB contiguous memory (CMA) free");
        all.push(match total {
            CMA.. => Finding::good("memory", says),
            _ => Finding::warning("memory", says)
                .cure("on a Raspberry Pi: dtoverlay=vc4-kms-v3d,cma-256 in config.txt"),
        });
    }
}

fn blanking(s: &System, all: &mut Vec<Finding>) {
    if let Some(after @ 1..) = s.number("/sys/module/kernel/parameters/consoleblank") {
        let says = format!("the console goes dark after {after} s without a key");
        all.push(
            Finding::note("console", says).cure("consoleblank=0 on the kernel's command line"),
        );
    }
}
