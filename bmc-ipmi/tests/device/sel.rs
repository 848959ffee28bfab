//! The system event log.

use std::time::Duration;

use bmc_ipmi::Error;
use bmc_ipmi::codec::Wire;
use bmc_ipmi::command::{
    AddSelEntry, ClearSel, Command, DeleteSelEntry, GetSelEntry, ReserveSel, SelEntryPart, SelInfo,
    SelTimeUtcOffset,
};
use bmc_ipmi::device::{DeviceError, Sel, SelMarker};
use bmc_ipmi::record::sdr::SdrBody;
use bmc_ipmi::record::sel::{SelBody, SelRecord};
use bmc_ipmi::record::{Sdr, Sensor, Text};
use bmc_ipmi::sim::{NextEntryLie, Sim, SimBuilder, SimHandle};
use bmc_ipmi::wire::{CompletionCode, NetFn, Timestamp};
use tokio::time::Instant;

use crate::events::too_hot;
use crate::inventory;
use crate::setup::{connect, deadline};

/// An event of temperature sensor `number`.
fn event(number: u8) -> SelBody {
    too_hot(number, Timestamp(0x6000_0000 + u32::from(number)))
}

fn with_events(count: u8) -> SimBuilder {
    (0..count).fold(Sim::builder(), |bmc, number| bmc.event(event(number)))
}

async fn sel(bmc: &SimHandle) -> Sel {
    Sel::new(&connect(bmc).await)
}

fn stored(bmc: &SimHandle) -> Vec<SelRecord> {
    bmc.event_log(|log| log.records().to_vec())
}

fn key<C: Command>() -> (NetFn, u8) {
    (C::NETFN, C::CMD)
}

/// How often the BMC executed a command.
fn count<C: Command>(bmc: &SimHandle) -> usize {
    let log = bmc.log();
    let executed = log.iter().filter(|e| (e.netfn, e.command) == key::<C>());
    executed.count()
}

#[tokio::test]
async fn all_entries_are_read_one_exchange_each() {
    let bmc = with_events(20).spawn().await.unwrap();
    let sel = sel(&bmc).await;
    assert_eq!(sel.read(deadline()).await.unwrap(), stored(&bmc));
    assert_eq!(count::<GetSelEntry>(&bmc), 20);
    assert_eq!(
        count::<ReserveSel>(&bmc),
        0,
        "whole entries need no reservation"
    );

    let info = sel.info(deadline()).await.unwrap();
    assert_eq!((info.entries, info.has_overflowed()), (20, false));
    assert!(info.supports(SelInfo::DELETE | SelInfo::RESERVE));
    let allocation = sel.allocation_info(deadline()).await.unwrap();
    assert_eq!((allocation.units, allocation.free_units), (512, 492));
    let third = stored(&bmc)[2];
    assert_eq!(sel.entry(third.id, deadline()).await.unwrap(), Some(third));
    assert_eq!(sel.entry(999, deadline()).await.unwrap(), None);
}

#[tokio::test]
async fn an_empty_log_has_no_entries() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let sel = sel(&bmc).await;
    assert_eq!(sel.read(deadline()).await.unwrap(), []);
    // Instead of a completion code: no data, and nothing behind it.
    bmc.faults(|faults| {
        faults
            .answers
            .insert(key::<GetSelEntry>(), vec![0xff, 0xff])
    });
    assert_eq!(sel.read(deadline()).await.unwrap(), []);
}

#[tokio::test]
async fn entries_are_read_in_parts_where_the_bmc_gives_no_more() {
    for limit in [1, 3, 7, 8, 15] {
        let bmc = with_events(3).spawn().await.unwrap();
        bmc.event_log(|log| log.read_limit = limit);
        let sel = sel(&bmc).await;
        assert_eq!(
            sel.read(deadline()).await.unwrap(),
            stored(&bmc),
            "limit {limit}"
        );
        assert_eq!(count::<ReserveSel>(&bmc), 1, "one reservation serves all");
    }
}

