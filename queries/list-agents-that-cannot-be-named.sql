-- Question: Which agents of the matrix can no user-agent line name, under which dialect?
-- Tables:   matrix_agents
-- Caveats:  A dialect that cuts the value of a user-agent line, or the agent's own name, at a character of the name never gives the agent a group of its
--           own: its figures are those of the group of everybody, whatever a file says of it. Another dialect may answer otherwise.
-- Shape:    one row for each agent and dialect of the run: dialect, agent, agent_category, tokens (the chain, separated by commas); by dialect and agent
SELECT dialect, agent, agent_category, tokens
FROM matrix_agents
WHERE NOT can_be_named
ORDER BY dialect, agent;
