//! A header that claims 60000 x 60000 costs no memory: alone in its process, with a counting
//! allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use zinc_image::{DecodeError, Limits, decode};

struct Largest;

static LARGEST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged; the size noted touches no memory.
unsafe impl GlobalAlloc for Largest {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(ptr, layout) }
    }
    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LARGEST.fetch_max(size, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(ptr, layout, size) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Largest = Largest;

#[test]
fn a_bomb_takes_no_memory() {
    // Signature, IHDR of 60000 x 60000 RGBA with its checksum, the beginning of an IDAT.
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xEA\x60\0\0\xEA\x60\x08\x06\0\0\0\
                CRC!\0\0\0\x10IDAT\x78\x9C\0\0\0\0";
    let mut png = png.to_vec();
    let mut crc = !0u32;
    for b in &png[12..29] {
        crc ^= *b as u32;
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
        }
    }
    png[29..33].copy_from_slice(&(!crc).to_be_bytes());
    LARGEST.store(0, Ordering::Relaxed);
    let e = decode(&png, &Limits::default()).expect_err("refused");
    assert!(matches!(e, DecodeError::Size { width: 60_000, height: 60_000, .. }), "{e:?}");
    let largest = LARGEST.load(Ordering::Relaxed);
    assert!(largest < 256 << 10, "{largest}");
}
