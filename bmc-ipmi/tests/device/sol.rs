//! Serial over LAN as a byte stream.

use std::io::ErrorKind as IoErrorKind;
use std::time::Duration;

use bmc_core::{Effect, ErrorKind};
use bmc_ipmi::Error;
use bmc_ipmi::command::{ActivatePayload, GetChassisStatus};
use bmc_ipmi::device::{Sol, SolEnd, SolOptions};
use bmc_ipmi::proto::{SolEvent, SolSettings};
use bmc_ipmi::quirks::{Quirk, Quirks};
use bmc_ipmi::sim::{Sim, SimHandle};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, timeout};

use crate::setup::{connect, deadline};

const LONG: usize = 1 << 16;

/// Bytes whose order shows.
fn numbered(count: usize) -> Vec<u8> {
    (0..count)
        .map(|at| u8::try_from(at % 251).unwrap())
        .collect()
}

/// Waits until something is so.
async fn until(mut condition: impl FnMut() -> bool) {
    let end = deadline();
    while !condition() {
        assert!(Instant::now() < end, "it never happens");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

fn with(settings: SolSettings) -> SolOptions {
    SolOptions {
        settings,
        ..SolOptions::default()
    }
}

fn small_buffer() -> SolSettings {
    SolSettings {
        buffer: 1024,
        ..SolSettings::default()
    }
}

async fn open(bmc: &SimHandle, options: SolOptions) -> Result<Sol, Error> {
    Sol::open(&connect(bmc).await, options, deadline()).await
}

async fn read(sol: &mut Sol, count: usize) -> Vec<u8> {
    let mut buffer = vec![0; count];
    timeout(Duration::from_secs(20), sol.read_exact(&mut buffer))
        .await
        .unwrap()
        .unwrap();
    buffer
}

#[tokio::test]
async fn what_is_typed_arrives_and_what_is_printed_is_read() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let mut sol = open(&bmc, SolOptions::default()).await.unwrap();
    sol.write_all(b"root\r").await.unwrap();
    sol.flush().await.unwrap();
    assert_eq!(bmc.serial(|port| port.typed().to_vec()), b"root\r");
    bmc.serial(|port| port.print("Password: "));
    assert_eq!(read(&mut sol, 10).await, b"Password: ");
    sol.shutdown().await.unwrap();
    assert!(!bmc.serial(|port| port.is_active()));
    assert_eq!(sol.read(&mut [0; 8]).await.unwrap(), 0, "the end");
    assert!(matches!(sol.control().end(), Some(SolEnd::ShutDown)));
    let error = sol.write_all(b"x").await.unwrap_err();
    assert_eq!(error.kind(), IoErrorKind::BrokenPipe);
}

#[tokio::test]
async fn much_travels_both_ways_while_commands_do_too() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    let sol = Sol::open(&client, SolOptions::default(), deadline())
        .await
        .unwrap();
    bmc.serial(|port| port.print(numbered(LONG)));
    let (mut reader, mut writer) = tokio::io::split(sol);
    let typing = async {
        writer.write_all(&numbered(LONG)).await.unwrap();
        writer.flush().await.unwrap();
    };
    let reading = async {
        let mut buffer = vec![0; LONG];
        reader.read_exact(&mut buffer).await.unwrap();
        buffer
    };
    let asking = async {
        for _ in 0..50 {
            client.execute(&GetChassisStatus, deadline()).await.unwrap();
        }
    };
    let ((), printed, ()) = tokio::join!(typing, reading, asking);
    assert!(printed == numbered(LONG));
    assert!(bmc.serial(|port| port.typed() == numbered(LONG)));
}

#[tokio::test]
async fn nothing_is_lost_or_doubled_over_a_bad_network() {
    let bmc = Sim::builder().seed(7).spawn().await.unwrap();
    let settings = SolSettings {
        retry_interval: Duration::from_millis(30),
        retries: 10,
        ..SolSettings::default()
    };
    let mut sol = open(&bmc, with(settings)).await.unwrap();
    bmc.faults(|faults| {
        faults.drop = 0.1;
        faults.duplicate = true;
        faults.reorder = Duration::from_millis(5);
    });
    let text = numbered(5000);
    sol.write_all(&text).await.unwrap();
    bmc.serial(|port| port.print(&text));
    assert!(read(&mut sol, text.len()).await == text);
    sol.flush().await.unwrap();
    assert!(bmc.serial(|port| port.typed() == text));
}

