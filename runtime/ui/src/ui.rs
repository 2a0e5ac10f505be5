//! The interface's state and its frame. One call of [`Ui::frame`] is: hand out events by the
//! last layout → (with events) an input pass of `view`, whose answers may change the app → the
//! shown pass → layout → record → freeze. A shown pass is repeated when it drew into a canvas
//! or a list whose size the layout then changed.

use crate::icon::Icons;
use crate::input::Input;
use crate::node::{Flags, Flow, Key, Kind, NONE, Node, Span};
use crate::overlay::Toast;
use crate::slot::{KeyMap, Slot};
use crate::time::{SpringState, TimerState};
use crate::work::Spawner;
use crate::{S, Style, Theme, Tone, paint::Ghost};
use std::panic::Location;
use std::sync::Arc;
use std::time::Duration;
use zinc_hal::Timed;
use zinc_image::ImageCache;
use zinc_scene::{CommandList, Recorder, Size, Warning};
use zinc_text::{TextEngine, TextStyle};

/// Shown passes of one frame at most; more would mean a view that never agrees with itself.
const SHOWN_PASSES: usize = 3;

/// What one frame came to.
#[derive(Clone, Debug)]
pub struct Output {
    /// The frame.
    pub list: Arc<CommandList>,
    /// Something moves: draw the next frame when the display is ready for it.
    pub animating: bool,
    /// Nothing moves, but a timer is due at this time.
    pub wake_at: Option<Duration>,
    /// Text for the person's clipboard.
    pub clipboard: Option<String>,
    /// The app asked to end.
    pub quit: bool,
}

/// Counts of work done, for tests and profiles; they only grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Frames.
    pub frames: u64,
    /// Calls of `view`.
    pub views: u64,
    /// Runs of the layout engine.
    pub layouts: u64,
    /// Paragraphs shaped.
    pub paragraphs: u64,
    /// Elements declared in the last pass.
    pub elements: u64,
    /// Commands of the last frame that were kept from the one before.
    pub kept: u64,
}

/// The interface. A view declares elements through it; see the crate's page for the rules.
pub struct Ui {
    pub(crate) answering: bool,
    pub(crate) showing: bool,
    pub(crate) again: bool,
    pub(crate) pass: u64,
    pub(crate) frame: u64,
    pub(crate) nodes: Vec<Node>,
    pub(crate) open: Vec<u32>,
    pub(crate) text: String,
    pub(crate) overlay: u32,
    pub(crate) slots: Vec<Slot>,
    pub(crate) free: Vec<u32>,
    pub(crate) by_key: KeyMap<u32>,
    pub(crate) tree: taffy::TaffyTree<u32>,
    pub(crate) children: Vec<taffy::NodeId>,
    pub(crate) engine: TextEngine,
    pub(crate) images: ImageCache,
    pub(crate) icons: Icons,
    pub(crate) theme: Theme,
    pub(crate) size: Size,
    pub(crate) scale: f32,
    pub(crate) surface: (u32, u32),
    pub(crate) now: Duration,
    pub(crate) dt: f32,
    pub(crate) input: Input,
    pub(crate) springs: KeyMap<SpringState>,
    pub(crate) timers: KeyMap<TimerState>,
    pub(crate) last_input: Duration,
    pub(crate) recorder: Recorder,
    pub(crate) last: Option<Arc<CommandList>>,
    pub(crate) ghosts: Vec<Ghost>,
    pub(crate) leaving: Vec<u32>,
    pub(crate) retains: bool,
    pub(crate) everywhere: Option<crate::retain::Everywhere>,
    pub(crate) had_ghosts: bool,
    /// Of the node being recorded: an animation is on its way; it was not there in the last frame.
    pub(crate) node_moves: bool,
    pub(crate) node_is_new: bool,
    pub(crate) toasts: Vec<Toast>,
    pub(crate) toast_count: u64,
    pub(crate) animating: bool,
    pub(crate) wake_at: Option<Duration>,
    pub(crate) clipboard: String,
    pub(crate) clipboard_out: Option<String>,
    pub(crate) quit: bool,
    pub(crate) spawner: Spawner,
    pub(crate) counts: Counts,
    pub(crate) warned: Vec<u64>,
    pub(crate) asset_root: std::path::PathBuf,
    pub(crate) asset_paths: KeyMap<std::path::PathBuf>,
}

