//! Pages that were written to cost much, encodings, and positions.

use std::time::{Duration, Instant};

use super::{
    MAX_LINK_STATEMENTS, MAX_STATEMENTS, MAX_TEXT, Page, PageDialect, PageFinding, PageReader,
    StatementFinding,
};

fn read(body: &[u8]) -> Page {
    let mut page = Page::new();
    PageReader::new().read(body, [], &mut page);
    page
}

fn texts(page: &Page) -> Vec<String> {
    let statements = page.statements().iter();
    statements
        .map(|statement| page.text(statement.written).to_owned())
        .collect()
}

/// Reads pages of `n` and `4 * n` units of a text, and returns the larger page. Its memory must be
/// bounded by `bytes`, and its time by four times that of the smaller one, with leeway for a busy
/// machine.
fn reads_in_linear_time(n: usize, bytes: usize, page_of: impl Fn(usize) -> Vec<u8>) -> Page {
    let time = |n: usize| {
        let body = page_of(n);
        let mut times = [Duration::MAX; 3];
        let mut page = Page::new();
        for time in &mut times {
            let begin = Instant::now();
            page = read(&body);
            *time = begin.elapsed();
        }
        (times.into_iter().min().unwrap_or_default(), page, body)
    };
    let (small, _, _) = time(n);
    let (large, page, body) = time(4 * n);
    assert!(
        large < 12 * small + Duration::from_millis(50),
        "{small:?} for one part, {large:?} for four"
    );
    let info = allocation_counter::measure(|| drop(read(&body)));
    assert!(
        info.bytes_max <= bytes as u64,
        "{} bytes for a page of {}",
        info.bytes_max,
        body.len()
    );
    page
}

const MIB: usize = 1024 * 1024;

#[test]
fn a_million_tags_that_do_not_end_cost_one_pass() {
    let page = reads_in_linear_time(250_000, MIB, |n| b"<a".repeat(n));
    assert!(page.statements().is_empty());
    assert!(page.findings().contains(PageFinding::EndsInTag));
}

#[test]
fn a_million_links_are_counted_and_a_thousand_recorded() {
    let page = reads_in_linear_time(250_000, 2 * MIB, |n| b"<a rel=nofollow>".repeat(n));
    assert_eq!(page.counts().nofollow_links, 1_000_000);
    assert_eq!(page.statements().len(), MAX_LINK_STATEMENTS);
    assert!(page.findings().contains(PageFinding::TooManyStatements));
}

#[test]
fn an_attribute_of_a_megabyte_is_recorded_up_to_its_limit() {
    let page = reads_in_linear_time(MIB / 4, MIB, |n| {
        let value = vec![b'x'; n];
        [
            &b"<meta name=robots content=\""[..],
            &value,
            b"\"><meta name=robots content=noindex>",
        ]
        .concat()
    });
    let [long, other] = page.statements() else {
        panic!("{:?}", page.statements());
    };
    assert_eq!(long.finding, Some(StatementFinding::ValueTooLong));
    assert_eq!(page.text(long.written).len(), super::attributes::MAX_VALUE);
    assert_eq!(page.text(other.written), "noindex");
    assert!(page.findings().contains(PageFinding::AttributeTooLong));
}

#[test]
fn a_hundred_thousand_meta_elements_give_a_thousand_statements() {
    let page = reads_in_linear_time(25_000, 2 * MIB, |n| {
        b"<meta name=robots content=noindex>".repeat(n)
    });
    assert_eq!(page.statements().len(), MAX_STATEMENTS);
    assert!(page.findings().contains(PageFinding::TooManyStatements));
}

#[test]
fn an_endless_comment_hides_the_rest() {
    let page = reads_in_linear_time(MIB, MIB, |n| {
        [
            &b"<!-- "[..],
            &b"<meta name=robots content=noindex> --".repeat(n / 37),
        ]
        .concat()
    });
    assert!(page.statements().is_empty());
}

#[test]
fn deep_nesting_costs_a_bounded_stack() {
    for text in [
        "<div>",
        "<b id=x>",
        "<table><tr><td>",
        "<svg>",
        "<template>",
    ] {
        let page = reads_in_linear_time(50_000, MIB, |n| text.as_bytes().repeat(n));
        assert!(
            page.findings().contains(PageFinding::NestedTooDeep),
            "{text}"
        );
    }
}

#[test]
fn open_formatting_elements_cost_a_bounded_list() {
    let reads = |page_of: &dyn Fn(usize) -> Vec<u8>| reads_in_linear_time(2_000, MIB, page_of);
    reads(&|n| {
        let open: String = (0..600).map(|id| format!("<b id={id}>")).collect();
        let paragraphs = "<p>x</p></div>".repeat(n);
        [open, paragraphs].concat().into_bytes()
    });
    reads(&|n| "<b><p></b>".repeat(n).into_bytes());
    reads(&|n| "<a><table><td></a>".repeat(n).into_bytes());
}

