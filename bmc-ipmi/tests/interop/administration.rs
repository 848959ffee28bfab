//! Users, channels, watchdog and bridging at ipmi_sim and at the server of go-ipmi.

use std::time::Duration;

use bmc_ipmi::command::{
    ChassisIdentify, GetChannelInfo, GetDeviceGuid, GetDeviceId, GetSelfTestResults,
    GetSessionInfo, GetSystemGuid, GetUserAccess, Password, SendMessage, SessionSupport,
    TimeoutAction, TimerUse, UserId, UserName,
};
use bmc_ipmi::device::{Channels, NewUser, Users, Watchdog, WatchdogSettings};
use bmc_ipmi::wire::Privilege;
use bmc_ipmi::{Client, Error, Target};
use peers::{Bmc, GoIpmi, IpmiSim};

use crate::{connect, login, soon};

async fn log_in(
    peer: &impl Bmc,
    user: &str,
    password: &str,
    privilege: Privilege,
) -> Result<Client, Error> {
    connect(peer, login(user, password).privilege(privilege).unwrap()).await
}

async fn administrator(peer: &IpmiSim) -> Client {
    log_in(peer, "ipmiusr", "test", Privilege::ADMINISTRATOR)
        .await
        .unwrap()
}

fn password(text: &str) -> Password {
    Password::new(text).unwrap()
}

#[tokio::test]
async fn ipmi_sim_users() {
    let Some(peer) = IpmiSim::start() else {
        return;
    };
    let client = administrator(&peer).await;
    let users = Users::on_lan(&client, soon()).await.unwrap();
    let names: Vec<_> = users
        .list(soon())
        .await
        .unwrap()
        .iter()
        .map(|user| user.name.to_string())
        .collect();
    for name in ["ipmiusr", "oper", "longpw"] {
        assert!(names.iter().any(|known| known == name), "{names:?}");
    }
    // Another length of password than before would lock the user out, by ipmitool as well.
    let new = NewUser::new("metrics", password("first"), Privilege::USER).unwrap();
    let id = users.create(&new, soon()).await.unwrap();
    let login = |password| log_in(&peer, "metrics", password, Privilege::USER);
    login("first").await.unwrap();
    users
        .set_password(id, &password("second"), soon())
        .await
        .unwrap();
    assert!(login("first").await.is_err());
    login("second").await.unwrap();
    users.set_enabled(id, false, soon()).await.unwrap();
    assert!(login("second").await.is_err());
    users.delete(id, soon()).await.unwrap();
}

#[tokio::test]
async fn ipmi_sim_watchdog() {
    let Some(peer) = IpmiSim::start() else {
        return;
    };
    let watchdog = Watchdog::new(&administrator(&peer).await);
    let settings = WatchdogSettings::new(Duration::from_secs(600), TimeoutAction::NONE);
    watchdog.start(&settings, soon()).await.unwrap();
    let timer = watchdog.read(soon()).await.unwrap();
    assert_eq!((timer.timer_use, timer.countdown), (TimerUse::SMS_OS, 6000));
    // Whether it runs, ipmi_sim does not say.
    watchdog.stop(soon()).await.unwrap();
    assert!(!watchdog.read(soon()).await.unwrap().is_running);
}

#[tokio::test]
async fn ipmi_sim_channels_and_identity() {
    let Some(peer) = IpmiSim::start() else {
        return;
    };
    let client = administrator(&peer).await;
    let channels = Channels::new(&client);
    assert_eq!(channels.lan(soon()).await.unwrap(), 1);
    let info = client.execute(&GetChannelInfo::THIS, soon()).await.unwrap();
    assert_eq!(info.sessions, SessionSupport::MULTI, "{info:?}");
    assert!(channels.list(soon()).await.unwrap().len() >= 2);
    channels.access(1, soon()).await.unwrap();
    let guid = client.execute(&GetSystemGuid, soon()).await.unwrap();
    let device = client.execute(&GetDeviceGuid, soon()).await;
    // What ipmi_sim has not, it refuses without a fuss.
    for refused in [
        device.map(|device| assert_eq!(device, guid)),
        client.execute(&GetSelfTestResults, soon()).await.map(drop),
        client.execute(&GetSessionInfo::Own, soon()).await.map(drop),
    ] {
        if let Err(error) = refused {
            assert!(error.completion().is_some(), "{error}");
        }
    }
    client
        .execute(&ChassisIdentify::Seconds(5), soon())
        .await
        .unwrap();
    assert!(peer.log().contains("identify"), "{}", peer.log());
}

#[tokio::test]
async fn ipmi_sim_satellite() {
    let Some(peer) = IpmiSim::start() else {
        return;
    };
    let client = administrator(&peer).await;
    let own = client.execute(&GetDeviceId, soon()).await.unwrap();
    let satellite = client.at(Target::satellite(0, 0x30).unwrap());
    let device = satellite.execute(&GetDeviceId, soon()).await.unwrap();
    assert_eq!((own.product, device.product), (0xf02, 0xf03));
    let absent = client.at(Target::satellite(0, 0x32).unwrap());
    match absent.execute(&GetDeviceId, soon()).await.unwrap_err() {
        Error::Bridge { code, .. } => assert_eq!(code, SendMessage::NAK_ON_WRITE),
        error => panic!("{error:?}"),
    }
    assert!(client.is_alive());
}

#[tokio::test]
async fn goipmi_users_and_channels() {
    let Some(peer) = GoIpmi::start("admin", "secret") else {
        return;
    };
    let client = log_in(&peer, "admin", "secret", Privilege::ADMINISTRATOR)
        .await
        .unwrap();
    assert_eq!(Channels::new(&client).lan(soon()).await.unwrap(), 1);
    let users = Users::on_channel(&client, 1);
    let admin = UserName::new(b"admin").unwrap();
    let id = users.find(&admin, soon()).await.unwrap();
    let user = id.unwrap_or_else(|| UserId::new(2).unwrap());
    let access = client
        .execute(&GetUserAccess { channel: 1, user }, soon())
        .await
        .unwrap();
    assert_eq!(access.limit, Privilege::ADMINISTRATOR);
    let session = client.execute(&GetSessionInfo::Own, soon()).await.unwrap();
    assert!(session.active >= 1);
}
