//! The light behind a panel, as the kernel offers it below `/sys/class/backlight`.

use std::io;
use std::path::{Path, PathBuf};

/// Where the kernel has them.
pub(crate) const FOLDER: &str = "/sys/class/backlight";

/// `bl_power`: on, and off.
const ON: &str = "0";
const OFF: &str = "4";

/// Why there is none to use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BacklightError {
    #[error("no backlight here")]
    None,
    #[error(
        "cannot write {node}: {cause}; join the group video, or add a udev rule for backlights"
    )]
    Refused { node: PathBuf, cause: io::Error },
}

/// A backlight, as bright as it was found again when it is dropped.
#[derive(Debug)]
pub(crate) struct Backlight {
    folder: PathBuf,
    found: u32,
    is_off: bool,
}

impl Backlight {
    /// The first one of a folder that may be written.
    pub(crate) fn open(folder: &Path) -> Result<Self, BacklightError> {
        let all = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut all: Vec<PathBuf> = all.map(|e| e.path()).collect();
        all.sort();
        let mut refused = BacklightError::None;
        for folder in all {
            let number = |file: &str| -> Option<u32> {
                std::fs::read_to_string(folder.join(file)).ok()?.trim().parse().ok()
            };
            let (Some(now), Some(most @ 1..)) = (number("brightness"), number("max_brightness"))
            else {
                continue;
            };
            // One that was left dark by somebody is no measure.
            let found = if now == 0 { most } else { now };
            let one = Self { folder, found, is_off: false };
            match one.write("brightness", &found.to_string()) {
                Ok(()) => return Ok(one),
                Err(cause) => {
                    refused =
                        BacklightError::Refused { node: one.folder.join("brightness"), cause };
                    // It is not ours to put back.
                    std::mem::forget(one);
                }
            }
        }
        Err(refused)
    }

    fn write(&self, file: &str, text: &str) -> io::Result<()> {
        std::fs::write(self.folder.join(file), text)
    }

    /// A share of what it was; 0 is off.
    pub(crate) fn set(&mut self, share: f32) -> io::Result<()> {
        let off = share <= 0.0;
        if off != self.is_off {
            // Some drivers have no switch; then the brightness does it.
            let _ = self.write("bl_power", if off { OFF } else { ON });
            self.is_off = off;
        }
        let level = if off { 0 } else { ((self.found as f32 * share) as u32).max(1) };
        self.write("brightness", &level.to_string())
    }
}

impl Drop for Backlight {
    fn drop(&mut self) {
        // Nobody can be told, and nothing can be done.
        let _ = self.set(1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(dir: &Path, now: &str) -> impl Fn(&str) -> String + use<> {
        let folder = dir.join("panel");
        std::fs::create_dir_all(&folder).unwrap();
        for (file, text) in [("brightness", now), ("max_brightness", "255"), ("bl_power", "0")] {
            std::fs::write(folder.join(file), text).unwrap();
        }
        move |file| std::fs::read_to_string(folder.join(file)).unwrap()
    }

    #[test]
    fn it_is_dimmed_switched_off_and_put_back() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(Backlight::open(dir.path()), Err(BacklightError::None)));
        let tells = panel(dir.path(), "200\n");
        let mut b = Backlight::open(dir.path()).unwrap();
        b.set(0.2).unwrap();
        assert_eq!((tells("brightness"), tells("bl_power")), ("40".into(), "0".into()));
        b.set(0.0).unwrap();
        assert_eq!((tells("brightness"), tells("bl_power")), ("0".into(), "4".into()));
        b.set(0.001).unwrap();
        assert_eq!((tells("brightness"), tells("bl_power")), ("1".into(), "0".into()));
        drop(b);
        assert_eq!(tells("brightness"), "200");
        // Left dark by a program that was killed.
        let tells = panel(dir.path(), "0");
        drop(Backlight::open(dir.path()).unwrap());
        assert_eq!(tells("brightness"), "255");
    }
}