#[test]
fn many_attributes_cost_nothing() {
    reads_in_linear_time(50_000, MIB, |n| {
        let attributes: String = (0..n).map(|id| format!(" a{id}=b")).collect();
        format!("<a{attributes} rel=nofollow>").into_bytes()
    });
}

#[test]
fn texts_of_statements_are_bounded() {
    let item = "x".repeat(8_000);
    let body = format!("<meta name=robots content='{item}'>").repeat(200);
    let page = read(body.as_bytes());
    assert!(page.findings().contains(PageFinding::TooManyStatements));
    let n_text: usize = texts(&page).iter().map(String::len).sum();
    assert!(n_text <= MAX_TEXT && page.statements().len() > 10);
}

#[test]
fn reading_a_second_page_takes_no_more_memory() {
    let body = b"<p>x<a rel=nofollow href=/>y</a><meta name=robots content=noindex>".repeat(10);
    let mut reader = PageReader::new();
    let mut page = Page::new();
    reader.read(&body, [], &mut page);
    let first = page.clone();
    let n = allocation_counter::measure(|| reader.read(&body, [], &mut page)).count_total;
    // Names of directives and crawlers in lower case are made for each statement.
    assert!(n <= 8 * page.statements().len() as u64, "{n}");
    assert_eq!(texts(&first), texts(&page));
}

#[test]
fn a_page_that_is_cut_within_a_tag_is_flagged() {
    for (body, ends_in_tag) in [
        ("<meta name=robots content=noindex", true),
        ("<p>text", false),
        ("<title>x</titl", false),
        ("<p>a <", false),
        ("<!-- <p", false),
    ] {
        let page = read(body.as_bytes());
        let is_found = page.findings().contains(PageFinding::EndsInTag);
        assert_eq!(is_found, ends_in_tag, "{body}");
        assert!(page.statements().is_empty());
    }
}

#[test]
fn pages_in_other_encodings_have_their_statements_where_they_are() {
    let text =
        "<meta charset=CHARSET>\n<p>\u{65e5}\u{672c}</p>\n<meta name=robots content='no\u{65e5}'>";
    for label in [
        "utf-8",
        "shift_jis",
        "gbk",
        "euc-jp",
        "big5",
        "iso-2022-jp",
        "gb18030",
    ] {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a known label");
        let text = text.replace("CHARSET", label);
        let (bytes, _, _) = encoding.encode(&text);
        let page = read(&bytes);
        assert_eq!(page.encoding(), encoding.name());
        assert_eq!(texts(&page), ["no\u{65e5}"], "{label}");
        let statement = &page.statements()[0];
        assert_eq!((statement.line, statement.column), (3, 1), "{label}");
        assert!(
            bytes[statement.byte_offset as usize..].starts_with(b"<meta name"),
            "{label}"
        );
    }
}

#[test]
fn a_page_in_utf_16_is_read() {
    let text = "<p>\u{e9}</p>\r\n<meta name=robots content=noindex>";
    let bytes: Vec<_> = [0xfeffu16]
        .into_iter()
        .chain(text.encode_utf16())
        .flat_map(u16::to_be_bytes)
        .collect();
    let page = read(&bytes);
    assert_eq!((page.encoding(), texts(&page).len()), ("UTF-16BE", 1));
    let statement = &page.statements()[0];
    assert_eq!(
        (statement.byte_offset, statement.line, statement.column),
        (22, 2, 1)
    );
}

#[test]
fn a_page_in_the_encoding_of_its_xml_declaration_is_read() {
    // The last byte of the character is that of a backslash, and of no text in windows-1252.
    let text =
        b"<?xml version=\"1.0\" encoding=\"shift_jis\"?><meta name=robots content='no\x95\x5c'>";
    let page = read(text);
    assert_eq!(
        (page.encoding(), page.encoding_source().as_str()),
        ("Shift_JIS", "xml")
    );
    assert_eq!(texts(&page), ["no\u{8868}"]);
}

#[test]
fn an_unknown_encoding_is_flagged() {
    let page = read(b"<meta charset=klingon><meta name=robots content=noindex>");
    assert!(page.findings().contains(PageFinding::UnknownEncoding));
    assert_eq!(
        (page.encoding(), page.statements().len()),
        ("windows-1252", 1)
    );
}

