//! Reduction: the smallest robots.txt, agent and URL that still show what a large one shows.
//!
//! Delta debugging (Zeller and Hildebrandt, 2002): parts are removed while a test still holds,
//! large ones first, until no single one can go. Groups are removed first, then lines, then letters
//! from lines and the URL or the agent at once, then bytes of lines, then characters of the agent
//! and of the URL; then all again, since one removal makes others possible. The result is
//! 1-minimal: no line and no byte of one can be removed from it alone, unless the limit of steps
//! ended the search. An agent keeps one character, and a URL its origin and the slash behind it. A
//! line keeps its end, but for the last one: two lines in one are another file, and CR LF without
//! its LF shows what else parsers differ in.
//!
//! What is left is written as it usually is wherever the test still holds: keys, ends of lines,
//! letters ([`letters`](super::letters)), and lines before empty ones. So one oddity has one example.
//!
//! A step costs a copy of the body and the test, so the time is bounded by the limit of steps.

use std::ops::Range;

pub use super::example::Example;
use super::{
    example::{is_agent_line, line_bounds, line_end, line_length, path_start},
    letters::{Form, Letter, Scope, letters_of, n_asked, n_most, rewrite},
};

/// The largest body of which letters are removed and replaced, in bytes.
const MAX_LETTERS: usize = 64 * 1024;

/// The result of a reduction.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The smallest example found.
    pub example: Example,
    /// The tests that were made.
    pub steps: usize,
    /// Whether no single line or byte can be removed from it.
    pub is_minimal: bool,
}

/// Reduces an example while `holds` is true of it; `holds` must be true of the example itself.
///
/// At most `max_steps` tests are made.
pub fn reduce(
    example: Example,
    max_steps: usize,
    mut holds: impl FnMut(&Example) -> bool,
) -> Reduced {
    let mut search = Search {
        best: example,
        steps: 0,
        max_steps,
        holds: &mut holds,
    };
    search.run_all();
    // Another spelling may allow more to be removed.
    while !search.is_over() && search.respell() {
        search.run_all();
    }
    Reduced {
        is_minimal: !search.is_over(),
        example: search.best,
        steps: search.steps,
    }
}

struct Search<'h> {
    best: Example,
    steps: usize,
    max_steps: usize,
    holds: &'h mut dyn FnMut(&Example) -> bool,
}

