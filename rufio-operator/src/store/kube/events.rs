//! Events of `events.k8s.io/v1`, written by one task in the background: slow, few, and never in anybody's way.

mod series;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use k8s_openapi::api::core::v1::ObjectReference;
use k8s_openapi::api::events::v1::{Event as KubeEvent, EventSeries};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{MicroTime, ObjectMeta};
use k8s_openapi::jiff::Timestamp;
use kube::api::{Api, Patch, PatchParams, PostParams};
use kube::{Client, Resource};
use serde_json::json;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};

use self::series::{Seen, Step, Tokens};
use crate::api::Machine;
use crate::store::{Event, Severity};

/// Events that wait to be written; more are dropped.
const WAITING: usize = 1024;
/// Events written at once after a quiet time, and per second from then on.
const BURST: u32 = 100;
const PER_SECOND: u32 = 20;
/// How often counts are brought up to date.
const SWEEP_INTERVAL: Duration = Duration::from_secs(10);
/// How long one write may take.
const TIME_LIMIT: Duration = Duration::from_secs(5);
const CONTROLLER: &str = "rufio-operator";
/// Longest instance name that the server accepts.
const INSTANCE_LIMIT: usize = 128;
/// Longest name of an Event that leaves room for its suffix.
const NAME_LIMIT: usize = 253 - 17;

pub(super) struct Recorder {
    queue: mpsc::Sender<Message>,
    /// Whether it has been said that Events are dropped.
    overflowed: AtomicBool,
}

enum Message {
    Event(Event),
    Flush(oneshot::Sender<()>),
}

impl Recorder {
    /// Starts the task; it ends with the recorder.
    pub(super) fn new(client: Client) -> Self {
        let (queue, messages) = mpsc::channel(WAITING);
        tokio::spawn(Writer::new(client).run(messages));
        Self {
            queue,
            overflowed: AtomicBool::new(false),
        }
    }

    pub(super) fn record(&self, mut event: Event) {
        event.cut_note();
        if self.queue.try_send(Message::Event(event)).is_ok() {
            self.overflowed.store(false, Ordering::Relaxed);
        } else if !self.overflowed.swap(true, Ordering::Relaxed) {
            tracing::warn!("more Events than can be written; some are dropped");
        }
    }

    /// Waits until what is recorded so far is written or given up.
    pub(super) async fn flush(&self) {
        let (done, flushed) = oneshot::channel();
        if self.queue.send(Message::Flush(done)).await.is_ok() {
            // An error means that the task is gone: nothing to wait for.
            let _ = flushed.await;
        }
    }
}

struct Writer {
    client: Client,
    instance: String,
    seen: Seen,
    tokens: Tokens,
    /// Whether it has been said that Events cannot be written.
    complained: bool,
}

impl Writer {
    fn new(client: Client) -> Self {
        let mut instance = std::env::var("POD_NAME")
            .or_else(|_| std::env::var("HOSTNAME"))
            .ok()
            .filter(|name| !name.is_empty() && name.is_ascii())
            .unwrap_or_else(|| CONTROLLER.to_owned());
        instance.truncate(INSTANCE_LIMIT);
        Self {
            client,
            instance,
            seen: Seen::default(),
            tokens: Tokens::new(BURST, PER_SECOND, Instant::now()),
            complained: false,
        }
    }

    async fn run(mut self, mut messages: mpsc::Receiver<Message>) {
        let mut sweep = interval(SWEEP_INTERVAL);
        sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                _ = sweep.tick() => {
                    for (event, step) in self.seen.sweep(Instant::now()) {
                        self.write(&event, step).await;
                    }
                }
                message = messages.recv() => match message {
                    None => return,
                    Some(Message::Event(event)) => {
                        if let Some(step) = self.seen.observe(&event, Instant::now()) {
                            self.write(&event, step).await;
                        }
                    }
                    Some(Message::Flush(done)) => {
                        for (event, step) in self.seen.flush(Instant::now()) {
                            self.write(&event, step).await;
                        }
                        // Nobody waits any more: nothing to tell.
                        let _ = done.send(());
                    }
                },
            }
        }
    }

    async fn write(&mut self, event: &Event, step: Step) {
        sleep_until(self.tokens.take(Instant::now())).await;
        let namespace = &event.regarding.key.namespace;
        let api: Api<KubeEvent> = Api::namespaced(self.client.clone(), namespace);
        let result = match step {
            Step::Create => self.create(&api, event).await,
            Step::Count { name, count } => match count_up(&api, &name, count).await {
                // It has expired, or somebody has tidied up.
                Err(kube::Error::Api(status)) if status.is_not_found() => {
                    self.create(&api, event).await
                }
                result => result,
            },
        };
        match result {
            Ok(()) => self.complained = false,
            Err(error) if self.complained => tracing::debug!(%error, "Event not written"),
            Err(error) => {
                self.complained = true;
                tracing::warn!(%error, "Events cannot be written");
            }
        }
    }

    async fn create(&mut self, api: &Api<KubeEvent>, event: &Event) -> kube::Result<()> {
        let body = self.body(event);
        let name = body.metadata.name.clone().unwrap_or_default();
        let params = PostParams::default();
        let created = limited(api.create(&params, &body)).await;
        match created {
            Ok(()) => self.seen.created(event, name),
            Err(_) => self.seen.forget(event),
        }
        created
    }

    fn body(&self, event: &Event) -> KubeEvent {
        let object = &event.regarding;
        let mut name = object.key.name.clone();
        name.truncate(NAME_LIMIT);
        KubeEvent {
            metadata: ObjectMeta {
                namespace: Some(object.key.namespace.clone()),
                name: Some(format!("{name}.{:016x}", rand::random::<u64>())),
                ..ObjectMeta::default()
            },
            regarding: Some(ObjectReference {
                api_version: Some(Machine::api_version(&()).into_owned()),
                kind: Some(object.kind.to_owned()),
                namespace: Some(object.key.namespace.clone()),
                name: Some(object.key.name.clone()),
                uid: Some(object.uid.clone()),
                ..ObjectReference::default()
            }),
            type_: Some(
                match event.severity {
                    Severity::Normal => "Normal",
                    Severity::Warning => "Warning",
                }
                .to_owned(),
            ),
            reason: Some(event.reason.to_owned()),
            action: Some(event.action.to_owned()),
            note: Some(event.note.clone()),
            event_time: Some(MicroTime(Timestamp::now())),
            reporting_controller: Some(CONTROLLER.to_owned()),
            reporting_instance: Some(self.instance.clone()),
            ..KubeEvent::default()
        }
    }
}

async fn count_up(api: &Api<KubeEvent>, name: &str, count: i32) -> kube::Result<()> {
    let series = EventSeries {
        count,
        last_observed_time: MicroTime(Timestamp::now()),
    };
    let patch = Patch::Merge(json!({ "series": series }));
    limited(api.patch(name, &PatchParams::default(), &patch)).await
}

async fn limited<T>(request: impl Future<Output = kube::Result<T>>) -> kube::Result<()> {
    match timeout(TIME_LIMIT, request).await {
        Ok(result) => result.map(drop),
        Err(elapsed) => Err(kube::Error::Service(elapsed.into())),
    }
}
