// SQL in the browser: DuckDB, whose files were published with the page, over tables that are read
// here, since DuckDB-WASM reads Parquet only by an extension that it asks another server for.
//
// DuckDB runs in a worker made of a blob, so that the policy of the page binds it too: SQL that a
// visitor writes reaches no other server.

import { count, make, makeTable } from './elements.js';
import { readColumns, readJson, traffic } from './ranges.js';
import { load } from './wasm.js';

/** Rows of a result that are read and drawn, and those that are shown. */
const MOST_READ = 10_000;
const MOST_ROWS = 500;
/** Bytes of text by which a table is handed over. */
const CHUNK = 8 << 20;

const address = (name) => new URL(`explorer/${name}`, document.baseURI).href;

class DuckDb {
  constructor() {
    const script = new Blob([`importScripts(${JSON.stringify(address('duckdb-browser-eh.worker.js'))})`], { type: 'text/javascript' });
    this.worker = new Worker(URL.createObjectURL(script));
    this.asked = new Map();
    this.worker.onmessage = ({ data: { requestId, type, data } }) => {
      if (['INSTANTIATE_PROGRESS', 'PROGRESS_UPDATE', 'LOG'].includes(type)) return;
      const asked = this.asked.get(requestId);
      this.asked.delete(requestId);
      if (type === 'ERROR') asked?.reject(new Error(data.message ?? String(data)));
      else asked?.resolve(data);
    };
  }

  call(type, data) {
    const messageId = (this.last = (this.last ?? 0) + 1);
    const answer = new Promise((resolve, reject) => this.asked.set(messageId, { resolve, reject }));
    this.worker.postMessage({ messageId, type, data });
    return answer;
  }

  async open() {
    await this.call('INSTANTIATE', [address('duckdb-eh.wasm'), null]);
    await this.call('OPEN', { path: ':memory:' });
    this.connection = await this.call('CONNECT', null);
    await this.run('SET autoinstall_known_extensions = false');
    await this.run('SET autoload_known_extensions = false');
    return this;
  }

  run(sql) {
    return this.call('RUN_QUERY', [this.connection, sql]);
  }

  /** Adds rows, as text, to a table. */
  async add(table, columns, text) {
    await this.call('REGISTER_FILE_BUFFER', ['rows.csv', new TextEncoder().encode(text)]);
    const types = columns.map(({ name, type }) => `'${name}': '${type}'`);
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    await this.run(`INSERT INTO ${table} (${names}) SELECT * FROM read_csv('rows.csv', columns = {${types}}, auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false, max_line_size = 64000000)`);
    await this.call('DROP_FILE', 'rows.csv');
  }

  /** Returns the rows of a query, texts, with the names of the columns first. */
  async rows(sql) {
    // DuckDB-WASM logs an error about a file that it would have to make.
    await this.call('REGISTER_FILE_BUFFER', ['result.csv', new Uint8Array(1)]);
    await this.run(`COPY (FROM (${sql}\n) LIMIT ${MOST_READ + 1}) TO 'result.csv' (HEADER, FORCE_QUOTE *, USE_TMP_FILE false)`);
    const bytes = await this.call('COPY_FILE_TO_BUFFER', 'result.csv');
    await this.call('DROP_FILE', 'result.csv');
    return parsed(new TextDecoder().decode(bytes));
  }
}

/** Parses CSV of which every value but NULL is quoted. */
function parsed(text) {
  const rows = [];
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n)/g)) {
    if (rows.at(-1)?.open !== true) rows.push(Object.assign([], { open: true }));
    rows.at(-1).push(quoted === undefined ? (rows.length > 1 ? null : bare) : quoted.replaceAll('""', '"'));
    rows.at(-1).open = end === ',';
  }
  return rows;
}

/** The dataset in DuckDB; a column is read when a query needs it. */
class Tables {
  async open({ views }) {
    [this.duckDb, this.tables] = await Promise.all([new DuckDb().open(), readJson('explorer/tables.json')]);
    for (const table of this.tables) {
      table.columns = table.columns.map(({ name, sql }) => ({ name, type: sql.startsWith('TIMESTAMP') ? 'TIMESTAMP' : sql }));
      table.loaded = new Set();
      await this.create(table);
    }
    // Views name this file where no other one is read.
    await this.duckDb.call('REGISTER_FILE_BUFFER', ['./_dataset.json', new Uint8Array(1)]);
    await this.duckDb.run("SET VARIABLE data = '.'");
    for (const view of views) await this.duckDb.run(view);
    return this;
  }

