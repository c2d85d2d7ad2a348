//! A run: check the options, plan, start the workers, sum up.

#[cfg(feature = "cli")]
use std::path::Path;
use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{
    assemble::{Assembler, PanicGuard},
    config::{CHOICE_OPTION, Config},
    definitions::write_definitions,
    downloads::{Downloads, input_of, is_changed, look_up},
    extent::{extent_of_parts, run_id},
    missing::missing,
    plan::{PartPlan, plan},
    progress::{Event, Progress},
    queue::Queue,
    shared::{Job, Shared},
    tables::formats,
    worker::Worker,
};
#[cfg(feature = "cli")]
use crate::dataset::sink::crawls_of;
use crate::{
    archive::{
        error::{Error, ErrorKind},
        input::ArchiveSource,
    },
    dataset::{
        finish::make_tables,
        sink::{Dataset, DatasetIdentity, Input, OpenMode, is_listed, refuse_inside},
        summary::{Summary, Unnamable},
        table::all_tables,
    },
    robots::matrix::{MatrixAgent, SeenOrigins, evaluate::Evaluator},
};

/// How often the parts that are not published yet are built, where a server replaces an archive
/// that is being read: one that changes more often is being written.
const MAX_ATTEMPTS: usize = 3;

/// Reads the archives and writes the dataset; `progress` counts what is done, and can stop the run.
///
/// The archives must be sorted by name, each name once, as
/// [`expand`](crate::archive::input::expand) returns them. A damaged archive is no error: the summary counts and names it. Parts are published one by one, each as a
/// whole; those that were published before an error stay.
///
/// # Errors
///
/// An output folder that cannot be used or written, tables that contradict the other options,
/// archives in another order, and [`ErrorKind::Interrupted`] if the run was stopped.
///
/// # Panics
///
/// If the configuration has no dialect.
pub fn run(
    config: &Config,
    archives: &[ArchiveSource],
    progress: &Progress,
) -> Result<Summary, Error> {
    let start = Instant::now();
    assert!(
        !config.dialects.is_empty(),
        "a run needs a reference dialect"
    );
    config.tables.check(config.pages)?;
    if let Some(pair) = archives
        .windows(2)
        .find(|pair| pair[0].name >= pair[1].name)
    {
        return Err(Error::usage(format!(
            "expected archives sorted by name, each name once, but found {:?} before {:?}",
            pair[0].name, pair[1].name
        )));
    }
    look_up(archives, progress)?;
    let inputs: Vec<Input> = archives.iter().map(input_of).collect();
    let planned = parts_to_make(config, archives, &inputs)?;
    let identity = identity(config, &inputs)?;
    let formats = formats(config, &metadata(config, &identity))?;
    let dataset = open(config, identity, archives, &inputs)?.stopped_by(progress.stop_flag());
    if config.shard.is_some() {
        dataset.check_sizes(&inputs)?;
    }
    let bytes_of_definitions = write_definitions(&dataset, config)?;
    let job = Job {
        config,
        archives,
        dataset: &dataset,
        formats: &formats,
        progress,
        pool: thread_pool(config.threads.get())?,
    };
    let mut summary = job.build_missing(&planned, inputs)?;
    if config.finish {
        job.finish(&mut summary)?;
    }
    describe(config, &mut summary);
    summary.bytes_out += bytes_of_definitions;
    summary.dataset = extent_of_parts(dataset.root())?;
    summary.run_id = run_id(
        &dataset.identity().options_digest,
        &summary.dataset.archives_digest,
    );
    summary.seconds = start.elapsed().as_secs_f64();
    Ok(summary)
}

/// Adds what the options state to a summary.
fn describe(config: &Config, summary: &mut Summary) {
    summary.has_pages = config.pages;
    summary.choice = config.choice.clone();
    summary.reference_dialect = config.dialects[0].name.to_string();
    let categories = config.matrix.categories().into_iter();
    summary.categories = categories.map(str::to_owned).collect();
    summary.unnamable = unnamable(config);
    summary.absolute_urls = config.matrix.urls.n_absolute() as u64;
}

