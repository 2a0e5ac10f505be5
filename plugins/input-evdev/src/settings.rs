//! What a person sets for a device: how the digitizer lies on its panel, and how much its panel
//! shakes. By name, with `*` and `?`; the first entry that fits counts.

use serde::Deserialize;
use zinc_hal::turn_unit;
use zinc_scene::{Point, Rotation};

/// Settings that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// No list of devices.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A value out of range.
    #[error("{key} of {device:?} is {value}: it wants {wanted}")]
    Value {
        /// Of which entry.
        device: String,
        /// Which key.
        key: &'static str,
        /// What it has.
        value: String,
        /// What it may have.
        wanted: &'static str,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    #[serde(default = "any")]
    device: String,
    #[serde(default)]
    rotation: i64,
    #[serde(default = "identity")]
    matrix: Vec<f64>,
    #[serde(default)]
    smooth: f64,
    #[serde(default)]
    pressure: f64,
}

fn any() -> String {
    "*".to_owned()
}

fn identity() -> Vec<f64> {
    vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0]
}

/// Settings of a touch panel or tablet.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    /// Names of devices, with `*` and `?`; upper and lower case are the same.
    pub device: String,
    /// How far the digitizer is turned on the panel, clockwise; the picture's turn is another matter.
    pub rotation: Rotation,
    /// After the turn: `[a, b, c, d, e, f]`, x' = a x + b y + c and y' = d x + e y + f, on the
    /// panel's unit square.
    pub matrix: [f32; 6],
    /// How much of the place before stays in the next one, 0 (nothing) to 0.95; above 0 the median
    /// of three samples comes first.
    pub smooth: f32,
    /// Pressure from which a contact counts, of the device's range, 0 to 1. 0 takes all.
    pub pressure: f32,
}

impl Default for Touch {
    fn default() -> Self {
        let matrix = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let rotation = Rotation::Deg0;
        Self { device: any(), rotation, matrix, smooth: 0.0, pressure: 0.0 }
    }
}

impl Touch {
    /// Reads a list: `[{ "device": "*ft5x06*", "rotation": 90, "matrix": [1, 0, 0, 0, 1, 0] }]`.
    ///
    /// # Errors
    /// When it is no such list, has an unknown key, or a value is out of its range.
    pub fn list(json: &str) -> Result<Vec<Self>, SettingsError> {
        let entries: Vec<Entry> = serde_json::from_str(json)?;
        entries.into_iter().map(Self::of).collect()
    }

    fn of(e: Entry) -> Result<Self, SettingsError> {
        let wrong = |key, value: String, wanted| SettingsError::Value {
            device: e.device.clone(),
            key,
            value,
            wanted,
        };
        let rotation = match e.rotation {
            0 => Rotation::Deg0,
            90 => Rotation::Deg90,
            180 => Rotation::Deg180,
            270 => Rotation::Deg270,
            n => return Err(wrong("rotation", n.to_string(), "0, 90, 180 or 270")),
        };
        let m: Vec<f32> = e.matrix.iter().map(|v| *v as f32).collect();
        let matrix: Option<[f32; 6]> = m.try_into().ok();
        // One that folds the panel to a line or a point can be nobody's wish.
        let turns = |m: &[f32; 6]| (m[0] * m[4] - m[1] * m[3]).abs() > 1e-6;
        let matrix =
            matrix.filter(|m| m.iter().all(|v| v.is_finite()) && turns(m)).ok_or_else(|| {
                wrong(
                    "matrix",
                    format!("{:?}", e.matrix),
                    "six numbers that keep the panel's shape",
                )
            })?;
        if !(0.0..=0.95).contains(&e.smooth) {
            return Err(wrong("smooth", e.smooth.to_string(), "0 to 0.95"));
        }
        if !(0.0..=1.0).contains(&e.pressure) {
            return Err(wrong("pressure", e.pressure.to_string(), "0 to 1"));
        }
        let (smooth, pressure) = (e.smooth as f32, e.pressure as f32);
        Ok(Self { device: e.device, rotation, matrix, smooth, pressure })
    }

    /// Of the device with this name: the first of the list that fits, else nothing is changed.
    pub fn of_device(list: &[Self], name: &str) -> Self {
        let fits = list.iter().find(|t| fits(&t.device, name));
        fits.cloned().unwrap_or_default()
    }

    /// A place of the digitizer, in its own unit square, in that of the panel.
    pub fn to_panel(&self, p: Point) -> Point {
        let p = turn_unit(self.rotation, p);
        let [a, b, c, d, e, f] = self.matrix;
        Point::new(a * p.x + b * p.y + c, d * p.x + e * p.y + f)
    }
}

/// A name fits a pattern of `*` (any text) and `?` (any character).
fn fits(pattern: &str, name: &str) -> bool {
    let (p, n): (Vec<char>, Vec<char>) =
        (pattern.to_lowercase().chars().collect(), name.to_lowercase().chars().collect());
    // The last star, and where in the name its text ends so far.
    let (mut i, mut j, mut star) = (0, 0, None);
    while j < n.len() {
        match p.get(i) {
            Some('*') => {
                star = Some((i, j));
                i += 1;
            }
            Some(c) if *c == '?' || *c == n[j] => {
                i += 1;
                j += 1;
            }
            _ => match star {
                Some((s, from)) => {
                    star = Some((s, from + 1));
                    i = s + 1;
                    j = from + 1;
                }
                None => return false,
            },
        }
    }
    p[i..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_whole_names() {
        for (pattern, name, want) in [
            ("*", "", true),
            ("*ft5x06*", "generic FT5x06 (79)", true),
            ("ft5x06", "generic ft5x06", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("a*b*c", "a b b c", true),
            ("a*b*c", "a b b d", false),
            ("", "x", false),
        ] {
            assert_eq!(fits(pattern, name), want, "{pattern} {name}");
        }
    }

    #[test]
    fn lists_are_read_and_mistakes_are_named() {
        let all = Touch::list(
            r#"[{"device":"*a*","rotation":270,"smooth":0.5},{"matrix":[0,1,0,1,0,0]}]"#,
        );
        let all = all.unwrap();
        assert_eq!(Touch::of_device(&all, "cat").rotation, Rotation::Deg270);
        assert_eq!(Touch::of_device(&all, "dog").matrix[1], 1.0);
        assert_eq!(Touch::of_device(&[], "dog"), Touch::default());
        for (json, word) in [
            ("{}", "invalid type"),
            (r#"[{"divice":"x"}]"#, "unknown field `divice`"),
            (r#"[{"rotation":45}]"#, "0, 90, 180 or 270"),
            (r#"[{"matrix":[1,0,0]}]"#, "six numbers"),
            (r#"[{"matrix":[1,1,0,1,1,0]}]"#, "six numbers"),
            (r#"[{"smooth":1}]"#, "0 to 0.95"),
            (r#"[{"pressure":-1}]"#, "0 to 1"),
        ] {
            let e = Touch::list(json).unwrap_err().to_string();
            assert!(e.contains(word), "{json}: {e}");
        }
    }
}
