//! The reasons why a URI has no location.

use std::fmt;

/// Why a URI has no location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LocationError {
    /// The URI is empty.
    Empty,
    /// The URI does not begin with a scheme and a colon.
    SchemeMissing,
    /// No host follows the scheme, as in `dns:example.com` or `http:///`.
    HostMissing,
    /// The host has forbidden characters, is not UTF-8, is rejected by IDNA, or is not an IPv6
    /// address although it is in brackets.
    HostInvalid,
    /// The port is not a number from 0 to 65,535.
    PortInvalid,
}

impl fmt::Display for LocationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LocationError::Empty => "the URL is empty",
            LocationError::SchemeMissing => "the URL has no scheme",
            LocationError::HostMissing => "the URL has no host",
            LocationError::HostInvalid => "the host of the URL is invalid",
            LocationError::PortInvalid => "the port of the URL is not a number from 0 to 65535",
        })
    }
}

impl std::error::Error for LocationError {}
