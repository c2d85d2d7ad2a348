//! The table `cohort`: one row for each host or registered domain that a run follows, for the whole
//! dataset.

use arrow_array::RecordBatch;

use super::{Bool, Int64, Name, TableBuilder, Text, table};
use crate::archive::cohort::Cohort;

table! {
    /// one member of the cohort of the run, captured or not; none in a run that follows all
    "cohort": pub struct CohortBuilder {
        /// host name or registered domain in ASCII and lower case
        member: Text [statistics, bloom_filter],
        /// whether it is a registered domain, which stands for all its host names; any other name
        /// stands for that host alone
        is_domain: Bool,
        /// its rank, as the list states
        rank: Int64 [nullable],
        /// the other columns of the list, as a JSON object of texts: attributes->>'category'
        attributes: Name [nullable],
    }
}

/// Returns the rows, by name, so many in each batch.
pub fn batches(cohort: Option<&Cohort>, batch_rows: usize) -> impl Iterator<Item = RecordBatch> {
    cohort.into_iter().flat_map(move |cohort| {
        let members = cohort.members.chunks(batch_rows);
        members.map(move |members| {
            let mut rows = CohortBuilder::default();
            for member in members {
                rows.member.append(&member.name);
                rows.is_domain.append(member.is_domain);
                rows.rank.append(member.rank);
                rows.attributes.append(cohort.attributes(member));
            }
            rows.finish()
        })
    })
}
