//! A run: check the options, plan, start the workers, sum up.

use std::time::Instant;

use super::{
    assemble::{Assembler, PanicGuard},
    config::Config,
    definitions::write_definitions,
    extent::extent,
    missing::missing,
    pages::resolve as resolve_pages,
    progress::{Event, Progress},
    queue::Queue,
    redirects::{KnownMasks, MAX_CATEGORIES, resolve},
    shared::Shared,
    stop::StopReason,
    tables::formats,
    worker::Worker,
};
use crate::{
    digest::{hex, sha1},
    error::Error,
    evaluation::Categories,
    input::ArchiveSource,
    matrix::{MatrixAgent, SeenOrigins, evaluate::Evaluator},
    sink::{Dataset, DatasetIdentity, Input, OpenMode, refuse_inside},
    summary::{Summary, Unnamable},
    table::{PAGE_TABLES, SCHEMA_VERSION, TABLES},
};

/// Reads the archives and writes the dataset; `progress` counts what is done, and can stop the run.
///
/// The archives must be sorted by name, as [`expand`](crate::input::expand) returns them. A damaged
/// archive is no error: the summary counts and names it. Parts are published one by one, each as a
/// whole; those that were published before an error stay.
///
/// # Errors
///
/// An output folder that cannot be used or written, and
/// [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted) if the run was stopped.
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
    let identity = config.identity();
    let run_id = run_id(&identity, archives);
    let formats = formats(config, &metadata(config, &identity, &run_id))?;
    let names: Vec<_> = TABLES
        .iter()
        .chain(&PAGE_TABLES)
        .map(|table| table.name)
        .collect();
    let inputs: Vec<Input> = archives
        .iter()
        .map(|archive| {
            let source = &archive.source;
            Input {
                is_stream: source.is_stream(),
                ..Input::new(&archive.name, source.size(), source.modified())
            }
        })
        .collect();
    // Overwriting deletes the old dataset, and would delete an input in its folder too.
    if config.mode == OpenMode::Overwrite {
        let paths = archives.iter().filter_map(|archive| archive.source.path());
        refuse_inside(&config.out, paths)?;
    }
    let dataset = Dataset::open(&config.out, config.mode, identity, &names, &inputs)?;
    let bytes_of_definitions = write_definitions(&dataset, config)?;
    let (parts, published) = missing(&dataset, config, archives, &inputs, progress)?;
    let queue = Queue::new(parts.iter().flat_map(|part| part.numbered_tasks(archives)));
    let categories = Categories::new(&config.matrix);
    let n_categories = categories.len();
    // A run that joins others will not know the masks of their parts, so it needs none of its own.
    let has_masks = config.redirects
        && config.mode != OpenMode::Join
        && n_categories <= MAX_CATEGORIES
        && categories.has_root();
    let shared = Shared {
        config,
        archives,
        inputs: &inputs,
        run_id: &run_id,
        formats: &formats,
        evaluators: config
            .dialects
            .iter()
            .map(|spec| Evaluator::new(spec.clone(), &config.matrix))
            .collect(),
        categories,
        seen_origins: SeenOrigins::new(&config.matrix.urls),
        has_masks,
        progress,
    };
    let threads = config.threads.get().min(queue.max_workers());
    progress.report(Event::Planned {
        threads,
        parts: parts.len(),
        tasks: parts.iter().map(|part| part.tasks.len()).sum(),
        existing_parts: published.parts_kept,
    });
    let assembler = Assembler::new(config, &dataset, &formats, &parts, threads, progress);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|e| Error::usage(format!("cannot start {threads} threads: {e}")))?;
    pool.broadcast(|_| {
        let _guard = PanicGuard(&assembler);
        let mut worker = Worker::new(&shared, threads == 1);
        match worker.work(&queue, &assembler) {
            Ok(()) => {}
            // Another worker has set the error, or there is none.
            Err(StopReason::Requested | StopReason::OtherWorker) => assembler.fail(None),
            Err(StopReason::Failed(error)) => assembler.fail(Some(error)),
        }
    });
    let finished = assembler.finish().and_then(|(mut summary, masks)| {
        if config.redirects {
            // On a thread of the pool: the allocator reuses the memory that workers have freed.
            let known = has_masks.then_some(KnownMasks {
                masks,
                n_categories,
            });
            let redirects = pool.install(|| resolve(&dataset, known.as_ref(), progress))?;
            summary.bytes_out += redirects.bytes;
            summary.redirects = Some(redirects);
            if config.pages {
                let robots = pool.install(|| resolve_pages(&dataset, progress))?;
                summary.bytes_out += robots.bytes;
                summary.page_robots = Some(robots);
            }
        }
        Ok(summary)
    });
    let mut summary = finished?;
    summary.dataset = extent(dataset.root())?;
    let n_unseen = config.matrix.urls.n_of_unseen_origins(&shared.seen_origins);
    summary.bytes_out += bytes_of_definitions;
    summary.has_pages = config.pages;
    summary.run_id = run_id;
    summary.reference_dialect = config.dialects[0].name.to_string();
    if !summary.counts.categories.is_empty() {
        summary.categories = config
            .matrix
            .categories()
            .into_iter()
            .map(str::to_owned)
            .collect();
    }
    summary.unnamable = unnamable(config);
    summary.absolute_urls = config.matrix.urls.n_absolute() as u64;
    // The origins of archives that were published before are not known.
    let has_read_all = published.parts_kept == 0 && published.archives_left_out == 0;
    summary.urls_of_other_origins = has_read_all.then_some(n_unseen as u64);
    summary.parts_kept += published.parts_kept;
    summary.kept_incomplete += published.kept_incomplete;
    summary.archives_left_out = published.archives_left_out;
    summary.left_out = published.left_out;
    summary.rebuilt = published.rebuilt;
    summary.not_read = published.not_read;
    summary.incomplete.extend(published.incomplete);
    summary.incomplete.sort_by(|a, b| a.name.cmp(&b.name));
    summary.incomplete.truncate(Summary::MAX_NAMED);
    summary.seconds = start.elapsed().as_secs_f64();
    Ok(summary)
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

fn run_id(identity: &DatasetIdentity, archives: &[ArchiveSource]) -> String {
    let mut text = identity.options_digest.clone();
    for archive in archives {
        text.push_str(&format!("\n{} {:?}", archive.name, archive.source.size()));
    }
    hex(&sha1(text.as_bytes()))[..16].to_owned()
}

fn metadata(config: &Config, identity: &DatasetIdentity, run_id: &str) -> Vec<(String, String)> {
    let options: Vec<String> = identity
        .options
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    [
        ("tool_version", env!("CARGO_PKG_VERSION").to_owned()),
        ("schema_version", SCHEMA_VERSION.to_string()),
        ("run_id", run_id.to_owned()),
        ("reference_dialect", config.dialects[0].name.to_string()),
        ("options", options.join("; ")),
        ("options_digest", identity.options_digest.clone()),
    ]
    .map(|(key, value)| (format!("robocensus.{key}"), value))
    .into()
}
