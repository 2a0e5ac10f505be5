//! Events into answers. Everything here looks at the last frame's layout: that is what the
//! person saw when they touched it.
//!
//! A press belongs to the innermost element that answers clicks; a slider or canvas takes the
//! finger at once; a scroll area or a posed card takes it once it has moved [`SLOP`] pixels, and
//! the press below is then forgotten. A lost contact clicks nothing.

use crate::node::{Key, NONE};
use crate::pose::PoseDelta;
use crate::{Ui, node};
use std::time::Duration;
use zinc_hal::{
    Button, InputEvent, Key as KeyName, Modifiers, NamedKey, PointerEvent, PointerId, PointerKind,
    PointerPhase, Timed, WheelEvent,
};
use zinc_scene::Point;

/// Pixels that a finger may wander before a press becomes a drag.
pub const SLOP: f32 = 8.0;
/// Samples kept of a finger's way, for its speed when it lifts.
const SAMPLES: usize = 6;
/// Two clicks within this time and [`SLOP`] are a double click.
const DOUBLE: Duration = Duration::from_millis(400);

/// A pointer that is down, or the mouse.
#[derive(Clone, Debug)]
pub(crate) struct Pointer {
    pub(crate) id: PointerId,
    pub(crate) at: Point,
    start: Point,
    moved: bool,
    press: Option<Key>,
    drag: Option<Key>,
    scroll: Option<Key>,
    pose: Option<Key>,
    /// It was decided that it scrolls or poses.
    taken: bool,
    way: [(Duration, Point); SAMPLES],
}

impl Pointer {
    fn sample(&mut self, t: Duration, p: Point) {
        self.way.rotate_right(1);
        self.way[0] = (t, p);
    }
    /// Pixels per second over the last tenth of a second.
    fn velocity(&self, now: Duration) -> Point {
        let (t1, p1) = self.way[0];
        if now.saturating_sub(t1) > Duration::from_millis(100) {
            return Point::default();
        }
        let old =
            self.way.iter().rev().find(|(t, _)| t1 > *t && t1 - *t <= Duration::from_millis(100));
        match old {
            Some((t0, p0)) => (p1 - *p0) * (1.0 / (t1 - *t0).as_secs_f32().max(0.001)),
            None => Point::default(),
        }
    }
}

/// A key that went down in this frame.
#[derive(Clone, Debug)]
pub(crate) enum Typed {
    /// A key.
    Key(KeyName, Modifiers),
    /// Written text.
    Text(String),
    /// Pasted text.
    Paste(String),
}

/// The state of pointers, focus and keys, and the answers of the coming pass.
#[derive(Clone, Debug, Default)]
pub(crate) struct Input {
    pointers: Vec<Pointer>,
    pub(crate) mouse: Option<Point>,
    /// From the root to the element under the mouse.
    pub(crate) hovered: Vec<Key>,
    pub(crate) pressed: Vec<Key>,
    pub(crate) focus: Option<Key>,
    pub(crate) focus_visible: bool,
    pub(crate) clicked: Vec<Key>,
    pub(crate) double: Vec<Key>,
    pub(crate) outside: Vec<Key>,
    pub(crate) dragged: Vec<(Key, Point)>,
    /// Place of a drag or press inside an element, in its own coordinates.
    pub(crate) places: Vec<(Key, Point)>,
    pub(crate) released: Vec<Key>,
    pub(crate) dragging: Vec<Key>,
    pub(crate) poses: Vec<(Key, PoseDelta)>,
    pub(crate) flung: Vec<(Key, Point)>,
    pub(crate) typed: Vec<Typed>,
    /// A text field had the focus when the frame's events were handed out.
    editing: bool,
    last_click: Option<(Duration, Point)>,
}

