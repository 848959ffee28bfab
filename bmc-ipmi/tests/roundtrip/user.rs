//! User commands.

use bmc_core::Secret;

use super::*;

wire_type! {
    user_name: UserName = names();
    set_user_name: SetUserName = (users(), names()).prop_map(|(user, name)| SetUserName { user, name });
    get_user_name: GetUserName = users().prop_map(GetUserName);
    set_user_access: SetUserAccess = (0u8..16, users(), prop::option::of(flags()), privileges(), prop::option::of(0u8..16))
        .prop_map(|(channel, user, flags, limit, session_limit)| SetUserAccess {
            channel, user, flags, limit, session_limit,
        });
    get_user_access: GetUserAccess = (0u8..16, users()).prop_map(|(channel, user)| GetUserAccess { channel, user });
    user_access: UserAccess = (0u8..64, any::<u8>(), 0u8..64, 0u8..64, flags(), privileges()).prop_map(
        |(max_users, status, enabled_users, fixed_names, flags, limit)| UserAccess {
            max_users, status: UserStatus::new(status), enabled_users, fixed_names, flags, limit,
        });
    set_user_password: SetUserPassword = (users(), operations())
        .prop_map(|(user, operation)| SetUserPassword { user, operation });
}

pub(super) fn users() -> impl Strategy<Value = UserId> {
    (1u8..64).prop_map(|id| UserId::new(id).unwrap())
}

fn names() -> impl Strategy<Value = UserName> {
    vec(1u8.., 0..=16).prop_map(|name| UserName::new(&name).unwrap())
}

fn flags() -> impl Strategy<Value = UserFlags> {
    any::<(bool, bool, bool)>().prop_map(|(callback_only, link_authentication, messaging)| {
        UserFlags {
            callback_only,
            link_authentication,
            messaging,
        }
    })
}

fn operations() -> impl Strategy<Value = PasswordOperation> {
    let password = || {
        (vec(1u8.., 0..=20), any::<bool>()).prop_map(|(password, is_long)| {
            let password = Password::new(Secret::new(password)).unwrap();
            if is_long {
                password.in_long_form()
            } else {
                password
            }
        })
    };
    prop_oneof![
        Just(PasswordOperation::Disable),
        Just(PasswordOperation::Enable),
        password().prop_map(PasswordOperation::Set),
        password().prop_map(PasswordOperation::Test),
    ]
}
