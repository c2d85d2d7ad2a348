// Parquet files of the publication, read by range requests.
//
// Where the pages of a file are comes from a layout that was written with the page (part-*.json,
// hosts-*.json): a footer has all columns and row groups, and would be most of what a look-up reads.

import { parquetScan, readColumnIndex, readOffsetIndex, zstd } from './parquet.js';

/** Bytes between two ranges that are read with them rather than by a request of their own. */
const GAP = 64 * 1024;
/** Bytes of the columns of a row group that are read whole, without looking up their pages first. */
const WHOLE = 128 * 1024;

/** Requests and bytes since the page was opened. */
export const traffic = { requests: 0, bytes: 0 };

async function answer(path, init) {
  traffic.requests += 1;
  const response = await fetch(path, init).catch(() => {
    throw new Error(`${path}: the server does not answer.`);
  });
  if (!response.ok) throw new Error(`${path}: the server answers with ${response.status}.`);
  return response;
}

/** Returns the bytes of a whole file. */
export async function readWhole(path) {
  const bytes = await (await answer(path)).arrayBuffer();
  traffic.bytes += bytes.byteLength;
  return bytes;
}

/** Returns a file as text. */
export const readText = async (path) => new TextDecoder().decode(await readWhole(path));

/** Returns a file as JSON. */
export const readJson = async (path) => JSON.parse(await readText(path));

/** A file whose ranges are read together where they are asked for at the same time and lie near. */
class RangeFile {
  constructor(path, byteLength) {
    this.path = path;
    this.byteLength = byteLength;
    this.read = [];
    this.asked = [];
  }

  slice(start, end = this.byteLength) {
    const has = this.read.find((range) => range.start <= start && end <= range.end);
    if (has) return has.bytes.then((bytes) => bytes.slice(start - has.start, end - has.start));
    return new Promise((resolve, reject) => {
      if (!this.asked.length) setTimeout(() => this.fetchAsked());
      this.asked.push({ start, end, resolve, reject });
    });
  }

  fetchAsked() {
    const asked = this.asked.sort((a, b) => a.start - b.start);
    this.asked = [];
    const runs = [];
    for (const one of asked) {
      const last = runs.at(-1);
      if (last && one.start <= last.end + GAP) {
        last.end = Math.max(last.end, one.end);
        last.of.push(one);
      } else {
        runs.push({ start: one.start, end: one.end, of: [one] });
      }
    }
    for (const { start, end, of } of runs) {
      const range = { start, end, bytes: this.fetchRange(start, end) };
      this.read.push(range);
      range.bytes.catch(() => this.read.splice(this.read.indexOf(range), 1));
      for (const one of of) {
        range.bytes.then((all) => one.resolve(all.slice(one.start - start, one.end - start)), one.reject);
      }
    }
  }

  async fetchRange(start, end) {
    const response = await answer(this.path, { headers: { Range: `bytes=${start}-${end - 1}` } });
    if (response.status !== 206) {
      await response.body?.cancel();
      throw new Error('The server sends whole files: this page needs one that answers range requests (Accept-Ranges).');
    }
    const bytes = await response.arrayBuffer();
    traffic.bytes += bytes.byteLength;
    return bytes;
  }
}

const encoder = new TextEncoder();
// A byte order mark at the beginning of a text is a part of it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const decoded = (value) => (value instanceof Uint8Array ? decoder.decode(value) : value);
const parsers = { stringFromBytes: decoded };

// fzstd would compare an array to fill with a number, for which that becomes a text of all its bytes.
const compressors = { ZSTD: (input) => zstd(input) };

/** Yields the values of some columns of a whole file, row group after row group. */
export async function* readColumns(path, bytes, columns) {
  const scan = await parquetScan({ file: new RangeFile(path, bytes), columns, parsers, compressors });
  for (const { rowStart, rowEnd } of scan.ranges) {
    yield Promise.all(columns.map((column) => scan.readColumn({ column, rowStart, rowEnd })));
  }
}

