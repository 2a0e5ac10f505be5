//! The handle of a declared element: changes its look right after its declaration, then asks
//! what happened to it. Answers are true in the input pass only; act on them in an `if`.

use crate::node::{Kind, Variant};
use crate::{Icon, Key, Tone, Ui};
use zinc_scene::{Point, Rect};
use zinc_text::{Align, TextStyle, Wrap};

/// A declared element.
#[derive(Debug)]
pub struct El<'a> {
    pub(crate) ui: &'a mut Ui,
    pub(crate) node: u32,
}

/// Sizes and weights of the look's type scale.
pub mod type_scale {
    use zinc_text::TextStyle;

    /// Small notes, 13.
    pub const CAPTION: TextStyle = TextStyle::new(13.0).weight(450).line_height(1.35);
    /// Text, 15.
    pub const BODY: TextStyle = TextStyle::new(15.0).weight(450).line_height(1.35);
    /// Buttons and fields, 17.
    pub const CONTROL: TextStyle = TextStyle::new(17.0).weight(550).line_height(1.25);
    /// Headings, 22.
    pub const TITLE: TextStyle = TextStyle::new(22.0).weight(600).line_height(1.2).tracking(-0.01);
    /// Numbers, 34.
    pub const FIGURE: TextStyle =
        TextStyle::new(34.0).weight(600).line_height(1.1).tracking(-0.01).tabular();
    /// The one number of a screen, 56.
    pub const HERO: TextStyle =
        TextStyle::new(56.0).weight(600).line_height(1.1).tracking(-0.02).tabular();
}

