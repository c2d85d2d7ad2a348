//! An index of records, such as the columnar index of Common Crawl: it says which byte ranges of
//! which archives are records, so that nothing else is read.

use std::{
    collections::BTreeMap,
    ops::Range,
    path::{Component, Path},
    sync::Arc,
};

use super::cohort::Rows;
use crate::digest::{hex, sha1_of_list};

/// The columns of an index that are read: name of the archive, offset, length.
pub(crate) const INDEX_COLUMNS: [&str; 3] =
    ["warc_filename", "warc_record_offset", "warc_record_length"];
/// The most bytes between two ranges that one request is made for: on most connections they take
/// less time than another request.
#[cfg(feature = "remote")]
const NEAR: u64 = 64 * 1024;

/// The records that an index names, by their archives.
#[derive(Clone, Debug)]
pub struct RecordIndex(BTreeMap<String, Arc<Ranges>>);

/// The byte ranges of one archive that an index names: sorted, and none overlaps another.
#[derive(Clone, Debug)]
pub(crate) struct Ranges(pub(crate) Vec<RecordRange>);

/// Bytes of an archive, and the number of records that they should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecordRange {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// More than 1 where ranges of the index overlap.
    pub(crate) records: u64,
}

impl RecordIndex {
    /// Returns the index of some rows; columns besides `warc_filename`, `warc_record_offset` and
    /// `warc_record_length` are ignored. `note` gets a sentence for each range that overlaps
    /// another, and one on those that are named again.
    ///
    /// # Errors
    ///
    /// One sentence, with the line if it is about one.
    pub fn new(rows: Rows, note: &mut dyn FnMut(String)) -> Result<Self, String> {
        rows.expect_cells()?;
        let header = &rows.header;
        let place = |name: &str| {
            let mut places = (0..header.len()).filter(|&at| header[at] == name);
            places.next().filter(|_| places.next().is_none())
        };
        let [Some(name), Some(offset), Some(length)] = INDEX_COLUMNS.map(place) else {
            return Err(format!(
                "expected a header with the columns {}, each once, but found {:?}",
                INDEX_COLUMNS.join(", "),
                header.join(",")
            ));
        };
        let kind = rows.kind;
        let mut named: BTreeMap<String, Vec<(Range<u64>, u64)>> = BTreeMap::new();
        for (number, mut cells) in rows.rows {
            let range = read_range(&cells[offset], &cells[length]);
            let range = range.map_err(|e| format!("{kind} {number}: {e}"))?;
            let name = std::mem::take(&mut cells[name]);
            if !is_path(&name) {
                return Err(format!(
                    "{kind} {number}: expected the path of an archive below the base of crawls, but found {name:?}"
                ));
            }
            named.entry(name).or_default().push((range, number));
        }
        if named.is_empty() {
            return Err("expected at least one record, but found none".to_owned());
        }
        let mut n_again = 0;
        let archives = named.into_iter().map(|(name, mut ranges)| {
            ranges.sort_by_key(|(range, number)| (range.start, range.end, *number));
            let n = ranges.len();
            ranges.dedup_by(|(range, _), (before, _)| range == before);
            n_again += n - ranges.len();
            let mut merged: Vec<RecordRange> = Vec::new();
            for (Range { start, end }, number) in ranges {
                match merged.last_mut().filter(|last| start < last.end) {
                    Some(last) => {
                        note(format!(
                            "{kind} {number}: the range at {start} of {name} overlaps another, and they are read as one"
                        ));
                        last.end = end.max(last.end);
                        last.records += 1;
                    }
                    None => merged.push(RecordRange { start, end, records: 1 }),
                }
            }
            (name, Arc::new(Ranges(merged)))
        });
        let archives = archives.collect();
        if n_again > 0 {
            let name = if n_again == 1 { " names" } else { "s name" };
            note(format!(
                "{n_again} {kind}{name} a range that is named before, which is read once"
            ));
        }
        Ok(Self(archives))
    }

    /// Returns the names of the archives, sorted.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns the ranges of an archive.
    pub(crate) fn ranges(&self, name: &str) -> Option<&Arc<Ranges>> {
        self.0.get(name)
    }
}

impl Ranges {
    /// Returns how many bytes the ranges have.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.n_bytes_within(None)
    }

    /// Returns how many bytes of the ranges a file has, of which the size may be known.
    pub(crate) fn n_bytes_within(&self, size: Option<u64>) -> u64 {
        let lengths = self.0.iter().map(|range| range.length_within(size));
        lengths.fold(0, u64::saturating_add)
    }

    /// Returns a digest by which the ranges are told from others.
    pub(crate) fn digest(&self) -> String {
        let texts = self.0.iter();
        let texts: Vec<_> = texts
            .map(|range| format!("{}-{}", range.start, range.end))
            .collect();
        hex(&sha1_of_list(texts.iter().map(String::as_str)))
    }

    /// Returns what is left of the ranges after their first `n_read` bytes.
    pub(crate) fn after(&self, mut n_read: u64) -> impl Iterator<Item = Range<u64>> {
        self.0.iter().filter_map(move |range| {
            let had = n_read.min(range.end - range.start);
            n_read -= had;
            let left = range.start + had..range.end;
            (!left.is_empty()).then_some(left)
        })
    }

    /// Returns the bytes that one request is made for after the first `n_read` bytes of the ranges:
    /// those of the next range and of all that are near one another.
    #[cfg(feature = "remote")]
    pub(crate) fn next_request(&self, n_read: u64) -> Option<Range<u64>> {
        let mut left = self.after(n_read);
        let mut request = left.next()?;
        for next in left {
            if next.start - request.end > NEAR {
                break;
            }
            request.end = next.end;
        }
        Some(request)
    }
}

