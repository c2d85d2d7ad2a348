// The parser and the charts of robocensus, as WebAssembly: the code that made the tables and the report.

import { readWhole } from './ranges.js';

const loaded = {};

/** Loads a module once, `parser` or `charts`; null in a browser without WebAssembly. */
export async function load(name) {
  if (typeof WebAssembly !== 'object') return null;
  loaded[name] ??= readWhole(`explorer/${name}.wasm`)
    .then((bytes) => WebAssembly.instantiate(bytes))
    .then(({ instance }) => new Module(instance.exports));
  return loaded[name];
}

/** A loaded module. A parser holds one file at a time. */
class Module {
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

  /** Returns the chart of the rows of SQL, or why there is none. */
  draw(result) {
    return this.call('draw', new TextEncoder().encode(JSON.stringify(result)));
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
