//! The `.zsc` scene format: plain text, one record a line. Its records, with blanks between the
//! tokens and colours as straight sRGB bytes:
//!
//! ```text
//! size W H · frames N · image ID W H FILE (raw RGBA8) · glyph GID NTOK path (em 1, y down)
//! matrix I A B C D E F · world 0|1 · clear R G B · clip X Y W H · unclip
//! rect X Y W H PAINT · rrect X Y W H R PAINT · border X Y W H R LW PAINT
//! shadow X Y W H R SIGMA PAINT · circle CX CY R PAINT
//! path RULE NTOK path PAINT · stroke LW NPTS X Y ... PAINT
//! img ID X Y W H · imgalt ID0 ID1 X Y W H · imgrr ID X Y W H R
//! text SIZE X Y NG (GID DX)... PAINT | STRING · wtext: its anchor goes through the matrix
//! ```

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use zinc_scene::{Color, FillRule, Matrix, Path, Point, Rect, Stop};

/// Opaque pixels, straight RGBA8.
#[derive(Clone, Debug)]
pub(crate) struct Bitmap {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) rgba: Vec<u8>,
}

#[derive(Clone, Debug)]
pub(crate) enum Paint {
    Solid(Color),
    Linear(Point, Point, Vec<Stop>),
    Radial(Point, f32, Vec<Stop>),
}

#[derive(Clone, Debug)]
pub(crate) enum Op {
    World(bool),
    Clear(Color),
    Clip(Rect),
    Unclip,
    Rect(Rect, f32, Paint),
    Border(Rect, f32, f32, Paint),
    Shadow(Rect, f32, f32, Color),
    Circle(Point, f32, Paint),
    Path(Path, FillRule, Paint),
    Stroke(Path, f32, Paint),
    /// Images of even and of odd frames, place, radius.
    Image([usize; 2], Rect, f32),
    /// Size, anchor, glyphs with offsets, whether the anchor is in the world.
    Text(f32, Point, Vec<(u32, f32)>, Paint, bool),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub(crate) name: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) images: Vec<Bitmap>,
    pub(crate) glyphs: BTreeMap<u32, Path>,
    pub(crate) matrices: Vec<Matrix>,
    pub(crate) ops: Vec<Op>,
}

impl Scene {
    /// The world's matrix of a frame.
    pub(crate) fn matrix(&self, frame: usize) -> Matrix {
        match self.matrices.len() {
            0 => Matrix::IDENTITY,
            n => self.matrices[frame % n],
        }
    }

    /// Where a world text's anchor falls.
    pub(crate) fn anchor(&self, frame: usize, p: Point) -> Point {
        let p = self.matrix(frame).apply(p);
        Point::new((p.x + 0.5).floor(), (p.y + 0.5).floor())
    }
}

struct Tokens<'a>(std::str::SplitAsciiWhitespace<'a>);

impl<'a> Tokens<'a> {
    fn word(&mut self) -> Result<&'a str> {
        self.0.next().context("the line ends too early")
    }
    fn num<T: std::str::FromStr>(&mut self) -> Result<T> {
        let w = self.word()?;
        w.parse().ok().with_context(|| format!("{w:?} is not such a number"))
    }
    fn point(&mut self) -> Result<Point> {
        Ok(Point::new(self.num()?, self.num()?))
    }
    fn rect(&mut self) -> Result<Rect> {
        Ok(Rect::new(self.num()?, self.num()?, self.num()?, self.num()?))
    }
    fn rgba(&mut self) -> Result<Color> {
        Ok(Color::rgba(self.num()?, self.num()?, self.num()?, self.num()?))
    }
    fn stops(&mut self) -> Result<Vec<Stop>> {
        let n: usize = self.num()?;
        (0..n).map(|_| Ok(Stop::new(self.num()?, self.rgba()?))).collect()
    }
    fn paint(&mut self) -> Result<Paint> {
        Ok(match self.word()? {
            "s" => Paint::Solid(self.rgba()?),
            "l" => Paint::Linear(self.point()?, self.point()?, self.stops()?),
            "r" => Paint::Radial(self.point()?, self.num()?, self.stops()?),
            w => bail!("{w:?} is no paint"),
        })
    }
    fn path(&mut self) -> Result<Path> {
        let mut left: usize = self.num()?;
        let mut p = Path::new();
        while left > 0 {
            let verb = self.word()?;
            let mut f = || self.num::<f32>();
            let used = match verb {
                "m" => {
                    p.move_to(f()?, f()?);
                    3
                }
                "l" => {
                    p.line_to(f()?, f()?);
                    3
                }
                "q" => {
                    p.quad_to(f()?, f()?, f()?, f()?);
                    5
                }
                "c" => {
                    p.cubic_to(f()?, f()?, f()?, f()?, f()?, f()?);
                    7
                }
                "z" => {
                    p.close();
                    1
                }
                w => bail!("{w:?} is no path token"),
            };
            left = left.checked_sub(used).context("a path's tokens do not add up")?;
        }
        Ok(p)
    }
}

