//! `baidu-table`: the table of examples on Baidu's help page, which contradicts the prose above it
//! ([`baidu`](super::baidu)).

use crate::robots::dialect::definition::*;

super::built_in! {
    "baidu-table" follows "Baidu's robots.txt help page", differs from baidu, citing super::baidu::PASSAGES;
    prefix_end: PrefixEnd::WordBoundary, "table of URL matching: /tmp does not match /tmphoho; our interpretation: no letter or digit may follow";
}
