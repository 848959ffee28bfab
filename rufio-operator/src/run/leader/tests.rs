use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use k8s_openapi::api::coordination::v1::LeaseSpec;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use tokio::task::JoinHandle;
use tokio::time::advance;

use super::*;
use crate::run::shutdown::{self, Trigger};

/// The leases of one cluster.
#[derive(Clone, Default)]
struct Cluster(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    leases: BTreeMap<(String, String), Lease>,
    revision: u64,
}

/// A candidate's way to the cluster.
#[derive(Clone)]
struct Wire {
    cluster: Cluster,
    namespace: String,
    faults: Arc<Mutex<Faults>>,
    env: Env,
}

#[derive(Clone, Default)]
struct Faults {
    /// Every request is refused with this.
    error: Option<LeaseError>,
    /// No request is answered.
    silent: bool,
    /// Looking for rivals fails.
    blind: bool,
    /// Probability that a request fails before it is carried out.
    lost_request: f64,
    /// Probability that it is carried out and the answer is lost.
    lost_reply: f64,
    /// Most that a request or its reply takes.
    delay: Duration,
    /// How many requests there were.
    requests: usize,
}

impl Cluster {
    fn put(&self, lease: &Lease, compare: bool) -> Result<Lease, LeaseError> {
        let mut state = self.0.lock().unwrap();
        let key = (
            lease.metadata.namespace.clone().unwrap(),
            lease.metadata.name.clone().unwrap(),
        );
        let known = state
            .leases
            .get(&key)
            .and_then(|known| known.metadata.resource_version.clone());
        if compare && known != lease.metadata.resource_version {
            return Err(LeaseError::Conflict);
        }
        state.revision += 1;
        let mut lease = lease.clone();
        lease.metadata.resource_version = Some(state.revision.to_string());
        state.leases.insert(key, lease.clone());
        Ok(lease)
    }

    fn get(&self, namespace: &str) -> Option<Lease> {
        let state = self.0.lock().unwrap();
        let key = (namespace.to_owned(), LEASE_NAME.to_owned());
        state.leases.get(&key).cloned()
    }

    fn holder(&self, namespace: &str) -> Option<String> {
        self.get(namespace)?.spec?.holder_identity
    }

    fn revision(&self) -> u64 {
        self.0.lock().unwrap().revision
    }

    /// What another program writes.
    fn write(&self, namespace: &str, name: &str, holder: &str, renewal: i32) {
        let metadata = ObjectMeta {
            name: Some(name.to_owned()),
            namespace: Some(namespace.to_owned()),
            ..ObjectMeta::default()
        };
        let spec = LeaseSpec {
            holder_identity: Some(holder.to_owned()),
            lease_duration_seconds: Some(15),
            lease_transitions: Some(renewal),
            ..LeaseSpec::default()
        };
        let spec = Some(spec);
        self.put(&Lease { metadata, spec }, false).unwrap();
    }
}

impl Wire {
    async fn request<T>(
        &self,
        serve: impl FnOnce() -> Result<T, LeaseError>,
    ) -> Result<T, LeaseError> {
        let faults = {
            let mut faults = self.faults.lock().unwrap();
            faults.requests += 1;
            faults.clone()
        };
        if faults.silent {
            std::future::pending::<()>().await;
        }
        if let Some(error) = faults.error {
            return Err(error);
        }
        let lost = || Err(LeaseError::Other("connection lost".to_owned()));
        sleep(self.env.up_to(faults.delay)).await;
        if self.env.chance(faults.lost_request) {
            return lost();
        }
        let reply = serve();
        sleep(self.env.up_to(faults.delay)).await;
        if self.env.chance(faults.lost_reply) {
            return lost();
        }
        reply
    }
}

impl Leases for Wire {
    async fn get(&self) -> Result<Option<Lease>, LeaseError> {
        self.request(|| Ok(self.cluster.get(&self.namespace))).await
    }

    async fn create(&self, lease: &Lease) -> Result<Lease, LeaseError> {
        self.request(|| self.cluster.put(lease, true)).await
    }

    async fn replace(&self, lease: &Lease) -> Result<Lease, LeaseError> {
        self.request(|| self.cluster.put(lease, true)).await
    }

    async fn rivals(&self) -> Result<Vec<Lease>, LeaseError> {
        if self.faults.lock().unwrap().blind {
            return Err(LeaseError::Other("blind".to_owned()));
        }
        self.request(|| {
            let state = self.cluster.0.lock().unwrap();
            Ok(state.leases.values().cloned().collect())
        })
        .await
    }
}

struct Candidate {
    leadership: Leadership,
    faults: Arc<Mutex<Faults>>,
    trigger: Trigger,
    task: JoinHandle<()>,
}

impl Candidate {
    fn new(cluster: &Cluster, identity: &str) -> Self {
        Self::serving(cluster, identity, "ns", None, 0)
    }

