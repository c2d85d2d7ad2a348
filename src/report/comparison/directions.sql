-- The flips by direction, the most first.
--
-- Chart:   bars label={direction} value=flips count=flips n=rows
SELECT replace(direction, '_', ' ') AS direction, count(*) AS flips
FROM flips
GROUP BY ALL
ORDER BY flips DESC, direction;
