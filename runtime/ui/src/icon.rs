//! Icons: strokes of 2 on a grid of 24, as path data. An app adds its own with [`Icon::new`].

use crate::slot::KeyMap;
use std::sync::Arc;
use zinc_scene::{Path, SharedPath};

/// An icon: SVG path data on a grid of 24, stroked with 2, round joins and caps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Icon(pub(crate) &'static str);

impl Icon {
    /// An icon of an app's own. Data that does not parse draws nothing, and says so once.
    pub const fn new(path_data: &'static str) -> Self {
        Self(path_data)
    }
}

/// Parsed icons, by their data.
#[derive(Debug, Default)]
pub(crate) struct Icons(KeyMap<Arc<SharedPath>>);

impl Icons {
    pub(crate) fn get(&mut self, icon: Icon) -> Arc<SharedPath> {
        let key = crate::Key(xxhash_rust::xxh3::xxh3_64(icon.0.as_bytes()));
        self.0.entry(key).or_insert_with(|| SharedPath::new(parse(icon.0))).clone()
    }
}

fn parse(data: &str) -> Path {
    let mut path = Path::new();
    let bez = match kurbo::BezPath::from_svg(data) {
        Ok(b) => b,
        Err(e) => {
            tracing::warn!("icon {data:?} is left out: {e}");
            return path;
        }
    };
    for el in bez.elements() {
        let p = |p: kurbo::Point| (p.x as f32, p.y as f32);
        match *el {
            kurbo::PathEl::MoveTo(a) => {
                let (x, y) = p(a);
                path.move_to(x, y);
            }
            kurbo::PathEl::LineTo(a) => {
                let (x, y) = p(a);
                path.line_to(x, y);
            }
            kurbo::PathEl::QuadTo(a, b) => {
                let ((ax, ay), (x, y)) = (p(a), p(b));
                path.quad_to(ax, ay, x, y);
            }
            kurbo::PathEl::CurveTo(a, b, c) => {
                let ((ax, ay), (bx, by), (x, y)) = (p(a), p(b), p(c));
                path.cubic_to(ax, ay, bx, by, x, y);
            }
            kurbo::PathEl::ClosePath => {
                path.close();
            }
        }
    }
    path
}

macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident = $data:literal;)*) => {
        /// The icons that come with Zinc.
        pub mod icons {
            use super::Icon;
            $($(#[$doc])* pub const $name: Icon = Icon($data);)*
        }
        #[cfg(test)]
        const ALL: &[(&str, Icon)] = &[$((stringify!($name), icons::$name)),*];
    };
}

icons! {
    /// A house.
    HOME = "M4 11L12 4L20 11V19C20 19.6 19.6 20 19 20H14.5V14H9.5V20H5C4.4 20 4 19.6 4 19Z";
    /// Four tiles.
    GRID = "M5.5 4H9C9.83 4 10.5 4.67 10.5 5.5V9C10.5 9.83 9.83 10.5 9 10.5H5.5C4.67 10.5 4 9.83 4 9V5.5C4 4.67 4.67 4 5.5 4ZM15 4H18.5C19.33 4 20 4.67 20 5.5V9C20 9.83 19.33 10.5 18.5 10.5H15C14.17 10.5 13.5 9.83 13.5 9V5.5C13.5 4.67 14.17 4 15 4ZM5.5 13.5H9C9.83 13.5 10.5 14.17 10.5 15V18.5C10.5 19.33 9.83 20 9 20H5.5C4.67 20 4 19.33 4 18.5V15C4 14.17 4.67 13.5 5.5 13.5ZM15 13.5H18.5C19.33 13.5 20 14.17 20 15V18.5C20 19.33 19.33 20 18.5 20H15C14.17 20 13.5 19.33 13.5 18.5V15C13.5 14.17 14.17 13.5 15 13.5Z";
    /// Balls in play.
    BALL = "M9 4C11.76 4 14 6.24 14 9C14 11.76 11.76 14 9 14C6.24 14 4 11.76 4 9C4 6.24 6.24 4 9 4ZM17 12.5C18.93 12.5 20.5 14.07 20.5 16C20.5 17.93 18.93 19.5 17 19.5C15.07 19.5 13.5 17.93 13.5 16C13.5 14.07 15.07 12.5 17 12.5ZM7 17.5C7.83 17.5 8.5 18.17 8.5 19C8.5 19.83 7.83 20.5 7 20.5C6.17 20.5 5.5 19.83 5.5 19C5.5 18.17 6.17 17.5 7 17.5Z";
    /// A list with a check.
    CHECKS = "M4 7L6 9L9.5 5M4 16L6 18L9.5 14M13 7.5H20M13 16.5H20";
    /// Settings.
    SLIDERS = "M4 7H13M19 7H20M4 17H6M12 17H20M16 4.4C17.44 4.4 18.6 5.56 18.6 7C18.6 8.44 17.44 9.6 16 9.6C14.56 9.6 13.4 8.44 13.4 7C13.4 5.56 14.56 4.4 16 4.4ZM9 14.4C10.44 14.4 11.6 15.56 11.6 17C11.6 18.44 10.44 19.6 9 19.6C7.56 19.6 6.4 18.44 6.4 17C6.4 15.56 7.56 14.4 9 14.4Z";
    /// A magnifier.
    SEARCH = "M11 5C14.31 5 17 7.69 17 11C17 14.31 14.31 17 11 17C7.69 17 5 14.31 5 11C5 7.69 7.69 5 11 5ZM15.5 15.5L20 20";
    /// A bell.
    BELL = "M6 16.5V11C6 7.5 8.6 5 12 5C15.4 5 18 7.5 18 11V16.5L19.5 18H4.5ZM10.3 20.8C11.3 21.5 12.7 21.5 13.7 20.8M12 5V3";
    /// A heart.
    HEART = "M12 20C5 15.5 3.5 12 3.5 9.3C3.5 6.6 5.6 4.8 7.9 4.8C9.6 4.8 11.1 5.7 12 7.2C12.9 5.7 14.4 4.8 16.1 4.8C18.4 4.8 20.5 6.6 20.5 9.3C20.5 12 19 15.5 12 20Z";
    /// A plus.
    PLUS = "M12 5V19M5 12H19";
    /// A minus.
    MINUS = "M5 12H19";
    /// A cross.
    CLOSE = "M6 6L18 18M18 6L6 18";
    /// A check mark.
    CHECK = "M5 12.5L10 17.5L19.5 7";
    /// A bin.
    TRASH = "M4.5 7H19.5M9.5 7V4.5H14.5V7M6.5 7L7.5 20H16.5L17.5 7M10.5 11V16M13.5 11V16";
    /// An arrow to the left.
    BACK = "M20 12H4.5M11 5.5L4.5 12L11 18.5";
    /// A chevron to the right.
    RIGHT = "M9 5L16 12L9 19";
    /// A chevron down.
    DOWN = "M5 9L12 16L19 9";
    /// A sun.
    SUN = "M12 8C14.21 8 16 9.79 16 12C16 14.21 14.21 16 12 16C9.79 16 8 14.21 8 12C8 9.79 9.79 8 12 8ZM12 2.5V4.5M12 19.5V21.5M2.5 12H4.5M19.5 12H21.5M5.3 5.3L6.7 6.7M17.3 17.3L18.7 18.7M5.3 18.7L6.7 17.3M17.3 6.7L18.7 5.3";
    /// A moon.
    MOON = "M19.5 14.5C15 16.5 9 13.5 9 7.8C9 6.3 9.4 5 10 4C6.3 4.9 3.8 8.2 3.8 12C3.8 16.6 7.5 20.3 12 20.3C15.4 20.3 18.4 18.1 19.5 14.5Z";
    /// A clock.
    CLOCK = "M12 4C16.42 4 20 7.58 20 12C20 16.42 16.42 20 12 20C7.58 20 4 16.42 4 12C4 7.58 7.58 4 12 4ZM12 7.5V12L15.2 14";
    /// A triangle to the right.
    PLAY = "M8 5.5V18.5L18.5 12Z";
    /// Two bars.
    PAUSE = "M8.5 5.5V18.5M15.5 5.5V18.5";
    /// A turn.
    REPEAT = "M5 12C5 8.1 8.1 5 12 5C14.6 5 16.9 6.4 18.1 8.5M19 12C19 15.9 15.9 19 12 19C9.4 19 7.1 17.6 5.9 15.5M18.5 4.5V8.7H14.3M5.5 19.5V15.3H9.7";
    /// A spark.
    SPARK = "M12 3L13.8 9.2L20 11L13.8 12.8L12 19L10.2 12.8L4 11L10.2 9.2Z";
    /// A person.
    PERSON = "M12 4C14.21 4 16 5.79 16 8C16 10.21 14.21 12 12 12C9.79 12 8 10.21 8 8C8 5.79 9.79 4 12 4ZM4.5 20C5.2 16.3 8.2 14.5 12 14.5C15.8 14.5 18.8 16.3 19.5 20";
    /// A circled i.
    INFO = "M12 3.5C16.69 3.5 20.5 7.31 20.5 12C20.5 16.69 16.69 20.5 12 20.5C7.31 20.5 3.5 16.69 3.5 12C3.5 7.31 7.31 3.5 12 3.5ZM12 11V16.5M12 7.6V7.7";
    /// A triangle with a mark.
    WARN = "M12 4L21 19.5H3ZM12 10V14.5M12 17V17.1";
    /// A gauge.
    GAUGE = "M4.2 17C3.4 15.6 3 14.1 3 12.5C3 7.5 7 3.5 12 3.5C17 3.5 21 7.5 21 12.5C21 14.1 20.6 15.6 19.8 17M12 13L16 8.5M12 12.3C12.66 12.3 13.2 12.84 13.2 13.5C13.2 14.16 12.66 14.7 12 14.7C11.34 14.7 10.8 14.16 10.8 13.5C10.8 12.84 11.34 12.3 12 12.3Z";
    /// A rising line.
    CHART = "M4 17L9 11L13 14.5L20 6.5M14.5 6.5H20V12";
    /// A drop.
    DROP = "M12 3.5C15.5 8 18 10.8 18 14.2C18 17.6 15.3 20.3 12 20.3C8.7 20.3 6 17.6 6 14.2C6 10.8 8.5 8 12 3.5Z";
    /// Keys.
    KEYBOARD = "M5 6.5H19C20.1 6.5 21 7.4 21 8.5V16C21 17.1 20.1 18 19 18H5C3.9 18 3 17.1 3 16V8.5C3 7.4 3.9 6.5 5 6.5ZM7 10.5H7.1M10.5 10.5H10.6M14 10.5H14.1M17 10.5H17.1M8.5 14.3H15.5";
    /// A funnel.
    FILTER = "M4 6H20M7 12H17M10 18H14";
    /// Three dots.
    DOTS = "M5.5 11.2C5.94 11.2 6.3 11.56 6.3 12C6.3 12.44 5.94 12.8 5.5 12.8C5.06 12.8 4.7 12.44 4.7 12C4.7 11.56 5.06 11.2 5.5 11.2ZM12 11.2C12.44 11.2 12.8 11.56 12.8 12C12.8 12.44 12.44 12.8 12 12.8C11.56 12.8 11.2 12.44 11.2 12C11.2 11.56 11.56 11.2 12 11.2ZM18.5 11.2C18.94 11.2 19.3 11.56 19.3 12C19.3 12.44 18.94 12.8 18.5 12.8C18.06 12.8 17.7 12.44 17.7 12C17.7 11.56 18.06 11.2 18.5 11.2Z";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_icon_parses_and_stays_on_its_grid() {
        for (name, icon) in ALL {
            let b = parse(icon.0).bounds();
            // A minus has a length, but no area.
            assert!(b.w.max(b.h) > 4.0, "{name}: {b:?}");
            assert!(
                b.x >= 1.0 && b.y >= 1.0 && b.right() <= 23.0 && b.bottom() <= 23.0,
                "{name}: {b:?}"
            );
        }
    }
}
