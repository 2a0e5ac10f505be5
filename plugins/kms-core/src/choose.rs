//! Which output, which mode, which plane. By what a thing is, never by its number: numbers change
//! from boot to boot.

use crate::{Connector, Crtc, Fourcc, Id, Kms, Mode, Object, Property, Resources};
use std::io;

/// A mode by size and rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModeWish {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// In Hz; any if not given.
    pub rate: Option<u32>,
}

/// What a person asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// Names of connectors, the first that has a screen wins; any if empty. `A+B` are two that show
    /// the same.
    pub outputs: Vec<String>,
    /// The mode; the current one if it is right, else the screen's own wish.
    pub mode: Option<ModeWish>,
}

/// Why a card cannot be used as wished.
#[derive(Debug, thiserror::Error)]
pub enum ChoiceError {
    /// The card has no such connector.
    #[error("there is no output {wanted}; there are: {there}")]
    NoOutput {
        /// What was asked for.
        wanted: String,
        /// Names of what is there.
        there: String,
    },
    /// The screen has no such mode.
    #[error("{output} has no mode {wanted}; it has: {there}")]
    NoMode {
        /// The connector.
        output: String,
        /// What was asked for.
        wanted: String,
        /// What is there.
        there: String,
    },
    /// A call was refused.
    #[error("{tried}: {cause}")]
    System {
        /// What was tried.
        tried: &'static str,
        /// The answer.
        cause: io::Error,
    },
}

fn no(tried: &'static str) -> impl Fn(io::Error) -> ChoiceError {
    move |cause| ChoiceError::System { tried, cause }
}

/// A screen and what feeds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// The connector.
    pub connector: Connector,
    /// The CRTC.
    pub crtc: Id,
    /// Its place among the card's CRTCs: its bit in `possible_crtcs`.
    pub index: usize,
    /// The mode to use.
    pub mode: Mode,
    /// The CRTC feeds this connector in this mode already.
    pub is_set: bool,
}

/// The outputs of a card that fit a wish: one, or several that show the same; none while nothing is
/// connected.
///
/// # Errors
/// When a call is refused, or nothing of what was asked for is there.
pub fn output(kms: &dyn Kms, wish: &Wish) -> Result<Vec<Output>, ChoiceError> {
    if wish.outputs.is_empty() {
        return Ok(outputs(kms, &[], wish.mode)?.into_iter().take(1).collect());
    }
    let (mut known, mut why) = (false, None);
    for group in &wish.outputs {
        let names: Vec<&str> = group.split('+').map(str::trim).collect();
        match outputs(kms, &names, wish.mode) {
            Ok(found) if !found.is_empty() => return Ok(found),
            Ok(_) => known = true,
            Err(e) => why = why.or(Some(e)),
        }
    }
    why.filter(|_| !known).map_or(Ok(Vec::new()), Err)
}

/// Connected outputs by name, all if none is named, each with a CRTC of its own. The first decides
/// the size; those that have no such mode are left out.
///
/// # Errors
/// As [`output`].
pub fn outputs(
    kms: &dyn Kms,
    names: &[&str],
    mode: Option<ModeWish>,
) -> Result<Vec<Output>, ChoiceError> {
    let r = kms.resources().map_err(no("cannot list outputs"))?;
    let mut connectors = Vec::new();
    for id in &r.connectors {
        match kms.connector(*id, true) {
            Ok(c) if !c.writeback => connectors.push(c),
            Ok(_) => {}
            // One that went away meanwhile.
            Err(e) if e.raw_os_error() == Some(2) => {}
            Err(e) => return Err(no("cannot ask an output")(e)),
        }
    }
    // A panel has one plug; numbers among connectors of a kind are the driver's own and stable.
    connectors.sort_by_key(|c| rank(&c.name));
    let there = || connectors.iter().map(|c| &*c.name).collect::<Vec<_>>().join(", ");
    let mut wished: Vec<&Connector> = Vec::new();
    for name in names {
        let Some(c) = connectors.iter().find(|c| c.name.eq_ignore_ascii_case(name)) else {
            return Err(ChoiceError::NoOutput { wanted: (*name).to_owned(), there: there() });
        };
        wished.push(c);
    }
    if names.is_empty() {
        wished = connectors.iter().collect();
    }
    let mut taken = Vec::new();
    let mut found: Vec<Output> = Vec::new();
    for c in wished.into_iter().filter(|c| c.connected && !c.modes.is_empty()) {
        let Some((index, crtc)) = crtc_for(kms, &r, c, &taken)? else { continue };
        let state = kms.crtc(crtc).map_err(no("cannot ask a CRTC"))?;
        let routed = crtc_of(kms, c)? == Some(crtc);
        let first = found.first().map(|f| f.mode.size());
        let like = first.map(|(width, height)| ModeWish { width, height, rate: None });
        let mode = match mode_of(c, like.or(mode), state.mode.filter(|_| routed)) {
            Err(ChoiceError::NoMode { .. }) if like.is_some() => continue,
            mode => mode?,
        };
        let same = state.mode.is_some_and(|m| m.same_timings(&mode));
        let is_set = routed && same && is_active(kms, crtc)?;
        taken.push(crtc);
        found.push(Output { connector: c.clone(), crtc, index, mode, is_set });
    }
    Ok(found)
}

