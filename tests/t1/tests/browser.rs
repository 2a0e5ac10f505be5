//! The web display in a real browser: hero in headless Chromium, driven by its own input and
//! judged by its canvas. A test takes 2 to 15 seconds; the one about rest watches for ten.
//!
//! Chromium has to be installed: `apt-get install -y --no-install-recommends chromium`.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use zinc_t1::browser::{Area, Chrome, Live, Tab, until};

/// The middle of a screen's button in the sidebar.
const HOME: (f64, f64) = (100.0, 104.0);
const GALLERY: (f64, f64) = (100.0, 156.0);
const PLAYGROUND: (f64, f64) = (100.0, 208.0);
const TASKS: (f64, f64) = (100.0, 260.0);
const SIDEBAR: Area = (0, 0, 232, 700);
/// The screen below the top bar of a window of 1100x700.
const STAGE: Area = (240, 66, 850, 630);
/// The piece of the gallery that is open.
const PIECE: Area = (258, 66, 816, 530);

/// A pixel of the button's ground, clear of its word.
fn ground(button: (f64, f64)) -> (u32, u32) {
    (200, button.1 as u32)
}

#[track_caller]
fn selected(c: &mut Chrome, t: &Tab, on: (f64, f64), off: (f64, f64)) {
    let ((x, y), (ox, oy)) = (ground(on), ground(off));
    until("the sidebar's selection moves", || {
        let (on, off) = (t.pixel(c, x, y), t.pixel(c, ox, oy));
        (on != "#ffffff" && off == "#ffffff").then_some(())
    });
}

fn open(switches: &[(&str, &str)]) -> (Live, Chrome, Tab) {
    let hero = Live::hero(switches);
    let mut c = Chrome::start();
    let tab = c.open(&hero.url(), 1100, 700);
    tab.wait_for_surface(&mut c, 1100, 700);
    (hero, c, tab)
}

#[test]
fn the_page_shows_hero_and_the_gallery_answers_mouse_and_fingers() {
    let (_hero, mut c, t) = open(&[("ZINC_DEMO", "home")]);
    let c = &mut c;
    assert_eq!(t.eval(c, "document.title"), "hero");
    assert_eq!(t.eval(c, "document.getElementById('screen').getAttribute('aria-label')"), "hero");
    selected(c, &t, HOME, GALLERY);
    let home = t.hash(c, STAGE);

    t.click(c, GALLERY);
    selected(c, &t, GALLERY, HOME);
    t.settle(c);
    let cards = t.hash(c, STAGE);
    assert_ne!(cards, home);

    // Wheel between the cards: they move; back, and all is as it was.
    let between = (529.0, 366.0);
    t.mouse(c, "mouseMoved", between, false);
    t.settle(c);
    let cards = t.hash(c, STAGE);
    t.wheel(c, between, 16.0);
    until("the cards scroll", || (t.hash(c, STAGE) != cards).then_some(()));
    t.wheel(c, between, -400.0);
    t.settle(c);
    assert_eq!(t.hash(c, STAGE), cards);

    // The first card grows into the open piece, which fills its frame.
    t.click(c, (380.0, 200.0));
    t.settle(c);
    let all = u64::from(PIECE.2 * PIECE.3);
    let corner = (PIECE.0 + 40, PIECE.1 + 30);
    let full = t.pixel(c, corner.0, corner.1);

    // Two fingers halve it, then make it half as large again.
    let middle = (666.0, 331.0);
    t.pinch(c, middle, 400.0, 200.0);
    t.settle(c);
    let ground = t.pixel(c, corner.0, corner.1);
    assert_ne!(ground, full, "the piece leaves the corner");
    let small = all - t.count(c, &ground, PIECE);
    assert!((0.2..0.35).contains(&(small as f64 / all as f64)), "{small} of {all}");
    t.pinch(c, middle, 200.0, 300.0);
    t.settle(c);
    let grown = (all - t.count(c, &ground, PIECE)) as f64 / small as f64;
    assert!((1.8..2.6).contains(&grown), "grown {grown} times");

    // A contact that is lost clicks nothing; one that lifts does.
    t.touch(c, "touchStart", &[HOME]);
    t.touch(c, "touchCancel", &[]);
    t.settle(c);
    selected(c, &t, GALLERY, HOME);
    t.touch(c, "touchStart", &[HOME]);
    t.touch(c, "touchEnd", &[]);
    selected(c, &t, HOME, GALLERY);
}

