//! Every `ZINC_*` switch that the runtime reads, once, at the start. `docs/env_vars.md` lists
//! them; a test holds the two together.

use crate::care::Wish;
use std::path::PathBuf;
use std::time::Duration;
use zinc_scene::{PixelFormat, Rotation};

/// A switch that cannot be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{name}={value} is not understood: {wanted}")]
pub struct SwitchError {
    name: &'static str,
    value: String,
    wanted: &'static str,
}

/// Which frames a hash is printed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hashes {
    /// None.
    Off,
    /// Each.
    All,
    /// The last one.
    Last,
}

/// What happens when the app panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crash {
    /// The program ends with 101.
    Exit,
    /// The program starts again, until three crashes fall into five seconds.
    Restart,
}

/// `ZINC_FBDEV_*`: switches of the frame buffer display alone.
#[derive(Clone, Debug, PartialEq)]
pub struct FbdevSwitches {
    /// `ZINC_FBDEV_SIM`, `ZINC_FBDEV_SIM_FORMAT`: a file in the node's stead; columns, rows, bits.
    pub sim: Option<(PathBuf, (u32, u32, u32))>,
    /// `ZINC_FBDEV_SIM_INPUT`: raw `input_event` records of a touch panel of the file's size.
    pub sim_input: Option<PathBuf>,
    /// `ZINC_FBDEV_PAN`: draw into the device's memory and pan, where it can.
    pub pan: bool,
    /// `ZINC_FBDEV_STATS`: 1 a table at the end, 2 a line for each frame as well.
    pub stats: u8,
    /// `ZINC_FBDEV_SKIP_S`: time after the first frame that does not count.
    pub skip: Duration,
    /// `ZINC_FBDEV_CRC`: CRC-32 of the surface at the end.
    pub crc: bool,
}

/// `ZINC_KMS_*`: switches of the screen display alone.
#[derive(Clone, Debug, PartialEq)]
pub struct KmsSwitches {
    /// `ZINC_KMS_LEGACY`: legacy calls also where the driver is atomic.
    pub legacy: bool,
    /// `ZINC_KMS_BUFFERS`: 2 or 3.
    pub buffers: usize,
    /// `ZINC_KMS_FORMAT`: XRGB8888 or RGB565; what the plane has if not given.
    pub format: Option<PixelFormat>,
    /// `ZINC_KMS_STATS`: counts at the end.
    pub stats: bool,
}

impl KmsSwitches {
    fn from(read: Read<'_>) -> Result<Self, SwitchError> {
        let buffers: Option<usize> = number(read, "ZINC_KMS_BUFFERS", "2 or 3")?;
        if buffers.is_some_and(|n| !(2..=3).contains(&n)) {
            let value = read("ZINC_KMS_BUFFERS").unwrap_or_default();
            return Err(SwitchError { name: "ZINC_KMS_BUFFERS", value, wanted: "2 or 3" });
        }
        let format = match read("ZINC_KMS_FORMAT").map(|f| f.to_ascii_uppercase()).as_deref() {
            None => None,
            Some("XRGB8888") => Some(PixelFormat::Xrgb8888),
            Some("RGB565") => Some(PixelFormat::Rgb565),
            Some(v) => {
                let wanted = "XRGB8888 or RGB565";
                return Err(SwitchError { name: "ZINC_KMS_FORMAT", value: v.to_owned(), wanted });
            }
        };
        Ok(Self {
            legacy: on(read, "ZINC_KMS_LEGACY", false)?,
            buffers: buffers.unwrap_or(3),
            format,
            stats: on(read, "ZINC_KMS_STATS", false)?,
        })
    }
}

/// `ZINC_INPUT_*`: input devices beside a display that has none.
#[derive(Clone, Debug, PartialEq)]
pub struct InputSwitches {
    /// `ZINC_INPUT_DEVICES`: they are opened.
    pub on: bool,
    /// `ZINC_INPUT_LAYOUT`: keyboard layout, as `de(nodeadkeys)`.
    pub layout: Option<String>,
    /// `ZINC_INPUT_TOUCH`: settings of touch panels, as zinc.json's `input.touch`.
    pub touch: Option<String>,
}

