//! A frame buffer that does as a test says, and remembers what was asked of it.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use zinc_display_fbdev::{Bitfield, Detail, Device, Fbdev, Fix, Memory, Options, Var};
use zinc_hal::{Display, DisplayError, DisplayEvent, Frame};
use zinc_raster::Rasterizer;
use zinc_scene::{CommandList, LayerPlan, Region, Rotation};

/// What lies where nobody has written.
pub(crate) const UNTOUCHED: u8 = 0xA5;

/// A call, and the memory as it was then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Wait(Vec<u8>),
    Pan(u32, Vec<u8>),
    Set(Var),
}

/// What a device is, and what it answers.
pub(crate) struct State {
    pub(crate) var: Var,
    pub(crate) fix: Fix,
    pub(crate) file: File,
    pub(crate) calls: Vec<Call>,
    /// The answer of a wait: its length, or an error's number.
    pub(crate) wait: Result<Duration, i32>,
    pub(crate) pan: Result<(), i32>,
    /// How long a pan takes.
    pub(crate) pan_takes: Duration,
    /// A mode that is asked for is not made.
    pub(crate) stubborn: bool,
}

impl State {
    pub(crate) fn memory(&self) -> Vec<u8> {
        let mut all = vec![0; self.fix.smem_len as usize];
        self.file.read_exact_at(&mut all, 0).unwrap();
        all
    }
    pub(crate) fn waits(&self) -> usize {
        self.calls.iter().filter(|c| matches!(c, Call::Wait(_))).count()
    }
}

/// The device; a test keeps a clone.
#[derive(Clone)]
pub(crate) struct Double(Arc<Mutex<State>>);

pub(crate) const fn bits(offset: u32, length: u32) -> Bitfield {
    Bitfield { offset, length, msb_right: 0 }
}

/// Red, green, blue of the usual layouts, red high.
pub(crate) fn channels(depth: u32) -> [Bitfield; 3] {
    match depth {
        16 => [bits(11, 5), bits(5, 6), bits(0, 5)],
        _ => [bits(16, 8), bits(8, 8), bits(0, 8)],
    }
}

impl Double {
    /// Of this size and depth, rows `gap` bytes apart.
    pub(crate) fn new(width: u32, height: u32, depth: u32, gap: u32) -> Self {
        let [red, green, blue] = channels(depth);
        let pitch = width * (depth / 8) + gap;
        let (xres, yres, bits_per_pixel) = (width, height, depth);
        let (xres_virtual, yres_virtual) = (xres, yres);
        let var = Var {
            xres,
            yres,
            xres_virtual,
            yres_virtual,
            bits_per_pixel,
            red,
            green,
            blue,
            ..Var::default()
        };
        let (line_length, smem_len) = (pitch, pitch * height);
        let fix = Fix { line_length, smem_len, visual: 2, ..Fix::default() };
        let (wait, pan, pan_takes) = (Err(25), Err(22), Duration::ZERO);
        let file = tempfile::tempfile().unwrap();
        Self(Arc::new(Mutex::new(State {
            var,
            fix,
            file,
            calls: Vec::new(),
            wait,
            pan,
            pan_takes,
            stubborn: false,
        })))
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// Opens the driver on it.
    pub(crate) fn open(&self, with: impl FnOnce(&mut Options)) -> Result<Fbdev, DisplayError> {
        let s = self.state();
        s.file.set_len(0).unwrap();
        s.file.write_all_at(&vec![UNTOUCHED; s.fix.smem_len as usize], 0).unwrap();
        drop(s);
        let mut o = options();
        with(&mut o);
        Fbdev::with(Box::new(self.clone()), "double", o)
    }
}

pub(crate) fn options() -> Options {
    Options {
        node: "/dev/fb0".into(),
        sim: None,
        size: None,
        scale: 1.0,
        rotation: Rotation::Deg0,
        unpaced: true,
        pan: true,
        stats: Detail::Off,
        skip: Duration::ZERO,
        start: Instant::now(),
        waker: Arc::new(|| {}),
        before_write: Box::new(|| Ok(())),
    }
}

impl Device for Double {
    fn var(&mut self) -> io::Result<Var> {
        Ok(self.state().var)
    }
    fn set_var(&mut self, var: &Var) -> io::Result<()> {
        let mut s = self.state();
        s.calls.push(Call::Set(*var));
        if !s.stubborn {
            s.var = *var;
        }
        Ok(())
    }
    fn fix(&mut self) -> io::Result<Fix> {
        Ok(self.state().fix)
    }
    fn wait(&mut self) -> io::Result<()> {
        let mut s = self.state();
        let memory = s.memory();
        s.calls.push(Call::Wait(memory));
        let answer = s.wait;
        drop(s);
        match answer {
            Ok(long) => {
                std::thread::sleep(long);
                Ok(())
            }
            Err(n) => Err(io::Error::from_raw_os_error(n)),
        }
    }
    fn pan(&mut self, var: &Var) -> io::Result<()> {
        let mut s = self.state();
        let memory = s.memory();
        s.calls.push(Call::Pan(var.yoffset, memory));
        let (answer, takes) = (s.pan, s.pan_takes);
        drop(s);
        std::thread::sleep(takes);
        answer.map_err(io::Error::from_raw_os_error)
    }
    fn map(&mut self, fix: &Fix) -> io::Result<Memory> {
        Memory::of(&self.state().file, fix.smem_len as usize, 0..fix.smem_len as usize)
    }
}

/// Draws what a slot lacks and presents it; returns when it is on the glass. Answers the slot's age.
pub(crate) fn show(
    fb: &mut Fbdev,
    list: &CommandList,
    lacks: impl FnOnce(u32) -> Region,
    damage: &Region,
    number: u64,
) -> u32 {
    let mut slot = fb.acquire().unwrap().expect("a buffer is free");
    let age = slot.age;
    Rasterizer::new(1).render(list, &LayerPlan::new(), &lacks(age), &mut slot.target());
    fb.present(slot, Frame { damage: damage.rects(), number }).unwrap();
    let mut events = Vec::new();
    let end = Instant::now() + Duration::from_secs(20);
    while events.is_empty() {
        assert!(Instant::now() < end, "frame {number} is never shown");
        std::thread::sleep(Duration::from_millis(1));
        fb.poll(&mut events);
    }
    assert!(matches!(events[..], [DisplayEvent::Presented { number: n, .. }] if n == number));
    age
}

/// Draws and shows a list whole.
pub(crate) fn show_whole(fb: &mut Fbdev, list: &CommandList, number: u64) {
    let all = Region::of(list.surface());
    show(fb, list, |_| all, &all, number);
}
