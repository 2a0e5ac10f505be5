//! The guardian: a process that waits for the end of another one. The program holds one end of a
//! pipe; when it dies, however it dies, the kernel closes that end, and the guardian puts the
//! terminal back. A program that ends properly sends a word first.
//!
//! It is a plain fork, so that it exists at once and needs no file: the program may be replaced or
//! its disk gone. In the child of a program with threads only calls without locks or memory of
//! their own are allowed, and only such are made.

use crate::terminal::{State, Switching, Terminal, set, set_switching};
use rustix::fd::{AsRawFd, BorrowedFd, OwnedFd};
use rustix::process::{Pid, WaitOptions, waitpid};
use std::io;

/// The word of a program that put its terminal back itself.
const BYE: u8 = b'b';

#[derive(Debug)]
pub(crate) struct Guardian {
    pipe: OwnedFd,
    pid: Pid,
}

impl Guardian {
    /// Starts one that will put the terminal into `state`.
    pub(crate) fn start(terminal: &Terminal, state: State) -> io::Result<Self> {
        let (read, write) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        // SAFETY: the child makes only calls that are safe after a fork of a program with threads
        // (see `watch`), and never returns from here.
        let pid = unsafe { libc::fork() };
        match pid {
            0 => watch(&read, &terminal.0, state),
            ..0 => Err(io::Error::last_os_error()),
            _ => {
                let pid = Pid::from_raw(pid).ok_or_else(io::Error::last_os_error)?;
                Ok(Self { pipe: write, pid })
            }
        }
    }

    /// Ends it: there is nothing to put back any more.
    pub(crate) fn dismiss(self) {
        // A guardian that somebody killed cannot be told, and need not be.
        let _ = rustix::io::write(&self.pipe, &[BYE]);
        drop(self.pipe);
        let _ = waitpid(Some(self.pid), WaitOptions::empty());
    }
}

/// The child. Every call is a plain system call.
fn watch(pipe: &OwnedFd, terminal: &OwnedFd, state: State) -> ! {
    // The program's other files, sockets and pipes must end with the program, and who ends the
    // program's group or session does not mean the guardian.
    // SAFETY: `setsid`, `signal`, `fcntl`, `dup2`, `chdir`, `close_range` and `close` are async-signal-safe system
    // calls; SIG_IGN is a valid disposition; the path is a C string. Descriptors 0 and 1 are the
    // child's own from here on, and no Rust value of the child owns one that is closed: it does not
    // return into code that has any.
    unsafe {
        libc::setsid();
        let gentle = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGPIPE];
        for s in gentle.into_iter().chain([libc::SIGUSR1, libc::SIGUSR2]) {
            libc::signal(s, libc::SIG_IGN);
        }
        // Twice by way of high numbers: either may be 0 or 1 itself.
        let high = |fd: &OwnedFd| libc::fcntl(fd.as_raw_fd(), libc::F_DUPFD, 10);
        let (p, t) = (high(pipe), high(terminal));
        libc::dup2(p, 0);
        libc::dup2(t, 1);
        if libc::syscall(libc::SYS_close_range, 2u32, u32::MAX, 0u32) != 0 {
            // A kernel before 5.9. So many files are the usual limit.
            for fd in 2..1024 {
                libc::close(fd);
            }
        }
        libc::chdir(c"/".as_ptr());
    }
    // SAFETY: both were opened above and are not closed before the end.
    let (pipe, terminal) = unsafe { (BorrowedFd::borrow_raw(0), BorrowedFd::borrow_raw(1)) };
    let mut word = [0u8];
    let read = loop {
        match rustix::io::read(pipe, &mut word) {
            Err(rustix::io::Errno::INTR) => {}
            other => break other,
        }
    };
    if read != Ok(1) || word != [BYE] {
        // Whoever died can answer no switch.
        let _ = set_switching(terminal, Switching::KERNEL);
        let _ = set(terminal, state);
    }
    // SAFETY: it ends the process at once; nothing of it is used after.
    unsafe { libc::_exit(0) }
}
