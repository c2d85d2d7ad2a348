//! What a reader of a dataset must know where it is not complete, as sentences.

use robocensus::summary::Extent;

/// Returns a sentence on archives that are in no part yet; `None` if all are.
pub fn of_archives(extent: &Extent) -> Option<String> {
    (!extent.has_all_archives()).then(|| {
        format!(
            "the dataset holds {} of {} archives: the others were not read, or not to the end, when its last run ended; the same run with --resume reads them",
            extent.archives, extent.archives_planned
        )
    })
}

/// Returns a sentence on parts that are missing in the table `redirects`; `None` if none are.
pub fn of_redirects(extent: &Extent) -> Option<String> {
    let of = extent
        .parts_of_redirects
        .filter(|_| extent.has_stale_redirects())?;
    Some(format!(
        "the dataset has redirects of {of} of {} parts: the table was made before the others; robocensus redirects makes it of all",
        extent.parts
    ))
}
