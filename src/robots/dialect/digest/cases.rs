//! Pairs of files that the semantic digest must, or must not, distinguish.

use super::{NOTHING, sha1};
use crate::robots::dialect::{NAMES, testing::compile};

fn digest(dialect: &str, body: &str) -> [u8; 20] {
    compile(dialect, body.as_bytes()).semantic_digest()
}

macro_rules! digests {
    ($($name:ident: $dialect:literal, $a:literal $op:tt $b:literal;)+) => {
        $(
            #[test]
            fn $name() {
                assert!(digest($dialect, $a) $op digest($dialect, $b));
            }
        )+
    };
}

// What is not part of any rule, and how rules are split.
digests! {
    comments_blanks_and_case_do_not_count: "google",
        "User-agent: A\nDisallow: /x\n" == "# hi\r\n\r\nUSER-AGENT :a # b\r\n\r\ndisallow:/x";
    the_order_of_groups_does_not_count: "google",
        "user-agent: a\ndisallow: /x\nuser-agent: b\ndisallow: /y" ==
        "user-agent: b\ndisallow: /y\nuser-agent: a\ndisallow: /x";
    merged_groups_are_one: "google",
        "user-agent: a\ndisallow: /x\nuser-agent: a\ndisallow: /y" ==
        "user-agent: a\ndisallow: /y\ndisallow: /x";
    shared_groups_are_as_good_as_own_ones: "google",
        "user-agent: a\nuser-agent: b\ndisallow: /x" ==
        "user-agent: b\ndisallow: /x\nuser-agent: a\ndisallow: /x";
    google_does_not_keep_the_order_of_rules: "google",
        "user-agent: a\nallow: /x/y\ndisallow: /x" == "user-agent: a\ndisallow: /x\nallow: /x/y";
    baidu_reads_the_first_group_only: "baidu",
        "user-agent: a\ndisallow: /x\nuser-agent: a\ndisallow: /y" ==
        "user-agent: a\ndisallow: /x";
    rules_outside_groups_do_not_count: "google",
        "disallow: /x" == "";
    case_counts_where_the_dialect_says_so: "google-2019",
        "User-agent: A\ndisallow: /x" != "user-agent: a\ndisallow: /x";
    the_kind_of_a_rule_counts: "google",
        "user-agent: a\nallow: /x" != "user-agent: a\ndisallow: /x";
    the_agent_counts: "google",
        "user-agent: a\ndisallow: /x" != "user-agent: b\ndisallow: /x";
    patterns_do_not_run_together: "google",
        "user-agent: *\ndisallow: /a\ndisallow: /b" != "user-agent: *\ndisallow: /ad/b";
    python_keeps_the_order_of_groups: "python",
        "user-agent: a\ndisallow: /x\n\nuser-agent: ab\ndisallow: /y" !=
        "user-agent: ab\ndisallow: /y\n\nuser-agent: a\ndisallow: /x";
    python_does_not_keep_the_order_of_equal_groups: "python",
        "user-agent: a\ndisallow: /x\n\nuser-agent: ab\ndisallow: /x\n\nuser-agent: c\ndisallow: /" ==
        "user-agent: ab\ndisallow: /x\n\nuser-agent: a\ndisallow: /x\n\nuser-agent: c\ndisallow: /";
}

