//! Enters: rules, each with the statement of which paths it decides about. Leaves: how much they
//! close to a crawler.
//!
//! Nothing is matched: a pattern's reach is what its author says of it. This room refuses to know
//! agents and lines.

use crate::sample::truth::Restriction;

/// The kind of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Allow,
    Disallow,
}

/// What the rules of some groups come to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Opinion {
    /// The greatest priority of a rule that matches `/`.
    pub(super) root: Priorities,
    /// The greatest priority of a rule that matches every path.
    all: Priorities,
    /// Whether a rule matches some paths and neither `/` nor every path.
    opens_part: bool,
    closes_part: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Priorities {
    allow: u32,
    disallow: u32,
}

/// Which paths a rule decides about, with its priority where `/` is among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// None: it is empty, matches nothing, or an allow with the same pattern takes it back.
    Nothing,
    /// Some, and more specifically than any rule about all of them.
    Part,
    /// `/` and no other.
    Root(u32),
    /// All.
    All(u32),
}

impl Opinion {
    /// Records a rule.
    pub(super) fn note(&mut self, kind: Rule, reach: Reach) {
        match reach {
            Reach::Nothing => {}
            Reach::Part if kind == Rule::Allow => self.opens_part = true,
            Reach::Part => self.closes_part = true,
            Reach::Root(priority) => self.root.note(kind, priority),
            Reach::All(priority) => {
                self.root.note(kind, priority);
                self.all.note(kind, priority);
            }
        }
    }

    /// Returns how much is disallowed.
    pub(super) fn restriction(self) -> Restriction {
        match (self.root.is_closed(), self.all.is_closed()) {
            (true, true) if !self.opens_part => Restriction::Full,
            (false, false) if !self.closes_part => Restriction::None,
            _ => Restriction::Partial,
        }
    }
}

impl Priorities {
    fn note(&mut self, kind: Rule, priority: u32) {
        let best = match kind {
            Rule::Allow => &mut self.allow,
            Rule::Disallow => &mut self.disallow,
        };
        *best = priority.max(*best);
    }

    /// Returns true if and only if the disallow wins.
    pub(super) fn is_closed(self) -> bool {
        self.disallow > self.allow
    }
}

/// Returns what a pattern reaches that does not match `/`.
pub(super) fn part(pattern: &str) -> Reach {
    match pattern {
        "" => Reach::Nothing,
        _ => Reach::Part,
    }
}

/// Returns what an ASCII pattern reaches that matches `/`.
pub(super) fn root(pattern: &str) -> Reach {
    match pattern.ends_with('$') {
        true => Reach::Root(pattern.len() as u32),
        false => Reach::All(pattern.len() as u32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restriction_follows_from_what_each_rule_reaches() {
        let restriction = |rules: &[(Rule, Reach)]| {
            let mut opinion = Opinion::default();
            for &(kind, reach) in rules {
                opinion.note(kind, reach);
            }
            opinion.restriction()
        };
        let (allow, disallow) = (Rule::Allow, Rule::Disallow);
        let (nothing, part, root, all) =
            (Reach::Nothing, Reach::Part, Reach::Root(2), Reach::All(1));
        assert_eq!(restriction(&[]), Restriction::None);
        assert_eq!(restriction(&[(disallow, nothing)]), Restriction::None);
        assert_eq!(restriction(&[(allow, part)]), Restriction::None);
        assert_eq!(
            restriction(&[(disallow, all), (allow, all)]),
            Restriction::None
        );
        assert_eq!(restriction(&[(disallow, part)]), Restriction::Partial);
        assert_eq!(restriction(&[(disallow, root)]), Restriction::Partial);
        assert_eq!(
            restriction(&[(disallow, all), (allow, root)]),
            Restriction::Partial
        );
        assert_eq!(
            restriction(&[(disallow, all), (allow, part)]),
            Restriction::Partial
        );
        assert_eq!(
            restriction(&[(disallow, all), (disallow, part)]),
            Restriction::Full
        );
    }
}
