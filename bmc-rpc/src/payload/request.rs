//! What the consumer is asked to do.

use serde::ser::{Serialize, Serializer};
use serde::{Deserialize, Serialize as DeriveSerialize};
use serde_json::Value;

/// What the consumer is asked to do: `{"id":1,"host":"10.0.0.5","method":"setPowerState","params":{"state":"on"}}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Names the action: a repeat of it has the same id. Ours are from 1 to 2^53 - 1; bmclib sends nanoseconds since 1970.
    pub id: i64,
    /// Which machine: the host of the BMC, or whatever stands in its place.
    pub host: String,
    /// What to do.
    pub call: Call,
}

/// A method with its parameters.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Call {
    /// `ping`: is the consumer there and willing? Comes first.
    Ping,
    /// `getPowerState`: the result is `"on"` or `"off"`.
    GetPowerState,
    /// `setPowerState`.
    SetPowerState {
        /// `on`, `off`, `soft`, `cycle` or `reset`; others may come.
        state: String,
    },
    /// `setBootDevice`.
    SetBootDevice {
        /// `pxe`, `disk`, `cdrom`, `bios`, `none` and others.
        device: String,
        /// Until changed, or for the next boot only.
        persistent: bool,
        /// With UEFI, or as a PC.
        efi_boot: bool,
    },
    /// `setVirtualMedia`: bmclib knows it and never sends it.
    SetVirtualMedia {
        /// Where the image is; empty: eject.
        media_url: String,
        /// `CD`, `DVD`, `Floppy` or `USBStick`.
        kind: String,
    },
    /// A method that this version does not know.
    Other {
        /// Its name.
        method: String,
        /// Its parameters.
        params: Option<Value>,
    },
}

/// Why a body is not a [`Request`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidRequest {
    /// It is not JSON, or a member has the wrong type.
    #[error("request: {0}")]
    Json(#[from] serde_json::Error),
    /// The parameters do not fit the method.
    #[error("{method}: params: {source}")]
    Params {
        /// The method.
        method: String,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The parameters are missing.
    #[error("{method}: params are missing or null, an object is expected")]
    NoParams {
        /// The method.
        method: String,
    },
}

impl Call {
    /// The method's name.
    pub fn method(&self) -> &str {
        match self {
            Self::Ping => "ping",
            Self::GetPowerState => "getPowerState",
            Self::SetPowerState { .. } => "setPowerState",
            Self::SetBootDevice { .. } => "setBootDevice",
            Self::SetVirtualMedia { .. } => "setVirtualMedia",
            Self::Other { method, .. } => method,
        }
    }

    /// Whether it may change something; an unknown method may.
    pub fn changes(&self) -> bool {
        !matches!(self, Self::Ping | Self::GetPowerState)
    }
}

impl Request {
    /// Reads the body of a request. Members that are not known are left out.
    ///
    /// # Errors
    /// It is not a request.
    pub fn from_json(body: &[u8]) -> Result<Self, InvalidRequest> {
        let read: Envelope<'_, String, Value> = serde_json::from_slice(body)?;
        let (method, params) = (read.method, read.params);
        let call = match method.as_str() {
            "ping" => Call::Ping,
            "getPowerState" => Call::GetPowerState,
            "setPowerState" => {
                let PowerParams { state } = parameters(method, params)?;
                Call::SetPowerState { state }
            }
            "setBootDevice" => {
                let BootParams {
                    device,
                    persistent,
                    efi_boot,
                } = parameters(method, params)?;
                Call::SetBootDevice {
                    device,
                    persistent,
                    efi_boot,
                }
            }
            "setVirtualMedia" => {
                let MediaParams { media_url, kind } = parameters(method, params)?;
                Call::SetVirtualMedia { media_url, kind }
            }
            _ => Call::Other { method, params },
        };
        Ok(Self {
            id: read.id,
            host: read.host.into_owned(),
            call,
        })
    }
}

impl Serialize for Request {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let params = match &self.call {
            Call::Ping | Call::GetPowerState => None,
            Call::SetPowerState { state } => Some(Params::Power(PowerParams { state })),
            Call::SetBootDevice {
                device,
                persistent,
                efi_boot,
            } => Some(Params::Boot(BootParams {
                device,
                persistent: *persistent,
                efi_boot: *efi_boot,
            })),
            Call::SetVirtualMedia { media_url, kind } => {
                Some(Params::Media(MediaParams { media_url, kind }))
            }
            Call::Other { params, .. } => params.as_ref().map(Params::Other),
        };
        let envelope = Envelope {
            id: self.id,
            host: self.host.as_str().into(),
            method: self.call.method(),
            params,
        };
        envelope.serialize(serializer)
    }
}

/// The order of the members is bmclib's.
#[derive(Deserialize, DeriveSerialize)]
struct Envelope<'a, M, P> {
    #[serde(default)]
    id: i64,
    #[serde(default)]
    host: std::borrow::Cow<'a, str>,
    method: M,
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    params: Option<P>,
}

fn none<P>() -> Option<P> {
    None
}

#[derive(DeriveSerialize)]
#[serde(untagged)]
enum Params<'a> {
    Power(PowerParams<&'a String>),
    Boot(BootParams<&'a String>),
    Media(MediaParams<&'a String>),
    Other(&'a Value),
}

#[derive(Deserialize, DeriveSerialize)]
struct PowerParams<T = String> {
    state: T,
}

#[derive(Deserialize, DeriveSerialize)]
struct BootParams<T = String> {
    device: T,
    #[serde(default)]
    persistent: bool,
    #[serde(default, rename = "efiBoot")]
    efi_boot: bool,
}

#[derive(Deserialize, DeriveSerialize)]
struct MediaParams<T = String> {
    #[serde(rename = "mediaUrl")]
    media_url: T,
    kind: T,
}

fn parameters<P: for<'de> Deserialize<'de>>(
    method: String,
    params: Option<Value>,
) -> Result<P, InvalidRequest> {
    match params {
        None => Err(InvalidRequest::NoParams { method }),
        Some(params) => serde_json::from_value(params)
            .map_err(|source| InvalidRequest::Params { method, source }),
    }
}
