//! What IPMI does not allow, refused before a BMC is asked anything.

use std::net::{Ipv4Addr, UdpSocket};
use std::time::Duration;

use bmc_core::{
    Bmc, BootDevice, BootOverride, Credentials, Endpoint, ErrorKind, Exhausted, IdentifyAction,
    Outcome, UserSettings,
};
use bmc_ipmi::IpmiProvider;

/// A handle to a port that takes in everything and answers nothing.
fn silent() -> (UdpSocket, Bmc) {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    socket.set_nonblocking(true).unwrap();
    let addr = socket.local_addr().unwrap().to_string();
    let endpoint = Endpoint::parse(&addr, IpmiProvider::PORT).unwrap();
    let provider = IpmiProvider::builder(endpoint, Credentials::new("admin", "password")).build();
    (socket, Bmc::builder().provider(provider.unwrap()).build())
}

#[tokio::test]
async fn nothing_is_sent_for_what_ipmi_does_not_allow() {
    let (socket, bmc) = silent();
    let refused = |result: Result<(), Exhausted>, kind, words: &str| {
        let failed = result.unwrap_err();
        assert_eq!(failed.kind(), kind, "{failed}");
        assert!(failed.to_string().contains(words), "{failed}");
    };
    let (input, lacks) = (ErrorKind::InvalidInput, ErrorKind::Unsupported);

    let usb = bmc.set_boot_override(BootOverride::once(BootDevice::Usb));
    refused(nothing(usb.await), lacks, "no boot device usb");
    let long = IdentifyAction::For(Duration::from_secs(300));
    refused(nothing(bmc.set_identify(long).await), input, "1 to 255");
    for id in ["x", "0", "64"] {
        let enabled = bmc.set_user_enabled(id, true);
        refused(nothing(enabled.await), input, "from 1 to 63");
        refused(nothing(bmc.delete_user(id).await), input, "from 1 to 63");
    }
    let named = |name: &str| UserSettings {
        name: Some(name.to_owned()),
        ..UserSettings::default()
    };
    let seventeen = named("seventeenletters1");
    refused(nothing(bmc.set_user(seventeen).await), input, "16");
    refused(nothing(bmc.set_user(named("")).await), input, "empty");
    let nobody = bmc.set_user(UserSettings::default());
    refused(nothing(nobody.await), input, "missing");

    assert!(socket.recv(&mut [0; 64]).is_err(), "a datagram was sent");
}

fn nothing<T>(result: Result<Outcome<T>, Exhausted>) -> Result<(), Exhausted> {
    result.map(drop)
}
