'use strict';
const { RobotsParser } = require('robots');
const { pathOf, serve } = require('./adapter.js');

serve('robots', (text) => {
  const parser = new RobotsParser();
  parser.parse(text.split(/\r\n|\r|\n/));
  return (agent, url) => parser.canFetchSync(agent, pathOf(url));
});
