//! The elements of generated and mutated pages, against those of the tree that html5ever builds.
//!
//! Both must find the same elements, with the same attributes, in the same places. html5ever copies
//! an `a` where its start and end tags overlap those of a block; a copy is not an element of the
//! page, so an `a` of the tree only needs one of the page with the same attributes.

use std::{collections::BTreeSet, sync::LazyLock};

use super::{
    attributes::{Attribute, Attributes},
    html_tree::each_element,
    tokens::{self, Found},
    tree::Tree,
};
use crate::sample::random::Random;

/// Pages that are compared in each of the two tests.
const PAGES: u64 = 5_000;

/// An element: its name, its attributes that are compared, and where it is.
type Element = (String, Vec<(&'static str, String)>, &'static str);

const COMPARED: [(&str, Attribute); 6] = [
    ("name", Attribute::Name),
    ("content", Attribute::Content),
    ("rel", Attribute::Rel),
    ("href", Attribute::Href),
    ("type", Attribute::Type),
    ("data-nosnippet", Attribute::DataNosnippet),
];
const REPORTED: [&str; 8] = [
    "meta", "link", "a", "area", "form", "span", "div", "section",
];

fn ours(page: &[u8]) -> BTreeSet<Element> {
    let mut tree = Tree::new();
    let mut found = Vec::new();
    let mut body = None;
    let attributes = |attributes: &Attributes| {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let all = COMPARED.iter();
        all.filter_map(|&(name, attribute)| Some((name, text(attributes.get(attribute)?))))
            .collect::<Vec<_>>()
    };
    tokens::elements(
        page,
        &mut tree,
        &mut Attributes::default(),
        &mut |next| match next {
            Found::Body => body = Some(found.len()),
            Found::BodyRemoved => found.truncate(body.unwrap_or(found.len())),
            Found::Element(element) => {
                let name = format!("{:?}", element.tag).to_lowercase();
                found.push((name, attributes(element.attributes), element.at.as_str()));
            }
        },
    );
    found.into_iter().collect()
}

fn theirs(page: &[u8]) -> BTreeSet<Element> {
    let mut found = BTreeSet::new();
    each_element(page, |element| {
        if !REPORTED.contains(&element.name) {
            return;
        }
        let compared = COMPARED.iter().filter_map(|&(name, _)| {
            let value = element.value(name)?;
            // Of links it only matters that they have a target.
            let is_target = name == "href" && element.name != "link";
            Some((name, if is_target { "" } else { value }.to_owned()))
        });
        found.insert((element.name.to_owned(), compared.collect(), element.place));
    });
    found
}

/// Returns how the two differ on a page, if they do.
fn difference(page: &[u8]) -> Option<String> {
    let (ours, theirs) = (ours(page), theirs(page));
    let lacks: Vec<_> = ours.difference(&theirs).collect();
    // An `a` that a template leaves open is copied out of it.
    let has_template = page
        .windows(9)
        .any(|word| word.eq_ignore_ascii_case(b"<template"));
    let is_copy = |element: &&Element| {
        let same = |other: &Element| (&other.0, &other.1) == (&element.0, &element.1);
        element.0 == "a" && (has_template || ours.iter().any(same))
    };
    let has: Vec<_> = theirs
        .difference(&ours)
        .filter(|element| !is_copy(element))
        .collect();
    let is_same = lacks.is_empty() && has.is_empty();
    let page = page.escape_ascii();
    (!is_same).then(|| format!("only here: {lacks:?}\nonly there: {has:?}\n{page}"))
}

/// Start tags without attributes.
///
/// Elements that html5ever 0.40 treats unlike the standard are left out: `keygen`, `search` and the
/// integration points of SVG and MathML are not special to it, and `annotation-xml` ends no scope
/// (13.2.4.2), so tags in them close what is around them. Integration points are in [`SNIPPETS`],
/// which close what they open; they are not mutated.
const NAMES: &str = "\
    html head body frameset frame noframes noscript template style script base p div section \
    span h1 h3 pre li ul ol dl dd dt table caption colgroup col tbody thead tfoot tr td th \
    select option optgroup button form input textarea xmp iframe noembed plaintext b i nobr \
    font u em a applet object marquee svg math ruby rp rt rtc rb br hr img image area param \
    address blockquote listing center details menu fieldset mglyph custom-a unknown wbr \
    embed video article main";
/// Names that are drawn more often than the others.
const FREQUENT: &str = "p div a b table tr td noscript template svg head body font select li form";
const TEXTS: &[&str] = &[
    " ",
    "\n",
    "text",
    "\r\n",
    "&#32;",
    "&nbsp;",
    "&amp;x",
    "\t \n",
    "\0",
    "<",
    "</",
    "<!",
    "</ x>",
    "<!-- <meta name=a> -->",
    "<!---->",
    "<!-->",
    "<!doctype html>",
    "<?x y>",
    "]]>",
    "&lt",
    "&#0;",
    "<![CDATA[ <a href=x> ]]>",
    "<!-- ",
    "-->",
    "\u{e9}\u{65e5}",
];
const SNIPPETS: &[&str] = &[
    "<title>a<b type=s1></title>",
    "<svg><title><div type=s2></div><b></b></title><a type=s3></a></svg>",
    "<svg><foreignObject><a type=s4></a><p><table><td><span type=s5></table></p></foreignObject></svg>",
    "<svg><desc><meta name=s6></desc><g><p><span type=s7></svg>",
    "<math><mi><div type=s8></div></mi><mglyph></mglyph><mtext><mglyph><a type=s9></a></mglyph></mtext></math>",
    "<math><annotation-xml encoding=text/html><span type=s10></span></annotation-xml></math>",
    "<math><annotation-xml><svg><a type=s11></a></svg><area type=s12></annotation-xml></math>",
    "<svg><style><a type=s13></style><script><a type=s14></script></svg>",
    "<svg><font color=red><div type=s15></div></svg>",
    "<svg><font class=a><a type=s16></a></font></svg>",
    "<![CDATA[<a type=s17>]]>",
    "<select><a type=s18></a><option><div type=s19></div></select>",
];
const DOCTYPES: &[&str] = &[
    "",
    "<!doctype html>",
    "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\">",
    "<!doctype html SYSTEM \"about:legacy-compat\">",
    "<!doctype x>",
    " \n<!-- c --><!doctype html>",
];

/// The names of the two texts.
static WORDS: LazyLock<[Vec<&str>; 2]> =
    LazyLock::new(|| [NAMES, FREQUENT].map(|names| names.split_whitespace().collect()));

fn pick_name(random: &mut Random) -> &'static str {
    let is_frequent = random.per_mille(400);
    random.pick(&WORDS[usize::from(is_frequent)])
}

