// The page: a form, and what the dataset says about a host, a crawler and a path.
//
// Everything that comes out of a robots.txt is shown as text, never as HTML.

import { about, capture, counts, file, hostOf, origins } from './dataset.js';
import { brief, count, make, makeTable, plain } from './elements.js';
import { load } from './wasm.js';
import { traffic } from './ranges.js';
import { showCharts } from './sql.js';

/** Crawls of which the versions of a host are read unasked; of more, a button does it. */
const MOST_CRAWLS = 12;
/** Origins that are named where another one was asked for. */
const MOST_ORIGINS = 8;
/** Lines of a file that are shown at once. */
const MOST_LINES = 1000;

const at = (id) => document.getElementById(id);

const code = (text) => make('code', {}, text);
const day = (time) => time?.toISOString().slice(0, 10) ?? 'an unknown day';
const percent = (n, of) => (n === 0 || n === of ? `${Math.round((100 * n) / of)} %` : `${Math.min(99.9, Math.max(0.1, (100 * n) / of)).toFixed(1)} %`);

const VERDICTS = { allow: 'may fetch', disallow: 'must not fetch', undefined: 'may or may not fetch' };

const nameOf = ({ crawl }) => crawl ?? 'this crawl';
const groupOf = ({ selected_by: by }, agent) => (by === 'named' ? `the group of ${agent}` : 'the group of *');

/** How the redirects of a fetch end, by the column redirect_outcome. */
const ENDS = {
  resolved: 'redirects lead to the file',
  not_in_corpus: 'its redirects lead to a target that was not captured',
  loop: 'its redirects lead back to themselves',
  too_many_hops: 'it has more redirects than are followed',
  not_followable: 'it has a redirect that crawlers do not follow',
  not_followed: 'redirects are not followed',
  not_modified: 'the file of an earlier fetch still holds',
};

/** Says what decided, as a clause. */
function because(decision, agent) {
  const { basis, line, verdict } = decision;
  const group = groupOf(decision, agent);
  switch (basis) {
    case 'rule':
      return `line ${line}, in ${group}, decides`;
    case 'no_rule_matched':
      return `no line of ${group} matches the path`;
    case 'no_group':
      return 'no group is for this crawler, and none for all';
    case 'access':
      return verdict === 'undefined' ? 'the answer of the server, not a file, leaves open what applies' : 'the answer of the server decides, not a file';
    case 'robots_txt_itself':
      return 'robots.txt itself may always be fetched';
    default:
      return basis.replaceAll('_', ' ');
  }
}

/** Returns the decisions of all dialects about a request, those of the dataset first. */
function decide(parser, facts, request, { status, redirects }) {
  const asked = { tokens: request.tokens, url: request.path, status, redirects };
  const builtIn = parser.decide(asked);
  const own = (facts.dialects ?? []).filter(({ dialect }) => !builtIn.some((one) => one.dialect === dialect));
  const all = own.length ? parser.decide({ ...asked, dialects: own.map(({ definition }) => definition) }) : builtIn;
  const place = ({ dialect }) => {
    const index = (facts.dialects ?? []).findIndex((one) => one.dialect === dialect);
    return index < 0 ? Infinity : index;
  };
  return all.sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
}

/** Returns the decisions about a request of an origin, and its file if there is one. */
async function answerOf(parser, facts, request, row) {
  const redirects = row.redirect_outcome && { outcome: row.redirect_outcome, hops: row.redirect_hops };
  if (row.access !== 'conditional') {
    parser.read(new Uint8Array());
    // A body that is cut off is no answer.
    const status = row.status >= 400 && row.status < 600 ? row.status : 0;
    return { decisions: decide(parser, facts, request, { status, redirects }) };
  }
  const captured = await capture(row.capture_id);
  if (!captured) throw new Error('The capture of this file is not in the dataset.');
  const found = await file(captured);
  // The parser holds one file, that of another look-up after the next await.
  const read = parser.read(found.bytes);
  if (found.errors) read.findings = found.errors.map((error) => ({ ...error, sentence: error.code.replaceAll('_', ' '), count: 1 }));
  return { ...found, read, captured, decisions: decide(parser, facts, request, { redirects }) };
}

