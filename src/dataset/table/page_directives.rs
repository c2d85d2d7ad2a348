//! The table `page_directives`: one row for each statement of a page.

use super::{Bool, CaptureKey, Int32, Int64, KnownName, Name, PageKeys, Text, as_i32, table};
use crate::page::{Page, Place, StatementFinding, StatementSource};

table! {
    /// one statement of a page: a directive of a meta element, of the header, of the rel of a link,
    /// or of another attribute
    "page_directives": pub struct PageDirectivesBuilder {
        page: PageKeys,
        /// number of the statement in its page, 1 for the first; those of the header come first
        statement_number: Int32,
        /// meta (a meta element), header (a field of the response), link (the rel of a, area, form
        /// or link), attribute (another attribute)
        source: KnownName<StatementSource>,
        /// head, body, noscript or header
        place: KnownName<Place>,
        /// name of the crawler that it is for, lower case; * where it is for all crawlers. A meta
        /// element is one of a crawler if its name is known or in the matrix, or if it is any
        /// product token and its content a list of directives that other metadata do not have
        agent_token: Name [bloom_filter],
        /// name of the directive, lower case
        directive: Name [bloom_filter],
        /// directive and value as written
        directive_raw: Text,
        /// value as written; NULL: none
        value_raw: Text [nullable],
        /// the value where it is a number
        value_number: Int64 [nullable],
        /// line of the element in the body, 1 for the first; NULL: in the header
        line: Int32 [nullable],
        /// column of the element, 1 for the first; NULL: in the header
        column: Int32 [nullable, unit("characters")],
        /// whether it states something: its directive is known and has the value that it needs
        parse_ok: Bool,
        /// unknown_directive, value_missing, value_invalid, value_unexpected, value_too_long (cut,
        /// see pages.has_attribute_too_long), date_without_zone (UTC is assumed), blank_separated
        /// (by white space alone)
        finding: KnownName<StatementFinding> [nullable],
    }
}

impl PageDirectivesBuilder {
    /// Appends the statements of a page, whose key is like that of a capture.
    pub fn append(&mut self, key: CaptureKey<'_>, page: &Page) {
        let statements = page.statements();
        self.page.append_n(key, statements.len());
        for (number, statement) in (1..).zip(statements) {
            self.statement_number.append(number);
            self.source.append(statement.source);
            self.place.append(statement.place);
            self.agent_token.append(page.text(statement.agent_token));
            self.directive.append(page.text(statement.directive_name));
            self.directive_raw.append(page.text(statement.written));
            self.value_raw
                .append(statement.value.map(|value| page.text(value)));
            self.value_number.append(statement.number);
            let is_in_body = statement.line > 0;
            self.line.append(is_in_body.then(|| as_i32(statement.line)));
            self.column
                .append(is_in_body.then(|| as_i32(statement.column)));
            self.parse_ok.append(statement.is_valid);
            self.finding.append(statement.finding);
        }
    }
}
