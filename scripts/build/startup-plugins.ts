import type { Plugin } from 'vite';

/** Modules of Node that are loaded before any program. */
const LOADED = new Set(['node:fs', 'node:path']);

/** `let node_net = require("node:net");`, sometimes with a line that adds a default export. */
const NODE_MODULE =
  /^let (node_\w+) = require\("(node:[a-z0-9_/]+)"\);\n(?:\1 = (\w+\.__toESM)\(\1(, 1)?\);\n)?/gm;

/**
 * Loads modules of Node when they are first used: `node:crypto` and `node:worker_threads` alone take a tenth of the
 * time of a short command.
 */
export const lazyNodeModules = (): Plugin => ({
  name: 'stepwright:lazy-node-modules',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk') chunk.code = loadOnUse(chunk.code, (message) => this.error(message));
  },
});

/**
 * Replaces the variables of Node's modules by functions.
 * @param fail is called if a variable is used in an unknown way
 */
export function loadOnUse(code: string, fail: (message: string) => never): string {
  const names: string[] = [];
  const declared = code.replace(NODE_MODULE, (lines, name: string, id: string, toEsm?: string, mode = '') => {
    if (LOADED.has(id)) return lines;
    names.push(name);
    const load = toEsm === undefined ? `require("${id}")` : `${toEsm}(require("${id}")${mode})`;
    return `let ${name}_loaded;\nconst load_${name} = () => ${name}_loaded ??= ${load};\n`;
  });
  if (names.length === 0) return code;
  const uses = new RegExp(`(?<![\\w$.])(${names.join('|')})(?![\\w$])(\\.?)`, 'g');
  return declared.replace(uses, (_use, name: string, dot: string) => {
    if (dot === '') fail(`${name} is not used like a module`);
    return `(load_${name}()).`; // Also after `new`.
  });
}
