//! Users.

use bmc_core::{
    Bmc, Credentials, Effect, Endpoint, ErrorKind, Secret, User, UserRole, UserSettings,
};
use bmc_ipmi::IpmiProvider;
use bmc_ipmi::command::{Command, SetUserAccess, SetUserName, SetUserPassword};
use bmc_ipmi::sim::{Sim, SimHandle};
use bmc_ipmi::wire::CompletionCode;

use crate::setup::{count, failure, pair};

fn eve() -> UserSettings {
    UserSettings {
        name: Some("eve".into()),
        password: Some(Secret::from("s3cret")),
        role: Some(UserRole::Operator),
        ..UserSettings::default()
    }
}

/// A handle with another user's credentials.
fn as_user(sim: &SimHandle, name: &str, password: &str) -> Bmc {
    let endpoint = Endpoint::parse(&sim.addr().to_string(), IpmiProvider::PORT).unwrap();
    let provider = IpmiProvider::builder(endpoint, Credentials::new(name, password));
    Bmc::builder().provider(provider.build().unwrap()).build()
}

async fn all(bmc: &Bmc) -> Vec<User> {
    bmc.users().await.unwrap().value
}

#[tokio::test]
async fn a_user_comes_logs_in_and_goes() {
    let (sim, bmc) = pair(Sim::builder()).await;
    let before = all(&bmc).await;
    let admin = before.iter().find(|user| user.name == "admin").unwrap();
    assert_eq!(
        (admin.enabled, admin.role),
        (Some(true), Some(UserRole::Administrator))
    );

    let eve = bmc.set_user(eve()).await.unwrap().value;
    assert_eq!(
        (eve.enabled, eve.role),
        (Some(false), Some(UserRole::Operator))
    );
    let refused = failure(as_user(&sim, "eve", "s3cret").power_state().await);
    assert_eq!(refused.kind(), ErrorKind::Authentication);

    bmc.set_user_enabled(&eve.id, true).await.unwrap();
    as_user(&sim, "eve", "s3cret").power_state().await.unwrap();

    bmc.delete_user(&eve.id).await.unwrap();
    assert_eq!(all(&bmc).await, before);
    bmc.delete_user(&eve.id).await.unwrap();
}

#[tokio::test]
async fn what_is_not_given_stays() {
    let (sim, bmc) = pair(Sim::builder()).await;
    let first = bmc.set_user(eve()).await.unwrap().value;
    bmc.set_user_enabled(&first.id, true).await.unwrap();
    let change = |change: UserSettings| UserSettings {
        id: Some(first.id.clone()),
        ..change
    };
    let renamed = UserSettings {
        name: Some("mallory".into()),
        ..UserSettings::default()
    };
    let seen = bmc.set_user(change(renamed)).await.unwrap().value;
    assert_eq!(
        (seen.name.as_str(), seen.role, seen.enabled),
        ("mallory", first.role, Some(true))
    );
    let other_password = UserSettings {
        password: Some(Secret::from("another, of 20 bytes")),
        ..UserSettings::default()
    };
    bmc.set_user(change(other_password)).await.unwrap();
    as_user(&sim, "mallory", "another, of 20 bytes")
        .power_state()
        .await
        .unwrap();
    let role = UserSettings {
        role: Some(UserRole::None),
        ..UserSettings::default()
    };
    assert_eq!(
        bmc.set_user(change(role)).await.unwrap().value.role,
        Some(UserRole::None)
    );
}

