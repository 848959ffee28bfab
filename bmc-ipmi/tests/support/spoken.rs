//! What the foreign programs speak: the tests go through these lists, and the table of the book shows them.
#![allow(dead_code)]

/// The suites of the specification that this crate has.
pub(crate) const SUITES: [u8; 12] = [0, 1, 2, 3, 6, 7, 8, 11, 12, 15, 16, 17];
/// The authentication types of IPMI v1.5 that this crate has.
pub(crate) const V15: [&str; 4] = ["none", "MD2", "MD5", "password"];

/// What one program speaks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spoken {
    pub(crate) program: &'static str,
    pub(crate) suites: &'static [u8],
    pub(crate) v15: &'static [&'static str],
}

/// It derives the keys of 7, 8 and 12 from constants of another length than everybody else, and knows no SHA-256.
pub(crate) const IPMI_SIM: Spoken = Spoken {
    program: "ipmi_sim",
    suites: &[0, 1, 2, 3, 6, 11],
    v15: &V15,
};

/// It offers one type of IPMI v1.5.
pub(crate) const GOIPMI_SERVER: Spoken = Spoken {
    program: "go-ipmi's server",
    suites: &[0, 1, 2, 3, 17],
    v15: &["MD5"],
};

/// It answers with suite 3 whatever is asked for.
pub(crate) const PYGHMI_BMC: Spoken = Spoken {
    program: "pyghmi's fake BMC, VirtualBMC",
    suites: &[3],
    v15: &[],
};

/// It aborts at 11 and 12. Debian's build knows no MD2.
pub(crate) const IPMITOOL: Spoken = Spoken {
    program: "ipmitool",
    suites: &[0, 1, 2, 3, 6, 7, 8, 15, 16, 17],
    v15: &["none", "MD5", "password"],
};

/// Its straight password is refused by every BMC.
pub(crate) const FREEIPMI: Spoken = Spoken {
    program: "FreeIPMI",
    suites: &SUITES,
    v15: &["none", "MD2", "MD5"],
};

/// Suites that it can choose and that encrypt: it calls every packet encrypted, whatever was negotiated.
pub(crate) const GOIPMI: Spoken = Spoken {
    program: "go-ipmi's client",
    suites: &[3, 8, 17],
    v15: &[],
};

pub(crate) const PYGHMI: Spoken = Spoken {
    program: "pyghmi's client",
    suites: &[3, 17],
    v15: &[],
};
