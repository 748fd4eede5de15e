import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failPoints } from '../../core/base/fail-points.ts';

it('every fault point has a case in which the host is killed there', () => {
  const texts = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
  const missing = Object.keys(failPoints).filter(
    (name) => !texts.some((text) => new RegExp(`'${name}[@:']`).test(text)),
  );
  expect(missing).toEqual([]);
});
