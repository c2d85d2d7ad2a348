//! Any bytes are a page.
//!
//! The input is a page and, after byte 0xFE, header fields, one a line. What must hold:
//!
//! - Reading takes bounded memory, and pages read before change nothing.
//! - Statements are in order, within the limits, and begin at a `<` of the page.
//! - What decides is a statement that is valid; a crawler that no statement names gets what those
//!   for all give.

use robocensus::page::{
    EncodingSource, MAX_LINK_STATEMENTS, MAX_STATEMENTS, MAX_TEXT, Page, PageDialect, PageReader,
    StatementSource,
};

use super::{Target, input::Input, memory::peak};

pub const TARGET: Target = Target {
    name: "page",
    seeds,
    words: include_str!("words/page.dict"),
    check,
};

/// Bytes for a page of one byte: the stack, the list and the names of crawlers.
const BYTES_AT_LEAST: usize = 512 * 1024;

fn seeds() -> Vec<Vec<u8>> {
    [
        &b"<!doctype html><html><head><title>t</title><meta name=robots content='noindex, nofollow'></head><body><p>x<a href=/ rel=nofollow>y</a></body></html>"[..],
        b"<meta charset=gbk><p>\x81A<meta name=baiduspider content=noarchive>\xfeX-Robots-Tag: noindex\n",
        b"\xff\xfe<\0p\0>\0<\0m\0e\0t\0a\0 \0n\0a\0m\0e\0=\0r\0o\0b\0o\0t\0s\0 \0c\0o\0n\0t\0e\0n\0t\0=\0a\0l\0l\0>\0",
        b"<meta charset=iso-2022-jp>\x1b$B<<\x1b(B<noscript><div data-nosnippet><a><p></a></noscript>",
        b"<table><b><tr><td><svg><desc><form rel=ugc></svg></td><frameset><template><meta name=robots content=none>",
    ]
    .map(<[u8]>::to_vec)
    .to_vec()
}

pub fn check(bytes: &[u8]) {
    let mut input = Input(bytes);
    let body = input.until(0xfe);
    let fields = input.0.split(|&byte| byte == b'\n').filter_map(|line| {
        let colon = line.iter().position(|&byte| byte == b':')?;
        Some((&line[..colon], line[colon + 1..].trim_ascii()))
    });
    let mut page = Page::new();
    let (mut reader, held) = peak(|| {
        let mut reader = PageReader::new();
        reader.read(body, fields.clone(), &mut page);
        reader
    });
    let bound = BYTES_AT_LEAST + 16 * bytes.len();
    assert!(held <= bound, "{held} bytes for {}", bytes.len());
    check_statements(&page, body);
    let mut again = Page::new();
    reader.read(b"<frameset><svg><b>", [], &mut again);
    reader.read(body, fields, &mut again);
    assert_eq!(format!("{page:?}"), format!("{again:?}"));
}

fn check_statements(page: &Page, body: &[u8]) {
    let statements = page.statements();
    assert!(statements.len() <= MAX_STATEMENTS + MAX_LINK_STATEMENTS);
    let texts = statements.iter().map(|one| page.text(one.written).len());
    assert!(texts.sum::<usize>() <= MAX_TEXT);
    let of_elements = statements
        .iter()
        .filter(|statement| statement.source != StatementSource::Header);
    let mut last = 0;
    for statement in of_elements {
        let at = statement.byte_offset as usize;
        assert!(at >= last && statement.line >= 1 && statement.column >= 1);
        last = at;
        let is_wide = page.encoding().starts_with("UTF-16");
        let first = body[at..].iter().take(1 + usize::from(is_wide));
        assert!(first.copied().any(|byte| byte == b'<'), "{statement:?}");
    }
    if page.encoding_source() == EncodingSource::Bom {
        assert!(page.encoding().starts_with("UTF-"));
    }
    for dialect in PageDialect::ALL {
        let policy = page.policy(dialect, &["no-such-crawler"]);
        let everyone = page.policy(dialect, &["*"]);
        assert_eq!(policy, everyone);
        let decisive = [policy.may_index.statement, policy.may_follow.statement];
        let mut decisive = decisive.into_iter().flatten();
        assert!(decisive.all(|index| statements[index].is_valid));
    }
}
