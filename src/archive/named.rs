//! Enums whose values have names in tables.

/// Declares an enum with the name of each variant.
macro_rules! named {
    (
        $(#[$meta:meta])*
        $vis:vis enum $Enum:ident { $($(#[$about:meta])+ $variant:ident = $name:literal,)+ }
    ) => {
        $(#[$meta])*
        $vis enum $Enum {
            $($(#[$about])+ $variant,)+
        }

        impl $Enum {
            /// Every value, in the order of the enum.
            $vis const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Returns the name used in tables.
            $vis fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// Returns the value of a name.
            #[allow(dead_code, reason = "not every enum is read back")]
            $vis fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.as_str() == name)
            }
        }

        impl std::fmt::Display for $Enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
pub(crate) use named;
