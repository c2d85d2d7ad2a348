//! How much rules close to a crawler, from the statement of which paths each of them decides about.
//!
//! Nothing is matched: the reach of a pattern is what the author of the line states.

/// The effect of a rule on the paths that it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Allow,
    Disallow,
}

/// How much is disallowed for a crawler; the numbers are indices of
/// [`AgentCounts::restriction`](crate::sample::AgentCounts::restriction).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coverage {
    None,
    Partial,
    Full,
}

/// What the rules of some groups decide together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Decided {
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

impl Decided {
    /// Records a rule.
    pub(super) fn note(&mut self, effect: Effect, reach: Reach) {
        match reach {
            Reach::Nothing => {}
            Reach::Part if effect == Effect::Allow => self.opens_part = true,
            Reach::Part => self.closes_part = true,
            Reach::Root(priority) => self.root.note(effect, priority),
            Reach::All(priority) => {
                self.root.note(effect, priority);
                self.all.note(effect, priority);
            }
        }
    }

    /// Returns how much is disallowed.
    pub(super) fn coverage(self) -> Coverage {
        match (self.root.is_closed(), self.all.is_closed()) {
            (true, true) if !self.opens_part => Coverage::Full,
            (false, false) if !self.closes_part => Coverage::None,
            _ => Coverage::Partial,
        }
    }
}

impl Priorities {
    fn note(&mut self, effect: Effect, priority: u32) {
        let best = match effect {
            Effect::Allow => &mut self.allow,
            Effect::Disallow => &mut self.disallow,
        };
        *best = priority.max(*best);
    }

    /// Returns true if and only if the disallow wins.
    pub(super) fn is_closed(self) -> bool {
        self.disallow > self.allow
    }
}

/// Returns the reach of a pattern, of those that templates use: a few match `/`.
pub(super) fn reach(pattern: &str) -> Reach {
    match pattern {
        "" => Reach::Nothing,
        "/$" => Reach::Root(2),
        "/" | "*" | "/*" | "/***" => Reach::All(pattern.len() as u32),
        _ => Reach::Part,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restriction_follows_from_what_each_rule_reaches() {
        let coverage = |rules: &[(Effect, Reach)]| {
            let mut decided = Decided::default();
            for &(effect, reach) in rules {
                decided.note(effect, reach);
            }
            decided.coverage()
        };
        let (allow, disallow) = (Effect::Allow, Effect::Disallow);
        let (nothing, part, root, all) =
            (Reach::Nothing, Reach::Part, Reach::Root(2), Reach::All(1));
        assert_eq!(coverage(&[]), Coverage::None);
        assert_eq!(coverage(&[(disallow, nothing)]), Coverage::None);
        assert_eq!(coverage(&[(allow, part)]), Coverage::None);
        assert_eq!(coverage(&[(disallow, all), (allow, all)]), Coverage::None);
        assert_eq!(coverage(&[(disallow, part)]), Coverage::Partial);
        assert_eq!(coverage(&[(disallow, root)]), Coverage::Partial);
        assert_eq!(
            coverage(&[(disallow, all), (allow, root)]),
            Coverage::Partial
        );
        assert_eq!(
            coverage(&[(disallow, all), (allow, part)]),
            Coverage::Partial
        );
        assert_eq!(
            coverage(&[(disallow, all), (disallow, part)]),
            Coverage::Full
        );
    }
}
