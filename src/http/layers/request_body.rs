//! The body of a request, which tells its connection's place when the server waits for more of it: a caller who does not send
//! the rest has not sent a whole request.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::HttpBody;
use http_body::{Frame, SizeHint};

use super::connection_places::Connection;

/// A body with the connection that it comes over. What is not asked for is not waited for: a body that nobody reads, because
/// the call has its turn to wait for or is refused, is not the caller's to hurry.
#[derive(Debug)]
pub struct RequestBody<B> {
    body: B,
    connection: Connection,
    /// Whether more was asked for than has come.
    is_awaited: bool,
}

impl<B> RequestBody<B> {
    pub(super) const fn new(body: B, connection: Connection) -> Self {
        Self { body, connection, is_awaited: false }
    }

    fn note(&mut self, is_awaited: bool) {
        if self.is_awaited != is_awaited {
            self.is_awaited = is_awaited;
            self.connection.awaits(is_awaited);
        }
    }
}

impl<B: HttpBody + Unpin> HttpBody for RequestBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        self.note(polled.is_pending());
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B> Drop for RequestBody<B> {
    fn drop(&mut self) {
        self.note(false);
    }
}