impl core::fmt::Debug for Ui {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Ui({:?}, {} elements)", self.surface, self.nodes.len())
    }
}

impl Ui {
    /// An interface without a frame yet.
    pub fn new(engine: TextEngine, images: ImageCache, spawner: Spawner) -> Self {
        Self {
            answering: false,
            showing: false,
            again: false,
            pass: 0,
            frame: 0,
            nodes: Vec::new(),
            open: Vec::new(),
            text: String::new(),
            overlay: 0,
            slots: Vec::new(),
            free: Vec::new(),
            by_key: KeyMap::default(),
            tree: taffy::TaffyTree::new(),
            children: Vec::new(),
            engine,
            images,
            icons: Icons::default(),
            theme: Theme::default(),
            size: Size::new(800.0, 480.0),
            scale: 1.0,
            surface: (800, 480),
            now: Duration::ZERO,
            dt: 0.0,
            input: Input::default(),
            springs: KeyMap::default(),
            timers: KeyMap::default(),
            last_input: Duration::ZERO,
            recorder: Recorder::new(),
            last: None,
            ghosts: Vec::new(),
            leaving: Vec::new(),
            retains: true,
            everywhere: None,
            had_ghosts: false,
            node_moves: false,
            node_is_new: false,
            toasts: Vec::new(),
            toast_count: 0,
            animating: false,
            wake_at: None,
            clipboard: String::new(),
            clipboard_out: None,
            quit: false,
            spawner,
            counts: Counts::default(),
            warned: Vec::new(),
            asset_root: std::path::PathBuf::new(),
            asset_paths: KeyMap::default(),
        }
    }

    /// The surface has this many pixels, `scale` of them per layout pixel.
    pub fn resize(&mut self, width: u32, height: u32, scale: f32) {
        let max = zinc_scene::limits::SURFACE_SIDE;
        self.surface = (width.clamp(1, max), height.clamp(1, max));
        self.scale = if scale.is_finite() && scale > 0.0 { scale.clamp(0.25, 8.0) } else { 1.0 };
        self.size =
            Size::new(self.surface.0 as f32 / self.scale, self.surface.1 as f32 / self.scale);
    }

    /// Draws one frame. `now` is the frame's time since the program's start; events carry their
    /// own.
    pub fn frame(
        &mut self,
        now: Duration,
        events: &[Timed],
        view: &mut dyn FnMut(&mut Ui),
    ) -> Output {
        let dt = now.saturating_sub(self.now);
        // After a pause an animation goes on where it stood instead of jumping to its end.
        self.dt = if self.frame == 0 { 0.0 } else { dt.as_secs_f32().min(0.1) };
        if self.frame > 0 && !self.animating {
            self.dt = self.dt.min(1.0 / 30.0);
        }
        self.now = now;
        self.frame += 1;
        self.animating = false;
        self.images.tick(now);
        if !events.is_empty() {
            self.last_input = now;
        }
        self.hand_out(events);
        if !events.is_empty() || self.timer_due() {
            self.run(view, false);
        }
        for _ in 0..SHOWN_PASSES {
            self.run(view, true);
            self.lay_out();
            if !self.again {
                break;
            }
        }
        let list = self.record();
        self.collect();
        self.counts.frames += 1;
        self.counts.paragraphs = self.engine.layouts();
        Output {
            list,
            animating: self.animating,
            wake_at: self.wake_at,
            clipboard: self.clipboard_out.take(),
            quit: self.quit,
        }
    }

    /// One pass of the view: `shown` draws; otherwise it only answers events.
    fn run(&mut self, view: &mut dyn FnMut(&mut Ui), shown: bool) {
        self.pass += 1;
        self.counts.views += 1;
        self.answering = !shown;
        self.showing = shown;
        self.again = false;
        self.wake_at = None;
        self.nodes.clear();
        self.open.clear();
        self.text.clear();
        let root = self.add_keyed(Key::ROOT, S.fill_parent(), Flow::Stack, Kind::Box);
        let main = Key::ROOT.child(1);
        self.open.push(root);
        self.overlay = self.add_keyed(Key::ROOT.child(2), S.fill_parent(), Flow::Stack, Kind::Box);
        let main = self.add_keyed(main, S.fill_parent(), Flow::Stack, Kind::Box);
        // Declared first so that it has an index, drawn last: the root's children are relinked.
        self.nodes[root as usize].first = main;
        self.nodes[root as usize].last = self.overlay;
        self.nodes[main as usize].next = self.overlay;
        self.nodes[self.overlay as usize].next = NONE;
        self.inside(main, view);
        self.inside(self.overlay, |ui| ui.show_toasts());
        self.open.clear();
        for n in &mut self.nodes {
            n.flags.drag |= n.asks_drag.get();
        }
        self.end_of_pass();
        self.counts.elements = self.nodes.len() as u64;
    }

