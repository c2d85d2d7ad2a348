//! The parts that a run has to build: those of its plan whose archives are in no published part.
//!
//! An archive is identified by its name, whatever part it is in. A resumed run, which is the only
//! writer of its dataset, rebuilds parts whose files are damaged, and parts with an archive that
//! could not be opened and now can.

use std::collections::HashMap;

use super::{
    plan::{PartPlan, is_unnamed_stream, second_unnamed_stream},
    shared::Job,
};
use crate::{
    archive::{error::Error, input::ArchiveSource},
    dataset::{
        sink::{Dataset, FileSizes, Input, Loss, Manifest, OpenMode, PartArchive},
        summary::{RebuiltPart, Summary},
    },
};

/// Returns those of the planned parts that are to be built, and a summary of the others.
pub(super) fn missing(
    job: &Job<'_>,
    planned: &[PartPlan],
    inputs: &[Input],
) -> Result<(Vec<PartPlan>, Summary), Error> {
    let &Job {
        config,
        archives,
        dataset,
        progress,
        ..
    } = job;
    let mut summary = Summary::default();
    let mut manifests = Vec::new();
    let found = Manifest::read_all(dataset.root())?;
    // Listed after the manifests, since others may be publishing parts at this moment.
    let sizes = FileSizes::of_dataset(dataset.root())?;
    for manifest in found {
        let damage = manifest.damage(&sizes);
        // Only a run that excludes others may discard a part, since another process may be reading
        // it, and only one that makes the part again.
        if let Some(damage) = &damage
            && !(config.mode == OpenMode::Resume && is_among(&manifest, inputs))
        {
            return Err(damaged(dataset, &manifest, damage));
        }
        let reason = damage.or_else(|| match config.mode {
            OpenMode::Resume => came_later(&manifest, archives),
            _ => None,
        });
        match reason {
            Some(reason) => {
                dataset.discard(&manifest)?;
                let part = manifest.part;
                summary.rebuilt.push(RebuiltPart { part, reason });
            }
            None => manifests.push(manifest),
        }
    }
    let published = archives_of(dataset, &manifests)?;
    // They are in the order of their names.
    let find = |part: &PartPlan| {
        let found = manifests.binary_search_by(|manifest| manifest.part.cmp(&part.name));
        found.ok().map(|index| &manifests[index])
    };
    let mut parts = Vec::new();
    for part in planned {
        summary.parts_kept += u64::from(find(part).is_some());
        for index in part.archives() {
            let input = &inputs[index];
            let Some(&(manifest, known)) = published.get(&*input.name) else {
                continue;
            };
            // Its name is that of every such stream, so nothing shows that it is the same one.
            if is_unnamed_stream(input) {
                return Err(second_unnamed_stream(dataset.root()));
            }
            dataset.check_input(&known.input, input)?;
            note((manifest, known), &archives[index], &mut summary);
            let is_in_other_part = manifest.part != part.name;
            if input.is_stream && !is_in_other_part {
                summary.not_read.push(input.name.clone());
            } else if is_in_other_part || config.mode == OpenMode::Join {
                // A run that is resumed is to find its own parts; one that joins may have another
                // archive of the same name.
                summary.leave_out(input.name.clone());
            }
            // Otherwise progress would end short of the total.
            progress.skip(1, input.bytes.unwrap_or_default());
        }
        let is_missing = |index: usize| !published.contains_key(&*inputs[index].name);
        parts.extend(part.only(inputs, is_missing));
    }
    // The rest of a part has another name than the whole.
    for part in planned.iter().chain(&parts) {
        if let Some(manifest) = find(part) {
            refuse_other_archives(dataset, manifest, part, inputs)?;
        }
    }
    Ok((parts, summary))
}

