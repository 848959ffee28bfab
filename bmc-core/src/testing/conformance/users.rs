//! Users.

use super::step::{bounded, open, within};
use crate::capability::{User, UserRole, UserSettings, Users};
use crate::error::{Effect, ErrorKind};
use crate::provider::Provider;
use crate::secret::Secret;

const NAME: &str = "conformance";

/// A user can be created, changed, enabled, disabled and, where the protocol can, deleted; each reads back.
pub async fn users_converge(provider: &dyn Provider) {
    let session = open(provider).await;
    if let Some(users) = session.users() {
        let before = within("users", users.users()).await;
        let new = UserSettings {
            name: Some(NAME.into()),
            password: Some(Secret::from("Conf0rm-ance!")),
            role: Some(UserRole::User),
            ..UserSettings::default()
        };
        let created = within("set_user", users.set_user(&new)).await;
        assert_eq!(created.role, new.role, "created otherwise: {created:?}");
        assert_eq!(find(users, &created.id).await.as_ref(), Some(&created));
        assert!(
            before.iter().all(|user| user.id != created.id),
            "took the place of another user"
        );

        let again = within("set_user", users.set_user(&new)).await;
        assert_eq!(again.id, created.id, "created twice");
        let change = UserSettings {
            id: Some(created.id.clone()),
            role: Some(UserRole::Operator),
            ..UserSettings::default()
        };
        let changed = within("set_user", users.set_user(&change)).await;
        assert_eq!((changed.name.as_str(), changed.role), (NAME, change.role));

        for enabled in [true, true, false, false] {
            within(
                "set_user_enabled",
                users.set_user_enabled(&created.id, enabled),
            )
            .await;
            let seen = find(users, &created.id).await.and_then(|user| user.enabled);
            assert!(
                seen.is_none_or(|seen| seen == enabled),
                "set {enabled}, read {seen:?}"
            );
        }
        for _ in 0..2 {
            match bounded("delete_user", users.delete_user(&created.id)).await {
                Ok(()) => assert_eq!(
                    find(users, &created.id).await,
                    None,
                    "deleted, but still there"
                ),
                Err(error) => assert!(
                    error.kind() == ErrorKind::Unsupported && error.effect() == Effect::None,
                    "delete_user failed: {error:?}"
                ),
            }
        }
    }
    session.close().await;
}

async fn find(users: &dyn Users, id: &str) -> Option<User> {
    let all = within("users", users.users()).await;
    all.into_iter().find(|user| user.id == id)
}
