//! From placed nodes to commands. Colours and states are decided here, so that a change of
//! theme, hover or press lays nothing out.

use crate::anim::{SCREEN, SLIDE, STATE, ease_in_out, ease_out};
use crate::node::{ButtonLook, Fit, Kind, NONE, Picture, Variant};
use crate::retain::Within;
use crate::slot::Glide;
use crate::style::{Depth, Motion};
use crate::tone::{Token, Tone};
use crate::{Key, Ui, tones};
use std::sync::Arc;
use zinc_scene::{BlendMode, Color, CommandList, Matrix, Point, Rect, StrokeStyle};

/// Radius of a slider's knob.
pub(crate) const KNOB: f32 = 12.0;
/// Opacity of what is disabled.
const DISABLED: f32 = 0.4;
/// Seconds that an exit takes.
const EXIT: f32 = 0.24;

/// An element that is gone but still leaves.
#[derive(Clone, Debug)]
pub(crate) struct Ghost {
    list: Arc<CommandList>,
    range: std::ops::Range<usize>,
    parent: Key,
    motion: Motion,
    rect: Rect,
    age: f32,
}

impl Ui {
    /// Records the placed pass and freezes it.
    pub(crate) fn record(&mut self) -> Arc<CommandList> {
        self.find_leaving();
        self.survey();
        if let Some(list) = self.keep_all() {
            return list;
        }
        let (w, h) = self.surface;
        // The surface was clamped to legal sizes when it was set.
        if self.recorder.begin(w, h).is_err() {
            tracing::error!("a surface of {w}x{h} cannot be drawn");
        }
        let ground = self.theme.token(Token::Ground);
        self.recorder.clear(ground);
        self.recorder.push_matrix(Matrix::scale(self.scale, self.scale));
        // Everything stands after the ground.
        let at = Within::frame(self.frame);
        self.record_node(0, at);
        self.recorder.pop_matrix();
        let refused = self.recorder.refused();
        if refused > 0 {
            let warnings = self.recorder.warnings().to_vec();
            self.report_refused(&warnings, refused);
        }
        let list = self.recorder.freeze();
        self.last = Some(list.clone());
        list
    }

    /// Says what was refused, each kind once per program.
    pub(crate) fn report_refused(&mut self, warnings: &[zinc_scene::Warning], refused: usize) {
        for w in warnings {
            let name = xxhash_rust::xxh3::xxh3_64(format!("{w}").as_bytes());
            self.warn_once(name, || tracing::warn!("{w} ({refused} commands in this frame)"));
        }
    }

    /// Elements with an exit that were recorded in the last frame and not declared in this one.
    fn find_leaving(&mut self) {
        let mut leaving = std::mem::take(&mut self.leaving);
        leaving.retain(|i| {
            let stays = self.slots[*i as usize].pass == self.pass;
            if !stays {
                self.leave(*i as usize);
            }
            stays
        });
        self.leaving = leaving;
        let dt = self.dt;
        for g in &mut self.ghosts {
            g.age += dt;
        }
        self.ghosts.retain(|g| g.age < EXIT);
        self.animating |= !self.ghosts.is_empty();
    }

    /// A ghost of an element that is not declared any more. A child leaves with its parent, not
    /// on its own.
    fn leave(&mut self, slot: usize) {
        let s = &self.slots[slot];
        let parent = self.by_key.get(&s.parent).map(|p| self.slots[*p as usize].pass);
        let range = self.last_place(slot).filter(|r| !r.is_empty());
        if let (Some(list), Some(range), true) = (&self.last, range, parent == Some(self.pass)) {
            let motion = if self.theme.reduced_motion { Motion::Fade } else { s.exit };
            let (list, parent, rect) = (list.clone(), s.parent, s.rect);
            self.ghosts.push(Ghost { list, range, parent, motion, rect, age: 0.0 });
        }
    }