/// BMCs differ in how they say that they cannot give so much.
#[tokio::test]
async fn every_refusal_of_a_length_is_understood() {
    let record = SelRecord {
        id: 1,
        body: event(7),
    };
    for code in [
        CompletionCode::TRUNCATED,
        CompletionCode::INVALID_LENGTH,
        CompletionCode::LENGTH_EXCEEDED,
        CompletionCode::CANNOT_RETURN_LENGTH,
        CompletionCode::UNSPECIFIED,
    ] {
        let bmc = Sim::builder().command(move |read: GetSelEntry| {
            let (from, count) = (usize::from(read.offset), usize::from(read.count));
            let data = record
                .to_bytes()
                .get(from..from + count)
                .map(<[u8]>::to_vec);
            let data = data.filter(|data| data.len() <= 5).ok_or(code)?;
            let next = GetSelEntry::LAST;
            Ok(SelEntryPart { next, data })
        });
        let bmc = bmc.spawn().await.unwrap();
        let read = sel(&bmc).await.read(deadline()).await.unwrap();
        assert_eq!(read, [record], "{code}");
    }
}

#[tokio::test]
async fn a_lost_reservation_is_renewed_and_the_entry_begun_again() {
    let bmc = with_events(4).spawn().await.unwrap();
    bmc.event_log(|log| {
        log.read_limit = 4;
        log.cancel_after_reads = Some(6);
    });
    let sel = sel(&bmc).await;
    assert_eq!(sel.read(deadline()).await.unwrap(), stored(&bmc));
    assert_eq!(count::<ReserveSel>(&bmc), 2);
    let refused = bmc
        .log()
        .iter()
        .filter(|executed| executed.completion == CompletionCode::RESERVATION_CANCELLED)
        .count();
    assert_eq!(refused, 1);
}

#[tokio::test]
async fn a_log_that_never_rests_is_given_up() {
    let bmc = with_events(2).spawn().await.unwrap();
    bmc.event_log(|log| log.read_limit = 8);
    let never = CompletionCode::RESERVATION_CANCELLED;
    bmc.faults(|faults| faults.completion_codes.insert(key::<GetSelEntry>(), never));
    let error = sel(&bmc).await.read(deadline()).await.unwrap_err();
    assert!(
        matches!(error, Error::Device(DeviceError::Unsteady("SEL"))),
        "{error}"
    );
}

#[tokio::test]
async fn a_bmc_that_lies_about_the_next_entry_cannot_hold_the_walk() {
    for lie in [
        NextEntryLie::Itself,
        NextEntryLie::First,
        NextEntryLie::Endless,
    ] {
        let bmc = with_events(5).spawn().await.unwrap();
        bmc.event_log(|log| log.lie = Some(lie));
        let read = sel(&bmc).await.read(deadline()).await.unwrap();
        let expected = match lie {
            NextEntryLie::Itself => 1,
            NextEntryLie::First | NextEntryLie::Endless => 5,
        };
        assert_eq!(read, stored(&bmc)[..expected], "{lie:?}");
        assert!(count::<GetSelEntry>(&bmc) <= 6, "{lie:?}");
    }
}

#[tokio::test]
async fn a_short_answer_is_an_error_that_names_the_field() {
    let bmc = with_events(1).spawn().await.unwrap();
    bmc.faults(|faults| faults.answers.insert(key::<GetSelEntry>(), vec![1]));
    let error = sel(&bmc).await.read(deadline()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "Get SEL Entry response: next record ID needs 2 bytes, 1 are left"
    );
}

#[tokio::test]
async fn a_busy_log_is_asked_again() {
    let bmc = with_events(3).spawn().await.unwrap();
    let sel = sel(&bmc).await;
    bmc.event_log(|log| log.busy = 2);
    assert_eq!(sel.read(deadline()).await.unwrap(), stored(&bmc));
    assert!(count::<GetSelEntry>(&bmc) >= 5);
}

#[tokio::test]
async fn an_entry_is_added_once_and_gets_its_id_and_time_from_the_bmc() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let sel = sel(&bmc).await;
    let id = sel.add(event(7), deadline()).await.unwrap();
    let [record] = stored(&bmc)[..] else {
        panic!("one entry");
    };
    assert_eq!(record.id, id);
    assert_ne!(record.timestamp(), Some(Timestamp(0x6000_0007)));
    assert_eq!(record.event().unwrap().event.sensor_number, 7);

    bmc.faults(|faults| faults.drop_next_replies = 1);
    let soon = Instant::now() + Duration::from_millis(400);
    let error = sel.add(event(8), soon).await.unwrap_err();
    assert_eq!(error.effect(), bmc_core::Effect::Unknown);
    assert_eq!(count::<AddSelEntry>(&bmc), 2, "one datagram each");
    assert_eq!(stored(&bmc).len(), 2);
}