/** How much the hosts of the crawl forbid this crawler, as sentences. */
function likewise(facts, { cells, restriction }, crawl, request, verdict) {
  const same = (row) => row.agent.toLowerCase() === request.agent.toLowerCase();
  const cell = cells?.find((row) => same(row) && row.url === request.path);
  const all = restriction?.find(same);
  const sentences = [];
  if (cell && verdict !== 'undefined') {
    const n = verdict === 'disallow' ? cell.disallowed : cell.hosts - cell.disallowed;
    sentences.push(`In ${nameOf(crawl)} the verdict is the same on ${n.toLocaleString('en')} of the ${count(cell.hosts, 'host')} that have a robots.txt (${percent(n, cell.hosts)}).`);
  }
  if (all) {
    const { whole, partly } = all;
    const rest = all.hosts_read - whole - partly;
    const share = (n) => `${n.toLocaleString('en')} (${percent(n, all.hosts_read)})`;
    sentences.push(
      `In ${nameOf(crawl)}, of ${count(all.hosts_read, 'host')} with a robots.txt, ${share(whole)} forbid ${all.agent} the whole site, ${share(partly)} a part of it, and ${share(rest)} nothing; ${share(all.named)} name it.`,
    );
    if (!cell) sentences.push(`These counts are of whole sites; how many hosts answer the same about ${brief(request.path)} can only be counted by reading every file.`);
  } else {
    sentences.push(`How many hosts do the same is not known, since ${request.agent} is none of the crawlers that were counted: ${(facts.agents ?? []).map(({ agent }) => agent).join(', ')}.`);
  }
  return sentences;
}

function showAnswer(facts, counted, crawl, request, row, found, others) {
  const { decisions } = found;
  const [first] = decisions;
  const work = facts.works[first.dialect];
  const line = first.line && found.read ? make('pre', { class: 'deciding', tabindex: '0' }, code(found.read.lines[first.line - 1] ?? '')) : '';
  const reason = because(first, request.agent);
  const items = others.map((other) => make('li', {}, linkTo(request, other), ` ${other.access === 'conditional' ? 'has a robots.txt' : `answers ${other.status ?? 'nothing'}`}`));
  at('answer').replaceChildren(
    make('p', { class: `verdict ${first.verdict}` }, make('strong', {}, request.agent), ` ${VERDICTS[first.verdict]} `, code(brief(request.path)), ' on ', make('strong', {}, row.origin), '.'),
    ...request.notes.map((note) => make('p', { class: 'small' }, sentence(note))),
    row.distance ? make('p', { class: 'warning' }, `${request.host} itself was not captured in ${nameOf(crawl)}: this is the answer of ${row.host}, which may differ.`) : '',
    make('p', {}, `${reason[0].toUpperCase()}${reason.slice(1)}, under the dialect ${first.dialect}${work ? ` (${work})` : ''}`, line ? ':' : '.'),
    line,
    make('p', {}, 'Fetched ', make('time', { datetime: row.time?.toISOString() ?? null }, day(row.time)), row.crawl ? ` in ${row.crawl}` : '', ` with status ${row.fetch_status ?? 'none'}`, row.redirect_outcome ? `: ${ENDS[row.redirect_outcome]}` : '', '.'),
    ...likewise(facts, counted, crawl, request, first.verdict).map((sentence) => make('p', {}, sentence)),
    items.length ? make('details', {}, make('summary', {}, `${count(items.length, 'other origin')} of this name`), make('ul', {}, items)) : '',
  );
  const rows = decisions.map((one) => [[`${one.dialect} `, make('span', { class: 'small' }, facts.works[one.dialect] ?? '')], make('span', { class: one.verdict }, one.verdict), one.line ? make('a', { href: `#line-${one.line}`, class: 'to-line' }, `line ${one.line}`) : '–', one.line ? `a rule of ${groupOf(one, request.agent)}` : because(one, request.agent)]);
  at('dialects').replaceChildren(makeTable(`May ${request.agent} fetch ${brief(request.path)}?`, ['Dialect', 'Verdict', 'Line', 'Because'], rows));
}

/** Returns what each line means, by its number. */
function meanings(read) {
  const words = new Map();
  const group = (index) => (index === null ? 'is in no group, so it has no effect' : '');
  for (const [index, one] of read.groups.entries()) {
    for (const agent of one.agents) words.set(agent.line, `group ${index + 1} is for ${agent.all ? 'every crawler without a group of its own' : agent.token || 'no crawler'}`);
  }
  for (const { line, group: index, kind, pattern } of read.rules) {
    const verb = kind === 'allow' ? 'allows' : 'forbids';
    const paths = /[*]|[$]$/.test(pattern) ? `paths that match ${pattern}` : pattern === '/' ? 'every path' : `paths that begin with ${pattern}`;
    words.set(line, group(index) || (pattern === '' ? (kind === 'allow' ? 'allows nothing in particular' : 'forbids nothing') : `${verb} ${paths}`));
  }
  for (const { line, field, value } of read.records) {
    const known = { sitemap: `names a sitemap`, 'crawl-delay': `asks for ${value} seconds between requests`, host: `names the preferred host` };
    words.set(line, known[field] ?? (field ? `states ${field}` : 'has a field that no dialect knows'));
  }
  return words;
}

