//! Enums whose values have names in tables and messages.

/// Declares an enum with the name of each variant, so that variants and names are one list. With
/// `ALL` in front, the list is as public as the enum.
macro_rules! named {
    (ALL $($enum:tt)+) => {
        named! { @all_are pub, $($enum)+ }
    };
    (
        @all_are $all:vis,
        $(#[$meta:meta])*
        $vis:vis enum $Enum:ident { $($(#[$about:meta])* $variant:ident = $name:literal,)+ }
    ) => {
        $(#[$meta])*
        $vis enum $Enum {
            $($(#[$about])* $variant,)+
        }

        #[allow(dead_code, reason = "not every enum is listed, or read back")]
        impl $Enum {
            /// All values, in the order in which they are declared.
            $all const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Returns the name used in tables and messages.
            $vis fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// Returns the value of a name.
            pub(crate) fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.as_str() == name)
            }
        }
    };
    ($($enum:tt)+) => {
        named! { @all_are pub(crate), $($enum)+ }
    };
}
pub(crate) use named;
