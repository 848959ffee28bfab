//! Power supply records, FRU §18.1.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};

/// What a power supply is good for. FFh and FFFFh are unspecified, 0 is where there is no second range or limit.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct PowerSupply {
    /// Overall capacity in W: twelve bits.
    pub capacity: u16,
    /// Most apparent power that it draws, in VA.
    pub peak_va: u16,
    /// Inrush current in A.
    pub inrush_current: u8,
    /// How long the inrush lasts, in ms.
    pub inrush_interval: u8,
    /// First range of input voltage, lowest and highest, in steps of 10 mV.
    pub input_1: [i16; 2],
    /// Second range of input voltage, lowest and highest, in steps of 10 mV.
    pub input_2: [i16; 2],
    /// Input frequency, lowest and highest, in Hz; 0 is direct current.
    pub frequency: [u8; 2],
    /// How long it bridges a lack of input, in ms.
    pub dropout: u8,
    /// \[4\] two tachometer pulses a rotation, or a predictive failure signal that is active low, \[3\] hot swap,
    /// \[2\] autoswitch, \[1\] power factor correction, \[0\] predictive failure signal.
    pub flags: u8,
    /// How long it bears peak load, in s: four bits.
    pub hold_up: u8,
    /// Peak capacity in W: twelve bits.
    pub peak_capacity: u16,
    /// \[7:4\] first, \[3:0\] second voltage with a common limit: 0 12 V, 1 −12 V, 2 5 V, 3 3.3 V.
    pub combined: u8,
    /// The common limit in W; 0 is none.
    pub combined_capacity: u16,
    /// Rotations a second below which its fan has failed.
    pub tachometer_limit: u8,
}

impl Wire for PowerSupply {
    const NAME: &'static str = "FRU power supply record";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let capacity = r.u16_le("overall capacity")? & 0x0fff;
        let peak_va = r.u16_le("peak VA")?;
        let inrush_current = r.u8("inrush current")?;
        let inrush_interval = r.u8("inrush interval")?;
        let mut voltage = || r.u16_le("input voltage").map(u16::cast_signed);
        let input_1 = [voltage()?, voltage()?];
        let input_2 = [voltage()?, voltage()?];
        let frequency = r.array("input frequency")?;
        let dropout = r.u8("dropout tolerance")?;
        let flags = r.u8("flags")? & 0x1f;
        let peak = r.u16_le("peak wattage")?;
        let [high, _] = peak.to_be_bytes();
        Ok(Self {
            capacity,
            peak_va,
            inrush_current,
            inrush_interval,
            input_1,
            input_2,
            frequency,
            dropout,
            flags,
            hold_up: high >> 4,
            peak_capacity: peak & 0x0fff,
            combined: r.u8("combined wattage voltages")?,
            combined_capacity: r.u16_le("combined wattage")?,
            tachometer_limit: r.u8("tachometer lower threshold")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_u16_le(self.capacity & 0x0fff);
        out.put_u16_le(self.peak_va);
        out.put_slice(&[self.inrush_current, self.inrush_interval]);
        for voltage in self.input_1.iter().chain(&self.input_2) {
            out.put_i16_le(*voltage);
        }
        out.put_slice(&self.frequency);
        out.put_slice(&[self.dropout, self.flags & 0x1f]);
        out.put_u16_le(u16::from(self.hold_up & 0x0f) << 12 | self.peak_capacity & 0x0fff);
        out.put_u8(self.combined);
        out.put_u16_le(self.combined_capacity);
        out.put_u8(self.tachometer_limit);
    }
}
