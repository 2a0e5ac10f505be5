//! The driver on a frame buffer that logs and refuses: field cases 1, 2, 4, 5, 10 and 91, modes that
//! contradict themselves, offsets, turns, other sizes, panning.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

mod double;

use double::{Call, Double, UNTOUCHED, bits, options, show, show_whole};
use std::sync::Arc;
use std::time::Duration;
use zinc_display_fbdev::{Fbdev, Var};
use zinc_hal::{Display, DisplayError};
use zinc_raster::Rasterizer;
use zinc_scene::{
    Color, CommandList, IRect, LayerPlan, PixelFormat, Recorder, Region, Rotation, TargetMut,
};

fn list(size: (u32, u32), f: impl FnOnce(&mut Recorder)) -> Arc<CommandList> {
    let mut r = Recorder::new();
    r.begin(size.0, size.1).unwrap();
    f(&mut r);
    r.freeze()
}

/// A list without panel: rows of so many bytes.
fn drawn(list: &CommandList, format: PixelFormat) -> Vec<u8> {
    let (width, height) = (list.width(), list.height());
    let pitch = width as usize * format.bytes();
    let mut bytes = vec![0; pitch * height as usize];
    let rotation = Rotation::Deg0;
    let mut target = TargetMut { bytes: &mut bytes, width, height, pitch, format, rotation };
    let all = Region::of(list.surface());
    Rasterizer::new(1).render(list, &LayerPlan::new(), &all, &mut target);
    bytes
}

/// Something in every corner.
fn busy(size: (u32, u32), n: u32) -> Arc<CommandList> {
    let (w, h) = (size.0 as f32, size.1 as f32);
    list(size, |r| {
        r.clear(Color::hex(0x204060 + n * 0x010305));
        r.rect(0.0, 0.0, w * 0.3, h * 0.2).fill(Color::hex(0xFF8010));
        r.rect(w * 0.5, h * 0.4, w * 0.4, h * 0.5).radius(5.0).fill(Color::hex(0x10F080));
        r.rect(w - 3.0, h - 2.0, 3.0, 2.0).fill(Color::WHITE);
    })
}

/// 1, 2: rows padded from 5464 to 5504 bytes sheared the picture; padding was written.
#[test]
fn case_01_02_rows_are_as_far_apart_as_the_device_says() {
    for (width, depth) in
        [1, 3, 799, 1023, 1365, 1366].into_iter().flat_map(|w| [(w, 16), (w, 24), (w, 32)])
    {
        let (height, gap) = (37, 40);
        let d = Double::new(width, height, depth, gap);
        let mut fb = d.open(|_| {}).unwrap();
        let x = width / 2;
        let line = list((width, height), |r| {
            r.clear(Color::BLACK);
            r.rect(x as f32, 0.0, 1.0, height as f32).fill(Color::WHITE);
        });
        show_whole(&mut fb, &line, 0);
        let memory = d.state().memory();
        let n = depth as usize / 8;
        for (y, row) in memory.chunks((width * n as u32 + gap) as usize).enumerate() {
            let (seen, padding) = row.split_at(width as usize * n);
            assert!(padding.iter().all(|b| *b == UNTOUCHED), "{width}x{depth}: padding of row {y}");
            for (i, p) in seen.chunks(n).enumerate() {
                let colour = &p[..n.min(3)];
                let want = if i as u32 == x { 0xFF } else { 0 };
                assert!(colour.iter().all(|b| *b == want), "{width}x{depth}: {i}, {y}: {p:?}");
            }
        }
    }
}

/// A pixel's red, green and blue, in eight bits each, by the device's own offsets.
fn read(p: &[u8], var: &Var) -> [u32; 3] {
    let word = p.iter().rev().fold(0u32, |w, b| w << 8 | u32::from(*b));
    [var.red, var.green, var.blue].map(|c| {
        let v = word >> c.offset & ((1 << c.length) - 1);
        v * 255 / ((1 << c.length) - 1)
    })
}

