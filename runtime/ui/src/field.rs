//! Text fields: the app keeps a `String`, the field keeps caret, selection and scroll. The caret
//! stands still: blinking would wake a board for nothing.

use crate::el::type_scale;
use crate::input::Typed;
use crate::node::{Flow, Key, Kind, Span};
use crate::tone::Token;
use crate::{El, Style, Ui, tones};
use std::panic::Location;
use zinc_hal::{Key as KeyName, Modifiers, NamedKey};
use zinc_scene::{Point, Rect};
use zinc_text::{Editor, Lines, Motion, TextStyle};

/// Characters a field holds at most.
const LENGTH: usize = 4096;
const STYLE: TextStyle = type_scale::CONTROL.weight(450);

/// The answer of a text field.
#[derive(Debug)]
pub struct Field<'a> {
    el: El<'a>,
    changed: bool,
    submitted: bool,
}

impl Field<'_> {
    /// What stands in it while it is empty.
    pub fn placeholder(self, words: &str) -> Self {
        let span = self.el.ui.span(words);
        self.el.ui.nodes[self.el.node as usize].kind = Kind::Field { placeholder: span };
        self
    }
    /// Takes the keyboard focus now.
    pub fn take_focus(self, yes: bool) -> Self {
        if yes {
            let key = self.el.ui.nodes[self.el.node as usize].key;
            self.el.ui.input.focus = Some(key);
        }
        self
    }
    /// The person changed its text.
    pub fn changed(&self) -> bool {
        self.changed
    }
    /// Enter was pressed in it.
    pub fn submitted(&self) -> bool {
        self.submitted
    }
    /// It holds the keyboard focus.
    pub fn focused(&self) -> bool {
        self.el.focused()
    }
}

