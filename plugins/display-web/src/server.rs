//! The server: one thread, one address, two paths. `/` is the page, `/ws` its socket.

use crate::gate::{Gate, Request};
use crate::wire::{Coding, MESSAGE_BYTES};
use crate::{Shared, client};
use axum::Router;
use axum::extract::{ConnectInfo, RawQuery, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::serve::ListenerExt;
use futures_util::future::select;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::thread::JoinHandle;
use tokio::sync::oneshot;
use zinc_hal::DisplayError;

/// The page; `{{title}}` and `{{version}}` are filled in.
const PAGE: &str = include_str!("page.html");

/// Nothing from elsewhere, in no one's frame, kept by nobody.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_TYPE, "text/html; charset=utf-8"),
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
         connect-src 'self'; img-src data: blob:; frame-ancestors 'none'; base-uri 'none'; \
         form-action 'none'",
    ),
];

#[derive(Clone)]
struct Serving {
    shared: Shared,
    gate: Arc<Gate>,
    page: Arc<str>,
}

/// The running thread; it ends when this is dropped.
pub(crate) struct Server {
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(t) = self.thread.take() {
            // A panic there has been printed.
            let _ = t.join();
        }
    }
}

/// The address that a name means. No name is looked up.
pub(crate) fn address(bind: &str) -> Result<IpAddr, DisplayError> {
    let bind = bind.trim();
    let bare = bind.strip_prefix('[').and_then(|b| b.strip_suffix(']')).unwrap_or(bind);
    if bare.eq_ignore_ascii_case("localhost") {
        return Ok(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    bare.parse().map_err(|_| {
        DisplayError::Unsupported(format!(
            "ZINC_WEB_BIND={bind} is no address: 127.0.0.1 is this machine only, 0.0.0.0 all \
             networks, or the address of one"
        ))
    })
}

/// Takes the address.
pub(crate) fn listen(at: SocketAddr) -> Result<TcpListener, DisplayError> {
    let listener = TcpListener::bind(at).map_err(|e| refused(at, &e))?;
    listener.set_nonblocking(true).map_err(|e| refused(at, &e))?;
    Ok(listener)
}

fn refused(at: SocketAddr, e: &std::io::Error) -> DisplayError {
    let port = at.port();
    let cure = match e.kind() {
        std::io::ErrorKind::AddrInUse => format!(
            "another program has the port (EADDRINUSE): stop it, or set ZINC_WEB_PORT={} (0 picks \
             a free one)",
            if port < 7700 { 7700 } else { port.saturating_add(1) }
        ),
        std::io::ErrorKind::PermissionDenied => {
            "ports below 1024 need rights: set ZINC_WEB_PORT=7700".to_owned()
        }
        std::io::ErrorKind::AddrNotAvailable => {
            "this machine has no such address: set ZINC_WEB_BIND".to_owned()
        }
        _ => "set ZINC_WEB_BIND or ZINC_WEB_PORT".to_owned(),
    };
    DisplayError::Unsupported(format!("cannot listen on {at}: {e}; {cure}"))
}

/// Starts the thread.
pub(crate) fn start(
    listener: TcpListener,
    gate: Gate,
    title: &str,
    shared: Shared,
) -> Result<Server, DisplayError> {
    let page = PAGE
        .replace("{{title}}", &escaped(title))
        .replace("{{version}}", &crate::wire::VERSION.to_string());
    let serving = Serving { shared, gate: Arc::new(gate), page: page.into() };
    let system =
        |cause| DisplayError::System { tried: "cannot start", on: "the web server".into(), cause };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()
        .map_err(system)?;
    let (end, ended) = oneshot::channel::<()>();
    let listener = {
        let _inside = runtime.enter();
        tokio::net::TcpListener::from_std(listener).map_err(system)?
    };
    let thread = std::thread::Builder::new().name("zinc-web".into()).spawn(move || {
        runtime.block_on(async {
            let serve = pin!(run(listener, serving));
            select(serve, ended).await;
        });
    });
    Ok(Server { end: Some(end), thread: Some(thread.map_err(system)?) })
}

async fn run(listener: tokio::net::TcpListener, serving: Serving) {
    let app = Router::new().route("/", get(page)).route("/ws", get(socket)).with_state(serving);
    // A frame waits for no other packet.
    let listener = listener.tap_io(|s| {
        let _ = s.set_nodelay(true);
    });
    let app = app.into_make_service_with_connect_info::<SocketAddr>();
    if let Err(e) = axum::serve(listener, app).await {
        tracing::error!("the web server ended: {e}");
    }
}

fn request<'a>(headers: &'a HeaderMap, query: &'a RawQuery) -> Request<'a> {
    let text = |name| headers.get(name).and_then(|v| v.to_str().ok());
    Request { host: text(header::HOST), origin: text(header::ORIGIN), query: query.0.as_deref() }
}

async fn page(State(s): State<Serving>, headers: HeaderMap, query: RawQuery) -> Response {
    if let Err(closed) = s.gate.check(request(&headers, &query)) {
        return (StatusCode::FORBIDDEN, format!("{closed}\n")).into_response();
    }
    (HEADERS, s.page.to_string()).into_response()
}

async fn socket(
    State(s): State<Serving>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    query: RawQuery,
    upgrade: WebSocketUpgrade,
) -> Response {
    if let Err(closed) = s.gate.check(request(&headers, &query)) {
        tracing::warn!("a page of {} is refused: {closed}", peer.ip());
        return (StatusCode::FORBIDDEN, format!("{closed}\n")).into_response();
    }
    let coding = if peer.ip().to_canonical().is_loopback() { Coding::Raw } else { Coding::Png };
    upgrade
        .max_message_size(MESSAGE_BYTES)
        .max_frame_size(MESSAGE_BYTES)
        .on_upgrade(move |socket| client::serve(socket, s.shared, coding))
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '{' => out.push_str("&#123;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_port_is_named_with_cause_and_cure() {
        let at = SocketAddr::new(address("localhost").unwrap(), 0);
        let first = listen(at).unwrap();
        let taken = first.local_addr().unwrap();
        let e = listen(taken).unwrap_err().to_string();
        for part in [&taken.to_string(), "EADDRINUSE", "stop it", "ZINC_WEB_PORT="] {
            assert!(e.contains(part), "{e}");
        }
    }

    #[test]
    fn addresses() {
        assert_eq!(address(" [::1] ").unwrap().to_string(), "::1");
        assert_eq!(address("0.0.0.0").unwrap().to_string(), "0.0.0.0");
        let e = address("board.example").unwrap_err().to_string();
        assert!(e.contains("ZINC_WEB_BIND=board.example"), "{e}");
    }

    #[test]
    fn a_title_stays_text() {
        assert_eq!(escaped("<b>\"{{version}}&"), "&lt;b&gt;&quot;&#123;&#123;version}}&amp;");
    }
}
