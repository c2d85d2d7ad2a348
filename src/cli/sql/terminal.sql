SET VARIABLE shown = (
    WITH lengths AS (
        UNPIVOT (SELECT max(length(COLUMNS(*)::VARCHAR)) AS "\0" FROM (FROM robocensus_rows LIMIT 100))
        ON COLUMNS(*) INTO NAME column_name VALUE length
    ),
    widths AS (
        SELECT column_name, column_index, greatest(length(column_name), coalesce(length, 4)) AS width
        FROM duckdb_columns() LEFT JOIN lengths USING (column_name)
        WHERE table_name = 'robocensus_rows'
    ),
    fitting AS (
        FROM widths
        QUALIFY column_index = 1 OR sum(least(width, 12) + 3) OVER (ORDER BY column_index) < WIDTH
    ),
    limits AS (
        SELECT coalesce(max(range), 12) AS most
        FROM range(12, WIDTH)
        WHERE (SELECT sum(least(width, range) + 3) FROM fitting) < WIDTH
    )
    SELECT if(
        (SELECT count(*) FROM fitting) < (SELECT count(*) FROM widths)
            AND (SELECT count(*) * (SELECT count(*) FROM widths) FROM robocensus_rows) BETWEEN 1 AND 100,
        format(
            'SELECT "column", if(length(value) > {0}, left(value, {0} - 1) || ''…'', value) AS value FROM (
                UNPIVOT (SELECT coalesce(COLUMNS(*)::VARCHAR, ''NULL'') AS "\0" FROM robocensus_rows)
                ON COLUMNS(*) INTO NAME "column" VALUE value
            )',
            (SELECT greatest(WIDTH - 7 - max(length(column_name)), 12) FROM widths)
        ),
        'SELECT ' || string_agg(format(
        'if(length({0}::VARCHAR) > {1}, left({0}::VARCHAR, {1} - 1) || ''…'', {0}::VARCHAR) AS {2}',
        '"' || replace(column_name, '"', '""') || '"',
        most,
        '"' || replace(if(length(column_name) > most, left(column_name, most - 1) || '…', column_name), '"', '""') || '"'
    ), ', ' ORDER BY column_index) || ' FROM robocensus_rows LIMIT 100')
    FROM fitting, limits
);
