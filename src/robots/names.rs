//! Names in tables.

/// Declares an enum whose variants have names in tables, so that the variants and their names are
/// one list. With `ALL` in front, the list can be read too.
macro_rules! named {
    (
        $(#[$meta:meta])*
        pub enum $type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)+ }
    ) => {
        $(#[$meta])*
        pub enum $type { $($(#[$doc])* $variant,)+ }

        impl $type {
            /// Returns the name used in tables.
            pub fn as_str(self) -> &'static str {
                match self { $($type::$variant => $name,)+ }
            }
        }
    };
    (
        ALL
        $(#[$meta:meta])*
        pub enum $type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)+ }
    ) => {
        $crate::robots::names::named! {
            $(#[$meta])*
            pub enum $type { $($(#[$doc])* $variant = $name,)+ }
        }

        impl $type {
            /// All variants, in the order of the codes in tables.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$variant,)+];
        }
    };
}
pub(crate) use named;
