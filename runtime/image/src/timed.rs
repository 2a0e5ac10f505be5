//! A reader with a deadline: decoders have none, but they ask for their bytes bit by bit. The
//! clock is read once per 64 KiB.

use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};
use std::time::Instant;

const CHUNK: u64 = 64 << 10;

/// Bytes that are no longer given after the deadline.
#[derive(Debug)]
pub(crate) struct Timed<'a> {
    inner: Cursor<&'a [u8]>,
    deadline: Instant,
    given: u64,
    next_check: u64,
}

impl<'a> Timed<'a> {
    pub(crate) fn new(bytes: &'a [u8], deadline: Instant) -> Self {
        Self { inner: Cursor::new(bytes), deadline, given: 0, next_check: 0 }
    }
    fn check(&mut self) -> io::Result<()> {
        if self.given >= self.next_check {
            self.next_check = self.given + CHUNK;
            if Instant::now() >= self.deadline {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
        Ok(())
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.check()?;
        let n = buf.len().min(CHUNK as usize);
        let n = self.inner.read(&mut buf[..n])?;
        self.given += n as u64;
        Ok(n)
    }
}

impl BufRead for Timed<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.check()?;
        let all = self.inner.fill_buf()?;
        Ok(&all[..all.len().min(CHUNK as usize)])
    }
    fn consume(&mut self, n: usize) {
        self.given += n as u64;
        self.inner.consume(n);
    }
}

impl Seek for Timed<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}
