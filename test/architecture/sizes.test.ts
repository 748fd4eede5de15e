import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SIZE_CAPS } from '../../scripts/layers.ts';
import { listSources } from '../../scripts/lint/source-metrics.ts';

const root = path.join(import.meta.dirname, '../..');
const product = ['core', 'main', 'preload', 'renderer'];
const readSources = (folders: readonly string[]) =>
  listSources(root, folders).map((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return { file, text, lines: text.split('\n').length - 1 };
  });
const sources = readSources(product);

test(`the product has at most ${SIZE_CAPS.files} files and ${SIZE_CAPS.folders} folders`, () => {
  expect(sources.length).toBeGreaterThan(1000);
  expect(sources.length).toBeLessThanOrEqual(SIZE_CAPS.files);
  const folders = new Set(sources.map(({ file }) => path.dirname(file)));
  expect(folders.size).toBeLessThanOrEqual(SIZE_CAPS.folders);
});

test(`no file has more than ${SIZE_CAPS.fileLines} lines`, () => {
  const tooLong = [...sources, ...readSources(['scripts', 'test'])]
    .filter(({ lines }) => lines > SIZE_CAPS.fileLines)
    .map(({ file, lines }) => `${file}: ${lines}`);
  expect(tooLong).toEqual([]);
});

// Released migrations do not change, however short they are.
test('a short file of the product gives a reason in its first line', () => {
  const silent = sources
    .filter(
      ({ file, lines }) => lines < SIZE_CAPS.shortFileLines && !file.startsWith('core/store/migrations/'),
    )
    .filter(({ text }) => !/^\/\/ A file of its own: \w.{10,}\.\n/.test(text))
    .map(({ file, lines }) => `${file}: ${lines}`);
  expect(silent).toEqual([]);
});