/// The reader's buffer fills, then the BMC waits, and goes on when there is room.
#[tokio::test]
async fn a_slow_reader_makes_the_bmc_wait() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let mut sol = open(&bmc, with(small_buffer())).await.unwrap();
    bmc.serial(|port| port.print(numbered(LONG)));
    until(|| bmc.serial(|port| port.waiting()) < LONG).await;
    // Longer than the BMC would repeat a packet before it gave up.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let waiting = bmc.serial(|port| port.waiting());
    assert!(waiting >= LONG - 1024 - 255, "{waiting}");
    assert!(read(&mut sol, LONG).await == numbered(LONG));
    until(|| bmc.serial(|port| port.waiting()) == 0).await;
}

/// The writer's buffer fills, then the writer waits.
#[tokio::test]
async fn a_bmc_that_takes_nothing_makes_the_writer_wait() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let mut sol = open(&bmc, with(small_buffer())).await.unwrap();
    bmc.serial(|port| port.faults().unavailable = true);
    let text = numbered(4000);
    let written = timeout(Duration::from_millis(200), sol.write_all(&text)).await;
    assert!(written.is_err(), "waits");
    assert!(bmc.serial(|port| port.typed().is_empty()));
    // The first 1024 are on their way; at least one packet of them was refused.
    bmc.serial(|port| port.faults().unavailable = false);
    sol.flush().await.unwrap();
    let typed = bmc.serial(|port| port.typed().to_vec());
    assert!(
        typed.len() >= 1024 && text.starts_with(&typed),
        "{}",
        typed.len()
    );
}

#[tokio::test]
async fn partial_acceptance_refusals_and_lost_acknowledgements() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let mut sol = open(&bmc, SolOptions::default()).await.unwrap();
    bmc.serial(|port| {
        let faults = port.faults();
        faults.partial = Some(7);
        faults.nack_next = 3;
        faults.lose_next_acknowledgements = 2;
    });
    let text = numbered(100);
    sol.write_all(&text).await.unwrap();
    sol.flush().await.unwrap();
    assert_eq!(bmc.serial(|port| port.typed().to_vec()), text);
}

/// OpenBMC never acknowledges what it has had before.
#[tokio::test]
async fn an_acknowledgement_that_never_comes_is_reported() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let settings = SolSettings {
        retry_interval: Duration::from_millis(10),
        retries: 3,
        ..SolSettings::default()
    };
    let mut sol = open(&bmc, with(settings)).await.unwrap();
    bmc.serial(|port| {
        port.faults().deaf_to_repeats = true;
        port.faults().lose_next_acknowledgements = 1;
    });
    sol.write_all(b"one").await.unwrap();
    let error = sol.flush().await.unwrap_err();
    assert_eq!(error.kind(), IoErrorKind::TimedOut);
    assert_eq!(error.to_string(), "the BMC has not confirmed 3 characters");
    let event = SolEvent::Unconfirmed { characters: 3 };
    assert_eq!(sol.control().event().await, Some(event));
    sol.write_all(b" two").await.unwrap();
    sol.flush().await.unwrap();
    assert_eq!(bmc.serial(|port| port.typed().to_vec()), b"one two");
}

#[tokio::test]
async fn breaks_and_events() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let mut sol = open(&bmc, SolOptions::default()).await.unwrap();
    let control = sol.control();
    sol.write_all(b"ab").await.unwrap();
    sol.send_break().unwrap();
    sol.write_all(b"c").await.unwrap();
    control.send_break().unwrap();
    sol.flush().await.unwrap();
    assert_eq!(bmc.serial(|port| port.breaks().to_vec()), [2, 3]);
    bmc.serial(bmc_ipmi::sim::SerialPort::print_break);
    assert_eq!(control.event().await, Some(SolEvent::Break));
    bmc.serial(bmc_ipmi::sim::SerialPort::overrun);
    assert_eq!(control.event().await, Some(SolEvent::Overrun));
    control.flush_bmc().unwrap();
    sol.shutdown().await.unwrap();
    assert_eq!(control.event().await, None);
    assert!(control.send_break().is_err());
}

