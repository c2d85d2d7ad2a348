//! Archives and datasets behind HTTP(S) and in S3.
//!
//! Only this module knows the network: `tokio`, `reqwest` and `object_store`. Others name what is
//! remote by its [`RemoteUrl`], and call blocking functions.

mod store;
mod url;

pub(crate) use self::{
    store::{block_on, open},
    url::{RemoteUrl, is_remote},
};
