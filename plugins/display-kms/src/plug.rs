//! Screens and cards that come and go while the program runs.

use crate::head::Head;
use crate::{Kmsd, LOOK, find};
use zinc_hal::DisplayEvent;

impl Kmsd {
    /// Looks at the connectors now: a screen may have come, gone, or be another one.
    pub fn look(&mut self) {
        self.look_at(true);
    }

    /// With `probe` the screen itself is asked; else what the kernel knows, which costs nothing.
    pub(crate) fn look_at(&mut self, probe: bool) {
        if self.suspended {
            return;
        }
        let Some(screen) = &self.screen else {
            self.look_for_screen();
            return;
        };
        self.looked = self.o.start.elapsed();
        let Some(kms) = &self.kms else { return };
        let stays = |h: &Head| {
            let has = |c: zinc_kms_core::Connector| {
                c.modes.iter().any(|m| m.same_timings(&h.output.mode))
            };
            kms.connector(h.output.connector.id, probe).is_ok_and(|c| c.connected && has(c))
        };
        let mut stays = screen.heads.iter().all(stays);
        if probe && stays && screen.heads.iter().any(|h| h.is_link_bad(&**kms)) {
            // The cable gives less than it did: the kernel wants the mode set anew.
            tracing::info!("kms: the link of {} is set up anew", screen.names());
            if let Some(s) = &mut self.screen {
                s.forget();
            }
            self.news.push(DisplayEvent::Redraw);
            return;
        }
        if probe && stays && self.o.wish.outputs.iter().any(|o| o.contains('+')) {
            // One of those that show the same may have come.
            let all = zinc_kms_core::output(&**kms, &self.o.wish).map_or(0, |o| o.len());
            stays = all <= screen.heads.len();
        }
        if !stays {
            tracing::info!("kms: {} is disconnected; waiting for a screen", screen.names());
            self.darken();
            // Another output of the card, or the same with another screen.
            self.look_for_screen();
        }
    }

    fn look_for_screen(&mut self) {
        self.next_look = Some(self.now() + LOOK);
        let found = match &self.kms {
            Some(kms) => zinc_kms_core::output(&**kms, &self.o.wish).unwrap_or_default(),
            None => Vec::new(),
        };
        let lit = match found.is_empty() {
            false => self.light(found),
            true => {
                let own = self.kms.as_ref().map(|_| self.node.clone());
                match find::try_once(&*self.o.cards, &self.o, own.as_deref()) {
                    // Another card; or this one, after it was gone.
                    Ok(f) if !f.outputs.is_empty() => {
                        self.restore();
                        self.kms = None;
                        self.take(f)
                    }
                    _ => return,
                }
            }
        };
        match lit {
            Ok(()) if self.screen.is_some() => {
                tracing::info!("display kms: {}", self.info.description);
                self.news.push(DisplayEvent::Redraw);
            }
            Ok(()) => {}
            Err(e) => self.stats.complain(self.o.start.elapsed(), &format!("{e}")),
        }
    }

    /// Nothing can be shown any more on this output.
    pub(crate) fn darken(&mut self) {
        if let Some(mut screen) = self.screen.take() {
            // Switching it off is one as well.
            self.stats.modesets += u64::from(screen.is_lit);
            if let Err(e) = screen.off(&self.saved) {
                tracing::debug!("kms: cannot switch {} off: {e}", screen.names());
            }
            self.stats.modesets += screen.modesets;
        }
        let at = self.now();
        self.frames.end().into_iter().for_each(|number| {
            self.news.push(DisplayEvent::Presented { at, number });
        });
        self.next_look = Some(at + LOOK);
    }

    /// The card itself is gone.
    pub(crate) fn lose(&mut self, e: &std::io::Error) {
        tracing::warn!("kms: {} is gone ({e}); waiting for a card", self.node.display());
        self.darken();
        self.kms = None;
        self.saved.clear();
    }
}