#[tokio::test]
async fn the_bmc_may_end_it() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let mut sol = open(&bmc, SolOptions::default()).await.unwrap();
    bmc.serial(|port| port.print("last words"));
    assert_eq!(read(&mut sol, 10).await, b"last words");
    bmc.serial(bmc_ipmi::sim::SerialPort::deactivate);
    assert_eq!(sol.read(&mut [0; 8]).await.unwrap(), 0);
    assert!(matches!(sol.control().end(), Some(SolEnd::Deactivated)));
    assert_eq!(sol.control().event().await, Some(SolEvent::Deactivated));
    let error = sol.write_all(b"x").await.unwrap_err();
    let text =
        "the BMC has ended serial over LAN: another console took it over, or it was disabled";
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (IoErrorKind::BrokenPipe, text)
    );
    sol.shutdown().await.unwrap();
}

#[tokio::test]
async fn it_is_taken_over_on_request_only() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let mut first = open(&bmc, SolOptions::default()).await.unwrap();
    let error = open(&bmc, SolOptions::default()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Busy);
    assert_eq!(
        error.to_string(),
        "BMC refuses serial over LAN: another session has it (80h)"
    );
    let steal = SolOptions {
        steal: true,
        ..SolOptions::default()
    };
    let mut second = open(&bmc, steal).await.unwrap();
    assert_eq!(first.read(&mut [0; 8]).await.unwrap(), 0);
    assert!(matches!(first.control().end(), Some(SolEnd::Deactivated)));
    // Its end is not the end of the other one.
    drop(first);
    second.write_all(b"mine").await.unwrap();
    second.flush().await.unwrap();
    assert_eq!(bmc.serial(|port| port.typed().to_vec()), b"mine");
    second.shutdown().await.unwrap();

    bmc.serial(bmc_ipmi::sim::SerialPort::occupy);
    bmc.serial(|port| port.faults().ignores_deactivation = true);
    let error = open(&bmc, steal).await.unwrap_err();
    assert!(matches!(error, Error::SolRefused { code } if code == ActivatePayload::ALREADY_ACTIVE));
}

/// A second stream of one client is told from one of another session, and never ends the first one unasked.
#[tokio::test]
async fn a_stream_of_the_same_client_is_taken_over_on_request_only() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    let open = async |steal| {
        let options = SolOptions {
            steal,
            ..SolOptions::default()
        };
        Sol::open(&client, options, deadline()).await
    };
    let mut first = open(false).await.unwrap();
    let commands = bmc.log().len();
    let error = open(false).await.unwrap_err();
    assert!(matches!(error, Error::SolInUse), "{error}");
    assert_eq!(
        (error.kind(), error.effect(), bmc.log().len()),
        (ErrorKind::Busy, Effect::None, commands)
    );
    assert_eq!(
        error.to_string(),
        "serial over LAN is open in this session already"
    );
    first.write_all(b"first").await.unwrap();
    first.flush().await.unwrap();
    bmc.serial(|port| port.print("alive"));
    assert_eq!(read(&mut first, 5).await, b"alive");

    let mut second = open(true).await.unwrap();
    assert_eq!(first.read(&mut [0; 8]).await.unwrap(), 0);
    assert!(matches!(first.control().end(), Some(SolEnd::Deactivated)));
    drop(first);
    second.write_all(b", second").await.unwrap();
    second.flush().await.unwrap();
    assert_eq!(bmc.serial(|port| port.typed().to_vec()), b"first, second");
    second.shutdown().await.unwrap();
    // One that has ended is in nobody's way, even if it is kept.
    open(false).await.unwrap();
}

/// Activation is sent once. A lost answer is not the end: SOL may be active in this very session.
#[tokio::test]
async fn a_lost_answer_to_the_activation_is_made_good() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    // The privilege is raised first.
    client.execute(&GetChassisStatus, deadline()).await.unwrap();
    bmc.faults(|faults| faults.drop_next_replies = 1);
    let mut sol = Sol::open(&client, SolOptions::default(), deadline())
        .await
        .unwrap();
    sol.write_all(b"x").await.unwrap();
    sol.flush().await.unwrap();
    assert_eq!(bmc.serial(|port| port.typed().to_vec()), b"x");
}

#[tokio::test]
async fn a_drop_ends_it() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    let sol = Sol::open(&client, SolOptions::default(), deadline())
        .await
        .unwrap();
    drop(sol);
    until(|| !bmc.serial(|port| port.is_active())).await;
    // And the session with it, if nobody else has it.
    let sol = Sol::open(&client, SolOptions::default(), deadline())
        .await
        .unwrap();
    drop((client, sol));
    until(|| bmc.active_sessions() == 0).await;
}

