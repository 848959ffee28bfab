//! Get IP/UDP/RMCP Statistics, §23.4.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::command::Command;
use crate::wire::{NetFn, Privilege};

/// Reads the counters of the channel.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GetIpStatistics {
    /// The channel, four bits.
    pub channel: u8,
    /// Whether to set all of them to zero.
    pub clear: bool,
}

impl Wire for GetIpStatistics {
    const NAME: &'static str = "Get IP/UDP/RMCP Statistics";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            channel: r.u8("channel")? & 0x0f,
            clear: r.u8("clear statistics")? & 1 != 0,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.channel & 0x0f, self.clear.into()]);
    }
}

impl Command for GetIpStatistics {
    type Response = IpStatistics;
    const NETFN: NetFn = NetFn::TRANSPORT;
    const CMD: u8 = 0x04;
    // What was counted is lost with the answer to a clear.
    const IDEMPOTENT: bool = false;
    const PRIVILEGE: Privilege = Privilege::USER;

    fn is_idempotent(&self) -> bool {
        !self.clear
    }
}

/// Counters of datagrams. They stop at 65535.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct IpStatistics {
    /// IP packets received.
    pub ip_received: u16,
    /// IP packets with errors in their header.
    pub ip_header_errors: u16,
    /// IP packets with errors in their address.
    pub ip_address_errors: u16,
    /// Fragments received.
    pub ip_fragments: u16,
    /// IP packets sent.
    pub ip_sent: u16,
    /// UDP packets received.
    pub udp_received: u16,
    /// Valid RMCP packets received.
    pub rmcp_received: u16,
    /// UDP proxy packets received.
    pub proxy_received: u16,
    /// UDP proxy packets dropped.
    pub proxy_dropped: u16,
}

impl Wire for IpStatistics {
    const NAME: &'static str = "Get IP/UDP/RMCP Statistics response";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            ip_received: r.u16_le("IP packets received")?,
            ip_header_errors: r.u16_le("IP header errors")?,
            ip_address_errors: r.u16_le("IP address errors")?,
            ip_fragments: r.u16_le("fragmented IP packets")?,
            ip_sent: r.u16_le("IP packets transmitted")?,
            udp_received: r.u16_le("UDP packets received")?,
            rmcp_received: r.u16_le("valid RMCP packets received")?,
            proxy_received: r.u16_le("UDP proxy packets received")?,
            proxy_dropped: r.u16_le("UDP proxy packets dropped")?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        for counter in [
            self.ip_received,
            self.ip_header_errors,
            self.ip_address_errors,
            self.ip_fragments,
            self.ip_sent,
            self.udp_received,
            self.rmcp_received,
            self.proxy_received,
            self.proxy_dropped,
        ] {
            out.put_u16_le(counter);
        }
    }
}
