//! Every cipher suite and every IPMI v1.5 authentication type that the foreign BMCs speak.

use std::time::Duration;

use bmc_core::{ErrorKind, Provider};
use bmc_ipmi::command::GetChassisStatus;
use bmc_ipmi::crypto::CipherSuite;
use bmc_ipmi::wire::AuthType;
use bmc_ipmi::{Transport, ping};
use peers::{GoIpmi, IpmiSim};
use tokio::time::Instant;

use crate::spoken::{GOIPMI_SERVER, IPMI_SIM};
use crate::{builder, connect, endpoint, failure, login, soon, walk_through};

fn suite(id: u8) -> CipherSuite {
    CipherSuite::from_id(id).unwrap_or(CipherSuite::danger_suite_0())
}

#[tokio::test]
async fn ipmi_sim_with_every_suite() {
    let Some(peer) = IpmiSim::start() else {
        return;
    };
    for &id in IPMI_SIM.suites {
        let provider = builder(&peer, "ipmiusr", "test").cipher_suite(suite(id));
        walk_through(&provider.build().unwrap()).await;
        if id != 0 {
            let wrong = builder(&peer, "ipmiusr", "tset").cipher_suite(suite(id));
            let error = failure(&wrong.build().unwrap()).await;
            assert_eq!(
                error.kind(),
                ErrorKind::Authentication,
                "suite {id}: {error}"
            );
        }
    }
}

#[tokio::test]
async fn ipmi_sim_with_v15() {
    let Some(peer) = IpmiSim::start() else {
        return;
    };
    for name in IPMI_SIM.v15 {
        let auth_type = match *name {
            "none" => AuthType::NONE,
            "MD2" => AuthType::MD2,
            "MD5" => AuthType::MD5,
            _ => AuthType::STRAIGHT,
        };
        let provider = builder(&peer, "ipmiusr", "test").v15(auth_type);
        walk_through(&provider.build().unwrap()).await;
    }
    let nobody = builder(&peer, "nobody", "test").v15(AuthType::MD5);
    let error = failure(&nobody.build().unwrap()).await;
    assert_eq!(error.kind(), ErrorKind::Authentication, "{error}");
}

/// A wrong password of v1.5 is met with silence or a refusal; either way no session.
#[tokio::test]
async fn ipmi_sim_with_v15_and_a_wrong_password() {
    let Some(peer) = IpmiSim::start() else {
        return;
    };
    let wrong = builder(&peer, "ipmiusr", "tset").v15(AuthType::MD5);
    let deadline = Instant::now() + Duration::from_secs(2);
    let provider = wrong.build().unwrap();
    let error = provider.open(deadline).await.map(drop).unwrap_err();
    let kind = error.kind();
    assert!(
        matches!(
            kind,
            ErrorKind::Timeout | ErrorKind::Rejected | ErrorKind::Authentication
        ),
        "{error:?}"
    );
}

#[tokio::test]
async fn goipmi_with_every_suite() {
    for &id in GOIPMI_SERVER.suites {
        let Some(peer) = GoIpmi::start_with_suite("admin", "secret", id) else {
            return;
        };
        let provider = builder(&peer, "admin", "secret").cipher_suite(suite(id));
        walk_through(&provider.build().unwrap()).await;
    }
}

#[tokio::test]
async fn goipmi_with_v15() {
    let Some(peer) = GoIpmi::start("admin", "secret") else {
        return;
    };
    // It offers no other type.
    let login = login("admin", "secret").v15(AuthType::MD5).unwrap();
    let client = connect(&peer, login).await.unwrap();
    client.execute(&GetChassisStatus, soon()).await.unwrap();
    client.close().await;
}

#[tokio::test]
async fn presence_is_answered() {
    let transport = Transport::new();
    if let Some(peer) = IpmiSim::start() {
        let pong = ping(&transport, &endpoint(&peer), soon()).await.unwrap();
        assert!(pong.speaks_ipmi());
    }
    if let Some(peer) = GoIpmi::start("admin", "secret") {
        let pong = ping(&transport, &endpoint(&peer), soon()).await.unwrap();
        assert!(pong.speaks_ipmi());
    }
}
