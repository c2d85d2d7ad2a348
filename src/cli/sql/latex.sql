WITH columns AS (
    SELECT
        string_agg(if(numeric_precision IS NULL, 'l', 'r'), '' ORDER BY column_index) AS alignment,
        string_agg(in_latex(column_name), ' & ' ORDER BY column_index) AS names
    FROM duckdb_columns()
    WHERE table_name = 'robocensus_rows'
)
SELECT line AS "% needs \usepackage{booktabs}"
FROM (
    SELECT -2 AS n, '\begin{tabular}{' || alignment || '}' || chr(10) || '\toprule' AS line FROM columns
    UNION ALL SELECT -1, latex_row(names) || chr(10) || '\midrule' FROM columns
    UNION ALL SELECT n, latex_row(concat_ws(' & ', *COLUMNS(* EXCLUDE n))) FROM (SELECT rowid AS n, coalesce(in_latex(COLUMNS(*)::VARCHAR), '') AS "\0_" FROM robocensus_rows)
    UNION ALL SELECT 9223372036854775807, '\bottomrule' || chr(10) || '\end{tabular}'
)
ORDER BY n
