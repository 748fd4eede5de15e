import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');
const [tables, rest] = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8').split('\n## Versions\n');

/** Rows of the tables of packages: their cells. */
const rows = tables!
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const namesIn = (cell: string): string[] => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name!);

const readPackage = (name: string) =>
  JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly license?: string;
  };

test('lists every package of package.json and no other', () => {
  const told = rows.flatMap(([names]) => namesIn(names!));
  const named = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)];
  expect(told.toSorted()).toEqual(named.toSorted());
});

test('gives purpose, licence, size and maintainers of each package', () => {
  for (const [names, saved, licence, size, , maintenance] of rows) {
    expect([names, saved!.length > 10, /^\d+(\.\d+)?$/.test(size!)]).toEqual([names, true, true]);
    expect(maintenance).toMatch(/.; (?:[\d.]+ [kM]|n\/a)$/);
    // Old packages and alternatives are described differently.
    for (const { license } of namesIn(names!).map(readPackage))
      if (license !== undefined && !license.includes(' OR ')) expect(licence!.split(', ')).toContain(license);
  }
});

test('the packages kept as folders in the app are those of "dependencies"', () => {
  const folders = rows.flatMap(([names, , , , bundled]) => (bundled === 'folder' ? namesIn(names!) : []));
  expect(folders.toSorted()).toEqual(Object.keys(manifest.dependencies).toSorted());
});

test('lists the packages older than their latest major version', () => {
  const older = rest!.split('\n').filter((line) => /^\| `[^|]+\| [\d., ]+ \|/.test(line));
  expect(older.length).toBeGreaterThan(0);
  for (const line of older) {
    const [names, here] = line
      .split('|')
      .slice(1, 3)
      .map((cell) => cell.trim());
    const versions = here!.split(', ');
    for (const name of namesIn(names!))
      expect(versions.some((version) => readPackage(name).version.startsWith(`${version}.`))).toBe(true);
  }
});
