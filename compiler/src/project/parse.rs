//! zinc.json: JSON with comments and trailing commas. Every mistake answers with file, line,
//! a caret and, for a key, the nearest one that exists.

use super::keys::{Key, Kind, ROOT};
use jsonc_parser::ast::{Object, ObjectPropName, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use miette::{Diagnostic, NamedSource, SourceSpan};

/// A mistake in zinc.json.
#[derive(Clone, Debug, thiserror::Error, Diagnostic)]
#[error("{what}")]
pub(crate) struct ProjectError {
    what: String,
    #[help]
    help: Option<String>,
    #[source_code]
    file: NamedSource<String>,
    #[label("{label}")]
    at: SourceSpan,
    label: String,
}

/// What running an app needs of its zinc.json.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Config {
    /// Drivers to try, in order.
    pub(crate) drivers: Vec<String>,
    pub(crate) size: Option<String>,
    pub(crate) device: Option<String>,
    pub(crate) output: Option<String>,
    pub(crate) mode: Option<String>,
    pub(crate) rotation: Option<String>,
    pub(crate) crash: Option<String>,
    /// Keyboard layout.
    pub(crate) layout: Option<String>,
    /// Settings of touch panels, as strict JSON.
    pub(crate) touch: Option<String>,
}

struct Reader<'a> {
    name: &'a str,
    text: &'a str,
}

type Checked = Result<(), Box<ProjectError>>;

impl Config {
    /// Reads and checks the file; the target `linux` of this machine is merged over the root.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, Box<ProjectError>> {
        let r = Reader { name, text };
        let ast = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
        let ast = ast.map_err(|e| {
            let range = e.range();
            let why = e.kind().to_string();
            r.error((range.start, range.end), format!("{name} is no JSON"), why, None)
        })?;
        let root = match ast.value {
            None => return Ok(Self::default()),
            Some(Value::Object(o)) => o,
            Some(other) => {
                let what = format!("{name} must hold an object");
                return Err(r.error(span(&other), what, "not an object".into(), None));
            }
        };
        r.object(&root, ROOT, "")?;
        let mut config = Self::default();
        config.merge(&root);
        if let Some(targets) = root.get_object("targets")
            && let Some(linux) = targets.get_object("linux")
        {
            config.merge(linux);
        }
        Ok(config)
    }

    fn merge(&mut self, o: &Object<'_>) {
        if let Some(s) = o.get_string("display") {
            self.drivers = vec![s.value.to_string()];
        }
        if let Some(d) = o.get_object("display") {
            match d.get("driver").map(|p| &p.value) {
                Some(Value::StringLit(s)) => self.drivers = vec![s.value.to_string()],
                Some(Value::Array(a)) => {
                    let text = |v: &Value<'_>| Some(v.as_string_lit()?.value.to_string());
                    self.drivers = a.elements.iter().filter_map(text).collect();
                }
                _ => {}
            }
            let text = |key: &str| Some(d.get_string(key)?.value.to_string());
            self.size = text("size").or(self.size.take());
            self.device = text("device").or(self.device.take());
            self.output = text("output").or(self.output.take());
            self.mode = text("mode").or(self.mode.take());
            if let Some(n) = d.get_number("rotation") {
                self.rotation = Some(n.value.to_owned());
            }
        }
        if let Some(i) = o.get_object("input") {
            self.layout =
                i.get_string("layout").map(|s| s.value.to_string()).or(self.layout.take());
            if let Some(all) = i.get_array("touch") {
                let all = all.elements.iter().map(strict).collect();
                self.touch = Some(serde_json::Value::Array(all).to_string());
            }
        }
        if let Some(s) = o.get_string("crash") {
            self.crash = Some(s.value.to_string());
        }
    }
}

/// A value without what only this file may have: comments, trailing commas, other numbers.
fn strict(v: &Value<'_>) -> serde_json::Value {
    use serde_json::Value as Json;
    match v {
        Value::StringLit(s) => Json::String(s.value.to_string()),
        Value::NumberLit(n) => serde_json::from_str(n.value).unwrap_or(Json::Null),
        Value::BooleanLit(b) => Json::Bool(b.value),
        Value::NullKeyword(_) => Json::Null,
        Value::Array(a) => a.elements.iter().map(strict).collect(),
        Value::Object(o) => {
            let name = |n: &ObjectPropName<'_>| match n {
                ObjectPropName::String(s) => s.value.to_string(),
                ObjectPropName::Word(w) => w.value.to_string(),
            };
            Json::Object(o.properties.iter().map(|p| (name(&p.name), strict(&p.value))).collect())
        }
    }
}