/// Returns the archives of published parts with their parts, by name.
fn archives_of<'m>(
    dataset: &Dataset,
    manifests: &'m [Manifest],
) -> Result<HashMap<&'m str, (&'m Manifest, &'m PartArchive)>, Error> {
    let mut archives = HashMap::new();
    for manifest in manifests {
        for archive in &manifest.archives {
            let name = &*archive.input.name;
            if let Some((other, _)) = archives.insert(name, (manifest, archive)) {
                let message = format!(
                    "the archive {name} is in two parts, {} and {}, so its rows are there twice; verifying the dataset names all such archives, and overwriting it rebuilds it",
                    other.part, manifest.part
                );
                return Err(Error::corrupt(dataset.root(), message));
            }
        }
    }
    Ok(archives)
}

/// Returns true if and only if all archives of a part are among these.
fn is_among(manifest: &Manifest, inputs: &[Input]) -> bool {
    let mut of_part = manifest.archives.iter();
    of_part.all(|known| inputs.iter().any(|now| now.name == known.input.name))
}

/// Returns the error of a run that cannot make a damaged part again.
fn damaged(dataset: &Dataset, manifest: &Manifest, damage: &str) -> Error {
    let archives = &manifest.archives;
    let instead = match archives.iter().find(|archive| archive.input.is_stream) {
        Some(stream) => format!(
            "it was built from the stream {}, which cannot be resumed: delete {} and join that stream again",
            stream.input.name,
            Manifest::path(dataset.root(), &manifest.part).display()
        ),
        None => {
            "when no other process writes to the dataset, resuming it rebuilds the part".to_owned()
        }
    };
    let message = format!("the part {} is damaged: {damage}; {instead}", manifest.part);
    Error::corrupt(dataset.root(), message)
}

/// Returns why a part is rebuilt: one of its archives could not be opened, and now can.
fn came_later(manifest: &Manifest, archives: &[ArchiveSource]) -> Option<String> {
    let of_part = manifest.archives.iter();
    let came = of_part
        .filter(|known| known.input.is_unopened)
        .find(|known| {
            let now = archives.iter().find(|now| now.name == known.input.name);
            now.is_some_and(can_be_opened)
        })?;
    Some(format!(
        "{} could not be read and can be now",
        came.input.name
    ))
}

/// Opens an archive that is no stream: opening a stream might block, and lose its first bytes.
fn can_be_opened(archive: &ArchiveSource) -> bool {
    !archive.source.is_stream() && archive.source.open().is_ok()
}

/// Adds an archive that is not read again to the summary, if it is not complete.
fn note(
    (manifest, known): (&Manifest, &PartArchive),
    archive: &ArchiveSource,
    summary: &mut Summary,
) {
    if let Some(Loss { code, message }) = &known.loss {
        summary.kept_incomplete += 1;
        let reason = if known.input.is_unopened && can_be_opened(archive) {
            format!(
                "it could not be read when the part {} was built ({message}), and can be now: when no other process writes to the dataset, resuming it with all its inputs rebuilds that part",
                manifest.part
            )
        } else {
            message.clone()
        };
        summary.add_incomplete(archive.name.clone(), code.clone(), reason);
    }
}

/// Refuses a part that has the name of a published one but other archives.
fn refuse_other_archives(
    dataset: &Dataset,
    manifest: &Manifest,
    part: &PartPlan,
    inputs: &[Input],
) -> Result<(), Error> {
    let ours = part.archives().map(|index| &*inputs[index].name);
    let theirs = manifest.archives.iter().map(|archive| &*archive.input.name);
    if ours.clone().eq(theirs.clone()) {
        return Ok(());
    }
    Err(Error::usage(format!(
        "{}: the part {} was built from {} archives, {:?} and those after it, and would be built from {}, {:?} and those after it: two parts have one name; write to another folder",
        dataset.root().display(),
        part.name,
        theirs.clone().count(),
        theirs.clone().next().unwrap_or_default(),
        ours.clone().count(),
        ours.clone().next().unwrap_or_default()
    )))
}
