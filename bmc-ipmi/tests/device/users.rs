//! Users, who may log in as commands say.

use bmc_core::{Credentials, ErrorKind};
use bmc_ipmi::command::Command;
use bmc_ipmi::command::{
    AccessMode, AccessSource, GetUserAccess, Password, SetChannelAccess, SetUserName,
    SetUserPassword, UserAccess, UserFlags, UserId, UserName, UserStatus,
};
use bmc_ipmi::device::{Channels, Deletion, NewUser, Users};
use bmc_ipmi::sim::{Sim, SimHandle, SimQuirks};
use bmc_ipmi::wire::{CompletionCode, Privilege};
use bmc_ipmi::{Client, Error};

use crate::setup::{connect, connect_as, deadline};

fn password(text: &str) -> Password {
    Password::new(text).unwrap()
}

fn operator() -> NewUser {
    NewUser::new("oper", password("first"), Privilege::OPERATOR).unwrap()
}

async fn log_in(bmc: &SimHandle, name: &str, password: &str) -> Result<Client, Error> {
    connect_as(bmc, Credentials::new(name, password), Some(Privilege::USER)).await
}

#[tokio::test]
async fn a_user_is_created_changed_and_deleted() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    let users = Users::on_lan(&client, deadline()).await.unwrap();
    let id = users
        .create(&operator().sol(true), deadline())
        .await
        .unwrap();
    assert_eq!(id, UserId::new(3).unwrap());
    let list = users.list(deadline()).await.unwrap();
    let names: Vec<_> = list.iter().map(|user| user.name.to_string()).collect();
    assert_eq!(names, ["admin", "oper"]);
    let access = list[1].access;
    assert_eq!(
        (access.limit, access.status),
        (Privilege::OPERATOR, UserStatus::ENABLED)
    );
    assert!(users.payloads(id, deadline()).await.unwrap().has_sol());
    log_in(&bmc, "oper", "first").await.unwrap();

    users.set_sol(id, false, deadline()).await.unwrap();
    assert!(!users.payloads(id, deadline()).await.unwrap().has_sol());
    // Longer than IPMI v1.5 allows.
    users
        .set_password(id, &password("seventeen letters"), deadline())
        .await
        .unwrap();
    assert!(log_in(&bmc, "oper", "first").await.is_err());
    log_in(&bmc, "oper", "seventeen letters").await.unwrap();
    for (tested, is_it) in [
        ("seventeen letters", true),
        ("seventeen lettern", false),
        ("first", false),
    ] {
        let test = users.test_password(id, &password(tested), deadline()).await;
        assert_eq!(test.unwrap(), is_it, "{tested}");
    }

    users.set_enabled(id, false, deadline()).await.unwrap();
    assert!(log_in(&bmc, "oper", "seventeen letters").await.is_err());
    users.set_enabled(id, true, deadline()).await.unwrap();
    let renamed = UserName::new(b"operator").unwrap();
    users.set_name(id, renamed, deadline()).await.unwrap();
    assert_eq!(users.find(&renamed, deadline()).await.unwrap(), Some(id));
    users
        .set_privilege(id, Privilege::CALLBACK, deadline())
        .await
        .unwrap();
    assert!(log_in(&bmc, "operator", "seventeen letters").await.is_err());

    assert_eq!(
        users.delete(id, deadline()).await.unwrap(),
        Deletion::Removed
    );
    assert_eq!(users.list(deadline()).await.unwrap().len(), 1);
    assert_eq!(users.find(&renamed, deadline()).await.unwrap(), None);
}

#[tokio::test]
async fn free_places_that_are_refused_are_free() {
    let quirks = SimQuirks {
        hides_unused_users: true,
        ..SimQuirks::default()
    };
    let bmc = Sim::builder().quirks(quirks).spawn().await.unwrap();
    let users = Users::on_lan(&connect(&bmc).await, deadline())
        .await
        .unwrap();
    users.create(&operator(), deadline()).await.unwrap();
    assert_eq!(users.list(deadline()).await.unwrap().len(), 2);
}

#[tokio::test]
async fn what_cannot_be_is_refused_before_anything_is_sent() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let users = Users::on_lan(&connect(&bmc).await, deadline())
        .await
        .unwrap();
    let before = bmc.log().len();
    assert!(NewUser::new("seventeen-letters", password("p"), Privilege::USER).is_err());
    assert!(Password::new("twenty-one characters").is_err());
    let nameless = NewUser::new("", password("p"), Privilege::USER).unwrap();
    let error = users.create(&nameless, deadline()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    let error = users
        .delete(UserId::NULL_USER, deadline())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    assert_eq!(bmc.log().len(), before);

    let taken = NewUser::new("admin", password("p"), Privilege::USER).unwrap();
    let error = users.create(&taken, deadline()).await.unwrap_err();
    assert_eq!(error.to_string(), "user name is that of user 2");
}

