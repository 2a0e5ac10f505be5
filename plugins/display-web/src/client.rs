//! One page's socket: two loops on one task, one reads what the person does, one writes frames.
//! At rest both sleep without a timer; a timer runs only while a frame is in flight (five
//! seconds, to notice a page that has stopped) and until the page has said hello.

use crate::hub::{Hub, STALL};
use crate::pixels::Cutter;
use crate::wire::{self, Coding, FromPage, Refused};
use crate::{Shared, lock};
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use bytes::Bytes;
use futures_util::future::{Either, select};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use std::pin::pin;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::timeout;
use zinc_hal::InputEvent;

/// A socket that has not said hello by then is closed.
const HELLO: Duration = Duration::from_secs(5);

/// Why a socket is closed, as the page is told. 4001 makes it load itself anew; after 4003 it
/// does not come back by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bye {
    /// It went by itself, or the network did.
    Gone,
    Version,
    Form,
    Full,
}

impl Bye {
    fn frame(self) -> Option<CloseFrame> {
        let (code, reason) = match self {
            Bye::Gone => return None,
            Bye::Version => (4001, "another version"),
            Bye::Form => (4002, "not understood"),
            Bye::Full => (4003, "too many pages are open"),
        };
        Some(CloseFrame { code, reason: reason.into() })
    }
}

impl From<Refused> for Bye {
    fn from(r: Refused) -> Self {
        match r {
            Refused::Version => Bye::Version,
            Refused::Form => Bye::Form,
        }
    }
}

/// Serves a page until it goes.
pub(crate) async fn serve(socket: WebSocket, shared: Shared, coding: Coding) {
    let (mut to, mut from) = socket.split();
    let bye = talk(&mut to, &mut from, &shared, coding).await;
    if let Some(frame) = bye.frame() {
        tracing::warn!("a page is sent away: {}", frame.reason);
        let _ = to.send(Message::Close(Some(frame))).await;
    }
}

async fn talk(
    to: &mut SplitSink<WebSocket, Message>,
    from: &mut SplitStream<WebSocket>,
    shared: &Shared,
    coding: Coding,
) -> Bye {
    let hello = match timeout(HELLO, next(from)).await {
        Ok(Ok(m)) => m,
        Ok(Err(bye)) => return bye,
        Err(_) => return Bye::Form,
    };
    let FromPage::Hello { visible, window } = hello else { return Bye::Form };
    let Some((page, notify)) = lock(shared).join(visible, window) else { return Bye::Full };
    // Leaves also when the task is dropped at the program's end.
    let here = Here { shared, page };
    let reading = pin!(read(from, shared, here.page));
    let writing = pin!(write(to, shared, here.page, &notify, coding));
    match select(reading, writing).await {
        Either::Left((bye, _)) => bye,
        Either::Right(_) => Bye::Gone,
    }
}

/// A page that has joined.
struct Here<'a> {
    shared: &'a Shared,
    page: usize,
}

impl Drop for Here<'_> {
    fn drop(&mut self) {
        lock(self.shared).leave(self.page);
    }
}

/// The next message of the page.
async fn next(from: &mut SplitStream<WebSocket>) -> Result<FromPage, Bye> {
    loop {
        match from.next().await {
            Some(Ok(Message::Binary(b))) => return Ok(wire::decode(&b)?),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(Message::Text(_))) => return Err(Bye::Form),
            Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Bye::Gone),
        }
    }
}

async fn read(from: &mut SplitStream<WebSocket>, shared: &Shared, page: usize) -> Bye {
    loop {
        let message = match next(from).await {
            Ok(m) => m,
            Err(bye) => return bye,
        };
        let mut hub = lock(shared);
        if !take(&mut hub, page, message) {
            return Bye::Form;
        }
    }
}

/// Takes a message; `false` when it comes out of order.
fn take(hub: &mut Hub, page: usize, message: FromPage) -> bool {
    match message {
        FromPage::Hello { .. } => return false,
        FromPage::Resize(window) => hub.set_window(page, window),
        FromPage::Visible(v) => hub.set_visible(page, v),
        FromPage::Shown(sequence) => hub.shown(page, sequence),
        FromPage::Pointer { id, kind, phase, button, at } => {
            hub.point(page, (id, kind), phase, button, at);
        }
        FromPage::Wheel { at: position, delta } => {
            hub.act(page, InputEvent::Wheel(zinc_hal::WheelEvent { position, delta }));
        }
        FromPage::Key { key: None, .. } => {}
        FromPage::Key { down: true, modifiers, key: Some(key) } => {
            hub.act(page, InputEvent::KeyDown { key, modifiers });
        }
        FromPage::Key { down: false, key: Some(key), .. } => {
            hub.act(page, InputEvent::KeyUp { key });
        }
        FromPage::Text(t) => hub.act(page, InputEvent::Text(t)),
        FromPage::Paste(t) => hub.act(page, InputEvent::Paste(t)),
    }
    true
}

async fn write(
    to: &mut SplitSink<WebSocket, Message>,
    shared: &Shared,
    page: usize,
    notify: &Notify,
    coding: Coding,
) {
    let mut cutter = Cutter::new(coding);
    loop {
        let clipboard = lock(shared).next_clipboard(page);
        if let Some(text) = clipboard
            && to.send(Message::Binary(wire::clipboard(&text).freeze())).await.is_err()
        {
            return;
        }
        match next_frame(shared, page, &mut cutter) {
            Ok(None) => notify.notified().await,
            Ok(Some((sequence, bytes))) => {
                if to.send(Message::Binary(bytes)).await.is_err() {
                    return;
                }
                if timeout(STALL, notify.notified()).await.is_err() {
                    lock(shared).stall(page, sequence);
                    notify.notified().await;
                }
            }
            Err(e) => {
                tracing::error!("a frame cannot be compressed: {e}");
                return;
            }
        }
    }
}

/// Cuts the page's next frame, if one is due.
fn next_frame(
    shared: &Shared,
    page: usize,
    cutter: &mut Cutter,
) -> Result<Option<(u32, Bytes)>, png::EncodingError> {
    let sequence = {
        let mut hub = lock(shared);
        let Some((head, lacks)) = hub.next_frame(page) else { return Ok(None) };
        let coding = cutter.coding;
        let room = 12 + lacks.rects().len() * 8 + lacks.area() as usize * 4;
        wire::frame_head(cutter.message(room), head, coding, lacks.rects());
        cutter.gather(&hub.kept, lacks.rects());
        head.sequence
    };
    Ok(Some((sequence, cutter.finish()?)))
}
