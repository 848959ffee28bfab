//! Home Assistant's REST API, as far as a switch needs it. Pure.

use std::fmt;

use bmc_core::{PowerState, Secret};
use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONNECTION, CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method, Request, Response, Uri};
use serde_json::{Value, json};

use crate::config::{ConfigError, given};
use crate::dot_path::kind;
use crate::error::Error;
use crate::exchange;
use crate::payload::InvalidResponse;

/// The requests about one entity.
pub(super) struct Switch {
    entity: String,
    state: Uri,
    on: Uri,
    off: Uri,
    headers: HeaderMap,
}

impl fmt::Debug for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Switch")
            .field("peer", &exchange::host_and_port(&self.state))
            .field("entity", &self.entity)
            .finish_non_exhaustive()
    }
}

impl Switch {
    pub(super) fn new(url: &str, entity: &str, token: &Secret) -> Result<Self, ConfigError> {
        let wrong = || ConfigError::Entity {
            given: given(entity),
        };
        let (domain, object) = entity.split_once('.').ok_or_else(wrong)?;
        let word = |text: &str| {
            let fits =
                |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
            !text.is_empty() && text.len() <= 255 && text.bytes().all(fits)
        };
        if !word(domain) || !word(object) {
            return Err(wrong());
        }
        if token.expose().trim_ascii().is_empty() {
            return Err(ConfigError::Empty { setting: "token" });
        }
        let base = url.trim_end_matches('/');
        if base.contains(['?', '#']) {
            return Err(ConfigError::Url { setting: "URL" });
        }
        let at = |path: String| exchange::url("URL", &format!("{base}/api/{path}"));
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, bearer(token)?);
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let agent = concat!("bmc-rpc/", env!("CARGO_PKG_VERSION"));
        headers.insert(USER_AGENT, HeaderValue::from_static(agent));
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
        Ok(Self {
            entity: entity.to_owned(),
            state: at(format!("states/{entity}"))?,
            on: at(format!("services/{domain}/turn_on"))?,
            off: at(format!("services/{domain}/turn_off"))?,
            headers,
        })
    }

    pub(super) fn get_state(&self) -> Request<Bytes> {
        self.request(Method::GET, &self.state, Bytes::new())
    }

    pub(super) fn turn(&self, on: bool) -> Request<Bytes> {
        let body = json!({ "entity_id": self.entity }).to_string();
        let uri = if on { &self.on } else { &self.off };
        let mut request = self.request(Method::POST, uri, body.into());
        let json = HeaderValue::from_static("application/json");
        request.headers_mut().insert(CONTENT_TYPE, json);
        request
    }

    pub(super) fn read_state(&self, answer: &Response<Bytes>) -> Result<PowerState, Error> {
        check_status(answer)?;
        let state = json(answer)?;
        let Value::Object(members) = &state else {
            let found = kind(&state);
            return Err(InvalidResponse::NoObject { found }.into());
        };
        match members.get("entity_id") {
            Some(Value::String(got)) if *got != self.entity => {
                return Err(Error::WrongEntity {
                    asked: self.entity.clone(),
                    got: got.clone(),
                });
            }
            _ => {}
        }
        let word = match members.get("state") {
            Some(Value::String(word)) => word,
            other => {
                let found = other.map_or("missing member", kind);
                let (member, expected) = ("state", "a string");
                let wrong = InvalidResponse::Member {
                    member,
                    found,
                    expected,
                };
                return Err(wrong.into());
            }
        };
        // Attributes have any type; bmclib insists on strings and fails on real switches.
        let attributes = members.get("attributes");
        match attributes.and_then(|attributes| attributes.get("friendly_name")) {
            Some(Value::String(name)) if !name.is_empty() => {}
            _ => {
                let entity = self.entity.clone();
                return Err(Error::NoFriendlyName { entity });
            }
        }
        Ok(match word.as_str() {
            "on" => PowerState::On,
            "off" => PowerState::Off,
            // `unavailable`, `unknown`, and whatever else an entity may be.
            _ => PowerState::Unknown,
        })
    }

    fn request(&self, method: Method, uri: &Uri, body: Bytes) -> Request<Bytes> {
        let mut request = Request::new(body);
        *request.method_mut() = method;
        *request.uri_mut() = uri.clone();
        *request.headers_mut() = self.headers.clone();
        request
    }
}

/// The body, a list of states, tells nothing that counts: they change later. A page for people is no such list.
pub(super) fn read_turned(answer: &Response<Bytes>) -> Result<(), Error> {
    check_status(answer)?;
    if answer.body().trim_ascii().is_empty() {
        return Ok(());
    }
    json(answer).map(drop)
}

fn json(answer: &Response<Bytes>) -> Result<Value, Error> {
    serde_json::from_slice(answer.body()).map_err(|error| {
        match exchange::foreign(answer.headers()) {
            Some(content_type) => Error::ContentType { content_type },
            None => Error::Malformed(InvalidResponse::Syntax {
                line: error.line(),
                column: error.column(),
            }),
        }
    })
}

fn check_status(answer: &Response<Bytes>) -> Result<(), Error> {
    let status = answer.status();
    if status.is_redirection() {
        return Err(Error::Redirect { status });
    }
    if !status.is_success() {
        return Err(Error::Status {
            status,
            failure: None,
        });
    }
    Ok(())
}

fn bearer(token: &Secret) -> Result<HeaderValue, ConfigError> {
    let value = [b"Bearer ", token.expose().trim_ascii()].concat();
    let mut value = HeaderValue::from_bytes(&value).map_err(|_| ConfigError::HeaderValue {
        setting: "token",
        header: AUTHORIZATION.to_string(),
    })?;
    value.set_sensitive(true);
    Ok(value)
}
