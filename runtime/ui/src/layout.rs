//! Layout through taffy. Elements keep their layout node between frames; only what changed is
//! told to it, so a steady frame runs no layout and shapes no paragraph.

use crate::node::{Flow, Kind, NONE, Node};
use crate::style::{Align, FREE, Justify, Layout, Len};
use crate::{Key, Ui};
use taffy::prelude::{auto, length, percent, zero};
use taffy::{AvailableSpace, Dimension, LengthPercentage, LengthPercentageAuto, NodeId};
use zinc_scene::{Rect, Size};
use zinc_text::TextEngine;

/// Space between a button's icon and its text.
pub(crate) const ICON_GAP: f32 = 8.0;
/// Side of a button's icon.
pub(crate) const ICON: f32 = 20.0;

impl Ui {
    /// Brings the layout up to date with the pass and places every node.
    pub(crate) fn lay_out(&mut self) {
        let (mut dirty, scrolled) = self.sync_styles();
        dirty |= self.sync_children();
        let root = self.slots[self.nodes[0].slot as usize].layout;
        let space = (self.size.w.to_bits() as u64) << 32 | self.size.h.to_bits() as u64;
        if dirty || self.slot(0).text_hash != space {
            self.slot(0).text_hash = space;
            self.counts.layouts += 1;
            self.compute(root);
            self.place();
        } else if scrolled {
            self.place();
        }
    }

    /// Tells taffy of styles and texts that changed; answers whether any did, and whether a
    /// scroll offset moved. Each node gets the box of the last layout, which stands if neither.
    fn sync_styles(&mut self) -> (bool, bool) {
        let Self { nodes, slots, tree, text, frame, .. } = self;
        let (mut dirty, mut scrolled) = (false, false);
        for i in 0..nodes.len() {
            let s = &mut slots[nodes[i].slot as usize];
            nodes[i].rect = s.rect;
            let n = &nodes[i];
            scrolled |= n.flags.scroll && s.scroll().is_some_and(|x| x.offset != x.drawn_at);
            let same = s.layout_style.as_ref().is_some_and(|(layout, flow, scroll)| {
                *flow == n.flow && *scroll == n.flags.scroll && *layout == n.style.layout
            });
            if !same {
                s.changed = *frame;
                s.layout_style = Some((n.style.layout, n.flow, n.flags.scroll));
                let parent = nodes.get(n.parent as usize).map(|p| (p.flow, p.flags.scroll));
                dirty |= tree.set_style(s.layout, taffy_style(n, parent)).is_ok();
            }
            if is_measured(&n.kind) {
                let hash =
                    xxhash_rust::xxh3::xxh3_64(n.text.of(text).as_bytes()) ^ kind_measure(&n.kind);
                if s.text_hash != hash || s.text_style != n.text_style {
                    s.changed = *frame;
                    s.text_hash = hash;
                    s.text_style = n.text_style;
                    s.paragraph = None;
                    dirty |= tree.mark_dirty(s.layout).is_ok();
                }
            }
        }
        (dirty, scrolled)
    }

    /// Tells taffy of children that came, went or changed places.
    fn sync_children(&mut self) -> bool {
        let Self { nodes, slots, tree, children, frame, .. } = self;
        let mut dirty = false;
        for n in nodes.iter() {
            let mut hash = 0u64;
            let mut at = n.first;
            while at != NONE {
                let c = &nodes[at as usize];
                hash = Key(hash).child(c.key.0).0;
                at = c.next;
            }
            let s = &slots[n.slot as usize];
            if s.children == hash {
                continue;
            }
            children.clear();
            let mut at = n.first;
            while at != NONE {
                let c = &nodes[at as usize];
                children.push(slots[c.slot as usize].layout);
                at = c.next;
            }
            dirty |= tree.set_children(s.layout, children).is_ok();
            let s = &mut slots[n.slot as usize];
            s.children = hash;
            s.changed = *frame;
        }
        dirty
    }