/// The switches, with their defaults filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Switches {
    /// `ZINC_DISPLAY`: drivers to try, in order.
    pub display: Vec<String>,
    /// `ZINC_CONSOLE`: a driver that takes the glass puts the console aside.
    pub console: bool,
    /// `ZINC_DISPLAY_DEVICE`: the display's node.
    pub device: Option<PathBuf>,
    /// `ZINC_DISPLAY_OUTPUT`: names of connectors, as `DSI-1`; the first that shows something wins.
    pub outputs: Vec<String>,
    /// `ZINC_DISPLAY_MODE`: columns, rows, and Hz if given.
    pub mode: Option<(u32, u32, Option<u32>)>,
    /// `ZINC_DISPLAY_WAIT`: for so long a screen's device is waited for; 30 s if not given, 3 s where
    /// `display` goes on to another driver.
    pub display_wait: Option<Duration>,
    /// `ZINC_ROTATION`: how far the picture is turned on its panel, clockwise.
    pub rotation: Rotation,
    /// `ZINC_SIZE`: columns and rows.
    pub size: Option<(u32, u32)>,
    /// `ZINC_SCALE`: surface pixels per layout pixel.
    pub scale: f32,
    /// `ZINC_DETERMINISTIC`: virtual clock, scripted input only.
    pub deterministic: bool,
    /// `ZINC_FIXED_DT`: seconds of a virtual frame.
    pub fixed_dt: Duration,
    /// `ZINC_INPUT`: a script of events.
    pub input: Option<PathBuf>,
    /// `ZINC_INPUT_*`.
    pub devices: InputSwitches,
    /// `ZINC_FRAMES`: stop after so many.
    pub frames: Option<u64>,
    /// `ZINC_SHOT`: picture of the last frame.
    pub shot: Option<PathBuf>,
    /// `ZINC_SHOT_FRAMES`: numbers of frames to keep.
    pub shot_frames: Vec<u64>,
    /// `ZINC_SHOT_EVERY`: keep each n-th frame.
    pub shot_every: Option<u64>,
    /// `ZINC_SHOT_DIR`: where kept frames go.
    pub shot_dir: PathBuf,
    /// `ZINC_FRAMEHASH`.
    pub hashes: Hashes,
    /// `ZINC_CAPTURE`: folder or file for captures of frames.
    pub capture: Option<PathBuf>,
    /// `ZINC_CAPTURE_FRAMES`: which; all frames into one folder when it is `all`.
    pub capture_frames: Vec<u64>,
    /// All frames are captured.
    pub capture_all: bool,
    /// `ZINC_DEMO`: scripted state of an example.
    pub demo: Option<String>,
    /// `ZINC_RENDER_THREADS`.
    pub threads: usize,
    /// `ZINC_ANTIALIAS`: shapes and glyphs have soft edges.
    pub antialias: bool,
    /// `ZINC_PIPELINE`: the next view runs while a frame is drawn.
    pub pipeline: bool,
    /// `ZINC_DAMAGE`: `0` draws every frame whole.
    pub damage: bool,
    /// `ZINC_PROFILE`: times of the phases at the end.
    pub profile: bool,
    /// `ZINC_PERF_HUD`: a panel over the app with rates and times.
    pub hud: bool,
    /// `ZINC_SCREEN_DIM`, `ZINC_SCREEN_OFF`: what becomes of a screen that nobody touches.
    pub screen: Wish,
    /// `ZINC_BACKLIGHT`: a folder of backlights in the stead of the kernel's.
    pub backlight: Option<PathBuf>,
    /// `ZINC_CRASH`.
    pub crash: Crash,
    /// `ZINC_SIM`: a file that holds the simulated display's frame.
    pub sim_file: Option<PathBuf>,
    /// `ZINC_FBDEV_*`.
    pub fbdev: FbdevSwitches,
    /// Switches of the screen display.
    pub kms: KmsSwitches,
    /// `ZINC_WEB_PORT`.
    pub web_port: u16,
    /// `ZINC_WEB_BIND`: address to listen on.
    pub web_bind: String,
    /// `ZINC_WEB_TOKEN`: word that a page must know.
    pub web_token: Option<String>,
    /// `ZINC_ASSETS`: folder of relative image paths.
    pub assets: Option<PathBuf>,
    /// `ZINC_SCHEME`: `light` or `dark` at the start.
    pub dark: Option<bool>,
}

