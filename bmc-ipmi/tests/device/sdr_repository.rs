//! Reading sensor data records, from BMCs that behave and from those that do not.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use bmc_ipmi::Client;
use bmc_ipmi::codec::Wire;
use bmc_ipmi::command::{
    Command, GetDeviceSdr, GetSdr, GetSdrRepositoryInfo, ReserveSdrRepository, SdrPart,
};
use bmc_ipmi::device::{SdrCache, SdrRecords, SdrRepository};
use bmc_ipmi::record::Sdr;
use bmc_ipmi::sim::{RepositoryQuirks, SdrEnd, SdrPlace, Sim, SimBuilder, SimHandle};
use bmc_ipmi::wire::{CompletionCode, NetFn};
use tokio::time::{Instant, timeout};

use crate::inventory::{every_type, full, latin, numeric};
use crate::setup::{connect, deadline};

async fn read(client: &Client) -> SdrRecords {
    let repository = SdrRepository::new(client);
    repository.records(deadline()).await.unwrap()
}

fn expected() -> Vec<Sdr> {
    let numbered = (1..).zip(every_type());
    numbered.map(|(id, body)| Sdr::new(id, body)).collect()
}

fn count<C: Command>(bmc: &SimHandle, _: C) -> usize {
    let same = |netfn: NetFn, command| netfn == C::NETFN && command == C::CMD;
    let log = bmc.log();
    log.iter()
        .filter(|done| same(done.netfn, done.command))
        .count()
}

fn whole() -> GetSdr {
    GetSdr(bmc_ipmi::command::SdrRange::whole(0))
}

#[tokio::test]
async fn every_record_is_read_in_one_exchange() {
    let bmc = Sim::builder().records(every_type()).spawn().await.unwrap();
    let client = connect(&bmc).await;
    let all = read(&client).await;
    assert!(all.is_complete && !all.is_cached);
    assert_eq!(all.records[..], expected()[..]);
    assert_eq!(count(&bmc, whole()), expected().len());
    assert_eq!(
        count(&bmc, ReserveSdrRepository),
        0,
        "whole records need none"
    );
    let names: Vec<_> = all.records.iter().filter_map(|r| r.body.name()).collect();
    assert_eq!(
        names,
        [
            "Température",
            "TEMP 2",
            "12-34.5",
            "温度 4",
            "Slot",
            "SEL",
            "LM75",
            "BOARD FRU",
            "HSC"
        ]
    );
}

#[tokio::test]
async fn device_records_are_read_where_there_is_no_repository() {
    let sim = Sim::builder()
        .records(every_type())
        .sdr_place(SdrPlace::Device);
    let bmc = sim.spawn().await.unwrap();
    let client = connect(&bmc).await;
    let all = read(&client).await;
    assert_eq!(all.records[..], expected()[..]);
    let part = GetDeviceSdr(whole().0);
    assert_eq!(
        (count(&bmc, whole()), count(&bmc, part)),
        (0, expected().len())
    );
}

#[tokio::test]
async fn device_records_are_cached_by_their_number() {
    let sim = Sim::builder()
        .records(every_type())
        .sdr_place(SdrPlace::Device);
    let bmc = sim.spawn().await.unwrap();
    let client = connect(&bmc).await;
    let repository = SdrRepository::new(&client).cached_by(&SdrCache::in_memory());
    for is_cached in [false, true] {
        let all = repository.records(deadline()).await.unwrap();
        assert_eq!(
            (all.is_cached, &all.records[..]),
            (is_cached, &expected()[..])
        );
    }
    bmc.repository(|repository| repository.add(full(numeric(9, latin("New")))));
    assert!(!repository.records(deadline()).await.unwrap().is_cached);
}

#[tokio::test]
async fn a_bmc_without_records_has_none() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    let all = read(&client).await;
    assert!(all.records.is_empty() && all.is_complete);
}

#[tokio::test]
async fn records_are_read_in_parts_where_the_bmc_gives_no_more() {
    for refusal in [0xc6, 0xc7, 0xc8, 0xca, 0xff] {
        let bmc = Sim::builder().records(every_type()).spawn().await.unwrap();
        bmc.repository(|repository| {
            repository.quirks.largest_read = Some(20);
            repository.quirks.refusal = Some(CompletionCode(refusal));
        });
        let client = connect(&bmc).await;
        let all = read(&client).await;
        assert_eq!(all.records[..], expected()[..], "refusal {refusal:02X}h");
        // It learns once: 20 of 64 bytes go through after two halvings.
        let refused = bmc
            .log()
            .iter()
            .filter(|done| done.completion.0 == refusal)
            .count();
        assert!(refused <= 3, "{refused} refusals of {refusal:02X}h");
        assert_eq!(count(&bmc, ReserveSdrRepository), 1);
    }
}