/// Serial characters do not keep a session from being forgotten; commands do.
#[tokio::test]
async fn the_session_is_kept_alive() {
    let bmc = Sim::builder()
        .session_timeout(Duration::from_secs(1))
        .spawn()
        .await
        .unwrap();
    let options = SolOptions {
        keep_alive: Duration::from_millis(50),
        ..SolOptions::default()
    };
    let mut sol = open(&bmc, options).await.unwrap();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    bmc.serial(|port| port.print("still here"));
    assert_eq!(read(&mut sol, 10).await, b"still here");
}

#[tokio::test]
async fn a_lost_session_is_an_error() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    let mut sol = Sol::open(&client, SolOptions::default(), deadline())
        .await
        .unwrap();
    client.close().await;
    let error = sol.read(&mut [0; 8]).await.unwrap_err();
    assert_eq!(error.kind(), IoErrorKind::ConnectionAborted);
    assert_eq!(
        error.to_string(),
        "serial over LAN is lost: the session is closed"
    );
    assert!(sol.write(b"x").await.is_err());
    assert!(sol.flush().await.is_err());
    assert!(sol.shutdown().await.is_err());
}

/// A BMC that has forgotten the session says nothing at all.
#[tokio::test(start_paused = true)]
async fn a_silent_bmc_is_noticed() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let mut sol = open(&bmc, SolOptions::default()).await.unwrap();
    bmc.forget_sessions();
    let begun = Instant::now();
    let error = sol.read(&mut [0; 8]).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "serial over LAN is lost: no answer to Get Device ID in time"
    );
    assert!(
        begun.elapsed() < Duration::from_secs(30),
        "{:?}",
        begun.elapsed()
    );
}

#[tokio::test]
async fn refusals_say_why() {
    use bmc_ipmi::command::{SetSolConfiguration, SolSetting};
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    let disable = SetSolConfiguration {
        channel: 1,
        setting: SolSetting::Enable(false),
    };
    client.execute(&disable, deadline()).await.unwrap();
    let error = Sol::open(&client, SolOptions::default(), deadline())
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "BMC refuses serial over LAN: it is disabled (81h)"
    );
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

/// Sizes and ports that some BMCs report.
#[tokio::test]
async fn sizes_and_ports_that_lie() {
    for (size, port) in [(0, 0), (0x0301, 0x6f02), (u16::MAX, 1), (4, 623)] {
        let bmc = Sim::builder().spawn().await.unwrap();
        bmc.serial(|serial| {
            serial.faults().inbound_size = Some(size);
            serial.faults().port = Some(port);
            serial.faults().partial = Some(64);
        });
        let mut sol = open(&bmc, SolOptions::default()).await.unwrap();
        let text = numbered(1000);
        sol.write_all(&text).await.unwrap();
        sol.flush().await.unwrap();
        assert_eq!(bmc.serial(|port| port.typed().to_vec()), text);
    }
}

/// The end of one stream is not the end of the next one in the same session.
#[tokio::test]
async fn it_is_opened_again_in_the_same_session() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    for _ in 0..5 {
        let first = Sol::open(&client, SolOptions::default(), deadline())
            .await
            .unwrap();
        drop(first);
        let mut second = Sol::open(&client, SolOptions::default(), deadline())
            .await
            .unwrap();
        // The first one's task has ended by then.
        client.execute(&GetChassisStatus, deadline()).await.unwrap();
        second.write_all(b"x").await.unwrap();
        second.flush().await.unwrap();
        bmc.serial(|port| port.print("y"));
        assert_eq!(read(&mut second, 1).await, b"y");
        second.shutdown().await.unwrap();
    }
}

#[test]
fn quirks_become_options() {
    let plain = SolOptions::for_quirks(Quirks::NONE);
    assert!(!plain.ignore_sizes && !plain.settings.zero_means_all && plain.starts_deasserted);
    assert!(SolOptions::for_quirks(Quirk::SolPayloadSize.into()).ignore_sizes);
    let intel = SolOptions::for_quirks(Quirk::IntelPlus.into());
    assert!(intel.settings.zero_means_all && !intel.starts_deasserted);
}