// Groups and names without effect.
digests! {
    allowing_all_is_forbidding_nothing: "google",
        "user-agent: *\nallow: /" == "user-agent: *\ndisallow:";
    what_no_other_list_meets_needs_no_rank: "google",
        "user-agent: a\nuser-agent: b\ndisallow: /" ==
        "user-agent: a\ndisallow: /\nuser-agent: b\ndisallow: /\ndisallow: /x";
    what_another_list_meets_needs_its_rank: "google",
        "user-agent: a\ndisallow: /x*\nuser-agent: b\nallow: /x/" !=
        "user-agent: a\ndisallow: /x\nuser-agent: b\nallow: /x/";
    a_group_for_everyone_without_effect_is_none: "google",
        "user-agent: *\ndisallow:" == "sitemap: http://a/";
    a_named_group_without_effect_is_none_if_nobody_is_forbidden: "google",
        "user-agent: a\nallow: /x" == "";
    a_named_group_without_effect_counts_if_everyone_is_forbidden: "google",
        "user-agent: a\nallow: /\nuser-agent: *\ndisallow: /" != "user-agent: *\ndisallow: /";
    names_count_not_if_all_have_the_rules_for_everyone: "rfc9309",
        "user-agent: a\ndisallow: /x\nuser-agent: b\nuser-agent: *\ndisallow: /x" ==
        "user-agent: *\ndisallow: /x";
    a_name_without_effect_keeps_a_chain_from_the_next_name: "rfc9309",
        "user-agent: a\nallow: /\nuser-agent: b\ndisallow: /" != "user-agent: b\ndisallow: /";
    a_name_without_effect_adds_nothing_where_names_are_merged: "google",
        "user-agent: a\ndisallow:\nuser-agent: b\ndisallow: /" == "user-agent: b\ndisallow: /";
    an_allow_counts_beside_the_disallow_of_another_name: "google",
        "user-agent: a\nallow: /\nuser-agent: b\ndisallow: /" !=
        "user-agent: a\ndisallow:\nuser-agent: b\ndisallow: /";
    an_allow_does_not_count_beside_rules_for_everyone: "google",
        "user-agent: a\nallow: /\nuser-agent: *\ndisallow: /" ==
        "user-agent: a\ndisallow:\nuser-agent: *\ndisallow: /";
    an_allow_does_not_count_where_names_are_not_merged: "rfc9309",
        "user-agent: a\nallow: /\nuser-agent: b\ndisallow: /" ==
        "user-agent: a\ndisallow:\nuser-agent: b\ndisallow: /";
}

// Rules without effect.
digests! {
    a_rule_said_twice_counts_once: "google",
        "user-agent: a\ndisallow: /x\ndisallow: /x" == "user-agent: a\ndisallow: /x";
    an_allow_makes_its_disallow_idle: "google",
        "user-agent: a\nallow: /x\ndisallow: /x\ndisallow: /y" == "user-agent: a\ndisallow: /y";
    an_allow_that_no_disallow_meets: "google",
        "user-agent: *\nallow: /y\ndisallow: /x" == "user-agent: *\ndisallow: /x";
    an_allow_that_a_disallow_meets: "google",
        "user-agent: *\nallow: /x/y\ndisallow: /x" != "user-agent: *\ndisallow: /x";
    an_allow_shorter_than_all_that_it_meets: "google",
        "user-agent: *\nallow: /\nallow: /x\ndisallow: /x/y" == "user-agent: *\ndisallow: /x/y";
    an_allow_below_a_disallow_between: "google",
        "user-agent: *\nallow: /x/y/z\nallow: /x\ndisallow: /\ndisallow: /x/y" !=
        "user-agent: *\nallow: /x\ndisallow: /\ndisallow: /x/y";
    a_disallow_below_another_one: "google",
        "user-agent: *\ndisallow: /\ndisallow: /x\ndisallow: /*.pdf$" ==
        "user-agent: *\ndisallow: /";
    a_disallow_below_an_allow_between: "google",
        "user-agent: *\ndisallow: /\nallow: /x\ndisallow: /x/y" !=
        "user-agent: *\ndisallow: /\nallow: /x";
    a_star_at_the_end_matches_no_less: "google",
        "user-agent: *\ndisallow: /x*\ndisallow: /y*$" == "user-agent: *\ndisallow: /y\ndisallow: /x";
    a_star_at_the_end_is_an_octet: "google",
        "user-agent: *\nallow: /x\ndisallow: /x*" != "user-agent: *\nallow: /x*\ndisallow: /x";
    a_star_at_the_end_changes_no_winner: "google",
        "user-agent: *\nallow: /x/y*\ndisallow: /x*" == "user-agent: *\nallow: /x/y\ndisallow: /x";
    several_stars_are_one: "google",
        "user-agent: *\ndisallow: /a**b" == "user-agent: *\ndisallow: /a*b";
    an_index_page_allows_its_directory: "google",
        "user-agent: *\nallow: /x/index.html\ndisallow: /x/" !=
        "user-agent: *\nallow: /x/index.html$\ndisallow: /x";
    an_index_page_that_is_not_forbidden: "google",
        "user-agent: *\nallow: /x/index.html\ndisallow: /y/" == "user-agent: *\ndisallow: /y/";
    a_pattern_that_no_path_can_begin_with_does_not_count: "google",
        "user-agent: a\ndisallow: /x\ndisallow: y\nallow: $" == "user-agent: a\ndisallow: /x";
    an_anchor_counts: "baidu-table",
        "user-agent: a\ndisallow: $" != "user-agent: a\ndisallow: /$";
    python_may_ask_for_a_path_without_a_slash: "python",
        "user-agent: a\ndisallow: y" != "user-agent: a\ndisallow:";
    python_may_not_match_all_by_a_slash: "python",
        "user-agent: *\nallow: /\ndisallow: y" == "user-agent: *\ndisallow: y";
    a_word_ends_where_the_table_says_so: "baidu-table",
        "user-agent: *\ndisallow: /tmp\ndisallow: /tmphoho" != "user-agent: *\ndisallow: /tmp";
}

