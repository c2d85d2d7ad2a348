//! From elements and fields to statements.

use super::{
    Page,
    attributes::{Attribute, Attributes},
    crawlers::{self, ContentKind, CrawlerNames},
    decode::{Location, Locator},
    directive::{self, Item, List},
    statement::{Directive, PageFinding, Place, Statement, StatementFinding, StatementSource},
    tag::Tag,
    tokens::{Found, FoundElement},
};

/// Statements on the whole page that are recorded: 1,000. Pages have fewer than ten.
pub const MAX_STATEMENTS: usize = 1_000;
/// Statements on single links and elements that are recorded: 1,000. All of them are counted.
pub const MAX_LINK_STATEMENTS: usize = 1_000;
/// Bytes of text of the statements of a page that are recorded: 1 MiB.
pub const MAX_TEXT: usize = 1024 * 1024;

/// The media type of a license (RSL 1.0).
const RSL: &[u8] = b"application/rsl+xml";
const ALL_CRAWLERS: &[u8] = b"*";

/// Names of elements and fields of the TDM Reservation Protocol.
const TDM: [(&[u8], Directive); 2] = [
    (b"tdm-reservation", Directive::TdmReservation),
    (b"tdm-policy", Directive::TdmPolicy),
];

/// What was recorded before the first element of the body.
#[derive(Clone, Copy)]
struct BodyStart {
    n_statements: usize,
    n_text: usize,
    n_of_page: usize,
    n_of_links: usize,
    counts: super::PageCounts,
}

/// Writes the statements of a page.
pub(super) struct Collector<'c> {
    page: &'c mut Page,
    crawlers: &'c CrawlerNames,
    n_of_page: usize,
    n_of_links: usize,
    body_start: Option<BodyStart>,
}

