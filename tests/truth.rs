//! The tables of a generated archive agree with the counts of its generator, which involve no
//! parser.
//!
//! Only captures whose access is conditional (status 2xx) are parsed, so the tables of lines are
//! compared with the truth's `successful`. Its counts of the bodies of errors and redirects are
//! compared with the library, which parses any body.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
};

use robocensus::{
    archive::{
        capture::CaptureReader,
        warc::{Limits, Reader},
    },
    robots::{
        dialect::{Dialect, RuleKind, RuleSet},
        lines::{BodyKind, Field, RobotsTxt, parse},
    },
    sample::AGENTS,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::util::{self, Census, Dir, Generated, Held, committed, generated, run_alone};

fn both() -> [&'static Generated; 2] {
    [generated(), committed()]
}

/// Returns how often each value occurs, in JSON.
fn tally<T: Ord + Serialize>(values: impl IntoIterator<Item = T>) -> Value {
    json!(util::tally(values))
}

#[test]
fn every_record_is_counted_by_its_type() {
    for Generated { truth, census, .. } in both() {
        let archives = census.table("archives");
        let records = &truth["records"];
        assert_eq!(archives.n_rows(), 1);
        let skipped = census.skipped().into_iter();
        let skipped: BTreeMap<_, _> = skipped.map(|((_, reason), n)| (reason, n)).collect();
        assert_eq!(records["warcinfo"], skipped["warcinfo"]);
        assert_eq!(records["request"], skipped["request"]);
        assert_eq!(records["response"], archives.sum("capture_count"));
        assert_eq!(truth["captures"], census.table("captures").n_rows());
        assert_eq!(truth["file_bytes"], archives.sum("bytes"));
        assert_eq!(archives.all_bools("is_complete"), [true]);
        assert_eq!(census.table("archive_errors").n_rows(), 0);
    }
}

#[test]
fn captures_are_what_was_sent() {
    for Generated { truth, census, .. } in both() {
        let captures = census.table("captures");
        let status = captures.all_ints("fetch_status");
        assert_eq!(truth["status"], tally(&status));
        assert_eq!(truth["access"], tally(captures.all_texts("access")));
        let targets = captures.texts("fetch_redirect");
        let hops = status.iter().zip(&targets).filter(|(_, to)| to.is_some());
        let hops = tally(hops.map(|(status, _)| status));
        assert_eq!(truth["redirect_hops"], hops);
        for target in targets.iter().flatten() {
            assert!(target.starts_with("http"), "{target} is not resolved");
        }

        let distinct = |column| BTreeSet::from_iter(captures.all_texts(column)).len();
        assert_eq!(truth["distinct_hosts"], distinct("url_host_name"));
        let origins = captures.lines("url_protocol url_host_name url_port");
        let origins = BTreeSet::from_iter(origins);
        assert_eq!(truth["distinct_origins"], origins.len());
        let paths = captures.lines("url_path url_query").into_iter();
        let plain = paths.filter(|line| line == "/robots.txt -").count();
        assert_eq!(truth["robots_txt_urls"], plain);

        let count = |column| captures.all_bools(column).iter().filter(|b| **b).count();
        let length = captures.all_ints("content_length");
        let long = length.iter().filter(|bytes| **bytes > 500 * 1024);
        let bodies = &truth["bodies"];
        assert_eq!(bodies["html"], count("is_html"));
        assert_eq!(bodies["empty"], count("is_empty"));
        assert_eq!(bodies["over_500_kib"], long.count());
    }
}

#[test]
fn groups_user_agent_lines_and_rules_are_as_many_as_were_written() {
    for Generated { truth, census, .. } in both() {
        let wrote = &truth["successful"];
        let rules = census.table("rules");
        let kinds = tally(rules.all_texts("rule_kind"));
        let groups = rules.ints("group_index");
        let before_group = groups.iter().filter(|group| group.is_none()).count();
        assert_eq!(wrote["groups"], census.table("groups").n_rows());
        assert_eq!(wrote["agent_lines"], census.table("agents").n_rows());
        assert_eq!(wrote["rules"], rules.n_rows());
        assert_eq!(wrote["allow"], kinds["allow"]);
        assert_eq!(wrote["disallow"], kinds["disallow"]);
        assert_eq!(wrote["rules_before_group"], before_group);
    }
}

#[test]
fn directives_are_all_that_were_written_except_unknown_lines_of_bodies_that_are_no_text() {
    for archive in both() {
        let Generated { truth, census, .. } = archive;
        let wrote = &truth["successful"];
        let mut keys = util::tally(census.table("directives").all_texts("key"));
        assert_eq!(wrote["sitemaps"], keys.remove("sitemap").unwrap());
        // AllowAITraining and DisallowAITraining begin with the name of a rule, so google takes
        // them for rules and the truth counts them there; they are listed as directives too.
        keys.retain(|key, _| !["allowaitraining", "disallowaitraining"].contains(&&**key));
        let left_out = Recount::of(archive).unknown_lines_of_no_text;
        let others = keys.values().sum::<usize>() + left_out;
        assert_eq!(wrote["other_directives"], others);
    }
}

#[test]
fn the_library_finds_in_every_body_what_was_written() {
    for archive in both() {
        let found = Recount::of(archive);
        let truth = &archive.truth;
        assert_eq!(truth["successful"], json!(found.successful));
        assert_eq!(truth["all"], json!(found.all));
        assert_eq!(truth["bodies"]["utf8_bom"], found.byte_order_marks);
        assert_eq!(truth["bodies"]["utf16"], found.utf16);
        assert_eq!(truth["line_endings"], json!(found.line_endings));
    }
}

#[test]
fn an_agent_is_named_in_as_many_files_as_were_written_to_name_it() {
    for Generated { truth, census, .. } in both() {
        let agents: Vec<(String, i64)> = census.table("agents").rows("agent_raw capture_id");
        for token in AGENTS {
            let product = |raw: &str| raw.split('/').next().unwrap().to_owned();
            let naming = agents
                .iter()
                .filter(|(raw, _)| product(raw).eq_ignore_ascii_case(token));
            let files: BTreeSet<_> = naming.map(|(_, id)| id).collect();
            let wrote = &truth["agents"][token]["named_successful"];
            assert_eq!(*wrote, files.len(), "{token}");
        }
    }
}

#[test]
fn the_root_is_disallowed_for_an_agent_where_it_was_meant_to_be() {
    for Generated { truth, census, .. } in both() {
        let verdicts = census.table("verdicts");
        let verdicts = verdicts.rows::<[String; 4]>("agent url verdict basis");
        let closed = verdicts.into_iter().filter(|[_, url, verdict, basis]| {
            // Where the status disallows everything, the file does not matter.
            url == "/" && verdict == "disallow" && basis != "access"
        });
        let closed = util::tally(closed.map(|[agent, ..]| agent));
        for token in AGENTS {
            let wrote = &truth["agents"][token]["root_disallowed"];
            let found = closed.get(token).copied().unwrap_or_default();
            assert_eq!(*wrote, found, "{token}");
        }
    }
}

#[test]
fn an_agent_is_restricted_as_it_was_meant_to_be() {
    for Generated { truth, census, .. } in both() {
        let policies = census.table("policies");
        let policies: Vec<[Option<String>; 3]> = policies.rows("agent group_kind restriction");
        for token in AGENTS {
            let own = policies.iter().filter(|[agent, kind, _]| {
                agent.as_deref() == Some(token) && kind.as_deref() != Some("access")
            });
            let found = tally(own.map(|[.., restriction]| restriction.as_ref().unwrap()));
            let wrote = &truth["agents"][token]["restriction"];
            assert_eq!(*wrote, found, "{token}");
        }
    }
}

#[test]
fn signals_are_as_many_as_were_stated() {
    for Generated { truth, census, .. } in both() {
        let found = util::tally(census.table("signals").all_bools("parse_ok"));
        let wrote = &truth["signals"];
        assert_eq!(wrote["readable"], found[&true]);
        assert_eq!(wrote["unreadable"], found[&false]);
    }
}

#[test]
fn hops_are_known_by_their_redirects_where_the_file_name_does_not_make_all_captures() {
    for Generated { archive, truth, .. } in both() {
        let dir = Dir::new();
        let bytes = fs::read(archive).unwrap();
        run_alone(Held::new("made-up.warc.gz", bytes), &dir.path("census"));
        let census = Census(dir.path("census"));
        assert_eq!(truth["captures"], census.table("captures").n_rows());
        assert!(truth["robots_txt_urls"].as_u64() < truth["captures"].as_u64());
    }
}

/// What the library finds in an archive when it parses every body, whatever its status.
#[derive(Default)]
struct Recount {
    all: LineCounts,
    successful: LineCounts,
    unknown_lines_of_no_text: usize,
    byte_order_marks: u64,
    utf16: u64,
    line_endings: BTreeMap<&'static str, u64>,
}

/// Counts of lines, under the names that the truth has for them.
pub(crate) type LineCounts = BTreeMap<&'static str, usize>;

impl Recount {
    fn of(archive: &Generated) -> Self {
        let google = Dialect::GOOGLE;
        let mut found = Self::default();
        let mut source = File::open(&archive.archive).unwrap();
        let mut reader = Reader::new(Limits::default());
        let mut captures = CaptureReader::new(usize::MAX);
        let (mut robots, mut rules) = (RobotsTxt::new(), RuleSet::new());
        captures.begin(true);
        while let Some(record) = reader.read_record(&mut source) {
            let Ok(capture) = captures.read(&record) else {
                continue;
            };
            let body = capture.payload;
            parse(body, &mut robots);
            rules.compile(&google, body, &robots);
            let lines = line_counts(body, &robots, &rules);
            add(&mut found.all, &lines);
            let ending = robots.line_ending().as_str();
            *found.line_endings.entry(ending).or_default() += 1;
            let kind = robots.kind();
            found.byte_order_marks += u64::from(robots.has_bom());
            found.utf16 += u64::from(matches!(kind, BodyKind::Utf16Le | BodyKind::Utf16Be));
            if matches!(capture.fetch_status, Some(200..=299)) {
                add(&mut found.successful, &lines);
                let unknown = rules.records().iter().filter(|r| r.field == Field::Unknown);
                if kind != BodyKind::Text {
                    found.unknown_lines_of_no_text += unknown.count();
                }
            }
        }
        found
    }
}

pub(crate) fn line_counts(body: &[u8], robots: &RobotsTxt, rules: &RuleSet) -> LineCounts {
    let allow = rules
        .rules()
        .iter()
        .filter(|r| r.kind == RuleKind::Allow)
        .count();
    let before = rules.rules().iter().filter(|r| r.group_index.is_none());
    let fields = rules.records().iter().map(|record| record.field);
    let (sitemaps, others): (Vec<_>, Vec<_>) = fields.partition(|field| *field == Field::Sitemap);
    let is_rule =
        |field: &&Field| matches!(field, Field::AllowAiTraining | Field::DisallowAiTraining);
    let n_rules = others.iter().filter(is_rule).count();
    // Nothing after the parsing limit is parsed, neither rules nor comments.
    let is_parsed = |end: u32| end as usize <= body.len() - rules.over_limit_bytes() as usize;
    let comments = robots.lines().iter().filter(|line| {
        line.content().is_empty() && line.comment().is_some_and(|span| is_parsed(span.end))
    });
    BTreeMap::from([
        ("groups", rules.groups().len()),
        ("agent_lines", rules.agents().len()),
        ("rules", rules.rules().len()),
        ("allow", allow),
        ("disallow", rules.rules().len() - allow),
        ("rules_before_group", before.count()),
        ("sitemaps", sitemaps.len()),
        ("other_directives", others.len() - n_rules),
        ("comment_lines", comments.count()),
    ])
}

fn add(counts: &mut LineCounts, more: &LineCounts) {
    for (name, n) in more {
        *counts.entry(name).or_default() += n;
    }
}
