//! Which keyboard layout: what is set, else what the system's own files say, else `us`.

use std::path::Path;

/// A layout by its names in the XKB data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Layouts with their variants; the first one is in force at the start.
    pub groups: Vec<(String, String)>,
    /// Options, as `ctrl:nocaps`.
    pub options: Vec<String>,
    /// Who wants it, for messages.
    pub from: String,
}

impl Layout {
    /// `us`.
    pub fn us() -> Self {
        Self {
            groups: vec![("us".into(), String::new())],
            options: Vec::new(),
            from: "built in".into(),
        }
    }

    /// As it is written: layouts with commas, each perhaps with a variant, then options:
    /// `de(nodeadkeys)`, `de,us(intl) grp:alt_shift_toggle ctrl:nocaps`.
    ///
    /// # Errors
    /// The word that is no name.
    pub fn parse(text: &str, from: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let layouts = words.next().unwrap_or_default();
        let named = |n: &str| {
            !n.is_empty() && n.chars().all(|c| c.is_ascii_alphanumeric() || "_-:.".contains(c))
        };
        let mut groups = Vec::new();
        for one in layouts.split(',') {
            let (layout, variant) = match one.split_once('(') {
                None => (one, ""),
                Some((l, v)) => (l, v.strip_suffix(')').ok_or_else(|| one.to_owned())?),
            };
            if !named(layout) || !(variant.is_empty() || named(variant)) {
                return Err(one.to_owned());
            }
            groups.push((layout.to_owned(), variant.to_owned()));
        }
        let options: Vec<String> = words.flat_map(|w| w.split(',')).map(str::to_owned).collect();
        if let Some(wrong) = options.iter().find(|o| !named(o)) {
            return Err(wrong.clone());
        }
        Ok(Self { groups, options, from: from.to_owned() })
    }

    /// What the system's files say, below `root` (`/`): Debian's, then systemd's.
    pub fn of_system(root: &Path) -> Option<Self> {
        let read = |file: &str| {
            let path = root.join(file);
            // A file that is not text is read as far as it is.
            let text = std::fs::read(&path).ok()?;
            Some((String::from_utf8_lossy(&text).into_owned(), path.display().to_string()))
        };
        let xkb = |text: &str, from: &str| {
            let groups =
                pair(value(text, "XKBLAYOUT")?, value(text, "XKBVARIANT").unwrap_or_default());
            let options = value(text, "XKBOPTIONS").unwrap_or_default();
            let options = options.split(',').filter(|o| !o.is_empty()).map(str::to_owned).collect();
            Some(Self { groups, options, from: from.to_owned() })
        };
        let debian = read("etc/default/keyboard").and_then(|(text, from)| xkb(&text, &from));
        debian.or_else(|| {
            let (text, from) = read("etc/vconsole.conf")?;
            xkb(&text, &from).or_else(|| {
                let groups = vec![console(&value(&text, "KEYMAP")?)];
                Some(Self { groups, options: Vec::new(), from })
            })
        })
    }
}

/// A value of a file of shell assignments; empty counts as none.
fn value(text: &str, key: &str) -> Option<String> {
    let mut found =
        text.lines().filter_map(|l| l.trim().strip_prefix(key)?.trim_start().strip_prefix('='));
    let value = found.next_back()?.trim().trim_matches(['"', '\'']).trim();
    (!value.is_empty()).then(|| value.to_owned())
}

/// Layouts and their variants, which stand in two lists.
fn pair(layouts: String, variants: String) -> Vec<(String, String)> {
    let mut variants = variants.split(',').map(|v| v.trim().to_owned());
    let one = |l: &str| (l.trim().to_owned(), variants.next().unwrap_or_default());
    layouts.split(',').map(one).collect()
}

/// The layout behind a console's own name for it: `de-latin1-nodeadkeys`, `uk`.
fn console(name: &str) -> (String, String) {
    let layout = name.split(['-', '_']).next().unwrap_or(name);
    let layout = match layout {
        "uk" => "gb",
        "sv" => "se",
        "dvorak" => return ("us".into(), "dvorak".into()),
        l => l,
    };
    let variant = if name.contains("nodeadkeys") { "nodeadkeys" } else { "" };
    (layout.to_owned(), variant.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(l: &Layout) -> Vec<(&str, &str)> {
        l.groups.iter().map(|(l, v)| (l.as_str(), v.as_str())).collect()
    }

    #[test]
    fn words_are_layouts_and_options() {
        let l = Layout::parse("de(nodeadkeys)", "a switch").unwrap();
        assert_eq!((groups(&l), l.options.len()), (vec![("de", "nodeadkeys")], 0));
        let l = Layout::parse("de,us(intl) grp:alt_shift_toggle ctrl:nocaps", "").unwrap();
        assert_eq!(groups(&l), [("de", ""), ("us", "intl")]);
        assert_eq!(l.options, ["grp:alt_shift_toggle", "ctrl:nocaps"]);
        for wrong in ["", "de(", "de()x", "(intl)", "de,,us", "../etc", "de a/b"] {
            assert!(Layout::parse(wrong, "").is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn case_37_the_systems_file_comes_after_what_is_set() {
        let root = tempfile::tempdir().unwrap();
        let at = |file: &str, text: &[u8]| {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        assert_eq!(Layout::of_system(root.path()), None);
        at("etc/vconsole.conf", b"KEYMAP=de-latin1-nodeadkeys\n");
        assert_eq!(groups(&Layout::of_system(root.path()).unwrap()), [("de", "nodeadkeys")]);
        at("etc/vconsole.conf", b"KEYMAP=uk\nXKBLAYOUT=fr\n");
        assert_eq!(groups(&Layout::of_system(root.path()).unwrap()), [("fr", "")]);
        at(
            "etc/default/keyboard",
            b"# XKBLAYOUT=ru\nXKBMODEL=\"pc105\"\nXKBLAYOUT=\"us,ch\"\nXKBVARIANT=\",fr\"\n\
              XKBOPTIONS='compose:menu,ctrl:nocaps'\n",
        );
        let l = Layout::of_system(root.path()).unwrap();
        assert_eq!(groups(&l), [("us", ""), ("ch", "fr")]);
        assert_eq!(l.options, ["compose:menu", "ctrl:nocaps"]);
        assert!(l.from.ends_with("etc/default/keyboard"));
        // Nothing but noise: the next file answers.
        at("etc/default/keyboard", b"\xff\xfe\x00XKBLAYOUT\n");
        assert_eq!(groups(&Layout::of_system(root.path()).unwrap()), [("fr", "")]);
    }
}
