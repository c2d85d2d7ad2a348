//! A page that is written, and the truth about it.

use super::charset::Charset;
use crate::sample::random::Random;

/// A response with a page, and the truth about it.
#[derive(Debug)]
pub(in crate::sample) struct Page {
    /// Path and query of its URL.
    pub(in crate::sample) path: String,
    /// Lines of the header that state something.
    pub(in crate::sample) fields: String,
    pub(in crate::sample) content_type: &'static str,
    pub(in crate::sample) body: Vec<u8>,
    pub(in crate::sample) stated: Stated,
}

/// What is true of a page.
#[derive(Debug, Default)]
pub(in crate::sample) struct Stated {
    /// The name of its trait.
    pub(in crate::sample) trait_name: &'static str,
    pub(in crate::sample) is_html: bool,
    /// The name of its encoding.
    pub(in crate::sample) encoding: &'static str,
    /// Each as `source place agent directive=value finding`, with `!` in front of one that states
    /// nothing.
    pub(in crate::sample) statements: Vec<String>,
    /// Links, those with `nofollow`, `ugc` and `sponsored`, and elements with `data-nosnippet`.
    pub(in crate::sample) counts: [u64; 5],
    /// What is unusual about the page as a whole.
    pub(in crate::sample) findings: Vec<&'static str>,
}

/// The prefix of paths that a robots.txt of the sample disallows.
pub(in crate::sample) const CLOSED_PATH: &str = "/members/";

/// What is served instead of HTML.
const PDF: &[u8] = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n";

/// A page that is written. A trait adds to its header, its head and its body.
pub(super) struct PageWriter<'r> {
    pub(super) random: &'r mut Random,
    pub(super) number: u64,
    /// Whether the robots.txt of its origin disallows it.
    pub(super) is_closed: bool,
    /// Whether it ends within a tag.
    pub(super) is_cut: bool,
    /// Whether it is no HTML.
    pub(super) is_pdf: bool,
    pub(super) charset: Charset,
    pub(super) fields: String,
    pub(super) head: String,
    pub(super) body: String,
    pub(super) stated: Stated,
}

impl<'r> PageWriter<'r> {
    /// Returns an empty page.
    pub(super) fn new(random: &'r mut Random, number: u64, trait_name: &'static str) -> Self {
        PageWriter {
            random,
            number,
            is_closed: false,
            is_cut: false,
            is_pdf: false,
            charset: Charset::Utf8,
            fields: String::new(),
            head: String::new(),
            body: String::new(),
            stated: Stated {
                trait_name,
                ..Stated::default()
            },
        }
    }

    /// Adds a statement at a place, with `!` in front of one that states nothing.
    pub(super) fn state(&mut self, place: &str, statement: &str) {
        self.stated
            .statements
            .push(match statement.strip_prefix('!') {
                Some(rest) => format!("!{place} {rest}"),
                None => format!("{place} {statement}"),
            });
    }

    /// Counts links with these values of `rel`, as they are stated.
    pub(super) fn count_links(&mut self, links: u64, rel: &[&str]) {
        self.count("links", links);
        for value in rel {
            self.count(value, links);
            for _ in 0..links {
                self.state("link body", &format!("* {value}"));
            }
        }
    }

    /// Counts links, those with a value of `rel`, or elements.
    pub(super) fn count(&mut self, counted: &str, n: u64) {
        const COUNTED: [&str; 5] = ["links", "nofollow", "ugc", "sponsored", "nosnippet"];
        let index = COUNTED.iter().position(|known| *known == counted);
        self.stated.counts[index.expect("something that is counted")] += n;
    }

    /// Returns a word of a made-up language. Some words are much more frequent than others.
    pub(super) fn word(&mut self) -> String {
        const WORDS: usize = 800;
        let mut number = WORDS;
        for _ in 0..4 {
            number = 1 + self.random.below(number);
        }
        let mut word = String::new();
        while number > 0 {
            word.push(char::from(b"tnsrldkmpgbvfz"[number % 14]));
            word.push(char::from(b"aeiou"[number / 14 % 5]));
            number /= 70;
        }
        word
    }

    pub(super) fn words(&mut self, n: usize) -> String {
        let words: Vec<_> = (0..n).map(|_| self.word()).collect();
        words.join(" ")
    }

    fn title(&mut self) -> String {
        let n_words = 2 + self.random.below(5);
        self.words(n_words)
    }

    /// Returns the page as a whole.
    pub(super) fn finish(mut self) -> Page {
        let folder = if self.is_closed { CLOSED_PATH } else { "/" };
        let path = format!("{folder}{}-{}.html", self.word(), self.number);
        self.stated.is_html = !self.is_pdf;
        let (content_type, body) = if self.is_pdf {
            ("application/pdf", PDF.to_vec())
        } else {
            let html = self.html();
            (self.charset.content_type(), self.charset.encode(&html))
        };
        self.stated.encoding = self.charset.name();
        Page {
            path,
            fields: self.fields,
            content_type,
            body,
            stated: self.stated,
        }
    }

