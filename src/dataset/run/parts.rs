//! The parts that a run makes: all, or those of its shard.

#[cfg(feature = "cli")]
use std::path::Path;

use super::{
    config::Config,
    plan::{PartPlan, plan, refuse_equal_names},
};
#[cfg(feature = "cli")]
use super::{downloads::look_up, progress::Progress};
use crate::archive::{error::Error, input::ArchiveSource};
#[cfg(feature = "cli")]
use crate::dataset::sink::{Dataset, crawls_of};

/// Returns the parts that a run makes of archives if none is published yet: those of its shard.
///
/// # Errors
///
/// Two parts of one name, and a stream in a run that has a shard.
pub(super) fn parts_to_make(
    config: &Config,
    archives: &[ArchiveSource],
) -> Result<Vec<PartPlan>, Error> {
    let parts = plan(archives, config.part_bytes);
    refuse_equal_names(&parts, archives)?;
    let Some(shard) = config.shard else {
        return Ok(parts);
    };
    // Other processes would get other bytes, and know neither name nor size of these.
    let mut streams = archives.iter().filter(|archive| archive.source.is_stream());
    if let Some(stream) = streams.next() {
        return Err(Error::usage(format!(
            "{}: expected archives that the process of every shard can read, but found a stream ({}); join the dataset with it in a run of its own, under a name of its own",
            stream.name,
            stream.source.location()
        )));
    }
    let size = |index: usize| archives[index].source.size().unwrap_or_default();
    let bytes: Vec<u64> = parts
        .iter()
        .map(|part| part.archives().map(size).fold(0, u64::saturating_add))
        .collect();
    let share = shard.share(&bytes);
    let parts = parts.into_iter().enumerate();
    Ok(parts
        .filter(|(index, _)| share.contains(index))
        .map(|(_, part)| part)
        .collect())
}

/// Returns true if and only if archives are of crawls that a dataset in a folder does not have yet:
/// to add them doubles nothing.
///
/// # Errors
///
/// A list or manifest that cannot be read.
#[cfg(feature = "cli")]
pub(crate) fn adds_crawls(root: &Path, archives: &[ArchiveSource]) -> Result<bool, Error> {
    if !Dataset::exists(root)? {
        return Ok(false);
    }
    let known = crawls_of(root)?;
    let is_added =
        |archive: &ArchiveSource| archive.crawl.is_some() && !known.contains(&archive.crawl);
    Ok(!known.is_empty() && archives.iter().all(is_added))
}

/// Returns the parts that a run makes, in their order: the name of each and its archives, as
/// positions in `archives`. The sizes of archives that are downloaded are asked for.
///
/// # Errors
///
/// Those of [`parts_to_make`], and [`ErrorKind::Interrupted`](crate::ErrorKind) if the run was
/// stopped.
#[cfg(feature = "cli")]
pub(crate) fn planned_parts(
    config: &Config,
    archives: &[ArchiveSource],
    progress: &Progress,
) -> Result<Vec<(String, Vec<usize>)>, Error> {
    look_up(archives, progress)?;
    let parts = parts_to_make(config, archives)?.into_iter();
    Ok(parts
        .map(|part| {
            let of_part = part.archives().collect();
            (part.name, of_part)
        })
        .collect())
}