  create({ name, columns }) {
    return this.duckDb.run(`CREATE OR REPLACE TABLE stored_${name} (${columns.map((column) => `"${column.name}" ${column.type}`).join(', ')})`);
  }

  /** Throws what is wrong with SQL: DuckDB says it of the SQL alone, before that becomes a part of others. */
  async check(sql) {
    if (!sql.replace(/--.*|\/\*[^]*?\*\//g, '').trim()) throw new Error('Expected a query, but found no SQL.');
    const statement = await this.duckDb.call('CREATE_PREPARED', [this.duckDb.connection, sql]);
    await this.duckDb.call('CLOSE_PREPARED', [this.duckDb.connection, statement]);
    await this.duckDb.run(`EXPLAIN FROM (${sql}\n)`).catch(() => {
      throw new Error('Expected one query, such as SELECT or FROM, but found another statement: nothing can be changed here.');
    });
  }

  /** Returns the columns that the plan of a query scans, pairs of a table and its columns. */
  async scanned(sql) {
    // A filter would hide its columns in a scan, and statistics are those of rows that are not here.
    await this.duckDb.run("SET disabled_optimizers = 'filter_pushdown,statistics_propagation'");
    try {
      const plan = new TextDecoder().decode(await this.duckDb.run(`EXPLAIN (FORMAT json) FROM (${sql}\n)`));
      const scans = plan.matchAll(/"Table": "[^"]*\bstored_(\w+)"[^{}]*?"Projections": (\[[^\]]*\]|"[^"]*")/g);
      return Array.from(scans, ([, table, columns]) => [table, columns.match(/\w+/g) ?? []]);
    } finally {
      await this.duckDb.run('RESET disabled_optimizers');
    }
  }

  /** Reads the columns that a query needs. */
  async load(sql, say) {
    const scanned = await this.scanned(sql);
    for (const table of this.tables) {
      const needed = scanned.filter(([name]) => name === table.name).map(([, columns]) => columns);
      if (!needed.length) continue;
      // Rows are counted without any column.
      const names = new Set([table.columns[0].name, ...table.loaded, ...needed.flat()]);
      if (names.size === table.loaded.size) continue;
      const columns = table.columns.filter(({ name }) => names.has(name));
      await this.create(table);
      for (const { path, bytes } of table.files) {
        say(`Reading ${columns.length} columns of ${path}…`);
        let text = '';
        const add = async () => {
          await this.duckDb.add(`stored_${table.name}`, columns, text);
          text = '';
        };
        for await (const values of readColumns(path, bytes, columns.map(({ name }) => name))) {
          for (let row = 0; row < values[0].length; row += 1) {
            text += `${values.map((column) => cell(column[row])).join(',')}\n`;
            if (text.length > CHUNK) await add();
          }
        }
        if (text) await add();
      }
      table.loaded = names;
    }
  }
}

function cell(value) {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', '');
  return typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value);
}

let tables;
let running = Promise.resolve();

/** A statement at the beginning of SQL that sets a variable. */
const SETTING = /^(?:\s|--.*\n)*SET\s+VARIABLE\s+(\w+)(?:'[^']*'|[^';])*;/i;

/** Makes the SQL of a section of the report one that can be changed and run. */
export function makeEditable(section, sql, engineBytes) {
  for (const details of section.querySelectorAll('details')) {
    const shown = details.querySelector('pre code');
    const name = /robocensus query (\S+)/.exec(details.querySelector('p')?.textContent ?? '')?.[1];
    if (!shown || !name) continue;
    const area = make('textarea', { 'aria-label': `SQL of ${name}`, spellcheck: 'false', rows: '14' });
    const variables = [...sql.variables, ['agent', sql.of_agent.includes(name) && sql.agent]];
    const settings = variables.filter(([variable, value]) => value && shown.textContent.includes(`getvariable('${variable}')`));
    area.value = settings.map(([variable, value]) => `SET VARIABLE ${variable} = '${value.replaceAll("'", "''")}';\n`).join('') + shown.textContent;
    const initial = area.value;
    const button = make('button', { type: 'button', title: 'Ctrl+Enter in the SQL does the same' }, 'Run');
    const restore = make('button', { type: 'button' }, 'Restore the SQL');
    const result = make('div', { role: 'status' });
    button.addEventListener('click', () => {
      const say = (text) => result.replaceChildren(make('p', {}, text));
      running = running.then(() => run(area.value, sql, result, say)).catch((error) => say(reason(error, sql)));
    });
    restore.addEventListener('click', () => (area.value = initial));
    area.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) button.click();
    });
    shown.parentElement.replaceWith(area, make('p', { class: 'small' }, `Runs in this browser. The engine, DuckDB, of ${(engineBytes / 1e6).toFixed(1)} MB is loaded once; the columns that the SQL needs are read from the dataset, whole.`), button, ' ', restore, result);
  }
}

