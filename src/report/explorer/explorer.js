// The page: a form, and what the dataset says about a host, a crawler and a path.
//
// Everything that comes out of a robots.txt is shown as text, never as HTML.

import { about, capture, file, hostOf, origins } from './dataset.js';
import { make, makeTable, plain } from './elements.js';
import { load } from './parser.js';
import { traffic } from './ranges.js';
import { showCharts } from './sql.js';

/** Crawls of which the versions of a host are read unasked; of more, a button does it. */
const MOST_CRAWLS = 12;
/** Lines of a file that are shown at once. */
const MOST_LINES = 1000;

const at = (id) => document.getElementById(id);

const code = (text) => make('code', {}, text);
const count = (n, noun) => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;
const day = (time) => time?.toISOString().slice(0, 10) ?? 'an unknown day';
const percent = (n, of) => (n === 0 || n === of ? `${Math.round((100 * n) / of)} %` : `${Math.min(99.9, Math.max(0.1, (100 * n) / of)).toFixed(1)} %`);

const VERDICTS = { allow: 'may fetch', disallow: 'must not fetch', undefined: 'may or may not fetch' };

/** Says what decided, as a clause. */
function because({ basis, line, selected_by: by }, agent) {
  const group = by === 'named' ? `the group of ${agent}` : 'the group of *';
  switch (basis) {
    case 'rule':
      return `line ${line}, in ${group}, decides`;
    case 'no_rule_matched':
      return `no line of ${group} matches the path`;
    case 'no_group':
      return 'no group is for this crawler, and none for all';
    case 'access':
      return 'the answer of the server decides, not a file';
    case 'robots_txt_itself':
      return 'robots.txt itself may always be fetched';
    default:
      return basis.replaceAll('_', ' ');
  }
}

/** Returns the decisions of all dialects about a request, those of the dataset first. */
function decide(parser, facts, request, { status, redirects }) {
  const known = facts.agents?.find(({ agent }) => agent.toLowerCase() === request.agent.toLowerCase());
  const tokens = known ? known.tokens.split(',') : [request.agent];
  const asked = { tokens, url: request.path, status, redirects };
  const builtIn = parser.decide(asked);
  const own = (facts.dialects ?? []).filter(({ dialect }) => !builtIn.some((one) => one.dialect === dialect));
  const all = own.length ? parser.decide({ ...asked, dialects: own.map(({ definition }) => definition) }) : builtIn;
  const place = ({ dialect }) => {
    const index = (facts.dialects ?? []).findIndex((one) => one.dialect === dialect);
    return index < 0 ? Infinity : index;
  };
  return all.sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
}

/** Reads the file of an origin into the parser; what it has, or why there is none. */
async function readFile(parser, row) {
  const redirects = row.redirect_outcome && { outcome: row.redirect_outcome, hops: row.redirect_hops };
  if (row.access !== 'conditional') {
    parser.read(new Uint8Array());
    // A body that is cut off is no answer.
    return { status: row.status >= 400 && row.status < 600 ? row.status : 0, redirects };
  }
  const captured = await capture(row.capture_id);
  if (!captured) throw new Error('The capture of this file is not in the dataset.');
  const found = await file(captured);
  const read = parser.read(found.bytes);
  if (found.errors) read.findings = found.errors.map((error) => ({ ...error, sentence: error.code.replaceAll('_', ' '), count: 1 }));
  return { ...found, read, captured, redirects };
}

/** How much the hosts of the dataset forbid this crawler, as sentences. */
function likewise(facts, request, verdict) {
  const same = (row) => row.agent.toLowerCase() === request.agent.toLowerCase();
  const cell = facts.cells?.find((row) => same(row) && row.url === request.path);
  const all = facts.restriction?.find(same);
  const sentences = [];
  if (cell && verdict !== 'undefined') {
    const n = verdict === 'disallow' ? cell.disallowed : cell.hosts - cell.disallowed;
    sentences.push(`The verdict is the same on ${n.toLocaleString('en')} of the ${count(cell.hosts, 'host')} that have a robots.txt (${percent(n, cell.hosts)}).`);
  }
  if (all) {
    const whole = all.full_named + all.full_everybody;
    const partly = all.partial_named + all.partial_everybody;
    const rest = all.hosts_read - whole - partly;
    const share = (n) => `${n.toLocaleString('en')} (${percent(n, all.hosts_read)})`;
    sentences.push(
      `Of ${count(all.hosts_read, 'host')} with a robots.txt, ${share(whole)} forbid ${all.agent} the whole site, ${share(partly)} a part of it, and ${share(rest)} nothing; ${share(all.named)} name it.`,
    );
  } else {
    sentences.push(`${request.agent} is none of the crawlers that were counted, so how many hosts do the same is not known: ${(facts.agents ?? []).map(({ agent }) => agent).join(', ')}.`);
  }
  return sentences;
}

