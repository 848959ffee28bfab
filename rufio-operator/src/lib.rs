//! Operator.
