//! The builders and encoders of all tables: where one worker appends its rows.
//!
//! Row groups carry the position of their table among those that are written, so no order of tables
//! has to be kept.

use std::{ops::Range, sync::Arc};

use super::config::Config;
use crate::{
    archive::error::Error,
    dataset::{
        sink::{Encoder, Format, RowGroup},
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
    },
};

/// Rows that a builder collects before they are encoded: few enough to stay in the processor's
/// caches, and as many as make a page of a file.
pub(super) const BATCH_ROWS: usize = 20 * 1024;
/// Bytes of text at which a batch ends before it has as many rows: a row may have a line as long as
/// its file.
const BATCH_BYTES: usize = 16 * 1024 * 1024;
/// Bytes of encoded rows at which they are handed over, so that archives of any size take no more
/// memory than small ones.
pub(super) const HAND_OVER_BYTES: usize = 16 * 1024 * 1024;

/// Finished row groups of tables, with the position of each table in [`formats`].
pub(super) type RowGroups = Vec<(usize, Vec<RowGroup>)>;

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

/// The rows of one table that are not handed over yet.
pub(super) struct TableRows<B> {
    pub(super) rows: B,
    /// `None` for a table that is not written.
    output: Option<Output>,
}

/// Where the rows of a table go.
struct Output {
    /// The position of the table in [`formats`].
    table: usize,
    encoder: Encoder,
    encoded_bytes: usize,
}

impl<B: TableBuilder> TableRows<B> {
    pub(super) fn new(rows: B, formats: &[Arc<Format>]) -> Self {
        let mut names = formats.iter().map(|format| format.name);
        let table = names.position(|name| name == B::TABLE.name);
        let output = table.map(|table| Output {
            table,
            encoder: Encoder::new(formats[table].clone()),
            encoded_bytes: 0,
        });
        Self { rows, output }
    }

    /// Returns true if and only if the table is written, so that it may have rows.
    pub(super) fn is_written(&self) -> bool {
        self.output.is_some()
    }

    /// Appends `n` rows, if the table is written, as many at a time as a batch takes; `append`
    /// appends those of a range.
    pub(super) fn append_batches(
        &mut self,
        n: usize,
        mut append: impl FnMut(&mut B, Range<usize>),
    ) -> Result<(), Error> {
        let mut start = 0;
        while start < n && self.is_written() {
            let capacity = BATCH_ROWS.saturating_sub(self.rows.n_rows()).max(1);
            let end = n.min(start + capacity);
            append(&mut self.rows, start..end);
            self.encode_full()?;
            start = end;
        }
        Ok(())
    }

    /// Encodes the batch if it is full.
    pub(super) fn encode_full(&mut self) -> Result<(), Error> {
        if self.rows.n_rows() >= BATCH_ROWS || self.rows.n_bytes() >= BATCH_BYTES {
            self.encode()?;
        }
        Ok(())
    }

    /// Encodes what is left, and returns all row groups, if the table is written.
    pub(super) fn finish(&mut self) -> Result<Option<(usize, Vec<RowGroup>)>, Error> {
        self.encode()?;
        let Some(output) = &mut self.output else {
            return Ok(None);
        };
        output.encoded_bytes = 0;
        Ok(Some((output.table, output.encoder.finish()?)))
    }

    /// Returns about how many bytes of memory the encoded rows take.
    pub(super) fn memory_size(&self) -> usize {
        self.output
            .as_ref()
            .map_or(0, |output| output.encoded_bytes)
    }

    fn encode(&mut self) -> Result<(), Error> {
        if self.rows.n_rows() > 0 {
            let output = self.output.as_mut();
            let output = output.expect("only a table that is written has rows");
            output.encoder.write(self.rows.finish())?;
            // To add up the columns after every capture would take longer than to append it.
            output.encoded_bytes = output.encoder.memory_size();
        }
        Ok(())
    }
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
                Self { $($table: TableRows::new($new, formats),)+ }
            }

            /// Encodes the batches that are full.
            pub(super) fn encode_full(&mut self) -> Result<(), Error> {
                $(self.$table.encode_full()?;)+
                Ok(())
            }

            /// Returns about how many bytes of memory the encoded rows take.
            pub(super) fn memory_size(&self) -> usize {
                [$(self.$table.memory_size()),+].iter().sum()
            }

            /// Encodes what is left and hands out the row groups of every table.
            pub(super) fn finish(&mut self) -> Result<RowGroups, Error> {
                Ok([$(self.$table.finish()?),+].into_iter().flatten().collect())
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
        dataset::table::{CaptureKey, Columns},
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
