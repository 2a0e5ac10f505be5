"""Subsets the built-in fonts; called by make.sh with the work folder and the output folder."""

import sys
from pathlib import Path

from fontTools import merge, subset
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

work, out = Path(sys.argv[1]), Path(sys.argv[2])


def span(text):
    """'20-7E A9' to a set of code points."""
    all_ = set()
    for part in text.split():
        lo, _, hi = part.partition("-")
        all_ |= set(range(int(lo, 16), int(hi or lo, 16) + 1))
    return all_


def options(features):
    o = subset.Options()
    o.layout_features = features
    o.hinting = False
    o.recalc_bounds = True
    o.notdef_outline = True
    o.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14, 25]
    o.drop_tables += ["DSIG", "STAT", "gasp", "vhea", "vmtx", "GlyphOrder"]
    o.glyph_names = False
    return o


def cut(font, unicodes, features, path):
    s = subset.Subsetter(options(features))
    s.populate(unicodes=unicodes)
    s.subset(font)
    font.flavor = None
    # Same bytes at every run.
    font.recalcTimestamp = False
    font.save(path)
    return TTFont(path)


SANS = span(
    "20-7E A0-17F 18F 192 1A0-1A1 1AF-1B0 1CD-1DC 218-21B 259 2BB-2BC 2C6-2C7 2C9 2D8-2DD"
    " 300-304 306-30C 31B 323 326-328 37A 37E 384-38A 38C 38E-3A1 3A3-3CE 400-45F 48A-4FF"
    " 1E80-1E85 1E9E 1EA0-1EF9 2000-200D 2010-2015 2018-201E 2020-2022 2026 202F-2030"
    " 2032-2033 2039-203A 203D 2044 2070 2074-207E 2080-208E 20A0-20BF 2105 2113 2116-2117"
    " 2120 2122 2126 212E 2150-215E 2190-2199 21A9-21AA 21B0-21B5 21BA-21BB 21D0-21D4 21DE-21DF"
    " 21E4-21E7 21EA 2202 2206 220F 2211-2212 2215 2219-221A 221E 222B 2248 2260-2261 2264-2265"
    " 2303-2305 2318 2325-2327 232B 2380 2387 238B 23CE-23CF 2500-25FF 2605-2606 263C 2661 2665"
    " 266A-266B 2713 2717 2756 2780-2788 2B06 2B12-2B13 2B1C 2B24 FFFD"
)
inter = TTFont(work / "inter/variable/InterVariable.woff2")
for record in inter["GSUB"].table.FeatureList.FeatureRecord:
    if record.FeatureTag == "calt":
        # The last lookup raises colons and dashes beside digits and capitals. Those before it
        # draw "-->" as one arrow 2.6 em wide, which would widen the box around every text.
        record.Feature.LookupListIndex = record.Feature.LookupListIndex[-1:]
        record.Feature.LookupCount = 1
sans = cut(
    inter,
    SANS,
    ["kern", "liga", "tnum", "calt", "ccmp", "locl", "mark", "mkmk"],
    out / "inter.ttf",
)

# Emoji: all with a plain outline, and what people use whatever it weighs.
MUST = span(
    "20 23 2A 30-39 A9 AE 200D 203C 2049 20E3 2122 2139 2194-21AA 231A-23FA 24C2 25AA-25FE"
    " 2600-27BF 2934-2935 2B05-2B55 3030 303D 3297 3299 FE0E-FE0F 1F1E6-1F1FF 1F3FB-1F3FF"
    " 1F319 1F327-1F329 1F389 1F3E0 1F44A-1F44F 1F46A 1F466-1F469 1F48B-1F49F 1F4A1 1F4A5 1F4A9 1F4AF 1F4E2-1F4E9 1F4F1"
    " 1F4F7 1F4F9 1F50A 1F50D 1F512-1F517 1F525 1F590 1F5A4 1F5D1 1F600-1F64F 1F680 1F686 1F697 1F6B2"
    " 1F6D2 1F70D 1F90C-1F90F 1F910-1F91F 1F920-1F92F 1F932 1F970-1F976 1F97A 1F9D0-1F9D1"
    " 1F9E1 1F9ED 1FAE0-1FAE8 E0062-E007F"
)
emoji = TTFont(
    work / "emoji/files/noto-emoji-emoji-400-normal.woff2", recalcTimestamp=False
)
emoji.save(work / "emoji.ttf")
emoji = TTFont(work / "emoji.ttf")
loca, order = emoji["loca"], emoji.getGlyphOrder()
weight = {g: loca[i + 1] - loca[i] for i, g in enumerate(order)}
plain = {c for c, g in emoji.getBestCmap().items() if weight[g] <= 440}
emoji = cut(emoji, plain | MUST, ["ccmp"], out / "noto-emoji.ttf")

