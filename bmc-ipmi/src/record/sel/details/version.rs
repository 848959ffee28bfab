//! What changed its version: event data 2 of sensor type 2Bh.

pub(super) fn changed(data: u8) -> Option<&'static str> {
    Some(match data {
        0x01 => "management controller device ID",
        0x02 => "management controller firmware revision",
        0x03 => "management controller device revision",
        0x04 => "management controller manufacturer ID",
        0x05 => "management controller IPMI version",
        0x06 => "management controller auxiliary firmware",
        0x07 => "management controller boot block",
        0x08 => "other management controller firmware",
        0x09 => "system firmware (BIOS)",
        0x0a => "SMBIOS",
        0x0b => "operating system",
        0x0c => "operating system loader",
        0x0d => "service or diagnostic partition",
        0x0e => "management software agent",
        0x0f => "management software application",
        0x10 => "management software middleware",
        0x11 => "programmable hardware",
        0x12 => "FRU module",
        0x13 => "FRU component",
        0x14 => "FRU replaced with an equal version",
        0x15 => "FRU replaced with a newer version",
        0x16 => "FRU replaced with an older version",
        0x17 => "hardware configuration",
        _ => return None,
    })
}
