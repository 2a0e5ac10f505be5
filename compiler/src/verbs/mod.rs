//! One file a verb.

pub(crate) mod bench;
pub(crate) mod calibrate;
pub(crate) mod doctor;
pub(crate) mod new;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod shot;
pub(crate) mod test;

use std::process::{ExitCode, ExitStatus};

/// A child's exit as ours; killed by a signal counts as 128 and the signal's number.
pub(crate) fn code(status: ExitStatus) -> ExitCode {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return ExitCode::from(128u8.saturating_add(signal as u8));
    }
    ExitCode::from(status.code().and_then(|c| u8::try_from(c).ok()).unwrap_or(1))
}