fn span(v: &impl Ranged) -> (usize, usize) {
    (v.start(), v.end())
}

impl Reader<'_> {
    fn error(
        &self,
        (start, end): (usize, usize),
        what: String,
        label: String,
        help: Option<String>,
    ) -> Box<ProjectError> {
        let start = start.min(self.text.len());
        let len = end.saturating_sub(start).max(1).min(self.text.len() - start);
        Box::new(ProjectError {
            what,
            help,
            file: NamedSource::new(self.name, self.text.to_owned()).with_language("json"),
            at: SourceSpan::from((start, len)),
            label,
        })
    }

    /// Checks an object against its keys. `path` is where it stands, for messages.
    fn object(&self, o: &Object<'_>, keys: &[Key], path: &str) -> Checked {
        for p in &o.properties {
            let name = match &p.name {
                ObjectPropName::String(s) => s.value.to_string(),
                ObjectPropName::Word(w) => w.value.to_string(),
            };
            match keys.iter().find(|k| k.name == name) {
                Some(k) => self.value(&p.value, k.kind, &join(path, &name))?,
                None => return Err(self.unknown(span(&p.name), &name, keys, path)),
            }
        }
        Ok(())
    }

    fn unknown(
        &self,
        at: (usize, usize),
        name: &str,
        keys: &[Key],
        path: &str,
    ) -> Box<ProjectError> {
        let near = keys
            .iter()
            .map(|k| {
                (strsim::damerau_levenshtein(&name.to_lowercase(), &k.name.to_lowercase()), k.name)
            })
            .min()
            .filter(|(d, n)| *d <= 1 + n.len() / 3);
        let place = if path.is_empty() { "zinc.json".to_owned() } else { format!("\"{path}\"") };
        let names: Vec<_> = keys.iter().map(|k| k.name).collect();
        let help = match near {
            Some((_, n)) => format!("did you mean \"{n}\"?"),
            None => format!("the keys here are {}", names.join(", ")),
        };
        let what = format!("{place} has no key \"{name}\"");
        self.error(at, what, "unknown key".into(), Some(help))
    }

    fn value(&self, v: &Value<'_>, kind: Kind, path: &str) -> Checked {
        match (kind, v) {
            (Kind::Text | Kind::Texts, Value::StringLit(_)) => Ok(()),
            (Kind::Number, Value::NumberLit(_)) => Ok(()),
            (Kind::OneOf(all), Value::StringLit(s)) => {
                if all.contains(&s.value.as_ref()) {
                    return Ok(());
                }
                let what = format!("\"{path}\" cannot be \"{}\"", s.value);
                let help = format!("it is one of {}", all.join(", "));
                Err(self.error(span(v), what, "not known".into(), Some(help)))
            }
            (Kind::Texts, Value::Array(a)) => {
                a.elements.iter().try_for_each(|e| self.value(e, Kind::Text, path))
            }
            (Kind::Turn, Value::NumberLit(n)) if ["0", "90", "180", "270"].contains(&n.value) => {
                Ok(())
            }
            (Kind::Numbers(n), Value::Array(a)) if a.elements.len() == n => {
                a.elements.iter().try_for_each(|e| self.value(e, Kind::Number, path))
            }
            (Kind::Object(keys), Value::Object(o)) => self.object(o, keys, path),
            // A driver's name alone is short for { "driver": name }.
            (Kind::Object(_), Value::StringLit(_)) if path.ends_with("display") => Ok(()),
            (Kind::Objects(keys), Value::Array(a)) => {
                a.elements.iter().try_for_each(|e| self.value(e, Kind::Object(keys), path))
            }
            (Kind::Targets, Value::Object(o)) => o.properties.iter().try_for_each(|p| {
                let keys: Vec<Key> = ROOT.iter().filter(|k| k.name != "targets").copied().collect();
                match &p.value {
                    Value::Object(t) => self.object(t, &keys, path),
                    other => Err(self.wrong(other, "an object", path)),
                }
            }),
            (kind, other) => Err(self.wrong(other, wanted(kind), path)),
        }
    }

    fn wrong(&self, v: &Value<'_>, wanted: &str, path: &str) -> Box<ProjectError> {
        self.error(span(v), format!("\"{path}\" must be {wanted}"), format!("not {wanted}"), None)
    }
}

