//! What is printed is read again as the same, whatever JSON a result holds.
#![allow(clippy::unwrap_used)]

use bmc_rpc::{Failure, Response};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::Value;

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map("\\PC{0,6}", inner, 0..4).prop_map(|members| members.into_iter().collect()),
        ]
    })
}

fn response() -> impl Strategy<Value = Response> {
    let failure =
        (any::<i64>(), "\\PC{0,20}").prop_map(|(code, message)| Failure { code, message });
    (
        option::of(any::<i64>()),
        option::of("\\PC{0,12}"),
        option::of(value().prop_filter("null is none", |value| !value.is_null())),
        option::of(failure),
    )
        .prop_map(|(id, host, result, error)| Response {
            id,
            host,
            result,
            error,
        })
}

proptest! {
    #[test]
    fn a_response_is_read_as_it_was_printed(response in response()) {
        prop_assert_eq!(Response::from_json(&response.to_json()).unwrap(), response);
    }
}