#[tokio::test]
async fn a_full_log_refuses_and_says_that_it_overflowed() {
    let bmc = with_events(2).event_capacity(2).spawn().await.unwrap();
    let sel = sel(&bmc).await;
    let error = sel.add(event(3), deadline()).await.unwrap_err();
    assert_eq!(error.completion(), Some(CompletionCode::OUT_OF_SPACE));
    let info = sel.info(deadline()).await.unwrap();
    assert_eq!((info.entries, info.free_bytes), (2, 0));
    assert!(info.has_overflowed());
}

#[tokio::test]
async fn deleting_what_is_gone_is_success() {
    let bmc = with_events(3).spawn().await.unwrap();
    let sel = sel(&bmc).await;
    let second = stored(&bmc)[1].id;
    sel.delete(second, deadline()).await.unwrap();
    sel.delete(second, deadline()).await.unwrap();
    let left: Vec<_> = stored(&bmc).iter().map(|record| record.id).collect();
    assert_eq!(left, [1, 3]);
    assert_eq!(count::<DeleteSelEntry>(&bmc), 2);
}

#[tokio::test]
async fn clearing_waits_until_the_log_is_erased() {
    let bmc = with_events(3).spawn().await.unwrap();
    let sel = sel(&bmc).await;
    let erase_time = Duration::from_millis(60);
    bmc.event_log(|log| log.erase_time = erase_time);
    let begin = Instant::now();
    sel.clear(deadline()).await.unwrap();
    assert!(begin.elapsed() >= erase_time);
    assert_eq!(stored(&bmc), []);
    assert_eq!(sel.read(deadline()).await.unwrap(), []);
}

#[tokio::test]
async fn clearing_is_not_repeated_when_its_answer_was_lost() {
    let bmc = with_events(3).spawn().await.unwrap();
    let sel = sel(&bmc).await;
    bmc.event_log(|log| log.set_time(Instant::now(), Timestamp(0x7000_0000)));
    bmc.faults(|faults| faults.drop_replies_to.insert(key::<ClearSel>(), 1));
    sel.clear(deadline()).await.unwrap();
    assert_eq!(stored(&bmc), []);
    assert_eq!(count::<ReserveSel>(&bmc), 1, "the erasure was seen");
}

#[tokio::test]
async fn reading_waits_for_an_erasure() {
    let bmc = with_events(3).spawn().await.unwrap();
    let (reader, eraser) = (sel(&bmc).await, sel(&bmc).await);
    bmc.event_log(|log| log.erase_time = Duration::from_millis(80));
    let clear = tokio::spawn(async move { eraser.clear(deadline()).await });
    while count::<ClearSel>(&bmc) == 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(reader.read(deadline()).await.unwrap(), []);
    clear.await.unwrap().unwrap();
    let early = Instant::now() + Duration::from_millis(50);
    bmc.event_log(|log| log.erase_time = Duration::from_secs(60));
    let error = reader.clear(early).await.unwrap_err();
    assert_eq!(error.kind(), bmc_core::ErrorKind::Busy, "{error}");
}

#[tokio::test]
async fn new_entries_are_read_once_and_asking_in_vain_is_one_exchange() {
    let bmc = with_events(5).spawn().await.unwrap();
    let sel = sel(&bmc).await;
    let page = sel.entries_after(None, 3, deadline()).await.unwrap();
    assert_eq!(page.records, stored(&bmc)[..3]);
    assert!(page.more && !page.restarted);
    let marker: SelMarker = page.marker.to_string().parse().unwrap();
    assert_eq!(marker, page.marker);
    let page = sel
        .entries_after(Some(&marker), 100, deadline())
        .await
        .unwrap();
    assert_eq!(page.records, stored(&bmc)[3..]);
    assert!(!page.more && !page.restarted);

    let before = bmc.log().len();
    let marker: SelMarker = page.marker.to_string().parse().unwrap();
    let none = sel
        .entries_after(Some(&marker), 100, deadline())
        .await
        .unwrap();
    assert_eq!((none.records.len(), none.marker), (0, marker));
    assert_eq!(bmc.log().len() - before, 1);

    bmc.event_log(|log| log.push(event(40)).unwrap());
    let page = sel
        .entries_after(Some(&marker), 100, deadline())
        .await
        .unwrap();
    assert_eq!(page.records, stored(&bmc)[5..]);
    assert!(!page.restarted);
}