/** Returns why SQL was not run, where DuckDB says less than is known here. */
function reason({ message, linesBefore = 0 }, { lacking }) {
  const name = / with name "?(\w+)"? does not exist/.exec(message)?.[1].toLowerCase();
  if (lacking[name]) return `The SQL reads ${name}, for which the dataset lacks: ${lacking[name].join(', ')}.`;
  const extension = /exists in the (\w+) extension/.exec(message)?.[1];
  if (extension) return `The SQL needs the extension ${extension} of DuckDB, which this page does not have; robocensus query runs it.`;
  const [said, line] = message.split(/\n+LINE (\d+):/);
  return line ? `${said} (line ${linesBefore + Number(line)})` : said;
}

async function run(text, sql, result, say) {
  const before = { ...traffic };
  say('Loading DuckDB…');
  tables ??= new Tables().open(sql).catch((error) => {
    tables = undefined;
    throw error;
  });
  const { duckDb } = await tables;
  const set = [];
  let linesBefore = 0;
  let question = text;
  let found;
  let types;
  try {
    for (let setting; (setting = SETTING.exec(question)); question = question.slice(setting[0].length)) {
      set.push(setting[1]);
      linesBefore += setting[0].split('\n').length - 1;
      await duckDb.run(setting[0]);
    }
    question = question.replace(/;(?:\s|--.*|\/\*[^]*?\*\/)*$/, '');
    await (await tables).check(question);
    await (await tables).load(question, say);
    say('Running…');
    found = await duckDb.rows(question);
    types = await duckDb.rows(`SELECT column_name, column_type FROM (DESCRIBE FROM (${question}\n))`);
  } catch (error) {
    throw Object.assign(error, { linesBefore });
  } finally {
    for (const variable of set) await duckDb.run(`RESET VARIABLE ${variable}`);
  }
  const [names = [], ...rows] = found;
  const chart = await chartOf(question, types.slice(1), rows).catch((error) => make('p', {}, error.message));
  const cut = rows.length > MOST_ROWS ? `, of which ${MOST_ROWS} are shown` : '';
  const read = `${count(traffic.requests - before.requests, 'request')}, ${count(traffic.bytes - before.bytes, 'byte')}`;
  const cells = rows.slice(0, MOST_ROWS).map((row) => row.map((value) => value ?? 'NULL'));
  const n = rows.length > MOST_READ ? `More than ${count(MOST_READ, 'row')}` : count(rows.length, 'row');
  result.replaceChildren(chart, makeTable(`${n}${cut}; ${read} were read besides the engine`, names, cells, types.slice(1).map(([, type]) => IS_NUMBER.test(type))));
}

/** Returns the chart of rows, or why there is none. It is drawn by the code that drew those of the report. */
async function chartOf(sql, columns, rows) {
  if (rows.length > MOST_READ) return make('p', {}, `No chart: more than ${MOST_READ} rows.`);
  const types = columns.map(([name, type]) => ({ column_name: name, column_type: type }));
  const values = rows.map((row) => Object.fromEntries(columns.map(([name, type], index) => [name, typed(row[index], type)])));
  const { n, svg, error } = (await load('charts')).draw({ sql, columns: types, rows: values });
  if (error) return make('p', {}, `No chart: ${error}.`);
  const drawn = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  return make('figure', { tabindex: '0', 'aria-label': `Chart of this SQL, ${n}` }, make('figcaption', { class: 'small' }, n), document.adoptNode(drawn));
}

/** Types of columns whose values are aligned as numbers. */
const IS_NUMBER = /INT(EGER)?$|^(DOUBLE|FLOAT|DECIMAL.*)$/;

/** Returns a value of CSV as it is in JSON. Whole numbers that JavaScript would round stay texts. */
function typed(value, type) {
  if (value === null) return null;
  if (type === 'BOOLEAN') return value === 'true';
  const isWhole = /INT(EGER)?$/.test(type);
  if (!isWhole && type !== 'DOUBLE' && type !== 'FLOAT') return value;
  const number = Number(value);
  if (!isWhole && !Number.isFinite(number)) throw new Error(`No chart: expected finite numbers, but found ${value}.`);
  return !isWhole || Number.isSafeInteger(number) ? number : value;
}