impl Ui {
    /// Turns the frame's events into answers.
    pub(crate) fn hand_out(&mut self, events: &[Timed]) {
        let i = &mut self.input;
        i.clicked.clear();
        i.double.clear();
        i.outside.clear();
        i.dragged.clear();
        i.places.clear();
        i.released.clear();
        i.poses.clear();
        i.flung.clear();
        i.typed.clear();
        for e in events {
            match &e.event {
                InputEvent::Pointer(p) => {
                    let p = PointerEvent { position: p.position * (1.0 / self.scale), ..*p };
                    if p.position.is_finite() {
                        self.pointer(e.at, p);
                    }
                }
                InputEvent::Wheel(w) => self.wheel(WheelEvent {
                    position: w.position * (1.0 / self.scale),
                    delta: w.delta * (1.0 / self.scale),
                }),
                InputEvent::KeyDown { key, modifiers } => self.key_down(*key, *modifiers),
                InputEvent::KeyUp { .. } => {}
                InputEvent::Text(t) => self.input.typed.push(Typed::Text(t.clone())),
                InputEvent::Paste(t) => self.input.typed.push(Typed::Paste(t.clone())),
            }
        }
        self.advance_scrolls();
        self.update_hover();
        let focused = self.input.focus.and_then(|k| self.node_of(k));
        self.input.editing = focused.is_some_and(|n| self.nodes[n as usize].flags.edit);
    }

    // ---- Finding elements.

    /// The frontmost element under a point that a person can do something to.
    fn hit(&self, p: Point) -> Option<u32> {
        if self.nodes.is_empty() { None } else { self.hit_in(0, p) }
    }

    fn hit_in(&self, i: u32, p: Point) -> Option<u32> {
        let n = &self.nodes[i as usize];
        let inside = self.local(i, p).is_some_and(|q| n.rect.contains(q));
        if (n.flags.scroll || n.style.paint.clip) && !inside {
            return None;
        }
        let mut found = None;
        let mut at = n.first;
        while at != NONE {
            // The last child that answers is in front.
            found = self.hit_in(at, p).or(found);
            at = self.nodes[at as usize].next;
        }
        let f = n.flags;
        let answers = f.click || f.drag || f.scroll || f.pose || f.focus || f.blocks || f.disabled;
        found.or((inside && answers).then_some(i))
    }

    /// A point of the surface (in layout pixels) in an element's own coordinates.
    pub(crate) fn local(&self, i: u32, p: Point) -> Option<Point> {
        let m = self.slots[self.nodes[i as usize].slot as usize].matrix.invert()?;
        Some(m.apply(p * self.scale))
    }

    /// From an element up: the first that satisfies `f`. A disabled element ends the search.
    fn up(&self, from: Option<u32>, f: impl Fn(&node::Flags) -> bool) -> Option<Key> {
        let mut at = from?;
        loop {
            let n = &self.nodes[at as usize];
            if n.flags.disabled {
                return None;
            }
            if f(&n.flags) {
                return Some(n.key);
            }
            at = n.parent;
            if at == NONE {
                return None;
            }
        }
    }

    fn node_of(&self, key: Key) -> Option<u32> {
        let slot = &self.slots[*self.by_key.get(&key)? as usize];
        let n = self.nodes.get(slot.node as usize)?;
        (n.key == key).then_some(slot.node)
    }

    fn is_below(&self, mut node: u32, ancestor: Key) -> bool {
        loop {
            let n = &self.nodes[node as usize];
            if n.key == ancestor {
                return true;
            }
            if n.parent == NONE {
                return false;
            }
            node = n.parent;
        }
    }

    fn update_hover(&mut self) {
        self.input.hovered.clear();
        let Some(hit) = self.input.mouse.and_then(|p| self.hit(p)) else { return };
        let mut at = hit;
        while at != NONE {
            let n = &self.nodes[at as usize];
            self.input.hovered.push(n.key);
            at = n.parent;
        }
    }

    // ---- Pointers.

    fn pointer(&mut self, t: Duration, e: PointerEvent) {
        if e.kind == PointerKind::Mouse {
            self.input.mouse = (e.phase != PointerPhase::Leave).then_some(e.position);
        }
        match e.phase {
            PointerPhase::Down if e.button == Button::Primary => self.pointer_down(t, e),
            PointerPhase::Down | PointerPhase::Leave => {}
            PointerPhase::Move => self.pointer_move(t, e),
            PointerPhase::Up if e.button == Button::Primary => {
                self.pointer_up(t, e.id, Some(e.position))
            }
            PointerPhase::Up => {}
            PointerPhase::Cancel => self.pointer_up(t, e.id, None),
        }
    }

