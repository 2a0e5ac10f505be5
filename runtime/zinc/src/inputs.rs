//! Input devices beside a display that has none of its own: opened when the display is known to
//! work and before the console is put aside, so that nobody is left before a picture that does not
//! answer and a keyboard that is mute.

use crate::switches::Switches;
use calloop::EventLoop;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use zinc_hal::{InputSource, Placement, Timed};

/// What the opening of a display may leave here for the loop.
pub(crate) type Source = Rc<RefCell<Option<Box<dyn InputSource>>>>;

/// Input that makes no sense as it is set.
#[derive(Debug, thiserror::Error)]
#[error("{name}={value} is not understood: {why}")]
pub(crate) struct InputSwitchError {
    name: &'static str,
    value: String,
    why: String,
}

/// What the switches say of devices, read and checked.
#[cfg(all(feature = "input", target_os = "linux"))]
#[derive(Clone, Debug, Default)]
pub(crate) struct Wishes {
    layout: Option<zinc_input_evdev::Layout>,
    touch: Vec<zinc_input_evdev::Touch>,
}

/// Without devices there is nothing to wish for.
#[cfg(not(all(feature = "input", target_os = "linux")))]
#[derive(Clone, Debug, Default)]
pub(crate) struct Wishes;

#[cfg(all(feature = "input", target_os = "linux"))]
impl Wishes {
    /// Reads them.
    ///
    /// # Errors
    /// The first switch whose value makes no sense.
    pub(crate) fn of(s: &Switches) -> Result<Self, InputSwitchError> {
        use zinc_input_evdev::{Layout, Touch};
        let wrong = |name, value: &str| {
            let value = value.to_owned();
            move |why| InputSwitchError { name, value, why }
        };
        let layout = s.devices.layout.as_deref().map(|v| {
            let name = "ZINC_INPUT_LAYOUT";
            let says = |word| format!("{word:?} is no layout; it wants names as de(nodeadkeys)");
            Layout::parse(v, name).map_err(says).map_err(wrong(name, v))
        });
        let touch = s.devices.touch.as_deref().map(|v| {
            let text = match v.strip_prefix('@') {
                None => Ok(v.to_owned()),
                Some(file) => std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}")),
            };
            text.and_then(|t| Touch::list(&t).map_err(|e| e.to_string()))
                .map_err(wrong("ZINC_INPUT_TOUCH", v))
        });
        Ok(Self { layout: layout.transpose()?, touch: touch.transpose()?.unwrap_or_default() })
    }

    /// Opens the devices, unless they are off or time is virtual.
    ///
    /// # Errors
    /// When there are some and none may be used.
    pub(crate) fn open(
        &self,
        s: &Switches,
        start: std::time::Instant,
        into: &Source,
    ) -> Result<(), zinc_hal::InputError> {
        use zinc_input_evdev::{Evdev, KeyboardOptions, Options};
        if !s.devices.on || s.deterministic {
            return Ok(());
        }
        let evdev = Evdev::open(Options {
            folder: "/dev/input".into(),
            touch: self.touch.clone(),
            keyboard: KeyboardOptions { layout: self.layout.clone(), ..Default::default() },
            start,
        })?;
        *into.borrow_mut() = Some(Box::new(evdev));
        Ok(())
    }
}

#[cfg(not(all(feature = "input", target_os = "linux")))]
impl Wishes {
    pub(crate) fn of(_: &Switches) -> Result<Self, InputSwitchError> {
        Ok(Self)
    }
}

/// The devices in the loop.
#[derive(Default)]
pub(crate) struct Inputs {
    source: Option<Box<dyn InputSource>>,
    ready: Rc<Cell<bool>>,
}

impl Inputs {
    /// Watches what was opened; the loop wakes when it has something.
    ///
    /// # Errors
    /// When the loop or the system refuses.
    pub(crate) fn watch(from: &Source, events: &EventLoop<'static, ()>) -> std::io::Result<Self> {
        let source = from.borrow_mut().take();
        let ready = Rc::new(Cell::new(true));
        #[cfg(unix)]
        if let Some(s) = &source {
            let flag = ready.clone();
            crate::run::watch(events, s.descriptor()?, move || flag.set(true))?;
        }
        Ok(Self { source, ready })
    }

    /// Takes what the devices told, if the loop was woken for it. A recording waits for its time.
    pub(crate) fn poll(
        &mut self,
        place: impl Fn() -> Placement,
        now: Duration,
        into: &mut Vec<Timed>,
    ) {
        let Some(s) = &mut self.source else { return };
        let woken = self.ready.replace(false) && !s.is_recorded();
        if woken || s.due().is_some_and(|t| t <= now) {
            s.poll(&place(), into);
        }
    }

    /// Virtual time: a packet of what was recorded, if anything was; live devices do not speak.
    pub(crate) fn step(
        &mut self,
        place: impl Fn() -> Placement,
        at: Duration,
        into: &mut Vec<Timed>,
    ) {
        let first = into.len();
        if let Some(s) = self.source.as_mut().filter(|s| s.is_recorded()) {
            s.poll(&place(), into);
        }
        into[first..].iter_mut().for_each(|t| t.at = at);
    }

    /// When a held key repeats, or the next packet of a recording is due.
    pub(crate) fn due(&self) -> Option<Duration> {
        self.source.as_ref()?.due()
    }
}
