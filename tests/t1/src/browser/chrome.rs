//! Chromium without a screen, and the DevTools protocol: one websocket to the browser, tabs as
//! flat sessions. A call waits for its own answer; events that come meanwhile are kept.

use super::{PATIENCE, Tab, until};
use serde_json::{Value, json};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

const PROGRAM: &str = "chromium";
const INSTALL: &str = "apt-get install -y --no-install-recommends chromium";

/// A running browser; it ends with the value.
#[derive(Debug)]
pub struct Chrome {
    child: Child,
    socket: WebSocket<TcpStream>,
    last: u64,
    events: Vec<Value>,
    // Removed after the browser has ended: fields are dropped in order.
    _profile: TempDir,
}

impl Drop for Chrome {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Chrome {
    /// Starts it with an empty profile.
    ///
    /// # Panics
    /// When it is not installed, with the command that installs it, or does not start.
    pub fn start() -> Self {
        let profile = tempfile::tempdir().expect("a temporary folder");
        let mut child = Command::new(PROGRAM)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"])
            .args(["--no-first-run", "--disable-background-networking"])
            .args(["--disable-component-update", "--disable-sync", "--hide-scrollbars"])
            .args(["--disable-renderer-backgrounding", "--disable-dev-shm-usage"])
            .args(["--disable-backgrounding-occluded-windows", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|e| {
                panic!("{PROGRAM} cannot be started ({e}). Install it:\n{INSTALL}")
            });
        let file = profile.path().join("DevToolsActivePort");
        let (port, path) = until("Chromium's DevTools port", || {
            if let Ok(Some(status)) = child.try_wait() {
                panic!("{PROGRAM} ended at once: {status}");
            }
            let text = std::fs::read_to_string(&file).ok()?;
            let (port, path) = text.split_once('\n')?;
            Some((port.trim().parse::<u16>().ok()?, path.trim().to_owned()))
        });
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("Chromium listens");
        stream.set_nodelay(true).expect("a socket option");
        let url = format!("ws://127.0.0.1:{port}{path}");
        let (socket, _) = tungstenite::client(url, stream).expect("Chromium speaks DevTools");
        Self { child, socket, last: 0, events: Vec::new(), _profile: profile }
    }

    /// Opens a page in a window of its own and waits for nothing.
    pub fn open(&mut self, url: &str, width: u32, height: u32) -> Tab {
        let blank = json!({ "url": "about:blank", "newWindow": true });
        let target = self.call(None, "Target.createTarget", blank)["targetId"].clone();
        let attach = json!({ "targetId": target, "flatten": true });
        let session = self.call(None, "Target.attachToTarget", attach)["sessionId"].clone();
        let tab = Tab::new(session.as_str().expect("a session").to_owned());
        for domain in ["Page", "Runtime", "Network"] {
            self.call(Some(tab.session()), &format!("{domain}.enable"), json!({}));
        }
        tab.resize(self, width, height, 1.0);
        self.call(Some(tab.session()), "Page.navigate", json!({ "url": url }));
        tab
    }

    /// Calls a method of the browser, or of a tab's session.
    ///
    /// # Panics
    /// When it is refused, or the browser is gone.
    #[track_caller]
    pub fn call(&mut self, session: Option<&str>, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        let mut call = json!({ "id": id, "method": method, "params": params });
        if let Some(s) = session {
            call["sessionId"] = json!(s);
        }
        self.socket.send(Message::text(call.to_string())).expect("Chromium listens");
        let start = Instant::now();
        loop {
            let left = PATIENCE.checked_sub(start.elapsed());
            let left = left.unwrap_or_else(|| panic!("{method}: no answer in {PATIENCE:?}"));
            let Some(mut v) = self.receive(left) else { continue };
            if v["id"] == id {
                assert!(v["error"].is_null(), "{method}: {}", v["error"]);
                return v["result"].take();
            }
            self.events.push(v);
        }
    }

    /// The next message within a time.
    fn receive(&mut self, within: Duration) -> Option<Value> {
        let within = within.max(Duration::from_millis(1));
        self.socket.get_ref().set_read_timeout(Some(within)).expect("a socket option");
        match self.socket.read() {
            Ok(Message::Text(t)) => Some(serde_json::from_str(&t).expect("Chromium sends JSON")),
            Ok(_) => None,
            Err(tungstenite::Error::Io(e))
                if matches!(
                    e.kind(),
                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                ) =>
            {
                None
            }
            Err(e) => panic!("Chromium is gone: {e}"),
        }
    }

    /// Listens for a while; the events of a tab with this name since the last call.
    pub fn events(&mut self, tab: &Tab, method: &str, during: Duration) -> usize {
        let start = Instant::now();
        while let Some(left) = during.checked_sub(start.elapsed()).filter(|d| !d.is_zero()) {
            if let Some(v) = self.receive(left) {
                self.events.push(v);
            }
        }
        let is = |v: &Value| v["sessionId"] == tab.session() && v["method"] == method;
        let before = self.events.len();
        self.events.retain(|v| !is(v));
        before - self.events.len()
    }
}
