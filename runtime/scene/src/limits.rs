//! Every limit of a list, with its reason. Beyond one a command is refused by name.

/// Greatest side of a surface: 24.8 numbers and `i32` areas hold with room to spare.
pub const SURFACE_SIDE: u32 = 16_384;
/// Greatest side of an image, the decoders' limit too.
pub const IMAGE_SIDE: u32 = 16_384;
/// Greatest coordinate, length or matrix entry: products of two stay below 2^44 and exact enough.
pub const COORDINATE: f32 = 1_048_576.0;
/// Commands a frame: a list of this size takes 100 MB; nobody reaches it but a loop gone wrong.
pub const COMMANDS: usize = 1 << 20;
/// Elements of any arena.
pub const ARENA: usize = 1 << 24;
/// Clips and layers open at once: each open layer holds a band-high buffer per thread.
pub const NESTING: usize = 64;
/// Layers open at once.
pub const LAYERS: usize = 16;
/// Stops of a gradient.
pub const STOPS: usize = 64;
/// Entries of a dash pattern.
pub const DASHES: usize = 16;
/// Greatest blur: the kernel spans six times as many pixels.
pub const SIGMA: f32 = 128.0;
/// Greatest size of a glyph run, pixels per em.
pub const FONT_SIZE: f32 = 4096.0;
/// Greatest side of a glyph mask.
pub const GLYPH_SIDE: u32 = 1024;
