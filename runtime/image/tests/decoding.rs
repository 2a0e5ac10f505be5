//! Decoding: formats, colours, orientation, limits, and every way in which a file is broken.

use image::{DynamicImage, ExtendedColorType, ImageEncoder, ImageFormat, RgbaImage};
use std::io::Cursor;
use std::time::Duration;
use zinc_image::{DecodeError, Format, Limits, decode, decode_fit, from_rgba};

const FORMATS: [(ImageFormat, Format); 4] = [
    (ImageFormat::Png, Format::Png),
    (ImageFormat::Jpeg, Format::Jpeg),
    (ImageFormat::WebP, Format::WebP),
    (ImageFormat::Gif, Format::Gif),
];

/// A ramp with noise, so that files are not tiny.
fn picture(width: u32, height: u32) -> DynamicImage {
    let mut x = 1u32;
    DynamicImage::ImageRgb8(image::RgbImage::from_fn(width, height, |i, j| {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        image::Rgb([(i * 5) as u8, (j * 7) as u8, (x >> 28) as u8 * 16])
    }))
}

fn encode(p: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    p.write_to(&mut out, format).expect("the encoder takes it");
    out.into_inner()
}

fn all() -> Limits {
    Limits::default()
}

#[test]
fn formats_are_told_by_content() {
    let p = picture(40, 30);
    for (f, _) in FORMATS {
        let i = decode(&encode(&p, f), &all()).unwrap();
        assert_eq!((i.width(), i.height()), (40, 30), "{f:?}");
        assert!(i.is_opaque());
        if matches!(f, ImageFormat::Png | ImageFormat::WebP) {
            let px = p.to_rgb8();
            for (w, c) in i.pixels().iter().zip(px.pixels()) {
                let [r, g, b] = c.0.map(u32::from);
                assert_eq!(*w, 0xFF00_0000 | r << 16 | g << 8 | b);
            }
        }
    }
    assert!(matches!(decode(b"", &all()), Err(DecodeError::Empty)));
    assert!(matches!(decode(b"BM not ours", &all()), Err(DecodeError::UnknownFormat)));
    assert!(matches!(decode(b"<svg/>", &all()), Err(DecodeError::UnknownFormat)));
}

#[test]
fn every_kind_of_pixel_is_premultiplied() {
    let rgba = RgbaImage::from_fn(16, 16, |x, y| image::Rgba([255, 128, x as u8, (y * 17) as u8]));
    let want = from_rgba(16, 16, rgba.as_raw()).unwrap();
    let p = DynamicImage::ImageRgba8(rgba);
    for f in [ImageFormat::Png, ImageFormat::WebP] {
        assert_eq!(decode(&encode(&p, f), &all()).unwrap().pixels(), want.pixels());
    }
    // 16 bits, grey, grey with alpha.
    let deep = DynamicImage::ImageRgba16(p.to_rgba16());
    assert_eq!(decode(&encode(&deep, ImageFormat::Png), &all()).unwrap().pixels(), want.pixels());
    let grey = DynamicImage::ImageLuma8(image::GrayImage::from_fn(4, 1, |x, _| {
        image::Luma([x as u8 * 80])
    }));
    let i = decode(&encode(&grey, ImageFormat::Png), &all()).unwrap();
    assert_eq!(i.pixels(), [0xFF00_0000, 0xFF50_5050, 0xFFA0_A0A0, 0xFFF0_F0F0]);
    let deep = DynamicImage::ImageLuma16(grey.to_luma16());
    assert_eq!(decode(&encode(&deep, ImageFormat::Png), &all()).unwrap().pixels(), i.pixels());
    let alpha =
        DynamicImage::ImageLumaA8(image::GrayAlphaImage::from_raw(1, 1, vec![200, 128]).unwrap());
    let i = decode(&encode(&alpha, ImageFormat::Png), &all()).unwrap();
    assert_eq!(i.pixels(), [0x8064_6464]);
    assert!(!i.is_opaque());
}

#[test]
fn jpeg_is_turned_as_its_exif_says() {
    // Left half black, right half white; 6 means "turn right to see it upright".
    let p = DynamicImage::ImageRgb8(image::RgbImage::from_fn(32, 16, |x, _| {
        image::Rgb([if x < 16 { 0 } else { 255 }; 3])
    }));
    let exif = [
        b'M', b'M', 0, 42, 0, 0, 0, 8, // header
        0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0, // orientation = 6
    ];
    let mut out = Vec::new();
    let mut e = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut out, 95);
    e.set_exif_metadata(exif.to_vec()).unwrap();
    e.write_image(p.as_bytes(), 32, 16, ExtendedColorType::Rgb8).unwrap();
    let i = decode(&out, &all()).unwrap();
    assert_eq!((i.width(), i.height()), (16, 32));
    assert!(i.row(2)[8] & 255 < 10 && i.row(29)[8] & 255 > 245);
}

#[test]
fn animations_give_their_first_frame() {
    let mut out = Vec::new();
    {
        let mut e = image::codecs::gif::GifEncoder::new(&mut out);
        for v in [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]] {
            e.encode_frame(image::Frame::new(RgbaImage::from_pixel(8, 8, image::Rgba(v)))).unwrap();
        }
    }
    let i = decode(&out, &all()).unwrap();
    assert!(i.pixels().iter().all(|w| *w == 0xFFFF_0000));
}