    fn serving(
        cluster: &Cluster,
        identity: &str,
        namespace: &str,
        scope: Option<&str>,
        seed: u64,
    ) -> Self {
        let seed = identity
            .bytes()
            .fold(seed, |seed, byte| seed * 257 + u64::from(byte));
        let env = Env::simulated(seed);
        let config = ElectionConfig {
            identity: identity.to_owned(),
            namespace: namespace.to_owned(),
            scope: scope.map(str::to_owned),
            lease_duration: Duration::from_secs(15),
            renew_deadline: Duration::from_secs(10),
            retry_period: Duration::from_secs(2),
        };
        let faults = Arc::<Mutex<Faults>>::default();
        let wire = Wire {
            cluster: cluster.clone(),
            namespace: namespace.to_owned(),
            faults: Arc::clone(&faults),
            env: env.clone(),
        };
        let (election, leadership) = Election::new(wire, config, env);
        let (trigger, shutdown) = shutdown::channel();
        let released = shutdown.requested();
        let task = tokio::spawn(election.run(shutdown, released));
        Self {
            leadership,
            faults,
            trigger,
            task,
        }
    }

    fn leads(&self) -> bool {
        self.leadership.is_held()
    }

    fn fault(&self, change: impl FnOnce(&mut Faults)) {
        change(&mut self.faults.lock().unwrap());
    }

    fn requests(&self) -> usize {
        self.faults.lock().unwrap().requests
    }

    fn reason(&self) -> String {
        match self.leadership.standing() {
            Standing::Waiting { reason } | Standing::Lost { reason } => reason.to_string(),
            other => format!("{other:?}"),
        }
    }
}

fn leading(candidates: &[Candidate]) -> usize {
    candidates.iter().filter(|it| it.leads()).count()
}

async fn seconds(count: u64) {
    for _ in 0..count * 10 {
        tick().await;
    }
}

