// The charts of the report, which is a page without scripts, and their SQL.

import { about } from './dataset.js';
import { readJson, readText } from './ranges.js';

/** Shows the sections of the report in an element, and what they must not be read without. */
export async function showCharts(place) {
  const report = await readText('explorer/report.html');
  // Its style sheet is not for this page, whose policy would refuse it.
  const page = new DOMParser().parseFromString(report.replace(/<style>.*?<\/style>/s, ''), 'text/html');
  place.replaceChildren(...[...page.querySelectorAll('header > .warning, main > section')].map((section) => document.adoptNode(section)));
  const { engine_bytes: engineBytes } = await about();
  if (!engineBytes || typeof WebAssembly !== 'object') return;
  const [{ makeEditable }, sql] = await Promise.all([import('./engine.js'), readJson('explorer/sql.json')]);
  for (const section of place.children) makeEditable(section, sql, engineBytes);
}