fn wanted(k: Kind) -> &'static str {
    match k {
        Kind::Text | Kind::OneOf(_) => "a text",
        Kind::Number => "a number",
        Kind::Texts => "a text or a list of texts",
        Kind::Turn => "0, 90, 180 or 270",
        Kind::Numbers(6) => "a list of six numbers",
        Kind::Numbers(_) => "a list of numbers",
        Kind::Object(_) | Kind::Targets => "an object",
        Kind::Objects(_) => "a list of objects",
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        let e = Config::parse("zinc.json", text).unwrap_err();
        format!("{:?}", miette::Report::new(*e))
    }

    #[test]
    fn comments_and_trailing_commas_are_fine() {
        let c = Config::parse(
            "zinc.json",
            "{ // a kiosk\n \"display\": { \"driver\": [\"kms\", \"fbdev\"], \"size\": \"640x480\",\n \
             \"device\": \"/dev/fb1\", \"rotation\": 90, \"output\": \"DSI-1\", \"mode\": \"800x480@60\" },\n \
             \"targets\": { \"linux\": { \"display\": { \"driver\": \"web\" } } },\n}",
        )
        .unwrap();
        assert_eq!((c.drivers, c.size.as_deref()), (vec!["web".to_owned()], Some("640x480")));
        assert_eq!((c.output.as_deref(), c.mode.as_deref()), (Some("DSI-1"), Some("800x480@60")));
        assert_eq!((c.device.as_deref(), c.rotation.as_deref()), (Some("/dev/fb1"), Some("90")));
    }

    #[test]
    fn touch_panels_and_the_layout_are_taken() {
        let c = Config::parse(
            "zinc.json",
            "{ \"input\": { \"layout\": \"de(nodeadkeys)\", \"touch\": [\n \
             { \"device\": \"*ft5x06*\", // the panel\n \"rotation\": 90, \
             \"matrix\": [1, 0, -0.5, 0, 1, 0], },\n ] } }",
        );
        let c = c.unwrap();
        assert_eq!(c.layout.as_deref(), Some("de(nodeadkeys)"));
        let touch: serde_json::Value = serde_json::from_str(&c.touch.unwrap()).unwrap();
        let want = r#"[{"device":"*ft5x06*","matrix":[1,0,-0.5,0,1,0],"rotation":90}]"#;
        assert_eq!(touch, serde_json::from_str::<serde_json::Value>(want).unwrap());
        let touch =
            |key: &str| error(&format!("{{\n \"input\": {{ \"touch\": [{{ {key} }}] }} }}"));
        assert!(touch("\"divice\": \"x\"").contains("did you mean \"device\"?"));
        assert!(
            touch("\"divice\": \"x\"").contains("zinc.json:2:25"),
            "{}",
            touch("\"divice\": 1")
        );
        assert!(touch("\"rotation\": 45").contains("must be 0, 90, 180 or 270"));
        assert!(touch("\"matrix\": [1, 0]").contains("a list of six numbers"));
    }

    #[test]
    fn a_displays_name_alone_is_its_driver() {
        let c = Config::parse("zinc.json", "{ \"display\": \"sim\" }").unwrap();
        assert_eq!(c.drivers, ["sim"]);
    }

    #[test]
    fn a_typo_names_line_caret_and_nearest_key() {
        let e = error("{\n  \"display\": {\n    \"drivr\": \"web\"\n  }\n}");
        assert!(e.contains("no key \"drivr\""), "{e}");
        assert!(e.contains("did you mean \"driver\"?"), "{e}");
        assert!(e.contains("zinc.json:3:5"), "{e}");
    }

    #[test]
    fn wrong_types_and_broken_files_are_named() {
        assert!(error("{ \"crash\": \"explode\" }").contains("one of exit, restart, redbox"));
        assert!(error("{ \"bench\": 3 }").contains("must be an object"));
        assert!(error("[1]").contains("must hold an object"));
        assert!(error("{ \"id\": ").contains("is no JSON"));
    }

    #[test]
    fn any_text_is_an_answer_not_a_panic() {
        let sample =
            "{\"display\":{\"driver\":[\"kms\"],\"size\":\"1x1\"},\"targets\":{\"a\":{}}} // é";
        for cut in 0..sample.len() {
            if sample.is_char_boundary(cut) {
                let _ = Config::parse("zinc.json", &sample[..cut])
                    .map_err(|e| format!("{:?}", miette::Report::new(*e)));
            }
        }
    }
}