impl<'c> Collector<'c> {
    pub fn new(page: &'c mut Page, crawlers: &'c CrawlerNames) -> Collector<'c> {
        Collector {
            page,
            crawlers,
            n_of_page: 0,
            n_of_links: 0,
            body_start: None,
        }
    }

    /// Reads one field of the response.
    pub fn field(&mut self, name: &[u8], value: &[u8]) {
        let context = Context {
            source: StatementSource::Header,
            place: Place::Header,
            agent: b"",
            location: Location::default(),
        };
        if name.eq_ignore_ascii_case(b"x-robots-tag") {
            let list = List {
                text: value,
                is_field: true,
                is_cut: false,
            };
            directive::read(list, &mut |item| self.add(&context, &item, true));
        } else if let Some((_, directive)) =
            TDM.iter().find(|(tdm, _)| tdm.eq_ignore_ascii_case(name))
        {
            self.add_tdm(&context, *directive, value, false);
        }
    }

    /// Reads what was found of the page.
    pub fn found(&mut self, found: Found<'_>, locator: &mut Locator<'_>) {
        match found {
            Found::Element(element) => self.element(&element, locator),
            Found::Body => {
                self.body_start = Some(BodyStart {
                    n_statements: self.page.statements.len(),
                    n_text: self.page.text.len(),
                    n_of_page: self.n_of_page,
                    n_of_links: self.n_of_links,
                    counts: self.page.counts,
                });
            }
            Found::BodyRemoved => {
                if let Some(start) = self.body_start.take() {
                    let is_any = self.page.statements.len() > start.n_statements
                        || self.page.counts != start.counts;
                    self.page.statements.truncate(start.n_statements);
                    self.page.text.truncate(start.n_text);
                    self.page.counts = start.counts;
                    self.n_of_page = start.n_of_page;
                    self.n_of_links = start.n_of_links;
                    if is_any {
                        self.page.findings.insert(PageFinding::BodyRemoved);
                    }
                }
            }
        }
    }

    fn element(&mut self, element: &FoundElement<'_>, locator: &mut Locator<'_>) {
        let attributes = element.attributes;
        match element.tag {
            Tag::Meta => self.meta(element, locator),
            Tag::Link => self.license(element, locator),
            Tag::A | Tag::Area | Tag::Form => self.link(element, locator),
            _ => {
                if attributes.get(Attribute::DataNosnippet).is_some() {
                    self.page.counts.nosnippets += 1;
                    let context = Context::of(element, StatementSource::Attribute, locator);
                    self.add_link(&context, Directive::DataNosnippet, b"data-nosnippet");
                }
            }
        }
    }

    /// Flags the page where an attribute that may hold or name a statement is cut.
    fn flag(&mut self, is_cut: bool) {
        if is_cut {
            self.page.findings.insert(PageFinding::AttributeTooLong);
        }
    }

    fn meta(&mut self, element: &FoundElement<'_>, locator: &mut Locator<'_>) {
        let attributes = element.attributes;
        let Some(written) = attributes.get(Attribute::Name).map(<[u8]>::trim_ascii) else {
            return;
        };
        if attributes.is_cut(Attribute::Name) {
            return self.flag(true);
        }
        let content = attributes.get(Attribute::Content).unwrap_or_default();
        let is_cut = attributes.is_cut(Attribute::Content);
        let name = written.to_ascii_lowercase();
        if let Some((_, directive)) = TDM.iter().find(|(tdm, _)| *tdm == name) {
            self.flag(is_cut);
            let context = Context::of(element, StatementSource::Meta, locator);
            return self.add_tdm(&context, *directive, content.trim_ascii(), is_cut);
        }
        let list = List {
            text: content,
            is_field: false,
            is_cut,
        };
        let is_known = name == b"robots" || self.crawlers.contains(&name);
        if !is_known {
            if !crawlers::may_be_crawler(&name) {
                return;
            }
            let kind = ContentKind::of(list);
            if !kind.is_unmistakable {
                return self.flag(is_cut && kind.is_of_directives);
            }
        }
        self.flag(is_cut);
        let mut context = Context::of(element, StatementSource::Meta, locator);
        context.agent = written;
        directive::read(list, &mut |item| self.add(&context, &item, true));
    }

    fn license(&mut self, element: &FoundElement<'_>, locator: &mut Locator<'_>) {
        let attributes = element.attributes;
        let is_license =
            tokens(attributes, Attribute::Rel).any(|token| token.eq_ignore_ascii_case(b"license"));
        let media_type = attributes.get(Attribute::Type).unwrap_or_default();
        let mut parts = media_type.split(|&byte| byte == b';');
        let essence = parts.next().unwrap_or_default().trim_ascii();
        // Behind a semicolon are parameters, which do not matter.
        let is_type_cut = attributes.is_cut(Attribute::Type) && parts.next().is_none();
        let is_rsl = !is_type_cut && essence.eq_ignore_ascii_case(RSL);
        let is_rel_cut = attributes.is_cut(Attribute::Rel);
        if !((is_license || is_rel_cut) && (is_rsl || is_type_cut)) {
            return;
        }
        let is_cut = attributes.is_cut(Attribute::Href);
        self.flag(is_rel_cut || is_type_cut || is_cut);
        if !(is_license && is_rsl) {
            return;
        }
        let url = attributes
            .get(Attribute::Href)
            .unwrap_or_default()
            .trim_ascii();
        let context = Context::of(element, StatementSource::Link, locator);
        let mut item = of_value(Directive::License, url, !url.is_empty());
        if is_cut {
            item.cut();
        }
        self.add(&context, &item, true);
    }

    fn link(&mut self, element: &FoundElement<'_>, locator: &mut Locator<'_>) {
        let attributes = element.attributes;
        self.flag(attributes.is_cut(Attribute::Rel));
        let mut stated = [false; 3];
        const STATED: [Directive; 3] = [Directive::Nofollow, Directive::Ugc, Directive::Sponsored];
        let mut context = None;
        for token in tokens(attributes, Attribute::Rel) {
            let index = STATED
                .iter()
                .position(|directive| token.eq_ignore_ascii_case(directive.as_str().as_bytes()));
            let Some(index) = index else {
                continue;
            };
            if !std::mem::replace(&mut stated[index], true) {
                let context = context
                    .get_or_insert_with(|| Context::of(element, StatementSource::Link, locator));
                self.add_link(context, STATED[index], token);
            }
        }
        let is_hyperlink = element.tag != Tag::Form && attributes.get(Attribute::Href).is_some();
        let counts = &mut self.page.counts;
        counts.links += u64::from(is_hyperlink || stated.contains(&true));
        counts.nofollow_links += u64::from(stated[0]);
        counts.ugc_links += u64::from(stated[1]);
        counts.sponsored_links += u64::from(stated[2]);
    }

    fn add_tdm(&mut self, context: &Context<'_>, directive: Directive, value: &[u8], is_cut: bool) {
        let is_valid = match directive {
            Directive::TdmReservation => matches!(value, b"0" | b"1"),
            _ => !value.is_empty(),
        };
        let mut item = of_value(directive, value, is_valid);
        if is_valid && directive == Directive::TdmReservation {
            item.number = Some(i64::from(value[0] - b'0'));
        }
        if is_cut {
            item.cut();
        }
        self.add(context, &item, true);
    }

    fn add_link(&mut self, context: &Context<'_>, directive: Directive, written: &[u8]) {
        let item = Item {
            name: written,
            directive: Some(directive),
            ..Item::other(written)
        };
        self.add(context, &item, false);
    }

    /// Records a statement, and returns false where no more are recorded.
    fn add(&mut self, context: &Context<'_>, item: &Item<'_>, is_of_page: bool) -> bool {
        let (n, most) = if is_of_page {
            (&mut self.n_of_page, MAX_STATEMENTS)
        } else {
            (&mut self.n_of_links, MAX_LINK_STATEMENTS)
        };
        // Decoding may make three bytes of one.
        let n_text = 3 * (2 * item.written.len() + 3 * context.agent.len() + item.name.len());
        if *n >= most || self.page.text.len() + n_text > MAX_TEXT {
            self.page.findings.insert(PageFinding::TooManyStatements);
            return false;
        }
        *n += 1;
        let page = &mut *self.page;
        let raw = item.agent.unwrap_or(context.agent);
        let is_for_all = match item.agent {
            Some(agent) => agent == ALL_CRAWLERS,
            None => context.agent.is_empty() || context.agent.eq_ignore_ascii_case(b"robots"),
        };
        let agent_token = if is_for_all {
            page.push_text(ALL_CRAWLERS)
        } else {
            page.push_text(&raw.to_ascii_lowercase())
        };
        let statement = Statement {
            source: context.source,
            place: context.place,
            agent_raw: page.push_text(raw),
            agent_token,
            directive_name: page.push_text(&item.name.to_ascii_lowercase()),
            directive: item.directive,
            written: page.push_text(item.written),
            value: item.value.map(|value| page.push_text(value)),
            number: item.number,
            time: item.time,
            byte_offset: context.location.byte_offset,
            line: context.location.line,
            column: context.location.column,
            is_valid: item.is_valid,
            finding: item.finding,
        };
        page.statements.push(statement);
        true
    }
}