#[tokio::test]
async fn a_cleared_log_is_read_from_its_begin_and_says_so() {
    let bmc = with_events(3).spawn().await.unwrap();
    let sel = sel(&bmc).await;
    let page = sel.entries_after(None, 100, deadline()).await.unwrap();
    sel.clear(deadline()).await.unwrap();
    bmc.event_log(|log| log.push(event(50)).unwrap());
    let page = sel
        .entries_after(Some(&page.marker), 100, deadline())
        .await
        .unwrap();
    assert_eq!(page.records, stored(&bmc));
    assert!(page.restarted);
    // An ID that was given out again is not the entry that was seen.
    let other = (20..24).fold(Sim::builder(), |bmc, number| bmc.event(event(number)));
    let other = other.spawn().await.unwrap();
    let first = with_events(3).spawn().await.unwrap();
    let seen = self::sel(&first).await;
    let seen = seen.entries_after(None, 100, deadline()).await.unwrap();
    let page = self::sel(&other).await;
    let page = page.entries_after(Some(&seen.marker), 100, deadline());
    let page = page.await.unwrap();
    assert_eq!(page.records, stored(&other));
    assert!(page.restarted);
    assert!("sel:zz".parse::<SelMarker>().is_err());
    assert!("1234".parse::<SelMarker>().is_err());
}

#[tokio::test]
async fn the_clock_is_read_and_set() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let sel = sel(&bmc).await;
    let time = Timestamp(0x7000_0000);
    sel.set_time(time, deadline()).await.unwrap();
    let now = sel.time(deadline()).await.unwrap();
    assert!((time..Timestamp(time.0 + 20)).contains(&now));
    let offset = SelTimeUtcOffset::new(-330).unwrap();
    sel.set_utc_offset(offset, deadline()).await.unwrap();
    let read = sel.utc_offset(deadline()).await.unwrap();
    assert_eq!(read.minutes(), Some(-330));
    assert_eq!(SelTimeUtcOffset::new(1441), None);
}

#[tokio::test]
async fn sensor_data_records_give_events_names_and_units() {
    let bmc = with_events(3).spawn().await.unwrap();
    let records = sel(&bmc).await.read(deadline()).await.unwrap();
    let sensor = inventory::numeric(2, Text::plain("CPU 1"));
    let sensors = Sensor::all(&[Sdr::new(1, SdrBody::Full(Box::new(sensor)))]);
    let texts: Vec<_> = records
        .iter()
        .map(|record| record.describe(&&sensors[..]))
        .collect();
    assert_eq!(
        texts,
        [
            "temperature #00h of BMC: upper critical going high; reading 5Ch (raw); threshold 5Ah (raw)",
            "temperature #01h of BMC: upper critical going high; reading 5Ch (raw); threshold 5Ah (raw)",
            "temperature CPU 1: upper critical going high; reading 42 °C; threshold 40 °C",
        ]
    );
}

#[tokio::test]
async fn a_walk_that_is_left_in_the_middle_goes_on_where_it_was() {
    let bmc = with_events(3).spawn().await.unwrap();
    let sel = sel(&bmc).await;
    let mut entries = sel.entries();
    let mut read = vec![entries.next(deadline()).await.unwrap().unwrap()];
    bmc.faults(|faults| faults.drop_replies_to.insert(key::<GetSelEntry>(), 1));
    let early = tokio::time::timeout(Duration::from_millis(20), entries.next(deadline()));
    assert!(early.await.is_err());
    while let Some(record) = entries.next(deadline()).await.unwrap() {
        read.push(record);
    }
    assert_eq!(read, stored(&bmc));
    assert_eq!(
        entries.next(deadline()).await.unwrap(),
        None,
        "and stays at the end"
    );
}