#[tokio::test]
async fn wrong_arguments_reach_no_bmc() {
    let (sim, bmc) = pair(Sim::builder()).await;
    bmc.power_state().await.unwrap();
    let before = sim.log().len();
    let id = |id: &str| UserSettings {
        id: Some(id.into()),
        ..eve()
    };
    let long_name = UserSettings {
        name: Some("seventeen-letters".into()),
        ..eve()
    };
    let long_password = UserSettings {
        password: Some(Secret::from("twenty-one characters")),
        ..eve()
    };
    for (wanted, part) in [
        (long_name, "at most 16"),
        (long_password, "at most 20"),
        (id("64"), "1 to 63"),
        (id("0"), "1 to 63"),
        (id("eve"), "1 to 63"),
    ] {
        let failed = failure(bmc.set_user(wanted).await);
        assert_eq!(failed.kind(), ErrorKind::InvalidInput, "{failed}");
        assert!(failed.to_string().contains(part), "{failed}");
    }
    assert_eq!(
        failure(bmc.delete_user("x").await).kind(),
        ErrorKind::InvalidInput
    );
    assert_eq!(sim.log().len(), before);
}

#[tokio::test]
async fn a_user_that_does_not_exist_is_not_changed() {
    let (sim, bmc) = pair(Sim::builder()).await;
    let wanted = UserSettings {
        id: Some("9".into()),
        ..eve()
    };
    assert_eq!(
        failure(bmc.set_user(wanted).await).kind(),
        ErrorKind::NotFound
    );
    assert_eq!(
        failure(bmc.set_user_enabled("9", true).await).kind(),
        ErrorKind::NotFound
    );
    let no_password = UserSettings {
        password: None,
        ..eve()
    };
    assert_eq!(
        failure(bmc.set_user(no_password).await).kind(),
        ErrorKind::InvalidInput
    );
    assert_eq!(count(&sim, SetUserName::NETFN, SetUserName::CMD), 0);
    assert_eq!(count(&sim, SetUserPassword::NETFN, SetUserPassword::CMD), 0);
}

#[tokio::test]
async fn a_bmc_that_only_says_yes_is_caught() {
    let (sim, bmc) = pair(Sim::builder()).await;
    let user = bmc.set_user(eve()).await.unwrap().value;
    sim.faults(|faults| faults.ignore = true);
    let failed = failure(bmc.set_user_enabled(&user.id, true).await);
    assert_eq!(failed.kind(), ErrorKind::Rejected, "{failed}");
    let role = UserSettings {
        id: Some(user.id.clone()),
        role: Some(UserRole::Administrator),
        ..UserSettings::default()
    };
    let failed = failure(bmc.set_user(role).await);
    assert_eq!(failed.kind(), ErrorKind::Rejected, "{failed}");
}

#[tokio::test]
async fn a_name_that_a_bmc_keeps_is_said() {
    let (sim, bmc) = pair(Sim::builder()).await;
    let user = bmc.set_user(eve()).await.unwrap().value;
    sim.faults(|faults| {
        let refused = CompletionCode::INVALID_DATA_FIELD;
        faults.completion_code(SetUserName::NETFN, SetUserName::CMD, refused);
    });
    let failed = failure(bmc.delete_user(&user.id).await);
    assert!(failed.to_string().contains("keeps its name"), "{failed}");
}

/// The name was changed, the role was not: who reads "nothing happened" would be wrong.
#[tokio::test]
async fn a_change_that_stops_half_way_may_have_acted() {
    let (sim, bmc) = pair(Sim::builder()).await;
    let id = bmc.set_user(eve()).await.unwrap().value.id;
    sim.faults(|faults| {
        let refused = CompletionCode::INVALID_DATA_FIELD;
        faults.completion_code(SetUserAccess::NETFN, SetUserAccess::CMD, refused);
    });
    let wanted = |name: Option<&str>| UserSettings {
        id: Some(id.clone()),
        name: name.map(Into::into),
        role: Some(UserRole::User),
        ..UserSettings::default()
    };
    for (name, effect) in [(None, Effect::None), (Some("adam"), Effect::Unknown)] {
        let failed = failure(bmc.set_user(wanted(name)).await);
        assert_eq!(failed.primary().unwrap().effect(), effect, "{failed}");
    }
    assert_eq!(all(&bmc).await[1].name, "adam");
}
