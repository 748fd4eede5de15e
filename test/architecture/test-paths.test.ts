import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listSources, readImportGraph } from '../../scripts/lint/source-metrics.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const product = ['core', 'main', 'preload', 'renderer'];

/** Data that tests of other files use, too. */
const shared = /^core\/(?:base|contract|model)\//;

/** A test file, without `test/` and its ending, and the product files that it imports, without their endings. */
interface TestFile {
  readonly folder: string;
  /** `sessions` or `sessions.expiry`: the name of a product file, and a topic. */
  readonly name: string;
  readonly tested: readonly string[];
}

const dropEnding = (file: string): string => file.replace(/\.(?:test\.)?[cm]?tsx?$/, '');

const files = listSources(
  ROOT,
  product.map((folder) => `test/${folder}`),
).filter((file) => /\.test\.tsx?$/.test(file));

const tests = [...readImportGraph(ROOT, files)].map(([file, imports]): TestFile => {
  const targets = imports
    .filter(({ specifier, typeOnly }) => specifier.startsWith('.') && !typeOnly)
    .map(({ specifier }) => path.posix.join(path.posix.dirname(file), specifier));
  return {
    folder: path.posix.dirname(file).slice('test/'.length),
    name: path.posix.basename(dropEnding(file)),
    tested: [...new Set(targets.filter((target) => product.includes(target.split('/')[0]!)))].map(dropEnding),
  };
});

const isNamedAfter = ({ folder, name }: TestFile, stem: string): boolean =>
  folder === path.posix.dirname(stem) && `${name}.`.startsWith(`${path.posix.basename(stem)}.`);

const sources = listSources(ROOT, product).map(dropEnding);

test('every folder of tests mirrors a folder of the product', () => {
  const folders = new Set(tests.map(({ folder }) => folder));
  expect([...folders].filter((folder) => !existsSync(path.join(ROOT, folder)))).toEqual([]);
});

// Tests of several files, or of a whole engine, have a name of their own in the folder that they are about.
test('the test of a single file has its path, with a topic if there are several', () => {
  const misplaced = tests
    .filter((one) => !sources.some((stem) => isNamedAfter(one, stem)))
    .flatMap(({ folder, name, tested }) => {
      const own = tested.filter((stem) => path.posix.dirname(stem) === folder);
      const isAlone = own.length === 1 && tested.every((stem) => stem === own[0] || shared.test(stem));
      const namesake = tested.find((stem) => path.posix.basename(stem) === name);
      const expected = isAlone ? own[0] : namesake;
      return expected === undefined ? [] : [`test/${folder}/${name}.test tests ${expected}`];
    });
  expect(misplaced).toEqual([]);
});
