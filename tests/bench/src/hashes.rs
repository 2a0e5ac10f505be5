//! Hashes of frames: the same for every instruction set, every number of threads, every machine.

use crate::levels;
use crate::record::{self, Zinc};
use crate::zsc::Scene;
use anyhow::Result;
use std::sync::Arc;

/// Threads that a frame is drawn with.
const THREADS: core::ops::RangeInclusive<usize> = 1..=8;

/// One line each: `scene frame level threads hash`.
pub(crate) fn print(scenes: &[Scene], frames: usize) -> Result<()> {
    for s in scenes {
        let lists = Arc::new(record::lists(s, frames)?);
        for level in levels::all() {
            for threads in THREADS {
                let mut zinc = Zinc::new(lists.clone(), threads, level.index);
                for f in 0..frames {
                    zinc.draw(f);
                    let hash = zinc.hash();
                    println!("{} {f} {} {threads} {hash:016x}", s.name, level.name);
                }
            }
        }
    }
    Ok(())
}
