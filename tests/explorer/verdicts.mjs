// Asks the parser of the page, WebAssembly, what a file of cases says that the program answers:
// node verdicts.mjs parser.wasm cases.jsonl

import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [wasm, file] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(wasm));
const module = instance.exports;

function call(name, bytes) {
  const at = module.reserve(bytes.length);
  new Uint8Array(module.memory.buffer, at, bytes.length).set(bytes);
  const length = module[name]();
  return JSON.parse(new TextDecoder().decode(new Uint8Array(module.memory.buffer, module.buffer(), length)));
}

const wrong = [];
let compared = 0;
for await (const line of createInterface({ input: createReadStream(file) })) {
  const { robots, tokens, url, answers } = JSON.parse(line);
  call('read', Buffer.from(robots, 'base64'));
  const found = call('decide', Buffer.from(JSON.stringify({ tokens, url })));
  const shown = found.map((one) => JSON.stringify([one.dialect, one.verdict, one.basis, one.group, one.line]));
  const expected = answers.map((answer) => JSON.stringify(answer));
  expected.forEach((answer, index) => {
    compared += 1;
    const same = shown.includes(answer);
    if (!same && wrong.length < 20) wrong.push({ robots, tokens, url, answer, found: shown[index] });
  });
}
console.log(JSON.stringify({ compared, wrong }));
