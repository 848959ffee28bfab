use std::time::Duration;

use proptest::prelude::*;
use tokio::time::{self, Instant};

use super::schedule::{Schedule, Turn};
use super::*;

const MS: Duration = Duration::from_millis(1);

fn queue() -> Queue<&'static str> {
    Queue::new(Env::simulated(1))
}

/// The next key if there is one at once.
async fn now(queue: &Queue<&'static str>) -> Option<Lease<&'static str>> {
    time::timeout(Duration::ZERO, queue.next()).await.ok()?
}

async fn drain(queue: &Queue<&'static str>) -> Vec<&'static str> {
    let mut keys = Vec::new();
    while let Some(lease) = now(queue).await {
        keys.push(*lease.key());
    }
    keys
}

#[tokio::test(start_paused = true)]
async fn high_goes_first_and_equals_in_order_of_arrival() {
    let queue = queue();
    for key in ["low-1", "low-2", "both"] {
        queue.add(key, Priority::Low);
    }
    for key in ["high-1", "both", "high-2", "high-1"] {
        queue.add(key, Priority::High);
    }
    queue.add("both", Priority::Low);
    assert_eq!(queue.depth(), 5);
    assert_eq!(
        drain(&queue).await,
        ["high-1", "both", "high-2", "low-1", "low-2"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_running_key_runs_again_only_when_it_is_done() {
    let queue = queue();
    queue.add("a", Priority::Low);
    let lease = now(&queue).await.unwrap();
    queue.add("a", Priority::Low);
    queue.add("a", Priority::High);
    assert!(now(&queue).await.is_none());
    drop(lease);
    let again = now(&queue).await.unwrap();
    assert_eq!(again.priority(), Priority::High);
    drop(again);
    assert!(now(&queue).await.is_none());
}

#[tokio::test(start_paused = true)]
async fn of_several_waits_the_first_counts_and_an_add_ends_it() {
    let queue = queue();
    let start = Instant::now();
    queue.add_after("a", 500 * MS, Priority::Low);
    queue.add_after("a", 200 * MS, Priority::Low);
    queue.add_after("a", 900 * MS, Priority::Low);
    queue.add_after("b", 100 * MS, Priority::Low);
    assert!(now(&queue).await.is_none());
    assert_eq!(queue.next().await.unwrap().key(), &"b");
    assert_eq!(start.elapsed(), 100 * MS);
    assert_eq!(queue.next().await.unwrap().key(), &"a");
    assert_eq!(start.elapsed(), 200 * MS);

    queue.add_after("a", 500 * MS, Priority::Low);
    queue.add("a", Priority::Low);
    assert_eq!(drain(&queue).await, ["a"]);
    time::advance(1000 * MS).await;
    assert!(now(&queue).await.is_none(), "the wait is over");
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_ends_while_the_key_runs_makes_it_run_again() {
    let queue = queue();
    queue.add("a", Priority::High);
    let lease = now(&queue).await.unwrap();
    queue.add_after("a", 10 * MS, Priority::Low);
    time::advance(20 * MS).await;
    assert!(now(&queue).await.is_none());
    drop(lease);
    assert_eq!(drain(&queue).await, ["a"]);
}

#[tokio::test(start_paused = true)]
async fn the_back_off_grows_to_its_limit_and_starts_anew_once_forgotten() {
    let queue = queue();
    let mut waits = Vec::new();
    queue.add("a", Priority::High);
    for _ in 0..16 {
        let lease = queue.next().await.unwrap();
        assert_eq!(lease.priority(), Priority::High, "as it ran before");
        queue.retry("a");
        drop(lease);
        let start = Instant::now();
        let next = queue.next().await.unwrap();
        waits.push(start.elapsed());
        drop(next);
        queue.add("a", Priority::High);
    }
    assert_eq!(queue.failing(), 1);
    for (n, wait) in (0..).zip(&waits[..12]) {
        let ideal = BACKOFF_FIRST * 2_u32.pow(n);
        // Timers have a resolution of 1 ms.
        assert!(*wait >= ideal.mul_f64(0.8), "{n}: {wait:?}");
        assert!(*wait <= ideal.mul_f64(1.2) + MS, "{n}: {wait:?}");
    }
    assert!(
        waits[13..]
            .iter()
            .all(|wait| *wait >= BACKOFF_LIMIT.mul_f64(0.8))
    );
    assert!(waits.iter().all(|wait| *wait <= BACKOFF_LIMIT + MS));

    queue.forget(&"a");
    assert_eq!(queue.failing(), 0);
    drain(&queue).await;
    queue.retry("a");
    let start = Instant::now();
    queue.next().await.unwrap();
    assert!(start.elapsed() <= BACKOFF_FIRST.mul_f64(1.2) + MS);
}

#[tokio::test(start_paused = true)]
async fn a_shut_down_queue_is_drained_and_then_over_for_every_worker() {
    let queue = queue();
    for key in ["a", "b"] {
        queue.add(key, Priority::Low);
    }
    queue.add_after("late", 10 * MS, Priority::High);
    let running = now(&queue).await.unwrap();
    queue.add("a", Priority::Low);
    queue.shut_down();
    queue.add("c", Priority::High);
    queue.retry("d");
    assert_eq!(now(&queue).await.unwrap().key(), &"b");
    let workers: Vec<_> = (0..3)
        .map(|_| {
            let queue = queue.clone();
            tokio::spawn(async move {
                let mut ran = Vec::new();
                while let Some(lease) = queue.next().await {
                    ran.push(*lease.key());
                }
                ran
            })
        })
        .collect();
    time::advance(20 * MS).await;
    assert!(workers.iter().all(|worker| !worker.is_finished()));
    drop(running);
    let mut ran = Vec::new();
    for worker in workers {
        ran.extend(worker.await.unwrap());
    }
    assert_eq!(ran, ["a"], "it was added while it ran");
}

#[tokio::test(start_paused = true)]
async fn many_workers_share_many_keys_and_none_sleeps_through() {
    let queue: Queue<u32> = Queue::new(Env::simulated(1));
    let workers: Vec<_> = (0..8)
        .map(|_| {
            let queue = queue.clone();
            tokio::spawn(async move {
                let mut ran = 0;
                while let Some(lease) = queue.next().await {
                    time::sleep(MS).await;
                    ran += 1;
                    drop(lease);
                }
                ran
            })
        })
        .collect();
    let start = Instant::now();
    for key in 0..10_000 {
        let delay = Duration::from_millis(u64::from(key % 100));
        queue.add_after(key, delay, Priority::Low);
    }
    time::sleep(Duration::from_secs(3)).await;
    queue.shut_down();
    let mut ran = 0;
    for worker in workers {
        ran += worker.await.unwrap();
    }
    assert_eq!(ran, 10_000);
    assert!(start.elapsed() <= Duration::from_secs(3), "8 at a time");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_wait_loses_nothing() {
    let queue = queue();
    let mut waiting = Box::pin(queue.next());
    assert!(futures_util::poll!(waiting.as_mut()).is_pending());
    let other = queue.clone();
    let other = tokio::spawn(async move { other.next().await.map(|lease| *lease.key()) });
    tokio::task::yield_now().await;
    queue.add("a", Priority::Low);
    drop(waiting);
    assert_eq!(other.await.unwrap(), Some("a"));
}

/// One step of the model test.
#[derive(Clone, Debug)]
enum Step {
    Add(u8, Priority),
    AddAt(u8, u64, Priority),
    Take,
    Done(u8),
    Fail(u8),
    Forget(u8),
    Advance(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let key = 0..6_u8;
    let priority = prop_oneof![Just(Priority::Low), Just(Priority::High)];
    prop_oneof![
        4 => (key.clone(), priority.clone()).prop_map(|(key, priority)| Step::Add(key, priority)),
        4 => (key.clone(), 0..20_u64, priority).prop_map(|(key, ms, priority)| Step::AddAt(key, ms, priority)),
        6 => Just(Step::Take),
        5 => key.clone().prop_map(Step::Done),
        1 => key.clone().prop_map(Step::Fail),
        1 => key.prop_map(Step::Forget),
        3 => (0..10_u64).prop_map(Step::Advance),
    ]
}

/// The same queue, as simple as can be: lists that are searched from end to end.
#[derive(Default)]
struct Model {
    ready: Vec<(u8, Priority)>,
    waiting: Vec<(u8, u64, Priority)>,
    running: Vec<(u8, Option<Priority>)>,
    failures: [u32; 6],
}

impl Model {
    fn add(&mut self, key: u8, priority: Priority) {
        self.waiting.retain(|wait| wait.0 != key);
        if let Some(running) = self.running.iter_mut().find(|running| running.0 == key) {
            running.1 = running.1.max(Some(priority));
            return;
        }
        match self.ready.iter().position(|ready| ready.0 == key) {
            Some(at) if self.ready[at].1 >= priority => return,
            Some(at) => {
                self.ready.remove(at);
            }
            None => {}
        }
        self.ready.push((key, priority));
    }

    fn add_at(&mut self, key: u8, due: u64, priority: Priority) {
        let at_once = self.ready.iter().any(|ready| ready.0 == key)
            || self.running.contains(&(key, Some(Priority::Low)))
            || self.running.contains(&(key, Some(Priority::High)));
        let earlier = self
            .waiting
            .iter()
            .any(|wait| wait.0 == key && wait.1 <= due);
        if !at_once && !earlier {
            self.waiting.retain(|wait| wait.0 != key);
            self.waiting.push((key, due, priority));
        }
    }

    fn take(&mut self, now: u64) -> Option<(u8, Priority)> {
        while let Some(first) = self
            .waiting
            .iter()
            .map(|wait| wait.1)
            .min()
            .filter(|due| *due <= now)
        {
            let at = self
                .waiting
                .iter()
                .position(|wait| wait.1 == first)
                .unwrap();
            let (key, _, priority) = self.waiting.remove(at);
            self.add(key, priority);
        }
        let high = self
            .ready
            .iter()
            .position(|ready| ready.1 == Priority::High);
        if self.ready.is_empty() {
            return None;
        }
        let (key, priority) = self.ready.remove(high.unwrap_or(0));
        self.running.push((key, None));
        Some((key, priority))
    }

    fn done(&mut self, key: u8) {
        if let Some(at) = self.running.iter().position(|running| running.0 == key)
            && let (_, Some(priority)) = self.running.remove(at)
        {
            self.ready.push((key, priority));
        }
    }
}

proptest! {
    #[test]
    fn behaves_as_the_model(steps in prop::collection::vec(step(), 0..120)) {
        let start = Instant::now();
        let mut now = 0;
        let mut schedule = Schedule::default();
        let mut model = Model::default();
        for step in steps {
            match step {
                Step::Add(key, priority) => {
                    schedule.add(key, priority);
                    model.add(key, priority);
                }
                Step::AddAt(key, ms, priority) => {
                    schedule.add_at(key, start + MS * u32::try_from(now + ms).unwrap(), priority);
                    model.add_at(key, now + ms, priority);
                }
                Step::Take => {
                    let turn = schedule.take(start + MS * u32::try_from(now).unwrap());
                    let expected = match model.take(now) {
                        Some((key, priority)) => Turn::Run(key, priority),
                        None => {
                            let due = model.waiting.iter().map(|wait| wait.1).min();
                            Turn::Wait(due.map(|ms| start + MS * u32::try_from(ms).unwrap()))
                        }
                    };
                    prop_assert_eq!(turn, expected);
                }
                Step::Done(key) => {
                    schedule.done(&key);
                    model.done(key);
                }
                Step::Fail(key) => {
                    model.failures[usize::from(key)] += 1;
                    prop_assert_eq!(schedule.failed(&key).0, model.failures[usize::from(key)]);
                }
                Step::Forget(key) => {
                    schedule.forget(&key);
                    model.failures[usize::from(key)] = 0;
                }
                Step::Advance(ms) => now += ms,
            }
            prop_assert_eq!(schedule.depth(), model.ready.len());
            prop_assert_eq!(schedule.failing(), model.failures.iter().filter(|n| **n > 0).count());
            let alive = |key: &u8| {
                model.ready.iter().any(|ready| ready.0 == *key)
                    || model.waiting.iter().any(|wait| wait.0 == *key)
                    || model.running.iter().any(|running| running.0 == *key)
                    || model.failures[usize::from(*key)] > 0
            };
            prop_assert_eq!(schedule.remembered(), (0..6).filter(alive).count());
        }
    }
}
