//! A webhook consumer that switches virtual machines, in memory or through a program of yours:
//!
//! ```text
//! RPC_SECRET=s3cret cargo run --release --example rpc-consumer -- --listen 127.0.0.1:8080 --secret-env RPC_SECRET
//! ```
//!
//! Rufio calls it with `providerOptions.rpc.consumerURL: http://127.0.0.1:8080/` and that secret under `hmac.secrets.sha256`.
#![allow(unreachable_pub)] // A program exports nothing.

mod args;
mod machines;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::SystemTime;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response as Page};
use axum::routing::post;
use bmc_rpc::server::{Begin, Repeats, Verifier};
use bmc_rpc::{Algorithm, Call, Keys, Request, Response};
use clap::Parser;
use tokio::net::TcpListener;
use tokio::signal::ctrl_c;

use args::Args;
use machines::{Machines, Unknown};

struct Consumer {
    machines: Machines,
    repeats: Repeats,
}

#[tokio::main]
async fn main() -> ExitCode {
    match serve(Args::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

// ANCHOR: serve
async fn serve(args: Args) -> Result<(), Box<dyn std::error::Error>> {
    let mut keys = Keys::new();
    for secret in args.secrets()? {
        keys = keys
            .secret(Algorithm::Sha256, secret.clone())
            .secret(Algorithm::Sha512, secret);
    }
    let verifier = Verifier::builder(keys).scheme(args.scheme()).build()?;
    let consumer = Arc::new(Consumer {
        machines: Machines::new(args.power),
        repeats: Repeats::default(),
    });
    // No request is seen here whose signature is not right.
    let app = Router::new()
        .route("/", post(answer))
        .with_state(consumer)
        .layer(verifier.layer());
    let listener = TcpListener::bind(args.listen).await?;
    writeln!(io::stdout(), "http://{}/", listener.local_addr()?)?;
    let interrupted = async {
        let _ = ctrl_c().await;
    };
    axum::serve(listener, app)
        .with_graceful_shutdown(interrupted)
        .await?;
    Ok(())
}
// ANCHOR_END: serve

// ANCHOR: answer
async fn answer(State(consumer): State<Arc<Consumer>>, body: Bytes) -> Page {
    // A task of its own: this one ends when the caller goes away, and what was begun must be remembered.
    let answered = tokio::spawn(handle(consumer, body)).await;
    answered.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

async fn handle(consumer: Arc<Consumer>, body: Bytes) -> Page {
    let request = match Request::from_json(&body) {
        Ok(request) => request,
        Err(error) => return (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    };
    let (status, response) = match consumer.repeats.begin(&request, SystemTime::now()) {
        Begin::First(turn) => match consumer.carry_out(&request).await {
            Ok(response) => {
                turn.end(&response);
                (StatusCode::OK, response)
            }
            // Half done, perhaps: not an error of the protocol, which would promise that nothing was done.
            Err(error) => {
                return (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response();
            }
        },
        Begin::Again(response) => (StatusCode::OK, response),
        // With status 200 an error would promise that nothing is done.
        Begin::Running => (
            StatusCode::SERVICE_UNAVAILABLE,
            Response::failure(&request, 503, "this action is under way"),
        ),
        Begin::Full => (
            StatusCode::TOO_MANY_REQUESTS,
            Response::failure(&request, 429, "too many actions to remember"),
        ),
    };
    let _ = writeln!(
        io::stdout(),
        "{} {} {}",
        request.host,
        request.call.method(),
        outcome(&response)
    );
    let json = [(CONTENT_TYPE, "application/json")];
    (status, json, response.to_json()).into_response()
}

impl Consumer {
    async fn carry_out(&self, request: &Request) -> io::Result<Response> {
        let done = match &request.call {
            Call::Ping => return Ok(Response::result(request, "pong")),
            Call::GetPowerState => {
                let state = if self.machines.is_on(&request.host).await? {
                    "on"
                } else {
                    "off"
                };
                return Ok(Response::result(request, state));
            }
            Call::SetPowerState { state } => self.machines.switch(&request.host, state).await?,
            Call::SetBootDevice { device, .. } => self.machines.boot_from(&request.host, device),
            other => Err(Unknown(other.method().to_owned())),
        };
        Ok(match done {
            Ok(()) => Response::done(request),
            Err(Unknown(word)) => {
                Response::failure(request, 501, format!("{word} is not known here"))
            }
        })
    }
}
// ANCHOR_END: answer

fn outcome(response: &Response) -> String {
    match (response.failed(), &response.result) {
        (Some(failure), _) => format!("error {}: {}", failure.code, failure.message),
        (None, Some(result)) => result.to_string(),
        (None, None) => "done".to_owned(),
    }
}
