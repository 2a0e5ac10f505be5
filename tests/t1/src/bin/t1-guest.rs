//! The first process of a guest (see `guest.rs` of this crate): it mounts what programs expect, takes
//! the steps of `steps.json` one by one, and powers off. What cannot be done is said on the console,
//! and the word that the runner waits for is not.

#[cfg(target_os = "linux")]
mod linux {
    use rustix::fs::{Gid, Mode};
    use rustix::mount::{MountFlags, mount};
    use serde_json::Value;
    use std::ffi::CString;
    use std::fs::{self, File};
    use std::io::{Read, Write};
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::process::Command;

    type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

    /// The folder that is shared with the test.
    const OUT: &str = "/run/out";
    /// Programs for everybody: the folders that they come from may be closed to plain users.
    const BIN: &str = "/run/bin";
    /// The plain user.
    const PLAIN: u32 = 1000;

    pub(crate) fn main() {
        match all() {
            Ok(()) => println!("t1-guest: done"),
            Err(e) => println!("t1-guest: {e}"),
        }
        rustix::fs::sync();
        let off = rustix::system::reboot(rustix::system::RebootCommand::PowerOff);
        println!("t1-guest: cannot power off: {off:?}");
    }

    fn all() -> Outcome {
        let attach = |kind: &str, at: &str, data: Option<&str>| -> Outcome {
            fs::create_dir_all(at)
                .or_else(|e| if Path::new(at).is_dir() { Ok(()) } else { Err(e) })?;
            let data = data.map(CString::new).transpose()?;
            mount(kind, at, kind, MountFlags::empty(), data.as_deref())
                .map_err(|e| format!("cannot mount {kind} on {at}: {e}"))?;
            Ok(())
        };
        attach("proc", "/proc", None)?;
        attach("sysfs", "/sys", None)?;
        attach("devtmpfs", "/dev", None)?;
        // Not /tmp: the programs under test may be there.
        for at in ["/dev/shm", "/run"] {
            attach("tmpfs", at, None)?;
        }
        let words = fs::read_to_string("/proc/cmdline")?;
        let out = words.split_whitespace().find_map(|w| w.strip_prefix("t1.out="));
        attach("hostfs", OUT, Some(out.ok_or("no t1.out= on the command line")?))?;
        fs::create_dir_all(BIN)?;
        fs::set_permissions("/run", fs::Permissions::from_mode(0o755))?;
        let steps: Value = serde_json::from_str(&fs::read_to_string(format!("{OUT}/steps.json"))?)?;
        for s in steps.as_array().ok_or("steps are a list")? {
            step(s).map_err(|e| format!("{s}: {e}"))?;
        }
        Ok(())
    }

    fn step(s: &Value) -> Outcome {
        let text = |key: &str| s[key].as_str().ok_or_else(|| format!("no {key}"));
        let number = |key: &str| s[key].as_u64().ok_or_else(|| format!("no {key}"));
        if let Ok(node) = text("own") {
            let (group, mode) = (number("group")? as u32, number("mode")? as u32);
            rustix::fs::chown(node, None, Some(Gid::from_raw(group)))?;
            rustix::fs::chmod(node, Mode::from_raw_mode(mode))?;
        } else if let Ok(from) = text("keep") {
            // A device tells no length: it is read to its end.
            let mut bytes = Vec::new();
            File::open(from)?.read_to_end(&mut bytes)?;
            File::create(format!("{OUT}/{}", text("to")?))?.write_all(&bytes)?;
        } else {
            run(s, text("run")?, number("n")?)?;
        }
        Ok(())
    }

    fn run(s: &Value, program: &str, n: u64) -> Outcome {
        let name = Path::new(program).file_name().ok_or("a program has a name")?;
        let copy = Path::new(BIN).join(name);
        if !copy.exists() {
            fs::copy(program, &copy)?;
            fs::set_permissions(&copy, fs::Permissions::from_mode(0o755))?;
        }
        let mut c = Command::new(copy);
        c.env_clear().env("PATH", "/usr/bin:/bin").current_dir("/run");
        c.args(s["args"].as_array().into_iter().flatten().filter_map(Value::as_str));
        for pair in s["env"].as_array().into_iter().flatten() {
            c.env(pair[0].as_str().unwrap_or_default(), pair[1].as_str().unwrap_or_default());
        }
        if let Some(group) = s["plain"].as_u64() {
            c.uid(PLAIN).gid(group as u32);
        }
        let o = c.output()?;
        let code = o.status.code().map_or("signal".to_owned(), |c| c.to_string());
        for (what, bytes) in [("code", code.as_bytes()), ("out", &o.stdout), ("err", &o.stderr)] {
            fs::write(format!("{OUT}/{n}.{what}"), bytes)?;
        }
        Ok(())
    }
}

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(not(target_os = "linux"))]
fn main() {}
