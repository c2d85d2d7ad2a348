SET VARIABLE shown = (
    SELECT 'SELECT ' || string_agg(
        '"' || replace(column_name, '"', '""') || '"' || if(data_type IN ('HUGEINT', 'UHUGEINT'), '::BIGINT AS "' || replace(column_name, '"', '""') || '"', ''),
        ', ' ORDER BY column_index
    ) || ' FROM robocensus_rows'
    FROM duckdb_columns()
    WHERE table_name = 'robocensus_rows'
);