/// 4: red and blue were swapped on panels that have them the other way round.
#[test]
fn case_04_channels_are_where_the_device_says() {
    let layouts = [
        (32, [bits(0, 8), bits(8, 8), bits(16, 8)], bits(24, 8)),
        (32, [bits(16, 8), bits(8, 8), bits(0, 8)], bits(0, 0)),
        (32, [bits(24, 8), bits(16, 8), bits(8, 8)], bits(0, 8)),
        (32, [bits(20, 10), bits(10, 10), bits(0, 10)], bits(0, 0)),
        (24, [bits(0, 8), bits(8, 8), bits(16, 8)], bits(0, 0)),
        (24, [bits(16, 8), bits(8, 8), bits(0, 8)], bits(0, 0)),
        (16, [bits(0, 5), bits(5, 6), bits(11, 5)], bits(0, 0)),
        (16, [bits(11, 5), bits(5, 6), bits(0, 5)], bits(0, 0)),
        (16, [bits(10, 5), bits(5, 5), bits(0, 5)], bits(15, 1)),
        (16, [bits(0, 4), bits(4, 4), bits(8, 4)], bits(12, 4)),
    ];
    for (depth, [red, green, blue], transp) in layouts {
        let d = Double::new(8, 4, depth, 8);
        let var = Var { red, green, blue, transp, ..d.state().var };
        d.state().var = var;
        let mut fb = d.open(|_| {}).unwrap();
        for (i, colour) in [0xFF0000, 0x00FF00, 0x0000FF, 0x102030].into_iter().enumerate() {
            show_whole(&mut fb, &list((8, 4), |r| r.clear(Color::hex(colour))), i as u64);
            let memory = d.state().memory();
            let p = &memory[..depth as usize / 8];
            let want = [colour >> 16, colour >> 8 & 0xFF, colour & 0xFF];
            for ((got, want), c) in read(p, &var).into_iter().zip(want).zip([red, green, blue]) {
                let step = if c.length >= 8 { 1 } else { 256 >> c.length };
                assert!(
                    got.abs_diff(want) <= step,
                    "{depth} bits, {red:?}: {colour:06x}: {got} for {want}"
                );
                assert!(
                    colour == 0x102030 || got == want,
                    "{depth} bits: {colour:06x} is not pure"
                );
            }
            let word = p.iter().rev().fold(0u64, |w, b| w << 8 | u64::from(*b));
            let alpha = ((1u64 << transp.length) - 1) << transp.offset;
            assert_eq!(word & alpha, alpha, "{depth} bits: alpha is whole");
        }
    }
}

/// 5: 24-bit panels showed a doubled, striped, grey picture.
#[test]
fn case_05_three_bytes_a_pixel() {
    for gap in [0, 32] {
        let d = Double::new(800, 480, 24, gap);
        let mut fb = d.open(|_| {}).unwrap();
        let colours = [0xFFFFFF, 0xFFFF00, 0x00FFFF, 0x00FF00, 0xFF00FF, 0xFF0000, 0x0000FF, 0];
        let bars = list((800, 480), |r| {
            for (i, c) in colours.iter().enumerate() {
                r.rect(i as f32 * 100.0, 0.0, 100.0, 480.0).fill(Color::hex(*c));
            }
        });
        show_whole(&mut fb, &bars, 0);
        let memory = d.state().memory();
        for row in memory.chunks(2400 + gap as usize) {
            for (i, p) in row[..2400].chunks(3).enumerate() {
                let c = colours[i / 100];
                assert_eq!(p, [c as u8, (c >> 8) as u8, (c >> 16) as u8]);
            }
        }
    }
}

const FRAME: Duration = Duration::from_millis(20);

/// A device whose wait waits, at a rate that its timings tell.
fn waiting(width: u32, height: u32, rows: u32) -> Double {
    let d = Double::new(width, height, 16, 0);
    let mut s = d.state();
    // Picoseconds a pixel.
    s.var.pixclock = (FRAME.as_nanos() * 1000 / u128::from(width * height)) as u32;
    s.var.yres_virtual = rows;
    s.fix.smem_len = s.fix.line_length * rows;
    (s.wait, s.fix.ypanstep) = (Ok(FRAME), 1);
    drop(s);
    d
}

