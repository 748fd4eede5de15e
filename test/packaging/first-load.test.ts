import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

/** Size of the scripts loaded before the first page, in bytes of gzip. */
const firstLoadBudget = 350_000;

const assets = join(import.meta.dirname, '../../out/renderer/assets');
const files = readdirSync(assets);
const read = (name: string): string => readFileSync(join(assets, name), 'utf8');

/** Static imports of a source; `import(…)` is loaded later. */
const listImports = (text: string): string[] =>
  [...text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)].map(([, name]) => name!);

/** A script with all its static imports. */
function collect(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const next of listImports(read(name))) collect(next, seen);
  return seen;
}

const page = readFileSync(join(assets, '../index.html'), 'utf8');
const entry = [...page.matchAll(/(?:src|href)="\.\/assets\/([^"]+\.(?:js|css))"/g)].map(([, name]) => name!);
const chunk = (name: string, ending: string): string[] =>
  files.filter((file) => file.startsWith(`${name}-`) && file.endsWith(ending));

/** The shell and its first page. */
const scripts = new Set(
  [...entry, ...chunk('dashboard-page', '.js')]
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => [...collect(name)]),
);
const styles = new Set(
  [...entry, ...chunk('dashboard-page', '.css')].filter((name) => name.endsWith('.css')),
);

test('the first load stays within its budget', () => {
  const sizes = [...scripts, ...styles].map((name) => gzipSync(read(name)).length);
  expect(sizes.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(firstLoadBudget);
});

test('editor, graph, charts, palette and rarely used pages are loaded later', () => {
  const later = /^(editor-page|step-look|u[pP]lot|load-charts|palette-dialog|settings-page|gallery-page|elk)/;
  expect([...scripts].filter((name) => later.test(name))).toEqual([]);
  expect(files.filter((name) => /^(editor-page|palette-dialog)-.*\.js$/.test(name)).length).toBeGreaterThan(
    0,
  );
});

test('the window has strings in one language only', () => {
  const texts = files.filter((name) => name.endsWith('.js')).map(read);
  expect(texts.filter((text) => /\p{Script=Hangul}/u.test(text))).toEqual([]);
  expect(texts.some((text) => text.includes('Dismiss'))).toBe(true);
});
