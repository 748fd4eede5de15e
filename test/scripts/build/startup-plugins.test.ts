import { compileFunction } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { exportValues, loadOnUse, postpone } from '../../../scripts/build/startup-plugins.ts';

const fail = (message: string): never => {
  throw new Error(message);
};

/** Runs the code of a CommonJS file. */
function run(code: string, require: (id: string) => unknown = () => ({})): Record<string, unknown> {
  const exports = {};
  compileFunction(code, ['exports', 'require'])(exports, require);
  return exports;
}

describe('modules of Node', () => {
  const code = [
    'let node_path = require("node:path");',
    'let node_v8 = require("node:v8");',
    'let node_net = require("node:net");',
    'node_net = rolldown.__toESM(node_net, 1);',
    'var connect = () => (0, node_net.default.connect)();',
    'var serialize = () => new node_v8.Serializer();',
    'Object.assign(exports, { connect, serialize });',
    '',
  ].join('\n');

  test('are loaded when they are first used, once', () => {
    const loaded: string[] = [];
    class Serializer {
      readonly kind = 'serializer';
    }
    const exports = run(
      `const rolldown = { __toESM: (module) => ({ default: module }) };\n${loadOnUse(code, fail)}`,
      (id) => {
        loaded.push(id);
        return { Serializer, connect: () => 'connected' };
      },
    ) as { connect(): unknown; serialize(): unknown };
    expect(loaded).toEqual(['node:path']);
    expect(exports.connect()).toBe('connected');
    exports.connect();
    expect(exports.serialize()).toBeInstanceOf(Serializer);
    expect(loaded).toEqual(['node:path', 'node:net', 'node:v8']);
  });

  test('are not changed in a way that the build does not know', () => {
    expect(() => loadOnUse(`${code}var all = [node_v8];\n`, fail)).toThrow('node_v8');
  });
});

describe('postponed imports', () => {
  test('are loaded by each use of their names', () => {
    const code = [
      "import { parse as read, Level } from './levels.ts';",
      'export const find = (text) => read(text).parse ?? Level.low;',
      'export const isLevel = (value) => value instanceof Level;',
      'export const make = () => new Level({ low: 1 });',
    ].join('\n');
    const load = 'load___levels_ts';
    expect(postpone(code, './levels.ts').split('\n').slice(1)).toEqual([
      `const ${load} = () => ${load}_loaded ??= __postponed__(import("./levels.ts"));`,
      '',
      `export const find = (text) => (${load}().parse)(text).parse ?? (${load}().Level).low;`,
      `export const isLevel = (value) => value instanceof (${load}().Level);`,
      `export const make = () => new (${load}().Level)({ low: 1 });`,
    ]);
  });

  test('are not confused with keys and texts of the same name', () => {
    const code =
      "import { parse } from './levels.ts';\nexport const all = { parse, read: { parse: 'parse' } };";
    const load = 'load___levels_ts';
    expect(postpone(code, './levels.ts').split('\n').at(-1)).toBe(
      `export const all = { parse: (${load}().parse), read: { parse: 'parse' } };`,
    );
  });

  test.each([
    'export const find = (parse) => parse;',
    'export function find() { const [{ a: parse = 1 }] = []; return parse; }',
    'export function find() { try { run(); } catch (parse) { return parse; } }',
    'export const find = function parse() { return parse; };',
    'export function find(...parse) { return parse; }',
  ])('must not be hidden by another declaration: %s', (use) => {
    const code = `import { parse } from './levels.ts';\n${use}`;
    expect(() => postpone(code, './levels.ts')).toThrow('the postponed import parse is declared again');
  });

  test('must exist', () => {
    expect(() => postpone('export const a = 1;', './levels.ts')).toThrow('./levels.ts');
    expect(() => postpone("import * as levels from './levels.ts';", './levels.ts')).toThrow('./levels.ts');
  });
});

describe('exports', () => {
  const exportOf = (name: string): string =>
    `Object.defineProperty(exports, "${name}", {\n\tenumerable: true,\n\tget: function() {\n\t\treturn ${name};\n\t}\n});\n`;

  test('of variables that do not change are values', () => {
    const code = exportValues(`var a = () => 1;\nfunction b() {}\n${exportOf('a')}${exportOf('b')}`);
    expect(code).not.toContain('get:');
    expect(Object.keys(run(code))).toEqual(['a', 'b']);
  });

  test.each([
    'a = 2;',
    'a += 1;',
    'a++;',
    '[a] = [2];',
    '({ a } = { a: 2 });',
    '({ b: [...a] } = { b: 2 });',
    '({ a = 3 } = {});',
    'for (a of []) {}',
    'for (a in {}) {}',
  ])('of variables that change follow them: %s', (change) => {
    const code = exportValues(`let a = 1;\nfunction later() { ${change} }\n${exportOf('a')}`);
    expect(code).toContain('get:');
  });
});
