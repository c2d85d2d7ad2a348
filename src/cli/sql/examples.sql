SELECT url_host_name, min(agent) AS agent
FROM host_policies
WHERE dialect = asked_dialect() AND has_robots_txt AND is_primary_of_domain AND group_kind = 'named'
GROUP BY url_host_name
ORDER BY url_host_name
LIMIT 3;
