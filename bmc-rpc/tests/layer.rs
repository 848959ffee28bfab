//! The verifier as a tower layer, in front of a service that is told what it was sent.
#![allow(clippy::unwrap_used)]

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::SystemTime;

use bmc_rpc::server::{Verifier, VerifyError};
use bmc_rpc::{Algorithm, Keys, Response as Answer, Scheme, Signer};
use bytes::Bytes;
use http::{Request, Response};
use http_body::Frame;
use http_body_util::{BodyExt, Full};
use tower_layer::Layer;
use tower_service::Service;

type Body = Full<Bytes>;

#[derive(Clone, Default)]
struct Inner(Arc<Mutex<Vec<Request<Body>>>>);

impl Service<Request<Body>> for Inner {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        self.0.lock().unwrap().push(request);
        ready(Ok(Response::new(Body::from("passed"))))
    }
}

fn keys() -> Keys {
    Keys::new().secret(Algorithm::Sha512, "secret")
}

async fn send(request: Request<Body>) -> (u16, Bytes, usize) {
    let verifier = Verifier::builder(keys())
        .scheme(Scheme::rufio())
        .max_body(100)
        .build()
        .unwrap();
    let inner = Inner::default();
    let answer = verifier
        .layer()
        .layer(inner.clone())
        .call(request)
        .await
        .unwrap();
    let status = answer.status().as_u16();
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    let passed = inner.0.lock().unwrap().len();
    (status, body, passed)
}

fn request(body: &'static [u8], at: SystemTime) -> Request<Body> {
    let mut request = Request::new(Bytes::from_static(body));
    Signer::new(&Scheme::rufio(), keys())
        .unwrap()
        .sign(&mut request, at);
    request.map(Body::new)
}

/// A body without an end: how many pieces of it were taken.
#[derive(Clone, Default)]
struct Endless(Arc<AtomicUsize>);

impl http_body::Body for Endless {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let taken = self.0.fetch_add(1, Ordering::Relaxed);
        assert!(taken < 100, "nobody counts");
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(&[b' '; 40])))))
    }
}

#[tokio::test]
async fn no_more_is_read_than_may_come() {
    let verifier = Verifier::builder(keys()).max_body(100).build().unwrap();
    let body = Endless::default();
    let refused = verifier.collect(Request::new(body.clone())).await;
    assert_eq!(
        refused.unwrap_err(),
        VerifyError::BodyTooLarge { limit: 100 }
    );
    assert_eq!(body.0.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn a_signed_request_passes() {
    let (status, body, passed) = send(request(b"{}", SystemTime::now())).await;
    assert_eq!(
        (status, body.as_ref(), passed),
        (200, b"passed".as_slice(), 1)
    );
}

#[tokio::test]
async fn all_else_is_refused_with_a_reason() {
    let mut unsigned = request(b"{}", SystemTime::now());
    unsigned.headers_mut().remove("x-rufio-signature-512");
    let mut forged = request(b"{}", SystemTime::now());
    *forged.body_mut() = Body::from("[]");
    let long = request(&[b' '; 101], SystemTime::now());
    let old = request(b"{}", SystemTime::UNIX_EPOCH);
    for (request, status, reason) in [
        (unsigned, 401, "no signature"),
        (forged, 401, "no signature is right"),
        (long, 413, "body is longer than 100 bytes"),
        (old, 403, "request is "),
    ] {
        let (answered, body, passed) = send(request).await;
        assert_eq!((answered, passed), (status, 0), "{reason}");
        let answer = Answer::from_json(&body).unwrap();
        let failure = answer.failed().unwrap();
        assert_eq!(failure.code, i64::from(status));
        assert!(failure.message.starts_with(reason), "{failure:?}");
    }
}
