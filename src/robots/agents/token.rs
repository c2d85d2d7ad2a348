//! How a user names a crawler: by its product token, by a chain of tokens, or by the User-Agent
//! header that it sends, of which the token is a part.

use super::built_in_tokens;
use crate::robots::dialect::spelling::distance;

/// Words of a header that names no crawler, or that any browser sends.
const OF_BROWSERS: [&str; 14] = [
    "mozilla",
    "applewebkit",
    "khtml",
    "gecko",
    "chrome",
    "safari",
    "version",
    "mobile",
    "windows",
    "macintosh",
    "linux",
    "x11",
    "compatible",
    "like",
];
/// The token to whose groups crawlers of other operators fall back, as Applebot does.
const COMMON_FALLBACK: &str = "Googlebot";
/// Tokens of fewer letters are a near miss with one other letter only.
const LONG_TOKEN: usize = 8;
/// Longest text of a user that a message repeats, in characters.
const MOST_SHOWN: usize = 60;

/// A crawler as its user named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedAgent {
    /// Its product tokens, the most specific first.
    pub chain: Vec<String>,
    /// Sentences on how the name was understood, without a final stop: a header that was reduced to
    /// its token, or a token that is a near miss of a known one.
    pub notes: Vec<String>,
}

/// Reads the name of one crawler: a product token, several separated by commas with the most
/// specific first, or a User-Agent header, which is reduced to its token.
///
/// # Errors
///
/// One sentence, without a final stop: there is no token, or there are two known crawlers.
pub fn read_agent(text: &str) -> Result<NamedAgent, String> {
    let text = text.trim();
    let mut notes = Vec::new();
    let words = if is_header(text) {
        vec![text]
    } else {
        text.split(',').map(str::trim).collect()
    };
    let mut chain = Vec::with_capacity(words.len());
    for word in words {
        let token = if is_header(word) || word.contains('/') {
            token_of_header(word).ok_or_else(|| refusal(word))?
        } else {
            word
        };
        if !is_token(token) {
            return Err(refusal(word));
        }
        if token != word {
            let word = shown(word);
            notes.push(format!("{word} is reduced to its product token, {token}"));
        } else if let Some(known) = near_miss(token) {
            notes.push(format!(
                "{token} is none of the crawlers that are known here; did you mean {known}?"
            ));
        }
        chain.push(token.to_owned());
    }
    if let Some([first, second]) = two_crawlers(&chain) {
        return Err(format!(
            "expected the tokens of one crawler, the most specific first, but found two crawlers, {first} and {second}"
        ));
    }
    Ok(NamedAgent { chain, notes })
}

/// Returns whether a text is the value of a User-Agent header: products, each with a version, and
/// comments in parentheses.
fn is_header(text: &str) -> bool {
    let has_blank = text.contains(char::is_whitespace);
    text.contains(['(', ';']) || has_blank && text.contains('/')
}

/// Returns the product token of a header: that of a known crawler if it has one, else that of its
/// first product, and in the header of a browser that of the word behind `compatible`, or of one
/// that calls itself a bot.
fn token_of_header(header: &str) -> Option<&str> {
    let is_delimiter = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | ',');
    let words: Vec<&str> = (header.split(is_delimiter))
        .map(|word| word.split_once('/').map_or(word, |(token, _)| token))
        .filter(|word| is_token(word))
        .collect();
    let is_known = |word: &&&str| built_in_tokens().any(|token| token.eq_ignore_ascii_case(word));
    let is_of_browser = |word: &str| OF_BROWSERS.contains(&&*word.to_ascii_lowercase());
    if let Some(known) = words.iter().find(is_known) {
        return Some(known);
    }
    let first = header.split(is_delimiter).next().unwrap_or_default();
    let first = first.split_once('/').map_or(first, |(token, _)| token);
    if is_token(first) && !is_of_browser(first) {
        return Some(first);
    }
    let behind = words
        .windows(2)
        .find(|pair| pair[0].eq_ignore_ascii_case("compatible") && !is_of_browser(pair[1]));
    let is_bot = |word: &&&str| {
        let word = word.to_ascii_lowercase();
        ["bot", "spider", "crawler"]
            .iter()
            .any(|part| word.contains(part))
            && !word.contains('@')
    };
    match behind {
        Some(pair) => Some(pair[1]),
        None => words.iter().find(is_bot).copied(),
    }
}

/// Returns whether a text is a product token (RFC 9110, 5.6.2), or `*`, the crawlers that no group
/// names. Robots.txt files name crawlers with digits and dots too, which RFC 9309 does not allow.
fn is_token(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'+-.^_`|~".contains(&byte);
    text == "*" || !text.is_empty() && text.bytes().all(is_allowed)
}

/// Returns the message on a text that has no token.
fn refusal(text: &str) -> String {
    let found = if text.is_empty() {
        "nothing".to_owned()
    } else {
        shown(text)
    };
    let hint = match text.split_once(char::is_whitespace) {
        Some((first, _)) if is_token(first) && !is_header(text) => {
            "; a token has no blanks".to_owned()
        }
        _ if is_header(text) => "; the header names no crawler".to_owned(),
        _ => String::new(),
    };
    format!("expected a product token, such as GPTBot, but found {found}{hint}")
}

