//! The one table of linked display drivers, and the choice among them.

use crate::inputs::{Source, Wishes};
use crate::seat::Seat;
use crate::switches::Switches;
use std::time::Instant;
use zinc_hal::{Display, DisplayError, Waker};

/// What a driver may use to open.
#[allow(dead_code, reason = "only some drivers need all of it")]
pub(crate) struct Opening<'a> {
    pub(crate) switches: &'a Switches,
    pub(crate) waker: Waker,
    pub(crate) start: Instant,
    pub(crate) title: &'a str,
    /// The console, which a driver may take and only the end of the run gives back.
    pub(crate) seat: Seat,
    /// How input devices are wished, and where a driver without any leaves them.
    pub(crate) wishes: Wishes,
    pub(crate) input: Source,
}

/// Takes what belongs to the glass when the display is proven and nothing is written yet: the input
/// devices, and then the console. One that is refused is the display's refusal: a picture that does
/// not answer, before a keyboard that is mute, helps nobody.
#[cfg(all(any(feature = "fbdev", feature = "kms"), target_os = "linux"))]
fn take(o: &Opening<'_>) -> Box<dyn FnOnce() -> Result<(), DisplayError>> {
    let (switches, start) = (o.switches.clone(), o.start);
    let (wishes, input, seat) = (o.wishes.clone(), o.input.clone(), o.seat.clone());
    Box::new(move || {
        wishes.open(&switches, start, &input).map_err(refused)?;
        if switches.console { seat.take() } else { Ok(()) }
    })
}

#[cfg(all(any(feature = "fbdev", feature = "kms"), target_os = "linux"))]
fn refused(e: zinc_hal::InputError) -> DisplayError {
    DisplayError::Refused { tried: e.tried, on: e.on, cause: e.cause, cure: e.cure }
}

