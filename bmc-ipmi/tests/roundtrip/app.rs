//! Global commands.

use super::*;

wire_type! {
    get_device_id: GetDeviceId = Just(GetDeviceId);
    device_id: DeviceId = (any::<[u8; 6]>(), 0u32..0x0100_0000, any::<u16>(), any::<Option<[u8; 4]>>())
        .prop_map(|(b, manufacturer, product, auxiliary)| DeviceId {
            device_id: b[0], revision: b[1], firmware_major: b[2], firmware_minor: b[3], ipmi_version: b[4],
            support: b[5], manufacturer, product, auxiliary,
        });
    cold_reset: ColdReset = Just(ColdReset);
    warm_reset: WarmReset = Just(WarmReset);
    get_self_test_results: GetSelfTestResults = Just(GetSelfTestResults);
    self_test_results: SelfTestResults = any::<(u8, u8)>()
        .prop_map(|(result, detail)| SelfTestResults { result: SelfTestResult::new(result), detail });
    get_acpi_power_state: GetAcpiPowerState = Just(GetAcpiPowerState);
    acpi_power_state: AcpiPowerState = any::<(u8, u8)>().prop_map(|(system, device)| AcpiPowerState {
        system: AcpiSystemState::new(system), device: AcpiDeviceState::new(device),
    });
    set_acpi_power_state: SetAcpiPowerState = any::<(Option<u8>, Option<u8>)>().prop_map(|(system, device)| {
        SetAcpiPowerState { system: system.map(AcpiSystemState::new), device: device.map(AcpiDeviceState::new) }
    });
    get_device_guid: GetDeviceGuid = Just(GetDeviceGuid);
    get_system_guid: GetSystemGuid = Just(GetSystemGuid);
    guid: Guid = any::<[u8; 16]>().prop_map(Guid);
    get_system_info: GetSystemInfo = any::<(bool, u8, u8, u8)>().prop_map(
        |(revision_only, parameter, set, block)| GetSystemInfo {
            revision_only, parameter: SystemInfoParameter::new(parameter), set, block,
        });
    set_system_info: SetSystemInfo = (any::<u8>(), vec(any::<u8>(), 0..20)).prop_map(
        |(parameter, data)| SetSystemInfo { parameter: SystemInfoParameter::new(parameter), data });
}