/// Reads a scene; `load` yields the bytes of an image file.
pub(crate) fn parse(
    name: &str,
    text: &str,
    load: &mut dyn FnMut(&str) -> Result<Vec<u8>>,
) -> Result<Scene> {
    let mut s = Scene { name: name.into(), ..Scene::default() };
    for (n, line) in text.lines().enumerate() {
        let line = line.split('|').next().unwrap_or(line);
        let mut t = Tokens(line.split_ascii_whitespace());
        let Ok(verb) = t.word() else { continue };
        record(&mut s, verb, &mut t, load).with_context(|| format!("{name}, line {}", n + 1))?;
    }
    Ok(s)
}

fn record(
    s: &mut Scene,
    verb: &str,
    t: &mut Tokens<'_>,
    load: &mut dyn FnMut(&str) -> Result<Vec<u8>>,
) -> Result<()> {
    let op = match verb {
        "zsc" => match t.word()? {
            "1" => return Ok(()),
            v => bail!("version {v} is unknown"),
        },
        "frames" => return Ok(()),
        "size" => {
            (s.width, s.height) = (t.num()?, t.num()?);
            return Ok(());
        }
        "image" => {
            let (id, width, height): (usize, u32, u32) = (t.num()?, t.num()?, t.num()?);
            let rgba = load(t.word()?)?;
            if id != s.images.len() || rgba.len() != (width * height * 4) as usize {
                bail!("image {id} is out of order or has the wrong size");
            }
            s.images.push(Bitmap { width, height, rgba });
            return Ok(());
        }
        "glyph" => {
            let id = t.num()?;
            s.glyphs.insert(id, t.path()?);
            return Ok(());
        }
        "matrix" => {
            let _: usize = t.num()?;
            let (a, b, c) = (t.num()?, t.num()?, t.num()?);
            let (d, e, f) = (t.num()?, t.num()?, t.num()?);
            s.matrices.push(Matrix { a, b, c, d, e, f });
            return Ok(());
        }
        "world" => Op::World(t.word()? == "1"),
        "clear" => Op::Clear(Color::rgb(t.num()?, t.num()?, t.num()?)),
        "clip" => Op::Clip(t.rect()?),
        "unclip" => Op::Unclip,
        "rect" => Op::Rect(t.rect()?, 0.0, t.paint()?),
        "rrect" => Op::Rect(t.rect()?, t.num()?, t.paint()?),
        "border" => Op::Border(t.rect()?, t.num()?, t.num()?, t.paint()?),
        "shadow" => {
            let (r, radius, sigma) = (t.rect()?, t.num()?, t.num()?);
            let Paint::Solid(c) = t.paint()? else { bail!("a shadow has one colour") };
            Op::Shadow(r, radius, sigma, c)
        }
        "circle" => Op::Circle(t.point()?, t.num()?, t.paint()?),
        "path" => {
            let rule = if t.word()? == "1" { FillRule::EvenOdd } else { FillRule::NonZero };
            Op::Path(t.path()?, rule, t.paint()?)
        }
        "stroke" => {
            let (width, n): (f32, usize) = (t.num()?, t.num()?);
            let mut p = Path::new();
            for i in 0..n {
                let at = t.point()?;
                if i == 0 {
                    p.move_to(at.x, at.y)
                } else {
                    p.line_to(at.x, at.y)
                };
            }
            Op::Stroke(p, width, t.paint()?)
        }
        "img" => {
            let id = t.num()?;
            Op::Image([id, id], t.rect()?, 0.0)
        }
        "imgalt" => Op::Image([t.num()?, t.num()?], t.rect()?, 0.0),
        "imgrr" => {
            let id = t.num()?;
            Op::Image([id, id], t.rect()?, t.num()?)
        }
        "text" | "wtext" => {
            let (size, at, n): (f32, Point, usize) = (t.num()?, t.point()?, t.num()?);
            let glyphs = (0..n).map(|_| Ok((t.num()?, t.num()?))).collect::<Result<_>>()?;
            Op::Text(size, at, glyphs, t.paint()?, verb == "wtext")
        }
        w => bail!("{w:?} is no record"),
    };
    if let Op::Image(ids, ..) = &op
        && ids.iter().any(|i| *i >= s.images.len())
    {
        bail!("an image is missing");
    }
    s.ops.push(op);
    Ok(())
}
