//! Blank lines inside groups.

use super::{code::AnomalyCode, finding::Anomaly};
use crate::robots::{
    dialect::{builtin::DialectSet, definition::GroupEnd, python, ruleset::RuleSet},
    lines::{Line, RobotsTxt},
};

/// Finds the groups with a blank line between their first line and their last rule. The dialects
/// that accept it are those in which no blank line there ends the group.
pub(super) fn find(
    body: &[u8],
    robots: &RobotsTxt,
    reference: &RuleSet,
    anomalies: &mut Vec<Anomaly>,
) {
    for group in reference.groups() {
        let Some(last) = group.rules.of(reference.rules()).last() else {
            continue;
        };
        // Lines are numbered from 1, so these are the lines after the first and before the last.
        let inside = robots
            .lines()
            .get(group.line_first as usize..last.line as usize - 1);
        let inside = (group.line_first + 1..).zip(inside.unwrap_or_default());
        let mut blank = inside.filter(|(_, line)| line.is_blank());
        let Some((number, first)) = blank.next() else {
            continue;
        };
        let ends_for_python = |line: &Line| python::has_empty_line(body, line.text);
        let is_ended = ends_for_python(first) || blank.any(|(_, line)| ends_for_python(line));
        let accepted_by = DialectSet::accepting(|dialect| match dialect.group_end {
            GroupEnd::AgentLineAfterRule | GroupEnd::AgentLineAfterField => true,
            GroupEnd::BlankLine => false,
            GroupEnd::PythonStates => !is_ended,
        });
        let code = AnomalyCode::BlankLineInGroup;
        anomalies.push(Anomaly::new(code, number, first.text).accepted_by(accepted_by));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        robots::{
            dialect::{AnomalyFinder, Dialect, NAMES, testing::compile},
            lines::parse,
        },
        sample::random::Random,
    };

    fn blank_lines(body: &[u8]) -> Vec<(Option<u32>, DialectSet)> {
        let mut robots = RobotsTxt::new();
        parse(body, &mut robots);
        let rules = compile("google", body);
        let mut found = Vec::new();
        AnomalyFinder::new().find(body, &robots, &rules, &mut found);
        let found = found.into_iter();
        found
            .filter(|anomaly| anomaly.code == AnomalyCode::BlankLineInGroup)
            .map(|anomaly| (anomaly.line, anomaly.accepted_by))
            .collect()
    }

    #[test]
    fn a_blank_line_inside_a_group_is_found_where_a_rule_stands_behind_it() {
        for (body, line) in [
            ("user-agent: a\n\ndisallow: /", Some(2)),
            ("user-agent: a\ndisallow: /x\n \t\n\nallow: /", Some(3)),
            ("user-agent: a\n\nuser-agent: b\ndisallow: /", Some(2)),
            ("user-agent: a\r\rdisallow: /", Some(2)),
            (
                "user-agent: a\ndisallow: /\n\nuser-agent: b\nallow: /",
                None,
            ),
            ("user-agent: a\ndisallow: /\n\ncrawl-delay: 1", None),
            (
                "user-agent: a\n# b\ndisallow: /\n\nsitemap: http://a/",
                None,
            ),
            ("\nuser-agent: a\ndisallow: /\n\n", None),
            ("user-agent: a\n\n", None),
            ("disallow: /\n\nallow: /", None),
            ("<html>\nuser-agent: a\n\ndisallow: /", None),
        ] {
            let lines: Vec<_> = blank_lines(body.as_bytes())
                .iter()
                .map(|(line, _)| *line)
                .collect();
            assert_eq!(
                lines,
                Vec::from_iter([line].into_iter().flatten().map(Some)),
                "{body:?}"
            );
        }
        let each = b"user-agent: a\n\ndisallow: /\n".repeat(3);
        assert_eq!(blank_lines(&each).len(), 3);
    }

    #[test]
    fn a_blank_line_is_accepted_where_the_group_stays_whole() {
        let names = |body: &[u8]| {
            let found = blank_lines(body);
            let names = found.iter().flat_map(|(_, set)| set.names());
            names.collect::<Vec<_>>()
        };
        // For Python a line of blanks is not empty, and the bytes that end a line for it are.
        for (body, for_python) in [
            (&b"user-agent: a\n\ndisallow: /"[..], false),
            (b"user-agent: a\n \ndisallow: /", true),
            (b"user-agent: a\n\x0c\ndisallow: /", false),
        ] {
            let is_in_group = |name: &&str| compile(name, body).rules()[0].group_index.is_some();
            let whole: Vec<_> = NAMES.into_iter().filter(is_in_group).collect();
            assert_eq!(names(body), whole, "{:?}", body.escape_ascii());
            let is_whole = |name| whole.contains(&name);
            assert!(is_whole("google") && !is_whole("baidu"));
            assert_eq!(is_whole("python"), for_python);
        }

        let lines = [
            "user-agent: a",
            "user-agent: b",
            "disallow: /x",
            "allow: /y",
            "",
            " ",
            "# c",
        ];
        let mut random = Random::new(1);
        let (mut robots, mut rules) = (RobotsTxt::new(), RuleSet::new());
        let mut n_found = 0;
        for _ in 0..4_000 {
            let body: Vec<_> = (0..8).map(|_| random.pick(&lines)).collect();
            let body = body.join("\n");
            let body = body.as_bytes();
            parse(body, &mut robots);
            // For each dialect: the line of each agent and rule, and the first line of its group.
            let groups = Dialect::BUILT_IN.map(|dialect| {
                rules.compile(dialect, body, &robots);
                let first = |group: u32| rules.groups()[group as usize].line_first;
                let agents = rules.agents().iter();
                let agents = agents.map(|agent| (agent.line, Some(first(agent.group_index))));
                let of_rules = rules.rules().iter();
                let of_rules = of_rules.map(|rule| (rule.line, rule.group_index.map(first)));
                let mut all: Vec<_> = agents.chain(of_rules).collect();
                all.sort_unstable();
                let last_rules = rules.groups().iter().map(|group| {
                    let last = group.rules.of(rules.rules()).last();
                    (group.line_first, last.map_or(0, |rule| rule.line))
                });
                (all, last_rules.collect::<Vec<_>>())
            });
            let found = blank_lines(body);
            n_found += found.len();
            let (reference, spans) = &groups[0];
            for &(first, last) in spans.iter().filter(|(_, last)| *last > 0) {
                let is_inside = |line: u32| (first..=last).contains(&line);
                let finding = found.iter().find(|(line, _)| line.is_some_and(is_inside));
                for (dialect, (all, _)) in Dialect::BUILT_IN.iter().zip(&groups) {
                    let is_whole = all
                        .iter()
                        .zip(reference)
                        .all(|(one, other)| !is_inside(one.0) || one == other);
                    let is_accepted =
                        finding.is_none_or(|(_, set)| set.names().any(|name| name == dialect.name));
                    assert_eq!(
                        is_accepted,
                        is_whole,
                        "{} {:?}",
                        dialect.name,
                        body.escape_ascii()
                    );
                }
            }
        }
        assert!(n_found > 500, "{n_found}");
    }
}
