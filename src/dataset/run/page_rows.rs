//! From pages to rows: what a page states, and what that means for each agent of the matrix.

use super::{config::Config, tables::Tables};
use crate::{
    archive::{capture::Capture, http::Head},
    dataset::{
        summary::Counts,
        table::{CaptureKey, fetch::Provenance},
    },
    page::{Page, PageDialect, PageReader, Statement, StatementSource},
};

/// Turns pages into rows; its memory is reused.
pub(super) struct PageRows {
    reader: PageReader,
    page: Page,
    head: Head,
    /// The tokens of each agent of the matrix, in lower case.
    chains: Vec<Vec<String>>,
}

impl PageRows {
    pub(super) fn new(config: &Config) -> Self {
        let lower = |token: &String| token.to_ascii_lowercase();
        let agents = config.matrix.agents.iter();
        let chains = agents.map(|agent| agent.chain.iter().map(lower).collect());
        let chains: Vec<Vec<String>> = chains.collect();
        Self {
            reader: PageReader::with_crawlers(chains.iter().flatten()),
            page: Page::new(),
            head: Head::default(),
            chains,
        }
    }

    /// Appends the rows of a page whose response has the head `head`, and counts them.
    pub(super) fn append(
        &mut self,
        (tables, counts): (&mut Tables, &mut Counts),
        id: i64,
        provenance: &Provenance<'_>,
        capture: &Capture<'_>,
        head: &[u8],
    ) {
        self.head.parse(head);
        let fields = self.head.fields(head);
        if capture.is_html_page() {
            self.reader.read(capture.payload, fields, &mut self.page);
        } else {
            self.reader.read_fields(fields, &mut self.page);
        }
        let has_policy = self.page.statements().iter().any(is_on_page);
        if tables.pages.is_written() {
            let rows = &mut tables.pages.rows;
            rows.append(id, provenance, capture, &self.page, has_policy);
        }
        let key = CaptureKey {
            id,
            host: capture.location.host_name(),
        };
        if tables.page_directives.is_written() {
            tables.page_directives.rows.append(key, &self.page);
        }
        if has_policy && tables.page_policies.is_written() {
            self.append_policies(tables, key);
        }
        counts.pages += 1;
        counts.pages_with_policy += u64::from(has_policy);
        counts.page_statements += self.page.statements().len() as u64;
    }

    fn append_policies(&self, tables: &mut Tables, key: CaptureKey<'_>) {
        let page = &self.page;
        let on_page = page.statements().iter().filter(|one| is_on_page(one));
        let tokens = on_page.map(|statement| page.text(statement.agent_token));
        let mut named: Vec<&str> = tokens.filter(|&token| token != "*").collect();
        named.sort_unstable();
        named.dedup();
        let is_named = |agent: usize| {
            let mut chain = self.chains[agent].iter();
            !named.is_empty() && chain.any(|token| named.binary_search(&token.as_str()).is_ok())
        };
        for dialect in PageDialect::ALL {
            // Most pages name no agent, so that all have the same answers.
            let of_others = page.policy::<&str>(dialect, &[]);
            let mut agent = 0;
            while agent < self.chains.len() {
                let n_others = (agent..self.chains.len())
                    .take_while(|&agent| !is_named(agent))
                    .count();
                let policies = &mut tables.page_policies.rows;
                if n_others > 0 {
                    policies.append(key, dialect, agent..agent + n_others, &of_others);
                    agent += n_others;
                } else {
                    let policy = page.policy(dialect, &self.chains[agent]);
                    policies.append(key, dialect, agent..agent + 1, &policy);
                    agent += 1;
                }
            }
        }
    }
}

/// Returns true if and only if a statement is about its page as a whole, and can be read.
fn is_on_page(statement: &Statement) -> bool {
    let is_on_page = matches!(
        statement.source,
        StatementSource::Meta | StatementSource::Header
    );
    is_on_page && statement.is_valid
}
