import { describe, expect, it } from 'vitest';
import { compare } from './harness/compare.ts';
import { readCasesFor } from './harness/cases.ts';
import { runByCli } from './harness/run-by-cli.ts';

describe.concurrent('conformance through the command line', () => {
  for (const item of readCasesFor('cli')) {
    it(`${item.title} (cli)`, async ({ signal }) => {
      const differences = compare(item, await runByCli(item, signal));
      expect(differences.join('\n')).toBe('');
    });
  }
});