impl RecordRange {
    /// Returns how many of its bytes a file has, of which the size may be known.
    pub(crate) fn length_within(&self, size: Option<u64>) -> u64 {
        let end = size.map_or(self.end, |size| size.min(self.end));
        end.saturating_sub(self.start)
    }

    /// Returns how what was found in a file differs from the index, as a sentence; `None` if it
    /// does not.
    pub(crate) fn difference(&self, size: Option<u64>, found: u64) -> Option<String> {
        let (length, has) = (self.end - self.start, self.length_within(size));
        if found == self.records && has == length {
            return None;
        }
        let records = match self.records {
            1 => "one record".to_owned(),
            n => format!("{n} records"),
        };
        let found = match size {
            Some(size) if has < length => format!("the file ends at {size}"),
            _ => format!("found {found}"),
        };
        Some(format!(
            "expected {records} in {length} bytes, as the index states, but {found}"
        ))
    }
}

/// Reads an offset and a length.
fn read_range(offset: &str, length: &str) -> Result<Range<u64>, String> {
    let number = |text: &str| {
        // Programs without missing integers write 1.0.
        let whole = text.trim();
        whole
            .strip_suffix(".0")
            .unwrap_or(whole)
            .parse::<u64>()
            .ok()
    };
    let range = number(offset)
        .zip(number(length))
        .and_then(|(start, length)| {
            let end = start.checked_add(length)?;
            (length > 0 && i64::try_from(end).is_ok()).then_some(start..end)
        });
    range.ok_or_else(|| {
        format!(
            "expected an offset of at least 0 and a length of at least 1, but found {offset:?} and {length:?}"
        )
    })
}

/// Returns true if and only if a name is a path that leads nowhere else.
fn is_path(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let is_normal = parts.all(|part| matches!(part, Component::Normal(_)));
    is_normal && !name.is_empty() && !name.contains("://") && !name.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Result<RecordIndex, String>, Vec<String>) {
        let mut notes = Vec::new();
        let header = INDEX_COLUMNS.join(",");
        let rows = Rows::of_text(&format!("{header}\n{text}"));
        let index = rows.and_then(|rows| RecordIndex::new(rows, &mut |note| notes.push(note)));
        (index, notes)
    }

    #[test]
    fn ranges_are_sorted_and_those_that_overlap_are_one() {
        let (index, notes) = read("b,5,5\na,300000,10\na,10.0,20\na,30,1\na,10,20\na,25,6\n");
        let index = index.unwrap();
        assert_eq!(index.names().collect::<Vec<_>>(), ["a", "b"]);
        let a = index.ranges("a").unwrap();
        let found = a.0.iter();
        let found: Vec<_> = found.map(|r| (r.start, r.end, r.records)).collect();
        assert_eq!(found, [(10, 31, 3), (300_000, 300_010, 1)]);
        assert_eq!((a.n_bytes(), a.n_bytes_within(Some(15))), (31, 5));
        assert_eq!(
            notes,
            [
                "line 7: the range at 25 of a overlaps another, and they are read as one",
                "line 5: the range at 30 of a overlaps another, and they are read as one",
                "1 line names a range that is named before, which is read once",
            ]
        );
    }

    #[cfg(feature = "remote")]
    #[test]
    fn near_ranges_are_one_request_wherever_it_begins() {
        let far = 20 + NEAR + 1;
        let (index, _) = read(&format!("a,0,10\na,{},10\na,{},1\n", 10 + NEAR, far + NEAR));
        let index = index.unwrap();
        let a = index.ranges("a").unwrap();
        assert_eq!(a.next_request(0), Some(0..20 + NEAR));
        assert_eq!(a.next_request(15), Some(15 + NEAR..20 + NEAR));
        assert_eq!(a.next_request(20), Some(far + NEAR..far + NEAR + 1));
        assert_eq!(a.next_request(21), None);
    }

    #[test]
    fn what_is_no_range_of_a_file_below_is_refused_with_its_line() {
        for (row, says) in [
            ("/a,0,1", "expected the path of an archive below"),
            ("../a,0,1", "expected the path of an archive below"),
            ("http://h/a,0,1", "expected the path of an archive below"),
            (",0,1", "expected the path of an archive below"),
            ("a,-1,1", "but found \"-1\" and \"1\""),
            ("a,0,0", "a length of at least 1"),
            ("a,,1", "but found \"\" and \"1\""),
            ("a,9223372036854775807,1", "expected an offset"),
            ("a,1", "expected 3 cells"),
        ] {
            let error = read(row).0.unwrap_err();
            assert!(
                error.starts_with("line 2: ") && error.contains(says),
                "{error}"
            );
        }
        assert_eq!(
            read("").0.unwrap_err(),
            "expected at least one record, but found none"
        );
        let rows = Rows::of_text("warc_filename,offset\na,1\n").unwrap();
        let error = RecordIndex::new(rows, &mut |_| {}).unwrap_err();
        assert!(
            error.contains("each once, but found \"warc_filename,offset\""),
            "{error}"
        );
    }
}
