//! The exit code of a command.

/// An exit code that can be read, as that of the standard library cannot: the Python package ends
/// its own process with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExitCode(u8);

impl ExitCode {
    /// All was done, and nothing was wrong.
    pub const SUCCESS: Self = Self(0);

    /// Returns the number, from 0 to 255.
    pub fn number(self) -> u8 {
        self.0
    }
}

impl From<u8> for ExitCode {
    fn from(code: u8) -> Self {
        Self(code)
    }
}
