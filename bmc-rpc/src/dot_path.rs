//! Puts the request into a payload of the user's, at a dot path. Experimental in bmclib, and so here.
//!
//! A dot path is a list of segments such as `data.list.0`. In a segment `~1` stands for a dot and `~0` for a tilde. A
//! segment is a key of an object, which is made if it is not there, or an index of an array, or `-` for a new last element.

use std::collections::BTreeMap;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;
use serde_saphyr::Options;

/// Longest payload that is accepted, in bytes; of YAML also after its aliases.
pub const MAX_TEMPLATE: usize = 64 * 1024;

/// Most segments of a path.
const MAX_SEGMENTS: usize = 32;

/// A payload of the user's with a place for the request.
#[derive(Clone, Debug, PartialEq)]
pub struct Template(Node);

/// Why a request cannot be put into a payload. Segments are counted from 0.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// The payload is too long.
    #[error("longer than {MAX_TEMPLATE} bytes")]
    TooLong,
    /// The payload is neither JSON nor YAML, or grows out of bounds by its aliases.
    #[error("neither JSON nor YAML")]
    Syntax,
    /// The path has too many segments.
    #[error("path has more than {MAX_SEGMENTS} segments")]
    TooDeep,
    /// A segment that indexes an array is not an index of it.
    #[error("path segment {segment}: {given:?} is no index of an array of {length}")]
    Index {
        /// The segment.
        segment: usize,
        /// What it is.
        given: String,
        /// Length of the array.
        length: usize,
    },
    /// The path leads into something that is neither object nor array.
    #[error("path segment {segment}: leads into a {found}")]
    Collision {
        /// The segment.
        segment: usize,
        /// What is there.
        found: &'static str,
    },
}

#[derive(Clone, Debug, PartialEq)]
enum Node {
    Leaf(Value),
    Array(Vec<Self>),
    /// Keys come out sorted, as Go sorts them.
    Object(BTreeMap<String, Self>),
    /// The place for the request.
    Request,
}

impl Template {
    /// Reads a payload in JSON or YAML and finds the place at `path`.
    ///
    /// # Errors
    /// The payload cannot be read, or the path does not lead anywhere in it.
    pub fn new(payload: &str, path: &str) -> Result<Self, EmbedError> {
        if payload.len() > MAX_TEMPLATE {
            return Err(EmbedError::TooLong);
        }
        let value: Value = serde_json::from_str(payload)
            .or_else(|_| serde_saphyr::from_str_with_options(payload, yaml()))
            .map_err(|_| EmbedError::Syntax)?;
        let segments: Vec<String> = path.split('.').map(unescape).collect();
        if segments.len() > MAX_SEGMENTS {
            return Err(EmbedError::TooDeep);
        }
        let mut root = Node::from(value);
        if root == Node::Leaf(Value::Null) {
            root = Node::Object(BTreeMap::new());
        }
        root.reserve(&segments, 0)?;
        Ok(Self(root))
    }

    /// The payload with `request` in its place.
    pub fn with<'a, R: Serialize>(&'a self, request: &'a R) -> impl Serialize + 'a {
        Filled {
            node: &self.0,
            request,
        }
    }
}

impl Node {
    /// Makes the place for the request at the end of the path, of which `depth` segments are walked.
    fn reserve(&mut self, path: &[String], depth: usize) -> Result<(), EmbedError> {
        let Some(segment) = path.get(depth) else {
            *self = Self::Request;
            return Ok(());
        };
        match self {
            Self::Object(members) => {
                let member = members
                    .entry(segment.clone())
                    .or_insert(Self::Leaf(Value::Null));
                if *member == Self::Leaf(Value::Null) {
                    *member = Self::Object(BTreeMap::new());
                }
                member.reserve(path, depth + 1)
            }
            Self::Array(elements) => {
                let length = elements.len();
                if segment == "-" && depth > 0 {
                    elements.push(Self::Object(BTreeMap::new()));
                }
                let index = if segment == "-" && depth > 0 {
                    Some(length)
                } else {
                    segment.parse().ok()
                };
                let element = index.and_then(|index: usize| elements.get_mut(index));
                let wrong = || EmbedError::Index {
                    segment: depth,
                    given: segment.chars().take(40).collect(),
                    length,
                };
                element.ok_or_else(wrong)?.reserve(path, depth + 1)
            }
            Self::Leaf(value) => Err(EmbedError::Collision {
                segment: depth,
                found: kind(value),
            }),
            Self::Request => Ok(()),
        }
    }
}

impl From<Value> for Node {
    fn from(value: Value) -> Self {
        match value {
            Value::Array(elements) => Self::Array(elements.into_iter().map(Self::from).collect()),
            Value::Object(members) => Self::Object(
                members
                    .into_iter()
                    .map(|(key, value)| (key, Self::from(value)))
                    .collect(),
            ),
            leaf => Self::Leaf(leaf),
        }
    }
}

struct Filled<'a, R> {
    node: &'a Node,
    request: &'a R,
}

