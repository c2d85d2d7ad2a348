//! What pages state about themselves, and how: one function for each trait.
//!
//! A new trait is a function and a line of [`TRAITS`].

use super::{charset::Charset, writer::PageWriter};

/// One kind of page.
pub(super) struct Trait {
    pub(super) name: &'static str,
    pub(super) weight: usize,
    pub(super) write: fn(&mut PageWriter<'_>),
}

macro_rules! traits {
    ($($weight:literal $name:ident,)*) => {
        /// All traits.
        pub(super) static TRAITS: &[Trait] = &[
            $(Trait { name: stringify!($name), weight: $weight, write: $name },)*
        ];
    };
}

// How many of a thousand pages have a trait, about, and the function that writes it.
traits! {
    500 plain,
    180 index_and_previews,
    50 noindex,
    20 noindex_behind_disallow,
    40 nofollow_links,
    15 sponsored_links,
    10 nosnippet_elements,
    10 upper_case,
    8 blanks_instead_of_commas,
    10 several_elements,
    8 duplicate_attributes,
    10 one_crawler,
    10 several_fields,
    8 agent_prefixes,
    6 dates_with_commas,
    10 unquoted_attributes,
    8 unclosed_elements,
    10 comments_scripts_and_templates,
    8 references,
    8 meta_in_body,
    8 meta_in_noscript,
    4 huge_attribute,
    3 deep_nesting,
    4 cut_in_a_tag,
    4 utf_16,
    6 shift_jis,
    6 gbk,
    3 unknown_encoding,
    12 noai,
    6 tdm_reservation,
    3 rsl_license,
    8 contradiction,
    6 unknown_directives,
    3 empty_list,
    6 pdf_with_field,
}

fn plain(_: &mut PageWriter<'_>) {}

fn index_and_previews(page: &mut PageWriter<'_>) {
    page.head(
        "<meta name='robots' content='index, follow, max-image-preview:large, max-snippet:-1, max-video-preview:-1' />\n",
        &[
            "* index",
            "* follow",
            "* max-image-preview=large",
            "* max-snippet=-1",
            "* max-video-preview=-1",
        ],
    );
}

fn noindex(page: &mut PageWriter<'_>) {
    page.head(
        "<meta name=\"robots\" content=\"noindex, nofollow\">\n",
        &["* noindex", "* nofollow"],
    );
}

fn noindex_behind_disallow(page: &mut PageWriter<'_>) {
    page.is_closed = true;
    page.head(
        "<meta name=\"robots\" content=\"noindex\">\n",
        &["* noindex"],
    );
}

fn nofollow_links(page: &mut PageWriter<'_>) {
    for _ in 0..3 + page.random.below(10) {
        let word = page.word();
        page.body(
            &format!("<p><a href=\"https://{word}.example/\" target=\"_blank\" rel=\"noopener nofollow\">{word}</a></p>\n"),
            &[],
        );
        page.count_links(1, &["nofollow"]);
    }
}

fn sponsored_links(page: &mut PageWriter<'_>) {
    page.body(
        "<map name=m><area shape=rect coords=0,0,9,9 href=/offer rel=\"sponsored\"></map>\
         <a href=\"/go?to=1&amp;x=2\" rel='NoFollow Sponsored sponsored'>offer</a>\
         <form action=/buy rel=nofollow></form>\n",
        &[],
    );
    page.count_links(2, &["sponsored"]);
    page.count_links(1, &["nofollow"]);
    // The second link has both values.
    page.stated.counts[1] += 1;
    page.state("link body", &["* nofollow"]);
}

fn nosnippet_elements(page: &mut PageWriter<'_>) {
    page.body(
        "<p data-nosnippet>not here</p><div data-nosnippet>a<span DATA-NOSNIPPET=\"true\">b</span></div>\
         <section class=\"x\" data-nosnippet=''>c</section>\n",
        &[],
    );
    page.stated.counts[4] += 3;
    page.state("attribute body", &["* data-nosnippet"; 3]);
}

fn upper_case(page: &mut PageWriter<'_>) {
    page.head(
        "<META NAME=\"ROBOTS\" CONTENT=\"NOINDEX,NOARCHIVE\">\n",
        &["* noindex", "* noarchive"],
    );
    page.field("X-ROBOTS-TAG: NoSnippet", &["* nosnippet"]);
}

fn blanks_instead_of_commas(page: &mut PageWriter<'_>) {
    page.head(
        "<meta name=\"robots\" content=\"noindex nofollow\">\n",
        &["* noindex", "* nofollow blank_separated"],
    );
}

fn several_elements(page: &mut PageWriter<'_>) {
    page.head(
        "<meta name=\"robots\" content=\"noarchive\"><meta content=\"max-snippet:50\" name=\"robots\">\n\
         <meta name=\"bingbot\" content=\"nocache\">\n",
        &["* noarchive", "* max-snippet=50", "bingbot nocache"],
    );
}

fn duplicate_attributes(page: &mut PageWriter<'_>) {
    page.head(
        "<meta name=\"robots\" name=\"viewport\" content=\"noimageindex\" content=\"noindex\">\n",
        &["* noimageindex"],
    );
}

fn one_crawler(page: &mut PageWriter<'_>) {
    page.head(
        "<meta name=\"Googlebot\" content=\"nosnippet\">\n<meta name=\"Baiduspider\" content=\"noarchive, nofollow\">\n",
        &["googlebot nosnippet", "baiduspider noarchive", "baiduspider nofollow"],
    );
}

fn several_fields(page: &mut PageWriter<'_>) {
    page.field("X-Robots-Tag: noarchive", &["* noarchive"]);
    page.field(
        "X-Robots-Tag: max-snippet: 20, noimageindex",
        &["* max-snippet=20", "* noimageindex"],
    );
}

fn agent_prefixes(page: &mut PageWriter<'_>) {
    page.field("X-Robots-Tag: googlebot: nofollow", &["googlebot nofollow"]);
    page.field(
        "X-Robots-Tag: otherbot: noindex, nofollow",
        &["otherbot noindex", "otherbot nofollow"],
    );
}

fn dates_with_commas(page: &mut PageWriter<'_>) {
    page.head(
        "<meta name=\"robots\" content=\"unavailable_after: Fri, 25 Jun 2027 15:00:00 GMT, noarchive\">\n",
        &["* unavailable_after=Fri, 25 Jun 2027 15:00:00 GMT", "* noarchive"],
    );
    page.field(
        "X-Robots-Tag: unavailable_after: Friday, 25-Jun-27 15:00:00 GMT",
        &["* unavailable_after=Friday, 25-Jun-27 15:00:00 GMT"],
    );
}

fn unquoted_attributes(page: &mut PageWriter<'_>) {
    page.head("<meta name=robots content=noindex>\n", &["* noindex"]);
    page.body(
        "<a class=x href=/y?a=b rel=nofollow>y</a><a/href=/z>z</a>\n",
        &[],
    );
    page.count_links(1, &["nofollow"]);
    page.count_links(1, &[]);
}

fn unclosed_elements(page: &mut PageWriter<'_>) {
    page.body(
        "<p><b><i>one<p>two<ul><li>three<li><a href=/four rel=ugc>four<table><tr><td>five\
         <meta name=robots content=noarchive></table><div><a href=/six>six<a href=/seven>seven\n",
        &["* noarchive"],
    );
    page.count_links(1, &["ugc"]);
    page.count_links(2, &[]);
}

fn comments_scripts_and_templates(page: &mut PageWriter<'_>) {
    const META: &str = "<meta name=\"robots\" content=\"noindex\">";
    page.head(
        &format!("<!-- {META} -- > -->\n<script>var a = '{META}';</script>\n"),
        &[],
    );
    page.head(
        &format!("<script><!-- <script>{META}</script> --></script>\n"),
        &[],
    );
    page.head(
        &format!("<template>{META}<a href=/ rel=nofollow>x</a></template>\n"),
        &[],
    );
    page.body(
        &format!("<textarea>{META}</textarea><p title='{META}'>x</p>\n"),
        &[],
    );
}

fn references(page: &mut PageWriter<'_>) {
    page.head(
        "<meta name=\"rob&#111;ts\" content=\"noindex&#44;&Tab;no&#102;ollow\">\n",
        &["* noindex", "* nofollow"],
    );
    page.body("<a href=\"/x?y&amp;z\" rel=\"no&#x66;ollow\">x</a>\n", &[]);
    page.count_links(1, &["nofollow"]);
}

fn meta_in_body(page: &mut PageWriter<'_>) {
    page.body(
        "<div><meta name=\"robots\" content=\"noindex\"></div>\n",
        &["* noindex"],
    );
}

fn meta_in_noscript(page: &mut PageWriter<'_>) {
    const META: &str = "<noscript><meta name=\"robots\" content=\"nosnippet\"></noscript>\n";
    page.head(META, &[]);
    page.body(META, &[]);
    page.state("meta noscript", &["* nosnippet"; 2]);
}

fn huge_attribute(page: &mut PageWriter<'_>) {
    let blanks = " ".repeat(9_000);
    page.head(
        &format!("<meta name=\"robots\" content=\"noindex{blanks}, noarchive\">\n"),
        &["!* noindex value_too_long"],
    );
    page.stated.findings.push("attribute_too_long");
    let state = page.words(4_000);
    page.body(
        &format!("<div class=\"app\" data-state='{{\"text\":\"{state}\"}}'></div>\n"),
        &[],
    );
}

fn deep_nesting(page: &mut PageWriter<'_>) {
    const DEPTH: usize = 700;
    page.body += &"<div class=\"row\">".repeat(DEPTH);
    page.body(
        "<meta name=\"robots\" content=\"noarchive\">",
        &["* noarchive"],
    );
    page.body += &"</div>".repeat(DEPTH);
    page.stated.findings.push("nested_too_deep");
}

fn cut_in_a_tag(page: &mut PageWriter<'_>) {
    page.is_cut = true;
    page.head(
        "<meta name=\"robots\" content=\"nofollow\">\n",
        &["* nofollow"],
    );
}

fn utf_16(page: &mut PageWriter<'_>) {
    page.charset = Charset::Utf16;
    page.head(
        "<meta name=\"robots\" content=\"noindex\">\n",
        &["* noindex"],
    );
}

fn shift_jis(page: &mut PageWriter<'_>) {
    page.charset = Charset::ShiftJis;
    page.head(
        "<meta name=\"robots\" content=\"noarchive, \u{65e5}\u{672c}\u{8a9e}\">\n",
        &[
            "* noarchive",
            "!* \u{65e5}\u{672c}\u{8a9e} unknown_directive",
        ],
    );
    page.body(&"<p>\u{8868}\u{30bd}\u{306e}</p>\n".repeat(80), &[]);
}

fn gbk(page: &mut PageWriter<'_>) {
    page.charset = Charset::Gbk;
    page.head(
        "<meta name=\"Baiduspider\" content=\"noarchive\">\n",
        &["baiduspider noarchive"],
    );
    page.head(
        "<meta name=\"tdm-policy\" content=\"/\u{4e2d}\u{6587}\">\n",
        &["* tdm-policy=/\u{4e2d}\u{6587}"],
    );
    page.body(&"<p>\u{7f51}\u{9875}\u{4e02}</p>\n".repeat(80), &[]);
}

fn unknown_encoding(page: &mut PageWriter<'_>) {
    page.charset = Charset::Unknown;
    page.stated.findings.push("unknown_encoding");
    page.head(
        "<meta name=\"robots\" content=\"noindex\">\n",
        &["* noindex"],
    );
}

fn noai(page: &mut PageWriter<'_>) {
    page.head(
        "<meta name=\"robots\" content=\"noai, noimageai\">\n",
        &["* noai", "* noimageai"],
    );
}

fn tdm_reservation(page: &mut PageWriter<'_>) {
    page.head(
        "<meta name=\"tdm-reservation\" content=\"1\">\n<meta name=\"tdm-policy\" content=\"/policy.json\">\n",
        &["* tdm-reservation=1", "* tdm-policy=/policy.json"],
    );
    page.field("tdm-reservation: 1", &["* tdm-reservation=1"]);
}

fn rsl_license(page: &mut PageWriter<'_>) {
    page.head(
        "<link rel=\"license\" type=\"application/rsl+xml\" href=\"/license.xml\">\n",
        &[],
    );
    page.state("link head", &["* license=/license.xml"]);
}

fn contradiction(page: &mut PageWriter<'_>) {
    page.field("X-Robots-Tag: noindex", &["* noindex"]);
    page.head(
        "<meta name=\"robots\" content=\"index, follow\">\n",
        &["* index", "* follow"],
    );
}

fn unknown_directives(page: &mut PageWriter<'_>) {
    page.head(
        "<meta name=\"robots\" content=\"noodp, noydir, nocrawl, max-snippet:many\">\n",
        &[
            "* noodp",
            "* noydir",
            "!* nocrawl unknown_directive",
            "!* max-snippet=many value_invalid",
        ],
    );
}

fn empty_list(page: &mut PageWriter<'_>) {
    page.head(
        "<meta name=\"robots\" content=\"\">\n",
        &["!*  value_missing"],
    );
}

fn pdf_with_field(page: &mut PageWriter<'_>) {
    page.media = Some((
        "application/pdf",
        b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n",
    ));
    page.charset = Charset::Unknown;
    page.field("X-Robots-Tag: noindex", &["* noindex"]);
}
