import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../out/cli');
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');

/** The built file with this source in it. */
function findBuilt(source: string): string {
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'));
  return files.find((file) => textOf(file).includes(`\n// ${source}\n`))!;
}

/** The file and what Node loads with it, by static imports. */
function listLoaded(file: string): ReadonlySet<string> {
  const loaded = new Set([file]);
  for (const each of loaded) {
    for (const [, other] of textOf(each).matchAll(/^(?:import|export)\b[^;]*?"\.\/([^"]+)";$/gm))
      loaded.add(other!);
  }
  return loaded;
}

// People wait for all of it at each `engine start`: half a millisecond a file, and ten for 500 kilobytes.
test('the engine of a command is loaded in few files, without what only a server needs', () => {
  const loaded = [...listLoaded(findBuilt('core/engine.ts'))];
  expect(loaded.length).toBeLessThanOrEqual(4);
  expect(loaded).toContain(findBuilt('core/cli/commands/start.ts'));
  const text = loaded.map(textOf).join('\n');
  const packages = text.matchAll(/^\/\/ (?:#region )?node_modules\/((?:@[^/]+\/)?[^/\n]+)/gm);
  expect(new Set(Array.from(packages, ([, name]) => name))).toEqual(
    new Set(['ajv', 'commander', 'croner', 'yaml']),
  );
});

// V8 reads a text with a single other character many times as slowly.
test('all that the command loads is plain ASCII', () => {
  const others = readdirSync(folder).filter((file) => /[^\0-\x7f]/.test(textOf(file)));
  expect(others).toEqual([]);
});