/// Returns the statement of an element or a field that is for one directive.
fn of_value<'t>(directive: Directive, value: &'t [u8], is_valid: bool) -> Item<'t> {
    Item {
        name: directive.as_str().as_bytes(),
        directive: Some(directive),
        value: Some(value),
        is_valid,
        finding: match (is_valid, value.is_empty()) {
            (true, _) => None,
            (false, true) => Some(StatementFinding::ValueMissing),
            (false, false) => Some(StatementFinding::ValueInvalid),
        },
        ..Item::other(value)
    }
}

/// What is the same for all statements of an element or field.
struct Context<'e> {
    source: StatementSource,
    place: Place,
    agent: &'e [u8],
    location: Location,
}

impl<'e> Context<'e> {
    fn of(
        element: &FoundElement<'e>,
        source: StatementSource,
        locator: &mut Locator<'_>,
    ) -> Context<'e> {
        Context {
            source,
            place: element.at,
            agent: b"",
            location: locator.locate(element.offset),
        }
    }
}

/// Returns the tokens of an attribute, without one that is cut.
fn tokens(attributes: &Attributes, attribute: Attribute) -> impl Iterator<Item = &[u8]> {
    let mut value = attributes.get(attribute).unwrap_or_default();
    if attributes.is_cut(attribute) {
        let last = value.iter().rposition(u8::is_ascii_whitespace);
        value = &value[..last.unwrap_or_default()];
    }
    value
        .split(u8::is_ascii_whitespace)
        .filter(|token| !token.is_empty())
}