function showAnswer(facts, request, row, found, decisions, all) {
  const [first] = decisions;
  const line = first.line && found.read ? make('pre', { class: 'deciding', tabindex: '0' }, code(found.read.lines[first.line - 1] ?? '')) : '';
  const reason = because(first, request.agent);
  const others = all.slice(1).map((other) => make('li', {}, make('a', { href: address({ ...request, host: other.origin }) }, other.origin), ` ${other.access === 'conditional' ? 'has a robots.txt' : `answers ${other.status ?? 'nothing'}`}`));
  at('answer').replaceChildren(
    make('p', { class: `verdict ${first.verdict}` }, make('strong', {}, request.agent), ` ${VERDICTS[first.verdict]} `, code(request.path), ' on ', make('strong', {}, row.origin), '.'),
    make('p', {}, `${reason[0].toUpperCase()}${reason.slice(1)}, as ${first.dialect} reads it`, line ? ':' : '.'),
    line,
    make('p', {}, 'Fetched ', make('time', { datetime: row.time?.toISOString() ?? null }, day(row.time)), row.crawl ? ` in ${row.crawl}` : '', ` with status ${row.fetch_status ?? 'none'}`, row.redirect_outcome ? ` (redirects: ${row.redirect_outcome.replaceAll('_', ' ')})` : '', '.'),
    ...likewise(facts, request, first.verdict).map((sentence) => make('p', {}, sentence)),
    others.length ? make('details', {}, make('summary', {}, `${count(others.length, 'other origin')} of this name`), make('ul', {}, others)) : '',
  );
  const rows = decisions.map((one) => [one.dialect, make('span', { class: one.verdict }, one.verdict), one.line ? make('a', { href: `#line-${one.line}`, class: 'to-line' }, `line ${one.line}`) : '–', because(one, request.agent)]);
  at('dialects').replaceChildren(makeTable(`May ${request.agent} fetch ${request.path}?`, ['Dialect', 'Verdict', 'Line', 'Because'], rows));
}