#[tokio::test]
async fn short_answers_are_completed() {
    let bmc = Sim::builder().records(every_type()).spawn().await.unwrap();
    for largest in [3, 8, 16, 22] {
        bmc.repository(|repository| repository.quirks.largest_read = Some(largest));
        let client = connect(&bmc).await;
        let all = read(&client).await;
        assert_eq!(all.records[..], expected()[..], "{largest} bytes at once");
        client.close().await;
    }
}

#[tokio::test]
async fn a_lost_reservation_is_renewed() {
    let bmc = Sim::builder().records(every_type()).spawn().await.unwrap();
    bmc.repository(|repository| {
        repository.quirks.largest_read = Some(16);
        repository.quirks.lose_reservations = 5;
    });
    let client = connect(&bmc).await;
    assert_eq!(read(&client).await.records[..], expected()[..]);
    assert_eq!(count(&bmc, ReserveSdrRepository), 6);

    // One that is lost for ever is no endless loop.
    bmc.repository(|repository| repository.quirks.lose_reservations = u32::MAX);
    let error = SdrRepository::new(&client)
        .records(deadline())
        .await
        .unwrap_err();
    assert_eq!(
        error.completion(),
        Some(CompletionCode::RESERVATION_CANCELLED)
    );
    assert!(count(&bmc, ReserveSdrRepository) < 40);
}

#[tokio::test]
async fn every_walk_ends() {
    let records = expected();
    for (end, is_complete) in [
        (SdrEnd::Nothing, true),
        (SdrEnd::Itself, false),
        (SdrEnd::First, false),
        (SdrEnd::Absent, false),
    ] {
        let bmc = Sim::builder().records(every_type()).spawn().await.unwrap();
        bmc.repository(|repository| repository.quirks.end = end);
        let client = connect(&bmc).await;
        let all = read(&client).await;
        assert_eq!(all.records[..], records[..], "{end:?}");
        assert_eq!(all.is_complete, is_complete, "{end:?}");
    }
}

#[tokio::test]
async fn counts_lengths_and_numbers_are_not_believed() {
    let bmc = Sim::builder().records(every_type()).spawn().await.unwrap();
    let client = connect(&bmc).await;
    for told in [0, 3, u16::MAX] {
        bmc.repository(|repository| repository.quirks.count = Some(told));
        assert_eq!(read(&client).await.records[..], expected()[..]);
    }
    bmc.repository(|repository| {
        repository.quirks = RepositoryQuirks {
            overstated_length: 9,
            ..RepositoryQuirks::default()
        };
    });
    assert_eq!(read(&client).await.records[..], expected()[..]);
    bmc.repository(|repository| {
        repository.quirks = RepositoryQuirks {
            foreign_ids: true,
            ..RepositoryQuirks::default()
        };
    });
    let bodies = |records: &[Sdr]| records.iter().map(|r| r.body.clone()).collect::<Vec<_>>();
    assert_eq!(bodies(&read(&client).await.records), bodies(&expected()));
}

/// A BMC with these records, the last of which says that another follows. It knows no reservations and gives 16 bytes
/// at most.
fn plain(records: Vec<Vec<u8>>, behind: CompletionCode) -> SimBuilder {
    let unknown = |_| Err(CompletionCode::INVALID_COMMAND);
    let bmc = Sim::builder().records(every_type());
    let bmc = bmc.command::<ReserveSdrRepository>(unknown);
    bmc.command(move |GetSdr(range): GetSdr| {
        // 0 is another name of the first.
        let nth = range.record.max(1);
        let record = records.get(usize::from(nth) - 1).ok_or(behind)?;
        let rest = record.get(usize::from(range.offset)..);
        let rest = rest.filter(|rest| !rest.is_empty());
        let rest = rest.ok_or(CompletionCode::OUT_OF_RANGE)?;
        if range.count > 16 || range.reservation != 0 {
            return Err(CompletionCode::CANNOT_RETURN_LENGTH);
        }
        let count = rest.len().min(range.count.into());
        Ok(SdrPart {
            next: nth + 1,
            data: rest[..count].to_vec(),
        })
    })
}

#[tokio::test]
async fn a_bmc_without_reservations_or_an_end_is_read() {
    let records: Vec<_> = expected()[..3].iter().map(Wire::to_bytes).collect();
    // The last one is there and cannot be got at, or it is not there.
    for behind in [CompletionCode::TIMEOUT, CompletionCode::NOT_PRESENT] {
        let bmc = plain(records.clone(), behind).spawn().await.unwrap();
        let client = connect(&bmc).await;
        let all = read(&client).await;
        assert_eq!(all.records[..], expected()[..3], "{behind}");
        assert!(!all.is_complete);
    }
}

