//! What is asked: one agent and one URL, and all that is asked about one file.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// One agent and one URL.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Query {
    /// The crawler's product token.
    pub agent: String,
    /// An absolute URL.
    pub url: String,
}

/// One distinct body and what is asked about it.
#[derive(Clone, Debug)]
pub struct FileQueries {
    /// The body of the robots.txt.
    pub body: Arc<[u8]>,
    /// The queries; those of one agent are together.
    pub queries: Arc<[Query]>,
}