    /// Declares children of `node`.
    pub(crate) fn inside<R>(&mut self, node: u32, f: impl FnOnce(&mut Ui) -> R) -> R {
        let depth = self.open.len();
        self.open.push(node);
        let r = f(self);
        self.open.truncate(depth);
        r
    }

    /// The key of an element declared at `at` in the innermost open element; the second, third …
    /// from the same place are told apart by their number.
    pub(crate) fn key_at(&mut self, at: &'static Location<'static>) -> Key {
        self.key_and_slot(at).0
    }

    /// With its slot, if it has one already.
    fn key_and_slot(&mut self, at: &'static Location<'static>) -> (Key, Option<u32>) {
        let key = self.parent_key().at(at);
        let Some(slot) = self.find_slot(key) else { return (key, None) };
        let s = &mut self.slots[slot as usize];
        if s.pass != self.pass {
            s.copies = 0;
            return (key, Some(slot));
        }
        s.copies += 1;
        let key = key.child(u64::from(s.copies));
        (key, self.find_slot(key))
    }

    /// The key of the innermost open element.
    pub(crate) fn parent_key(&self) -> Key {
        self.open.last().map_or(Key::ROOT, |i| self.nodes[*i as usize].key)
    }

    /// Declares an element at a call site.
    pub(crate) fn add(
        &mut self,
        at: &'static Location<'static>,
        style: Style,
        flow: Flow,
        kind: Kind,
    ) -> u32 {
        let (key, slot) = self.key_and_slot(at);
        let slot = slot.unwrap_or_else(|| self.new_slot(key));
        self.add_node(key, slot, style, flow, kind)
    }

    /// Declares an element with a key.
    pub(crate) fn add_keyed(&mut self, key: Key, style: Style, flow: Flow, kind: Kind) -> u32 {
        let slot = self.find_slot(key).unwrap_or_else(|| self.new_slot(key));
        self.add_node(key, slot, style, flow, kind)
    }

    /// Inlined: the style is copied once instead of three times.
    #[inline(always)]
    fn add_node(&mut self, key: Key, slot: u32, style: Style, flow: Flow, kind: Kind) -> u32 {
        let parent = self.open.last().copied().unwrap_or(NONE);
        let index = self.nodes.len() as u32;
        let parent_key = self.parent_key();
        let s = &mut self.slots[slot as usize];
        s.pass = self.pass;
        s.node = index;
        s.parent = parent_key;
        self.nodes.push(Node {
            key,
            slot,
            parent,
            first: NONE,
            last: NONE,
            next: NONE,
            style,
            flow,
            kind,
            flags: Flags::default(),
            asks_drag: Default::default(),
            text: Span::default(),
            text_style: TextStyle::default(),
            tone: Tone::token(crate::tone::Token::Ink),
            rect: zinc_scene::Rect::default(),
            clean: true,
        });
        if let Some(p) = self.nodes.get_mut(parent as usize) {
            let last = std::mem::replace(&mut p.last, index);
            if last == NONE {
                p.first = index;
            } else {
                self.nodes[last as usize].next = index;
            }
        }
        index
    }

    /// The slot of a key. It is mostly the one that followed the last element in the last pass,
    /// which spares the map.
    #[inline]
    fn find_slot(&mut self, key: Key) -> Option<u32> {
        let Some(before) = self.nodes.last() else { return self.by_key.get(&key).copied() };
        let before = before.slot as usize;
        let guess = self.slots[before].follower;
        if self.slots.get(guess as usize).is_some_and(|s| s.key == key) {
            return Some(guess);
        }
        let found = *self.by_key.get(&key)?;
        self.slots[before].follower = found;
        Some(found)
    }

