//! Fonts: fallback, emoji, colour, bitmaps, broken files, what is said when.

use std::sync::Arc;
use zinc_scene::{Color, CommandList, GlyphKey, GlyphPixels, Op, Point, Recorder};
use zinc_text::{Family, FontError, FontSet, Paragraph, TextEngine, TextStyle, built_in};

const STYLE: TextStyle = TextStyle::new(16.0);
const ONLY_BA: &[u8] = include_bytes!("../fonts/test/only-25ba.ttf");
const ONLY_B6: &[u8] = include_bytes!("../fonts/test/only-25b6.ttf");
const HEBREW: &[u8] = include_bytes!("../fonts/test/hebrew.ttf");
const COLR: &[u8] = include_bytes!("../fonts/test/colr.ttf");

fn frame(p: &Paragraph) -> Arc<CommandList> {
    let mut r = Recorder::new();
    r.begin(1000, 500).expect("a legal size");
    p.record(&mut r, Point::new(0.0, 0.0), Color::BLACK);
    assert_eq!(r.refused(), 0);
    r.freeze()
}

/// For each cluster: its text and its glyph ids.
fn clusters(p: &Paragraph, text: &str) -> Vec<(String, Vec<u32>)> {
    let runs = p.layout().lines().flat_map(|l| l.runs());
    runs.flat_map(|r| r.clusters())
        .map(|c| (text[c.text_range()].to_string(), c.glyphs().map(|g| g.id).collect()))
        .collect()
}

#[test]
fn fallback_is_per_cluster() {
    let mut set = FontSet::empty();
    set.add(ONLY_BA, None).unwrap();
    set.add(ONLY_B6, None).unwrap();
    let mut e = TextEngine::new(set);
    let text = "a\u{25BA}a\u{25B6}a";
    let p = e.paragraph(text, &STYLE, None);
    for (c, glyphs) in clusters(&p, text) {
        assert!(glyphs.iter().all(|g| *g != 0) && !glyphs.is_empty(), "{c:?}: {glyphs:?}");
    }
    let list = frame(&p);
    let fonts: Vec<_> = list
        .commands()
        .iter()
        .map(|c| if let Op::GlyphRun { font, .. } = c.op { font } else { panic!() })
        .collect();
    // The style's family takes what it has, the other one only its own sign.
    assert_eq!(fonts, [0, 1, 0]);
    assert!(e.missing().is_empty());
    if cfg!(feature = "system-fonts") {
        return;
    }
    let p = e.paragraph("z", &STYLE, None);
    assert_eq!(p.glyphs()[0].id, 0, "no font has it");
    assert_eq!(e.missing(), ['z']);
}

#[test]
fn added_fonts_come_before_the_built_in_ones() {
    let mut set = FontSet::built_in();
    let boxes = set.add(ONLY_B6, Some("Boxes")).unwrap();
    assert_eq!((&*boxes.name, boxes.fonts, boxes.variable), ("Boxes", 1, false));
    let hebrew = set.add(HEBREW, None).unwrap();
    assert_eq!(&*hebrew.name, "Boxes Hebrew");
    assert_eq!(set.fallback()[..2], [boxes.family, hebrew.family]);
    assert_eq!(set.add(HEBREW, None).unwrap(), hebrew, "the same file twice");
    assert_eq!(set.families().len(), 5);
    let sans = set.family("Inter").unwrap();
    assert_eq!(set.info(Family::DEFAULT).unwrap().family, sans);
    let info = set.info(sans).unwrap();
    assert_eq!((info.weights, info.variable, info.built_in), ((100, 900), true, true));
    assert_eq!(set.family("boxes"), Some(boxes.family));
    assert_eq!(set.family("nobody"), None);
    let mut e = TextEngine::new(set);
    let width = |e: &mut TextEngine, t, f| e.paragraph(t, &STYLE.family(f), None).size().w;
    // 'a' is 0.44 em in the boxes.
    assert_eq!(width(&mut e, "a", boxes.family), (0.44f32 * 16.0).ceil());
    assert_ne!(width(&mut e, "aaaa", sans), width(&mut e, "aaaa", boxes.family));
    let p = e.paragraph("\u{5D0}\u{5D1}", &STYLE, None);
    assert!(p.glyphs().iter().all(|g| g.id != 0));
    // Another default, another order.
    e.fonts_mut().set_default(boxes.family);
    assert_eq!(width(&mut e, "aaaa", Family::DEFAULT), width(&mut e, "aaaa", boxes.family));
    e.fonts_mut().set_fallback(&[hebrew.family, Family::DEFAULT]);
    assert_eq!(e.fonts().fallback()[..2], [hebrew.family, boxes.family]);
    assert_eq!(e.fonts().fallback().len(), 5);
    // A font named like a built-in one is a family of its own.
    let own = e.fonts_mut().add(ONLY_BA, Some("Inter")).unwrap();
    assert!(own.family != sans && e.fonts().family("Inter") == Some(own.family));
}

