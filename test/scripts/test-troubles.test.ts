import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readPlaywrightProblems, readVitestProblems } from '../../scripts/setup/test-report.mjs';

const folder = mkdtempSync(join(tmpdir(), 'stepwright-troubles-'));
afterAll(() => rmSync(folder, { recursive: true }));

function writeReport(report: unknown): string {
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(report));
  return file;
}

test('lists failed and skipped Vitest tests with the start of their message', () => {
  const root = join(import.meta.dirname, '../..');
  const file = writeReport({
    testResults: [
      {
        name: join(root, 'test/one.test.ts'),
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'adds' },
          {
            status: 'failed',
            fullName: 'takes away',
            failureMessages: ['\u001B[31mExpected 1\u001B[39m\n\nnot 2'],
          },
          { status: 'pending', fullName: 'waits' },
        ],
      },
      {
        name: join(root, 'test/two.test.ts'),
        status: 'failed',
        message: 'No such module',
        assertionResults: [],
      },
      { name: join(root, 'test/three.test.ts'), status: 'passed', assertionResults: [] },
    ],
  });
  expect(readVitestProblems(file)).toEqual([
    'failed: test/one.test.ts takes away\n    Expected 1\n    not 2',
    'pending: test/one.test.ts waits',
    'failed: test/two.test.ts the whole file\n    No such module',
  ]);
});

test('lists Playwright specs at any nesting depth', () => {
  const spec = (title: string, status: string, message?: string) => ({
    title,
    file: 'a.spec.ts',
    line: 3,
    tests: [{ status, results: [{ ...(message === undefined ? {} : { error: { message } }) }] }],
  });
  const file = writeReport({
    suites: [
      { specs: [spec('opens', 'expected')], suites: [{ specs: [spec('closes', 'unexpected', 'Timeout')] }] },
      { specs: [spec('waits', 'skipped')] },
    ],
    errors: [{ message: 'no page' }],
  });
  expect(readPlaywrightProblems(file)).toEqual([
    'unexpected: a.spec.ts:3 closes\n    Timeout',
    'skipped: a.spec.ts:3 waits',
    'failed:  outside any spec\n    no page',
  ]);
});

test('names a runner that left no report', () => {
  expect(readVitestProblems(join(folder, 'absent.json'))).toEqual(['Vitest left no report']);
  expect(readPlaywrightProblems(join(folder, 'absent.json'))).toEqual(['Playwright left no report']);
});
