//! Layouts made usable: from the system's XKB files, else a built-in `us`. What is missing or broken
//! costs one line of the log, never the keyboard.

use crate::layout::Layout;
use kbvm::lookup::LookupTable;
use kbvm::xkb::compose::ComposeTable;
use kbvm::xkb::diagnostic::{Diagnostic, DiagnosticHandler, Severity};
use kbvm::xkb::rmlvo::Group;
use kbvm::xkb::{Context, Keymap};
use kbvm::{GroupIndex, Keycode, ModifierMask};
use std::path::PathBuf;
use std::sync::Arc;

/// For boards without XKB files.
const BUILT_IN: &str = include_str!("us.xkb");

/// Reads a variable of the environment.
pub type ReadEnv = Arc<dyn Fn(&str) -> Option<String>>;

/// How a keyboard is made.
#[derive(Clone)]
pub struct KeyboardOptions {
    /// `ZINC_INPUT_LAYOUT`, as [`Layout::parse`] takes it.
    pub layout: Option<Layout>,
    /// Locale, and where XKB and compose files are.
    pub env: ReadEnv,
    /// Where the system's files are: `/`.
    pub root: PathBuf,
}

impl core::fmt::Debug for KeyboardOptions {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "KeyboardOptions({:?}, {})", self.layout, self.root.display())
    }
}

impl Default for KeyboardOptions {
    fn default() -> Self {
        let env = Arc::new(|name: &str| std::env::var(name).ok());
        Self { layout: None, env, root: "/".into() }
    }
}

/// Keeps the first mistake.
#[derive(Default)]
struct First(Option<String>);

impl DiagnosticHandler for First {
    fn filter(&self, _: kbvm::xkb::diagnostic::DiagnosticKind, is_fatal: bool) -> bool {
        let _ = is_fatal;
        self.0.is_none()
    }
    fn handle(&mut self, d: Diagnostic) {
        if d.kind().severity() == Severity::Error {
            self.0.get_or_insert_with(|| d.to_string());
        }
    }
}

fn context(o: &KeyboardOptions) -> Context {
    let mut c = Context::builder();
    let env = o.env.clone();
    c.enable_environment(true);
    c.environment_accessor(move |name| env(name).filter(|v| !v.is_empty()));
    c.build()
}

/// The keymap that is wanted, or the best that there is; and what to say of it.
pub(crate) fn keymap(o: &KeyboardOptions) -> (Keymap, String) {
    let context = context(o);
    let wanted = o.layout.clone().or_else(|| Layout::of_system(&o.root)).unwrap_or_else(Layout::us);
    let name = name(&wanted);
    let mut why = match from_files(&context, &wanted) {
        Ok(map) => return (map, format!("layout {name} ({})", wanted.from)),
        Err(why) => why,
    };
    let us = Layout::us();
    if wanted.groups != us.groups
        && let Ok(map) = from_files(&context, &us)
    {
        tracing::warn!("keyboard: there is no layout {name} ({}): {why}; it is us", wanted.from);
        return (map, "layout us".to_owned());
    }
    if !std::path::Path::new("/usr/share/X11/xkb").is_dir() {
        why = "no XKB files are here (package xkb-data)".to_owned();
    }
    tracing::warn!("keyboard: the layout {name} cannot be made: {why}; a built-in us is used");
    (built_in(), "built-in layout us".to_owned())
}

/// The layout that needs no file.
pub(crate) fn built_in() -> Keymap {
    let mut c = Context::builder();
    c.enable_environment(false);
    c.enable_default_includes(false);
    let mut first = First::default();
    match c.build().keymap_from_bytes(&mut first, None, BUILT_IN.as_bytes()) {
        Ok(map) => map,
        // It is a constant; a test reads it.
        Err(e) => {
            tracing::error!("keyboard: the built-in layout is broken: {e}");
            empty()
        }
    }
}

/// A keymap without keys.
fn empty() -> Keymap {
    let mut c = Context::builder();
    c.enable_environment(false);
    c.enable_default_includes(false);
    c.build().keymap_from_names(&mut First::default(), None, None, Some(&[]), Some(&[]))
}

fn name(l: &Layout) -> String {
    let one = |(l, v): &(String, String)| {
        if v.is_empty() { l.clone() } else { format!("{l}({v})") }
    };
    l.groups.iter().map(one).collect::<Vec<_>>().join(",")
}

fn from_files(context: &Context, l: &Layout) -> Result<Keymap, String> {
    let groups: Vec<Group<'_>> =
        l.groups.iter().map(|(layout, variant)| Group { layout, variant }).collect();
    let options: Vec<&str> = l.options.iter().map(String::as_str).collect();
    let mut first = First::default();
    let map = context.keymap_from_names(
        &mut first,
        Some("evdev"),
        Some("pc105"),
        Some(&groups),
        Some(&options),
    );
    let table = map.to_builder().build_lookup_table();
    let says = first.0.unwrap_or_else(|| "it writes no letter".to_owned());
    let all = (0..l.groups.len() as u32).all(|g| writes(&table, GroupIndex(g)));
    if all { Ok(map) } else { Err(says) }
}

/// The row of letters writes something: a layout that is not there leaves it empty.
fn writes(table: &LookupTable, group: GroupIndex) -> bool {
    let letters = 16..=25;
    let one = |code| table.lookup(group, ModifierMask::NONE, Keycode::from_evdev(code));
    letters.filter(|c| one(*c).into_iter().any(|p| p.char().is_some())).count() >= 5
}

/// The table of dead keys and compose of the locale; without one such keys write nothing.
pub(crate) fn compose(o: &KeyboardOptions) -> Option<ComposeTable> {
    let context = context(o);
    let mut first = First::default();
    let found = context.compose_table_builder().build(&mut first);
    let table = found.filter(|t| t.iter().next().is_some());
    if table.is_some() {
        if let Some(why) = first.0 {
            tracing::debug!("keyboard: in the compose table: {why}");
        }
        return table;
    }
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|v| (o.env)(v).filter(|v| !v.is_empty()));
    let locale = locale.unwrap_or_else(|| "C".to_owned());
    let mut builder = context.compose_table_builder();
    builder.locale("en_US.UTF-8");
    let plain = builder.build(&mut First::default()).filter(|t| t.iter().next().is_some());
    let instead =
        if plain.is_some() { "that of en_US.UTF-8 is used" } else { "dead keys write nothing" };
    let why = first.0.unwrap_or_else(|| "there is none".to_owned());
    tracing::warn!("keyboard: no compose table for the locale {locale:?} ({why}): {instead}");
    plain
}
