//! The plan of a run: archives cut into parts and tasks, by names and sizes alone, so that a
//! repeated run cuts alike.

use std::{ops::Range, path::Path};

use crate::{
    archive::{
        error::{Error, FolderConflict},
        input::{STDIN_NAME, crawl_in},
    },
    dataset::{finish::redirects::cut, sink::Input},
    digest::{hex, sha1_of_list},
};

/// Bytes of archives that one worker takes at a time, at least and at most: enough captures (some
/// 9,000 of Common Crawl's, or twice as many) for row groups that engines scan well.
const TASK_BYTES: [u64; 2] = [8 * 1024 * 1024, 16 * 1024 * 1024];
/// Tasks that a part has before they become longer: with fewer, some workers would end long before
/// others.
const TASKS: u64 = 16;
/// Bytes of an archive beyond which several workers share it. A shorter one is one task, about as
/// large as others at most.
const LARGE_BYTES: u64 = 32 * 1024 * 1024;
/// Longest name of a part, without its digest: file systems allow 255 bytes.
const MAX_NAME: usize = 80;
/// Hexadecimal digits of the digest in a part's name: of a million parts two share one by chance
/// once in 37 million datasets.
const DIGITS: usize = 16;

/// Archives whose rows go into one file of each table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::dataset) struct PartPlan {
    pub(in crate::dataset) name: String,
    pub(in crate::dataset) crawl: Option<String>,
    /// Whether it is standard input without a name of its own: two such parts may or may not be of
    /// the same stream.
    pub(in crate::dataset) is_unnamed_stream: bool,
    /// The part's tasks, in the order of the archives.
    pub(in crate::dataset) tasks: Vec<Range<usize>>,
}

impl PartPlan {
    /// Returns the part's archives, as indices of the plan's.
    pub(in crate::dataset) fn archives(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.tasks.iter().cloned().flatten()
    }

    /// Returns a part of those of its archives that must be read; `None` if there are none.
    pub(in crate::dataset) fn only(
        &self,
        inputs: &[Input],
        must_read: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for index in self.archives().filter(|&index| must_read(index)) {
            match runs.last_mut().filter(|run| run.end == index) {
                Some(run) => run.end += 1,
                None => runs.push(index..index + 1),
            }
        }
        (!runs.is_empty()).then(|| part(inputs, &runs))
    }
}

/// Cuts archives into parts of about `part_bytes`; a part never holds two crawls.
pub(in crate::dataset) fn plan(inputs: &[Input], part_bytes: u64) -> Vec<PartPlan> {
    let mut parts = Vec::new();
    let mut start = 0;
    for same in inputs.chunk_by(|a, b| crawl_in(&a.name) == crawl_in(&b.name)) {
        let end = start + same.len();
        let ranges = cut(start..end, part_bytes, |index| size(&inputs[index]));
        let of_range = |range| part(inputs, std::slice::from_ref(range));
        parts.extend(ranges.iter().map(of_range));
        start = end;
    }
    parts
}

/// Returns the part of some runs of archives.
fn part(inputs: &[Input], runs: &[Range<usize>]) -> PartPlan {
    let of_part = || runs.iter().flat_map(|run| &inputs[run.clone()]);
    let bytes = of_part().map(size).fold(0, u64::saturating_add);
    let task_bytes = (bytes / TASKS).clamp(TASK_BYTES[0], TASK_BYTES[1]);
    let cut_run = |run: &Range<usize>| cut(run.clone(), task_bytes, |index| size(&inputs[index]));
    PartPlan {
        name: name(of_part().map(|input| input.name.as_str())),
        crawl: crawl_in(&inputs[runs[0].start].name).map(str::to_owned),
        is_unnamed_stream: of_part().any(is_unnamed_stream),
        tasks: runs.iter().flat_map(cut_run).collect(),
    }
}

/// Returns true if and only if an archive is standard input without a name of its own.
pub(in crate::dataset) fn is_unnamed_stream(input: &Input) -> bool {
    input.name == STDIN_NAME && input.is_stream
}

/// Returns true if and only if a task is one archive that is so long, or of unknown size, that
/// several workers share it.
pub(in crate::dataset) fn is_large(inputs: &[Input], task: &Range<usize>) -> bool {
    task.len() == 1 && size(&inputs[task.start]) > LARGE_BYTES
}

/// Returns the size by which archives are cut into parts and tasks.
fn size(input: &Input) -> u64 {
    // An archive of unknown size may be of any: it gets a part of its own.
    input.bytes.unwrap_or(u64::MAX)
}

/// Returns the error of a stream without a name that the dataset in a folder has already.
pub(in crate::dataset) fn second_unnamed_stream(folder: &Path) -> Error {
    let message = format!(
        "the dataset has a part of standard input ({STDIN_NAME}) already, and whether this is another stream cannot be known before it is read; give each stream a name of its own"
    );
    Error::folder(folder, FolderConflict::UnnamedStream, message)
}