/// 10: frames tore: they went out before the wait for the vblank.
#[test]
fn case_10_a_frame_is_copied_after_the_wait() {
    let d = waiting(32, 16, 16);
    let mut fb = d.open(|o| o.unpaced = false).unwrap();
    assert!(d.state().waits() >= 2, "whether it waits is measured");
    d.state().calls.clear();
    let mut before = d.state().memory();
    for n in 0..4 {
        show_whole(&mut fb, &busy((32, 16), n), u64::from(n));
        let mut s = d.state();
        let calls = std::mem::take(&mut s.calls);
        assert_eq!(calls, [Call::Wait(before)], "frame {n}: one wait, and nothing written before");
        before = s.memory();
        drop(s);
        assert_eq!(before, drawn(&busy((32, 16), n), PixelFormat::Rgb565), "frame {n}");
    }
    // From now on it cannot: frames go on, and it is not asked again.
    d.state().wait = Err(25);
    for n in 4..8 {
        show_whole(&mut fb, &busy((32, 16), n), u64::from(n));
        let expected = drawn(&busy((32, 16), n), PixelFormat::Rgb565);
        assert_eq!(d.state().memory(), expected, "frame {n}");
    }
    assert_eq!(d.state().waits(), 1);
}

#[test]
fn case_10_a_wait_that_is_refused_or_does_not_wait_is_not_used() {
    for wait in [Err(25), Err(22), Ok(Duration::ZERO)] {
        let d = waiting(32, 16, 16);
        d.state().wait = wait;
        let mut fb = d.open(|o| o.unpaced = false).unwrap();
        d.state().calls.clear();
        for n in 0..4 {
            show_whole(&mut fb, &busy((32, 16), n), u64::from(n));
        }
        assert_eq!(d.state().waits(), 0, "{wait:?}");
        assert_eq!(d.state().memory(), drawn(&busy((32, 16), 3), PixelFormat::Rgb565));
    }
}

/// 91: each of many small areas waited for the vblank.
#[test]
fn case_91_one_wait_a_frame_whatever_is_damaged() {
    for rows in [64, 128] {
        let d = waiting(96, 64, rows);
        d.state().pan = Ok(());
        let mut fb = d.open(|o| o.unpaced = false).unwrap();
        show_whole(&mut fb, &busy((96, 64), 0), 0);
        let many = list((96, 64), |r| {
            r.clear(Color::BLACK);
            for i in 0..12 {
                let (x, y) = ((i % 4 * 24) as f32, (i / 4 * 20) as f32);
                r.rect(x, y, 3.0, 3.0).fill(Color::WHITE);
            }
        });
        let mut damage = Region::default();
        for i in 0..12 {
            let (x, y) = (i % 4 * 24, i / 4 * 20);
            damage.add(IRect::new(x, y, x + 3, y + 3));
        }
        assert_eq!(damage.rects().len(), 12);
        d.state().calls.clear();
        show(&mut fb, &many, |_| damage, &damage, 1);
        let s = d.state();
        assert_eq!(s.waits(), 1, "{rows} rows");
        let panned = rows == 128;
        assert_eq!(s.calls.len(), 1 + usize::from(panned));
        assert!(matches!(s.calls[0], Call::Wait(_)), "the wait comes first");
    }
}

/// Frames by damage and age equal frames drawn whole, and no page is drawn into while it is seen.
#[test]
fn pages_take_turns_and_the_offset_is_put_back() {
    for pages in [2, 3, 5] {
        let d = waiting(40, 24, 24 * pages);
        d.state().pan = Ok(());
        d.state().var.yoffset = 24;
        let mut fb = d.open(|o| o.unpaced = false).unwrap();
        let page = 40 * 2 * 24;
        let frame = |n: u32| {
            list((40, 24), |r| {
                r.clear(Color::hex(0x203040));
                r.rect((n * 3 % 30) as f32, (n * 5 % 17) as f32, 6.0, 5.0).fill(Color::WHITE);
            })
        };
        let area = |n: u32| {
            let (x, y) = ((n * 3 % 30) as i32, (n * 5 % 17) as i32);
            IRect::new(x, y, x + 6, y + 5)
        };
        let mut history = zinc_scene::History::default();
        let (mut seen, mut shown) = (0, Vec::new());
        for n in 0..9u32 {
            let list = frame(n);
            let mut damage = Region::of(area(n));
            damage.add(area(n.saturating_sub(1)));
            if n == 0 {
                damage = Region::of(list.surface());
            }
            history.push(damage);
            let glass = |m: &[u8]| m[seen * page..][..page].to_vec();
            let before = glass(&d.state().memory());
            d.state().calls.clear();
            let age = show(
                &mut fb,
                &list,
                |age| history.since(age, list.surface()),
                &damage,
                u64::from(n),
            );
            assert!(age == 0 || age <= pages.min(3), "{age}");
            let s = d.state();
            let [Call::Wait(_), Call::Pan(y, memory)] = &s.calls[..] else {
                panic!("{} calls", s.calls.len())
            };
            assert_eq!(glass(memory), before, "frame {n}: the page on the glass is left alone");
            let next = *y as usize / 24;
            assert_eq!((y % 24, next == seen), (0, false));
            let want = drawn(&list, PixelFormat::Rgb565);
            assert!(memory[next * page..][..page] == want, "frame {n} by age {age}");
            seen = next;
            shown.push(next);
        }
        shown.sort_unstable();
        shown.dedup();
        assert!(shown.len() >= 2, "{shown:?}");
        fb.finish().unwrap();
        assert!(
            matches!(d.state().calls.last(), Some(Call::Pan(24, _))),
            "the offset it was found with"
        );
    }
}