    fn pointer_down(&mut self, t: Duration, e: PointerEvent) {
        self.input.focus_visible = false;
        let hit = self.hit(e.position);
        let press = self.up(hit, |f| f.click);
        let drag = self.up(hit, |f| f.drag);
        let scroll = self.up(hit, |f| f.scroll);
        let pose = self.up(hit, |f| f.pose);
        let focus = self.up(hit, |f| f.focus && f.edit);
        self.input.focus = focus;
        if let Some(k) = self.up(hit, |f| f.blocks) {
            // Only the blocking element itself was touched, nothing in it.
            if hit.is_some_and(|h| self.nodes[h as usize].key == k) {
                self.input.outside.push(k);
            }
        }
        for k in [press, drag, focus].into_iter().flatten() {
            if let Some(q) = self.node_of(k).and_then(|n| self.local_in(n, e.position)) {
                self.input.places.push((k, q));
            }
        }
        if let Some(k) = drag {
            self.input.dragging.push(k);
            self.input.dragged.push((k, Point::default()));
        }
        if let Some(s) = scroll.and_then(|k| self.node_of(k)) {
            let extra = self.slot(s).extra();
            if let Some(s) = extra.scroll.as_mut() {
                s.velocity = 0.0;
                s.target = None;
            }
        }
        if let Some(k) = press {
            self.input.pressed.push(k);
        }
        self.input.pointers.retain(|p| p.id != e.id);
        self.input.pointers.push(Pointer {
            id: e.id,
            at: e.position,
            start: e.position,
            moved: false,
            press,
            drag,
            scroll,
            pose,
            taken: false,
            way: [(t, e.position); SAMPLES],
        });
        if let Some(k) = pose {
            // A second finger starts the gesture anew and presses nothing.
            let fingers = self.input.pointers.iter().filter(|p| p.pose == Some(k)).count();
            if fingers > 1 {
                for i in 0..self.input.pointers.len() {
                    if self.input.pointers[i].pose == Some(k) {
                        self.take(i);
                    }
                }
            }
        }
    }

    /// A point relative to an element's top left corner.
    fn local_in(&self, node: u32, p: Point) -> Option<Point> {
        let q = self.local(node, p)?;
        Some(q - self.nodes[node as usize].rect.origin())
    }

    /// Decides that a pointer scrolls or poses: what it pressed is let go.
    fn take(&mut self, i: usize) {
        let p = &mut self.input.pointers[i];
        p.taken = true;
        if let Some(k) = p.press.take() {
            self.input.pressed.retain(|x| *x != k);
        }
    }

    fn pointer_move(&mut self, t: Duration, e: PointerEvent) {
        let Some(i) = self.input.pointers.iter().position(|p| p.id == e.id) else { return };
        let before = self.input.pointers[i].at;
        let delta = e.position - before;
        let p = &mut self.input.pointers[i];
        p.sample(t, e.position);
        let way = e.position - p.start;
        p.moved |= way.length() > SLOP;
        if let Some(k) = p.drag {
            p.at = e.position;
            self.drag_by(k, e.position, delta);
            return;
        }
        if !p.taken && p.moved && (p.scroll.is_some() || p.pose.is_some()) {
            self.take(i);
        }
        let p = &self.input.pointers[i];
        let (taken, scroll, pose) = (p.taken, p.scroll, p.pose);
        if taken && let Some(k) = pose {
            let d = self.pose_delta(k, i, e.position);
            self.input.poses.push((k, d));
        } else if taken && let Some(k) = scroll {
            self.scroll_by(k, -delta.y);
        }
        self.input.pointers[i].at = e.position;
    }

    fn drag_by(&mut self, k: Key, at: Point, delta: Point) {
        let node = self.node_of(k);
        if let Some(q) = node.and_then(|n| self.local_in(n, at)) {
            self.input.places.retain(|(x, _)| *x != k);
            self.input.places.push((k, q));
        }
        match self.input.dragged.iter_mut().find(|(x, _)| *x == k) {
            Some((_, d)) => *d = *d + delta,
            None => self.input.dragged.push((k, delta)),
        }
    }

    /// What moving pointer `i` to `to` does to a posed element, with the other fingers on it.
    fn pose_delta(&self, k: Key, i: usize, to: Point) -> PoseDelta {
        let from = self.input.pointers[i].at;
        let other = self.input.pointers.iter().enumerate();
        let mut others = other.filter(|(j, p)| *j != i && p.pose == Some(k) && p.taken);
        match others.next() {
            None => PoseDelta::moved(to - from),
            Some((_, o)) => PoseDelta::two_fingers(o.at, from, to),
        }
    }

