//! Fallback, case by case: who is tried, what is sent again, what is not, and what the report says.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bmc_core::testing::memory::{Capability, Fault, MemoryBmc, MemoryProvider, Step};
use bmc_core::{
    ActionId, Argument, Bmc, BootDevice, BootOverride, Effect, Error, ErrorKind, ForAction,
    PowerAction, PowerState, Provider, Report, Session, SetBootOverride, Stage,
};
use tokio::time::Instant;

/// One machine, reached as `a` and as `b`.
fn pair() -> (MemoryBmc, MemoryProvider, MemoryProvider, Bmc) {
    let machine = MemoryBmc::new();
    let (a, b) = (machine.provider("a"), machine.provider("b"));
    let bmc = Bmc::builder()
        .provider(a.clone())
        .provider(b.clone())
        .build();
    (machine, a, b, bmc)
}

/// The attempts as `a open unreachable`, `b open ok`.
fn told(report: &Report) -> Vec<String> {
    let attempts = report.attempts.iter();
    let told = attempts.map(|attempt| {
        let stage = match attempt.stage {
            Stage::Open => "open",
            Stage::Operate => "operate",
            Stage::Verify => "verify",
        };
        let result = attempt
            .error
            .as_ref()
            .map_or("ok", |error| error.kind().as_str());
        format!("{} {stage} {result}", attempt.provider)
    });
    told.collect()
}

#[tokio::test(start_paused = true)]
async fn an_unreachable_provider_is_passed_over() {
    let (machine, a, _, bmc) = pair();
    a.fault(Step::Login, Fault::Unreachable);
    let done = bmc.set_power(PowerAction::On).await.unwrap();
    assert_eq!(
        told(&done.report),
        ["a open unreachable", "b open ok", "b operate ok"]
    );
    assert_eq!(done.report.winner(), Some("b"));
    assert_eq!(machine.power_state(), PowerState::On);
}

#[tokio::test(start_paused = true)]
async fn a_silent_provider_leaves_time_for_the_next() {
    let (_, a, _, bmc) = pair();
    a.fault(Step::Login, Fault::Hang);
    let began = Instant::now();
    let done = bmc.power_state().await.unwrap();
    assert_eq!(
        told(&done.report),
        ["a open timeout", "b open ok", "b operate ok"]
    );
    assert!(began.elapsed() < Duration::from_secs(21));
}

#[tokio::test(start_paused = true)]
async fn the_deadline_is_total() {
    let (_, a, b, bmc) = pair();
    a.always(Step::Login, Fault::Hang);
    b.always(Step::Login, Fault::Hang);
    let deadline = Instant::now() + Duration::from_secs(15);
    let failed = bmc
        .run_until(bmc_core::GetPowerState, deadline)
        .await
        .unwrap_err();
    assert_eq!(told(&failed.report), ["a open timeout", "b open timeout"]);
    assert!(Instant::now() <= deadline + Duration::from_millis(1));
    assert_eq!(b.logins_tried(), 0);
    assert_eq!(failed.kind(), ErrorKind::Timeout);
}

