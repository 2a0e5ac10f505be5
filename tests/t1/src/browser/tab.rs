//! A tab that shows the app: what its canvas holds, and a person's hands. Positions are CSS
//! pixels of the window for hands, surface pixels for the picture.

use super::{Chrome, until};
use serde_json::{Value, json};
use std::time::Duration;

/// Functions that read the canvas. `h` is FNV-1a 32 of a box's bytes.
const EYES: &str = r"(() => {
  const c = document.getElementById('screen');
  const data = (x, y, w, h) => c.getContext('2d').getImageData(x, y, w, h).data;
  const at = (d, i) => '#' + [0, 1, 2].map(k => d[i + k].toString(16).padStart(2, '0')).join('');
  return {
    pixel: (x, y) => at(data(x, y, 1, 1), 0),
    hash: (x, y, w, h) => data(x, y, w, h).reduce((a, b) => Math.imul(a ^ b, 16777619) >>> 0, 2166136261),
    count: (color, x, y, w, h) => {
      const d = data(x, y, w, h);
      let n = 0;
      for (let i = 0; i < d.length; i += 4) n += at(d, i) === color;
      return n;
    },
    // The middle of a disc of colour: a place whose neighbourhood of r pixels is all strong colour.
    disc: (r, x, y, w, h) => {
      const d = data(x, y, w, h);
      const strong = (px, py) => {
        const i = (py * w + px) * 4;
        return Math.max(d[i], d[i + 1], d[i + 2]) - Math.min(d[i], d[i + 1], d[i + 2]) > 60;
      };
      for (let py = r; py < h - r; py += 2) for (let px = r; px < w - r; px += 2) {
        if ([[0, 0], [r, 0], [-r, 0], [0, r], [0, -r]].every(([a, b]) => strong(px + a, py + b))) return [x + px, y + py];
      }
      return null;
    },
  };
})()";

/// A tab.
#[derive(Clone, Debug)]
pub struct Tab {
    session: String,
}

/// A box of the surface: x, y, width, height.
pub type Area = (u32, u32, u32, u32);

impl Tab {
    pub(super) fn new(session: String) -> Self {
        Self { session }
    }

    /// Its name in the protocol.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Calls a method of this tab.
    #[track_caller]
    pub fn call(&self, c: &mut Chrome, method: &str, params: Value) -> Value {
        c.call(Some(&self.session), method, params)
    }

