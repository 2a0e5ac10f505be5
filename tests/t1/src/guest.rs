//! A guest: User-Mode Linux with frame buffers, virtual terminals and input devices of its own, so
//! that tests meet a real kernel's answers. Its root is this machine's, read-only; `t1-guest` is
//! its first process, which takes the steps of a test one by one and leaves what they left in a
//! folder of the test. A boot takes a second. `guest/kernel.sh` builds the kernel, once.

use crate::{here, programs};
use serde_json::{Value, json};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A guest that says nothing for so long is ended: boots take one second, programs a few.
const LIMIT: Duration = Duration::from_secs(120);

/// The kernel; built when it is not there yet.
///
/// # Panics
/// When it cannot be built: what is missing is an error, not a reason to skip.
pub fn kernel() -> &'static PathBuf {
    static ONE: OnceLock<PathBuf> = OnceLock::new();
    ONE.get_or_init(|| {
        let script = here().join("guest/kernel.sh");
        let mut c = Command::new(&script);
        c.arg(programs::target().join("guest")).stdin(Stdio::null()).stderr(Stdio::inherit());
        let out = c.output().unwrap_or_else(|e| panic!("{}: {e}", script.display()));
        assert!(out.status.success(), "the guest's kernel cannot be built; see above");
        PathBuf::from(String::from_utf8_lossy(&out.stdout).trim())
    })
}

/// Who runs a program in the guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum User {
    /// Everything is allowed.
    Root,
    /// A plain user whose only group has this number.
    Plain(u32),
}

/// What a program in the guest left behind.
#[derive(Debug)]
pub struct Left {
    /// Exit code; `None` when a signal ended it.
    pub code: Option<i64>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Left {
    /// Fails the test unless the program ended with `code` and said all of these.
    ///
    /// # Panics
    /// When it ended otherwise, or one of them is not said.
    #[track_caller]
    pub fn ended(&self, code: i64, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        for w in words {
            assert!(self.err.contains(w), "nothing says {w:?}:\n{}", self.err);
        }
    }
}

/// What a guest is to do.
pub struct Guest {
    dir: TempDir,
    boot: Vec<String>,
    init: PathBuf,
    steps: Vec<Value>,
    runs: usize,
}

impl Guest {
    /// With these words on its kernel's command line. `init` is the program `t1-guest`.
    pub fn new(init: &str, boot: &[&str]) -> Self {
        let boot = boot.iter().map(|w| (*w).to_owned()).collect();
        Self { dir: crate::folder(), boot, init: init.into(), steps: Vec::new(), runs: 0 }
    }

    /// Gives a node to a group, and this mode.
    pub fn own(&mut self, node: &str, group: u32, mode: u32) {
        self.steps.push(json!({ "own": node, "group": group, "mode": mode }));
    }

    /// Runs a program; `env` is all of its environment.
    pub fn run(&mut self, user: User, program: &str, args: &[&str], env: &[(&str, &str)]) {
        let id = match user {
            User::Root => Value::Null,
            User::Plain(group) => json!(group),
        };
        let env: Vec<_> = env.iter().map(|(k, v)| json!([k, v])).collect();
        let n = self.runs;
        self.steps.push(json!({ "run": program, "args": args, "env": env, "plain": id, "n": n }));
        self.runs += 1;
    }

    /// Copies what a node or file holds into the test's folder.
    pub fn keep(&mut self, from: &str, to: &str) {
        self.steps.push(json!({ "keep": from, "to": to }));
    }

    /// Boots, takes the steps, powers off; what the programs left, in order.
    ///
    /// # Panics
    /// When the guest dies, stands still, or a step cannot be taken.
    pub fn boot(&mut self) -> Vec<Left> {
        let dir = self.dir.path();
        let steps = Value::Array(std::mem::take(&mut self.steps));
        std::fs::write(dir.join("steps.json"), steps.to_string()).expect("steps are written");
        let log = std::fs::File::create(dir.join("console")).expect("a log is made");
        let mut c = Command::new(kernel());
        c.args(["mem=256M", "root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro", "quiet"]);
        c.args(["ssl=null", "ssl0=null,fd:1", "console=ttyS0", "panic=-1"]);
        // A cursor of the console would blink over the picture.
        c.arg("vt.global_cursor_default=0");
        c.arg(format!("uml_dir={}", dir.join("uml").display()));
        c.arg(format!("init={}", self.init.display())).arg(format!("t1.out={}", dir.display()));
        c.args(&self.boot).stdin(Stdio::null()).process_group(0);
        c.stdout(log.try_clone().expect("a second handle")).stderr(log);
        let mut child = c.spawn().expect("the kernel is a program of this machine");
        let start = Instant::now();
        let ended = loop {
            if let Some(status) = child.try_wait().expect("it is our child") {
                break Some(status);
            }
            if start.elapsed() > LIMIT {
                end_group(child.id());
                let _ = child.wait();
                break None;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let console = String::from_utf8_lossy(&self.kept("console")).into_owned();
        assert!(ended.is_some(), "the guest stands still after {LIMIT:?}:\n{console}");
        assert!(
            console.contains("t1-guest: done"),
            "the guest died ({ended:?}); its console:\n{console}"
        );
        println!("guest: {:.1?} from boot to off", start.elapsed());
        (0..std::mem::take(&mut self.runs)).map(|n| self.left(n)).collect()
    }

    fn left(&self, n: usize) -> Left {
        let text =
            |what: &str| String::from_utf8_lossy(&self.kept(&format!("{n}.{what}"))).into_owned();
        Left { code: text("code").trim().parse().ok(), out: text("out"), err: text("err") }
    }

    /// The folder that guest and test share.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// A file that was left there.
    ///
    /// # Panics
    /// When it is not there.
    pub fn kept(&self, name: &str) -> Vec<u8> {
        let path = self.dir.path().join(name);
        std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }
}

/// Ends a guest with all its processes. Its own answer to a gentler signal is noise.
fn end_group(id: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(p) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        // It may have ended meanwhile.
        let _ = kill_process_group(p, Signal::KILL);
    }
}
