//! Names of archives: the paths that Common Crawl publishes, or what comes closest.

use std::path::Path;

/// The subsets of a crawl that have archives of responses, which are folders of its paths.
pub(crate) const SUBSETS: [&str; 3] = ["robotstxt", "warc", "crawldiagnostics"];

/// Returns the name of an archive in the tables: its path from `crawl-data/` on if it has that
/// folder, else below the input folder `root`, else its file name.
pub(super) fn archive_name(path: &Path, root: Option<&Path>) -> String {
    let full = path.to_string_lossy().replace('\\', "/");
    if let Some(at) = full.find("crawl-data/") {
        return full[at..].to_owned();
    }
    let below = root.and_then(|root| path.strip_prefix(root).ok());
    match (below, path.file_name()) {
        (Some(below), _) => below.to_string_lossy().replace('\\', "/"),
        (None, Some(name)) => name.to_string_lossy().into_owned(),
        (None, None) => full,
    }
}

/// Returns true if and only if a file is named like an archive.
pub(super) fn has_archive_name(path: &Path) -> bool {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    let bare = [".gz", ".zst"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(&name);
    bare.ends_with(".warc") || bare.ends_with(".arc")
}

/// Returns the crawl in an archive's name.
pub(crate) fn crawl_in(name: &str) -> Option<&str> {
    name.split('/').find(|part| is_crawl(part))
}

/// Returns true if and only if a text is the name of a crawl: `CC-MAIN-`, a year and a week.
pub(super) fn is_crawl(text: &str) -> bool {
    let digits = text.strip_prefix("CC-MAIN-").unwrap_or_default().as_bytes();
    digits.len() == 7
        && digits[4] == b'-'
        && digits
            .iter()
            .enumerate()
            .all(|(i, b)| i == 4 || b.is_ascii_digit())
}

/// Returns the subset in an archive's name: the folder of the file.
pub(super) fn subset_in(name: &str) -> Option<&str> {
    let mut parts = name.rsplit('/').skip(1);
    parts.next().filter(|part| SUBSETS.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_path_parts_name_a_crawl() {
        assert_eq!(crawl_in("CC-MAIN-2025-05/x.warc"), Some("CC-MAIN-2025-05"));
        assert_eq!(
            crawl_in("CC-MAIN-20250126135402-20250126165402-00000.warc.gz"),
            None
        );
        assert_eq!(subset_in("a/robotstxt/x.warc"), Some("robotstxt"));
        assert_eq!(subset_in("robotstxt"), None);
    }
}
