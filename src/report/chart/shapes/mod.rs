//! The queries that have a chart, by name.

mod compare;
mod count;
mod rank;
#[cfg(test)]
mod tests;

use super::shape::{
    Kind::Bars,
    Measure, N,
    Piece::{self, Column, IfFalse},
    Series, Shape, Unit,
};

/// Returns the shapes, sorted by the name of their query.
pub fn all() -> impl Iterator<Item = &'static Shape> {
    [compare::SHAPES, count::SHAPES, rank::SHAPES]
        .into_iter()
        .flatten()
}

const INTERVALS: &str = "Lines over bars and points are 95 % intervals (Wilson).";
const SEVERAL_CLASSES: &str = "A host may be in several classes.";
const PAGES: &str = "pages whose policy and robots.txt are known";

const HOSTS: &str = "hosts";
const OF_READ: Unit = Unit::ShareOf("those that have a robots.txt");

const AGENT: &[Piece] = &[
    Column("", "agent"),
    IfFalse("can_be_named", " (cannot be named)"),
];
const TLD: &[Piece] = &[Column("", "url_host_tld")];
const NO_TLD: &str = "(address)";

/// The shares of registered domains and of hosts that many queries have.
const DOMAINS_AND_HOSTS: Series = Series::Measures(&[
    Measure::share("registered domains", "share_of_domains", "domains")
        .within("share_of_domains_low", "share_of_domains_high"),
    Measure::share("hosts", "share_of_hosts", "hosts"),
]);
const SHARE_OF_HOSTS: Series =
    Series::Measures(&[Measure::share("hosts", "share_of_hosts", "hosts")]);

const fn of_domains_and_hosts(
    query: &'static str,
    label_title: &'static str,
    label: &'static [Piece],
) -> Shape {
    Shape::new(
        query,
        Bars,
        label_title,
        label,
        DOMAINS_AND_HOSTS,
        OF_READ,
        N::DomainsAndHostsRead,
    )
}
