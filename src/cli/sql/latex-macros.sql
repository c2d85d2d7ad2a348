CREATE TEMP MACRO in_latex(cell) AS replace(replace(replace(replace(replace(replace(
    regexp_replace(replace(regexp_replace(cell, '[\s\p{Cc}\p{Cf}]+', ' ', 'g'), '\', chr(1)), '([&%$#_{}])', '\\\1', 'g'),
    chr(1), '\textbackslash{}'), '~', '\textasciitilde{}'), '^', '\textasciicircum{}'), '<', '\textless{}'), '>', '\textgreater{}'), '|', '\textbar{}');
-- Behind a rule or the end of a row, [ would begin an option and * would be a part of it.
CREATE TEMP MACRO latex_row(cells) AS if(regexp_matches(cells, '^ *[\[*]'), '{}', '') || cells || ' \\';