# Symbols that neither of the two has, from two fonts of one design.
WANT = span(
    "2190-21FF 2302 2316 231A-231B 2324 2328 237D-237F 23E9-23EA 23ED-23EF 23F1-23FE 25A0-25FF"
    " 2601-2604 260E-2615 2618 261A-2623 262E-262F 2639-263B 263D-2642 2660-2667 2669-266F"
    " 267B 267E-267F 2690-2693 2696 2699 269B 26A1 26AA-26AC 26D4 26ED 26F6 2702 2706-2718"
    " 271A-271C 2722-274B 2758-275E 2761-2767 276E-2771 2776-277F 2789-2793 2794-27BE"
    " 2B00-2B11 2B1A-2B1D 2B50-2B54 2B58"
)
have = set(sans.getBestCmap()) | set(emoji.getBestCmap())
parts = []
for folder, stem in (("symbols2", "noto-sans-symbols-2"), ("symbols", "noto-sans-symbols")):
    font = TTFont(work / folder / f"files/{stem}-symbols-400-normal.woff2")
    mine = (WANT - have) & set(font.getBestCmap())
    have |= mine
    path = work / f"{folder}.ttf"
    cut(font, mine, [], path)
    parts.append(str(path))
symbols = merge.Merger().merge(parts)
symbols.recalcTimestamp = False
symbols["head"].created = symbols["head"].modified = 3_600_000_000
for name in symbols["name"].names:
    if name.nameID in (1, 4):
        name.string = "Noto Sans Symbols subset"
symbols.save(out / "noto-symbols.ttf")


def box_font(path, family, unicodes, upem=1000):
    """A font for tests: each character is a box of its own width."""
    names = [".notdef"] + [f"u{u:04X}" for u in unicodes]
    fb = FontBuilder(upem, isTTF=True)
    fb.setupGlyphOrder(names)
    fb.setupCharacterMap({u: f"u{u:04X}" for u in unicodes})
    glyphs, metrics = {}, {}
    for i, n in enumerate(names):
        w = 400 + 20 * i
        pen = TTGlyphPen(None)
        pen.moveTo((50, 0)), pen.lineTo((50, 700)), pen.lineTo((w - 50, 700)), pen.lineTo((w - 50, 0))
        pen.closePath()
        glyphs[n], metrics[n] = pen.glyph(), (w, 50)
    fb.setupGlyf(glyphs)
    fb.setupHorizontalMetrics(metrics)
    fb.setupHorizontalHeader(ascent=800, descent=-200)
    fb.setupNameTable({"familyName": family, "styleName": "Regular"})
    fb.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    fb.setupPost(keepGlyphNames=False)
    fb.font.recalcTimestamp = False
    fb.font["head"].created = fb.font["head"].modified = 3_600_000_000
    fb.save(path)
    return fb


(out / "test").mkdir(exist_ok=True)
box_font(out / "test/only-25ba.ttf", "Only 25BA", [0x20, 0x61, 0x25BA])
box_font(out / "test/only-25b6.ttf", "Only 25B6", [0x20, 0x61, 0x25B6])
box_font(out / "test/hebrew.ttf", "Boxes Hebrew", [0x20, *range(0x5D0, 0x5EB)])