    fn html(&mut self) -> String {
        let target = 30_000 + self.random.below(10_000);
        let title = self.title();
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n{}",
            self.charset.meta()
        );
        html += &format!(
            "<title>{title}</title>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"description\" content=\"{}\">\n\
             <meta property=\"og:title\" content=\"{title}\">\n\
             <link rel=\"canonical\" href=\"https://www.example/{}\">\n",
            self.words(18),
            self.number,
        );
        for _ in 0..2 + self.random.below(5) {
            html += &format!(
                "<link rel=\"stylesheet\" id=\"{0}-css\" href=\"/assets/{0}/style.min.css?ver={1}\" media=\"all\">\n",
                self.word(),
                self.random.below(90),
            );
        }
        html += &self.style();
        html += &std::mem::take(&mut self.head);
        html += &self.script();
        html += "</head>\n<body class=\"page page-template-default\">\n";
        html += &self.navigation();
        html += "<main id=\"content\" class=\"site-main\">\n";
        let (before, ending) = (target / 2, self.ending());
        self.paragraphs(&mut html, before);
        html += &std::mem::take(&mut self.body);
        let rest = target.saturating_sub(ending.len());
        self.paragraphs(&mut html, rest);
        html += &ending;
        if self.is_cut {
            html += "<a class=\"next\" href=\"/page/2\" rel=\"nofollo";
            self.stated.findings.push("ends_in_tag");
        } else {
            html += "</main>\n</body>\n</html>\n";
        }
        html
    }

    fn style(&mut self) -> String {
        let mut style = "<style id=\"inline-css\">\n".to_owned();
        for _ in 0..20 + self.random.below(40) {
            style += &format!(
                ".{}-{} > a:hover {{ margin: 0 {}px; color: #{}; display: inline-block }}\n",
                self.word(),
                self.word(),
                self.random.below(32),
                self.random
                    .pick(&["fff", "222", "1a73e8", "f5f5f5", "c0392b"]),
            );
        }
        style + "</style>\n"
    }

    fn script(&mut self) -> String {
        let mut script = "<script>\nvar settings = {".to_owned();
        for _ in 0..30 + self.random.below(60) {
            script += &format!(
                "\"{}\":{{\"id\":{},\"url\":\"https:\\/\\/www.example\\/{}\",\"on\":{}}},",
                self.word(),
                self.random.below(1_000),
                self.word(),
                self.random.per_mille(500),
            );
        }
        script
            + "};\nfor (var i = 0; i < 3 && settings; i++) { document.title += '<b>' + i; }\n</script>\n"
    }

    fn navigation(&mut self) -> String {
        let mut html =
            "<header class=\"site-header\"><nav aria-label=\"Main\">\n<ul class=\"menu\">\n"
                .to_owned();
        let n_items = 8 + self.random.below(20);
        for item in 0..n_items {
            html += &format!(
                "\t<li id=\"menu-item-{item}\" class=\"menu-item menu-item-type-post\"><a href=\"/{0}/{1}/\">{0} {1}</a></li>\n",
                self.word(),
                self.word(),
            );
        }
        self.count_links(n_items as u64, &[]);
        html + "</ul>\n</nav></header>\n"
    }

    /// Appends paragraphs, headings and images until `html` has so many bytes.
    fn paragraphs(&mut self, html: &mut String, bytes: usize) {
        while html.len() < bytes {
            let n_words = 20 + self.random.below(60);
            let text = self.words(n_words);
            *html += &match self.random.below(10) {
                0 => format!("<h2 class=\"wp-block-heading\">{}</h2>\n", self.title()),
                1 => format!(
                    "<figure class=\"wp-block-image size-large\"><img loading=\"lazy\" decoding=\"async\" width=\"1024\" height=\"{}\" src=\"/uploads/{}.jpg\" alt=\"{}\" /></figure>\n",
                    self.random.below(900),
                    self.word(),
                    self.title(),
                ),
                2 => format!(
                    "<div class=\"box\"><span class=\"label\">{}</span>\n<p>{text}</p></div>\n",
                    self.word()
                ),
                3..5 => {
                    self.count_links(1, &[]);
                    let (link, title) = (self.word(), self.title());
                    format!(
                        "<p>{text} <a class=\"more-link\" href=\"/{link}?a=1&amp;b=2\" title=\"{title}\">{title}</a>.</p>\n"
                    )
                }
                5 => format!(
                    "<ul><li>{text}<li><em>{}</em> &ndash; <b>{}</b></ul>\n",
                    self.word(),
                    self.word()
                ),
                _ => format!("<p>{text}</p>\n"),
            };
        }
    }

    /// Returns the comments of readers and the footer.
    fn ending(&mut self) -> String {
        let mut html = String::new();
        if self.random.per_mille(150) {
            let n_comments = 1 + self.random.below(8);
            html += "<ol class=\"comment-list\">\n";
            for comment in 0..n_comments {
                html += &format!(
                    "<li id=\"comment-{comment}\"><cite><a href=\"https://{0}.example/\" class=\"url\" rel=\"ugc external nofollow\">{0}</a></cite> <p>{1}</p></li>\n",
                    self.word(),
                    self.title(),
                );
            }
            self.count_links(n_comments as u64, &["ugc", "nofollow"]);
            html += "</ol>\n";
        }
        self.count_links(1, &[]);
        html += "<footer><!-- end of content --><a href=\"/privacy/\">privacy</a></footer>\n";
        html += &self.script();
        html
    }
}