#[test]
fn a_task_is_typed_pasted_and_copied() {
    let (_hero, mut c, t) = open(&[("ZINC_DEMO", "home")]);
    let c = &mut c;
    t.click(c, TASKS);
    selected(c, &t, TASKS, HOME);
    t.settle(c);
    let field: Area = (262, 68, 560, 44);
    let row: Area = (270, 190, 700, 50);
    let empty = t.hash(c, field);
    let first = t.hash(c, row);
    t.click(c, (500.0, 90.0));
    t.type_text(c, "Buy zinc");
    until("the field holds the text", || (t.hash(c, field) != empty).then_some(()));
    t.settle_but_for_the_caret(c);
    let typed = t.hash(c, field);

    // An input method's text, a paste, and away with them.
    t.call(c, "Input.insertText", serde_json::json!({ "text": "ßé" }));
    until("an input method writes", || (t.hash(c, field) != typed).then_some(()));
    t.settle_but_for_the_caret(c);
    let before = t.hash(c, field);
    t.eval(
        c,
        "(d => (d.setData('text/plain', ' pasted'), document.getElementById('keys')\
         .dispatchEvent(new ClipboardEvent('paste', { clipboardData: d, cancelable: true }))))\
         (new DataTransfer())",
    );
    until("a paste arrives", || (t.hash(c, field) != before).then_some(()));

    // Copy: what the app holds reaches the browser's clipboard.
    t.eval(c, "navigator.clipboard.writeText = s => (window.copied = s, Promise.resolve())");
    t.key(c, "a", "", 2);
    t.key(c, "c", "", 2);
    let copied = until("the clipboard is set", || {
        t.eval(c, "window.copied || null").as_str().map(str::to_owned)
    });
    assert_eq!(copied, "Buy zincßé pasted");

    t.key(c, "Enter", "\r", 0);
    until("a new row is first", || (t.hash(c, row) != first).then_some(()));
    t.key(c, "x", "x", 0);
    t.key(c, "Backspace", "", 0);
    t.click(c, GALLERY);
    selected(c, &t, GALLERY, TASKS);
}

#[test]
fn a_ball_is_dragged() {
    let (_hero, mut c, t) = open(&[("ZINC_DEMO", "home")]);
    let c = &mut c;
    t.click(c, PLAYGROUND);
    selected(c, &t, PLAYGROUND, HOME);
    t.settle(c);
    let floor: Area = (262, 560, 800, 110);
    let (x, y) = t.disc(c, 12, floor).expect("a ball lies on the floor");
    let up = (x, y - 300.0);
    let around = (up.0 as u32 - 8, up.1 as u32 - 8, 16, 16);
    assert!(t.disc(c, 4, around).is_none(), "nothing is up there yet");
    t.mouse(c, "mouseMoved", (x, y), false);
    t.mouse(c, "mousePressed", (x, y), true);
    for i in 1..=15 {
        t.mouse(c, "mouseMoved", (x, y - 20.0 * f64::from(i)), true);
    }
    until("the ball is up there", || t.disc(c, 4, around));
    // Held still it stays, whatever its fellows do.
    t.settle(c);
    assert!(t.disc(c, 4, around).is_some(), "it is held");
    t.mouse(c, "mouseReleased", up, false);
    until("it falls", || t.disc(c, 4, around).is_none().then_some(()));
}

#[test]
fn at_rest_no_frame_no_message_and_no_wakeup() {
    let (hero, mut c, t) = open(&[("ZINC_DEMO", "settings")]);
    let c = &mut c;
    t.settle(c);
    // What the last input began has ended: hints, timers of the page's joining.
    std::thread::sleep(Duration::from_secs(2));
    c.events(&t, "Network.webSocketFrameReceived", Duration::ZERO);
    c.events(&t, "Network.webSocketFrameSent", Duration::ZERO);
    let (frames, switches) = (t.frames(c), hero.switches());
    let received = c.events(&t, "Network.webSocketFrameReceived", Duration::from_secs(10));
    let woken = hero.switches() - switches;
    assert_eq!(t.frames(c) - frames, 0, "frames in 10 s");
    assert_eq!(received, 0, "messages to the page in 10 s");
    assert_eq!(c.events(&t, "Network.webSocketFrameSent", Duration::ZERO), 0, "and from it");
    assert_eq!(woken, 0, "times that any of hero's threads ran in 10 s");
    // And it was not asleep for good.
    t.click(c, GALLERY);
    selected(c, &t, GALLERY, HOME);
    assert!(t.frames(c) > frames);
}