async fn tick() {
    advance(Duration::from_millis(100)).await;
    for _ in 0..8 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn one_of_several_leads_and_a_release_hands_over_within_a_retry_period() {
    let cluster = Cluster::default();
    let mut candidates: Vec<_> = ["a", "b", "c"]
        .map(|it| Candidate::new(&cluster, it))
        .into();
    seconds(30).await;
    assert_eq!(leading(&candidates), 1);
    let index = candidates.iter().position(Candidate::leads).unwrap();
    let leader = candidates.remove(index);
    assert!(
        candidates[0]
            .reason()
            .starts_with("lease ns/e74dec1a.tinkerbell.org is held by rufio-operator/*/")
    );
    leader.trigger.fire();
    leader.task.await.unwrap();
    assert!(!leader.leadership.is_held());
    assert_eq!(cluster.holder("ns").as_deref(), Some(""));
    seconds(2).await;
    assert_eq!(leading(&candidates), 1);
}

#[tokio::test(start_paused = true)]
async fn a_dead_leader_is_replaced_after_its_lease_not_before() {
    let cluster = Cluster::default();
    let first = Candidate::new(&cluster, "a");
    seconds(5).await;
    assert!(first.leads());
    first.task.abort();
    let second = Candidate::new(&cluster, "b");
    seconds(14).await;
    assert!(!second.leads());
    assert!(!first.leads());
    seconds(4).await;
    assert!(second.leads());
}

#[tokio::test(start_paused = true)]
async fn a_leader_that_cannot_renew_stops_at_the_deadline_and_others_start_later() {
    for silent in [true, false] {
        let cluster = Cluster::default();
        let mut first = Candidate::new(&cluster, "a");
        first.leadership.acquired().await;
        let second = Candidate::new(&cluster, "b");
        seconds(3).await;
        first.fault(|faults| {
            faults.silent = silent;
            faults.error = Some(LeaseError::Other("down".to_owned()));
        });
        seconds(6).await;
        assert!(first.leads());
        seconds(5).await;
        assert!(!first.leads() && !second.leads());
        first.leadership.lost().await;
        assert_eq!(first.reason(), "the lease could not be renewed within 10s");
        seconds(6).await;
        assert!(second.leads());
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_reply_and_a_lost_lookout_do_not_cost_the_lease() {
    let cluster = Cluster::default();
    let only = Candidate::new(&cluster, "a");
    seconds(3).await;
    only.fault(|faults| faults.blind = true);
    for _ in 0..10 {
        only.fault(|faults| faults.lost_reply = 1.0);
        seconds(3).await;
        only.fault(|faults| faults.lost_reply = 0.0);
        seconds(5).await;
        assert!(only.leads());
    }
}

#[tokio::test(start_paused = true)]
async fn a_lease_taken_by_force_is_noticed() {
    let cluster = Cluster::default();
    let mut ours = Candidate::new(&cluster, "a");
    ours.leadership.acquired().await;
    cluster.write("ns", LEASE_NAME, "thief", 7);
    seconds(5).await;
    ours.leadership.lost().await;
    assert_eq!(
        ours.reason(),
        "lease ns/e74dec1a.tinkerbell.org is held by thief"
    );
    ours.trigger.fire();
    ours.task.await.unwrap();
    assert_eq!(cluster.holder("ns").as_deref(), Some("thief"));
}

#[tokio::test(start_paused = true)]
async fn nobody_leads_while_another_rufio_renews_its_lease() {
    for (namespace, name) in [
        ("tinkerbell", RUFIO_LEASES[0]),
        ("ns", RUFIO_LEASES[0]),
        ("rufio-system", LEASE_NAME),
        ("ns", LEASE_NAME),
    ] {
        let cluster = Cluster::default();
        let ours = Candidate::new(&cluster, "a");
        cluster.write(namespace, name, "upstream-1", 0);
        for renewal in 1..20 {
            seconds(2).await;
            assert!(!ours.leads());
            assert_eq!(cluster.revision(), u64::try_from(renewal).unwrap());
            cluster.write(namespace, name, "upstream-1", renewal);
        }
        let whose = format!("lease {namespace}/{name} is held by upstream-1");
        assert!(ours.reason().ends_with(&whose), "{}", ours.reason());
        // It dies without letting go.
        seconds(18).await;
        assert!(ours.leads());
        // It comes back: we make way, and let ours go.
        cluster.write(namespace, name, "upstream-1", 99);
        seconds(6).await;
        assert!(!ours.leads());
        assert!(ours.reason().ends_with(&whose), "{}", ours.reason());
    }
}

#[tokio::test(start_paused = true)]
async fn two_installations_stand_by_for_each_other_unless_they_serve_different_namespaces() {
    for (one, other, most) in [
        (None, None, 1),
        (Some("a"), None, 1),
        (None, Some("b"), 1),
        (Some("a"), Some("a"), 1),
        (Some("a"), Some("b"), 2),
    ] {
        for seed in 0..20 {
            let cluster = Cluster::default();
            let candidates = [
                Candidate::serving(&cluster, "1", "ns-1", one, seed),
                Candidate::serving(&cluster, "2", "ns-2", other, seed),
            ];
            for it in &candidates {
                it.fault(|faults| faults.delay = Duration::from_millis(300));
            }
            for _ in 0..300 {
                tick().await;
                assert!(
                    leading(&candidates) <= most,
                    "{one:?} {other:?} seed {seed}"
                );
            }
            assert_eq!(leading(&candidates), most, "{one:?} {other:?} seed {seed}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn never_two_under_faults_and_again_one_after_them() {
    for seed in 0..50 {
        let cluster = Cluster::default();
        let mut candidates: Vec<Candidate> = ["a", "b", "c"]
            .map(|it| Candidate::serving(&cluster, it, "ns", None, seed))
            .into();
        let env = Env::simulated(seed);
        let mut next = b'd';
        for _ in 0..600 {
            tick().await;
            assert!(leading(&candidates) <= 1, "seed {seed}");
            for candidate in &mut candidates {
                if env.chance(0.02) {
                    candidate.fault(|faults| {
                        *faults = Faults {
                            silent: env.chance(0.2),
                            blind: env.chance(0.1),
                            lost_request: env.random_fraction() / 2.0,
                            lost_reply: env.random_fraction() / 2.0,
                            delay: env.up_to(Duration::from_secs(4)),
                            ..Faults::default()
                        }
                    });
                }
                // A pod that has lost its lease starts again under a new name.
                if candidate.task.is_finished() || env.chance(0.002) {
                    candidate.task.abort();
                    let name = char::from(next).to_string();
                    next = next.wrapping_add(1);
                    *candidate = Candidate::serving(&cluster, &name, "ns", None, seed);
                }
                if matches!(candidate.leadership.standing(), Standing::Lost { .. }) {
                    candidate.trigger.fire();
                }
            }
        }
        for candidate in &candidates {
            candidate.fault(|faults| *faults = Faults::default());
        }
        candidates.push(Candidate::serving(&cluster, "last", "ns", None, seed));
        seconds(30).await;
        assert_eq!(leading(&candidates), 1, "seed {seed}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_missing_right_is_named() {
    let cluster = Cluster::default();
    let ours = Candidate::new(&cluster, "a");
    ours.fault(|faults| {
        faults.error = Some(LeaseError::Refused {
            verb: "update",
            namespace: "ns".to_owned(),
            message: "leases is forbidden".to_owned(),
        });
    });
    seconds(3).await;
    assert_eq!(
        ours.reason(),
        "not allowed to update leases.coordination.k8s.io in namespace ns: the API server says \"leases is forbidden\"; check the Role and the RoleBinding"
    );
}

#[tokio::test(start_paused = true)]
async fn a_leader_in_peace_writes_once_a_period_and_reads_only_for_the_lookout() {
    let cluster = Cluster::default();
    let ours = Candidate::new(&cluster, "a");
    seconds(3).await;
    let (writes, requests) = (cluster.revision(), ours.requests());
    seconds(20).await;
    assert_eq!(cluster.revision() - writes, 10);
    // A lookout falls between two periods.
    assert_eq!(ours.requests() - requests, 10 + 3);
    assert!(ours.leads());
}