/// Card drivers' frame buffers wait in the pan itself: another wait would halve the rate.
#[test]
fn a_pan_that_waits_is_the_frames_one_wait() {
    let d = waiting(32, 16, 32);
    (d.state().pan, d.state().pan_takes) = (Ok(()), FRAME);
    let mut fb = d.open(|o| o.unpaced = false).unwrap();
    d.state().calls.clear();
    for n in 0..10 {
        show_whole(&mut fb, &busy((32, 16), n), u64::from(n));
    }
    let s = d.state();
    let pans = s.calls.len() - s.waits();
    assert_eq!((pans, s.waits()), (10, 3), "after three frames it is known");
}

#[test]
fn devices_that_do_not_pan_are_copied_to() {
    let refusing = |d: &Double| d.state().pan = Err(22);
    let stepless = |d: &Double| (d.state().pan, d.state().fix.ypanstep) = (Ok(()), 0);
    let tight = |d: &Double| {
        let mut s = d.state();
        (s.pan, s.fix.smem_len) = (Ok(()), s.fix.line_length * 31);
    };
    let cases: [&dyn Fn(&Double); 3] = [&refusing, &stepless, &tight];
    for (i, change) in cases.into_iter().enumerate() {
        let d = waiting(32, 16, 32);
        change(&d);
        let mut fb = d.open(|_| {}).unwrap();
        d.state().calls.clear();
        for n in 0..3 {
            show_whole(&mut fb, &busy((32, 16), n), u64::from(n));
        }
        let s = d.state();
        assert_eq!(s.calls, [], "case {i}: it is not asked to pan");
        assert!(s.memory().starts_with(&drawn(&busy((32, 16), 2), PixelFormat::Rgb565)));
    }
}

/// The visible part may begin anywhere in the memory.
#[test]
fn offsets_move_the_picture() {
    let d = Double::new(20, 10, 32, 48);
    {
        let mut s = d.state();
        (s.var.xoffset, s.var.yoffset) = (7, 3);
        (s.var.xres_virtual, s.var.yres_virtual) = (32, 14);
        s.fix.smem_len = s.fix.line_length * 14;
    }
    let mut fb = d.open(|_| {}).unwrap();
    let picture = busy((20, 10), 0);
    show_whole(&mut fb, &picture, 0);
    let (memory, want) = (d.state().memory(), drawn(&picture, PixelFormat::Xrgb8888));
    for (y, row) in memory.chunks(128).enumerate() {
        for (x, p) in row.chunks(4).enumerate() {
            let inside = (7..27).contains(&x) && (3..13).contains(&y);
            if inside {
                assert_eq!(p, &want[((y - 3) * 20 + x - 7) * 4..][..4], "{x}, {y}");
            } else {
                assert_eq!(p, [UNTOUCHED; 4], "{x}, {y} is not the picture's");
            }
        }
    }
}

