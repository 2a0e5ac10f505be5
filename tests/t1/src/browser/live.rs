//! A program under test that shows itself in the browser: started with exactly the switches that
//! a test names, on a free port, ended with the value.

use super::until;
use crate::programs;
use crate::run::command;
use std::io::{BufRead, BufReader};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// A running program.
#[derive(Debug)]
pub struct Live {
    child: Child,
    log: Arc<Mutex<String>>,
}

impl Drop for Live {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Live {
    /// Starts hero on a free port, with these switches and no others.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn hero(switches: &[(&str, &str)]) -> Self {
        let mut command = command(programs::hero());
        command.env("ZINC_DISPLAY", "web").env("ZINC_WEB_PORT", "0").env("ZINC_SCHEME", "light");
        command.envs(switches.iter().copied());
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("hero starts");
        let log = Arc::new(Mutex::new(String::new()));
        let (to, from) = (log.clone(), child.stderr.take().expect("a pipe"));
        std::thread::spawn(move || {
            for line in BufReader::new(from).lines().map_while(Result::ok) {
                let mut to = to.lock().unwrap_or_else(PoisonError::into_inner);
                to.push_str(&line);
                to.push('\n');
            }
        });
        Self { child, log }
    }

    /// What it has said so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The address of its page.
    #[track_caller]
    pub fn url(&self) -> String {
        until("hero tells its address", || {
            let log = self.log();
            let (head, tail) = log.split_once("http://")?;
            let (address, _) = tail.split_once(char::is_whitespace)?;
            head.contains("display web").then(|| format!("http://{address}"))
        })
    }

    /// Host and port of its page.
    #[track_caller]
    pub fn host(&self) -> String {
        let url = self.url();
        let host = url.trim_start_matches("http://").split('/').next();
        host.unwrap_or_default().to_owned()
    }

    /// Waits for its end.
    #[track_caller]
    pub fn ended(&mut self) -> ExitStatus {
        until("hero ends", || self.child.try_wait().ok().flatten())
    }

    /// Times that any of its threads has been put to run, counted by the kernel.
    ///
    /// # Panics
    /// When the kernel tells nothing of it.
    pub fn switches(&self) -> u64 {
        let dir = format!("/proc/{}/task", self.pid());
        let tasks = std::fs::read_dir(dir).expect("the program runs");
        let statuses = tasks.map(|t| {
            let path = t.expect("a thread").path().join("status");
            std::fs::read_to_string(path).expect("its status")
        });
        let of = |status: String| -> u64 {
            let counts = status.lines().filter(|l| l.contains("voluntary_ctxt_switches"));
            counts.filter_map(|l| l.rsplit('\t').next()?.parse::<u64>().ok()).sum()
        };
        statuses.map(of).sum()
    }
}
