//! The controllers that are deployed, on the memory store and BMCs in memory, in virtual time: seeded schedules of conflicts,
//! stale reads, lost watches, unknown outcomes, crashes, BMC faults, and users who delete and create the same Job again.
//!
//! `SIM_SEEDS=20000` runs more schedules, `SIM_SEED=17` exactly one:
//! `SIM_SEED=17 cargo test -p rufio-operator --test simulation`

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr
)]

#[path = "simulation/audited.rs"]
mod audited;
#[path = "simulation/check.rs"]
mod check;
#[path = "simulation/history.rs"]
mod history;
#[path = "simulation/users.rs"]
mod users;
#[path = "simulation/world.rs"]
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::runtime::Builder;

use self::users::Story;
use self::world::World;

/// Schedules in a default run.
const SEEDS: u64 = 500;

/// Runs one schedule to its end and checks it; the log says what happened when.
fn run(seed: u64, story: Story) -> Vec<String> {
    let runtime = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut world = World::new(seed, story);
        world.play().await;
        if env("SIM_SEED").is_some() {
            eprintln!("{:#?}", world.log());
        }
        check::all(&world);
        world.log()
    })
}

fn env(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is not a number: {text:?}")),
    )
}

fn sweep(story: Story) {
    if let Some(seed) = env("SIM_SEED") {
        run(seed, story);
        return;
    }
    let seeds = env("SIM_SEEDS").unwrap_or(SEEDS);
    let (next, failed) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds {
                        break;
                    }
                    if catch_unwind(AssertUnwindSafe(|| run(seed, story))).is_err() {
                        failed.fetch_add(1, Ordering::Relaxed);
                        eprintln!(
                            "{story:?} failed: SIM_SEED={seed} cargo test -p rufio-operator --test simulation {}",
                            story.test()
                        );
                    }
                }
            });
        }
    });
    assert_eq!(
        failed.into_inner(),
        0,
        "schedules failed; each is printed with the command that replays it"
    );
}

#[test]
fn netboot_ends_with_the_machine_on() {
    sweep(Story::Netboot);
}

#[test]
fn cycle_happens_at_most_once_and_once_where_completed() {
    sweep(Story::Cycle);
}

#[test]
fn a_job_created_again_acts_once() {
    sweep(Story::Again);
}

#[test]
fn jobs_of_one_machine_do_not_interleave() {
    sweep(Story::Two);
}

#[test]
fn a_seed_decides_everything() {
    for story in [Story::Netboot, Story::Cycle, Story::Again, Story::Two] {
        for seed in 0..10 {
            assert_eq!(run(seed, story), run(seed, story), "{story:?} {seed}");
        }
    }
}
