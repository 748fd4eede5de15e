import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Build metadata of the bundled third-party packages. */
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

/** Licences allowed for bundled code in an MIT program; docs/dependencies.md has the reasons. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
]);

/** Exceptions, for reasons given in docs/dependencies.md. */
const others: Readonly<Record<string, string>> = {
  elkjs: 'EPL-2.0 OR GPL-3.0-or-later',
  wouter: 'Unlicense',
  tweetnacl: 'Unlicense',
  '@fontsource-variable/inter': 'OFL-1.1',
  '@fontsource-variable/jetbrains-mono': 'OFL-1.1',
};

describe('third-party packages in the app', () => {
  test('have a permitted licence', () => {
    const refused = [...packages].filter(
      ([name, { terms }]) => !allowed.has(terms) && others[name] !== terms,
    );
    expect(refused.map(([name, { terms }]) => `${name}: ${terms}`)).toEqual([]);
    expect([...packages.keys()].filter((name) => name in others).toSorted()).toEqual(
      Object.keys(others).toSorted(),
    );
  });

  test('include code of all bundles, fonts, the layout worker, and packages kept as folders', () => {
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

  test('are listed with their licence texts and source URLs', () => {
    const { part } = packages.get('elkjs')!;
    expect(part).toContain('Eclipse Public License - v 2.0');
    expect(part).toContain('Source: https://github.com/kieler/elkjs');
    const bare = [...packages].filter(([, one]) =>
      one.part.includes('Its package has no text of the licence'),
    );
    expect(bare.length).toBeLessThan(packages.size / 20);
  });
});