/// Creates a dataset without parts, in which the archives are recorded, or adds them to one that
/// exists.
///
/// Runs that join it with some of these archives each write the files that one run over all of them
/// would, as long as none has a share of a part.
///
/// # Errors
///
/// Those of [`run`] that concern the folder and the archives as a whole.
#[cfg(feature = "cli")]
pub(crate) fn prepare(config: &Config, archives: &[ArchiveSource]) -> Result<(), Error> {
    let inputs: Vec<Input> = archives.iter().map(input_of).collect();
    let identity = identity(config, &inputs)?;
    let dataset = open(config, identity, archives, &inputs)?;
    write_definitions(&dataset, config).map(drop)
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
    let inputs: Vec<Input> = archives.iter().map(input_of).collect();
    let parts = parts_to_make(config, archives, &inputs)?.into_iter();
    Ok(parts
        .map(|part| (part.name.clone(), part.archives().collect()))
        .collect())
}

/// Returns the parts that a run makes of archives if none is published yet: those of its shard.
///
/// # Errors
///
/// A stream in a run that has a shard.
fn parts_to_make(
    config: &Config,
    archives: &[ArchiveSource],
    inputs: &[Input],
) -> Result<Vec<PartPlan>, Error> {
    let mut parts = plan(inputs, config.part_bytes);
    let Some(shard) = config.shard else {
        return Ok(parts);
    };
    // Other processes would get other bytes, and know neither name nor size of these.
    if let Some(stream) = archives.iter().find(|archive| archive.source.is_stream()) {
        return Err(Error::usage(format!(
            "{}: expected archives that the process of every shard can read, but found a stream ({}); join the dataset with it in a run of its own, under a name of its own",
            stream.name,
            stream.source.location()
        )));
    }
    let size = |index: usize| inputs[index].bytes.unwrap_or_default();
    let bytes_of = |part: &PartPlan| part.archives().map(size).fold(0, u64::saturating_add);
    let bytes: Vec<u64> = parts.iter().map(bytes_of).collect();
    let share = shard.share(&bytes);
    let mut index = 0..;
    parts.retain(|_| index.next().is_some_and(|index| share.contains(&index)));
    Ok(parts)
}

/// Returns the identity of the dataset. A worker that joins has the choice by which the archives of
/// the dataset were chosen, if all of its own are among them: those were chosen, not the worker's.
fn identity(config: &Config, inputs: &[Input]) -> Result<DatasetIdentity, Error> {
    let may_be_chosen = config.mode == OpenMode::Join && config.choice.is_none();
    if !may_be_chosen || !Dataset::exists(&config.out)? || !is_listed(&config.out, inputs)? {
        return Ok(config.identity(config.choice.as_deref()));
    }
    let description = Dataset::read_description(&config.out)?;
    Ok(config.identity(description["options"][CHOICE_OPTION].as_str()))
}

fn open(
    config: &Config,
    identity: DatasetIdentity,
    archives: &[ArchiveSource],
    inputs: &[Input],
) -> Result<Dataset, Error> {
    // Overwriting deletes the old dataset, and would delete an input in its folder too.
    if config.mode == OpenMode::Overwrite {
        let paths = archives.iter().filter_map(|archive| archive.source.path());
        refuse_inside(&config.out, paths)?;
    }
    let tables = all_tables();
    let names: Vec<_> = tables.map(|table| table.name).collect();
    let dataset = Dataset::open(&config.out, config.mode, identity, &names, inputs)?;
    dataset.record_lists(&config.lists())?;
    Ok(dataset)
}

