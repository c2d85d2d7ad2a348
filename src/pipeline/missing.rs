//! Which parts a run is to make: those of its plan whose archives no published part holds.
//!
//! Enters: the archives of a run, and the manifests of its dataset. Leaves: parts, and what was
//! found published. An archive is known by its name, whatever part it is in. Parts whose files are
//! damaged are made again by `--resume`, which nobody works beside, and so are parts with an
//! archive that could not be opened and now can.

use std::collections::HashMap;

use super::{
    config::Config,
    plan::{PartPlan, is_unnamed_stream, plan, refuse_equal_names, second_unnamed_stream},
    progress::Progress,
};
use crate::{
    error::Error,
    input::ArchiveSource,
    sink::{Dataset, Input, Manifest, OpenMode, PartArchive},
    summary::{MadeAgain, Summary},
};

/// What published parts hold.
#[derive(Default)]
struct Held<'m> {
    parts: HashMap<&'m str, &'m Manifest>,
    archives: HashMap<&'m str, (&'m Manifest, &'m PartArchive)>,
}

/// Returns the parts that are to be made, and what the summary says of the others.
pub(super) fn missing(
    dataset: &Dataset,
    config: &Config,
    archives: &[ArchiveSource],
    inputs: &[Input],
    progress: &Progress,
) -> Result<(Vec<PartPlan>, Summary), Error> {
    let mut kept = Summary::default();
    let mut manifests = Vec::new();
    for manifest in Manifest::read_all(dataset.root())? {
        let damage = manifest.damage(dataset.root());
        if let (Some(damage), OpenMode::Join) = (&damage, config.mode) {
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
                kept.made_again.push(MadeAgain { part, reason });
            }
            None => manifests.push(manifest),
        }
    }
    let held = Held::of(dataset, &manifests)?;
    let planned = plan(archives, config.part_bytes);
    refuse_equal_names(&planned, archives)?;
    let mut parts = Vec::new();
    for part in planned {
        if let Some(manifest) = held.parts.get(part.name.as_str()) {
            refuse_other_archives(dataset, manifest, &part, archives)?;
            kept.parts_kept += 1;
        }
        for index in part.archives() {
            let Some((manifest, known)) = held.archives.get(archives[index].name.as_str()) else {
                continue;
            };
            if is_unnamed_stream(&archives[index]) {
                return Err(second_unnamed_stream(dataset.root()));
            }
            dataset.check_input(&known.input, &inputs[index])?;
            note(
                (*manifest, *known),
                &archives[index],
                manifest.part != part.name,
                &mut kept,
            );
            progress.skip(1, inputs[index].bytes.unwrap_or_default());
        }
        let is_missing = |index: usize| !held.archives.contains_key(archives[index].name.as_str());
        parts.extend(part.only(archives, is_missing));
    }
    // What is left of a part has another name than the whole.
    refuse_equal_names(&parts, archives)?;
    for part in &parts {
        if let Some(manifest) = held.parts.get(part.name.as_str()) {
            refuse_other_archives(dataset, manifest, part, archives)?;
        }
    }
    Ok((parts, kept))
}

impl<'m> Held<'m> {
    fn of(dataset: &Dataset, manifests: &'m [Manifest]) -> Result<Self, Error> {
        let mut held = Self::default();
        for manifest in manifests {
            held.parts.insert(&manifest.part, manifest);
            for archive in &manifest.archives {
                let before = held
                    .archives
                    .insert(&archive.input.name, (manifest, archive));
                if let Some((other, _)) = before {
                    return Err(Error::usage(format!(
                        "{}: the archive {} is in two parts, {} and {}, so its rows are there twice; robocensus verify names all such archives, and --overwrite makes the dataset again",
                        dataset.root().display(),
                        archive.input.name,
                        other.part,
                        manifest.part
                    )));
                }
            }
        }
        Ok(held)
    }
}

/// Returns the error of a worker that joins a dataset with a damaged part.
fn damaged(dataset: &Dataset, manifest: &Manifest, damage: &str) -> Error {
    let archives = &manifest.archives;
    let instead = match archives.iter().find(|archive| archive.input.is_stream) {
        Some(stream) => format!(
            "it was made of the stream {}, which cannot be resumed: delete {} and join that stream again",
            stream.input.name,
            Manifest::path(dataset.root(), &manifest.part).display()
        ),
        None => "when no other worker is at work, --resume makes it again".to_owned(),
    };
    Error::usage(format!(
        "{}: the part {} is damaged: {damage}; {instead}",
        dataset.root().display(),
        manifest.part
    ))
}

/// Returns why a part is made again of whose archives one could not be opened, and can be now.
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

/// Opens an archive that is no stream: a stream would wait, and lose what is read of it.
fn can_be_opened(archive: &ArchiveSource) -> bool {
    !archive.source.is_stream() && archive.source.open().is_ok()
}

/// Notes an archive that is not read.
fn note(
    (manifest, known): (&Manifest, &PartArchive),
    archive: &ArchiveSource,
    is_elsewhere: bool,
    kept: &mut Summary,
) {
    if let Some(reason) = &known.reason {
        kept.kept_incomplete += 1;
        let reason = match known.input.is_unopened && can_be_opened(archive) {
            true => format!(
                "it could not be read when the part {} was made ({reason}), and can be now: when no other worker is at work, --resume with all inputs of the dataset makes that part again",
                manifest.part
            ),
            false => reason.clone(),
        };
        kept.give_up(archive.name.clone(), reason);
    }
    if is_elsewhere {
        kept.leave_out(archive.name.clone());
    } else if archive.source.is_stream() {
        kept.not_read.push(archive.name.clone());
    }
}

/// Refuses a part whose name a published part has that was made of other archives.
fn refuse_other_archives(
    dataset: &Dataset,
    manifest: &Manifest,
    part: &PartPlan,
    archives: &[ArchiveSource],
) -> Result<(), Error> {
    let ours = part.archives().map(|index| archives[index].name.as_str());
    let theirs = manifest
        .archives
        .iter()
        .map(|archive| archive.input.name.as_str());
    if ours.clone().eq(theirs.clone()) {
        return Ok(());
    }
    Err(Error::usage(format!(
        "{}: the part {} was made of {} archives from {:?} on, and would be made of {} from {:?} on: two parts have one name; give another folder with --out",
        dataset.root().display(),
        part.name,
        theirs.clone().count(),
        theirs.clone().next().unwrap_or_default(),
        ours.clone().count(),
        ours.clone().next().unwrap_or_default()
    )))
}
