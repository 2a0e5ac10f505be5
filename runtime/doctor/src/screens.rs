//! Screens: cards and what is plugged in, frame buffers, who has them, and the console.

use crate::Finding;
use crate::system::System;

/// Programs that have a screen because they are a desktop.
const DESKTOPS: [&str; 15] = [
    "Xorg",
    "Xwayland",
    "gnome-shell",
    "kwin_wayland",
    "kwin_x11",
    "labwc",
    "lightdm",
    "gdm-wayland-ses",
    "mutter",
    "plasmashell",
    "sddm",
    "sway",
    "wayfire",
    "weston",
    "cage",
];
const CONSOLE_BOOT: &str = "sudo systemctl set-default multi-user.target, then restart (a console \
                            in place of the desktop)";

pub(crate) fn look(s: &System, all: &mut Vec<Finding>) {
    let cards = cards(s, all);
    let buffers = frame_buffers(s, all, cards.is_empty());
    if cards.is_empty() && buffers.is_empty() {
        let cure = "on a Raspberry Pi: dtoverlay=vc4-kms-v3d in config.txt; else see what the kernel \
                    says (dmesg)";
        all.push(Finding::bad("screen", "no card with outputs and no frame buffer").cure(cure));
    }
    let nodes = [cards, buffers].concat();
    owners(s, &nodes, all);
    console(s, all);
}

/// Cards with outputs. Their numbers change from boot to boot; names of drivers do not.
fn cards(s: &System, all: &mut Vec<Finding>) -> Vec<String> {
    const DRM: &str = "/sys/class/drm";
    let names = s.names(DRM);
    let mut nodes = Vec::new();
    for card in names.iter().filter(|n| n.starts_with("card") && !n.contains('-')) {
        // A device without a driver of its own is named by itself.
        let driver = s.link(&format!("{DRM}/{card}/device/driver"));
        let driver = driver.or_else(|| s.link(&format!("{DRM}/{card}/device")));
        let driver = driver.unwrap_or_else(|| "?".to_owned());
        let outputs: Vec<&String> = names
            .iter()
            .filter(|n| n.strip_prefix(card.as_str()).is_some_and(|r| r.starts_with('-')))
            .filter(|n| !n.contains("Writeback"))
            .collect();
        let node = format!("/dev/dri/{card}");
        if outputs.is_empty() {
            all.push(Finding::note("screen", format!("{node} ({driver}) has no outputs")));
            continue;
        }
        let mut plugged = false;
        for o in outputs {
            let of = |what: &str| s.text(&format!("{DRM}/{o}/{what}")).unwrap_or_default();
            if of("status") != "connected" {
                continue;
            }
            plugged = true;
            let (modes, output) = (of("modes"), &o[card.len() + 1..]);
            let (count, first) = (modes.lines().count(), modes.lines().next());
            let first = first.unwrap_or("no mode: a cable or adapter that tells nothing");
            let says = format!("{node} ({driver}), {output}: {first}, {count} modes");
            all.push(match count {
                0 => Finding::warning("screen", says),
                _ => Finding::good("screen", says),
            });
        }
        if !plugged {
            let says = format!("{node} ({driver}): nothing is plugged in");
            all.push(Finding::warning("screen", says).cure("check cable and power of the screen"));
        }
        right(s, all, &node);
        nodes.push(node);
    }
    nodes
}

fn right(s: &System, all: &mut Vec<Finding>, node: &str) {
    match s.may_use(node) {
        Some(true) => {}
        Some(false) => all.push(
            Finding::bad("rights", format!("{node} may not be opened by you"))
                .cure(s.join(node, "video")),
        ),
        None => all.push(
            Finding::bad("rights", format!("{node} is not there"))
                .cure("mount /dev with devtmpfs, or wait for the driver"),
        ),
    }
}

fn frame_buffers(s: &System, all: &mut Vec<Finding>, alone: bool) -> Vec<String> {
    const FB: &str = "/sys/class/graphics";
    let mut nodes = Vec::new();
    for fb in s.names(FB).into_iter().filter(|n| n.starts_with("fb") && n != "fbcon") {
        let of = |what: &str| s.text(&format!("{FB}/{fb}/{what}")).unwrap_or_default();
        let node = format!("/dev/{fb}");
        let size = of("virtual_size").replace(',', "x");
        let says = format!("{node} ({}), {size}, {} bits", of("name"), of("bits_per_pixel"));
        all.push(Finding::good("screen", says));
        if alone {
            right(s, all, &node);
        }
        nodes.push(node);
    }
    nodes
}

fn owners(s: &System, nodes: &[String], all: &mut Vec<Finding>) {
    let users = s.users_of(nodes);
    for (pid, name, node) in &users {
        let desktop = DESKTOPS.iter().any(|d| name.starts_with(d));
        all.push(if desktop {
            let says = format!("{name} (process {pid}), a desktop, has {node}");
            Finding::bad("owner", says).cure(CONSOLE_BOOT)
        } else {
            let says = format!("{name} (process {pid}) has {node} open");
            Finding::warning("owner", says).cure("end it before an app starts")
        });
    }
    if users.is_empty() && !nodes.is_empty() {
        all.push(match s.user.id {
            0 => Finding::good("owner", "nobody has a screen"),
            _ => Finding::note("owner", "none of your programs has a screen")
                .cure("as root (sudo) those of others are seen as well"),
        });
    }
}

fn console(s: &System, all: &mut Vec<Finding>) {
    if !s.has("/dev/tty0") {
        all.push(Finding::note("console", "no virtual terminals: nothing to put aside"));
        return;
    }
    let front = s.text("/sys/class/tty/tty0/active").unwrap_or_else(|| "tty1".to_owned());
    let node = format!("/dev/{front}");
    all.push(match s.may_use(&node) {
        Some(false) => Finding::bad("console", format!("{node}, which is in front, is not yours"))
            .cure(format!(
                "log in there, or run the app as a service on it, or {}",
                s.join(&node, "tty")
            )),
        _ => Finding::good("console", format!("{node} is in front")),
    });
}
