// What the page needs of two packages of npm; `make explorer` bundles it.
export { parquetScan, readColumnIndex, readOffsetIndex } from 'hyparquet';
export { decompress as zstd } from 'fzstd';
