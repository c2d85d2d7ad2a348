//! Why records are not captures.

use crate::named::named;

named! {
    ALL
    /// Why a record is not a capture. The names are those of the summary and of the table
    /// `archive_skips`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Skip {
        /// A `warcinfo` record, which describes the archive.
        WarcInfo = "warcinfo",
        /// A `request` record.
        Request = "request",
        /// A `resource` record.
        Resource = "resource",
        /// A `metadata` record.
        Metadata = "metadata",
        /// A `revisit` record, whose payload is in another record.
        Revisit = "revisit",
        /// A `conversion` record.
        Conversion = "conversion",
        /// A `continuation` record.
        Continuation = "continuation",
        /// A record of another type.
        OtherType = "other_type",
        /// A record without a type.
        NoType = "no_type",
        /// A response without a target URI.
        NoTargetUri = "no_target_uri",
        /// A response whose target URI is not a URL with a host.
        BadTargetUri = "bad_target_uri",
        /// A response of another protocol than HTTP.
        NotHttp = "not_http",
        /// A response of a host outside the cohort of the run, to which no redirect of a member
        /// led before.
        OutsideCohort = "outside_cohort",
        /// A response for another path than `/robots.txt` that is not a hop of a redirect to or
        /// from one.
        NotRobotsPath = "not_robots_path",
        /// A record whose header cannot be read, so that nothing else is known of it.
        Unreadable = "unreadable",
    }
}
