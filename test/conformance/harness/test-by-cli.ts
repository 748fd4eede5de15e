import { describe, expect, it } from 'vitest';
import { readCasesFor } from './cases.ts';
import { compare } from './compare.ts';
import { runByCli } from './run-by-cli.ts';

/**
 * Defines a test for each case of the topics from `first` to before `end`. Topics are split into several
 * files, which run in parallel.
 */
export function testByCli(first: string, end: string): void {
  describe.concurrent('conformance through the command line', () => {
    for (const item of readCasesFor('cli').filter(({ topic }) => topic >= first && topic < end)) {
      it(`${item.title} (cli)`, async ({ signal }) => {
        const differences = compare(item, await runByCli(item, signal));
        expect(differences.join('\n')).toBe('');
      });
    }
  });
}