    fn record_ghosts(&mut self, parent: Key) {
        for i in 0..self.ghosts.len() {
            if self.ghosts[i].parent != parent {
                continue;
            }
            let g = &self.ghosts[i];
            let t = ease_out(g.age / EXIT);
            let m = motion_matrix(g.motion, 1.0 - t, g.rect, true);
            // The fragment is in surface pixels already: undo the matrix in force around it.
            let Some(undo) = self.recorder.matrix().invert() else { continue };
            let device = Matrix::scale(self.scale, self.scale).then_inner(m);
            let back = Matrix::scale(1.0 / self.scale, 1.0 / self.scale);
            let m = undo.then_inner(device).then_inner(back);
            self.recorder.push_layer(1.0 - t, BlendMode::SourceOver);
            self.recorder.append(&g.list, g.range.clone(), m);
            self.recorder.pop_layer();
        }
    }

    /// A state value on its way to 0 or 1.
    fn glide(
        &mut self,
        slot: usize,
        which: fn(&mut crate::slot::Glides) -> &mut Glide,
        on: bool,
    ) -> f32 {
        let step = self.dt / STATE;
        let target = if on { 1.0 } else { 0.0 };
        let fresh = self.node_is_new;
        let g = which(&mut self.slots[slot].glides);
        if fresh {
            g.0 = target;
        } else if g.0 < target {
            g.0 = (g.0 + step).min(target);
        } else {
            g.0 = (g.0 - step).max(target);
        }
        self.node_moves |= g.0 != target;
        self.animating |= g.0 != target;
        ease_in_out(g.0)
    }

    fn record_node(&mut self, i: u32, at: Within) {
        if self.keep(i, at) {
            return;
        }
        let surroundings = self.recorder.surroundings();
        let n = &self.nodes[i as usize];
        let (slot, rect, key, flags) = (n.slot as usize, n.rect, n.key, n.flags);
        let paint = n.style.paint;
        let old = &self.slots[slot];
        let (shown_before, recorded) = (at.has(old), old.recorded_frame);
        let old_start = at.old_start + old.fragment.start;
        self.node_moves = false;
        self.node_is_new = !shown_before;
        let age = if !shown_before { 0.0 } else { self.slots[slot].age + self.dt };
        let enter = self.enter(paint.enter, paint.delay_ms, age);
        let hovered = self.input.hovered.contains(&key);
        let pressed = self.input.pressed.contains(&key);
        let hover = self.glide(slot, |g| &mut g.hover, hovered && !flags.disabled);
        let press = self.glide(slot, |g| &mut g.press, pressed && !flags.disabled);
        let motion = if self.theme.reduced_motion { Motion::Fade } else { paint.enter };
        let mut m = motion_matrix(motion, enter, rect, false);
        let squeeze = if flags.presses { 1.0 - 0.02 * press } else { 1.0 };
        let scale = paint.scale * squeeze;
        if scale != 1.0 || paint.dx != 0.0 || paint.dy != 0.0 || paint.turn != 0.0 {
            m = m.then_inner(turn_about(rect, paint.dx, paint.dy, paint.turn, scale));
        }
        let shown = if paint.enter == Motion::None { 1.0 } else { enter };
        let opacity = paint.opacity * shown * if flags.disabled { DISABLED } else { 1.0 };
        let start = self.recorder.command_count();
        self.recorder.push_matrix(m);
        self.slots[slot].matrix = self.recorder.matrix();
        if opacity < 1.0 {
            self.recorder.push_layer(opacity, BlendMode::SourceOver);
        }
        self.record_box(i, rect, hover);
        self.record_kind(i, slot, rect, hover);
        let moving = self.node_moves;
        let within = Within { shown: shown_before, recorded, old_start, start };
        self.record_children(i, rect, key, within);
        if self.input.focus_visible && self.input.focus == Some(key) {
            let r = rect.inflate(3.0);
            let accent = self.theme.token(Token::Accent);
            let radius = if paint.radius > 0.0 { paint.radius + 3.0 } else { 6.0 };
            self.recorder.rect(r.x, r.y, r.w, r.h).radius(radius).border(2.0, accent);
        }
        if opacity < 1.0 {
            self.recorder.pop_layer();
        }
        self.recorder.pop_matrix();
        let end = self.recorder.command_count();
        let s = &mut self.slots[slot];
        s.age = age;
        s.shown_frame = self.frame;
        s.recorded_frame = self.frame;
        s.fragment = start - at.start..end - at.start;
        s.surroundings = surroundings;
        s.moving = moving;
        if paint.exit != Motion::None {
            s.exit = paint.exit;
            if !self.leaving.contains(&(slot as u32)) {
                self.leaving.push(slot as u32);
            }
        }
    }