    fn scroll_by(&mut self, k: Key, dy: f32) {
        let Some(n) = self.node_of(k) else { return };
        if let Some(s) = self.slot(n).extra().scroll.as_mut() {
            s.target = None;
            s.offset = (s.offset + dy).clamp(0.0, s.max());
        }
    }

    fn pointer_up(&mut self, t: Duration, id: PointerId, at: Option<Point>) {
        let Some(i) = self.input.pointers.iter().position(|p| p.id == id) else { return };
        let p = self.input.pointers.swap_remove(i);
        if let Some(k) = p.drag {
            self.input.dragging.retain(|x| *x != k);
            self.input.released.push(k);
        }
        if let Some(k) = p.press {
            self.input.pressed.retain(|x| *x != k);
            let on = at.and_then(|at| self.hit(at)).is_some_and(|h| self.is_below(h, k));
            if on && let Some(at) = at {
                self.input.clicked.push(k);
                let double = self.input.last_click.is_some_and(|(was, place)| {
                    t.saturating_sub(was) < DOUBLE && (place - at).length() < SLOP
                });
                if double {
                    self.input.double.push(k);
                }
                self.input.last_click = (!double).then_some((t, at));
            }
        }
        if !p.taken || at.is_none() {
            return;
        }
        let v = p.velocity(t);
        if let Some(k) = p.pose {
            if !self.input.pointers.iter().any(|o| o.pose == Some(k)) {
                self.input.flung.push((k, v));
            }
        } else if let Some(n) = p.scroll.and_then(|k| self.node_of(k))
            && let Some(s) = self.slot(n).extra().scroll.as_mut()
        {
            s.velocity = (-v.y).clamp(-6000.0, 6000.0);
        }
    }

    fn wheel(&mut self, w: WheelEvent) {
        if !(w.position.is_finite() && w.delta.is_finite()) {
            return;
        }
        let hit = self.hit(w.position);
        let scroll = self.up(hit, |f| f.scroll);
        let pose = self.up(hit, |f| f.pose);
        if let Some(k) = pose {
            let factor = zinc_scene::math::exp(-w.delta.y.clamp(-400.0, 400.0) / 400.0);
            self.input.poses.push((k, PoseDelta::zoomed(w.position, factor)));
        } else if let Some(k) = scroll {
            self.scroll_by(k, w.delta.y);
        }
    }

    // ---- Keys and focus.

    fn key_down(&mut self, key: KeyName, m: Modifiers) {
        let focused = self.input.focus.and_then(|k| self.node_of(k));
        let flags = focused.map(|n| self.nodes[n as usize].flags).unwrap_or_default();
        let press = matches!(key, KeyName::Named(NamedKey::Enter | NamedKey::Space));
        match key {
            KeyName::Named(NamedKey::Tab) => return self.move_focus(m.shift),
            KeyName::Named(k) if !flags.edit && !flags.drag => {
                if let Some(d) = direction(k)
                    && self.focus_towards(d)
                {
                    return;
                }
            }
            _ => {}
        }
        if press && flags.click && !flags.edit && !flags.disabled {
            if let Some(k) = self.input.focus {
                self.input.clicked.push(k);
                self.input.focus_visible = true;
            }
            return;
        }
        self.input.typed.push(Typed::Key(key, m));
    }

    /// Elements that can hold the focus, in the order of declaration; those of the frontmost
    /// dialog only, when there is one.
    fn focusable(&self) -> Vec<u32> {
        let trap = self.nodes.iter().rev().find(|n| n.flags.trap).map(|n| n.key);
        let all = 0..self.nodes.len() as u32;
        all.filter(|i| {
            let n = &self.nodes[*i as usize];
            n.flags.focus && !n.flags.disabled && trap.is_none_or(|t| self.is_below(*i, t))
        })
        .collect()
    }

    fn move_focus(&mut self, back: bool) {
        let all = self.focusable();
        if all.is_empty() {
            return;
        }
        let now = self.input.focus.and_then(|k| self.node_of(k));
        let at = now.and_then(|n| all.iter().position(|x| *x == n));
        let next = match (at, back) {
            (None, false) => 0,
            (None, true) => all.len() - 1,
            (Some(i), false) => (i + 1) % all.len(),
            (Some(i), true) => (i + all.len() - 1) % all.len(),
        };
        self.set_focus(all[next]);
    }

