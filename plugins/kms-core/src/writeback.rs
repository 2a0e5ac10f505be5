//! What a screen shows, as the card composes it, through a writeback connector: a connector that
//! writes into memory. Few cards have one; `vkms` does, and tests compare with it.

use crate::{Card, Changes, Commit, Kms, Object, fourcc};
use std::io;
use std::time::{Duration, Instant};
use zinc_hal::PixelBuffer;

/// A picture: rows of B, G, R, X without padding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Columns and rows.
    pub size: (u32, u32),
    /// The pixels.
    pub bytes: Vec<u8>,
}

/// No pixel of an XRGB8888 picture ends with it: the kernel writes 0xFF there.
const UNSEEN: u8 = 0x5A;

/// Reads what the first lit CRTC shows. The card must be ours to change. Its driver goes on as before.
///
/// # Errors
/// The card's answer, or that it has no lit CRTC or no writeback connector.
pub fn read_back(card: &Card) -> io::Result<Seen> {
    let no = |tried: &'static str| move |e: io::Error| io::Error::other(format!("{tried}: {e}"));
    card.atomic().map_err(no("no atomic commits"))?;
    card.writeback_connectors().map_err(no("no writeback connectors"))?;
    let none = |what: &str| io::Error::other(format!("the card has no {what}"));
    let resources = card.resources()?;
    let lit = |id: &u32| Some((*id, card.crtc(*id).ok()?.mode?));
    let (crtc, mode) = resources.crtcs.iter().find_map(lit).ok_or_else(|| none("lit CRTC"))?;
    let is_writeback = |id: &u32| card.connector(*id, false).is_ok_and(|c| c.writeback);
    let connector = resources.connectors.iter().copied().find(is_writeback);
    let connector = connector.ok_or_else(|| none("writeback connector"))?;
    let properties = card.properties(Object::Connector, connector)?;
    let property = |name: &str| {
        properties.iter().find(|p| p.name == name).map(|p| p.id).ok_or_else(|| none(name))
    };
    let (feeds, target) = (property("CRTC_ID")?, property("WRITEBACK_FB_ID")?);

    // Most kernels let no screen and no writeback share a CRTC: the screens wait a moment. What the
    // planes show is none of theirs.
    let mut screens = Vec::new();
    for id in resources.connectors.iter().filter(|c| **c != connector) {
        let all = card.properties(Object::Connector, *id)?;
        let on = all.iter().find(|p| p.name == "CRTC_ID" && p.value == u64::from(crtc));
        screens.extend(on.map(|p| (*id, p.id)));
    }

    let size = mode.size();
    let dumb = card.create_dumb(size, 32)?;
    let fb = card.add_fb(&dumb, size, fourcc(*b"XR24"))?;
    let mut memory = card.map_dumb(&dumb)?;
    memory.bytes().fill(UNSEEN);
    let modeset = Commit { modeset: true, ..Commit::default() };
    let mut swap = Changes(vec![(connector, feeds, crtc.into()), (connector, target, fb.into())]);
    screens.iter().for_each(|(id, p)| swap.set(*id, *p, 0));
    card.commit(&swap, modeset).map_err(no("the writeback is refused"))?;
    let (row, pitch) = (size.0 as usize * 4, dumb.pitch as usize);
    let rows = |m: &mut crate::Memory| -> Vec<u8> {
        m.bytes().chunks(pitch).take(size.1 as usize).flat_map(|r| r[..row].to_vec()).collect()
    };
    let end = Instant::now() + Duration::from_secs(2);
    let bytes = loop {
        let bytes = rows(&mut memory);
        // It may be on its way, row by row.
        if bytes.chunks(4).all(|p| p[3] != UNSEEN) {
            break bytes;
        }
        if Instant::now() > end {
            return Err(io::Error::other("nothing is written back"));
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let mut back = Changes(vec![(connector, feeds, 0)]);
    screens.iter().for_each(|(id, p)| back.set(*id, *p, crtc.into()));
    card.commit(&back, modeset).map_err(no("the screens are refused"))?;
    card.rm_fb(fb)?;
    card.destroy_dumb(dumb.handle)?;
    Ok(Seen { size, bytes })
}
