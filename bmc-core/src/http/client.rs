//! Sends one request, reads one answer.

use std::fmt;

use bytes::{Bytes, BytesMut};
use http::{Request, Response, Uri};
use tokio::time::{Instant, timeout_at};

use super::error::HttpError;

/// Sends requests, each at most once.
#[derive(Clone)]
pub struct HttpClient {
    client: reqwest::Client,
    max_body: usize,
}

impl fmt::Debug for HttpClient {
    // The proxy's URL may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HttpClient(..)")
    }
}

impl HttpClient {
    pub(super) fn new(client: reqwest::Client, max_body: usize) -> Self {
        Self { client, max_body }
    }

    /// Whether [`send`](Self::send) can take this URI: absolute, `http` or `https`, with a host and a port that can be ones.
    pub fn accepts(uri: &Uri) -> bool {
        origin(uri).is_some() && reqwest::Url::parse(&uri.to_string()).is_ok()
    }

    /// Sends `request` and reads the whole answer by `deadline`. The URI must be absolute; a user name and a password in
    /// it become an `Authorization` header.
    ///
    /// # Errors
    /// There is no complete answer. [`HttpError::effect`] says whether the request may have been carried out.
    pub async fn send(
        &self,
        request: Request<Bytes>,
        deadline: Instant,
    ) -> Result<Response<Bytes>, HttpError> {
        let origin = origin(request.uri()).ok_or(HttpError::Url)?;
        if Instant::now() >= deadline {
            return Err(HttpError::NotSent { origin });
        }
        match timeout_at(deadline, self.exchange(request, &origin)).await {
            Ok(answered) => answered,
            Err(_) => Err(HttpError::Timeout { origin }),
        }
    }

    async fn exchange(
        &self,
        request: Request<Bytes>,
        origin: &str,
    ) -> Result<Response<Bytes>, HttpError> {
        let broken = |error| HttpError::from_reqwest(error, origin.to_owned());
        let too_large = || HttpError::TooLarge {
            origin: origin.to_owned(),
            limit: self.max_body,
        };
        let (parts, body) = request.into_parts();
        let mut answer = self
            .client
            .request(parts.method, parts.uri.to_string())
            .headers(parts.headers)
            .body(body)
            .send()
            .await
            .map_err(broken)?;
        let announced = answer.content_length().unwrap_or(0);
        if usize::try_from(announced).map_or(true, |length| length > self.max_body) {
            return Err(too_large());
        }
        let mut body = BytesMut::new();
        while let Some(chunk) = answer.chunk().await.map_err(broken)? {
            if chunk.len() > self.max_body - body.len() {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
        }
        let mut response = Response::new(body.freeze());
        *response.status_mut() = answer.status();
        *response.headers_mut() = std::mem::take(answer.headers_mut());
        Ok(response)
    }
}

/// Scheme, host and port: what may be told about a URL.
fn origin(uri: &Uri) -> Option<String> {
    let scheme = uri
        .scheme_str()
        .filter(|scheme| ["http", "https"].contains(scheme))?;
    let host = uri.host().filter(|host| !host.is_empty())?;
    Some(match uri.port_u16() {
        Some(port) => format!("{scheme}://{host}:{port}"),
        None => format!("{scheme}://{host}"),
    })
}