/// Removes what it can of one kind of pieces.
type Phase = fn(&mut Search<'_>);

/// The kinds of pieces that are removed, in their order.
const PHASES: [Phase; 7] = [
    |search| {
        search.minimize(Part::Body, group_bounds(&search.best.body));
    },
    |search| {
        search.minimize(Part::Body, line_bounds(&search.best.body));
    },
    |search| search.common_letters(Scope::Path),
    |search| search.common_letters(Scope::Agent),
    |search| search.bytes_of_lines(),
    |search| {
        search.minimize(Part::Agent, char_bounds(&search.best.agent, 0));
    },
    |search| {
        let start = path_start(&search.best.url);
        search.minimize(Part::Url, char_bounds(&search.best.url, start));
    },
];

/// What bytes are removed from.
#[derive(Clone, Copy)]
enum Part {
    Body,
    Agent,
    Url,
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        self.steps >= self.max_steps
    }

    /// Runs all phases until each has found nothing to remove from the same example.
    fn run_all(&mut self) {
        let mut n_unchanged = 0;
        let mut phases = PHASES.iter().cycle();
        while n_unchanged < PHASES.len()
            && !self.is_over()
            && let Some(run) = phases.next()
        {
            let size = self.best.size();
            run(self);
            n_unchanged = if self.best.size() == size {
                n_unchanged + 1
            } else {
                0
            };
        }
    }

    /// Spells keys, ends of lines, letters, the agent and a URL without a path as they usually are,
    /// and moves lines before empty ones, where the test holds then; returns true if and only if it
    /// has changed one.
    ///
    /// What remains unusual is a part of what the example shows.
    fn respell(&mut self) -> bool {
        let mut rooted = self.best.clone();
        rooted.url.push('/');
        let mut is_changed = path_start(&rooted.url) == rooted.url.len() && self.try_out(rooted);
        let mut usual = self.best.clone();
        usual.agent.replace_range(.., "a");
        is_changed |= usual != self.best && self.try_out(usual);
        let mut start = 0;
        while start < self.best.body.len() {
            let line = &self.best.body[start..];
            let line = &line[..line_length(line)];
            let end = start + line_end(line);
            if line.contains(&b'\r') {
                is_changed |= self.replace(end..start + line.len(), b"\n");
            }
            let mut key = self.best.body[start..end].to_vec();
            key.truncate(key.iter().position(|&byte| byte == b':').unwrap_or(0));
            let mut is_start = true;
            for byte in &mut key {
                byte.make_ascii_lowercase();
                if is_start {
                    byte.make_ascii_uppercase();
                }
                is_start &= !byte.is_ascii_alphabetic();
            }
            is_changed |= self.replace(start..start + key.len(), &key);
            // A group for all crawlers, if the name does not matter.
            let value = start + key.len() + 1..end;
            if key.trim_ascii_start().starts_with(b"User") && !value.is_empty() {
                is_changed |= self.replace(value, b"*");
            }
            start += line_length(&self.best.body[start..]);
        }
        for scope in [Scope::Agent, Scope::Path] {
            if self.best.body.len() <= MAX_LETTERS {
                is_changed |= self.respell_letters(scope);
            }
        }
        self.lift_lines() || is_changed
    }

    /// Moves each line before the empty ones in front of it where the test holds then; returns true
    /// if and only if it has moved one.
    fn lift_lines(&mut self) -> bool {
        let mut is_changed = false;
        let mut empty = None;
        for bounds in line_bounds(&self.best.body).windows(2) {
            let line = self.best.body[bounds[0]..bounds[1]].to_vec();
            if line_end(&line) == 0 {
                empty.get_or_insert(bounds[0]);
            } else if let Some(start) = empty.take().filter(|_| line_end(&line) < line.len()) {
                let lifted = [&line, &self.best.body[start..bounds[0]]].concat();
                if self.replace(start..bounds[1], &lifted) {
                    is_changed = true;
                    empty = Some(start + line.len());
                }
            }
        }
        is_changed
    }

    /// Writes each letter of some texts without escapes, and as a more usual one; returns true if
    /// and only if it has changed one.
    fn respell_letters(&mut self, scope: Scope) -> bool {
        let mut is_changed = false;
        for letter in letters_of(&self.best, scope) {
            let is_it = |other: Letter| other == letter;
            for form in [Form::Plain, Form::Escaped] {
                if form < letter.form {
                    let plain = Letter { form, ..letter };
                    let change = |other| Some(if is_it(other) { plain } else { other });
                    is_changed |= self.rewrite(scope, |other, _| change(other));
                }
            }
        }
        for letter in letters_of(&self.best, scope) {
            let is_kept = letter.is(if scope == Scope::Path { '/' } else { '*' });
            let mut usual = letter.more_usual(scope).filter(|_| !is_kept);
            is_changed |= usual.any(|usual| {
                let replaced = |other: Letter| other.replaced(letter, usual);
                // Letters that differ in case alone may have to stay so.
                let other_case = letter.in_other_case().zip(usual.in_other_case());
                let other_case = other_case
                    .filter(|(from, to)| from.more_usual(scope).any(|usual| usual.is_same(*to)));
                // One of several in a text may be a part of what the example shows.
                let n = n_most(&self.best, scope, letter);
                self.rewrite(scope, |other, _| Some(replaced(other)))
                    || other_case.is_some_and(|(from, to)| {
                        self.rewrite(scope, |other, _| Some(replaced(other.replaced(from, to))))
                    })
                    || (0..n).filter(|_| n > 1).any(|n| {
                        self.rewrite(scope, |other, number| {
                            Some(if number == n { replaced(other) } else { other })
                        })
                    })
            });
        }
        is_changed
    }

    /// Removes letters from lines and from what is asked at once: one in both cases or as it is,
    /// wherever it is, or the same one of several in each.
    fn common_letters(&mut self, scope: Scope) {
        if self.best.body.len() > MAX_LETTERS {
            return;
        }
        for letter in letters_of(&self.best, scope) {
            let mut n = n_asked(&self.best, scope, letter);
            let is_slash = scope == Scope::Path && letter.is('/');
            if n == 0 {
                continue;
            }
            let is_it = |other: Letter| other.is_same(letter);
            let is_in_a_case = |other: Letter| {
                is_it(other) || letter.in_other_case().is_some_and(|c| c.is_same(other))
            };
            if !is_slash
                && (self.rewrite(scope, |other, _| (!is_in_a_case(other)).then_some(other))
                    || self.rewrite(scope, |other, _| (!is_it(other)).then_some(other)))
            {
                continue;
            }
            while n > 1 {
                n -= 1;
                self.rewrite(scope, |other, number| {
                    (!is_it(other) || number != n).then_some(other)
                });
            }
        }
    }

    /// Rewrites letters as [`rewrite`] does if the test holds then; returns true if and only if
    /// that changes the example.
    fn rewrite(&mut self, scope: Scope, change: impl Fn(Letter, usize) -> Option<Letter>) -> bool {
        let rewritten = rewrite(&self.best, scope, change);
        let Some(rewritten) = rewritten.filter(|rewritten| *rewritten != self.best) else {
            return false;
        };
        !rewritten.agent.is_empty() && !self.is_over() && self.try_out(rewritten)
    }

    /// Replaces bytes of the body by others if the test holds then; returns true if and only if
    /// that changes the body.
    fn replace(&mut self, range: Range<usize>, bytes: &[u8]) -> bool {
        if self.best.body[range.clone()] == *bytes || self.is_over() {
            return false;
        }
        let mut replaced = self.best.clone();
        replaced.body.splice(range, bytes.iter().copied());
        self.try_out(replaced)
    }

    /// Takes an example for the best one if the test holds for it; returns whether it does.
    fn try_out(&mut self, example: Example) -> bool {
        self.steps += 1;
        let holds = (self.holds)(&example);
        if holds {
            self.best = example;
        }
        holds
    }

    fn bytes_of_lines(&mut self) {
        let mut start = 0;
        while start < self.best.body.len() && !self.is_over() {
            let line = &self.best.body[start..];
            let line = &line[..line_length(line)];
            let text_end = start + line_end(line);
            let next = start + line.len();
            let mut bounds: Vec<usize> = (start..=text_end).collect();
            if next < self.best.body.len() {
                start = self.minimize(Part::Body, bounds) + next - text_end;
            } else {
                bounds.extend((next > text_end).then_some(next));
                self.minimize(Part::Body, bounds);
                return;
            }
        }
    }

    /// Removes pieces between neighboring bounds while the example without them holds: all, halves,
    /// quarters, and so on down to single pieces, until none of these can be removed. Returns where
    /// the last piece ends then.
    fn minimize(&mut self, part: Part, mut bounds: Vec<usize>) -> usize {
        let mut size = bounds.len() - 1;
        while size > 0 && !self.is_over() {
            let mut is_smaller = false;
            let mut first = 0;
            while first + 1 < bounds.len() && !self.is_over() {
                let last = (first + size).min(bounds.len() - 1);
                let removed = bounds[first]..bounds[last];
                let n_bytes = removed.len();
                if self.remove(part, removed) {
                    bounds.drain(first + 1..=last);
                    for bound in &mut bounds[first + 1..] {
                        *bound -= n_bytes;
                    }
                    is_smaller = true;
                } else {
                    first = last;
                }
            }
            if size == 1 && !is_smaller {
                break;
            }
            size = (size / 2).max(1);
        }
        bounds.last().copied().unwrap_or_default()
    }

    /// Removes bytes if the test holds without them.
    fn remove(&mut self, part: Part, range: Range<usize>) -> bool {
        let mut smaller = self.best.clone();
        match part {
            Part::Body => drop(smaller.body.drain(range)),
            Part::Agent => drop(smaller.agent.drain(range)),
            Part::Url => drop(smaller.url.drain(range)),
        }
        // A crawler without a name is none.
        if smaller.agent.is_empty() && !self.best.agent.is_empty() {
            return false;
        }
        self.try_out(smaller)
    }
}