/// Reads one variable; empty counts as unset.
type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

fn number<T: std::str::FromStr>(
    read: Read<'_>,
    name: &'static str,
    wanted: &'static str,
) -> Result<Option<T>, SwitchError> {
    match read(name) {
        None => Ok(None),
        Some(v) => match v.trim().parse() {
            Ok(n) => Ok(Some(n)),
            Err(_) => Err(SwitchError { name, value: v, wanted }),
        },
    }
}

/// What becomes of a screen that nobody touches.
fn wish(read: Read<'_>) -> Result<Wish, SwitchError> {
    fn parsed<T: std::str::FromStr>(
        name: &'static str,
        value: &str,
        wanted: &'static str,
    ) -> Result<T, SwitchError> {
        value.parse().map_err(|_| SwitchError { name, value: value.to_owned(), wanted })
    }
    let dim = match read("ZINC_SCREEN_DIM") {
        Some(v) => Some(parsed("ZINC_SCREEN_DIM", &v, "a time and a share, as 5min:0.2")?),
        None => None,
    };
    let off = read("ZINC_SCREEN_OFF").unwrap_or_default();
    let off = off.split(',').filter(|o| !o.trim().is_empty());
    let wanted = "a time as 30min, hours as 22:00-08:00, or both with a comma";
    let off = off.map(|o| parsed("ZINC_SCREEN_OFF", o, wanted)).collect::<Result<_, _>>()?;
    Ok(Wish { dim, off })
}

/// A number of a range; NaN is in none.
fn within(
    read: Read<'_>,
    name: &'static str,
    range: std::ops::RangeInclusive<f64>,
    wanted: &'static str,
) -> Result<Option<f64>, SwitchError> {
    match number::<f64>(read, name, wanted)? {
        Some(v) if !range.contains(&v) => {
            Err(SwitchError { name, value: read(name).unwrap_or_default(), wanted })
        }
        v => Ok(v),
    }
}

fn on(read: Read<'_>, name: &'static str, default: bool) -> Result<bool, SwitchError> {
    let wanted = "1 or 0";
    match read(name).as_deref() {
        None => Ok(default),
        Some("1" | "on" | "true" | "yes") => Ok(true),
        Some("0" | "off" | "false" | "no") => Ok(false),
        Some(v) => Err(SwitchError { name, value: v.to_owned(), wanted }),
    }
}

fn numbers(read: Read<'_>, name: &'static str) -> Result<Vec<u64>, SwitchError> {
    let Some(v) = read(name) else { return Ok(Vec::new()) };
    v.split(',')
        .map(|n| n.trim().parse())
        .collect::<Result<Vec<u64>, _>>()
        .map_err(|_| SwitchError { name, value: v.clone(), wanted: "frame numbers with commas" })
}

/// `WxH`.
pub(crate) fn size(v: &str) -> Option<(u32, u32)> {
    let (w, h) = v.trim().split_once(['x', 'X'])?;
    let side = 1..=zinc_scene::limits::SURFACE_SIDE;
    let (w, h) = (w.trim().parse().ok()?, h.trim().parse().ok()?);
    (side.contains(&w) && side.contains(&h)).then_some((w, h))
}

