import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTestHome, startEngine, waitForText } from '../harness/home-and-command.ts';
import { waitUntilPasses } from '../harness/resources.ts';

const folder = join(import.meta.dirname, '../../out/cli');
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');

/** The built file that contains this source. */
function findBuilt(source: string): string {
  const files = readdirSync(folder).filter((file) => file.endsWith('.cjs'));
  return files.find((file) => textOf(file).includes(`\n// ${source}\n`))!;
}

/** The file and its static imports. */
function listLoaded(file: string): ReadonlySet<string> {
  const loaded = new Set([file]);
  for (const each of loaded) {
    for (const [, other] of textOf(each).matchAll(/^(?:const \w+ = )?require\("\.\/([^"]+)"\);$/gm))
      loaded.add(other!);
  }
  return loaded;
}

/** The packages bundled into these files. */
function listPackages(files: readonly string[]): ReadonlySet<string | undefined> {
  const text = files.map(textOf).join('\n');
  const names = text.matchAll(/^\/\/ (?:#region )?node_modules\/((?:@[^/]+\/)?[^/\n]+)/gm);
  return new Set(Array.from(names, ([, name]) => name));
}

// Node prints a warning for it on the user's terminal.
test('no file of the command uses import()', () => {
  const importing = readdirSync(folder).filter((file) => /\bimport\(["'](?!data:)/.test(textOf(file)));
  expect(importing).toEqual([]);
});

// Every `engine start` waits for it: half a millisecond per file, and ten per 500 kilobytes.
test('the engine of a command loads few files, without server-only code', () => {
  const loaded = [...listLoaded(findBuilt('core/engine.ts'))];
  expect(loaded.length).toBeLessThanOrEqual(4);
  expect(loaded).toContain(findBuilt('core/cli/commands/start.ts'));
  expect(loaded).not.toContain(findBuilt('core/api/dispatch.ts'));
  expect(loaded).not.toContain(findBuilt('core/run/scheduler/scheduler.ts'));
  expect(loaded).not.toContain(findBuilt('core/store/postgres/open-postgres.ts'));
  expect(listPackages(loaded)).toEqual(
    new Set(['ajv', 'better-sqlite3', 'commander', 'croner', 'get-east-asian-width', 'jsonc-parser', 'yaml']),
  );
});

// `node:crypto`, `node:worker_threads` and others take ten milliseconds.
test('the command loads modules of Node when they are first used', () => {
  const texts = [...listLoaded(findBuilt('core/engine.ts'))].map(textOf);
  const early = texts.flatMap((text) => [...text.matchAll(/^let node_\w+ = require\("(.+)"\)/gm)]);
  expect(new Set(early.map(([, id]) => id))).toEqual(new Set(['node:fs', 'node:path']));
});

test('a command through a server loads neither the engine nor the API schemas', () => {
  const loaded = [...listLoaded(findBuilt('core/cli/host/connect-to-server.ts'))];
  expect(loaded).not.toContain(findBuilt('core/engine.ts'));
  expect(listPackages(loaded)).toEqual(new Set(['commander', 'get-east-asian-width']));
});

// V8 reads a source with a single non-Latin character many times as slowly.
test('all files loaded by the command are plain ASCII', () => {
  const others = readdirSync(folder).filter((file) => /[^\0-\x7f]/.test(textOf(file)));
  expect(others).toEqual([]);
});

describe('compiled code', () => {
  test("is stored in the user's cache", async () => {
    const testHome = makeTestHome();
    const cache = join(testHome.cwd, 'cache');
    const command = startEngine(testHome, ['dags'], {
      XDG_CACHE_HOME: cache,
      NODE_COMPILE_CACHE: undefined,
    });
    expect((await command.ended).code).toBe(0);
    const kept = readdirSync(join(cache, 'stepwright'), { recursive: true, encoding: 'utf8' });
    expect(kept.filter((file) => file.startsWith('called/engine-') && file.includes('.other.'))).toHaveLength(
      1,
    );
  });

  test('of a server is stored once it is ready, apart from that of commands', async () => {
    const testHome = makeTestHome();
    const cache = join(testHome.cwd, 'cache');
    const server = startEngine(testHome, ['server', '--port', '0'], {
      XDG_CACHE_HOME: cache,
      NODE_COMPILE_CACHE: undefined,
    });
    await waitForText(server.stdout, /ready at/);
    const kept = (): string[] =>
      readdirSync(cache, { recursive: true, encoding: 'utf8' }).filter((file) => file.includes('.server.'));
    await waitUntilPasses(() => expect(kept().some((file) => /called.server-/.test(file))).toBe(true));
  });

  test('is not stored when the cache is not writable', async () => {
    const testHome = makeTestHome();
    const file = join(testHome.cwd, 'file');
    writeFileSync(file, '');
    const command = startEngine(testHome, ['dags'], {
      XDG_CACHE_HOME: file,
      NODE_COMPILE_CACHE: undefined,
    });
    expect(await command.ended).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^No workflows in [^\n]*\n$/),
    });
  });
});
