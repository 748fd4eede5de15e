import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** Selectors of a style sheet, without those inside an at-rule that names steps of a movement. */
function selectorsOf(css: string): string[] {
  const plain = css
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/@keyframes[^{]*\{(?:[^{}]*\{[^}]*\})*\s*\}/g, '');
  return [...plain.matchAll(/([^{};]+)\{/g)]
    .map(([, selectors]) => withoutArguments(selectors!))
    .filter((selectors) => !selectors.trim().startsWith('@'))
    .flatMap((selectors) => selectors.split(','));
}

/** What stands in the brackets of `:is()` and its like narrows a selector, or is global. */
function withoutArguments(selectors: string): string {
  const less = selectors.replaceAll(/\([^()]*\)/g, '');
  return less === selectors ? less : withoutArguments(less);
}

// An attribute alone would paint every page that has been opened since.
test('no module of styles reaches outside its own classes', () => {
  const free = globSync('renderer/**/*.module.css', { cwd: root }).flatMap((file) =>
    selectorsOf(readFileSync(join(root, file), 'utf8'))
      .filter((selector) => !/\.[a-z]/i.test(selector))
      .map((selector) => `${file}: ${selector.trim()}`),
  );
  expect(free).toEqual([]);
});