#[test]
fn the_window_is_followed_and_a_reload_shows_the_same() {
    let (_hero, mut c, t) = open(&[("ZINC_DEMO", "settings")]);
    let c = &mut c;
    t.resize(c, 800, 480, 1.0);
    t.wait_for_surface(c, 800, 480);
    t.resize(c, 1000, 600, 1.5);
    t.wait_for_surface(c, 1500, 900);
    assert_eq!(t.eval(c, "document.getElementById('screen').getBoundingClientRect().width"), 1000);
    // Positions follow the screen's ratio.
    t.click(c, GALLERY);
    until("the gallery is selected", || (t.pixel(c, 300, 234) != "#ffffff").then_some(()));
    t.click(c, (100.0, 312.0));
    until("settings are selected", || (t.pixel(c, 300, 234) == "#ffffff").then_some(()));
    t.resize(c, 1100, 700, 1.0);
    t.wait_for_surface(c, 1100, 700);
    t.settle(c);
    let before = t.hash(c, (0, 0, 1100, 700));
    t.call(c, "Page.reload", serde_json::json!({}));
    until("the page is new", || (t.eval(c, "window.zincFrames || 0") == 1).then_some(()));
    t.settle(c);
    assert_eq!(t.hash(c, (0, 0, 1100, 700)), before);
}

#[test]
fn a_second_page_sees_and_does_the_same() {
    let (hero, mut c, first) = open(&[("ZINC_DEMO", "settings")]);
    let c = &mut c;
    first.settle(c);
    let frames = first.frames(c);
    let second = c.open(&hero.url(), 1100, 700);
    second.wait_for_surface(c, 1100, 700);
    second.settle(c);
    let all: Area = (0, 0, 1100, 700);
    assert_eq!(first.hash(c, all), second.hash(c, all));
    assert_eq!(first.frames(c), frames, "the first page was not disturbed");
    second.click(c, GALLERY);
    selected(c, &first, GALLERY, HOME);
    first.settle(c);
    second.settle(c);
    assert_eq!(first.hash(c, SIDEBAR), second.hash(c, SIDEBAR));
    assert_eq!(first.hash(c, all), second.hash(c, all));
}

#[test]
fn a_fixed_surface_is_centred_fitted_and_still_hit() {
    let hero = Live::hero(&[("ZINC_DEMO", "home"), ("ZINC_SIZE", "1100x700")]);
    let mut c = Chrome::start();
    let c = &mut c;
    let t = c.open(&hero.url(), 550, 550);
    t.wait_for_surface(c, 1100, 700);
    let place = "(r => [r.left, r.top, r.width, r.height].join())\
                 (document.getElementById('screen').getBoundingClientRect())";
    assert_eq!(t.eval(c, place), "0,100,550,350");
    t.click(c, (GALLERY.0 * 0.5, 100.0 + GALLERY.1 * 0.5));
    selected(c, &t, GALLERY, HOME);
    t.resize(c, 1300, 720, 1.0);
    until("it is centred", || (t.eval(c, place) == "100,10,1100,700").then_some(()));
    assert_eq!(t.surface(c), Some((1100, 700)));
}

#[test]
fn when_the_app_comes_back_so_does_the_picture() {
    let (hero, mut c, t) = open(&[("ZINC_DEMO", "settings")]);
    let c = &mut c;
    t.settle(c);
    let before = t.hash(c, STAGE);
    let host = hero.host();
    let port = host.rsplit(':').next().expect("a port");
    drop(hero);
    let bar = "document.getElementById('bar').className";
    until("the page says so", || (t.eval(c, bar) == "on").then_some(()));
    let frames = t.frames(c);
    let _again = Live::hero(&[("ZINC_DEMO", "settings"), ("ZINC_WEB_PORT", port)]);
    until("the page is back", || (t.frames(c) > frames).then_some(()));
    t.settle(c);
    assert_eq!(t.eval(c, bar), "");
    assert_eq!(t.hash(c, STAGE), before);
}

const UPGRADE: &str = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                       Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";

/// The status of an answer to a request.
fn status(host: &str, path: &str, headers: &str) -> String {
    let mut s = TcpStream::connect(host).expect("hero listens");
    s.set_read_timeout(Some(Duration::from_secs(10))).expect("a socket option");
    let upgrade = if path.starts_with("/ws") { UPGRADE } else { "" };
    write!(s, "GET {path} HTTP/1.1\r\n{headers}{upgrade}\r\n").expect("sent");
    let mut head = [0; 12];
    s.read_exact(&mut head).expect("an answer");
    String::from_utf8_lossy(&head[9..]).into_owned()
}

#[test]
fn strangers_are_refused() {
    let hero = Live::hero(&[("ZINC_DEMO", "settings")]);
    let host = hero.host();
    let own = format!("Host: {host}\r\n");
    let foreign = format!("{own}Origin: http://evil.example\r\n");
    assert_eq!(status(&host, "/", &own), "200");
    assert_eq!(status(&host, "/", &foreign), "403");
    assert_eq!(status(&host, "/ws", &format!("{own}Origin: http://{host}\r\n")), "101");
    assert_eq!(status(&host, "/ws", &foreign), "403");
    assert_eq!(status(&host, "/ws", &format!("{own}Origin: null\r\n")), "403");
    for path in ["/", "/ws"] {
        assert_eq!(status(&host, path, "Host: evil.example\r\n"), "403", "{path}");
    }
}