#[test]
fn four_turns_show_the_same_picture() {
    for depth in [16, 24, 32] {
        let n = depth as usize / 8;
        for turn in Rotation::ALL {
            let surface = (36, 20);
            let panel = turn.size(surface);
            let d = Double::new(panel.0, panel.1, depth, 12);
            let mut fb = d.open(|o| o.rotation = turn).unwrap();
            let info = fb.info();
            assert_eq!((info.width, info.height), surface, "the app sees its own way up");
            let picture = busy(surface, 0);
            show_whole(&mut fb, &picture, 0);
            let format = [PixelFormat::Rgb565, PixelFormat::Rgb888, PixelFormat::Xrgb8888][n - 2];
            let (memory, want) = (d.state().memory(), drawn(&picture, format));
            let pitch = panel.0 as usize * n + 12;
            for (x, y) in (0..36).flat_map(|x| (0..20).map(move |y| (x, y))) {
                let at = turn.turn(IRect::new(x, y, x + 1, y + 1), surface);
                let got = &memory[at.y0 as usize * pitch + at.x0 as usize * n..][..n];
                assert_eq!(
                    got,
                    &want[(y * 36 + x) as usize * n..][..n],
                    "{turn:?}, {depth} bits: {x}, {y}"
                );
            }
        }
    }
}

/// A picture of another size stands in the middle, black around it, and damage finds its place.
#[test]
fn other_sizes_stand_in_the_middle() {
    for (size, turn) in [
        ((30, 20), Rotation::Deg0),
        ((60, 40), Rotation::Deg180),
        ((17, 9), Rotation::Deg0),
        ((20, 30), Rotation::Deg90),
    ] {
        let d = Double::new(50, 20, 32, 16);
        let mut fb = d.open(|o| (o.size, o.rotation) = (Some(size), turn)).unwrap();
        let info = fb.info();
        assert_eq!((info.width, info.height), size);
        assert!(size == (30, 20) || info.description.contains("showing"), "{}", info.description);
        show_whole(&mut fb, &busy(size, 0), 0);
        // Then a part of another picture.
        let part = Region::of(IRect::new(3, 2, 12, 7));
        show(&mut fb, &busy(size, 9), |_| part, &part, 1);
        let [first, second] = [0, 9].map(|n| drawn(&busy(size, n), PixelFormat::Xrgb8888));
        let (w, h) = turn.size(size);
        let (dw, dh) = if 50 * h <= 20 * w { (50, h * 50 / w) } else { (w * 20 / h, 20) };
        let (left, top) = ((50 - dw) / 2, (20 - dh) / 2);
        let memory = d.state().memory();
        for (y, row) in memory.chunks(216).enumerate() {
            assert!(row[200..].iter().all(|b| *b == UNTOUCHED));
            for (x, p) in row[..200].chunks(4).enumerate() {
                let (Some(i), Some(j)) =
                    ((x as u32).checked_sub(left), (y as u32).checked_sub(top))
                else {
                    assert_eq!(p, [0, 0, 0, 0xFF]);
                    continue;
                };
                if i >= dw || j >= dh {
                    assert_eq!(p, [0, 0, 0, 0xFF], "{x}, {y}");
                    continue;
                }
                let (sx, sy) =
                    (((2 * i + 1) * w / (2 * dw)) as i32, ((2 * j + 1) * h / (2 * dh)) as i32);
                let s = turn.inverse().turn(IRect::new(sx, sy, sx + 1, sy + 1), (w, h));
                let picture = if part.contains(s.x0, s.y0) { &second } else { &first };
                let at = (s.y0 as usize * size.0 as usize + s.x0 as usize) * 4;
                assert_eq!(p, &picture[at..at + 4], "{size:?} {turn:?}: {x}, {y}");
            }
        }
    }
}

