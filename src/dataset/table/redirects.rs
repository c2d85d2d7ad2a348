//! The table `redirects`: for each capture with a status of 3xx and each dialect the end of its
//! chain, computed from the whole dataset when its archives are read.

use super::{CaptureKeys, Float64, Int32, Int64, KnownName, Name, Text, table};
use crate::{dataset::redirect::Outcome, robots::dialect::Access};

table! {
    /// one capture that answers with a status from 300 to 399 under one dialect, in the order of
    /// captures and of the dialects of the run
    "redirects": pub struct RedirectsBuilder {
        pub capture: CaptureKeys,
        /// dialect that follows: the same chain may end differently for two; a query of captures
        /// names one
        pub dialect: Name,
        /// URL that its Location names, as a crawler asks for it: resolved, without user, default
        /// port and fragment; NULL: it cannot be followed
        pub target_url: Text [nullable],
        /// capture of that URL that was fetched nearest in time, the next hop or the end of the
        /// chain, whether the dialect goes there or not; NULL: there is none in the crawl or,
        /// where archives name none, within the window of the run
        pub target_capture_id: Int64 [nullable],
        /// redirects that the dialect follows from here on, this one included
        pub hops: Int32,
        /// how the chain ends: resolved (at a capture that does not redirect), not_in_corpus (at a
        /// URL without a capture in the same crawl or, where archives name none, within the window
        /// of the run; 304 is none), loop, too_many_hops (more than access.max_hops of the dialect,
        /// or than 256), not_followable (another status than 301, 302, 303,
        /// 307 and 308, no Location that can be read, or neither http nor https), not_followed (the
        /// dialect follows no redirect), not_modified (304: the file fetched before still holds)
        pub outcome: KnownName<Outcome> [source("RFC 9309, 2.3.1.2")],
        /// what the end means where no capture decides: access.too_many_hops of the dialect for
        /// loop, too_many_hops and not_followable, access.redirect for not_followed, undefined for
        /// the others; NULL: resolved, the capture at the end decides
        pub access: KnownName<Access> [nullable, source("RFC 9309, 2.3.1.2")],
        /// last URL that was asked for, in the form of target_url; its own URL where it is not
        /// followed
        pub final_url: Text,
        /// capture at the end of the chain, whose rules count for the origin of this one; of
        /// several captures of a URL the one fetched nearest in time; NULL: not resolved
        pub effective_capture_id: Int64 [nullable],
        /// time between the fetch of this capture and that of effective_capture_id, whichever came
        /// first; NULL: not resolved, or a time is not known
        pub seconds_apart: Float64 [nullable, unit("seconds")],
    }
}