#[test]
fn a_page_that_talks_nonsense_is_sent_away() {
    let hero = Live::hero(&[("ZINC_DEMO", "settings")]);
    let host = hero.host();
    let hello: Vec<u8> =
        [&[1, 1, 1, 0, 0x20, 3, 0, 0, 0xe0, 1, 0, 0][..], &1f32.to_le_bytes()].concat();
    let cases: [(&str, &[&[u8]], u16); 5] = [
        ("no hello", &[&[3, 1]], 4002),
        ("another version", &[&[1, 99, 1, 0]], 4001),
        ("an unknown message", &[&hello, &[0x77; 9]], 4002),
        ("a second hello", &[&hello, &hello], 4002),
        ("not a number", &[&hello, &[0xff; 13]], 4002),
    ];
    for (what, messages, code) in cases {
        assert_eq!(answer(&host, messages), Some(code), "{what}");
    }
    // Beyond the limit nothing is read at all.
    answer(&host, &[&hello, &vec![0x14; 100 << 10]]);
    assert_eq!(status(&host, "/", &format!("Host: {host}\r\n")), "200");
}

/// Sends messages to the page's socket; the code of its goodbye.
fn answer(host: &str, messages: &[&[u8]]) -> Option<u16> {
    use tungstenite::Message;
    let stream = TcpStream::connect(host).expect("hero listens");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a socket option");
    let (mut socket, _) = tungstenite::client(format!("ws://{host}/ws"), stream).expect("a socket");
    for m in messages {
        socket.send(Message::binary(m.to_vec())).expect("sent");
    }
    loop {
        match socket.read() {
            Ok(Message::Close(frame)) => return frame.map(|f| f.code.into()),
            Ok(_) => {}
            Err(_) => return None,
        }
    }
}

#[test]
fn a_busy_port_is_named() {
    let hero = Live::hero(&[("ZINC_DEMO", "settings")]);
    let host = hero.host();
    let port = host.rsplit(':').next().expect("a port");
    let mut second = Live::hero(&[("ZINC_WEB_PORT", port)]);
    assert!(!second.ended().success());
    for part in [host.as_str(), "EADDRINUSE", "ZINC_WEB_PORT="] {
        until("the busy port is named", || second.log().contains(part).then_some(()));
    }
}

#[test]
fn a_wrong_token_is_refused_and_the_right_one_opens() {
    let hero = Live::hero(&[("ZINC_DEMO", "settings"), ("ZINC_WEB_TOKEN", "s3cret")]);
    let (host, url) = (hero.host(), hero.url());
    assert!(url.ends_with("/?token=s3cret"), "{url}");
    let own = format!("Host: {host}\r\n");
    for path in ["/", "/?token=wrong", "/?token=", "/ws", "/ws?token=wrong"] {
        assert_eq!(status(&host, path, &own), "403", "{path}");
    }
    assert_eq!(status(&host, "/ws?token=s3cret", &own), "101");
    let mut c = Chrome::start();
    let wrong = c.open(&format!("http://{host}/?token=wrong"), 400, 300);
    until("the refusal is shown", || {
        let text = wrong.eval(&mut c, "document.body ? document.body.innerText : ''");
        text.as_str()?.contains("?token=").then_some(())
    });
    let right = c.open(&url, 800, 480);
    right.wait_for_surface(&mut c, 800, 480);
}

#[test]
fn over_the_network_the_picture_is_the_same() {
    let hero = Live::hero(&[("ZINC_DEMO", "settings"), ("ZINC_WEB_BIND", "0.0.0.0")]);
    let (url, host) = (hero.url(), hero.host());
    let token = url.split_once("?token=").expect("a token was made").1.to_owned();
    assert_eq!(token.len(), 32);
    let port = host.rsplit(':').next().expect("a port");
    let near = format!("http://127.0.0.1:{port}/?token={token}");
    // Without a network the address of loopback stands for it.
    let far = if host.starts_with('<') { near.clone() } else { url };
    let mut c = Chrome::start();
    let c = &mut c;
    let (near, far) = (c.open(&near, 1100, 700), c.open(&far, 1100, 700));
    for t in [&near, &far] {
        t.wait_for_surface(c, 1100, 700);
        t.settle(c);
    }
    let all: Area = (0, 0, 1100, 700);
    assert_eq!(near.hash(c, all), far.hash(c, all));
    far.click(c, GALLERY);
    selected(c, &near, GALLERY, HOME);
    near.settle(c);
    far.settle(c);
    assert_eq!(near.hash(c, all), far.hash(c, all));
}