#[test]
fn emoji_are_one_cluster_with_a_glyph_each() {
    let mut e = TextEngine::default();
    let all = [
        "\u{1F600}",
        "\u{2764}\u{FE0F}",
        "\u{1F44D}",
        "\u{1F44D}\u{1F3FD}",
        "\u{270B}\u{1F3FF}",
        "\u{1F1E9}\u{1F1EA}",
        "\u{1F1FA}\u{1F1F8}",
        "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}",
        "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}",
        "1\u{FE0F}\u{20E3}",
        "\u{2600}\u{FE0F}",
    ];
    for t in all {
        let p = e.paragraph(t, &STYLE, None);
        let c = clusters(&p, t);
        assert_eq!(c.len(), 1, "{t}: {c:?}");
        assert!(!c[0].1.is_empty() && c[0].1.iter().all(|g| *g != 0), "{t}: {c:?}");
        // Nothing inside is a place for a caret.
        for (i, _) in t.char_indices() {
            let hit = p.hit(Point::new(p.caret(i).x, 5.0));
            assert!(hit == 0 || hit == t.len(), "{t} {hit}");
        }
    }
    let signs = "\u{25B6}\u{25BA}\u{2713}\u{2715}\u{2605}\u{263E}\u{2600}\u{2190}\u{2192}\u{20AC}\u{20BF}\u{25CF}\u{23FB}\u{2190}\u{266A}";
    for (i, c) in signs.char_indices() {
        let p = e.paragraph(&signs[i..i + c.len_utf8()], &STYLE, None);
        assert_eq!(p.glyphs().len(), 1, "{c}");
        assert_ne!(p.glyphs()[0].id, 0, "{c}");
    }
    assert!(e.missing().is_empty(), "{:?}", e.missing());
    let all_faces: String = ('\u{1F600}'..='\u{1F64F}').collect();
    let text =
        "\u{C0}\u{E9}\u{141}\u{151}\u{3A9}\u{3B1}\u{416}\u{44F}\u{1EC7}\u{2026}\u{201C}\u{2014}";
    for t in [&all_faces, text] {
        assert!(e.paragraph(t, &STYLE, None).glyphs().iter().all(|g| g.id != 0), "{t}");
    }
}

#[test]
fn colour_glyphs_are_premultiplied_words() {
    let mut set = FontSet::empty();
    set.add(COLR, None).unwrap();
    let mut e = TextEngine::new(set);
    let p = e.paragraph("a", &STYLE, None);
    let list = frame(&p);
    let font = &list.arenas().fonts[0];
    let (glyph, size) = (p.glyphs()[0].id, 40 * 64);
    for phase in 0..4 {
        let key = GlyphKey { font: font.font_hash(), glyph, size, phase };
        let m = font.mask(key).unwrap();
        assert!(m.is_valid());
        let GlyphPixels::Color(px) = &m.pixels else { panic!("{:?}", m.pixels) };
        // Half transparent blue over red in the middle; premultiplied everywhere.
        let mid = px[(m.height / 2 * m.width + 8) as usize];
        assert_eq!(mid >> 24, 255);
        let (r, b) = ((mid >> 16) & 255, mid & 255);
        assert!(r.abs_diff(127) <= 2 && b.abs_diff(128) <= 2, "{mid:08x}");
        for w in px.iter() {
            let a = w >> 24;
            assert!((w >> 16) & 255 <= a && (w >> 8) & 255 <= a && w & 255 <= a);
        }
        // The blue layer is wider: its last columns are there.
        let right = px[(m.height / 2 * m.width + m.width - 1) as usize];
        assert!(right & 255 > (right >> 16) & 255, "{right:08x}");
    }
    // Without a colour font: coverage.
    let mut e = TextEngine::default();
    let p = e.paragraph("\u{1F600}", &STYLE, None);
    let list = frame(&p);
    let font = &list.arenas().fonts[0];
    let key = GlyphKey { font: font.font_hash(), glyph: p.glyphs()[0].id, size, phase: 0 };
    assert!(matches!(font.mask(key).unwrap().pixels, GlyphPixels::Coverage(_)));
}

