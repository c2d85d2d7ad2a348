-- The ten files on which each side took longest.
FROM timings
QUALIFY row_number() OVER (PARTITION BY side ORDER BY milliseconds DESC, capture_id) <= 10
ORDER BY side, milliseconds DESC, capture_id;
