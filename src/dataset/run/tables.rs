//! The rows of all tables of a part: where one worker appends them.

use std::sync::Arc;

use super::config::Config;
use crate::{
    archive::error::Error,
    dataset::{
        sink::{Format, RowGroup},
        table::{
            PAGE_PART_TABLES, PART_TABLES, TableBuilder, agents::AgentsBuilder,
            archive_errors::ArchiveErrorsBuilder, archive_skips::ArchiveSkipsBuilder,
            archives::ArchivesBuilder, bodies::BodiesBuilder, captures::CapturesBuilder,
            comments::CommentsBuilder, directives::DirectivesBuilder, errors::ErrorsBuilder,
            groups::GroupsBuilder, page_directives::PageDirectivesBuilder,
            page_policies::PagePoliciesBuilder, pages::PagesBuilder,
            response_errors::ResponseErrorsBuilder, rules::RulesBuilder, signals::SignalsBuilder,
            verdict_sets::VerdictSetsBuilder,
        },
        table_rows::TableRows,
    },
};

/// Rows that a builder collects before they are encoded: few enough to stay in the processor's
/// caches, and as many as make a page of a file.
pub(super) const BATCH_ROWS: usize = 20 * 1024;
/// Bytes of encoded rows at which they are handed over, so that archives of any size take no more
/// memory than small ones.
pub(super) const HAND_OVER_BYTES: usize = 16 * 1024 * 1024;

/// Finished row groups of tables, by the name of each table.
pub(super) type RowGroups = Vec<(&'static str, Vec<RowGroup>)>;

/// Returns the layouts of the tables of a part that are written, with key-value metadata for their
/// files.
pub(super) fn formats(
    config: &Config,
    metadata: &[(String, String)],
) -> Result<Vec<Arc<Format>>, Error> {
    let tables = PART_TABLES.iter().chain(PAGE_PART_TABLES);
    tables
        .filter(|table| config.tables.includes(table.name, config.pages))
        .map(|table| Ok(Arc::new(Format::new(table, metadata)?)))
        .collect()
}

/// Returns no rows of a table of parts, which is written if it is among the formats.
pub(super) fn table_rows<B: TableBuilder>(rows: B, formats: &[Arc<Format>]) -> TableRows<B> {
    let mut formats = formats.iter();
    let format = formats.find(|format| format.name == B::TABLE.name);
    TableRows::new(rows, BATCH_ROWS, format.cloned())
}

/// Declares the tables of a worker: the builder of each, and how it is made.
macro_rules! tables {
    (
        ($config:ident, $options_digest:ident)
        $($(#[doc = $doc:literal])* $table:ident: $Builder:ty = $new:expr,)+
    ) => {
        /// The rows of all tables of a part that are not handed over yet; those of pages only in a
        /// run that reads pages.
        pub(super) struct Tables {
            $($(#[doc = $doc])* pub(super) $table: TableRows<$Builder>,)+
        }

        impl Tables {
            pub(super) fn new(
                $config: &Config,
                $options_digest: &str,
                formats: &[Arc<Format>],
            ) -> Self {
                Self { $($table: table_rows($new, formats),)+ }
            }

            /// Encodes the batches that are full.
            pub(super) fn encode_full(&mut self) -> Result<(), Error> {
                $(self.$table.encode_full()?;)+
                Ok(())
            }

            /// Returns about how many bytes of memory the encoded rows take.
            pub(super) fn memory_size(&self) -> usize {
                [$(self.$table.encoded_bytes),+].iter().sum()
            }

            /// Encodes what is left and hands out the row groups of every table.
            pub(super) fn finish(&mut self) -> Result<RowGroups, Error> {
                Ok(vec![$((<$Builder>::TABLE.name, self.$table.finish()?)),+])
            }
        }
    };
}

tables! {
    (config, options_digest)
    archives: ArchivesBuilder = ArchivesBuilder::new(options_digest),
    archive_errors: ArchiveErrorsBuilder = ArchiveErrorsBuilder::default(),
    archive_skips: ArchiveSkipsBuilder = ArchiveSkipsBuilder::default(),
    captures: CapturesBuilder = CapturesBuilder::default(),
    groups: GroupsBuilder = GroupsBuilder::default(),
    agents: AgentsBuilder = AgentsBuilder::new(&config.matrix),
    rules: RulesBuilder = RulesBuilder::default(),
    directives: DirectivesBuilder = DirectivesBuilder::default(),
    signals: SignalsBuilder = SignalsBuilder::default(),
    comments: CommentsBuilder = CommentsBuilder::default(),
    errors: ErrorsBuilder = ErrorsBuilder::default(),
    response_errors: ResponseErrorsBuilder = ResponseErrorsBuilder::default(),
    /// Those of large matrices, which the assembler does not hold.
    verdict_sets: VerdictSetsBuilder =
        VerdictSetsBuilder::new(&config.matrix, &config.dialect_names()),
    pages: PagesBuilder = PagesBuilder::default(),
    page_directives: PageDirectivesBuilder = PageDirectivesBuilder::default(),
    page_policies: PagePoliciesBuilder = PagePoliciesBuilder::new(&config.matrix),
    bodies: BodiesBuilder = BodiesBuilder::default(),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        dataset::{
            table::{CaptureKey, Columns},
            table_rows::BATCH_BYTES,
        },
        robots::{dialect::AgentLine, lines::Span},
    };

    #[test]
    fn a_batch_of_long_lines_is_encoded_before_it_has_many_rows() {
        let config = Config::new("");
        let formats = formats(&config, &[]).unwrap();
        let mut tables = Tables::new(&config, "run", &formats);
        let body = vec![b'a'; BATCH_BYTES / 4];
        let whole = Span::new(0, body.len() as u32);
        let line = AgentLine {
            group_index: 0,
            line: 1,
            value: whole,
            token: whole,
            is_wildcard: false,
        };
        let capture = CaptureKey {
            id: 1,
            host: "a.example",
        };
        tables.agents.rows.append_all(capture, &body, &[line]);
        tables.encode_full().unwrap();
        assert_eq!(
            tables.agents.rows.n_rows(),
            1,
            "half of the bytes is not enough"
        );
        let body = vec![b'b'; BATCH_BYTES / 4];
        tables.agents.rows.append_all(capture, &body, &[line]);
        tables.encode_full().unwrap();
        assert_eq!(tables.agents.rows.n_rows(), 0);
    }
}
