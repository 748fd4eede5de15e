import { describe, expect, it } from 'vitest';
import { loadSpec } from '../../core/spec/load.ts';
import { readCodeSpans, readPage, readTable } from './read-page.ts';

describe('docs/parameters.md', () => {
  it.each(readTable(readPage('docs/parameters.md'), 'Forms'))(
    'is accurate about %s',
    (written = '', gives = '') => {
      const [field = ''] = readCodeSpans(written);
      const { workflows, diagnostics } = loadSpec({ text: `${field}\nsteps: ["true"]\n` });
      expect(diagnostics).toEqual([]);
      const params = workflows[0]!.params.map(({ name, value }) => `${name}=${value}`);
      expect(params).toEqual(readCodeSpans(gives));
    },
  );
});
