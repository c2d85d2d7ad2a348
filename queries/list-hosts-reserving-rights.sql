-- Which hosts reserve their rights in a comment: text and data mining, Directive (EU) 2019/790,
-- Article 4?
--
-- Tables:  comments, hosts
-- Variables: crawl, html, ranks, stratum
-- Caveats: Comments are for people: crawlers ignore them. The query searches for 2019/790, TDM as a
--          word, "text and data mining", its German, French, Spanish and Italian names, and
--          "Article 4" with a word for rights; other languages and wordings are missed. Comments of
--          pages of HTML are not recorded. Redirects are followed.
-- Shape:   one row for each line: url_host_name, line, text, capture_id; by host, then line
SELECT
    hosts.url_host_name,
    comments.line,
    comments.text,
    comments.capture_id
FROM hosts
JOIN comments USING (capture_id)
WHERE hosts.is_primary
    AND regexp_matches(
        comments.text,
        '2019/790|\bTDM\b|text[ -]and[ -]data[ -]mining|text-? und data-?mining|fouille de textes|miner[ií]a de textos|estrazione di testo|article 4\b.*(right|reserv|directive)|(right|reserv|directive).*\barticle 4\b',
        'i'
    )
ORDER BY hosts.url_host_name, comments.line;
