import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listSources } from '../../scripts/measure/read-imports.ts';

const root = path.join(import.meta.dirname, '../..');

test('every line that silences a rule of the linter says why', () => {
  const directives = listSources(root, ['core', 'main', 'preload', 'renderer', 'scripts', 'test']).flatMap(
    (file) =>
      readFileSync(path.join(root, file), 'utf8')
        .split('\n')
        .filter((line) => /^\s*(?:\/\/|\/\*|\{\/\*)\s*oxlint-disable/.test(line))
        .map((line) => ({ file, line })),
  );
  expect(directives.length).toBeGreaterThan(10);
  expect(directives.filter(({ line }) => !/ -- \w/.test(line))).toEqual([]);
});
