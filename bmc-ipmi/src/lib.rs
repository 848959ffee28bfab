//! IPMI.