/** Returns what each line means, by its number. */
function meanings(read) {
  const words = new Map();
  const group = (index) => (index === null ? 'is in no group, so it has no effect' : '');
  for (const [index, one] of read.groups.entries()) {
    for (const agent of one.agents) words.set(agent.line, `group ${index + 1} is for ${agent.all ? 'every crawler without a group of its own' : agent.token}`);
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
    at('file').replaceChildren(make('p', {}, `There is no file: the server answered ${row.status ?? 'nothing that can be read'}, which ${row.access === 'full_allow' ? 'allows everything' : row.access === 'full_disallow' ? 'forbids everything' : 'decides nothing'}.`));
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
  const groups = read.groups.map(({ agents, rules, first, last }) => make('li', {}, agents.map(({ token, all }) => (all ? '*' : token)).join(', '), ` – ${count(rules, 'rule')}, `, make('a', { href: `#line-${first}`, class: 'to-line' }, `lines ${first} to ${last}`)));
  at('groups').replaceChildren(groups.length ? make('ol', {}, groups) : make('p', {}, 'There is none.'));
}

/** Shows the versions of what an origin says, and the verdict of each. */
async function showVersions(parser, facts, request, row) {
  const place = at('versions');
  const crawls = facts.crawls;
  const name = (one) => one.crawl ?? 'This crawl';
  if (crawls.length === 1) {
    place.replaceChildren(make('p', {}, `The dataset has one crawl: the file said so when it was fetched, on ${day(row.time)}. What it said before is not known.`));
    return;
  }
  const show = async () => {
    place.replaceChildren(make('p', {}, `Reading ${crawls.length} crawls…`));
    const versions = [];
    for (const crawl of crawls) {
      const then = (await origins(crawl, row.host)).find((one) => one.origin === row.origin);
      if (!then) continue;
      const captured = then.access === 'conditional' ? await capture(then.capture_id, ['semantic_digest']) : null;
      const meaning = captured?.semantic_digest ?? then.access;
      const last = versions.at(-1);
      if (last?.meaning === meaning) {
        last.until = then;
        continue;
      }
      const found = await readFile(parser, then);
      const [decision] = decide(parser, facts, request, found);
      const text = decision.line ? found.read.lines[decision.line - 1] : '–';
      versions.push({ meaning, from: then, until: then, decision, text });
    }
    const last = versions.at(-1);
    const since = versions.findLastIndex((one) => one.decision.verdict !== last.decision.verdict) + 1;
    const rows = versions.map(({ from, until, decision, text }) => [`${name(from)} (${day(from.time)})`, `${name(until)} (${day(until.time)})`, make('span', { class: decision.verdict }, decision.verdict), decision.line ?? '–', code(text)]);
    const begin = versions[since].from;
    place.replaceChildren(
      make('p', {}, `The verdict has been “${last.decision.verdict}” since ${name(begin)}, fetched ${day(begin.time)}${since === 0 ? ', the first crawl that has this origin' : ''}.`),
      makeTable(`Versions of ${row.origin}: what ${request.agent} may do with ${request.path}`, ['First seen', 'Last seen', 'Verdict', 'Line', 'Deciding line'], rows),
    );
  };
  const trial = () => show().catch((error) => place.replaceChildren(make('p', { class: 'warning' }, error.message)));
  if (crawls.length <= MOST_CRAWLS) return trial();
  const button = make('button', { type: 'button' }, `Compare all ${crawls.length} crawls`);
  button.addEventListener('click', trial);
  place.replaceChildren(make('p', {}, `Fetched on ${day(row.time)}. `, button));
}

/** The address of a question. */
const address = ({ host, agent, path, crawl }) => `#${new URLSearchParams({ host, agent, path, ...(crawl && { crawl }) })}`;

let latest = 0;

async function lookUp() {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (!asked.has('host')) return;
  const mine = (latest += 1);
  // The answer is on the page; a screen reader is told it here.
  const state = (text, isHeard) => {
    if (mine !== latest) return;
    at('state').className = isHeard ? 'heard' : '';
    at('state').textContent = plain(text);
  };
  try {
    state('Looking up…');
    const began = performance.now();
    const before = { ...traffic };
    const [facts, parser] = await Promise.all([about(), load()]);
    if (!parser) throw new Error('This browser has no WebAssembly, in which files are read; the data card and the report need none.');
    const named = hostOf(asked.get('host'));
    if (!named) throw new Error(`“${asked.get('host')}” is no host: expected one such as example.com.`);
    const request = { host: asked.get('host'), agent: asked.get('agent') || '*', path: asked.get('path') || '/', crawl: asked.get('crawl') };
    for (const key of ['host', 'agent', 'path', 'crawl']) if (request[key]) at(key).value = request[key];
    const crawl = facts.crawls.find((one) => one.crawl === request.crawl) ?? facts.crawls.at(-1);
    const all = await origins(crawl, named.host);
    const [row] = all.filter((one) => one.origin === request.host).concat(all);
    if (!row) throw new Error(`${named.host} is not in the dataset${crawl.crawl ? ` (${crawl.crawl})` : ''}: no robots.txt of it was asked for, or only under another name.`);
    const found = await readFile(parser, row);
    if (mine !== latest) return;
    const decisions = decide(parser, facts, request, found);
    showAnswer(facts, request, row, found, decisions, [row, ...all.filter((one) => one !== row)]);
    showFile(row, found, decisions[0].line);
    at('found').hidden = false;
    const took = Math.round(performance.now() - began);
    state(`${request.agent} ${VERDICTS[decisions[0].verdict]} ${request.path} on ${row.origin}.`, true);
    const read = `${count(traffic.requests - before.requests, 'request')}, ${count(traffic.bytes - before.bytes, 'byte')} of the tables, ${took} ms`;
    at('traffic').textContent = `This answer took ${read}. Nothing that you type leaves this page but as ranges of the dataset's files.`;
    document.documentElement.dataset.answered = String(took);
    await showVersions(parser, facts, request, row);
  } catch (error) {
    if (mine !== latest) return;
    at('found').hidden = true;
    state(error.message);
    document.documentElement.dataset.answered = 'no';
  }
}

async function begin() {
  at('ask').addEventListener('submit', (event) => {
    event.preventDefault();
    const value = (id) => at(id).value.trim();
    const typed = hostOf(value('host'));
    // The path of a URL is asked unless another was typed.
    const path = value('path') || (typed?.isUrl ? typed.path : '/');
    const asked = address({ host: value('host'), agent: value('agent') || '*', path: path.startsWith('/') ? path : `/${path}`, crawl: value('crawl') });
    if (location.hash === asked) lookUp();
    else location.hash = asked;
  });
  addEventListener('hashchange', () => lookUp());
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
  load().catch(() => {});
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