#[tokio::test]
async fn a_place_is_freed_when_a_step_is_refused() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let users = Users::on_lan(&connect(&bmc).await, deadline())
        .await
        .unwrap();
    let code = CompletionCode::UNSPECIFIED;
    bmc.faults(|faults| {
        faults.completion_code(SetUserPassword::NETFN, SetUserPassword::CMD, code);
    });
    let error = users.create(&operator(), deadline()).await.unwrap_err();
    assert_eq!(error.completion(), Some(code));
    bmc.faults(|faults| {
        faults.completion_code(
            SetUserPassword::NETFN,
            SetUserPassword::CMD,
            CompletionCode::OK,
        );
    });
    let id = users.create(&operator(), deadline()).await.unwrap();
    // The BMC keeps names.
    bmc.faults(|faults| {
        faults.completion_code(
            SetUserName::NETFN,
            SetUserName::CMD,
            CompletionCode::INVALID_DATA_FIELD,
        );
    });
    assert_eq!(
        users.delete(id, deadline()).await.unwrap(),
        Deletion::Disabled
    );
    assert!(log_in(&bmc, "oper", "first").await.is_err());
}

#[tokio::test]
async fn a_place_is_freed_when_the_password_is_not_kept() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let users = Users::on_lan(&connect(&bmc).await, deadline())
        .await
        .unwrap();
    bmc.faults(|faults| faults.forgets_passwords = true);
    let error = users.create(&operator(), deadline()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "BMC does not keep the new password of user 3"
    );
    assert_eq!(users.list(deadline()).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_bmc_that_only_says_so_is_found_out() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let users = Users::on_lan(&connect(&bmc).await, deadline())
        .await
        .unwrap();
    let id = users.create(&operator(), deadline()).await.unwrap();
    bmc.faults(|faults| faults.forgets_passwords = true);
    let error = users
        .set_password(id, &password("second"), deadline())
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("BMC does not keep the new password of user {id}")
    );
}

#[tokio::test]
async fn passwords_stay_out_of_the_log() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let users = Users::on_lan(&connect(&bmc).await, deadline())
        .await
        .unwrap();
    users.create(&operator(), deadline()).await.unwrap();
    let log = format!("{:?}", bmc.log());
    assert!(!log.contains("102, 105, 114, 115, 116"), "{log}");
}

#[tokio::test]
async fn a_channel_limits_and_closes() {
    let bmc = Sim::builder().spawn().await.unwrap();
    let client = connect(&bmc).await;
    let channels = Channels::new(&client);
    let lan = channels.lan(deadline()).await.unwrap();
    let media: Vec<_> = channels.list(deadline()).await.unwrap();
    assert_eq!(
        media.iter().map(|info| info.channel).collect::<Vec<_>>(),
        [0, 1, 15]
    );
    assert_eq!(media[1].active_sessions, 1);
    let suites = channels
        .cipher_suites(lan, bmc_ipmi::wire::PayloadType::IPMI, deadline())
        .await;
    assert!(suites.unwrap().iter().any(|suite| suite.id == 17));

    let now = channels.access(lan, deadline()).await.unwrap();
    let keep = SetChannelAccess {
        channel: lan,
        access: None,
        limit: None,
    };
    let limit = Some((AccessSource::Volatile, Privilege::USER));
    client
        .execute(&SetChannelAccess { limit, ..keep }, deadline())
        .await
        .unwrap();
    let as_admin = connect_as(
        &bmc,
        Credentials::new("admin", "password"),
        Some(Privilege::ADMINISTRATOR),
    );
    assert_eq!(
        as_admin.await.unwrap_err().kind(),
        ErrorKind::PermissionDenied
    );
    log_in(&bmc, "admin", "password").await.unwrap();

    let mut closed = now;
    closed.mode = AccessMode::PRE_BOOT;
    let access = Some((AccessSource::Volatile, closed));
    let error = client
        .execute(&SetChannelAccess { access, ..keep }, deadline())
        .await
        .unwrap_err();
    assert_eq!(error.completion(), Some(SetChannelAccess::MODE_UNSUPPORTED));
}

/// The first names of a BMC cannot be changed.
#[tokio::test]
async fn places_with_fixed_names_are_not_free() {
    let bmc = Sim::builder().command(|asked: GetUserAccess| {
        Ok(UserAccess {
            max_users: 10,
            status: UserStatus::UNSPECIFIED,
            enabled_users: 1,
            fixed_names: 4,
            flags: UserFlags::default(),
            limit: match asked.user.value() {
                2 => Privilege::ADMINISTRATOR,
                _ => UserAccess::NO_ACCESS,
            },
        })
    });
    let bmc = bmc.spawn().await.unwrap();
    let users = Users::on_lan(&connect(&bmc).await, deadline())
        .await
        .unwrap();
    let id = users.create(&operator(), deadline()).await.unwrap();
    assert_eq!(id.value(), 5);
}
