//! The frozen list. Nothing changes after [`CommandList`] exists; everything that draws,
//! compares or stores it only reads.

use crate::command::{Arenas, Command, Op};
use crate::seal::Sealer;
use crate::validate::{self, Balance, Invalid};
use crate::{BlendMode, IRect, Matrix, PictureId, hash};

/// An immutable list of commands for a surface of a size.
#[derive(Clone, Debug)]
pub struct CommandList {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) commands: Vec<Command>,
    pub(crate) arenas: Arenas,
    /// Tells frozen lists of one run apart; no part of the content.
    pub(crate) id: u64,
}

/// The id of a list that is frozen now. 0 is no list.
pub(crate) fn next_id() -> u64 {
    use core::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A film in a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureUse {
    /// Its source.
    pub id: PictureId,
    /// Index of the command.
    pub command: usize,
    /// The pixels it covers.
    pub bounds: IRect,
    /// The matrix of its box.
    pub matrix: Matrix,
    /// A plane can show it: it is not turned, and no layer around it blends otherwise than
    /// source-over.
    pub can_be_hole: bool,
}

impl CommandList {
    pub(crate) fn empty() -> Self {
        Self { width: 1, height: 1, commands: Vec::new(), arenas: Arenas::default(), id: 0 }
    }

    /// A list from parts that came from anywhere: checks each command, each index and the
    /// nesting, computes bounds and hashes.
    ///
    /// # Errors
    /// The first thing wrong, with the index of its command (or `None` for the whole list).
    pub fn from_parts(
        width: u32,
        height: u32,
        ops: impl IntoIterator<Item = (Op, u32)>,
        arenas: Arenas,
    ) -> Result<Self, (Option<usize>, Invalid)> {
        validate::surface(width, height).map_err(|e| (None, e))?;
        let mut list = Self { width, height, arenas, ..Self::empty() };
        if list.arenas.matrices.is_empty() {
            list.arenas.matrices.push(Matrix::IDENTITY);
        }
        for m in &list.arenas.matrices {
            validate::matrix(*m).map_err(|e| (None, e))?;
        }
        let mut balance = Balance::default();
        let mut sealer = Sealer::default();
        sealer.begin(list.surface());
        for (i, (op, matrix)) in ops.into_iter().enumerate() {
            let at = |e| (Some(i), e);
            if i >= crate::limits::COMMANDS {
                return Err(at(Invalid::Full));
            }
            if matrix as usize >= list.arenas.matrices.len() {
                return Err(at(Invalid::Index));
            }
            let effect = validate::command(&op, &list.arenas).map_err(at)?;
            balance.feed(&op).map_err(at)?;
            if effect == validate::Effect::Draws {
                let own_hash = hash::op(&op, &list.arenas);
                let bounds = IRect::EMPTY;
                list.commands.push(Command { op, matrix, bounds, own_hash, hash: 0 });
                sealer.last(&mut list.commands, &list.arenas);
            }
        }
        if balance.innermost().is_some() {
            return Err((None, Invalid::UnbalancedPush));
        }
        list.id = next_id();
        Ok(list)
    }

    /// Columns of the surface.
    pub fn width(&self) -> u32 {
        self.width
    }
    /// Rows of the surface.
    pub fn height(&self) -> u32 {
        self.height
    }
    /// The surface's box.
    pub fn surface(&self) -> IRect {
        IRect::of_size(self.width, self.height)
    }
    /// The commands, back to front.
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }
    /// What the commands point into.
    pub fn arenas(&self) -> &Arenas {
        &self.arenas
    }
    /// The matrix of a command.
    pub fn matrix(&self, c: &Command) -> Matrix {
        self.arenas.matrices[c.matrix as usize]
    }
    /// Hash of all of it, computed when asked for; equal lists draw equal frames.
    pub fn hash(&self) -> u64 {
        let start = hash::join(self.width as u64, self.height as u64);
        self.commands.iter().fold(start, |total, c| {
            let placed = hash::join(hash::matrix(self.matrix(c)), c.own_hash);
            hash::join(total, placed)
        })
    }
    /// The films in it, in drawing order.
    pub fn pictures(&self) -> impl Iterator<Item = PictureUse> + '_ {
        let mut blocked = 0usize;
        let mut layers: smallstack::Stack = smallstack::Stack::default();
        self.commands.iter().enumerate().filter_map(move |(i, c)| match c.op {
            Op::PushLayer { blend, .. } => {
                let other = blend != BlendMode::SourceOver;
                layers.push(other);
                blocked += other as usize;
                None
            }
            Op::PopLayer => {
                blocked -= layers.pop() as usize;
                None
            }
            Op::Picture { source, .. } => {
                let matrix = self.matrix(c);
                let upright = matrix.is_axis_aligned() && matrix.a > 0.0 && matrix.d > 0.0;
                Some(PictureUse {
                    id: source,
                    command: i,
                    bounds: c.bounds,
                    matrix,
                    can_be_hole: blocked == 0 && upright,
                })
            }
            _ => None,
        })
    }
}

/// One bit per open layer, in a word: [`crate::limits::LAYERS`] fit.
mod smallstack {
    #[derive(Default)]
    pub(super) struct Stack(u32);
    impl Stack {
        pub(super) fn push(&mut self, bit: bool) {
            self.0 = (self.0 << 1) | bit as u32;
        }
        pub(super) fn pop(&mut self) -> bool {
            let bit = self.0 & 1 == 1;
            self.0 >>= 1;
            bit
        }
    }
}
