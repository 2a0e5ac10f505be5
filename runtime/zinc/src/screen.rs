//! Screen care at work: the policy of `care` on a backlight, or where there is none as a veil drawn
//! over the app.

use crate::backlight::{self, Backlight, BacklightError};
use crate::care::{Care, Light};
use crate::displays;
use crate::switches::Switches;
use std::path::Path;
use std::time::Duration;
use zinc_hal::Timed;

pub(crate) struct Screen {
    care: Care,
    backlight: Option<Backlight>,
    dark: bool,
}

/// Seconds since midnight, where the board stands.
fn second_of_day() -> u32 {
    let t = jiff::Zoned::now().time();
    t.hour() as u32 * 3600 + t.minute() as u32 * 60 + t.second() as u32
}

impl Screen {
    /// `None` when nothing is wished.
    pub(crate) fn new(s: &Switches, driver: &str) -> Option<Self> {
        let care = Care::new(&s.screen)?;
        // Elsewhere the machine's own backlight is not what is looked at.
        let folder = match &s.backlight {
            Some(f) => Some(f.as_path()),
            None => displays::has_own_glass(driver).then(|| Path::new(backlight::FOLDER)),
        };
        let backlight = match folder.map(Backlight::open) {
            Some(Ok(b)) => Some(b),
            Some(Err(e @ BacklightError::Refused { .. })) => {
                tracing::warn!("screen: {e}. It is darkened by what is drawn");
                None
            }
            Some(Err(BacklightError::None)) | None => {
                tracing::info!("screen: no backlight here; it is darkened by what is drawn");
                None
            }
        };
        Some(Self { care, backlight, dark: false })
    }

    /// Takes away the touch that only wakes it.
    pub(crate) fn hear(&mut self, now: Duration, events: &mut Vec<Timed>) {
        self.care.hear(now, events);
    }

    /// Sets the light; answers whether a frame must be drawn for that.
    pub(crate) fn look(&mut self, now: Duration) -> bool {
        if !self.care.look(now, second_of_day()) {
            return false;
        }
        let light = self.care.light();
        self.dark = light == Light::Off && self.backlight.is_some();
        let share = match light {
            Light::Full => 1.0,
            Light::Dim(to) => to,
            Light::Off => 0.0,
        };
        tracing::info!("screen: {:.0} % of its light", share * 100.0);
        match &mut self.backlight {
            None => true,
            Some(b) => {
                if let Err(e) = b.set(share) {
                    tracing::warn!("screen: the backlight is refused: {e}");
                }
                // What changed while it was dark was not drawn.
                light == Light::Full
            }
        }
    }

    /// A frame was built: one that shows the dark is the last for now.
    pub(crate) fn built(&mut self) {
        self.dark |= self.care.light() == Light::Off;
    }

    /// Nobody can see anything.
    pub(crate) fn is_dark(&self) -> bool {
        self.dark
    }

    /// How much of the light a veil takes away, 0 to 1.
    pub(crate) fn veil(&self) -> f32 {
        match (self.care.light(), &self.backlight) {
            (Light::Full, _) | (_, Some(_)) => 0.0,
            (Light::Dim(to), None) => 1.0 - to,
            (Light::Off, None) => 1.0,
        }
    }

    /// When to look again.
    pub(crate) fn next(&self, now: Duration) -> Option<Duration> {
        self.care.next(now, second_of_day())
    }
}