function showFile(row, found, line) {
  if (!found.read) {
    at('file').replaceChildren(make('p', {}, `There is no file: the server answered ${row.status ?? `${row.fetch_status ?? 'nothing that can be read'}${row.redirect_outcome ? ` (${ENDS[row.redirect_outcome]})` : ''}`}, which ${row.access === 'full_allow' ? 'allows everything' : row.access === 'full_disallow' ? 'forbids everything' : 'decides nothing'}.`));
    at('groups').replaceChildren(make('p', {}, 'There is none.'));
    return;
  }
  const { read, captured } = found;
  const means = meanings(read);
  const ofLine = (number) => read.findings.filter((finding) => finding.line === number);
  const finding = ({ severity, code: name, sentence, count: n }) => make('span', { class: `finding ${severity}` }, make('b', {}, severity), ` ${name}: ${sentence}${n > 1 ? ` (${n} places)` : ''}`);
  const item = (text, index) => {
    const number = index + 1;
    const meaning = means.get(number) ?? (text.trim() === '' ? '' : text.trim().startsWith('#') ? 'comment' : 'is not understood');
    const decides = number === line;
    return make('li', { id: `line-${number}`, tabindex: '-1', class: decides ? 'decides' : null, 'aria-current': decides ? 'true' : null }, code(text), meaning ? make('span', { class: 'meaning' }, decides ? `decides; ${meaning}` : meaning) : '', ofLine(number).map(finding));
  };
  const list = make('ol', { class: 'robots' }, read.lines.slice(0, Math.max(MOST_LINES, line ?? 0)).map(item));
  const rest = read.lines.length - list.children.length;
  const more = make('button', { type: 'button' }, `Show ${count(rest, 'more line')}`);
  more.addEventListener('click', () => {
    more.remove();
    list.append(...read.lines.slice(list.children.length).map((text, index) => item(text, read.lines.length - rest + index)));
  });
  at('file').replaceChildren(
    make('p', { class: 'small' }, `${count(read.lines.length, 'line')}, ${count(found.bytes.length, 'byte')}; record at ${captured.warc_record_offset} of ${captured.warc_filename}.`),
    found.isWhole ? '' : make('p', { class: 'warning' }, 'The dataset was made without the files (table bodies). These are the lines that its tables have, as its reference dialect reads them: misspelled and unknown lines may be missing, so other dialects may decide otherwise.'),
    ...ofLine(null).map((one) => make('p', {}, finding(one))),
    list,
    rest > 0 ? more : '',
  );
  const groups = read.groups.map(({ agents, rules, first, last }) => make('li', {}, agents.map(({ token, all }) => (all ? '*' : token || 'no crawler')).join(', '), ` – ${count(rules, 'rule')}, `, make('a', { href: `#line-${first}`, class: 'to-line' }, `lines ${first} to ${last}`)));
  at('groups').replaceChildren(groups.length ? make('ol', {}, groups) : make('p', {}, 'There is none.'));
}

/** Returns what an origin said in some crawls, one after another: fetches between which nothing that matters here changed are one. */
async function versionsOf(parser, facts, request, { host, origin }, crawls, signal) {
  const versions = [];
  for (const crawl of crawls) {
    signal.throwIfAborted();
    const then = (await origins(crawl, host)).find((one) => one.origin === origin);
    if (!then) continue;
    const isFile = then.access === 'conditional';
    const captured = isFile ? await capture(then.capture_id, ['semantic_digest']) : null;
    const meaning = captured?.semantic_digest ?? `${then.access} ${then.status}`;
    const last = versions.at(-1);
    if (last?.meaning !== meaning) {
      const { read, decisions: [decision] } = await answerOf(parser, facts, request, then);
      const line = decision.line ? read.lines[decision.line - 1] : '';
      const group = groupOf(decision, request.agent);
      const why = line ? [code(line), ` in ${group}`] : [isFile ? because(decision, request.agent) : `no file: status ${then.status ?? 'unknown'}`];
      const { verdict } = decision;
      const key = `${verdict} ${why.map((part) => part.textContent ?? part).join('')}`;
      if (last?.key !== key) {
        const short = `“${verdict}”${isFile ? '' : ` (${why})`}`;
        versions.push({ meaning, key, verdict, isFile, why, short, from: then, until: then });
        continue;
      }
      last.meaning = meaning;
    }
    last.until = then;
  }
  signal.throwIfAborted();
  return versions;
}

