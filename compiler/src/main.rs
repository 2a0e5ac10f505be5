//! `zinc`: the command line tool. Verbs are files of `verbs`; the project file is `project`.
#![forbid(unsafe_code)]

mod args;
mod cargo;
mod cross;
mod home;
mod packages;
mod project;
mod verbs;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = args::Args::parse();
    let outcome = match args.verb {
        args::Verb::Run(a) => verbs::run::run(a),
        args::Verb::Shot(a) => verbs::shot::run(a),
        args::Verb::Test(a) => verbs::test::run(a),
        args::Verb::Replay(a) => verbs::replay::run(a),
        args::Verb::Bench(a) => verbs::bench::run(a),
        args::Verb::Doctor => Ok(verbs::doctor::run()),
        args::Verb::Calibrate(a) => verbs::calibrate::run(a),
        args::Verb::New(a) => verbs::new::run(a),
    };
    match outcome {
        Ok(code) => code,
        Err(e) => {
            report(&e);
            ExitCode::from(1)
        }
    }
}

/// Errors of the project file point into it; all others are a line of causes.
fn report(e: &anyhow::Error) {
    match e.downcast_ref::<Box<project::ProjectError>>() {
        Some(p) => eprintln!("{:?}", miette::Report::new((**p).clone())),
        None => eprintln!("zinc: {e:#}"),
    }
}
