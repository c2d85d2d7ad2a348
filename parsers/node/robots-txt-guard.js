'use strict';
// With the reader of the same authors, robots-txt-parse.
const { Readable } = require('stream');
const guard = require('robots-txt-guard');
const parse = require('robots-txt-parse');
const { pathOf, serve } = require('./adapter.js');

serve('robots-txt-guard', async (text) => {
  const robots = guard(await parse(Readable.from([text], { objectMode: false })));
  return (agent, url) => robots.isAllowed(agent, pathOf(url));
});
