//! The asset tag and the controller's name, written and read in parts.

use crate::codec::Wire;
use crate::command::{
    AssetTagEncoding, AssetTagPart, DcmiTextLength, GetAssetTag, GetMcIdString, McIdStringPart,
    SetAssetTag, SetMcIdString,
};
use crate::sim::Sim;
use crate::sim::dispatch::{Call, Failure};
use crate::wire::CompletionCode;

/// Longest asset tag in bytes.
const ASSET_TAG: usize = 63;
/// Longest name of a controller in bytes, with the zero byte at its end.
const MC_ID: usize = 64;
/// Longest part in bytes.
const PART: usize = 16;

impl Sim {
    pub(in crate::sim) fn asset_tag(
        &mut self,
        _: Call,
        command: GetAssetTag,
    ) -> Result<AssetTagPart, Failure> {
        let dcmi = self.dcmi_or_refuse()?;
        let data = read(&dcmi.asset_tag, command.offset, command.count, ASSET_TAG)?;
        let total = length(&dcmi.asset_tag);
        let encoding = AssetTagEncoding::Plain;
        let part = AssetTagPart {
            encoding,
            total,
            data,
        };
        match dcmi.asset_tag_code {
            Some(code) => Err(Failure {
                code: CompletionCode(code),
                data: part.to_bytes(),
            }),
            None => Ok(part),
        }
    }

    pub(in crate::sim) fn set_asset_tag(
        &mut self,
        call: Call,
        command: SetAssetTag,
    ) -> Result<DcmiTextLength, CompletionCode> {
        let dcmi = self.dcmi_or_refuse()?;
        let mut tag = dcmi.asset_tag.clone();
        write(&mut tag, command.offset, &command.data, ASSET_TAG)?;
        let total = length(&tag);
        if !call.ignore {
            dcmi.asset_tag = tag;
            dcmi.asset_tag_code = None;
        }
        Ok(DcmiTextLength { total })
    }

    pub(in crate::sim) fn mc_id_string(
        &mut self,
        _: Call,
        command: GetMcIdString,
    ) -> Result<McIdStringPart, CompletionCode> {
        let dcmi = self.dcmi_or_refuse()?;
        let data = read(&dcmi.mc_id, command.offset, command.count, MC_ID)?;
        let total = length(&dcmi.mc_id);
        Ok(McIdStringPart { total, data })
    }

    pub(in crate::sim) fn set_mc_id_string(
        &mut self,
        call: Call,
        command: SetMcIdString,
    ) -> Result<DcmiTextLength, CompletionCode> {
        let dcmi = self.dcmi_or_refuse()?;
        let mut name = dcmi.mc_id.clone();
        write(&mut name, command.offset, &command.data, MC_ID)?;
        let total = length(&name);
        if !call.ignore {
            dcmi.mc_id = name;
        }
        Ok(DcmiTextLength { total })
    }
}

fn read(text: &[u8], offset: u8, count: u8, most: usize) -> Result<Vec<u8>, CompletionCode> {
    let (offset, count) = (usize::from(offset), usize::from(count));
    if count > PART || offset + count > most {
        return Err(CompletionCode::OUT_OF_RANGE);
    }
    let rest = text.get(offset..).unwrap_or_default();
    Ok(rest.get(..count).unwrap_or(rest).to_vec())
}

/// The text ends behind what was written last.
fn write(text: &mut Vec<u8>, offset: u8, data: &[u8], most: usize) -> Result<(), CompletionCode> {
    let offset = usize::from(offset);
    if data.len() > PART || offset + data.len() > most || offset > text.len() {
        return Err(CompletionCode::OUT_OF_RANGE);
    }
    text.truncate(offset);
    text.extend_from_slice(data);
    Ok(())
}

fn length(text: &[u8]) -> u8 {
    u8::try_from(text.len()).unwrap_or(u8::MAX)
}
