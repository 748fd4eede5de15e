import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasTest, listProofs } from './proofs.ts';
import { readPage, root } from './read-page.ts';

const rules = listProofs(readPage('docs/threat-model.md'), '### ');

describe('docs/threat-model.md', () => {
  it('has a file and a test for each rule', () => {
    expect(rules.length).toBeGreaterThan(35);
    expect(rules.filter(({ where, tests }) => where.length === 0 || tests.length === 0)).toEqual([]);
    const files = rules.flatMap(({ where }) => where.map(({ target }) => target));
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('names existing tests', () => {
    const named = rules.flatMap(({ tests }) => tests);
    expect(named.filter((link) => !hasTest(link))).toEqual([]);
  });
});

it('the lint rules that forbid eval are on, and never disabled', () => {
  const rulesOn = readFileSync(join(root, 'oxlint.config.ts'), 'utf8');
  for (const rule of ['eslint/no-eval', 'eslint/no-new-func'])
    expect(rulesOn).toContain(`'${rule}': 'error'`);
  const sources = ['core', 'main', 'preload', 'renderer'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
  expect(sources.length).toBeGreaterThan(500);
  const evading = sources.filter((file) =>
    /oxlint-disable[^\n]*no-(eval|new-func)/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(evading).toEqual([]);
});