    fn compute(&mut self, root: NodeId) {
        let Self { nodes, slots, tree, text, engine, size, .. } = self;
        let available = taffy::Size {
            width: AvailableSpace::Definite(size.w),
            height: AvailableSpace::Definite(size.h),
        };
        let measure = |inputs: taffy::LayoutInput,
                       _: NodeId,
                       slot: Option<&mut u32>,
                       style: &taffy::Style| {
            let node =
                slot.and_then(|s| slots.get(*s as usize)).and_then(|s| nodes.get(s.node as usize));
            let natural = |known: taffy::Size<Option<f32>>,
                           available: taffy::Size<AvailableSpace>| {
                let Some(node) = node else { return taffy::Size::ZERO };
                let size = measure(node, text, engine, known.width, available.width);
                taffy::Size {
                    width: known.width.unwrap_or(size.w),
                    height: known.height.unwrap_or(size.h),
                }
            };
            taffy::compute_leaf_layout(inputs, style, |_, _| 0.0, natural)
        };
        if let Err(e) = tree.compute_layout_with_measure(root, available, measure) {
            tracing::error!("layout failed: {e}");
        }
    }

    /// Absolute boxes, scroll ranges, final paragraphs.
    fn place(&mut self) {
        for i in 0..self.nodes.len() {
            let n = &self.nodes[i];
            let (slot, parent) = (n.slot as usize, n.parent);
            let Ok(l) = self.tree.layout(self.slots[slot].layout) else { continue };
            let (at, size) = (l.location, l.size);
            let content = l.scrollable_overflow_rect.bottom;
            let (top, left) = match self.nodes.get(parent as usize) {
                Some(p) => {
                    let scroll = self.slots[p.slot as usize].scroll().map_or(0.0, |s| s.offset);
                    (p.rect.y - scroll, p.rect.x)
                }
                None => (0.0, 0.0),
            };
            let rect = Rect::new(left + at.x, top + at.y, size.width, size.height);
            self.nodes[i].rect = rect;
            let s = &mut self.slots[slot];
            if s.rect != rect {
                s.rect = rect;
                s.changed = self.frame;
            }
            if self.nodes[i].flags.scroll {
                let pad = self.nodes[i].style.layout.pad[2];
                self.place_scroll(slot, size.height, content + pad);
            }
            if matches!(self.nodes[i].kind, Kind::Text | Kind::Button(_)) {
                self.shape(i);
            }
            if matches!(self.nodes[i].kind, Kind::Canvas) {
                let wanted = (size.width, size.height);
                let c = self.slots[slot].extra().canvas.get_or_insert_default();
                if c.size != wanted {
                    c.size = wanted;
                    c.revision = 0;
                    self.again = true;
                }
            }
        }
    }

    fn place_scroll(&mut self, slot: usize, view: f32, content: f32) {
        let frame = self.frame;
        let s = self.slots[slot].extra().scroll.get_or_insert_default();
        let first = s.view == 0.0 && view > 0.0;
        let before = (s.view, s.content, s.drawn_at);
        s.view = view;
        s.content = content;
        let max = s.max();
        let offset = s.offset.clamp(0.0, max);
        let moved = offset != s.offset;
        s.offset = offset;
        s.drawn_at = offset;
        let now = (s.view, s.content, s.drawn_at);
        if now != before {
            self.slots[slot].changed = frame;
        }
        // A virtual list declared its rows for another view or offset.
        if (first || moved) && self.slots[slot].extra().rows.is_some() {
            self.again = true;
        }
    }

    /// The paragraph of a text node at its final width.
    fn shape(&mut self, i: usize) {
        let n = &self.nodes[i];
        let pad = n.style.layout.pad;
        let width = (n.rect.w - pad[1] - pad[3]).max(0.0);
        let s = &mut self.slots[n.slot as usize];
        let bits = width.to_bits();
        if s.paragraph.is_some() && s.paragraph_width == bits {
            return;
        }
        let text = n.text.of(&self.text);
        // Half a pixel of grace: layout rounds boxes to whole pixels.
        let max = match n.kind {
            Kind::Text => Some(width + 0.5),
            _ => None,
        };
        s.paragraph = Some(self.engine.paragraph(text, &n.text_style, max));
        s.paragraph_width = bits;
    }