/// `WIDTHxHEIGHTxBITS`.
fn mode(v: &str) -> Option<(u32, u32, u32)> {
    let (wh, bits) = v.rsplit_once(['x', 'X'])?;
    let (w, h) = size(wh)?;
    let bits = bits.trim().parse().ok().filter(|b| matches!(b, 16 | 24 | 32))?;
    Some((w, h, bits))
}

impl FbdevSwitches {
    fn from(read: Read<'_>) -> Result<Self, SwitchError> {
        let format = read("ZINC_FBDEV_SIM_FORMAT").unwrap_or_else(|| "640x480x32".to_owned());
        let mode = mode(&format).ok_or(SwitchError {
            name: "ZINC_FBDEV_SIM_FORMAT",
            value: format,
            wanted: "WIDTHxHEIGHTxBITS, bits 16, 24 or 32, as 800x480x16",
        })?;
        let stats = match read("ZINC_FBDEV_STATS").as_deref() {
            None | Some("0") => 0,
            Some("1") => 1,
            Some("2") => 2,
            Some(v) => {
                let wanted = "0, 1 or 2";
                return Err(SwitchError { name: "ZINC_FBDEV_STATS", value: v.to_owned(), wanted });
            }
        };
        let skip = within(read, "ZINC_FBDEV_SKIP_S", 0.0..=86400.0, "seconds, 0 to 86400")?;
        Ok(Self {
            sim: read("ZINC_FBDEV_SIM").map(|p| (PathBuf::from(p), mode)),
            sim_input: read("ZINC_FBDEV_SIM_INPUT").map(PathBuf::from),
            pan: on(read, "ZINC_FBDEV_PAN", true)?,
            stats,
            skip: Duration::from_secs_f64(skip.unwrap_or(0.0)),
            crc: on(read, "ZINC_FBDEV_CRC", false)?,
        })
    }
}

/// `WIDTHxHEIGHT` or `WIDTHxHEIGHT@HZ`.
fn display_mode(read: Read<'_>) -> Result<Option<(u32, u32, Option<u32>)>, SwitchError> {
    let name = "ZINC_DISPLAY_MODE";
    let Some(v) = read(name) else { return Ok(None) };
    let (wh, rate) = v.split_once('@').map_or((&*v, None), |(a, b)| (a, Some(b)));
    let hertz = rate.map(|r| r.trim().parse::<u32>().ok().filter(|r| (1..=1000).contains(r)));
    match (size(wh), hertz) {
        (Some((w, h)), None) => Ok(Some((w, h, None))),
        (Some((w, h)), Some(Some(r))) => Ok(Some((w, h, Some(r)))),
        _ => {
            let wanted = "WIDTHxHEIGHT or WIDTHxHEIGHT@HZ, as 800x480@60";
            Err(SwitchError { name, value: v.clone(), wanted })
        }
    }
}

fn rotation(read: Read<'_>) -> Result<Rotation, SwitchError> {
    match read("ZINC_ROTATION").as_deref().map(str::trim) {
        None | Some("0") => Ok(Rotation::Deg0),
        Some("90") => Ok(Rotation::Deg90),
        Some("180") => Ok(Rotation::Deg180),
        Some("270") => Ok(Rotation::Deg270),
        Some(v) => {
            let wanted = "0, 90, 180 or 270";
            Err(SwitchError { name: "ZINC_ROTATION", value: v.to_owned(), wanted })
        }
    }
}

impl Switches {
    /// From the environment.
    ///
    /// # Errors
    /// The first switch whose value makes no sense.
    pub fn from_env() -> Result<Self, SwitchError> {
        Self::from(&|name| std::env::var(name).ok().filter(|v| !v.is_empty()))
    }

