import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCodes, exitCodes } from '../../../core/base/error-codes.ts';
import { runExitCode } from '../../../core/cli/print-error.ts';

describe('exit code of a run', () => {
  it.each([
    [{ status: 'succeeded' }, undefined, 0],
    [{ status: 'failed', cause: 'steps' }, undefined, 1],
    [{ status: 'partially_succeeded', cause: 'steps' }, undefined, 1],
    [{ status: 'aborted', cause: 'stopped' }, undefined, 1],
    [{ status: 'aborted', cause: 'init' }, undefined, 1],
    [{ status: 'aborted', cause: 'preconditions' }, undefined, 0],
    [{ status: 'aborted', cause: 'stopped' }, 'SIGINT', 130],
    [{ status: 'aborted', cause: 'stopped' }, 'SIGTERM', 143],
    [{ status: 'failed', cause: 'handler' }, 'SIGHUP', 129],
    [{ status: 'succeeded' }, 'SIGINT', 0],
  ] as const)('%o after %s is %i', (run, signal, code) => {
    expect(runExitCode(run, signal)).toBe(code);
  });
});

describe('docs/cli.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/cli.md'), 'utf8');
  const table = text.slice(text.indexOf('## Exit codes'), text.indexOf('## Environment'));
  const rows = new Map(
    Array.from(table.matchAll(/^\| (\d+) \| (.*) \|$/gm), ([, code, when]) => [Number(code), when ?? '']),
  );

  it('has a row for every exit code, and no others', () => {
    const used = [...Object.values(exitCodes), ...Object.values(errorCodes).map((facts) => facts.exit)];
    expect([...rows.keys()].sort((a, b) => a - b)).toEqual([...new Set<number>(used)].sort((a, b) => a - b));
  });

  it.each(Object.entries(errorCodes))('names %s in its row', (name, { exit }) => {
    expect(rows.get(exit)).toContain(`\`${name}\``);
  });
});