    /// How far an element has come, 0..=1.
    fn enter(&mut self, motion: Motion, delay_ms: u16, age: f32) -> f32 {
        if motion == Motion::None {
            return 1.0;
        }
        let t = (age - f32::from(delay_ms) * 0.001) / SCREEN;
        self.node_moves |= t < 1.0;
        self.animating |= t < 1.0;
        ease_out(t)
    }

    fn record_children(&mut self, i: u32, rect: Rect, key: Key, within: Within) {
        let n = &self.nodes[i as usize];
        let (scrolls, clip, radius, first) =
            (n.flags.scroll, n.style.paint.clip || n.flags.scroll, n.style.paint.radius, n.first);
        if !self.ghosts.is_empty() {
            self.record_ghosts(key);
        }
        if clip {
            self.recorder.push_clip(rect, radius);
        }
        let mut at = first;
        while at != NONE {
            let c = &self.nodes[at as usize];
            let next = c.next;
            let still = c.style.paint.dx == 0.0 && c.style.paint.dy == 0.0;
            // What is scrolled away is not recorded; shadows reach this far.
            let out = scrolls && still && !c.rect.inflate(48.0).intersect(rect).w.gt(&0.0);
            let below = c.rect.y - 48.0 > rect.bottom() || c.rect.bottom() + 48.0 < rect.y;
            if !(out || (scrolls && still && below)) {
                self.record_node(at, within);
            }
            at = next;
        }
        if clip {
            self.recorder.pop_clip();
        }
        if scrolls {
            self.record_scrollbar(i, rect);
        }
    }

    fn record_scrollbar(&mut self, i: u32, rect: Rect) {
        let slot = self.nodes[i as usize].slot as usize;
        let Some(s) = self.slots[slot].scroll() else { return };
        if s.max() <= 1.0 || s.view <= 0.0 {
            return;
        }
        let len = (rect.h * s.view / s.content).max(24.0);
        let y = rect.y + 4.0 + (rect.h - 8.0 - len) * (s.offset / s.max());
        let muted = self.theme.token(Token::Muted).alpha(0.35);
        self.recorder.rect(rect.right() - 5.0, y, 3.0, len).radius(1.5).fill(muted);
    }

    fn color(&self, t: Tone) -> Color {
        self.theme.color(t)
    }

    /// Shadow, background and border.
    fn record_box(&mut self, i: u32, r: Rect, hover: f32) {
        let n = &self.nodes[i as usize];
        let (p, flags) = (n.style.paint, n.flags);
        let dark = self.theme.dark;
        let mut fill = self.color(p.fill);
        if flags.presses && hover > 0.0 && matches!(n.kind, Kind::Box) && fill.a > 0 {
            fill = fill.mix(self.color(tones::Line), 0.5 * hover);
        }
        let border = self.color(p.border);
        let line = self.theme.token(Token::Line);
        let black = |a: f32| Color::BLACK.alpha(a);
        let b = self.recorder.rect(r.x, r.y, r.w, r.h).radius(p.radius);
        let b = match (p.depth, dark) {
            (Depth::Flat, _) | (Depth::Card, true) => b,
            (Depth::Card, false) => {
                b.shadow(0.0, 1.0, 2.0, 0.0, black(0.08)).shadow(0.0, 8.0, 24.0, 0.0, black(0.08))
            }
            (Depth::Floating, false) => {
                b.shadow(0.0, 2.0, 6.0, 0.0, black(0.12)).shadow(0.0, 24.0, 56.0, 0.0, black(0.18))
            }
            (Depth::Floating, true) => b.shadow(0.0, 24.0, 56.0, 0.0, black(0.5)),
        };
        let b = b.fill(fill);
        let b = if p.depth == Depth::Card && dark { b.border(1.0, line) } else { b };
        if p.border_width > 0.0 {
            b.border(p.border_width, border);
        }
    }

