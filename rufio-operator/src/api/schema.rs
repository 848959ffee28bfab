//! Schemas that the derive cannot give.

use schemars::{Schema, SchemaGenerator, json_schema};

/// Go's `int`: an integer without a format.
pub(super) fn integer(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "integer" })
}