/// Returns the bounds of the groups of a body, one in front of each user-agent line that follows
/// another line.
fn group_bounds(body: &[u8]) -> Vec<usize> {
    if body.is_empty() {
        return vec![0];
    }
    let lines = line_bounds(body);
    let mut was_agent_line = true;
    let mut bounds = vec![0];
    for line in lines.windows(2) {
        let is_agent_line = is_agent_line(&body[line[0]..line[1]]);
        if is_agent_line && !was_agent_line {
            bounds.push(line[0]);
        }
        was_agent_line = is_agent_line;
    }
    bounds.push(body.len());
    bounds
}

/// Returns the bounds of the characters of a text from `start` on.
fn char_bounds(text: &str, start: usize) -> Vec<usize> {
    let chars = text[start..].char_indices().map(|(at, _)| start + at);
    chars.chain([text.len()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{compare::decider::Decider, robots::dialect::Dialect, sample::random::Random};

    fn example(body: impl Into<Vec<u8>>, agent: &str, url: &str) -> Example {
        Example {
            body: body.into(),
            agent: agent.to_owned(),
            url: url.to_owned(),
        }
    }

    fn has(bytes: &[u8], part: &str) -> bool {
        bytes
            .windows(part.len())
            .any(|window| window == part.as_bytes())
    }

    #[test]
    fn what_does_not_matter_is_removed() {
        let body = "# c\nUser-agent: a\nDisallow: /x\n\nUser-agent: b\nUser-agent: c\nAllow: /abc\nDisallow: /\n";
        let large = example(body, "agent", "https://example.com/some/abc?q");
        let reduced = reduce(large, 10_000, |example| {
            has(&example.body, "b\n")
                && has(&example.body, "Allow: /a")
                && example.url.contains("abc")
        });
        assert!(reduced.is_minimal);
        assert_eq!(reduced.example.body, b"b\nAllow: /a");
        assert_eq!(reduced.example.agent.len(), 1);
        assert_eq!(reduced.example.url, "https://example.com/abc");
    }

    /// Returns every example that has one line, byte or character less.
    fn smaller_by_one(of: &Example) -> Vec<Example> {
        let body = |removed: Range<usize>| {
            let mut smaller = of.clone();
            smaller.body.drain(removed);
            smaller
        };
        let lines = line_bounds(&of.body);
        let lines = lines.windows(2).map(|line| body(line[0]..line[1]));
        // The end of a line goes with the line, but that of the last one.
        let is_end = |at: &usize| matches!(of.body[*at], b'\r' | b'\n');
        let bytes = (0..of.body.len()).filter(|at| !is_end(at));
        let last = line_bounds(&of.body);
        let last = last[last.len().saturating_sub(2)];
        let last_end = last + line_end(&of.body[last..])..of.body.len();
        let bytes = bytes.map(|at| body(at..at + 1));
        let bytes = bytes.chain((!last_end.is_empty()).then(|| body(last_end)));
        let of_text = |text: &str, start: usize| -> Vec<String> {
            let chars = text[start..].char_indices();
            chars
                .map(|(at, c)| {
                    let mut text = text.to_owned();
                    text.drain(start + at..start + at + c.len_utf8());
                    text
                })
                .collect()
        };
        let agents = of_text(&of.agent, 0).into_iter();
        let agents = agents
            .filter(|agent| !agent.is_empty())
            .map(|agent| Example {
                agent,
                ..of.clone()
            });
        let urls = of_text(&of.url, path_start(&of.url)).into_iter();
        let urls = urls.map(|url| Example { url, ..of.clone() });
        lines.chain(bytes).chain(agents).chain(urls).collect()
    }

    /// Returns a body of lines in which parsers differ, in bytes of any kind.
    fn generated(random: &mut Random) -> Vec<u8> {
        const LINES: &[&[u8]] = &[
            b"User-agent: *",
            b"User-agent: GPTBot",
            b"useragent: gpt",
            b"User-agent: GPTBot/1.0",
            b"Disallow: /",
            b"Disallow: /a",
            b"Allow: /a",
            b"Allow: /a/b$",
            b"Disallow: /*b",
            b"Disallow: /%61\xff",
            b"Disalow: /a",
            b"Allow:",
            b"Disallow",
            b"Crawl-delay: 3",
            b"# c\xc3\xa9",
            b"",
            b"\xff\xfe\0",
        ];
        const ENDS: &[&[u8]] = &[b"\n", b"\r\n", b"\r"];
        let mut body = Vec::new();
        for _ in 0..random.below(14) {
            body.extend_from_slice(random.pick(LINES));
            body.extend_from_slice(random.pick(ENDS));
        }
        body
    }

    #[test]
    fn reduced_flips_are_minimal_by_brute_force() {
        let dialects: Vec<Dialect> = Dialect::BUILT_IN.into_iter().cloned().collect();
        let mut random = Random::new(15);
        let mut decider = Decider::default();
        let mut verdict = |dialect: &Dialect, example: &Example| {
            decider.parse(&example.body);
            decider.verdicts(dialect, &example.body, &example.to_ask().queries)[0]
        };
        let mut n_flips = 0;
        for _ in 0..3_000 {
            let pick = |random: &mut Random| random.below(dialects.len());
            let (baseline, candidate) =
                (&dialects[pick(&mut random)], &dialects[pick(&mut random)]);
            let large = example(
                generated(&mut random),
                "GPTBot",
                "https://example.com/a/b?é",
            );
            let wanted = (verdict(baseline, &large), verdict(candidate, &large));
            if wanted.0 == wanted.1 {
                continue;
            }
            n_flips += 1;
            let mut holds = |example: &Example| {
                (verdict(baseline, example), verdict(candidate, example)) == wanted
            };
            let reduced = reduce(large, 100_000, &mut holds);
            assert!(reduced.is_minimal && holds(&reduced.example));
            for smaller in smaller_by_one(&reduced.example) {
                assert!(!holds(&smaller), "{:?} from {:?}", smaller, reduced.example);
            }
        }
        assert!(n_flips > 100, "{n_flips}");
    }

    #[test]
    fn parts_that_can_only_go_together_stay() {
        let even = |example: &Example| {
            let n = example.body.iter().filter(|&&byte| byte == b'x').count();
            n % 2 == 0 && n > 0
        };
        let reduced = reduce(example("xx\nxx\nyyy\n", "a", "/"), 10_000, even);
        assert!(reduced.is_minimal);
        assert_eq!(reduced.example.body, b"xx");
    }

    #[test]
    fn the_search_ends_at_its_limit() {
        let body = "Disallow: /\n".repeat(1000);
        let (mut n_tests, n_bytes) = (0, body.len());
        let reduced = reduce(example(body, "a", "/"), 50, |example| {
            n_tests += 1;
            example.body.len() == n_bytes
        });
        assert_eq!((reduced.steps, n_tests), (50, 50));
        assert!(!reduced.is_minimal);
    }

    #[test]
    fn hostile_files_of_500_kib_cost_no_more_than_their_steps() {
        const SIZE: usize = 500 * 1024;
        for body in [
            "\n".repeat(SIZE),
            "x".repeat(SIZE),
            "User-agent: a\n".repeat(SIZE / 14),
            "a\r".repeat(SIZE / 2),
        ] {
            for is_removable in [false, true] {
                let begun = std::time::Instant::now();
                let mut n_tests = 0;
                let large = example(body.clone(), "a", "/");
                let reduced = reduce(large, 5_000, |_| {
                    n_tests += 1;
                    is_removable && n_tests % 3 == 0
                });
                assert!(reduced.steps <= 5_000 && n_tests == reduced.steps);
                // Seconds where nothing is optimized; a cost of every line for each would be hours.
                assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
            }
        }
    }

    #[test]
    fn bodies_are_split_without_loss() {
        assert_eq!(line_bounds(b"a\r\nb\rc\n\nd"), [0, 3, 5, 7, 8, 9]);
        assert_eq!(line_bounds(b""), [0]);
        let body = b"# c\nUser-agent: a\nUser-agent: b\nx\nuser-agent: c";
        assert_eq!(group_bounds(body), [0, 4, 34, 47]);
        assert_eq!(group_bounds(b""), [0]);
    }

    #[test]
    fn a_url_without_a_path_stays_where_it_matters() {
        for (end, expected) in [("", "https://example.com/"), ("m", "https://example.com")] {
            let holds = |example: &Example| example.url.ends_with(end);
            let reduced = reduce(example("a", "a", "https://example.com"), 100, holds);
            assert_eq!(reduced.example.url, expected);
        }
    }

    #[test]
    fn examples_are_written_as_they_usually_are() {
        let holds = |e: &Example| has(&e.body, "User:0\n") && line_bounds(&e.body).len() > 4;
        let reduced = reduce(example("\nb\n\nUser:0\n\nc\n", "0", "/"), 1_000, holds);
        assert_eq!(reduced.example, example("User:0\n\n\n\n", "a", "/"));
        let holds = |e: &Example| has(&e.body, &format!("User-agent:{}/s", e.agent));
        let reduced = reduce(example("User-agent:s/s", "s", "/"), 1_000, holds);
        assert_eq!(reduced.example, example("User-agent:a/s", "a", "/"));
    }
}
