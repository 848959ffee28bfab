//! A simulated webhook consumer: verifies requests and switches machines in memory.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue};
use http_body_util::BodyExt;
use hyper::body::Incoming;

use super::body::Manner;
use super::server::{Page, Reaction, Running, serve};
use crate::algorithm::Keys;
use crate::config::ConfigError;
use crate::payload::{Call, Request, Response};
use crate::scheme::Scheme;
use crate::server::{Begin, Repeats, Verifier};

/// A running consumer. Dropped, it is gone. Machines are off until they are switched on; a host that was never named is one.
#[derive(Debug)]
pub struct ConsumerSim {
    shared: Arc<Shared>,
    running: Running,
}

/// Sets up a [`ConsumerSim`].
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct ConsumerSimBuilder {
    keys: Keys,
    scheme: Scheme,
    any_age: bool,
}

/// One simulated machine.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Machine {
    /// Whether it is on.
    pub on: bool,
    /// The last `setBootDevice`: device, persistent, efiBoot.
    pub boot: Option<(String, bool, bool)>,
    /// Media URL by kind.
    pub media: BTreeMap<String, String>,
    /// Every state that `setPowerState` asked for and that was carried out.
    pub power_actions: Vec<String>,
}

/// What befalls one request. The first four befall it before it is carried out.
#[derive(Clone, Debug)]
pub enum Fault {
    /// Nothing.
    Pass,
    /// This is answered instead.
    Answer(http::Response<Bytes>),
    /// The consumer reports this error.
    Failure(i64, String),
    /// The connection is closed.
    HangupBefore,
    /// The request is carried out, and the connection is closed.
    HangupAfter,
    /// The request is carried out, and no answer comes.
    Silence,
    /// The request is carried out, and the answer never ends.
    Stall,
    /// The answer comes in chunks.
    Chunked,
    /// The answer has this id.
    WrongId(i64),
    /// The answer has this host.
    WrongHost(String),
}

#[derive(Debug)]
struct Shared {
    settings: ConsumerSimBuilder,
    repeats: Repeats,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    verifier: Option<Verifier>,
    machines: BTreeMap<String, Machine>,
    faults: VecDeque<(Option<&'static str>, Fault)>,
    requests: Vec<(Request, HeaderMap)>,
    refused: usize,
}

impl ConsumerSim {
    /// Starts with bmclib's scheme and without keys, which means that signatures are not looked at.
    pub fn builder() -> ConsumerSimBuilder {
        ConsumerSimBuilder::default()
    }

    /// Where to send requests.
    pub fn url(&self) -> String {
        format!("http://{}/", self.running.addr)
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.running.addr
    }

    /// Whether a machine is on.
    pub fn is_on(&self, host: &str) -> bool {
        self.machine(host).on
    }

    /// What has become of a machine.
    pub fn machine(&self, host: &str) -> Machine {
        self.shared
            .state()
            .machines
            .get(host)
            .cloned()
            .unwrap_or_default()
    }

    /// Every request that was accepted, with its headers, in order.
    pub fn requests(&self) -> Vec<(Request, HeaderMap)> {
        self.shared.state().requests.clone()
    }

    /// The methods of [`requests`](Self::requests).
    pub fn methods(&self) -> Vec<String> {
        let state = self.shared.state();
        let methods = state
            .requests
            .iter()
            .map(|(request, _)| request.call.method().to_owned());
        methods.collect()
    }

    /// How many requests were refused for their signature, age or form.
    pub fn refused(&self) -> usize {
        self.shared.state().refused
    }

    /// Adds a fault for the next request that has none yet.
    pub fn fault(&self, fault: Fault) {
        self.shared.state().faults.push_back((None, fault));
    }

    /// Adds a fault for the next request of this method that has none yet.
    pub fn fault_of(&self, method: &'static str, fault: Fault) {
        self.shared.state().faults.push_back((Some(method), fault));
    }

    /// Accepts these secrets from now on, and no others; none at all: signatures are not looked at.
    ///
    /// # Errors
    /// A secret is empty.
    pub fn accept(&self, keys: Keys) -> Result<(), ConfigError> {
        let verifier = self.shared.settings.clone().keys(keys).verifier()?;
        self.shared.state().verifier = verifier;
        Ok(())
    }
}

impl ConsumerSimBuilder {
    /// The secrets that are accepted.
    pub fn keys(mut self, keys: Keys) -> Self {
        self.keys = keys;
        self
    }

    /// How requests are stamped and signed.
    pub fn scheme(mut self, scheme: Scheme) -> Self {
        self.scheme = scheme;
        self
    }

    /// Accepts timestamps of any age, or none.
    pub fn any_age(mut self) -> Self {
        self.any_age = true;
        self
    }

    /// Listens on a free port of loopback. Must be called on a tokio runtime.
    ///
    /// # Errors
    /// A setting cannot be used, or there is no port.
    pub async fn spawn(self) -> io::Result<ConsumerSim> {
        self.spawn_at(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))
            .await
    }

