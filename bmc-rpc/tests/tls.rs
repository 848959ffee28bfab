//! TLS policies of both providers, against a certificate that nobody knows.
#![allow(clippy::unwrap_used)]

use std::error::Error as _;
use std::time::Duration;

use bmc_core::http::HttpError;
use bmc_core::{Effect, ErrorKind, Provider, TlsPolicy};
use bmc_rpc::home_assistant::HomeAssistantProvider;
use bmc_rpc::sim::{ConsumerSim, HomeAssistantSim, TlsFront};
use bmc_rpc::{Error, RpcProvider};
use tokio::time::Instant;

const ENTITY: &str = "switch.socket_1";

async fn open(url: &str, policy: TlsPolicy) -> [Result<(), bmc_core::Error>; 2] {
    let soon = Instant::now() + Duration::from_secs(20);
    let webhook = RpcProvider::builder(url, "vm-1").tls(policy.clone());
    let switch = HomeAssistantProvider::builder(url, ENTITY).token("token");
    [
        webhook.build().unwrap().open(soon).await.map(drop),
        switch
            .tls(policy)
            .build()
            .unwrap()
            .open(soon)
            .await
            .map(drop),
    ]
}

#[tokio::test]
async fn the_policy_decides_and_nothing_is_sent_to_a_stranger() {
    let consumer = ConsumerSim::builder().spawn().await.unwrap();
    let page = HomeAssistantSim::spawn(ENTITY, "token").await.unwrap();
    let hook = TlsFront::spawn(consumer.addr()).await.unwrap();
    let home = TlsFront::spawn(page.addr()).await.unwrap();
    let another = TlsFront::spawn(page.addr()).await.unwrap();
    let roots = |front: &TlsFront| TlsPolicy::VerifyRoots(front.certificate().into());

    for policy in [
        TlsPolicy::Verify,
        TlsPolicy::Pinned(another.fingerprint()),
        roots(&another),
    ] {
        for url in [hook.url(), home.url()] {
            for opened in open(&url, policy.clone()).await {
                let error = opened.unwrap_err();
                assert_eq!(
                    (error.kind(), error.effect()),
                    (ErrorKind::Tls, Effect::None),
                    "{error}"
                );
                let cause = error.source().unwrap().downcast_ref().unwrap();
                assert!(
                    matches!(cause, Error::Http(HttpError::Tls { .. })),
                    "{error}"
                );
            }
        }
    }
    assert_eq!(consumer.requests().len() + page.requests().len(), 0);

    for (front, which) in [(&hook, 0), (&home, 1)] {
        for policy in [
            TlsPolicy::DangerousAcceptAny,
            TlsPolicy::Pinned(front.fingerprint()),
            roots(front),
        ] {
            let opened = open(&front.url(), policy).await.into_iter().nth(which);
            opened.unwrap().unwrap();
        }
    }
    assert_eq!(page.requests().len(), 3);
    assert_eq!(consumer.methods(), ["ping"; 3]);
}
