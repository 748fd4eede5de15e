import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listSources } from '../../scripts/lint/source-metrics.ts';

const root = path.join(import.meta.dirname, '../..');
const directive = /^\s*(?:\/\/|\/\*|\{\/\*)\s*oxlint-disable/;
const comment = /^\s*(?:\/\/|\{\/\*)/;

test('every lint suppression gives its reason on the same line or the line above', () => {
  const found = listSources(root, ['core', 'main', 'preload', 'renderer', 'scripts', 'test']).flatMap(
    (file) =>
      readFileSync(path.join(root, file), 'utf8')
        .split('\n')
        .map((line, at, lines) => ({ file, line, above: lines[at - 1] ?? '' }))
        .filter(({ line }) => directive.test(line)),
  );
  expect(found.length).toBeGreaterThan(10);
  const silent = found.filter(({ line, above }) => !/ -- \w/.test(line) && !comment.test(above));
  expect(silent.map(({ file, line }) => `${file}: ${line.trim()}`)).toEqual([]);
});