impl El<'_> {
    fn style_text(self, f: impl FnOnce(&mut TextStyle)) -> Self {
        f(&mut self.ui.nodes[self.node as usize].text_style);
        self
    }
    fn key(&self) -> Key {
        self.ui.nodes[self.node as usize].key
    }
    pub(crate) fn has(&self, all: &[Key]) -> bool {
        self.ui.answering && all.contains(&self.key())
    }

    // ---- Text.

    /// Small notes.
    pub fn caption(self) -> Self {
        self.style_text(|t| *t = type_scale::CAPTION)
    }
    /// A heading.
    pub fn title(self) -> Self {
        self.style_text(|t| *t = type_scale::TITLE)
    }
    /// Text on controls.
    pub fn control(self) -> Self {
        self.style_text(|t| *t = type_scale::CONTROL)
    }
    /// A number.
    pub fn figure(self) -> Self {
        self.style_text(|t| *t = type_scale::FIGURE)
    }
    /// The one number of a screen.
    pub fn hero(self) -> Self {
        self.style_text(|t| *t = type_scale::HERO)
    }
    /// Pixels per em.
    pub fn size(self, px: f32) -> Self {
        self.style_text(|t| t.size = px)
    }
    /// 100 to 900.
    pub fn weight(self, w: u16) -> Self {
        self.style_text(|t| t.weight = w)
    }
    /// Digits of equal width.
    pub fn tabular(self) -> Self {
        self.style_text(|t| t.tabular = true)
    }
    /// Lines in the middle of the element.
    pub fn align_center(self) -> Self {
        self.style_text(|t| t.align = Align::Center)
    }
    /// Lines at the end of the element.
    pub fn align_end(self) -> Self {
        self.style_text(|t| t.align = Align::End)
    }
    /// One line, which ends in an ellipsis when it is too wide.
    pub fn one_line(self) -> Self {
        self.style_text(|t| {
            t.wrap = Wrap::None;
            t.max_lines = 1;
        })
    }
    /// At most so many lines.
    pub fn lines(self, n: u16) -> Self {
        self.style_text(|t| t.max_lines = n)
    }
    /// Its colour.
    pub fn tone(self, tone: Tone) -> Self {
        self.ui.nodes[self.node as usize].tone = tone;
        self
    }
    /// In the colour of secondary text.
    pub fn muted(self) -> Self {
        self.tone(crate::tones::Muted)
    }

    // ---- Looks and behaviour.

    /// Changes its style.
    pub fn style(self, f: impl FnOnce(crate::Style) -> crate::Style) -> Self {
        let n = &mut self.ui.nodes[self.node as usize];
        n.style = f(n.style);
        self
    }
    /// Takes the space that is left.
    pub fn grow(self) -> Self {
        self.style(|s| s.grow())
    }
    /// Does nothing, and shows it.
    pub fn disabled(self, yes: bool) -> Self {
        self.ui.nodes[self.node as usize].flags.disabled = yes;
        self
    }
    fn look(self, f: impl FnOnce(&mut crate::node::ButtonLook)) -> Self {
        if let Kind::Button(b) = &mut self.ui.nodes[self.node as usize].kind {
            f(b);
        }
        self
    }
    /// A button that is on: the current tab, the chosen entry.
    pub fn selected(self, yes: bool) -> Self {
        self.look(|b| b.selected = yes)
    }
    /// A button's weight.
    pub fn variant(self, v: Variant) -> Self {
        self.look(|b| b.variant = v)
    }
    /// The one action of a screen.
    pub fn primary(self) -> Self {
        self.variant(Variant::Primary)
    }
    /// A button without a box of its own.
    pub fn quiet(self) -> Self {
        self.variant(Variant::Quiet)
    }
    /// A button that destroys.
    pub fn danger(self) -> Self {
        self.variant(Variant::Danger)
    }
    /// A button's icon, before its text.
    pub fn icon(self, icon: Icon) -> Self {
        self.look(|b| b.icon = Some(icon))
    }
    /// A button's content at its start instead of its middle.
    pub fn start(self) -> Self {
        self.look(|b| b.start = true)
    }
    /// Shrinks a little under the finger, and can be reached by keyboard; for cards that open.
    pub fn pressable(self) -> Self {
        let f = &mut self.ui.nodes[self.node as usize].flags;
        f.presses = true;
        f.click = true;
        f.focus = true;
        self
    }

    // ---- Answers.

    /// It was pressed and let go, or activated by keyboard. Ends the chain.
    pub fn clicked(self) -> bool {
        self.ui.nodes[self.node as usize].flags.click = true;
        self.has(&self.ui.input.clicked)
    }
    /// It was clicked twice, quickly.
    pub fn double_clicked(self) -> bool {
        self.ui.nodes[self.node as usize].flags.click = true;
        self.has(&self.ui.input.double)
    }
    /// The mouse is on it (or on something in it).
    pub fn hovered(&self) -> bool {
        self.ui.input.hovered.contains(&self.key())
    }
    /// A finger or button is down on it.
    pub fn pressed(&self) -> bool {
        self.ui.input.pressed.contains(&self.key())
    }
    /// It holds the keyboard focus.
    pub fn focused(&self) -> bool {
        self.ui.input.focus == Some(self.key())
    }
    /// Its box in the last frame, in layout pixels.
    pub fn rect(&self) -> Rect {
        let slot = self.ui.nodes[self.node as usize].slot;
        self.ui.slots[slot as usize].rect
    }
    /// How far a finger moved on it since the last frame (zero when it just came down); `None`
    /// while none drags it. The finger belongs to it at once.
    pub fn dragged(&self) -> Option<Point> {
        self.ui.nodes[self.node as usize].asks_drag.set(true);
        if !self.ui.answering {
            return None;
        }
        let key = self.key();
        self.ui.input.dragged.iter().find(|(k, _)| *k == key).map(|(_, d)| *d)
    }
    /// Where in it a finger came down or is, from its top left corner; `None` without one in
    /// this frame.
    pub fn touched(&self) -> Option<Point> {
        self.ui.nodes[self.node as usize].asks_drag.set(true);
        if !self.ui.answering {
            return None;
        }
        let key = self.key();
        self.ui.input.places.iter().find(|(k, _)| *k == key).map(|(_, d)| *d)
    }
    /// Where in it the mouse is, from its top left corner.
    pub fn hover_place(&self) -> Option<Point> {
        if !self.hovered() {
            return None;
        }
        let n = self.ui.nodes[self.node as usize].slot;
        let rect = self.ui.slots[n as usize].rect;
        self.ui.input.mouse.map(|p| p - rect.origin())
    }
    /// The finger that dragged it was lifted.
    pub fn released(&self) -> bool {
        self.has(&self.ui.input.released)
    }
    /// A finger is on it, moving or not.
    pub fn dragging(&self) -> bool {
        self.ui.input.dragging.contains(&self.key())
    }
}
