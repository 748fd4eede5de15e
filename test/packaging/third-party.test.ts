import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** What the build says of the packages of others that it has taken in. */
const text = readFileSync(join(import.meta.dirname, '../../out/THIRD-PARTY-LICENSES.txt'), 'utf8');

const packages = new Map(
  text
    .split(`\n${'='.repeat(80)}\n`)
    .slice(1)
    .map((part) => {
      const [, name, terms] = /^(\S+) \S+: (.*)$/m.exec(part)!;
      return [name!, { terms: terms!, part }] as const;
    }),
);

/** Terms under which others may be given along with a program of the MIT licence; docs/dependencies.md has the reasons. */
const allowed = new Set(['0BSD', 'Apache-2.0', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0']);

/** The rest, each for a reason that docs/dependencies.md gives. */
const others: Readonly<Record<string, string>> = {
  elkjs: 'EPL-2.0 OR GPL-3.0-or-later',
  wouter: 'Unlicense',
  tweetnacl: 'Unlicense',
  '@fontsource-variable/inter': 'OFL-1.1',
  '@fontsource-variable/jetbrains-mono': 'OFL-1.1',
};

describe('packages of others in the app', () => {
  test('have terms that allow it', () => {
    const refused = [...packages].filter(
      ([name, { terms }]) => !allowed.has(terms) && others[name] !== terms,
    );
    expect(refused.map(([name, { terms }]) => `${name}: ${terms}`)).toEqual([]);
    expect([...packages.keys()].filter((name) => name in others).toSorted()).toEqual(
      Object.keys(others).toSorted(),
    );
  });

  test('include code of all bundles, fonts, the worker for layouts, and what stays a folder', () => {
    const names = [
      'commander',
      'compromise',
      'jq-wasm',
      'pg',
      'react-dom',
      'elkjs',
      '@fontsource-variable/inter',
      '@electric-sql/pglite',
      'better-sqlite3',
      'systeminformation',
    ];
    expect(names.filter((name) => !packages.has(name))).toEqual([]);
    expect(packages.has('electron')).toBe(false);
    expect(packages.has('vitest')).toBe(false);
  });

  test('are told of with the texts of their licences and where their sources are', () => {
    const { part } = packages.get('elkjs')!;
    expect(part).toContain('Eclipse Public License - v 2.0');
    expect(part).toContain('Source: https://github.com/kieler/elkjs');
    const bare = [...packages].filter(([, one]) =>
      one.part.includes('Its package has no text of the licence'),
    );
    expect(bare.length).toBeLessThan(packages.size / 20);
  });
});
