// Serves a published folder on the loopback address, opens its page in Chromium, asks it by the
// keyboard alone, and prints what is seen: node browser.mjs FOLDER '{"keys": [host, agent, path]}'
// Or it takes steps: {"steps": [["go", {"host": host, ...}], ["settle"], ["see", id, ...], ...]}
// Or it opens addresses of questions one after another, and prints what each answer took:
// node browser.mjs FOLDER '{"questions": [[host, agent, path], ...]}'
// Of several such objects in an array, each is asked as a new visitor, and what each sees is printed as an array.

import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { delimiter, extname, join } from 'node:path';

const [folder, words] = process.argv.slice(2);
const visits = JSON.parse(words);
const { chromium } = createRequire(`${process.env.PACKAGES}/`)('playwright-core');
const executablePath = process.env.PATH.split(delimiter).map((place) => join(place, 'chromium')).find(existsSync);
if (!executablePath) {
  console.error('no chromium on the PATH');
  process.exit(3);
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.wasm': 'application/wasm' };
/** Files of the page and its engine; the others are the dataset's, or say where these are. */
const OF_PAGE = /\.(html|js|css|wasm)$/;
/** What the current visitor asks, and what was read for that. */
let asked;
let requests;
let bytes;
/** What scripts ask for, and when something was asked for last. */
let fetched;

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const path = join(folder, decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
  if (!existsSync(path)) return response.writeHead(404).end();
  const { size } = statSync(path);
  const range = asked.ranges ? /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') : null;
  const [start, end] = range ? [Number(range[1]), Math.min(Number(range[2]), size - 1)] : [0, size - 1];
  if (!OF_PAGE.test(path)) {
    requests += 1;
    bytes += end - start + 1;
  }
  fetched.last = performance.now();
  if (request.headers['sec-fetch-dest'] === 'empty') {
    fetched.requests += 1;
    fetched.bytes += end - start + 1;
  }
  const head = { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream', 'Content-Length': end - start + 1 };
  response.writeHead(range ? 206 : 200, range ? { ...head, 'Content-Range': `bytes ${start}-${end}/${size}` } : head);
  const send = () => (size ? createReadStream(path, { start, end }).pipe(response) : response.end());
  return OF_PAGE.test(path) ? send() : setTimeout(send, asked.delay);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const address = `http://127.0.0.1:${server.address().port}/`;

const args = '--no-sandbox --disable-gpu --disable-dev-shm-usage --disable-background-networking --disable-component-update --disable-sync --js-flags=--liftoff-only'.split(' ');
const browser = await chromium.launch({ executablePath, args });
/** Opens the page as a new visitor, who asks, and returns what is seen. */
async function visit(words) {
  asked = { ranges: true, delay: 0, width: 1000, scheme: 'light', ...words };
  [requests, bytes, fetched] = [0, 0, { requests: 0, bytes: 0, last: 0 }];
  const context = await browser.newContext({ viewport: { width: asked.width, height: 900 }, colorScheme: asked.scheme });
  const page = await context.newPage();
  const console_ = [];
  const others = [];
  const refused = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && console_.push(message.text()));
  page.on('pageerror', (error) => console_.push(error.message));
  context.on('request', (request) => {
    if (![address, 'data:', `blob:${address}`].some((begin) => request.url().startsWith(begin))) others.push(request.url());
  });
  // What the policy of the page refuses is not sent.
  context.on('requestfailed', (request) => request.failure()?.errorText === 'csp' && refused.push(request.url()));
  const seen = {};
  /** Opens the address of a question, and returns what was read until its answer, and how long that took. */
  async function open([host, agent, path]) {
    const began = [requests, bytes, performance.now()];
    await page.evaluate(() => delete document.documentElement.dataset.answered);
    await page.goto(`${address}#${new URLSearchParams({ host, agent, path })}`);
    await page.waitForFunction(() => document.documentElement.dataset.answered, null, { timeout: 60_000 });
    const whole = performance.now() - began[2];
    const answered = Number(await page.evaluate(() => document.documentElement.dataset.answered));
    return { requests: requests - began[0], bytes: bytes - began[1], answered, whole };
  }
  if (asked.questions) {
    seen.answers = [];
    for (const question of asked.questions) seen.answers.push(await open(question));
  } else {
    await page.goto(address);
  }
  const text = (id) => page.locator(`#${id}`).innerText();

  const STEPS = {
    /** Asks a question by the address, as a link does. */
    go: (question) => page.evaluate((hash) => {
      delete document.documentElement.dataset.answered;
      location.hash = hash;
    }, new URLSearchParams(question).toString()),
    answered: () => page.waitForFunction(() => document.documentElement.dataset.answered, null, { timeout: 60_000 }),
    /** Waits until nothing more is asked for. */
    settle: async () => {
      await page.waitForTimeout(500);
      while (performance.now() - fetched.last < 500 + 2 * asked.delay) await page.waitForTimeout(100);
    },
    type: async (id, words) => page.locator(`#${id}`).fill(words),
    press: (id) => page.locator(`#${id}`).press('Enter'),
    choose: (id, value) => page.locator(`#${id}`).selectOption(value),
    see: async (...ids) => {
      for (const id of ids) seen[id] = await page.locator(`#${id}`).evaluate((element) => (element.checkVisibility() ? element.value ?? element.innerText : ''));
    },
  };
  if (asked.steps) {
    await page.waitForFunction(() => document.querySelectorAll('#agents option').length);
    for (const [name, ...words] of asked.steps) await STEPS[name](...words);
    seen.fetched = fetched;
  }
  if (asked.keys) {
    await page.waitForFunction(() => document.querySelectorAll('#agents option').length);
    const began = [requests, bytes];
    for (const [id, words] of [['host', asked.keys[0]], ['agent', asked.keys[1]], ['path', asked.keys[2]]]) {
      for (let n = 0; n < 10 && (await page.evaluate(() => document.activeElement.id)) !== id; n += 1) await page.keyboard.press('Tab');
      await page.keyboard.press('Control+A');
      await page.keyboard.type(words);
    }
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.documentElement.dataset.answered, null, { timeout: 60_000 });
    // Those of the page itself before the question are counted too: it is a cold look-up.
    seen.requests = requests;
    seen.bytes = bytes;
    seen.asked = [requests - began[0], bytes - began[1]];
    await page.waitForFunction(() => document.getElementById('found').hidden || !/^Reading/.test(document.getElementById('versions').innerText));
    for (const id of ['state', 'answer', 'dialects', 'versions', 'file', 'groups']) seen[id] = await text(id);
    seen.milliseconds = await page.evaluate(() => document.documentElement.dataset.answered);
  }
  if (asked.sql) {
    await page.locator('#charts summary').first().focus();
    await page.keyboard.press('Enter');
    const areas = page.locator('#charts textarea');
    await areas.first().waitFor({ state: 'attached' });
    seen.warnings = await page.locator('#charts .warning').allInnerTexts();
    const names = await areas.evaluateAll((all) => all.map((area) => area.getAttribute('aria-label').replace('SQL of ', '')));
    seen.ran = {};
    for (const [name, sql] of asked.sql.length ? asked.sql : names.map((name) => [name])) {
      const details = page.locator(`details:has(> textarea[aria-label="SQL of ${name}"])`).first();
      const area = details.locator('textarea');
      await details.evaluate((element) => (element.open = true));
      const shown = await area.inputValue();
      await area.fill(sql ?? shown.replace(...(asked.replaced ?? ['', ''])));
      await area.press('Tab');
      await page.keyboard.press('Enter');
      const result = details.locator('[role=status]');
      await page.waitForFunction((place) => place.innerText && !/^(Loading|Reading|Running)/.test(place.innerText), await result.elementHandle(), { timeout: 120_000 });
      const rows = await result.evaluate((place) => [...place.querySelectorAll('tbody tr')].map((row) => Object.fromEntries([...row.children].map((cell) => [cell.dataset.heading, cell.textContent]))));
      const drawn = await result.evaluate((place) => place.querySelector('figure svg')?.outerHTML);
      const ofReport = await details.evaluate((element) => element.closest('section').querySelector(':scope > figure svg')?.outerHTML);
      seen.ran[name] = { shown, rows, drawn, ofReport, said: await result.innerText() };
      await details.evaluate((element) => (element.open = false));
    }
  }
  seen.console = console_;
  seen.others = others.filter((url) => !refused.includes(url));
  seen.refused = refused;
  seen.pwned = await page.evaluate(() => 'pwned' in window);
  seen.width = await page.evaluate(() => document.documentElement.scrollWidth);
  seen.unlabeled = await page.evaluate(() =>
    [...document.querySelectorAll('input, select, textarea, button, table, section, svg')]
      .filter((element) => !(element.labels?.length || element.getAttribute('aria-label') || element.getAttribute('aria-labelledby') || element.caption || element.textContent.trim()))
      .map((element) => element.outerHTML.slice(0, 100)),
  );
  await context.close();
  return seen;
}

const all = [];
for (const words of [visits].flat()) all.push(await visit(words));
await browser.close();
server.close();
console.log(JSON.stringify(Array.isArray(visits) ? all : all[0]));
