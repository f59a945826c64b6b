//! A connection that can be closed from elsewhere, whatever it is waiting for.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// A stream of bytes that breaks off, for reader and writer, once its token is cancelled.
#[derive(Debug)]
pub struct Closable<S> {
    stream: S,
    closed: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl<S> Closable<S> {
    pub fn new(stream: S, close: CancellationToken) -> Self {
        Self { stream, closed: Box::pin(close.cancelled_owned()) }
    }

    /// Has the task woken when the token is cancelled, and fails once it is.
    fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        match self.closed.as_mut().poll(context) {
            Poll::Ready(()) => Err(io::ErrorKind::ConnectionAborted.into()),
            Poll::Pending => Ok(()),
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Closable<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Closable<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[tokio::test]
    async fn a_silent_connection_and_an_unread_one_break_off() {
        let (near, mut far) = tokio::io::duplex(8);
        let close = CancellationToken::new();
        let mut near = Closable::new(near, close.clone());
        far.write_all(b"hello").await.unwrap();
        let mut read = [0; 5];
        near.read_exact(&mut read).await.unwrap();
        assert_eq!(&read, b"hello");
        let cancelled = async { close.cancel() };
        let (read, ()) = tokio::join!(near.read(&mut read), cancelled);
        assert_eq!(read.unwrap_err().kind(), io::ErrorKind::ConnectionAborted);
        assert!(near.write_all(b"more than is taken").await.is_err());
    }
}