#[test]
fn cut_and_flipped_files_never_panic() {
    let p = picture(64, 48);
    for (f, _) in FORMATS {
        let file = encode(&p, f);
        for i in 0..16 {
            let cut = &file[..file.len() * i / 16];
            match decode(cut, &all()) {
                Ok(i) => assert_eq!((i.width(), i.height()), (64, 48), "{f:?}"),
                Err(e) => assert!(!e.to_string().is_empty()),
            }
            if matches!(f, ImageFormat::Png | ImageFormat::WebP) || i < 4 {
                assert!(decode(cut, &all()).is_err(), "{f:?} {i}");
            }
        }
        for i in 0..file.len().min(64) {
            for mask in [0xFF, 0x01, 0x80] {
                let mut bad = file.clone();
                bad[i] ^= mask;
                if let Ok(i) = decode(&bad, &all()) {
                    assert!(i.width() as u64 * i.height() as u64 <= all().pixels);
                }
            }
        }
        let mut x = 7u64;
        for _ in 0..200 {
            let mut bad = file.clone();
            for _ in 0..4 {
                x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let i = (x >> 33) as usize % bad.len();
                bad[i] = (x >> 20) as u8;
            }
            let _ = decode(&bad, &all());
        }
    }
}

/// A PNG's first chunk with other sides, its checksum right again.
fn with_size(png: &[u8], width: u32, height: u32) -> Vec<u8> {
    let mut out = png.to_vec();
    out[16..20].copy_from_slice(&width.to_be_bytes());
    out[20..24].copy_from_slice(&height.to_be_bytes());
    let mut crc = !0u32;
    for b in &out[12..29] {
        crc ^= *b as u32;
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
        }
    }
    out[29..33].copy_from_slice(&(!crc).to_be_bytes());
    out
}

#[test]
fn bombs_are_refused_by_their_header() {
    let png = encode(&picture(8, 8), ImageFormat::Png);
    assert!(decode(&with_size(&png, 8, 8), &all()).is_ok(), "the checksum is right");
    for (w, h) in [(60_000, 60_000), (16_385, 1), (1, 16_385), (16_384, 16_384), (0, 5)] {
        let e = decode(&with_size(&png, w, h), &all()).unwrap_err();
        let size =
            matches!(e, DecodeError::Size { width, height, .. } if (width, height) == (w, h));
        assert!(size || (w == 0 && matches!(e, DecodeError::Damaged { .. })), "{w}x{h}: {e:?}");
    }
    let small = Limits { memory: 1000, ..all() };
    assert!(matches!(
        decode(&png, &Limits { memory: 400, ..all() }),
        Err(DecodeError::Memory { .. })
    ));
    let big = encode(&picture(20, 20), ImageFormat::Png);
    assert!(matches!(decode(&big, &small), Err(DecodeError::Memory { .. })));
    let few = Limits { pixels: 63, ..all() };
    assert!(matches!(decode(&png, &few), Err(DecodeError::Size { width: 8, height: 8, .. })));
    let short = Limits { bytes: 40, ..all() };
    assert!(matches!(decode(&png, &short), Err(DecodeError::TooManyBytes { limit: 40, .. })));
    let late = Limits { time: Duration::ZERO, ..all() };
    for (f, name) in FORMATS {
        match decode(&encode(&picture(8, 8), f), &late) {
            Err(DecodeError::Time { format, .. }) => assert_eq!(format, name),
            other => panic!("{other:?}"),
        }
    }
    // GIF and JPEG say their size in 16 bits.
    let mut gif = encode(&picture(8, 8), ImageFormat::Gif);
    gif[6..10].copy_from_slice(&[0xFF; 4]);
    assert!(matches!(decode(&gif, &all()), Err(DecodeError::Size { .. })));
}

#[test]
fn large_pictures_are_scaled_down_to_fit() {
    let file = encode(&picture(400, 300), ImageFormat::Png);
    let i = decode_fit(&file, 100, &all()).unwrap();
    assert_eq!((i.width(), i.height()), (100, 75));
    let same = decode_fit(&file, 400, &all()).unwrap();
    assert_eq!(same.pixels(), decode(&file, &all()).unwrap().pixels());
    assert_eq!(decode_fit(&file, 0, &all()).unwrap().width(), 1);
    // A white disc on nothing keeps a clean rim: every pixel stays white times alpha.
    let disc = RgbaImage::from_fn(200, 200, |x, y| {
        let (dx, dy) = (x as i32 - 100, y as i32 - 100);
        image::Rgba(if dx * dx + dy * dy < 8_000 { [255; 4] } else { [0; 4] })
    });
    let file = encode(&DynamicImage::ImageRgba8(disc), ImageFormat::Png);
    for side in [199, 100, 51] {
        for w in decode_fit(&file, side, &all()).unwrap().pixels() {
            let a = w >> 24;
            let close = |c: u32| (c & 255).abs_diff(a) <= 1;
            assert!(close(*w) && close(w >> 8) && close(w >> 16), "{w:08x}");
        }
    }
}

/// Equal on every CPU, whatever instructions the decoders and the scaler choose.
#[test]
fn pixels_are_the_same_everywhere() {
    let p = picture(97, 61);
    let (jpeg, png) = (encode(&p, ImageFormat::Jpeg), encode(&p, ImageFormat::Png));
    let sums = [
        decode(&jpeg, &all()).unwrap().hash(),
        decode(&png, &all()).unwrap().hash(),
        decode_fit(&png, 40, &all()).unwrap().hash(),
        decode_fit(&jpeg, 64, &all()).unwrap().hash(),
    ];
    let want = ["57ee136c94dfdc64", "74680ea6f8b4d0a0", "b8e3db0fd4ad8fc2", "c1201810eab3abc8"];
    assert_eq!(sums.map(|s| format!("{s:016x}")), want);
}
