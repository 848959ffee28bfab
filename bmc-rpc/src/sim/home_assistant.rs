//! A simulated Home Assistant with one switch.

use std::collections::VecDeque;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use serde_json::{Value, json};

use super::body::Manner;
use super::server::{Page, Reaction, Running, serve};

/// A running Home Assistant. Dropped, it is gone. Its switch is off at first.
#[derive(Debug)]
pub struct HomeAssistantSim {
    page: Arc<Switch>,
    running: Running,
}

/// What may be wrong with the simulated switch.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Trouble {
    /// Nothing.
    #[default]
    None,
    /// It has no `friendly_name`.
    Nameless,
    /// It is `unavailable`.
    Unavailable,
    /// It says nothing.
    Silent,
}

#[derive(Debug)]
struct Switch {
    entity: String,
    token: String,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    on: bool,
    trouble: Trouble,
    requests: Vec<String>,
    answers: VecDeque<Response<Bytes>>,
}

impl HomeAssistantSim {
    /// Serves one switch on a free port of loopback. Must be called on a tokio runtime.
    ///
    /// # Errors
    /// There is no port.
    pub async fn spawn(entity: &str, token: &str) -> io::Result<Self> {
        let page = Arc::new(Switch {
            entity: entity.to_owned(),
            token: format!("Bearer {token}"),
            state: Mutex::default(),
        });
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let running = serve(any, Arc::clone(&page)).await?;
        Ok(Self { page, running })
    }

    /// Where the user interface would be.
    pub fn url(&self) -> String {
        format!("http://{}", self.running.addr)
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.running.addr
    }

    /// Whether the switch is on.
    pub fn is_on(&self) -> bool {
        self.page.state().on
    }

    /// Breaks or repairs the switch.
    pub fn trouble(&self, trouble: Trouble) {
        self.page.state().trouble = trouble;
    }

    /// Answers the next request with this, and does nothing.
    pub fn answer(&self, answer: Response<Bytes>) {
        self.page.state().answers.push_back(answer);
    }

    /// Method and path of every request with the right token.
    pub fn requests(&self) -> Vec<String> {
        self.page.state().requests.clone()
    }
}

impl Page for Switch {
    async fn react(&self, request: Request<Incoming>) -> Reaction {
        let (parts, body) = request.into_parts();
        let Ok(body) = body.collect().await else {
            return Reaction::Hangup;
        };
        let token = parts.headers.get(AUTHORIZATION);
        if token.is_none_or(|token| token.as_bytes() != self.token.as_bytes()) {
            return answer(StatusCode::UNAUTHORIZED, &json!("401: Unauthorized"));
        }
        let mut state = self.state();
        let line = format!("{} {}", parts.method, parts.uri.path());
        state.requests.push(line);
        if let Some(answer) = state.answers.pop_front() {
            return Reaction::Answer(answer, Manner::Whole);
        }
        if state.trouble == Trouble::Silent {
            return Reaction::Silence;
        }
        let (domain, _) = self.entity.split_once('.').unwrap_or_default();
        match parts.uri.path() {
            path if parts.method == Method::GET
                && path == format!("/api/states/{}", self.entity) =>
            {
                answer(StatusCode::OK, &self.describe(&state))
            }
            path if parts.method == Method::POST
                && path == format!("/api/services/{domain}/turn_on") =>
            {
                self.turn(&mut state, true, &body.to_bytes())
            }
            path if parts.method == Method::POST
                && path == format!("/api/services/{domain}/turn_off") =>
            {
                self.turn(&mut state, false, &body.to_bytes())
            }
            _ => answer(
                StatusCode::NOT_FOUND,
                &json!({"message": "Entity not found."}),
            ),
        }
    }
}

impl Switch {
    fn turn(&self, state: &mut State, on: bool, body: &[u8]) -> Reaction {
        let named = serde_json::from_slice::<Value>(body).unwrap_or_default();
        // An entity that does not exist is no error to Home Assistant: nothing changes, and the list is empty.
        let changed = if named.get("entity_id").and_then(Value::as_str) == Some(&self.entity) {
            state.on = on;
            vec![self.describe(state)]
        } else {
            vec![]
        };
        answer(StatusCode::OK, &Value::from(changed))
    }

    fn describe(&self, state: &State) -> Value {
        let word = match state {
            State {
                trouble: Trouble::Unavailable,
                ..
            } => "unavailable",
            State { on: true, .. } => "on",
            State { on: false, .. } => "off",
        };
        let mut attributes =
            json!({"device_class": "outlet", "assumed_state": true, "supported_features": 0});
        if state.trouble != Trouble::Nameless
            && let Some(attributes) = attributes.as_object_mut()
        {
            attributes.insert("friendly_name".into(), "Socket 1".into());
        }
        json!({"entity_id": self.entity, "state": word, "attributes": attributes})
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn answer(status: StatusCode, body: &Value) -> Reaction {
    let mut answer = Response::new(Bytes::from(body.to_string()));
    *answer.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    answer.headers_mut().insert(CONTENT_TYPE, json);
    Reaction::Answer(answer, Manner::Whole)
}
