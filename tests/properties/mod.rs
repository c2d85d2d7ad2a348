//! What must hold whatever the bytes are: one target for each module that reads bytes from outside.
//!
//! Enters: bytes. Leaves: nothing, or a panic that says which rule they broke. The same checks are
//! fed by the test command, a few thousand mutated seeds each, and for as long as one likes by
//! libFuzzer (`make fuzz`). They use what the library publishes and nothing else.

pub mod archive;
pub mod encode;
pub mod http;
mod input;
mod memory;
#[cfg(test)]
mod mutate;
pub mod origin;
pub mod page;
pub mod pattern;
pub mod percent;
pub mod robots;
pub mod text;

/// One reader of bytes from outside, and what must hold of it.
pub struct Target {
    /// The name on the command line.
    pub name: &'static str,
    /// Inputs to begin with, each of which gets the reader to another place.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Pieces of which inputs are made, as a dictionary of libFuzzer: one in a line, in quotes, a
    /// byte that is not plain as `\xNN`.
    pub words: &'static str,
    /// Panics if a rule does not hold of the bytes.
    pub check: fn(&[u8]),
}

pub const TARGETS: [Target; 8] = [
    archive::TARGET,
    http::TARGET,
    robots::TARGET,
    pattern::TARGET,
    percent::TARGET,
    origin::TARGET,
    text::TARGET,
    page::TARGET,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{
        TARGETS, Target, archive, http, mutate, origin, page, pattern, percent, robots, text,
    };

    fn words(dictionary: &str) -> Vec<Vec<u8>> {
        let word = |line: &str| {
            let mut parts = line[1..line.len() - 1].split("\\x");
            let mut word = parts.next().unwrap_or_default().as_bytes().to_vec();
            for part in parts {
                let (digits, rest) = part.split_at(2);
                word.push(u8::from_str_radix(digits, 16).unwrap());
                word.extend(rest.as_bytes());
            }
            word
        };
        dictionary.lines().map(word).collect()
    }

    /// Checks the seeds, and as many inputs again that were made from them.
    fn run(target: &Target, executions: u64) {
        let (seeds, words) = ((target.seeds)(), words(target.words));
        for seed in &seeds {
            (target.check)(seed);
        }
        for execution in 0..executions {
            let input = mutate::input(&seeds, &words, execution);
            let is_held = std::panic::catch_unwind(|| (target.check)(&input)).is_ok();
            assert!(is_held, "{}: b\"{}\"", target.name, input.escape_ascii());
        }
    }

    #[test]
    fn every_target_has_a_name_of_its_own_and_no_seed_twice() {
        let names: BTreeSet<_> = TARGETS.iter().map(|target| target.name).collect();
        assert_eq!(names.len(), TARGETS.len());
        for target in &TARGETS {
            let seeds = (target.seeds)();
            let distinct: BTreeSet<_> = seeds.iter().collect();
            assert!(!seeds.is_empty(), "{}", target.name);
            assert_eq!(distinct.len(), seeds.len(), "{}", target.name);
            let words: BTreeSet<_> = target.words.lines().collect();
            assert_eq!(words.len(), target.words.lines().count(), "{}", target.name);
        }
    }

    macro_rules! rules {
        ($($rule:ident: $target:ident, $executions:literal;)+) => {
            $(
                #[test]
                fn $rule() {
                    run(&$target::TARGET, $executions);
                }
            )+
        };
    }

    rules! {
        any_archive_gives_the_same_records_however_it_is_read: archive, 2_000;
        any_response_has_a_body_within_the_limit: http, 4_000;
        any_file_is_lines_that_every_dialect_can_read: robots, 2_000;
        any_pattern_matches_what_its_definition_says: pattern, 20_000;
        any_octets_are_compared_as_their_definition_says: percent, 20_000;
        any_uri_is_parts_or_a_reason: origin, 10_000;
        any_text_is_questions_or_a_sentence: text, 5_000;
        any_bytes_are_a_page: page, 20_000;
    }
}