/// Writes an element that is compared, with a number that no other has.
fn push_reported(random: &mut Random, number: usize, page: &mut String) {
    let quote = random.pick(&["\"", "'", ""]);
    let name = random.pick(&REPORTED);
    let name = if random.per_mille(100) {
        name.to_uppercase()
    } else {
        name.to_owned()
    };
    page.push('<');
    page.push_str(&name);
    for _ in 0..random.below(4) {
        let attribute = random.pick(&[
            "name",
            "CONTENT",
            "rel",
            "href",
            "type",
            "data-nosnippet",
            "id",
            "Rel",
            "x:y",
            "color",
        ]);
        page.push_str(random.pick(&[" ", "\n", "\t\t", "/", " / "]));
        page.push_str(attribute);
        if random.per_mille(850) {
            page.push_str(random.pick(&["=", " = ", "=\n"]));
            page.push_str(quote);
            page.push_str(
                random.pick(&["robots", "a&amp;b", "x&notit;", "nofollow", "", "a>b", "\0"]),
            );
            page.push_str(quote);
        }
    }
    page.push_str(&format!(" type=n{number}"));
    page.push_str(random.pick(&[">", ">", ">", "/>", " />"]));
}

fn generated(random: &mut Random, snippets: &[&str]) -> String {
    let mut page = random.pick(DOCTYPES).to_owned();
    for number in 0..random.below(60) {
        match random.below(10) {
            0..3 => push_reported(random, number, &mut page),
            3..6 => {
                let attributes = random.pick(&[
                    "",
                    "",
                    "",
                    " type=hidden",
                    " color=red",
                    " class=a",
                    " encoding=text/html",
                    "/",
                    " class=a id=b",
                    " id=b class=a",
                ]);
                page.push_str(&format!("<{}{attributes}>", pick_name(random)));
            }
            6..8 => page.push_str(&format!("</{}>", pick_name(random))),
            8 => page.push_str(random.pick(TEXTS)),
            _ => page.push_str(random.pick(snippets)),
        }
    }
    page
}

/// Changes a few bytes, and words of markup, of a page.
fn mutated(random: &mut Random, page: String) -> Vec<u8> {
    let mut bytes = page.into_bytes();
    for _ in 0..=random.below(5) {
        let at = random.below(bytes.len() + 1);
        let n = random.below(12).min(bytes.len() - at);
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] = random.pick(b"<>/=\"'&;!-? \n\0a\xe9"),
            1 => drop(bytes.drain(at..at + n)),
            2 => bytes.truncate(at),
            3 => {
                let copy = bytes[at..at + n].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            _ => {
                let word = random.pick(&[
                    "<a href=", "</", "<meta ", "\"", "-->", "<!--", "/>", "<svg>",
                ]);
                bytes.splice(at..at, word.bytes());
            }
        }
    }
    bytes
}

fn run(page_of: impl Fn(&mut Random) -> Vec<u8>) {
    let mut n_elements = 0;
    let mut failures = Vec::new();
    for seed in 0..PAGES {
        let page = page_of(&mut Random::new(seed));
        n_elements += ours(&page).len();
        if let Some(difference) = difference(&page) {
            failures.push(format!("seed {seed}: {difference}"));
        }
    }
    let first: Vec<_> = failures.iter().take(3).map(String::as_str).collect();
    let n_failures = failures.len();
    assert!(
        n_failures == 0,
        "{n_failures} pages differ\n{}",
        first.join("\n\n")
    );
    assert!(n_elements > PAGES as usize, "{n_elements}");
}

#[test]
fn generated_pages_have_the_elements_of_an_independent_parser() {
    run(|random| generated(random, SNIPPETS).into_bytes());
}

#[test]
fn mutated_pages_have_the_elements_of_an_independent_parser() {
    run(|random| {
        let page = generated(random, TEXTS);
        mutated(random, page)
    });
}