#[test]
fn packed_bitmaps_of_odd_sizes() {
    let files: [&[u8]; 3] = [
        include_bytes!("../fonts/test/bitmap1.ttf"),
        include_bytes!("../fonts/test/bitmap2.ttf"),
        include_bytes!("../fonts/test/bitmap4.ttf"),
    ];
    for (i, file) in files.into_iter().enumerate() {
        let mut set = FontSet::empty();
        set.add(file, None).unwrap();
        let mut e = TextEngine::new(set);
        let p = e.paragraph("abc", &TextStyle::new(10.0), None);
        let list = frame(&p);
        let font = &list.arenas().fonts[0];
        for (g, (w, h)) in p.glyphs().iter().zip([(1, 1), (3, 3), (5, 7)]) {
            assert_ne!(g.id, 0);
            let key = GlyphKey { font: font.font_hash(), glyph: g.id, size: 640, phase: 0 };
            let m = font.mask(key).unwrap_or_else(|| panic!("file {i}, glyph {w}x{h}"));
            assert_eq!((m.width, m.height), (w, h));
            assert!(m.is_valid());
            let GlyphPixels::Coverage(px) = &m.pixels else { panic!() };
            // swash 0.2.10 takes 2 bits from the wrong places: sizes hold, values do not.
            assert!(i == 1 || px.iter().all(|p| *p == 255), "file {i}: {px:?}");
            // Scaled sizes stay valid too.
            for size in [64, 300, 1000, 3000] {
                let key = GlyphKey { size, ..key };
                assert!(font.mask(key).is_none_or(|m| m.is_valid()));
            }
            assert!(font.outline(g.id).is_none());
        }
    }
}

/// Lays out and draws with whatever is in the set.
fn exercise(set: FontSet) {
    let mut e = TextEngine::new(set);
    let p = e.paragraph("Ab\u{E9}g 12:30 \u{1F600}\u{5D0}", &STYLE.weight(700), Some(60.0));
    let list = frame(&p);
    for c in list.commands() {
        let Op::GlyphRun { font, glyphs, .. } = c.op else { continue };
        let font = &list.arenas().fonts[font as usize];
        for g in &list.arenas().glyphs[glyphs.range()] {
            let key = GlyphKey { font: font.font_hash(), glyph: g.id, size: 1000, phase: 2 };
            assert!(font.mask(key).is_none_or(|m| m.is_valid()));
            font.outline(g.id);
        }
        assert!(font.em_box().iter().all(|v| v.is_finite()));
    }
}

#[test]
fn cut_files_are_refused() {
    for (name, file) in [("sans", built_in::SANS), ("emoji", built_in::EMOJI), ("colr", COLR)] {
        assert!(FontSet::empty().add(file, None).is_ok(), "{name}");
        for i in 0..16 {
            let cut = &file[..file.len() * i / 16];
            let err = FontSet::empty().add(cut, None).expect_err(name);
            match i {
                0 => assert_eq!(err, FontError::Empty),
                _ if cut.len() > 400 => {
                    assert!(matches!(err, FontError::Truncated { .. }), "{name} {i}: {err:?}")
                }
                _ => {}
            }
            assert!(!err.to_string().is_empty());
        }
    }
    let mut set = FontSet::built_in();
    let before = set.families().len();
    assert_eq!(set.add(&b"wOF2 and more"[..], None), Err(FontError::Compressed));
    assert_eq!(set.add(&b"\x89PNG\r\n\x1a\n and more"[..], None), Err(FontError::NotAFont));
    assert_eq!(set.families().len(), before);
}

#[test]
fn flipped_header_bytes_never_panic() {
    for file in [ONLY_B6, COLR, include_bytes!("../fonts/test/bitmap4.ttf")] {
        // Small files: every byte.
        flip(file, 0..file.len());
    }
    let directory = 12 + 16 * u16::from_be_bytes([built_in::SANS[4], built_in::SANS[5]]) as usize;
    flip(built_in::SANS, 0..directory);
}

fn flip(file: &[u8], range: core::ops::Range<usize>) {
    let mut refused = 0;
    for i in range.clone() {
        let mut bad = file.to_vec();
        bad[i] ^= 0xFF;
        let mut set = FontSet::empty();
        match set.add(bad, Some("Bad")) {
            Ok(_) => exercise(set),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 0 && refused < range.len(), "{refused} of {}", range.len());
}

#[test]
fn flipped_bodies_never_panic() {
    let mut x = 0x2545_F491_4F6C_DD1Du64;
    let mut taken = 0;
    for _ in 0..60 {
        let mut bad = built_in::SANS.to_vec();
        for _ in 0..200 {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            let i = 300 + (x as usize) % (bad.len() - 300);
            bad[i] = (x >> 40) as u8;
        }
        let mut set = FontSet::empty();
        if set.add(bad, Some("Bad")).is_ok() {
            exercise(set);
            taken += 1;
        }
    }
    assert!(taken > 10, "{taken}");
}
