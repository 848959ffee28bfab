use std::sync::{Arc, Mutex};

use k8s_openapi::api::coordination::v1::LeaseSpec;
use kube::core::ObjectMeta;
use tokio::time::advance;

use super::*;
use crate::run::shutdown;

/// One server's leases, as several candidates see them.
#[derive(Clone, Default)]
struct Server(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    own: Option<Lease>,
    rival: Option<Lease>,
    revision: u64,
    down: bool,
    writes: usize,
}

impl Server {
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.0.lock().unwrap());
    }

    fn holder(&self) -> Option<String> {
        let state = self.0.lock().unwrap();
        state.own.as_ref()?.spec.as_ref()?.holder_identity.clone()
    }

    fn put(state: &mut State, lease: &Lease) -> Lease {
        state.revision += 1;
        state.writes += 1;
        let mut lease = lease.clone();
        lease.metadata.resource_version = Some(state.revision.to_string());
        state.own = Some(lease.clone());
        lease
    }
}

impl Leases for Server {
    async fn get(&self) -> Result<Option<Lease>, LeaseError> {
        let state = self.0.lock().unwrap();
        if state.down {
            return Err(LeaseError::Other("down".to_owned()));
        }
        Ok(state.own.clone())
    }

    async fn create(&self, lease: &Lease) -> Result<Lease, LeaseError> {
        let mut state = self.0.lock().unwrap();
        if state.own.is_some() {
            return Err(LeaseError::Conflict);
        }
        Ok(Self::put(&mut state, lease))
    }

    async fn replace(&self, lease: &Lease) -> Result<Lease, LeaseError> {
        let mut state = self.0.lock().unwrap();
        let current = state
            .own
            .as_ref()
            .map(|it| it.metadata.resource_version.clone());
        if state.down {
            return Err(LeaseError::Other("down".to_owned()));
        }
        if current != Some(lease.metadata.resource_version.clone()) {
            return Err(LeaseError::Conflict);
        }
        Ok(Self::put(&mut state, lease))
    }

    async fn rivals(&self) -> Result<Vec<Lease>, LeaseError> {
        let state = self.0.lock().unwrap();
        Ok(state.own.iter().chain(&state.rival).cloned().collect())
    }
}

struct Candidate {
    leadership: Leadership,
    trigger: shutdown::Trigger,
    task: tokio::task::JoinHandle<()>,
}

fn candidate(server: &Server, identity: &str) -> Candidate {
    let config = ElectionConfig {
        identity: identity.to_owned(),
        namespace: "ns".to_owned(),
        lease_duration: Duration::from_secs(15),
        renew_deadline: Duration::from_secs(10),
        retry_period: Duration::from_secs(2),
    };
    let (election, leadership) = Election::new(server.clone(), config);
    let (trigger, shutdown) = shutdown::channel();
    let released = shutdown.requested();
    let task = tokio::spawn(election.run(shutdown, released));
    Candidate {
        leadership,
        trigger,
        task,
    }
}

fn rival(renewals: i32) -> Lease {
    Lease {
        metadata: ObjectMeta {
            name: Some(RIVAL_LEASES[0].to_owned()),
            namespace: Some("tinkerbell".to_owned()),
            ..ObjectMeta::default()
        },
        spec: Some(LeaseSpec {
            holder_identity: Some("upstream-1".to_owned()),
            lease_duration_seconds: Some(15),
            lease_transitions: Some(renewals),
            ..LeaseSpec::default()
        }),
    }
}

async fn seconds(count: u64) {
    for _ in 0..count * 10 {
        advance(Duration::from_millis(100)).await;
        tokio::task::yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn exactly_one_of_several_leads_and_a_release_hands_over_at_once() {
    let server = Server::default();
    let mut candidates: Vec<Candidate> = ["a", "b", "c"]
        .iter()
        .map(|it| candidate(&server, it))
        .collect();
    seconds(30).await;
    let leading = |them: &[Candidate]| them.iter().filter(|it| it.leadership.is_held()).count();
    assert_eq!(leading(&candidates), 1);
    let index = candidates
        .iter()
        .position(|it| it.leadership.is_held())
        .unwrap();
    let leader = candidates.remove(index);
    leader.trigger.fire();
    leader.task.await.unwrap();
    assert!(!leader.leadership.is_held());
    assert_eq!(server.holder().as_deref(), Some(""));
    seconds(6).await;
    assert_eq!(leading(&candidates), 1);
}

#[tokio::test(start_paused = true)]
async fn a_dead_leader_is_replaced_after_its_lease_not_before() {
    let server = Server::default();
    let first = candidate(&server, "a");
    seconds(5).await;
    assert!(first.leadership.is_held());
    first.task.abort();
    let second = candidate(&server, "b");
    seconds(14).await;
    assert!(!second.leadership.is_held());
    seconds(8).await;
    assert!(second.leadership.is_held());
    assert!(!first.leadership.is_held());
}

#[tokio::test(start_paused = true)]
async fn a_leader_that_cannot_renew_stops_before_others_may_start() {
    let server = Server::default();
    let mut only = candidate(&server, "a");
    seconds(3).await;
    server.change(|state| state.down = true);
    seconds(9).await;
    assert!(only.leadership.is_held());
    seconds(4).await;
    only.leadership.lost().await;
    assert!(!only.leadership.is_held());
}

#[tokio::test(start_paused = true)]
async fn a_lease_taken_by_force_is_noticed() {
    let server = Server::default();
    let mut ours = candidate(&server, "a");
    ours.leadership.acquired().await;
    server.change(|state| {
        let mut lease = state.own.clone().unwrap();
        lease.spec.as_mut().unwrap().holder_identity = Some("thief".to_owned());
        Server::put(state, &lease);
    });
    seconds(5).await;
    ours.leadership.lost().await;
    assert_eq!(server.holder().as_deref(), Some("thief"));
}

#[tokio::test(start_paused = true)]
async fn nobody_leads_while_another_rufio_renews_its_lease() {
    let server = Server::default();
    let ours = candidate(&server, "a");
    server.change(|state| state.rival = Some(rival(0)));
    for renewal in 1..20 {
        seconds(2).await;
        assert!(!ours.leadership.is_held());
        server.change(|state| state.rival = Some(rival(renewal)));
    }
    assert_eq!(server.0.lock().unwrap().writes, 0);
    // It died without letting go.
    seconds(22).await;
    assert!(ours.leadership.is_held());
    // A second one appears: we make way.
    server.change(|state| state.rival = Some(rival(99)));
    seconds(4).await;
    assert!(!ours.leadership.is_held());
}