type Open = fn(&Opening<'_>) -> Result<Box<dyn Display>, DisplayError>;

/// A linked driver: its name, whether `auto` may pick it, whether its glass is the machine's own, how
/// it opens.
struct Driver {
    name: &'static str,
    auto: bool,
    own_glass: bool,
    open: Open,
}

const DRIVERS: &[Driver] = &[
    // Neither by auto: it takes the machine's glass, which somebody else may be looking at.
    #[cfg(all(feature = "fbdev", target_os = "linux"))]
    Driver { name: "fbdev", auto: false, own_glass: true, open: open_fbdev },
    #[cfg(all(feature = "kms", target_os = "linux"))]
    Driver { name: "kms", auto: false, own_glass: true, open: open_kms },
    #[cfg(feature = "web")]
    Driver { name: "web", auto: true, own_glass: false, open: open_web },
    #[cfg(feature = "sim")]
    Driver { name: "sim", auto: false, own_glass: false, open: open_sim },
];

/// What a driver shows is on the machine's own glass.
pub(crate) fn has_own_glass(driver: &str) -> bool {
    DRIVERS.iter().any(|d| d.name == driver && d.own_glass)
}

/// Drivers that exist but may not be linked, for messages.
const KNOWN: &[&str] = &["fbdev", "kms", "gl", "window", "web", "sim"];

#[cfg(any(feature = "sim", feature = "web", feature = "kms"))]
const DEFAULT_SIZE: (u32, u32) = (800, 480);

#[cfg(feature = "sim")]
fn open_sim(o: &Opening<'_>) -> Result<Box<dyn Display>, DisplayError> {
    let (width, height) = o.switches.size.unwrap_or(DEFAULT_SIZE);
    let sim = zinc_display_sim::Sim::open(zinc_display_sim::Options {
        width,
        height,
        scale: o.switches.scale,
        file: o.switches.sim_file.clone(),
        unpaced: o.switches.deterministic && o.switches.frames.is_some(),
        start: o.start,
    })?;
    Ok(Box::new(sim))
}

#[cfg(all(feature = "fbdev", target_os = "linux"))]
fn open_fbdev(o: &Opening<'_>) -> Result<Box<dyn Display>, DisplayError> {
    use zinc_display_fbdev::{Detail, Fbdev, Options, SimFile};
    let s = o.switches;
    let file = |(path, (width, height, bits)): (std::path::PathBuf, (u32, u32, u32))| SimFile {
        path,
        width,
        height,
        bits,
    };
    let sim = s.fbdev.sim.clone().map(file);
    let fbdev = Fbdev::open(Options {
        node: s.device.clone().unwrap_or_else(|| "/dev/fb0".into()),
        sim,
        size: s.size,
        scale: s.scale,
        rotation: s.rotation,
        unpaced: s.deterministic && s.frames.is_some(),
        pan: s.fbdev.pan,
        stats: match s.fbdev.stats {
            0 => Detail::Off,
            1 => Detail::Table,
            _ => Detail::Frames,
        },
        skip: s.fbdev.skip,
        start: o.start,
        waker: o.waker.clone(),
        before_write: take(o),
    })?;
    if let Some(path) = &s.fbdev.sim_input {
        let recorded = zinc_input_evdev::Recorded::open(path, o.start).map_err(refused)?;
        *o.input.borrow_mut() = Some(Box::new(recorded));
    }
    Ok(Box::new(fbdev))
}

/// For so long a card is waited for: without an alternative, and with one.
#[cfg(all(feature = "kms", target_os = "linux"))]
const KMS_WAITS: (std::time::Duration, std::time::Duration) =
    (std::time::Duration::from_secs(30), std::time::Duration::from_secs(3));

#[cfg(all(feature = "kms", target_os = "linux"))]
fn open_kms(o: &Opening<'_>) -> Result<Box<dyn Display>, DisplayError> {
    use zinc_display_kms::{Kmsd, Options};
    use zinc_kms_core::{ModeWish, SystemCards, Wish};
    let s = o.switches;
    let mode = s.mode.map(|(width, height, rate)| ModeWish { width, height, rate });
    let last = s.display.last().is_some_and(|d| d == "kms");
    let kms = Kmsd::open(Options {
        cards: Box::new(SystemCards),
        device: s.device.clone(),
        wish: Wish { outputs: s.outputs.clone(), mode },
        size: s.size,
        default_size: DEFAULT_SIZE,
        scale: s.scale,
        rotation: s.rotation,
        format: s.kms.format,
        buffers: s.kms.buffers,
        legacy: s.kms.legacy,
        wait: s.display_wait.unwrap_or(if last { KMS_WAITS.0 } else { KMS_WAITS.1 }),
        stats: s.kms.stats,
        start: o.start,
        pause: Box::new(std::thread::sleep),
        before_write: Some(take(o)),
    })?;
    Ok(Box::new(kms))
}

#[cfg(feature = "web")]
fn open_web(o: &Opening<'_>) -> Result<Box<dyn Display>, DisplayError> {
    let web = zinc_display_web::Web::open(zinc_display_web::Options {
        bind: o.switches.web_bind.clone(),
        port: o.switches.web_port,
        token: o.switches.web_token.clone(),
        size: o.switches.size,
        default_size: DEFAULT_SIZE,
        scale: o.switches.scale,
        title: o.title.to_owned(),
        waker: o.waker.clone(),
        start: o.start,
    })?;
    Ok(Box::new(web))
}

/// No display could be opened: each that was tried, with its cause.
#[derive(Debug, thiserror::Error)]
#[error("no display works:{}", list(tried))]
pub struct NoDisplay {
    tried: Vec<(String, String)>,
}

fn list(tried: &[(String, String)]) -> String {
    tried.iter().map(|(name, why)| format!("\n  {name}: {why}")).collect()
}

/// Opens the first display of the wish list that works, and says which and why.
pub(crate) fn open(o: &Opening<'_>) -> Result<Box<dyn Display>, NoDisplay> {
    let mut tried = Vec::new();
    for wish in &o.switches.display {
        let auto = wish == "auto";
        let fits = |d: &&Driver| if auto { d.auto } else { d.name == wish };
        let mut any = false;
        for d in DRIVERS.iter().filter(fits) {
            any = true;
            match (d.open)(o) {
                Ok(display) => {
                    let info = display.info();
                    let why = reason(auto, &tried);
                    tracing::info!("display {}: {}{why}", info.driver, info.description);
                    return Ok(display);
                }
                Err(e) => {
                    tracing::warn!("display {} refused: {e}", d.name);
                    tried.push((d.name.to_owned(), e.to_string()));
                }
            }
        }
        if !any {
            tried.push((wish.clone(), missing(wish)));
        }
    }
    Err(NoDisplay { tried })
}

fn reason(auto: bool, tried: &[(String, String)]) -> String {
    match (auto, tried.is_empty()) {
        (true, true) => " (picked by auto: the first driver in this program that works)".into(),
        (_, false) => format!(" (after {} refused)", names(tried)),
        (false, true) => String::new(),
    }
}

fn names(tried: &[(String, String)]) -> String {
    tried.iter().map(|(n, _)| n.as_str()).collect::<Vec<_>>().join(", ")
}

fn missing(wish: &str) -> String {
    let linked: Vec<_> = DRIVERS.iter().map(|d| d.name).collect();
    let linked = linked.join(", ");
    if wish == "auto" {
        format!("this program has no driver that auto may pick (linked: {linked})")
    } else if KNOWN.contains(&wish) {
        format!(
            "not in this program (linked: {linked}); name it in zinc.json's \"display\", or set \
             ZINC_DISPLAY={wish} when the app is built"
        )
    } else {
        format!("there is no display of this name; there are {}, auto", KNOWN.join(", "))
    }
}