    /// A slot for an element that is declared for the first time.
    #[cold]
    fn new_slot(&mut self, key: Key) -> u32 {
        // Ids of a tree that never runs out of memory are always granted.
        let layout = self.tree.new_leaf(taffy::Style::DEFAULT).unwrap_or(taffy::NodeId::new(0));
        let slot = Slot::new(key, layout);
        let index = match self.free.pop() {
            Some(i) => {
                self.slots[i as usize] = slot;
                i
            }
            None => {
                self.slots.push(slot);
                self.slots.len() as u32 - 1
            }
        };
        let _ = self.tree.set_node_context(layout, Some(index));
        self.by_key.insert(key, index);
        index
    }

    /// The slot of a declared node.
    pub(crate) fn slot(&mut self, node: u32) -> &mut Slot {
        let i = self.nodes[node as usize].slot;
        &mut self.slots[i as usize]
    }

    /// Forgets elements that have not been declared for a while.
    fn collect(&mut self) {
        let many = self.by_key.len() > self.nodes.len() * 2 + 512;
        if !many || !self.frame.is_multiple_of(64) {
            return;
        }
        let Self { slots, by_key, free, tree, pass, .. } = self;
        by_key.retain(|_, i| {
            let s = &mut slots[*i as usize];
            let keep = s.pass + 512 > *pass;
            if !keep {
                let _ = tree.remove(s.layout);
                s.extra = None;
                s.paragraph = None;
                s.key = Key(0);
                free.push(*i);
            }
            keep
        });
    }

    /// Says something once per program, by a number that names it.
    pub(crate) fn warn_once(&mut self, what: u64, say: impl FnOnce()) {
        if self.warned.len() < 256 && !self.warned.contains(&what) {
            self.warned.push(what);
            say();
        }
    }

    // ---- What an app asks of the whole interface.

    /// The size of the surface in layout pixels.
    pub fn viewport(&self) -> Size {
        self.size
    }
    /// Time since the program's start, of this frame.
    pub fn now(&self) -> Duration {
        self.now
    }
    /// Frames so far.
    pub fn frame_number(&self) -> u64 {
        self.frame
    }
    /// The theme in force.
    pub fn theme(&self) -> Theme {
        self.theme
    }
    /// Changes the theme from here on.
    pub fn set_theme(&mut self, theme: Theme) {
        self.theme = theme;
    }
    /// Ends the program after this frame.
    pub fn quit(&mut self) {
        self.quit = true;
    }
    /// The next frame is to be drawn soon, although nothing was touched.
    pub fn request_frame(&mut self) {
        self.animating = true;
    }
    /// Runs `f` on a thread of its own; it may block. The loop wakes when it ends.
    pub fn spawn<T: Send + Sync + 'static>(
        &self,
        f: impl FnOnce() -> T + Send + 'static,
    ) -> crate::Task<T> {
        self.spawner.spawn(f)
    }
    /// Where background work is started.
    pub fn spawner(&self) -> &Spawner {
        &self.spawner
    }
    /// Puts text on the person's clipboard.
    pub fn copy(&mut self, text: &str) {
        self.clipboard.clear();
        self.clipboard.push_str(text);
        self.clipboard_out = Some(text.to_owned());
    }
    /// Work done so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }
    /// Commands of the last frame that were refused (NaN and the like), the first few.
    pub fn warnings(&self) -> &[Warning] {
        self.recorder.warnings()
    }
    /// The images on their way from files.
    pub fn images(&mut self) -> &mut ImageCache {
        &mut self.images
    }
    /// The folder at which relative image paths start.
    pub fn set_asset_root(&mut self, root: std::path::PathBuf) {
        self.asset_paths.clear();
        self.asset_root = root;
    }
    /// The middle of the first element that shows exactly these words, in surface pixels.
    pub fn find(&self, words: &str) -> Option<zinc_scene::Point> {
        let shows = |n: &&Node| n.text.of(&self.text) == words && !words.is_empty();
        let place = |n: &Node| self.slots[n.slot as usize].matrix.apply(n.rect.center());
        self.nodes.iter().find(shows).map(place)
    }
    /// All words on the screen, in the order of declaration.
    pub fn words(&self) -> Vec<String> {
        let all = self.nodes.iter().map(|n| n.text.of(&self.text));
        all.filter(|w| !w.is_empty()).map(str::to_owned).collect()
    }
    /// Fonts and shaping.
    pub fn text_engine(&mut self) -> &mut TextEngine {
        &mut self.engine
    }
}
