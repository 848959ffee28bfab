//! What the consumer answers.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::dot_path::kind;

use super::Request;

/// What the consumer answers: `{"id":1,"host":"10.0.0.5","result":"on"}`, or with `"error":{"code":1,"message":"why"}`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Response {
    /// The id of the request; 0 or none: not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// The host of the request; empty: not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// What the method yields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// Why it was not done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
}

/// Why a consumer did not do what it was asked to. To answer it promises that nothing was done.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Failure {
    /// 0: no failure at all.
    #[serde(default)]
    pub code: i64,
    /// For people.
    #[serde(default)]
    pub message: String,
}

/// Why a body is not a [`Response`].
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidResponse {
    /// There is none.
    #[error("empty")]
    Empty,
    /// It is not JSON.
    #[error("not JSON (line {line}, column {column})")]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// It is JSON, but no object.
    #[error("a JSON {found} instead of an object")]
    NoObject {
        /// What it is.
        found: &'static str,
    },
    /// A member has the wrong type.
    #[error("member {member} is a {found} instead of {expected}")]
    Member {
        /// Which member.
        member: &'static str,
        /// What it is.
        found: &'static str,
        /// What it should be.
        expected: &'static str,
    },
}

impl Response {
    /// A success without a result.
    pub fn done(request: &Request) -> Self {
        Self {
            id: Some(request.id),
            host: Some(request.host.clone()),
            result: None,
            error: None,
        }
    }

    /// A success with a result.
    pub fn result(request: &Request, result: impl Into<Value>) -> Self {
        Self {
            result: Some(result.into()),
            ..Self::done(request)
        }
    }

    /// A failure: nothing was done. `code` must not be 0.
    pub fn failure(request: &Request, code: i64, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            error: Some(Failure { code, message }),
            ..Self::done(request)
        }
    }

    /// The failure, unless its code is 0, which is none.
    pub fn failed(&self) -> Option<&Failure> {
        self.error.as_ref().filter(|failure| failure.code != 0)
    }

    /// Reads the body of a response. Members that are not known are left out. Upper and lower case are the same in their
    /// names, as they are to bmclib: consumers in Go often say `Result` and `Error`.
    ///
    /// # Errors
    /// It is not a response.
    pub fn from_json(body: &[u8]) -> Result<Self, InvalidResponse> {
        if body.trim_ascii().is_empty() {
            return Err(InvalidResponse::Empty);
        }
        let value: Value =
            serde_json::from_slice(body).map_err(|error| InvalidResponse::Syntax {
                line: error.line(),
                column: error.column(),
            })?;
        let Value::Object(mut members) = value else {
            return Err(InvalidResponse::NoObject {
                found: kind(&value),
            });
        };
        let mut take = |member: &str| take(&mut members, member);
        let wrong = |member, value: &Value, expected| InvalidResponse::Member {
            member,
            found: kind(value),
            expected,
        };
        let id = match take("id") {
            None => None,
            Some(id) => Some(
                id.as_i64()
                    .ok_or_else(|| wrong("id", &id, "an integer of 64 bits"))?,
            ),
        };
        let host = match take("host") {
            None => None,
            Some(Value::String(host)) => Some(host),
            Some(other) => return Err(wrong("host", &other, "a string")),
        };
        let error = match take("error") {
            None => None,
            Some(Value::Object(mut failure)) => {
                let code = self::take(&mut failure, "code").unwrap_or_else(|| Value::from(0));
                let message = self::take(&mut failure, "message").unwrap_or_default();
                Some(Failure {
                    code: code
                        .as_i64()
                        .ok_or_else(|| wrong("error.code", &code, "an integer of 64 bits"))?,
                    message: match message {
                        Value::Null => String::new(),
                        Value::String(message) => message,
                        other => return Err(wrong("error.message", &other, "a string")),
                    },
                })
            }
            Some(other) => return Err(wrong("error", &other, "an object")),
        };
        let result = take("result");
        Ok(Self {
            id,
            host,
            result,
            error,
        })
    }

    /// The body of this response.
    pub fn to_json(&self) -> Vec<u8> {
        // Strings, numbers and maps with string keys always serialise.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// A member that is not null, first by its very name.
fn take(members: &mut Map<String, Value>, name: &str) -> Option<Value> {
    let given = |value: &Value| !value.is_null();
    members.remove(name).filter(given).or_else(|| {
        let mut all = members.iter_mut();
        let (_, value) = all.find(|(key, value)| key.eq_ignore_ascii_case(name) && given(value))?;
        Some(value.take())
    })
}
