//! Items by band, in their order: one chain a band through one arena, so that no list grows alone.

/// No further link.
const END: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Link {
    entry: u32,
    next: u32,
}

/// Numbers by band.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    links: Vec<Link>,
    /// First and last link of each band.
    ends: Vec<[u32; 2]>,
}

impl Lists {
    /// Forgets all, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.links.clear();
        self.ends.clear();
    }

    pub(crate) fn sizes(&self) -> [usize; 2] {
        [self.links.len(), self.ends.len()]
    }

    pub(crate) fn reserve(&mut self, [links, ends]: [usize; 2]) {
        self.links.reserve(links);
        self.ends.reserve(ends);
    }

    /// Adds a number to the bands `first..=last`, behind all others.
    pub(crate) fn push(&mut self, first: usize, last: usize, entry: u32) {
        if self.ends.len() <= last {
            self.ends.resize(last + 1, [END; 2]);
        }
        for ends in &mut self.ends[first..=last] {
            let at = self.links.len() as u32;
            self.links.push(Link { entry, next: END });
            match ends[1] {
                END => ends[0] = at,
                before => self.links[before as usize].next = at,
            }
            ends[1] = at;
        }
    }

    /// A place in a band's list: its start.
    pub(crate) fn start(&self, band: usize) -> u32 {
        self.ends.get(band).map_or(END, |e| e[0])
    }

    /// What stands at a place, and the next place.
    pub(crate) fn at(&self, place: u32) -> Option<(u32, u32)> {
        self.links.get(place as usize).map(|l| (l.entry, l.next))
    }
}
