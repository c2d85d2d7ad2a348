#!/usr/bin/env ruby
# WebRobots, which keeps the rules of one agent.
require 'base64'
require 'json'
require 'webrobots'
require 'webrobots/version'

PROTOCOL = 'robocensus-parser/1'
$stdout.sync = true

hello = JSON.parse($stdin.gets)
abort "expected the protocol #{PROTOCOL}, but found #{hello['protocol']}" if hello['protocol'] != PROTOCOL
puts JSON.generate(protocol: PROTOCOL, name: 'webrobots', version: Webrobots::VERSION)
$stdin.each_line do |line|
  request = JSON.parse(line)
  body = Base64.decode64(request['robots_b64']).force_encoding('UTF-8').scrub
  of_agent = Hash.new { |all, agent| all[agent] = WebRobots.new(agent, http_get: ->(_) { body }, crawl_delay: :ignore) }
  verdicts = request['queries'].map do |query|
    of_agent[query['agent']].allowed?(query['url']) ? 'allow' : 'disallow'
  rescue StandardError
    'error'
  end
  puts JSON.generate(id: request['id'], verdicts: verdicts)
end
