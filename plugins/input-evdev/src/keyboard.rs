//! Key codes into keys and text: XKB for the layout, a compose table for dead keys, and repeats of
//! our own, at the same pace on every board.

pub use crate::keymap::{KeyboardOptions, ReadEnv};
use crate::keymap::{compose, keymap};
use crate::seat::tell;
use kbvm::lookup::LookupTable;
use kbvm::state_machine::{Direction, Event, State, StateMachine};
use kbvm::xkb::compose::{ComposeTable, FeedResult, State as ComposeState};
use kbvm::{Components, Keycode, Keysym, ModifierMask, syms};
use std::time::Duration;
use zinc_hal::{InputEvent, Key, Modifiers, NamedKey, Timed};

/// How long a key is held until it repeats.
pub const REPEAT_AFTER: Duration = Duration::from_millis(400);
/// From repeat to repeat: 25 a second.
pub const REPEAT_EVERY: Duration = Duration::from_millis(40);

/// A keyboard: all that are plugged in together.
pub struct Keyboard {
    machine: StateMachine,
    table: LookupTable,
    state: State,
    held: Components,
    compose: Option<(ComposeTable, ComposeState)>,
    /// Keys that were told of as down, so that the same come up.
    told: Vec<(Keycode, Key)>,
    repeat: Option<(Keycode, Duration)>,
    spare: Vec<Event>,
}

impl core::fmt::Debug for Keyboard {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Keyboard({:?})", self.held)
    }
}

/// What a key is, and what it writes.
#[derive(Default)]
struct Meaning {
    key: Option<Key>,
    text: String,
}

impl Keyboard {
    /// Reads layout and compose table; says which, once. What is missing is said and replaced.
    pub fn new(o: &KeyboardOptions) -> Self {
        let (map, says) = keymap(o);
        let builder = map.to_builder();
        let compose = compose(o).map(|table| {
            let state = table.create_state();
            (table, state)
        });
        tracing::info!("keyboard: {says}");
        let machine = builder.build_state_machine();
        Self {
            state: machine.create_state(),
            machine,
            table: builder.build_lookup_table(),
            held: Components::default(),
            compose,
            told: Vec::new(),
            repeat: None,
            spare: Vec::new(),
        }
    }

    /// A key of a device went down or up.
    pub fn key(&mut self, at: Duration, code: u16, down: bool, out: &mut Vec<Timed>) {
        let direction = if down { Direction::Down } else { Direction::Up };
        let mut events = std::mem::take(&mut self.spare);
        let code = Keycode::from_evdev(code.into());
        self.machine.handle_key(&mut self.state, &mut events, code, direction);
        for e in events.drain(..) {
            self.held.apply_event(e);
            match e {
                Event::KeyDown(k) => self.press(at, k, out),
                Event::KeyUp(k) => self.release(at, k, out),
                _ => {}
            }
        }
        self.spare = events;
    }

    /// When a held key repeats next.
    pub fn due(&self) -> Option<Duration> {
        self.repeat.map(|(_, at)| at)
    }

    /// Repeats what is due. A loop that was late repeats once, not as often as it missed.
    pub fn repeat(&mut self, now: Duration, out: &mut Vec<Timed>) {
        if let Some((code, at)) = self.repeat.filter(|(_, at)| *at <= now) {
            let next = (at + REPEAT_EVERY).max(now);
            self.repeat = Some((code, next));
            let m = self.meaning(code);
            self.write(at, m, out);
        }
    }

    fn press(&mut self, at: Duration, code: Keycode, out: &mut Vec<Timed>) {
        let repeats = self.table.lookup(self.held.group, self.held.mods, code).repeats();
        let sym = self.sym(code);
        if sym.is_some_and(|s| s.is_modifier()) {
            return;
        }
        // Another key ends the repeat of the one before; one that cannot repeat leaves none.
        self.repeat = repeats.then_some((code, at + REPEAT_AFTER));
        let mut m = self.meaning(code);
        if let Some(s) = sym
            && let Some(composed) = self.compose(s)
        {
            match composed {
                None => return self.repeat = None,
                // What was composed is text; the key itself commands nothing.
                Some(text) => m = Meaning { key: None, text },
            }
        }
        if let Some(k) = m.key {
            self.told.push((code, k));
        }
        self.write(at, m, out);
    }

