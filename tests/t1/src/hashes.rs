//! Frame hashes as programs print them: `frame 12 800x480 0123456789abcdef`, and from `zinc
//! replay` `some/frame-00012.zcap 800x480 0123456789abcdef`.

/// The last word of each line: the hashes in order.
pub fn of(out: &str) -> Vec<u64> {
    out.lines().filter_map(|l| u64::from_str_radix(l.split(' ').next_back()?, 16).ok()).collect()
}

/// Where two runs part: the first frame whose hash differs, with both hashes; or different
/// lengths.
pub fn first_difference(a: &[u64], b: &[u64]) -> Option<String> {
    if let Some(i) = a.iter().zip(b).position(|(x, y)| x != y) {
        return Some(format!("frame {i}: {:016x} and {:016x}", a[i], b[i]));
    }
    (a.len() != b.len()).then(|| format!("{} and {} frames", a.len(), b.len()))
}
