//! The verifier in front of a tower service.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::SystemTime;

use bytes::Bytes;
use http::{HeaderValue, Request, Response, header};
use http_body::Body;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tower_layer::Layer;
use tower_service::Service;

use super::verifier::{Verifier, VerifyError};
use crate::payload;

/// Puts a [`Verifier`] in front of a service. Made by [`Verifier::layer`].
#[derive(Clone, Debug)]
pub struct VerifyLayer(Verifier);

/// A service whose requests were verified. The body that it sees is whole.
#[derive(Clone, Debug)]
pub struct Verify<S> {
    inner: S,
    verifier: Verifier,
}

impl VerifyLayer {
    pub(super) fn new(verifier: Verifier) -> Self {
        Self(verifier)
    }
}

impl<S> Layer<S> for VerifyLayer {
    type Service = Verify<S>;

    fn layer(&self, inner: S) -> Verify<S> {
        Verify {
            inner,
            verifier: self.0.clone(),
        }
    }
}

type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

impl<S, B, R> Service<Request<B>> for Verify<S>
where
    S: Service<Request<B>, Response = Response<R>> + Clone + Send + 'static,
    S::Future: Send,
    B: Body + From<Bytes> + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    R: From<Bytes>,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = BoxFuture<Result<Response<R>, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        // The service that was polled is the one to call; its clone takes its place.
        let clone = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, clone);
        let verifier = self.verifier.clone();
        Box::pin(async move {
            match verifier.collect(request).await {
                Ok(request) => inner.call(request.map(B::from)).await,
                Err(error) => Ok(refusal(&error).map(R::from)),
            }
        })
    }
}

impl Verifier {
    /// Reads the whole body, as far as it may be long, and verifies the request by the system's clock.
    ///
    /// # Errors
    /// The request is to be refused.
    pub async fn collect<B>(&self, request: Request<B>) -> Result<Request<Bytes>, VerifyError>
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let (parts, body) = request.into_parts();
        let collected = Limited::new(body, self.max_body()).collect().await;
        let body = collected.map_err(|error| match error.is::<LengthLimitError>() {
            true => self.too_large(),
            false => VerifyError::Body,
        })?;
        let body = body.to_bytes();
        self.verify(&parts.headers, &body, SystemTime::now())?;
        Ok(Request::from_parts(parts, body))
    }
}

/// What a refused sender is told. The reason helps to find a wrong clock or header name, and does not help to guess.
fn refusal(error: &VerifyError) -> Response<Bytes> {
    let status = error.status();
    let response = payload::Response {
        error: Some(payload::Failure {
            code: i64::from(status.as_u16()),
            message: error.to_string(),
        }),
        ..payload::Response::default()
    };
    let mut refusal = Response::new(Bytes::from(response.to_json()));
    *refusal.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    refusal.headers_mut().insert(header::CONTENT_TYPE, json);
    refusal
}