    /// From any source.
    ///
    /// # Errors
    /// The first switch whose value makes no sense.
    pub fn from(read: Read<'_>) -> Result<Self, SwitchError> {
        let surface = match read("ZINC_SIZE") {
            None => None,
            Some(v) => Some(size(&v).ok_or(SwitchError {
                name: "ZINC_SIZE",
                value: v,
                wanted: "WIDTHxHEIGHT, each 1 to 16384, as 800x480",
            })?),
        };
        let hashes = match read("ZINC_FRAMEHASH").as_deref() {
            None | Some("0" | "off") => Hashes::Off,
            Some("all") => Hashes::All,
            Some("last" | "1") => Hashes::Last,
            Some(v) => {
                let wanted = "all or last";
                return Err(SwitchError { name: "ZINC_FRAMEHASH", value: v.to_owned(), wanted });
            }
        };
        let crash = match read("ZINC_CRASH").as_deref() {
            None | Some("exit") => Crash::Exit,
            Some("restart") => Crash::Restart,
            Some(v) => {
                let wanted = "exit or restart";
                return Err(SwitchError { name: "ZINC_CRASH", value: v.to_owned(), wanted });
            }
        };
        let dark = match read("ZINC_SCHEME").as_deref() {
            None | Some("auto") => None,
            Some("dark") => Some(true),
            Some("light") => Some(false),
            Some(v) => {
                let wanted = "light, dark or auto";
                return Err(SwitchError { name: "ZINC_SCHEME", value: v.to_owned(), wanted });
            }
        };
        let threads: Option<usize> = number(read, "ZINC_RENDER_THREADS", "a number from 1 to 8")?;
        if threads.is_some_and(|n| !(1..=8).contains(&n)) {
            return Err(SwitchError {
                name: "ZINC_RENDER_THREADS",
                value: threads.unwrap_or(0).to_string(),
                wanted: "a number from 1 to 8",
            });
        }
        let threads = threads.unwrap_or_else(zinc_raster::default_threads);
        let dt = within(read, "ZINC_FIXED_DT", 0.0001..=1.0, "seconds from 0.0001 to 1")?;
        let scale = within(read, "ZINC_SCALE", 0.25..=8.0, "a factor from 0.25 to 8")?;
        let all = read("ZINC_CAPTURE_FRAMES").as_deref() == Some("all");
        let capture_frames = if all { Vec::new() } else { numbers(read, "ZINC_CAPTURE_FRAMES")? };
        Ok(Self {
            display: read("ZINC_DISPLAY")
                .map(|v| v.split(',').map(|s| s.trim().to_owned()).collect())
                .unwrap_or_else(|| vec!["auto".to_owned()]),
            console: on(read, "ZINC_CONSOLE", true)?,
            device: read("ZINC_DISPLAY_DEVICE").map(PathBuf::from),
            outputs: read("ZINC_DISPLAY_OUTPUT")
                .map(|v| v.split(',').map(|s| s.trim().to_owned()).collect())
                .unwrap_or_default(),
            mode: display_mode(read)?,
            display_wait: within(read, "ZINC_DISPLAY_WAIT", 0.0..=3600.0, "seconds, 0 to 3600")?
                .map(Duration::from_secs_f64),
            rotation: rotation(read)?,
            size: surface,
            scale: scale.unwrap_or(1.0) as f32,
            deterministic: on(read, "ZINC_DETERMINISTIC", false)?,
            fixed_dt: dt.map_or(Duration::from_nanos(16_666_667), Duration::from_secs_f64),
            input: read("ZINC_INPUT").map(PathBuf::from),
            devices: InputSwitches {
                on: on(read, "ZINC_INPUT_DEVICES", true)?,
                layout: read("ZINC_INPUT_LAYOUT"),
                touch: read("ZINC_INPUT_TOUCH"),
            },
            frames: number(read, "ZINC_FRAMES", "a number of frames")?,
            shot: read("ZINC_SHOT").map(PathBuf::from),
            shot_frames: numbers(read, "ZINC_SHOT_FRAMES")?,
            shot_every: number(read, "ZINC_SHOT_EVERY", "a number of frames")?,
            shot_dir: read("ZINC_SHOT_DIR").map_or_else(|| PathBuf::from("."), PathBuf::from),
            hashes,
            capture: read("ZINC_CAPTURE").map(PathBuf::from),
            capture_frames,
            capture_all: all,
            demo: read("ZINC_DEMO"),
            threads,
            antialias: on(read, "ZINC_ANTIALIAS", true)?,
            // With one thread there is nobody to draw meanwhile.
            pipeline: on(read, "ZINC_PIPELINE", true)? && threads > 1,
            damage: on(read, "ZINC_DAMAGE", true)?,
            profile: on(read, "ZINC_PROFILE", false)?,
            hud: on(read, "ZINC_PERF_HUD", false)?,
            screen: wish(read)?,
            backlight: read("ZINC_BACKLIGHT").map(PathBuf::from),
            crash,
            sim_file: read("ZINC_SIM").map(PathBuf::from),
            fbdev: FbdevSwitches::from(read)?,
            kms: KmsSwitches::from(read)?,
            web_port: number(read, "ZINC_WEB_PORT", "a port, 0 to 65535")?.unwrap_or(7700),
            web_bind: read("ZINC_WEB_BIND").unwrap_or_else(|| "127.0.0.1".to_owned()),
            web_token: read("ZINC_WEB_TOKEN"),
            assets: read("ZINC_ASSETS").map(PathBuf::from),
            dark,
        })
    }

