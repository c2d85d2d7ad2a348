// Elements of the page. Text becomes text, never HTML.

/** Text without characters that control the direction of text, or that nothing shows. */
// eslint-disable-next-line no-control-regex
export const plain = (text) => String(text).replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (c) => (/\s/.test(c) ? ' ' : '\ufffd'));

/** Text of which only the beginning is shown if it is long. */
export const brief = (text) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** A number of things in words. */
export const count = (n, noun) => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;

/** Makes an element; text among its children is shown as text. */
export function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== false) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).map((child) => (child instanceof Node ? child : plain(child))));
  return element;
}

/** Makes a table with a caption, column headings, and rows of cells of which the first is a heading; some columns have numbers. */
export function makeTable(caption, headings, rows, areNumbers = []) {
  const kind = (index) => (areNumbers[index] ? 'number' : null);
  const head = make('tr', {}, headings.map((text, index) => make('th', { scope: 'col', class: kind(index) }, text)));
  const body = rows.map((cells) => make('tr', {}, cells.map((cell, index) => make(index ? 'td' : 'th', { 'data-heading': headings[index], scope: index ? null : 'row', class: kind(index) }, cell))));
  const table = make('table', {}, make('caption', {}, caption), make('thead', {}, head), make('tbody', {}, body));
  return make('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': caption }, table);
}
