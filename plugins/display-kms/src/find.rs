//! Finding a card: the one with a screen, by what it is and not by its number. Nodes come seconds
//! after a program that starts at boot, or are there and do not work yet, or belong to somebody
//! else for a while: all of that is waited for, in one process, with one line of the log.

use crate::Options;
use rustix::io::Errno;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;
use zinc_hal::{DisplayError, join_group};
use zinc_kms_core::{Cards, ChoiceError, Kms, Output, output};

/// The first pause between two tries, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));
/// A node may be made before the right to it is given; longer than this it is meant so.
const RIGHTS: Duration = Duration::from_secs(3);

/// A card whose master we are.
pub(crate) struct Found {
    pub(crate) node: PathBuf,
    pub(crate) kms: Rc<dyn Kms>,
    pub(crate) driver: String,
    /// None while no screen is there.
    pub(crate) outputs: Vec<Output>,
}

/// Why there is none.
pub(crate) enum Missing {
    /// It may come.
    Yet(DisplayError),
    /// It may come, but not for long: no right to the node.
    Right(DisplayError),
    /// It will not.
    Ever(DisplayError),
}

/// Waits for a card, as long as the options say.
pub(crate) fn wait(o: &mut Options) -> Result<Found, DisplayError> {
    let (mut waited, mut without_right) = (Duration::ZERO, Duration::ZERO);
    let mut pause = PAUSES.0;
    let mut told = false;
    loop {
        let (e, limit) = match try_once(&*o.cards, o, None) {
            Ok(found) => {
                if told {
                    tracing::info!("kms: waited {waited:.1?}; now it works");
                }
                return Ok(found);
            }
            Err(Missing::Ever(e)) => return Err(e),
            Err(Missing::Yet(e)) => {
                without_right = Duration::ZERO;
                (e, waited >= o.wait)
            }
            Err(Missing::Right(e)) => (e, without_right >= RIGHTS.min(o.wait)),
        };
        if limit {
            return Err(e);
        }
        if !told {
            told = true;
            tracing::info!("kms: {e}. Waiting for at most {:.0?}", o.wait);
        }
        (o.pause)(pause);
        waited += pause;
        without_right += pause;
        pause = (pause * 2).min(PAUSES.1);
    }
}

/// The best card now; `except` is one that we have already.
pub(crate) fn try_once(
    cards: &dyn Cards,
    o: &Options,
    except: Option<&Path>,
) -> Result<Found, Missing> {
    let wanted = o.device.as_deref();
    let path = wanted.filter(|w| w.components().count() > 1).map(Path::to_owned);
    let name = wanted.filter(|_| path.is_none()).map(|w| w.display().to_string());
    let nodes = path.map_or_else(|| cards.list(), |p| vec![p]);
    let mut dark: Option<Found> = None;
    let mut why: Option<Missing> = None;
    for node in nodes.iter().filter(|n| except != Some(n)) {
        match look(cards, node, name.as_deref(), o) {
            Ok(Some(f)) if !f.outputs.is_empty() => return Ok(f),
            // Of several without a screen the first is kept.
            Ok(Some(f)) => dark = dark.or(Some(f)),
            Ok(None) => {}
            // A card that might do is a better reason than one that never would.
            Err(m) if matches!(why, None | Some(Missing::Yet(_))) => why = Some(m),
            Err(_) => {}
        }
    }
    if let Some(found) = dark.filter(|_| why.is_none()) {
        return Ok(found);
    }
    Err(why.unwrap_or_else(|| {
        let of = name.map_or(String::new(), |n| format!(" of the driver {n}"));
        let there: Vec<_> = nodes.iter().map(|n| n.display().to_string()).collect();
        let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
        Missing::Yet(DisplayError::Unsupported(format!(
            "no card{of} has outputs (cards in /dev/dri: {there})"
        )))
    }))
}

/// One card; `None` when it is none for screens, or of another driver.
fn look(
    cards: &dyn Cards,
    node: &Path,
    driver: Option<&str>,
    o: &Options,
) -> Result<Option<Found>, Missing> {
    let kms = cards.open(node).map_err(|e| {
        let denied = is(&e, &[Errno::ACCESS, Errno::PERM]);
        let e = refused("cannot open", node, e);
        if denied { Missing::Right(e) } else { Missing::Yet(e) }
    })?;
    let name = kms.driver().unwrap_or_default();
    if driver.is_some_and(|d| d != name) {
        return Ok(None);
    }
    match kms.resources() {
        Ok(r) if r.connectors.is_empty() || r.crtcs.is_empty() => return Ok(None),
        // A card that only draws.
        Err(e) if is(&e, &[Errno::OPNOTSUPP, Errno::NOTTY, Errno::INVAL]) => return Ok(None),
        Err(e) => return Err(Missing::Yet(refused("cannot list the outputs of", node, e))),
        Ok(_) => {}
    }
    kms.set_master().map_err(|e| Missing::Yet(not_master(cards, node, e)))?;
    // Whether planes are told or not, and atomic or not, comes with the screen (`Kmsd::light`).
    let outputs = match output(&*kms, &o.wish) {
        Ok(outputs) => outputs,
        Err(e @ ChoiceError::System { .. }) => {
            return Err(Missing::Yet(DisplayError::Unsupported(format!(
                "{}: {e}",
                node.display()
            ))));
        }
        // Another card may have it, and it may come.
        Err(e @ ChoiceError::NoOutput { .. }) => {
            return Err(Missing::Yet(DisplayError::Unsupported(format!(
                "{}: {e}",
                node.display()
            ))));
        }
        Err(e @ ChoiceError::NoMode { .. }) => {
            return Err(Missing::Ever(DisplayError::Unsupported(format!(
                "{}: {e}",
                node.display()
            ))));
        }
    };
    Ok(Some(Found { node: node.to_owned(), kms: kms.into(), driver: name, outputs }))
}

/// Somebody else has the card: who, if it can be seen.
fn not_master(cards: &dyn Cards, node: &Path, cause: io::Error) -> DisplayError {
    let who = cards.holders(node);
    let cure = if who.is_empty() {
        "another program has the screen (a desktop, a boot splash, another app): end it, or start \
         from a console"
            .to_owned()
    } else {
        format!("{} has the screen: end it, or start from a console", who.join(", "))
    };
    let on = node.display().to_string();
    DisplayError::Refused { tried: "cannot become the master of", on, cause, cure }
}

pub(crate) fn is(e: &io::Error, any: &[Errno]) -> bool {
    any.iter().any(|n| e.raw_os_error() == Some(n.raw_os_error()))
}

/// An error with its cure.
pub(crate) fn refused(tried: &'static str, node: &Path, cause: io::Error) -> DisplayError {
    let cure = if is(&cause, &[Errno::ACCESS, Errno::PERM]) {
        join_group(node, "video")
    } else if is(&cause, &[Errno::NOENT, Errno::NODEV, Errno::NXIO]) {
        "no driver has made this card; load one, or name another".to_owned()
    } else if is(&cause, &[Errno::BUSY]) {
        "another program has the screen (a desktop, another app): end it first".to_owned()
    } else {
        "see what the kernel says (dmesg)".to_owned()
    };
    DisplayError::Refused { tried, on: node.display().to_string(), cause, cure }
}