    fn record_kind(&mut self, i: u32, slot: usize, r: Rect, hover: f32) {
        let n = &self.nodes[i as usize];
        let tone = self.theme.color(n.tone);
        let pad = n.style.layout.pad;
        match n.kind.clone() {
            Kind::Box => {}
            Kind::Text => {
                if let Some(p) = &self.slots[slot].paragraph {
                    p.record(&mut self.recorder, Point::new(r.x + pad[3], r.y + pad[0]), tone);
                }
            }
            Kind::Button(look) => self.record_button(i, slot, r, look, hover),
            Kind::Toggle { on } => self.record_toggle(slot, r, on),
            Kind::Check { on } => self.record_check(slot, r, on, hover),
            Kind::Slider { part } => self.record_slider(slot, r, part),
            Kind::Icon(icon, size) => self.record_icon(icon, r.origin(), size, tone),
            Kind::Field { placeholder } => self.record_field(i, slot, r, placeholder),
            Kind::Canvas => {
                let list = self.slots[slot].extra().canvas.as_ref().and_then(|c| c.list.clone());
                if let Some(list) = list {
                    let m = Matrix::translate(r.x, r.y);
                    self.recorder.append(&list, 0..list.commands().len(), m);
                }
            }
            Kind::Image { image, fit } => self.record_image(i, &image, fit, r),
            Kind::Film(source) => {
                let radius = self.nodes[i as usize].style.paint.radius;
                self.recorder.picture(source, r, radius.into(), 1.0);
            }
            Kind::Busy => self.record_busy(slot, r),
        }
    }

    pub(crate) fn record_icon(&mut self, icon: crate::Icon, at: Point, size: f32, color: Color) {
        let path = self.icons.get(icon);
        let k = size / 24.0;
        let m = Matrix { a: k, b: 0.0, c: 0.0, d: k, e: at.x, f: at.y };
        self.recorder.with_matrix(m, |r| {
            r.shared_path(&path).stroke(StrokeStyle::new(2.0), color);
        });
    }

    fn record_button(&mut self, i: u32, slot: usize, r: Rect, look: ButtonLook, hover: f32) {
        let on = self.glide(slot, |g| &mut g.on, look.selected);
        let t = self.theme;
        let c = |k| t.token(k);
        let (line, accent) = (c(Token::Line), c(Token::Accent));
        let (fill, ink) = match look.variant {
            Variant::Primary => (accent.mix(c(Token::Ink), 0.12 * hover), c(Token::OnAccent)),
            Variant::Danger => (c(Token::Bad).mix(c(Token::Ink), 0.12 * hover), c(Token::Surface)),
            Variant::Plain => {
                let rest = line.mix(c(Token::Surface), 0.25);
                (
                    rest.mix(accent, 0.12 * hover).mix(accent, on),
                    c(Token::Ink).mix(c(Token::OnAccent), on),
                )
            }
            Variant::Quiet => {
                let rest = line.alpha(0.7 * hover * (1.0 - on));
                let chosen = accent.alpha(0.14 * on);
                let fill = if on > 0.0 { chosen } else { rest };
                let own = self.nodes[i as usize].tone;
                (fill, t.color(own).mix(accent, on))
            }
        };
        let n = &self.nodes[i as usize];
        let (radius, pad, own_fill) =
            (n.style.paint.radius, n.style.layout.pad, n.style.paint.fill);
        let fill = if own_fill.is_none() { fill } else { Color::TRANSPARENT };
        self.recorder.rect(r.x, r.y, r.w, r.h).radius(radius).fill(fill);
        let words = self.slots[slot].paragraph.clone().filter(|p| p.text_len() > 0);
        let size = words.as_ref().map_or(zinc_scene::Size::default(), |p| p.size());
        let icon = look.icon.is_some() as u8 as f32 * crate::layout::ICON;
        let gap =
            if look.icon.is_some() && words.is_some() { crate::layout::ICON_GAP } else { 0.0 };
        let width = icon + gap + size.w;
        let room = r.w - pad[1] - pad[3];
        let x =
            if look.start { r.x + pad[3] } else { r.x + pad[3] + ((room - width) * 0.5).max(0.0) };
        let mid = r.y + r.h * 0.5;
        if let Some(icon) = look.icon {
            let side = crate::layout::ICON;
            self.record_icon(icon, Point::new(x.round(), (mid - side * 0.5).round()), side, ink);
        }
        if let Some(p) = words {
            let at = Point::new((x + icon + gap).round(), (mid - size.h * 0.5).round());
            p.record(&mut self.recorder, at, ink);
        }
    }

