//! What a BMC stores, as bytes and as meaning. No I/O.
