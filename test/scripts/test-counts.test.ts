import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  addCounts,
  formatCounts,
  readPlaywrightCounts,
  readVitestCounts,
} from '../../scripts/setup/test-report.mjs';

const folder = mkdtempSync(join(tmpdir(), 'stepwright-counts-'));
afterAll(() => rmSync(folder, { recursive: true }));

function writeReport(name: string, report: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(report));
  return file;
}

describe('readVitestCounts', () => {
  const clean = {
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 1,
    numTodoTests: 1,
    testResults: [],
  };

  test('counts pending and todo tests as skipped', () => {
    const file = writeReport('clean.json', clean);
    expect(readVitestCounts(file, true)).toEqual({ passed: 3, failed: 0, skipped: 2 });
  });

  test('counts a file that did not load as one failure', () => {
    const testResults = [{ status: 'failed', assertionResults: [] }];
    const file = writeReport('broken.json', { ...clean, testResults });
    expect(readVitestCounts(file, false)).toMatchObject({ passed: 3, failed: 1 });
  });

  test('counts one failure for a runner that failed without a failed test', () => {
    const file = writeReport('unhandled.json', clean);
    expect(readVitestCounts(file, false)).toMatchObject({ passed: 3, failed: 1 });
  });

  test('counts one failure for a runner that left no report', () => {
    expect(readVitestCounts(join(folder, 'absent.json'), true)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe('readPlaywrightCounts', () => {
  test('counts flaky specs as failed', () => {
    const file = writeReport('flaky.json', {
      stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 2 },
      errors: [],
    });
    expect(readPlaywrightCounts(file, false)).toEqual({ passed: 4, failed: 2, skipped: 2 });
  });

  test('counts errors outside any spec', () => {
    const file = writeReport('errors.json', {
      stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 },
      errors: [{ message: 'no specs' }],
    });
    expect(readPlaywrightCounts(file, false)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe('summary line', () => {
  const counts = [
    { passed: 2, failed: 0, skipped: 1 },
    { passed: 3, failed: 1, skipped: 0 },
  ];

  test('names skipped tests only if there are any', () => {
    expect(formatCounts(addCounts(counts, false))).toBe('5 passed, 1 failed, 1 skipped');
    expect(formatCounts({ passed: 7, failed: 0, skipped: 0 })).toBe('7 passed, 0 failed');
  });

  test('turns skipped tests into failures where all requirements are installed', () => {
    expect(formatCounts(addCounts(counts, true))).toBe('5 passed, 2 failed');
  });
});
