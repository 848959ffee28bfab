//! How to write a consumer.
