//! Replay: captures drawn again. The same file gives the same pixels on every machine.

use crate::render::Surface;
use crate::shot::{self, ShotError};
use std::path::{Path, PathBuf};
use zinc_raster::Rasterizer;
use zinc_scene::capture::{self, CaptureError};
use zinc_scene::{Differ, Region};

/// Why a capture cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The file cannot be read.
    #[error("cannot read {path}: {cause}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        cause: std::io::Error,
    },
    /// The file is no capture that can be drawn.
    #[error("{path}: {cause}")]
    Capture {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: CaptureError,
    },
    /// A picture cannot be written.
    #[error(transparent)]
    Shot(#[from] ShotError),
}

/// How captures are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Threads, 1 to 8.
    pub threads: usize,
    /// Each frame is drawn by what changed since the one before; else whole.
    pub damage: bool,
    /// With soft edges, as `ZINC_ANTIALIAS`.
    pub antialias: bool,
}

/// Draws captures one after the other into one surface.
#[derive(Debug)]
pub struct Replay {
    raster: Rasterizer,
    damage: bool,
    surface: Surface,
    last: Option<(std::sync::Arc<zinc_scene::CommandList>, zinc_scene::LayerPlan)>,
    differ: Differ,
}

/// One drawn capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Commands.
    pub commands: usize,
    /// FNV-1a of the surface, as `ZINC_FRAMEHASH` prints it.
    pub hash: u64,
}

impl Replay {
    /// With an empty surface.
    pub fn new(o: Options) -> Self {
        let mut raster = Rasterizer::new(o.threads);
        raster.set_antialiasing(o.antialias);
        Self {
            raster,
            damage: o.damage,
            surface: Surface::default(),
            last: None,
            differ: Differ::default(),
        }
    }

    /// Draws a file.
    ///
    /// # Errors
    /// When it cannot be read or is no capture.
    pub fn draw(&mut self, path: &Path) -> Result<Drawn, ReplayError> {
        let bytes = std::fs::read(path)
            .map_err(|cause| ReplayError::Read { path: path.to_owned(), cause })?;
        let (list, plan) = capture::load(&bytes)
            .map_err(|cause| ReplayError::Capture { path: path.to_owned(), cause })?;
        let (w, h) = (list.width(), list.height());
        let all = Region::of(list.surface());
        let same_size = (self.surface.width, self.surface.height) == (w, h);
        if !same_size {
            let bytes = vec![0; w as usize * h as usize * 4];
            self.surface = Surface { width: w, height: h, bytes };
        }
        let old = self.last.as_ref().filter(|_| self.damage && same_size);
        let damage = match old {
            Some((l, p)) => self.differ.diff(Some((l, p)), (&list, &plan)),
            None => all,
        };
        self.raster.render(&list, &plan, &damage, &mut self.surface.target());
        let drawn = Drawn {
            width: w,
            height: h,
            commands: list.commands().len(),
            hash: self.surface.hash(),
        };
        self.last = Some((list, plan));
        Ok(drawn)
    }

    /// Writes what was drawn last as a PNG.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_png(&self, path: &Path) -> Result<(), ReplayError> {
        Ok(shot::write(&self.surface, path)?)
    }
}
