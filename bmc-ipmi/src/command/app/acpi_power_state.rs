//! Set ACPI Power State and Get ACPI Power State, §20.6 and §20.7.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::{Command, bit};
use crate::wire::{NetFn, Privilege};

/// Tells the BMC the ACPI power states. It does not switch anything.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SetAcpiPowerState {
    /// State of the system; `None` keeps it.
    pub system: Option<AcpiSystemState>,
    /// State of the device; `None` keeps it.
    pub device: Option<AcpiDeviceState>,
}

/// Asks for the ACPI power states.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetAcpiPowerState;

/// The ACPI power states that the BMC was told.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct AcpiPowerState {
    /// State of the system.
    pub system: AcpiSystemState,
    /// State of the device.
    pub device: AcpiDeviceState,
}

/// ACPI power state of a system: seven bits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct AcpiSystemState(u8);

code_table! {
    AcpiSystemState, 0x7f, "ACPI system power state":
    S0 = 0x00, "S0/G0: working";
    S1 = 0x01, "S1: context kept, hardware on";
    S2 = 0x02, "S2: processor context lost";
    S3 = 0x03, "S3: suspended to memory";
    S4 = 0x04, "S4: suspended to disk";
    S5 = 0x05, "S5/G2: soft off";
    S4_S5 = 0x06, "S4 or S5";
    G3 = 0x07, "G3: mechanical off";
    SLEEPING = 0x08, "sleeping";
    G1 = 0x09, "G1: sleeping";
    OVERRIDE = 0x0a, "S5 by override";
    LEGACY_ON = 0x20, "legacy on";
    LEGACY_OFF = 0x21, "legacy off";
    UNKNOWN = 0x2a, "unknown";
}

/// ACPI power state of a device: seven bits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct AcpiDeviceState(u8);

code_table! {
    AcpiDeviceState, 0x7f, "ACPI device power state":
    D0 = 0x00, "D0";
    D1 = 0x01, "D1";
    D2 = 0x02, "D2";
    D3 = 0x03, "D3";
    UNKNOWN = 0x2a, "unknown";
}

/// Bit of both bytes of the request: set the state.
const SET: u8 = 0x80;

impl Wire for SetAcpiPowerState {
    const NAME: &'static str = "Set ACPI Power State";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let system = r.u8("system power state")?;
        let device = r.u8("device power state")?;
        Ok(Self {
            system: (system & SET != 0).then(|| AcpiSystemState::new(system)),
            device: (device & SET != 0).then(|| AcpiDeviceState::new(device)),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        let system = self.system.map_or(0, AcpiSystemState::value);
        let device = self.device.map_or(0, AcpiDeviceState::value);
        out.put_slice(&[
            system | bit(self.system.is_some(), SET),
            device | bit(self.device.is_some(), SET),
        ]);
    }
}

impl Command for SetAcpiPowerState {
    type Response = ();
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x06;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::ADMINISTRATOR;
}

without_data!(GetAcpiPowerState, "Get ACPI Power State");

impl Command for GetAcpiPowerState {
    type Response = AcpiPowerState;
    const NETFN: NetFn = NetFn::APP;
    const CMD: u8 = 0x07;
    const IDEMPOTENT: bool = true;
    const PRIVILEGE: Privilege = Privilege::USER;
}

impl Wire for AcpiPowerState {
    const NAME: &'static str = "Get ACPI Power State response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            system: AcpiSystemState::new(r.u8("system power state")?),
            device: AcpiDeviceState::new(r.u8("device power state")?),
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.system.value(), self.device.value()]);
    }
}