/// Modes that contradict themselves are refused before a byte is written, and the field is named.
#[test]
fn impossible_modes_are_refused_by_name() {
    type Change = fn(&mut double::State);
    let cases: [(&str, Change); 22] = [
        ("type is 1", |s| s.fix.kind = 1),
        ("visual is 3", |s| s.fix.visual = 3),
        ("grayscale is 1", |s| s.var.grayscale = 1),
        ("xres is 0", |s| s.var.xres = 0),
        ("yres is 0", |s| s.var.yres = 0),
        ("xres is 4294967295", |s| s.var.xres = u32::MAX),
        ("yres is 65536", |s| s.var.yres = 65536),
        ("bits_per_pixel is 0", |s| s.var.bits_per_pixel = 0),
        ("bits_per_pixel is 8", |s| s.var.bits_per_pixel = 8),
        ("bits_per_pixel is 15", |s| s.var.bits_per_pixel = 15),
        ("bits_per_pixel is 4294967288", |s| s.var.bits_per_pixel = u32::MAX - 7),
        ("red is 0, its length", |s| s.var.red.length = 0),
        ("green is 17, its length", |s| s.var.green.length = 17),
        ("blue is 30, its offset", |s| s.var.blue.offset = 30),
        ("blue is 4294967295, its offset", |s| s.var.blue.offset = u32::MAX),
        ("green is 12, its offset: it overlaps", |s| s.var.green.offset = 12),
        ("transp is 20, its offset: it overlaps", |s| s.var.transp = bits(20, 8)),
        ("red is 1, its msb_right", |s| s.var.red.msb_right = 1),
        ("xres_virtual is 32, less than xoffset + xres, 33", |s| s.var.xoffset = 1),
        ("yres_virtual is 16, less than yoffset + yres, 17", |s| s.var.yoffset = 1),
        ("line_length is 127, less than a row's 128", |s| s.fix.line_length = 127),
        ("smem_len is 2047, less than the picture's 2048", |s| s.fix.smem_len -= 1),
    ];
    for (words, change) in cases {
        let d = Double::new(32, 16, 32, 0);
        change(&mut d.state());
        let e = d.open(|_| {}).unwrap_err().to_string();
        assert!(
            e.starts_with("double: its mode cannot be used: ") && e.contains(words),
            "{words}: {e}"
        );
        assert!(
            d.state().memory().iter().all(|b| *b == UNTOUCHED),
            "{words}: something is written"
        );
        assert_eq!(d.state().calls, []);
    }
    Double::new(32, 16, 32, 0).open(|_| {}).unwrap();
}

#[test]
fn nodes_that_are_none_are_named_with_their_cure() {
    let open = |node: &std::path::Path| {
        let mut o = options();
        o.node = node.to_owned();
        Fbdev::open(o).unwrap_err()
    };
    let e = open("/dev/no-such-fb".as_ref());
    assert!(matches!(e, DisplayError::Refused { .. }));
    let e = e.to_string();
    assert!(
        e.contains("cannot open /dev/no-such-fb: No such file") && e.contains("no driver has made"),
        "{e}"
    );
    let file = tempfile::NamedTempFile::new().unwrap();
    let e = open(file.path()).to_string();
    assert!(e.contains("cannot ask the mode of") && e.contains("it is no frame buffer"), "{e}");
}

/// While another program has the card, frames would go nowhere.
#[test]
fn a_screen_that_is_taken_is_not_drawn_to() {
    let d = waiting(32, 16, 32);
    d.state().pan = Err(16);
    let e = d.open(|_| {}).unwrap_err().to_string();
    assert!(e.contains("cannot show anything on double") && e.contains("another program"), "{e}");
    assert!(d.state().memory().iter().all(|b| *b == UNTOUCHED));
}

#[test]
fn a_device_that_goes_away_ends_the_display() {
    let d = waiting(32, 16, 16);
    let mut fb = d.open(|o| o.unpaced = false).unwrap();
    show_whole(&mut fb, &busy((32, 16), 0), 0);
    d.state().wait = Err(19);
    show_whole(&mut fb, &busy((32, 16), 1), 1);
    assert!(matches!(fb.acquire(), Err(DisplayError::Lost(_))));
    fb.finish().unwrap();
}

/// A console that came to the front left another depth and its text, beside the picture as well.
#[test]
fn what_a_console_left_is_gone_when_the_glass_is_back() {
    let d = Double::new(80, 60, 32, 12);
    let mut fb = d.open(|o| o.size = Some((80, 40))).unwrap();
    show_whole(&mut fb, &busy((80, 40), 0), 0);
    let before = d.state().memory();
    let mode = d.state().var;
    fb.suspend();
    {
        use std::os::unix::fs::FileExt;
        let mut s = d.state();
        // The padding is the console's as well, and not ours to mend.
        for y in 0..60u64 {
            s.file.write_all_at(&[0x77; 80 * 4], y * (80 * 4 + 12)).unwrap();
        }
        s.var = Var { bits_per_pixel: 8, ..mode };
    }
    fb.resume().unwrap();
    assert_eq!(d.state().var, mode);
    assert!(d.state().calls.contains(&Call::Set(mode)));
    show_whole(&mut fb, &busy((80, 40), 0), 1);
    assert!(d.state().memory() == before);

    d.state().stubborn = true;
    d.state().var = Var { bits_per_pixel: 8, ..mode };
    let e = fb.resume().unwrap_err().to_string();
    assert!(e.contains("cannot take back double") && e.contains("mode was changed"), "{e}");
}
