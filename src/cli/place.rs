//! Where a dataset is, as the command line names it: a folder, or a prefix of S3.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser};
use robocensus::{archive::remote::is_misspelled, dataset::sink::is_remote};

/// Returns a parser of places: `file:///PATH` stands for the path.
pub fn place() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(parsed)
}

/// Returns a parser of places on this machine.
pub fn local_place() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match parsed(path)? {
        path if is_remote(&path) => {
            Err("expected a folder; a comparison is not written to S3".to_owned())
        }
        path => Ok(path),
    })
}

fn parsed(path: PathBuf) -> Result<PathBuf, String> {
    let scheme = path.to_str().and_then(|text| text.split_once("://"));
    match scheme {
        Some((scheme, path)) if scheme.eq_ignore_ascii_case("file") => {
            let path = path.strip_prefix("localhost").unwrap_or(path);
            let decoded = path.starts_with('/').then(|| decoded(path)).flatten();
            decoded.ok_or_else(|| "expected file:///PATH with an absolute path".to_owned())
        }
        Some((scheme, _)) if is_remote(&path) && !scheme.eq_ignore_ascii_case("s3") => {
            Err("expected a folder, file:///PATH or s3://BUCKET/PREFIX".to_owned())
        }
        None if path.to_str().is_some_and(is_misspelled) && !path.exists() => {
            Err("expected a folder, file:///PATH or s3://BUCKET/PREFIX".to_owned())
        }
        _ => Ok(path),
    }
}

/// Returns the path of a URL with its percent-encoded bytes decoded; `None` if one of them is not
/// encoded as RFC 3986 has it, or the path is not UTF-8.
fn decoded(path: &str) -> Option<PathBuf> {
    let mut bytes = Vec::new();
    let mut rest = path.split('%');
    bytes.extend_from_slice(rest.next()?.as_bytes());
    for encoded in rest {
        let digits = encoded.get(..2)?;
        // A sign would be accepted too.
        digits
            .bytes()
            .all(|b| b.is_ascii_hexdigit())
            .then_some(())?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(&encoded.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_path_or_a_url_that_is_known() {
        let ok = |text: &str| parsed(text.into()).expect("a place");
        for (text, path) in [
            ("census", "census"),
            ("file:///a/b%20c", "/a/b c"),
            ("FILE://localhost/a", "/a"),
            ("s3://bucket/a", "s3://bucket/a"),
        ] {
            assert_eq!(ok(text), PathBuf::from(path), "{text}");
        }
        for text in [
            "file://host/a",
            "file://a",
            "file:///%2",
            "file:///%+1",
            "gs://b/a",
            "https://h/a",
            "s3:/b/a",
            "http:/u:p@h/a",
        ] {
            assert!(parsed(text.into()).is_err(), "{text}");
        }
    }
}