    fn record_toggle(&mut self, slot: usize, r: Rect, on: bool) {
        let t = self.glide(slot, |g| &mut g.on, on);
        let th = self.theme;
        let off = th.token(Token::Muted).mix(th.token(Token::Surface), 0.45);
        let track = off.mix(th.token(Token::Accent), t);
        let (w, h) = (52.0, 32.0);
        let (x, y) = (r.x + (r.w - w) * 0.5, r.y + (r.h - h) * 0.5);
        self.recorder.rect(x, y, w, h).radius(h * 0.5).fill(track);
        let cx = x + 16.0 + (w - 32.0) * t;
        let knob = if th.dark {
            th.token(Token::OnAccent).mix(Color::WHITE, 1.0 - t)
        } else {
            Color::WHITE
        };
        self.recorder
            .rect(cx - 12.0, y + 4.0, 24.0, 24.0)
            .radius(12.0)
            .shadow(0.0, 1.0, 3.0, 0.0, Color::BLACK.alpha(0.2))
            .fill(knob);
    }

    fn record_check(&mut self, slot: usize, r: Rect, on: bool, hover: f32) {
        let t = self.glide(slot, |g| &mut g.on, on);
        let th = self.theme;
        let (accent, muted) = (th.token(Token::Accent), th.token(Token::Muted));
        let c = r.center();
        let side = 26.0;
        let b = self
            .recorder
            .rect(c.x - side * 0.5, c.y - side * 0.5, side, side)
            .radius(side * 0.5)
            .fill(accent.alpha(t.max(0.1 * hover)));
        if t < 1.0 {
            b.border(2.0, muted.mix(accent, t.max(hover * 0.5)));
        }
        if t > 0.0 {
            let ink = th.token(Token::OnAccent).alpha(t);
            self.record_icon(crate::icons::CHECK, Point::new(c.x - 8.0, c.y - 8.0), 16.0, ink);
        }
    }

    fn record_slider(&mut self, slot: usize, r: Rect, part: f32) {
        let key = self.slots[slot].key;
        let held = self.input.dragging.contains(&key);
        let grow = self.glide(slot, |g| &mut g.on, held);
        let th = self.theme;
        let y = r.y + r.h * 0.5;
        let x = r.x + KNOB + (r.w - 2.0 * KNOB).max(0.0) * part;
        self.recorder.rect(r.x, y - 3.0, r.w, 6.0).radius(3.0).fill(th.token(Token::Line));
        self.recorder.rect(r.x, y - 3.0, x - r.x, 6.0).radius(3.0).fill(th.token(Token::Accent));
        let k = KNOB + 2.0 * grow;
        let knob = if th.dark { th.token(Token::Ink) } else { Color::WHITE };
        self.recorder
            .rect(x - k, y - k, 2.0 * k, 2.0 * k)
            .radius(k)
            .shadow(0.0, 1.0, 4.0, 0.0, Color::BLACK.alpha(0.25))
            .fill(knob)
            .border(2.0, th.token(Token::Accent));
    }