/// Returns a name for a part: that of the first archive, for people, and a digest of all names.
fn name<'a>(archives: impl Iterator<Item = &'a str> + Clone) -> String {
    let first = archives.clone().next().unwrap_or_default();
    let first = first.rsplit('/').next().unwrap_or_default();
    let bare = first
        .find(".warc")
        .or_else(|| first.find(".arc"))
        .map_or(first, |at| &first[..at]);
    let safe: String = bare
        .chars()
        .take(MAX_NAME)
        .map(|c| match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '.' => c,
            _ => '_',
        })
        .collect();
    let digest = hex(&sha1_of_list(archives));
    format!("{safe}-{}", &digest[..DIGITS])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(name: &str, bytes: Option<u64>) -> Input {
        Input::new(name, bytes, None)
    }

    fn inputs(list: &[(&str, u64)]) -> Vec<Input> {
        let inputs = list.iter().map(|&(name, bytes)| input(name, Some(bytes)));
        inputs.collect()
    }

    #[test]
    fn parts_and_tasks_are_cut_where_the_next_archive_would_exceed_them() {
        const MIB: u64 = 1024 * 1024;
        let list = inputs(&[
            ("a.warc.gz", 3 * MIB),
            ("b", 5 * MIB),
            ("c", MIB),
            ("d", 100 * MIB),
            ("e", 1),
        ]);
        let parts = plan(&list, 20 * MIB);
        let tasks = parts.iter().flat_map(|part| part.tasks.clone());
        assert_eq!(tasks.collect::<Vec<_>>(), [0..2, 2..3, 3..4, 4..5]);
        assert_eq!(parts.len(), 3);
        assert!(parts[0].name.starts_with("a-"), "{}", parts[0].name);
    }

    #[test]
    fn parts_that_follow_each_other_are_cut_alike_without_the_others() {
        let names: Vec<String> = (0..40).map(|n| format!("{n:02}")).collect();
        let sized = |(n, name): (usize, &String)| input(name, Some((n as u64 * 7919) % 5 + 1));
        let list: Vec<_> = names.iter().enumerate().map(sized).collect();
        let parts = plan(&list, 9);
        assert!(parts.len() > 10);
        for start in 0..parts.len() {
            for end in start + 1..=parts.len() {
                let archives = parts[start..end].iter().flat_map(PartPlan::archives);
                let some: Vec<_> = archives
                    .map(|index| sized((index, &names[index])))
                    .collect();
                let names = |parts: &[PartPlan]| -> Vec<String> {
                    parts.iter().map(|part| part.name.clone()).collect()
                };
                assert_eq!(names(&plan(&some, 9)), names(&parts[start..end]));
            }
        }
    }

    #[test]
    fn the_tasks_of_a_long_part_are_longer() {
        const MIB: u64 = 1024 * 1024;
        let most_archives = |n: usize| {
            let list = inputs(&vec![("a", MIB); n]);
            let tasks = plan(&list, u64::MAX).remove(0).tasks;
            tasks.iter().map(Range::len).max()
        };
        assert_eq!([30, 160, 1_000].map(most_archives), [8, 10, 16].map(Some));
    }

    #[test]
    fn a_part_never_holds_two_crawls_and_its_name_depends_on_its_archives_only() {
        let list = inputs(&[
            ("crawl-data/CC-MAIN-2025-05/x/robotstxt/a.warc.gz", 1),
            ("crawl-data/CC-MAIN-2025-08/x/robotstxt/a.warc.gz", 1),
            ("crawl-data/CC-MAIN-2025-08/x/robotstxt/b.warc.gz", 1),
        ]);
        let parts = plan(&list, 1000);
        assert_eq!(parts.len(), 2);
        assert_ne!(parts[0].name, parts[1].name);
        assert_eq!(parts[0].name.len(), "a-".len() + DIGITS);
        assert_eq!(plan(&list[1..], 1000)[0].name, parts[1].name);
    }

    #[test]
    fn archives_that_are_long_or_of_unknown_size_are_shared() {
        let mut list = inputs(&[("a", LARGE_BYTES), ("b", LARGE_BYTES + 1)]);
        list.push(input("stdin", None));
        let parts = plan(&list, u64::MAX);
        let tasks = parts.iter().flat_map(|part| &part.tasks);
        let is_large: Vec<_> = tasks.map(|task| is_large(&list, task)).collect();
        assert_eq!(is_large, [false, true, true]);
    }

    #[test]
    fn what_is_left_of_a_part_is_a_part_of_its_own() {
        let list = inputs(&[("a", 1), ("b", 1), ("c", 1), ("d", 1)]);
        let whole = plan(&list, 1000).remove(0);
        assert_eq!(whole.only(&list, |_| true).as_ref(), Some(&whole));
        assert_eq!(whole.only(&list, |_| false), None);
        let left = whole.only(&list, |index| index != 1).unwrap();
        assert_eq!(left.tasks, [0..1, 2..4]);
        assert_eq!(left.archives().collect::<Vec<_>>(), [0, 2, 3]);
        let alone = plan(&inputs(&[("a", 1), ("c", 1), ("d", 1)]), 1000);
        assert_eq!(left.name, alone[0].name);
    }

    #[test]
    fn an_archive_of_unknown_size_is_a_part_of_its_own() {
        let mut list = inputs(&[("a", 1)]);
        list.push(input("stdin", None));
        list.push(input("z", Some(1)));
        assert_eq!(plan(&list, 1000).len(), 3);
        assert!(plan(&[], 1000).is_empty());
    }
}
