//! Who may come in. Without a token only this machine's own pages: the `Host` must name loopback
//! (a foreign name that resolves to 127.0.0.1 is DNS rebinding) and the `Origin` must be the page
//! that this server gave out (else any page of the web could open the socket). With a token the
//! name is free, for it may be a tunnel's, and the token opens. Bound elsewhere there always is a
//! token: given, or made of 128 random bits.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use zinc_hal::DisplayError;

/// Longest token.
const TOKEN_BYTES: usize = 256;

/// Why a request is refused, for the person who made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Closed {
    /// The `Host` header names another machine.
    #[error(
        "this address is open to this machine only; ask for http://127.0.0.1 or http://localhost, \
         or start the app with ZINC_WEB_TOKEN"
    )]
    Host,
    /// The `Origin` header names another page.
    #[error("another site's page may not drive this app")]
    Origin,
    /// No token, or another.
    #[error("the address lacks the right ?token=..., which the app prints when it starts")]
    Token,
}

/// What the checks look at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Request<'a> {
    pub(crate) host: Option<&'a str>,
    pub(crate) origin: Option<&'a str>,
    pub(crate) query: Option<&'a str>,
}

/// The door.
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    token: Option<String>,
}

impl Gate {
    /// A door for an address, with the token that is needed there.
    pub(crate) fn new(address: IpAddr, token: Option<String>) -> Result<Self, DisplayError> {
        let token = token.filter(|t| !t.is_empty());
        if let Some(t) = &token {
            let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.~".contains(&b);
            if t.len() > TOKEN_BYTES || !t.bytes().all(plain) {
                return Err(DisplayError::Unsupported(format!(
                    "ZINC_WEB_TOKEN has to fit into an address: up to {TOKEN_BYTES} letters, \
                     digits and - _ . ~"
                )));
            }
        }
        match token {
            None if !address.is_loopback() => Ok(Self { token: Some(random_token()?) }),
            token => Ok(Self { token }),
        }
    }

    /// The address to open in a browser.
    pub(crate) fn url(&self, at: SocketAddr) -> String {
        let ip = if at.ip().is_unspecified() { own_address() } else { Some(at.ip()) };
        let host = match ip {
            Some(ip) => SocketAddr::new(ip, at.port()).to_string(),
            None => format!("<this machine>:{}", at.port()),
        };
        match &self.token {
            Some(t) => format!("http://{host}/?token={t}"),
            None => format!("http://{host}/"),
        }
    }

    /// Lets a request in, or says why not.
    pub(crate) fn check(&self, r: Request<'_>) -> Result<(), Closed> {
        let host = r.host.unwrap_or_default();
        if let Some(origin) = r.origin {
            let of = origin.split_once("://").map(|(_, authority)| authority);
            if host.is_empty() || of.is_none_or(|o| !o.eq_ignore_ascii_case(host)) {
                return Err(Closed::Origin);
            }
        }
        match &self.token {
            Some(t) => token_of(r.query).filter(|given| same(given, t)).map(|_| ()),
            None if is_loopback(host) => return Ok(()),
            None => return Err(Closed::Host),
        }
        .ok_or(Closed::Token)
    }
}

/// `name`, `name:port` or `[address]:port` names this machine.
fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(v6) => v6.split_once(']').map_or("", |(a, _)| a),
        None => host.split_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn token_of(query: Option<&str>) -> Option<&str> {
    query?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Compares without telling by its time where they differ.
fn same(a: &str, b: &str) -> bool {
    let differ = a.bytes().zip(b.bytes()).fold(0, |d, (x, y)| d | (x ^ y));
    a.len() == b.len() && differ == 0
}

fn random_token() -> Result<String, DisplayError> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).map_err(|e| {
        DisplayError::Unsupported(format!("no random token can be made ({e}): set ZINC_WEB_TOKEN"))
    })?;
    Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
}

/// The address by which others reach this machine: no packet is sent to learn it.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn gate(token: Option<&str>) -> Gate {
        Gate::new(HERE, token.map(str::to_owned)).unwrap()
    }

    fn ask<'a>(host: &'a str, origin: Option<&'a str>, query: Option<&'a str>) -> Request<'a> {
        Request { host: Some(host), origin, query }
    }

    #[test]
    fn without_a_token_only_this_machine() {
        let g = gate(None);
        for host in ["127.0.0.1:7700", "localhost", "LOCALHOST:1", "[::1]:7700", "127.9.0.1"] {
            assert_eq!(g.check(ask(host, None, None)), Ok(()), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example:7700", "10.0.0.1", "", "[::2]:1"] {
            assert_eq!(g.check(ask(host, None, None)), Err(Closed::Host), "{host}");
        }
        assert_eq!(g.check(Request::default()), Err(Closed::Host));
    }

    #[test]
    fn only_its_own_page() {
        for g in [gate(None), gate(Some("t"))] {
            let from = |o| g.check(ask("localhost:7700", Some(o), Some("token=t")));
            assert_eq!(from("http://localhost:7700"), Ok(()));
            for o in ["http://evil.example", "http://localhost:80", "null", "file://", ""] {
                assert_eq!(from(o), Err(Closed::Origin), "{o}");
            }
        }
    }

    #[test]
    fn a_token_opens_under_any_name() {
        let g = gate(Some("s3cret"));
        let with = |q| g.check(ask("board.example:7700", None, q));
        assert_eq!(with(Some("token=s3cret")), Ok(()));
        assert_eq!(with(Some("a=b&token=s3cret")), Ok(()));
        for q in [None, Some(""), Some("token="), Some("token=s3cre"), Some("xtoken=s3cret")] {
            assert_eq!(with(q), Err(Closed::Token), "{q:?}");
        }
    }

    #[test]
    fn elsewhere_there_is_always_a_token() {
        let any = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let (a, b) = (Gate::new(any, None).unwrap(), Gate::new(any, Some(String::new())).unwrap());
        let token = a.token.clone().unwrap();
        assert_eq!(token.len(), 32);
        assert_ne!(a.token, b.token);
        let url = a.url(SocketAddr::new(HERE, 7700));
        assert_eq!(url, format!("http://127.0.0.1:7700/?token={token}"));
        let e = Gate::new(any, Some("a b".into())).unwrap_err().to_string();
        assert!(e.contains("ZINC_WEB_TOKEN"), "{e}");
    }
}
