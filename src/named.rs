//! Enums whose values have names in tables and messages.

/// A value with a name, known by its index among the names of all such values.
#[allow(dead_code, reason = "only tables need it")]
pub(crate) trait Named: Copy {
    /// Returns the names of all values, in the order of their indexes.
    fn names() -> impl Iterator<Item = &'static str>;

    /// Returns the index of the value.
    fn index(self) -> usize;
}

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

        impl $crate::named::Named for $Enum {
            fn names() -> impl Iterator<Item = &'static str> {
                [$($name),+].into_iter()
            }

            fn index(self) -> usize {
                self as usize
            }
        }
    };
    ($($enum:tt)+) => {
        named! { @all_are pub(crate), $($enum)+ }
    };
}
pub(crate) use named;

named! {
    /// How much a finding matters to the author of the file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Severity {
        /// Unusual, but without effect on any verdict.
        Info = "info",
        /// Interpreted differently by different crawlers, or without the effect that was meant.
        Warning = "warning",
        /// Certainly not what the author meant, or bytes were lost, so that lines do not count.
        Error = "error",
    }
}

/// Declares an enum of findings with the name and the sentence of each.
macro_rules! explained {
    (
        $(#[$meta:meta])*
        pub enum $Enum:ident;
        $($variant:ident, $name:literal, $sentence:literal;)+
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $Enum {
            $(#[doc = $sentence] $variant,)+
        }

        impl $Enum {
            /// All values, in the order in which they are declared.
            pub const ALL: &[$Enum] = &[$($Enum::$variant,)+];

            /// Returns the code used in tables.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($Enum::$variant => $name,)+
                }
            }

            /// Returns one sentence that explains the code, as documented.
            pub fn sentence(self) -> &'static str {
                match self {
                    $($Enum::$variant => $sentence,)+
                }
            }
        }
    };
}
pub(crate) use explained;

/// Declares an enum of findings with the name, the [`Severity`], the sentence and the example of
/// each.
macro_rules! described {
    (
        $(#[$meta:meta])*
        pub enum $Enum:ident: $Example:ty;
        $($variant:ident, $name:literal, $severity:ident, $sentence:literal, $example:expr;)+
    ) => {
        $crate::named::explained! {
            $(#[$meta])*
            pub enum $Enum;
            $($variant, $name, $sentence;)+
        }

        impl $Enum {
            /// Returns how much it matters.
            pub fn severity(self) -> $crate::named::Severity {
                match self {
                    $($Enum::$variant => $crate::named::Severity::$severity,)+
                }
            }

            /// Returns a small file or response in which it is found.
            pub fn example(self) -> $Example {
                match self {
                    $($Enum::$variant => $example,)+
                }
            }
        }
    };
}
pub(crate) use described;
