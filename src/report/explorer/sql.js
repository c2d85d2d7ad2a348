// The charts of the report, which is a page without scripts, and their SQL.

import { about } from './dataset.js';

/** Shows the sections of the report in an element. */
export async function showCharts(place) {
  const report = await (await fetch('explorer/report.html')).text();
  // Its style sheet is not for this page, whose policy would refuse it.
  const page = new DOMParser().parseFromString(report.replace(/<style>.*?<\/style>/s, ''), 'text/html');
  place.replaceChildren(...[...page.querySelectorAll('main > section')].map((section) => document.adoptNode(section)));
  const { has_engine: hasEngine } = await about();
  if (!hasEngine) return;
  const { makeEditable } = await import('./engine.js');
  for (const section of place.children) makeEditable(section);
}