    /// Pixels of the surface are asked for (hash or picture), now or later.
    pub fn wants_pixels(&self) -> bool {
        self.hashes != Hashes::Off
            || self.fbdev.crc
            || self.shot.is_some()
            || self.shot_every.is_some()
            || !self.shot_frames.is_empty()
    }
    /// This frame is kept as a picture of its own.
    pub fn keeps_shot(&self, frame: u64) -> bool {
        self.shot_frames.contains(&frame)
            || self.shot_every.is_some_and(|n| n > 0 && frame.is_multiple_of(n))
    }
    /// This frame is captured.
    pub fn keeps_capture(&self, frame: u64) -> bool {
        self.capture.is_some() && (self.capture_all || self.capture_frames.contains(&frame))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(vars: &[(&str, &str)]) -> Result<Switches, SwitchError> {
        Switches::from(&|n| vars.iter().find(|(k, _)| *k == n).map(|(_, v)| (*v).to_owned()))
    }

    #[test]
    fn defaults_are_sane_and_wrong_values_are_named() {
        let s = of(&[]).unwrap();
        assert_eq!((s.web_port, s.hashes, s.display), (7700, Hashes::Off, vec!["auto".to_owned()]));
        let one = of(&[("ZINC_RENDER_THREADS", "1"), ("ZINC_PIPELINE", "1")]).unwrap();
        assert!(!one.pipeline);
        for (k, v) in [
            ("ZINC_SIZE", "800"),
            ("ZINC_SIZE", "0x480"),
            ("ZINC_RENDER_THREADS", "0"),
            ("ZINC_RENDER_THREADS", "many"),
            ("ZINC_FRAMEHASH", "some"),
            ("ZINC_DETERMINISTIC", "maybe"),
            ("ZINC_SHOT_FRAMES", "1,x"),
            ("ZINC_WEB_PORT", "70000"),
            ("ZINC_ROTATION", "45"),
            ("ZINC_FBDEV_SIM_FORMAT", "800x480"),
            ("ZINC_FBDEV_SIM_FORMAT", "800x480x15"),
            ("ZINC_FBDEV_STATS", "3"),
            ("ZINC_DISPLAY_MODE", "800x480@"),
            ("ZINC_DISPLAY_MODE", "800x480@none"),
            ("ZINC_DISPLAY_WAIT", "soon"),
            ("ZINC_KMS_BUFFERS", "4"),
            ("ZINC_KMS_FORMAT", "NV12"),
            ("ZINC_FBDEV_SKIP_S", "-1"),
        ] {
            let e = of(&[(k, v)]).unwrap_err().to_string();
            assert!(e.contains(k), "{e}");
        }
    }
}
