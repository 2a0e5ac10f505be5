//! The kernel's word that something was plugged in: datagrams of a netlink socket, which need no
//! udev and no right. A kernel without them is lived with: who waits for a screen asks again anyway.

use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::net::netlink::{KOBJECT_UEVENT, SocketAddrNetlink};
use rustix::net::{AddressFamily, RecvFlags, SocketFlags, SocketType, bind, recv, socket_with};

/// Uevents of the kernel.
#[derive(Debug)]
pub struct Uevents(OwnedFd);

impl Uevents {
    /// Listens.
    ///
    /// # Errors
    /// The system's answer, as of a kernel without netlink.
    pub fn open() -> std::io::Result<Self> {
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let (family, kind) = (AddressFamily::NETLINK, SocketType::DGRAM);
        let s = socket_with(family, kind, flags, Some(KOBJECT_UEVENT))?;
        // Group 1 is the kernel itself; group 2 would be udev.
        bind(&s, &SocketAddrNetlink::new(0, 1))?;
        Ok(Self(s))
    }

    /// Takes what was said; something of it was about a card. Never waits.
    pub fn take(&self) -> bool {
        let mut card = false;
        let mut bytes = [0u8; 4096];
        // Lost datagrams are an error once; there may be others behind it.
        for _ in 0..1000 {
            match recv(&self.0, &mut bytes[..], RecvFlags::empty()) {
                Ok((n, _)) => card |= is_card(&bytes[..n.min(4096)]),
                Err(rustix::io::Errno::AGAIN) => break,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => card = true,
            }
        }
        card
    }
}

/// Fields are words with a 0 behind each.
fn is_card(datagram: &[u8]) -> bool {
    datagram.split(|b| *b == 0).any(|w| w == b"SUBSYSTEM=drm")
}

impl AsFd for Uevents {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::is_card;

    #[test]
    fn only_cards_count() {
        assert!(is_card(b"change@/devices/x\0ACTION=change\0SUBSYSTEM=drm\0HOTPLUG=1\0"));
        assert!(!is_card(b"add@/devices/x\0SUBSYSTEM=drm_dp_aux_dev\0"));
        assert!(!is_card(b""));
    }
}
