SELECT agent, tokens, agent_category, can_be_named
FROM matrix_agents
WHERE dialect = reference_dialect()
ORDER BY agent_index;
