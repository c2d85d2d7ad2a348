-- Which inputs, with which faults, and which version of the program made this dataset?
--
-- Tables:  archives, archive_errors
-- Caveats: The options of the run are in _dataset.json in the dataset's folder, and the attempts in
--          _manifest/. A record that is no capture is skipped for a named reason, which is no
--          fault; see the table archive_skips.
-- Shape:   one row for each archive: warc_filename, bytes, records, captures, bytes_skipped,
--          faults, first_fault, is_complete, archive_sha1, tool_version; by name
WITH faults AS (
    SELECT
        warc_filename,
        count(*) AS faults,
        min_by(code || ' at byte ' || byte_offset || ': ' || message, byte_offset) AS first_fault
    FROM archive_errors
    GROUP BY warc_filename
)
SELECT
    archives.warc_filename,
    archives.bytes,
    archives.record_count AS records,
    archives.capture_count AS captures,
    archives.bytes_skipped,
    coalesce(faults.faults, 0) AS faults,
    faults.first_fault,
    archives.is_complete,
    archives.archive_sha1,
    archives.tool_version
FROM archives
LEFT JOIN faults USING (warc_filename)
ORDER BY archives.warc_filename;