/** Whether two values, numbers or texts in bytes, are equal. */
function isSame(one, other) {
  if (!(one instanceof Uint8Array && other instanceof Uint8Array)) return one === other;
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/** Returns the places of those among intervals in rising order, some without ends, in or beside which a value is. */
function around(value, intervals) {
  const isBefore = ([least]) => least !== null && least < value;
  const isBehind = ([, greatest]) => greatest !== null && greatest > value;
  return [...intervals.keys()].filter((at) => !intervals.slice(0, at).some(isBehind) && !intervals.slice(at + 1).some(isBefore));
}

/** One table of a layout. */
export class Table {
  constructor(layout) {
    this.layout = layout;
    this.file = new RangeFile(layout.path, layout.bytes);
    this.columns = layout.columns.map((column) => column.name);
    this.key = layout.columns[0];
  }

  /** Returns the row groups that may have one of some keys. */
  groupsWith(keys) {
    const { groups } = this.layout;
    const typed = (value) => (this.key.type === 'INT64' ? BigInt(value) : value);
    const mayHave = ({ ends }) => !ends || ends.includes(null) || keys.some((key) => typed(ends[0]) <= key && key <= typed(ends[1]));
    return groups.filter(mayHave);
  }

  /**
   * Returns the rows of some keys. Only pages whose least and greatest key surround one of them are
   * read.
   */
  withKeys(keys, columns = this.columns) {
    return this.rows(this.groupsWith(keys), { [this.key.name]: { $in: keys } }, keys, columns);
  }

  /**
   * Returns the rows without a key that are sorted by another column in its place, and of which that
   * has this value.
   */
  async withoutKey(name, value) {
    const { groups } = this.layout;
    const near = around(value, groups.map(({ ends }) => ends ?? [null, null])).map((at) => groups[at]);
    const columns = [name, ...this.columns.filter((one) => one !== name)];
    const found = near.map(async (group) => {
      const within = await this.pagesAround(group, value);
      return within ? this.rows([group], { [name]: { $in: [value] } }, [value], columns, within) : [];
    });
    return (await Promise.all(found)).flat();
  }

  /** Returns the rows of the pages in which a row without a key may be that is sorted by a value. */
  async pagesAround(group, value) {
    const [columnIndex, columnLength, offsetIndex, offsetLength] = group.chunks[0].slice(4);
    if (!columnLength) return {};
    const read = async (at, length) => ({ view: new DataView(await this.file.slice(at, at + length)), offset: 0 });
    const [ofColumn, ofOffsets] = await Promise.all([read(columnIndex, columnLength), read(offsetIndex, offsetLength)]);
    const { null_pages, null_counts, min_values, max_values } = readColumnIndex(ofColumn, this.key);
    const ends = null_pages.map((isNull, at) => (isNull ? [null, null] : [min_values[at], max_values[at]]));
    const pages = around(value, ends).filter((at) => null_counts[at] > 0);
    if (!pages.length) return null;
    const starts = [...readOffsetIndex(ofOffsets).page_locations.map((page) => Number(page.first_row_index)), group.rows];
    return { rowStart: starts[pages[0]], rowEnd: starts[pages.at(-1) + 1] };
  }

  /** Returns the rows of some row groups of which the first of these columns is `wanted`, or all. */
  async rows(groups, pruningFilter, wanted, columns = this.columns, within = {}) {
    const names = columns.filter((name) => this.columns.includes(name));
    const keys = wanted?.map((key) => (typeof key === 'string' ? encoder.encode(key) : key));
    const found = groups.map(async (group) => {
      const scan = await this.scan(group, pruningFilter, names, within);
      const ofRanges = scan.ranges.map(async ({ rowStart, rowEnd }) => {
        const values = await Promise.all(names.map((column) => scan.readColumn({ column, rowStart, rowEnd })));
        const rows = [];
        values[0].forEach((key, index) => {
          if (keys && !keys.some((one) => isSame(one, key))) return;
          const row = names.map((name, at) => [name, decoded(values[at][index])]);
          rows.push(Object.fromEntries([...row, ['row', rowStart + index]]));
        });
        return rows;
      });
      return Promise.all(ofRanges);
    });
    return (await Promise.all(found)).flat(2);
  }

  /** Returns some columns of one row of a row group. */
  async row(group, row, columns) {
    const scan = await this.scan(group, undefined, columns);
    const values = await Promise.all(columns.map((column) => scan.readColumn({ column, rowStart: row, rowEnd: row + 1 })));
    return Object.fromEntries(columns.map((name, at) => [name, decoded(values[at][0])]));
  }

  scan(group, pruningFilter, columns, within = {}) {
    const sizes = this.layout.columns.map(({ name }, index) => (columns.includes(name) ? group.chunks[index][2] : 0));
    const isSmall = sizes.reduce((sum, size) => sum + size, 0) <= WHOLE;
    return parquetScan({
      file: this.file,
      metadata: this.metadata(group),
      columns,
      pruningFilter,
      ...within,
      usePageIndex: !isSmall,
      useOffsetIndex: !isSmall,
      // Texts stay bytes until a row is wanted: decoding those of a page takes most of the time.
      utf8: false,
      compressors,
    });
  }

  /** The metadata of a file that has one row group, and only the columns of the layout. */
  metadata(group) {
    const leaves = this.layout.columns.map(({ name, type, is_nullable }) => ({
      name,
      type,
      repetition_type: is_nullable ? 'OPTIONAL' : 'REQUIRED',
    }));
    const columns = group.chunks.map((chunk, index) => {
      const [dictionary, data, size, values, columnIndex, columnLength, offsetIndex, offsetLength] = chunk;
      return {
        file_offset: 0n,
        column_index_offset: columnIndex ? BigInt(columnIndex) : undefined,
        column_index_length: columnLength || undefined,
        offset_index_offset: offsetIndex ? BigInt(offsetIndex) : undefined,
        offset_index_length: offsetLength || undefined,
        meta_data: {
          type: leaves[index].type,
          encodings: [],
          path_in_schema: [leaves[index].name],
          codec: 'ZSTD',
          num_values: BigInt(values),
          total_compressed_size: BigInt(size),
          data_page_offset: BigInt(data),
          dictionary_page_offset: dictionary ? BigInt(dictionary) : undefined,
        },
      };
    });
    return {
      version: 1,
      schema: [{ name: 'schema', num_children: leaves.length }, ...leaves],
      num_rows: BigInt(group.rows),
      row_groups: [{ columns, num_rows: BigInt(group.rows), total_byte_size: 0n }],
      metadata_length: 0,
    };
  }
}