impl Ui {
    /// A field for one line of text.
    #[track_caller]
    pub fn field(&mut self, text: &mut String, style: Style) -> Field<'_> {
        let at = Location::caller();
        let style = style.radius(10.0).pad_x(14.0).min_height(48.0).fill(tones::Line.percent(45));
        let kind = Kind::Field { placeholder: Span::default() };
        let node = self.add(at, style, Flow::Col, kind);
        let n = &mut self.nodes[node as usize];
        n.flags.focus = true;
        n.flags.edit = true;
        n.flags.click = true;
        let key = n.key;
        let slot = n.slot as usize;
        let mut editor = match self.slots[slot].extra().editor.take() {
            Some(e) => e,
            None => {
                let mut e = Editor::new(Lines::Single, STYLE);
                e.set_max_chars(Some(LENGTH));
                e
            }
        };
        if editor.text() != text.as_str() {
            editor.set_text(&mut self.engine, text);
        }
        let (mut changed, mut submitted) = (false, false);
        if self.answering {
            self.point_at(&mut editor, node, key);
            if self.input.focus == Some(key) {
                submitted = self.type_into(&mut editor);
                changed = editor.text() != text.as_str();
                if changed {
                    text.clear();
                    text.push_str(editor.text());
                }
            }
        }
        self.slots[slot].extra().editor = Some(editor);
        Field { el: El { ui: self, node }, changed, submitted }
    }

    /// Presses and drags set caret and selection.
    fn point_at(&mut self, editor: &mut Editor, node: u32, key: Key) {
        let Some(place) = self.input.places.iter().find(|(k, _)| *k == key).map(|(_, p)| *p) else {
            return;
        };
        let pad = self.nodes[node as usize].style.layout.pad[3];
        let scroll = self.slot(node).extra().field_scroll;
        let p = Point::new(place.x - pad + scroll, STYLE.size * 0.6);
        if self.input.double.contains(&key) {
            editor.select_word_at(&mut self.engine, p);
        } else {
            editor.click(&mut self.engine, p, false);
        }
    }

    /// Hands the frame's keys to the editor; answers whether Enter was among them.
    fn type_into(&mut self, e: &mut Editor) -> bool {
        let mut submitted = false;
        let typed = std::mem::take(&mut self.input.typed);
        for t in typed {
            match t {
                Typed::Text(s) => {
                    let clean: String = s.chars().filter(|c| !c.is_control()).collect();
                    e.insert(&mut self.engine, &clean);
                }
                Typed::Paste(s) => {
                    e.insert(&mut self.engine, &s);
                }
                Typed::Key(KeyName::Named(NamedKey::Enter), _) => submitted = true,
                Typed::Key(k, m) => {
                    if !self.edit_key(e, k, m) {
                        self.input.typed.push(Typed::Key(k, m));
                    }
                }
            }
        }
        submitted
    }

    /// One key of an editor; `false` when it means nothing to it.
    fn edit_key(&mut self, e: &mut Editor, k: KeyName, m: Modifiers) -> bool {
        let word = m.ctrl || m.alt;
        let motion = match k {
            KeyName::Named(NamedKey::Left) if word => Some(Motion::WordLeft),
            KeyName::Named(NamedKey::Right) if word => Some(Motion::WordRight),
            KeyName::Named(NamedKey::Left) => Some(Motion::Left),
            KeyName::Named(NamedKey::Right) => Some(Motion::Right),
            KeyName::Named(NamedKey::Home) => Some(Motion::LineStart),
            KeyName::Named(NamedKey::End) => Some(Motion::LineEnd),
            _ => None,
        };
        if let Some(motion) = motion {
            e.move_caret(&mut self.engine, motion, m.shift);
            return true;
        }
        match k {
            KeyName::Named(NamedKey::Backspace) if word => e.backspace_word(&mut self.engine),
            KeyName::Named(NamedKey::Backspace) => e.backspace(&mut self.engine),
            KeyName::Named(NamedKey::Delete) if word => e.delete_word(&mut self.engine),
            KeyName::Named(NamedKey::Delete) => e.delete(&mut self.engine),
            KeyName::Char('a') if m.ctrl => e.select_all(&mut self.engine),
            KeyName::Char('c' | 'x') if m.ctrl => {
                if let Some(s) = e.selected_text().map(str::to_owned) {
                    self.copy(&s);
                    if k == KeyName::Char('x') {
                        e.delete(&mut self.engine);
                    }
                }
            }
            KeyName::Char('v') if m.ctrl => {
                let s = self.clipboard.clone();
                e.insert(&mut self.engine, &s);
            }
            _ => return false,
        }
        true
    }

    pub(crate) fn record_field(&mut self, i: u32, slot: usize, r: Rect, placeholder: Span) {
        let key = self.nodes[i as usize].key;
        let focused = self.input.focus == Some(key);
        let t = self.theme;
        let (ink, muted, accent) =
            (t.token(Token::Ink), t.token(Token::Muted), t.token(Token::Accent));
        if focused {
            self.recorder.rect(r.x, r.y, r.w, r.h).radius(10.0).border(2.0, accent);
        }
        let pad = self.nodes[i as usize].style.layout.pad;
        let inner = Rect::new(r.x + pad[3], r.y, (r.w - pad[1] - pad[3]).max(0.0), r.h);
        let Some(mut e) = self.slots[slot].extra().editor.take() else { return };
        let size = e.size(&mut self.engine);
        let caret = e.caret(&mut self.engine);
        let line = STYLE.size * STYLE.line_height;
        let y = (r.y + (r.h - line) * 0.5).round();
        // The caret stays in view.
        let mut scroll = self.slots[slot].extra().field_scroll;
        scroll = scroll.min(caret.x).max(caret.x + 2.0 - inner.w);
        scroll = if focused { scroll.clamp(0.0, (size.w + 2.0 - inner.w).max(0.0)) } else { 0.0 };
        self.slots[slot].extra().field_scroll = scroll;
        let at = Point::new((inner.x - scroll).round(), y);
        self.recorder.push_clip(Rect::new(inner.x - 1.0, r.y, inner.w + 2.0, r.h), 0.0);
        if e.text().is_empty() {
            let words = placeholder.of(&self.text);
            if !words.is_empty() {
                let p = self.engine.paragraph(words, &STYLE.one_line(), Some(inner.w));
                p.record(&mut self.recorder, at, muted);
            }
        } else {
            if focused {
                let mut rects = Vec::new();
                e.selection_rects(&mut self.engine, &mut rects);
                for s in rects {
                    let (x, w) = (at.x + s.x, s.w);
                    self.recorder.rect(x, y, w, line).radius(3.0).fill(accent.alpha(0.25));
                }
            }
            e.record(&mut self.engine, &mut self.recorder, at, ink);
        }
        if focused {
            self.recorder.rect(at.x + caret.x, y, 2.0, line).radius(1.0).fill(accent);
        }
        self.recorder.pop_clip();
        self.slots[slot].extra().editor = Some(e);
    }
}