#[test]
fn what_is_searched_for_costs_one_pass() {
    for text in [
        "<!-- > -->",
        "<!--->",
        "<script><!--<script>",
        "<script></scrip",
        "<title></titl",
        "<svg><![CDATA[ ]] >",
        "<a x=\"",
        "<a/",
        "<a href=&amp;>",
        "<b class=&amp;>",
        "<meta name=robots content=&",
        "</a b='c'>",
        "&#32;",
        "&",
        "\0",
        "<",
        "</",
        "<!doctype x>",
        "<p>\n",
        "<aaaaaaaaaaaaaaaaa>",
    ] {
        reads_in_linear_time(100_000, 4 * MIB, |n| text.as_bytes().repeat(n / text.len()));
    }
}

#[test]
fn a_long_value_with_a_reference_costs_its_length() {
    let page = reads_in_linear_time(MIB / 4, 4 * MIB, |n| {
        let value = "x".repeat(n);
        format!("<meta name=robots content='no&#105;ndex {value}'>").into_bytes()
    });
    assert_eq!(texts(&page)[0], "noindex");
    assert!(page.findings().contains(PageFinding::AttributeTooLong));
}

#[test]
fn an_attribute_that_may_have_a_statement_is_flagged_where_it_is_cut() {
    let long = "x".repeat(9_000);
    let blanks = " ".repeat(9_000);
    for (body, is_flagged, statements) in [
        (format!("<a href=x rel='{long} nofollow'>"), true, &[][..]),
        (format!("<form rel='nofollow {long}'>"), true, &["nofollow"]),
        (
            format!("<meta name='{blanks}robots' content=noindex>"),
            true,
            &[],
        ),
        (
            format!("<meta name='robots{blanks}-not' content=noindex>"),
            true,
            &[],
        ),
        (
            format!("<meta name=robots content='{blanks}noindex'>"),
            true,
            &[""],
        ),
        (
            format!("<link rel='{long} license' type=application/rsl+xml href=/l>"),
            true,
            &[],
        ),
        (
            format!("<link rel=license type='{blanks}application/rsl+xml' href=/l>"),
            true,
            &[],
        ),
        (
            format!("<link rel=license type='application/rsl+xml;{blanks}' href=/l>"),
            false,
            &["/l"],
        ),
        // What can neither hold nor name a statement is not flagged.
        (format!("<link rel=icon href='data:,{long}'>"), false, &[]),
        (format!("<link rel='{long}' type=text/css>"), false, &[]),
        (
            format!("<meta name=description content='{long}'>"),
            false,
            &[],
        ),
        (
            format!("<meta property=og:image content='{long}'>"),
            false,
            &[],
        ),
        (format!("<a name='{long}' href='{long}'>"), false, &[]),
        (
            format!("<div data-nosnippet content='{long}'>"),
            false,
            &["data-nosnippet"],
        ),
    ] {
        let page = read(body.as_bytes());
        let found = page.findings().contains(PageFinding::AttributeTooLong);
        let about = &body[..40];
        assert_eq!(found, is_flagged, "{about}");
        assert_eq!(texts(&page), statements, "{about}");
    }
}

#[test]
fn a_statement_that_is_cut_decides_nothing() {
    let most = super::attributes::MAX_VALUE;
    // Each element is cut behind what it would state if nothing followed.
    for (element, value, rest) in [
        ("<meta name=robots content='", "max-snippet: 12", "345'>"),
        ("<meta name=robots content='", "noarchive", "-not'>"),
        ("<meta name=robots content='", "noindex", " : x'>"),
        ("<meta name=robots content='", "noindex", ", nofollow'>"),
        ("<meta name=tdm-reservation content='", "1", "0'>"),
        (
            "<meta name=tdm-policy content='",
            "https://a.example/",
            "b'>",
        ),
        (
            "<link rel=license type=application/rsl+xml href='",
            "/l",
            "m'>",
        ),
        ("<a href=/ rel='", "nofollow", "-not'>"),
    ] {
        let blanks = " ".repeat(most - value.len());
        let page = read(format!("{element}{blanks}{value}{rest}").as_bytes());
        assert!(
            page.findings().contains(PageFinding::AttributeTooLong),
            "{value}{rest}"
        );
        assert_eq!(page.counts().nofollow_links, 0);
        for statement in page.statements() {
            assert!(!statement.is_valid, "{value}{rest}: {statement:?}");
            assert_eq!((statement.number, statement.time), (None, None));
            assert_eq!(statement.finding, Some(StatementFinding::ValueTooLong));
        }
        let policy = page.policy(PageDialect::Google, &["*"]);
        assert_eq!(policy, Page::new().policy(PageDialect::Google, &["*"]));
    }
    // A comma before the cut ends the statement.
    let blanks = " ".repeat(most);
    let page = read(format!("<meta name=robots content='noindex,{blanks}nofollow'>").as_bytes());
    let policy = page.policy(PageDialect::Google, &["*"]);
    assert_eq!(
        (policy.may_index.value, policy.may_follow.value),
        (false, true)
    );
    assert_eq!(texts(&page), ["noindex"]);
}