impl Job<'_> {
    /// Builds the planned parts that are not published yet; again, where a server replaces an
    /// archive meanwhile, unless an archive is a stream, whose bytes are gone once they were read.
    fn build_missing(
        &self,
        planned: &[PartPlan],
        mut inputs: Vec<Input>,
    ) -> Result<Summary, Error> {
        let has_stream = inputs.iter().any(|input| input.is_stream);
        let most = if has_stream { 1 } else { MAX_ATTEMPTS };
        let mut attempts = 1;
        loop {
            let (parts, published) = missing(self, planned, &inputs)?;
            match self.build(&parts, &inputs, published) {
                // Parts that were published stay, as when a run is resumed.
                Err(e) if is_of_changed_archive(&e) && attempts < most => {
                    attempts += 1;
                    self.progress.begin_again();
                    inputs = self.archives.iter().map(input_of).collect();
                }
                built => return built,
            }
        }
    }

    /// Makes the tables of the whole dataset.
    fn finish(&self, summary: &mut Summary) -> Result<(), Error> {
        // On a thread of the pool: the allocator reuses the memory that workers have freed.
        let finished =
            (self.pool).install(|| make_tables(self.dataset, self.config, self.progress));
        let finished = finished?;
        summary.bytes_out += finished.redirects.as_ref().map_or(0, |made| made.bytes);
        summary.bytes_out += finished.page_robots.as_ref().map_or(0, |made| made.bytes);
        summary.redirects = finished.redirects;
        summary.page_robots = finished.page_robots;
        Ok(())
    }

    /// Builds and publishes parts; `published` is the summary of those that are there already.
    fn build(
        &self,
        parts: &[PartPlan],
        inputs: &[Input],
        published: Summary,
    ) -> Result<Summary, Error> {
        let &Self {
            config,
            archives,
            progress,
            ..
        } = self;
        // The origins of archives that this run did not read are not known.
        let reads_all =
            published.parts_kept == 0 && published.archives_left_out == 0 && config.shard.is_none();
        let downloads = Downloads::start(
            archives,
            parts.iter().flat_map(PartPlan::archives),
            // One for each worker, and two more whose answers are on their way.
            config.downloads.unwrap_or(config.threads.saturating_add(2)),
            config.prefetch,
            progress,
        );
        let shared = Shared {
            job: self,
            downloads,
            evaluators: config
                .dialects
                .iter()
                .map(|spec| Evaluator::new(spec.clone(), &config.matrix))
                .collect(),
            seen_origins: SeenOrigins::new(&config.matrix.urls),
        };
        let queue = Queue::new(parts, inputs);
        let threads = config.threads.get().min(queue.max_workers());
        progress.report(Event::Planned {
            threads,
            parts: parts.len(),
            tasks: parts.iter().map(|part| part.tasks.len()).sum(),
            existing_parts: published.parts_kept,
        });
        let assembler = Assembler::new(&shared, parts, threads, published);
        self.pool.in_place_scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|_| {
                    let _guard = PanicGuard(&assembler);
                    let mut worker = Worker::new(&shared, &assembler, threads == 1);
                    if let Err(error) = worker.work(&queue) {
                        assembler.fail(error);
                    }
                });
            }
        });
        let mut summary = assembler.finish()?;
        if reads_all {
            let n_unseen = config.matrix.urls.n_of_unseen_origins(&shared.seen_origins);
            summary.urls_of_other_origins = Some(n_unseen as u64);
        }
        Ok(summary)
    }
}

fn thread_pool(threads: usize) -> Result<ThreadPool, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|e| Error::usage(format!("cannot start {threads} threads: {e}")))
}

/// Returns true if and only if the error is that an archive was replaced after bytes of it were
/// read.
fn is_of_changed_archive(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Read { source, .. } if is_changed(source))
}

/// Returns, for each dialect that has some, the agents of the matrix that no user-agent line can
/// name.
fn unnamable(config: &Config) -> Vec<Unnamable> {
    let of_dialect = config.dialects.iter().map(|spec| {
        let agents = config.matrix.agents.iter();
        let cannot = agents.filter(|agent| agent.can_be_named(spec) == Some(false));
        Unnamable {
            dialect: spec.name.to_string(),
            agents: cannot.map(MatrixAgent::name).map(str::to_owned).collect(),
        }
    });
    let has_some = |unnamable: &Unnamable| !unnamable.agents.is_empty();
    of_dialect.filter(has_some).collect()
}

fn metadata(config: &Config, identity: &DatasetIdentity) -> Vec<(String, String)> {
    let options: Vec<String> = identity
        .options
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    identity.metadata([
        ("reference_dialect", config.dialects[0].name.to_string()),
        ("options", options.join("; ")),
    ])
}
