//! The public API as a list, so that a change of it is seen in a review.
//!
//! The list is `tests/public-api.txt`, one line for each item that a user of the library can name
//! and that is documented. It is read from the source: `pub mod` and `pub use` are followed from
//! `src/lib.rs`, with all features. Of an item behind `#[doc(hidden)]` only that it is hidden is
//! listed. `UPDATE_PUBLIC_API=1 cargo test --locked --test tests public_api` rewrites it.

mod listing;
mod source;
mod text;

use std::{collections::BTreeSet, fs};

use self::{listing::Listing, source::Crate};
use crate::util::package;

/// The most documented items: each is a promise to users.
const MOST_DOCUMENTED: usize = 251;
/// The most items with those that are hidden, which only the program, benchmarks and tests of this
/// package use.
const MOST_REACHABLE: usize = 726;

#[test]
fn the_public_api_is_listed() {
    let listing = Listing::text(&Crate::read(), false);
    let path = package().join("tests/public-api.txt");
    if std::env::var_os("UPDATE_PUBLIC_API").is_some() {
        fs::write(&path, &listing).unwrap();
    }
    let listed = fs::read_to_string(&path).unwrap();
    let [listing, listed]: [BTreeSet<&str>; 2] =
        [&listing, &listed].map(|text| text.lines().collect());
    let added: Vec<_> = listing.difference(&listed).collect();
    let removed: Vec<_> = listed.difference(&listing).collect();
    assert!(
        added.is_empty() && removed.is_empty(),
        "the public API differs from tests/public-api.txt, added: {added:#?}, removed: {removed:#?}\n\
         If that is meant: UPDATE_PUBLIC_API=1 cargo test --locked --test tests public_api"
    );
}

#[test]
fn the_public_api_is_small() {
    let listing = Listing::text(&Crate::read(), false);
    let n_items = |listing: &str| {
        let is_item = |line: &&str| !line.starts_with("impl ") && !line.starts_with("hidden ");
        listing.lines().filter(is_item).count()
    };
    let n_documented = n_items(&listing);
    let n_reachable = n_items(&Listing::text(&Crate::read(), true));
    println!("{n_documented} documented items, {n_reachable} with hidden ones");
    assert!((60..MOST_DOCUMENTED).contains(&n_documented));
    assert!((n_documented + 1..MOST_REACHABLE).contains(&n_reachable));
    for name in [
        "struct robocensus::Robots ",
        "fn robocensus::Robots::decide",
        "fn robocensus::run(",
    ] {
        assert!(listing.lines().any(|line| line.starts_with(name)), "{name}");
    }
}

#[test]
fn a_listing_follows_what_is_public() {
    let sources = [
        (
            "",
            "pub mod a; mod b; #[doc(hidden)] pub mod c; pub use b::{Own as Renamed, inner::*};\n\
              pub(crate) use b::Unseen; #[cfg(test)] pub mod tests { pub fn f() {} }",
        ),
        (
            "a",
            "pub const N: usize = 1; fn private() {} pub fn f<'a>(x: &'a [u8], n: u32) -> Option<&'a u8> { None }",
        ),
        (
            "b",
            "pub mod inner; #[derive(Clone, Debug)] pub struct Own { pub a: u8, b: u8 }\n\
               impl Own { pub fn new() -> Self { todo!() } fn hidden(&self) {} #[doc(hidden)] pub fn internal(&self) {} }\n\
               impl From<u8> for Own { fn from(a: u8) -> Self { todo!() } } pub struct Unseen;",
        ),
        (
            "b::inner",
            "pub enum E { A, B(u8) } impl super::Own { pub const X: u8 = 1; } pub(crate) fn no() {}",
        ),
        ("c", "pub fn of_c() {}"),
    ];
    let modules =
        sources.map(|(path, text)| (path.to_owned(), syn::parse_file(text).unwrap().items));
    let modules = modules.into();
    let source = Crate { modules };
    let all = Listing::text(&source, true);
    for hidden in [
        "fn robocensus::c::of_c()",
        "fn robocensus::Renamed::internal(&self)",
    ] {
        assert!(all.lines().any(|line| line == hidden), "{all}");
    }
    assert_eq!(
        Listing::text(&source, false),
        "const robocensus::Renamed::X: u8\n\
         const robocensus::a::N: usize\n\
         enum robocensus::E { A, B(u8) }\n\
         fn robocensus::Renamed::new() -> Self\n\
         fn robocensus::a::f<'a>(x: &'a [u8], n: u32) -> Option<&'a u8>\n\
         hidden robocensus::c\n\
         impl From<u8> for robocensus::Renamed\n\
         mod robocensus::a\n\
         struct robocensus::Renamed { a: u8, .. } Clone, Debug\n"
    );
}
