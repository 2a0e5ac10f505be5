//! The keys of zinc.json: one table, for reading, for typos, and for the documentation.

/// What a key holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Text.
    Text,
    /// Text, one of these.
    OneOf(&'static [&'static str]),
    /// A number.
    Number,
    /// Text, or a list of texts.
    Texts,
    /// A quarter turn: 0, 90, 180, 270.
    Turn,
    /// A list of so many numbers.
    Numbers(usize),
    /// These keys.
    Object(&'static [Key]),
    /// A list of objects with these keys.
    Objects(&'static [Key]),
    /// Targets by name, each with the root's keys.
    Targets,
}

/// A key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
}

const fn key(name: &'static str, kind: Kind) -> Key {
    Key { name, kind }
}

const DISPLAY: &[Key] = &[
    key("driver", Kind::Texts),
    key("output", Kind::Text),
    key("mode", Kind::Text),
    key("size", Kind::Text),
    key("device", Kind::Text),
    key("rotation", Kind::Turn),
    key("renderer", Kind::OneOf(&["cpu", "gl", "auto"])),
];

const TOUCH: &[Key] = &[
    key("device", Kind::Text),
    key("rotation", Kind::Turn),
    key("matrix", Kind::Numbers(6)),
    key("smooth", Kind::Number),
    key("pressure", Kind::Number),
];

const INPUT: &[Key] = &[
    key("touch", Kind::Objects(TOUCH)),
    key("layout", Kind::Text),
    key("osk", Kind::OneOf(&["auto", "touch", "always", "never"])),
];

const SCREEN: &[Key] = &[
    key("dim", Kind::Object(&[key("after", Kind::Text), key("to", Kind::Number)])),
    key("off", Kind::Text),
];

const VIDEO: &[Key] = &[key("decoder", Kind::Text), key("audio", Kind::Text)];

const PERMISSIONS: &[Key] =
    &[key("read", Kind::Texts), key("net", Kind::Texts), key("devices", Kind::Texts)];

const BENCH: &[Key] = &[
    key("demo", Kind::Text),
    key("frames", Kind::Number),
    key("instructions", Kind::Text),
    key("board", Kind::Object(&[key("p99Ms", Kind::Number)])),
];

/// The root's keys.
pub(crate) const ROOT: &[Key] = &[
    key("id", Kind::Text),
    key("assets", Kind::Texts),
    key("display", Kind::Object(DISPLAY)),
    key("input", Kind::Object(INPUT)),
    key("screen", Kind::Object(SCREEN)),
    key("video", Kind::Object(VIDEO)),
    key("permissions", Kind::Object(PERMISSIONS)),
    key("crash", Kind::OneOf(&["exit", "restart", "redbox"])),
    key("bench", Kind::Object(BENCH)),
    key("targets", Kind::Targets),
];
