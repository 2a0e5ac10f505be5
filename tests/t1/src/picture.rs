//! Pictures as tests see them: RGBA, compared pixel by pixel; a difference is kept as one PNG
//! with expected, difference and actual side by side.

use crate::here;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

/// A picture of 8-bit RGBA.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Rows of R, G, B, A.
    pub pixels: Vec<u8>,
}

/// How two pictures of a size differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Pixels that differ.
    pub pixels: usize,
    /// The greatest difference of a channel.
    pub worst: u8,
    /// A box around all of them: left, top, right, bottom.
    pub bounds: [u32; 4],
}

impl Picture {
    /// Reads a PNG.
    ///
    /// # Errors
    /// When it cannot be read, in words.
    pub fn read(path: &Path) -> Result<Self, String> {
        let say = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        let file = File::open(path).map_err(|e| say(&e))?;
        let mut d = png::Decoder::new(BufReader::new(file));
        d.set_transformations(
            png::Transformations::normalize_to_color8() | png::Transformations::ALPHA,
        );
        let mut r = d.read_info().map_err(|e| say(&e))?;
        let mut pixels = vec![0; r.output_buffer_size().ok_or_else(|| say(&"too large"))?];
        let info = r.next_frame(&mut pixels).map_err(|e| say(&e))?;
        pixels.truncate(info.buffer_size());
        if info.color_type != png::ColorType::Rgba {
            return Err(say(&format_args!("{:?} is no RGBA", info.color_type)));
        }
        Ok(Self { width: info.width, height: info.height, pixels })
    }

    /// Writes a PNG.
    ///
    /// # Errors
    /// When it cannot be written, in words.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let say = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        if let Some(dir) = path.parent() {
            std::fs::create_dir_all(dir).map_err(|e| say(&e))?;
        }
        let file = File::create(path).map_err(|e| say(&e))?;
        let mut e = png::Encoder::new(BufWriter::new(file), self.width, self.height);
        e.set_color(png::ColorType::Rgba);
        let mut w = e.write_header().map_err(|e| say(&e))?;
        w.write_image_data(&self.pixels).map_err(|e| say(&e))
    }

    /// What differs from another picture of the same size; `None` when nothing does.
    pub fn difference(&self, other: &Self) -> Option<Difference> {
        let mut d = Difference { pixels: 0, worst: 0, bounds: [u32::MAX, u32::MAX, 0, 0] };
        let pairs = self.pixels.chunks_exact(4).zip(other.pixels.chunks_exact(4));
        for (i, (a, b)) in pairs.enumerate() {
            let worst = a.iter().zip(b).map(|(x, y)| x.abs_diff(*y)).max().unwrap_or(0);
            if worst > 0 {
                let (x, y) = (i as u32 % self.width, i as u32 / self.width);
                let [l, t, r, b] = d.bounds;
                d.bounds = [l.min(x), t.min(y), r.max(x + 1), b.max(y + 1)];
                d.pixels += 1;
                d.worst = d.worst.max(worst);
            }
        }
        (d.pixels > 0).then_some(d)
    }

    /// Expected, difference (white where pixels differ) and actual, side by side.
    fn beside(expected: &Self, actual: &Self) -> Self {
        let (w, h) = (expected.width as usize, expected.height as usize);
        let mut pixels = Vec::with_capacity(w * h * 12);
        for y in 0..h {
            let row = y * w * 4..(y + 1) * w * 4;
            let (e, a) = (&expected.pixels[row.clone()], &actual.pixels[row]);
            pixels.extend_from_slice(e);
            for (p, q) in e.chunks_exact(4).zip(a.chunks_exact(4)) {
                let v = if p == q { 0 } else { 255 };
                pixels.extend_from_slice(&[v, v, v, 255]);
            }
            pixels.extend_from_slice(a);
        }
        Self { width: expected.width * 3, height: expected.height, pixels }
    }
}

/// Holds a picture against a golden file, pixel for pixel. On failure `tests/t1/out/<name>.png`
/// shows expected, difference and actual.
///
/// # Errors
/// What differs, in words.
pub fn against_golden(name: &str, actual: &Path) -> Result<(), String> {
    let golden = here().join("goldens").join(format!("{name}.png"));
    let actual = Picture::read(actual)?;
    if crate::blessing() {
        return actual.write(&golden);
    }
    if !golden.exists() {
        return Err(format!("{name}: there is no golden; make it with ZINC_T1_BLESS=1"));
    }
    let expected = Picture::read(&golden)?;
    let out = out().join(format!("{name}.png"));
    if (expected.width, expected.height) != (actual.width, actual.height) {
        actual.write(&out)?;
        let sizes = [expected.width, expected.height, actual.width, actual.height];
        return Err(format!("{name}: sizes differ: {sizes:?}; see {}", out.display()));
    }
    let Some(d) = expected.difference(&actual) else { return Ok(()) };
    Picture::beside(&expected, &actual).write(&out)?;
    let Difference { pixels, worst, bounds } = d;
    Err(format!(
        "{name}: {pixels} pixels differ, the worst channel by {worst}, within {bounds:?}; see {}",
        out.display()
    ))
}

/// Where failures leave their pictures.
pub fn out() -> PathBuf {
    here().join("out")
}
