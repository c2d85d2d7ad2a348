//! How many hosts and domains shut agents out of `/`, by category of agents.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use arrow_array::Int64Array;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::{
    archive::error::Error,
    dataset::{
        config::Config,
        progress::Progress,
        sink::{Names, PublishedFile, RowKey, StoredColumn, stored_columns},
        summary::HostShare,
    },
    robots::dialect::{Basis, Verdict},
};

/// How many hosts and domains have a robots.txt, by the vector of answers that it gives.
pub(super) type ReadBySet = HashMap<i64, [u64; 2]>;

stored_columns! {
    /// The columns of an answer.
    struct AnswerColumns<'b> {
        verdict_set_id: &'b Int64Array,
        dialect: Names<'b>,
        agent: Names<'b>,
        verdict: Names<'b>,
        basis: Names<'b>,
    }
}

/// Returns the shares of hosts and of domains, by category in the order of the matrix, from the
/// files of `verdict_sets` of a crawl; `None` if the matrix lacks the path `/`.
pub(super) fn category_shares(
    config: &Config,
    files: &[PublishedFile],
    read: &ReadBySet,
    progress: &Progress,
) -> Result<Option<[Vec<HostShare>; 2]>, Error> {
    let root = "/".to_owned();
    if !config.matrix.urls.paths().contains(&root) {
        return Ok(None);
    }
    let names = config.matrix.categories();
    let category_of = config.matrix.agents.iter().filter_map(|agent| {
        let category = agent.category.as_deref()?;
        let category = names.iter().position(|name| *name == category)?;
        Some((agent.name(), category))
    });
    let category_of: HashMap<&str, usize> = category_of.collect();
    let mut n_agents = vec![0; names.len()];
    category_of
        .values()
        .for_each(|&category| n_agents[category] += 1);
    let reference = Some(&*config.dialects[0].name);
    let key = RowKey::Texts("url", Arc::new(HashSet::from([root])));
    let none = || [(); 2].map(|()| vec![HostShare::default(); names.len()]);
    let of_files = files.par_iter().map(|file| {
        // The agents that are shut out, by vector and category.
        let mut n_blocked: HashMap<(i64, usize), u64> = HashMap::new();
        AnswerColumns::each_row(&file.path, Some(&key), |rows, row| {
            progress.check()?;
            // What the fetch alone forbids is no opinion on an agent.
            let is_blocked = rows.verdict.get(row) == Some(Verdict::Disallow.as_str())
                && rows.basis.get(row) == Some(Basis::Rule.as_str())
                && rows.dialect.get(row) == reference;
            let set = rows.verdict_set_id.value(row);
            if is_blocked && read.contains_key(&set) {
                let category = rows.agent.get(row).and_then(|agent| category_of.get(agent));
                if let Some(&category) = category {
                    *n_blocked.entry((set, category)).or_default() += 1;
                }
            }
            Ok(())
        })?;
        let mut shares = none();
        for ((set, category), n_blocked) in n_blocked {
            for (shares, n) in shares.iter_mut().zip(read[&set]) {
                let is_all = n_blocked == n_agents[category];
                shares[category].any += n;
                shares[category].all += u64::from(is_all) * n;
            }
        }
        Ok(shares)
    });
    let shares = of_files.try_reduce(none, |mut sum, more| {
        for (sum, more) in sum.iter_mut().flatten().zip(more.iter().flatten()) {
            sum.any += more.any;
            sum.all += more.all;
        }
        Ok(sum)
    });
    shares.map(Some)
}