    /// Gives the window another size, in CSS pixels, and screen pixels per CSS pixel.
    pub fn resize(&self, c: &mut Chrome, width: u32, height: u32, ratio: f64) {
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": ratio, "mobile": false,
        });
        self.call(c, "Emulation.setDeviceMetricsOverride", size);
    }

    // ---- Eyes.

    /// The value of an expression in the page.
    ///
    /// # Panics
    /// When it throws.
    #[track_caller]
    pub fn eval(&self, c: &mut Chrome, expression: &str) -> Value {
        let params = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true,
            "userGesture": true,
        });
        let mut v = self.call(c, "Runtime.evaluate", params);
        assert!(v["exceptionDetails"].is_null(), "{expression}: {}", v["exceptionDetails"]);
        v["result"]["value"].take()
    }

    #[track_caller]
    fn look(&self, c: &mut Chrome, what: &str) -> Value {
        self.eval(c, &format!("{EYES}.{what}"))
    }

    /// The colour of a pixel, as `#rrggbb`.
    #[track_caller]
    pub fn pixel(&self, c: &mut Chrome, x: u32, y: u32) -> String {
        self.look(c, &format!("pixel({x},{y})")).as_str().unwrap_or_default().to_owned()
    }

    /// A hash of a box.
    #[track_caller]
    pub fn hash(&self, c: &mut Chrome, (x, y, w, h): Area) -> u64 {
        self.look(c, &format!("hash({x},{y},{w},{h})")).as_u64().unwrap_or_default()
    }

    /// Pixels of a colour in a box.
    #[track_caller]
    pub fn count(&self, c: &mut Chrome, color: &str, (x, y, w, h): Area) -> u64 {
        self.look(c, &format!("count('{color}',{x},{y},{w},{h})")).as_u64().unwrap_or_default()
    }

    /// A place in a box whose neighbourhood of `r` pixels is all strong colour.
    #[track_caller]
    pub fn disc(&self, c: &mut Chrome, r: u32, (x, y, w, h): Area) -> Option<(f64, f64)> {
        let v = self.look(c, &format!("disc({r},{x},{y},{w},{h})"));
        Some((v[0].as_f64()?, v[1].as_f64()?))
    }

    /// Size of the surface that the page shows; nothing before its first frame.
    #[track_caller]
    pub fn surface(&self, c: &mut Chrome) -> Option<(u32, u32)> {
        let v = self.eval(
            c,
            "(s => window.zincFrames > 0 ? [s.width, s.height] : null)\
             (document.getElementById('screen'))",
        );
        Some((v[0].as_u64()? as u32, v[1].as_u64()? as u32))
    }

    /// Waits for the first frame of a size.
    #[track_caller]
    pub fn wait_for_surface(&self, c: &mut Chrome, width: u32, height: u32) {
        until(&format!("a frame of {width}x{height}"), || {
            (self.surface(c) == Some((width, height))).then_some(())
        });
    }

    /// Frames that have come so far.
    #[track_caller]
    pub fn frames(&self, c: &mut Chrome) -> u64 {
        self.eval(c, "window.zincFrames").as_u64().unwrap_or_default()
    }

    /// Waits until no frame has come for a while.
    #[track_caller]
    pub fn settle(&self, c: &mut Chrome) {
        let mut last = u64::MAX;
        let mut calm = 0;
        until("the picture comes to rest", || {
            let now = self.frames(c);
            calm = if now == last { calm + 1 } else { 0 };
            last = now;
            std::thread::sleep(Duration::from_millis(60));
            (calm >= 8).then_some(())
        });
    }

    /// Waits for all but a blinking caret: its frames come twice a second at most.
    #[track_caller]
    pub fn settle_but_for_the_caret(&self, c: &mut Chrome) {
        until("the picture comes to rest", || {
            let before = self.frames(c);
            std::thread::sleep(Duration::from_millis(150));
            (self.frames(c) <= before + 1).then_some(())
        });
    }

    /// The window's picture as PNG bytes, in base64.
    pub fn screenshot(&self, c: &mut Chrome) -> String {
        let v = self.call(c, "Page.captureScreenshot", json!({ "format": "png" }));
        v["data"].as_str().unwrap_or_default().to_owned()
    }

    // ---- Hands.

    /// One event of the mouse: `mouseMoved`, `mousePressed`, `mouseReleased`.
    pub fn mouse(&self, c: &mut Chrome, kind: &str, (x, y): (f64, f64), down: bool) {
        let button = if kind == "mouseMoved" && !down { "none" } else { "left" };
        let params = json!({
            "type": kind, "x": x, "y": y, "button": button, "buttons": down as u8, "clickCount": 1,
        });
        self.call(c, "Input.dispatchMouseEvent", params);
    }

    /// A click.
    pub fn click(&self, c: &mut Chrome, at: (f64, f64)) {
        self.mouse(c, "mouseMoved", at, false);
        self.mouse(c, "mousePressed", at, true);
        self.mouse(c, "mouseReleased", at, false);
    }

    /// A turn of the wheel.
    pub fn wheel(&self, c: &mut Chrome, (x, y): (f64, f64), dy: f64) {
        let params = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": dy });
        self.call(c, "Input.dispatchMouseEvent", params);
    }

    /// Fingers: `touchStart`, `touchMove`, `touchEnd`, `touchCancel`.
    pub fn touch(&self, c: &mut Chrome, kind: &str, at: &[(f64, f64)]) {
        let points = at.iter().enumerate();
        let points: Vec<_> = points.map(|(i, (x, y))| json!({ "x": x, "y": y, "id": i })).collect();
        self.call(c, "Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
    }

    /// Two fingers go from one distance to another about a middle, rest, and lift.
    pub fn pinch(&self, c: &mut Chrome, (x, y): (f64, f64), from: f64, to: f64) {
        let pair = |d: f64| [(x - d * 0.5, y), (x + d * 0.5, y)];
        self.touch(c, "touchStart", &pair(from));
        for i in 1..=10 {
            self.touch(c, "touchMove", &pair(from + (to - from) * f64::from(i) / 10.0));
        }
        // Fingers that rest before they lift throw nothing.
        std::thread::sleep(Duration::from_millis(200));
        self.touch(c, "touchEnd", &[]);
    }

    /// A key goes down and up. `text` is what it writes; modifiers: 1 alt, 2 control, 8 shift.
    pub fn key(&self, c: &mut Chrome, name: &str, text: &str, modifiers: u8) {
        let code = name.chars().next().map_or(0, |ch| ch.to_ascii_uppercase() as u32);
        let code = match name {
            "Enter" => 13,
            "Backspace" => 8,
            "Tab" => 9,
            "Escape" => 27,
            _ => code,
        };
        let mut params = json!({
            "type": "keyDown", "key": name, "code": format!("Key{name}"), "modifiers": modifiers,
            "windowsVirtualKeyCode": code,
        });
        if !text.is_empty() {
            params["text"] = json!(text);
        }
        self.call(c, "Input.dispatchKeyEvent", params.clone());
        params["type"] = json!("keyUp");
        if let Some(p) = params.as_object_mut() {
            p.remove("text");
        }
        self.call(c, "Input.dispatchKeyEvent", params);
    }

    /// Types, key by key.
    pub fn type_text(&self, c: &mut Chrome, text: &str) {
        for ch in text.chars() {
            self.key(c, &ch.to_string(), &ch.to_string(), 0);
        }
    }
}