    fn record_image(&mut self, i: u32, image: &Picture, fit: Fit, r: Rect) {
        let radius = self.nodes[i as usize].style.paint.radius;
        let image = match image {
            Picture::Ready(image) => image,
            Picture::Loading | Picture::Failed => {
                let line = self.theme.token(Token::Line);
                self.recorder.rect(r.x, r.y, r.w, r.h).radius(radius).fill(line);
                if matches!(image, Picture::Failed) {
                    let muted = self.theme.token(Token::Muted);
                    let c = r.center();
                    let at = Point::new(c.x - 12.0, c.y - 12.0);
                    self.record_icon(crate::icons::CLOSE, at, 24.0, muted);
                }
                return;
            }
        };
        let (w, h) = (image.width() as f32, image.height() as f32);
        if r.is_empty() {
            return;
        }
        match fit {
            Fit::Cover => {
                let k = (r.w / w).max(r.h / h);
                let (sw, sh) = (r.w / k, r.h / k);
                let src = Rect::new((w - sw) * 0.5, (h - sh) * 0.5, sw, sh);
                self.recorder.image(image, r).src(src).radius(radius).draw();
            }
            Fit::Contain => {
                let k = (r.w / w).min(r.h / h);
                let (dw, dh) = (w * k, h * k);
                let dst = Rect::new(r.x + (r.w - dw) * 0.5, r.y + (r.h - dh) * 0.5, dw, dh);
                self.recorder.image(image, dst).radius(radius).draw();
            }
        }
    }

    fn record_busy(&mut self, slot: usize, r: Rect) {
        let g = &mut self.slots[slot].glides.busy.0;
        *g = (*g + self.dt / 0.9) % 1.0;
        let phase = *g;
        self.animating = true;
        let muted = self.theme.token(Token::Muted);
        for k in 0..3 {
            let t = (phase - k as f32 * 0.16).rem_euclid(1.0);
            let lift = if t < 0.5 { ease_in_out(1.0 - (t * 4.0 - 1.0).abs()) } else { 0.0 };
            let c = Point::new(r.x + 12.0 + 16.0 * k as f32, r.y + r.h * 0.5);
            self.recorder.circle(c, 3.5).fill(muted.alpha(0.4 + 0.6 * lift));
        }
    }
}

/// The matrix of an element that has come this far (or, leaving, has this far to go).
fn motion_matrix(motion: Motion, t: f32, r: Rect, leaving: bool) -> Matrix {
    let d = SLIDE * (1.0 - t);
    let way = if leaving { -0.5 } else { 1.0 };
    match motion {
        Motion::None | Motion::Fade => Matrix::IDENTITY,
        _ if t >= 1.0 => Matrix::IDENTITY,
        Motion::SlideUp => Matrix::translate(0.0, if leaving { d * 0.5 } else { d }),
        Motion::SlideDown => Matrix::translate(0.0, if leaving { -d * 0.5 } else { -d }),
        Motion::SlideLeft => Matrix::translate(d * way, 0.0),
        Motion::SlideRight => Matrix::translate(-d * way, 0.0),
        Motion::Grow => turn_about(r, 0.0, 0.0, 0.0, 0.94 + 0.06 * t),
    }
}

/// Moved, turned and scaled about the middle of a box.
fn turn_about(r: Rect, dx: f32, dy: f32, turn: f32, scale: f32) -> Matrix {
    let c = r.center();
    let mut m = Matrix::translate(c.x + dx, c.y + dy);
    if turn != 0.0 {
        m = m.then_inner(Matrix::rotate(turn));
    }
    m.then_inner(Matrix::scale(scale, scale)).then_inner(Matrix::translate(-c.x, -c.y))
}
