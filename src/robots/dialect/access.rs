//! What the outcome of a fetch decides before a line is read (RFC 9309, section 2.3.1).

use super::{
    decision::{Basis, Decision, Verdict},
    definition::{Access, AccessPolicy},
};

/// How a fetch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FetchOutcome {
    /// With this status code. A number outside 200 to 599 is no final answer and counts as
    /// [`FetchOutcome::Unreachable`].
    Status(u16),
    /// Without an answer, with one that was cut off, or with one that is not HTTP.
    Unreachable,
    /// After more redirects than the dialect follows, or in a loop.
    TooManyHops,
}

impl FetchOutcome {
    /// Returns how a fetch ended whose response has this status (`None`: no readable status line)
    /// and arrived as it was sent, or was cut off.
    ///
    /// A 2xx counts for its body: one that is cut off is no answer. Any other status has its whole
    /// meaning once the head has arrived (RFC 9112, 8), and no one reads the body behind it.
    pub fn of_response(status: Option<u16>, is_cut_off: bool) -> Self {
        match status {
            Some(200..=299) if is_cut_off => Self::Unreachable,
            Some(status) => Self::Status(status),
            None => Self::Unreachable,
        }
    }
}

impl AccessPolicy {
    /// Returns true if and only if a chain of `hops` redirects is followed to its end.
    pub fn follows(&self, hops: u64) -> bool {
        self.max_hops.is_none_or(|limit| hops <= u64::from(limit))
    }

    /// Returns what `outcome` means.
    pub fn decide(&self, outcome: FetchOutcome) -> Access {
        match outcome {
            FetchOutcome::Status(200..=299) => Access::Conditional,
            FetchOutcome::Status(300..=399) => self.redirect,
            FetchOutcome::Status(401 | 403) => self.unauthorized,
            FetchOutcome::Status(429) => self.too_many_requests,
            FetchOutcome::Status(400..=499) => self.client_error,
            FetchOutcome::Status(500..=599) => self.server_error,
            FetchOutcome::Status(_) | FetchOutcome::Unreachable => self.unreachable,
            FetchOutcome::TooManyHops => self.too_many_hops,
        }
    }
}

impl Access {
    /// Returns the name used in tables.
    pub fn as_str(self) -> &'static str {
        self.word()
    }

    /// Returns the decision for every agent and URL, or nothing where lines have yet to be read.
    pub fn decision(self) -> Option<Decision> {
        let verdict = match self {
            Access::Conditional | Access::Redirect => return None,
            Access::FullAllow => Verdict::Allow,
            Access::FullDisallow => Verdict::Disallow,
            Access::Undefined => Verdict::Undefined,
        };
        Some(Decision::without_rule(verdict, Basis::Access, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: AccessPolicy = AccessPolicy {
        max_hops: Some(5),
        redirect: Access::Redirect,
        too_many_hops: Access::FullAllow,
        unauthorized: Access::FullAllow,
        too_many_requests: Access::FullDisallow,
        client_error: Access::Undefined,
        server_error: Access::FullDisallow,
        unreachable: Access::Conditional,
    };

    #[test]
    fn every_number_has_an_answer() {
        let access = |status| POLICY.decide(FetchOutcome::Status(status));
        assert_eq!(access(200), Access::Conditional);
        assert_eq!(access(399), Access::Redirect);
        assert_eq!([access(401), access(403)], [Access::FullAllow; 2]);
        assert_eq!(access(402), Access::Undefined);
        assert_eq!(access(429), Access::FullDisallow);
        assert_eq!(access(599), Access::FullDisallow);
        for status in [0, 100, 199, 600, 999, u16::MAX] {
            assert_eq!(access(status), POLICY.unreachable);
        }
    }

    #[test]
    fn only_a_body_that_counts_must_arrive_whole() {
        for (status, is_cut_off, outcome) in [
            (Some(200), false, FetchOutcome::Status(200)),
            (Some(200), true, FetchOutcome::Unreachable),
            (Some(299), true, FetchOutcome::Unreachable),
            (Some(404), true, FetchOutcome::Status(404)),
            (Some(503), true, FetchOutcome::Status(503)),
            (None, false, FetchOutcome::Unreachable),
        ] {
            let found = FetchOutcome::of_response(status, is_cut_off);
            assert_eq!(found, outcome, "{status:?}");
        }
    }

    #[test]
    fn without_a_limit_any_number_of_hops_is_followed() {
        assert!(POLICY.follows(5) && !POLICY.follows(6));
        let unlimited = AccessPolicy {
            max_hops: None,
            ..POLICY
        };
        assert!(unlimited.follows(u64::MAX));
    }

    #[test]
    fn only_what_is_settled_is_a_decision() {
        assert!(Access::Conditional.decision().is_none());
        assert!(Access::Redirect.decision().is_none());
        let decision = Access::FullDisallow.decision().expect("it is settled");
        assert_eq!(
            (decision.verdict, decision.basis),
            (Verdict::Disallow, Basis::Access)
        );
    }
}