/// Built-in panels first, then plugs, then what is neither; then by name.
fn rank(name: &str) -> (u8, String) {
    let built_in = ["DSI-", "LVDS-", "eDP-", "DPI-", "SPI-"].iter().any(|k| name.starts_with(k));
    let odd = ["Composite-", "TV-", "Virtual-", "Unknown-"].iter().any(|k| name.starts_with(k));
    (if built_in { 0 } else { 1 + u8::from(odd) }, name.to_owned())
}

/// The CRTC that feeds a connector now.
fn crtc_of(kms: &dyn Kms, c: &Connector) -> Result<Option<Id>, ChoiceError> {
    if c.encoder == 0 {
        return Ok(None);
    }
    let e = kms.encoder(c.encoder).map_err(no("cannot ask an encoder"))?;
    Ok((e.crtc != 0).then_some(e.crtc))
}

/// A console that blanked its screen leaves the mode, and the CRTC asleep. Where the kernel does not
/// tell, a mode is on.
fn is_active(kms: &dyn Kms, crtc: Id) -> Result<bool, ChoiceError> {
    let all = kms.properties(Object::Crtc, crtc).map_err(no("cannot ask a CRTC"))?;
    Ok(all.iter().find(|p| p.name == "ACTIVE").is_none_or(|p| p.value == 1))
}

/// A CRTC that can feed a connector: the one that does, else a dark one, else any not yet taken.
fn crtc_for(
    kms: &dyn Kms,
    r: &Resources,
    c: &Connector,
    taken: &[Id],
) -> Result<Option<(usize, Id)>, ChoiceError> {
    let mut bits = 0;
    for e in &c.encoders {
        bits |= kms.encoder(*e).map_err(no("cannot ask an encoder"))?.possible_crtcs;
    }
    let now = crtc_of(kms, c)?;
    let all = r.crtcs.iter().copied().enumerate();
    let fits = |(i, id): &(usize, Id)| {
        let possible = (*i < 32 && bits >> i & 1 == 1) || now == Some(*id);
        possible && !taken.contains(id)
    };
    let mut fitting: Vec<(usize, Id)> = all.filter(fits).collect();
    let dark = |id: Id| kms.crtc(id).is_ok_and(|c: Crtc| c.mode.is_none());
    fitting.sort_by_key(|(i, id)| (now != Some(*id), !dark(*id), *i));
    Ok(fitting.first().copied())
}

/// The mode of a screen: the one that was asked for; else, in this order, the one on the kernel's
/// command line, the screen's own wish, its first. The current one is kept when it has that size.
///
/// # Errors
/// When there is none like the wished.
pub fn mode_of(
    c: &Connector,
    wish: Option<ModeWish>,
    now: Option<Mode>,
) -> Result<Mode, ChoiceError> {
    let by = |f: fn(&Mode) -> bool| c.modes.iter().find(|m| f(m));
    let preferred = by(Mode::is_users).or(by(Mode::is_preferred)).or(c.modes.first());
    let fits = |m: &&Mode| match wish {
        None => preferred.is_some_and(|p| p.size() == m.size()),
        Some(w) => {
            let rate = w.rate.is_none_or(|r| (1e9 / m.frame_ns() as f64).round() as u32 == r);
            (w.width, w.height) == m.size() && rate
        }
    };
    let current = now.filter(|n| c.modes.iter().any(|m| m.same_timings(n)) && fits(&n));
    let found = current.or_else(|| match wish {
        None => preferred.copied(),
        Some(_) => c
            .modes
            .iter()
            .filter(fits)
            .max_by_key(|m| (!m.is_interlaced(), m.is_preferred(), m.vrefresh))
            .copied(),
    });
    found.ok_or_else(|| {
        let rate = wish.and_then(|w| w.rate).map_or(String::new(), |r| format!("@{r}"));
        let size = wish.map_or(String::new(), |w| format!("{}x{}", w.width, w.height));
        let there: Vec<_> = c.modes.iter().map(Mode::to_string).collect();
        let (output, wanted) = (c.name.clone(), format!("{size}{rate}"));
        ChoiceError::NoMode { output, wanted, there: there.join(", ") }
    })
}

/// The value of a plane's `type` that says primary.
const PRIMARY: &str = "Primary";

/// The primary plane of a CRTC with what it reads. A plane must be possible on *this* CRTC: the
/// first of its kind in the list may be another one's. One that is in use elsewhere, or `taken`, is
/// left alone.
///
/// # Errors
/// When a call is refused.
pub fn primary_plane(
    kms: &dyn Kms,
    output: &Output,
    taken: &[Id],
) -> Result<Option<(Id, Vec<Fourcc>)>, ChoiceError> {
    let mut best = None;
    for id in kms.planes().map_err(no("cannot list planes"))? {
        let p = kms.plane(id).map_err(no("cannot ask a plane"))?;
        if taken.contains(&id) || output.index >= 32 || p.possible_crtcs >> output.index & 1 == 0 {
            continue;
        }
        let properties = kms.properties(Object::Plane, id).map_err(no("cannot ask a plane"))?;
        let is = |p: &Property| p.name == "type" && p.named(PRIMARY) == Some(p.value);
        let elsewhere = p.crtc != 0 && p.crtc != output.crtc;
        if !properties.iter().any(is) || elsewhere {
            continue;
        }
        // The one that shows something already is surely right.
        if best.is_none() || p.crtc == output.crtc {
            best = Some((id, p.formats));
        }
    }
    Ok(best)
}