    fn set_focus(&mut self, node: u32) {
        self.input.focus = Some(self.nodes[node as usize].key);
        self.input.focus_visible = true;
        self.reveal(node);
    }

    /// Scrolls the areas around an element so that it can be seen.
    fn reveal(&mut self, node: u32) {
        let rect = self.nodes[node as usize].rect;
        let mut at = self.nodes[node as usize].parent;
        while at != NONE {
            let (flags, area) = (self.nodes[at as usize].flags, self.nodes[at as usize].rect);
            if flags.scroll
                && let Some(s) = self.slot(at).extra().scroll.as_mut()
            {
                let over = (rect.bottom() + 16.0 - area.bottom()).max(0.0);
                let under = (area.y + 16.0 - rect.y).max(0.0);
                if over > 0.0 || under > 0.0 {
                    s.target = Some((s.offset + over - under).clamp(0.0, s.max()));
                }
            }
            at = self.nodes[at as usize].parent;
        }
    }

    /// Moves the focus to the nearest element in a direction; `false` when nothing is focused
    /// or nothing lies there.
    fn focus_towards(&mut self, d: Point) -> bool {
        let Some(now) = self.input.focus.and_then(|k| self.node_of(k)) else { return false };
        let from = self.nodes[now as usize].rect.center();
        let mut best: Option<(f32, u32)> = None;
        for n in self.focusable() {
            if n == now {
                continue;
            }
            let v = self.nodes[n as usize].rect.center() - from;
            let along = v.x * d.x + v.y * d.y;
            let across = (v.x * d.y).abs() + (v.y * d.x).abs();
            if along <= 1.0 || across > along * 3.0 {
                continue;
            }
            let cost = along + across * 2.0;
            if best.is_none_or(|(c, _)| cost < c) {
                best = Some((cost, n));
            }
        }
        match best {
            Some((_, n)) => {
                self.set_focus(n);
                true
            }
            None => false,
        }
    }

    /// This key went down in this frame and nobody used it yet; it is used now. Characters do
    /// not answer while a text field has the focus, unless control or alt is held.
    pub fn key(&mut self, key: impl Into<Shortcut>) -> bool {
        if !self.answering {
            return false;
        }
        let Shortcut { key, ctrl, alt, any_shift } = key.into();
        let editing = self.editing();
        let found = self.input.typed.iter().position(|t| match t {
            Typed::Key(k, m) => {
                let writes = matches!(k, KeyName::Char(_)) && !m.ctrl && !m.alt;
                *k == key
                    && m.ctrl == ctrl
                    && m.alt == alt
                    && (any_shift || !m.shift)
                    && !(writes && editing)
            }
            _ => false,
        });
        match found {
            Some(i) => {
                self.input.typed.remove(i);
                true
            }
            None => false,
        }
    }

    /// A text field has the focus (in the last frame's layout).
    pub fn editing(&self) -> bool {
        self.input.editing
    }
}

fn direction(k: NamedKey) -> Option<Point> {
    Some(match k {
        NamedKey::Left => Point::new(-1.0, 0.0),
        NamedKey::Right => Point::new(1.0, 0.0),
        NamedKey::Up => Point::new(0.0, -1.0),
        NamedKey::Down => Point::new(0.0, 1.0),
        _ => return None,
    })
}

/// A key with its modifiers, as [`Ui::key`] takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortcut {
    key: KeyName,
    ctrl: bool,
    alt: bool,
    any_shift: bool,
}

impl Shortcut {
    /// With control.
    pub const fn ctrl(c: char) -> Self {
        Self { key: KeyName::Char(c), ctrl: true, alt: false, any_shift: true }
    }
}

impl From<char> for Shortcut {
    fn from(c: char) -> Self {
        let key = KeyName::Char(c.to_lowercase().next().unwrap_or(c));
        Self { key, ctrl: false, alt: false, any_shift: true }
    }
}

impl From<NamedKey> for Shortcut {
    fn from(k: NamedKey) -> Self {
        Self { key: KeyName::Named(k), ctrl: false, alt: false, any_shift: true }
    }
}
