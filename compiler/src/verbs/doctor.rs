//! `zinc doctor`: what keeps this machine from showing an app well.

use std::process::ExitCode;
use zinc_doctor::{Grade, Report, System};

pub(crate) fn run() -> ExitCode {
    let report = Report::of(&System::here());
    println!("{report}");
    ExitCode::from(u8::from(report.grade() == Grade::Bad))
}