#[tokio::test(start_paused = true)]
async fn a_refused_login_is_not_tried_again() {
    let (_, a, _, bmc) = pair();
    a.always(Step::Login, Fault::Refuse);
    let first = bmc.power_state().await.unwrap();
    assert_eq!(
        told(&first.report),
        ["a open authentication", "b open ok", "b operate ok"]
    );
    for _ in 0..5 {
        bmc.power_state().await.unwrap();
    }
    assert_eq!(a.logins_tried(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_refused_login_is_reported_again_until_it_is_forgotten() {
    let machine = MemoryBmc::new();
    let only = machine.provider("only");
    only.fault(Step::Login, Fault::Refuse);
    let bmc = Bmc::builder().provider(only.clone()).build();
    for _ in 0..3 {
        let failed = bmc.power_state().await.unwrap_err();
        assert_eq!(failed.kind(), ErrorKind::Authentication);
        assert!(!failed.is_retryable());
        assert_eq!(told(&failed.report), ["only open authentication"]);
    }
    assert_eq!(only.logins_tried(), 1);
    bmc.forget_refused_logins();
    bmc.power_state().await.unwrap();
    assert_eq!(only.logins_tried(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_on_a_new_session_is_a_refused_login() {
    let machine = MemoryBmc::new();
    let only = machine.provider("only");
    only.always(Step::Request, Fault::Refuse);
    let bmc = Bmc::builder().provider(only.clone()).build();
    for _ in 0..3 {
        let failed = bmc.power_state().await.unwrap_err();
        assert_eq!(failed.kind(), ErrorKind::Authentication);
    }
    assert_eq!(only.logins_tried(), 1);
    bmc.close().await;
    assert_eq!(machine.counters().open_sessions, 0);
}

#[tokio::test(start_paused = true)]
async fn an_expired_session_is_renewed() {
    let machine = MemoryBmc::new();
    let only = machine.provider("only");
    let bmc = Bmc::builder().provider(only.clone()).build();
    bmc.power_state().await.unwrap();
    only.fault(Step::Request, Fault::Refuse);
    let done = bmc.set_power(PowerAction::Cycle).await.unwrap();
    assert_eq!(
        told(&done.report),
        [
            "only operate authentication",
            "only open ok",
            "only operate ok"
        ]
    );
    assert_eq!(machine.counters().cycle, 1);
}

#[tokio::test(start_paused = true)]
async fn a_lost_session_is_renewed_once() {
    let (machine, a, _, bmc) = pair();
    bmc.power_state().await.unwrap();
    machine.lose_sessions();
    let done = bmc.power_state().await.unwrap();
    assert_eq!(
        told(&done.report),
        ["a operate protocol", "a open ok", "a operate ok"]
    );

    machine.lose_sessions();
    a.fault(Step::Request, Fault::LoseSession);
    let done = bmc.power_state().await.unwrap();
    assert_eq!(
        told(&done.report),
        [
            "a operate protocol",
            "a open ok",
            "a operate protocol",
            "b open ok",
            "b operate ok"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_silent_session_is_not_used_again() {
    let (machine, a, _, bmc) = pair();
    bmc.power_state().await.unwrap();
    a.fault(Step::Request, Fault::Hang);
    let done = bmc.power_state().await.unwrap();
    assert_eq!(
        told(&done.report),
        ["a operate timeout", "b open ok", "b operate ok"]
    );
    assert_eq!(machine.counters().open_sessions, 1);
}

#[tokio::test(start_paused = true)]
async fn a_cycle_whose_reply_was_lost_is_not_sent_again() {
    for fault in [
        Fault::ReplyLost,
        Fault::RequestLost,
        Fault::HangAfter,
        Fault::Hang,
    ] {
        let (machine, a, b, bmc) = pair();
        a.fault(Step::Request, fault);
        let failed = bmc.set_power(PowerAction::Cycle).await.unwrap_err();
        let expected = ["a open ok", "a operate timeout", "b open not-tried"];
        assert_eq!(told(&failed.report), expected);
        assert_eq!(failed.effect, Effect::Unknown);
        assert_eq!(failed.kind(), ErrorKind::Timeout);
        assert_eq!(b.logins_tried(), 0);
        assert!(machine.counters().cycle <= 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_cycle_that_certainly_failed_is_sent_through_the_next() {
    let (machine, a, _, bmc) = pair();
    a.fault(Step::Request, Fault::Busy);
    let done = bmc.set_power(PowerAction::Cycle).await.unwrap();
    assert_eq!(done.report.winner(), Some("b"));
    assert_eq!(machine.counters().cycle, 1);
}

#[tokio::test(start_paused = true)]
async fn a_power_on_whose_reply_was_lost_is_seen_through_the_next() {
    let (machine, a, _, bmc) = pair();
    a.fault(Step::Request, Fault::ReplyLost);
    let done = bmc.set_power(PowerAction::On).await.unwrap();
    assert_eq!(
        told(&done.report),
        ["a open ok", "a operate timeout", "b open ok", "b verify ok"]
    );
    assert_eq!(done.report.winner(), Some("b"));
    assert_eq!(machine.counters().on, 1);
}

#[tokio::test(start_paused = true)]
async fn a_boot_override_that_was_lost_is_sent_through_the_next() {
    let (machine, a, _, bmc) = pair();
    a.fault(Step::Request, Fault::RequestLost);
    let wanted = BootOverride::once(BootDevice::Pxe);
    let done = bmc.set_boot_override(wanted).await.unwrap();
    assert_eq!(
        told(&done.report),
        [
            "a open ok",
            "a operate timeout",
            "b open ok",
            "b verify ok",
            "b operate ok"
        ]
    );
    assert_eq!(machine.boot_override(), wanted);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_sent_blindly_after_an_unknown_effect() {
    let (machine, a, b, bmc) = pair();
    a.fault(Step::Request, Fault::ReplyLost);
    b.always(Step::Request, Fault::Busy);
    let failed = bmc.set_power(PowerAction::On).await.unwrap_err();
    assert_eq!(
        told(&failed.report),
        [
            "a open ok",
            "a operate timeout",
            "b open ok",
            "b verify busy"
        ]
    );
    assert_eq!(failed.effect, Effect::Unknown);
    assert_eq!(machine.counters().on, 1);
}

#[tokio::test(start_paused = true)]
async fn a_power_on_on_a_lost_session_is_seen_through_a_new_one() {
    let machine = MemoryBmc::new();
    let only = machine.provider("only");
    let bmc = Bmc::builder().provider(only.clone()).build();
    bmc.power_state().await.unwrap();
    only.fault(Step::Request, Fault::ReplyLost);
    let done = bmc.set_power(PowerAction::On).await.unwrap();
    assert_eq!(
        told(&done.report),
        ["only operate timeout", "only open ok", "only verify ok"]
    );
    assert_eq!(machine.counters().on, 1);
}

#[tokio::test(start_paused = true)]
async fn the_stand_in_comes_first_until_it_fails() {
    let (_, a, b, bmc) = pair();
    a.fault(Step::Login, Fault::Unreachable);
    bmc.power_state().await.unwrap();
    let done = bmc.power_state().await.unwrap();
    assert_eq!(told(&done.report), ["b operate ok"]);

    b.fault(Step::Request, Fault::Unreachable);
    b.fault(Step::Login, Fault::Unreachable);
    let done = bmc.power_state().await.unwrap();
    let expected = [
        "b operate unreachable",
        "b open unreachable",
        "a open ok",
        "a operate ok",
    ];
    assert_eq!(told(&done.report), expected);
    let done = bmc.power_state().await.unwrap();
    assert_eq!(told(&done.report), ["a operate ok"]);
}

#[tokio::test(start_paused = true)]
async fn a_missing_capability_changes_no_order() {
    let machine = MemoryBmc::new();
    let bmc = Bmc::builder()
        .provider(machine.provider("a").without(Capability::Boot))
        .provider(machine.provider("b"))
        .build();
    let done = bmc.boot_override().await.unwrap();
    assert_eq!(
        told(&done.report),
        [
            "a open ok",
            "a operate unsupported",
            "b open ok",
            "b operate ok"
        ]
    );
    let done = bmc.power_state().await.unwrap();
    assert_eq!(told(&done.report), ["a operate ok"]);
    // Both sessions are kept.
    let done = bmc.boot_override().await.unwrap();
    assert_eq!(
        told(&done.report),
        ["a operate unsupported", "b operate ok"]
    );
    assert_eq!(machine.counters().logins, 2);
}

#[tokio::test(start_paused = true)]
async fn without_providers_there_is_nothing_to_try() {
    let failed = Bmc::builder().build().power_state().await.unwrap_err();
    assert_eq!(failed.to_string(), "power status failed: no provider");
    assert_eq!(failed.kind(), ErrorKind::Unsupported);
}

/// A provider whose protocol knows no boot device but the network.
#[derive(Debug)]
struct NetworkOnly(MemoryProvider);

#[async_trait]
impl Provider for NetworkOnly {
    fn name(&self) -> &'static str {
        "narrow"
    }

    fn check(&self, argument: Argument<'_>) -> Result<(), Error> {
        match argument {
            Argument::BootOverride(wanted) if wanted.device != BootDevice::Pxe => {
                Err(Error::new(ErrorKind::Unsupported, "no such boot device"))
            }
            _ => Ok(()),
        }
    }

    async fn open(&self, deadline: Instant) -> Result<Arc<dyn Session>, Error> {
        self.0.open(deadline).await
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_provider_cannot_do_is_seen_before_it_is_opened() {
    let machine = MemoryBmc::new();
    let (a, b) = (machine.provider("a"), machine.provider("b"));
    let narrow = NetworkOnly(a.clone());
    let bmc = Bmc::builder().provider(narrow).provider(b).build();
    let disk = BootOverride::once(BootDevice::Disk);
    let id = ActionId::from_uid("a task");
    let operation = SetBootOverride(disk);
    let done = bmc.run(ForAction { id, operation }).await.unwrap();
    assert_eq!(
        told(&done.report),
        ["narrow operate unsupported", "b open ok", "b operate ok"]
    );
    assert_eq!(a.logins_tried(), 0);
    let pxe = BootOverride::once(BootDevice::Pxe);
    let done = bmc.set_boot_override(pxe).await.unwrap();
    assert_eq!(done.report.winner(), Some("narrow"), "it is still first");
}
