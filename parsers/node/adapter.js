'use strict';
// The protocol `robocensus-parser/1` on standard input and output, for parsers in JavaScript.

const readline = require('readline');

const PROTOCOL = 'robocensus-parser/1';
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

function verdict(canFetch, { agent, url }) {
  try {
    const answer = canFetch(agent, url);
    if (answer === undefined || answer === null) return 'undefined';
    return answer ? 'allow' : 'disallow';
  } catch {
    return 'error';
  }
}

// Returns the path and the query of a URL, for parsers that take no URL.
exports.pathOf = (url) => url.replace(/^https?:\/\/[^/?#]*/, '') || '/';

// Answers requests until there are no more. `parse` takes the text of a robots.txt and returns, or promises, a function
// of an agent and a URL, which returns whether the agent may fetch the URL. Where that throws the verdict is `error`.
exports.serve = async (name, parse) => {
  const { version } = require(`${name}/package.json`);
  let isFirst = true;
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    if (isFirst) {
      if (request.protocol !== PROTOCOL) throw new Error(`expected the protocol ${PROTOCOL}, but found ${request.protocol}`);
      say({ protocol: PROTOCOL, name, version });
      isFirst = false;
      continue;
    }
    const canFetch = await parse(Buffer.from(request.robots_b64, 'base64').toString('utf8'));
    say({ id: request.id, verdicts: request.queries.map((query) => verdict(canFetch, query)) });
  }
};
