'use strict';
const robotsParser = require('robots-txt-parser');
const { serve } = require('./adapter.js');

serve('robots-txt-parser', (text) => {
  const robots = robotsParser();
  robots.parseRobots('https://example.com', text);
  return (agent, url) => {
    robots.setUserAgent(agent);
    return robots.canCrawlSync(url);
  };
});
