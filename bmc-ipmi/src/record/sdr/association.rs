//! Entity association records, §43.4 and §43.5.

use bytes::BufMut;

use crate::codec::{DecodeError, Reader, Wire};
use crate::wire::{Entity, EntityId};

/// Which entities an entity contains.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct EntityAssociation {
    /// The entity that contains.
    pub container: Entity,
    /// How to read the rest.
    pub association: Association,
    /// Up to four entities, or two ranges from one to the next; unused ones are zero.
    pub contained: [Entity; 4],
}

/// The same where container and contained entities may belong to different controllers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DeviceEntityAssociation {
    /// The entity that contains.
    pub container: AssociatedEntity,
    /// How to read the rest.
    pub association: Association,
    /// Up to four entities, or two ranges from one to the next; unused ones are zero.
    pub contained: [AssociatedEntity; 4],
}

/// An entity of a controller.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct AssociatedEntity {
    /// Slave address of the controller.
    pub address: u8,
    /// Its channel; four bits.
    pub channel: u8,
    /// The entity.
    pub entity: Entity,
}

/// Flags of an association.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Association(pub u8);

impl Association {
    /// Whether the contained entities are two ranges, instead of a list.
    pub const fn is_range(self) -> bool {
        self.0 & 0x80 != 0
    }

    /// Whether further records belong to this one.
    pub const fn is_linked(self) -> bool {
        self.0 & 0x40 != 0
    }

    /// Whether the presence of the container can always be told.
    pub const fn tells_presence(self) -> bool {
        self.0 & 0x20 != 0
    }
}

impl EntityAssociation {
    /// The contained entities, ranges expanded.
    pub fn entities(&self) -> Vec<Entity> {
        expand(self.association, self.contained, |entity| entity)
    }
}

impl DeviceEntityAssociation {
    /// The contained entities, ranges expanded.
    pub fn entities(&self) -> Vec<Entity> {
        expand(self.association, self.contained, |contained| {
            contained.entity
        })
    }
}

impl Wire for EntityAssociation {
    const NAME: &'static str = "entity association record";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let container = Entity::decode(r)?;
        let association = Association(r.u8("flags")? & 0xe0);
        let [a, b, c, d] = four(r, Entity::decode)?;
        Ok(Self {
            container,
            association,
            contained: [a, b, c, d],
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        self.container.encode(out);
        out.put_u8(self.association.0);
        for entity in &self.contained {
            entity.encode(out);
        }
    }
}

impl Wire for DeviceEntityAssociation {
    const NAME: &'static str = "device-relative entity association record";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let entity = Entity::decode(r)?;
        let [address, channel, flags] = r.array("container's address and flags")?;
        Ok(Self {
            container: AssociatedEntity {
                address,
                channel: channel >> 4,
                entity,
            },
            association: Association(flags & 0xe0),
            contained: four(r, AssociatedEntity::decode)?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        self.container.entity.encode(out);
        out.put_slice(&[
            self.container.address,
            self.container.channel << 4,
            self.association.0,
        ]);
        for entity in &self.contained {
            entity.encode(out);
        }
    }
}

impl Wire for AssociatedEntity {
    const NAME: &'static str = "associated entity";

    fn decode(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let [address, channel] = r.array("controller's address and channel")?;
        Ok(Self {
            address,
            channel: channel >> 4,
            entity: Entity::decode(r)?,
        })
    }

    fn encode(&self, out: &mut impl BufMut) {
        out.put_slice(&[self.address, self.channel << 4]);
        self.entity.encode(out);
    }
}

fn four<T>(
    r: &mut Reader<'_>,
    mut read: impl FnMut(&mut Reader<'_>) -> Result<T, DecodeError>,
) -> Result<[T; 4], DecodeError> {
    Ok([read(r)?, read(r)?, read(r)?, read(r)?])
}

fn expand<T: Copy>(
    association: Association,
    contained: [T; 4],
    entity: impl Fn(T) -> Entity,
) -> Vec<Entity> {
    let [a, b, c, d] = contained.map(entity);
    let is_used = |entity: &Entity| entity.id != EntityId::UNSPECIFIED;
    if !association.is_range() {
        return [a, b, c, d].into_iter().filter(is_used).collect();
    }
    let ranges = [(a, b), (c, d)]
        .into_iter()
        .filter(|(from, _)| is_used(from));
    let instances = ranges.flat_map(|(from, to)| {
        (from.instance..=to.instance).map(move |instance| Entity { instance, ..from })
    });
    instances.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges() {
        let fan = |instance| Entity::new(EntityId::FAN, instance);
        let none = Entity::new(EntityId::UNSPECIFIED, 0);
        let list = EntityAssociation {
            container: Entity::new(EntityId::COOLING_UNIT, 1),
            association: Association(0),
            contained: [fan(1), fan(4), none, none],
        };
        assert_eq!(list.entities(), [fan(1), fan(4)]);
        let association = Association(0x80);
        let range = EntityAssociation {
            association,
            ..list
        };
        assert_eq!(range.entities(), [fan(1), fan(2), fan(3), fan(4)]);
        let contained = [fan(4), fan(1), none, none];
        let backwards = EntityAssociation { contained, ..range };
        assert_eq!(backwards.entities(), []);
    }
}
