//! Session commands.

use super::*;

wire_type! {
    close_session: CloseSession = any::<u32>().prop_map(|session_id| CloseSession { session_id });
    set_session_privilege_level: SetSessionPrivilegeLevel = privileges().prop_map(SetSessionPrivilegeLevel);
    get_session_info: GetSessionInfo = prop_oneof![
        Just(GetSessionInfo::Own),
        (1u8..0xfe).prop_map(GetSessionInfo::Nth),
        any::<u8>().prop_map(GetSessionInfo::Handle),
        any::<u32>().prop_map(GetSessionInfo::Id),
    ];
    session_info: SessionInfo = (1u8.., 0u8..64, 0u8..64, prop::option::of(sessions()))
        .prop_map(|(handle, slots, active, session)| SessionInfo { handle, slots, active, session });
}

fn sessions() -> impl Strategy<Value = ActiveSession> {
    let console = (any::<[u8; 4]>(), any::<[u8; 6]>(), any::<u16>()).prop_map(|(ip, mac, port)| {
        ConsoleAddress {
            ip: ip.into(),
            mac: MacAddress(mac),
            port,
        }
    });
    (
        (1u8..64).prop_map(|id| UserId::new(id).unwrap()),
        privileges(),
        0u8..16,
        0u8..16,
        prop::option::of(console),
    )
        .prop_map(
            |(user, privilege, channel, protocol, console)| ActiveSession {
                user,
                privilege,
                channel,
                protocol,
                console,
            },
        )
}