impl<R: Serialize> Serialize for Filled<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let request = self.request;
        match self.node {
            Node::Leaf(value) => value.serialize(serializer),
            Node::Request => request.serialize(serializer),
            Node::Array(elements) => {
                let mut array = serializer.serialize_seq(Some(elements.len()))?;
                for node in elements {
                    array.serialize_element(&Self { node, request })?;
                }
                array.end()
            }
            Node::Object(members) => {
                let mut object = serializer.serialize_map(Some(members.len()))?;
                for (key, node) in members {
                    object.serialize_entry(key, &Self { node, request })?;
                }
                object.end()
            }
        }
    }
}

/// YAML as bmclib reads it, and no aliases that make much out of little: every request would carry it.
fn yaml() -> Options {
    let mut options = Options::default();
    options.legacy_octal_numbers = true;
    options.alias_limits.max_total_replayed_events = MAX_TEMPLATE / 8;
    options.budget = options.budget.map(|mut budget| {
        budget.max_total_scalar_bytes = MAX_TEMPLATE;
        budget
    });
    options
}

fn unescape(segment: &str) -> String {
    segment.replace("~1", ".").replace("~0", "~")
}

/// What a JSON value is, for people.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embed(payload: &str, path: &str) -> Result<String, EmbedError> {
        let template = Template::new(payload, path)?;
        Ok(serde_json::to_string(&template.with(&7)).unwrap())
    }

    #[test]
    fn the_request_is_put_at_its_place() {
        for (payload, path, expected) in [
            (
                r#"{"data":{"message":"hello","arr":[1,2]}}"#,
                "data.body",
                r#"{"data":{"arr":[1,2],"body":7,"message":"hello"}}"#,
            ),
            (
                "data:\n  message: hello\n  arr: [1, 2]\n",
                "data.body",
                r#"{"data":{"arr":[1,2],"body":7,"message":"hello"}}"#,
            ),
            (
                r#"{"data":{"arr":[1,2]}}"#,
                "data.arr.0",
                r#"{"data":{"arr":[7,2]}}"#,
            ),
            (
                r#"{"data":{"arr":[1,2]}}"#,
                "data.arr.-",
                r#"{"data":{"arr":[1,2,7]}}"#,
            ),
            (
                r#"{"data":[1]}"#,
                "data.-.a.b",
                r#"{"data":[1,{"a":{"b":7}}]}"#,
            ),
            (r#"{"a":1}"#, "a", r#"{"a":7}"#),
            (r#"{"a":{"b":1}}"#, "a", r#"{"a":7}"#),
            (r#"{"a":null}"#, "a.b.c", r#"{"a":{"b":{"c":7}}}"#),
            ("{}", "b~1c.~0", r#"{"b.c":{"~":7}}"#),
            ("{}", "~01", r#"{"~1":7}"#),
            ("{}", "", r#"{"":7}"#),
            ("null", "a", r#"{"a":7}"#),
            (r#"[{"z":1,"a":2}]"#, "0.m", r#"[{"a":2,"m":7,"z":1}]"#),
        ] {
            assert_eq!(
                embed(payload, path).as_deref(),
                Ok(expected),
                "{payload} at {path}"
            );
        }
    }

    #[test]
    fn yaml_is_that_of_bmclib() {
        let payload = "a: yes\nb: 0777\n7: 0x1f\nc: [~, '5']\n";
        let expected = r#"{"7":31,"a":true,"b":511,"c":[null,"5"],"q":7}"#;
        assert_eq!(embed(payload, "q").as_deref(), Ok(expected));
    }

    /// The text is short, what its aliases stand for is not, and every request would carry it.
    #[test]
    fn aliases_do_not_make_much_out_of_little() {
        let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(30_000), "*a, ".repeat(90));
        let mut lists = String::from("a0: &a0 [x, x, x, x, x, x, x, x]\n");
        for level in 1..5 {
            let eight = format!("*a{}, ", level - 1).repeat(8);
            lists += &format!("a{level}: &a{level} [{eight}]\n");
        }
        for bomb in [long, lists, "- ".repeat(30_000)] {
            assert_eq!(embed(&bomb, "q"), Err(EmbedError::Syntax));
        }
        let few = "a: &a [1]\nb: [*a, *a]\n";
        let expected = r#"{"a":[1],"b":[[1],[1]],"q":7}"#;
        assert_eq!(embed(few, "q").as_deref(), Ok(expected));
    }

    #[test]
    fn a_path_that_leads_nowhere_is_named() {
        let index = |segment, given: &str, length| {
            Err(EmbedError::Index {
                segment,
                given: given.into(),
                length,
            })
        };
        assert_eq!(embed(r#"{"a":[1]}"#, "a.x"), index(1, "x", 1));
        assert_eq!(embed(r#"{"a":[1]}"#, "a.1"), index(1, "1", 1));
        assert_eq!(embed(r#"{"a":[1]}"#, "a.-1"), index(1, "-1", 1));
        assert_eq!(embed("[1]", "-"), index(0, "-", 1));
        let collision = Err(EmbedError::Collision {
            segment: 1,
            found: "string",
        });
        assert_eq!(embed(r#"{"a":"text"}"#, "a.b"), collision);
        assert_eq!(embed("{", "a"), Err(EmbedError::Syntax));
        assert_eq!(embed("{}", &".".repeat(40)), Err(EmbedError::TooDeep));
        assert_eq!(
            embed(&" ".repeat(MAX_TEMPLATE + 1), "a"),
            Err(EmbedError::TooLong)
        );
    }
}