    /// Where an element lay in the last frame, in layout pixels (empty before its first).
    pub(crate) fn last_rect(&mut self, node: u32) -> Rect {
        self.slot(node).rect
    }
}

fn is_measured(k: &Kind) -> bool {
    matches!(k, Kind::Text | Kind::Button(_) | Kind::Image { .. })
}

/// What of a kind, besides its text, decides its natural size.
fn kind_measure(k: &Kind) -> u64 {
    match k {
        Kind::Button(b) => 1 + b.icon.is_some() as u64,
        Kind::Image { image: crate::node::Picture::Ready(i), .. } => {
            u64::from(i.width()) << 32 | u64::from(i.height())
        }
        _ => 0,
    }
}

/// The natural size of a leaf.
fn measure(
    n: &Node,
    text: &str,
    engine: &mut TextEngine,
    known: Option<f32>,
    available: AvailableSpace,
) -> Size {
    match &n.kind {
        Kind::Text => {
            let max = known.or(match available {
                AvailableSpace::Definite(w) => Some(w.max(0.0)),
                AvailableSpace::MinContent => Some(0.0),
                AvailableSpace::MaxContent => None,
            });
            let s = engine.paragraph(n.text.of(text), &n.text_style, max).size();
            Size::new(s.w.ceil(), s.h.ceil())
        }
        Kind::Button(b) => {
            let s = engine.paragraph(n.text.of(text), &n.text_style, None).size();
            let words = !n.text.of(text).is_empty();
            let icon = match (b.icon.is_some(), words) {
                (true, true) => ICON + ICON_GAP,
                (true, false) => ICON,
                _ => 0.0,
            };
            Size::new(if words { s.w.ceil() } else { 0.0 } + icon, s.h.ceil().max(ICON))
        }
        Kind::Image { image: crate::node::Picture::Ready(i), .. } => {
            let (w, h) = (i.width() as f32, i.height() as f32);
            match known {
                Some(k) => Size::new(k, h * k / w),
                None => Size::new(w, h),
            }
        }
        _ => Size::default(),
    }
}

fn limit(l: Len) -> LengthPercentageAuto {
    match l {
        Len::Auto => auto(),
        Len::Px(v) => length(sane(v)),
        Len::Part(v) => percent(sane(v)),
    }
}

fn dimension(l: Len) -> Dimension {
    match l {
        Len::Auto => auto(),
        Len::Px(v) => length(sane(v)),
        Len::Part(v) => percent(sane(v)),
    }
}

/// NaN and infinite lengths of an app are zero to the layout.
fn sane(v: f32) -> f32 {
    if v.is_finite() { v.clamp(-1e6, 1e6) } else { 0.0 }
}