/** Shows since when an origin has said what it says in a crawl. */
async function showVersions(parser, facts, request, row, signal) {
  const place = at('versions');
  const crawls = facts.crawls.slice(0, facts.crawls.findIndex((one) => one.crawl === row.crawl) + 1);
  if (crawls.length === 1) {
    place.replaceChildren(make('p', {}, `The dataset has no earlier crawl: this is what was fetched on ${day(row.time)}, and what was said before is not known.`));
    return;
  }
  const seen = (one) => [make('time', {}, day(one.time)), ` (${nameOf(one)})`];
  const show = async () => {
    place.replaceChildren(make('p', {}, `Reading ${crawls.length} crawls…`));
    const versions = await versionsOf(parser, facts, request, row, crawls, signal);
    const last = versions.at(-1);
    const changed = versions.findLastIndex((one) => one.verdict !== last.verdict || one.isFile !== last.isFile);
    const before = versions[changed];
    const rows = versions.map(({ from, until, verdict, why }) => [seen(from), seen(until), make('span', { class: verdict }, verdict), why]);
    place.replaceChildren(
      make('p', {}, `In ${nameOf(row)} the verdict is ${last.short}, first seen on `, seen(versions[changed + 1].from), before ? ['; the fetch before, of ', seen(before.until), `, had another answer: ${before.short}.`] : ', the first fetch of this origin in the dataset.'),
      makeTable(`What ${request.agent} may do with ${brief(request.path)} on ${row.origin}, up to ${nameOf(row)}; other lines of the file may have changed within a row`, ['First seen', 'Last seen', 'Verdict', 'Decided by'], rows),
    );
  };
  const trial = async () => {
    try {
      await show();
    } catch (error) {
      if (!signal.aborted) place.replaceChildren(make('p', { class: 'warning' }, error.message));
    }
    if (!signal.aborted) showTraffic();
  };
  if (crawls.length <= MOST_CRAWLS) return trial();
  const button = make('button', { type: 'button' }, `Compare all ${crawls.length} crawls`);
  button.addEventListener('click', trial);
  place.replaceChildren(make('p', {}, `Fetched on ${day(row.time)}. `, button));
}

/** The address of a question. */
const address = ({ host, agent, path, crawl }) => `#${new URLSearchParams({ host, agent, path, ...(crawl && { crawl }) })}`;

const linkTo = (request, { origin }) => make('a', { href: address({ ...request, agent: request.tokens.join(','), host: origin }) }, origin);

function showTraffic() {
  at('traffic').textContent = `Since this page was opened its scripts have sent ${count(traffic.requests, 'request')} and read ${count(traffic.bytes, 'byte')}. What you type is not sent: the server sees only which parts of which files are read.`;
}

/** Shows what is going on, or why there is no answer; a screen reader is told the answer here. */
function state(isHeard, ...children) {
  at('state').className = isHeard ? 'heard' : '';
  at('state').replaceChildren(make('span', {}, ...children));
}