# Two colour layers: 'a' is a red box under a half transparent blue one.
fb = box_font(out / "test/colr.ttf", "Layers", [0x20, 0x61, 0x62])
fb.setupCOLR({"u0061": [("u0061", 0), ("u0062", 1)]}, version=0)
fb.setupCPAL([[(1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 0.5)]])
fb.save(out / "test/colr.ttf")


def bitmap_font(path, family, depth):
    """A font of bitmaps alone, packed without padding (format 2): 'a' is 1x1, 'b' 3x3, 'c' 5x7."""
    from fontTools.ttLib.tables.BitmapGlyphMetrics import SmallGlyphMetrics
    from fontTools.ttLib.tables.E_B_D_T_ import ebdt_bitmap_format_2
    from fontTools.ttLib.tables.E_B_L_C_ import (
        BitmapSizeTable, SbitLineMetrics, Strike, eblc_index_sub_table_1,
    )

    names = [".notdef", "a", "b", "c"]
    fb = FontBuilder(1000, isTTF=False)
    fb.setupGlyphOrder(names)
    fb.setupCharacterMap({0x61: "a", 0x62: "b", 0x63: "c"})
    fb.setupHorizontalMetrics({n: (600, 0) for n in names})
    fb.setupHorizontalHeader(ascent=800, descent=-200)
    fb.setupNameTable({"familyName": family, "styleName": "Regular"})
    fb.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    fb.setupPost(keepGlyphNames=False)
    font = fb.font
    maxp = font["maxp"]
    maxp.tableVersion, maxp.numGlyphs = 0x00005000, len(names)

    glyphs = {}
    for name, (w, h) in {"a": (1, 1), "b": (3, 3), "c": (5, 7)}.items():
        g = ebdt_bitmap_format_2(b"", font)
        g.metrics = SmallGlyphMetrics()
        g.metrics.height, g.metrics.width = h, w
        g.metrics.BearingX, g.metrics.BearingY, g.metrics.Advance = 1, h, w + 2
        # Every pixel set: the bits after the last one are not.
        bits = "1" * (w * h * depth)
        bits += "0" * (-len(bits) % 8)
        g.imageData = bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8))
        glyphs[name] = g
    from fontTools.ttLib import newTable

    ebdt, eblc = newTable("EBDT"), newTable("EBLC")
    ebdt.version = eblc.version = 2.0
    ebdt.strikeData = [glyphs]
    size = BitmapSizeTable()
    size.colorRef, size.flags, size.ppemX, size.ppemY, size.bitDepth = 0, 1, 10, 10, depth
    size.startGlyphIndex, size.endGlyphIndex = 1, 3
    for direction in ("hori", "vert"):
        m = SbitLineMetrics()
        for field in ("ascender", "descender", "widthMax", "caretSlopeNumerator",
                      "caretSlopeDenominator", "caretOffset", "minOriginSB", "minAdvanceSB",
                      "maxBeforeBL", "minAfterBL", "pad1", "pad2"):
            setattr(m, field, 0)
        m.ascender, m.descender, m.widthMax = 8, -2, 7
        setattr(size, direction, m)
    sub = eblc_index_sub_table_1(b"", font)
    sub.names, sub.indexFormat, sub.imageFormat, sub.imageDataOffset = names[1:], 1, 2, 0
    sub.firstGlyphIndex, sub.lastGlyphIndex = 1, 3
    strike = Strike()
    strike.bitmapSizeTable, strike.indexSubTables = size, [sub]
    eblc.strikes = [strike]
    font["EBDT"], font["EBLC"] = ebdt, eblc
    font.recalcTimestamp = False
    font["head"].created = font["head"].modified = 3_600_000_000
    font.save(path)


for depth in (1, 2, 4):
    bitmap_font(out / f"test/bitmap{depth}.ttf", f"Bitmap {depth}", depth)