fn shown(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{:?}..", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// Returns two known crawlers of a chain of which neither falls back to the other.
fn two_crawlers(chain: &[String]) -> Option<[&str; 2]> {
    let known = |token: &&String| {
        let is_it = |known: &str| known.eq_ignore_ascii_case(token);
        built_in_tokens().any(is_it) && *token != "*"
    };
    let mut known = chain.iter().filter(known);
    let (first, second) = (known.next()?, known.next()?);
    let begins = |a: &str, b: &str| a.get(..b.len()).is_some_and(|a| a.eq_ignore_ascii_case(b));
    let is_fallback = second.eq_ignore_ascii_case(COMMON_FALLBACK) || begins(first, second);
    (!is_fallback).then_some([first, second])
}

/// Returns the known crawler of which a token is a misspelling; `None` for one that is known.
fn near_miss(token: &str) -> Option<&'static str> {
    let token = token.to_ascii_lowercase();
    let most = if token.len() < LONG_TOKEN { 1 } else { 2 };
    let near = built_in_tokens()
        .filter(|known| known.len() > 1)
        .map(|known| (distance(&token, &known.to_ascii_lowercase()), known))
        .min_by_key(|(distance, _)| *distance);
    near.filter(|(distance, _)| (1..=most).contains(distance))
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(text: &str) -> String {
        read_agent(text).unwrap().chain.join(",")
    }

    #[test]
    fn a_header_is_reduced_to_the_token_of_its_crawler_and_that_is_said() {
        for (header, wanted) in [
            ("GPTBot/1.2", "GPTBot"),
            ("MistralAI-User/1.0", "MistralAI-User"),
            ("CCBot/2.0 (https://commoncrawl.org/faq/)", "CCBot"),
            (
                "my-crawler/0.1 GPTBot-like (+https://a.example)",
                "my-crawler",
            ),
            (
                "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)",
                "GPTBot",
            ),
            (
                "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.2; +https://openai.com/gptbot",
                "GPTBot",
            ),
            (
                "Mozilla/5.0 (Linux; Android 6.0.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/1 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
                "Googlebot",
            ),
            (
                "Mozilla/5.0 (Macintosh) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Amazonbot/0.1; +https://a.example)",
                "Amazonbot",
            ),
            (
                "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/1 Safari/537.36",
                "bingbot",
            ),
            (
                "Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)",
                "MJ12bot",
            ),
            (
                "Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)",
                "archive.org_bot",
            ),
            (
                "Mozilla/5.0 (compatible; Unheard-Of/1; +https://a.example)",
                "Unheard-Of",
            ),
            (
                "Mozilla/5.0 (Linux) Safari/537.36 (NewSpider/1)",
                "NewSpider",
            ),
        ] {
            let named = read_agent(header).unwrap();
            assert_eq!(named.chain, [wanted], "{header}");
            assert!(
                named.notes[0].ends_with(&format!("token, {wanted}")),
                "{:?}",
                named.notes
            );
        }
    }

    #[test]
    fn a_token_is_taken_as_it_is() {
        for text in [
            "GPTBot",
            "*",
            "360Spider",
            "archive.org_bot",
            "Googlebot-News",
            "x",
        ] {
            let named = read_agent(&format!(" {text} ")).unwrap();
            assert_eq!(
                (named.chain.join(","), named.notes.len()),
                (text.to_owned(), 0)
            );
        }
        assert_eq!(
            token("Googlebot-News, Googlebot"),
            "Googlebot-News,Googlebot"
        );
        assert_eq!(token("Applebot,Googlebot"), "Applebot,Googlebot");
        assert_eq!(
            token("Applebot-Extended,Applebot"),
            "Applebot-Extended,Applebot"
        );
    }

    #[test]
    fn what_is_no_token_of_one_crawler_is_refused() {
        for (text, says) in [
            ("", "but found nothing"),
            (" ", "but found nothing"),
            ("GPTBot,", "but found nothing"),
            ("GPT Bot", "found \"GPT Bot\"; a token has no blanks"),
            ("GPTBot:", "found \"GPTBot:\""),
            ("Gpt*", "found \"Gpt*\""),
            ("bücher", "found \"bücher\""),
            ("GPTBot,ClaudeBot", "two crawlers, GPTBot and ClaudeBot"),
            ("gptbot, ccbot", "two crawlers, gptbot and ccbot"),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/1 Safari/1",
                "names no crawler",
            ),
            ("Mozilla/5.0", "expected a product token"),
        ] {
            let message = read_agent(text).unwrap_err();
            assert!(message.contains(says), "{text}: {message}");
        }
        assert!(read_agent(&"é".repeat(100_000)).unwrap_err().len() < 300);
    }

    #[test]
    fn a_near_miss_of_a_known_crawler_is_noted() {
        for (text, known) in [
            ("GPTBott", Some("GPTBot")),
            ("ClaudBot", Some("ClaudeBot")),
            ("GPT-Bot", Some("GPTBot")),
            ("Gogle-Extended", Some("Google-Extended")),
            ("gptbot", None),
            ("Googlebot-News", None),
            ("PetalBot", None),
            ("DotBot", None),
            ("TTBot-x", None),
        ] {
            assert_eq!(near_miss(text), known, "{text}");
            assert_eq!(
                read_agent(text).unwrap().notes.len(),
                usize::from(known.is_some())
            );
        }
    }
}
