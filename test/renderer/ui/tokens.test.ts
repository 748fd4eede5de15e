import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const renderer = path.resolve(import.meta.dirname, '../../../renderer');
const files = globSync('**/*.{css,ts,tsx}', { cwd: renderer }).map((file) => ({
  file,
  text: readFileSync(path.join(renderer, file), 'utf8'),
}));

test('every custom property used by a style is defined, or has a fallback', () => {
  const defined = new Set(files.flatMap(({ text }) => text.match(/--[a-z][\w-]*(?=['"\]]*\s*:)/g) ?? []));
  const missing = files.flatMap(({ file, text }) =>
    [...text.matchAll(/var\((--[a-z][\w-]*)\)/g)]
      .filter(([, name]) => !defined.has(name!))
      .map(([, name]) => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});
