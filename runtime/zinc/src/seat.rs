//! The console that a driver put aside: it is kept until the run ends, however it ends, and asked
//! about switches of virtual terminals.

#[cfg(all(any(feature = "fbdev", feature = "kms"), target_os = "linux"))]
mod held {
    use signal_hook::consts::{SIGUSR1, SIGUSR2};
    use std::cell::RefCell;
    use std::rc::Rc;
    use zinc_console::{Console, ConsoleError};
    use zinc_hal::DisplayError;

    /// One console at most.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct Seat(Rc<RefCell<Option<Console>>>);

    impl Seat {
        /// Puts the console aside.
        ///
        /// # Errors
        /// When it is somebody else's.
        pub(crate) fn take(&self) -> Result<(), DisplayError> {
            match Console::take([SIGUSR1, SIGUSR2]) {
                Ok(c) => {
                    let on = c.node();
                    tracing::info!("console: {on} shows no text and takes no keys until the end");
                    *self.0.borrow_mut() = Some(c);
                    Ok(())
                }
                Err(ConsoleError::None) => {
                    tracing::info!("console: no virtual terminal here");
                    Ok(())
                }
                Err(ConsoleError::Refused { tried, on, cause }) => {
                    let cure = "run it on that terminal, or as root, or leave the console as it \
                                is by ZINC_CONSOLE=0: then its text may show, and its shell gets \
                                what is typed";
                    let (on, cure) = (on.to_owned(), cure.to_owned());
                    Err(DisplayError::Refused { tried, on, cause, cure })
                }
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
