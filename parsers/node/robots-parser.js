'use strict';
const robotsParser = require('robots-parser');
const { serve } = require('./adapter.js');

serve('robots-parser', (text) => {
  const robots = robotsParser('https://example.com/robots.txt', text);
  return (agent, url) => robots.isAllowed(url, agent);
});
