-- The tables of a comparison; the variable data is its folder.
CREATE OR REPLACE TEMP MACRO table_of(name) AS TABLE
FROM read_parquet(regexp_replace(getvariable('data'), '([*?\[])', '[\1]', 'g') || '/' || name || '/**/*.parquet', hive_partitioning = false);
CREATE OR REPLACE TEMP VIEW flips AS FROM table_of('flips');
CREATE OR REPLACE TEMP VIEW causes AS FROM table_of('causes');
CREATE OR REPLACE TEMP VIEW parser_faults AS FROM table_of('parser_faults');
CREATE OR REPLACE TEMP VIEW timings AS FROM table_of('timings');
