//! The console that a driver put aside: it is kept until the run ends, however it ends, and asked
//! about switches of virtual terminals.

#[cfg(all(any(feature = "fbdev", feature = "kms"), target_os = "linux"))]
mod held {
    use signal_hook::consts::{SIGUSR1, SIGUSR2};
    use std::cell::RefCell;
    use std::rc::Rc;
    use zinc_console::{Console, ConsoleError};

    /// One console at most.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct Seat(Rc<RefCell<Option<Console>>>);

    impl Seat {
        /// Puts the console aside, if it may; the picture is shown in any case.
        pub(crate) fn take(&self) {
            match Console::take([SIGUSR1, SIGUSR2]) {
                Ok(c) => {
                    let on = c.node();
                    tracing::info!("console: {on} shows no text and takes no keys until the end");
                    *self.0.borrow_mut() = Some(c);
                }
                Err(ConsoleError::None) => tracing::info!("console: no virtual terminal here"),
                Err(e) => tracing::warn!(
                    "console: {e}. Its text may show, and its shell may get what is typed"
                ),
            }
        }

        /// A console is held.
        pub(crate) fn is_held(&self) -> bool {
            self.0.borrow().is_some()
        }

        /// Another terminal may come to the front.
        pub(crate) fn leave(&self) {
            self.tell("leave", Console::leave);
        }

        /// This terminal is seen to be in front again.
        pub(crate) fn is_back(&self) {
            self.tell("take back", Console::is_back);
        }

        fn tell(&self, what: &str, f: impl Fn(&Console) -> std::io::Result<()>) {
            if let Some(c) = &*self.0.borrow()
                && let Err(e) = f(c)
            {
                tracing::warn!("console: cannot {what} {}: {e}", c.node());
            }
        }
    }
}

#[cfg(not(all(any(feature = "fbdev", feature = "kms"), target_os = "linux")))]
mod held {
    /// No linked driver has a console.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct Seat;

    impl Seat {
        pub(crate) fn is_held(&self) -> bool {
            false
        }
        pub(crate) fn leave(&self) {}
        pub(crate) fn is_back(&self) {}
    }
}

pub(crate) use held::Seat;