// The first match wins.
digests! {
    the_order_counts_where_both_match: "baidu",
        "user-agent: a\nallow: /x/y\ndisallow: /x" != "user-agent: a\ndisallow: /x\nallow: /x/y";
    the_order_of_what_never_meets_does_not_count: "baidu",
        "user-agent: a\nallow: /x\ndisallow: /y" == "user-agent: a\ndisallow: /y\nallow: /x";
    the_order_of_disallows_does_not_count: "original-1994",
        "user-agent: a\ndisallow: /x\ndisallow: /y" == "user-agent: a\ndisallow: /y\ndisallow: /x";
    the_first_of_equal_patterns_counts: "baidu",
        "user-agent: a\nallow: /x\ndisallow: /x\ndisallow: /y" == "user-agent: a\ndisallow: /y";
    nothing_counts_behind_a_rule_for_all: "python",
        "user-agent: *\ndisallow: /x\nallow:\ndisallow: /" == "user-agent: *\ndisallow: /x";
    a_final_allow_does_not_count: "original-1994",
        "user-agent: *\ndisallow: /x\nallow: /" == "user-agent: *\ndisallow: /x";
    a_narrow_disallow_before_a_wide_one: "baidu",
        "user-agent: *\ndisallow: /x/y\ndisallow: /x" == "user-agent: *\ndisallow: /x";
    a_narrow_disallow_before_an_allow_between: "baidu",
        "user-agent: *\ndisallow: /x/y/z\nallow: /x/y\ndisallow: /x" !=
        "user-agent: *\nallow: /x/y\ndisallow: /x";
}

// A star may leave a verdict undefined.
digests! {
    a_wildcard_conflict_is_not_idle: "google-legacy",
        "user-agent: a\nallow: /*x\ndisallow: /*x" != "user-agent: a\nallow: /*x";
    an_allow_with_a_star_is_not_idle: "google-legacy",
        "user-agent: *\nallow: /*x\ndisallow: /aaaaaaa" != "user-agent: *\ndisallow: /aaaaaaa";
    stars_at_the_end_do_not_count_where_they_are_dropped: "google-2019",
        "user-agent: a\ndisallow: /x**" == "user-agent: a\ndisallow: /x";
    a_rule_for_all_before_a_star: "google-legacy",
        "user-agent: *\nallow: /\ndisallow: /*x" != "user-agent: *\ndisallow: /*x";
}

#[test]
fn the_digest_of_nothing_is_that_of_no_bytes() {
    assert_eq!(NOTHING, sha1(&[]));
}

#[test]
fn a_hostile_file_takes_milliseconds() {
    let rules = |rule: fn(usize) -> String| -> String {
        let rules = (0..40_000).map(rule);
        std::iter::once("user-agent: *\n".to_owned())
            .chain(rules)
            .collect()
    };
    let groups = |n: usize| -> String {
        let group = |i: usize| {
            format!(
                "user-agent: a{}\nuser-agent: b\nallow: /{i}\ndisallow: /\n",
                "x".repeat(i % 97)
            )
        };
        (0..n).map(group).collect()
    };
    let bodies = [
        rules(|i| format!("disallow: /*{i}\n")),
        rules(|i| {
            format!(
                "{}: /{}\n",
                ["allow", "disallow"][i % 2],
                "a".repeat(i % 200)
            )
        }),
        rules(|i| format!("{}: /{i}\n", ["allow", "disallow"][i % 2])),
        rules(|i| format!("allow: /*a*a*a*a*a*a*{i}$\ndisallow: /*a*a*a*{i}\n")),
        groups(60),
        groups(5_000),
    ];
    for dialect in NAMES {
        for body in &bodies {
            let rules = compile(dialect, body.as_bytes());
            let start = std::time::Instant::now();
            rules.semantic_digest();
            // Comparing every pair would take minutes; the limit is far above what is usual, for
            // the sake of busy machines.
            let elapsed = start.elapsed();
            println!("{dialect} {} {elapsed:?}", body.len());
            assert!(elapsed.as_secs() < 2, "{dialect}: {elapsed:?}");
        }
    }
}
