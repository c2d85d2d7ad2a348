// The parser of robocensus, as WebAssembly: the code that made the tables.

import { readWhole } from './ranges.js';

let parser;

/** Loads the parser once; null in a browser without WebAssembly. */
export async function load() {
  if (typeof WebAssembly !== 'object') return null;
  parser ??= readWhole('explorer/parser.wasm')
    .then((bytes) => WebAssembly.instantiate(bytes))
    .then(({ instance }) => new Parser(instance.exports));
  return parser;
}

/** A loaded parser. It holds one file at a time. */
class Parser {
  constructor(module) {
    this.module = module;
  }

  /** Returns the product tokens of a crawler by its name, with notes, or what is wrong with the name. */
  agent(name) {
    return this.call('agent', new TextEncoder().encode(name));
  }

  /** Reads a robots.txt, and returns its lines, groups, rules and findings. */
  read(bytes) {
    return this.call('read', bytes);
  }

  /** Returns the decision of each dialect about the file that was read last. */
  decide(request) {
    return this.call('decide', new TextEncoder().encode(JSON.stringify(request)));
  }

  call(name, bytes) {
    const { module } = this;
    const at = module.reserve(bytes.length);
    new Uint8Array(module.memory.buffer, at, bytes.length).set(bytes);
    const length = module[name]();
    const answer = new Uint8Array(module.memory.buffer, module.buffer(), length);
    return JSON.parse(new TextDecoder().decode(answer));
  }
}
