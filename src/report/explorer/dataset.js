// The dataset: where a host, a capture and its file are in the tables.

import { Table, readJson } from './ranges.js';

/** What was read, each once: another path of a host that was asked needs no more. */
const kept = new Map();

function once(key, read) {
  if (!kept.has(key)) {
    const found = read();
    kept.set(key, found);
    found.catch(() => kept.delete(key));
  }
  return kept.get(key);
}

const keep = (path) => once(path, () => readJson(`explorer/${path}`));

/** Returns how many hosts of a crawl forbid what, as it was counted at publication. */
export const counts = (crawl) => keep(crawl.layout.replace('hosts', 'counts'));

/** Returns what was written about the dataset when it was published. */
export const about = () => keep('dataset.json');

const table = (path, name) =>
  once(`${path} ${name}`, async () => {
    const layout = await keep(path);
    const found = name ? layout[name] : layout;
    return found ? new Table(found) : null;
  });

/** Names of hosts, and addresses, as a URL has them (RFC 1035, 2.3.4; the underscore is used all the same). */
const IS_HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]{1,253})$/;

/**
 * Returns what a visitor typed, a host, a domain or a URL; null if it is none: the host, the origins
 * that are meant if a scheme or port says so, their name without a path, and the path if there is one.
 */
export function hostOf(text) {
  const typed = text.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  try {
    const [url, other] = (hasScheme ? [''] : ['http://', 'https://']).map((scheme) => new URL(scheme + typed));
    const port = url.port || other?.port;
    const host = url.hostname.replace(/\.$/, '');
    if (!IS_HOST.test(host)) return null;
    const path = url.pathname + url.search;
    return {
      host,
      origins: hasScheme ? [url.origin] : port ? [url.origin, other.origin] : null,
      name: hasScheme ? url.origin : port ? `${host}:${port}` : host,
      path: path === '/' ? '' : path,
    };
  } catch {
    return null;
  }
}

/**
 * Returns the origins of the registered domain of a host in a crawl, the nearest to the host first.
 *
 * The table is sorted by registered domain, which is the host or an end of it, or by the host where
 * there is none, so that one page is read.
 */
export const origins = (crawl, host) => once(`origins ${crawl.layout} ${host}`, () => readOrigins(crawl, host));

async function readOrigins(crawl, host) {
  const hosts = await table(crawl.layout);
  const labels = host.split('.');
  const names = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
  let rows = [];
  if (names.length && !/^[0-9.]+$|:/.test(host)) {
    // Most domains have two labels, or three below names such as co.uk; another guess is rarely needed.
    const guess = names.at(/\.(com|net|org|edu|gov|gob|gouv|or|ne|go|co|ac)\.[a-z]{2}$/.test(host) ? -2 : -1) ?? names[0];
    rows = await hosts.withKeys([guess]);
    const others = names.filter((name) => name !== guess);
    if (!rows.length && others.length) rows = await hosts.withKeys(others);
  }
  // Addresses, single labels and public suffixes have no registered domain.
  if (!rows.length) rows = await hosts.withoutKey('url_host_name', host);
  const twin = host.startsWith('www.') ? host.slice(4) : `www.${host}`;
  const origin = (row) => ({
    ...row,
    // How near it is: the host, the same with or without www, a host of this domain, of the same domain.
    distance: row.url_host_name === host ? 0 : row.url_host_name === twin ? 1 : row.url_host_registered_domain === host ? 2 : 3,
    host: row.url_host_name,
    origin: `${row.url_protocol}://${row.url_host_name}${row.url_port == null ? '' : `:${row.url_port}`}`,
    crawl: crawl.crawl,
    time: row.fetch_time == null ? null : new Date(Number(row.fetch_time / 1000n)),
    // The fetch decides where there is no file: without a redirect by its own status.
    status: row.redirect_outcome == null || row.redirect_outcome === 'not_followed' ? row.fetch_status : row.end_status,
  });
  // The origin that counts for its host comes first.
  const rank = (row) => 2 * row.distance + (row.is_primary ? 0 : 1);
  return rows.map(origin).sort((a, b) => rank(a) - rank(b) || (a.origin < b.origin ? -1 : 1));
}