/// `parent` is its flow, and whether it scrolls.
fn taffy_style(n: &Node, parent: Option<(Flow, bool)>) -> taffy::Style {
    let Layout { pad, gap, grow, shrink, inset, .. } = n.style.layout;
    let l = &n.style.layout;
    let lp = |v: f32| -> LengthPercentage { length(sane(v).max(0.0)) };
    let edge =
        |v: f32| -> LengthPercentageAuto { if v == FREE { auto() } else { length(sane(v)) } };
    let mut s = taffy::Style {
        display: taffy::Display::Flex,
        size: taffy::Size { width: dimension(l.width), height: dimension(l.height) },
        min_size: taffy::Size { width: limit(l.min_width), height: limit(l.min_height) },
        max_size: taffy::Size { width: limit(l.max_width), height: limit(l.max_height) },
        padding: taffy::Rect {
            top: lp(pad[0]),
            right: lp(pad[1]),
            bottom: lp(pad[2]),
            left: lp(pad[3]),
        },
        gap: taffy::Size { width: lp(gap), height: lp(gap) },
        flex_grow: sane(grow).max(0.0),
        // What scrolls has room for all of its children.
        flex_shrink: if parent.is_some_and(|p| p.1) { 0.0 } else { sane(shrink).max(0.0) },
        flex_basis: dimension(l.basis),
        aspect_ratio: (l.aspect > 0.0).then(|| sane(l.aspect)),
        align_items: align(l.align),
        align_self: l.align_self.map(|a| align(Some(a))),
        justify_content: justify(l.justify),
        flex_wrap: if l.wrap { taffy::FlexWrap::Wrap } else { taffy::FlexWrap::NoWrap },
        ..taffy::Style::DEFAULT
    };
    match n.flow {
        Flow::Row => s.flex_direction = taffy::FlexDirection::Row,
        Flow::Col => s.flex_direction = taffy::FlexDirection::Column,
        // Children of a stack share one grid cell, and each fills it unless it says otherwise.
        Flow::Stack => {
            s.display = taffy::Display::Grid;
            // `minmax(0, 1fr)`: content that is larger than the stack does not stretch it.
            let cell = || taffy::prelude::minmax(length(0.0), taffy::prelude::fr(1.0));
            s.grid_template_columns = vec![cell()];
            s.grid_template_rows = vec![cell()];
            s.justify_items = align(l.align);
        }
    }
    if parent.is_some_and(|p| p.0 == Flow::Stack) {
        s.grid_row = taffy::prelude::line(1);
        s.grid_column = taffy::prelude::line(1);
    }
    if n.flags.scroll {
        s.overflow = taffy::Point { x: taffy::Overflow::Hidden, y: taffy::Overflow::Scroll };
        s.scrollbar_width = 0.0;
    } else if n.style.paint.clip {
        s.overflow = taffy::Point { x: taffy::Overflow::Hidden, y: taffy::Overflow::Hidden };
    }
    if let Some(i) = inset {
        s.position = taffy::Position::Absolute;
        s.inset = taffy::Rect {
            left: edge(i.left),
            top: edge(i.top),
            right: edge(i.right),
            bottom: edge(i.bottom),
        };
    }
    if let Kind::Box = n.kind {
        s.min_size = taffy::Size {
            width: if l.min_width == Len::Auto && n.flags.scroll {
                zero()
            } else {
                s.min_size.width
            },
            height: if l.min_height == Len::Auto && n.flags.scroll {
                zero()
            } else {
                s.min_size.height
            },
        };
    }
    s
}

fn align(a: Option<Align>) -> taffy::AlignItems {
    match a {
        None => taffy::AlignItems::NORMAL,
        Some(Align::Start) => taffy::AlignItems::START,
        Some(Align::Center) => taffy::AlignItems::CENTER,
        Some(Align::End) => taffy::AlignItems::END,
        Some(Align::Stretch) => taffy::AlignItems::STRETCH,
        Some(Align::Baseline) => taffy::AlignItems::BASELINE,
    }
}

fn justify(j: Option<Justify>) -> taffy::JustifyContent {
    match j {
        None => taffy::JustifyContent::NORMAL,
        Some(Justify::Start) => taffy::JustifyContent::START,
        Some(Justify::Center) => taffy::JustifyContent::CENTER,
        Some(Justify::End) => taffy::JustifyContent::END,
        Some(Justify::Between) => taffy::JustifyContent::SPACE_BETWEEN,
    }
}

impl Ui {
    /// Moves scrolling elements on by their velocity.
    pub(crate) fn advance_scrolls(&mut self) {
        let dt = self.dt;
        let mut moving = false;
        for n in &self.nodes {
            if !n.flags.scroll {
                continue;
            }
            let Some(s) =
                self.slots[n.slot as usize].extra.as_mut().and_then(|e| e.scroll.as_mut())
            else {
                continue;
            };
            if let Some(target) = s.target {
                let target = target.clamp(0.0, s.max());
                let k = 1.0 - zinc_scene::math::exp(-dt * 18.0);
                s.offset += (target - s.offset) * k;
                if (target - s.offset).abs() < 0.5 {
                    s.offset = target;
                    s.target = None;
                } else {
                    moving = true;
                }
            } else if s.velocity != 0.0 {
                s.offset = (s.offset + s.velocity * dt).clamp(0.0, s.max());
                s.velocity *= zinc_scene::math::exp(-dt * 3.2);
                let stuck = s.offset <= 0.0 || s.offset >= s.max();
                if s.velocity.abs() < 12.0 || stuck {
                    s.velocity = 0.0;
                } else {
                    moving = true;
                }
            }
        }
        self.animating |= moving;
    }
}