    /// Listens at `addr`.
    ///
    /// # Errors
    /// A setting cannot be used, or the address is taken.
    pub async fn spawn_at(self, addr: SocketAddr) -> io::Result<ConsumerSim> {
        let verifier = self.verifier().map_err(io::Error::other)?;
        let state = State {
            verifier,
            ..State::default()
        };
        let shared = Arc::new(Shared {
            settings: self,
            repeats: Repeats::default(),
            state: Mutex::new(state),
        });
        let running = serve(addr, Arc::clone(&shared)).await?;
        Ok(ConsumerSim { shared, running })
    }

    fn verifier(&self) -> Result<Option<Verifier>, ConfigError> {
        if self.keys.is_empty() {
            return Ok(None);
        }
        let mut builder = Verifier::builder(self.keys.clone()).scheme(self.scheme.clone());
        if self.any_age {
            builder = builder.dangerous_accept_any_age();
        }
        builder.build().map(Some)
    }
}

impl Page for Shared {
    async fn react(&self, request: http::Request<Incoming>) -> Reaction {
        let (parts, body) = request.into_parts();
        let Ok(body) = body.collect().await else {
            return Reaction::Hangup;
        };
        let body = body.to_bytes();
        let verifier = self.state().verifier.clone();
        if let Some(verifier) = verifier
            && let Err(error) = verifier.verify(&parts.headers, &body, SystemTime::now())
        {
            return self.refuse(error.status().as_u16(), &error.to_string());
        }
        let request = match Request::from_json(&body) {
            Ok(request) => request,
            Err(error) => return self.refuse(400, &error.to_string()),
        };
        let fault = {
            let mut state = self.state();
            state.requests.push((request.clone(), parts.headers));
            state.take_fault(request.call.method())
        };
        match fault {
            Fault::Answer(answer) => return Reaction::Answer(answer, Manner::Whole),
            Fault::Failure(code, message) => {
                return json(
                    200,
                    &Response::failure(&request, code, message),
                    Manner::Whole,
                );
            }
            Fault::HangupBefore => return Reaction::Hangup,
            _ => {}
        }
        let (status, mut response) = self.carry_out(&request);
        let mut manner = Manner::Whole;
        match fault {
            Fault::HangupAfter => return Reaction::Hangup,
            Fault::Silence => return Reaction::Silence,
            Fault::Stall => manner = Manner::Stalled,
            Fault::Chunked => manner = Manner::Chunked,
            Fault::WrongId(id) => response.id = Some(id),
            Fault::WrongHost(host) => response.host = Some(host),
            _ => {}
        }
        json(status, &response, manner)
    }
}

impl Shared {
    fn carry_out(&self, request: &Request) -> (u16, Response) {
        match self.repeats.begin(request, SystemTime::now()) {
            Begin::Again(response) => (200, response),
            Begin::Running => (503, Response::failure(request, 503, "under way")),
            Begin::Full => (429, Response::failure(request, 429, "too many actions")),
            Begin::First(turn) => {
                let mut state = self.state();
                let machine = state.machines.entry(request.host.clone()).or_default();
                let response = machine.carry_out(request);
                turn.end(&response);
                (200, response)
            }
        }
    }

    fn refuse(&self, status: u16, why: &str) -> Reaction {
        self.state().refused += 1;
        let nobody = Request {
            id: 0,
            host: String::new(),
            call: Call::Ping,
        };
        json(
            status,
            &Response::failure(&nobody, i64::from(status), why),
            Manner::Whole,
        )
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn take_fault(&mut self, method: &str) -> Fault {
        let fits = |(of, _): &(Option<&str>, Fault)| of.is_none_or(|of| of == method);
        let at = self.faults.iter().position(fits);
        let taken = at.and_then(|at| self.faults.remove(at));
        taken.map_or(Fault::Pass, |(_, fault)| fault)
    }
}

impl Machine {
    fn carry_out(&mut self, request: &Request) -> Response {
        match &request.call {
            Call::Ping => Response::result(request, "pong"),
            Call::GetPowerState => Response::result(request, if self.on { "on" } else { "off" }),
            Call::SetPowerState { state } => {
                match state.as_str() {
                    "on" | "cycle" => self.on = true,
                    "off" | "soft" => self.on = false,
                    "reset" => {}
                    other => {
                        return Response::failure(request, 400, format!("no power state {other}"));
                    }
                }
                self.power_actions.push(state.clone());
                Response::done(request)
            }
            Call::SetBootDevice {
                device,
                persistent,
                efi_boot,
            } => {
                self.boot = Some((device.clone(), *persistent, *efi_boot));
                Response::done(request)
            }
            Call::SetVirtualMedia { media_url, kind } => {
                if media_url.is_empty() {
                    self.media.remove(kind);
                } else {
                    self.media.insert(kind.clone(), media_url.clone());
                }
                Response::done(request)
            }
            Call::Other { method, .. } => {
                Response::failure(request, 501, format!("no method {method}"))
            }
        }
    }
}

fn json(status: u16, response: &Response, manner: Manner) -> Reaction {
    let mut answer = http::Response::new(Bytes::from(response.to_json()));
    *answer.status_mut() = http::StatusCode::from_u16(status).unwrap_or_default();
    let json = HeaderValue::from_static("application/json");
    answer.headers_mut().insert(CONTENT_TYPE, json);
    Reaction::Answer(answer, manner)
}
