import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** Selectors of a style sheet, except keyframe selectors. */
function selectorsOf(css: string): string[] {
  const plain = css
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/@keyframes[^{]*\{(?:[^{}]*\{[^}]*\})*\s*\}/g, '');
  return [...plain.matchAll(/([^{};]+)\{/g)]
    .map(([, selectors]) => withoutArguments(selectors!))
    .filter((selectors) => !selectors.trim().startsWith('@'))
    .flatMap((selectors) => selectors.split(','));
}

/** Arguments of `:is()` and similar narrow a selector, or are global. */
function withoutArguments(selectors: string): string {
  const less = selectors.replaceAll(/\([^()]*\)/g, '');
  return less === selectors ? less : withoutArguments(less);
}

// An attribute alone would style every page opened since.
test('no CSS module styles anything outside its own classes', () => {
  const free = globSync('renderer/**/*.module.css', { cwd: root }).flatMap((file) =>
    selectorsOf(readFileSync(join(root, file), 'utf8'))
      .filter((selector) => !/\.[a-z]/i.test(selector))
      .map((selector) => `${file}: ${selector.trim()}`),
  );
  expect(free).toEqual([]);
});
