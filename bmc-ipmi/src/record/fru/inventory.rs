//! A whole inventory, FRU §7.

use super::header::{Header, UNIT};
use super::{
    BoardArea, ChassisArea, FruArea, FruDamage, FruEncodeError, FruError, FruProblem, MultiRecord,
    ProductArea, multirecord,
};

/// The inventory of a FRU device.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct FruInventory {
    /// The internal use area with its format byte; the manufacturer's own.
    pub internal: Option<Vec<u8>>,
    /// What the enclosure is.
    pub chassis: Option<ChassisArea>,
    /// What the board is.
    pub board: Option<BoardArea>,
    /// What the product is.
    pub product: Option<ProductArea>,
    /// Further records.
    pub multirecords: Vec<MultiRecord>,
    /// What is wrong with it.
    pub damage: Vec<FruDamage>,
}

impl FruInventory {
    /// Reads an inventory. Each area is read as far as it can be, whatever is wrong with the others; what is wrong is
    /// in `damage`.
    ///
    /// # Errors
    /// The common header does not say where the areas are.
    pub fn decode(bytes: &[u8]) -> Result<Self, FruError> {
        let header = Header::decode(bytes)?;
        let mut damage = Vec::new();
        let internal = header.internal.and_then(|begin| {
            let area = bytes.get(begin..header.internal_end(begin, bytes.len()));
            let area = area.filter(|area| !area.is_empty());
            if area.is_none() {
                damage.push(FruDamage {
                    area: FruArea::Internal,
                    problem: FruProblem::Outside,
                });
            }
            area.map(<[u8]>::to_vec)
        });
        let chassis = header.chassis;
        let chassis = chassis.and_then(|at| ChassisArea::decode(bytes, at, &mut damage));
        let board = header.board;
        let board = board.and_then(|at| BoardArea::decode(bytes, at, &mut damage));
        let product = header.product;
        let product = product.and_then(|at| ProductArea::decode(bytes, at, &mut damage));
        let multirecords = header
            .multirecord
            .map(|begin| multirecord::decode(bytes.get(begin..).unwrap_or_default(), &mut damage));
        Ok(Self {
            internal,
            chassis,
            board,
            product,
            multirecords: multirecords.unwrap_or_default(),
            damage,
        })
    }

    /// Writes the inventory with correct checksums, areas in the order of the header, without gaps.
    ///
    /// # Errors
    /// A field cannot be stored, or the areas take more room than the header can address.
    pub fn encode(&self) -> Result<Vec<u8>, FruEncodeError> {
        let mut bytes = vec![0; Header::LENGTH];
        let internal = self.internal.as_ref().map(|area| {
            let mut area = area.clone();
            area.resize(area.len().next_multiple_of(UNIT), 0);
            area
        });
        let chassis = self.chassis.as_ref().map(ChassisArea::encode).transpose()?;
        let board = self.board.as_ref().map(BoardArea::encode).transpose()?;
        let product = self.product.as_ref().map(ProductArea::encode).transpose()?;
        let multirecords = multirecord::encode(&self.multirecords)?;
        let offsets = [
            place(&mut bytes, FruArea::Internal, internal)?,
            place(&mut bytes, FruArea::Chassis, chassis)?,
            place(&mut bytes, FruArea::Board, board)?,
            place(&mut bytes, FruArea::Product, product)?,
            place(&mut bytes, FruArea::MultiRecord(0), multirecords)?,
        ];
        let header = Header::encode(offsets);
        bytes.splice(..Header::LENGTH, header);
        Ok(bytes)
    }
}

/// Appends an area and gives its offset in units.
fn place(
    bytes: &mut Vec<u8>,
    area: FruArea,
    content: Option<Vec<u8>>,
) -> Result<u8, FruEncodeError> {
    let Some(content) = content else {
        return Ok(0);
    };
    let offset = u8::try_from(bytes.len() / UNIT).map_err(|_| FruEncodeError::Long(area))?;
    bytes.extend(content);
    Ok(offset)
}
