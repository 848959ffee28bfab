//! DCMI commands.

use super::*;

wire_type! {
    data: DcmiData = (any::<[u8; 3]>(), vec(any::<u8>(), 0..16)).prop_map(|([major, minor, revision], data)| DcmiData {
        version: DcmiVersion { major, minor }, revision, data,
    });
    get_capabilities: GetDcmiCapabilities = any::<u8>().prop_map(|parameter| GetDcmiCapabilities { parameter });
    support: DcmiSupport = any::<(u8, u8)>().prop_map(|(platform, access)| DcmiSupport { platform, access });
    log: DcmiLog = any::<(u16, u8)>().prop_map(|(attributes, temperature_interval)| {
        DcmiLog { attributes, temperature_interval }
    });
    controller: DcmiController = any::<(u8, u8)>().prop_map(|(address, channel)| DcmiController { address, channel });
    access: DcmiAccess = any::<[u8; 3]>().prop_map(|b| DcmiAccess {
        primary_lan: b[0], secondary_lan: b[1], serial: b[2],
    });
    periods: DcmiPeriods = vec(any::<u8>(), 0..=255).prop_map(|codes| DcmiPeriods {
        periods: codes.into_iter().map(DcmiPeriod).collect(),
    });
    get_power_reading: GetPowerReading = any::<Option<u8>>()
        .prop_map(|period| GetPowerReading { period: period.map(DcmiPeriod) });
    power_reading: PowerReading = any::<([u16; 4], u32, u32, u8)>().prop_map(|(w, time, period, state)| PowerReading {
        current: w[0], minimum: w[1], maximum: w[2], average: w[3], time: Timestamp(time), period, state,
    });
    get_power_limit: GetPowerLimit = Just(GetPowerLimit);
    power_limit: PowerLimitStatus = limits().prop_map(|limit| PowerLimitStatus { limit: Some(limit), active: true });
    set_power_limit: SetPowerLimit = limits().prop_map(SetPowerLimit);
    activate_power_limit: ActivatePowerLimit = any::<bool>().prop_map(|active| ActivatePowerLimit { active });
    get_asset_tag: GetAssetTag = any::<(u8, u8)>().prop_map(|(offset, count)| GetAssetTag { offset, count });
    asset_tag_part: AssetTagPart = text().prop_map(|(total, data)| AssetTagPart {
        encoding: AssetTagEncoding::Plain, total, data,
    });
    set_asset_tag: SetAssetTag = text().prop_map(|(offset, data)| SetAssetTag { offset, data });
    get_mc_id_string: GetMcIdString = any::<(u8, u8)>().prop_map(|(offset, count)| GetMcIdString { offset, count });
    mc_id_string_part: McIdStringPart = text().prop_map(|(total, data)| McIdStringPart { total, data });
    set_mc_id_string: SetMcIdString = text().prop_map(|(offset, data)| SetMcIdString { offset, data });
    text_length: DcmiTextLength = any::<u8>().prop_map(|total| DcmiTextLength { total });
    done: DcmiDone = Just(DcmiDone);
    get_sensor_info: GetDcmiSensorInfo = any::<[u8; 4]>().prop_map(|b| GetDcmiSensorInfo {
        sensor_type: SensorType(b[0]), entity: EntityId(b[1]), instance: b[2], start: b[3],
    });
    sensors: DcmiSensors = (any::<u8>(), vec(any::<u16>(), 0..=8))
        .prop_map(|(total, records)| DcmiSensors { total, records });
    get_temperatures: GetDcmiTemperatures = any::<[u8; 3]>().prop_map(|b| GetDcmiTemperatures {
        entity: EntityId(b[0]), instance: b[1], start: b[2],
    });
    temperatures: DcmiTemperatures = (any::<u8>(), vec((-127i8..=127, any::<u8>()), 0..=8))
        .prop_map(|(total, list)| DcmiTemperatures {
            total,
            temperatures: list.into_iter().map(|(celsius, instance)| DcmiTemperature { celsius, instance }).collect(),
        });
    get_thermal_limit: GetThermalLimit = any::<(u8, u8)>()
        .prop_map(|(entity, instance)| GetThermalLimit { entity: EntityId(entity), instance });
    thermal_limit: ThermalLimit = thermal_limits();
    set_thermal_limit: SetThermalLimit = (any::<(u8, u8)>(), thermal_limits())
        .prop_map(|((entity, instance), limit)| SetThermalLimit { entity: EntityId(entity), instance, limit });
    get_configuration: GetDcmiConfiguration = any::<(u8, u8)>()
        .prop_map(|(parameter, set)| GetDcmiConfiguration { parameter: DcmiParameter(parameter), set });
    set_configuration: SetDcmiConfiguration = (any::<(u8, u8)>(), vec(any::<u8>(), 0..8))
        .prop_map(|((parameter, set), data)| SetDcmiConfiguration { parameter: DcmiParameter(parameter), set, data });
}

fn limits() -> impl Strategy<Value = PowerLimit> {
    any::<(u8, u16, u32, u16)>().prop_map(|(action, watts, correction_ms, sampling_s)| PowerLimit {
        action: PowerLimitAction(action),
        watts,
        correction_ms,
        sampling_s,
    })
}

fn thermal_limits() -> impl Strategy<Value = ThermalLimit> {
    any::<(u8, u8, u16)>().prop_map(|(action, celsius, seconds)| ThermalLimit {
        action,
        celsius,
        seconds,
    })
}

fn text() -> impl Strategy<Value = (u8, Vec<u8>)> {
    (any::<u8>(), vec(any::<u8>(), 0..=16))
}