/** Returns the layouts of files that may have a capture: of a row group whose identifiers surround it. */
async function partsOf(id) {
  const { parts } = await about();
  const has = ([least, most]) => BigInt(least) <= id && id <= BigInt(most);
  return parts.filter((part) => part.ends.some(has)).map((part) => part.layout);
}

/**
 * Returns where the record of a capture is, more columns of its row, and the layout of its part; null
 * if there is none of this identifier.
 */
export const capture = (id, more = []) => once(`capture ${id} ${more}`, () => readCapture(id, more));

async function readCapture(id, more) {
  for (const part of await partsOf(id)) {
    const [captures, bodies] = await Promise.all(['captures', 'bodies'].map((name) => table(part, name)));
    const digest = bodies ? ['content_digest'] : [];
    const [row] = await captures.withKeys([id], ['capture_id', 'warc_filename', 'warc_record_offset', ...digest, ...more]);
    if (row) return { ...row, part };
  }
  return null;
}

/** Row groups before that of a capture in which its body may be: those of one chunk of an archive. */
const EARLIER_GROUPS = 3;

/** Returns the body of a capture, bytes; null if the dataset has none. */
async function body({ part, capture_id: id, content_digest: digest }) {
  const bodies = await table(part, 'bodies');
  if (!bodies) return null;
  const typed = bodies.layout.groups.map(({ ends }) => ends.map(BigInt));
  const last = typed.findLastIndex(([least]) => least <= id);
  for (let at = last; at >= 0 && at > last - EARLIER_GROUPS; at -= 1) {
    const group = bodies.layout.groups[at];
    const own = [];
    const same = [];
    const rows = await bodies.rows([group], undefined, null, ['capture_id', 'content_digest']);
    for (const row of rows) {
      if (row.capture_id === id) own.push(row);
      if (row.content_digest === digest) same.push(row);
    }
    const [found] = own.concat(same);
    if (found) {
      const { is_utf8: isUtf8, body: text } = await bodies.row(group, found.row, ['is_utf8', 'body']);
      return isUtf8 ? new TextEncoder().encode(text) : Uint8Array.from(text, (c) => c.codePointAt(0));
    }
  }
  return null;
}

/** Returns the lines of a capture, made of the tables of lines, and which of these are missing. */
async function lines(part, id) {
  const names = ['agents', 'rules', 'directives', 'comments', 'errors'];
  const read = async (name) => {
    const found = await table(part, name);
    return found ? found.withKeys([id]) : [];
  };
  const [agents, rules, directives, comments, errors] = await Promise.all(names.map(read));
  const text = [];
  const put = (line, words) => {
    text[line - 1] = text[line - 1] ? `${text[line - 1]} ${words}` : words;
  };
  for (const row of agents) put(row.line, `User-agent: ${row.agent_raw}`);
  const kinds = { allow: 'Allow', disallow: 'Disallow' };
  for (const row of rules) put(row.line, `${kinds[row.rule_kind]}: ${row.pattern_raw ?? row.pattern}`);
  for (const row of directives) put(row.line, `${row.key}: ${row.value_raw}`);
  for (const row of comments) put(row.line, `# ${row.text}`);
  return { text: Array.from(text, (line) => line ?? '').join('\n'), errors };
}

/**
 * Returns the file of a capture: its bytes; where the dataset has no bodies, the lines that the
 * tables have, and their findings.
 */
export const file = (captured) => once(`file ${captured.capture_id}`, () => readFile(captured));

async function readFile(captured) {
  const bytes = await body(captured);
  if (bytes) return { bytes, isWhole: true };
  const { text, errors } = await lines(captured.part, captured.capture_id);
  return { bytes: new TextEncoder().encode(text), isWhole: false, errors };
}