#[tokio::test]
async fn records_that_are_shorter_than_they_say_are_read() {
    let mut records: Vec<_> = expected()[..3].iter().map(Wire::to_bytes).collect();
    for record in &mut records {
        record[4] += 9;
    }
    let bmc = plain(records, CompletionCode::NOT_PRESENT);
    let bmc = bmc.spawn().await.unwrap();
    let all = read(&connect(&bmc).await).await;
    let bodies = |records: &[Sdr]| records.iter().map(|r| r.body.clone()).collect::<Vec<_>>();
    assert_eq!(bodies(&all.records), bodies(&expected()[..3]));
}

#[tokio::test]
async fn refusals_are_told() {
    let bmc = Sim::builder().records(every_type()).spawn().await.unwrap();
    let client = connect(&bmc).await;
    let code = CompletionCode(0x8f);
    bmc.faults(|faults| faults.completion_code(GetSdr::NETFN, GetSdr::CMD, code));
    let error = SdrRepository::new(&client)
        .records(deadline())
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "Get SDR: command-specific completion code (8Fh)"
    );
}

/// An empty directory of the test's own.
fn directory(test: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("sdr-cache-{test}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

#[tokio::test]
async fn the_cache_holds_until_the_repository_changes() {
    let bmc = Sim::builder().records(every_type()).spawn().await.unwrap();
    let client = connect(&bmc).await;
    let cache = SdrCache::in_memory();
    let repository = SdrRepository::new(&client).cached_by(&cache);
    assert!(!repository.records(deadline()).await.unwrap().is_cached);
    let reads = count(&bmc, whole());
    let again = repository.records(deadline()).await.unwrap();
    assert!(again.is_cached);
    assert_eq!(again.records[..], expected()[..]);
    assert_eq!(count(&bmc, whole()), reads, "nothing was read");
    assert_eq!(count(&bmc, GetSdrRepositoryInfo), 3);

    let id = bmc.repository(|repository| repository.add(full(numeric(9, latin("New")))));
    let third = repository.records(deadline()).await.unwrap();
    assert!(!third.is_cached);
    assert_eq!(third.records.last().unwrap().id, id);
    bmc.repository(|repository| assert!(repository.remove(id)));
    let fourth = repository.records(deadline()).await.unwrap();
    assert_eq!(
        (fourth.is_cached, fourth.records.len()),
        (false, expected().len())
    );
}

#[tokio::test]
async fn the_cache_tells_bmcs_apart() {
    let cache = SdrCache::in_memory();
    let read = async |bmc: &SimHandle| {
        let client = connect(bmc).await;
        let repository = SdrRepository::new(&client).cached_by(&cache);
        repository.records(deadline()).await.unwrap()
    };
    // A whole batch of boards that left the factory with the same GUID, or without one.
    for guid in [[1; 16], [0; 16], [0xff; 16]] {
        let sim = Sim::builder().guid(guid);
        let one = sim.clone().records(every_type());
        let one = one.spawn().await.unwrap();
        let other = sim.records(every_type().into_iter().rev());
        let other = other.spawn().await.unwrap();
        assert!(!read(&one).await.is_cached, "{guid:?}");
        let own = read(&other).await;
        assert!(!own.is_cached, "another BMC that says the same of itself");
        assert_ne!(own.records[..], expected()[..]);
        let again = read(&one).await;
        assert!(again.is_cached);
        assert_eq!(again.records[..], expected()[..]);
        assert_eq!(read(&other).await.records, own.records);
    }
}

/// Another board behind the same address.
#[tokio::test]
async fn a_board_that_was_replaced_is_read_anew() {
    let cache = SdrCache::in_memory();
    let mut address = None;
    let mut is_cached = async |guid| {
        let mut sim = Sim::builder().records(every_type()).guid(guid);
        if let Some(address) = address {
            sim = sim.address(address);
        }
        let end = deadline();
        let bmc = loop {
            match sim.spawn().await {
                Ok(bmc) => break bmc,
                // The socket of the one before is about to be closed.
                Err(error) => assert!(Instant::now() < end, "{error}"),
            }
            tokio::task::yield_now().await;
        };
        address = Some(bmc.addr());
        let client = connect(&bmc).await;
        let repository = SdrRepository::new(&client).cached_by(&cache);
        repository.records(deadline()).await.unwrap().is_cached
    };
    assert!(!is_cached([1; 16]).await);
    assert!(!is_cached([2; 16]).await, "another GUID");
    assert!(!is_cached([0; 16]).await, "no GUID any more");
}

#[tokio::test]
async fn an_incomplete_walk_is_not_kept() {
    let bmc = Sim::builder().records(every_type()).spawn().await.unwrap();
    bmc.repository(|repository| repository.quirks.end = SdrEnd::Itself);
    let client = connect(&bmc).await;
    let repository = SdrRepository::new(&client).cached_by(&SdrCache::in_memory());
    for _ in 0..2 {
        assert!(!repository.records(deadline()).await.unwrap().is_cached);
    }
}

#[tokio::test]
async fn the_cache_outlives_the_process_in_a_directory() {
    let bmc = Sim::builder().records(every_type()).spawn().await.unwrap();
    let client = connect(&bmc).await;
    let path = directory("outlives");
    let is_cached = async || {
        // A cache with nothing in memory, as after a restart.
        let repository = SdrRepository::new(&client).cached_by(&SdrCache::in_directory(&path));
        let all = repository.records(deadline()).await.unwrap();
        assert_eq!(all.records[..], expected()[..]);
        all.is_cached
    };
    assert!(!is_cached().await);
    assert!(is_cached().await);

    let files = || {
        std::fs::read_dir(&path)
            .unwrap()
            .map(|file| file.unwrap().path())
    };
    let file = files().next().unwrap();
    assert_eq!(files().count(), 1, "no draft is left behind");
    let sound = std::fs::read(&file).unwrap();
    let mut damages: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
    damages.insert("empty", Vec::new());
    damages.insert("cut", sound[..sound.len() - 7].to_vec());
    damages.insert("longer", [&sound[..], &[0]].concat());
    let mut changed = sound.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    damages.insert("one bit", changed);
    damages.insert(
        "another format",
        [b"bmc-ipmi SDR cache 2\n", &sound[21..]].concat(),
    );
    for (damage, bytes) in damages {
        std::fs::write(&file, bytes).unwrap();
        assert!(!is_cached().await, "{damage}");
        assert!(is_cached().await, "{damage}: written anew");
    }
}

#[tokio::test]
async fn old_files_make_room() {
    let path = directory("room");
    std::fs::write(path.join("mine.sdr"), "precious").unwrap();
    let bmcs = Sim::builder().records(every_type()).spawn_many(5).await;
    let bmcs = bmcs.unwrap();
    let is_cached = async |bmc: &SimHandle| {
        let cache = SdrCache::in_directory(&path).limited_to(3);
        let client = connect(bmc).await;
        let repository = SdrRepository::new(&client).cached_by(&cache);
        repository.records(deadline()).await.unwrap().is_cached
    };
    for bmc in &bmcs {
        assert!(!is_cached(bmc).await);
        // Times of files may be coarse.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let files = std::fs::read_dir(&path).unwrap().count();
    assert_eq!(files, 4, "three and what is not ours");
    for bmc in &bmcs[2..] {
        assert!(is_cached(bmc).await);
    }
    assert!(!is_cached(&bmcs[0]).await);
}

#[tokio::test]
async fn a_directory_that_is_gone_is_no_failure() {
    let bmc = Sim::builder().records(every_type()).spawn().await.unwrap();
    let client = connect(&bmc).await;
    let cache = SdrCache::in_directory(directory("gone").join("nowhere"));
    let repository = SdrRepository::new(&client).cached_by(&cache);
    assert_eq!(
        repository.records(deadline()).await.unwrap().records[..],
        expected()[..]
    );
    assert!(
        repository.records(deadline()).await.unwrap().is_cached,
        "in memory"
    );
}

/// What others have put in the directory is neither waited for nor written through.
#[cfg(unix)]
#[tokio::test]
async fn links_and_pipes_in_the_directory_do_no_harm() {
    let bmc = Sim::builder().records(every_type()).spawn().await.unwrap();
    let client = connect(&bmc).await;
    let path = directory("links");
    let records = async || {
        let repository = SdrRepository::new(&client).cached_by(&SdrCache::in_directory(&path));
        let all = timeout(Duration::from_secs(10), repository.records(deadline()));
        all.await.unwrap().unwrap().is_cached
    };
    assert!(!records().await);
    let file = std::fs::read_dir(&path).unwrap().next().unwrap();
    let file = file.unwrap().path();

    let victim = path.join("victim");
    std::fs::write(&victim, "precious").unwrap();
    let draft = file.with_extension(format!("{}.new", std::process::id()));
    std::os::unix::fs::symlink(&victim, draft).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(!records().await);
    assert_eq!(std::fs::read(&victim).unwrap(), b"precious");
    assert!(records().await, "written all the same");

    std::fs::remove_file(&file).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&file).status();
    assert!(made.unwrap().success());
    assert!(!records().await, "a pipe");
    assert!(records().await, "replaced");
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
    assert!(!records().await, "a device");
}