    fn release(&mut self, at: Duration, code: Keycode, out: &mut Vec<Timed>) {
        if self.repeat.is_some_and(|(c, _)| c == code) {
            self.repeat = None;
        }
        if let Some(i) = self.told.iter().position(|(c, _)| *c == code) {
            let (_, key) = self.told.swap_remove(i);
            tell(out, at, InputEvent::KeyUp { key });
        }
    }

    fn write(&self, at: Duration, m: Meaning, out: &mut Vec<Timed>) {
        if let Some(key) = m.key {
            tell(out, at, InputEvent::KeyDown { key, modifiers: self.modifiers() });
        }
        if !m.text.is_empty() {
            tell(out, at, InputEvent::Text(m.text));
        }
    }

    /// The first symbol of a key, with all modifiers.
    fn sym(&self, code: Keycode) -> Option<Keysym> {
        let all = self.table.lookup(self.held.group, self.held.mods, code);
        all.into_iter().next().map(|p| p.keysym())
    }

    /// Hands a symbol to the compose table. `None`: it has nothing to do with it;
    /// `Some(None)`: more is to come; `Some(Some(text))`: this was written.
    fn compose(&mut self, s: Keysym) -> Option<Option<String>> {
        let m = self.modifiers();
        let (table, state) = self.compose.as_mut().filter(|_| !(m.ctrl || m.alt))?;
        match table.feed(state, s)? {
            FeedResult::Pending => Some(None),
            // The dead key is forgotten, the key after it is what it is.
            FeedResult::Aborted => None,
            FeedResult::Composed { string, keysym } => {
                let text = string.map(str::to_owned);
                let text = text.or_else(|| keysym?.char().map(String::from));
                Some(Some(text.unwrap_or_default()))
            }
        }
    }

    fn meaning(&self, code: Keycode) -> Meaning {
        let m = self.modifiers();
        let look = self.table.lookup(self.held.group, self.held.mods, code);
        let Some(sym) = look.into_iter().next().map(|p| p.keysym()) else {
            return Meaning::default();
        };
        let named = named(sym);
        let written = |s: Keysym| s.char().filter(|c| !c.is_control());
        // What it writes without control and alt: Ctrl+K is the key `k`.
        let key = named.map(Key::Named).or_else(|| {
            let commands = ModifierMask::CONTROL | ModifierMask::MOD1;
            let mods = ModifierMask(self.held.mods.0 & !commands.0);
            let bare = self.table.lookup(self.held.group, mods, code).into_iter().next()?;
            let c = written(bare.keysym())?;
            Some(Key::Char(c.to_lowercase().next().unwrap_or(c)))
        });
        let writes = !(m.ctrl || m.alt) && named.is_none_or(|n| n == NamedKey::Space);
        let syms = look.into_iter().filter(|_| writes);
        let text = syms.filter_map(|p| written(p.keysym())).collect();
        Meaning { key, text }
    }

    fn modifiers(&self) -> Modifiers {
        let m = self.held.mods;
        let has = |mask: ModifierMask| m.0 & mask.0 != 0;
        Modifiers {
            shift: has(ModifierMask::SHIFT),
            ctrl: has(ModifierMask::CONTROL),
            alt: has(ModifierMask::MOD1),
        }
    }
}

/// Keys that are named, on the pad as well when it does not write numbers.
fn named(s: Keysym) -> Option<NamedKey> {
    use NamedKey as N;
    Some(match s {
        syms::Return | syms::KP_Enter | syms::ISO_Enter => N::Enter,
        syms::Escape => N::Escape,
        syms::Tab | syms::KP_Tab | syms::ISO_Left_Tab => N::Tab,
        syms::BackSpace => N::Backspace,
        syms::Delete | syms::KP_Delete => N::Delete,
        syms::space | syms::KP_Space => N::Space,
        syms::Left | syms::KP_Left => N::Left,
        syms::Right | syms::KP_Right => N::Right,
        syms::Up | syms::KP_Up => N::Up,
        syms::Down | syms::KP_Down => N::Down,
        syms::Home | syms::KP_Home => N::Home,
        syms::End | syms::KP_End => N::End,
        syms::Page_Up | syms::KP_Page_Up => N::PageUp,
        syms::Page_Down | syms::KP_Page_Down => N::PageDown,
        _ => return None,
    })
}