/** A clause of the parser as a sentence. */
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}${text.endsWith('?') ? '' : '.'}`;

/** Returns what the address asks, or throws what is wrong with it. */
function requestOf(asked, facts, parser) {
  const host = (asked.get('host') ?? '').trim();
  const named = hostOf(host);
  if (!named) throw new Error(`Expected a host name or URL, such as example.com, but found ${host ? `“${brief(host)}”` : 'nothing'}.`);
  const { tokens, notes, error } = parser.agent(asked.get('agent') ?? '');
  if (error) throw new Error(sentence(error));
  const [agent] = tokens;
  const known = facts.agents?.find((one) => one.agent.toLowerCase() === agent.toLowerCase());
  const path = asked.get('path') || named.path;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) throw new Error(`Expected a path, such as /articles, but found “${brief(path)}”: a URL is asked for in place of the host name.`);
  return {
    host: named.name,
    agent,
    tokens: known && tokens.length === 1 ? known.tokens.split(',') : tokens,
    notes,
    path: path.startsWith('/') ? path : `/${path}`,
    crawl: asked.get('crawl'),
    named,
  };
}

/** Returns the origin that is asked for, and others of its name; throws where it is not in the crawl. */
function chosen(all, crawl, request) {
  const { named } = request;
  const own = all.filter(({ distance }) => distance < 2);
  const near = own.length ? own : all.filter(({ distance }) => distance === 2);
  const row = near.find(({ origin }) => named.origins?.includes(origin) ?? true);
  if (row) return [row, near.filter((one) => one !== row)];
  const captured = near.length ? near : all;
  const links = captured.slice(0, MOST_ORIGINS).flatMap((one, index) => [index ? ', ' : ' Captured of its domain: ', linkTo(request, one)]);
  if (captured.length > MOST_ORIGINS) links.push(', and others');
  throw Object.assign(new Error(`${brief(request.host)} was not captured in ${nameOf(crawl)}.`), { links });
}

let asking = new AbortController();
/** The path that was asked for last, and one that was typed and is not asked for. */
const paths = { asked: '', unasked: '' };

async function lookUp() {
  // A look-up that is overtaken shows nothing more.
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const asked = new URLSearchParams(location.hash.slice(1));
  if (!asked.has('host')) {
    at('found').hidden = true;
    at('host').value = '';
    state(false);
    return;
  }
  try {
    state(false, 'Looking up…');
    const began = performance.now();
    const [facts, parser] = await Promise.all([about(), load('parser')]);
    signal.throwIfAborted();
    if (!parser) throw new Error('This browser has no WebAssembly, in which files are read; the data card and the report need none.');
    const request = requestOf(asked, facts, parser);
    if (paths.unasked) request.notes.push(`the path is that of the URL, not ${brief(paths.unasked)}`);
    Object.assign(paths, { asked: request.path, unasked: '' });
    for (const key of ['host', 'path', 'crawl']) if (request[key]) at(key).value = request[key];
    at('agent').value = request.tokens.join(',');
    const crawl = facts.crawls.find((one) => one.crawl === request.crawl) ?? facts.crawls.at(-1);
    const [all, counted] = await Promise.all([origins(crawl, request.named.host), counts(crawl)]);
    const [row, others] = chosen(all, crawl, request);
    const found = await answerOf(parser, facts, request, row);
    signal.throwIfAborted();
    const [first] = found.decisions;
    showAnswer(facts, counted, crawl, request, row, found, others);
    showFile(row, found, first.line);
    at('found').hidden = false;
    state(true, `${request.agent} ${VERDICTS[first.verdict]} ${brief(request.path)} on ${row.origin}.`);
    showTraffic();
    document.documentElement.dataset.answered = String(Math.round(performance.now() - began));
    await showVersions(parser, facts, request, row, signal);
  } catch (error) {
    if (signal.aborted) return;
    at('found').hidden = true;
    state(false, error.message, error.links ?? []);
    showTraffic();
    document.documentElement.dataset.answered = 'no';
  }
}

async function begin() {
  at('ask').addEventListener('submit', (event) => {
    event.preventDefault();
    const value = (id) => at(id).value.trim();
    const typed = hostOf(value('host'));
    if (typed?.path && !['', '/', typed.path, paths.asked].includes(value('path'))) paths.unasked = value('path');
    const asked = address({ host: typed?.name ?? value('host'), agent: value('agent'), path: typed?.path || value('path') || '/', crawl: value('crawl') });
    if (location.hash === asked) lookUp();
    else location.hash = asked;
  });
  addEventListener('hashchange', () => lookUp());
  at('crawl').addEventListener('change', () => location.hash && at('ask').requestSubmit());
  document.addEventListener('click', (event) => {
    // A line is shown without changing the address, which is that of the question.
    const link = event.target.closest?.('a.to-line');
    if (!link) return;
    event.preventDefault();
    const line = at(link.getAttribute('href').slice(1));
    line?.scrollIntoView({ block: 'center' });
    line?.focus();
  });
  // What every question needs is here before it is typed.
  load('parser').catch(() => {});
  at('charts').addEventListener('toggle', () => showCharts(at('charts').lastElementChild), { once: true });
  try {
    const facts = await about();
    document.title = plain(facts.name);
    at('name').textContent = plain(facts.name);
    at('made').textContent = plain(facts.made);
    at('agents').replaceChildren(...(facts.agents ?? []).map(({ agent }) => make('option', { value: agent })));
    at('agent').value = facts.agents?.find(({ agent }) => agent === 'GPTBot')?.agent ?? facts.agents?.[0]?.agent ?? '*';
    const examples = (facts.examples ?? []).map(({ url_host_name: host, agent }) => [make('a', { href: address({ host, agent, path: '/' }) }, host), ' ']);
    if (examples.length) at('examples').replaceChildren('For example: ', ...examples.flat());
    at('of-crawls').hidden = facts.crawls.length < 2;
    at('crawl').replaceChildren(...facts.crawls.toReversed().map(({ crawl }) => make('option', { value: crawl ?? '' }, crawl ?? 'of no name')));
  } catch (error) {
    at('state').textContent = plain(error.message);
  }
  lookUp();
}

begin();
