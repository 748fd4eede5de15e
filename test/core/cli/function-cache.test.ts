import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../harness/resources.ts';

const source = path.join(import.meta.dirname, '../../../core/cli/function-cache.ts');

/** Loads a program file as the command does, and calls one of its two functions. */
const script = `
  const [source, file, keeping] = process.argv.slice(1);
  const { cacheCalledFunctions } = await import(source);
  cacheCalledFunctions(JSON.parse(keeping));
  const { createRequire } = await import('node:module');
  const { called, where } = createRequire(source)(file);
  process.stdout.write(called() + ' ' + where);`;

function makeProgram() {
  const program = makeTemporaryFolder();
  const cache = path.join(makeTemporaryFolder(), 'called');
  const file = path.join(program, 'piece.cjs');
  writeFileSync(
    file,
    `exports.called = () => 'was called';\nexports.uncalled = () => 'was never called';\n` +
      `exports.where = require('node:path').basename(__filename);\n// ${'-'.repeat(40_000)}\n`,
  );
  const run = async (kind = 'steps', folder = program): Promise<string> => {
    const words = [source, file, JSON.stringify({ program: folder, cache, kind })];
    return (await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, ...words]))
      .stdout;
  };
  const list = (): string[] => readdirSync(cache).map((name) => path.join(cache, name));
  return { run, cache, list };
}

test('runs a file unchanged and caches the called functions, for the user only', async () => {
  const { run, list } = makeProgram();
  expect(await run()).toBe('was called piece.cjs');
  const [kept, ...others] = list();
  expect(others).toEqual([]);
  expect(readFileSync(kept!, 'latin1')).toContain('was called');
  expect(readFileSync(kept!, 'latin1')).not.toContain('was never called');
  if (process.platform !== 'win32') expect(statSync(kept!).mode & 0o777).toBe(0o600);
});

test('reuses the cache unchanged, separately for each kind of command', async () => {
  const { run, list } = makeProgram();
  await run();
  const [kept] = list();
  utimesSync(kept!, 1, 1);
  expect(await run()).toBe('was called piece.cjs');
  expect(statSync(kept!).mtimeMs).toBe(1000);
  await run('other');
  expect(list()).toHaveLength(2);
});

test('rebuilds a damaged cache', async () => {
  const { run, list } = makeProgram();
  await run();
  const [kept] = list();
  const whole = readFileSync(kept!);
  writeFileSync(kept!, whole.subarray(0, whole.length / 2));
  expect(await run()).toBe('was called piece.cjs');
  expect(readFileSync(kept!, 'latin1')).toContain('was called');
  expect(readFileSync(kept!).length).toBeGreaterThan(whole.length / 2);
});

test('leaves files of other directories to Node', async () => {
  const { run, cache } = makeProgram();
  expect(await run('steps', makeTemporaryFolder())).toBe('was called piece.cjs');
  expect(() => readdirSync(cache)).toThrow('ENOENT');
});

test('caches at most the hundred newest files', async () => {
  const { run, cache, list } = makeProgram();
  await run();
  const [kept] = list();
  for (let turn = 0; turn < 120; turn++) {
    const old = path.join(cache, `old-${turn}`);
    writeFileSync(old, '');
    utimesSync(old, turn, turn);
  }
  utimesSync(kept!, 1000, 1000);
  await run('other');
  expect(list()).toHaveLength(100);
  expect(list()).toContain(kept);
  expect(list()).not.toContain(path.join(cache, 'old-21'));
  expect(list()).toContain(path.join(cache, 'old-22'));
});
